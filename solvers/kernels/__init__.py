"""numba kernels, keyed by the type of table (core/model.py), not by family.

Each module gives, for its table type:
    answers(table, limit, budget) -> Finding        up to `limit` different answers; `budget` bounds branching nodes
    minimize(table, order, keep, budget) -> positions of the clues that stay, ascending; None if the budget ran out; ValueError if
        there is not exactly one answer
    sample(table, rng) -> Slots | None              a random answer under the table's clues
    devise(table, rng) -> (Slots, numbers) | None   where clues are drawn with the answer: a random answer and its clues
    band(table) -> str                              of some: the band of its deduction (solvers/deduce), without the steps
    tier(table) -> int | None                       of some, in a module of its own (TIERS): that deduction's tier, without the
        steps; None where it does not know a technique that the puzzle may need
and for moves: route(table, budget) -> Route. Those of truth finding (core.model.Game) have callers of their own in solvers/play.
For FORCED questions: common(table, budget) -> Common; minimize keeps the forced slots there, and there is no sample.
Importing a kernel module compiles it (a few seconds, once per source; see compile.py), so they are imported at first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from puzzlemill.core.model import (
    AcrosticTable,
    CaseTable,
    CipherTable,
    CodeTable,
    Common,
    DropTable,
    ErasureTable,
    FillTable,
    Finding,
    GridTable,
    KinTable,
    LatinTable,
    LinesTable,
    MinesTable,
    MovesTable,
    PhraseTable,
    PositionTable,
    Route,
    SeatTable,
    SeriesTable,
    SightTable,
    Slots,
    SubstitutionTable,
    SumsTable,
    Table,
)
from puzzlemill.core.rng import Rng

_MODULES = {
    AcrosticTable: "acrostics",
    CaseTable: "conditions",
    CipherTable: "ciphers",
    CodeTable: "codes",
    DropTable: "drops",
    ErasureTable: "erase",
    FillTable: "fills",
    LatinTable: "latin",
    SightTable: "sight",
    LinesTable: "lines",
    PositionTable: "positions",
    GridTable: "grids",
    KinTable: "kin",
    MovesTable: "moves",
    MinesTable: "mines",
    SeatTable: "seats",
    PhraseTable: "phrases",
    SeriesTable: "series",
    SubstitutionTable: "substitution",
    SumsTable: "sums",
}
# the modules that find tiers; apart, and not of MODULES, so that they are compiled only where tiers are asked for
TIERS: dict[type, str] = {
    LatinTable: "latin_tier",
    LinesTable: "lines_tier",
    SightTable: "sight_tier",
    SumsTable: "sums_tier",
}
MODULES = (*_MODULES.values(), "deal", "play_compat", "play_exact")  # the last three: solvers/play calls them


def _module(table: Table) -> Any:
    return import_module(f"{__name__}.{_MODULES[type(table)]}")


def warm() -> None:
    """Compile every kernel, so that worker processes find them compiled; a note says that this was done, since loading all takes
    seconds."""
    compiler = import_module(f"{__name__}.compile")
    note = compiler.cache_folder() / "all"
    if not note.exists():
        compiler.announce()
        for name in MODULES:
            import_module(f"{__name__}.{name}")
        note.touch()


def answers(table: Table, limit: int, budget: int) -> Finding:
    """Up to `limit` different answers of a table of slots; the budget bounds branchings. Raises BadRow if it is malformed."""
    if limit < 1:
        raise ValueError(f"a limit is at least 1, got {limit}")
    finding: Finding = _module(table).answers(table, limit, budget)
    return finding


def minimize(table: Table, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """Positions of the clues that stay, ascending, when clues are left out in this order while exactly one answer remains.

    Stops at `keep` clues. None if the budget was not enough. Raises ValueError unless the table has exactly one answer, its clues
    are of different places, and the order names different clues.
    """
    clues: tuple[tuple[int, ...], ...] = getattr(table, "clues", ())
    if len(set(order)) != len(order) or (order and not 0 <= min(order) <= max(order) < len(clues)):
        raise ValueError(f"minimize needs different positions from 0 to {len(clues) - 1} in order")
    places = [clue[0] for clue in clues if len(clue) == 2]
    if len(set(places)) != len(places):
        raise ValueError("minimize needs clues of different places")
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
    """The band in which solvers/deduce puts a puzzle with one answer, where the kernel finds it faster; else None."""
    quick = getattr(_module(table), "band", None) if type(table) in _MODULES else None
    return None if quick is None else str(quick(table))


def tier(table: Table) -> int | None:
    """The tier that solvers/deduce finds for a puzzle with one answer or none, the same on every puzzle; None where no kernel
    knows it.
    """
    name = TIERS.get(type(table))
    found: int | None = None if name is None else import_module(f"{__name__}.{name}").tier(table)
    return found


def route(table: MovesTable, budget: int) -> Route:
    """The length of a shortest route."""
    found: Route = _module(table).route(table, budget)
    return found


def common(table: Table, budget: int) -> Common:
    """All that holds in every answer, for tables of families that ask FORCED questions."""
    found: Common = _module(table).common(table, budget)
    return found
