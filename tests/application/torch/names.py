"""docs/pytorch.md: every op is in its first table, or has the same name in PyTorch: names.py
ROOT."""
import pathlib
import re
import sys

import torch

root = pathlib.Path(sys.argv[1])
version = tuple(int(x) for x in re.findall(r"\d+", torch.__version__)[:2])


def is_there(name):
    at = torch
    for part in name.split(".")[1:]:
        at = getattr(at, part, None)
    return at is not None


def ops():
    """The functions of the ops' headers that return a tensor, a mask or indices."""
    text = (root / "include/headlight/autograd/linear_ops.h").read_text()
    for header in sorted((root / "include/headlight/ops").glob("*.h")):
        text += header.read_text().split("namespace reference")[0]
    return set(re.findall(r"^(?:Tensor|BoolArray|IntArray) (\w+)\(", text, re.M))


def rows(title):
    section = (root / "docs/pytorch.md").read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| `"):
            ours, theirs = line.split("|")[1:3]
            yield re.findall(r"`([\w:]+)", ours), theirs


def check_theirs(cell):
    since = re.search(r"\((\d+)\.(\d+)\)", cell)
    names = re.findall(r"`(torch[\w.]+)`", cell)
    assert names or cell.strip() == "none", f"no name of PyTorch's in '{cell}'"
    for name in names:
        newer = since and version < (int(since[1]), int(since[2]))
        assert newer or is_there(name), f"PyTorch {torch.__version__} has no {name}"


listed = set()
for ours, theirs in rows("Ops"):
    listed.update(ours)
    check_theirs(theirs)
assert listed <= ops(), f"docs/pytorch.md lists ops that do not exist: {sorted(listed - ops())}"
for op in ops() - listed:
    assert is_there(f"torch.{op}") or is_there(
        f"torch.nn.functional.{op}"
    ), f"docs/pytorch.md lacks the op {op}"

headers = "\n".join(p.read_text() for p in (root / "include").rglob("*.h"))
for ours, theirs in rows("Engine, layers, training"):
    for name in ours:
        assert re.search(rf"\b{name.split('::')[-1]}\b", headers), f"there is no {name}"
    check_theirs(theirs)
print(f"{len(ops())} ops, {len(listed)} of them with another name or meaning in PyTorch")
