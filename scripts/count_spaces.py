"""Count puzzles and answers up to symmetry of all specs of the shipped recipes: `python scripts/count_spaces.py`.

Writes docs/design/answer_spaces.tsv; lines that are there stay. What a draw gives is compared with all draws before it, up to
10,000 of them or 1,000 pairs: if each of N puzzles is as likely, N is about draws**2 / 2 / pairs that are equal (capture and
recapture; where some come up more often than others, there are more than that). A spec is left as soon as its pairs are so few
that it has more than 100,000 puzzles and 10,000 answers but for one chance in forty. What differs from such a spec in size alone,
and is larger, is not drawn: there are no fewer.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from math import ceil, sqrt
from pathlib import Path
from typing import Any

from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.params import specialized
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.rules import resolved
from puzzlemill.core.types import AnyDraft, Spec
from puzzlemill.factory.build import _draw
from puzzlemill.factory.canonical import shape_hash
from puzzlemill.factory.conf import choices
from puzzlemill.generators import families, family_named
from puzzlemill.solvers.engines import Engines

OUT = Path(__file__).parents[1] / "docs" / "design" / "answer_spaces.tsv"
MOST, LEAST, STEP = 10_000, 1_000, 250  # draws
FEW_PUZZLES, FEW_ANSWERS = 100_000, 10_000
SIZES = (
    "positions",
    "attributes",
    "categories",
    "items",
    "rows",
    "cols",
    "size",
    "letters",
    "places",
    "truths",
    "actions",
    "disks",
    "pegs",
)
PAIRS = 1_000  # equal draws, from which a number is estimated within a tenth or so
Key = tuple[str, ...]  # family, parameters, rules
GIVE_UP = 20  # draws per one that is wanted
_INVENTED = re.compile(r'"invented:(?:[5-9]|[1-9]\d+)"')  # kumo's invented domains are draws of one generator: five tell enough
HEAD = """\
# Puzzles and answers up to symmetry by family, parameters and rules, made by `python scripts/count_spaces.py`.
# Numbers are estimates from so many draws (0: a smaller spec has more); > is what they are above; - of answers: they are made of
# names, or of a puzzle's own roads.
# family\tparams\trules\tdraws\tpuzzles\tanswers"""


def specs(names: list[str]) -> dict[Key, Spec[Any]]:
    """Every spec of the shipped recipes' parents and of their children that are drawn anew; arguments of rules are left open."""
    found: dict[Key, Spec[Any]] = {}
    for name in choices("release"):
        if name == "single":
            continue
        for stratum in recipe_of(compose([f"release={name}"])).strata:
            if stratum.family not in names:
                continue
            family = family_named(stratum.family)
            for base in stratum.bases():
                lines = [[], *[[t for each in stratum.lineage(v) for t in each.chain(family)] for v in stratum.variants]]
                for line in lines:
                    spec = base
                    for transform in line:
                        if transform.stage() == 0:
                            spec = transform.before(family, spec, stream("count", dumps(spec)))
                    if not _INVENTED.search(dumps(spec.params)):
                        found.setdefault(label(family, spec), spec)
    return found


def label(family: AnyFamily, spec: Spec[Any]) -> Key:
    return family.name, dumps(spec.params), ",".join([rule.name for rule in spec.rules])


def count(family: AnyFamily, spec: Spec[Any]) -> tuple[int, str, str]:
    """Draws, and what they say of puzzles and of answers."""
    engines = Engines(family)
    known = family.small.puzzles(spec)
    if family.name not in ("minesweeper",):  # there a drawn board is not the answer yet
        seen: Counter[str] = Counter()
        for number, rng in enumerate(streams("answers", family, spec), 1):
            draft = drawn_answer(family, spec, rng, engines)
            if draft is None:
                continue
            shape = family.solution(draft.puzzle.spec, draft.answer)
            if shape is None:
                if known is not None:
                    return 0, f"{known} (counted)", "-"
                break
            seen[shape_hash(shape)] += 1
            if seen.total() % STEP == 0 and seen.total() >= LEAST and above(seen) >= FEW_PUZZLES:
                return seen.total(), f">{FEW_PUZZLES}", f">{FEW_ANSWERS}"
            if number > 4 * MOST or (seen.total() == 2 * LEAST and above(seen) < FEW_PUZZLES):
                break  # too few to say it of puzzles too
    puzzles: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    for rng in streams("puzzles", family, spec):
        try:
            draft = _draw(family, specialized(spec, "0" * 16), rng, engines, False)
        except Discarded:
            continue
        puzzles[shape_hash(family.symmetry(draft.puzzle))] += 1
        shape = family.solution(draft.puzzle.spec, draft.answer) if draft.answer is not None else None
        if shape is not None:
            answers[shape_hash(shape)] += 1
        done = puzzles.total()
        if done == MOST or (done >= LEAST and done % STEP == 0 and told(puzzles, FEW_PUZZLES) and told(answers, FEW_ANSWERS)):
            break
    size = f"{known} (counted)" if known is not None else estimate(puzzles, FEW_PUZZLES)
    return puzzles.total(), size, estimate(answers, FEW_ANSWERS) if answers else "-"


def sizes(key: Key) -> tuple[str, tuple[int, ...]]:
    """All of a spec but its size, and the size."""
    params = json.loads(key[1])
    size = tuple([params.pop(name) for name in SIZES if name in params])
    return f"{key[0]} {params} {key[2]}", size


def smaller(key: Key, kept: Mapping[Key, str]) -> str:
    """The end of the line of a spec than which there is a smaller one with more puzzles and answers than are asked for."""
    rest, size = sizes(key)
    for other, line in kept.items():
        puzzles, answers = line.split("\t")[4:]
        there, least = sizes(other)
        many = puzzles[0] == ">" and answers[0] in ">-"
        if many and there == rest and all(a >= b for a, b in zip(size, least, strict=True)):
            return "\t".join(["0", puzzles, answers])
    return ""


def streams(what: str, family: AnyFamily, spec: Spec[Any]) -> Iterator[Rng]:
    for number in range(GIVE_UP * MOST):
        yield stream("count spaces", what, *label(family, spec), number)


def drawn_answer(family: AnyFamily, spec: Spec[Any], rng: Rng, engines: Engines) -> AnyDraft | None:
    try:
        settled = resolved(family.rules, specialized(spec, "0" * 16), rng.child("settle"))
        return family.make_puzzle(settled, family.sample_solution(settled, rng.child("fill"), engines), rng.child("pose"))
    except Discarded:
        return None


def above(seen: Counter[str]) -> float:
    """What the number is above, but for one chance in forty, from the pairs of equal draws."""
    pairs = sum(n * (n - 1) // 2 for n in seen.values())
    return float(seen.total() ** 2 / 2 / (pairs + 2 * sqrt(pairs + 1) + 1))


def told(seen: Counter[str], few: int) -> bool:
    """Say if further draws would tell little more: enough pairs for an estimate, or too few for a small number."""
    return not seen or above(seen) >= few or sum(n * (n - 1) // 2 for n in seen.values()) >= PAIRS


def estimate(seen: Counter[str], few: int) -> str:
    if above(seen) >= few:
        return f">{few}"
    once, twice = (sum(n == times for n in seen.values()) for times in (1, 2))
    return str(ceil(len(seen) + once * (once - 1) / (2 * (twice + 1))))  # Chao 1984: at least so many


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    names = parser.parse_args().families or [name for name in families() if not name.startswith("_")]
    kept: dict[Key, str] = {}
    if OUT.exists():
        for line in OUT.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                kept[tuple(line.split("\t")[:3])] = line
    wanted = specs(names)
    kept = {key: line for key, line in kept.items() if key[0] not in names or key in wanted}
    order = sorted(wanted.items(), key=lambda item: (names.index(item[0][0]), *sizes(item[0])[1]))
    for number, (key, spec) in enumerate(order, 1):
        if key in kept:
            continue
        last = smaller(key, kept) or "\t".join(map(str, count(family_named(key[0]), spec)))
        kept[key] = "\t".join([*key, last])
        print(f"{number}/{len(wanted)}", json.dumps(kept[key]), file=sys.stderr, flush=True)
        OUT.write_text("\n".join([HEAD, *[kept[each] for each in sorted(kept)]]) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
