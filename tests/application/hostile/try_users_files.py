"""What the user has is not lost: files in a folder that gets a run or a sweep, and files of a run
that a flag names as output. And what fails leaves no folder behind."""
import os
import re
import signal
import subprocess

from saving import DRAFT, SMALL, bytes_in

TITLE = "the user's files are kept, and nothing is left of what failed"
# What a command needs besides a run.
MORE = {"compare": ["run"], "attribute": ["--position", "3"], "whatif": ["--at", "1"]}
OUTPUT = re.compile(r"^\s+(?:-o,)?(--svg|--png|--html|--npz|--torch|--out) TEXT", re.M)
TRAIN = [*SMALL, "--steps", "2"]


def everything(home):
    return {
        **bytes_in(home),
        **{str(path.relative_to(home)): None for path in home.rglob("*") if not path.is_file()},
    }


def output_flags(t):
    """The commands with a flag for a file to write, as their --help says."""
    names = re.findall(r"^  \./headlight (\w+)", t.call().out.decode(), re.M)
    for name in dict.fromkeys(names):
        end = t.call(name, "--help")
        if end.status != 0 or " DIR" not in end.out.decode():
            continue
        for flag in OUTPUT.findall(end.out.decode()):
            yield name, flag


def refused(t, home, words, part=""):
    """What is wrong when this should have been refused, and nothing have changed."""
    before = everything(home)
    end = t.call(*words, cwd=home)
    if end.complaint():
        return end.complaint()
    if end.status != 2 or part not in end.err.decode():
        return f"was not refused: status {end.status}, {end.err.decode()[-200:]!r}"
    after = everything(home)
    changed = sorted(
        name
        for name in before.keys() | after.keys()
        if name not in after or name not in before or before[name] != after[name]
    )
    return f"changed {', '.join(changed[:4])}" if changed else None


def works(t, home, words, keeps=()):
    before = bytes_in(home)
    end = t.call(*words, cwd=home)
    if end.status != 0:
        return f"status {end.status}: {end.err.decode()[-200:]}"
    after = bytes_in(home)
    return next((f"'{name}' is lost" for name in keeps if after.get(name) != before[name]), None)


def try_output_flags(t, home, files):
    flags = list(output_flags(t))
    t.note("flags for files to write", None if len(flags) >= 20 else f"found only {len(flags)}")
    cases = [
        (command, flag, file)
        for command, flag in flags
        for file in files
        if (command, file) != ("report", "report.html")
    ]
    for command, flag, file in t.random.sample(cases, 6) if t.quick else cases:
        words = [command, "run", *MORE.get(command, []), flag, f"run/{file}"]
        t.note(" ".join(words), refused(t, home, words, "would replace a file of the run"))
    (home / "letter.txt").write_text("Dear reader")
    for command, flag in t.random.sample(flags, 2) if t.quick else flags:
        words = [
            command,
            "run",
            *MORE.get(command, []),
            flag,
            "letter.txt",
        ]
        t.note(" ".join(words), refused(t, home, words, "would replace a file that is no "))
        for file in ("none/", f"run/config.json/{command}"):
            words = [
                command,
                "run",
                *(["other"] if command == "compare" else []),
                flag,
                file,
                *(["--position", "3"] if command == "attribute" else []),
            ]
            t.note(" ".join(words)[:80], refused(t, home, words))


def try_folders_of_others(t, files):
    """A folder without a run, and in it a file with the name of a run's."""
    for file in t.random.sample(files, 2) if t.quick else files:
        for words in (
            TRAIN,
            ["demo", "--steps", "2", "--out", "run"],
            ["train", "--config", "run/config.json", "--out", "run"],
        ):
            home = t.folder("others")
            path = home / "run" / file
            path.parent.mkdir(parents=True)
            path.write_text('{"train": {"steps": 2}}')
            if words[1] == "--config" and file != "config.json":
                continue
            t.note(
                f"{' '.join(words[:3])} over another's {file}",
                refused(t, home, words, "--force replaces"),
            )
    for file in (
        "sweep.csv",
        "sweep.svg",
        "sweep.html",
        "seed-1/config.json",
        "seed-1/report.html",
    ):
        home = t.folder("others")
        (home / "run" / file).parent.mkdir(parents=True)
        (home / "run" / file).write_text("mine")
        if (home / "run" / "seed-1").exists():
            (home / "run" / "seed-1").rename(home / "run" / sweep_folder(t))
        t.note(
            f"sweep over another's {file}",
            refused(
                t,
                home,
                ["sweep", "--seeds", "1", "--steps", "2", "--out", "run"],
                "Hint: --out" if file.startswith("sweep") else "",
            ),
        )


def sweep_folder(t):
    """The name of a sweep's first run."""
    folder = t.work / "sweep"
    if not folder.exists():
        end = t.call("sweep", "--seeds", "1", *SMALL[1:-4], "--steps", "2", "--out", folder)
        if end.status != 0:
            raise RuntimeError(end.err.decode())
    return next(path.name for path in folder.iterdir() if path.is_dir())


def try_what_comes_meanwhile(t):
    """Files that appear in the folder's place while the training runs."""
    home = t.folder("meanwhile")
    with subprocess.Popen(
        [t.app, *SMALL, "--steps", "300"],
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        said = process.stderr.read(1)  # the first of its progress
        process.send_signal(signal.SIGSTOP)
        (home / "run" / "more").mkdir(parents=True)
        (home / "run" / "more" / "notes.txt").write_text("mine")
        process.send_signal(signal.SIGCONT)
        said += process.stderr.read()
    complaint = (
        None if process.returncode == 0 else f"status {process.returncode}: {said.decode()[-200:]}"
    )
    if not (home / "run" / "more" / "notes.txt").is_file():
        complaint = "the file is lost"
    t.note("files that come meanwhile", complaint)


def try_names_that_are_taken(t):
    """A kill between two steps of a save leaves files of the user's in the old folder, and new ones
    came since."""
    home = t.folder("taken")
    (home / DRAFT).mkdir(parents=True)
    (home / DRAFT / "notes.txt").write_text("older")
    (home / "run").mkdir()
    (home / "run" / "notes.txt").write_text("newer")
    end = t.call(*TRAIN, cwd=home)
    kept = {name: content for name, content in bytes_in(home).items() if "notes" in name}
    t.note(
        "a name that is taken",
        end.complaint()
        or (
            None
            if kept == {"run/notes.txt": b"newer", "run/notes.txt~": b"older"}
            else f"there is {kept}"
        ),
    )


def try_targets(t, home):
    """Targets that are no folder for a run."""
    (home / "file").write_text("mine")
    os.mkfifo(home / "fifo")
    for out in ("file", "file/x", "fifo", "/dev/null/x", "n" * 300):
        words = [*TRAIN[:-3], out, "--steps", "2"]
        t.note(f"--out {out[:40]}", refused(t, home, words))
        t.note(
            f"sweep --out {out[:40]}",
            refused(t, home, ["sweep", "--seeds", "1", "--steps", "2", "--out", out]),
        )
    (home / "fifo").unlink()


def try_what_is_usual(t, home):
    mine = home / "run" / "notes.txt"
    mine.write_text("mine")
    keeps = ["run/notes.txt"]
    for words in (
        ["report", "run"],
        ["report", "run", "-o", "run/report.html"],
        ["report", "run/", "-o", "./run/../run/report.html"],
        ["report", "run", "--tokens", "ABAB"],
        ["report", "run", "--tokens", "ABAB", "-o", "run/report-tokens.html"],
        ["plot", "run", "--svg", "run/plot.svg"],
        ["plot", "run", "--svg", "run/plot.svg"],
        ["train", "--resume", "run", "--steps", "3"],
        ["train", "--config", "run/config.json", "--out", "run", "--force"],
        ["train", "--config", "run/config.json", "--out", "new/deep/run"],
        ["report", "run", "-o", "pages/report.html"],
        ["report", "run", "-o", "pages/report.html"],
        [*TRAIN, "--force"],
    ):
        t.note(" ".join(words[:6]), works(t, home, words, keeps))


def run(t):
    home = t.folder("home")
    for name in ("run", "other"):
        end = t.call(*TRAIN[:-3], name, "--steps", "2", cwd=home)
        if end.status != 0:
            raise RuntimeError(end.err.decode())
    files = [
        *sorted(path.name for path in (home / "run").iterdir()),
        "text.txt",
        "report-tokens.html",
        "observers/x",
    ]
    try_output_flags(t, home, files)
    try_folders_of_others(t, [file for file in files if "/" not in file])
    try_what_comes_meanwhile(t)
    try_names_that_are_taken(t)
    try_targets(t, home)
    try_what_is_usual(t, home)
