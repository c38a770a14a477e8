#!/usr/bin/env python3
"""Trains small models by mpirun and looks at the bits, and at what happens when a rank is killed, stopped, slow or
started with other settings, and when the user stops the run."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

APP = pathlib.Path(sys.argv[1]).resolve()
SMALL = [
    "train",
    "--evaluate-every",
    "20",
    "--batch",
    "16",
    "--shards",
    "8",
    "--context",
    "16",
    "--vocab",
    "12",
    "--d-model",
    "8",
    "--heads",
    "2",
    "--layers",
    "1",
    "--no-color",
]
BITS = ["model.safetensors", "optimizer.safetensors", "history.safetensors", "metrics.jsonl"]
HOST = socket.gethostname()
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
failures = []


def note(case, complaint):
    print(
        f"{'FAILED' if complaint else 'held'}: {case}{': ' + complaint if complaint else ''}",
        flush=True,
    )
    if complaint:
        failures.append(case)


def mpirun(*ranks, options=()):
    """The line that starts so many ranks with these words each: mpirun((2, [...]), (1, [...]))."""
    line = ["mpirun", "--quiet", "--oversubscribe", *options]
    for i, (count, words) in enumerate(ranks):
        words = [os.fspath(word) for word in words]
        environment = [word for word in words if word.startswith("HEADLIGHT_")]
        rest = [word for word in words if not word.startswith("HEADLIGHT_")]
        line += [":"] if i else []
        line += [
            "-n",
            str(count),
            *(word for variable in environment for word in ("-x", variable)),
            APP,
            *rest,
        ]
    return line


def ranks_of(launcher):
    """The processes of the ranks, by rank."""
    found = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError, AttributeError):
            if re.search(r"^PPid:\t(\d+)$", status.read_text(), re.M)[1] != str(launcher):
                continue
            variables = (status.parent / "environ").read_bytes().decode().split("\0")
            rank = next((v for v in variables if v.startswith("OMPI_COMM_WORLD_RANK=")), None)
            if rank:
                found[int(rank.split("=")[1])] = int(status.parent.name)
    return found


def lives(process):
    with contextlib.suppress(OSError):
        return (
            pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
            not in "ZX"
        )
    return False


class Launched:
    """A run that has begun to train: what it prints, its ranks, and its end."""

    def __init__(self, line, until="step 1/"):
        self.process = subprocess.Popen(
            line,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines, self.ranks = [], {}
        while until not in (text := self.process.stderr.readline()) and text:
            self.lines.append(text.rstrip("\n"))
        self.ranks = ranks_of(self.process.pid)
        self.begin = time.monotonic()

    def end(self, seconds=20):
        """Waits for the end; what is wrong if it does not come, or if a rank is left behind."""
        try:
            errors = self.process.communicate(timeout=seconds)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            for rank in self.ranks.values():
                with contextlib.suppress(OSError):
                    os.kill(rank, signal.SIGKILL)
            self.process.communicate()
            return f"did not end in {seconds} s"
        self.seconds = time.monotonic() - self.begin
        self.lines += errors.splitlines()
        for _ in range(20):
            left = [rank for rank, process in self.ranks.items() if lives(process)]
            if not left:
                return None
            time.sleep(0.1)
        return f"left behind: ranks {left}"

    def sentences(self):
        return [
            text.removeprefix("headlight: ")
            for text in self.lines
            if text.startswith("headlight: ")
        ]


def run(line):
    end = subprocess.run(
        line, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )
    sentences = [
        text.removeprefix("headlight: ")
        for text in end.stderr.splitlines()
        if text.startswith("headlight: ")
    ]
    return end.returncode, sentences, end.stderr


def differing(a, b):
    files = [name for name in BITS if (a / name).read_bytes() != (b / name).read_bytes()]
    return "differ: " + ", ".join(files) if files else None


def was_built(level):
    return (
        subprocess.run(
            [APP, "--version"], env={**os.environ, "HEADLIGHT_LEVEL": level}, capture_output=True
        ).returncode
        == 0
    )


def same_bits(alone):
    """As one process: any number of ranks and threads, and ranks of different levels."""
    levels = [
        [],
        *([f"HEADLIGHT_LEVEL={level}"] for level in ("v3", "v4") if was_built(level)),
    ]  # as far as this machine has them
    threads = ["--threads", "2"]
    cases = {
        "2 ranks": [(2, [])],
        "3 ranks of 2 threads": [(3, threads)],
        "8 ranks": [(8, [])],
        "ranks of different levels": [(1, level) for level in levels],
    }
    for case, ranks in cases.items():
        folder = alone.with_name(case)
        line = mpirun(
            *((count, [*SMALL, "--steps", "60", "--out", folder, *more]) for count, more in ranks)
        )
        status, sentences, errors = run(line)
        note(
            case,
            f"status {status}: {errors[-300:]}"
            if status or sentences
            else differing(alone, folder),
        )


def refusals(work):
    """Lines that end in one sentence and status 2."""
    new = [*SMALL, "--out", work / "refused"]
    hint = " Hint: every rank needs the same command line, files and program."
    return {
        "other settings in one rank": (
            mpirun((2, new), (1, [*new, "--seed", "7"])),
            f"before the first step rank 2 ({HOST}) has train.seed 7, but most ranks have 0.{hint}",
        ),
        "an error in one rank": (
            mpirun((1, new), (1, [*new, "--threads", "2000"])),
            f"rank 1 ({HOST}): [ThreadPool] 2000 threads are surely a mistake: expected at most 1024.",
        ),
        "a wrong flag in one rank": (
            mpirun((1, new), (1, [*new, "--steps", "x"])),
            f"rank 1 ({HOST}): --steps: expected a whole number, got 'x'. (--help explains)",
        ),
        "an error in all ranks": (
            mpirun((3, [*new, "--steps", "x"])),
            "--steps: expected a whole number, got 'x'. (--help explains)",
        ),
        "more ranks than shards": (
            mpirun((9, new)),
            "9 ranks cannot divide the 8 shards of a batch. Hint: mpirun -n 8.",
        ),
    }


def refused(work, case):
    line, sentence = refusals(work)[case]
    status, sentences, _ = run(line)
    written = (work / "refused" / "config.json").exists()
    note(
        case,
        None
        if (status, sentences, written) == (2, [sentence], False)
        else f"status {status}: {sentences}",
    )


def long_run(folder, *more):
    return [*SMALL, "--steps", "100000", "--out", folder, *more]


def killed(work):
    """mpirun ends the others, and names the rank by itself. The checkpoint stays."""
    folder = work / "killed"
    launched = Launched(mpirun((3, long_run(folder, "--checkpoint-every", "20"))))
    while not (folder / "state.json").exists() and launched.process.poll() is None:
        time.sleep(0.05)
    os.kill(launched.ranks[1], signal.SIGKILL)
    note("a killed rank ends the others", launched.end(8))
    goes_on("a run with a killed rank", folder)


def stopped(work, rank):
    launched = Launched(mpirun((3, long_run(work / f"stopped-{rank}", "--rank-timeout", "2"))))
    os.kill(launched.ranks[rank], signal.SIGSTOP)
    complaint = launched.end()
    expected = (
        f"rank {rank} ({HOST}) sent nothing for 2 s, and the others wait for the gradients of step N. Hint: a rank "
        "that was stopped or is cut off from the network; --rank-timeout SECONDS waits longer."
    )
    found = [re.sub(r"step \d+", "step N", text) for text in launched.sentences()]
    if not complaint and not (len(found) == 1 and found[0].startswith(expected)):
        complaint = f"{launched.sentences()}"
    note(f"rank {rank}, stopped, is named and ended", complaint)


def goes_on(case, folder):
    """--resume over two ranks, the second of which is slow, gives what one process without a stop gives."""
    steps = json.loads((folder / "state.json").read_text())["steps"]
    last, alone = str(steps + 500), folder.with_name(folder.name + "-alone")
    launched = Launched(
        mpirun((2, ["train", "--resume", folder, "--steps", last, "--rank-timeout", "2"])),
        until="step ",
    )
    os.kill(launched.ranks[1], signal.SIGSTOP)
    time.sleep(0.5)
    os.kill(launched.ranks[1], signal.SIGCONT)
    complaint = launched.end() or (
        f"{launched.sentences()}" if launched.process.returncode else None
    )
    status, _, errors = run([APP, *SMALL, "--steps", last, "--out", alone])
    note(
        f"{case} goes on at step {steps} to the same bits",
        complaint or (errors if status else differing(alone, folder)),
    )


def stopped_by_user(work, sent, options=()):
    folder = work / sent.name
    launched = Launched(mpirun((3, long_run(folder)), options=options))
    launched.process.send_signal(sent)
    complaint = launched.end()
    if not complaint and not (folder / "state.json").exists():
        complaint = f"nothing was saved: {launched.lines[-3:]}"
    note(f"{sent.name} saves", complaint)
    if not complaint:
        goes_on(f"a run that {sent.name} stopped", folder)


def main():
    if not shutil.which("mpirun") or not APP.with_name("headlight_mpi.so").exists():
        print("skipped: tests that need Open MPI, which is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory(
        prefix="headlight-ranks-"
    ) as name, concurrent.futures.ThreadPoolExecutor(4) as pool:
        work = pathlib.Path(name)
        status, _, errors = run(
            [APP, *SMALL, "--threads", "1", "--steps", "60", "--out", work / "alone"]
        )
        assert status == 0, errors
        # They mostly wait: mpirun ends a failed run two seconds after its failure. After a signal it leaves as many
        # seconds until SIGKILL as the option says.
        longest = ("--mca", "odls_base_sigkill_timeout", "3")
        calls = [
            (stopped_by_user, work, signal.SIGINT, longest),
            (killed, work),
            (stopped_by_user, work, signal.SIGUSR1),
            *((refused, work, case) for case in refusals(work)),
            (stopped, work, 0),
            (stopped, work, 2),
            (same_bits, work / "alone"),
        ]
        for ended in [pool.submit(*call) for call in calls]:
            ended.result()
    sys.exit(1 if failures else 0)


main()
