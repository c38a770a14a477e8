"""A run that a training saves anew while a command reads it, before each file that the command opens: what comes out is of
one of the two, or the command says that the run was saved anew.

The library faults.c, which CMake builds beside the program, exchanges the folders."""
import concurrent.futures
import os
import shutil

from saving import SMALL, TIMED, bytes_in
from try_faults import library_of

TITLE = "a run saved anew before each file that a command reads: one of the two, never mixed"
ANEW = b"was saved anew while it was read. Hint: call again.\n"
OLD = [*SMALL, "--steps", "3", "--seed", "1"]
NEW = [*SMALL, "--steps", "5", "--seed", "2"]  # of the same sizes, so that files of the one fit the other
READS = {
    "heads": ["heads", "run"],
    "plot": ["plot", "run", "--svg", "out.svg"],
    "curves": ["curves", "run", "--svg", "out.svg"],
    "sensitivity": ["sensitivity", "run"],
    "periods": ["periods", "run"],
    "certify": ["certify", "run", "--json"],
    "compare": ["compare", "run", "third"],
    "report": ["report", "run", "-o", "out.html"],
    "npz": ["export", "run", "--npz", "out.npz"],
    "resume": ["train", "--resume", "run", "--steps", "6", "--threads", "1", "--out", "out"],
}


class Reading:
    """One command, over the old run, the new one, and one that changes into the other."""

    def __init__(self, t, library, made, name):
        self.t, self.library, self.made, self.name, self.words = t, library, made, name, READS[name]

    def outcome(self, case, run, at=0):
        """What comes out, and how the command ended, when the folder changes before the file number `at` is opened."""
        home = self.t.folder(f"{self.name}-{case}")
        shutil.copytree(self.made / run, home / "run")
        shutil.copytree(self.made / "new", home / "other")
        shutil.copytree(self.made / "third", home / "third")
        log = self.t.work / f"{self.name}-{case}.log"
        end = self.t.call(*self.words, cwd=home, env={
            "LD_PRELOAD": os.fspath(self.library), "FAULT_KIND": "exchange", "FAULT_BELOW": os.fspath(home / "run"),
            "FAULT_OTHER": os.fspath(home / "other"), "FAULT_AT": str(at), "FAULT_LOG": os.fspath(log)})
        self.opened = len(log.read_text().splitlines()) if log.exists() else 0
        out = home / "out"
        made = bytes_in(out) if out.is_dir() else {p.name: p.read_bytes() for p in home.glob("out.*")}
        shutil.rmtree(home)
        return (end.out if self.name != "resume" else b"", {name: content for name, content in made.items() if name not in TIMED}), end

    def tried(self):
        """Cases and complaints."""
        expected = []
        for run in ("old", "new"):
            what, end = self.outcome(run, run)
            if end.complaint() or end.status == 2:
                raise RuntimeError(f"{self.name} of the {run} run fails: {end.err.decode('utf-8', 'replace')}")
            expected.append(what)
        self.outcome("files", "old")
        files = self.opened
        yield f"{self.name} differs", "the two runs give the same, so nothing is compared" if expected[0] == expected[1] else None
        yield f"{self.name} reads", None if files >= 2 else f"opens {files} files"
        numbers = range(1, files + 1)
        for n in self.t.random.sample(numbers, min(2, files)) if self.t.quick else numbers:
            what, end = self.outcome(n, "old", n)
            complaint = end.complaint()
            if not complaint and what not in expected and not end.err.endswith(ANEW):
                complaint = f"neither of the two: {end.err.decode('utf-8', 'replace')[-200:]}"
            yield f"{self.name}, before file {n} of {files}", complaint


def run(t):
    library = library_of(t)
    if not library:
        return
    made = t.folder("made")
    for name, words in ("old", OLD), ("new", NEW), ("third", [*SMALL, "--steps", "4", "--seed", "3"]):
        end = t.call(*words, cwd=made)
        if end.status != 0:
            raise RuntimeError(f"the {name} run could not be made: {end.err.decode('utf-8', 'replace')}")
        (made / "run").rename(made / name)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for cases in pool.map(lambda name: list(Reading(t, library, made, name).tried()), READS):
            for case, complaint in cases:
                t.note(case, complaint)
