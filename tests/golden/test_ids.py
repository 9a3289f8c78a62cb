"""The first ids of each family's version: same recipe, same bytes, on every machine and after every change."""

from __future__ import annotations

import pytest
from conftest import Golden

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import Spec
from strategies import Case, every_family, group

REMEDY = "bump the family's version if its output changed on purpose, then accept with: pytest tests/golden --update -n 0"


@pytest.mark.parametrize("family", every_family(), ids=lambda family: family.name)
def test_the_first_ids_of_this_version(family: AnyFamily, golden: Golden) -> None:
    """An id hashes the prompt, the puzzle, the answer and the proof's status: a change of any of them shows here."""
    case = Case(family, Spec(family.params()))
    count = 1 if family.small.puzzles(case.spec) == 1 else 3
    ids = [group(case, index)[0]["id"] for index in range(count)]
    golden.same(f"{family.name}-v{family.version}", ids, REMEDY)
