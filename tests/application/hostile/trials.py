"""What the rows of the hostile table have in common: running the program, and counting what
held."""
import dataclasses
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time

GIB = 1 << 30
# What a library would say by itself.
RAW = [
    "std::",
    "vector::",
    "basic_string",
    "stoi",
    "stoul",
    "json.exception",
    "parse_error",
    "type_error",
    "filesystem error",
    "terminate called",
    "bad_alloc",
    "_M_",
    "Could not convert",
]


@dataclasses.dataclass
class Outcome:
    """How a call of the program ended."""

    words: list
    status: int  # negative: the signal that ended it
    out: bytes
    err: bytes
    seconds: float
    timed_out: bool = False

    def complaint(self):
        """What is wrong with this end, whatever was asked; None when nothing is."""
        if self.timed_out:
            return f"did not end in {self.seconds:.0f} s"
        if self.status < 0:
            return f"died of {signal.Signals(-self.status).name}"
        try:
            err = self.err.decode("utf-8")
        except UnicodeDecodeError:
            return f"standard error is not UTF-8: {self.err[-200:]!r}"
        given = b" ".join(w if isinstance(w, bytes) else os.fsencode(w) for w in self.words).decode(
            "utf-8", "replace"
        )
        if raw := next((word for word in RAW if word in err and word not in given), None):
            return f"an error in raw words ({raw}): {err[-200:]!r}"
        if b"Sanitizer" in self.err or b"runtime error:" in self.err:
            return "a sanitizer's report: " + self.err.decode("utf-8", "replace")[:200]
        if (
            self.status == 0 or self.status == 1 and b"headlight: " not in self.err
        ):  # 1: the answer is no
            return None
        lines = self.err.decode("utf-8", "replace").splitlines()
        reported = [line for line in lines if line.startswith("headlight: ")]
        if not reported:
            return f"status {self.status} without a sentence"
        last = reported[-1]
        if lines[-1] != last:
            return f"an error of several lines: {lines[-2:]!r}"
        if any(
            ord(c) < 32
            or 0x7F <= ord(c) < 0xA0
            or c == "\ufffd"
            and b"\xef\xbf\xbd" not in self.err
            for c in last
        ):
            return f"an error with raw bytes: {last[:200]!r}"
        if len(last) > 1000:
            return f"an error of {len(last)} characters: {last[:100]}…"
        if not last.endswith((".", ")", "?")):
            return f"an error that is no sentence: {last[:200]}"
        return None


class Trials:
    """A row of the table: a place to work in, and the cases tried."""

    def __init__(self, app, work, quick, seed):
        self.app, self.work, self.quick = pathlib.Path(app), pathlib.Path(work), quick
        self.random = random.Random(seed)
        self.tried, self.failures, self.skipped = 0, [], []
        self.sanitized = (
            b"__asan_init" in self.app.read_bytes()
        )  # reserves more addresses than any limit allows

    def count(self, quick, whole):
        """How many cases: a few in the usual tests, all of them by --hostile."""
        return quick if self.quick else whole

    def note(self, case, complaint):
        """A case held when there is no complaint about it."""
        self.tried += 1
        if complaint:
            self.failures.append(f"{case}: {complaint}")

    def skip(self, reason):
        """Cases that cannot be tried on this machine, or in this build."""
        self.skipped.append(reason)

    def call(
        self,
        *words,
        seconds=60,
        memory=2 * GIB,
        cwd=None,
        env=None,
        stdin=None,
        before=None,
        prefix=(),
        program=None,
    ):
        """Runs the program, or another. Past the memory limit its allocations fail. A child that
        hangs is killed."""

        def prepare():
            if memory and not self.sanitized:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if before:
                before()

        words = [os.fspath(w) for w in words]
        begin = time.monotonic()
        process = subprocess.Popen(
            [*prefix, program or self.app, *words],
            cwd=cwd or self.work,
            env={**os.environ, **(env or {})},
            stdin=stdin or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=prepare,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=seconds)
            timed_out = False
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            timed_out = True
        return Outcome(words, process.returncode, out, err, time.monotonic() - begin, timed_out)

    def folder(self, name):
        """An empty folder of the row's own."""
        path = self.work / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def small_run(self, name="run", *flags):
        """A whole run of a second, made once: the folder that the cases damage copies of."""
        path = self.work / name
        if not (path / "model.safetensors").exists():
            end = self.call(
                "train",
                "--steps",
                "20",
                "--evaluate-every",
                "10",
                "--batch",
                "8",
                "--context",
                "16",
                "--d-model",
                "16",
                "--heads",
                "2",
                "--out",
                path,
                *flags,
            )
            if end.status != 0:
                raise RuntimeError(
                    f"the small run could not be made: {end.err.decode('utf-8', 'replace')}"
                )
        return path


def in_temporary_folder():
    return tempfile.TemporaryDirectory(prefix="headlight-hostile-")
