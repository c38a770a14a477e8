"""Single ops."""
import torch
import torch.nn.functional as F

from common import Draw, case


def layer_norm():
    def made(name, affine, eps=1e-5, spread=1.0):
        draw = Draw("layer_norm/" + name)
        inputs = {
            "x": draw.leaf(2, 3, 8, spread=spread, around=0.5),
            "cotangent": draw.numbers(2, 3, 8),
        }
        if affine:
            inputs |= {"w": draw.leaf(8, around=1), "b": draw.leaf(8)}
        y = F.layer_norm(inputs["x"], (8,), inputs.get("w"), inputs.get("b"), eps)
        return case({"eps": eps}, inputs, {"y": y}, (y * inputs["cotangent"]).sum())

    return {
        "affine": made("affine", True),
        "plain": made("plain", False),
        "large_eps": made("large_eps", True, eps=0.25, spread=0.5),
    }


def rms_norm():
    def made(name, affine, eps=1e-5, spread=1.0):
        draw = Draw("rms_norm/" + name)
        inputs = {
            "x": draw.leaf(2, 3, 8, spread=spread, around=0.5),
            "cotangent": draw.numbers(2, 3, 8),
        }
        if affine:
            inputs["w"] = draw.leaf(8, around=1)
        y = (
            inputs["x"]
            * torch.rsqrt(inputs["x"].square().mean(-1, keepdim=True) + eps)
            * inputs.get("w", 1)
        )
        return case({"eps": eps}, inputs, {"y": y}, (y * inputs["cotangent"]).sum())

    return {
        "affine": made("affine", True),
        "plain": made("plain", False),
        "large_eps": made("large_eps", True, eps=0.25, spread=0.5),
    }


def activations():
    def made(name, function, n_inputs=1):
        draw = Draw("activations/" + name)
        inputs = {"xu"[i]: draw.leaf(6, 8, spread=2.0) for i in range(n_inputs)}
        y = function(*inputs.values())
        inputs["cotangent"] = draw.numbers(6, 8)
        return case({"name": name}, inputs, {"y": y}, (y * inputs["cotangent"]).sum())

    return {
        "relu": made("relu", F.relu),
        "sigmoid": made("sigmoid", torch.sigmoid),
        "silu": made("silu", F.silu),
        "swiglu": made("swiglu", lambda gate, up: F.silu(gate) * up, 2),
    }


def gelu():
    def made(form):
        draw = Draw("gelu/" + form)
        inputs = {"x": draw.leaf(6, 8, spread=2.0), "cotangent": draw.numbers(6, 8)}
        y = F.gelu(inputs["x"], approximate="tanh" if form == "tanh" else "none")
        return case({"form": form}, inputs, {"y": y}, (y * inputs["cotangent"]).sum())

    return {form: made(form) for form in ("tanh", "erf")}


def cross_entropy():
    def made(name, reduction, ignore_index, ignored, smoothing=0.0):
        draw = Draw("cross_entropy/" + name)
        logits, targets = draw.leaf(2, 4, 7, spread=3.0), draw.tokens(2, 4, vocab=7)
        for place in ignored:
            targets[place] = ignore_index
        loss = F.cross_entropy(
            logits.flatten(0, 1),
            targets.flatten(),
            ignore_index=ignore_index,
            reduction=reduction,
            label_smoothing=smoothing,
        )
        if reduction == "none":
            loss = loss.reshape(targets.shape)
        inputs = {"logits": logits, "targets": targets, "cotangent": draw.numbers(*loss.shape)}
        settings = {
            "reduction": reduction,
            "ignore_index": ignore_index,
            "label_smoothing": smoothing,
        }
        return case(settings, inputs, {"loss": loss}, (loss * inputs["cotangent"]).sum())

    some = [(0, 1), (1, 0), (1, 3)]
    return {
        "mean": made("mean", "mean", -100, some),
        "mean_of_all": made("mean_of_all", "mean", -100, []),
        "sum": made("sum", "sum", -100, some),
        "sum_ignoring_a_class": made("sum_ignoring_a_class", "sum", 2, some),
        "none": made("none", "none", -100, some),
        "smoothed_mean": made("smoothed_mean", "mean", -100, some, 0.1),
        "smoothed_sum_ignoring_a_class": made("smoothed_sum_ignoring_a_class", "sum", 2, some, 0.3),
        "smoothed_none": made("smoothed_none", "none", -100, some, 1.0),
    }
