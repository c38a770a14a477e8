"""Runs the recipe of docs/export.md on exported models: transformer_lens_recipe.py FOLDER
EXPORT_MD. TransformerLens's place takes a stand-in with the parameters of a HookedTransformer.
Every weight must arrive, or the recipe must stop."""
import json
import pathlib
import re
import sys
import tempfile
import types

import numpy
import torch


def shapes_of(c):
    """The parameters of a HookedTransformer."""
    heads, width, model = c.n_heads, c.d_head, c.d_model
    shapes = {
        "embed.W_E": (c.d_vocab, model),
        "unembed.W_U": (model, c.d_vocab),
        "unembed.b_U": (c.d_vocab,),
    }
    norms = ["ln_final"]
    if c.positional_embedding_type != "rotary":
        shapes["pos_embed.W_pos"] = (c.n_ctx, model)
    for layer in range(c.n_layers):
        at = f"blocks.{layer}."
        norms += [at + "ln1"] if c.attn_only else [at + "ln1", at + "ln2"]
        for name in "QKV":
            shapes[f"{at}attn.W_{name}"], shapes[f"{at}attn.b_{name}"] = (heads, model, width), (
                heads,
                width,
            )
        shapes[at + "attn.W_O"], shapes[at + "attn.b_O"] = (heads, width, model), (model,)
        if not c.attn_only:
            shapes[at + "mlp.W_in"], shapes[at + "mlp.b_in"] = (model, c.d_mlp), (c.d_mlp,)
            shapes[at + "mlp.W_out"], shapes[at + "mlp.b_out"] = (c.d_mlp, model), (model,)
    for norm in norms if c.normalization_type is not None else []:
        shapes[norm + ".w"] = (model,)
        if c.normalization_type == "LN":
            shapes[norm + ".b"] = (model,)
    return shapes


class HookedTransformer(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        for name, shape in shapes_of(config).items():
            at = self
            *path, last = name.split(".")
            for part in path:
                if not hasattr(at, part):
                    at.add_module(part, torch.nn.Module())
                at = getattr(at, part)
            at.register_parameter(last, torch.nn.Parameter(torch.full(shape, float("nan"))))
        self.register_buffer("mask", torch.ones(2))


def config_of(c):
    """The settings that the text below the recipe names, or None for a model that it does not speak
    of."""
    kinds = {"rotary": "rotary", "learned": "standard", "learned-qk": "shortformer"}
    norms = {"layer": "LN", "rms": "RMS", "none": None}
    if c["architecture"] != "decoder" or c["positions"] not in kinds or c["mlp"] == "swiglu":
        return None
    return {
        "n_layers": c["n_layers"],
        "n_heads": c["n_heads"],
        "d_model": c["d_model"],
        "n_ctx": c["n_ctx"],
        "d_head": c["d_head"] or c["d_model"] // c["n_heads"],
        "d_vocab": c["d_vocab"],
        "d_mlp": c["d_mlp"],
        "attn_only": c["d_mlp"] == 0,
        "normalization_type": norms[c["norm"]],
        "positional_embedding_type": kinds[c["positions"]],
    }


def recipe(config, npz):
    """The recipe for this model."""
    text = pathlib.Path(sys.argv[2]).read_text()
    lines = next(
        b for b in re.findall(r"```python\n(.*?)```", text, re.S) if "transformer_lens" in b
    )
    lines = re.sub(
        r"HookedTransformerConfig\(\n.*?\)\n",
        f"HookedTransformerConfig(**{config!r})\n",
        lines,
        flags=re.S,
    )
    lines = lines.replace("heads, d = 4, 16", f"heads, d = {config['n_heads']}, {config['d_head']}")
    return lines.replace("demo.npz", npz)


def unlike(model, weights, config):
    """The names of weights that are not the file's."""
    heads, width = config["n_heads"], config["d_head"]
    names = []
    for name, got in model.state_dict().items():
        want = weights.get(name, torch.zeros_like(got))
        if name == "unembed.W_U" and name not in weights:
            want = weights["embed.W_E"].T
        if got.dim() == 3 and not name.endswith("W_O"):
            want = torch.stack([want[:, h * width : (h + 1) * width] for h in range(heads)])
        if name != "mask" and not torch.equal(got, want.reshape(got.shape)):
            names.append(name)
    return names


sys.path.insert(0, sys.argv[1])
lens = types.ModuleType("transformer_lens")
lens.HookedTransformer, lens.HookedTransformerConfig = HookedTransformer, types.SimpleNamespace
sys.modules["transformer_lens"] = lens
made, stopped = 0, 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("model_*.py")):
    module = __import__(path.stem)
    config = config_of(module.CONFIG)
    if config is None:
        continue
    weights = module.read_safetensors(path.with_suffix(".weights"))
    lacking = [
        n for n in weights if n.split(".")[-1] in ("sinks", "smear", "W_QKV") or "_norm." in n
    ]
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        numpy.savez(file, **{name: array.numpy() for name, array in weights.items()})
        file.flush()
        scope = {}
        try:
            exec(recipe(config, file.name), scope)
            refused = ""
        except (AssertionError, RuntimeError) as error:
            refused = str(error)
    if module.CONFIG["norm_place"] == "post":
        lacking.append("ln_final.w")
    shared = module.CONFIG["n_kv_heads"] not in (0, config["n_heads"])
    if bool(lacking or shared) != bool(refused):
        sys.exit(
            f"{path}: expected {'an error' if lacking or shared else 'a model'}, got '{refused}'\n{module.CONFIG}"
        )
    if refused:
        stopped += 1
        continue
    wrong = unlike(scope["model"], weights, config)
    if wrong:
        sys.exit(
            f"{path}: these weights are not those of the file: {wrong}\n{json.dumps(module.CONFIG)}"
        )
    made += 1
print(
    f"the recipe made {made} models, and stopped for {stopped} that a HookedTransformer cannot hold"
)
sys.exit(0 if made > 0 and stopped > 0 else 1)
