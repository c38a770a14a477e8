"""What the subjects share: random numbers, and a case with its gradients."""
import zlib

import torch


class Draw:
    """Random multiples of 1/64 that depend on the case's name and the order of the calls alone."""

    def __init__(self, case):
        self.generator = torch.Generator().manual_seed(zlib.crc32(case.encode()))

    def numbers(self, *shape, spread=1.0, around=0.0):
        x = around + spread * torch.randn(shape, generator=self.generator)
        return (x * 64).round() / 64

    def leaf(self, *shape, **how):
        return self.numbers(*shape, **how).requires_grad_()

    def tokens(self, *shape, vocab):
        return torch.randint(vocab, shape, generator=self.generator)


def case(settings, inputs, outputs, loss, parameters=None, vanishing=()):
    """One case, with the gradients of `loss` by all inputs and parameters that require one.

    The gradients named in `vanishing` are 0 by theory; what rounding leaves of them is not worth
    keeping.
    """
    leaves = {n: x for n, x in {**inputs, **(parameters or {})}.items() if x.requires_grad}
    gradients = dict(zip(leaves, torch.autograd.grad(loss, list(leaves.values()))))
    largest = max(float(g.abs().max()) for g in gradients.values())
    for name in vanishing:
        assert float(gradients[name].abs().max()) < 1e-14 * largest, name
        gradients[name] = torch.zeros_like(gradients[name])
    sections = {"settings": settings, "inputs": inputs}
    if parameters:
        sections["parameters"] = parameters
    return sections | {"outputs": outputs, "gradients": gradients}
