"""Prompts of statements about places: in the words of one voice, with several notations of attributes and clues."""

from __future__ import annotations

from puzzlemill.core.text import capital
from puzzlemill.rules import items
from puzzlemill.rules.positions_words import NOTATIONS, Wording, formulas
from puzzlemill.vocabulary.wordings import Voice, markdown

_ORDERS = (
    ("scene", "once", "lists", "meant", "clues", "task"),
    ("scene", "lists", "once", "meant", "clues", "task"),
    ("task", "scene", "lists", "once", "clues", "meant"),
    ("scene", "task", "once", "lists", "meant", "clues"),
    ("scene", "once", "lists", "clues", "meant", "task"),
)
_LISTS = ("lines", "sentences", "table", "json", "bullets")  # notations of the attributes; canonical: bullets
_TABLE = 1  # of the notations of clues; the first is formulas, all others are lists of sentences


def prompt(wording: Wording, voice: Voice) -> str:
    """The whole prompt but for how to reply."""
    theme, n = wording.theme, wording.size.places
    words = {"who": theme.who, "whos": theme.whos, "at": theme.at, "place": theme.place, "places": theme.places, "n": n}
    numbering = capital(voice.says("numbering", **words, order=theme.order + theme.seen, first=theme.one(1), last=theme.one(n)))
    parts = {
        "scene": f"{theme.intro(n)} {numbering}",
        "once": voice.says("once", **words),
        "lists": _lists(wording, voice),
        "meant": "",
        "task": voice.says("task", **words),
    }
    said = [(wording.formula(label) if label else text, text) for label, text in wording.sentences()]
    if formulas(voice):
        told = [formula for formula, _ in said]
        meanings = [voice.says(kind, **words) for kind in wording.kinds()]
        legend = (" " if voice.short else "\n").join(meanings)
        head = voice.says("legend")
        parts["meant"] = f"{head}\n{legend}" if head else legend
        parts["clues"] = f"{voice.says('formulas')}\n{voice.numbered(told)}"
    else:
        meanings = wording.meanings()
        if meanings:
            parts["meant"] = f"{voice.says('meant')}\n{voice.bullets(meanings)}"
        if voice.number and voice.place("clues", NOTATIONS) == _TABLE:
            shown = markdown([str(i) for i in range(1, len(said) + 1)], ["clue"], [[text] for _, text in said])
        else:
            shown = voice.numbered([text for _, text in said])
        parts["clues"] = f"{voice.says('clues')}\n{shown}"
    return voice.arranged(_ORDERS, parts)


def _lists(wording: Wording, voice: Voice) -> str:
    """The attributes with their values."""
    pairs = [
        (attribute.title, attribute.listed(names))
        for attribute, names in zip(wording.attributes, wording.style.names, strict=True)
    ]
    way = "lines" if voice.short else _LISTS[voice.place("lists", len(_LISTS))] if voice.number else "bullets"
    return items.lists(voice, way, pairs, str, "values")
