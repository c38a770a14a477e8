"""Whole training runs: the data and the initial weights that a seed gives, and PyTorch's steps from
there."""
import math

import torch
import torch.nn.functional as F

from seeded import batch, initial_weights
from transformer_cases import transformer

SIZES = {"n_layers": 2, "d_model": 48, "n_heads": 4, "d_vocab": 29, "n_ctx": 20}


def rate_at(step, peak, schedule, warmup, total):
    if step < warmup:
        return peak * step / warmup
    if schedule == "constant":
        return peak
    way = min(1.0, (step - warmup) / (total - warmup))
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * way)) / 2)


def make_optimizer(name, parameters, beta1, beta2, weight_decay):
    if name == "sgd":
        return torch.optim.SGD(parameters, lr=1.0, momentum=beta1, weight_decay=weight_decay)
    kind = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[name]
    return kind(parameters, lr=1.0, betas=(beta1, beta2), eps=1e-8, weight_decay=weight_decay)


def projections(x):
    """Three numbers that a change anywhere in x changes: sums with the weights ((40503·i + 9973·k)
    mod 1009)/1009 - 1/2."""
    i = torch.arange(x.numel())
    return torch.stack(
        [(((40503 * i + 9973 * k) % 1009) / 1009 - 0.5) @ x.flatten() for k in range(3)]
    )


def trainer():
    def made(steps_run, expect_clipped, task="repeat", positions="rotary", **train):
        seed, rows, n, vocab = train["seed"], train["batch"], SIZES["n_ctx"], SIZES["d_vocab"]
        p = initial_weights(seed, positions, SIZES["n_layers"], SIZES["d_model"], vocab, n)
        start = {name: x.detach().clone() for name, x in p.items()}
        optimizer = make_optimizer(
            train["optimizer"],
            list(p.values()),
            train["beta1"],
            train["beta2"],
            train["weight_decay"],
        )
        losses, norms, rates = [], [], []
        for step in range(1, steps_run + 1):
            tokens, targets = batch(task, seed, (step - 1) * rows, rows, n, vocab)
            logits, _ = transformer(p, tokens, SIZES["n_layers"], SIZES["n_heads"], positions)
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
            optimizer.zero_grad()
            loss.backward()
            norm = torch.cat([x.grad.flatten() for x in p.values()]).norm()
            if train["clip"] > 0:
                for x in p.values():
                    x.grad *= min(1.0, train["clip"] / float(norm))
            rate = rate_at(
                step, train["learning_rate"], train["schedule"], train["warmup"], train["steps"]
            )
            optimizer.param_groups[0]["lr"] = rate
            optimizer.step()
            losses.append(float(loss))
            norms.append(float(norm))
            rates.append(rate)
        flat = torch.cat([x.detach().flatten() for x in p.values()])
        assert flat.numel() > 16384 and flat.numel() % 4096
        clipped = sum(norm > (train["clip"] or math.inf) for norm in norms)
        assert clipped == expect_clipped, (clipped, norms)
        outputs = {
            "loss": losses,
            "gradient_norm": norms,
            "learning_rate": rates,
            "weights": flat[::499],
        }
        outputs |= {f"moved.{name}": projections(x.detach() - start[name]) for name, x in p.items()}
        settings = {"task": task, "positions": positions, "steps_run": steps_run} | SIZES | train
        inputs = {"tokens": batch(task, seed, (steps_run - 1) * rows, rows, n, vocab)[0]}
        return {"settings": settings, "inputs": inputs, "outputs": outputs}

    common = {"beta1": 0.9, "beta2": 0.95}
    return {
        "adamw_clipped_cosine": made(
            8,
            8,
            **common,
            optimizer="adamw",
            learning_rate=0.02,
            schedule="cosine",
            steps=6,
            warmup=3,
            weight_decay=0.5,
            clip=0.5,
            batch=12,
            shards=6,
            seed=3,
        ),
        "adamw_sometimes_clipped": made(
            6,
            3,
            positions="learned",
            **common,
            optimizer="adamw",
            learning_rate=0.03,
            schedule="constant",
            steps=6,
            warmup=2,
            weight_decay=0.2,
            clip=1.6,
            batch=7,
            shards=7,
            seed=11,
        ),
        "adam_unclipped_constant": made(
            5,
            0,
            task="copy",
            **common,
            optimizer="adam",
            learning_rate=0.01,
            schedule="constant",
            steps=5,
            warmup=0,
            weight_decay=0.1,
            clip=0,
            batch=10,
            shards=5,
            seed=4,
        ),
        "adam_clipped_cosine": made(
            5,
            5,
            positions="learned-qk",
            beta1=0.8,
            beta2=0.9,
            optimizer="adam",
            learning_rate=0.01,
            schedule="cosine",
            steps=5,
            warmup=1,
            weight_decay=0.3,
            clip=0.25,
            batch=6,
            shards=2,
            seed=9,
        ),
        "sgd_clipped_warm_up": made(
            6,
            4,
            **common,
            optimizer="sgd",
            learning_rate=0.5,
            schedule="constant",
            steps=6,
            warmup=4,
            weight_decay=0.2,
            clip=0.6,
            batch=9,
            shards=3,
            seed=5,
        ),
        "sgd_bound_never_reached": made(
            5,
            0,
            task="copy",
            positions="learned",
            beta1=0.5,
            beta2=0.95,
            optimizer="sgd",
            learning_rate=0.3,
            schedule="cosine",
            steps=5,
            warmup=0,
            weight_decay=0.1,
            clip=100.0,
            batch=4,
            shards=1,
            seed=18446744073709551615,
        ),
    }
