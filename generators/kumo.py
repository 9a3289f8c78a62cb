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
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from itertools import combinations, pairwise
from math import comb, log10
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.family import AnyFamily, Family, Legacy, Pairing, Relation, Transform
from puzzlemill.core.model import BLANK, Constraints, Game, Slots
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import (
    AnyDraft,
    Clue,
    Column,
    Draft,
    Example,
    Kind,
    Layout,
    Oracle,
    Puzzle,
    Question,
    QuestionKind,
    Rows,
    Spec,
    Style,
)
from puzzlemill.kumo.domain.domain import CHANCES, Action, Domain
from puzzlemill.transforms.forms import Restyle, SetParam, valid

AUTHORED, INVENTED = "authored", "invented"
INVENTED_DOMAINS = 1_000  # "invented" alone takes one of the first so many
REGISTERS = ("guidebook", "lab_manual", "memo", "dialogue", "table")  # that books are written in
SYMBOLIC = "symbolic"  # a register for training and for pairs; parents are never drawn in it
LONG = "-long"  # ends a look's theme where the book is a long one
_DOMAIN = re.compile(r"(?:invented:(?:0|[1-9][0-9]{0,5})|[a-z][a-z0-9_]{1,39}(?:@[0-9a-f]{16})?)(?:/(?:first|second))?")
_EDITION = re.compile(r"[A-Za-z0-9._-]{0,64}")
_MOST_PLAYED = (16, 31)  # truths and actions of a dialogue: what the search for the best play takes
_MOST_CHANCES = 20  # actions: the worlds of more of them, counted with their chances, do not fit 62 bits
_MOST_ANSWERS = 5_000  # sets of truths that may hold
_SIZES = ((3, 3), (4, 6), (6, 8), (8, 10), (12, 16), (16, 20), (20, 30))  # of truths and actions, each the next larger one
_BEGIN, _END = "=== The book begins ===", "=== The book ends ==="
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")

Answer = tuple[int, ...]  # the truths that hold, ascending


@dataclass(frozen=True, slots=True)
class Params:
    """truths: 3 to 20, of which `valid`, 1 to 4, hold. actions: 2 to 32. Dialogues have at most 16 truths and 31 actions.

    told: outcomes are clues and the answer is asked for at once; else there is a dialogue.
    domain: "authored" or "invented", one of those; an authored domain's name, or the number of an invented one, "invented:12";
        or a file that the recipe brings along, "my_quarry@" and the hash of its text (kumo/domain/files.py: own_name).
        With /first or /second: one of the two parts of such a domain, split along its connected components ("bone_pit/first").
    edition: the word that the exclusions of a domain, and all of an invented one, are drawn from; "": the release's own.
    least: the least expected number of actions of the best play, in hundredths. long: the book is a long one.
    chances: outcomes do not come up alike, and the prompt says how often each does; for dialogues of at most 20 actions.
    """

    truths: int = 4
    actions: int = 6
    valid: int = 1
    told: bool = False
    domain: str = AUTHORED
    edition: str = ""
    least: int = 100
    long: bool = False
    chances: bool = False


@dataclass(frozen=True, slots=True)
class World:
    """What a dialogue hides. valid: the truths that hold, ascending. outcomes: one of each action.

    values: of each numeric action the value that it shows, in multiples of 10**-decimals, inside its outcome's interval; of the
        others 0.
    """

    valid: tuple[int, ...]
    outcomes: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A task: its part of a domain, and the world."""

    board: Domain
    world: World


@final
@dataclass(frozen=True, slots=True)
class Told(Transform):
    """Tell outcomes of the parent's own world, as few as leave one answer, in place of the dialogue."""

    name: str = "told"
    kind: Kind = Kind.UE1
    relation: Relation = Relation.FORM
    pairing: Pairing = Pairing.SAME_ANSWER
    about: str = "some of the outcomes given in place of the dialogue, the answer being the same"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return family.name == Kumo.name and not spec.params.told and not spec.params.chances

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        puzzle = family.dialogue.revealed(draft.puzzle, draft.hidden)
        kept = oracle.minimize(puzzle, rng.shuffled(range(len(puzzle.clues))), 0)
        return Draft(puzzle.with_clues([puzzle.clues[i] for i in kept]), draft.answer, draft.answer)

    def changed(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return _told(spec)


@final
@dataclass(frozen=True, slots=True)
class Counterfactual(Transform):
    """Move what outcomes rule out to other outcomes of their actions, and draw the world anew: who answers from the parent's book
    is misled. Raises Discarded("empty") if the promise cannot be kept then.
    """

    name: str = "counterfactual"
    kind: Kind = Kind.UE2
    relation: Relation = Relation.EDIT
    pairing: Pairing = Pairing.GROUP
    about: str = "the book's rules moved to other outcomes, and what is hidden drawn anew"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return family.name == Kumo.name and not spec.params.told

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        from puzzlemill.kumo.book import counterfactual

        board = counterfactual(draft.puzzle.board, rng.child("book"))
        if board.masks() == draft.puzzle.board.masks():
            raise Discarded("no_change")
        puzzle = replace(draft.puzzle, board=board)
        _, holds, ways = oracle.deal_game(family.dialogue.game(puzzle), len(board.actions), rng.child("deal"))
        world = _world(board, holds, ways, rng.child("values"))
        return Draft(puzzle, world, world.valid)


def _told(spec: Spec[Any]) -> Spec[Any]:
    return replace(spec, params=replace(spec.params, told=True))


@final
class Kumo(Legacy, Family[Params, Domain, Any, Answer]):
    """The board is a small domain, which holds all that its book says. What is drawn is Dealt; what is hidden of a dialogue is
    its World, and of a told puzzle its answer.
    """

    name: ClassVar[str] = "kumo"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Kumo"
    params: ClassVar[Any] = Params
    board: ClassVar[Any] = Domain
    answer: ClassVar[Any] = Answer
    hidden: ClassVar[Any] = World
    transforms: ClassVar[tuple[Transform, ...]] = (
        Told(),
        Counterfactual(),
        SetParam("several_valid", Kind.UE2, Relation.RULE, Pairing.NONE, (("valid", 2),), "two of the truths are right"),
        SetParam(
            "chances",
            Kind.UE2,
            Relation.RULE,
            Pairing.NONE,
            (("chances", True),),
            "outcomes do not come up alike, and the prompt says how often each does",
        ),
        Restyle("rename", Kind.SURFACE, Relation.SURFACE, about="other names"),
        Restyle("paraphrase", Kind.SURFACE, Relation.SURFACE, about="other words for the same clues"),
        Restyle("long_book", Kind.SURFACE, Relation.SURFACE, about="a book of 10,000 words and more"),
        Restyle("symbolic_book", Kind.SURFACE, Relation.SURFACE, about="the book in symbols"),
        Restyle("letters", Kind.UE1, about="letters in place of the truths' names"),
    )
    questions: ClassVar[tuple[QuestionKind, ...]] = (QuestionKind.PLAY, QuestionKind.WHOLE)
    lists_clues: bool = True
    work_bands: ClassVar[tuple[str, int, int]] = ("expected actions", 3, 5)
    source: ClassVar[str] = "H. Lin et al., Generative evaluation of complex reasoning in large language models (2025)"

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        params = spec.params
        for name, value, low, high in (
            ("truths", params.truths, 3, 20),
            ("actions", params.actions, 2, 32),
            ("valid", params.valid, 1, 4),
            ("least", params.least, 0, 1_000),
        ):
            if not low <= value <= high:
                raise BadParams(f"kumo.{name} must be {low} to {high}, got {value}; set family.params.{name}")
        if not params.told and (params.truths > _MOST_PLAYED[0] or params.actions > _MOST_PLAYED[1]):
            raise BadParams(
                f"kumo.told must be true beyond {_MOST_PLAYED[0]} truths or {_MOST_PLAYED[1]} actions, got {params.truths} and "
                f"{params.actions}; set family.params.truths, family.params.actions or family.params.told"
            )
        if params.valid >= params.truths or comb(params.truths, params.valid) > _MOST_ANSWERS:
            raise BadParams(
                f"kumo.valid must be less than truths and give at most {_MOST_ANSWERS} answers, got {params.valid} of "
                f"{params.truths}; set family.params.valid"
            )
        if params.least >= 100 * params.actions:
            raise BadParams(
                f"kumo.least must be under {params.actions} actions, got {params.least} hundredths; set family.params.least"
            )
        if not _EDITION.fullmatch(params.edition):
            raise BadParams(
                f"kumo.edition must be up to 64 letters, digits and . _ -, got {params.edition[:70]!r}; set family.params.edition"
            )
        if params.chances and (params.told or params.actions > _MOST_CHANCES):
            raise BadParams(
                f"kumo.chances is for dialogues (told=false) of at most {_MOST_CHANCES} actions, got {params.actions}; set "
                "family.params.chances"
            )
        _check_domain(params.domain)
        if spec.rules:
            raise BadParams(f"kumo has no optional rules, got {spec.rules[0].name[:40]!r}; set family.rules")

    def specialize(self, spec: Spec[Params], word: str) -> Spec[Params]:
        return spec if spec.params.edition else replace(spec, params=replace(spec.params, edition=word))

    def asks(self, spec: Spec[Params]) -> QuestionKind:
        return QuestionKind.WHOLE if spec.params.told else QuestionKind.PLAY

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Dealt:
        params = spec.params
        whole = _domain(params, rng.child("domain"))
        for what, number, there in (
            ("truths", params.truths, len(whole.truths)),
            ("actions", params.actions, len(whole.actions)),
        ):
            if number > there:
                raise BadParams(f"kumo.{what}: {whole.name} has {there} {what}, got {number}; set family.params.{what}")
        truths = rng.child("truths").sample(range(len(whole.truths)), params.truths)
        part = whole.part(truths, range(len(whole.actions)))
        if params.chances:
            uneven = [replace(a, chances=_chances(a.size, rng.child("chances", i))) for i, a in enumerate(part.actions)]
            part = replace(part, actions=tuple(uneven))
        game = Game(params.truths, part.ways(), params.valid)
        actions, holds, ways = oracle.deal_game(game, params.actions, rng.child("deal"))
        return arranged(part, actions, holds, ways, rng)

    def make_puzzle(self, spec: Spec[Params], hidden: Any, rng: Rng) -> Draft[Params, Domain, Any, Answer]:
        if not isinstance(hidden, Dealt):
            raise ValueError("kumo poses what fill() has drawn")
        world = hidden.world
        register = rng.child("register").pick(REGISTERS) + LONG * spec.params.long
        look = Style(theme=register, phrasing=rng.child("phrasing").below(1 << 31))
        question = Question(QuestionKind.PLAY, turn_limit=2 * spec.params.actions)
        puzzle = Puzzle(self.name, self.version, spec, hidden.board, (), question, look)
        if not spec.params.told:
            return Draft(puzzle, world, world.valid)
        return Draft(self.dialogue.revealed(puzzle, world), world.valid, world.valid)

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        """The next size with more of both."""
        params = spec.params
        for truths, actions in _SIZES:
            if truths > params.truths and actions > params.actions:
                larger = replace(spec, params=replace(params, truths=truths, actions=actions))
                return larger if valid(self, larger) else None
        return None

    def can_clash(self, spec: Spec[Params]) -> bool:
        return spec.params.told

    def alternatives(self, puzzle: Puzzle[Params, Domain], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """The same action with another outcome."""
        a, shown, _ = clue.ints()
        action = puzzle.board.actions[a]
        for s in rng.shuffled(range(action.size)):
            if s != shown:
                yield replace(clue, args=(a, s, _value(action, s, rng.child(s))))

    def additions(self, puzzle: Puzzle[Params, Domain], rng: Rng) -> Iterator[Clue]:
        """Outcomes of actions of which none is told."""
        told = {clue.ints()[0] for clue in puzzle.clues}
        actions = puzzle.board.actions
        ways = [(a, s) for a, action in enumerate(actions) if a not in told for s in range(action.size)]
        for a, s in rng.shuffled(ways):
            yield _seen(a, s, _value(actions[a], s, rng.child(a, s)))

    def restyle(self, puzzle: Puzzle[Params, Domain], way: str, rng: Rng) -> Style:
        """rename, letters: other names of the truths. paraphrase: the book in another register. long_book: a long one.

        symbolic_book: the book in symbols.
        """
        look, truths = puzzle.style, puzzle.board.truths
        if way == "rename":
            return replace(look, names=(_invented(len(truths), rng),))
        if way == "letters":  # not A and I, which are words
            return replace(look, names=(tuple(["BCDEFGHJKLMNOPQRSTUVWXYZ"[i] for i in range(len(truths))]),))
        register, long = look.theme.removesuffix(LONG), look.theme.endswith(LONG)
        if way == "paraphrase":
            other = rng.pick([name for name in REGISTERS if name != register])
            return replace(look, theme=other + LONG * long, phrasing=rng.below(1 << 31))
        themes = {"long_book": register + LONG, "symbolic_book": SYMBOLIC + LONG * long}
        if way in themes:
            if themes[way] == look.theme:
                raise Discarded("no_other_book")
            return replace(look, theme=themes[way])
        raise TypeError(f"{self.name} has no look of the sort {way!r}")

    # ---- meaning

    def model(self, spec: Spec[Params], board: Domain) -> Constraints:
        """One variable per truth; the slot's literals are the sets of truths, for one truth the truths themselves."""
        m = Constraints()
        holds = [m.var() for _ in board.truths]
        m.exactly(holds, spec.params.valid, label="count")
        if spec.params.valid == 1:
            m.key.append(tuple(holds))
            return m
        sets = []
        for chosen in _sets(len(holds), spec.params.valid):
            lit = m.var()
            for t in chosen:
                m.require(-lit, holds[t])
            m.require(lit, *[-holds[t] for t in chosen])
            sets.append(lit)
        m.key.append(tuple(sets))
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: Domain, clue: Clue) -> None:
        a, s, _ = clue.ints()
        excluded = board.actions[a].excludes[s]
        for t in excluded:
            m.require(-(t + 1), label=clue.id)  # the truths are the first variables
        if not excluded:
            m.require(1, -1, label=clue.id)

    def slots(self, spec: Spec[Params], board: Domain) -> tuple[int, ...]:
        return (comb(len(board.truths), spec.params.valid),)

    def assemble(self, spec: Spec[Params], board: Domain, values: Slots) -> Answer:
        return () if values[0] == BLANK else _sets(len(board.truths), spec.params.valid)[values[0]]

    def values(self, spec: Spec[Params], board: Domain, answer: Answer) -> Slots:
        return (_places(len(board.truths), spec.params.valid).get(answer, BLANK),)

    def broken_rules(self, puzzle: Puzzle[Params, Domain], answer: Answer, partial: bool = False) -> list[str]:
        if partial and answer == ():
            return []
        if len(answer) != puzzle.spec.params.valid:
            return ["malformed"]
        last = -1
        for t in answer:
            if type(t) is not int or not last < t < len(puzzle.board.truths):
                return ["malformed"]
            last = t
        broken = []
        for clue in puzzle.clues:
            a, outcome, value = clue.ints()
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

    def game(self, puzzle: Puzzle[Params, Domain]) -> Game:
        """Outcomes that come up more often stand in it more than once, so that its worlds are equally likely."""
        _check_board(puzzle)
        return Game(len(puzzle.board.truths), puzzle.board.ways(), puzzle.spec.params.valid)

    def outcomes(self, puzzle: Puzzle[Params, Domain], hidden: Any) -> tuple[int, ...]:
        world: World = hidden
        return world.outcomes

    def revealed(self, puzzle: Puzzle[Params, Domain], hidden: Any) -> Puzzle[Params, Domain]:
        world: World = hidden
        _check_board(puzzle)
        actions = puzzle.board.actions
        if len(world.outcomes) != len(actions) or len(world.values) != len(actions):
            raise BadRow(f"hidden: has {len(world.outcomes)} outcomes and {len(world.values)} values of {len(actions)} actions")
        if puzzle.question.turn_limit != 2 * len(actions):
            raise BadRow(f"question: expected a limit of {2 * len(actions)} turns, got {puzzle.question.turn_limit}")
        left = list(range(len(puzzle.board.truths)))
        for action, s, value in zip(actions, world.outcomes, world.values, strict=True):
            if not 0 <= s < action.size:
                raise BadRow(f"hidden: {action.name} has no outcome {s}")
            high = action.bounds[s + 1] - (s + 1 < action.size) if action.numeric else 0
            if not (action.bounds[s] if action.numeric else 0) <= value <= high:
                raise BadRow(f"hidden: {action.name} cannot show {value} where its outcome is {s}")
            left = [t for t in left if t not in action.excludes[s]]
        if tuple(left) != world.valid:
            raise BadRow(f"hidden: the outcomes leave the truths {left}, but {list(world.valid)} hold")
        clues = [_seen(a, s, value) for a, (s, value) in enumerate(zip(world.outcomes, world.values, strict=True))]
        question = replace(puzzle.question, kind=QuestionKind.WHOLE, turn_limit=None)
        return replace(puzzle, spec=_told(puzzle.spec), clues=tuple(clues), question=question)

    def least(self, puzzle: Puzzle[Params, Domain]) -> int:
        return puzzle.spec.params.least

    def search_space_log10(self, puzzle: Puzzle[Params, Domain]) -> float:
        return log10(comb(len(puzzle.board.truths), puzzle.spec.params.valid))

    def symmetry(self, puzzle: Puzzle[Params, Domain]) -> ColouredGraph:
        """Truths, actions and outcomes; an outcome is joined to its action and to what it excludes. Colours: of truths how many
        hold and whether outcomes are told, of an outcome whether it is, and how often it comes up.
        """
        _check_board(puzzle)
        board, params = puzzle.board, puzzle.spec.params
        colours = [2 * params.valid + params.told + 3] * len(board.truths)
        edges = []
        told = {clue.ints()[:2] for clue in puzzle.clues}
        for a, action in enumerate(board.actions):
            own = len(colours)
            colours.append(0)
            for s, excluded in enumerate(action.excludes):
                here = len(colours)
                colours.append((2 if (a, s) in told else 1) + (100 * action.chances[s] if action.chances else 0))
                edges.append((own, here))
                edges += [(t, here) for t in excluded]
        return ColouredGraph(tuple(colours), tuple(edges))

    # ---- text

    def render(self, puzzle: Puzzle[Params, Domain]) -> str:
        from puzzlemill.kumo.book import write_book

        _check_board(puzzle)
        domain, params = _named(puzzle), puzzle.spec.params
        one, several, count = domain.truth, domain.truths_plural, params.valid
        register, long = puzzle.style.theme.removesuffix(LONG), puzzle.style.theme.endswith(LONG)
        if register not in (*REGISTERS, SYMBOLIC):
            raise BadRow(f"look.theme: there is no register {register[:40]!r}; known: {', '.join(REGISTERS)}")
        names = f"these {len(domain.truths)} {several}"
        opening = f"{domain.question} Exactly one of {names} is right"
        if count > 1:
            opening = f"Find out which {several} are right. Exactly {_NUMBERS[count]} of {names} are"
        book = write_book(domain, register, puzzle.style.phrasing, long, several=count > 1).strip()
        told = f"This book tells what each outcome rules out.\n\n{_BEGIN}\n\n{book}\n\n{_END}"
        parts = [f"{opening}: {', '.join(domain.truths)}."]
        if params.told:
            shown = [f"- {_shown(domain, clue)}" for clue in puzzle.clues_in_order()]
            parts.append(f"These {domain.actions_plural} were done, and this is what came out:\n" + "\n".join(shown))
        else:
            actions = [f"- {action.name}: {action.does}" for action in domain.actions]
            parts.append(f"To find out, you can do each of these {domain.actions_plural} once:\n" + "\n".join(actions))
            rest = f"every {one} except the right one" if count == 1 else f"all {several} except the right ones"
            promise = (
                f"This is promised: if all {len(actions)} {domain.actions_plural} are done, the outcomes that they show rule out"
            )
            prior = _prior(domain, params.chances)
            parts.append(
                f"Every {domain.action} shows one of its outcomes. {promise} {rest}, which none of them rules out. {prior}"
            )
        return "\n\n".join([*parts, told])

    def layout(self, puzzle: Puzzle[Params, Domain]) -> Layout:
        _check_board(puzzle)
        domain, count = _named(puzzle), puzzle.spec.params.valid
        note = f"Give the {domain.truth} that is right."
        if count > 1:
            note = f"Give the {_NUMBERS[count]} {domain.truths_plural} that are right, one per row, in any order."
        return Layout((Column(domain.truth, domain.truths),), count, count, False, note)

    def write(self, puzzle: Puzzle[Params, Domain], answer: Answer) -> Rows:
        names = _named(puzzle).truths
        return tuple([(names[t],) for t in answer])

    def read(self, puzzle: Puzzle[Params, Domain], rows: Rows) -> Answer | None:
        """Rows come in any order."""
        place = {name: t for t, name in enumerate(_named(puzzle).truths)}
        found = sorted({place[row[0]] for row in rows})
        return tuple(found) if len(found) == len(rows) else None

    def describe(self, puzzle: Puzzle[Params, Domain], label: str) -> str:
        domain, count = _named(puzzle), puzzle.spec.params.valid
        if label == "count":
            one = f"Exactly one {domain.truth} is right."
            return one if count == 1 else f"Exactly {_NUMBERS[count]} {domain.truths_plural} are right."
        clue = next((clue for clue in puzzle.clues if clue.id == label), None)
        return label if clue is None else _shown(domain, clue)

    def draw(self, puzzle: Puzzle[Params, Domain], answer: Answer | None = None, marked: Collection[str] = ()) -> str:
        _check_board(puzzle)
        return _picture(puzzle, answer, marked)

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, Domain]:
        options = heading(lines, self.name, flags=("play",), valued=("valid",))
        count = options.get("valid", "1")
        if not re.fullmatch("[1-4]", count):
            raise lines[0].bad(0, f"valid must be 1 to 4, got {count[:20]!r}")
        board, clues = _Scan(lines[1:], lines[0]).read()
        truths, actions = len(board.truths), len(board.actions)
        if int(count) >= truths or comb(truths, int(count)) > _MOST_ANSWERS:
            raise lines[0].bad(0, f"valid must be less than the {truths} truths, and give {_MOST_ANSWERS} answers at most")
        if clues and "play" in options:
            raise lines[0].bad(0, "a dialogue has no outcomes that were seen; leave out either")
        question = Question(QuestionKind.PLAY, turn_limit=2 * actions) if "play" in options else Question()
        uneven = {bool(action.chances) for action in board.actions}
        if True in uneven and (False in uneven or "play" not in options):
            raise lines[0].bad(0, "how often outcomes come up is told of all actions of a dialogue, or of none")
        params = Params(truths, actions, int(count), told="play" not in options, chances=True in uneven)
        return Puzzle(self.name, self.version, Spec(params), board, clues, question, Style(theme=REGISTERS[0]))

    def format(self, puzzle: Puzzle[Params, Domain]) -> str:
        _check_board(puzzle)
        valid, board = puzzle.spec.params.valid, puzzle.board
        head = self.name + f" valid={valid}" * (valid > 1) + " play" * (not puzzle.spec.params.told)
        lines = [head, *[f"{key}: {getattr(board, key)}" for key in _WORDS if getattr(board, key) != _WORDS[key]]]
        lines.append(f"truths: {' | '.join(board.truths)}")
        for action in board.actions:
            more = [text for text in (action.quantity, action.unit, str(action.decimals)) if text] if action.numeric else []
            lines.append("do: " + " | ".join([action.name, action.does, *more]))
            lines += [
                f"- {_outcome(action, s)} => {' | '.join([board.truths[t] for t in out])}"
                for s, out in enumerate(action.excludes)
            ]
        for clue in puzzle.clues:
            a, s, value = clue.ints()
            action = board.actions[a]
            lines.append(f"seen: {action.name} | {_digits(value, action.decimals) if action.numeric else action.outcomes[s]}")
        text = "\n".join([line.rstrip() for line in lines]) + "\n"
        if again := next((line for line in lines if "\n" in line), ""):
            raise BadRow(f"board: a text of more than one line, {again[:40]!r}")
        return text

    # ---- evidence

    def examples(self) -> tuple[Example[Params, Domain, Answer], ...]:
        return _examples()

    @property
    def smallest(self) -> tuple[Spec[Params], ...]:  # type: ignore[override]
        small = Params(3, 3, domain="invented:0", edition="small")
        return (
            Spec(small),
            Spec(replace(small, truths=4, actions=6, told=True)),
            Spec(replace(small, truths=4, actions=5, valid=2, domain="invented:1")),
            Spec(replace(small, truths=5, actions=7, valid=2, told=True, domain="invented:1")),
        )


# ---- domains


def _check_domain(name: str) -> None:
    """Raises BadParams for what names no domain. Where there are no domain files, as in a scorer, any name will do."""
    from puzzlemill.kumo.domain import files

    if not _DOMAIN.fullmatch(name):
        raise BadParams(
            f"kumo.domain must be authored, invented, an authored domain's name, or an invented one's number as in invented:12, "
            f"either of these with /first or /second for a part of it, got {name[:60]!r}; set family.params.domain"
        )
    name, _, part = name.partition("/")
    if part and name in (AUTHORED, INVENTED):
        raise BadParams(f"kumo.domain: only a domain that is named has parts, got {name}/{part}; set family.params.domain")
    if name.partition(":")[0] in (AUTHORED, INVENTED) or "@" in name:
        return  # a file with its hash is looked for where something is drawn from it: rows hold all that they need
    try:
        known = files.names()
    except (OSError, ValueError):
        return
    if name not in known:
        raise BadParams(f"kumo.domain: no authored domain is called {name!r}; known: {', '.join(known)}")


def _domain(params: Params, rng: Rng) -> Domain:
    """The whole domain that a task is taken from."""
    from puzzlemill.kumo.domain import files, invent, structure
    from puzzlemill.kumo.domain.parts import side

    name, _, part = params.domain.partition("/")
    kind, _, number = name.partition(":")
    if kind == INVENTED:
        whole = invent.invented(params.edition, int(number) if number else rng.below(INVENTED_DOMAINS))
    else:
        whole = structure.domain_of(rng.pick(files.names()) if kind == AUTHORED else kind, params.edition)
    return side(whole, part) if part else whole


def whole_domain(params: Params) -> Domain:
    """The domain that tasks of these parameters, which name one, are taken from. Raises BadParams where there is none."""
    return _domain(params, stream("kumo", params.domain))


def arranged(part: Domain, actions: Sequence[int], holds: Answer, ways: Sequence[int], rng: Rng) -> Dealt:
    """A deal as a task. part: the task's truths and all actions. ways: of each chosen action one of Domain.ways()."""
    order = rng.child("order").shuffled(range(len(actions)))  # in which order they stand says nothing
    board = part.part(range(len(part.truths)), [actions[i] for i in order])
    return Dealt(board, _world(board, holds, [ways[i] for i in order], rng.child("values")))


def _chances(outcomes: int, rng: Rng) -> tuple[int, ...]:
    """How often each outcome comes up in CHANCES times, at least once: all ways to share them out are equally likely."""
    cuts = [0, *sorted(rng.sample(range(1, CHANCES), outcomes - 1)), CHANCES]
    return tuple([high - low for low, high in pairwise(cuts)])


def _world(board: Domain, holds: Answer, ways: Sequence[int], rng: Rng) -> World:
    """A world with values drawn for its numeric actions. ways: of each action one of Domain.ways()."""
    outcomes = tuple([action.shown(way) for action, way in zip(board.actions, ways, strict=True)])
    return World(holds, outcomes, tuple([_value(action, s, rng) for action, s in zip(board.actions, outcomes, strict=True)]))


def _value(action: Action, outcome: int, rng: Rng) -> int:
    """A value that a numeric action shows where its outcome is this one, evenly among those of its interval; else 0."""
    if not action.numeric:
        return 0
    return rng.between(action.bounds[outcome], action.bounds[outcome + 1] - (outcome + 1 < action.size))


def _seen(action: int, outcome: int, value: int) -> Clue:
    return Clue(f"a{action + 1}", "seen", (action, outcome, value))


@lru_cache(maxsize=32)
def _sets(truths: int, count: int) -> tuple[Answer, ...]:
    """The answers in the order of the slot's values."""
    return tuple(combinations(range(truths), count))


@lru_cache(maxsize=32)
def _places(truths: int, count: int) -> dict[Answer, int]:
    return {chosen: i for i, chosen in enumerate(_sets(truths, count))}


def _prior(domain: Domain, chances: bool) -> str:
    """Which worlds are how likely, in words."""
    if not chances:
        return "Of all combinations of outcomes that keep this promise, each is as likely as any other."
    told = []
    for action in domain.actions:
        outcomes = [f"{action.clause(s)} ({chance})" for s, chance in enumerate(action.chances)]
        told.append(f"- {action.name}: {'; '.join(outcomes)}")
    return (
        f"Outcomes are not equally likely. By itself, each comes up this many times in {CHANCES}:\n" + "\n".join(told) + "\n"
        "Of all combinations of outcomes that keep the promise, each is as likely as the product of its numbers says: one with "
        "product 12 is twice as likely as one with product 6."
    )


# ---- prompts with books of others


def book_in(prompt: str) -> str:
    """The book of a task's prompt. Raises BadRow for a text that does not hold one book between its two lines."""
    return _parted(prompt)[1].strip() + "\n"


def with_book(prompt: str, book: str) -> str:
    """The prompt of a task with this book in the place of its own, whatever that says (`audit_book` tells).

    Raises BadRow for a prompt without a book, and for a book in which a line could be taken for the one that begins or ends it.
    """
    before, _, after = _parted(prompt)
    for line in book.splitlines():
        if line.strip(" =*_`#>-").lower() in _EDGES:
            raise BadRow(f"book: the line {line[:60]!r} reads as the edge of a book; leave it out")
    return f"{before}\n\n{book.strip()}\n\n{after}"


_EDGES = frozenset({_BEGIN.strip("= ").lower(), _END.strip("= ").lower()})


def _parted(prompt: str) -> tuple[str, str, str]:
    """A prompt up to the line that begins its book, the book, and the rest from the line that ends it."""
    begin, end = f"\n{_BEGIN}\n", f"\n{_END}"
    if not prompt.count(begin) == prompt.count(end) == 1 or prompt.index(begin) > prompt.index(end):
        raise BadRow(f"prompt: expected one book between {_BEGIN!r} and {_END!r}; use a kumo row of a release")
    start, stop = prompt.index(begin) + len(begin) - 1, prompt.index(end) + 1
    return prompt[:start], prompt[start:stop], prompt[stop:]


# ---- text form

_WORDS = {  # of a domain's words, those that a text may leave out
    "name": "task",
    "title": "Task",
    "topic": "anything",
    "truth": "truth",
    "truths_plural": "truths",
    "action": "action",
    "actions_plural": "actions",
    "scene": "Something has happened.",
    "question": "What is true?",
    "structure": "none",
}
_PLAIN = re.compile(r"[\w '’.,;?!/%°·+()&-]*")  # that texts are made of, beside what separates them
_NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?")
_MOST = {"truths": 40, "actions": 40, "outcomes": 16, "decimals": 6, "digits": 18}


def _outcome(action: Action, s: int) -> str:
    told = action.outcomes[s] if not action.numeric else ""
    if action.numeric:
        told = f"{_digits(action.bounds[s], action.decimals)} .. {_digits(action.bounds[s + 1], action.decimals)}"
    return f"{told} @ {action.chances[s]}" if action.chances else told


def _digits(value: int, decimals: int) -> str:
    return replace(_BARE, decimals=decimals).number(value)


_BARE = Action("", "", (), unit="", bounds=(0, 1))


class _Scan:
    """Reads the lines below a heading."""

    def __init__(self, lines: Sequence[Line], head: Line) -> None:
        self.lines, self.head = lines, head
        self.words: dict[str, str] = {}
        self.truths: tuple[str, ...] = ()
        self.actions: list[Action] = []
        self.clues: list[Clue] = []

    def read(self) -> tuple[Domain, tuple[Clue, ...]]:
        for line in self.lines:
            if line.text.lstrip().startswith("- "):
                self._outcome(line)
                continue
            key, colon, rest = line.text.strip().partition(":")
            if not colon or key not in (*_WORDS, "truths", "do", "seen"):
                known = ", ".join([*_WORDS, "truths", "do", "seen"])
                raise line.bad(0, f"expected a line that begins with '- ', or with one of these and a colon: {known}")
            parts = self._parts(line, rest)
            if key == "truths":
                if self.truths or not 2 <= len(parts) <= _MOST["truths"]:
                    raise line.bad(0, f"expected one line of 2 to {_MOST['truths']} truths")
                self.truths = self._different(line, parts)
            elif key == "do":
                self._action(line, parts)
            elif key == "seen":
                self._clue(line, parts)
            elif key in self.words or len(parts) > 1:
                raise line.bad(0, f"expected one text for {key}, once")
            else:
                self.words[key] = parts[0]
        if not self.truths or not self.actions:
            raise (self.lines or [self.head])[-1].bad(0, "expected the truths and at least one action with its outcomes")
        for action in self.actions:
            if not action.excludes:
                raise self.lines[-1].bad(0, f"{action.name} has no outcomes")
            if action.chances and sum(action.chances) != CHANCES:
                raise self.lines[-1].bad(0, f"{action.name}: its outcomes come up {sum(action.chances)} times in {CHANCES}")
        return Domain(**{**_WORDS, **self.words}, truths=self.truths, actions=tuple(self.actions)), tuple(self.clues)

    def _parts(self, line: Line, text: str) -> list[str]:
        parts = [part.strip() for part in text.split("|")]
        for part in parts:
            if not part or not _PLAIN.fullmatch(part):
                raise line.bad(0, f"expected letters, digits and plain signs between '|', got {part[:40]!r}")
        return parts

    def _different(self, line: Line, names: Sequence[str]) -> tuple[str, ...]:
        if len({name.casefold() for name in names}) < len(names):
            raise line.bad(0, "a name stands twice")
        return tuple(names)

    def _action(self, line: Line, parts: Sequence[str]) -> None:
        """NAME | what to do, of a numeric one also | quantity | decimals or | quantity | unit | decimals."""
        if len(parts) not in (2, 4, 5) or (len(parts) > 2 and not re.fullmatch("[0-6]", parts[-1])):
            raise line.bad(
                0, "expected a name, what to do, and of a numeric action its quantity, its unit if any, and decimals 0 to 6"
            )
        if not self.truths or len(self.actions) == _MOST["actions"] or (self.actions and not self.actions[-1].excludes):
            raise line.bad(0, f"expected the truths first, then up to {_MOST['actions']} actions, each with its outcomes")
        self._different(line, [*[action.name for action in self.actions], parts[0]])
        more = (
            {"quantity": parts[2], "unit": parts[3] if len(parts) == 5 else "", "decimals": int(parts[-1])} if parts[2:] else {}
        )
        self.actions.append(Action(parts[0], parts[1], (), **more))  # type: ignore[arg-type]  # keys go with their types

    def _outcome(self, line: Line) -> None:
        """- outcome => what it rules out."""
        told, arrow, names = line.text.strip()[2:].partition("=>")
        told = told.strip()
        if not self.actions or not arrow or self.clues:
            raise line.bad(0, "expected an action first, and '- OUTCOME => TRUTH | TRUTH' below it")
        action = self.actions[-1]
        if len(action.excludes) == _MOST["outcomes"]:
            raise line.bad(0, f"expected {_MOST['outcomes']} outcomes at most")
        out = self._different(line, self._parts(line, names)) if names.strip() else ()
        for name in out:
            if name not in self.truths:
                raise line.bad(0, f"there is no truth {name[:40]!r}")
        excludes = (*action.excludes, tuple(sorted([self.truths.index(name) for name in out])))
        told, sign, chance = told.partition(" @ ")
        if sign:
            if not re.fullmatch("[1-9]", chance.strip()) or len(action.chances) != len(action.excludes):
                raise line.bad(0, "expected how often the outcome comes up, of all outcomes of an action or of none")
            self.actions[-1] = action = replace(action, chances=(*action.chances, int(chance)))
        elif action.chances:
            raise line.bad(0, "expected ' @ ' and how often the outcome comes up, as of the others")
        if not action.quantity:
            self._parts(line, told)
            self.actions[-1] = replace(action, outcomes=self._different(line, (*action.outcomes, told)), excludes=excludes)
            return
        low, dots, high = told.partition(" .. ")
        bounds = (self._number(line, low, action), self._number(line, high, action)) if dots else (0, 0)
        if not bounds[0] < bounds[1] or (action.bounds and bounds[0] != action.bounds[-1]):
            raise line.bad(0, "expected LOW .. HIGH, each interval to begin where the last one ends")
        self.actions[-1] = replace(action, bounds=(*(action.bounds or bounds[:1]), bounds[1]), excludes=excludes)

    def _number(self, line: Line, text: str, action: Action) -> int:
        digits = text.strip()
        whole, _, part = digits.partition(".")
        if not _NUMBER.fullmatch(digits) or len(part) > action.decimals:
            raise line.bad(0, f"expected a number with {action.decimals} digits after the point at most, got {digits[:20]!r}")
        return int(whole + part.ljust(action.decimals, "0"))

    def _clue(self, line: Line, parts: Sequence[str]) -> None:
        a = next((a for a, action in enumerate(self.actions) if parts and action.name == parts[0]), None)
        if a is None or len(parts) != 2:
            raise line.bad(0, "expected 'seen: ACTION | OUTCOME' with an action from above")
        action = self.actions[a]
        if any(clue.args[0] == a for clue in self.clues):
            raise line.bad(0, f"{action.name} was seen before")
        if not action.numeric:
            if parts[1] not in action.outcomes:
                raise line.bad(0, f"{action.name} has no outcome {parts[1][:40]!r}")
            self.clues.append(_seen(a, action.outcomes.index(parts[1]), 0))
            return
        value = self._number(line, parts[1], action)
        if not action.bounds or not action.bounds[0] <= value <= action.bounds[-1]:
            raise line.bad(0, f"{action.name} shows no {parts[1]}")
        outcome = sum([value >= cut for cut in action.bounds[1:-1]])
        self.clues.append(_seen(a, outcome, value))


# ---- boards of rows that somebody wrote


def _check_board(puzzle: Puzzle[Params, Domain]) -> None:
    """Raises BadRow for a board that means nothing, or is not of its parameters. Cheap: it looks at each outcome once."""
    board, params = puzzle.board, puzzle.spec.params
    for what, names, wanted in (
        ("truths", board.truths, params.truths),
        ("actions", [action.name for action in board.actions], params.actions),
    ):
        if len(names) != wanted or len({*names}) < wanted:
            raise BadRow(f"board.{what}: expected {wanted} different names, got {len(names)}, of them {len({*names})} different")
    for a, action in enumerate(board.actions):
        if problem := _problem_of(action, len(board.truths), params.chances):
            raise BadRow(f"board.actions[{a}].{problem}")


@lru_cache(maxsize=1 << 12)  # one task's actions are asked for many times
def _problem_of(action: Action, truths: int, chances: bool) -> str:
    """What is wrong with an action of a task; "" if nothing is."""
    if not 1 <= action.size <= _MOST["outcomes"] or len(action.excludes) != action.size:
        return f"excludes: expected 1 to {_MOST['outcomes']} lists, one per outcome, got {len(action.excludes)} of {action.size}"
    for s, out in enumerate(action.excludes):
        if not all(low < high for low, high in pairwise((-1, *out, truths))):
            return f"excludes[{s}]: expected places from 0 to {truths - 1}, ascending, got {str(out[:8])[:60]}"
    if action.numeric and (action.outcomes or not all(low < high for low, high in pairwise(action.bounds))):
        return f"bounds: expected ascending ones, in place of outcomes, got {str(action.bounds[:8])[:60]}"
    if not 0 <= action.decimals <= _MOST["decimals"] or max(map(abs, action.bounds), default=0) >= 10 ** _MOST["digits"]:
        return f"decimals: expected 0 to {_MOST['decimals']}, and bounds of at most {_MOST['digits']} digits"
    wanted = (action.size, CHANCES) if chances else (0, 0)
    if (len(action.chances), sum(action.chances)) != wanted or min(action.chances, default=1) < 1:
        return f"chances: expected {wanted[0]} of at least 1, {wanted[1]} together, got {str(action.chances)[:60]}"
    return ""


# ---- words


def _named(puzzle: Puzzle[Params, Domain]) -> Domain:
    """The board with the names that the look gives its truths."""
    if not puzzle.style.names:
        return puzzle.board
    (names,) = puzzle.style.names
    if len(names) != len(puzzle.board.truths):
        raise BadRow(f"look.names: expected {len(puzzle.board.truths)} names, got {len(names)}")
    return replace(puzzle.board, truths=names)


def _shown(domain: Domain, clue: Clue) -> str:
    """An outcome that was seen, as a sentence."""
    a, s, value = clue.ints()
    action = domain.actions[a]
    what = f"{action.quantity} is {action.number(value)}" if action.numeric else action.clause(s)
    return f"{action.name}: {what}."


_HEADS = ("Ba", "Be", "Da", "Do", "Fe", "Ga", "Ka", "Lo", "Mi", "Na", "No", "Pe", "Ra", "Su", "Te", "Vo", "Za", "Zu")
_TAILS = ("bren", "dal", "fin", "gor", "kesh", "lim", "mar", "neth", "pol", "rud", "sten", "tav", "vex", "wick", "zon")


def _invented(count: int, rng: Rng) -> tuple[str, ...]:
    """Different names that mean nothing, none a part of another."""
    return tuple(rng.sample([head + tail for head in _HEADS for tail in _TAILS], count))


# ---- pictures

_CELL, _ROW = 34, 22


def _picture(puzzle: Puzzle[Params, Domain], answer: Answer | None, marked: Collection[str]) -> str:
    """A table of outcomes and truths: a cross where an outcome excludes a truth."""
    domain = _named(puzzle)
    told = {clue.ints()[:2]: clue for clue in puzzle.clues}
    lines = [(a, s) for a, action in enumerate(domain.actions) for s in range(action.size)]
    label = {(a, s): f"{domain.actions[a].name}: {domain.actions[a].clause(s)}" for a, s in lines}
    left = 24 + 6 * max(len(text) for text in label.values())
    longest = max(len(name) for name in domain.truths)
    top, margin = 30 + 6 * longest, 20 + 4 * longest  # names stand aslant
    width, height = left + _CELL * len(domain.truths) + margin, top + _ROW * len(lines) + 10
    parts = [f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for t, name in enumerate(domain.truths):
        x = left + _CELL * t
        if answer is not None and t in answer:
            parts.append(f'<rect x="{x}" y="{top}" width="{_CELL}" height="{_ROW * len(lines)}" fill="#cde8cf"/>')
        at = f'x="{x + _CELL // 2}" y="{top - 8}"'
        parts.append(f'<text {at} font-size="12" transform="rotate(-50 {x + _CELL // 2} {top - 8})">{escape(name)}</text>')
    for i, (a, s) in enumerate(lines):
        y = top + _ROW * i
        if clue := told.get((a, s)):
            colour = "#f6c5c0" if clue.id in marked else "#fdf0c4"
            parts.append(f'<rect x="4" y="{y}" width="{left - 8}" height="{_ROW}" fill="{colour}"/>')
        bold = "#333" if s == 0 else "#ddd"
        parts.append(f'<line x1="0" y1="{y}" x2="{width - margin}" y2="{y}" stroke="{bold}"/>')
        parts.append(f'<text x="10" y="{y + 15}" font-size="11">{escape(label[a, s])}</text>')
        for t in domain.actions[a].excludes[s]:
            x = left + _CELL * t + _CELL // 2
            parts.append(f'<text x="{x}" y="{y + 16}" text-anchor="middle" font-size="14" fill="#b03a2e">×</text>')
    body = "".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">{body}</svg>'


# ---- worked examples


def _action(name: str, does: str, *outcomes: tuple[str, tuple[int, ...]]) -> Action:
    return Action(name, does, tuple([text for text, _ in outcomes]), tuple([excludes for _, excludes in outcomes]))


def _examples() -> tuple[Example[Params, Domain, Answer], ...]:
    board = Domain(
        name="lost_hat",
        title="The Lost Hat",
        topic="everyday life",
        truth="guest",
        truths_plural="guests",
        action="question",
        actions_plural="questions",
        scene="A hat was left behind after the dinner.",
        question="Whose hat is it?",
        structure="dense",
        truths=("Ada", "Bert", "Cleo", "Dan"),
        actions=(
            _action("Ask the cook", "ask when it was found", ("it was found early", (1, 2)), ("it was found late", (0,))),
            _action("Ask the porter", "ask how it was worn", ("it was worn low", (2,)), ("it was worn high", (1, 3))),
            Action("Measure the hat", "lay a tape around it", (), ((0,), (2,)), "the girth", "cm", 1, (520, 570, 620)),
        ),
    )

    def example(told: tuple[tuple[int, int, int], ...], count: int, answer: Answer) -> Example[Params, Domain, Answer]:
        spec = Spec(Params(4, 3, count, told=True))
        look = Style(theme=REGISTERS[0], phrasing=0)
        clues = tuple([_seen(*seen) for seen in told])
        return Example(Puzzle(Kumo.name, Kumo.version, spec, board, clues, Question(), look), answer, "made up for Puzzlemill")

    return (example(((0, 0, 0), (2, 0, 545)), 1, (3,)), example(((1, 1, 0),), 2, (0, 2)))


FAMILY = Kumo()
