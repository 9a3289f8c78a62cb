"""The nouns of Puzzlemill and the one interface that a puzzle family implements.

Spec      what to make, decided before anything is drawn
Puzzle    what a solver may see; never the answer
Draft     a puzzle with what is hidden and its answer
Family    one puzzle's rules; stateless, one final class per file in generators/
Transform turns a draft into a rarer one and promises a status
Oracle    the questions that drawing and transforms may put to the engines (implemented in solvers/)

An answer is a value of the family's own type (a grid, a table, a list of moves). Two neutral forms connect it to the rest:
*slots* (core/model.py) for engines and partial credit, and *rows of tokens* for text, in whatever reply format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import Game, Route, Slots
from puzzlemill.core.rng import Rng

P = TypeVar("P")  # a family's parameters
B = TypeVar("B")  # its board
H = TypeVar("H")  # what is hidden
A = TypeVar("A")  # its answers


class Status(str, Enum):
    """The proved status of a puzzle. UNKNOWN (a budget ran out) is never a proof and never kept."""

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
    """The kind of rarity that a transform brings (HardcoreLogic's taxonomy, and robustness pairs)."""

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


class Ask(str, Enum):
    """What of the answer a reply is to give (questions/asks.py)."""

    WHOLE = "whole"
    CELL = "cell"  # one entry of it
    NUMBER = "number"  # a count or a sum over some of it, or a place
    OPTION = "option"  # which of several options is right
    STEP = "step"  # a cell whose value follows at once
    VALUE = "value"  # of a choice: what the options are drawn from, without them


@dataclass(frozen=True, slots=True)
class Question:
    """may_be_unsolvable: the prompt says that the puzzle may have no answer, and how to reply so.

    ask: what of the answer is wanted; about: which cell, region, row or value it is about; of a choice, what the family asks.
    options: of which one is right, in their order.
    """

    kind: QuestionKind = QuestionKind.WHOLE
    options: tuple[str, ...] = ()
    turn_limit: int | None = None
    may_be_unsolvable: bool = False
    ask: Ask = Ask.WHOLE
    about: tuple[int, ...] = ()


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

    id: stable and unique within the puzzle, short and readable ("r3c7"); an unsat core names clues by it.
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
    """A puzzle to make: the family's frozen parameters and the optional rules in force, sorted by name."""

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
class Style:
    """Surface only; models and checkers never read it.

    symbols: what is written for value 0, 1, ... ("" entries are not allowed). names: entity names by category.
    theme: the vocabulary they come from. phrasing: which template set words the sentences.
    order: positions in puzzle.clues (of navigation: in its paths) in the order of the prompt (empty: as they stand).
    asides: sentences that say nothing about the answer, each with the number of clues before it, ascending.
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
    """A puzzle as a solver may see it.

    board: geometry and entities that are not removable. clues: everything removable, each with its own id.
    """

    family: str
    version: int
    spec: Spec[P]
    board: B
    clues: tuple[Clue, ...]
    question: Question
    style: Style

    def with_clues(self, clues: Sequence[Clue]) -> Puzzle[P, B]:
        """The same puzzle with other clues, listed in their new order."""
        return replace(self, clues=tuple(clues), style=replace(self.style, order=()))

    def clue(self, id_: str) -> Clue | None:
        """The clue with this id, if there is one."""
        return next((clue for clue in self.clues if clue.id == id_), None)

    def clues_in_order(self) -> list[Clue]:
        """The clues in the order in which the prompt lists them."""
        order = self.style.order
        if not order:
            return list(self.clues)
        if sorted(order) != list(range(len(self.clues))):
            raise BadRow(f"style.order must name each of the {len(self.clues)} clues once, got {str(order)[:60]}")
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
    """One column of an answer's rows.

    tokens: everything that may stand in it, exactly as written (compared caseless). also: for each token, other spellings that
    mean it and no other token; () for none.
    words: any word of letters from A to Z may stand in it, in capitals or not; tokens are some of them.
    """

    name: str
    tokens: tuple[str, ...]
    also: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    words: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class Layout:
    """How an answer is written, whatever the reply format: `min_rows`..`max_rows` rows of `columns`.

    grid: the columns are cells of a board (no header is written, tokens are separated by spaces); else they are named
        fields (a header row is allowed and ignored, tokens are separated by "|").
    note: one sentence for the prompt that says what the rows are, with "one row per ..." and the order.
    text: what the answer is called where it is a text: a grid of one row, of which every token is one character. It is written
        without anything between them, and spaces, line breaks and "|" in it say nothing. "" for all other answers.
    signs: of a text in cipher, the sign that each token stands for. Then only the letters of a reply count, and a *mapping*, what
        each of these signs becomes, may stand beside the text or in its place; the two must agree.
    between: what is written before each token of such a text, and after the last. after: what may follow it in a reply.
    keyed: the first of two columns names the row: JSON has an object with these names, other formats a line "name: value" each.
        Rows may stand in any order, and one that is missing is blank.
    fixed: for each row, what its cells show anyway, "" for those that are to be filled in; () where none is fixed. What a reply
        has in place of a fixed cell says nothing, but a letter or digit there makes it unreadable. Letters that are to be filled
        in may also be given as a text, with whatever else stands between them.
    words: of a text, the words that its letters also make: a label, and the tokens that are its letters in order. A reply may
        give some beside the text, which fill its blanks and never change it.
    """

    columns: tuple[Column, ...]
    min_rows: int
    max_rows: int
    grid: bool
    note: str
    text: str = ""
    signs: tuple[str, ...] = field(default=(), repr=False)
    between: tuple[str, ...] = field(default=(), repr=False)
    after: str = field(default="", repr=False)
    fixed: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    keyed: bool = field(default=False, repr=False)
    words: tuple[tuple[str, tuple[int, ...]], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Example(Generic[P, B, A]):
    """A worked example from a cited source, checked by the contract suite."""

    puzzle: Puzzle[P, B]
    answer: A
    source: str


@dataclass(frozen=True, slots=True)
class Drawn(Generic[B, A]):
    """A board and an answer to it: what is drawn where nothing is hidden once the puzzle is made."""

    board: B
    answer: A


class Oracle(Protocol):
    """Questions to the engines, for sample_solution(), transforms, the factory. A spent budget raises Discarded("budget")."""

    def count(self, puzzle: Puzzle[Any, Any], limit: int = 2) -> int:
        """Number of answers, at most `limit`. Asking never changes the puzzle."""

    def answers(self, puzzle: Puzzle[Any, Any], limit: int) -> tuple[Slots, ...]:
        """Up to `limit` different answers."""

    def sample(self, puzzle: Puzzle[Any, Any], rng: Rng) -> Slots | None:
        """A random answer's slot values, spread over the whole answer space; None if there is none."""

    def sample_with_clues(self, puzzle: Puzzle[Any, Any], rng: Rng) -> tuple[Slots, tuple[int, ...]] | None:
        """For boards whose clues are drawn together with the answer: a random answer's slot values, and numbers which the clues
        state (of each slot, or of each line) so that it is the only one. Of the puzzle only spec and board are read. None: all
        attempts are spent.
        """

    def minimize(self, puzzle: Puzzle[Any, Any], order: Sequence[int], keep: int) -> tuple[int, ...]:
        """Try to leave out clues (positions in puzzle.clues) in this order while one answer remains, down to `keep` clues.

        Returns the positions that stay, ascending. With keep=0 no clue that stays can be left out.
        """

    def unsat_core(self, puzzle: Puzzle[Any, Any]) -> tuple[str, ...]:
        """Labels of clues and rules that together have no answer; leaving out any one of them gives an answer."""

    def depth(self, puzzle: Puzzle[Any, Any]) -> Depth:
        """How an unsolvable puzzle shows that it is one."""

    def backbone(self, puzzle: Puzzle[Any, Any]) -> Slots | None:
        """The answer to a FORCED question; None if nothing keeps all rules and clues."""

    def nodes(self, puzzle: Puzzle[Any, Any]) -> int:
        """Branchings of the fastest engine until it has decided the puzzle: a quick sign of how hard it is."""

    def shortest_route(self, puzzle: Puzzle[Any, Any]) -> Route:
        """A shortest route of a move puzzle."""

    def shortest_violating(self, puzzle: Puzzle[Any, Any], rule: str) -> Route:
        """A shortest route of a move puzzle without this rule: one that breaks the rule if any shortest one does."""

    def deal_game(self, game: Game, actions: int, rng: Rng) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Draw from a game with all actions so many of them, the truths that hold, and an outcome of each action,
        drawn evenly among all that keep the promise. Actions and truths ascend. Raises Discarded("empty") if there is none.
        """


AnyPuzzle = Puzzle[Any, Any]
AnyDraft = Draft[Any, Any, Any, Any]


def rules_text(spec: Spec[Any]) -> str:
    """The active optional rules as a short stable text: "diagonals,max_box(3),zones"; "" if there are none.

    Arguments that are lists (the zone of every cell) are left out; the puzzle has them.
    """
    plain = [(rule.name, [str(arg) for arg in rule.args if type(arg) is not tuple]) for rule in spec.rules]
    return ",".join(f"{name}({','.join(args)})" if args else name for name, args in plain)
