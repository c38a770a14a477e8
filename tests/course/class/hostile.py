#!/usr/bin/env python3
"""What students hand in may be hostile: each of these has its row, and nothing outside is read, written or reached.

hostile.py HEADLIGHT_COURSE LESSON_FOLDER WORK_FOLDER
"""
import csv
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tarfile

PART = "  const double quotient = a.value() / b.value();\n"
INCLUDES = """#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
"""
# Statements in part 1. Where the sandbox holds, they change nothing, and all parts are solved.
HARMLESS_INSIDE = {
    "reads another's folder, a file of home, the solution": 'if (std::ifstream("{handed_in}/right/my/02_derivatives.cpp") || '
    'std::ifstream("{secret}") || std::ifstream("{lesson}/solution.cpp").get() > 0) throw 1;',
    "writes outside, changes the checker": 'std::ofstream("{work}/written") << 1; '
    'std::ofstream("/tmp/headlight_written") << 1; '
    'if (::open("{build}/grading.ninja", O_WRONLY) >= 0) throw 1;',
    "forks": "for (int i = 0; i < 1000; ++i) if (::fork() == 0) for (;;) ::pause();",
    "kills, opens a socket": "for (int i = 2; i < 300; ++i) if (i != ::getpid() && ::kill(i, SIGKILL) == 0) throw 1; "
    "sockaddr_in to{}; to.sin_family = AF_INET; to.sin_port = htons({port}); "
    "to.sin_addr.s_addr = htonl(INADDR_LOOPBACK); "
    "if (::connect(::socket(AF_INET, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) throw 1;",
}
# What must not be solved, and what its row says.
STOPPED = {
    "fills the disk": (
        'std::ofstream all("big"); std::FILE* to = std::fopen("/tmp/headlight_big", "w"); '
        "for (;;) { all << 1; if (to) std::fputc(1, to); }",
        "endless",
    ),
    "allocates without end": ("for (;;) new char[1 << 28]{};", "memory"),
    "prints a verdict": (
        'std::cout << "{\\"lesson\\":\\"02_derivatives\\",\\"kind\\":\\"solved\\",\\"part\\":6}\\n" << std::flush; ::_exit(0);',
        "crash",
    ),
}
# Whole files that do not compile, or not within their time.
FILES = {
    "includes without end": '#include "/dev/zero"\n',
    "includes itself": "#include __FILE__\n",
    "includes the solution": '#include "02_derivatives/solution.cpp"\n',
    # It compiles, and is solved, where that file can be read.
    "includes a test's solution": "#include <cmath>\n#include <cstdint>\n"
    '#include "exercise.h"\n#include "headlight/core/rng.h"\n'
    "namespace leaked {\n"
    '#include "{build}/lessons/checker_07_scaled_dot_product_attention_off_the_tape.cpp"\n'
    "}\nauto* const has = &leaked::attention;\n{solution}",
    "compiles without end": "template <int N, class T> struct A { using X = typename A<N - 1, A<N, T*>>::X; "
    "using Y = typename A<N - 1, A<N, T&>>::Y; };\n"
    "template <class T> struct A<0, T> { using X = T; using Y = T; };\nA<28, int>::X* x;\n",
    "is empty": "",
    "is no text": "\x00\xff\x01",
}


def write(handed_in, name, text):
    folder = handed_in / name / "my"
    folder.mkdir(parents=True)
    (folder / "02_derivatives.cpp").write_text(text, encoding="utf-8")


def main(program, lesson, work, _=None):
    work, lesson = pathlib.Path(work).resolve(), pathlib.Path(lesson).resolve()
    shutil.rmtree(work, ignore_errors=True)
    handed_in, secret = work / "handed_in", pathlib.Path.home() / ".headlight_secret"
    solution = (lesson / "solution.cpp").read_text(encoding="utf-8")
    listening = socket.create_server(("127.0.0.1", 0))
    places = {
        "handed_in": handed_in,
        "secret": secret,
        "lesson": lesson,
        "solution": solution,
        "work": work,
        "build": pathlib.Path(program).resolve().parent,
        "port": listening.getsockname()[1],
    }

    def placed(text):
        for name, place in places.items():
            text = text.replace("{" + name + "}", str(place))
        return text

    def with_act(act):
        return INCLUDES + solution.replace(PART, "  " + placed(act) + "\n" + PART)

    write(handed_in, "right", solution)
    for name, act in HARMLESS_INSIDE.items():
        # Once: thousands of refused forks for each division leave part 6 no time.
        write(handed_in, name, with_act("static const int once = [] { " + act + " return 0; }();"))
    for name, (act, _) in STOPPED.items():
        write(handed_in, name, with_act(act))
    for name, text in FILES.items():
        write(handed_in, name, placed(text))
    (handed_in / "has nothing").mkdir()
    (handed_in / "is a link").mkdir()
    (handed_in / "is a link" / "02_derivatives.cpp").symlink_to(lesson / "solution.cpp")
    (handed_in / "broken.zip").write_text("no archive", encoding="utf-8")
    with tarfile.open(handed_in / "packed.tar.gz", "w:gz") as archive:
        archive.add(handed_in / "right" / "my" / "02_derivatives.cpp", "a/b/my/02_derivatives.cpp")
        archive.add(handed_in / "right" / "my" / "02_derivatives.cpp", "../../escaped.cpp")
    shutil.rmtree(
        pathlib.Path(program).parent / "class", ignore_errors=True
    )  # what was graded before
    names = work / "names.csv"
    names.write_text('right,"Ann Right"\nabsent,Ben Absent\n', encoding="utf-8")
    secret.write_text("secret", encoding="utf-8")
    try:
        marks, page = work / "marks.csv", work / "class.html"
        result = subprocess.run(
            [program, "class", handed_in, "-o", page, "--csv", marks, "--names", names],
            stdout=subprocess.PIPE,
            text=True,
        )
    finally:
        secret.unlink()
    print(result.stdout)
    assert result.returncode == 0, f"exit status {result.returncode}"
    rows = {row["name"]: row for row in csv.DictReader(marks.open(encoding="utf-8"))}

    def states(name):
        return [rows[name][f"2.{i}"] for i in range(1, 7)]

    for name in ["Ann Right", "packed", *HARMLESS_INSIDE]:
        assert states(name) == ["solved"] * 6, f"'{name}' got {rows[name]}"
    for name, (_, state) in STOPPED.items():
        assert states(name)[0] == state, f"'{name}' got {rows[name]}, not {state}"
    for name in [*FILES, "has nothing", "is a link", "broken", "Ben Absent"]:
        assert (
            states(name) == ["not graded"] * 6 and rows[name]["problem"]
        ), f"'{name}' got {rows[name]}"
    written = [
        work / "written",
        pathlib.Path("/tmp/headlight_written"),
        pathlib.Path("/tmp/headlight_big"),
        work.parent / "escaped.cpp",
    ]
    for file in written:
        assert not file.exists(), f"'{file}' was written"
    running = subprocess.run(
        ["pgrep", "-f", "headlight-class"], stdout=subprocess.PIPE, text=True
    ).stdout
    assert not running, f"still running: {running}"
    without = subprocess.run(
        [program, "class", handed_in],
        env={**os.environ, "PATH": str(work)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert (
        without.returncode == 2 and "bubblewrap is not installed" in without.stderr
    ), without.stderr


if __name__ == "__main__":
    main(*sys.argv[1:])
