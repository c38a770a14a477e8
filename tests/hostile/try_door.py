"""The front door: the script ./headlight from any shell, folder, environment and checkout."""
import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import time

TITLE = "the front door: shells, folders, environments, checkouts that cannot be written, full disks, interrupts"
ROOT = pathlib.Path(__file__).resolve().parents[2]
REFUSED = '\t\n\r\x1b\x7f"\'\\$;#&*?[]<>|^`'  # tried in the path of a checkout, beside those that are fine
FINE = [" ", "(", ")", "{", "}", "~", "!", "%", "+", "=", "@", ",", ":", "-", "_", ".", "ü", "日本", "\u202e", "a\u0301"]
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
"""


class House:
    """A checkout with the front door, whose build copies the program."""

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
    return end.complaint() or (None if words in end.err and end.err.count(b"\n") == 1 else f"said {end.err[:300]!r}")


def try_callers(t):
    house = House(t, t.folder("callers") / "hl")
    door = house.path / "headlight"
    for shell in (["dash"], ["busybox", "sh"], ["bash"], ["bash", "--posix"], ["sh", "-u"]):
        if shutil.which(shell[0]):
            house.touch()
            t.note(f"shell {shell}", worked(house.call("--version", prefix=shell), b"headlight: building\n"))
    link, folder = t.work / "a link", t.work / "folder link"
    link.symlink_to(door)
    folder.symlink_to(house.path)
    (t.work / "hl").mkdir()
    for case, program, options in (("symlink", link, {}), ("linked folder", folder / "headlight", {}),
                                   ("relative", "./headlight", {"cwd": house.path}), ("from the side", "callers/hl/headlight", {}),
                                   ("CDPATH", "hl/headlight", {"cwd": house.path.parent, "env": {"CDPATH": f"{t.work}:."}}),
                                   ("its name alone", "headlight", {"cwd": house.path, "prefix": ["sh"]})):
        t.note(case, worked(house.call("--version", program=program, **options)))


def try_environments(t):
    house = House(t, t.folder("environments") / "hl")
    for env in ({"NINJA_STATUS": ""}, {"NINJA_STATUS": "%p "}, {"NINJA_STATUS": "Building ["}, {"MAKEFLAGS": "-n -j99"},
                {"CMAKE_GENERATOR": "Unix Makefiles"}, {"CXXFLAGS": "-nonsense"}, {"CC": "none"}, {"CXX": "none"}, {"TERM": ""},
                {"TERM": "dumb"}, {"CLICOLOR_FORCE": "1"}, {"LC_ALL": "C"}, {"LC_ALL": "xx_YY.UTF-8", "LANGUAGE": "de"},
                {"POSIXLY_CORRECT": "1"}, {"IFS": "/"}, {"ENV": "/dev/full"}, {"BASH_ENV": "/nonexistent"}, {"TMPDIR": "/nonexistent"},
                {"TMPDIR": ""}, {"HOME": ""}, {"GREP_OPTIONS": "-v"}, {"COLUMNS": "1"}, {"command": "x", "writable": "no", "root": "/"}):
        house.touch()
        t.note(f"environment {env}", worked(house.call("--version", env=env), b"headlight: building\n"))
    for path in ("", "/nonexistent", "."):
        t.note(f"PATH {path!r}", worked(house.call("--version", env={"PATH": path})))
    t.note("no environment", worked(house.call("--version", prefix=["env", "-i"])))
    house.touch()
    t.note("umask 077", worked(house.call("--version", before=lambda: os.umask(0o077)), None))
    lean = house.path / "lean"
    lean.mkdir()
    for name in ("sh", "sed", "readlink", "mkdir", "tr", "cut", "flock", "rm", "id", "dpkg-query", "env"):
        (lean / name).symlink_to(shutil.which(name, path=house.environment()["PATH"]))
    t.note("PATH without ninja", refused(house.call("--version", env={"PATH": str(lean)}), b"cmake is not installed"))
    (lean / "apt-get").symlink_to(house.tools / "apt-get")
    t.note("PATH without an installed ninja", refused(house.call("--version", env={"PATH": str(lean)}), b"not found on the PATH"))


def try_presets(t):
    house = House(t, t.folder("presets") / "hl", built=False)
    before = house.files()
    for preset in ("nope", "../release", "release ", " ", "release\nportable", "/", "*", "Release", "\x1b[2J", "x" * 60000, "ü", "-n", "$(id)"):
        end = house.call("--version", env={"HEADLIGHT_PRESET": preset})
        t.note(f"preset {preset[:20]!r}", refused(end, b"expected one of release, portable") or (house.files() != before and "left files" or None))


def try_paths(t):
    parent = t.folder("paths")
    for characters in FINE:
        house = House(t, parent / f"a{characters}b" / f"{characters}", built=False)
        house.build.mkdir(parents=True)
        shutil.copy(t.app, house.build / "app")
        end = house.call("--version")
        t.note(f"path with {characters!r}", worked(end, None) or worked(house.call("--version")))
        shutil.rmtree(parent / f"a{characters}b")
    for character in REFUSED:
        for name in (f"a{character}b", f"a{character}"):
            house = House(t, parent / name, built=False)
            before = house.files()
            t.note(f"path with {character!r}", refused(house.call("--version"), b"cannot be built") or
                   (house.files() != before and "left files" or None))


@contextlib.contextmanager
def held(house, script):
    """Another call, which takes the lock and runs the script."""
    process = subprocess.Popen(["flock", house.path / "build" / ".lock", "sh", "-c", script], start_new_session=True)
    while subprocess.run(["flock", "-n", house.path / "build" / ".lock", "true"]).returncode == 0:
        time.sleep(0.01)
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def try_locks(t):
    if not shutil.which("flock"):
        return t.skip("locks, without flock")
    house = House(t, t.folder("locks") / "hl")
    lock = house.path / "build" / ".lock"
    with held(house, "sleep 0.3"):
        t.note("a lock of an unknown", worked(house.call("--version"), b"headlight: another ./headlight is building or testing here; waiting\n"))
    with held(house, "sleep 0.3") as process:
        lock.write_text(f"{process.pid} test\n")
        t.note("a lock of another call", worked(house.call("--version"), b"headlight: another ./headlight test (process %d) is building or "
                                                b"testing here; waiting\n" % process.pid))
    with held(house, "sleep 0.3"):
        lock.write_text("999999999 \x1b[2J" + "x" * 60000)
        t.note("a lock's raw bytes", worked(house.call("--version"), b"headlight: another ./headlight is building or testing here; waiting\n"))
    t.note("a lock let go", worked(house.call("--version")) or (lock.read_bytes() and "the lock still names a holder" or None))


def try_without_writing(t):
    house = House(t, t.folder("written") / "hl")
    (house.path / "build" / ".lock").unlink()
    (house.path / "build" / ".lock").mkdir()  # so that not even root can write it
    before = house.files()
    t.note("not to be written", worked(house.call("--version")))
    house.touch()
    t.note("not to be written, and old", worked(house.call("--version"), None) if b"perhaps from older sources" in
           house.call("--version").err else "no note of older sources")
    t.note("tests where nothing can be written", refused(house.call("test"), b"cannot be written"))
    t.note("nothing written", house.files() != before and "left files" or None)
    (house.build / "headlight").unlink()
    t.note("not to be written, not built", refused(house.call("--version"), b"is not built, or not"))
    bare = House(t, t.folder("bare") / "hl", built=False)
    (bare.path / "build").write_text("")
    t.note("a file named build", refused(bare.call("--version"), b"is not built, or not"))
    if os.getuid() != 0 or not shutil.which("setpriv"):
        return t.skip("another user's checkout, which takes root")
    nobody = pwd.getpwnam("nobody").pw_uid
    prefix = ["setpriv", f"--reuid={nobody}", "--clear-groups", "--"]
    for mode, built in ((0o022, True), (0o022, False), (0o077, True)):
        os.umask(mode)
        house = House(t, t.folder(f"of root {mode} {built}") / "hl", built)
        os.umask(0o022)
        os.chmod(house.path, 0o755)
        for folder in (t.work, house.path.parent):
            folder.chmod(0o755)
        end = house.call("--version", prefix=prefix)
        t.note(f"another user's, built {built}, umask {mode:o}", worked(end) if built and mode == 0o022 else
               None if mode == 0o077 and end.status in (2, 126, 127) else refused(end, b"is not built, or not"))
    house = House(t, t.folder("read only") / "hl")
    script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$0/headlight" "$@"'
    end = t.call("-m", "sh", "-c", script, house.path, "--version", program="unshare", env=house.environment(), memory=None)
    if b"mount: " in end.err or b"unshare: " in end.err:
        return t.skip("a medium that is read only, which takes a mount")
    t.note("a medium that is read only", worked(end))


def try_full_disks(t):
    house = House(t, t.folder("full") / "hl")
    (house.build / "build.ninja").write_text(BUILD.format(slow="echo x.cpp: error; false && "))
    for name in ("build.log", ".ninja_log"):
        (house.build / name).unlink(missing_ok=True)
        (house.build / name).symlink_to("/dev/full")
    house.tool("rm", "#!/bin/sh\n")  # so that the log stays full
    house.touch()
    end = house.call("--version")
    (house.tools / "rm").unlink()
    t.note("a failed build on a full disk", None if end.status == 2 and b"x.cpp: error\n" in end.err and not end.out and
           b"headlight: the build failed (above" in end.err else f"status {end.status}: {end.out!r} {end.err[-300:]!r}")
    mounted = t.folder("small disk")
    if os.getuid() or subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", mounted], stderr=subprocess.DEVNULL).returncode:
        return t.skip("a full disk, which takes a mount")
    # The program is larger than what is left of the disk.
    size = os.path.getsize(t.app)
    for room in [size * 3 // 2 + 200_000] + [size + k * size // 5 for k in range(1, t.count(1, 5))]:
        script = (f'mount -t tmpfs -o size={room} none "$0" && cp -r "$1/hl" "$0/" && '
                  'sed -i "s|=.*|=$0/hl|" "$0/hl/build/release/CMakeCache.txt" && shift && exec "$0/hl/headlight" "$@"')
        (House(t, t.folder("whole") / "hl").build / "headlight").unlink()
        end = t.call("-m", "sh", "-c", script, mounted, t.work / "whole", "--version", program="unshare", memory=None)
        t.note(f"{room} bytes of room", None if end.status == 2 and b"headlight: the build failed (above" in end.err
               else f"status {end.status}: {end.err[-300:]!r}")


def try_interrupts(t):
    for trial in range(t.count(2, 20)):
        house = House(t, t.folder("interrupted") / "hl")
        (house.build / "build.ninja").write_text(BUILD.format(slow="head -c 1000 app >headlight; sleep 0.5; "))
        house.touch()
        name = signal.SIGINT if trial % 2 == 0 else signal.SIGKILL
        process = subprocess.Popen([house.path / "headlight", "--version"], env={**os.environ, **house.environment()}, start_new_session=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.2 + t.random.random() / 4)
        os.killpg(process.pid, name)
        out, err = process.communicate()
        t.note(f"{name.name} stops a build", None if name == signal.SIGKILL or process.returncode == 130 and b"headlight: stopped" in err and not out
               else f"status {process.returncode}: {err!r} {out!r}")
        t.note(f"a call after {name.name}", worked(house.call("--version"), b"headlight: building\n" if name == signal.SIGINT else None))
    house = House(t, t.folder("half") / "hl")
    house.tool("cmake", "#!/bin/sh\ncp setup/build.ninja build/release/\nkill -9 $PPID $$\n")
    (house.build / "CMakeCache.txt").unlink()
    house.call("--version")
    house.tool("cmake", CMAKE)
    t.note("set up again after a kill", worked(house.call("--version"), None))


def try_streams(t):
    house = House(t, t.folder("streams") / "hl")
    for closed in ((0,), (2,), (0, 2)):
        house.touch()
        end = house.call("--version", before=lambda closed=closed: [os.close(k) for k in closed])
        t.note(f"closed {closed}", worked(end, None))
    house.touch()
    with open("/dev/full", "wb") as full:
        end = house.call("--version", before=lambda: os.dup2(full.fileno(), 2))
    t.note("standard error full", worked(end))


def run(t):
    for part in (try_callers, try_environments, try_presets, try_paths, try_locks, try_without_writing, try_full_disks, try_interrupts,
                 try_streams):
        part(t)
