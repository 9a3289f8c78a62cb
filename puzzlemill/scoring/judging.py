r"""Judgements: replies to rows that show a puzzle with somebody's answers or reasoning, and ask whether these are right.

Such a row has the reply format "judgement", the columns of the row that it is about, and in `hidden` what is asked and what is
right. A reply ends in a box:
  answers    \boxed{1} or \boxed{2}: which of two answers is right
  reasoning  \boxed{YES}, or \boxed{NO, The correct answer is ...}: whether a reasoning is right, and its answer
Only the last box with a verdict counts. A box with two verdicts has none, whatever else it says. After NO the right answer is
asked for, and proved as any answer is (scoring/score.py); after YES there may be one, and it must be right as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from puzzlemill.core.errors import BadRow
from puzzlemill.scoring.lines import SPACES
from puzzlemill.scoring.parse import WINDOW, boxes

JUDGEMENT = "judgement"  # a row's reply format
ANSWERS, REASONING = "answers", "reasoning"  # tasks
YES, NO = "YES", "NO"
VERDICTS: Mapping[str, tuple[str, ...]] = {ANSWERS: ("1", "2"), REASONING: (YES, NO)}
CORRECTED = "The correct answer is"
_LONGEST = 20_000  # characters of a box
_PICKED = re.compile(r"(?:answer\s*)?([12])", re.IGNORECASE | re.ASCII)
_SAYS = r"\s*(?:the\s+)?(?:(?:correct|right)\s+)?answer(?:\s+is)?\b\s*:?"
_CHECKED = re.compile(rf"(YES|NO)\b(?:\s*[,.;:](?:{_SAYS})?(.*))?", re.IGNORECASE | re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a row hides. right: the verdict that is right."""

    task: str
    right: str

    def to_json(self) -> str:
        """The text of `hidden`."""
        return json.dumps({"task": self.task, "right": self.right})


@dataclass(frozen=True, slots=True)
class Said:
    """What a reply says. verdict: "" for none. correction: the answer after it, as it is written, "" for none."""

    verdict: str = ""
    correction: str = ""


def sheet_of(row: Mapping[str, Any]) -> Sheet:
    """What is asked in a row. Raises BadRow."""
    try:
        raw = json.loads(row["hidden"])
        sheet = Sheet(raw["task"], raw["right"])
        if sheet.right not in VERDICTS[sheet.task]:
            raise ValueError
    except (KeyError, ValueError, TypeError, RecursionError):
        wanted = '{"task", "right"} as JSON; make the rows again'
        raise BadRow(f"row {str(row.get('id'))[:80]}: hidden: of a judgement expected {wanted}") from None
    return sheet


def said(reply: object, task: str) -> Said:
    """Read a reply. Never raises on one."""
    if not isinstance(reply, str):
        return Said()
    for body, _ in boxes(reply[-WINDOW:].translate(SPACES)):
        text = body.strip().strip("*`\"'$").strip()
        if len(text) > _LONGEST:
            continue
        if task == ANSWERS:
            picked = _PICKED.fullmatch(text.removesuffix("."))
            if picked:
                return Said(picked[1])
        elif checked := _CHECKED.fullmatch(text):
            return Said(checked[1].upper(), (checked[2] or "").strip())
    return Said()
