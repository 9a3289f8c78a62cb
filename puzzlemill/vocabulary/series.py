"""Prompts of number series in voices (wordings/number_series.toml), with their terms in several notations."""

from __future__ import annotations

import json
from collections.abc import Sequence

from puzzlemill.vocabulary.wordings import Voice

_ORDERS = (("task", "pattern", "series"), ("task", "series", "pattern"), ("series", "task", "pattern"))
_NOTATIONS = ("commas", "blanks", "bars", "json", "numbered", "semicolons")


def told(task: str, terms: Sequence[int], voice: Voice) -> str:
    """The whole prompt but for how to reply. task: "missing", "next" or "wrong". terms: -1 for the missing one."""
    shown = ["?" if term < 0 else str(term) for term in terms]
    parts = {
        "task": voice.says("task" if task == "missing" else task),
        "pattern": voice.says("pattern"),
        "series": _series(shown, voice),
    }
    return voice.arranged(_ORDERS, parts)


def _series(shown: Sequence[str], voice: Voice) -> str:
    way = voice.notation(*_NOTATIONS)
    if way == "json":
        return json.dumps([int(text) if text != "?" else text for text in shown])
    if way == "numbered":
        return "\n".join([f"{place}. {text}" for place, text in enumerate(shown, 1)])
    return {"commas": ", ", "blanks": "  ", "bars": " | ", "semicolons": "; "}[way].join(shown)
