"""Prompts of cryptograms in voices (vocabulary/wordings/cryptogram.toml), with known letters and lists in several notations."""

from __future__ import annotations

import json
from collections.abc import Sequence

from puzzlemill.core.rng import Rng
from puzzlemill.rules.cryptograms import LETTERS, LISTED, Board
from puzzlemill.vocabulary.wordings import Voice, markdown

# How many words a band has, in thousands, and what they are like.
BANDS = {
    "common": ("13,000", "very common"),
    "known": ("34,000", "common or well-known"),
    "rare": ("75,000", "common, well-known or rare"),
}
_ORDERS = (
    ("task", "rules", "words", "text", "given"),
    ("task", "text", "given", "rules", "words"),
    ("task", "rules", "words", "given", "text"),
    ("text", "task", "rules", "words", "given"),
)
_GIVEN = ("pairs", "lines", "table", "json")
_WORDS = ("commas", "lines", "json", "blanks")
_LEADS = (
    "A remark that may have nothing to do with the solution: ",
    "This may be of no use at all: ",
    "Perhaps beside the point: ",
    "It may not matter for the cipher, but ",
    "Whether this helps or not: ",
    "Possibly of no importance: ",
)
_REMARKS = (
    "the text was copied out by hand twice before it was printed.",
    "the first reader who solved it needed a second cup of tea.",
    "it was found between the pages of an old atlas.",
    "the ink of the original has faded to brown.",
    "somebody had drawn a small boat in the margin.",
    "it was pinned to the door of a library for a week.",
    "the sheet had been folded four times.",
    "the one who made the cipher liked to write with the left hand.",
    "a copy of it hung in the waiting room of a dentist.",
    "the newspaper that printed it has long been closed.",
)
ASIDES = frozenset([lead + remark for lead in _LEADS for remark in _REMARKS])


def remark(rng: Rng) -> str:
    """A remark that says nothing about the plain text, and that it may not."""
    return rng.pick(_LEADS) + rng.pick(_REMARKS)


def written(text: str, letters: str, signs: Sequence[str]) -> str:
    """A text in cipher with its letters as they are shown; between those of one word stands "-" where some have two signs."""
    if not any(len(sign) > 1 for sign in signs):
        return text.translate({ord(letter): sign for letter, sign in zip(letters, signs, strict=True)})
    shown = dict(zip(letters, signs, strict=True))
    parts = [
        shown.get(sign, sign) + "-" * (sign in shown and after in shown) for sign, after in zip(text, text[1:] + " ", strict=True)
    ]
    return "".join(parts)


def told(
    band: str,
    board: Board,
    known: Sequence[tuple[str, str]],
    signs: Sequence[str],
    asides: Sequence[tuple[int, str]],
    apart: bool,
    voice: Voice,
) -> str:
    """The whole prompt. known: revealed letters as they are shown, with their plain letters. signs: of all letters."""
    plain_signs = all(sign in LETTERS for sign in signs)
    rules = [voice.says("cipher", another="another letter" if plain_signs else "a number")]
    rules += [voice.says("apart")] if apart else [voice.says("itself")] * plain_signs
    rules += [voice.says("kept")] + [voice.says("joined")] * (not plain_signs)
    rules += [voice.says("author")] * bool(board.author)
    if band == LISTED:
        words = f"{voice.says('listed')}\n{_list(board.words, voice)}"
    else:
        count, kind = BANDS[band]
        words = voice.says("lexicon", count=count, kind=kind)
    text = f"{voice.says('text')}\n{written(board.text, board.letters, signs)}"
    if board.author:
        text += f"\n\u2014 {board.author}"
    before, after = ([aside for place, aside in asides if bool(place) is late] for late in (False, True))
    gap = "\n" if voice.short else "\n\n"
    return voice.arranged(
        _ORDERS,
        {
            "task": voice.says("task"),
            "rules": " ".join(rules),
            "words": gap.join([words, *before]),
            "text": gap.join([text, *after]),
            "given": f"{voice.says('given')}\n{_known(known, voice)}" if known else "",
        },
    )


def _known(known: Sequence[tuple[str, str]], voice: Voice) -> str:
    way = "pairs" if voice.short else _GIVEN[voice.place("given as", len(_GIVEN))]
    if way == "table":
        return markdown([sign for sign, _ in known], ["plain"], [[plain] for _, plain in known])
    if way == "json":
        return json.dumps(dict(known))
    lines = [f"{sign} = {plain}" for sign, plain in known]
    return ("\n" if way == "lines" else ", ").join(lines)


def _list(words: Sequence[str], voice: Voice) -> str:
    way = "blanks" if voice.short else _WORDS[voice.place("words as", len(_WORDS))]
    words = [word.upper() for word in words]
    if way == "json":
        return json.dumps(words)
    return {"commas": ", ", "lines": "\n", "blanks": " "}[way].join(words)
