"""One whole prompt of each family, to be read by people when it changes."""

from __future__ import annotations

import pytest
from conftest import Golden

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import Spec
from strategies import Case, every_family, group

REMEDY = "read the new prompt; if it is better, bump the version and accept with: pytest tests/golden --update -n 0"


@pytest.mark.parametrize("family", every_family(), ids=lambda family: family.name)
def test_the_prompt_of_the_first_puzzle(family: AnyFamily, golden: Golden) -> None:
    """A prompt that changes by accident changes every score."""
    case = Case(family, Spec(family.params()))
    golden.same(f"{family.name}-v{family.version}", group(case, 0)[0]["prompt"].split("\n"), REMEDY)
