"""Human-style deduction about a family (KinTable): who is placed by a statement, what it rules out, and cases that are tried.

One statement is read after the other; what it tells, with what is known, is followed by the rules of families. Where none tells
anything more, a fact is supposed and refuted. The board: kin_board.py; findings and sentences: kin_findings.py, which need of
Words: value (a name), clue (a statement as the beginning of a sentence), shows ("statement 2"), ids, voice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from puzzlemill.core.model import KinTable, Slots, Step
from puzzlemill.core.words import Words
from puzzlemill.solvers.deduce.board import Ahead, Board, Refuted, Story
from puzzlemill.solvers.deduce.kin_board import KinBoard
from puzzlemill.solvers.deduce.kin_findings import TECHNIQUES, CaseSplit, KinSay
from puzzlemill.solvers.deduce.steps import sentence

__all__ = ["HARD", "MEDIUM", "TECHNIQUES", "board", "deduce", "explain"]

MEDIUM, HARD = 3, 4


def deduce(table: KinTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle; see the package."""
    return _Board(table, ids).trace(answer)


def board(table: KinTable, ids: Sequence[str]) -> Board:
    """The board that finds them; see the package."""
    return _Board(table, ids)


def explain(words: Words, table: KinTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(KinSay(words, table), step)


class _Board(KinBoard):
    """With suppositions: of slots that have few values left first."""

    AHEAD = (Ahead(CaseSplit, 2),)
    SHORT = 3

    def tries(self, answer: Slots | None) -> list[int]:
        open_ = [slot for slot in range(4 * self.n) if self.left[slot] & (self.left[slot] - 1)]
        open_.sort(key=lambda slot: (self.left[slot].bit_count(), slot))
        return [
            slot * self.values + value
            for slot in open_
            for value in range(self.sizes[slot])
            if self.left[slot] >> value & 1 and (answer is None or answer[slot] != value)
        ]

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        if self.probes[0] >= self.most:
            return None
        self.probes[0] += 1
        return self.refutation(literal, ahead) or ()

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        uses, within = tale
        found, left = ahead.technique(slot, value), self.left[slot] & ~(1 << value)
        if left & (left - 1):
            return self.note(found, uses, (), [(slot, value)], within=within)
        others = [self.why[slot][other] for other in range(self.sizes[slot]) if not self.left[slot] >> other & 1]
        return self.note(found, [*uses, *others], [(slot, left.bit_length() - 1)], within=within)

    def instead(self, slot: int, value: int) -> Sequence[tuple[int, int]]:
        others = [other for other in range(self.sizes[slot]) if self.left[slot] >> other & 1 and other != value]
        return [(slot, other) for other in others if len(others) == 1]
