"""Clipping, ten steps of each optimizer, and the learning rates of each schedule."""
import torch
from torch.optim import lr_scheduler

from common import Draw


def clipping():
    """`clipped` is the definition, g·min(1, max_norm/norm). clip_grad_norm_ divides by norm + 1e-6
    instead."""

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
            outputs |= {
                f"clipped.{n}": g * min(1.0, max_norm / float(norm)),
                f"clipped_by_torch.{n}": p.grad,
            }
        return {"settings": {"max_norm": max_norm}, "inputs": gradients, "outputs": outputs}

    return {"above": made("above", 0.75), "below": made("below", 100.0)}


class Lion(torch.optim.Optimizer):
    """Algorithm 2 of Chen et al. 2023."""

    def __init__(self, parameters, lr, betas, weight_decay):
        super().__init__(parameters, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            (beta1, beta2), rate = group["betas"], group["lr"]
            for p in group["params"]:
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                direction = torch.sign(beta1 * m + (1 - beta1) * p.grad)
                p -= rate * (direction + group["weight_decay"] * p)
                m.mul_(beta2).add_((1 - beta2) * p.grad)


def newton_schulz(g):
    """The function of Jordan et al. 2024, in double."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g / (g.norm() + 1e-7)
    if g.size(0) > g.size(1):
        x = x.T
    for _ in range(5):
        s = x @ x.T
        x = a * x + (b * s + c * s @ s) @ x
    return x.T if g.size(0) > g.size(1) else x


class Muon(torch.optim.Optimizer):
    """Jordan et al. 2024 for matrices; PyTorch's AdamW for the rest."""

    def __init__(self, parameters, lr, betas, eps, weight_decay):
        super().__init__(
            [p for p in parameters if p.dim() == 2],
            {"lr": lr, "momentum": betas[0], "weight_decay": weight_decay},
        )
        self.rest = torch.optim.AdamW(
            [p for p in parameters if p.dim() != 2],
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
        )

    @torch.no_grad()
    def step(self):
        self.rest.step()
        for group in self.param_groups:
            for p in group["params"]:
                v = self.state[p].setdefault("v", torch.zeros_like(p))
                v.mul_(group["momentum"]).add_(p.grad)
                # In the paper a weight is (fan_out, fan_in), in Headlight (fan_in, fan_out).
                direction = (p.grad + group["momentum"] * v).T
                update = (
                    newton_schulz(direction) * max(1, direction.size(0) / direction.size(1)) ** 0.5
                ).T
                p.mul_(1 - group["lr"] * group["weight_decay"]).sub_(group["lr"] * update)


def optimizers():
    def made(name, optimizer, shapes={"a": (3,), "b": (2, 2)}, **settings):
        draw = Draw("optimizers/" + name)
        inputs = {name: draw.numbers(*shape) for name, shape in shapes.items()}
        parameters = [torch.nn.Parameter(x.clone()) for x in inputs.values()]
        inputs |= {f"gradients.{name}": draw.numbers(10, *inputs[name].shape) for name in shapes}
        names = {"learning_rate": "lr"}
        how = {
            names.get(name, name): x for name, x in settings.items() if not name.startswith("beta")
        }
        if "beta1" in settings:
            how["betas"] = (settings["beta1"], settings["beta2"])
        torch_optimizer = optimizer(parameters, **how)
        walk = [[] for _ in shapes]
        for step in range(10):
            for name, p in zip(shapes, parameters):
                p.grad = inputs[f"gradients.{name}"][step].clone()
            torch_optimizer.step()
            for p, x in zip(parameters, walk):
                x.append(p.detach().clone())
        outputs = {name: torch.stack(x) for name, x in zip(shapes, walk)}
        return {
            "settings": {"optimizer": optimizer.__name__, **settings},
            "inputs": inputs,
            "outputs": outputs,
        }

    adam = {"learning_rate": 0.05, "beta1": 0.9, "beta2": 0.98}
    return {
        "sgd_momentum": made(
            "sgd_momentum", torch.optim.SGD, learning_rate=0.1, momentum=0.9, weight_decay=0.0
        ),
        "sgd_decay": made(
            "sgd_decay", torch.optim.SGD, learning_rate=0.1, momentum=0.5, weight_decay=0.3
        ),
        "adam": made("adam", torch.optim.Adam, **adam, eps=1e-8, weight_decay=0.0),
        "adam_decay": made("adam_decay", torch.optim.Adam, **adam, eps=0.01, weight_decay=0.3),
        "adamw": made("adamw", torch.optim.AdamW, **adam, eps=1e-8, weight_decay=0.3),
        "adamw_large_eps": made(
            "adamw_large_eps", torch.optim.AdamW, **adam, eps=0.5, weight_decay=0.1
        ),
        "nesterov": made(
            "nesterov",
            torch.optim.SGD,
            learning_rate=0.1,
            momentum=0.9,
            nesterov=True,
            weight_decay=0.3,
        ),
        "lion": made("lion", Lion, **adam, weight_decay=0.3),
        "muon": made(
            "muon",
            Muon,
            {"a": (3,), "wide": (3, 5), "tall": (4, 2), "square": (3, 3)},
            **adam,
            eps=1e-8,
            weight_decay=0.3,
        ),
    }


def schedules():
    """The rates of steps 1 … 30, by PyTorch's schedulers one after the other."""
    peak, warmup, total, end = 0.5, 4, 24, 0.1

    def made(name, *parts):
        """A part is a scheduler and the step that it begins at, with the rate of the part
        before."""
        optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=peak)
        rise = lr_scheduler.LinearLR(
            optimizer, start_factor=1 / warmup, end_factor=1, total_iters=warmup - 1
        )
        made = [make(optimizer) for make, _ in parts]
        whole = lr_scheduler.SequentialLR(
            optimizer, [rise] + made, [first - 1 for _, first in parts]
        )
        rates = []
        for _ in range(30):
            rates.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            whole.step()
        return {
            "settings": {
                "schedule": name,
                "peak": peak,
                "warmup": warmup,
                "total": total,
                "final_fraction": end,
                "decay_part": 0.25,
            },
            "outputs": {"rates": torch.tensor(rates)},
        }

    def stay(optimizer):
        return lr_scheduler.ConstantLR(optimizer, factor=1, total_iters=total)

    def line(steps):
        return lambda optimizer: lr_scheduler.LinearLR(
            optimizer, start_factor=1, end_factor=end, total_iters=steps
        )

    class Cosine(lr_scheduler.CosineAnnealingLR):
        """Which stays at its end, where PyTorch's rises again."""

        def get_lr(self):
            return [self.eta_min] if self.last_epoch > self.T_max else super().get_lr()

    decay = total // 4
    return {
        "constant": made("constant", (stay, warmup)),
        "cosine": made(
            "cosine", (lambda optimizer: Cosine(optimizer, total - warmup, end * peak), warmup)
        ),
        "linear": made("linear", (line(total - warmup), warmup)),
        "wsd": made("wsd", (stay, warmup), (line(decay), total - decay)),
    }
