"""The training step of `./headlight bench`, in PyTorch's eager mode: what most people would write.

    python3 torch_step.py D_MODEL N_HEADS N_CTX BATCH D_MLP LAYERS VOCAB NORM [SETTING]

NORM is layer or rms.

Prints milliseconds, peak memory in MB, the setting and the BLAS of the fastest of several settings,
each tried in a process of its own for half a second; or of the given one. A setting is PyTorch's
threads, BLAS's threads and OpenBLAS's kernels, such as 2,1,Haswell. Kernels that this processor
cannot run, or whose products are wrong, do not count.
"""

import os
import subprocess
import sys
import time

SECONDS = 0.5
OPENBLAS = (
    "Haswell",
    "Zen",
    "SkylakeX",
    "Cooperlake",
    "SapphireRapids",
)  # kernels for x86-64 since AVX2


def build(config):
    import torch
    from torch import nn
    from torch.nn import functional as F

    d, heads, n = config["d_model"], config["n_heads"], config["n_ctx"]

    class RMSNorm(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.ones(d))

        def forward(self, x):
            return x * (x * x).mean(-1, keepdim=True).add(1e-5).rsqrt() * self.w

    def norm():
        return RMSNorm() if config["norm"] == "rms" else nn.LayerNorm(d)

    vocab = config["vocab"]

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln1 = norm()
            self.W_QKV = nn.Linear(d, 3 * d, bias=False)
            self.W_O = nn.Linear(d, d, bias=False)
            self.mlp = None
            if config["d_mlp"]:
                self.mlp = nn.Sequential(
                    norm(),
                    nn.Linear(d, config["d_mlp"], bias=False),
                    nn.GELU(),  # 1.13's erf form; its tanh form is slower
                    nn.Linear(config["d_mlp"], d, bias=False),
                )
            hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
            self.register_buffer("hidden", hidden)

        def forward(self, x):
            batch = x.shape[0]
            parts = self.W_QKV(self.ln1(x)).split(d, dim=-1)
            q, k, v = (part.view(batch, n, heads, d // heads).transpose(1, 2) for part in parts)
            scores = (q @ k.transpose(-1, -2)) * (d // heads) ** -0.5
            pattern = scores.masked_fill(self.hidden, float("-inf")).softmax(dim=-1)
            x = x + self.W_O((pattern @ v).transpose(1, 2).reshape(batch, n, d))
            return x if self.mlp is None else x + self.mlp(x)

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(vocab, d)
            self.W_pos = nn.Parameter(torch.randn(n, d) * d**-0.5)
            self.blocks = nn.ModuleList(Block() for _ in range(config["layers"]))
            self.ln_final = norm()
            self.unembed = nn.Linear(d, vocab, bias=False)

        def forward(self, tokens):
            x = self.embed(tokens) + self.W_pos
            for block in self.blocks:
                x = block(x)
            return self.unembed(self.ln_final(x))

    torch.manual_seed(0)
    model = Model()
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=1e-2 * 64 / d, betas=(0.9, 0.99), weight_decay=0.01
    )

    def step():
        period = torch.randint(n // 4, n // 2 + 1, (config["batch"], 1))
        segments = torch.randint(vocab, (config["batch"], n // 2))
        sequence = segments.gather(1, torch.arange(n + 1).expand(config["batch"], -1) % period)
        logits = model(sequence[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), sequence[:, 1:].flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return step


def measure(config):
    import resource

    import torch

    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    check_products()
    step = build(config)
    for _ in range(2):
        step()
    start, steps = time.perf_counter(), 0
    while steps < 3 or time.perf_counter() - start < SECONDS:
        step()
        steps += 1
    ms = (time.perf_counter() - start) / steps * 1e3
    return ms, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def check_products():
    """Ends the process where a product of this BLAS is wrong."""
    import torch

    generator = torch.Generator().manual_seed(0)
    for m, k, n in ((512, 512, 512), (2048, 64, 192), (64, 16, 64), (63, 65, 67)):
        a, b = (
            torch.randn(shape, generator=generator, dtype=torch.float64)
            for shape in ((m, k), (k, n))
        )
        for left, right in (
            (a.float(), b.float()),
            (a.float().t().contiguous().t(), b.float().t().contiguous().t()),
        ):
            error = (left.double() @ right.double() - (left @ right).double()).abs().max().item()
            if not error < 1e-5 * k:
                sys.exit(f"a product of ({m},{k}) x ({k},{n}) is off by {error}")


def blas():
    """The BLAS that PyTorch has loaded, "OpenBLAS", "MKL", "reference" or another's file, and
    OpenBLAS's kernels here; those of another BLAS have its name."""
    import ctypes

    import torch

    torch.ones(64, 64) @ torch.ones(
        64, 64
    )  # loads the library, where that is left to the first call
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = [line.split()[-1] for line in maps if "blas" in line.split("/")[-1]]
    if not files:
        name = "MKL" if "mkl" in torch.__config__.show().lower() else "unknown"
        return name, name
    library = ctypes.CDLL(files[0])
    if not hasattr(library, "openblas_get_corename"):
        name = "reference" if "/libblas" in files[0] else os.path.basename(files[0])
        return name, name
    library.openblas_get_corename.restype = ctypes.c_char_p
    return "OpenBLAS", library.openblas_get_corename().decode()


def settings():
    cores = os.cpu_count()
    found, own_kernels = blas()
    names = OPENBLAS if found == "OpenBLAS" else [own_kernels]
    # PyTorch's own threads, BLAS's, or neither: which is best depends on the size.
    return [
        f"{own},{inner},{name}"
        for own, inner in sorted({(1, 1), (1, cores), (cores, 1)})
        for name in names
    ]


def try_setting(sizes, setting):
    """[ms, MB, setting, BLAS], or None where the kernels do not run here, or are wrong, or are not
    those that were asked."""
    own, inner, name = setting.split(",")
    environment = dict(os.environ, OMP_NUM_THREADS=own, OPENBLAS_NUM_THREADS=inner)
    if name in OPENBLAS:
        environment["OPENBLAS_CORETYPE"] = name
    command = [sys.executable, __file__, *sizes, "--child"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    ms, mb, library, ran = done.stdout.split()
    return [float(ms), float(mb), setting, library] if ran.lower() == name.lower() else None


def main():
    sizes = sys.argv[1:9]
    names = ("d_model", "n_heads", "n_ctx", "batch", "d_mlp", "layers", "vocab")
    if "--child" in sys.argv:
        print(*measure(dict(zip(names, map(int, sizes)), norm=sizes[-1])), *blas())
        return
    tried = [try_setting(sizes, setting) for setting in sys.argv[9:] or settings()]
    tried = [timing for timing in tried if timing is not None]
    if not tried:
        sys.exit("no setting gave right products")
    print(*min(tried))


if __name__ == "__main__":
    main()
