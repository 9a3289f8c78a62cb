"""The one import for who writes a puzzle family: `from puzzlemill.family import Family, Givens, Param, SquareGrid, ...`.

docs/families.md shows it step by step; generators/_template.py is a whole family of sixty lines, built and tested on every run.
"""

from __future__ import annotations

from puzzlemill.core.cell_text import CellText
from puzzlemill.core.clues import CellClues, Clues, Givens
from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.family import (
    MALFORMED,
    Choices,
    Dialogue,
    Family,
    Pairing,
    Relation,
    Routes,
    SmallClasses,
    TextForm,
    Transform,
)
from puzzlemill.core.form import CellForm, Form, Grid, GridForm, LetterForm, MovesForm, RowForm, SquareGrid
from puzzlemill.core.model import BLANK, Constraints, Fact, Game, Graph, Slots, Space, Step, Table
from puzzlemill.core.params import Param, params
from puzzlemill.core.pictures import Board
from puzzlemill.core.rng import Rng
from puzzlemill.core.rules import OptionalRule, declared
from puzzlemill.core.shape import ColouredGraph, least_drawing
from puzzlemill.core.text import Line, Word, grid_of, grid_text, heading, numbered, numerals, signs
from puzzlemill.core.types import (
    Arg,
    Ask,
    Clue,
    Column,
    Draft,
    Drawn,
    Example,
    Kind,
    Layout,
    NoBoard,
    Oracle,
    Puzzle,
    Question,
    QuestionKind,
    Rows,
    Rule,
    Spec,
    Status,
    Style,
)
from puzzlemill.core.words import Words, among, capital, listed, pick, places, plural
from puzzlemill.transforms.clues import FewerGivens
from puzzlemill.transforms.forms import AddRule, Grown, Larger, More, RedHerring, Restyle, SetParam, entangled, surface, valid
from puzzlemill.vocabulary.wordings import Voice, markdown, voices_of

__all__ = [
    "BLANK",
    "MALFORMED",
    "AddRule",
    "Arg",
    "Ask",
    "BadParams",
    "BadRow",
    "Board",
    "CellClues",
    "CellForm",
    "CellText",
    "Choices",
    "Clue",
    "Clues",
    "ColouredGraph",
    "Column",
    "Constraints",
    "Dialogue",
    "Discarded",
    "Draft",
    "Drawn",
    "Example",
    "Fact",
    "Family",
    "FewerGivens",
    "Form",
    "Game",
    "Givens",
    "Graph",
    "Grid",
    "GridForm",
    "Grown",
    "Kind",
    "Larger",
    "Layout",
    "LetterForm",
    "Line",
    "More",
    "MovesForm",
    "NoBoard",
    "OptionalRule",
    "Oracle",
    "Pairing",
    "Param",
    "Puzzle",
    "Question",
    "QuestionKind",
    "RedHerring",
    "Relation",
    "Restyle",
    "Rng",
    "Routes",
    "RowForm",
    "Rows",
    "Rule",
    "SetParam",
    "Slots",
    "SmallClasses",
    "Space",
    "Spec",
    "SquareGrid",
    "Status",
    "Step",
    "Style",
    "Table",
    "TextForm",
    "Transform",
    "Voice",
    "Word",
    "Words",
    "among",
    "capital",
    "declared",
    "entangled",
    "grid_of",
    "grid_text",
    "heading",
    "least_drawing",
    "listed",
    "markdown",
    "numbered",
    "numerals",
    "params",
    "pick",
    "places",
    "plural",
    "signs",
    "surface",
    "valid",
    "voices_of",
]  # fmt: skip
