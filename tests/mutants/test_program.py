"""Runs a Catch2 program, which may hang or crash, and returns which tests did not pass."""
import dataclasses
import html
import os
import re
import signal
import subprocess
import tempfile
import time

# Read line by line and not as XML: of a program that died the document is not whole.
CASE = re.compile(r'<TestCase name="([^"]*)"(?:.*? filename="([^"]*)")?')
RESULT = re.compile(r'<OverallResult success="(true|false)"(?: durationInSeconds="([0-9.e+-]+)")?')


@dataclasses.dataclass
class Test:
    file: str  # its source
    seconds: float


@dataclasses.dataclass
class Result:
    seconds: float
    tests: dict = dataclasses.field(default_factory=dict)  # by their names
    noticed: bool = False
    failed: list = dataclasses.field(default_factory=list)
    end: str = ""  # how the program died, when it did

    def summary(self):
        named = "; ".join(self.failed[:3]) + (
            f" (+{len(self.failed) - 3} more)" if len(self.failed) > 3 else ""
        )
        return " ".join(part for part in [self.end, named] if part)


def read_report(lines, result):
    """Notes the tests that failed; returns the one that had begun and not ended."""
    running, file = None, ""
    for line in lines:
        if case := CASE.search(line):
            running, file = html.unescape(case[1]), html.unescape(case[2] or "")
        elif (over := RESULT.search(line)) and running:
            result.tests[running] = Test(file, float(over[2] or 0))
            if over[1] == "false":
                result.failed.append(running)
            running = None
    return running


def run(program, limit, names=None):
    """All tests of a program but the [long] ones, or, until one fails, those whose names a file
    lists, a line each."""
    command = [program, "-r", "xml", "-d", "yes"] + (
        ["-f", names, "--abort"] if names else ["~[long]"]
    )
    begin = time.monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as report:
        # A group of its own, so that what the tests have started ends with them.
        process = subprocess.Popen(
            command,
            cwd=program.parent,
            stdout=report,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        result = Result(time.monotonic() - begin, noticed=status != 0)
        report.seek(0)
        running = read_report(report, result)
    if status is None:
        result.end = "the time limit, in:"
    elif status < 0:
        result.end = "a crash, in:"
    elif status > 0 and not result.failed:
        result.end = f"its exit status {status}"
    if running and running not in result.failed:
        result.failed.insert(0, running)
    elif status is not None and status < 0 and result.failed:
        result.failed.insert(0, result.failed.pop())
    return result
