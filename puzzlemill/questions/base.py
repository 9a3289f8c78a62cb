"""The strategy that every kind of question implements, and its questions to the engines and the scorer."""

from __future__ import annotations

from abc import ABC
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Common, Finding, Route, Slots
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Depth, Oracle, QuestionKind, Rows, Status

NEEDED = 2  # formulations per row


@dataclass(frozen=True, slots=True)
class PlayFigures:
    """Figures of one world of a game, as a row has them.

    exact: the least expected number of actions until what holds is certain, all worlds being equally likely.
    given: the same, of the best play, in the worlds in which one of this world's truths holds; a figure for each of them.
    guess: the chance to be right of the likeliest answer before any action.
    compat: the published search's own figure, which is not what playing it costs; None where several truths hold, of which it
        knows nothing.
    exact_actions, compat_actions: how many the two do in this world.
    nodes: states that the exact search expanded.
    """

    exact: Fraction
    given: tuple[Fraction, ...]
    guess: Fraction
    compat: Fraction | None
    exact_actions: int
    compat_actions: int | None
    nodes: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """The facts proved of a puzzle, and the formulations that prove them.

    status: UNIQUE, OPTIMAL or UNSOLVABLE. formulations: those that proved it, in the order asked.
    answer: the family's answer, None if unsolvable. optimum: least cost.
    unsat_core: minimal labels, and depth, for unsolvable puzzles.
    necessary: optional rules in force without which a solvable puzzle has other answers; see Strategy.prove_needed.
    nodes: branchings of the kernel's solver (deterministic; 0 means that propagation alone decides), None without a kernel;
        of roads with lengths, the states that Dijkstra's search expanded.
    generated: states that the plain search of a graph put in its queue; None where it was not one of the formulations.
    scope: the declared class of hypotheses that the proof is about; None where it is about all assignments or routes.
    play: of a PLAY question, what the best play costs.
    """

    status: Status
    formulations: tuple[str, ...]
    answer: Any | None
    optimum: int | None
    unsat_core: tuple[str, ...]
    nodes: int | None
    depth: Depth | None = None
    necessary: tuple[str, ...] = ()
    scope: str | None = None
    generated: int | None = None
    play: PlayFigures | None = None


@dataclass(frozen=True, slots=True)
class Recheck:
    """decided: False if this engine could not decide the row. problem: what is wrong, "" if nothing is."""

    decided: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """The claims of a stored row about its puzzle."""

    status: Status
    answer: Any | None
    optimum: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The worth of a reply.

    solved: the reply is right. score: 1.0 if solved, else 0.0.
    subtask: share of the open slots with the stored answer's value; 1.0 if solved, 0.0 if nothing was read.
    credit: the same above chance: 0.0 for what the best constant reply earns or less, 1.0 if solved.
    complete: share of the open slots that the reply fills, right or wrong; 1.0 for any full answer and for a claim.
    why: one of
        "solved"
        "wrong"          a full answer that breaks rules, or any answer to a puzzle without one
        "not least"      keeps every rule, but costs more than the optimum
        "incomplete"     the right form with blanks
        "claim"          says that there is no solution, but there is one
        "unreadable"     no answer in the asked form
        "no answer"      a dialogue that ended without one
        "contradiction"  better than what is proved of the row: the row or the library is at fault; `puzzlemill verify` shows
        "unchecked"      the family's rules could not be applied to it: the library is at fault
    broken: the rules and clues that a full answer breaks. detail: one more sentence for people.
    answer: the rows as read, None for none; two replies give the same answer exactly when these and claims_unsolvable are equal.
    play: of a dialogue, what became of it (scoring/plays.py).
    chance: the subtask of the row's best constant reply (Strategy.best_constant); 0.0 where it changes nothing.
    words: of a text whose letters also make words (Layout.words), the share of those with an open slot that are right as a whole,
        and that the reply does not name otherwise; None for other rows. It is shown beside `subtask`, and nothing is paid for it.
    """

    solved: bool
    score: float
    subtask: float
    complete: float
    why: str
    broken: tuple[str, ...] = ()
    claims_unsolvable: bool = False
    detail: str = ""
    answer: Rows | None = None
    play: Any | None = None
    chance: float = field(default=0.0, repr=False)
    words: float | None = None

    @property
    def credit(self) -> float:
        if self.solved:
            return 1.0
        return max(0.0, self.subtask - self.chance) / (1 - self.chance) if self.chance < 1 else 0.0


class Case(Protocol):
    """A row as the scorer has read it (scoring/score.py: Prepared)."""

    family: AnyFamily
    puzzle: AnyPuzzle
    status: Status
    gold: Any | None
    optimum: int | None

    @property
    def open_slots(self) -> tuple[int, ...]: ...
    @property
    def gold_slots(self) -> Slots: ...
    def slots_of(self, answer: Any) -> Slots: ...


class Prover(Oracle, Protocol):
    """The engines as proofs ask them (solvers/engines.py: Engines). A spent budget raises Discarded("budget") or is undecided."""

    family: AnyFamily

    def formulation(self, engine: str) -> str:
        """The name of an engine's formulation, as certificates have it: "table:kernel"."""

    def finding(
        self, puzzle: AnyPuzzle, engine: str, limit: int, expected: tuple[Slots, ...] | None = None
    ) -> Finding | Route | None:
        """One engine's finding; None if it has no way to decide this puzzle.

        expected: all the answers as far as is known, which lets an engine look for others only. The finding is as sure, but its
        nodes mean nothing.
        """

    def common(self, puzzle: AnyPuzzle, engine: str) -> Common | None:
        """One engine's finding of what holds in every answer; None if it has no way to decide this puzzle."""

    def shared(self, puzzle: AnyPuzzle) -> tuple[Common, Sequence[Slots], dict[str, int]] | None:
        """SAT's finding about what holds in every answer, the answers that show it, and its figures of effort."""

    def by_sat(self, puzzle: AnyPuzzle, answer: Slots | None) -> dict[str, int]:
        """What SAT spends to decide it; {} without clauses or if its budget ran out. Raises EnginesDisagree if it differs."""

    def by_smt(self, puzzle: AnyPuzzle, answer: Slots | None) -> dict[str, int]:
        """What Z3 spends to decide it; {} without clauses or if its budget ran out. Raises EnginesDisagree if it differs."""

    def shortest(self, puzzle: AnyPuzzle) -> Iterator[tuple[str, Route | None]]:
        """Shortest routes, one formulation after the other, those first that suit the puzzle."""

    def band(self, puzzle: AnyPuzzle) -> str | None:
        """The band that a kernel knows without steps, where it does."""

    def scope(self, puzzle: AnyPuzzle) -> str | None:
        """The declared class of hypotheses that a proof is about."""

    def play(self, puzzle: AnyPuzzle, hidden: Any) -> tuple[PlayFigures, tuple[str, ...]]:
        """The cost of the best play of a game, with the formulations that prove it."""


class Strategy(ABC):
    """One kind of question. The defaults are those of a question about slots that has one right answer."""

    kind: ClassVar[QuestionKind]
    solved_status: ClassVar[Status] = Status.UNIQUE  # proved of a puzzle that has an answer
    deduced: ClassVar[bool] = False  # solvers/deduce gives steps to its answer
    counted: ClassVar[bool] = False  # answers can be counted, and several ones listed
    by_clauses: ClassVar[bool] = False  # that there is no other answer has a proof in clauses (puzzlemill prove)
    dialogue: ClassVar[bool] = False  # played by messages
    may_be_unsolvable: ClassVar[bool] = True  # there are puzzles without an answer

    # ---- making

    def with_answer(self, oracle: Oracle, family: AnyFamily, draft: AnyDraft) -> AnyDraft:
        """The draft with the answer to its question, once it is known which clues stay."""
        return draft

    def candidate(self, oracle: Oracle, puzzle: AnyPuzzle) -> Any | None:
        """An answer to prove of a puzzle from elsewhere, where proving needs one."""
        return None

    def still_right(self, oracle: Oracle, puzzle: AnyPuzzle, other: AnyPuzzle) -> bool:
        """Return whether the other puzzle, with less said, has one right reply still, the same."""
        return oracle.count(other) == 1

    def needs(self, oracle: Oracle, puzzle: AnyPuzzle, free: AnyPuzzle) -> bool:
        """Return whether a puzzle with one right reply has others without a rule; free: the puzzle without it."""
        return oracle.count(free) >= 2

    # ---- proving

    def certify(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> Certificate:
        """Prove what holds of a puzzle; see solvers/certify.py. Raises Discarded or EnginesDisagree."""
        raise Discarded("unproved", f"no proof is known for a question of kind {self.kind.value}")

    def efforts(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> dict[str, int]:
        """Have SAT and Z3 decide what was proved, and give what they spent; see solvers/certify.py."""
        return {}

    def prove_needed(self, prover: Prover, puzzle: AnyPuzzle, free: AnyPuzzle, rule: str, proved: Certificate) -> bool:
        """Prove that a rule is needed: without it there are two answers, and the plain checker accepts both."""
        found = prover.answers(free, 2)
        for values in found:
            accepted(prover.family, free, values, "kernel")
        return len(found) >= 2

    def recheck(self, prover: Prover, puzzle: AnyPuzzle, claim: Claim, engine: str, hidden: Any | None) -> Recheck:
        """Prove a stored claim again with one engine; its answer has pleased the plain checker."""
        return Recheck(False)

    # ---- judging

    def objections(self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> list[str]:
        """The plain checker's objections to an answer to the question; see Family.broken_rules."""
        return family.broken_rules(puzzle, answer)

    def judge(self, case: Case, answer: Any, rows: Rows) -> Verdict:
        """The verdict on a full answer."""
        broken = tuple(case.family.broken_rules(case.puzzle, answer))
        if broken:
            return Verdict(False, 0.0, share(case, answer), 1.0, "wrong", broken, answer=rows)
        if case.status is Status.UNSOLVABLE:
            return Verdict(
                False, 0.0, 0.0, 1.0, "contradiction", detail="it keeps every rule of an unsolvable puzzle", answer=rows
            )
        return Verdict(True, 1.0, 1.0, 1.0, "solved", answer=rows)

    def partly_right(self, right: int) -> int:
        """Count, in an answer with blanks, how many of its places that hold the stored answer's value count as right."""
        return right

    def best_constant(self, case: Case) -> float:
        """The partial credit of the best reply that has one and the same value in every place, or text in every column."""
        if case.family.form.mixed and case.gold is not None:
            return _best_texts(case)
        values = [case.gold_slots[s] for s in case.open_slots] if case.gold_slots else []
        return max(Counter(values).values()) / len(values) if values else 0.0

    def check_gold(self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any, optimum: int | None) -> str:
        """Say what is wrong with a stored answer besides the rules that it breaks, "" if nothing is."""
        return ""

    # ---- grading

    def difficulty(
        self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, graded: Any | None, play: PlayFigures | None
    ) -> dict[str, Any]:
        """How hard a puzzle is for a person: band, tier and score as graded by the techniques it needs; "unrated" without."""
        if graded is None:
            return {"band": "unrated", "tier": None, "score": None}
        return {"band": graded.band, "tier": graded.tier, "score": graded.score}

    def graded_before_proof(self) -> bool:
        """Return whether difficulty() needs nothing that is proved."""
        return True

    def candidates_log10(self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, space: float) -> float:
        """log10 of the candidates that a reply given without looking has to choose from."""
        return space

    # ---- stored rows

    def answer_type(self, family: AnyFamily) -> Any:
        """The type of stored answers, as an annotation the codec can read."""
        return family.answer

    def shown(self, answer: Any) -> Any:
        """An answer of the family's own type that a stored answer holds, to be drawn and graded."""
        return answer

    def alone(self, answer: Any) -> bool:
        """Return whether nothing but shown(answer) fits, as far as the stored answer says."""
        return True

    def hidden_of(self, family: AnyFamily, row: Mapping[str, Any], answer: Any | None) -> Any | None:
        """Read what a stored row hides. Raises BadRow."""
        return answer

    def hidden_problems(self, family: AnyFamily, puzzle: AnyPuzzle, hidden: Any | None, row: Mapping[str, Any]) -> list[str]:
        """Say what is wrong with what a stored row hides."""
        return []


def accepted(family: AnyFamily, puzzle: AnyPuzzle, values: Slots, engine: str) -> None:
    """Raise EnginesDisagree unless the plain checker accepts an answer that an engine found."""
    broken = family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, values))
    if broken:
        claims = {engine: f"the answer {values}", "checker": f"broken: {', '.join(broken)}"}
        raise EnginesDisagree(claims, dumps(puzzle))


def share(case: Case, answer: Any) -> float:
    """The open slots' share with the stored value."""
    gold = case.gold_slots
    if not gold or not case.open_slots:
        return 0.0
    values = case.slots_of(answer)
    if len(values) != len(gold):
        return 0.0
    return sum([values[s] == gold[s] for s in case.open_slots]) / len(case.open_slots)


def _best_texts(case: Case) -> float:
    """The partial credit of the best reply with one and the same text in every place of a column."""
    form, gold = case.family.form, case.gold
    written = form.write(case.puzzle, gold)
    places = [form.entry_of(case.puzzle, slot) for slot in case.open_slots]
    texts = Counter([(col, written[row][col]) for row, col in places])
    best = [max([count for (col, _), count in texts.items() if col == each]) for each in dict.fromkeys(col for _, col in places)]
    return sum(best) / len(places) if places else 0.0


def banded(family: AnyFamily, amount: Fraction | int) -> str:
    """The band of so much work, as the family bounds them (Family.work_bands)."""
    _, medium, hard = family.work_bands
    return "easy" if amount < medium else "medium" if amount < hard else "hard"
