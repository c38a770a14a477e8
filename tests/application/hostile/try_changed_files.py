"""Random changes of a run's files: a command ends with a sentence, or says that the file was
changed; it prints no impossible number, and takes no more memory than it may."""
import os
import re
import shutil

TITLE = "random changes of a run's files, and commands that read them"
COMMANDS = {
    "heads": ["heads", "RUN"],
    "plot": ["plot", "RUN", "--no-color"],
    "curves": ["curves", "RUN", "--svg", "out.svg"],
    "report": ["report", "RUN", "-o", "out.html"],
    "compare": ["compare", "RUN", "OTHER"],
    "generate": ["generate", "RUN", "--prompt", "AB", "--tokens", "5", "--temperature", "0"],
    "export": ["export", "RUN", "--npz", "out.npz"],
    "certify": ["certify", "RUN", "--threads", "1"],
    "resume": ["train", "--resume", "RUN", "--steps", "22", "--out", "resumed", "--force"],
    "runs": ["runs", "RUN"],
}
QUICK = ["heads", "compare", "runs"]
IMPOSSIBLE = re.compile(
    rb"\bnan\b|\binf\b|(?<![\d.])(?:1\d\d\.[1-9]|1[1-9]\d\.\d|[2-9]\d\d\.\d|\d{4,}\.\d) %|-\d+\.\d+ %"
)


class Copy:
    """A copy of the run, always at the same place, so that the same output means the same."""

    def __init__(self, trials, run, other):
        self.trials, self.clean, self.other = trials, run, other
        self.path = trials.work / "case"

    def renew(self):
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(self.clean, self.path)

    def call(self, command):
        words = [
            self.path if w == "RUN" else self.other if w == "OTHER" else w
            for w in COMMANDS[command]
        ]
        return self.trials.call(*words)


def digits_swapped(random, data):
    places = [i for i, c in enumerate(data) if 48 <= c <= 57]
    if not places:
        return data
    at = random.choice(places)
    return data[:at] + bytes([random.choice(b"0123456789")]) + data[at + 1 :]


def bits_flipped(random, data):
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 1, 8])):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(data)


def line_deleted(random, data):
    lines = data.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return b"".join(lines)


def line_twice(random, data):
    lines = data.splitlines(keepends=True)
    at = random.randrange(len(lines))
    return b"".join(lines[: at + 1] + lines[at:])


def key_twice(random, data):
    found = list(re.finditer(rb'"\w+": ?(?:-?[\d.e-]+|"[^"]*"|true|false|null),', data))
    if not found:
        return data
    key = random.choice(found)
    return data[: key.end()] + key.group() + data[key.end() :]


def brackets(random, data):
    at = random.randrange(len(data))
    return data[:at] + random.choice([b"[", b'{"a":', b"]"]) * 100_000 + data[at:]


def truncated(random, data):
    return data[: random.randrange(len(data))]


def number_huge(random, data):
    found = list(re.finditer(rb"-?\d+(?:\.\d+)?(?:e-?\d+)?", data))
    if not found:
        return data
    number = random.choice(found)
    new = random.choice(
        [
            b"1e400",
            b"-1",
            b"18446744073709551616",
            b"9223372036854775808",
            b"10.5",
            b"1e3",
            b"-0",
            b"7",
            b"1e-400",
            b"NaN",
            b"null",
            b"4611686018427387904",
        ]
    )
    return data[: number.start()] + new + data[number.end() :]


BYTES = [
    digits_swapped,
    digits_swapped,
    bits_flipped,
    bits_flipped,
    line_deleted,
    line_twice,
    key_twice,
    brackets,
    truncated,
    number_huge,
    number_huge,
]


def as_folder(t, path, other):
    path.unlink()
    path.mkdir()


def as_pipe(t, path, other):
    path.unlink()
    os.mkfifo(path)


def as_device(t, path, other):
    path.unlink()
    path.symlink_to("/dev/zero")


def as_loop(t, path, other):
    path.unlink()
    path.symlink_to(path.name)


def as_sparse(t, path, other):
    os.truncate(path, 3 << 30)


def as_empty(t, path, other):
    path.write_bytes(b"")


def as_missing(t, path, other):
    path.unlink()


def as_of_other(t, path, other):
    shutil.copyfile(other / path.name, path)


FILES = [as_folder, as_pipe, as_device, as_loop, as_sparse, as_empty, as_missing, as_of_other]


def change(t, path, other):
    """Changes the file and says how; None when nothing came of it."""
    if t.random.random() < 0.3:
        how = t.random.choice(FILES)
        if how is as_of_other and (other / path.name).read_bytes() == path.read_bytes():
            return None
        how(t, path, other)
        return how.__name__
    how = t.random.choice(BYTES)
    before = path.read_bytes()
    after = how(t.random, before)
    path.write_bytes(after)
    return how.__name__ if after != before else None


def names(end, name):
    return name in (end.out + end.err).decode("utf-8", "replace").replace("\n", " ")


def complaint(end, clean, name):
    """What is wrong with an end after a change of this file."""
    if end.timed_out or end.status not in (clean.status, 2):
        return end.complaint() or f"status {end.status}"
    if found := end.status == 2 and end.complaint():
        return found
    if impossible := IMPOSSIBLE.search(end.out):
        return f"prints {impossible.group()!r}"
    same = (end.status, end.out) == (clean.status, clean.out)
    # The list of runs says what cannot be read, and no more.
    return (
        None
        if same or names(end, name) or end.words[0] == "runs"
        else "the change was believed: " + repr(end.out[:200] + end.err[-200:])
    )


def run(t):
    whole, other = t.small_run("whole"), t.small_run("other", "--seed", "1")
    copy = Copy(t, whole, other)
    commands = [c for c in COMMANDS if not t.quick or c in QUICK]
    files = sorted(path.name for path in whole.iterdir() if path.suffix not in (".html", ".svg"))
    copy.renew()
    clean = {command: copy.call(command) for command in commands}
    for command, end in clean.items():
        t.note(
            f"{command} of the whole run",
            None if end.status in (0, 1) and not names(end, "was edited") else repr(end.err),
        )
    done = 0
    while done < t.count(25, 1500):
        name = t.random.choice(files)
        copy.renew()
        how = change(t, copy.path / name, other)
        if how is None:
            continue
        done += 1
        for command in t.random.sample(commands, 2):
            t.note(
                f"{command} after {how} of {name}",
                complaint(copy.call(command), clean[command], name),
            )
