"""The contract of a puzzle family, and of the transforms that work on its puzzles.

A family states what only it knows. Its parameters, optional rules, answer form and clues are declared; its model, table and plain
checker are written apart, since their independence is what a proof rests on. What only some families have is a capability:
routes, dialogues, small classes, a text form.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from enum import Enum
from math import log10
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

from puzzlemill.core import checks
from puzzlemill.core.clues import CellClues, Clues
from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.form import Form, Grid, GridForm
from puzzlemill.core.model import BLANK, Constraints, Fact, Game, Graph, Space, Table
from puzzlemill.core.params import check_params
from puzzlemill.core.pictures import FADED, FOUND, GIVEN, MARK, Board
from puzzlemill.core.rng import Rng
from puzzlemill.core.rules import OptionalRule, check_rules
from puzzlemill.core.shape import Shape
from puzzlemill.core.text import Line, lines_of
from puzzlemill.core.types import (
    AnyDraft,
    AnyPuzzle,
    Clue,
    Draft,
    Example,
    Kind,
    NoBoard,
    Oracle,
    Puzzle,
    Question,
    QuestionKind,
    Spec,
    Status,
    Style,
)
from puzzlemill.core.words import Words

P = TypeVar("P")  # a family's parameters
B = TypeVar("B")  # its board
H = TypeVar("H")  # what is hidden
A = TypeVar("A")  # its answers


# ---- capabilities ------------------------------------------------------------------------------------------------------


class Routes(ABC, Generic[P, B, A]):
    """Capability of families that ask for a least answer, a list of moves: its cost, and what can be left out of a puzzle."""

    @abstractmethod
    def cost(self, puzzle: Puzzle[P, B], answer: A) -> int:
        """The cost of an answer, which is to be the least."""

    def work(self, puzzle: Puzzle[P, B], answer: A) -> int:
        """How much a person has to do for a least answer; `Family.work_bands` says what is counted."""
        return self.cost(puzzle, answer)

    @abstractmethod
    def parts(self, puzzle: Puzzle[P, B]) -> tuple[str, ...]:
        """Labels of what can be left out so that the puzzle gets no harder to solve."""

    @abstractmethod
    def without(self, puzzle: Puzzle[P, B], label: str) -> Puzzle[P, B]:
        """The puzzle without one of its parts()."""


class Dialogue(ABC, Generic[P, B, H]):
    """Capability of families that are played by messages."""

    @abstractmethod
    def game(self, puzzle: Puzzle[P, B]) -> Game:
        """The game of a PLAY question."""

    @abstractmethod
    def outcomes(self, puzzle: Puzzle[P, B], hidden: H) -> tuple[int, ...]:
        """The hidden outcome of each action of the game."""

    @abstractmethod
    def revealed(self, puzzle: Puzzle[P, B], hidden: H) -> Puzzle[P, B]:
        """A PLAY puzzle with all that its dialogue can bring to light as clues; its question is WHOLE.

        Raises BadRow, by plain loops, if what is hidden does not keep the promise of the game.
        """

    def least(self, puzzle: Puzzle[P, B]) -> int:
        """The least expected number of actions, in hundredths, with which a puzzle is worth keeping."""
        return 0


class Choices(ABC, Generic[P, B, A]):
    """Capability of families of whose answers one thing can be asked, with options or without (questions/choice.py).

    A question is a tuple of integers, which stands in puzzle.question.about where the other methods read it. Its value in an
    answer is a text of domain(), in the puzzle's style.
    """

    count: ClassVar[int] = 5  # options of a row
    never: ClassVar[bool] = True  # "None of these" may be among them
    several: ClassVar[bool] = False  # "Cannot be determined" and "Either A or C" may be: clues can be left out one by one
    noun: ClassVar[str] = "answer"  # what a value is called: "name"

    def loosens(self, puzzle: Puzzle[P, B]) -> bool:
        """Return whether this puzzle's clues can be left out one by one; by default as `several` says."""
        return self.several

    def fair(self, puzzle: Puzzle[P, B]) -> bool:
        """Return whether the question can be asked with the clues that are left."""
        return True

    @abstractmethod
    def questions(self, puzzle: Puzzle[P, B], rng: Rng) -> Iterator[tuple[int, ...]]:
        """Questions that can be asked of this puzzle, those to be tried first first; each as likely as it is wanted."""

    def questions_of(self, puzzle: Puzzle[P, B], answer: A, rng: Rng) -> Iterator[tuple[int, ...]]:
        """The same where the answer is known, of families whose questions make sense of some answers only."""
        return self.questions(puzzle, rng)

    @abstractmethod
    def says(self, puzzle: Puzzle[P, B]) -> str:
        """The question as a sentence, with its question mark."""

    @abstractmethod
    def domain(self, puzzle: Puzzle[P, B]) -> tuple[str, ...]:
        """Every value that the question may have, in an order that the style does not change. It says nothing of the answer.

        () where the value is the whole answer, which is asked for as such where there are no options.
        """

    @abstractmethod
    def value(self, puzzle: Puzzle[P, B], answer: A) -> str:
        """The value of the question in an answer."""

    @abstractmethod
    def distractors(self, puzzle: Puzzle[P, B], answer: A, rng: Rng) -> Iterator[str]:
        """Values that somebody gets who is careless: the wrong direction, off by one, a mirror image. The likeliest come first.

        They may repeat, and be right; the middle takes the first that do not. There must be enough different ones.
        """


class SmallClasses:
    """How many puzzles and answers there are of a spec, where that is small and known. Proved by enumeration in the tests.

    puzzles: up to symmetry; a *small class* is used in one split only and not held against earlier releases. answers: that the
    puzzles of this spec can have in all: the best blind reply is right that often. solutions: answers up to symmetry
    (`Family.solution`); where they are few, each belongs to one split. Each gives None for specs that are not small.
    """

    def __init__(
        self,
        puzzles: Callable[[Spec[Any]], int | None] | None = None,
        answers: Callable[[Spec[Any]], int | None] | None = None,
        solutions: Callable[[Spec[Any]], int | None] | None = None,
    ) -> None:
        self._puzzles, self._answers, self._solutions = puzzles, answers, solutions

    def puzzles(self, spec: Spec[Any]) -> int | None:
        """The number of puzzles up to symmetry, None if it is not small."""
        return None if self._puzzles is None else self._puzzles(spec)

    def answers(self, spec: Spec[Any]) -> int | None:
        """The number of answers, None if it is not small."""
        return None if self._answers is None else self._answers(spec)

    def solutions(self, spec: Spec[Any]) -> int | None:
        """The number of answers up to symmetry, None if it is not small."""
        return None if self._solutions is None else self._solutions(spec)


class TextForm(ABC, Generic[P, B]):
    """Puzzles as somebody writes them by hand: a heading (core/text.py) and the lines below it (docs/formats.md).

    family: the family whose attribute this form is; looking it up there binds it.
    """

    family: AnyFamily

    def __get__(self, family: Any, owner: type) -> Self:
        bound = copy(self)
        if family is not None:
            object.__setattr__(bound, "family", family)
        return bound

    @abstractmethod
    def parse(self, lines: Sequence[Line]) -> Puzzle[P, B]:
        """Read one puzzle.

        Accepts everything that has a meaning, also what validate() refuses because it makes no good data; sizes are bounded.
        Raises BadRow with line and column for everything else. Clues get ids in the order of the lines.
        """

    @abstractmethod
    def format(self, puzzle: Puzzle[P, B]) -> str:
        """The inverse of parse, up to the style, the clues' ids and the parameters that say how a puzzle is to be made.

        Raises BadRow if the form cannot express the puzzle.
        """

    def worded(self, puzzle: Puzzle[P, B], rng: Rng) -> Puzzle[P, B]:
        """The puzzle with names that there are words for in place of its own, which there may be none for; by default as it is.

        Raises Discarded if no names fit it.
        """
        return puzzle

    def split(self, lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
        """The puzzles below one heading, each with that heading; by default all lines are one puzzle's."""
        yield lines


# ---- families ----------------------------------------------------------------------------------------------------------


class Family(ABC, Generic[P, B, H, A]):
    """One puzzle's rules and nothing else. Concrete families are @final, hold no state, and are found by their file.

    Never touches files, seeds, minimizing, prompts' frames, ids, deduplication, Parquet: those exist once, in the middle.
    """

    name: ClassVar[str]
    version: ClassVar[int]  # bumped when the same stream gives other output
    title: ClassVar[str]  # for people: "Sudoku"
    source: ClassVar[str]  # where the rules are from
    params: ClassVar[Any]  # the declared parameters (core/params.py); every one has a default and is an int, bool or str
    board: ClassVar[Any] = NoBoard
    answer: ClassVar[Any]  # the type of answers, as an annotation the codec can read
    hidden: ClassVar[Any] = None  # of PLAY questions: the type of what is hidden, as an annotation the codec can read
    form: ClassVar[Form[Any, Any, Any]]
    clues: ClassVar[Clues[Any, Any]]
    rules: ClassVar[Mapping[str, OptionalRule]] = {}
    questions: ClassVar[tuple[QuestionKind, ...]] = (QuestionKind.WHOLE,)
    transforms: ClassVar[tuple[Transform, ...]] = ()  # besides the generic ones: operators that only this family has
    text: ClassVar[TextForm[Any, Any]]
    routes: ClassVar[Routes[Any, Any, Any]]  # of families that ask LEAST questions
    dialogue: ClassVar[Dialogue[Any, Any, Any]]  # of families that ask PLAY questions
    choices: ClassVar[Choices[Any, Any, Any]]  # of families that ask CHOICE questions
    small: ClassVar[SmallClasses] = SmallClasses()
    symbols: ClassVar[tuple[str, ...]] = ()  # of the canonical style, for values 0, 1, ...
    hypothesis_class: ClassVar[bool] = False  # its model is a class of hypotheses (core/model.py: Space)
    # its answers are made of words of the lexicon, which no scorer carries: the board has the words of the proved answers, by
    # which the plain checker judges replies. Its search, which would see these words only, is no formulation.
    lexical: ClassVar[bool] = False
    # of LEAST questions: what routes.work() counts, the plural after "at least 16", and with how much of it medium and hard
    # begin; of PLAY questions the same of the expected actions
    work_bands: ClassVar[tuple[str, int, int]] = ("moves", 16, 128)  # 15 is the usual tower of 4 disks, 127 that of 7
    # the smallest specs, one per optional rule at least: model, table and checker are compared on them exhaustively
    smallest: ClassVar[tuple[Spec[Any], ...]]
    # at least two worked examples, checked by the contract suite: a puzzle in its text form, its answer as the rows of a reply
    # (tokens of one character may stand together; in a single column a line is a token), the source of both
    worked: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    sought: ClassVar[str] = ""  # where an answer is a set of cells, the 1s of its slots: what they are ("mines")

    # ---- making

    def validate(self, spec: Spec[P]) -> None:
        """Raise BadParams if no puzzle can be made from this spec; the message names the field and the remedy."""
        check_params(self.name, spec.params)
        check_rules(self.name, self.rules, spec)
        self.check(spec)

    def check(self, spec: Spec[P]) -> None:
        """Raise BadParams for what the declarations of parameters and rules do not say: what does not go together."""
        return

    def question(self, spec: Spec[P]) -> Question:
        """The question that puzzles of this spec ask."""
        return Question(self.questions[0])

    def style(self, spec: Spec[P]) -> Style:
        """The style of a canonical puzzle."""
        return Style(symbols=self.symbols)

    def puzzle(
        self,
        spec: Spec[P],
        clues: Sequence[Clue] = (),
        board: Any = NoBoard(),  # noqa: B008
        style: Style | None = None,
    ) -> Puzzle[P, B]:
        """A puzzle of this spec, by default in the canonical style."""
        style = self.style(spec) if style is None else style
        return Puzzle(self.name, self.version, spec, board, tuple(clues), self.question(spec), style)

    def sample_solution(self, spec: Spec[P], rng: Rng, oracle: Oracle) -> H:
        """Draw what is hidden, evenly under all rules in force; by default an answer, by an engine."""
        values = oracle.sample(self.puzzle(spec), rng)
        if values is None:
            raise Discarded("no_answer", "these rules leave none")
        return cast(H, self.form.assemble(spec, NoBoard(), values))

    def make_puzzle(self, spec: Spec[P], hidden: H, rng: Rng) -> Draft[P, B, H, A]:
        """State every true clue; by default each cell of the hidden answer. Leaving clues out again is the middle's work."""
        values = self.form.values(spec, NoBoard(), hidden)
        return Draft(self.puzzle(spec, cast(CellClues, self.clues).true(spec, values)), hidden, cast(A, hidden))

    def larger(self, spec: Spec[P]) -> Spec[P] | None:
        """The next size up with about the same share of clues; None if there is none (and by default)."""
        return None

    # ---- meaning

    @abstractmethod
    def model(self, spec: Spec[P], board: B) -> Constraints | Graph | Space:
        """State what holds before any clue is given. Built once per spec and board and shared: depends on nothing else."""

    def rules_board(self, board: B) -> B:
        """The board as far as model() depends on it: puzzles that differ in the rest only share what is made of their rules."""
        return board

    def table(self, puzzle: Puzzle[P, B]) -> Table | None:
        """The puzzle for a kernel; None where no kernel fits. Written independently of model()."""
        return None

    def deduction_table(self, puzzle: Puzzle[P, B]) -> Table | None:
        """The puzzle for its deducer (solvers/deduce), where that has a table of its own; by default the kernel's."""
        return self.table(puzzle)

    @abstractmethod
    def broken_rules(self, puzzle: Puzzle[P, B], answer: A, partial: bool = False) -> list[str]:
        """Names of rules and ids of clues that the answer breaks; [] if it is right.

        Plain loops that share no code with model() or table(). partial: blanks are allowed, and a rule counts as broken only if
        no way of filling the blanks could mend it as far as this check looks (monotone: filling more never mends).
        An answer of another form is "malformed"; nothing raises.
        """

    def search_space_log10(self, puzzle: Puzzle[P, B]) -> float:
        """log10 of the number of candidate answers, by the source paper's formula; by default of all values of the open slots."""
        given = set(self.clues.given_slots(puzzle))
        return sum([log10(n) for s, n in enumerate(self.form.slots(puzzle.spec, puzzle.board)) if s not in given])

    def paper_bound(self, puzzle: Puzzle[P, B]) -> str:
        """The size of the search space as a source paper prints it, where ours is another number; "" where it is not."""
        return ""

    def paper_subtasks(self, puzzle: Puzzle[P, B]) -> tuple[tuple[int, ...], ...]:
        """The subtasks that a source paper counts, each with the slots that it consists of; by default the open slots."""
        given = set(self.clues.given_slots(puzzle))
        return tuple([(s,) for s in range(len(self.form.slots(puzzle.spec, puzzle.board))) if s not in given])

    @abstractmethod
    def symmetry(self, puzzle: Puzzle[P, B]) -> Shape:
        """Equal (up to graph isomorphism) for two puzzles exactly when a symmetry of the active rules maps one to the other.

        Reads spec, board and clues, never the style.
        """

    def solution(self, spec: Spec[P], answer: A) -> Shape | None:
        """The answer's shape: equal for two answers exactly when a symmetry of the rules carries one to the other.

        Whatever says how a puzzle is posed (how many clues it has) is no part of it. None, as by default, where answers are made
        of names or of a puzzle's own roads, so that nothing of one is in the next.
        """
        return None

    # ---- text

    @abstractmethod
    def render(self, puzzle: Puzzle[P, B]) -> str:
        """The task in words: what it is, every rule in force, the board, the clues, in this style. No answer format."""

    def describe(self, puzzle: Puzzle[P, B], label: str) -> str:
        """A clue or a rule, by its label, as a sentence in this style: "Row 3 column 7 holds 5." By default the bare label."""
        return label

    def words(self, puzzle: Puzzle[P, B]) -> Words:
        """The nouns that sentences about a deduction are made of."""
        symbols = puzzle.style.symbols
        return Words(value=lambda value: symbols[value] if value < len(symbols) else str(value), voice=puzzle.style.phrasing)

    def checks(self, puzzle: Puzzle[P, B], answer: A) -> list[str]:
        """Sentences that check a right answer against rules and clues, with counts: "Row 1: 2 + 3 = 5, and its sum is 5."

        A worked reply ends with some of them, so each stands alone. By default the lines of a square grid that hold every value
        once, none for other answers.
        """
        if not (isinstance(self.form, GridForm) and self.form.rows == self.form.cols == self.form.each):
            return []
        return checks.once(cast(Grid, answer), self.form.written(puzzle)[: self.form.holds(puzzle.spec)], self.words(puzzle).noun)

    def draw(self, puzzle: Puzzle[P, B], answer: A | None = None, marked: Collection[str] = ()) -> str:
        """A stand-alone SVG picture of the puzzle, with the answer's part marked if given; an answer may have blanks.

        marked: labels of clues and rules to stand out, as an unsat core or a step of a trace names them. By default the cells of
        a grid or a row with what clues and the answer show there, and captions of marked rules.
        """
        return cell_board(self, puzzle, answer, marked).svg()

    def zones(self, puzzle: Puzzle[P, B]) -> Sequence[int]:
        """The zone of every cell of a grid that is divided by lines, () of one that is not."""
        return ()

    def draw_known(self, puzzle: Puzzle[P, B], sets: Sequence[Fact], drops: Sequence[Fact], new: Sequence[Fact]) -> str:
        """What the steps of a deduction have found so far, where more is known of a puzzle than an answer with blanks can show.

        sets, drops: slots with the values that they hold, and do not hold; new: those of the last step. "" by default: draw()
        shows some stages.
        """
        return ""

    # ---- evidence

    def examples(self) -> tuple[Example[P, B, A], ...]:
        """The worked examples. Raises BadRow if one cannot be read."""
        found = []
        for puzzle, answer, source in self.worked:
            given = self.text.parse(lines_of(puzzle))
            alone = len(self.form.layout(given).columns) == 1
            lines = [
                [line] if alone else line.split("|") if "|" in line else line.split() if " " in line else line
                for line in answer.strip().split("\n")
            ]
            rows = tuple([tuple([token.strip() for token in line]) for line in lines])
            read = self.form.read(given, rows)
            if read is None:
                raise BadRow(f"{self.name}: the answer of the worked example from {source} cannot be read")
            found.append(Example(given, read, source))
        return tuple(found)


AnyFamily = Family[Any, Any, Any, Any]


def cell_board(
    family: AnyFamily,
    puzzle: AnyPuzzle,
    answer: Any | None = None,
    marked: Collection[str] = (),
    texts: Sequence[str] = (),
    faded: Collection[int] = (),
) -> Board:
    """The picture of a puzzle whose clues are values of cells, to draw more on: its values, and captions of marked rules.

    texts: what the clues show in the cells, where that is not their values in the symbols of the style. faded: cells in grey.
    """
    clues: CellClues = cast(CellClues, family.clues)
    rows, cols = clues.form.board(puzzle.spec)
    picture = Board(rows, cols)
    shown = clues.shown(puzzle)
    placed = clues.all_placed(puzzle.spec, puzzle.clues)
    picture.tint([cell for clue, (cell, _) in zip(puzzle.clues, placed, strict=True) if clue.id in marked], MARK)
    found = shown if answer is None else family.form.values(puzzle.spec, puzzle.board, answer)
    texts = texts or [clues.form.written(puzzle)[value] if value != BLANK else "" for value in found]
    for cell, (given, text) in enumerate(zip(shown, texts, strict=True)):
        if text:
            picture.text(cell, text, FADED if cell in faded else FOUND if given == BLANK else GIVEN)
    for label in marked:
        if puzzle.clue(label) is None:
            picture.caption(family.describe(puzzle, label), marked=True)
    return picture


def puzzle_type(family: AnyFamily) -> Any:
    """The concrete annotation of a family's puzzles, for the codec."""
    generic: Any = Puzzle
    return generic[family.params, family.board]


MALFORMED = "malformed"  # what broken_rules() returns for an answer that is none of this puzzle's form


# ---- transforms --------------------------------------------------------------------------------------------------------


class Relation(str, Enum):
    """How a child differs from its parent."""

    FORM = "form"
    RULE = "rule"
    RESIZE = "resize"
    EDIT = "edit"
    SURFACE = "surface"


class Pairing(str, Enum):
    """Relation of a child's puzzle to its parent's."""

    EXACT = "exact"  # decodes to the parent: same puzzle, other style
    SAME_ANSWER = "same_answer"  # other clues, same answer
    GROUP = "group"  # made from the parent, other answer or none
    NONE = "none"  # no parent


class Transform(ABC):
    """Makes a rarer puzzle. Three stages, each optional; a transform is @final and frozen.

    args: names of its fields that a recipe may set; the fields' defaults are what it is without.
    fits: says no to a spec that the transform cannot do, and to rules or earlier transforms that it does not go with.
    about: a few words for readers on what the child has. needs: what the parent's parameters must be beyond the family's limits.
    """

    name: str
    kind: Kind
    relation: Relation
    pairing: Pairing
    promises: Status | None = None  # None: whatever its input had
    args: tuple[str, ...] = ()
    about: str = ""
    needs: str = ""

    @abstractmethod
    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        """Return whether this family's puzzles of this spec can be transformed."""

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        """Change what to make."""
        return spec

    def changed(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        """The spec that its puzzles have: what before() makes of it, unless edit() changes the spec as well."""
        return self.before(family, spec, rng)

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        """Change a finished draft. Raises Discarded if this draft offers no such change."""
        return draft

    def restyle(self, family: AnyFamily, puzzle: AnyPuzzle, rng: Rng) -> Style:
        """Change the style only."""
        return puzzle.style

    def shows(self) -> tuple[Any, ...]:
        """Its trace in the prompt: its name and arguments; () of a clash, which is one changed thing among many."""
        if self.promises is Status.UNSOLVABLE and self.relation is Relation.EDIT:
            return ()
        return (self.name, *[getattr(self, name) for name in self.args])

    def stage(self) -> int:
        """The first stage that this transform takes part in: 0 before, 1 edit, 2 restyle."""
        made = [type(self).before is not Transform.before, type(self).edit is not Transform.edit]
        return made.index(True) if True in made else 2

    def with_args(self, args: Mapping[str, int | bool | str]) -> Transform:
        """The same transform with other arguments. Raises BadParams for an unknown name or another type."""
        for name, value in args.items():
            if name not in self.args:
                raise BadParams(f"{self.name} has no argument {name!r}; known: {', '.join(self.args) or 'none'}")
            if type(value) is not type(getattr(self, name)):
                raise BadParams(f"{self.name}.{name}: expected {type(getattr(self, name)).__name__}, got {value!r}")
        made: Any = self
        return replace(made, **args) if args else self
