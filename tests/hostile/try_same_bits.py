"""The same config gives the same bytes, whatever the threads, the processor they run on, or the call."""
import os

TITLE = "same bits: threads, repeats, pinning, from its own config"
SAME = ["model.safetensors", "optimizer.safetensors", "metrics.jsonl", "history.safetensors", "state.json"]


def files(folder):
    # state.json holds seconds
    return {name: (folder / name).read_bytes() for name in SAME if name != "state.json" and (folder / name).exists()}


def run(t):
    first = t.small_run("first")
    expected = files(first)

    def tried(case, *flags, before=None):
        folder = t.work / case
        end = t.call("train", "--config", first / "config.json", "--out", folder, *flags, before=before)
        complaint = end.complaint() or (end.status != 0 and end.err.decode()) or None
        if not complaint:
            got = files(folder)
            complaint = next((f"{name} differs" for name in expected if got.get(name) != expected[name]), None)
        t.note(case, complaint)

    for threads in range(1, t.count(3, 9)):
        tried(f"threads-{threads}", "--threads", str(threads))
    for repeat in range(t.count(1, 10)):
        tried(f"repeat-{repeat}")
    for core in sorted(os.sched_getaffinity(0))[:t.count(1, 8)]:
        tried(f"pinned-{core}", before=lambda core=core: os.sched_setaffinity(0, {core}))
