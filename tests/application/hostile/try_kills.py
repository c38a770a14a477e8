"""kill -9 at random moments of a training, half of them while the folder is written: no run and no
file of the user's is lost, and the run that goes on ends with the same bytes as one that was not
killed."""
import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import time

from saving import DRAFT, Saving, TIMED, bytes_in

TITLE = "`kill -9` at random moments, over a finished run and with checkpoints; then resumed"
STEPS = 60


class Kills:
    def __init__(self, t):
        self.t, self.saving = t, Saving(t, STEPS)
        begin = time.monotonic()
        t.call(*self.saving.words, cwd=self.saving.made)
        self.seconds = time.monotonic() - begin

    def wait_for_writing(self, process, home, random):
        """Until the draft of the folder has some files, or has taken the folder's place."""
        draft, run = home / DRAFT, home / "run"
        files, times = random.randrange(0, 12), random.choice([1, 1, 2, 3])
        before = os.stat(run).st_ino if run.exists() else None
        after_exchange = random.random() < 0.3
        while process.poll() is None:
            try:
                if after_exchange and run.exists() and os.stat(run).st_ino != before:
                    before, times = os.stat(run).st_ino, times - 1
                elif not after_exchange and len(os.listdir(draft)) >= max(files, 1):
                    times = 0
                if times <= 0:
                    time.sleep(random.choice([0, 0, 0.0005, 0.003]))
                    return
            except OSError:
                pass

    def killed(self, home, words, aimed, random):
        with subprocess.Popen(
            [self.t.app, *words],
            cwd=home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            if aimed:
                self.wait_for_writing(process, home, random)
            else:
                time.sleep(random.uniform(0, 1.2 * self.seconds))
            process.send_signal(signal.SIGKILL)

    def state(self, home, over):
        """Whether the folder holds no run, the old one, a checkpoint, or the new run; or what is
        wrong."""
        run = home / "run"
        if not run.exists() and not over:
            return "none", None
        read = self.t.call("curves", "run", cwd=home)
        if read.status != 0:
            return None, f"the run cannot be read: {read.err.decode('utf-8', 'replace')}"
        which, _ = self.saving.which(run, ("old", "new") if over else ("new",))
        missing = self.saving.expected["new"].keys() - bytes_in(run).keys()
        return which or "checkpoint", f"{', '.join(missing)} are missing" if missing else None

    def tried(self, number):
        choose = random.Random(number)
        over, checkpoints, aimed = number % 4 != 0, number % 3 != 0, number % 2 == 0
        home = self.t.folder(f"kill-{number}")
        if over:
            self.saving.put_old(home)
        words = [*self.saving.words, *(["--checkpoint-every", "20"] if checkpoints else [])]
        self.killed(home, words, aimed, choose)
        state, complaint = self.state(home, over)
        complaint = complaint or (over and self.saving.lost(home / "run"))
        if not complaint and state == "checkpoint" and not checkpoints:
            complaint = "neither the old run nor the new one"
        if not complaint:
            again = (
                ["train", "--resume", "run", "--threads", "1"]
                if state == "checkpoint"
                else self.saving.words
            )
            complaint = self.judge_end(self.t.call(*again, cwd=home), home, over)
        shutil.rmtree(home, ignore_errors=True)
        return f"{state}: {complaint}" if complaint else None

    def judge_end(self, end, home, over):
        if end.status != 0:
            return f"it does not go on: {end.err.decode('utf-8', 'replace')}"
        found, expected = bytes_in(home / "run"), self.saving.expected["new"]
        differ = [
            name for name in expected if name not in TIMED and found.get(name) != expected[name]
        ]
        if differ:
            return f"other bytes in {', '.join(differ)}"
        return self.saving.left(home) or (self.saving.lost(home / "run") if over else None)


def run(t):
    kills = Kills(t)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [
            (f"kill {n}", pool.submit(kills.tried, t.random.randrange(1 << 30) * 12 + n))
            for n in range(t.count(4, 240))
        ]
        for name, result in results:
            t.note(name, result.result())
