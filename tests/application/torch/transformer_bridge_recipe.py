"""Runs the second recipe of docs/export.md on exported models: transformer_bridge_recipe.py FOLDER
EXPORT_MD. A stand-in for TransformerBridge keeps the state that the recipe loads. Every weight must
arrive under its name in a native model, or the recipe must stop."""
import pathlib
import re
import sys
import tempfile
import types

import numpy
import torch

KINDS = {"rotary": "rotary", "learned": "standard"}


class Bridge:
    def load_state_dict(self, state, strict):
        assert not strict
        self.state = state


def recipe(c, d, npz):
    text = pathlib.Path(sys.argv[2]).read_text()
    lines = next(b for b in re.findall(r"```python\n(.*?)```", text, re.S) if "boot_native" in b)
    config = {"n_layers": c["n_layers"], "positional_embedding_type": KINDS[c["positions"]]}
    lines = re.sub(r"BridgeConfig\(\n.*?\)\n", f"BridgeConfig(**{config!r})\n", lines, flags=re.S)
    lines = lines.replace("heads, d = 4, 16", f"heads, d = 1, {d}")
    return lines.replace("demo.npz", npz)


def expected(name, w, c, d):
    """Name and numbers in a native model, number by number."""
    if c["positions"] == "rotary" and re.search("_[QK]$", name):
        old, w = w, w.clone()
        for at in range(w.shape[-1]):
            head, i = divmod(at, d)
            w[..., at] = old[..., head * d + i // 2 + (i % 2) * (d // 2)]
    for before, after in (
        (r"^embed\.W_E$", "tok_embed.weight"),
        (r"^pos_embed\.W_pos$", "pos.weight"),
        (r"^unembed\.W_U$", "head.W"),
        (r"^blocks\.", "layers."),
        (r"^ln_final\.", "ln_out."),
        (r"\.attn\.([Wb])_([QKVO])$", lambda m: f".attn.{m[2].lower()}.{m[1]}"),
        (r"\.mlp\.([Wb])_(in|out)$", r".mlp.fc_\2.\1"),
        (r"\.b$", ".bias"),
        (r"\.w$", ".weight"),
    ):
        name = re.sub(before, after, name)
    return (name[:-1] + "weight", w.T) if name.endswith(".W") else (name, w)


sys.path.insert(0, sys.argv[1])
for module in ("transformer_lens", "transformer_lens.config", "transformer_lens.model_bridge"):
    sys.modules[module] = types.ModuleType(module)
sys.modules["transformer_lens.config"].TransformerBridgeConfig = types.SimpleNamespace
sys.modules["transformer_lens.model_bridge"].TransformerBridge = types.SimpleNamespace(
    boot_native=lambda config: Bridge()
)
made, stopped = 0, 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("model_*.py")):
    module = __import__(path.stem)
    c = module.CONFIG
    if c["architecture"] != "decoder" or c["positions"] not in KINDS or c["mlp"] == "swiglu":
        continue
    weights = module.read_safetensors(path.with_suffix(".weights"))
    d = 8  # in place of 4: with 4 numbers in a head, a wrong order can look right
    scope = {}
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        numpy.savez(file, **{name: array.numpy() for name, array in weights.items()})
        file.flush()
        try:
            exec(recipe(c, d, file.name), scope)
        except AssertionError:
            stopped += 1
            lacking = [n for n in weights if re.search(r"\.(sinks|smear|W_QKV)$|_norm\.", n)]
            assert lacking, f"{path}: expected a model"
            continue
    weights.setdefault("unembed.W_U", weights["embed.W_E"].T)
    want = dict(expected(name, w, c, d) for name, w in weights.items())
    got = scope["bridge"].state
    assert want.keys() == got.keys(), f"{path}: {sorted(want.keys() ^ got.keys())}"
    wrong = [name for name in want if not torch.equal(want[name], got[name])]
    assert not wrong, f"{path}: these weights are not those of the file: {wrong}"
    made += 1
print(f"the recipe filled {made} native models, and stopped for {stopped} that have other parts")
sys.exit(0 if made > 0 and stopped > 0 else 1)
