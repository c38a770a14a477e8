"""Two commands that write to one folder at once: what is there afterwards is of one of them, and
the one that was turned away said so."""
import re
import signal
import subprocess
import time

from saving import LOCK, SMALL, Saving

TITLE = "two runs into one folder: never mixed, and the second is refused"
HELD = re.compile(
    r"headlight: another process is writing to '[^\n]*'\. "
    r"Hint: wait for it, or choose another folder\.\n$"
)
STEPS = 40
OTHER = [*SMALL, "--steps", str(STEPS), "--seed", "3", "--force"]
SECONDS = [
    OTHER,
    OTHER,
    ["train", "--resume", "run", "--steps", "4"],
    ["report", "run"],
    ["sweep", "--seeds", "1", "--out", "run"],
    ["plot", "run", "--svg", "run/plot.svg"],
]


class Pair:
    """Two processes in one folder, and how they ended."""

    def __init__(self, t, saving, home):
        self.t, self.saving, self.home, self.processes = t, saving, home, []

    def begin(self, words):
        self.processes.append(
            subprocess.Popen(
                [self.t.app, *words],
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        )

    def hold(self):
        """Stops the first one at some moment while it has the lock, so that the second meets it on
        a slow machine, too."""
        lock = self.home / LOCK
        while not lock.exists():
            time.sleep(0.001)
        time.sleep(self.t.random.uniform(0, 0.05))
        self.processes[0].send_signal(signal.SIGSTOP)

    def let_go(self):
        self.processes[1].wait()
        self.processes[0].send_signal(signal.SIGCONT)

    def end(self):
        self.errors = [process.communicate()[1] for process in self.processes]

    def turned_away(self, which):
        """What is wrong with how this one ended; None when it worked, or was turned away by the
        other."""
        process = self.processes[which]
        if process.returncode == 0 or process.returncode == 2 and HELD.search(self.errors[which]):
            return None
        return (
            f"status {process.returncode}, and does not say that it is held: {self.errors[which]}"
        )


def tried(t, saving, number):
    home = t.folder("two")
    saving.put_old(home)
    pair = Pair(t, saving, home)
    second = SECONDS[number % len(SECONDS)]
    at_once = second is OTHER and number // len(SECONDS) % 2 == 0
    pair.begin(saving.words)
    if not at_once:
        pair.hold()
    pair.begin(second)
    if not at_once:
        pair.let_go()
    pair.end()
    complaint = pair.turned_away(0) or pair.turned_away(1)
    if not complaint and all(process.returncode for process in pair.processes):
        complaint = "both were turned away"
    if second[0] == "plot":
        if pair.processes[1].returncode != 0 or not (home / "run" / "plot.svg").exists():
            return complaint or f"the picture is lost: {pair.errors[1]}"
        (home / "run" / "plot.svg").unlink()
    return (
        complaint
        or saving.which(home / "run", ("new", "other"))[1]
        or saving.left(home)
        or saving.lost(home / "run")
    )


def run(t):
    saving = Saving(t, STEPS)
    saving.expect("other", OTHER)
    for number in range(t.count(6, 48)):
        t.note(f"pair {number}", tried(t, saving, number))
