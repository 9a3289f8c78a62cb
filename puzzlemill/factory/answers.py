"""The split that an answer belongs to, where there are few answers up to symmetry (`Family.small.solutions`).

Each of them belongs to one split of a release, so that rows of two splits never share one. A split gets about the share of the
answers that it has of the groups. That depends on the recipe alone, so it is known before anything is built, and what belongs to
another split is drawn again at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.rng import digest, stream
from puzzlemill.core.rules import resolved
from puzzlemill.core.types import AnyPuzzle, Spec
from puzzlemill.factory.canonical import shape_hash
from puzzlemill.factory.recipe import Recipe, base_text, few_answers, sharing
from puzzlemill.generators import family_named
from puzzlemill.solvers.engines import Engines

_LISTED = 100  # answers up to which all are listed and dealt out; of more, hashes give every split its share well enough
_DRAWS = 10  # per answer of such a list: but one in 22,000 comes up, if each is as likely


def answer_key(family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None) -> str | None:
    """Equal for answers that a symmetry makes equal; None where there are many of them, or none."""
    if answer is None or family.small.solutions(puzzle.spec) is None:
        return None
    shape = family.solution(puzzle.spec, answer)
    return None if shape is None else shape_hash(shape)


def at_home(recipe: Recipe, split: str, family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None) -> bool:
    """Return whether a row of this split may have this answer."""
    key = answer_key(family, puzzle, answer)
    return key is None or _home(recipe, family.name, key) == split


def _home(recipe: Recipe, family: str, key: str) -> str:
    """The split that an answer of this key belongs to."""
    shares, listed = _dealt(recipe, family)
    if key in listed:
        return listed[key]
    place = int(digest("answers", family, key).hex()[:12], 16) * sum(shares.values()) >> 48
    for split, share in shares.items():
        place -= share
        if place < 0:
            return split
    raise AssertionError("the place is below the sum")


@lru_cache(maxsize=32)
def _dealt(recipe: Recipe, family: str) -> tuple[dict[str, int], dict[str, str]]:
    """Groups by split of the family's strata with few answers, and the splits of the answers that are listed."""
    listed: dict[str, str] = {}
    few = [each for stratum in recipe.strata if stratum.family == family for each in few_answers(stratum)]
    for spec in dict.fromkeys(spec for spec, count in few if count <= _LISTED):
        shares = sharing(recipe.strata, family, spec)
        keys = set(_keys(family_named(family), spec)) if len(shares) > 1 else ()
        dealt = Counter([listed[key] for key in keys if key in listed])
        for key in sorted(keys, key=lambda key: digest("answers", key)):
            if key not in listed:
                done, groups = dealt.total() + 1, sum(shares.values())
                # first of all a split that has none yet, then the one that lacks most of its share
                listed[key] = max(shares, key=lambda split: (not dealt[split], shares[split] * done - dealt[split] * groups))
                dealt[listed[key]] += 1
    return sharing(recipe.strata, family), listed


def _keys(family: AnyFamily, spec: Spec[Any]) -> Iterator[str]:
    """The answers of a spec that has few, mostly all of them, with repeats."""
    engines = Engines(family)
    for number in range(_DRAWS * (family.small.solutions(spec) or 0)):
        rng = stream("all answers", family.name, base_text(spec), number)
        try:
            settled = resolved(family.rules, spec, rng.child("settle"))
            draft = family.make_puzzle(settled, family.sample_solution(settled, rng.child("fill"), engines), rng.child("pose"))
        except Discarded:
            continue
        key = answer_key(family, draft.puzzle, draft.answer)
        if key is not None:
            yield key
