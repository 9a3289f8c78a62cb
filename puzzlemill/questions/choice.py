"""One of several options. No family asks it yet, and no proof of it is known: certify() refuses it."""

from __future__ import annotations

from typing import final

from puzzlemill.core.types import QuestionKind
from puzzlemill.questions.base import Strategy


@final
class Choice(Strategy):
    kind = QuestionKind.CHOICE


STRATEGY = Choice()
