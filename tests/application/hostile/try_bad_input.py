"""Bad words on the command line of every command: each call works, or says one sentence, in 2 GB of
memory."""
import itertools
import json
import os
import re
import shutil

TITLE = "bad input: every flag of every command"

# What a value of each kind is tried with. The first lists must be refused for numbers; the others
# may be right.
NO_NUMBERS = [
    "",
    " ",
    "abc",
    "0x10",
    "1_000",
    "+5",
    " 5",
    "5 ",
    "1'000",
    "1,000",
    "nan",
    "inf",
    "-inf",
    "NaN",
    "\uff15",
    "5;6",
    "--5",
    "1e",
    "1e999999",
    "18446744073709551616",
    "-9223372036854775809",
    "1" + 30 * "0",
    60000 * "9",
    "5\n",
    "\x1b[31m5",
    b"\xff5",
]
NO_WHOLE_NUMBERS = ["1e3", "1.0", ".5"]
NUMBERS = [
    "-1",
    "0",
    "-0",
    "08",
    "010",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "4294967296",
    "2147483648",
    "1000000",
    "1e-310",
    "1e308",
]
TEXTS = [
    "",
    " ",
    "\x1b[2J\x1b[31mred",
    "two\nlines",
    "bell\a\r",
    b"\xff\xfe\x80",
    "\u202eabc",
    60000 * "a",
    60000 * b"\xff",
    "none" + 300 * "/x",
    "-",
    "..",
    "nope/nope",
    "a,b=c",
    "{}",
    "%s%n",
    "'; ls",
    "=",
    ",",
]

# What a command needs besides the flag that is tried, so that the call ends soon when the value is
# right.
SMALL = ["--batch", "8", "--context", "16", "--d-model", "16", "--heads", "2", "--history", "0"]
NEEDS = {
    "train": ["--steps", "1", "--out", "{new}", *SMALL],
    "demo": ["--steps", "1", "--out", "{new}"],
    "sweep": ["--seeds", "0", "--steps", "1", "--out", "{new}", *SMALL],
    "task": ["copy"],
    "generate": ["{run}", "--prompt", "A", "--tokens", "2"],
    "compare": ["{run}", "{other}"],
    "export": ["{run}", "--npz", "{new}"],
    "attribute": ["{run}", "--position", "3"],
    "bench": ["small", "--rounds", "1", "--steps", "1"],
    "bench scaling": ["--rounds", "1", "--longest", "64", "--out", "{new}"],
    "runs": ["{run}"],
    "glossary": [],
}
# What takes minutes when the value is right is tried with wrong values alone, or with small ones.
LONG_WHEN_LARGE = {"--steps", "--count", "--tokens"}
SLOW = {
    ("certify", "--seeds"),
    ("certify", "--controls"),
    ("certify", "--by-hand"),
    ("task", "--table"),
}
SLOW_COMMANDS = {"demo", "bench", "bench scaling"}


class Flag:
    def __init__(self, name, kind, help):
        self.name, self.kind, self.help = name, kind, help


def commands_of(t):
    """Each command of the program with its flags and arguments, as --help lists them."""
    commands = {}
    overview = t.call("--help").out.decode()
    names = re.findall(r"^  \./headlight ([a-z]+)", overview, re.M)
    for name in names:
        end = t.call(name, "--help")
        if end.out.decode() == overview:
            continue  # a command of the script ./headlight
        commands[name] = read_help(end.out.decode())
        for inner in re.findall(
            r"^  ([a-z]+) ", end.out.decode().partition("Subcommands:")[2], re.M
        ):
            more = t.call(name, inner, "--help")
            if more.status == 0:
                commands[f"{name} {inner}"] = read_help(more.out.decode())
    return commands


def read_help(text):
    flags = [
        Flag(name, kind or "", help)
        for name, kind, help in re.findall(
            r"^  (?:-\w,)?(--[\w-]+)(?: (INT|UINT|FLOAT|TEXT|NAME)\b)?(.*)$", text, re.M
        )
    ]
    places = re.findall(
        r"^  ([A-Z]+) TEXT", text.partition("Positionals:")[2].partition("Options:")[0], re.M
    )
    return [flag for flag in flags if flag.name != "--help"], places


def complaint(end, words):
    found = end.complaint()
    if found:
        return found
    if end.status not in (0, 1, 2):
        return f"status {end.status}"
    err = end.err.decode("utf-8")
    lines = err.splitlines()
    if any(ord(c) < 32 and c != "\n" or 0x7F <= ord(c) < 0xA0 for c in err):
        return f"control characters on standard error: {err[-200:]!r}"
    if end.status == 1 and not end.out:
        return "status 1 without an answer"
    if end.status == 2 and sum(line.startswith("headlight: ") for line in lines) != 1:
        return f"an error of several sentences: {lines[-3:]!r}"
    if any(len(line) > 1100 for line in lines):
        return f"a line of {max(map(len, lines))} characters"
    if b"\x1b" in end.out and end.out.strip() not in [os.fsencode(w) for w in words]:
        return f"an escape on standard output: {end.out[:200]!r}"
    return None


class Tried:
    """Makes the calls, each in the same small folder."""

    def __init__(self, t):
        self.t, self.run, self.other = t, t.small_run("run"), t.small_run("other", "--seed", "3")
        self.place = t.folder("place/inner")
        self.files = self.bad_files()
        self.number = 0

    def bad_files(self):
        place = self.t.folder("files")
        (place / "empty").write_bytes(b"")
        (place / "binary").write_bytes(bytes(range(256)) * 64)
        (place / "text").write_text("no json, no weights\n" * 100)
        (place / "folder").mkdir()
        os.mkfifo(place / "pipe")
        (place / "deep.json").write_text(100000 * "[")
        (place / "hanging").symlink_to(place / "nowhere")
        (place / "circle").symlink_to(place / "circle")
        return [
            place / name
            for name in (
                "empty",
                "binary",
                "text",
                "folder",
                "pipe",
                "deep.json",
                "hanging",
                "circle",
                "missing",
            )
        ] + ["/dev/zero", "/dev/null"]

    def needs(self, command, takes_run, without=None):
        self.number += 1
        words = NEEDS.get(command, ["{run}"] if takes_run else [])
        known = {
            "{run}": self.run,
            "{other}": self.other,
            "{new}": self.t.work / "new" / f"{self.number}",
        }
        words = [known.get(word, word) for word in words]
        if without in words:
            at = words.index(without)
            del words[at : at + 2]
        return words

    def note(self, command, words, must_fail=False):
        words = command.split() + [os.fsencode(w) if not isinstance(w, bytes) else w for w in words]
        end = self.t.call(*words, cwd=self.place)
        found = complaint(end, words)
        if not found and must_fail and end.status != 2:
            found = f"status {end.status} where 2 was expected"
        shown = " ".join(
            repr(w.decode("utf-8", "backslashreplace") if isinstance(w, bytes) else str(w))[:60]
            for w in words
        )
        self.t.note(shown, found)


def cases(tried, commands):
    """(command, words, must fail) of all cases, as functions, because some need a folder of their
    own."""
    settings = {flag.name for flag in commands["train"][0]} - {
        "--config",
        "--out",
        "--seed",
        "--threads",
    }
    for command, (flags, places) in commands.items():
        takes_run = "DIR" in places
        needs = lambda without=None, c=command, r=takes_run: tried.needs(c, r, without)
        slow = command in SLOW_COMMANDS
        for flag in flags:
            bad, maybe = values_of(tried, flag)
            if command != "train" and flag.name in settings:  # the same code reads them
                bad, maybe = bad[::5], maybe[::5]
            for value in bad:
                yield command, lambda f=flag.name, v=value, n=needs: [*n(f), f, v], True
            if not slow and (command, flag.name) not in SLOW:
                for value in maybe:
                    yield command, lambda f=flag.name, v=value, n=needs: [*n(f), f, v], False
                if flag.kind:
                    yield command, lambda f=flag.name, v=maybe[0], n=needs: [
                        *n(f),
                        f,
                        v,
                        f,
                        v,
                    ], False
            if flag.kind:
                yield command, lambda f=flag.name, n=needs: [*n(f), f], True
                yield command, lambda f=flag.name, n=needs: [*n(f), f + "="], True
            else:
                yield command, lambda f=flag.name, n=needs: [*n(f), f + "=perhaps"], True
        for word in [
            "--nope",
            "-Z",
            "--nope=1",
            "--" + 60000 * "x",
            "--\x1b[2J",
            b"--\xff",
            "---",
            "--out\n",
        ]:
            yield command, lambda w=word, n=needs: [*n(), w], True
        if not places or command == "plot":
            yield command, lambda n=needs: [*n(), "one", "two", "three"], True
        for place in range(len(places)):
            for value in [*TEXTS, *tried.files]:
                yield command, lambda v=value, c=command: [v, *tail_of(c)], False
        if places and not slow:
            yield command, lambda: [], False


def tail_of(command):
    """The flags that the command needs after its folder."""
    words = NEEDS.get(command, [])
    at = next((i for i, word in enumerate(words) if word.startswith("--")), len(words))
    return [word.replace("{new}", "new-file") for word in words[at:]]


def values_of(tried, flag):
    """The values that are always wrong for this flag, and those that may be right."""
    if flag.kind in ("INT", "UINT"):
        return NO_NUMBERS + NO_WHOLE_NUMBERS, [
            n for n in NUMBERS if flag.name not in LONG_WHEN_LARGE or len(n) < 4
        ]
    if flag.kind == "FLOAT":
        return NO_NUMBERS[:16] + [60000 * "x"], NUMBERS
    if flag.kind == "NAME":
        return TEXTS, ["0", *map(str, tried.files[:2])]
    if flag.kind == "TEXT":
        return [""], TEXTS[1:] + tried.files
    return [], []


def combinations(t, tried, commands, count):
    """Two or three flags at once, with values drawn from all of them."""
    quick = [name for name in commands if name not in SLOW_COMMANDS]
    for _ in range(count):
        command = t.random.choice(quick)
        flags, places = commands[command]
        chosen = [
            f
            for f in t.random.sample(flags, min(len(flags), t.random.randint(2, 3)))
            if (command, f.name) not in SLOW
        ]
        words = tried.needs(command, "DIR" in places)
        for flag in chosen:
            bad, maybe = values_of(tried, flag)
            value = [t.random.choice(bad + maybe)] if flag.kind else []
            words += [flag.name, *value]
        tried.note(command, words)


def hostile_names(t, tried):
    """Runs in folders whose names would write to the terminal, or are no text at all."""
    text = os.path.join(os.fsencode(tried.place), b"\xff.txt")
    with open(text, "wb") as file:
        file.write(b"no name in UTF-8 " * 100)
    for words in (
        ["train", "--steps", "1", "--out", t.work / "named-text", "--text", text],
        ["task", "--text", text, "text"],
    ):
        t.note(
            f"{words[0]} of a text whose name is not UTF-8",
            complaint(t.call(*words, cwd=tried.place), words),
        )
    names = [
        b"\xff\xfe run",
        "\x1b[2J\x1b[31mred",
        "two\nlines",
        'it\'s "$(here)"',
        "\u202eabc",
        200 * "n",
        "a b",
        "<b>&amp;",
    ]
    for name in names[: t.count(1, len(names))]:
        inside = t.folder("named")
        run = os.path.join(os.fsencode(inside), os.fsencode(name))
        shutil.copytree(os.fsencode(tried.run), run)
        made = t.call(
            "train",
            "--config",
            os.path.join(run, b"config.json"),
            "--out",
            run + b"-2",
            cwd=tried.place,
        )
        t.note(
            f"train into {name!r}",
            complaint(made, [run, run + b"-2"])
            or (None if made.status == 0 else f"status {made.status}"),
        )
        commands = (
            ["heads", run],
            ["plot", run],
            ["plot", run, "--all"],
            ["runs", inside],
            ["runs", inside, "--json"],
            ["compare", run, run + b"-2"],
            ["compare", run, run + b"-2", "--html", t.work / "c.html"],
            ["ablate", run, "--json"],
            ["ablate", run, "--csv"],
            ["circuits", run, "--json"],
            ["patch", run, "--json"],
            ["attribute", run, "--position", "3"],
            ["attribute", run, "--position", "3", "--json"],
            ["sensitivity", run],
            ["lens", run, "--json"],
            ["curves", run],
            ["curves", run, "--svg", t.work / "c.svg"],
            ["certify", run],
            ["certify", run, "--json"],
            ["report", run, "-o", t.work / "r.html"],
            ["periods", run],
            ["export", run, "--npz", t.work / "w.npz", "--torch", t.work / "m.py"],
            ["heads", run + b"x"],
            ["generate", run, "--prompt", "A", "--tokens", "3"],
            ["train", "--resume", run, "--steps", "30"],
        )
        for words in t.random.sample(commands, 8) if t.quick else commands:
            end = t.call(*words, cwd=tried.place)
            found = complaint(end, words)
            if not found and end.status == 2 and words[1] != run + b"x":
                found = f"status 2: {end.err[:200]}"
            if not found and "--json" in words:
                found = None if json.loads(end.out)["command"] == words[0] else "no JSON"
            t.note(f"{words[0]} {' '.join(map(str, words[2:]))} of {name!r}", found)


def other_programs(t, tried):
    """The other programs of ./headlight, where they were built."""
    gradients, course = t.app.parent / "headlight_gradients", t.app.parent / "headlight_course"
    lessons = sorted((t.app.parent / "lessons").glob("lesson_[0-9][0-9]_*"))[:1]
    for program, lines in [
        (gradients, [["--case"], ["--json", "--case"], ["--case", "model"], ["--json"]]),
        (
            course,
            [[name] for name in ("start", "check", "hint", "solution", "reset", "watch", "lesson")]
            + [["lessons", "--page"], ["lessons", "--map"], ["lessons"]],
        ),
        *[(lesson, [["--out"], []]) for lesson in lessons if lesson.is_file()],
    ]:
        if not program.exists():
            continue
        for line in lines:
            for value in [*TEXTS, "--nope", "-Z", "0x10"][: t.count(1, 100)]:
                words = [*line, value]
                end = t.call(*words, cwd=tried.place, program=program)
                found = complaint(end, words)
                t.note(f"{program.name} {' '.join(line)} {str(value)[:40]!r}", found)


def run(t):
    commands = commands_of(t)
    tried = Tried(t)
    all_cases = list(cases(tried, commands))
    if t.quick:
        all_cases = t.random.sample(all_cases, 40)
    for command, words, must_fail in all_cases:
        tried.note(command, words(), must_fail)
    hostile_names(t, tried)
    other_programs(t, tried)
    combinations(t, tried, commands, t.count(10, 600))
    for word in itertools.islice([*TEXTS, "trian", "-h5", "--version=3", "--"], t.count(10, 100)):
        tried.note("", [word])
