"""Procedural puzzles, proved; datasets of them, versioned; scoring that needs nothing else.

    import puzzlemill

    row = puzzlemill.make("sudoku", size=6)     # one proved puzzle as a row of a dataset
    print(row["prompt"])
    puzzlemill.score(row["gold_reply"], row)    # Verdict(solved=True, ...)

The names below are looked up at first use, so that importing the package costs nothing.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from puzzlemill.core.family import AnyFamily
    from puzzlemill.core.types import Puzzle
    from puzzlemill.factory.make import make
    from puzzlemill.scoring.score import Verdict, score

    FAMILIES: Mapping[str, AnyFamily]

__version__ = "0.1.0"
__all__ = ["FAMILIES", "Puzzle", "Verdict", "make", "score"]
_HOME = {
    "Puzzle": "puzzlemill.core.types",
    "Verdict": "puzzlemill.scoring.score",
    "make": "puzzlemill.factory.make",
    "score": "puzzlemill.scoring.score",
}


logging.getLogger(__name__).addHandler(logging.NullHandler())  # whoever uses the library says what is shown


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "FAMILIES":
        from puzzlemill.generators import families

        return families()
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'puzzlemill' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
