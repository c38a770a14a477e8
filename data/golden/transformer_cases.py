"""Multi-head attention, a block, whole models."""
import functools
import math

import torch
import torch.nn.functional as F
from torch.nn.utils.stateless import functional_call

from common import Draw, case

gelu_tanh = functools.partial(F.gelu, approximate="tanh")


def attention_parameters(draw, d_model, d_memory, qk_width, v_width, bias):
    p = {
        "W_Q": draw.leaf(d_model, qk_width, spread=0.4),
        "W_K": draw.leaf(d_memory, qk_width, spread=0.4),
        "W_V": draw.leaf(d_memory, v_width, spread=0.4),
        "W_O": draw.leaf(v_width, d_model, spread=0.4),
    }
    if bias:
        widths = {"b_Q": qk_width, "b_K": qk_width, "b_V": v_width, "b_O": d_model}
        p |= {name: draw.leaf(width) for name, width in widths.items()}
    return p


def torch_attention(p, n_heads, query, key, value, hidden=None, key_padding=None):
    """PyTorch's own multi-head attention; what to hide is a mask, or terms of the scores."""

    def first(x):  # PyTorch wants positions first
        return x.transpose(0, 1)

    same_width = p["W_Q"].shape == p["W_K"].shape
    out, pattern = F.multi_head_attention_forward(
        first(query),
        first(key),
        first(value),
        query.shape[-1],
        n_heads,
        torch.cat([p["W_Q"].T, p["W_K"].T, p["W_V"].T]) if same_width else None,
        torch.cat([p["b_Q"], p["b_K"], p["b_V"]]) if "b_Q" in p else None,
        None,
        None,
        False,
        0.0,
        p["W_O"].T,
        p.get("b_O"),
        key_padding_mask=key_padding,
        attn_mask=hidden,
        use_separate_proj_weight=not same_width,
        q_proj_weight=p["W_Q"].T,
        k_proj_weight=p["W_K"].T,
        v_proj_weight=p["W_V"].T,
        average_attn_weights=False,
    )
    return first(out), pattern


def rotated(x):
    """Rotary positions of x (B,n,H,d) in the halves form, base 10000."""
    n, half = x.shape[1], x.shape[-1] // 2
    angle = torch.outer(torch.arange(n, dtype=x.dtype), 10000.0 ** (-torch.arange(half) / half))[
        :, None, :
    ]
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)


def composed_attention(p, n_heads, query, key, value, hidden=None, rotate=False):
    """The same in simple steps, for what PyTorch's own cannot do: d_head and d_value of any width,
    rotations."""

    def split(x):  # (B,n,H·d) to (B,n,H,d)
        return x.unflatten(-1, (n_heads, -1))

    q, k = split(query @ p["W_Q"] + p.get("b_Q", 0)), split(key @ p["W_K"] + p.get("b_K", 0))
    v = split(value @ p["W_V"] + p.get("b_V", 0))
    if rotate:
        q, k = rotated(q), rotated(k)
    scores = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(q.shape[-1])
    if hidden is not None:
        scores = scores.masked_fill(hidden, -math.inf)
    pattern = scores.softmax(-1)
    return (
        torch.einsum("bhij,bjhd->bihd", pattern, v).flatten(2) @ p["W_O"] + p.get("b_O", 0),
        pattern,
    )


def future(n):
    return torch.ones(n, n, dtype=torch.bool).triu(1)


def attention():
    B, n, m, d, H = 2, 4, 5, 8, 2

    def made(
        name,
        d_head=4,
        d_value=4,
        d_memory=d,
        causal=False,
        cross=False,
        visible=None,
        score_bias=False,
    ):
        draw = Draw("attention/" + name)
        p = attention_parameters(draw, d, d_memory, H * d_head, H * d_value, bias=True)
        inputs = {"query": draw.leaf(B, n, d)}
        if cross:
            inputs |= {"key": draw.leaf(B, m, d_memory), "value": draw.leaf(B, m, d_memory)}
        query, key, value = (inputs.get(x, inputs["query"]) for x in ("query", "key", "value"))
        hidden, padding = future(n) if causal else None, None
        if visible:
            inputs["visible"] = torch.tensor(visible)
            padding = inputs["visible"] == 0
        if score_bias:
            inputs["bias"] = draw.leaf(H, n, key.shape[1])
            hidden = inputs["bias"].repeat(B, 1, 1)
        if d_head == d_value == d // H:
            out, pattern = torch_attention(p, H, query, key, value, hidden, padding)
        else:
            out, pattern = composed_attention(p, H, query, key, value, hidden)
        inputs["cotangent"] = draw.numbers(*out.shape)
        settings = {
            "d_model": d,
            "n_heads": H,
            "d_head": d_head,
            "d_value": d_value,
            "d_memory": d_memory,
        }
        settings["causal"] = causal
        outputs = {"output": out, "pattern": pattern}
        return case(settings, inputs, outputs, (out * inputs["cotangent"]).sum(), p, ["b_K"])

    cases = {
        "self": {},
        "causal": {"causal": True},
        "cross": {"cross": True, "d_memory": 6},
        "key_padding": {"cross": True, "visible": [[1, 1, 1, 0, 0], [0, 1, 0, 1, 1]]},
        "score_bias": {"score_bias": True},
        "wide_values": {"d_head": 3, "d_value": 5, "causal": True},
    }
    return {name: made(name, **how) for name, how in cases.items()}


def block_parameters(draw, d, d_mlp, bias=True):
    def norm():
        return {"w": draw.leaf(d, spread=0.25, around=1), "b": draw.leaf(d, spread=0.25)}

    parts = {"ln1": norm(), "attn": attention_parameters(draw, d, d, d, d, bias)}
    if d_mlp:
        parts["ln2"] = norm()
        parts["mlp"] = {
            "W_in": draw.leaf(d, d_mlp, spread=0.4),
            "b_in": draw.leaf(d_mlp, spread=0.25),
            "W_out": draw.leaf(d_mlp, d, spread=0.4),
            "b_out": draw.leaf(d, spread=0.25),
        }
    return {
        f"{module}.{name}": x for module, members in parts.items() for name, x in members.items()
    }


def part(p, prefix):
    return {name[len(prefix) :]: x for name, x in p.items() if name.startswith(prefix)}


def encoder_layer(p, n_heads, x):
    """PyTorch's own pre-norm layer, with these parameters."""
    d, d_mlp = p["mlp.W_in"].shape
    layer = torch.nn.TransformerEncoderLayer(
        d, n_heads, d_mlp, 0.0, gelu_tanh, batch_first=True, norm_first=True
    )
    weights = {
        "self_attn.in_proj_weight": torch.cat([p["attn.W_Q"].T, p["attn.W_K"].T, p["attn.W_V"].T]),
        "self_attn.in_proj_bias": torch.cat([p["attn.b_Q"], p["attn.b_K"], p["attn.b_V"]]),
        "self_attn.out_proj.weight": p["attn.W_O"].T,
        "self_attn.out_proj.bias": p["attn.b_O"],
        "linear1.weight": p["mlp.W_in"].T,
        "linear1.bias": p["mlp.b_in"],
        "linear2.weight": p["mlp.W_out"].T,
        "linear2.bias": p["mlp.b_out"],
        "norm1.weight": p["ln1.w"],
        "norm1.bias": p["ln1.b"],
        "norm2.weight": p["ln2.w"],
        "norm2.bias": p["ln2.b"],
    }
    assert weights.keys() == dict(layer.named_parameters()).keys()
    return functional_call(layer, weights, (x, future(x.shape[1])))


def attention_block(p, n_heads, x, rotary, positions=0):
    normalized = F.layer_norm(x, x.shape[-1:], p["ln1.w"], p["ln1.b"])
    placed = normalized + positions
    attend = functools.partial(composed_attention, rotate=True) if rotary else torch_attention
    out, pattern = attend(part(p, "attn."), n_heads, placed, placed, normalized, future(x.shape[1]))
    return x + out, pattern


def block():
    def made(name, d=8, H=2, d_mlp=0, bias=True):
        draw = Draw("block/" + name)
        p = block_parameters(draw, d, d_mlp, bias)
        inputs = {"x": draw.leaf(2, 5, d), "cotangent": draw.numbers(2, 5, d)}
        out = (
            encoder_layer(p, H, inputs["x"])
            if d_mlp
            else attention_block(p, H, inputs["x"], rotary=False)[0]
        )
        settings = {"d_model": d, "n_heads": H, "d_mlp": d_mlp, "bias": bias}
        vanishing = ["attn.b_K"] if bias else []
        return case(
            settings, inputs, {"output": out}, (out * inputs["cotangent"]).sum(), p, vanishing
        )

    return {
        "with_mlp": made("with_mlp", d_mlp=12),
        "attention_only": made("attention_only", bias=False),
    }


def transformer(p, tokens, n_layers, n_heads, positions, d_mlp=0):
    """Logits (B,n,d_vocab), and the pattern (B,H,n,n) of each layer without an MLP."""
    x, added, patterns = F.embedding(tokens, p["embed.W_E"]), 0, []
    if positions in ("learned", "learned-qk"):
        added = p["pos_embed.W_pos"][: tokens.shape[1]]
    if positions == "learned":
        x, added = x + added, 0
    for i in range(n_layers):
        weights = part(p, f"blocks.{i}.")
        if d_mlp:
            x = encoder_layer(weights, n_heads, x)
        else:
            x, pattern = attention_block(weights, n_heads, x, positions == "rotary", added)
            patterns.append(pattern)
    return (
        F.layer_norm(x, x.shape[-1:], p["ln_final.w"], p["ln_final.b"]) @ p["unembed.W_U"],
        patterns,
    )


def model():
    B, n, n_ctx, d, H, V, n_layers = 2, 5, 6, 8, 2, 11, 2

    def made(name, positions, d_mlp=0):
        draw = Draw("model/" + name)
        p = {"embed.W_E": draw.leaf(V, d)}
        if positions != "rotary":
            p["pos_embed.W_pos"] = draw.leaf(n_ctx, d)
        for i in range(n_layers):
            p |= {f"blocks.{i}.{n}": x for n, x in block_parameters(draw, d, d_mlp).items()}
        p |= {
            "ln_final.w": draw.leaf(d, spread=0.25, around=1),
            "ln_final.b": draw.leaf(d, spread=0.25),
        }
        p["unembed.W_U"] = draw.leaf(d, V, spread=0.5)

        tokens, targets = draw.tokens(B, n, vocab=V), draw.tokens(B, n, vocab=V)
        targets[0, 0] = targets[1, 2] = -100
        logits, _ = transformer(p, tokens, n_layers, H, positions, d_mlp)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-100)
        settings = {
            "n_layers": n_layers,
            "d_model": d,
            "n_heads": H,
            "d_mlp": d_mlp,
            "d_vocab": V,
            "n_ctx": n_ctx,
            "positions": positions,
            "bias": True,
        }
        vanishing = (
            [] if positions == "rotary" else [f"blocks.{i}.attn.b_K" for i in range(n_layers)]
        )
        inputs, outputs = {"tokens": tokens, "targets": targets}, {"loss": loss, "logits": logits}
        return case(settings, inputs, outputs, loss, p, vanishing)

    return {
        "rotary": made("rotary", "rotary"),
        "learned_with_mlp": made("learned_with_mlp", "learned", d_mlp=12),
        "learned_qk": made("learned_qk", "learned-qk"),
    }
