"""Kumo: find out which truths hold, by actions of which each outcome rules truths out.

A task has a few truths, of which exactly `valid` hold, and a few actions. An action shows one of its outcomes, and a book tells
which truths each outcome rules out:
  count     exactly `valid` of the truths hold;
  seen      what an outcome that was seen rules out does not hold.
The promise: the outcomes of all actions together rule out every truth that does not hold, and none that does.

Played (the default): the outcomes are hidden, and a dialogue brings them to light, one action a message, as few as possible.
What is proved is the answer once all is seen, and what the best play costs. Told: some outcomes are clues, each of them needed,
and the answer is asked for at once; then only what is told counts, not the promise.

How a task is drawn: the domain's truths evenly; then, of all choices of actions, an outcome of each and truths that hold, which
keep the promise, one, all alike. So given truths and actions all worlds (ways for the promise to be kept) are equally likely, as
the prompt says. A filter on the least expected cost looks at truths and actions only and leaves that as it is. A book's
exclusions are drawn for each edition of a domain: every release has books of its own (docs/design/kumo.md).
Source: H. Lin et al., "Generative evaluation of complex reasoning in large language models" (KUMO, 2025); rules, semantics and
texts are our own. broken_rules returns the id of a clue that is broken, and "malformed" for what is no set of `valid` truths.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import ExclusionTable
from puzzlemill.core.types import AnyDraft
from puzzlemill.core.words import NUMBERS
from puzzlemill.generators import _kumo as surface
from puzzlemill.generators._kumo import Answer, board_of, outcome_clue, seen
from puzzlemill.kumo.domain import source
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.domain.task import Dealt, World, arranged, check_world, uneven, value_of, world_of

KumoPuzzle = f.Puzzle["Params", Domain]
KumoDraft = f.Draft["Params", Domain, Any, Answer]

_MOST_PLAYED = (16, 31)  # truths and actions of a dialogue: what the search for the best play takes
_MOST_CHANCES = 20  # actions: the worlds of more of them, counted with their chances, do not fit 62 bits
_SIZES = ((3, 3), (4, 6), (6, 8), (8, 10), (12, 16), (16, 20), (20, 30))  # of truths and actions, each the next larger one
_EDITION = re.compile(r"[A-Za-z0-9._-]{0,64}")


@f.params
class Params:
    """truths, of which `valid` hold; actions. Dialogues have at most 16 truths and 31 actions.

    told: outcomes are clues and the answer is asked for at once; else there is a dialogue.
    domain: "authored" or "invented", one of those; an authored domain's name, or the number of an invented one, "invented:12";
        or a file that the recipe brings along, "my_quarry@" and the hash of its text (kumo/domain/files.py: own_name).
        With /first or /second: one of the two parts of such a domain, split along its connected components ("bone_pit/first").
    edition: the word that the exclusions of a domain, and all of an invented one, are drawn from; "": the release's own.
    least: the least expected number of actions of the best play, in hundredths. long: the book is a long one.
    chances: outcomes do not come up alike, and the prompt says how often each does; for dialogues of at most 20 actions.
    """

    truths: int = f.Param(4, least=3, most=20)
    actions: int = f.Param(6, least=2, most=32)
    valid: int = f.Param(1, least=1, most=lambda p: min(4, p.truths - 1))
    told: bool = False
    domain: str = source.AUTHORED
    edition: str = f.Param("", shared=True)
    least: int = f.Param(100, least=0, most=lambda p: min(1_000, 100 * p.actions - 1))
    long: bool = False
    chances: bool = False


# ---- transforms ---------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Told(f.Transform):
    """Tell outcomes of the parent's own world, as few as leave one answer, in place of the dialogue."""

    name: str = "told"
    kind: f.Kind = f.Kind.UE1
    relation: f.Relation = f.Relation.FORM
    pairing: f.Pairing = f.Pairing.SAME_ANSWER
    about: str = "some of the outcomes given in place of the dialogue, the answer being the same"

    def fits(self, family: AnyFamily, spec: f.Spec[Any]) -> bool:
        return family.name == Kumo.name and not spec.params.told and not spec.params.chances

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: f.Rng, oracle: f.Oracle) -> AnyDraft:
        puzzle = family.dialogue.revealed(draft.puzzle, draft.hidden)
        kept = oracle.minimize(puzzle, rng.shuffled(range(len(puzzle.clues))), 0)
        return f.Draft(puzzle.with_clues([puzzle.clues[i] for i in kept]), draft.answer, draft.answer)

    def changed(self, family: AnyFamily, spec: f.Spec[Any], rng: f.Rng) -> f.Spec[Any]:
        return _with(spec, told=True)


@final
@dataclass(frozen=True, slots=True)
class Counterfactual(f.Transform):
    """Move what outcomes rule out to other outcomes of their actions, and draw the world anew: who answers from the parent's book
    is misled. Raises Discarded("empty") if the promise cannot be kept then.
    """

    name: str = "counterfactual"
    kind: f.Kind = f.Kind.UE2
    relation: f.Relation = f.Relation.EDIT
    pairing: f.Pairing = f.Pairing.GROUP
    about: str = "the book's rules moved to other outcomes, and what is hidden drawn anew"

    def fits(self, family: AnyFamily, spec: f.Spec[Any]) -> bool:
        return family.name == Kumo.name and not spec.params.told

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: f.Rng, oracle: f.Oracle) -> AnyDraft:
        from puzzlemill.kumo.book import counterfactual

        board = counterfactual(draft.puzzle.board, rng.child("book"))
        if board.masks() == draft.puzzle.board.masks():
            raise f.Discarded("no_change")
        puzzle = replace(draft.puzzle, board=board)
        _, holds, ways = oracle.deal_game(family.dialogue.game(puzzle), len(board.actions), rng.child("deal"))
        world = world_of(board, holds, ways, rng.child("values"))
        return f.Draft(puzzle, world, world.valid)


def _with(spec: f.Spec[Params], **changes: Any) -> f.Spec[Params]:
    return replace(spec, params=replace(spec.params, **changes))


def _new_rule(name: str, param: str, value: int | bool, about: str) -> f.SetParam:
    return f.SetParam(name, f.Kind.UE2, f.Relation.RULE, f.Pairing.NONE, ((param, value),), about)


# ---- clues, dialogues ---------------------------------------------------------------------------------------------------


class Outcomes(f.Clues[Params, Domain]):
    """A clue tells an outcome of an action, and of a numeric one the value that it showed."""

    lists_clues = True

    def can_clash(self, spec: f.Spec[Params]) -> bool:
        return spec.params.told

    def state(self, m: f.Constraints, spec: f.Spec[Params], board: Domain, clue: f.Clue) -> None:
        a, s, _ = seen(clue, board)
        excluded = board.actions[a].excludes[s]
        for t in excluded:
            m.require(-(t + 1), label=clue.id)  # the truths are the first variables
        if not excluded:
            m.require(1, -1, label=clue.id)

    def alternatives(self, puzzle: KumoPuzzle, clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        """The same action with another outcome."""
        a, shown, _ = seen(clue, puzzle.board)
        action = puzzle.board.actions[a]
        for s in rng.shuffled(range(action.size)):
            if s != shown:
                yield replace(clue, args=(a, s, value_of(action, s, rng.child(s))))

    def additions(self, puzzle: KumoPuzzle, rng: f.Rng) -> Iterator[f.Clue]:
        """Outcomes of actions of which none is told."""
        actions = puzzle.board.actions
        told = {seen(clue, puzzle.board)[0] for clue in puzzle.clues}
        ways = [(a, s) for a, action in enumerate(actions) if a not in told for s in range(action.size)]
        for a, s in rng.shuffled(ways):
            yield outcome_clue(a, s, value_of(actions[a], s, rng.child(a, s)))


class Play(f.Dialogue[Params, Domain, World]):
    """The player learns one outcome a turn."""

    def game(self, puzzle: KumoPuzzle) -> f.Game:
        """Outcomes that come up more often stand in it more than once, so that its worlds are equally likely."""
        board = board_of(puzzle)
        return f.Game(len(board.truths), board.ways(), puzzle.spec.params.valid)

    def outcomes(self, puzzle: KumoPuzzle, hidden: World) -> tuple[int, ...]:
        return hidden.outcomes

    def revealed(self, puzzle: KumoPuzzle, hidden: World) -> KumoPuzzle:
        board, question = board_of(puzzle), puzzle.question
        if question.turn_limit != 2 * len(board.actions):
            raise f.BadRow(f"question: expected a limit of {2 * len(board.actions)} turns, got {question.turn_limit}")
        check_world(board, hidden)
        clues = [outcome_clue(a, s, v) for a, (s, v) in enumerate(zip(hidden.outcomes, hidden.values, strict=True))]
        question = replace(question, kind=f.QuestionKind.WHOLE, turn_limit=None)
        return replace(puzzle, spec=_with(puzzle.spec, told=True), clues=tuple(clues), question=question)

    def least(self, puzzle: KumoPuzzle) -> int:
        return puzzle.spec.params.least


# ---- the family ---------------------------------------------------------------------------------------------------------

_SMALL = Params(3, 3, domain="invented:0", edition="small")


@final
class Kumo(f.Family[Params, Domain, Any, Answer]):
    """The board is a small domain, which holds all that its book says. What is drawn is Dealt; what is hidden of a dialogue is
    its World, and of a told puzzle its answer.
    """

    name, version, title = "kumo", 1, "Kumo"
    source = "H. Lin et al., Generative evaluation of complex reasoning in large language models (2025)"
    params, board, answer, hidden = Params, Domain, Answer, World
    form, clues, dialogue, text = surface.TruthSet(), Outcomes(), Play(), surface.Text()
    questions = (f.QuestionKind.PLAY, f.QuestionKind.WHOLE)
    work_bands = ("expected actions", 3, 5)
    transforms = (
        Told(),
        Counterfactual(),
        _new_rule("several_valid", "valid", 2, "two of the truths are right"),
        _new_rule("chances", "chances", True, "outcomes do not come up alike, and the prompt says how often each does"),
        f.surface("rename", surface.renamed, "other names"),
        f.surface("paraphrase", surface.paraphrased, "other words for the same clues"),
        f.surface("long_book", surface.long_book, "a book of 10,000 words and more"),
        f.surface("symbolic_book", surface.symbolic_book, "the book in symbols"),
        f.Restyle("letters", f.Kind.UE1, how=surface.letters, about="letters in place of the truths' names"),
    )
    smallest = (
        f.Spec(_SMALL),
        f.Spec(replace(_SMALL, truths=4, actions=6, told=True)),
        f.Spec(replace(_SMALL, truths=4, actions=5, valid=2, domain="invented:1")),
        f.Spec(replace(_SMALL, truths=5, actions=7, valid=2, told=True, domain="invented:1")),
    )
    worked = surface.WORKED

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        params = spec.params
        if not params.told and (params.truths > _MOST_PLAYED[0] or params.actions > _MOST_PLAYED[1]):
            raise f.BadParams(
                f"kumo.told must be true beyond {_MOST_PLAYED[0]} truths or {_MOST_PLAYED[1]} actions, got {params.truths} and "
                f"{params.actions}; set family.params.truths, family.params.actions or family.params.told"
            )
        if not _EDITION.fullmatch(params.edition):
            raise f.BadParams(
                f"kumo.edition must be up to 64 letters, digits and . _ -, got {params.edition[:70]!r}; set family.params.edition"
            )
        if params.chances and (params.told or params.actions > _MOST_CHANCES):
            raise f.BadParams(
                f"kumo.chances is for dialogues (told=false) of at most {_MOST_CHANCES} actions, got {params.actions}; set "
                "family.params.chances"
            )
        source.check_name(params.domain)

    def question(self, spec: f.Spec[Params]) -> f.Question:
        if spec.params.told:
            return f.Question()
        return f.Question(f.QuestionKind.PLAY, turn_limit=2 * spec.params.actions)

    def style(self, spec: f.Spec[Params]) -> f.Style:
        return book_style(surface.REGISTERS[0], False, 0)

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Dealt:
        params = spec.params
        whole = source.domain_named(params.domain, params.edition, rng.child("domain"))
        for what, number, there in (
            ("truths", params.truths, len(whole.truths)),
            ("actions", params.actions, len(whole.actions)),
        ):
            if number > there:
                raise f.BadParams(f"kumo.{what}: {whole.name} has {there} {what}, got {number}; set family.params.{what}")
        truths = rng.child("truths").sample(range(len(whole.truths)), params.truths)
        part = whole.part(truths, range(len(whole.actions)))
        if params.chances:
            part = uneven(part, rng)
        game = f.Game(params.truths, part.ways(), params.valid)
        actions, holds, ways = oracle.deal_game(game, params.actions, rng.child("deal"))
        return arranged(part, actions, holds, ways, rng)

    def make_puzzle(self, spec: f.Spec[Params], hidden: Any, rng: f.Rng) -> KumoDraft:
        if not isinstance(hidden, Dealt):
            raise ValueError("kumo makes puzzles of what sample_solution() has drawn")
        world, register = hidden.world, rng.child("register").pick(surface.REGISTERS)
        style = book_style(register, spec.params.long, rng.child("phrasing").below(1 << 31))
        puzzle = replace(self.puzzle(_with(spec, told=False), (), hidden.board), style=style)
        if not spec.params.told:
            return f.Draft(puzzle, world, world.valid)
        return f.Draft(self.dialogue.revealed(puzzle, world), world.valid, world.valid)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """The next size with more of both."""
        for truths, actions in _SIZES:
            if truths > spec.params.truths and actions > spec.params.actions:
                larger = _with(spec, truths=truths, actions=actions)
                return larger if f.valid(self, larger) else None
        return None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Domain) -> f.Constraints:
        """One variable per truth; the slot's literals are the sets of truths, for one truth the truths themselves."""
        m = f.Constraints()
        holds = [m.var() for _ in board.truths]
        m.exactly(holds, spec.params.valid, label="count")
        if spec.params.valid == 1:
            m.key.append(tuple(holds))
            return m
        sets = []
        for chosen in surface.truth_sets(len(holds), spec.params.valid):
            lit = m.var()
            for t in chosen:
                m.require(-lit, holds[t])
            m.require(lit, *[-holds[t] for t in chosen])
            sets.append(lit)
        m.key.append(tuple(sets))
        return m

    def deduction_table(self, puzzle: KumoPuzzle) -> ExclusionTable:
        board = board_of(puzzle)
        told = [seen(clue, board)[:2] for clue in puzzle.clues]
        clues = tuple([board.actions[a].excludes[s] for a, s in told])
        measured = tuple([i for i, (a, _) in enumerate(told) if board.actions[a].numeric])
        return ExclusionTable(len(board.truths), puzzle.spec.params.valid, clues, measured)

    def broken_rules(self, puzzle: KumoPuzzle, answer: Answer, partial: bool = False) -> list[str]:
        if partial and answer == ():
            return []
        if len(answer) != puzzle.spec.params.valid:
            return [f.MALFORMED]
        last = -1
        for t in answer:
            if type(t) is not int or not last < t < len(puzzle.board.truths):
                return [f.MALFORMED]
            last = t
        broken = []
        for clue in puzzle.clues:
            a, outcome, value = seen(clue, puzzle.board)
            action = puzzle.board.actions[a]
            if action.numeric:  # what is told is the value
                outcome = action.size - 1
                while value < action.bounds[outcome]:
                    outcome -= 1
            for t in answer:
                if t in action.excludes[outcome]:
                    broken.append(clue.id)
                    break
        return broken

    def symmetry(self, puzzle: KumoPuzzle) -> f.ColouredGraph:
        """Truths, actions and outcomes; an outcome is joined to its action and to what it excludes. Colours: of truths how many
        hold and whether outcomes are told, of an outcome whether it is, and how often it comes up.
        """
        board, params = board_of(puzzle), puzzle.spec.params
        colours = [2 * params.valid + params.told + 3] * len(board.truths)
        edges = []
        told = {seen(clue, board)[:2] for clue in puzzle.clues}
        for a, action in enumerate(board.actions):
            own = len(colours)
            colours.append(0)
            for s, excluded in enumerate(action.excludes):
                here = len(colours)
                colours.append((2 if (a, s) in told else 1) + (100 * action.chances[s] if action.chances else 0))
                edges.append((own, here))
                edges += [(t, here) for t in excluded]
        return f.ColouredGraph(tuple(colours), tuple(edges))

    # ---- text

    def render(self, puzzle: KumoPuzzle) -> str:
        from puzzlemill.kumo.book.prompt import task_prompt

        domain, params = surface.named(puzzle), puzzle.spec.params
        register, long = surface.book_of(puzzle.style)
        outcomes = [surface.shown(clue, domain) for clue in puzzle.clues_in_order()] if params.told else None
        return task_prompt(domain, params.valid, outcomes, params.chances, register, puzzle.style.phrasing, long)

    def describe(self, puzzle: KumoPuzzle, label: str) -> str:
        domain, count, clue = surface.named(puzzle), puzzle.spec.params.valid, puzzle.clue(label)
        if label == "count":
            one = f"Exactly one {domain.truth} is right."
            return one if count == 1 else f"Exactly {NUMBERS[count]} {domain.truths_plural} are right."
        return label if clue is None else surface.shown(clue, domain)

    def words(self, puzzle: KumoPuzzle) -> f.Words:
        return surface.words(puzzle)

    def draw(self, puzzle: KumoPuzzle, answer: Answer | None = None, marked: Collection[str] = ()) -> str:
        return surface.picture(puzzle, answer, marked)


def book_style(register: str, long: bool, seed: int) -> f.Style:
    """The style of a task with the book of this register, length and seed."""
    return f.Style(theme=register + surface.LONG * long, phrasing=seed)


FAMILY = Kumo()
