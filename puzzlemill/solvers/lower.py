"""From a family's constraints to clauses: one list of clauses per puzzle, each with the label of the clue or rule it states.

The rules' part depends on spec and board only and is kept for the next puzzle of the same kind; nothing of an earlier puzzle's
clues stays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pysat.card import CardEnc, EncType

from puzzlemill.core.model import BLANK, Constraints, Graph, Slots
from puzzlemill.core.types import AnyFamily, AnyPuzzle, Spec

LabelledClause = tuple[list[int], str]


@dataclass(frozen=True, slots=True)
class Lowered:
    """clauses: the rules' clauses; plain: the same without labels; clues: the clues' clauses; top: the highest variable."""

    key: tuple[tuple[int, ...], ...]
    rules: tuple[LabelledClause, ...]
    plain: list[list[int]]
    clues: tuple[LabelledClause, ...]
    top: int

    def all_clauses(self) -> list[list[int]]:
        return [*self.plain, *(clause for clause, _ in self.clues)]

    def read(self, true: set[int]) -> Slots:
        """Slot values of a model, given as the set of its true literals."""
        return tuple(next((v for v, lit in enumerate(lits) if lit in true), BLANK) for lits in self.key)


def _clauses(m: Constraints, top: int) -> tuple[list[LabelledClause], int]:
    """Clauses for what m states, and the highest variable that they use; auxiliaries are numbered from top + 1."""
    out: list[LabelledClause] = [(list(lits), label) for lits, label in m.clauses]
    for card in m.cardinalities:
        if card.bound < 0:
            out.append(([], card.label))
        elif card.bound < len(card.lits):
            encoded = CardEnc.atmost(list(card.lits), bound=card.bound, top_id=top, encoding=EncType.seqcounter)
            top = max(top, encoded.nv)
            out += [(clause, card.label) for clause in encoded.clauses]
    return out, top


@lru_cache(maxsize=64)
def rules_of(family: AnyFamily, spec: Spec[Any], board: Any) -> Lowered | None:
    """The clauses of a puzzle without clues; None for families whose model is a move graph."""
    m = family.model(spec, board)
    if isinstance(m, Graph):
        return None
    clauses, top = _clauses(m, m.top)
    return Lowered(tuple(m.key), tuple(clauses), [clause for clause, _ in clauses], (), top)


def lower(family: AnyFamily, puzzle: AnyPuzzle) -> Lowered | None:
    """The puzzle as clauses; None for families whose model is a move graph."""
    rules = rules_of(family, puzzle.spec, puzzle.board)
    if rules is None:
        return None
    scratch = Constraints(top=rules.top, key=list(rules.key))
    for clue in puzzle.clues:
        family.state(scratch, puzzle.spec, puzzle.board, clue)
    clues, top = _clauses(scratch, scratch.top)
    return replace(rules, clues=tuple(clues), top=top)


def dimacs(clauses: list[list[int]], top: int) -> str:
    """DIMACS CNF text."""
    lines = [f"p cnf {top} {len(clauses)}"]
    lines += [" ".join(map(str, clause)) + " 0" for clause in clauses]
    return "\n".join(lines) + "\n"
