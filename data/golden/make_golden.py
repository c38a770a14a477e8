#!/usr/bin/python3
"""Writes the .json files beside it: small cases with PyTorch's results, which tests/engine/golden/
compares with Headlight's.

Everything is computed in double. Inputs are multiples of 1/64, so that Headlight in float reads the
same numbers. Names and layouts are Headlight's; they are turned into PyTorch's where PyTorch is
called, inside the graph, so that gradients come back in Headlight's layout.
"""
import json
import os
from pathlib import Path

import torch

from attention_part_cases import attention_parts, smear
from encoder_cases import encoder_decoder
from evaluation_cases import evaluation, head_scores
from op_cases import activations, cross_entropy, gelu, layer_norm, rms_norm
from optimizer_cases import clipping, optimizers, schedules
from part_cases import parts
from trainer_cases import trainer
from transformer_cases import attention, block, model

FOLDER = Path(__file__).resolve().parent


def text_of(value, indent=""):
    """JSON with a line for each row of numbers; repr() of a float gives it back exactly."""
    deeper = indent + " "
    if isinstance(value, torch.Tensor):
        value = value.tolist()
    if isinstance(value, dict):
        lines = [f"{deeper}{json.dumps(name)}: {text_of(x, deeper)}" for name, x in value.items()]
        return "{\n" + ",\n".join(lines) + "\n" + indent + "}"
    if isinstance(value, list) and isinstance(value[0], list):
        return "[\n" + ",\n".join(deeper + text_of(x, deeper) for x in value) + "]"
    return json.dumps(value, allow_nan=False)


def write(subject, cases):
    path = FOLDER / f"{subject}.json"
    aside = path.with_suffix(".json.part")
    aside.write_text(text_of({"pytorch": torch.__version__, "cases": cases}) + "\n")
    os.replace(aside, path)
    print(f"{path.name}: {len(cases)} cases, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)  # sums in one order
    for make in (
        attention,
        attention_parts,
        smear,
        block,
        model,
        parts,
        encoder_decoder,
        layer_norm,
        rms_norm,
        gelu,
        activations,
        cross_entropy,
        clipping,
        optimizers,
        schedules,
        trainer,
        evaluation,
        head_scores,
    ):
        write(make.__name__, make())
