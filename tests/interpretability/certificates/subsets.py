"""All subsets of the heads of ten runs, by brute force in PyTorch beside `./headlight ablate --subsets`.

    subsets.py BUILD FOLDER [COUNT]    the first COUNT runs; FOLDER keeps them
"""
import itertools
import json
import math
import pathlib
import subprocess
import sys

import torch

import truth

RUNS = {
    "demo": "",
    "seed 1": "--seed 1",
    "dropout": "--dropout 0.2 --steps 600",
    "mlp": "--d-mlp 128",
    "post-norm": "--norm-place post",
    "three layers": "--layers 3 --heads 3 --d-model 48 --d-head 16",
    "alibi": "--positions alibi",
    "grouped, tied": "--kv-heads 2 --tied",
    "recall": "--config data/configs/recall.json",
    "stopped early": "--steps 60",
}
ROOT = pathlib.Path(__file__).resolve().parents[3]


def brute_force(file, run):
    """Accuracy of each subset that is kept, by its bits."""
    x = truth.Examined(file, run)
    batch = x.read(file + ".subsets")
    x.model.run(batch["means"].long())
    means = [z.mean(0) for z in x.model.zs]  # (H, n, d_head) of each layer
    x.tokens, x.targets = batch["tokens"].long(), batch["targets"].long()
    x.asked = batch["predictable"].bool()
    heads = [(layer, head) for layer, zs in enumerate(means) for head in range(len(zs))]
    values = []
    for bits in range(2 ** len(heads)):
        z = {}
        for i, (layer, head) in enumerate(heads):
            if not bits >> i & 1:
                z.setdefault(layer, []).append((head, means[layer][head]))
        values.append(x.accuracy(truth.Changes(z=z)))
    return [f"L{layer}H{head}" for layer, head in heads], values


def shapley(names, v):
    n, worth = len(names), []
    for i in range(n):
        others, total = [j for j in range(n) if j != i], 0
        for size in range(n):
            for chosen in itertools.combinations(others, size):
                bits = sum(1 << j for j in chosen)
                total += (v[bits | 1 << i] - v[bits]) / math.comb(n - 1, size) / n
        worth.append(total)
    return worth


def minimal(names, v, share=0.9):
    """Each set with its accuracy."""
    enough = v[0] + share * (v[-1] - v[0])
    sets = [bits for bits in range(len(v)) if v[bits] >= enough]
    return {
        ", ".join(names[i] for i in range(len(names)) if bits >> i & 1): v[bits]
        for bits in sets
        if not any(part & bits == part != bits for part in sets)
    }


def main():
    build, folder = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else len(RUNS)
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    worst = 0
    for name, flags in list(RUNS.items())[:count]:
        run = folder / name.replace(" ", "_").replace(",", "")
        if not (run / "model.safetensors").exists():
            words = [str(ROOT / w) if w.startswith("data/") else w for w in flags.split()]
            subprocess.run(
                [build / "headlight", "train", "--out", run, *words],
                cwd=folder,
                check=True,
                capture_output=True,
            )
        words = [build / "headlight", "ablate", run, "--subsets", "--json"]
        said = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
        file = str(folder / "exported")
        subprocess.run([build / "tests" / "headlight_own_batch", run, file], check=True)
        names, v = brute_force(file, run)
        ours = [row["shapley_accuracy"] for row in said["heads"]]
        apart = max(abs(a - b) for a, b in zip(ours, shapley(names, v)))
        # A model that has learned little has no sets.
        learned = "sufficient" in said
        sets = {row["heads"]: row["accuracy"] for row in said.get("sufficient", [])}
        same = not learned or sets.keys() == minimal(names, v).keys()
        worst = max(worst, apart, 0 if same else 1)
        print(
            f"{name}: {len(v)} subsets; Shapley values differ by at most {apart:.1e}; "
            f"{len(sets)} minimal sets, {'the same' if same else 'others: ' + str(minimal(names, v))}",
            flush=True,
        )
    sys.exit(worst > 1e-3)


if __name__ == "__main__":
    main()
