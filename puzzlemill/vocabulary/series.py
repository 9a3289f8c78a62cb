"""Prompts of number series in voices (wordings/number_series.toml), with their terms in several notations."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from puzzlemill.core.text import capital
from puzzlemill.vocabulary.wordings import Voice

WORDS, ROMAN = "words", "roman"  # other ways to write numbers
ROMANS = range(1, 4000)  # numbers that have Roman numerals
REMARKS = (  # which say nothing about any pattern; {A}: a number of the series
    "The number {A} also stands on the door of a flat across the street.",
    "Somebody once won a cake with the number {A}.",
    "{A} happens to be the favourite number of whoever wrote this down.",
    "A bus with the number {A} went by while the series was being typed.",
    "The page in the notebook where {A} was written is a little torn.",
    "{A} was written with a red pen, for no reason at all.",
    "One reader has the number {A} on a football shirt.",
    "The number {A} was read out twice, since somebody coughed.",
)
_ORDERS = (
    *(("task", "pattern", "series"), ("task", "series", "pattern"), ("series", "task", "pattern")),
    ("series", "pattern", "task"),
)
_KINDS = ("regular", "steps", "turns", "known", "sums", "digits")  # of rules, as the prompt lists them
_NOTATIONS = ("commas", "blanks", "bars", "json", "numbered", "semicolons")
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMERALS = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
_ROMAN_DIGITS = ("IVX", "XLC", "CDM", "M")  # one, five and ten of each place


def writer(written: str) -> Callable[[int], str]:
    """How numbers are written: "" for digits, else WORDS or ROMAN."""
    return {WORDS: in_words, ROMAN: in_roman}.get(written, str)


def told(task: str, terms: Sequence[int], written: str, remarks: Sequence[str], voice: Voice) -> str:
    """The whole prompt but for how to reply. task: "missing", "next" or "wrong". terms: -1 for the missing one.

    written: as of writer(). remarks: sentences that say nothing about the series.
    """
    write = writer(written)
    shown = ["?" if term < 0 else write(term) for term in terms]
    pattern = " ".join([voice.says("pattern", kinds=_kinds(voice)), voice.says("range"), voice.says("confirmed")])
    parts = {
        "task": voice.says("task" if task == "missing" else task),
        "pattern": f"{pattern} {voice.says(written)}" if written else pattern,
        "series": "\n\n".join([_series(shown, voice), *map(capital, remarks)]),
    }
    return voice.arranged(_ORDERS, parts)


def _kinds(voice: Voice) -> str:
    """The kinds of rules, in an order of this voice and with letters in half of the voices."""
    kinds = list(_KINDS)
    told: list[str] = []
    lettered = voice.place("letters", 2)
    while kinds:
        kind = kinds.pop(voice.place(f"kind {len(kinds)}", len(kinds)))
        mark = f"({chr(ord('a') + len(told))}) " if lettered else ""
        told.append(f"{mark}{voice.says(f'kind_{kind}')}")
    return f"{'; '.join(told[:-1])}; or {told[-1]}"


def _series(shown: Sequence[str], voice: Voice) -> str:
    way = voice.notation(*_NOTATIONS)
    if way == "json":
        return json.dumps([int(text) if text.isdigit() else text for text in shown])
    if way == "numbered":
        return "\n".join([f"{place}. {text}" for place, text in enumerate(shown, 1)])
    return {"commas": ", ", "blanks": "  ", "bars": " | ", "semicolons": "; "}[way].join(shown)


def in_words(number: int) -> str:
    """A number from 0 to 9999 written out: "four thousand and seventy-two"."""
    thousands, hundreds, rest = number // 1000, number // 100 % 10, number % 100
    parts = [f"{_SMALL[n]} {unit}" for n, unit in ((thousands, "thousand"), (hundreds, "hundred")) if n]
    if not parts:
        return _below_hundred(rest)
    large = " ".join(parts)
    return f"{large} and {_below_hundred(rest)}" if rest else large


def _below_hundred(number: int) -> str:
    if number < len(_SMALL):
        return _SMALL[number]
    ten = _TENS[number // 10 - 2]
    return f"{ten}-{_SMALL[number % 10]}" if number % 10 else ten


def in_roman(number: int) -> str:
    """A number of ROMANS in Roman numerals."""
    digits = [int(digit) for digit in reversed(str(number))]
    signs = [
        _NUMERALS[digit].translate(str.maketrans("IVX"[: len(own)], own))
        for digit, own in zip(digits, _ROMAN_DIGITS, strict=False)
    ]
    return "".join(reversed(signs))
