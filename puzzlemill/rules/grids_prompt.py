"""Prompts of logic grids, as a puzzle magazine prints them: a scene, what is asked, the lists of items, and the clues.

Other voices have other words, orders and notations of the lists and clues; short ones have neither scene nor sentences.
"""

from __future__ import annotations

from puzzlemill.core.text import capital
from puzzlemill.core.words import NUMBERS, listed, with_article
from puzzlemill.rules import items
from puzzlemill.rules.grids import KINDS
from puzzlemill.rules.grids_forms import STORY, TABLE, account, shown
from puzzlemill.rules.grids_words import NOTATIONS, Wording, formulas
from puzzlemill.vocabulary.wordings import Voice, markdown
from puzzlemill.vocabulary.worlds import Scale

_ORDERS = (
    ("heading", "scene", "rules", "lists", "clues"),
    ("heading", "scene", "lists", "rules", "clues"),
    ("heading", "scene", "clues", "lists", "rules"),
    ("heading", "lists", "scene", "rules", "clues"),
    ("heading", "scene", "rules", "clues", "lists"),
)
_LISTS = ("bullets", "lines", "sentences", "table", "json")  # notations of the categories; canonical: bullets
_TABLE = 1  # of the notations of clues; the first is formulas, all others are lists of sentences
_EXPLAINED = ("either_or", "before", "exactly", "between", "if")  # kinds whose words are explained, if clues of theirs are there


def prompt(wording: Wording, voice: Voice) -> str:
    """The whole prompt but for how to reply."""
    world, n, asked = wording.world, wording.size.items, [category.title for category in wording.categories[1:]]
    shared = [wording.categories[wording.size.shared].title] if wording.size.shared else []
    words = {
        "who": world.who,
        "whos": world.whos,
        "its": "their" if world.rel == "who" else "its",
        "n": NUMBERS[n],
        "asked": listed(asked),
        "shares": listed([with_article(title) for title in asked if title not in shared], "or"),
        "shared": "".join(shared),
    }
    story, table = wording.form == STORY, wording.form == TABLE
    formal = formulas(voice) and not story
    task = voice.says("task", **words)
    rules = [voice.says("twice" if shared else "once", **words)]
    if not formal:
        kinds = wording.kinds()
        said = {*kinds, *["exactly"] * ("apart" in kinds)}
        rules += [voice.says(slot, **words) for slot in ("same", *[kind for kind in _EXPLAINED if kind in said])]
    rules += [voice.says("false_clue", **words)] * (bool(wording.puzzle.spec.rule("false_clue")))
    rules += [voice.says("woven", **words)] * story + [voice.says("table", **words)] * table
    scene = f"{world.opening(n, wording.style.phrasing)} {task}" if not voice.short else task
    heading = voice.says("heading", title=world.title, TITLE=world.title.upper())
    parts = {"heading": heading, "scene": scene, "rules": " ".join(rules), "lists": _lists(wording, voice), "clues": ""}
    if wording.sentences():
        parts["clues"] = (
            _formulas(wording, voice, words) if formal else _account(wording, voice) if story else _clues(wording, voice)
        )
    if table:
        parts["lists"] = "\n\n".join([parts["lists"], _table(wording)])
    return voice.arranged(_ORDERS, parts)


def _clues(wording: Wording, voice: Voice) -> str:
    said = [text for _, text in wording.sentences()]
    if voice.number and voice.place("clues", NOTATIONS) == _TABLE:
        shown = markdown([str(i) for i in range(1, len(said) + 1)], ["clue"], [[text] for text in said])
    else:
        shown = voice.numbered(said)
    return f"{voice.says('clues')}\n{shown}"


def _account(wording: Wording, voice: Voice) -> str:
    names = [name for each in wording.style.names for name in each]
    told = account([text for _, text in wording.sentences()], names, wording.style.phrasing)
    head = voice.says("account")
    return f"{head}\n\n{told}" if head else told


def _table(wording: Wording) -> str:
    """A row for each entity, in the order in which they are listed."""
    names = wording.style.names
    order = [names[0].index(name) for name in wording.categories[0].listed(names[0])]
    (first, *head) = [capital(category.title) for category in wording.categories]
    rows = shown([said for _, said in wording.known()], names, order)
    text = markdown([row[0] for row in rows], head, [row[1:] for row in rows])
    return text.replace("|  |", f"| {first} |", 1)


def _formulas(wording: Wording, voice: Voice, words: dict[str, str]) -> str:
    """The clues as the text form has them, after what they mean."""
    scales = [category for category in wording.categories if isinstance(category, Scale)]
    several = len(scales) > 1
    words = {
        **words,
        "s": ", s" if several else "",
        "scale": "number on scale s" if several else scales[0].title if scales else "",
    }
    kinds = wording.kinds()
    meanings = [voice.says(f"{kind}_formula" if kind in _EXPLAINED else kind, **words) for kind in kinds]
    if wording.size.shared:
        meanings.append(voice.says("twice_formula", **words))
    units = [f"{scale.title} in {scale.unit()}" for scale in scales if scale.unit() != scale.title]
    if units and any(KINDS[kind].number for kind in kinds):
        meanings.append(voice.says("units", units=listed(units)))
    told = [wording.formula(label) if label else text for label, text in wording.sentences()]
    head = voice.says("legend")
    legend = (" " if voice.short else "\n").join([*[head] * bool(head), *meanings])
    between = "\n" if voice.short else "\n\n"
    return f"{legend}{between}{voice.says('formulas')}\n{voice.numbered(told)}"


def _lists(wording: Wording, voice: Voice) -> str:
    """The categories with their items."""
    pairs = [(each.title, each.listed(names)) for each, names in zip(wording.categories, wording.style.names, strict=True)]
    way = "lines" if voice.short else _LISTS[voice.place("lists", len(_LISTS))]
    return items.lists(voice, way, pairs, capital, "items")
