"""Coin: the smallest legal family, and the file to copy for a new one (scripts/new_family.py does it).

A row of coins, each showing heads or tails:
  differ    two coins that touch show different sides;
  given     a coin that is shown stays as it is.
Source: made up for Puzzlemill. broken_rules returns "differ" for the rule, and the id of a given that is broken.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import Family, Legacy
from puzzlemill.core.model import BLANK, Constraints, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import Clue, Column, Draft, Example, Layout, NoBoard, Oracle, Puzzle, Question, Rows, Spec, Style

Coins = tuple[int, ...]  # 0 heads, 1 tails, BLANK unknown


@dataclass(frozen=True, slots=True)
class Params:
    """coins: how many, 2 to 9."""

    coins: int = 2


@final
class Coin(Legacy, Family[Params, NoBoard, Coins, Coins]):
    name: ClassVar[str] = "coin"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Coins"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Coins
    source: ClassVar[str] = "made up for Puzzlemill"

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        if not 2 <= spec.params.coins <= 9:
            raise BadParams(f"coin.coins must be 2 to 9, got {spec.params.coins}; set family.params.coins")

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Coins:
        first = rng.below(2)
        return tuple((first + i) % 2 for i in range(spec.params.coins))

    def make_puzzle(self, spec: Spec[Params], hidden: Coins, rng: Rng) -> Draft[Params, NoBoard, Coins, Coins]:
        clues = tuple(Clue(f"c{i + 1}", "given", (i, v)) for i, v in enumerate(hidden))
        puzzle = Puzzle(self.name, self.version, spec, NoBoard(), clues, Question(), Style(symbols=("H", "T")))
        return Draft(puzzle, hidden, hidden)

    # ---- meaning

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        m = Constraints()
        tails = [m.slot(2)[1] for _ in range(spec.params.coins)]  # tails[i]: coin i shows tails
        for a, b in zip(tails, tails[1:], strict=False):
            m.require(a, b, label="differ")
            m.require(-a, -b, label="differ")
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        i, v = clue.ints()
        m.require(m.key[i][v], label=clue.id)

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        return (2,) * spec.params.coins

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Coins:
        return values

    def values(self, spec: Spec[Params], board: NoBoard, answer: Coins) -> Slots:
        return answer

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Coins, partial: bool = False) -> list[str]:
        if len(answer) != puzzle.spec.params.coins or any(v not in (0, 1) and not (partial and v == BLANK) for v in answer):
            return ["malformed"]
        broken = []
        if any(a == b != BLANK for a, b in zip(answer, answer[1:], strict=False)):
            broken.append("differ")
        for clue in puzzle.clues:
            i, v = clue.ints()
            if answer[i] not in (v, BLANK):
                broken.append(clue.id)
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        return tuple(clue.ints()[0] for clue in puzzle.clues)

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        return (puzzle.spec.params.coins - len(puzzle.clues)) * log10(2)

    def symmetry(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        n = puzzle.spec.params.coins
        seen = [BLANK] * n
        for clue in puzzle.clues:
            i, v = clue.ints()
            seen[i] = v
        flipped = [v if v == BLANK else 1 - v for v in seen]
        return f"{n}:" + ",".join(map(str, min(seen, seen[::-1], flipped, flipped[::-1])))

    def puzzles(self, spec: Spec[Params]) -> int | None:
        # one coin is shown; turning the row around and swapping the sides leave its distance from the nearer end
        return (spec.params.coins + 1) // 2

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        row = ["?"] * puzzle.spec.params.coins
        for clue in puzzle.clues:
            i, v = clue.ints()
            row[i] = puzzle.style.symbols[v]
        heads, tails = puzzle.style.symbols
        return (
            f"{len(row)} coins lie in a row. Each shows heads ({heads}) or tails ({tails}), "
            "and two coins that touch always show different sides. Some coins are covered, marked ?.\n\n"
            f"{' '.join(row)}\n\nWhich side does each coin show?"
        )

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        columns = tuple(Column(f"coin {i + 1}", puzzle.style.symbols) for i in range(puzzle.spec.params.coins))
        return Layout(columns, 1, 1, True, "Give one row with all coins from left to right.")

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Coins) -> Rows:
        return (tuple(puzzle.style.symbols[v] for v in answer),)

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Coins | None:
        return tuple(puzzle.style.symbols.index(token) for token in rows[0])

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Coins | None = None, marked: Collection[str] = ()) -> str:
        shown = {clue.ints()[0]: clue.ints()[1] for clue in puzzle.clues}
        parts = []
        for i in range(puzzle.spec.params.coins):
            v = shown.get(i, answer[i] if answer is not None else None)
            label = "" if v is None else puzzle.style.symbols[v]
            fill = "#eee" if i in shown else "#fff"
            parts.append(f'<circle cx="{30 + 50 * i}" cy="30" r="20" fill="{fill}" stroke="#333"/>')
            parts.append(f'<text x="{30 + 50 * i}" y="36" text-anchor="middle" font-size="18">{label}</text>')
        width = 50 * puzzle.spec.params.coins + 10
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 60">{"".join(parts)}</svg>'

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, NoBoard]:
        heading(lines, self.name)
        if len(lines) != 2:
            raise BadRow(f"line {lines[-1].number}: expected one row of coins below the heading, got {len(lines) - 1}")
        row = lines[1]
        clues = []
        for word, coin in enumerate(row.words):
            if coin.text not in ("H", "T", "?"):
                raise row.bad(coin.column, f"expected H, T or ?, got {coin.text[:20]!r}")
            if coin.text != "?":
                clues.append(Clue(f"c{word + 1}", "given", (word, "HT".index(coin.text))))
        if not 2 <= len(row.words) <= 9:
            raise row.bad(0, f"expected 2 to 9 coins, got {len(row.words)}")
        spec = Spec(Params(len(row.words)))
        return Puzzle(self.name, self.version, spec, NoBoard(), tuple(clues), Question(), Style(symbols=("H", "T")))

    def format(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        row = ["?"] * puzzle.spec.params.coins
        for clue in puzzle.clues:
            i, v = clue.ints()
            row[i] = "HT"[v]
        return f"{self.name}\n{' '.join(row)}\n"

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Coins], ...]:
        def example(coins: int, shown: Clue, answer: Coins) -> Example[Params, NoBoard, Coins]:
            look = Style(symbols=("H", "T"))
            spec = Spec(Params(coins))
            return Example(Puzzle(self.name, self.version, spec, NoBoard(), (shown,), Question(), look), answer, self.source)

        return (
            example(2, Clue("c1", "given", (0, 1)), (1, 0)),
            example(3, Clue("c2", "given", (1, 1)), (0, 1, 0)),
        )

    def smallest(self) -> tuple[Spec[Params], ...]:
        return (Spec(Params(2)), Spec(Params(3)))


FAMILY = Coin()
