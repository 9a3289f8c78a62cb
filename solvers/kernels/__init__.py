"""numba kernels, keyed by the type of table (core/model.py), not by family.

Each module gives, for its table type:
    answers(table, limit, budget) -> Finding        up to `limit` different answers; `budget` bounds branching nodes
    minimize(table, order, keep, budget) -> positions of the clues that stay, ascending; None if the budget ran out
    sample(table, rng) -> Slots | None              a random answer under the table's clues
    devise(table, rng) -> (Slots, numbers) | None   where clues are drawn with the answer: a random answer and its clues
    band(table) -> str                              of some: the band of its deduction (solvers/deduce), without the steps
and for moves: route(table, budget) -> Route. Those of truth finding (core.model.Game) have callers of their own in solvers/play.
For FORCED questions: common(table, budget) -> Common; minimize keeps the forced slots there, and there is no sample.
Importing a kernel module compiles it (a few seconds, once per source; see compile.py), so they are imported at first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from puzzlemill.core.model import (
    CipherTable,
    Common,
    ErasureTable,
    Finding,
    LatinTable,
    LinesTable,
    MinesTable,
    MovesTable,
    PositionTable,
    Route,
    SightTable,
    Slots,
    SumsTable,
    Table,
)
from puzzlemill.core.rng import Rng

_MODULES = {
    CipherTable: "ciphers",
    ErasureTable: "erase",
    LatinTable: "latin",
    SightTable: "sight",
    LinesTable: "lines",
    PositionTable: "positions",
    MovesTable: "moves",
    MinesTable: "mines",
    SumsTable: "sums",
}
_GAMES = ("deal", "play_compat", "play_exact")  # kernels of truth finding, which solvers/play calls itself


def _module(table: Table) -> Any:
    return import_module(f"{__name__}.{_MODULES[type(table)]}")


def warm() -> None:
    """Compile or load every kernel, so that worker processes find them compiled."""
    for name in (*_MODULES.values(), *_GAMES):
        import_module(f"{__name__}.{name}")


def answers(table: Table, limit: int, budget: int) -> Finding:
    """Up to `limit` different answers of a table of slots."""
    finding: Finding = _module(table).answers(table, limit, budget)
    return finding


def minimize(table: Table, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """Leave out clues in this order while exactly one answer remains, down to `keep` clues."""
    kept: tuple[int, ...] | None = _module(table).minimize(table, order, keep, budget)
    return kept


def sample(table: Table, rng: Rng) -> Slots | None:
    """A random answer, spread over the whole answer space."""
    drawn: Slots | None = _module(table).sample(table, rng)
    return drawn


def devise(table: Table, rng: Rng) -> tuple[Slots, tuple[int, ...]] | None:
    """A random answer, and the numbers which the clues state so that it is the only one: of each slot, or of each line."""
    drawn: tuple[Slots, tuple[int, ...]] | None = _module(table).devise(table, rng)
    return drawn


def band(table: Table) -> str | None:
    """The band in which solvers/deduce puts a puzzle with one answer, where the kernel tells it faster; else None."""
    quick = getattr(_module(table), "band", None)
    return None if quick is None else str(quick(table))


def route(table: MovesTable, budget: int) -> Route:
    """The length of a shortest route."""
    found: Route = _module(table).route(table, budget)
    return found


def common(table: Table, budget: int) -> Common:
    """What holds in every answer, for tables of families that ask FORCED questions."""
    found: Common = _module(table).common(table, budget)
    return found
