"""Start a new puzzle family: python scripts/new_family.py hashi

Copies the template (a real, tested puzzle) under the new name, and writes its configuration and a unit test beside it.
All three work at once: change the copy rule by rule and keep `pytest tests/contract -k NAME` green. Standard library only.
"""

from __future__ import annotations

import argparse
import ast
import keyword
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TAKEN = ("coin", "template", "families", "family")

TEST = '''"""{title}: what only this family promises; what all families promise is in tests/contract.

These tests hold for the copied template. Replace each when you replace the rule it is about.
"""

from __future__ import annotations

from puzzlemill.core.model import BLANK
from puzzlemill.core.rng import stream
from puzzlemill.core.types import Spec
from puzzlemill.generators.{name} import FAMILY, Params
from puzzlemill.solvers.engines import Engines


def test_the_rules_refuse_what_they_should() -> None:
    """broken_rules names the rule or the clue that is broken, and nothing else."""
    puzzle = FAMILY.examples()[1].puzzle
    assert FAMILY.broken_rules(puzzle, (0, 1, 0)) == []
    assert FAMILY.broken_rules(puzzle, (1, 1, 0)) == ["differ"]
    assert FAMILY.broken_rules(puzzle, (1, 0, 1)) == ["c2"]
    assert FAMILY.broken_rules(puzzle, (0, 1)) == ["malformed"]
    assert FAMILY.broken_rules(puzzle, (BLANK, 1, 0), partial=True) == []


def test_the_number_of_answers_is_the_one_worked_out_by_hand() -> None:
    """Without clues a row of coins has two answers; a rule too many or too few changes that."""
    spec = Spec(Params(5))
    oracle = Engines(FAMILY)
    hidden = FAMILY.sample_solution(spec, stream("{name}", 0), oracle)
    draft = FAMILY.make_puzzle(spec, hidden, stream("{name}", 1))
    assert oracle.count(draft.puzzle.with_clues(()), 10) == 2
    assert oracle.count(draft.puzzle, 10) == 1


def test_the_text_shows_the_puzzle() -> None:
    """The board stands in the prompt as its picture says."""
    assert "? T ?" in FAMILY.render(FAMILY.examples()[1].puzzle)
'''

NEXT = """Now change the rules one by one, and keep this green, from the root of the checkout:
    PYTHONPATH=.:tests .venv/dev/bin/python -m pytest -n 0 tests/contract/test_agreement.py tests/contract/test_text.py \\
        tests/unit/test_{name}.py -k {name}
`make .venv/dev/locked` makes the environment, once; the first run takes about a minute, later ones 10 seconds.
An installed puzzlemill does not know the new family: PYTHONPATH=. .venv/dev/bin/python -m puzzlemill show {name}
docs/families.md says what comes next."""


def class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def family_source(template: str, name: str) -> str:
    """The template under the new name. Raises ValueError if the template no longer holds what is replaced."""
    title = name.replace("_", " ").capitalize()
    swaps = [
        (r'\A"""Coin: [^\n]*\n', f'"""{title}: one line that says what is asked; replace the rules below one by one.\n'),
        (r"\bclass Coin\(", f"class {class_name(name)}("),
        (r"\bFAMILY = Coin\(\)", f"FAMILY = {class_name(name)}()"),
        (r'source = "coin", 1, "Coins"', f'source = "{name}", 1, "{title}"'),
        (r'"coin\\n', f'"{name}\\\\n'),
    ]
    for pattern, new in swaps:
        template, changed = re.subn(pattern, new, template)
        if not changed:
            raise ValueError(f"the template has no {pattern!r} any more; mend scripts/new_family.py")
    return template


def family_config(source: str, name: str) -> str:
    """conf/family/NAME.yaml: the defaults of the file's class Params."""
    params = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == "Params")
    lines = [f"name: {name}", "params:"]
    for field in params.body:
        if isinstance(field, ast.AnnAssign) and field.value is not None:
            value = ast.literal_eval(field.value.args[0] if isinstance(field.value, ast.Call) else field.value)  # Param(2, ...)
            shown = str(value).lower() if type(value) is bool else str(value)
            lines.append(f"  {ast.unparse(field.target)}: {shown}")
    return "\n".join([*lines, "rules: []", ""])


def create(root: Path, name: str) -> list[Path]:
    """Write the three files and say which. Raises ValueError, and writes nothing, if the name cannot be used."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", name) or name.endswith("_") or "__" in name or keyword.iskeyword(name):
        raise ValueError(f"{name!r} cannot be a family's name: 2 to 31 lower-case letters, digits and single underscores")
    if name in TAKEN:
        raise ValueError(f"the name {name!r} is taken by Puzzlemill itself; choose another")
    template = (root / "generators/_template.py").read_text(encoding="utf-8")
    source = family_source(template, name)
    files = {
        root / "generators" / f"{name}.py": source,
        root / "conf/family" / f"{name}.yaml": family_config(source, name),
        root / "tests/unit" / f"test_{name}.py": TEST.format(name=name, title=name.replace("_", " ").capitalize()),
    }
    for path in files:
        if path.exists():
            raise ValueError(f"{path} exists; choose another name or remove the file")
        if not path.parent.is_dir():
            raise ValueError(f"{path.parent} is not a folder; is {root} a checkout of Puzzlemill?")
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return list(files)


def main() -> int:
    parser = argparse.ArgumentParser(description="Start a new puzzle family from the template.")
    parser.add_argument("name", help="lower-case, for example hashi; becomes the file, the class and the id prefix")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout to write into (default: this one)")
    args = parser.parse_args()
    try:
        written = create(args.root, args.name)
    except (ValueError, OSError) as error:
        print(f"new_family: {error}", file=sys.stderr)
        return 2
    for path in written:
        print(f"wrote {path.relative_to(args.root)}")
    print(NEXT.format(name=args.name))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
