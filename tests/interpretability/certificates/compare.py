"""Trains the runs of runs.txt, and holds each certificate against what truth.py finds.

    compare.py BUILD FOLDER            prints docs/certificates.md; FOLDER keeps the runs
    compare.py BUILD FOLDER WORDS      only the runs whose name contains WORDS, with all numbers
"""
import json
import pathlib
import random
import re
import subprocess
import sys

import truth

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
REFUSED = 2  # the exit status
SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]

HEAD = """# Eighty-four certificates, and what is true

A verdict is a claim, so it is tested like one. `tests/interpretability/certificates` trains 84 models of many kinds and
asks two programs about each: `./headlight certify`, and a script in PyTorch that shares no line with it. The
script takes the exported model and the task's own sequences. It exchanges what followed earlier copies of a
query's token for another token: if the answer becomes this one in less than half of the cases, the model has no
induction circuit. It exchanges the tokens in front of a query that equal those in front of its earlier copy: if
the answer stays right in less than half of the cases, it has none either. It ablates all heads that look at followers, and it computes their keys (or queries) as if
every earlier head had written of other tokens. If both bring the accuracy at least three quarters of the way down
to that without any head, the model has an induction circuit. If either leaves at least half of the way, it has
none. What lies between counts for neither side.

```
tests/interpretability/certificates/run build/release runs/certificates     # about a quarter of an hour on two cores
```

"Exchanged" is how often the answer is the exchanged token, "after one" how often it is right when the tokens in front
are exchanged, and "interchange" how often it is the one that the
certificate's induction heads are made to look at. "Without" is the accuracy without the heads that look at followers, "cut" the accuracy when what earlier heads
tell them is replaced; these by the script. `certify` refuses a model whose vocabulary is too small for repeats.

| run | accuracy | exchanged | after one | without | cut | interchange | the script says | the certificate says |
|---|---|---|---|---|---|---|---|---|"""


def write_names(folder):
    """A text in which invented names return among common words."""
    rng = random.Random(0)
    said = ["{} came in", "they asked {}", "{} was at home", "nobody saw {}", "a friend of {} left"]
    paragraphs = []
    for _ in range(700):
        name = "".join(rng.choices(SYLLABLES, k=rng.randint(3, 5)))
        paragraphs.append(
            ". ".join(rng.choice(said).format(name) for _ in range(rng.randint(3, 5))) + "."
        )
    (folder / "names.txt").write_text("\n".join(paragraphs) + "\n")


def write_lines(folder):
    """Lines of 24 random letters, each of them twice."""
    rng = random.Random(1)
    lines = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=24)) for _ in range(3000)]
    (folder / "lines.txt").write_text("".join(line + "\n" + line + "\n" for line in lines))


def output(words, folder, allowed=(0,)):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout[-500:]}\n{done.stderr}")
    return done.stdout


def examined(build, folder, name, flags):
    """The certificate, and what the script finds."""
    run = folder / name.replace(" ", "_").replace(",", "")
    if not (run / "model.safetensors").exists():
        words = [str(ROOT / w) if w.startswith("data/") else w for w in flags.split()]
        output([build / "headlight", "train", "--history", "8", "--out", run, *words], folder)
    printed = output([build / "headlight", "certify", run, "--json"], folder, (0, 1, REFUSED))
    certificate = (
        json.loads(printed) if printed else {"verdict": "refused", "claims": [], "said": []}
    )
    file = str(folder / "exported")
    output([build / "tests" / "headlight_own_batch", run, file], folder)
    return certificate, *truth.truth(truth.Examined(file, run))


CAUSAL = re.compile(
    "has an induction circuit|by shifted|suffice|[Ww]ithout (L|it|them)|by what L|by the smear|carr(y|ies)|enough|need|because"
)


def above_its_evidence(certificate):
    """A sentence that is only seen, and says what only an intervention shows; None if there is none."""
    claims = [
        (claim["says"], certificate["known"][claim["key"]])
        for claim in certificate["claims"]
        if claim["standing"] != "not asked"
    ]
    said = [(part["text"], part["known"]) for part in certificate["said"]]
    return next(
        (text for text, known in said + claims if known == "seen" and CAUSAL.search(text)), None
    )


def shown(x):
    return "–" if x is None else f"{x:.2f}"


def main():
    build, folder = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    folder.mkdir(parents=True, exist_ok=True)
    write_names(folder)
    write_lines(folder)
    print(HEAD if not wanted else "", flush=True)
    counts = {
        "right": 0,
        "false circuit": 0,
        "missed circuit": 0,
        "otherwise wrong": 0,
        "refused": 0,
        "between": 0,
    }
    for line in (HERE / "runs.txt").read_text().splitlines():
        name, _, flags = line.partition("|")
        if wanted not in name:
            continue
        certificate, verdict, numbers = examined(build, folder, name, flags)
        says = certificate["verdict"]
        if above_its_evidence(certificate):
            sys.exit(f"{name}: stands above its evidence: {above_its_evidence(certificate)}")
        kind = (
            says
            if says == "refused"
            else "between"
            if verdict == "between"
            else "right"
            if says == verdict
            else "false circuit"
            if says == truth.CIRCUIT
            else "missed circuit"
            if verdict == truth.CIRCUIT
            else "otherwise wrong"
        )
        counts[kind] += 1
        mark = "" if kind in ("right", "between", "refused") else f" **{kind}**"
        detail = (
            f" (shifted by {certificate['displaced']['by']})"
            if certificate.get("displaced")
            else ""
        )
        print(
            f"| {name} | {shown(numbers['accuracy'])} | {shown(numbers.get('interchanged'))} "
            f"| {shown(numbers.get('after one'))} | {shown(numbers.get('without'))} | {shown(numbers.get('cut'))} "
            f"| {shown(certificate.get('interchange'))} | {verdict} | {says}{detail}{mark} |",
            flush=True,
        )
        if wanted:
            print(
                "  ", numbers, certificate.get("matchers"), certificate.get("senders"), flush=True
            )
    print("\n" + ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) + ".")
    sys.exit(any(counts[kind] for kind in ("false circuit", "missed circuit", "otherwise wrong")))


main()
