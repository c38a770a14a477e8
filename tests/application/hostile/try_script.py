"""The script ./headlight from any shell, folder and environment."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

TITLE = "the script ./headlight: shells, folders, environments, locks, moved trees, interrupts"
ROOT = pathlib.Path(__file__).resolve().parents[3]
# Stands in for CMake: "sets up" a build that copies the program. Ninja is the real one.
CMAKE = """#!/bin/sh
[ "$*" = "--preset release --fresh" ] || { echo "unexpected: $*"; exit 1; }
mkdir -p build/release && cp setup/build.ninja build/release/ && printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\n' "$(pwd)" >build/release/CMakeCache.txt
"""
BUILD = """rule copy
  command = {slow}rm -f $out && cp $in $out
  description = Building $out
build headlight: copy app
build headlight_app headlight_hostile: phony headlight
build build.ninja: phony
"""


class Tree:
    """A checkout with the script, whose build copies the program."""

    def __init__(self, t, path, built=True, slow=""):
        self.t, self.path, self.tools = t, path, t.work / "tools"
        path.mkdir(parents=True)
        for name in ("headlight", "CMakePresets.json"):
            shutil.copy(ROOT / name, path)
        self.tool("cmake", CMAKE)
        self.tool("apt-get", "#!/bin/sh\nexit 1\n")
        self.tool("dpkg-query", "#!/bin/sh\nprintf installed\n")
        (path / "setup").mkdir()
        (path / "setup" / "build.ninja").write_text(BUILD.format(slow=slow))
        self.build = path / "build" / "release"
        if built:
            self.build.mkdir(parents=True)
            shutil.copy(path / "setup" / "build.ninja", self.build)
            (self.build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={path}\n")
            shutil.copy(t.app, self.build / "app")
            self.call("--version")

    def tool(self, name, text):
        file = self.tools / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def touch(self):
        """What is built from it is out of date."""
        os.utime(self.build / "headlight", (1, 1))

    def environment(self, env=None):
        return {"PATH": f"{self.tools}:{os.environ['PATH']}", "HEADLIGHT_PRESET": "", **(env or {})}

    def call(self, *words, env=None, **options):
        options.setdefault("program", self.path / "headlight")
        return self.t.call(*words, env=self.environment(env), memory=None, **options)

    def files(self):
        return sorted(str(path.relative_to(self.path)) for path in self.path.rglob("*"))


def worked(end, err=b""):
    """The version, and of the script the words that are expected."""
    if end.timed_out or end.status != 0:
        return end.complaint() or f"status {end.status}: {end.err[:300]!r}"
    if not end.out.startswith(b"Headlight "):
        return f"printed {end.out[:100]!r}"
    return None if err is None or end.err == err else f"said {end.err[:300]!r}"


def refused(end, words):
    if end.timed_out or end.status != 2:
        return f"status {end.status}, expected 2: {end.err[:300]!r}"
    return end.complaint() or (
        None if words in end.err and end.err.count(b"\n") == 1 else f"said {end.err[:300]!r}"
    )


def try_callers(t):
    tree = Tree(t, t.folder("callers") / "hl")
    script = tree.path / "headlight"
    for shell in (["dash"], ["busybox", "sh"], ["bash"], ["bash", "--posix"], ["sh", "-u"]):
        if shutil.which(shell[0]):
            tree.touch()
            t.note(
                f"shell {shell}",
                worked(tree.call("--version", prefix=shell), b"headlight: building\n"),
            )
    link, folder = t.work / "a link", t.work / "folder link"
    link.symlink_to(script)
    folder.symlink_to(tree.path)
    (t.work / "hl").mkdir()
    for case, program, options in (
        ("symlink", link, {}),
        ("linked folder", folder / "headlight", {}),
        ("relative", "./headlight", {"cwd": tree.path}),
        ("from the side", "callers/hl/headlight", {}),
        ("CDPATH", "hl/headlight", {"cwd": tree.path.parent, "env": {"CDPATH": f"{t.work}:."}}),
        ("its name alone", "headlight", {"cwd": tree.path, "prefix": ["sh"]}),
    ):
        t.note(case, worked(tree.call("--version", program=program, **options)))


def try_environments(t):
    tree = Tree(t, t.folder("environments") / "hl")
    environments = (
        {"NINJA_STATUS": ""},
        {"NINJA_STATUS": "%p "},
        {"NINJA_STATUS": "Building ["},
        {"MAKEFLAGS": "-n -j99"},
        {"CMAKE_GENERATOR": "Unix Makefiles"},
        {"CXXFLAGS": "-nonsense"},
        {"CC": "none"},
        {"CXX": "none"},
        {"TERM": ""},
        {"TERM": "dumb"},
        {"CLICOLOR_FORCE": "1"},
        {"LC_ALL": "C"},
        {"LC_ALL": "xx_YY.UTF-8", "LANGUAGE": "de"},
        {"POSIXLY_CORRECT": "1"},
        {"IFS": "/"},
        {"ENV": "/dev/full"},
        {"BASH_ENV": "/nonexistent"},
        {"TMPDIR": "/nonexistent"},
        {"TMPDIR": ""},
        {"HOME": ""},
        {"GREP_OPTIONS": "-v"},
        {"COLUMNS": "1"},
        {"command": "x", "build": "no", "root": "/"},
    )
    for env in t.random.sample(environments, 6) if t.quick else environments:
        tree.touch()
        t.note(
            f"environment {env}", worked(tree.call("--version", env=env), b"headlight: building\n")
        )
    t.note(
        "no environment",
        worked(tree.call("--version", prefix=["env", "-i", f"PATH={tree.environment()['PATH']}"])),
    )
    tree.touch()
    t.note("umask 077", worked(tree.call("--version", before=lambda: os.umask(0o077)), None))


def try_presets(t):
    tree = Tree(t, t.folder("presets") / "hl", built=False)
    before = tree.files()
    for preset in ("nope", "../release", "release ", " ", "/", "*", "Release", "ü", "-n", "$(id)")[
        : t.count(3, 10)
    ]:
        end = tree.call("--version", env={"HEADLIGHT_PRESET": preset})
        t.note(
            f"preset {preset[:20]!r}",
            refused(end, b"there is no preset")
            or (tree.files() != before and "left files" or None),
        )


def try_locks(t):
    if not shutil.which("flock"):
        return t.skip("locks, without flock")
    tree = Tree(t, t.folder("locks") / "hl")
    lock = tree.path / "build" / "release" / ".lock"
    holder = subprocess.Popen(["flock", lock, "sleep", "0.5"])
    while subprocess.run(["flock", "-n", lock, "true"]).returncode == 0:
        time.sleep(0.01)
    t.note(
        "while another call builds",
        worked(
            tree.call("--version"), b"headlight: another ./headlight is building here; waiting\n"
        ),
    )
    holder.wait()
    t.note("after another call", worked(tree.call("--version")))


def try_copies(t):
    tree = Tree(t, t.folder("copied") / "hl")
    tree.path.rename(tree.path.parent / "moved")
    tree.path = tree.path.parent / "moved"
    end = tree.call("--version")
    t.note(
        "a tree that was moved",
        worked(end, None)
        or (None if b"setting up the release build" in end.err else f"said {end.err!r}"),
    )
    t.note("a tree that was moved, again", worked(tree.call("--version")))


def try_interrupts(t):
    for trial in range(t.count(1, 20)):
        tree = Tree(t, t.folder("interrupted") / "hl")
        (tree.build / "build.ninja").write_text(
            BUILD.format(slow="head -c 1000 app >headlight; sleep 0.5; ")
        )
        tree.touch()
        name = signal.SIGINT if trial % 2 == 0 else signal.SIGKILL
        process = subprocess.Popen(
            [tree.path / "headlight", "--version"],
            env={**os.environ, **tree.environment()},
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        time.sleep(0.2 + t.random.random() / 4)
        os.killpg(process.pid, name)
        out, err = process.communicate()
        t.note(
            f"{name.name} stops a build",
            None
            if name == signal.SIGKILL or process.returncode in (130, -signal.SIGINT) and not out
            else f"status {process.returncode}: {err!r} {out!r}",
        )
        t.note(f"a call after {name.name}", worked(tree.call("--version"), None))


def try_streams(t):
    tree = Tree(t, t.folder("streams") / "hl")
    for closed in ((0,), (2,)):
        tree.touch()
        end = tree.call("--version", before=lambda closed=closed: [os.close(k) for k in closed])
        t.note(f"closed {closed}", worked(end, None))
    tree.touch()
    with open("/dev/full", "wb") as full:
        end = tree.call("--version", before=lambda: os.dup2(full.fileno(), 2))
    t.note("standard error full", worked(end))


def run(t):
    for part in (
        try_callers,
        try_environments,
        try_presets,
        try_locks,
        try_copies,
        try_interrupts,
        try_streams,
    ):
        part(t)
