"""Hashi: one line that says what is asked; replace the rules below one by one.

A row of coins, each showing heads or tails: two coins that touch show different sides ("differ" in broken_rules), and a coin
that is shown stays as it is (the id of its clue). Source: made up for Puzzlemill.
"""

from __future__ import annotations

from typing import final

from puzzlemill import family as f

Coins = tuple[int, ...]  # 0 heads, 1 tails
_FORM = f.RowForm("coin", "coins", 2, "Give one row with all coins from left to right.")
_CLUES = f.Givens(_FORM, clashing=False)


@f.params
class Params:
    coins: int = f.Param(2, least=2, most=9)


@final
class Hashi(f.Family[Params, f.NoBoard, Coins, Coins]):
    name, version, title, source = "hashi", 1, "Hashi", "made up for Puzzlemill"
    params, answer, form, clues, text, symbols = Params, Coins, _FORM, _CLUES, f.CellText(2, 9, "?"), ("H", "T")
    small = f.SmallClasses(lambda spec: (spec.params.coins + 1) // 2)  # one coin is shown: its distance from the nearer end
    smallest = (f.Spec(Params(2)), f.Spec(Params(3)))
    worked = (("hashi\n? T", "H T", source), ("hashi\n? T ?", "H T H", source))

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Coins:
        first = rng.below(2)
        return tuple([(first + i) % 2 for i in range(spec.params.coins)])

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        m = f.Constraints()
        tails = [m.slot(2)[1] for _ in range(spec.params.coins)]  # tails[i]: coin i shows tails
        for a, b in zip(tails, tails[1:], strict=False):
            m.exactly_one((a, b), label="differ")
        return m

    def broken_rules(self, puzzle: f.Puzzle[Params, f.NoBoard], answer: Coins, partial: bool = False) -> list[str]:
        if not _FORM.fits(puzzle.spec, answer, partial):
            return [f.MALFORMED]
        alike = any(a == b != f.BLANK for a, b in zip(answer, answer[1:], strict=False))
        return ["differ"] * alike + _CLUES.broken(puzzle, answer)

    def symmetry(self, puzzle: f.Puzzle[Params, f.NoBoard]) -> str:
        seen = _CLUES.shown(puzzle)  # the row may be turned round, and the sides may be swapped
        return str(min(row[::way] for way in (1, -1) for row in (seen, [v if v == f.BLANK else 1 - v for v in seen])))

    def render(self, puzzle: f.Puzzle[Params, f.NoBoard]) -> str:
        texts, (heads, tails) = _CLUES.texts(puzzle, "?"), puzzle.style.symbols
        return (
            f"{len(texts)} coins lie in a row. Each shows heads ({heads}) or tails ({tails}), and two coins that touch always "
            f"show different sides. Some coins are covered, marked ?.\n\n{' '.join(texts)}\n\nWhich side does each coin show?"
        )


FAMILY = Hashi()
