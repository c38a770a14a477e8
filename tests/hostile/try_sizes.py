"""Sizes up to those that no machine has: each trains within the memory allowed, or is refused before it takes any."""
import re
import resource

TITLE = "sizes from 1 to 10^30, in 2 GB"
SIZE = re.compile(r"^ +(--[a-z-]+) (?:UINT|INT)\b", re.M)
LIMIT = 2 << 30


def size_flags(t):
    """The flags of train that take whole numbers, as its help lists them."""
    return sorted(set(SIZE.findall(t.call("train", "--help").out.decode())) - {"--seed", "--threads", "--checkpoint-every"})


def run(t):
    flags = size_flags(t)
    sizes = [2**31 - 1, 2**63, 10**30]
    if not t.quick:
        sizes += [2**62, 2**63 - 1, 2**64 - 1, *(10**e for e in range(19))]

    def tried(*words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        end = t.call("train", "--steps", "1", "--history", "0", "--out", t.folder("out"), *words, seconds=10, memory=LIMIT)
        # A setting of the loop, such as --steps, makes a run long and not large.
        if end.timed_out and b"of memory" not in end.err:
            return t.note(" ".join(words), None)
        complaint = end.complaint()
        if not complaint and b"there is not enough memory" in end.err:
            complaint = "was not refused before it took memory"
        if not complaint and end.status != 0 and resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > max(before, 400_000):
            complaint = "took memory before it was refused: " + end.err.decode()
        return t.note(" ".join(words), complaint)

    if not t.quick:  # a number for each pair of tokens
        wide = t.small_run("wide", "--vocab", "6000")
        for circuit in ("--ov", "--qk"):
            end = t.call("circuits", wide, "--head", "0.0", circuit)
            t.note(f"circuits {circuit} of 6000 tokens", end.complaint() or (None if end.status == 2 else "was drawn"))
    for flag in flags:
        for size in sizes:
            if flag not in ("--steps", "--warmup"):
                tried(flag, str(size))
    for _ in range(t.count(2, 100)):  # several large ones at once
        chosen = t.random.sample([f for f in flags if f not in ("--steps", "--warmup", "--hops")], 3)
        tried(*[word for flag in chosen for word in (flag, str(int(10 ** t.random.uniform(0, 7))))])
