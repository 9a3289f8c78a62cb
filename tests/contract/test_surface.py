"""Gates on what the surface of prompts tells: 300 rows of each status, of families whose drafts are cheap.

`scripts/soak.py --surface 2000` measures the others too, at length.
"""

from __future__ import annotations

import pytest
from looks import LOOKS, look, seen

from puzzlemill.analysis.surface import told

GROUPS = 300
MOST = 0.55  # for the lower end of the interval
CHEAP = {
    "crypto": look("crypto", letters=12, task="pairs", samples=2),
    "hanoi": LOOKS["hanoi"],
    "hitori": look("hitori", rows=4, cols=4),
    "navigation": LOOKS["navigation"],
    "zebra": LOOKS["zebra"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHEAP)
def test_the_surface_does_not_tell_what_has_no_answer(name: str) -> None:
    """A model learns to see from counts or words which puzzles are spoilt, and never looks for a contradiction."""
    found = told(name, seen(CHEAP[name], GROUPS))
    assert found.unsolvable >= 0.9 * GROUPS
    assert {reader: auc for reader, auc in found.readers.items() if auc.low > MOST} == {}
