"""Saving a run while its file operations fail, one after the other, or while the process is killed before each: the
folder holds the old run or the new one, whole, with the user's own files, and the next command removes what was left.

The library faults.c, which CMake builds beside the program, makes the operations fail."""
import concurrent.futures
import os
import shutil

TITLE = "each file operation of saving fails or is the last, over a finished run and for a first one"
SMALL = ["train", "--steps", "2", "--evaluate-every", "1", "--batch", "8", "--context", "16", "--vocab", "12",
         "--d-model", "8", "--heads", "2", "--layers", "1", "--threads", "1", "--out", "run"]
OLD, NEW = [*SMALL, "--seed", "1"], [*SMALL, "--seed", "2", "--force"]
TIMED = {"state.json", "summary.json", "timing.jsonl", "report.html", "manifest.json"}  # they hold times
OWN = {"notes.txt": b"mine", "more/notes.txt": b"mine too", ".hidden.part": b"mine as well", "a.tmp/x": b"x"}
INTERRUPTIBLE = {"open", "write", "fsync", "ftruncate", "flock", "close"}


def bytes_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Case:
    """A folder of its own with a run, or none, and with the user's files."""

    def __init__(self, t, library, old, expected_old, expected_new):
        self.t, self.library, self.old = t, library, old
        self.expected = {"old": expected_old, "new": expected_new}

    def environment(self, home, settings):
        return {"LD_PRELOAD": os.fspath(self.library), "FAULT_BELOW": os.fspath(home),
                **{f"FAULT_{key.upper()}": str(value) for key, value in settings.items()}}

    def home(self, name):
        home = self.t.folder(name)
        if self.old:
            shutil.copytree(self.old, home / "run")
            for file, content in OWN.items():
                (home / "run" / file).parent.mkdir(exist_ok=True)
                (home / "run" / file).write_bytes(content)
        return home

    def operations(self, name, **settings):
        """What a run without faults does, in order."""
        home = self.home(name)
        log = self.t.work / (name + ".log")
        end = self.t.call(*NEW, cwd=home, env=self.environment(home, {"kind": "log", "log": log, **settings}))
        if end.status != 0:
            raise RuntimeError(f"the run without faults failed: {end.err.decode()}")
        return [line.split()[1] for line in log.read_text().splitlines()]

    def which(self, run):
        """Which run is in the folder: old, new, or what is wrong."""
        found = {name: content for name, content in bytes_in(run).items() if name not in OWN}
        complaints = []
        for which, expected in self.expected.items():
            if expected is None:
                continue
            differ = sorted(found.keys() ^ expected.keys()) or sorted(
                name for name in found if found[name] != expected[name] and not (which == "new" and name in TIMED))
            if not differ:
                return which, None
            complaints.append(f"{', '.join(differ[:4])} unlike the {which} run")
        return None, "; ".join(complaints)

    def own_files_are_gone(self, run):
        return self.old and next((f"'{name}' of the user's is lost" for name, content in OWN.items()
                                  if not (run / name).is_file() or (run / name).read_bytes() != content), None)

    def tried(self, name, settings, next_writes):
        home = self.home(name)
        run = home / "run"
        end = self.t.call(*NEW, cwd=home, env=self.environment(home, settings))
        complaint = self.judge(end, home, run, settings, next_writes)
        shutil.rmtree(home, ignore_errors=True)
        return complaint

    def judge(self, end, home, run, settings, next_writes):
        killed = end.status == -9 and settings["kind"] == "kill"
        if not killed and end.complaint():
            return end.complaint()
        if self.old or run.exists() or end.status == 0:
            read = self.t.call("heads", "run", cwd=home)
            if read.status != 0:
                return f"the run cannot be read: {read.err.decode()}"
        if run.exists():
            which, complaint = self.which(run)
            if complaint:
                return complaint
            if end.status == 0 and which != "new":
                return "status 0 with the old run in the folder"
        gone = self.own_files_are_gone(run)
        return gone or self.cleaned(home, run, next_writes)

    def cleaned(self, home, run, next_writes):
        words = ["report", "run"] if next_writes == "report" and run.exists() else NEW
        end = self.t.call(*words, cwd=home)
        if end.status != 0:
            return f"the next command fails: {end.err.decode()}"
        left = sorted(set(os.listdir(home)) - {"run"}) or sorted(
            name for name in bytes_in(run) if "headlight" in name)
        return f"left behind: {', '.join(left)}" if left else self.own_files_are_gone(run)


def plan(case, t, situation, **more):
    """All cases of a situation: name, settings of the library."""
    operations = case.operations(f"{situation}-log", **more)
    t.note(f"{situation}: {len(operations)} operations", None if len(operations) >= 36 else "fewer than 36 were seen")
    cases = []
    for n, operation in enumerate(operations, 1):
        for kind in ("kill", "enospc", "eio", "eintr", "short"):
            if kind == "short" and operation != "write" or kind == "eintr" and operation not in INTERRUPTIBLE:
                continue
            cases.append((f"{situation}-{kind}-{n}-{operation}", {"kind": kind, "at": n, **more}))
    for i in range(16):  # a disk that is full from then on
        n = 1 + i * len(operations) // 16
        cases.append((f"{situation}-full-{n}", {"kind": "enospc", "at": n, "sticky": 1, **more}))
    return cases


def run(t):
    library = t.app.parent / "libheadlight_faults.so"
    if t.sanitized:
        t.skip("the sanitizers have allocators of their own, which a preloaded library gets in the way of")
        return
    if not library.exists():
        t.note("the library", f"there is no {library}. Hint: build headlight_faults")
        return
    made = t.folder("made")
    for words, name in ((OLD, "old"), (NEW, "new")):
        end = t.call(*words, cwd=made)
        if end.status != 0:
            raise RuntimeError(end.err.decode())
        (made / "run").rename(made / name)
    new = bytes_in(made / "new")
    over, first = Case(t, library, made / "old", bytes_in(made / "old"), new), Case(t, library, None, None, new)
    cases = [(over, *each) for each in plan(over, t, "over")]
    cases += [(over, *each) for each in plan(over, t, "no-exchange", no_exchange=1)]
    cases += [(first, *each) for each in plan(first, t, "first")]
    if t.quick:
        cases = t.random.sample(cases, 24)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = [(name, pool.submit(case.tried, name, settings, ("report", "train")[i % 2]))
                   for i, (case, name, settings) in enumerate(cases)]
        for name, result in waiting:
            t.note(name, result.result())
