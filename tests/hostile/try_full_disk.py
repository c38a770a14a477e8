"""Saving where there is no room: a small file system that is full, a limit of file sizes, and folders that cannot be
written. The old run stays, or the new one is there, and a sentence says what was wrong."""
import os
import resource
import subprocess

from saving import Saving

TITLE = "a full file system, a limit of file sizes (`ulimit -f`), folders that are read-only"
SIZES = 16
FORESEEN = "the weights that this run saves take up to"  # said before the training
NOBODY = 65534


class SmallDisk:
    """A tmpfs of so many kB, or None where mounting is not allowed."""

    def __init__(self, folder, kilobytes):
        self.folder = folder
        self.mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder],
                                      capture_output=True, check=False).returncode == 0

    def __enter__(self):
        return self.folder if self.mounted else None

    def __exit__(self, *_):
        if self.mounted:
            subprocess.run(["umount", "-l", self.folder], check=True)


def fill(folder, room):
    """Leaves so many bytes free."""
    disk = os.statvfs(folder)
    with open(folder / "filler", "wb") as file:
        file.write(bytes(max(0, disk.f_bavail * disk.f_frsize - room)))


def bytes_of(saving, ending=""):
    """On a disk, where a file has whole blocks."""
    return sum(len(content) + 4096 for name, content in saving.expected["new"].items() if name.endswith(ending))


def try_full_disk(t, saving, over, what, room, report):
    with SmallDisk(t.folder("disk"), 8 * bytes_of(saving) // 1024) as home:
        if not home:
            t.skip("mounting a file system is not allowed here")
            return False
        if over:
            saving.put_old(home)
        fill(home, room)
        end = t.call(*saving.words, cwd=home)
        complaint = saving.judge(end, home, over)
        reasons = [FORESEEN] if 0 < room < bytes_of(saving, ".safetensors") / 2 else [FORESEEN, "No space left on device"]
        if not complaint and end.status == 2 and not any(reason in end.err.decode() for reason in reasons):
            complaint = f"another reason: {end.err.decode()}"
        (home / "filler").unlink()
        t.note(f"disk with room for {what}, {'over a run' if over else 'a first run'}",
               complaint or saving.judge_next(home, over, report))
    return True


def try_limit(t, saving, over, kilobytes):
    home = t.folder("limit")
    if over:
        saving.put_old(home)
    limit = kilobytes * 1024
    end = t.call(*saving.words, cwd=home, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    complaint = saving.judge(end, home, over)
    if not complaint and end.status == 2 and "File too large" not in end.err.decode():
        complaint = f"another reason: {end.err.decode()}"
    t.note(f"files of at most {kilobytes} kB", complaint or saving.judge_next(home, over, False))


def try_read_only(t, saving, what, command):
    """As a user without rights: root may write everywhere."""
    home = t.folder("read-only")
    saving.put_old(home)
    os.chmod(t.work, 0o755)
    for path in [home, *home.rglob("*")]:
        if os.getuid() == 0:
            os.chown(path, NOBODY, NOBODY)
    locked = {"the folder": [home / "run"], "the folder around it": [home], "both": [home / "run", home]}[what]
    for path in locked:
        path.chmod(0o555)

    def drop_rights():
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    words = {"train": saving.words, "report": ["report", "run"], "resume": ["train", "--resume", "run", "--steps", "3"],
             "heads": ["heads", "run"]}[command]
    end = t.call(*words, cwd=home, before=drop_rights)
    for path in locked:
        path.chmod(0o755)
    if command == "heads":
        complaint = None if end.status == 0 else end.err.decode()
    else:
        complaint = saving.judge(end, home, True)
        if not complaint and end.status == 2 and "cannot write to the folder" not in end.err.decode():
            complaint = f"another reason: {end.err.decode()}"
        if not complaint and end.status == 0:
            complaint = "it could be written"
    t.note(f"{command}, {what} read-only", complaint or saving.left(home))


def run(t):
    saving = Saving(t, steps=2)
    rooms = [("a third of the weights", bytes_of(saving, ".safetensors") // 3)]
    rooms += [(f"{size}/{SIZES} of a run", size * bytes_of(saving) // SIZES) for size in range(0, SIZES, t.count(6, 1))]
    for number, room in enumerate(rooms):
        if not all(try_full_disk(t, saving, over, *room, number % 2 == 1) for over in (True, False)):
            break
    for kilobytes in t.count([0, 8], [0, 1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512]):
        for over in (True, False):
            try_limit(t, saving, over, kilobytes)
    if subprocess.run([t.app, "--version"], capture_output=True, check=False,
                      preexec_fn=lambda: os.getuid() or os.setuid(NOBODY)).returncode != 0:
        t.skip("a user without rights cannot run the program, which is in a folder of yours")
        return
    for what in ("the folder", "the folder around it", "both"):
        for command in ("train", "resume", "report", "heads"):
            try_read_only(t, saving, what, command)
