"""What a model is worth on a batch, and where its heads look."""
import torch
import torch.nn.functional as F

from common import Draw
from transformer_cases import attention_parameters, transformer

n, d, H, V, LAYERS = 6, 8, 2, 7, 2
SIZES = {
    "n_layers": LAYERS,
    "d_model": d,
    "n_heads": H,
    "d_vocab": V,
    "n_ctx": n,
    "positions": "rotary",
}


def model_parameters(draw):
    def norm():
        return {"w": draw.numbers(d, spread=0.25, around=1), "b": draw.numbers(d, spread=0.25)}

    p = {"embed.W_E": draw.numbers(V, d)}
    for i in range(LAYERS):
        p |= {f"blocks.{i}.ln1.{name}": x for name, x in norm().items()}
        p |= {
            f"blocks.{i}.attn.{name}": x.detach()
            for name, x in attention_parameters(draw, d, d, d, d, bias=False).items()
        }
    p |= {f"ln_final.{name}": x for name, x in norm().items()}
    return p | {"unembed.W_U": draw.numbers(d, V)}


def evaluation():
    """The last `easy` sequences have the model's own guesses as targets; the others random ones."""

    def made(name, rows, easy, all_predictable=False):
        draw = Draw("evaluation/" + name)
        p, tokens = model_parameters(draw), draw.tokens(rows, n, vocab=V)
        logits, _ = transformer(p, tokens, LAYERS, H, SIZES["positions"])
        best_two = logits.topk(2, dim=-1)
        assert (
            best_two.values[..., 0] - best_two.values[..., 1]
        ).min() > 1e-3  # the same guess in float
        targets = draw.tokens(rows, n, vocab=V)
        targets[rows - easy :] = best_two.indices[rows - easy :, :, 0]
        predictable = draw.tokens(rows, n, vocab=5) > 1
        predictable |= all_predictable
        losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(
            rows, n
        )
        right = (best_two.indices[..., 0] == targets).double()
        outputs = {
            "accuracy_predictable": right[predictable].mean(),
            "loss": losses.mean(),
            "loss_predictable": losses[predictable].mean(),
        }
        if not all_predictable:
            outputs["loss_unpredictable"] = losses[~predictable].mean()
        inputs = {"tokens": tokens, "targets": targets, "predictable": predictable.long()}
        return {"settings": SIZES, "inputs": inputs, "parameters": p, "outputs": outputs}

    return {
        "thirteen_sequences": made("thirteen_sequences", 13, easy=5),
        "sixteen_sequences": made("sixteen_sequences", 16, easy=4),
        "three_sequences_all_predictable": made(
            "three_sequences_all_predictable", 3, 1, all_predictable=True
        ),
    }


def head_scores():
    """Means over the query positions of all sequences together; a follower of the token just before
    is the query itself."""

    def made(name, tokens):
        p, tokens = model_parameters(Draw("head_scores/" + name)), torch.tensor(tokens)
        length = tokens.shape[1]
        _, patterns = transformer(p, tokens, LAYERS, H, SIZES["positions"])
        earlier_equal = (tokens[:, :, None] == tokens[:, None, :]) & torch.ones(
            length, length
        ).tril(-1).bool()
        followers = F.pad(earlier_equal, (1, 0))[..., :length]
        queries = earlier_equal.any(-1).sum()
        A = torch.stack(patterns)  # (L,B,H,n,n)
        outputs = {
            "previous_token": A.diagonal(-1, -2, -1).mean((1, 3)),
            "duplicate_token": (A * earlier_equal[:, None]).sum((1, 3, 4)) / queries,
            "induction": (A * followers[:, None]).sum((1, 3, 4)) / queries,
        }
        return {
            "settings": SIZES,
            "inputs": {"tokens": tokens},
            "parameters": p,
            "outputs": {name: x.flatten() for name, x in outputs.items()},
        }

    return {
        "adjacent_repeats": made(
            "adjacent_repeats", [[1, 1, 2, 2, 2, 1], [3, 0, 4, 5, 5, 6], [6, 1, 6, 1, 6, 1]]
        ),
        "one_repeat_among_sequences_of_none": made(
            "one_repeat_among_sequences_of_none",
            [[0, 1, 2, 3, 4, 5], [6, 5, 4, 3, 2, 6], [1, 3, 5, 0, 2, 4]],
        ),
        "shorter_than_the_context": made("shorter_than_the_context", [[2, 2, 3, 2], [4, 1, 4, 1]]),
    }
