"""What the rows about saving share: a finished run, the run that replaces it, and whether all of
one is in a folder."""
import os
import shutil

SMALL = [
    "train",
    "--evaluate-every",
    "1",
    "--batch",
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
    "--threads",
    "1",
    "--out",
    "run",
]
TIMED = {
    "state.json",
    "summary.json",
    "timing.jsonl",
    "report.html",
    "manifest.json",
}  # they hold times
DRAFT, LOCK = ".run.headlight.draft", ".run.headlight.lock"
OWN = {
    "notes.txt": b"mine",
    "more/notes.txt": b"mine too",
    ".hidden.part": b"mine as well",
    "a.tmp/x": b"x",
}


def bytes_in(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


class Saving:
    """Trains an old run and the new one that is to replace it: what the folder may hold
    afterwards."""

    def __init__(self, t, steps):
        self.t, self.made, self.expected = t, t.folder("made"), {}
        self.words = [*SMALL, "--steps", str(steps), "--seed", "2", "--force"]
        self.expect("old", [*SMALL, "--steps", "2", "--seed", "1"])
        self.expect("new", self.words)

    def expect(self, which, words):
        end = self.t.call(*words, cwd=self.made)
        if end.status != 0:
            raise RuntimeError(
                f"the {which} run could not be made: {end.err.decode('utf-8', 'replace')}"
            )
        (self.made / "run").rename(self.made / which)
        self.expected[which] = bytes_in(self.made / which)

    def put_old(self, home):
        """The finished run, and files of the user's in its folder."""
        shutil.copytree(self.made / "old", home / "run")
        for file, content in OWN.items():
            (home / "run" / file).parent.mkdir(exist_ok=True)
            (home / "run" / file).write_bytes(content)

    def which(self, run, names=("old", "new")):
        """Which run is in the folder, and what is wrong when it is none."""
        found = {name: content for name, content in bytes_in(run).items() if name not in OWN}
        found.pop(
            "failed_metrics.jsonl", None
        )  # what a run that cannot go on leaves, beside the old one
        complaints = []
        for which in names:
            expected = self.expected[which]
            differ = sorted(found.keys() ^ expected.keys()) or sorted(
                name
                for name in found
                if found[name] != expected[name] and not (which != "old" and name in TIMED)
            )
            if not differ:
                return which, None
            complaints.append(f"{', '.join(differ[:4])} unlike the {which} run")
        return None, "; ".join(complaints)

    @staticmethod
    def lost(run):
        return next(
            (
                f"'{name}' of the user's is lost"
                for name, content in OWN.items()
                if not (run / name).is_file() or (run / name).read_bytes() != content
            ),
            None,
        )

    @staticmethod
    def left(home):
        """What is beside the run, or was not finished in it."""
        names = sorted(set(os.listdir(home)) - {"run"}) or sorted(
            name for name in bytes_in(home / "run") if ".headlight." in name
        )
        return f"left behind: {', '.join(names)}" if names else None

    def judge(self, end, home, had_run):
        """What is wrong after the new run was to be saved: with the end, the run in the folder, the
        user's files."""
        run = home / "run"
        if end.complaint():
            return end.complaint()
        if had_run or run.exists() or end.status == 0:
            read = self.t.call("heads", "run", cwd=home)
            if read.status != 0:
                return f"the run cannot be read: {read.err.decode('utf-8', 'replace')}"
            which, complaint = self.which(run, ("old", "new") if had_run else ("new",))
            if complaint:
                return complaint
            if end.status == 0 and which != "new":
                return "status 0 with the old run in the folder"
        return self.lost(run) if had_run else None

    def judge_next(self, home, had_run, report):
        """What is wrong after one more command that writes there."""
        report = report and (home / "run").exists()
        end = self.t.call(*(["report", "run"] if report else self.words), cwd=home)
        if end.status != 0:
            return f"the next command fails: {end.err.decode('utf-8', 'replace')}"
        return self.left(home) or (self.lost(home / "run") if had_run else None)
