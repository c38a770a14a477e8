"""Whole models with each part that attention and blocks may have, from simple operations of
PyTorch."""
import math

import torch
import torch.nn.functional as F

from common import Draw, case
from transformer_cases import gelu_tanh, rotated

SIZES = {
    "n_layers": 1,
    "d_model": 8,
    "n_heads": 2,
    "d_mlp": 6,
    "d_vocab": 7,
    "n_ctx": 6,
    "bias": True,
}
USUAL = SIZES | {
    "positions": "rotary",
    "max_distance": 32,
    "norm": "layer",
    "norm_place": "pre",
    "mlp": "gelu",
    "n_kv_heads": 0,
    "qk_norm": "none",
    "window": 0,
    "sinks": False,
    "score_cap": 0.0,
    "smeared_keys": False,
    "fused_qkv": False,
    "tied_embeddings": False,
}


def normalized(x, kind, p, name):
    """The norm with the parameters name.w and, for a layer norm that shifts, name.b."""
    if kind == "none":
        return x
    centred = x - x.mean(-1, keepdim=True) if kind == "layer" else x
    return centred / (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt() * p[
        name + ".w"
    ] + p.get(name + ".b", 0)


def sinusoids(n, d):
    pair = torch.arange(d) // 2
    angle = torch.arange(n)[:, None] / 10000.0 ** (2 * pair / d)
    return math.sqrt(2 / d) * torch.where(torch.arange(d) % 2 == 0, angle.sin(), angle.cos())


def distances(n):
    return torch.arange(n)[:, None] - torch.arange(n)  # query - key; negative ones are hidden


def t5_bucket(distance, buckets, max_distance):
    exact = buckets // 2
    far = (
        torch.log(distance.clamp(min=1) / exact)
        / math.log(max_distance / exact)
        * (buckets - exact)
    )
    return torch.where(distance < exact, distance, (exact + far.long()).clamp(max=buckets - 1))


def position_bias(c, p, n):
    """What is added to the scores (H,n,n)."""
    distance = distances(n).clamp(min=0)
    if c["positions"] == "alibi":
        slopes = 2.0 ** (-8 * torch.arange(1, c["n_heads"] + 1) / c["n_heads"])
        return -slopes[:, None, None] * distance
    if c["positions"] == "relative":
        return p["rel_bias"][:, distance.clamp(max=c["max_distance"])]
    if c["positions"] == "t5":
        return p["rel_bias"][:, t5_bucket(distance, min(32, c["max_distance"]), c["max_distance"])]
    return 0


def attention(c, p, x):
    n, H = x.shape[1], c["n_heads"]
    G, d = c["n_kv_heads"] or H, c["d_model"] // H
    if c["fused_qkv"]:
        W, b = p["W_QKV"].split([H * d, G * d, G * d], -1), p["b_QKV"].split(
            [H * d, G * d, G * d], -1
        )
    else:
        W, b = (p["W_Q"], p["W_K"], p["W_V"]), (p["b_Q"], p["b_K"], p["b_V"])
    q, k, v = ((x @ w + shift).unflatten(-1, (-1, d)) for w, shift in zip(W, b))  # (B,n,heads,d)
    if c["smeared_keys"]:
        share = p["smear"].sigmoid()[:, None]
        k = torch.cat([k[:, :1], share * k[:, 1:] + (1 - share) * k[:, :-1]], 1)
    q, k = normalized(q, c["qk_norm"], p, "q_norm"), normalized(k, c["qk_norm"], p, "k_norm")
    if c["positions"] == "rotary":
        q, k = rotated(q), rotated(k)
    k, v = k.repeat_interleave(H // G, 2), v.repeat_interleave(H // G, 2)
    scores = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(d)
    if c["score_cap"]:
        scores = c["score_cap"] * torch.tanh(scores / c["score_cap"])
    scores = scores + position_bias(c, p, n)
    hidden = (distances(n) < 0) | (distances(n) >= (c["window"] or n))
    weights = scores.masked_fill(hidden, -math.inf).exp()
    total = weights.sum(-1, keepdim=True)
    if c["sinks"]:
        total = total + p["sinks"].exp()[:, None, None]
    return torch.einsum("bhij,bjhd->bihd", weights / total, v).flatten(2) @ p["W_O"] + p["b_O"]


def mlp(c, p, x):
    if c["mlp"] == "swiglu":
        hidden = F.silu(x @ p["W_gate"]) * (x @ p["W_in"]) + p["b_in"]
    else:
        hidden = (gelu_tanh if c["mlp"] == "gelu" else F.relu)(x @ p["W_in"] + p["b_in"])
    return hidden @ p["W_out"] + p["b_out"]


def below(p, prefix):
    return {name[len(prefix) :]: x for name, x in p.items() if name.startswith(prefix)}


def logits_of(c, p, tokens):
    x = F.embedding(tokens, p["embed.W_E"])
    if c["positions"] == "sinusoidal":
        x = x + sinusoids(tokens.shape[1], c["d_model"])
    for i in range(c["n_layers"]):
        block = below(p, f"blocks.{i}.")
        for norm, part, of in (("ln1", attention, "attn."), ("ln2", mlp, "mlp.")):
            if c["norm_place"] == "pre":
                x = x + part(c, below(block, of), normalized(x, c["norm"], block, norm))
            else:
                x = normalized(x + part(c, below(block, of), x), c["norm"], block, norm)
    if c["norm_place"] == "pre":
        x = normalized(x, c["norm"], p, "ln_final")
    return x @ (p["embed.W_E"].T if c["tied_embeddings"] else p["unembed.W_U"])


def norm_parameters(draw, kind, d):
    if kind == "none":
        return {}
    scale = {"w": draw.leaf(d, spread=0.25, around=1)}
    return scale | {"b": draw.leaf(d, spread=0.25)} if kind == "layer" else scale


def block_parameters(c, draw):
    """In the order in which Headlight names them."""
    d, H = c["d_model"], c["n_heads"]
    width = d // H * (c["n_kv_heads"] or H)
    sizes = {"QKV": d + 2 * width} if c["fused_qkv"] else {"Q": d, "K": width, "V": width}
    attn = {f"W_{name}": draw.leaf(d, size, spread=0.4) for name, size in sizes.items()}
    attn["W_O"] = draw.leaf(d, d, spread=0.4)
    attn |= {f"b_{name}": draw.leaf(size) for name, size in (sizes | {"O": d}).items()}
    columns = {"relative": c["max_distance"] + 1, "t5": min(32, c["max_distance"])}.get(
        c["positions"]
    )
    if columns:
        attn["rel_bias"] = draw.leaf(H, columns)
    if c["sinks"]:
        attn["sinks"] = draw.leaf(H)
    if c["smeared_keys"]:
        attn["smear"] = draw.leaf(width * H // d)
    if c["qk_norm"] != "none":
        attn |= {f"{x}_norm.w": draw.leaf(d // H, spread=0.25, around=1) for x in "qk"}
    gate = {"W_gate": draw.leaf(d, c["d_mlp"], spread=0.4)} if c["mlp"] == "swiglu" else {}
    hidden = gate | {
        "W_in": draw.leaf(d, c["d_mlp"], spread=0.4),
        "b_in": draw.leaf(c["d_mlp"], spread=0.25),
        "W_out": draw.leaf(c["d_mlp"], d, spread=0.4),
        "b_out": draw.leaf(d, spread=0.25),
    }
    modules = {
        "ln1": norm_parameters(draw, c["norm"], d),
        "attn": attn,
        "ln2": norm_parameters(draw, c["norm"], d),
        "mlp": hidden,
    }
    return {
        f"{module}.{name}": x for module, members in modules.items() for name, x in members.items()
    }


def parts():
    B, n = 2, 5

    def made(name, **changes):
        draw, c = Draw("parts/" + name), USUAL | changes
        p = {"embed.W_E": draw.leaf(c["d_vocab"], c["d_model"])}
        for i in range(c["n_layers"]):
            p |= {f"blocks.{i}.{name}": x for name, x in block_parameters(c, draw).items()}
        if c["norm_place"] == "pre":
            p |= {
                f"ln_final.{name}": x
                for name, x in norm_parameters(draw, c["norm"], c["d_model"]).items()
            }
        if not c["tied_embeddings"]:
            p["unembed.W_U"] = draw.leaf(c["d_model"], c["d_vocab"], spread=0.5)
        tokens, targets = draw.tokens(B, n, vocab=c["d_vocab"]), draw.tokens(
            B, n, vocab=c["d_vocab"]
        )
        logits = logits_of(c, p, tokens)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        vanishing = (
            []
            if c["positions"] == "rotary"
            else [f"blocks.{i}.attn.b_K" for i in range(c["n_layers"])]
        )
        inputs, outputs = {"tokens": tokens, "targets": targets}, {"loss": loss, "logits": logits}
        return case(SIZES | changes, inputs, outputs, loss, p, vanishing)

    cases = {
        "rms": {"norm": "rms"},
        "no_norm": {"norm": "none"},
        "post": {"norm_place": "post"},
        "post_rms": {"norm_place": "post", "norm": "rms"},
        "qk_norm_rms": {"qk_norm": "rms"},
        "qk_norm_layer": {"qk_norm": "layer"},
        "sinusoidal": {"positions": "sinusoidal"},
        "alibi": {"positions": "alibi"},
        "relative": {"positions": "relative", "max_distance": 3},
        "t5": {"positions": "t5", "max_distance": 4},
        "grouped": {"n_heads": 4, "n_kv_heads": 2},
        "window": {"window": 3},
        "sinks": {"sinks": True},
        "score_cap": {"score_cap": 1.5},
        "smeared_keys": {"smeared_keys": True},
        "fused_qkv": {"fused_qkv": True},
        "relu": {"mlp": "relu"},
        "swiglu": {"mlp": "swiglu"},
        "tied": {"tied_embeddings": True},
        "all": {
            "n_layers": 2,
            "norm": "rms",
            "qk_norm": "rms",
            "norm_place": "post",
            "n_heads": 4,
            "n_kv_heads": 2,
            "window": 4,
            "sinks": True,
            "score_cap": 2.0,
            "smeared_keys": True,
            "fused_qkv": True,
            "mlp": "swiglu",
            "tied_embeddings": True,
        },
    }
    return {name: made(name, **changes) for name, changes in cases.items()}
