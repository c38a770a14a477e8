"""A stranger's run: sizes in its config that its weights do not have, and weights that overflow. Reading commands refuse
them at once, and in little memory."""
import json
import shutil
import struct

TITLE = "a stranger's config with sizes up to 10^18, in 600 MB, and weights up to 10^38"
LIMIT = 600 << 20
COMMANDS = (["heads"], ["plot"], ["runs"], ["circuits"], ["ablate"], ["certify"])


def copied(t, run):
    folder = t.folder("stranger") / "run"
    shutil.copytree(run, folder)
    return folder


def scaled(path, factor):
    """The same file of weights, each number times this factor."""
    data = path.read_bytes()
    end = 8 + struct.unpack("<Q", data[:8])[0]
    count = (len(data) - end) // 4
    numbers = struct.unpack(f"<{count}f", data[end:])
    path.write_bytes(data[:end] + struct.pack(f"<{count}f", *(max(-3e38, min(3e38, x * factor)) for x in numbers)))


def complaint(t, words, folder):
    end = t.call(*words, folder, "--trust", seconds=20, memory=LIMIT)
    if end.complaint():
        return end.complaint()
    if b"there is not enough memory" in end.err + end.out:
        return "took memory before it was refused"
    shown = (end.out + end.err).decode()
    return f"shows {shown[:200]!r}" if "nan" in shown.lower().split() or "inf" in shown.lower().split() else None


def all_steps(t, whole):
    """Resuming a run that says it has all the steps that 64 bits count."""
    folder, most = copied(t, whole), 2**63 - 1
    for name, part, keys in ("config.json", "train", ["steps"]), ("state.json", None, ["steps", "optimizer_steps"]), \
                            ("summary.json", None, ["steps"]):
        content = json.loads((folder / name).read_text())
        (content[part] if part else content).update(dict.fromkeys(keys, most))
        (folder / name).write_text(json.dumps(content))
    end = t.call("train", "--resume", folder, "--trust")
    told = f"has been trained for all its {most} steps.\n".encode()
    return end.complaint() or (None if end.err.endswith(told) else f"says {end.err.decode()}")


def run(t):
    whole = t.small_run("whole", "--history", "0")
    config = json.loads((whole / "config.json").read_text())
    sizes = [(part, key) for part in ("task", "model") for key, value in config[part].items()
             if isinstance(value, int) and not isinstance(value, bool)]
    kinds = ["rotary"] if t.quick else ["rotary", "learned", "relative", "t5", "alibi", "sinusoidal"]
    cases = [(kind, part, key, 10**e) for kind in kinds for part, key in sizes for e in (4, 6, 9, 18)]
    for kind, part, key, size in t.random.sample(cases, 12) if t.quick else cases:
        folder = copied(t, whole)
        changed = {**config, "model": {**config["model"], "positions": kind}}
        changed[part] = {**changed[part], key: size}
        (folder / "config.json").write_text(json.dumps(changed))
        # What a command computes grows with the square of the context.
        commands = [["runs"]] if key == "n_ctx" else t.random.sample(COMMANDS, 1 if t.quick else 2)
        for words in commands:
            t.note(f"{words[0]} with {kind}, {key} = {size}", complaint(t, words, folder))
    t.note("a run with all the steps that can be counted", all_steps(t, whole))
    for power in (5, 10, 20, 38):
        folder = copied(t, whole)
        scaled(folder / "model.safetensors", 10.0**power)
        for words in COMMANDS:
            t.note(f"{words[0]} with weights times 10^{power}", complaint(t, words, folder))
