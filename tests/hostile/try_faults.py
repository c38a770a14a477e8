"""Saving a run while its file operations fail, one after the other, or while the process is killed before each: the
folder holds the old run or the new one, whole, with the user's own files, and the next command removes what was left.

The library faults.c, which CMake builds beside the program, makes the operations fail."""
import concurrent.futures
import os
import shutil

from saving import Saving

TITLE = "each file operation of saving fails, or is not reached, over a finished run and for a first one"
INTERRUPTIBLE = {"open", "write", "fsync", "ftruncate", "flock", "close"}
FULL_DISKS = 16


class Faults:
    def __init__(self, t, library):
        self.t, self.library, self.saving = t, library, Saving(t, steps=2)

    def home(self, name, over):
        home = self.t.folder(name)
        if over:
            self.saving.put_old(home)
        return home

    def call(self, home, settings):
        return self.t.call(*self.saving.words, cwd=home, env={
            "LD_PRELOAD": os.fspath(self.library), "FAULT_BELOW": os.fspath(home),
            **{f"FAULT_{key.upper()}": str(value) for key, value in settings.items()}})

    def operations(self, name, over, settings):
        """What a run without faults does, in order."""
        log = self.t.work / f"{name}.log"
        end = self.call(self.home(name, over), {"kind": "log", "log": log, **settings})
        if end.status != 0:
            raise RuntimeError(f"the run without faults failed: {end.err.decode('utf-8', 'replace')}")
        return [line.split()[1] for line in log.read_text().splitlines()]

    def cases(self, situation, over, **more):
        """Name, whether over a finished run, and settings of the library."""
        operations = self.operations(situation, over, more)
        self.t.note(f"{situation}: {len(operations)} operations",
                    None if len(operations) >= 36 else "fewer than 36 were seen")
        for n, operation in enumerate(operations, 1):
            for kind in ("kill", "enospc", "eio", "eintr", "short"):
                if kind == "short" and operation != "write" or kind == "eintr" and operation not in INTERRUPTIBLE:
                    continue
                yield f"{situation}-{kind}-{n}-{operation}", over, {"kind": kind, "at": n, **more}
        for i in range(FULL_DISKS):  # from then on
            n = 1 + i * len(operations) // FULL_DISKS
            yield f"{situation}-full-{n}", over, {"kind": "enospc", "at": n, "sticky": 1, **more}

    def tried(self, name, over, settings, report):
        home = self.home(name, over)
        end = self.call(home, settings)
        killed = end.status == -9 and settings["kind"] == "kill"
        if end.status != 0 and settings["kind"] in ("eintr", "short"):
            complaint = f"gives up: {end.err.decode('utf-8', 'replace')}"
        else:
            complaint = self.saving.judge(end, home, over, killed) or self.saving.judge_next(home, over, report)
        shutil.rmtree(home, ignore_errors=True)
        return complaint


def library_of(t):
    """The library beside the program; without it there is a note why."""
    library = t.app.parent / "libheadlight_faults.so"
    if t.sanitized:
        t.skip("a library cannot be preloaded into a program with sanitizers")
        return None
    if not library.exists():
        t.note("the library", f"there is no {library}. Hint: build headlight_faults")
        return None
    return library


def run(t):
    library = library_of(t)
    if not library:
        return
    faults = Faults(t, library)
    cases = [*faults.cases("over", True), *faults.cases("no-exchange", True, no_exchange=1),
             *faults.cases("first", False)]
    if t.quick:
        cases = t.random.sample(cases, 24)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [(case[0], pool.submit(faults.tried, *case, i % 2 == 0)) for i, case in enumerate(cases)]
        for name, result in results:
            t.note(name, result.result())
