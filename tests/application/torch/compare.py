"""Computes the logits of exported models with PyTorch: compare.py FOLDER. Writes the weights again
as FILE.saved."""
import contextlib
import importlib.util
import io
import pathlib
import sys

import torch


def printed(module, words):
    """What the exported file prints as a program."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        module.main(words)
    return out.getvalue()


def numbers(row):
    return [str(int(x)) for x in row]


def refusal(module, path):
    """What the module says of weights in another number type."""
    half = path.with_suffix(".half")
    half.write_bytes(path.read_bytes().replace(b'"F32"', b'"F16"', 1))
    try:
        module.load(half)
    except ValueError as error:
        return str(error)
    return "nothing"


worst, count = 0.0, 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("model_*.py")):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    asked = module.read_safetensors(path.with_suffix(".logits"))
    model = module.load(path.with_suffix(".weights"))
    source = asked["source"].long() if "source" in asked else None
    with torch.no_grad():
        logits = model(asked["tokens"].long(), source)
        first = model(asked["tokens"][:1].long(), None if source is None else source[:1])
    scale = max(1.0, float(asked["logits"].abs().max()))
    error = float((logits - asked["logits"]).abs().max()) / scale
    if not error < 1e-5:
        print(f"{path}: logits differ by {error:.1e} of the largest\n{module.CONFIG}")
        sys.exit(1)
    words = [str(path.with_suffix(".weights")), *numbers(asked["tokens"][0])]
    if source is not None:
        words += ["--source", *numbers(source[0])]
    if printed(module, words) != f"{first[0, -1]}\n":
        print(f"{path}: as a program it prints other logits\n{module.CONFIG}")
        sys.exit(1)
    if "the number type F16; only F32 and F64 can be read" not in refusal(
        module, path.with_suffix(".weights")
    ):
        print(f"{path}: does not refuse weights in F16")
        sys.exit(1)
    module.save(model, path.with_suffix(".saved"))
    worst, count = max(worst, error), count + 1
print(f"{count} models; the logits differ by at most {worst:.1e}")
sys.exit(0 if count > 0 else 1)
