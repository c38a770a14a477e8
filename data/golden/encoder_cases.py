"""Models with an encoder: alone, and with a decoder that attends to it."""
import functools

import torch
import torch.nn.functional as F
from torch.nn.utils.stateless import functional_call

from common import Draw, case
from transformer_cases import (
    attention_parameters,
    block_parameters,
    composed_attention,
    future,
    gelu_tanh,
    part,
)


def own_attention(p, ours, theirs):
    """A layer's attention in PyTorch's names and layout."""
    return {
        f"{theirs}.in_proj_weight": torch.cat([p[f"{ours}.W_{x}"].T for x in "QKV"]),
        f"{theirs}.in_proj_bias": torch.cat([p[f"{ours}.b_{x}"] for x in "QKV"]),
        f"{theirs}.out_proj.weight": p[f"{ours}.W_O"].T,
        f"{theirs}.out_proj.bias": p[f"{ours}.b_O"],
    }


def own_norms(p, *names):
    return {
        f"norm{i}.{theirs}": p[f"{name}.{ours}"]
        for i, name in enumerate(names, 1)
        for ours, theirs in (("w", "weight"), ("b", "bias"))
    }


def own_mlp(p):
    return {
        "linear1.weight": p["mlp.W_in"].T,
        "linear1.bias": p["mlp.b_in"],
        "linear2.weight": p["mlp.W_out"].T,
        "linear2.bias": p["mlp.b_out"],
    }


def torch_block(p, n_heads, x, memory, causal):
    """PyTorch's own pre-norm layer, with these parameters."""
    d, d_mlp = p["mlp.W_in"].shape
    kind = torch.nn.TransformerEncoderLayer if memory is None else torch.nn.TransformerDecoderLayer
    layer = kind(d, n_heads, d_mlp, 0.0, gelu_tanh, batch_first=True, norm_first=True)
    weights = own_attention(p, "attn", "self_attn") | own_mlp(p)
    hidden = future(x.shape[1]) if causal else None
    if memory is None:
        weights |= own_norms(p, "ln1", "ln2")
        inputs = (x, hidden)
    else:
        weights |= own_attention(p, "cross_attn", "multihead_attn") | own_norms(
            p, "ln1", "ln_cross", "ln2"
        )
        inputs = (x, memory, hidden)
    assert weights.keys() == dict(layer.named_parameters()).keys()
    return functional_call(layer, weights, inputs)


def norm(p, name, x):
    return F.layer_norm(x, x.shape[-1:], p[name + ".w"], p[name + ".b"])


def composed_block(p, n_heads, x, memory, causal, rotary, added):
    """A block without an MLP, in simple steps."""
    normalized = norm(p, "ln1", x)
    placed = normalized + added
    hidden = future(x.shape[1]) if causal else None
    x = (
        x
        + composed_attention(part(p, "attn."), n_heads, placed, placed, normalized, hidden, rotary)[
            0
        ]
    )
    if memory is None:
        return x
    query = norm(p, "ln_cross", x)
    return x + composed_attention(part(p, "cross_attn."), n_heads, query, memory, memory)[0]


def stack(p, prefix, n_layers, tokens, block, positions):
    x, added = F.embedding(tokens, p["embed.W_E"]), 0
    if positions == "learned":
        x = x + p["pos_embed.W_pos"][: tokens.shape[1]]
    if positions == "learned-qk":
        added = p["pos_embed.W_pos"][: tokens.shape[1]]
    for i in range(n_layers):
        x = block(part(p, f"{prefix}.{i}."), x=x, added=added)
    return x


def encoder_decoder():
    B, n, m, n_ctx, n_source, d, H, V, n_layers = 2, 4, 5, 5, 6, 8, 2, 11, 2

    def parameters(draw, architecture, positions, d_mlp):
        def norm_parameters():
            return {"w": draw.leaf(d, spread=0.25, around=1), "b": draw.leaf(d, spread=0.25)}

        both = architecture == "encoder-decoder"
        p = {"embed.W_E": draw.leaf(V, d)}
        if positions != "rotary":
            p["pos_embed.W_pos"] = draw.leaf(n_source if both else n_ctx, d)
        if both:
            for i in range(n_layers):
                p |= {f"encoder.{i}.{k}": x for k, x in block_parameters(draw, d, d_mlp).items()}
            p |= {f"encoder_ln_final.{k}": x for k, x in norm_parameters().items()}
        for i in range(n_layers):
            block = {k: x for k, x in block_parameters(draw, d, d_mlp).items()}
            if both:
                cross = {f"ln_cross.{k}": x for k, x in norm_parameters().items()}
                cross |= {
                    f"cross_attn.{k}": x
                    for k, x in attention_parameters(draw, d, d, d, d, True).items()
                }
                order = {k: x for k, x in block.items() if k.startswith(("ln1", "attn"))}
                block = order | cross | {k: x for k, x in block.items() if k not in order}
            p |= {f"blocks.{i}.{k}": x for k, x in block.items()}
        p |= {f"ln_final.{k}": x for k, x in norm_parameters().items()}
        p["unembed.W_U"] = draw.leaf(d, V, spread=0.5)
        return p

    def made(name, architecture, positions, d_mlp=0):
        draw = Draw("encoder_decoder/" + name)
        both, rotary = architecture == "encoder-decoder", positions == "rotary"
        p = parameters(draw, architecture, positions, d_mlp)

        def block(p, x, added, memory, causal):
            if d_mlp:
                return torch_block(p, H, x, memory, causal)
            return composed_block(p, H, x, memory, causal, rotary, added)

        inputs = {"tokens": draw.tokens(B, n, vocab=V), "targets": draw.tokens(B, n, vocab=V)}
        memory = None
        if both:
            inputs["source"] = draw.tokens(B, m, vocab=V)
            encodes = functools.partial(block, memory=None, causal=False)
            memory = norm(
                p,
                "encoder_ln_final",
                stack(p, "encoder", n_layers, inputs["source"], encodes, positions),
            )
        predicts = functools.partial(block, memory=memory, causal=both)
        x = stack(p, "blocks", n_layers, inputs["tokens"], predicts, positions)
        logits = norm(p, "ln_final", x) @ p["unembed.W_U"]
        loss = F.cross_entropy(logits.flatten(0, 1), inputs["targets"].flatten())
        settings = {
            "architecture": architecture,
            "n_layers": n_layers,
            "d_model": d,
            "n_heads": H,
            "d_mlp": d_mlp,
            "d_vocab": V,
            "n_ctx": n_ctx,
            "n_source": n_source if both else 0,
            "positions": positions,
            "bias": True,
        }
        vanishing = [k for k in p if k.endswith("attn.b_K") and (not rotary or "cross_attn" in k)]
        return case(settings, inputs, {"loss": loss, "logits": logits}, loss, p, vanishing)

    return {
        "learned_with_mlp": made("learned_with_mlp", "encoder-decoder", "learned", d_mlp=12),
        "learned_qk": made("learned_qk", "encoder-decoder", "learned-qk"),
        "rotary": made("rotary", "encoder-decoder", "rotary"),
        "encoder": made("encoder", "encoder", "rotary"),
    }
