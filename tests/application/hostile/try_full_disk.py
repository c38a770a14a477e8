"""Saving where there is no room: a small file system that is full, and a limit of file sizes. The
old run stays, or the new one is there, and a sentence says what was wrong."""
import os
import resource
import subprocess

from saving import Saving

TITLE = "a full file system, a limit of file sizes (`ulimit -f`)"
SIZES = 16


class SmallDisk:
    """A tmpfs of so many kB, or None where mounting is not allowed."""

    def __init__(self, folder, kilobytes):
        self.folder = folder
        self.mounted = (
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder],
                capture_output=True,
                check=False,
            ).returncode
            == 0
        )

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
    return sum(
        len(content) + 4096
        for name, content in saving.expected["new"].items()
        if name.endswith(ending)
    )


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
        if not complaint and end.status == 2 and "No space left on device" not in end.err.decode():
            complaint = f"another reason: {end.err.decode()}"
        (home / "filler").unlink()
        t.note(
            f"disk with room for {what}, {'over a run' if over else 'a first run'}",
            complaint or saving.judge_next(home, over, report),
        )
    return True


def try_limit(t, saving, over, kilobytes):
    home = t.folder("limit")
    if over:
        saving.put_old(home)
    limit = kilobytes * 1024
    end = t.call(
        *saving.words,
        cwd=home,
        before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    complaint = saving.judge(end, home, over)
    if not complaint and end.status == 2 and "File too large" not in end.err.decode():
        complaint = f"another reason: {end.err.decode()}"
    t.note(f"files of at most {kilobytes} kB", complaint or saving.judge_next(home, over, False))


def run(t):
    saving = Saving(t, steps=2)
    rooms = [("a third of the weights", bytes_of(saving, ".safetensors") // 3)]
    rooms += [
        (f"{size}/{SIZES} of a run", size * bytes_of(saving) // SIZES)
        for size in range(0, SIZES, t.count(6, 1))
    ]
    for number, room in enumerate(rooms):
        if not all(
            try_full_disk(t, saving, over, *room, number % 2 == 1) for over in (True, False)
        ):
            break
    for kilobytes in t.count([0, 8], [0, 1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512]):
        for over in (True, False):
            try_limit(t, saving, over, kilobytes)
