"""One of several options, or the same question without them.

A family says what can be asked of its answers (core/family.py: Choices): each answer gives the question a *value*. Options are
values, and last of all, where they are shown:
  None of these         right where the value of every answer is none of the options
  Either A or C         right where answers differ and these two values are all that they give
  Cannot be determined  right where answers differ, and no "Either" that is shown says between what
The puzzle need not have one answer: either the right option holds in every answer and no other does, or answers differ. The
proof is the set of values that the answers give, found by two formulations which list all answers. What is stored as the answer
is one that fits and, where others fit too, a second one, which gives another value if any does. So a row has the witnesses of
what it claims: the plain checker accepts both, and the right option follows from them.

Where the right option stands, and which of the last three are shown, is drawn before anything else from the place of the row in
its recipe, and not again if a draft is thrown away: each place is right as often as the others, and whatever is shown is right in
one row of as many as there are options. Clues are left out until the question just keeps its value; where it is to have none, one
of those that are left makes room for another, so that puzzles of both kinds state as much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, final

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import BadRow, Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily, Choices
from puzzlemill.core.model import Finding, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Ask, Clue, Column, Layout, Oracle, QuestionKind, Rows, Status
from puzzlemill.core.words import pick
from puzzlemill.questions.base import NEEDED, Case, Certificate, Claim, Prover, Recheck, Strategy, accepted

LETTERS = "ABCDEFGH"
NONE, CANNOT = "None of these", "Cannot be determined"
ASKS = (Ask.OPTION, Ask.VALUE)
MOST = 200  # answers of a puzzle that are listed
_PAIR = 2  # answers that are stored at most
_TRIES = 12  # questions about a draft
_DRAWN = 400  # values that a family may propose for the options of one
_EITHER = re.compile(r"Either ([A-H]) or ([A-H])")


# ---- which option is right ----------------------------------------------------------------------------------------------


def either(one: int, other: int) -> str:
    """The text of the option that says that it is one of these two."""
    return f"Either {LETTERS[min(one, other)]} or {LETTERS[max(one, other)]}"


def right_option(options: Sequence[str], values: Iterable[str]) -> int | None:
    """The place of the option that is right if answers give these values, all of them; None if none is, or more than one."""
    given = set(values)
    held = {options.index(value) if value in options else None for value in given}
    if len(held) == 1:
        (place,) = held
        return place if place is not None else options.index(NONE) if NONE in options else None
    for place, text in enumerate(options):
        found = _EITHER.fullmatch(text)
        if found and held == {LETTERS.index(letter) for letter in found.groups()}:
            return place
    return options.index(CANNOT) if CANNOT in options and held else None


def is_special(text: str) -> bool:
    """Return whether an option is no value."""
    return text in (NONE, CANNOT) or bool(_EITHER.fullmatch(text))


# ---- drawing ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plan:
    """specials: the last options. place: of the right one. loose: leave out clues that the question does not need."""

    specials: tuple[str, ...]  # EITHER stands for one whose letters are not known yet
    place: int
    count: int
    loose: bool

    @property
    def values(self) -> int:
        """How many options are values."""
        return self.count - len(self.specials)

    @property
    def right(self) -> str:
        """The special option that is right, "" for a value."""
        return self.specials[self.place - self.values] if self.place >= self.values else ""


EITHER = "Either"


def _plan(choices: Choices[Any, Any, Any], ask: Ask, rng: Rng, several: bool) -> _Plan:
    sets: list[tuple[str, ...]] = [()]
    if choices.never:
        sets += [(NONE,)]
    if several:
        sets += [(CANNOT,), (EITHER,), (NONE, CANNOT) if choices.never else (EITHER, CANNOT)]
    specials, place, loose = rng.pick(sets), rng.below(choices.count), several and rng.chance(1, 2)
    if ask is Ask.VALUE:
        return _Plan((), 0, 1, loose)
    return _Plan(specials, place, choices.count, loose or CANNOT in specials or EITHER in specials)


def posed(family: AnyFamily, draft: AnyDraft, ask: Ask, rng: Rng, plan: Rng, oracle: Oracle) -> AnyDraft:
    """The draft of a puzzle with one answer, asked one question about it.

    A value that is the whole answer is asked for as such. plan: a stream of the row's own that is the same if its draft is drawn
    again. Raises Discarded("nothing_to_ask").
    """
    choices, planned = family.choices, _plan(family.choices, ask, plan, family.choices.loosens(draft.puzzle))
    base = draft.puzzle.question
    proposed = choices.questions_of(draft.puzzle, draft.answer, rng.child("questions"))
    for turn, about in enumerate(islice(proposed, _TRIES)):
        here = rng.child("question", turn)
        question = replace(base, kind=QuestionKind.CHOICE, ask=ask, about=about, options=())
        puzzle = replace(draft.puzzle, question=question)
        if ask is Ask.VALUE and not choices.domain(puzzle):
            return draft
        if planned.loose:
            stated = _stated(family, puzzle, planned.right in (CANNOT, EITHER), planned.right == EITHER, here, oracle)
            if stated is None:
                continue
            puzzle = puzzle.with_clues(stated)
        values = _values(family, puzzle, oracle) if planned.loose else [choices.value(puzzle, draft.answer)]
        options = () if ask is Ask.VALUE else _options(family, puzzle, draft.answer, values, planned, here)
        if options is not None:
            return replace(draft, puzzle=replace(puzzle, question=replace(question, options=options)))
    raise Discarded("nothing_to_ask", "no question has the options that are wanted")


def restyled(family: AnyFamily, parent: AnyPuzzle, draft: AnyDraft) -> AnyDraft:
    """A draft made of a parent that is asked already, with the parent's options as its own style has them."""
    question = draft.puzzle.question
    before, after = family.choices.domain(parent), family.choices.domain(draft.puzzle)
    options = tuple([text if text not in before else after[before.index(text)] for text in question.options])
    return replace(draft, puzzle=replace(draft.puzzle, question=replace(question, options=options)))


def _values(family: AnyFamily, puzzle: AnyPuzzle, oracle: Oracle) -> list[str] | None:
    """The different values of all answers, in the order of the answers; None if there are too many, or nothing can be asked."""
    if not family.choices.fair(puzzle):
        return None
    found = oracle.answers(puzzle, MOST)
    return list(dict.fromkeys(_valued(family, puzzle, each) for each in found)) if len(found) < MOST else None


def _valued(family: AnyFamily, puzzle: AnyPuzzle, values: Slots) -> str:
    return family.choices.value(puzzle, family.form.assemble(puzzle.spec, puzzle.board, values))


def _stated(family: AnyFamily, puzzle: AnyPuzzle, open_: bool, two: bool, rng: Rng, oracle: Oracle) -> Sequence[Clue] | None:
    """Clues with which the question keeps its value, none of them to spare; None if there are none that do.

    open_: one of them, exchanged for another clue, so that it does not. two: so that it has two.
    """
    clues, left = list(puzzle.clues), list(range(len(puzzle.clues)))
    for place in rng.shuffled(left):
        fewer = [i for i in left if i != place]
        found = _values(family, puzzle.with_clues([clues[i] for i in fewer]), oracle)
        if found is not None and len(found) == 1:
            left = fewer
    if not open_:
        return [clues[i] for i in left]
    spare: list[int | None] = [i for i in range(len(clues)) if i not in left]
    for out in rng.child("out").shuffled(left):
        for into in rng.child("into", out).shuffled(spare or [None]):
            others = sorted([i for i in (*left, into) if i is not None and i != out])
            found = _values(family, puzzle.with_clues([clues[i] for i in others]), oracle)
            if found is not None and (len(found) == 2 if two else len(found) > 1):
                return [clues[i] for i in others]
    return None


def _options(
    family: AnyFamily, puzzle: AnyPuzzle, answer: Any, values: Sequence[str] | None, plan: _Plan, rng: Rng
) -> tuple[str, ...] | None:
    """The options; None if the family has too few values."""
    if values is None:
        return None
    choices = family.choices
    own = choices.value(puzzle, answer)
    must = [] if plan.right == NONE else [own, *[value for value in values if value != own]] if plan.right == EITHER else [own]
    found = list(dict.fromkeys(must))
    for value in islice(choices.distractors(puzzle, answer, rng.child("distractors")), _DRAWN):
        if len(found) >= plan.values:
            break
        if value not in found and value != own:
            found.append(value)
    if len(found) != plan.values or any(value.upper() in LETTERS or is_special(value) for value in found):
        return None
    at = rng.child("places").shuffled(range(plan.values))
    if not plan.right:
        at.remove(plan.place)
        at.insert(0, plan.place)
    placed = [text for _, text in sorted(zip(at, found, strict=True))]
    pair = [placed.index(value) for value in must] if plan.right == EITHER else rng.child("pair").few(range(plan.values), 2)
    options = (*placed, *[either(*pair) if text == EITHER else text for text in plan.specials])
    return options if right_option(options, values) == plan.place else None


# ---- replies ------------------------------------------------------------------------------------------------------------


def layout_of(family: AnyFamily, puzzle: AnyPuzzle) -> Layout:
    """One letter, or one value."""
    question, asked = puzzle.question, family.choices.says(puzzle)
    voice = puzzle.style.phrasing
    if question.ask is Ask.VALUE:
        note = pick(voice, asked, f"Answer this question: {asked}", f"The question is: {asked}", f"Only this is asked: {asked}")
        return Layout((Column(family.choices.noun, family.choices.domain(puzzle)),), 1, 1, False, note)
    options = _checked(question.options)
    listed = "\n".join([f"{letter}: {text}" for letter, text in zip(LETTERS, options, strict=False)])
    how = pick(
        voice,
        "Give the letter of the right option.",
        "Give the letter of the option that is right.",
        "Which option is right? Give its letter.",
        "One option is right; give its letter.",
        "Choose the right option and give its letter.",
        "Answer with the letter of the right one.",
    )
    note = "\n\n".join([asked, listed, " ".join([*_meanings(options, voice), how])])
    letters = tuple(LETTERS[: len(options)])
    return Layout((Column("letter", letters, tuple(map(_spellings, letters, options))),), 1, 1, False, note)


def _checked(options: Sequence[str]) -> Sequence[str]:
    if not 2 <= len(options) <= len(LETTERS) or len(set(options)) < len(options) or not all(options):
        raise BadRow(f"question.options: expected 2 to {len(LETTERS)} different texts, got {str(tuple(options))[:60]}")
    return options


def _meanings(options: Sequence[str], voice: int) -> list[str]:
    """When the options are right that speak of several answers."""
    said = []
    if CANNOT in options:
        said.append(
            pick(
                voice,
                f'"{CANNOT}" is right if what is known leaves more than one of the answers possible.',
                f'Choose "{CANNOT}" if more than one answer fits what is known.',
                f'If what is known fits more than one answer, "{CANNOT}" is right.',
            )
        )
    for text in options:
        if _EITHER.fullmatch(text):
            said.append(
                pick(
                    voice,
                    f'"{text}" is right if what is known leaves exactly these two possible.',
                    f'Choose "{text}" only if these two, and no others, fit what is known.',
                    f'If exactly these two fit what is known, "{text}" is right.',
                )
            )
    return said


def _spellings(letter: str, text: str) -> tuple[str, ...]:
    """What a reply may have in place of a letter: the option's text, or both."""
    marked = [f"{letter}{mark}" for mark in (":", ")", ".")]
    both = [f"{mark} {text}" for mark in (*marked, f"({letter})", letter, f"{letter} -")]
    return (text, *both, *marked, f"({letter})", f"option {letter}")


def write(family: AnyFamily, puzzle: AnyPuzzle, witnesses: Sequence[Any]) -> Rows:
    """The right reply. Raises BadRow if the witnesses do not say which it is."""
    values = _of_witnesses(family, puzzle, witnesses)
    if puzzle.question.ask is Ask.VALUE:
        if len(values) != 1:
            raise BadRow(f"answer: the question has the values {', '.join(values)[:60]}; expected one")
        return ((values[0],),)
    place = right_option(puzzle.question.options, values)
    if place is None:
        raise BadRow(f"question.options: none of them is right where the value is {' or '.join(values)[:60]}")
    return ((LETTERS[place],),)


def _of_witnesses(family: AnyFamily, puzzle: AnyPuzzle, witnesses: Sequence[Any]) -> list[str]:
    if not 1 <= len(witnesses) <= _PAIR or len({dumps(each) for each in witnesses}) < len(witnesses):
        raise BadRow(f"answer: expected one answer that fits or two different ones, got {len(witnesses)}")
    return list(dict.fromkeys(family.choices.value(puzzle, each) for each in witnesses))


def conclusion(family: AnyFamily, puzzle: AnyPuzzle, witnesses: Sequence[Any]) -> str:
    """A sentence that leads from the answers to the reply."""
    values, reply = _of_witnesses(family, puzzle, witnesses), write(family, puzzle, witnesses)[0][0]
    noun = family.choices.noun
    if puzzle.question.ask is Ask.VALUE:
        return f"So the {noun} is {reply}."
    if len(values) > 1:
        return f"What is known leaves {values[0]} as well as {values[1]}, so the right option is {reply}."
    if values[0] in puzzle.question.options:
        return f"So the {noun} is {values[0]}, and that is {reply}."
    return f"So the {noun} is {values[0]}, which is none of the others, and that is {reply}."


def guess(family: AnyFamily, puzzle: AnyPuzzle) -> float:
    """The chance of a blind reply: each option is right as often as the others."""
    if puzzle.question.ask is Ask.OPTION:
        return 1 / len(puzzle.question.options)
    return 1 / len(family.choices.domain(puzzle))


# ---- proving and judging ------------------------------------------------------------------------------------------------


@final
class Choice(Strategy):
    kind = QuestionKind.CHOICE
    deduced = True

    # ---- proving

    def certify(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> Certificate:
        """List all answers by two formulations; the plain checker accepts every one."""
        family = prover.family
        found: dict[str, Finding] = {}
        for engine in ("kernel", "space", "sat", "checker"):
            if len(found) == NEEDED:
                break
            asked = prover.finding(puzzle, engine, MOST)
            if isinstance(asked, Finding) and asked.exhausted:  # a spent budget leaves it to the next formulation
                found[prover.formulation(engine)] = asked
        if len(found) < NEEDED:
            raise Discarded("budget", "one formulation")
        _agree(family, puzzle, found, answer)
        nodes = next((each.nodes for name, each in found.items() if name == prover.formulation("kernel")), None)
        answers, scope = next(iter(found.values())).answers, prover.scope(puzzle)
        if not answers:
            core = prover.unsat_core(puzzle)
            return Certificate(Status.UNSOLVABLE, tuple(found), None, None, core, nodes, scope=scope)
        witnesses = _witnesses(family, puzzle, answers, answer)
        return Certificate(Status.UNIQUE, tuple(found), witnesses, None, (), nodes, scope=scope)

    def efforts(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> dict[str, int]:
        """SAT and Z3 are asked where the puzzle has one answer or none."""
        if answer is not None and not self.alone(answer):
            return {}
        values = None if answer is None else _slots(prover.family, puzzle, answer[0])
        return prover.by_sat(puzzle, values) | prover.by_smt(puzzle, values)

    def prove_needed(self, prover: Prover, puzzle: AnyPuzzle, free: AnyPuzzle, rule: str, proved: Certificate) -> bool:
        """Without the rule there is another answer that gives the question another value, and the plain checker accepts it."""
        kept = {prover.family.choices.value(puzzle, each) for each in proved.answer or ()}
        for values in prover.answers(free, MOST):
            if _valued(prover.family, free, values) not in kept:
                accepted(prover.family, free, values, "kernel")
                return True
        return False

    def recheck(self, prover: Prover, puzzle: AnyPuzzle, claim: Claim, engine: str, hidden: Any | None) -> Recheck:
        found, family = prover.finding(puzzle, engine, MOST), prover.family
        if not isinstance(found, Finding) or not found.exhausted:
            return Recheck(False)
        if claim.status not in (Status.UNIQUE, Status.UNSOLVABLE):
            return Recheck(True, f"status {claim.status.value} does not fit a puzzle that asks for an option")
        if (claim.answer is None) == bool(found.answers):
            return Recheck(True, f"status is {claim.status.value}, but {engine} finds {len(found.answers)} answers")
        if claim.answer is None:
            return Recheck(True)
        if len(found.answers) > 1 and self.alone(claim.answer):
            return Recheck(True, f"one answer is stored, but {engine} finds others")
        values = [_valued(family, puzzle, each) for each in found.answers]
        kept = _of_witnesses(family, puzzle, claim.answer)
        return Recheck(True, "" if _judged(puzzle, values) == _judged(puzzle, kept) else f"{engine} finds another right reply")

    # ---- judging

    def objections(self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> list[str]:
        return [name for each in answer for name in family.broken_rules(puzzle, each)]

    def best_constant(self, case: Case) -> float:
        return 0.0

    # ---- grading and stored rows

    def graded_before_proof(self) -> bool:
        return False

    def answer_type(self, family: AnyFamily) -> Any:
        stored: Any = tuple
        return stored[family.answer, ...]

    def shown(self, answer: Any) -> Any:
        return None if answer is None else answer[0]

    def alone(self, answer: Any) -> bool:
        return answer is None or len(answer) == 1

    def hidden_of(self, family: AnyFamily, row: Mapping[str, Any], answer: Any | None) -> Any | None:
        return self.shown(answer)


def _slots(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> Slots:
    return family.form.values(puzzle.spec, puzzle.board, answer)


def _judged(puzzle: AnyPuzzle, values: Iterable[str]) -> int | str | None:
    """What is right if answers give these values: an option's place, or the only value; None if nothing is."""
    if puzzle.question.ask is Ask.OPTION:
        return right_option(puzzle.question.options, values)
    given = sorted(set(values))
    return given[0] if len(given) == 1 else None


def _agree(family: AnyFamily, puzzle: AnyPuzzle, found: Mapping[str, Finding], answer: Any | None) -> None:
    """The same answers, accepted by the checker, and the one that the puzzle was made from among them."""
    if len({frozenset(each.answers) for each in found.values()}) > 1:
        raise EnginesDisagree({name: f"the answers {each.answers}"[:200] for name, each in found.items()}, dumps(puzzle))
    name, first = next(iter(found.items()))
    for values in first.answers:
        accepted(family, puzzle, values, name)
    if answer is not None and _slots(family, puzzle, answer) not in first.answers:
        raise EnginesDisagree({name: f"{len(first.answers)} answers", "generator": "another answer"}, dumps(puzzle))
    if answer is None and first.answers:
        raise Discarded("solvable", "made to be unsolvable")


def _witnesses(family: AnyFamily, puzzle: AnyPuzzle, answers: Sequence[Slots], answer: Any) -> tuple[Any, ...]:
    """The answer that the puzzle was made from, and another one if there is one: of another value if any has one.

    Raises Discarded("ambiguous") if no reply is right.
    """
    all_values = {each: _valued(family, puzzle, each) for each in answers}
    right = _judged(puzzle, all_values.values())
    if right is None:
        raise Discarded("ambiguous")
    own = _slots(family, puzzle, answer)
    others = [each for each in sorted(answers) if each != own]
    others.sort(key=lambda each: all_values[each] == all_values[own])
    for other in others:
        if _judged(puzzle, (all_values[own], all_values[other])) == right:
            return answer, family.form.assemble(puzzle.spec, puzzle.board, other)
    return (answer,)


STRATEGY = Choice()
