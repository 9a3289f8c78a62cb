"""What is measured. Each function gives the lines of one subject.

"drafted" is what a peer's generator does too: draw an answer, state clues, leave them out while the answer stays the only one,
and word the puzzle. A row of a release is more than that (two proofs, canonical key, gold reply): see the line "rows".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import memory
import numpy as np
import peers
import tasks
from measure import Batch, Line, clock, rates

from puzzlemill.chains.cut import cut
from puzzlemill.chains.judge import Judge
from puzzlemill.chains.rows import scene_of_row
from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import Game, MovesTable
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.rules import resolved
from puzzlemill.core.types import Puzzle, Rule, Spec, Status
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.make import make
from puzzlemill.factory.reasoning import Options, reasoning
from puzzlemill.generators import family_named
from puzzlemill.kumo.domain import files
from puzzlemill.kumo.domain.structure import domain_of
from puzzlemill.kumo.trajectories import Plan
from puzzlemill.kumo.trajectories import write as trajectories
from puzzlemill.scoring.prompt import prompt
from puzzlemill.scoring.score import score
from puzzlemill.solvers import kernels
from puzzlemill.solvers.certify import certify
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.engines import Engines, common
from puzzlemill.solvers.kernels import bands
from puzzlemill.solvers.play import compat, exact
from puzzlemill.solvers.play.deal import deal_many, overlap, sat_deals
from puzzlemill.solvers.play.plain_compat import PlainCompat
from puzzlemill.solvers.play.plain_exact import PlainExact

HERE = Path(__file__).parent
PLENTY = 1 << 40


class Drafts:
    """A family's next puzzles of one sort: call it for a batch. kept: the puzzles drafted so far; tried: drafts for them.

    low, high: how many clues stay. band: only puzzles that grade so count. prove: each is proved as a row of a release is, with
    the need of every optional rule; one that is not proved does not count.
    """

    def __init__(
        self,
        family: str,
        batch: int,
        low: int = 0,
        high: int = 0,
        rules: tuple[Rule, ...] = (),
        band: str = "",
        prove: bool = False,
        **params: int | str,
    ) -> None:
        self.family = family_named(family)
        self.spec: Spec[Any] = Spec(self.family.params(**params), rules)
        self.engines = Engines(self.family)
        self.batch, self.low, self.high = batch, low, high
        self.band, self.prove = band, prove
        self.tried = 0
        self.kept: list[Puzzle[Any, Any]] = []

    def __call__(self) -> int:
        begun = len(self.kept)
        while len(self.kept) < begun + self.batch:
            self.tried += 1
            with suppress(Discarded):
                self._draft(stream("benchmark", self.family.name, self.tried))
        return self.batch

    def _draft(self, rng: Rng) -> None:
        spec = resolved(self.family.rules, self.spec, rng.child("settle"))
        draft = self.family.make_puzzle(
            spec, self.family.sample_solution(spec, rng.child("fill"), self.engines), rng.child("pose")
        )
        order = self.family.clues.removal_order(draft, rng.child("thin"))
        keep = rng.between(self.low, self.high) if self.high else self.family.clues.kept(spec)
        stay = self.engines.minimize(draft.puzzle, order, keep)
        puzzle = draft.puzzle.with_clues([draft.puzzle.clues[i] for i in stay])
        if not self.family.clues.usable(replace(draft, puzzle=puzzle)):
            return
        if self.band:
            if self.band == "hard" and not self.engines.nodes(puzzle):
                return  # propagation alone solves it: not hard
            band = self.engines.band(puzzle)
            if band is None:
                graded = grade(self.family, puzzle, draft.answer)
                band = graded.band if graded else None
            if band != self.band:
                return
        if self.prove:
            certify(self.family, puzzle, draft.answer, self.engines.budget, expect=Status.UNIQUE)
        if not self.family.render(puzzle):
            raise AssertionError("an empty prompt")
        self.kept.append(puzzle)

    def clues(self) -> float:
        """The mean number of clues."""
        return sum(len(puzzle.clues) for puzzle in self.kept) / len(self.kept)


def against(
    what: str, drafts: Drafts, peer: str, batch: Batch | None, *, repeats: int, least: float = 0, times: float = 0
) -> Line:
    """One line of drafted puzzles per second beside a peer. Goal: at least `least` a second, or `times` the peer's rate."""
    found = rates(drafts, repeats=repeats) if batch is None else rates(drafts, batch, repeats=repeats)
    ours, theirs = found[0], found[1] if batch else None
    goal, met = "", None
    if least:
        goal, met = f">= {least:,.0f}", ours >= least
    elif times:
        goal, met = f">= {times:,.0f} x peer", None if theirs is None else ours >= times * theirs
    return Line(what, "puzzles/s", ours, goal, met, peer, theirs, f"{drafts.clues():.1f} clues on average")


def puzzles(name: str, famous: bool = False) -> Any:
    """The sudokus of a file, shape [k, 81]: one per line, a blank is "." or "0", and a note may follow.

    famous: only those that have a note, the name they go by.
    """
    lines = [
        line.split(maxsplit=1) for line in (HERE / name).read_text().splitlines() if line.strip() and not line.startswith("#")
    ]
    digits = [["123456789".find(c) for c in line[0]] for line in lines if len(line) > 1 or not famous]
    if not digits or any(len(row) != 81 for row in digits):
        raise ValueError(f"benchmarks/{name}: expected lines of 81 characters")
    return np.array(digits, dtype=np.int8)


def scrambled(given: Any, rng: Rng) -> Any:
    """The same sudokus [k, 81] in other clothes: turned over or not, bands, stacks, rows, columns and digits in another order."""
    rows, columns = ([3 * band + i for band in rng.shuffled(range(3)) for i in rng.shuffled(range(3))] for _ in range(2))
    grids = given.reshape(-1, 9, 9)[:, rows][:, :, columns]
    if rng.chance(1, 2):
        grids = grids.transpose(0, 2, 1)
    return np.array([*rng.shuffled(range(9)), -1], dtype=np.int8)[grids].reshape(-1, 81)


def decided(given: Any, copies: int) -> Batch:
    """Uniqueness of every puzzle in `copies` scrambled forms each, in one call of the kernel."""
    rng = stream("benchmark", "forms")
    many = np.ascontiguousarray(np.concatenate([scrambled(given, rng.child(i)) for i in range(copies)]))

    def batch() -> int:
        counts = np.zeros(len(many), dtype=np.int64)
        bands.count_many(many, 2, PLENTY, counts)
        if not (counts == 1).all():
            raise AssertionError("a sudoku of the lists without exactly one answer")
        return len(many)

    return batch


def sudoku() -> Iterator[Line]:
    hard = "sudoku_hardest.txt"
    for what, given, copies, goal in (
        ("17 clues", puzzles("sudoku17.txt"), 1_000, 150_000),
        ("hardest", puzzles(hard), 200, 6_000),
        ("the famous ones of these", puzzles(hard, famous=True), 500, 6_000),
    ):
        rate = rates(decided(given, copies), repeats=7)[0]
        note = f"{len(given)} puzzles in {copies:,} scrambled forms each, one kernel call"
        yield Line(f"sudoku 9x9, {what}: one answer?", "puzzles/s", rate, f">= {goal:,}", rate >= goal, note=note)
    yield from _thinned()


def _thinned() -> Iterator[Line]:
    """Puzzles with few clues beside a peer that is asked for as many blanks; both leave it where no clue can go."""
    turn = 0

    def minted() -> int:
        nonlocal turn
        turn += 1
        bands.minimal(stream("benchmark", "minimal", turn), 500)
        return 500

    yield Line(
        "sudoku 9x9, minimal, kernel alone", "puzzles/s", rates(minted)[0], note="500 drawn and minimized in one kernel call"
    )
    for low, high, batch in ((50, 55, 10), (56, 60, 4)):
        name, theirs = peers.reasoning_gym("sudoku", batch, min_empty=low, max_empty=high)
        ours = Drafts("sudoku", 400, low=81 - high, high=81 - low, size=9)
        what = f"sudoku 9x9, {low}-{high} blanks asked, drafted"
        line = against(what, ours, name, theirs, repeats=5, times=500 if high == 60 else 0)  # only these are minimal
        blanks = f"{81 - ours.clues():.1f} blanks on average"
        if theirs is not None:
            found = [sum(row.count(0) for row in item["metadata"]["puzzle"]) for item in theirs.made]
            blanks += f", theirs {sum(found) / len(found):.1f}"
        yield replace(line, note=blanks)


def binario() -> Iterator[Line]:
    """The peer stops where its own deductions no longer solve a puzzle; ours goes on to a minimal set of clues."""
    for what, code, rules in (("", "14x14dn", ()), (" with distinct lines", "14x14udn", (Rule("distinct"),))):
        name, theirs = peers.tatham("unruly", code, 200)
        ours = Drafts("binario", 60, rules=rules, rows=14, cols=14)
        yield against(f"binario 14x14{what}, minimal, drafted", ours, name, theirs, repeats=5, times=1)


def zebra() -> Iterator[Line]:
    for size, batch, theirs_batch, goal, repeats in ((4, 200, 6, 250, 5), (6, 25, 1, 30, 3)):
        name, theirs = peers.reasoning_gym("zebra_puzzles", theirs_batch, num_people=size, num_characteristics=size)
        ours = Drafts("zebra", batch, positions=size, attributes=size)
        line = against(f"zebra {size}x{size}, minimal, drafted", ours, name, theirs, repeats=repeats, least=goal)
        kinds = Counter(clue.kind for puzzle in ours.kept for clue in puzzle.clues)
        total = sum(kinds.values())
        mix = ", ".join(f"{kind} {100 * count / total:.0f}%" for kind, count in kinds.most_common())
        yield replace(line, note=f"{line.note}: {mix}")


def logic_grid() -> Iterator[Line]:
    """No peer makes logic grids; the nearest makes zebra puzzles, which have positions in place of a scale."""
    for categories, items, batch, goal in ((3, 4, 200, 0), (4, 5, 100, 150), (4, 7, 30, 0)):
        ours = Drafts("logic_grid", batch, categories=categories, items=items)
        yield against(f"logic grid {categories}x{items}, minimal, drafted", ours, "", None, repeats=5, least=goal)
    turn = 0

    def whole() -> int:
        nonlocal turn
        for _ in range(20):
            turn += 1
            row = make("logic_grid", seed="benchmark", index=turn, categories=4, items=5)
            if not row["trace"]:
                raise AssertionError("a row without a trace")
        return 20

    rate = rates(whole, repeats=5)[0]
    note = "drafted, two proofs, canonical key, gold reply, every step of the trace in words"
    yield Line("logic grid 4x5, whole rows", "rows/s", rate, ">= 25", rate >= 25, note=note)


def ordering() -> Iterator[Line]:
    """No peer makes orderings."""
    for persons, batch, goal in ((6, 300, 500), (8, 200, 0)):
        ours = Drafts("ordering", batch, persons=persons)
        yield against(f"ordering of {persons}, minimal, drafted", ours, "", None, repeats=5, least=goal)
    turn = 0

    def whole() -> int:
        nonlocal turn
        for _ in range(20):
            turn += 1
            make("ordering", seed="benchmark", index=turn, persons=6, ask=("whole", "option")[turn % 2])
        return 20

    rate = rates(whole, repeats=5)[0]
    note = "whole orders and questions with options by turns; drafted, two proofs, canonical key, gold reply, trace in words"
    yield Line("ordering of 6, whole rows", "rows/s", rate, ">= 25", rate >= 25, note=note)


def seating() -> Iterator[Line]:
    """No peer makes seatings."""
    for shape in ("row", "circle"):
        ours = Drafts("seating", 200, shape=shape, persons=8)
        yield against(f"seating, {shape} of 8, minimal, drafted", ours, "", None, repeats=5, least=100)
    turn = 0

    def whole() -> int:
        nonlocal turn
        for _ in range(20):
            turn += 1
            if not make("seating", seed="benchmark", index=turn, shape="row", persons=8)["trace"]:
                raise AssertionError("a row without a trace")
        return 20

    rate = rates(whole, repeats=5)[0]
    note = "drafted, two proofs, canonical key, gold reply, every step of the trace in words"
    yield Line("seating, row of 8, whole rows", "rows/s", rate, ">= 25", rate >= 25, note=note)


def blood_relations() -> Iterator[Line]:
    """The peer tells a family in sentences and asks how two people are related; it proves nothing."""
    name, theirs = peers.reasoning_gym("family_relationships", 200)
    for people, goal in ((6, 0), (7, 50), (9, 0)):
        ours = Drafts("blood_relations", 100, people=people)
        yield against(f"blood relations, {people} people, minimal, drafted", ours, name, theirs, repeats=5, least=goal)
    turn = 0

    def whole() -> int:
        nonlocal turn
        for _ in range(20):
            turn += 1
            make("blood_relations", seed="benchmark", index=turn, ask=("whole", "option")[turn % 2])
        return 20

    rate = rates(whole, repeats=5)[0]
    yield Line("blood relations, 7 people, whole rows", "rows/s", rate, ">= 25", rate >= 25, note="half of them with options")


def hitori() -> Iterator[Line]:
    """The peer's grades: Easy has our tiers 1 and 2 (easy), Tricky also cells that would shut others off and offset pairs, of our
    tiers 3 and 4 (medium); it refuses a puzzle that grades lower than asked, as is done here.
    """
    for size, code, band, batch in ((8, "8x8dk", "medium", 200), (12, "12x12dk", "medium", 60), (8, "8x8de", "easy", 20)):
        name, theirs = peers.tatham("singles", code, 200)
        ours = Drafts("hitori", batch, band=band, rows=size, cols=size)
        times = 1 if band == "medium" else 0  # of puzzles drawn evenly few are easy, and they are not what is asked for
        line = against(f"hitori {size}x{size}, graded {band}, drafted", ours, name, theirs, repeats=5, times=times)
        yield replace(line, note=f"{ours.tried:,} drafts for {len(ours.kept):,}; one answer, by the kernel that draws it")


def minesweeper() -> Iterator[Line]:
    """Boards as drawn; of each the set of cells that must be mines, every cell both ways, by the kernel and by SAT, compared.

    The peer makes boards that can be played through without a guess; what must be a mine on a given board it does not say.
    """
    family = family_named("minesweeper")
    engines = Engines(family)
    for opened, total, least in ((50, False, 2_000), (50, True, 800), (70, False, 0), (70, True, 0)):
        spec: Spec[Any] = Spec(family.params(rows=9, cols=9, mines=35, opened=opened, total=total))
        boards = [
            family.make_puzzle(spec, family.sample_solution(spec, rng.child("fill"), engines), rng.child("pose")).puzzle
            for rng in (stream("benchmark", "minesweeper", i) for i in range(400))
        ]

        def proved(boards: Sequence[Puzzle[Any, Any]] = boards) -> int:
            for puzzle in boards:
                first, second = (common(family, puzzle, engine, engines.budget) for engine in ("kernel", "sat"))
                if first is None or second is None or first.values is None or first.values != second.values:
                    raise AssertionError("a board on which the two do not agree, or none is sure")
            return len(boards)

        def certified(boards: Sequence[Puzzle[Any, Any]] = boards) -> int:
            for puzzle in boards:
                certify(family, puzzle, None, engines.budget, expect=Status.UNIQUE)
            return len(boards)

        what = f"minesweeper 9x9, 35 mines, {opened} % of safe cells opened, total {'told' if total else 'not told'}"
        rate, whole = rates(proved)[0], rates(certified)[0]
        note = f"each cell both ways by two formulations; {whole:,.0f} certificates/s, every assignment shown to the checker"
        goal = f">= {least:,}" if least else ""
        yield Line(f"{what}, proved", "boards/s", rate, goal, rate >= least if least else None, "none", note=note)


def skyscraper() -> Iterator[Line]:
    """The peer's grades: Easy looks at single hints, Hard at the orders of a line too, which our tiers 3 and 4 do (medium);
    harder ones take forcing chains, as our look-aheads (hard). A puzzle without a spare clue is hardly ever easy. The peer's have
    three or four buildings shown, so ours may have four.
    """
    for what, code, band, params, batch in (
        ("minimal", "6dh", "", {"shown": 4}, 200),
        ("up to 32 clues, graded easy", "6de", "easy", {"shown": 16, "clues": 32}, 100),
    ):
        name, theirs = peers.tatham("towers", code, 200)
        ours = Drafts("skyscraper", batch, band=band, size=6, **params)
        line = against(f"skyscraper 6x6, {what}, drafted", ours, name, theirs, repeats=5, times=0 if band else 2)
        found = Counter(_band(ours.family, puzzle, ours.engines) for puzzle in ours.kept[:200])
        shares = ", ".join(f"{100 * count / found.total():.0f}% {grade}" for grade, count in sorted(found.items()))
        yield replace(line, note=f"{line.note}; {ours.tried:,} drafts for {len(ours.kept):,}; {shares}")
    for what, rules, params in (
        ("6x6, hints alone", (), {"size": 6}),
        ("6x6, all 24 hints", (), {"size": 6, "clues": 24}),
        ("6x6, hints at corners, minimal", (Rule("diagonal_hints"),), {"size": 6}),
        ("8x8, 8 shown at most, minimal", (), {"size": 8, "shown": 8}),
    ):
        ours = Drafts("skyscraper", 40, rules=rules, **params)
        rate = rates(ours, repeats=3)[0]
        yield Line(f"skyscraper {what}, drafted", "puzzles/s", rate, note=f"{ours.clues():.1f} clues on average")


def _band(family: Any, puzzle: Puzzle[Any, Any], engines: Engines) -> str:
    """The band of a puzzle that has one answer."""
    graded = grade(family, puzzle, family.form.assemble(puzzle.spec, puzzle.board, engines.answers(puzzle, 1)[0]))
    return "none" if graded is None else graded.band


def kakurasu() -> Iterator[Line]:
    """The peer keeps grids only if no line is empty and sums of rows make as much as sums of columns; ours need not."""
    for what, params, settings, batch, theirs_batch, times in (
        ("8x8", {"rows": 8, "cols": 8}, {"min_rows": 8, "max_rows": 8, "min_cols": 8, "max_cols": 8}, 500, 10, 10),
        ("4x5", {"rows": 4, "cols": 5}, {}, 2_000, 1_000, 0),
    ):
        name, theirs = peers.reasoning_gym("kakurasu", theirs_batch, **settings)
        ours = Drafts("kakurasu", batch, **params)
        line = against(f"kakurasu {what}, drafted", ours, name, theirs, repeats=5, times=times)
        share = 100 * sum(map(_level, ours.kept)) // len(ours.kept)
        note = f"all hints shown; those of rows make as much as those of columns in {share}%"
        if theirs is not None:
            level = [sum(item["metadata"]["row_sums"]) == sum(item["metadata"]["col_sums"]) for item in theirs.made]
            note += f", theirs in {100 * sum(level) // len(level)}%" + ("" if settings else "; theirs of 4 or 5 rows and columns")
        yield replace(line, note=note)
    for what, rules, params, batch in (
        ("10x10", (), {"rows": 10, "cols": 10}, 40),
        ("7x7, blocked cells, 4 hints hidden", (Rule("blocked_cells"),), {"rows": 7, "cols": 7, "hidden": 4}, 200),
    ):
        ours = Drafts("kakurasu", batch, rules=rules, **params)
        rate = rates(ours, repeats=3)[0]
        yield Line(f"kakurasu {what}, drafted", "puzzles/s", rate, note=f"{ours.clues():.1f} hints on average")


def _level(puzzle: Puzzle[Any, Any]) -> bool:
    """Whether the hints of a kakurasu's rows add up to as much as those of its columns."""
    sides = [sum(clue.ints()[1] for clue in puzzle.clues if clue.kind == kind) for kind in ("row", "column")]
    return sides[0] == sides[1]


def hanoi() -> Iterator[Line]:
    for disks, moves, most in ((14, 113, 1), (16, 161, 2)):

        def batch(disks: int = disks, moves: int = moves) -> int:
            if kernels.route(MovesTable(4, (0,) * disks, (3,) * disks), 20_000_000).length != moves:
                raise AssertionError(f"4 pegs and {disks} disks take {moves} moves")
            return 1

        seconds = 1 / rates(batch)[0]
        what = f"hanoi, 4 pegs, {disks} disks: least moves and a list"
        yield Line(what, "s", seconds, f"< {most}", seconds < most, note=f"{moves} moves, proved")


def navigation() -> Iterator[Line]:
    """Whole puzzles: drawn, proved by two formulations, worded. The nearest peer asks for a way through a grid of open and
    blocked cells, without lengths or landmarks, and proves nothing."""
    family = family_named("navigation")
    engines = Engines(family)

    def drawing(spec: Spec[Any], key: bool) -> Batch:
        turn = 0

        def batch() -> int:
            nonlocal turn
            for _ in range(500):
                turn += 1
                rng = stream("benchmark", "navigation", turn)
                draft = family.make_puzzle(spec, family.sample_solution(spec, rng.child("fill"), engines), rng.child("pose"))
                certify(family, draft.puzzle, draft.answer, engines.budget, expect=Status.OPTIMAL)
                if not prompt(draft.puzzle, "json") or (key and not canonical_key(family, draft.puzzle)):
                    raise AssertionError("an empty prompt or key")
            return 500

        return batch

    plain: dict[str, Any] = {}
    for what, params, rules, key, goal in (
        ("12 places, 24 paths", plain, (), False, 5_000),
        ("12 places, 24 paths, with its canonical key", plain, (), True, 0),
        ("12 places, 24 paths, by way of a landmark", plain, (Rule("via"),), False, 0),
        ("12 places, 24 paths, decoys", {"decoy": True}, (), False, 0),
        ("26 places, 60 paths, 5 or more on a route", {"places": 26, "paths": 60, "hops": 5}, (), False, 0),
    ):
        ours = drawing(Spec(family.params(**params), rules), key)
        name, theirs = ("", None) if rules or params or key else peers.reasoning_gym("shortest_path", 500)
        found = rates(ours, repeats=5) if theirs is None else rates(ours, theirs, repeats=5)
        asked, met = (f">= {goal:,}", found[0] >= goal) if goal else ("", None)
        note = "two proofs and text" + ("; the peer's are grids of 5x5 to 8x8 cells" if name else "")
        yield Line(f"navigation, {what}", "puzzles/s", found[0], asked, met, name, found[1] if theirs else None, note)


def acrostic() -> Iterator[Line]:
    """Words for exactly the letters of a quotation, each with a clue, unique against the lexicon. No peer makes any."""
    cases: tuple[tuple[str, int, dict[str, int | str]], ...] = (
        ("110 letters", 20, {}),
        ("214 letters", 20, {"letters": 214}),
        ("110 letters, anagrams and hidden words", 10, {"clues": "cryptic"}),
    )
    for what, batch, params in cases:
        rate = rates(Drafts("acrostic", batch, prove=False, **params), repeats=3)[0]
        met = None if "clues" in params else rate >= 2
        note = "unique among all quotations of 34,000 words"
        yield Line(f"acrostic, {what}, drafted", "puzzles/s", rate, ">= 2" if met is not None else "", met, note=note)
    rate = rates(Drafts("acrostic", 6, prove=True, letters=214), repeats=1)[0]
    yield Line(
        "acrostic, 214 letters, proved", "puzzles/s", rate, "", None, note="by the kernel and by clauses of the whole list"
    )


def whole_rows(family: str, **params: Any) -> Line:
    """Whole rows of a family, half of them with options."""
    turn = 0

    def batch() -> int:
        nonlocal turn
        for _ in range(20):
            turn += 1
            make(family, seed="benchmark", index=turn, ask=("whole", "option")[turn % 2], **params)
        return 20

    rate = rates(batch, repeats=5)[0]
    what = ", ".join([family.replace("_", " "), *map(str, params.values()), "whole rows"])
    note = "half of them with options; drafted, two proofs, canonical key, gold reply, trace in words"
    return Line(what, "rows/s", rate, ">= 25", rate >= 25, note=note)


def number_series() -> Iterator[Line]:
    """Every series has one reading among all rules of the grammar. Of the peer's nobody knows how many they have."""
    name, theirs = peers.reasoning_gym("number_sequence", 500)
    for task, goal in (("missing", 500), ("next", 500), ("wrong", 500)):
        ours = Drafts("number_series", 200, task=task)
        yield against(f"number series, {task}, drafted", ours, name, theirs, repeats=5, least=goal)
    for task in ("missing", "wrong"):
        yield whole_rows("number_series", task=task)


def coding() -> Iterator[Line]:
    """Every puzzle unique among all codes of the class, by two formulations. No peer does that."""
    cases: tuple[tuple[str, dict[str, int | str]], ...] = (
        ("words in letters", {}),
        ("words in numbers", {"task": "numbers"}),
        ("sums", {"task": "sums", "samples": 4}),
        ("sentences", {"task": "sentences", "samples": 4}),
        ("conditions", {"task": "conditions"}),
    )
    for what, params in cases:
        rate = rates(Drafts("coding", 200, prove=False, **params), repeats=5)[0]
        yield Line(
            f"coding, {what}, drafted", "puzzles/s", rate, ">= 300", rate >= 300, note="unique among 1,536 to 18,728 codes"
        )
    for task in ("letters", "sentences"):
        yield whole_rows("coding", task=task, samples=3)


def drop_quote() -> Iterator[Line]:
    """Every puzzle unique against the declared lexicon. No peer proves that."""
    cases: tuple[tuple[str, int, dict[str, int | str]], ...] = (
        ("3 rows of 22", 0, {}),
        ("5 rows of 20", 5, {"rows": 5, "cols": 20}),
        ("5 rows of 20, rare words", 5, {"rows": 5, "cols": 20, "lexicon": "rare"}),
    )
    for what, goal, params in cases:
        rate = rates(Drafts("drop_quote", 100, prove=False, **params), repeats=5)[0]
        asked, met = (f">= {goal}", rate >= goal) if goal else ("", None)
        yield Line(f"drop quote, {what}, drafted", "puzzles/s", rate, asked, met, note="unique among 34,000 or 75,000 words")
        rate = rates(Drafts("drop_quote", 20, prove=True, **params), repeats=3)[0]
        yield Line(f"drop quote, {what}, with two proofs", "puzzles/s", rate, note="the second by clauses")


def cryptogram() -> Iterator[Line]:
    """Every puzzle unique among all words of the lexicon. No peer does that."""
    cases: tuple[tuple[str, dict[str, int | str | bool]], ...] = (
        ("two sentences", {}),
        ("two sentences, three letters revealed", {"revealed": 3}),
        ("two sentences, none revealed", {"level": "hard"}),
        ("rare words, none revealed", {"level": "hard", "lexicon": "rare"}),
        ("four sentences, none revealed", {"level": "hard", "sentences": 4}),
    )
    for what, params in cases:
        rate = rates(Drafts("cryptogram", 100, prove=False, **params), repeats=5)[0]
        yield Line(f"cryptogram, {what}, drafted", "puzzles/s", rate, ">= 20", rate >= 20, note="unique by the kernel")
    rate = rates(Drafts("cryptogram", 10, prove=True), repeats=3)[0]
    yield Line("cryptogram, two sentences, proved", "puzzles/s", rate, ">= 2", rate >= 2, note="kernel and clauses")


def crossword() -> Iterator[Line]:
    """Grid, fill and clues of every puzzle drawn until one fill is left. No peer proves that there is no other fill.

    Of what PyPI has, blacksquare 0.10.0 fills grids from a list of words. It needs pandas, so it was measured once, apart from
    these lines: 30 grids of ours and our words, no clues, fills per second of processor time on a busy machine, its own and then
    those of our kernel: 5x5 fully checked 38 and 158, 10x10 lattice 1,480 and 525, 15x15 lattice 131 and 299. Others
    were not run: genxword lays given words out, and crossword-generator and crossword-puzzle were only downloaded.
    """
    cases: tuple[tuple[str, int, int, dict[str, int | str]], ...] = (
        ("5x5 lattice", 200, 50, {"size": 5}),
        ("10x10 lattice", 60, 5, {"size": 10}),
        ("15x15 lattice", 20, 1, {"size": 15}),
        ("5x5 fully checked, known words", 100, 50, {"size": 5, "style": "checked", "lexicon": "known"}),
        ("5x5 fully checked, all words", 40, 5, {"size": 5, "style": "checked", "lexicon": "rare"}),
    )
    for what, count, wanted, params in cases:
        rate = rates(Drafts("crossword", count, prove=False, **params), repeats=3)[0]
        yield Line(f"crossword, {what}, drafted", "puzzles/s", rate, f">= {wanted}", rate >= wanted, note="with one fill")


def crypto() -> Iterator[Line]:
    """Every puzzle with its whole class of hypotheses enumerated, by two formulations. No peer does that: the nearest one shifts
    sentences of one story by one of 25 keys.
    """
    name, theirs = peers.reasoning_gym("caesar_cipher", 2_000)
    pairs: dict[str, int | str] = {"task": "pairs", "samples": 2}
    cases: tuple[tuple[str, int, dict[str, int | str]], ...] = (
        ("method told", 400, {}),
        ("3 layers told", 200, {"layers": 3}),
        ("3 layers in an order to be found", 100, {"task": "unordered", "layers": 3, "samples": 2}),
        ("2 samples", 100, pairs),
        ("2 samples, all keys", 50, {**pairs, "keys": 25}),
        ("2 samples, encrypted twice", 100, {**pairs, "rounds": 2}),
        ("2 samples, 2 layers", 50, {**pairs, "layers": 2, "methods": 6, "keys": 4}),
        ("2 samples, 3 layers", 50, {**pairs, "layers": 3, "methods": 4, "keys": 4}),
        ("2 samples, 3 segments", 50, {**pairs, "segments": 3}),
    )
    for what, batch, params in cases:
        ours = Drafts("crypto", batch, prove=True, **params)
        rate = rates(ours, repeats=5)[0]
        tried = sum([_hypotheses(ours.family.model(puzzle.spec, puzzle.board)) for puzzle in ours.kept]) / len(ours.kept)
        note = f"24 letters, {tried:,.0f} hypotheses on average, all tried, by two formulations"
        line = Line(f"crypto, {what}, proved", "puzzles/s", rate, ">= 200", rate >= 200, note=note)
        if not params:
            line = replace(
                line, peer=name, theirs=None if theirs is None else rates(theirs)[0], note=f"{note}; theirs: none, unproved"
            )
        yield line


def _hypotheses(model: Any) -> int:
    return sum([model.size(part) for part in range(model.parts())])


def kumo_deal() -> Iterator[Line]:
    """Tasks dealt evenly, fresh truths each, one domain of every shape in turn. Beside it the published way, a SAT solver's first
    model, which is not even: the share of common actions tells (Jaccard, on average over all pairs of a domain's tasks).
    """
    shapes = {domain.structure: domain for domain in [domain_of(name, "benchmark") for name in files.names()]}
    for truths, actions, each, least in ((4, 6, 500, 0), (12, 16, 500, 5_000), (16, 20, 500, 0), (20, 30, 100, 0)):
        rng = stream("benchmark", "deal", truths)
        asked = [(d.masks(), [rng.sample(range(len(d.truths)), truths) for _ in range(each)]) for d in shapes.values()]
        ours: list[list[Any]] = []
        theirs: list[list[Any]] = []

        def dealt(asked: list[Any] = asked, actions: int = actions, made: list[list[Any]] = ours) -> int:
            made[:] = [deal_many(masks, picks, actions, 1, stream("benchmark", "deal")) for masks, picks in asked]
            if not all(map(all, made)):
                raise AssertionError("a task of an authored domain that could not be dealt")
            return sum(map(len, made))

        def solved(asked: list[Any] = asked, actions: int = actions, made: list[list[Any]] = theirs) -> int:
            made[:] = [[_first(masks, pick, actions, i) for i, pick in enumerate(picks[:20])] for masks, picks in asked]
            return sum(map(len, made))

        rate, other = rates(dealt, solved, repeats=3)
        shared = [sum(float(overlap([one.actions for one in some])) for some in made) / len(made) for made in (ours, theirs)]
        goal, met = (f">= {least:,}", rate >= least) if least else ("", None)
        note = f"actions shared by two tasks: {shared[0]:.3f}, theirs {shared[1]:.3f}"
        what = f"kumo deal, {truths} truths, {actions} actions"
        yield Line(what, "tasks/s", rate, goal, met, "the published clauses", other, note)


def kumo_trajectories() -> Iterator[Line]:
    """Golden trajectories from dealing to the file, in one process. 100,000 in 300 s on two cores are 167 a second on each."""
    for truths, actions, number, least in ((4, 6, 2_000, 0), (12, 16, 5_000, 167)):
        one = {"domain": "bone_pit", "edition": "benchmark", "truths": truths, "actions": actions}

        def written(number: int, one: dict[str, Any] = one) -> float:
            sets = {"some": {**one, "counts": {"train": number}}}
            plan = Plan.from_plain({"name": "benchmark", "seed": "benchmark", "license": "none", "sets": sets})
            with TemporaryDirectory() as folder:
                begun = clock()
                trajectories(plan, Path(folder) / "out")
                return number / (clock() - begun)

        written(1)  # kernels are compiled
        rate = written(number)
        goal, met = (f">= {least:,}", rate >= least) if least else ("", None)
        note = f"bone_pit, {number:,} rows, one process; two take half the time"
        yield Line(f"kumo trajectories, {truths} truths, {actions} actions", "rows/s", rate, goal, met, "", None, note)


def _first(masks: Any, pick: Sequence[int], actions: int, turn: int) -> Any:
    """A SAT solver's first deal for these truths, of which each is in turn the one that holds."""
    mine = [[sum([(mask >> t & 1) << i for i, t in enumerate(pick)]) for mask in outs] for outs in masks]
    return next(sat_deals(mine, len(pick), actions, 1, holds=(turn % len(pick),)))


def kumo_compat() -> Iterator[Line]:
    """The published search beside the same search as plain Python: recursion with a memory, in fractions. Tasks are dealt, one
    domain of every shape in turn; `each` of a shape for us, `few` for the plain search, which values are compared on.
    """
    shapes = {domain.structure: domain for domain in [domain_of(name, "benchmark") for name in files.names()]}
    for truths, actions, each, few, least, times in ((4, 6, 500, 20, 50_000, 0), (8, 10, 20, 1, 0, 3_000)):
        games = tasks.dealt(shapes, truths, actions, each)
        some = [game for of_shape in games.values() for game in of_shape[:few]]
        many = [game for of_shape in games.values() for game in of_shape]
        plain: list[float] = []

        def ours(games: list[Game] = many) -> int:
            compat.solve_many(games, 10_000_000)
            return len(games)

        def theirs(games: list[Game] = some, found: list[float] = plain) -> int:
            found[:] = [float(PlainCompat(game).start()[0]) for game in games]
            return len(games)

        rate, other = rates(ours, theirs, repeats=1 if times else 3)
        if not np.allclose(compat.solve_many(some, 10_000_000).low, plain, rtol=0, atol=1e-9):
            raise AssertionError("the published search and its plain formulation do not agree")
        goal = f">= {least:,}" if least else f">= {times:,} x peer"
        met = rate >= least if least else rate >= times * other
        note = "value and first action; the plain search on some of them"
        yield Line(f"kumo compat, {truths} truths, {actions} actions", "tasks/s", rate, goal, met, "plain Python", other, note)
    spent = tasks.alone(shapes, 12, 16)
    every = [one for of_shape in spent.values() for one in of_shape]
    for what, share, most in (("median", 50, 2), ("p99", 99, 150)):
        found = {shape: float(np.percentile([ms for ms, _ in of_shape], share)) for shape, of_shape in spent.items()}
        middle = float(np.percentile([ms for ms, _ in every], share))
        note = ", ".join(f"{shape} {ms:.3g}" for shape, ms in found.items())
        note += f"; {sum(not decided for _, decided in every)} of {len(every)} not decided within 1,000,000 nodes"
        yield Line(f"kumo compat, 12 truths, 16 actions, {what}", "ms", middle, f"< {most}", middle < most, note=note)
    found = [tasks.solved(game) for game in tasks.crowded(12, 16, 100)]
    high = float(np.percentile([ms for ms, _ in found], 99))
    note = f"each outcome rules out 13 in 100 truths, every action some; median {np.median([ms for ms, _ in found]):.3g}"
    note += f"; {sum(not decided for _, decided in found)} of {len(found)} not decided within 1,000,000 nodes"
    yield Line("kumo compat, 12 truths, 16 actions, all useful, p99", "ms", high, "< 150", high < 150, note=note)
    within = {
        shape: [decided and ms <= 1e3 for ms, decided in of_shape] for shape, of_shape in tasks.alone(shapes, 16, 20).items()
    }
    whole = 100 * float(np.mean([one for of_shape in within.values() for one in of_shape]))
    note = "by shape: " + ", ".join(f"{shape} {100 * np.mean(of_shape):.0f}" for shape, of_shape in within.items())
    yield Line("kumo compat, 16 truths, 20 actions, within 1 s", "%", whole, ">= 80", whole >= 80, note=note)


def kumo_exact() -> Iterator[Line]:
    """Exact play beside the same recurrence as plain Python; then the time of single tasks. One domain of every shape in turn."""
    shapes = {domain.structure: domain for domain in [domain_of(name, "benchmark") for name in files.names()]}
    for truths, actions, each, few in ((4, 6, 20, 5),):
        games = tasks.dealt(shapes, truths, actions, each)
        some = [game for of_shape in games.values() for game in of_shape[:few]]
        many = [game for of_shape in games.values() for game in of_shape]

        def ours(games: list[Game] = many) -> int:
            exact.solve_many(games, 1_000_000)
            return len(games)

        def theirs(games: list[Game] = some) -> int:
            for game in games:
                PlainExact(game).value()
            return len(games)

        rate, other = rates(ours, theirs, repeats=3)
        if [solved.value.low for solved in exact.solve_many(some, 1_000_000)] != [PlainExact(game).value() for game in some]:
            raise AssertionError("exact play and its plain formulation do not agree")
        yield Line(f"kumo exact, {truths} truths, {actions} actions", "tasks/s", rate, "", None, "plain Python", other)
    for truths, actions, each, most in ((8, 10, 10, 0), (12, 16, 3, 100)):
        spent, decided, held = [], 0, 0
        for game in [game for of_shape in tasks.dealt(shapes, truths, actions, each).values() for game in of_shape]:
            begun = clock()
            solved = exact.solve(game, 1_000_000)
            spent.append(1e3 * (clock() - begun))
            decided, held = decided + solved.value.decided, max(held, solved.held())
        middle = float(np.median(spent))
        note = f"p90 {np.percentile(spent, 90):.3g}, most {max(spent):.3g}; {decided} of {len(spent)} decided"
        note += f"; arrays of {held >> 20} MiB at most"
        goal, met = (f"< {most}", middle < most) if most else ("", None)
        yield Line(f"kumo exact, {truths} truths, {actions} actions, median", "ms", middle, goal, met, note=note)


def variants() -> Iterator[Line]:
    """Proved puzzles under other rules and of other sizes; and puzzles that grade as hard beside a peer's comparable grade."""
    for what, rules, params, least, batch in (
        ("sudoku 9x9, irregular zones, 30 givens", ("zones",), {"size": 9, "givens": 30}, 20, 20),
        ("sudoku 9x9, diagonals, minimal", ("diagonals",), {"size": 9}, 20, 20),
        ("sudoku 9x9, nonconsecutive, 14 givens", ("nonconsecutive",), {"size": 9, "givens": 14}, 20, 20),
        ("sudoku 9x9, greatest box, 24 givens", ("max_box",), {"size": 9, "givens": 24}, 0, 20),
        ("sudoku 16x16, 102 givens (40 %)", (), {"size": 16, "givens": 102}, 20, 10),
    ):
        ours = Drafts("sudoku", batch, rules=tuple(Rule(rule) for rule in rules), prove=True, **params)
        rate = rates(ours, repeats=3)[0]
        note = (
            f"{ours.clues():.1f} clues on average, {ours.tried} drafts for {len(ours.kept)}; two proofs and the need of each rule"
        )
        goal = f">= {least}" if least else ""
        yield Line(f"{what}, proved", "puzzles/s", rate, goal, rate >= least if least else None, note=note)
    large = Drafts("binario", 5, prove=True, rows=20, cols=20)
    rate = rates(large, repeats=3)[0]
    yield Line(
        "binario 20x20, minimal, proved", "puzzles/s", rate, ">= 5", rate >= 5, note=f"{large.clues():.1f} clues on average"
    )
    name, theirs = peers.tatham("solo", "3x3de", 20)
    hard = Drafts("sudoku", 20, band="hard", size=9)
    line = against("sudoku 9x9, graded hard (chains or more), minimal", hard, name, theirs, repeats=5, times=1)
    yield replace(
        line, note=f"{line.note}; {hard.tried} drafts for {len(hard.kept)}; theirs: Extreme, which takes forcing chains"
    )


def scoring() -> Iterator[Line]:
    sizes: dict[str, dict[str, int]] = {
        "sudoku": {},
        "binario": {"rows": 10, "cols": 10},
        "zebra": {"positions": 5, "attributes": 5},
        "hanoi": {"pegs": 4, "disks": 6},
    }
    for family, params in sizes.items():
        replies: list[tuple[str, dict[str, Any]]] = []
        for reply_format in ("json", "tags", "boxed", "table"):
            row = make(family, reply_format=reply_format, **params)
            gold = row["gold_reply"]
            half = gold[: len(gold) // 2]
            replies += [
                (gold, row),
                (f"Let me think about this step by step.\n\n{'So it goes. ' * 100}\n{gold}", row),
                (half, row),
            ]

        def batch(replies: list[tuple[str, dict[str, Any]]] = replies) -> int:
            solved = sum(score(reply, row).solved for _ in range(50) for reply, row in replies)
            if not solved:
                raise AssertionError("no gold reply was scored as right")
            return 50 * len(replies)

        rate = rates(batch)[0]
        note = "four formats; gold, gold after 1.2 KB of prose, half of gold"
        yield Line(f"scoring, {family}", "replies/s", rate, ">= 10,000", rate >= 10_000, note=note)


def chains() -> Iterator[Line]:
    """Chains of 4x5: the steps of a row's own trace in words, with a supposition in some of them, and its gold reply.

    Strict verdicts search for what follows, and remember nothing of the chains before: every chain has a judge of its own.
    """
    told = [make("logic_grid", seed="chains", index=k, categories=4, items=5) for k in range(8)]
    replies = [(row, f"{reasoning(row, Options(wrong_suppositions=30)).text}\n\n{row['gold_reply']}") for row in told]
    for what, strict, least in (("paper", False, 50), ("paper and strict", True, 3)):

        def batch(strict: bool = strict) -> int:
            for row, reply in replies:
                if not Judge(scene_of_row(row), strict).judge(reply).average:
                    raise AssertionError("a chain of a row's own trace earned nothing")
            return len(replies)

        rate = rates(batch)[0]
        sentences = sum(len(cut(reply).sentences) for _, reply in replies) / len(replies)
        note = f"{sentences:.0f} sentences in a chain"
        yield Line(f"chains, logic grid 4x5, {what}", "chains/s", rate, f">= {least}", rate >= least, note=note)


def rows(count: int) -> Iterator[Line]:
    """Rows of a release from one worker, and what it holds in memory while it makes them."""
    found = memory.watch(count)
    yield Line("rows: proved twice, keyed, with gold reply", "rows/s", found.rate, note=found.parts)
    yield Line(
        f"memory of one worker after {count:,} rows",
        "MiB",
        found.last,
        "< 1,024, flat",
        found.last < 1024 and found.flat,
        note=found.course,
    )


SUBJECTS = {
    "sudoku": sudoku,
    "binario": binario,
    "zebra": zebra,
    "logic grid": logic_grid,
    "seating": seating,
    "blood relations": blood_relations,
    "ordering": ordering,
    "skyscraper": skyscraper,
    "kakurasu": kakurasu,
    "hitori": hitori,
    "minesweeper": minesweeper,
    "hanoi": hanoi,
    "navigation": navigation,
    "crypto": crypto,
    "acrostic": acrostic,
    "coding": coding,
    "drop quote": drop_quote,
    "cryptogram": cryptogram,
    "number series": number_series,
    "crossword": crossword,
    "kumo deal": kumo_deal,
    "kumo compat": kumo_compat,
    "kumo exact": kumo_exact,
    "kumo trajectories": kumo_trajectories,
    "variants": variants,
    "scoring": scoring,
    "chains": chains,
}
