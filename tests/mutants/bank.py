"""The bank of mutants: reads the .txt files beside it.

A mutant is a block of a name, a reason, a file, and what to take out of it (-) and put in (+):

    == name-in-lower-case
    why   the mistake, in a line
    file  src/engine/ops/softmax.cpp
    - the old text, which occurs in the file exactly once
    + the new text, or nothing

Lines keep their own spaces after "- " and "+ "; several are joined by line ends.
"""
import dataclasses
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
FORM = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class BankError(Exception):
    pass


@dataclasses.dataclass
class Mutant:
    name: str
    place: str  # where it stands in the bank
    why: str = ""
    file: str = ""
    old: list = dataclasses.field(default_factory=list)
    new: list = dataclasses.field(default_factory=list)

    def applied(self, text):
        """The source with this mistake in it."""
        old, new = "\n".join(self.old), "\n".join(self.new)
        times = text.count(old)
        if times != 1:
            raise BankError(
                f"{self.place}: the old text of '{self.name}' stands {times} times in {self.file}, not once."
            )
        return text.replace(old, new)


def read_line(mutant, line, place):
    kind, _, rest = line.partition(" ")
    if kind in ("why", "file"):
        setattr(mutant, kind, rest.strip())
    elif kind == "-" and not mutant.new:
        mutant.old.append(rest)
    elif kind == "+" and mutant.old:
        mutant.new.append(rest)
    else:
        raise BankError(f"{place}: expected 'why', 'file', '-' and then '+', got '{line}'.")


def read_file(path):
    mutants = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{path.name}:{number}"
        if line.startswith("== "):
            mutants.append(Mutant(line[3:].strip(), place))
        elif line and mutants:
            read_line(mutants[-1], line, place)
        elif line and not line.startswith("#"):
            raise BankError(f"{place}: expected a mutant's '== name' first, got '{line}'.")
    return mutants


def read_bank(folder=HERE):
    mutants = [mutant for path in sorted(folder.glob("*.txt")) for mutant in read_file(path)]
    names = set()
    for m in mutants:
        if not FORM.fullmatch(m.name) or m.name in names:
            raise BankError(
                f"{m.place}: '{m.name}' is no name of small letters and hyphens, or is taken."
            )
        names.add(m.name)
        if not (m.why and m.file and m.old and m.new) or m.old == m.new:
            raise BankError(f"{m.place}: '{m.name}' lacks why, file, - or +, or changes nothing.")
    # Neighbours in one file share a compilation: that file is not built whole in between.
    return sorted(mutants, key=lambda m: m.file)


def check(mutants, root):
    """Throws unless each mutant's old text occurs in its file exactly once."""
    complaints = []
    for m in mutants:
        try:
            m.applied((root / m.file).read_text(encoding="utf-8"))
        except OSError:
            complaints.append(f"{m.place}: '{m.name}' is of {m.file}, which is not there.")
        except BankError as e:
            complaints.append(str(e))
    if complaints:
        raise BankError("\n".join(complaints))
