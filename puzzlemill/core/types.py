"""The nouns of Puzzlemill and the one interface that a puzzle family implements.

Spec      what to make, decided before anything is drawn
Puzzle    what a solver may see; never the answer
Draft     a puzzle with what is hidden and its answer
Family    one puzzle's rules; stateless, one final class per file in generators/
Transform turns a draft into a rarer one and promises a status
Ask       the questions that drawing and transforms may put to the engines (implemented in solvers/)

An answer is a value of the family's own type (a grid, a table, a list of moves). Two neutral forms connect it to the rest:
*slots* (core/model.py) for engines and partial credit, and *rows of tokens* for text, in whatever reply format.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain, islice
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.model import BLANK, Constraints, Game, Graph, Route, Slots, Space, Step, Table
from puzzlemill.core.rng import Rng
from puzzlemill.core.shape import Shape
from puzzlemill.core.text import Line

ADDITIONS_TRIED = 40  # in one clue's place, of a family's additions

P = TypeVar("P")  # a family's parameters
B = TypeVar("B")  # its board
H = TypeVar("H")  # what is hidden
A = TypeVar("A")  # its answers


class Status(str, Enum):
    """What is proved of a puzzle. UNKNOWN (a budget ran out) is never a proof and never kept."""

    UNIQUE = "unique"  # exactly one answer
    OPTIMAL = "optimal"  # the least cost is proved; every answer of that cost counts
    ANY = "any"  # several answers, each of them counts
    UNSOLVABLE = "unsolvable"
    UNKNOWN = "unknown"


class Depth(str, Enum):
    """How an unsolvable puzzle shows that it is one.

    SHALLOW: setting what is forced, one thing at a time and without a guess, ends in a contradiction (unit propagation over the
    clauses of the family's model; for moves, one piece alone cannot get there). DEEP: only a search shows it.
    """

    SHALLOW = "shallow"
    DEEP = "deep"


class Kind(str, Enum):
    """What a transform makes rarer (HardcoreLogic's taxonomy, and robustness pairs)."""

    IC1 = "IC1"  # larger search space
    IC2 = "IC2"  # looser or more entangled clues
    UE1 = "UE1"  # another form of the same puzzle
    UE2 = "UE2"  # another rule
    UP = "UP"  # unsolvable
    SURFACE = "SURFACE"  # must not change the answer


class QuestionKind(str, Enum):
    WHOLE = "whole"  # the one assignment of all slots
    FORCED = "forced"  # slot by slot, whether it holds 1 in every way of keeping the rules: see objections()
    CHOICE = "choice"  # one of the options
    LEAST = "least"  # an answer of least cost
    PLAY = "play"  # a dialogue of at most turn_limit turns: each does an action of the game, or gives the answer


@dataclass(frozen=True, slots=True)
class Question:
    """doubt: the prompt says that the puzzle may have no answer, and how to reply so."""

    kind: QuestionKind = QuestionKind.WHOLE
    options: tuple[str, ...] = ()
    turn_limit: int | None = None
    doubt: bool = False


Arg = int | str | tuple["Arg", ...]


def _read_arg(raw: Any, where: str, depth: int = 0) -> Arg:
    if type(raw) is int or type(raw) is str:
        return raw
    if type(raw) is list and depth < 8:
        return tuple([_read_arg(part, where, depth + 1) for part in raw])
    raise BadRow(f"{where}: a clue's argument is an int, a string or a list of them, got {type(raw).__name__}")


@dataclass(frozen=True, slots=True)
class Clue:
    """One removable statement: a given, a hint, a sentence.

    id: stable and unique within the puzzle, short and readable ("r3c7"); a clash names clues by it.
    kind, args: the family's own vocabulary; plain values only. As JSON: [id, kind, *args].
    """

    id: str
    kind: str
    args: tuple[Arg, ...]

    def ints(self) -> tuple[int, ...]:
        """The arguments of a clue that has only integers."""
        numbers = tuple([arg for arg in self.args if type(arg) is int])
        if len(numbers) != len(self.args):
            raise BadRow(f"clue {self.id}: expected integers, got {str(self.args)[:60]}")
        return numbers

    def to_json(self) -> list[Any]:
        return [self.id, self.kind, *_args_json(self.args)]

    @classmethod
    def from_json(cls, raw: Any, where: str) -> Clue:
        if type(raw) is not list or len(raw) < 2 or type(raw[0]) is not str or type(raw[1]) is not str:
            raise BadRow(f"{where}: a clue is a list [id, kind, ...], got {str(raw)[:60]}")
        return cls(raw[0], raw[1], tuple([_read_arg(part, where) for part in raw[2:]]))


def _args_json(args: tuple[Arg, ...]) -> list[Any]:
    return [_args_json(arg) if type(arg) is tuple else arg for arg in args]


@dataclass(frozen=True, slots=True)
class Rule:
    """An optional rule that is in force, with its arguments: Rule("max_box", (3,))."""

    name: str
    args: tuple[Arg, ...] = ()

    def to_json(self) -> list[Any]:
        return [self.name, *_args_json(self.args)]

    @classmethod
    def from_json(cls, raw: Any, where: str) -> Rule:
        if type(raw) is not list or not raw or type(raw[0]) is not str:
            raise BadRow(f"{where}: a rule is a list [name, ...], got {str(raw)[:60]}")
        return cls(raw[0], tuple([_read_arg(part, where) for part in raw[1:]]))


@dataclass(frozen=True, slots=True)
class Spec(Generic[P]):
    """What to make: the family's frozen parameters and the optional rules in force, sorted by name."""

    params: P
    rules: tuple[Rule, ...] = ()

    def rule(self, name: str) -> Rule | None:
        """The rule of this name if it is in force."""
        return next((rule for rule in self.rules if rule.name == name), None)

    def with_rule(self, rule: Rule) -> Spec[P]:
        """The spec with one more rule in force."""
        return replace(self, rules=tuple(sorted([*self.rules, rule], key=lambda r: r.name)))

    def without_rule(self, name: str) -> Spec[P]:
        """The spec without the rule of this name."""
        return replace(self, rules=tuple([rule for rule in self.rules if rule.name != name]))


@dataclass(frozen=True, slots=True)
class Look:
    """Surface only; models and checkers never read it.

    symbols: what is written for value 0, 1, ... ("" entries are not allowed). names: entity names by category.
    theme: the vocabulary they come from. phrasing: which template set words the sentences.
    order: positions in puzzle.clues (of navigation: in its paths) in the order they are told (empty: as they stand).
    asides: sentences that say nothing about the answer, each with the number of told clues before it, ascending.
    """

    symbols: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    theme: str = ""
    phrasing: int = 0
    order: tuple[int, ...] = ()
    asides: tuple[tuple[int, str], ...] = ()
    language: str = "en"


@dataclass(frozen=True, slots=True)
class NoBoard:
    """For families whose spec and clues say everything."""


@dataclass(frozen=True, slots=True)
class Puzzle(Generic[P, B]):
    """What a solver may see.

    board: geometry and entities that are not removable. clues: everything removable, each with its own id.
    """

    family: str
    version: int
    spec: Spec[P]
    board: B
    clues: tuple[Clue, ...]
    question: Question
    look: Look

    def with_clues(self, clues: Sequence[Clue]) -> Puzzle[P, B]:
        """The same puzzle with other clues, told in their new order."""
        return replace(self, clues=tuple(clues), look=replace(self.look, order=()))

    def told(self) -> list[Clue]:
        """The clues in the order in which the prompt tells them."""
        order = self.look.order
        if not order:
            return list(self.clues)
        if sorted(order) != list(range(len(self.clues))):
            raise BadRow(f"look.order must name each of the {len(self.clues)} clues once, got {str(order)[:60]}")
        return [self.clues[i] for i in order]


@dataclass(frozen=True, slots=True)
class Draft(Generic[P, B, H, A]):
    """A puzzle before it is proved. hidden is never shown; answer is None in a puzzle promised to be unsolvable."""

    puzzle: Puzzle[P, B]
    hidden: H
    answer: A | None


Rows = tuple[tuple[str, ...], ...]  # an answer as text: rows of tokens


@dataclass(frozen=True, slots=True)
class Column:
    """One column of an answer's rows. tokens: everything that may stand in it, exactly as written (compared caseless)."""

    name: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """How an answer is written, whatever the reply format: `min_rows`..`max_rows` rows of `columns`.

    grid: the columns are cells of a board (no header is written, tokens are separated by spaces); else they are named
        fields (a header row is allowed and ignored, tokens are separated by "|").
    note: one sentence for the prompt that says what the rows are, with "one row per ..." and the order.
    text: what the answer is called where it is a text: a grid of one row, of which every token is one character. It is written
        without anything between them, and spaces, line breaks and "|" in it say nothing. "" for all other answers.
    """

    columns: tuple[Column, ...]
    min_rows: int
    max_rows: int
    grid: bool
    note: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Example(Generic[P, B, A]):
    """A worked example from a cited source, checked by the contract suite."""

    puzzle: Puzzle[P, B]
    answer: A
    source: str


class Ask(Protocol):
    """Questions to the engines, handed to fill(), transforms and the factory. A spent budget raises Discarded("budget")."""

    def count(self, puzzle: Puzzle[Any, Any], limit: int = 2) -> int:
        """Number of answers, at most `limit`. Asking never changes the puzzle."""

    def sample(self, puzzle: Puzzle[Any, Any], rng: Rng) -> Slots | None:
        """A random answer's slot values, spread over the whole answer space; None if there is none."""

    def devise(self, puzzle: Puzzle[Any, Any], rng: Rng) -> tuple[Slots, tuple[int, ...]] | None:
        """For boards whose clues are drawn together with the answer: a random answer's slot values, and numbers which the clues
        state (of each slot, or of each line) so that it is the only one. Of the puzzle only spec and board are read. None: all
        attempts are spent.
        """

    def thin(self, puzzle: Puzzle[Any, Any], order: Sequence[int], keep: int) -> tuple[int, ...]:
        """Try to leave out clues (positions in puzzle.clues) in this order while one answer remains, down to `keep` clues.

        Returns the positions that stay, ascending. With keep=0 no clue that stays can be left out.
        """

    def clash(self, puzzle: Puzzle[Any, Any]) -> tuple[str, ...]:
        """Labels of clues and rules that together have no answer; leaving out any one of them gives an answer."""

    def depth(self, puzzle: Puzzle[Any, Any]) -> Depth:
        """How an unsolvable puzzle shows that it is one."""

    def forced(self, puzzle: Puzzle[Any, Any]) -> Slots | None:
        """The answer to a FORCED question; None if nothing keeps all rules and clues."""

    def nodes(self, puzzle: Puzzle[Any, Any]) -> int:
        """Branchings of the fastest engine until it has decided the puzzle: a quick sign of how hard it is."""

    def distance(self, puzzle: Puzzle[Any, Any]) -> Route:
        """A shortest route of a move puzzle."""

    def straying(self, puzzle: Puzzle[Any, Any], rule: str) -> Route:
        """A shortest route of a move puzzle without this rule: one that breaks the rule if any shortest one does."""

    def deal(self, game: Game, actions: int, rng: Rng) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Of a game with all the actions that there are: so many of them, the truths that hold, and an outcome of each action,
        drawn evenly among all that keep the promise. Actions and truths ascend. Raises Discarded("empty") if there is none.
        """


class Family(ABC, Generic[P, B, H, A]):
    """One puzzle's rules and nothing else. Concrete families are @final, hold no state, and are found by their file.

    Never touches files, seeds, digging, prompts' frames, ids, deduplication, Parquet: those exist once, in the middle.
    """

    name: ClassVar[str]
    version: ClassVar[int]  # bumped when the same stream gives other output
    title: ClassVar[str]  # for people: "Sudoku"
    params: ClassVar[Any]  # the frozen dataclass of parameters; every field has a default and is an int, bool or str
    board: ClassVar[Any] = NoBoard
    answer: ClassVar[Any]  # the type of answers, as an annotation the codec can read
    rules: ClassVar[tuple[str, ...]] = ()  # names of optional rules
    # Optional rules that stand in place of one of its own (irregular zones). Any other one that is in force must be *necessary*:
    # without it the puzzle has several answers, or other shortest ones.
    shapes: ClassVar[tuple[str, ...]] = ()
    transforms: ClassVar[tuple[Transform, ...]] = ()  # beside the generic ones: operators that only this family has
    questions: ClassVar[tuple[QuestionKind, ...]] = (QuestionKind.WHOLE,)
    supposes: ClassVar[bool] = False  # its model is a class of hypotheses (core/model.py: Space)
    edits: ClassVar[int] = 1  # the most clues that one of its changes() changes
    tells_clues: ClassVar[bool] = False  # render() lists the clues as sentences, in the order of puzzle.told()
    # of LEAST questions: what work() counts, the plural after "at least 16", and with how much of it medium and hard begin; of
    # PLAY questions the same of the expected actions
    works: ClassVar[tuple[str, int, int]] = ("moves", 16, 128)  # 15 is the usual tower of 4 disks, 127 that of 7
    sought: ClassVar[str] = ""  # where an answer is a set of cells, the 1s of its slots: what they are ("mines")
    hidden: ClassVar[Any] = None  # of PLAY questions: the type of what is hidden, as an annotation the codec can read
    source: ClassVar[str]  # where the rules are from

    # ---- making -------------------------------------------------------------------------------------------------

    @abstractmethod
    def validate(self, spec: Spec[P]) -> None:
        """Raise BadParams if no puzzle can be made from this spec; the message names the field and the remedy."""

    def settle(self, spec: Spec[P], rng: Rng) -> Spec[P]:
        """Draw what the rules leave open: Rule("zones") becomes Rule("zones", (map,)). What is already settled stays.

        validate() accepts open rules; fill() and everything after it get settled ones.
        """
        return spec

    def of_edition(self, spec: Spec[P], word: str) -> Spec[P]:
        """The spec with what all puzzles of a release share, where it is open. word: of the release; it tells no secret.

        Random streams are named by the spec without it; a release's puzzles have the spec with it.
        """
        return spec

    def asks(self, spec: Spec[P]) -> QuestionKind:
        """The kind of question that puzzles of this spec ask."""
        return self.questions[0]

    @abstractmethod
    def fill(self, spec: Spec[P], rng: Rng, ask: Ask) -> H:
        """Draw what is hidden, evenly under all rules in force."""

    @abstractmethod
    def pose(self, spec: Spec[P], hidden: H, rng: Rng) -> Draft[P, B, H, A]:
        """State every true clue. Leaving clues out again is the middle's work."""

    def removal_order(self, draft: Draft[P, B, H, A], rng: Rng) -> list[int]:
        """Positions of clues in the order in which leaving them out is tried; one that is absent always stays."""
        return rng.shuffled(range(len(draft.puzzle.clues)))

    def usable(self, draft: Draft[P, B, H, A]) -> bool:
        """Whether what its parameters ask for is left in a draft after clues were left out; if not, it is drawn again."""
        return True

    def clues_kept(self, spec: Spec[P]) -> int:
        """Stop leaving out clues at this many; 0 makes the clue set minimal."""
        return 0

    def finish(self, draft: Draft[P, B, H, A], rng: Rng, ask: Ask) -> Draft[P, B, H, A]:
        """The last touch to a usable draft of which clues were left out: its answer stays, and is the only one."""
        return draft

    def alternatives(self, puzzle: Puzzle[P, B], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """Other clues with the same id that could stand in its place: minimal changes, for edits and clashes."""
        return iter(())

    def additions(self, puzzle: Puzzle[P, B], rng: Rng) -> Iterator[Clue]:
        """Clues with new ids that could stand beside the present ones, true or not."""
        return iter(())

    def changes(self, puzzle: Puzzle[P, B], rng: Rng) -> Iterator[Puzzle[P, B]]:
        """Minimal changes of a puzzle, in random order: one clue is replaced by an alternative, or by one about something else.

        A family in which one clue follows from the others may change more of them at once, and says so by `edits`.
        Families without clues change one thing of the board; `edit` in a row then holds the board before and after.
        """
        clues = puzzle.clues
        for place in rng.shuffled(range(len(clues))):
            here = rng.child("place", place)
            ways = [
                self.alternatives(puzzle, clues[place], here.child("change")),
                islice(self.additions(puzzle, here.child("move")), ADDITIONS_TRIED),
            ]
            for clue in chain(*(ways[::-1] if here.chance(1, 4) else ways)):
                yield replace(puzzle, clues=(*clues[:place], clue, *clues[place + 1 :]))

    def clashes(self, spec: Spec[P]) -> bool:
        """Whether some change of this spec's puzzles can leave no answer; by default, if there are any changes at all."""
        own = type(self)
        return own.alternatives is not Family.alternatives or own.changes is not Family.changes

    def larger(self, spec: Spec[P]) -> Spec[P] | None:
        """The next size up with about the same share of clues; None if there is none (and by default)."""
        return None

    # ---- meaning ------------------------------------------------------------------------------------------------

    @abstractmethod
    def model(self, spec: Spec[P], board: B) -> Constraints | Graph | Space:
        """What holds before any clue is given. Built once per spec and board and shared: depends on nothing else."""

    def state(self, m: Constraints, spec: Spec[P], board: B, clue: Clue) -> None:
        """Add what one clue says, every constraint labelled with clue.id."""
        raise TypeError(f"{self.name} has no clues to state")

    def table(self, puzzle: Puzzle[P, B]) -> Table | None:
        """The puzzle for a kernel; None where no kernel fits. Written independently of model()."""
        return None

    def slots(self, spec: Spec[P], board: B) -> tuple[int, ...]:
        """Number of values of each slot; () for families whose answers are routes."""
        return ()

    def assemble(self, spec: Spec[P], board: B, values: Slots) -> A:
        """The answer with these slot values; BLANK slots give a partial answer for broken_rules(partial=True)."""
        raise TypeError(f"{self.name} has no slots")

    def slot_values(self, spec: Spec[P], board: B, answer: A) -> Slots:
        """The inverse of assemble."""
        return ()

    @abstractmethod
    def broken_rules(self, puzzle: Puzzle[P, B], answer: A, partial: bool = False) -> list[str]:
        """Names of rules and ids of clues that the answer breaks; [] if it is right.

        Plain loops that share no code with model() or table(). partial: blanks are allowed, and a rule counts as broken only if
        no way of filling the blanks could mend it as far as this check looks (monotone: filling more never mends).
        An answer of a wrong shape breaks "shape"; nothing raises.
        """

    def given_slots(self, puzzle: Puzzle[P, B]) -> tuple[int, ...]:
        """Slots whose value the puzzle shows outright: never counted in partial credit."""
        return ()

    def cost(self, puzzle: Puzzle[P, B], answer: A) -> int:
        """What a LEAST question minimises."""
        raise TypeError(f"{self.name} asks for no least answer")

    def work(self, puzzle: Puzzle[P, B], answer: A) -> int:
        """How much there is to do for a person whom a LEAST question asks: `works` says what is counted. answer: a least one."""
        return self.cost(puzzle, answer)

    def game(self, puzzle: Puzzle[P, B]) -> Game:
        """What is played where the question is PLAY."""
        raise TypeError(f"{self.name} has no dialogues")

    def outcomes(self, puzzle: Puzzle[P, B], hidden: H) -> tuple[int, ...]:
        """Of what a PLAY question hides: the outcome of each action of its game."""
        raise TypeError(f"{self.name} has no dialogues")

    def revealed(self, puzzle: Puzzle[P, B], hidden: H) -> Puzzle[P, B]:
        """A PLAY puzzle with all that its dialogue can bring to light as clues; its question is WHOLE.

        Raises BadRow, by plain loops, if what is hidden does not keep the promise of the game.
        """
        raise TypeError(f"{self.name} has no dialogues")

    def least_play(self, puzzle: Puzzle[P, B]) -> int:
        """The least expected number of actions, in hundredths, with which a PLAY puzzle is worth keeping."""
        return 0

    def parts(self, puzzle: Puzzle[P, B]) -> tuple[str, ...]:
        """For families whose answers are routes: labels of what can be left out so that the puzzle gets no harder to solve."""
        return ()

    def without(self, puzzle: Puzzle[P, B], label: str) -> Puzzle[P, B]:
        """The puzzle without one of its parts()."""
        raise TypeError(f"{self.name} has no parts")

    @abstractmethod
    def search_space_log10(self, puzzle: Puzzle[P, B]) -> float:
        """log10 of the number of candidate answers, by the source paper's formula."""

    @abstractmethod
    def shape(self, puzzle: Puzzle[P, B]) -> Shape:
        """Equal (up to graph isomorphism) for two puzzles exactly when a symmetry of the active rules maps one to the other.

        Reads spec, board and clues, never the look.
        """

    def capacity(self, spec: Spec[P]) -> int | None:
        """How many puzzles there are up to symmetry where that is small and known (else None): a *small class*,
        used in one split only and not held against earlier releases. Proved by enumeration in the tests."""
        return None

    def few_answers(self, spec: Spec[P]) -> int | None:
        """How many answers the puzzles of this spec can have in all, where that is small and known (else None): the best blind
        reply is right that often. Proved by enumeration in the tests."""
        return None

    # ---- text ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def render(self, puzzle: Puzzle[P, B]) -> str:
        """The task in words: what it is, every rule in force, the board, the clues, in this look. No answer format."""

    @abstractmethod
    def layout(self, puzzle: Puzzle[P, B]) -> Layout:
        """How answers are written. Must not give anything of the answer away (say, the optimal number of moves)."""

    @abstractmethod
    def write(self, puzzle: Puzzle[P, B], answer: A) -> Rows:
        """The answer as rows of tokens in this look."""

    @abstractmethod
    def read(self, puzzle: Puzzle[P, B], rows: Rows) -> A | None:
        """The inverse of write. Rows already fit layout(); None if they still spell no answer."""

    @abstractmethod
    def draw(self, puzzle: Puzzle[P, B], answer: A | None = None, marked: Collection[str] = ()) -> str:
        """A stand-alone SVG picture of the puzzle, with the answer's part marked if given; an answer may have blanks.

        marked: ids of clues (or labels of a clash) to stand out, as a clash or a step of a trace names them.
        """

    def say(self, puzzle: Puzzle[P, B], label: str) -> str:
        """A clue or a rule, by its label, as a sentence in this look: "Row 3 column 7 holds 5." The default is the bare label."""
        return label

    def tell(self, puzzle: Puzzle[P, B], step: Step) -> str:
        """One step of a deduction as a sentence or two in this look; what it names by "#3" is told as "step 3"."""
        return f"{step.technique} by {', '.join(step.uses)}"

    def redress(self, puzzle: Puzzle[P, B], way: str, rng: Rng) -> Look:
        """Another look of the same puzzle; way: "letters", "rename", "paraphrase", "red_herring" or what this family declares."""
        raise TypeError(f"{self.name} has no look of the sort {way!r}")

    # ---- puzzles from elsewhere -----------------------------------------------------------------------------------

    def scan(self, lines: Sequence[Line]) -> Puzzle[P, B]:
        """A puzzle that somebody wrote by hand: a heading (core/text.py) and the lines below it. docs/formats.md tells the form.

        Accepts everything that has a meaning, also what validate() refuses because it makes no good data; sizes are bounded.
        Raises BadRow with line and column for everything else. Clues get ids in the order of the lines.
        """
        raise TypeError(f"{self.name} has no text form")

    def spell(self, puzzle: Puzzle[P, B]) -> str:
        """The inverse of scan, up to the look, the clues' ids and the parameters that say how a puzzle is to be made.

        Raises BadRow if the form cannot tell the puzzle.
        """
        raise TypeError(f"{self.name} has no text form")

    def split(self, lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
        """The puzzles below one heading, each with that heading; by default all lines are one puzzle's."""
        yield lines

    # ---- evidence -----------------------------------------------------------------------------------------------

    @abstractmethod
    def examples(self) -> tuple[Example[P, B, A], ...]:
        """At least two worked examples."""

    @abstractmethod
    def smallest(self) -> tuple[Spec[P], ...]:
        """The smallest specs (one per optional rule at least), for exhaustive comparison of model, table and checker."""


AnyFamily = Family[Any, Any, Any, Any]
AnyPuzzle = Puzzle[Any, Any]
AnyDraft = Draft[Any, Any, Any, Any]


class Relation(str, Enum):
    """How a child differs from its parent."""

    FORM = "form"
    RULE = "rule"
    RESIZE = "resize"
    EDIT = "edit"
    SURFACE = "surface"


class Pairing(str, Enum):
    """What a child shares with its parent."""

    EXACT = "exact"  # decodes to the parent: same puzzle, other look
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
        """Whether this family's puzzles of this spec can be transformed."""

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        """Change what to make."""
        return spec

    def changed(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        """The spec that its puzzles have: what before() makes of it, unless edit() changes the spec as well."""
        return self.before(family, spec, rng)

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, ask: Ask) -> AnyDraft:
        """Change a finished draft. Raises Discarded if this draft offers no such change."""
        return draft

    def dress(self, family: AnyFamily, puzzle: AnyPuzzle, rng: Rng) -> Look:
        """Change the look only."""
        return puzzle.look

    def stage(self) -> int:
        """The first stage that this transform takes part in: 0 before, 1 edit, 2 dress."""
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


def objections(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> list[str]:
    """What the plain checker has against an answer to the puzzle's question; see Family.broken_rules.

    A FORCED question is about the assignments of two-valued slots that keep every rule and clue. Its answer, of the same type,
    holds 1 in the slots that hold 1 in all of them and 0 in the others, whether these differ or always hold 0. So it need not
    keep the rules itself: the checker is shown the 1s only, and its silence does not mean that they are the right ones.
    """
    if puzzle.question.kind is not QuestionKind.FORCED:
        return family.broken_rules(puzzle, answer)
    if "shape" in family.broken_rules(puzzle, answer):
        return ["shape"]
    spec, board = puzzle.spec, puzzle.board
    claimed = tuple([value or BLANK for value in family.slot_values(spec, board, answer)])
    return family.broken_rules(puzzle, family.assemble(spec, board, claimed), partial=True)


def puzzle_type(family: AnyFamily) -> Any:
    """The concrete annotation of a family's puzzles, for the codec."""
    generic: Any = Puzzle
    return generic[family.params, family.board]


def rules_text(spec: Spec[Any]) -> str:
    """The active optional rules as a short stable text: "diagonals,max_box(3),zones"; "" if there are none.

    Arguments that are lists (the zone of every cell) are left out; the puzzle has them.
    """
    plain = [(rule.name, [str(arg) for arg in rule.args if type(arg) is not tuple]) for rule in spec.rules]
    return ",".join(f"{name}({','.join(args)})" if args else name for name, args in plain)
