"""The parts that attention may have, each alone and all at once, and smeared keys: composed of
PyTorch's simple ops."""
import torch

from common import Draw, case

BITS = (1 << 64) - 1


def mixed(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & BITS
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & BITS
    return x ^ (x >> 31)


def dropout_factor(p, seed, b, h, position, j):
    """Headlight's own: 0 or 1/(1-p) by a hash of the place."""
    key = mixed((seed + 0x9E3779B97F4A7C15) & BITS)
    for part in (b, h, position):
        key = mixed((key + 0x9E3779B97F4A7C15 * (part + 1)) & BITS)
    low, high = key & 0xFFFFFFFF, key >> 32
    x = (j * 0x9E3779B9 + low) & 0xFFFFFFFF
    x = ((x ^ (x >> 16)) * 0x7FEB352D + high) & 0xFFFFFFFF
    x = ((x ^ (x >> 15)) * 0x846CA68B) & 0xFFFFFFFF
    return 0.0 if (x ^ (x >> 16)) < int(p * 2**32) else 1 / (1 - p)


def attend(inputs, n_heads, n_kv_heads, causal, window, cap, dropout, seed, first_query):
    def split(x, heads):  # (B,n,H·d) to (B,H,n,d)
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)

    q = split(inputs["q"], n_heads)
    k, v = (split(inputs[x], n_kv_heads).repeat_interleave(n_heads // n_kv_heads, 1) for x in "kv")
    B, H, n, d = q.shape
    m = k.shape[2]
    scores = q @ k.transpose(-1, -2) / d**0.5
    if cap:
        scores = cap * torch.tanh(scores / cap)
    scores = scores + inputs.get("bias", 0)
    away = first_query + torch.arange(n)[:, None] - torch.arange(m)
    if "relative" in inputs:
        scores = scores + inputs["relative"][:, away.clamp(0, inputs["relative"].shape[1] - 1)]
    hidden = (away < 0) & causal
    if window:
        hidden = hidden | (away.abs() >= window)
    scores = scores.masked_fill(hidden, -torch.inf)
    if "sinks" in inputs:
        sinks = inputs["sinks"][:, None, None].expand(B, H, n, 1)
        pattern = torch.cat([scores, sinks], -1).softmax(-1)[..., :-1]
    else:
        pattern = scores.softmax(-1)
    factors = torch.ones(B, H, n, m)
    if dropout:
        for place in torch.cartesian_prod(*(torch.arange(x) for x in factors.shape)).tolist():
            b, h, i, j = place
            factors[b, h, i, j] = dropout_factor(dropout, seed, b, h, i + first_query, j)
    return ((pattern * factors) @ v).transpose(1, 2).flatten(2)


def attention_parts():
    B, n, H, d_k, d_v = 2, 4, 4, 2, 3

    def made(
        name,
        n_kv_heads=H,
        m=n,
        causal=True,
        window=0,
        bias=False,
        relative=0,
        sinks=False,
        cap=0.0,
        dropout=0.0,
        seed=0,
        first_query=0,
    ):
        draw = Draw("attention_parts/" + name)
        inputs = {
            "q": draw.leaf(B, n, H * d_k),
            "k": draw.leaf(B, m, n_kv_heads * d_k),
            "v": draw.leaf(B, m, n_kv_heads * d_v),
        }
        if bias:
            inputs["bias"] = draw.leaf(H, n, m)
        if relative:
            inputs["relative"] = draw.leaf(H, relative)
        if sinks:
            inputs["sinks"] = draw.leaf(H)
        settings = {
            "n_heads": H,
            "n_kv_heads": n_kv_heads,
            "causal": causal,
            "window": window,
            "cap": cap,
            "dropout": dropout,
            "seed": seed,
            "first_query": first_query,
        }
        out = attend(inputs, **settings)
        inputs["cotangent"] = draw.numbers(*out.shape)
        return case(settings, inputs, {"output": out}, (out * inputs["cotangent"]).sum())

    cases = {
        "grouped_heads": {"n_kv_heads": 2},
        "one_head_of_keys": {"n_kv_heads": 1, "causal": False, "m": 5},
        "sinks": {"sinks": True},
        "cap": {"cap": 0.75},
        "dropout": {"dropout": 0.375, "seed": 7},
        "first_query": {"first_query": 3, "m": 7, "window": 3, "relative": 2},
        "everything": {
            "n_kv_heads": 2,
            "m": 6,
            "window": 5,
            "bias": True,
            "relative": 3,
            "sinks": True,
            "cap": 1.5,
            "dropout": 0.25,
            "seed": 123456789012,
            "first_query": 2,
        },
    }
    return {name: made(name, **how) for name, how in cases.items()}


def smear():
    def made(name, n):
        draw = Draw("smear/" + name)
        inputs = {
            "k": draw.leaf(2, n, 6),
            "alpha": draw.leaf(3),
            "cotangent": draw.numbers(2, n, 6),
        }
        k, share = inputs["k"].unflatten(-1, (3, 2)), torch.sigmoid(inputs["alpha"])[:, None]
        y = torch.cat([k[:, :1], share * k[:, 1:] + (1 - share) * k[:, :-1]], 1).flatten(2)
        return case({}, inputs, {"y": y}, (y * inputs["cotangent"]).sum())

    return {"five_positions": made("five_positions", 5), "two_positions": made("two_positions", 2)}
