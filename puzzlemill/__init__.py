"""Procedural puzzles, proved; datasets of them, versioned; scoring that needs nothing else.

    import puzzlemill

    row = puzzlemill.make("sudoku", size=6)                                    # one proved puzzle as a row of a dataset
    row = puzzlemill.make("sudoku", variant="unsolvable", band="hard")         # one that has no solution
    print(row["prompt"])
    puzzlemill.score(row["gold_reply"], row)                                   # Verdict(solved=True, ...)

    for row in puzzlemill.generate("zebra", count=100, seed="mine"): ...       # many of them, as they are made
    puzzlemill.generate(["sudoku", "zebra"], count=100, out="out/mix")         # the same as a release in a folder
    for row in puzzlemill.load("out/mix", split="train"): ...                  # its rows; or load("org/name") from the Hub

    help(puzzlemill.FAMILIES["sudoku"])                                        # its rules, parameters and variants

Words mean the same here, on the command line (`puzzlemill show sudoku size=6`) and in recipes. What cannot be used is a
`puzzlemill.BadInput` that says where, what was expected, and what to do.
The names below are looked up at first use, so that importing the package costs nothing.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from puzzlemill.core.errors import BadInput
    from puzzlemill.core.types import Puzzle
    from puzzlemill.factory.catalogue import Families
    from puzzlemill.factory.make import make
    from puzzlemill.publish.rows import Rows, generate, load
    from puzzlemill.scoring.score import Verdict, score

    FAMILIES: Families

__version__ = "0.1.0"
__all__ = ["FAMILIES", "BadInput", "Puzzle", "Rows", "Verdict", "generate", "load", "make", "score"]
_HOME = {
    "BadInput": "puzzlemill.core.errors",
    "Puzzle": "puzzlemill.core.types",
    "Rows": "puzzlemill.publish.rows",
    "Verdict": "puzzlemill.scoring.score",
    "generate": "puzzlemill.publish.rows",
    "load": "puzzlemill.publish.rows",
    "make": "puzzlemill.factory.make",
    "score": "puzzlemill.scoring.score",
}


logging.getLogger(__name__).addHandler(logging.NullHandler())  # whoever uses the library says what is shown


def __getattr__(name: str) -> Any:
    from importlib import import_module

    try:
        if name == "FAMILIES":
            return import_module("puzzlemill.factory.catalogue").known_families()
        if name in _HOME:
            return getattr(import_module(_HOME[name]), name)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("puzzlemill."):
            raise
        raise ImportError(
            f"puzzlemill.{name}: this is the part of Puzzlemill that a scorer.zip holds, which judges and makes nothing; import "
            "puzzlemill before the module beside that archive"
        ) from None
    raise AttributeError(f"module 'puzzlemill' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
