"""Clipping, and ten steps of each optimizer."""
import torch

from common import Draw


def clipping():
    """`clipped` is the definition, g·min(1, max_norm/norm). clip_grad_norm_ divides by norm + 1e-6 instead."""
    def made(name, max_norm):
        draw = Draw("clipping/" + name)
        gradients = {"a": draw.numbers(3), "b": draw.numbers(2, 4), "c": draw.numbers(1, 1)}
        norm = torch.cat([g.flatten() for g in gradients.values()]).norm()
        parameters = [torch.zeros_like(g).requires_grad_() for g in gradients.values()]
        for p, g in zip(parameters, gradients.values()):
            p.grad = g.clone()
        returned = torch.nn.utils.clip_grad_norm_(parameters, max_norm)
        outputs = {"norm": norm, "norm_by_torch": returned}
        for (n, g), p in zip(gradients.items(), parameters):
            outputs |= {f"clipped.{n}": g * min(1.0, max_norm / float(norm)), f"clipped_by_torch.{n}": p.grad}
        return {"settings": {"max_norm": max_norm}, "inputs": gradients, "outputs": outputs}

    return {"above": made("above", 0.75), "below": made("below", 100.0)}


def optimizers():
    def made(name, optimizer, **settings):
        draw = Draw("optimizers/" + name)
        inputs = {"a": draw.numbers(3), "b": draw.numbers(2, 2)}
        parameters = [torch.nn.Parameter(x.clone()) for x in inputs.values()]
        inputs |= {f"gradients.{name}": draw.numbers(10, *inputs[name].shape) for name in ("a", "b")}
        names = {"learning_rate": "lr"}
        how = {names.get(name, name): x for name, x in settings.items() if not name.startswith("beta")}
        if "beta1" in settings:
            how["betas"] = (settings["beta1"], settings["beta2"])
        torch_optimizer = optimizer(parameters, **how)
        walk = [[], []]
        for step in range(10):
            for p, x, g in zip(parameters, walk, (inputs["gradients.a"], inputs["gradients.b"])):
                p.grad = g[step].clone()
            torch_optimizer.step()
            for p, x in zip(parameters, walk):
                x.append(p.detach().clone())
        outputs = {name: torch.stack(x) for name, x in zip(("a", "b"), walk)}
        return {"settings": {"optimizer": optimizer.__name__, **settings}, "inputs": inputs, "outputs": outputs}

    adam = {"learning_rate": 0.05, "beta1": 0.9, "beta2": 0.98}
    return {
        "sgd_momentum": made("sgd_momentum", torch.optim.SGD, learning_rate=0.1, momentum=0.9, weight_decay=0.0),
        "sgd_decay": made("sgd_decay", torch.optim.SGD, learning_rate=0.1, momentum=0.5, weight_decay=0.3),
        "adam": made("adam", torch.optim.Adam, **adam, eps=1e-8, weight_decay=0.0),
        "adam_decay": made("adam_decay", torch.optim.Adam, **adam, eps=0.01, weight_decay=0.3),
        "adamw": made("adamw", torch.optim.AdamW, **adam, eps=1e-8, weight_decay=0.3),
        "adamw_large_eps": made("adamw_large_eps", torch.optim.AdamW, **adam, eps=0.5, weight_decay=0.1),
    }
