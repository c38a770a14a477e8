#!/usr/bin/env python3
"""A class hands lesson 2 in: each mistake must be counted right. Thirty students take less than three minutes on two
idle cores; the tests have ten.

thirty.py HEADLIGHT_COURSE LESSON_FOLDER WORK_FOLDER [STUDENTS]
"""
import csv
import pathlib
import shutil
import subprocess
import sys
import time

# What a slip replaces in the solution, and the name that the grader has for it.
SLIPS = {
    "minus-missing": ("-quotient / b.value()", "quotient / b.value()"),
    "edges-with-the-product": ("if (other != k) of_others", "of_others"),
    "whole-step-alone": (
        "(4 * central_difference(f, x, k, h / 2) - central_difference(f, x, k, h)) / 3",
        "central_difference(f, x, k, h)",
    ),
    "overwritten": ("gradient[edge.input] +=", "gradient[edge.input] ="),
    "sum-for-mean": ("sum * (1.0 / static_cast<double>(xs.size()))", "sum"),
}
ENDLESS = ("for (int step = 0; step < steps; ++step)", "for (int step = 0; step < steps;)")
MOST_SECONDS = 180


def write(folder, text):
    (folder / "my").mkdir(parents=True)
    (folder / "my" / "02_derivatives.cpp").write_text(text, encoding="utf-8")


def with_slips(solution, slips):
    for old, new in slips:
        assert solution.count(old) == 1, f"the solution has '{old}' {solution.count(old)} times"
        solution = solution.replace(old, new)
    return solution


def hand_in(solution, handed_in, students):
    """Writes a folder a student; returns which names of mistakes each student's row should have."""
    shutil.rmtree(handed_in, ignore_errors=True)
    names, expected = list(SLIPS), {}

    def student(text, mistakes):
        name = f"student {len(expected) + 1:02}"
        # A line of their own, so that no two files are the same.
        write(handed_in / name, text + f"\n// {name}\n")
        expected[name] = mistakes

    for _ in range(students // 3):
        student(solution, set())
    for i in range(students // 3):
        student(with_slips(solution, [SLIPS[names[i % 5]]]), {names[i % 5]})
    for i in range(students // 6):
        two = names[i], names[(i + 2) % 5]
        student(with_slips(solution, [SLIPS[name] for name in two]), set(two))
    for _ in range(students // 10):
        student(solution.replace("edges.push_back", "edges.push_front"), None)
    for _ in range(students // 15 or 1):
        student(with_slips(solution, [ENDLESS]), {"endless"})
    return expected


def main(program, lesson, work, students=30):
    work = pathlib.Path(work)
    solution = (pathlib.Path(lesson) / "solution.cpp").read_text(encoding="utf-8")
    expected = hand_in(solution, work / "handed_in", int(students))
    marks, page = work / "marks.csv", work / "class.html"
    shutil.rmtree(
        pathlib.Path(program).parent / "class", ignore_errors=True
    )  # what was graded before
    begin = time.monotonic()
    result = subprocess.run(
        [program, "class", work / "handed_in", "-o", page, "--csv", marks],
        stdout=subprocess.PIPE,
        text=True,
    )
    seconds = time.monotonic() - begin
    print(result.stdout)
    assert result.returncode == 0, f"exit status {result.returncode}"
    rows = {row["name"]: row for row in csv.DictReader(marks.open(encoding="utf-8"))}
    assert set(rows) == set(expected), f"other students: {sorted(rows)}"
    parts = [f"2.{i}" for i in range(1, 7)]
    for name, mistakes in expected.items():
        states = [rows[name][part] for part in parts]
        if mistakes is None:
            assert (
                states == ["not graded"] * 6 and "does not compile" in rows[name]["problem"]
            ), rows[name]
            continue
        found = {
            state for state in states if state != "solved" and not state.startswith("calls part")
        }
        assert found == mistakes, f"{name}: expected {mistakes}, got {states}"
    for mistake in SLIPS:
        count = sum(mistake in (found or ()) for found in expected.values())
        assert not count or f"{count} ×" in "".join(
            line for line in result.stdout.splitlines() if mistake in line
        ), f"'{mistake}' is not counted {count} times"
    somebody = next(name for name, mistakes in expected.items() if mistakes)
    assert somebody not in page.read_text(encoding="utf-8").split("<h2>The parts</h2>")[0]
    assert len(expected) < 30 or seconds < MOST_SECONDS, f"{seconds:.0f} s"
    begin = time.monotonic()
    subprocess.run([program, "class", work / "handed_in"], stdout=subprocess.DEVNULL, check=True)
    again = time.monotonic() - begin
    assert again < 10, f"nothing changed, and it took {again:.1f} s"
    print(f"{len(expected)} students in {seconds:.0f} s, again in {again:.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
