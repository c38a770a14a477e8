"""Writes program.txt: lines of a made-up program. Each declares a name of random letters, and uses
it."""
import pathlib
import random

rng = random.Random(0)
uses = [" {0} = {0};", " f({0});", " {0} += 1;", " g({0});"]
text = ""
while len(text) < 60_000:
    name = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(8, 20)))
    text += (
        f"let {name};"
        + "".join(rng.choice(uses).format(name) for _ in range(rng.randint(2, 4)))
        + "\n"
    )
pathlib.Path(__file__).with_name("program.txt").write_text(text)
