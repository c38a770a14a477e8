"""Signals, closed and full streams, odd terminals and environments, few rights and small limits."""
import contextlib
import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import time

TITLE = "surroundings: signals, streams, terminals, environments, rights, limits"
STOPS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
FOLDER_FILES = ["model.safetensors", "optimizer.safetensors", "metrics.jsonl", "history.safetensors", "config.json"]
LONG = ["--steps", "100000", "--batch", "8", "--context", "16", "--d-model", "16", "--heads", "2"]
SLOW_STEPS = ["--steps", "1000", "--batch", "512", "--context", "128", "--d-model", "128", "--history", "0", "--threads", "1"]
SAID_AT = re.compile(rb"step (\d+)/")


@contextlib.contextmanager
def started(t, *words, before=None, **streams):
    """The program as it runs, ended with the block."""
    def prepare():
        for name in STOPS:  # ignored in what a shell starts in the background
            signal.signal(name, signal.SIG_DFL)
        if before:
            before()

    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **streams}
    process = subprocess.Popen([t.app, *map(os.fspath, words)], cwd=t.work, preexec_fn=prepare, start_new_session=True, **streams)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait_for(process, pattern, seconds=60):
    """Reads standard error up to the pattern."""
    read, end = b"", time.monotonic() + seconds
    while not re.search(pattern, read) and time.monotonic() < end:
        if select.select([process.stderr], [], [], 0.1)[0]:
            piece = os.read(process.stderr.fileno(), 4096)
            if not piece:
                break
            read += piece
    return re.search(pattern, read)


def ended(process, seconds=60):
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return None


def summary(folder):
    file = folder / "summary.json"
    return json.loads(file.read_text()) if file.exists() else {}


def stops(t):
    """The first signal saves; the commands that read the run say that it was stopped."""
    for command, name in [("train", s) for s in STOPS] + [("demo", s) for s in STOPS[:t.count(1, 3)]]:
        folder = t.work / f"{command}-{name.name}"
        steps = LONG if command == "train" else ["--steps", "100000", "--threads", "1"]
        with started(t, command, *steps, "--out", folder) as process:
            going = wait_for(process, rb"step [1-9]")
            process.send_signal(name)
            process.send_signal(name)  # at once, as to a process and its group: the same request
            end = ended(process)
            t.note(f"{name.name} to {command}",
                   None if going and end and process.returncode == 130 and b"Stopped at step" in end[0] and
                   summary(folder).get("interrupted") else f"status {process.returncode}, {end}")
        heads = t.call("heads", folder)
        t.note(f"heads after {name.name} to {command}",
               heads.complaint() or (None if heads.status == 0 and b"was stopped at step" in heads.err else repr(heads.err)))
    tell_stopped(t, t.work / "train-SIGINT")


def tell_stopped(t, folder):
    calls = (["plot"], ["curves"], ["compare", folder], ["generate", "--prompt", "A", "--tokens", "2"], ["ablate"], ["circuits"], ["sensitivity"], ["periods"], ["certify"], ["patch"],
             ["attribute", "--position", "3"], ["report", "-o", t.work / "page.html"], ["export", "--npz", t.work / "run.npz"])
    for words in calls[:t.count(4, len(calls))]:
        other = t.small_run("whole") if words[0] == "compare" else None
        end = t.call(words[0], folder, *([other] if other else words[1:]))
        t.note(f"{words[0]} says that the run was stopped",
               end.complaint() or (None if end.err.count(b"was stopped at step") == 1 else repr(end.err)))
    runs = t.call("runs", folder)
    t.note("runs says it in its list", None if b"stopped at step" in runs.out and not runs.err else repr(runs.err))
    whole = t.call("heads", t.small_run("whole"))
    t.note("heads says nothing of a whole run", None if whole.status == 0 and not whole.err else repr(whole.err))


def insists(t):
    """A second signal ends the program at once, and the run before it stays."""
    old = t.small_run("whole")
    for first in STOPS[:t.count(1, 3)]:
        for second in STOPS[:t.count(1, 3)]:
            folder = t.work / "insisted"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(old, folder)
            before = (folder / "model.safetensors").read_bytes()
            with started(t, "train", *SLOW_STEPS, "--force", "--out", folder) as process:
                going = wait_for(process, rb"step 1/")
                process.send_signal(first)
                time.sleep(0.2)
                process.send_signal(second)
                end = ended(process)
                t.note(f"{first.name}, then {second.name}",
                       None if going and end and process.returncode == -second and
                       (folder / "model.safetensors").read_bytes() == before else f"status {process.returncode}, {end}")


def other_commands(t):
    """Sweep ends with what is saved, nohup keeps a run alive, and what saves nothing ends quietly."""
    folder = t.work / "sweep"
    with started(t, "sweep", "--seeds", "0..9", "--jobs", "1", *LONG[:1], "3000", *LONG[2:], "--out", folder) as process:
        wait_for(process, rb"1/10 runs")
        process.send_signal(signal.SIGTERM)
        end = ended(process)
        t.note("TERM to sweep", None if end and process.returncode == 130 and b"Stopped." in end[0] else f"{end}")
    folder = t.work / "nohup"
    with started(t, "train", *LONG, "--out", folder, before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
        wait_for(process, rb"step [1-9]")
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        alive = process.poll() is None
        process.send_signal(signal.SIGINT)
        end = ended(process)
        t.note("HUP under nohup", None if alive and end and process.returncode == 130 else f"alive {alive}, {process.returncode}")
    run = t.small_run("whole")
    for name in STOPS[:t.count(1, 3)]:
        with started(t, "generate", run, "--prompt", "A", "--tokens", "1000000000") as process:
            begun = process.stdout.read(20)
            process.send_signal(name)
            end = ended(process)
            told = end and end[0].endswith(b"\n") and re.fullmatch(rb"headlight: \d+ tokens in [^\n]*\n", end[1])
            t.note(f"{name.name} to generate", None if begun and told and process.returncode == 130 else f"status {process.returncode}, {end and end[1]}")
    for words in (["certify", "--controls"], ["bench", "small"]):
        for name in STOPS[:t.count(1, 3)]:
            with started(t, *words) as process:
                time.sleep(0.5)
                process.send_signal(name)
                end = ended(process, 10)
                t.note(f"{name.name} to {words[0]}",
                       None if end and process.returncode in (-name, 2) and end[1].count(b"terminate") == 0 else f"{end}")


def unread(t):
    """Output that nobody reads any more: a run is saved all the same, and other commands end without a word."""
    run = t.small_run("whole")
    for stream in ("stdout", "stderr"):
        for words in (["glossary"], ["heads", run], ["generate", run, "--prompt", "A"], ["nope"], ["train", "--help"]):
            read, write = os.pipe()
            os.close(read)
            with started(t, *words, **{stream: write}) as process:
                os.close(write)
                end = ended(process)
                usual = t.call(*words).status
                said = (end or (None, b"?"))[1] if stream == "stdout" else b""
                t.note(f"{words[0]} with {stream} unread",
                       None if end and process.returncode in (usual, -signal.SIGPIPE) and (usual or not said) else f"{process.returncode}, {end}")
        folder = t.work / f"unread-{stream}"
        read, write = os.pipe()
        with started(t, "train", *LONG[:1], "1000", *LONG[2:], "--out", folder, **{stream: write}) as process:
            os.close(write)
            if stream == "stdout":
                wait_for(process, rb"step [1-9]")
            else:
                os.read(read, 1)
            os.close(read)
            end = ended(process)
            t.note(f"train with {stream} unread after its begin",
                   None if end and process.returncode in (0, -signal.SIGPIPE) and summary(folder).get("interrupted") is False else
                   f"{process.returncode}, {end}")


def onto(path, *numbers):
    def change():
        for number in numbers:
            if path is None:
                os.close(number)
            else:
                os.dup2(os.open(path, os.O_WRONLY), number)
    return change


def streams(t):
    """Closed and full streams: no abort, the status of the command, and no word of ours inside a file."""
    run = t.small_run("whole")
    calls = [["heads", run], ["nope"], ["report", run, "-o", t.work / "r.html"], ["heads", "nope"], ["plot", run], ["glossary"], ["--help"], ["train", "--help"],
             ["train", "--steps", "x"], ["curves", run], ["compare", run, run], ["runs", run],
             ["generate", run, "--prompt", "A"], ["task", "copy"], ["task", "copy", "--hops", "3"]]
    for words in calls[:t.count(3, len(calls))]:
        usual = t.call(*words).status
        for case, before, expected in [
                ("closed stdin", onto(None, 0), [usual]), ("closed stderr", onto(None, 2), [usual]),
                ("full stderr", onto("/dev/full", 2), [usual]), ("closed stdout", onto(None, 1), [2]),
                ("full stdout", onto("/dev/full", 1), [2]), ("all closed", onto(None, 0, 1, 2), [2]),
                ("all full", onto("/dev/full", 1, 2), [2])]:
            end = t.call(*words, before=before)
            said = b"headlight: " in end.err or "err" in case or "all" in case
            t.note(f"{' '.join(map(str, words))} with {case}",
                   None if end.status in expected and (end.status != 2 or said) else f"status {end.status}, {end.err[:200]}")
    whole = [(run / name).read_bytes() for name in FOLDER_FILES]
    for closed in ([0], [1], [2], [0, 2], [0, 1, 2]):
        folder = t.work / ("closed-" + "".join(map(str, closed)))
        end = t.call("train", "--config", run / "config.json", "--out", folder, before=onto(None, *closed))
        same = [(folder / name).read_bytes() for name in FOLDER_FILES] == whole
        t.note(f"train with {closed} closed", None if same and end.status == (2 if 1 in closed else 0) else f"{end.status}, {same}")
    for full in ([1], [2], [1, 2]):
        folder = t.work / ("full-" + "".join(map(str, full)))
        end = t.call("train", "--config", run / "config.json", "--out", folder, before=onto("/dev/full", *full))
        t.note(f"train with {full} full", None if (folder / "model.safetensors").read_bytes() == whole[0] and
               end.status == (2 if 1 in full else 0) else f"{end.status}, {end.err}")


def on_terminal(t, *words, env):
    """What the program prints on a terminal."""
    main, inner = pty.openpty()
    with started(t, *words, stdout=inner, stderr=inner, before=lambda: os.environ.update(env)) as process:
        os.close(inner)
        shown = b""
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        process.wait(60)
        os.close(main)
        return process.returncode, shown


def raw_bytes(t):
    """A model of bytes reaches a terminal without control characters, and a pipe byte by byte."""
    text = "a\x1b[31m\x07\r\t ä€🎉\n".encode() + b"\x9b\xff\n"
    file = t.work / "bytes"
    file.write_bytes(text * 200)
    run = t.small_run("bytes run", "--task", "text", "--text", file, "--bytes", "--history", "0")
    words = ["generate", run, "--prompt", text, "--tokens", "200"]
    piped = t.call(*words).out
    t.note("generate of bytes into a pipe", None if piped.startswith(text) else repr(piped[:100]))
    status, shown = on_terminal(t, *words, env={"TERM": "xterm"})
    shown = shown.decode("utf-8", "surrogateescape").replace("\r\n", "\n")  # the terminal's own
    controls = [c for c in shown if (c < " " or "\x7f" <= c <= "\x9f") and c not in "\n\t"]
    t.note("generate of bytes on a terminal",
           None if status == 0 and not controls and shown.startswith("a␛[31m␇␍\t ä€🎉\n��\n") else f"{status}, {controls[:9]}, {shown[:100]!r}")


def terminals(t):
    run, other = t.small_run("whole"), t.small_run("other", "--seed", "3")
    for case, env, colored in [("TERM=dumb", {"TERM": "dumb"}, False), ("TERM=", {"TERM": ""}, False),
                               ("NO_COLOR", {"TERM": "xterm-256color", "NO_COLOR": "1"}, False),
                               ("TERM=xterm-256color", {"TERM": "xterm-256color", "NO_COLOR": ""}, True)]:
        status, shown = on_terminal(t, "plot", run, env=env)
        t.note(f"plot with {case}", None if status == 0 and (b"\x1b[" in shown) == colored else f"{status}, {shown[:100]}")
        status, shown = on_terminal(t, "train", "--config", run / "config.json", "--no-color", "--out", t.work / f"t{case}", env=env)
        moving = colored or "NO_COLOR" in env and env["TERM"] not in ("", "dumb")
        t.note(f"train with {case}", None if status == 0 and (b"\x1b[K" in shown) == moving else f"{status}, {shown[:100]}")
    widths = ["1", "99999999999", "-5", "0", "abc", "", "19", "7.5", "9" * 60, "18446744073709551616", "1000000", "\x1b[2J"]
    for columns in widths[:t.count(2, len(widths))]:
        for words in (["plot", run], ["plot", run, "--all"], ["runs", run], ["curves", run], ["task", "copy"], ["--help"], ["certify", run],
                      ["compare", run, other], ["attribute", run, "--position", "3"]):
            end = t.call(*words, env={"COLUMNS": columns})
            t.note(f"{words[0]} with COLUMNS={columns[:12]!r}",
                   end.complaint() or (None if end.status < 2 and len(end.out) < 1 << 17 else f"{end.status}, {len(end.out)} bytes"))


def environments(t):
    """The same bytes in every locale: texts are UTF-8 always. And no variable is needed."""
    run = t.small_run("whole")
    for words in (["plot", run], ["heads", run], ["task", "reverse"], ["glossary"], ["nope"], ["curves", run], ["--help"])[:t.count(1, 7)]:
        usual = t.call(*words)
        for env in ({"LC_ALL": "C"}, {"LC_ALL": "POSIX", "LANG": "C"}, {"LC_ALL": "nowhere.KOI8-R"}, {"LC_ALL": "de_DE.ISO-8859-1"},
                    {"HOME": ""}, {"HOME": "/nope"}, {"TMPDIR": "/nope"}, {"PATH": ""}, {"OMP_NUM_THREADS": "x"}):
            end = t.call(*words, env=env)
            t.note(f"{words[0]} with {env}", None if (end.status, end.out, end.err) == (usual.status, usual.out, usual.err) else
                   f"status {end.status}, other bytes")
        end = t.call(*words, before=os.environ.clear, prefix=("/usr/bin/env", "-i"))
        t.note(f"{words[0]} without environment", None if (end.status, end.out, end.err) == (usual.status, usual.out, usual.err) else
               f"status {end.status}, other bytes: {end.err[:200]}")


def without_rights():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def rights(t):
    """A user who may only read: what reads works, and what writes says where it cannot."""
    t.work.chmod(0o755)
    run = t.small_run("whole")
    for path in [run, *run.iterdir()]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    own = t.folder("own")
    own.chmod(0o777)
    gone = t.folder("gone")
    unreadable = t.folder("unreadable")
    shutil.copytree(run, unreadable / "run")
    unreadable.chmod(0)
    small = ["--steps", "2", *LONG[2:]]
    for words, status in [(["heads", run], 0), (["plot", run], 0), (["runs", run], 0), (["runs"], 0), (["compare", run, run], 2),
                          (["train", *small, "--out", t.work / "mine"], 2), (["train", *small], 2), (["report", run], 2),
                          (["train", "--resume", run, "--steps", "40"], 2), (["export", run, "--npz", t.work / "x.npz"], 2),
                          (["plot", run, "--svg", t.work / "x.svg"], 2), (["heads", unreadable / "run"], 2), (["runs", unreadable], 2),
                          (["train", "--config", unreadable / "run" / "config.json", "--out", own / "a"], 2),
                          (["train", *small, "--out", own / "run"], 0), (["report", run, "-o", own / "page.html"], 0),
                          (["sweep", "--seeds", "0..1", *small, "--out", t.work / "swept"], 2), (["demo", "--steps", "1"], 2)]:
        end = t.call(*words, before=without_rights)
        t.note(f"{' '.join(map(str, words))} without rights",
               end.complaint() or (None if end.status == status else f"status {end.status}, {end.err[:200]}"))
    for words in (["runs"], ["heads", "x"], ["heads", run], ["train", *small], ["report", run, "-o", "x.html"], ["compare", "a", "b"]):
        end = t.call(*words, cwd=gone, before=lambda: os.path.isdir(gone) and os.rmdir(gone))
        gone.mkdir(exist_ok=True)
        t.note(f"{words[0]} in a folder that was removed", end.complaint() or (None if end.status in (0, 2) else f"{end.status}"))
    unreadable.chmod(0o755)
    run.chmod(0o755)


def limits(t):
    """Small limits of the system: an answer or a sentence."""
    run = t.small_run("whole")
    small = ["--steps", "2", *LONG[2:]]
    for name, kind, sizes in [("files", resource.RLIMIT_NOFILE, (3, 4, 5, 6, 8, 16)),
                              ("memory", resource.RLIMIT_AS, (24 << 20, 32 << 20, 48 << 20, 64 << 20, 128 << 20)),
                              ("data", resource.RLIMIT_DATA, (1 << 20, 4 << 20, 16 << 20)),
                              ("stack", resource.RLIMIT_STACK, (256 << 10, 1 << 20)), ("processes", resource.RLIMIT_NPROC, (0, 1))]:
        for size in sizes[:t.count(1, len(sizes))] if not (t.sanitized and name in ("memory", "data")) else ():
            for words in (["heads", run], ["train", *small, "--threads", "4", "--out", t.work / f"{name}-{size}"], ["plot", run],
                          ["report", run, "-o", t.work / "limited.html"]):
                def before():
                    if name == "processes":
                        without_rights()
                    resource.setrlimit(kind, (size, size))
                end = t.call(*words, memory=None, before=before)
                loader = end.status == 127 and b"shared librar" in end.err  # the system could not even load the program
                t.note(f"{words[0]} with {name} {size}", None if loader else end.complaint())


def run(t):
    for part in (stops, insists, other_commands, unread, streams, raw_bytes, terminals, environments, rights, limits):
        part(t)
