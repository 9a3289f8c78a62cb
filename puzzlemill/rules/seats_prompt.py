"""Prompts of seatings: in the words of one voice, with several notations of the clues."""

from __future__ import annotations

from puzzlemill.core.types import QuestionKind
from puzzlemill.core.words import NUMBERS, capital, listed
from puzzlemill.rules.seats import CORNERS
from puzzlemill.rules.seats_words import NAME, NOTATIONS, Wording, formulas, ways_of
from puzzlemill.vocabulary.wordings import Voice, markdown, wordings

_ORDERS = (
    ("scene", "meant", "clues", "task"),
    ("scene", "clues", "meant", "task"),
    ("task", "scene", "meant", "clues"),
    ("scene", "task", "clues", "meant"),
)
_TABLE = 1  # of the notations of clues; 0 is formulas, all others are lists of sentences
_TOLD = ("left", "right", "gap", "between", "either", "if")  # kinds whose formulas are told to short voices too
_FORM = {
    "left": "A, B, d",
    "right": "A, B, d",
    "gap": "A, B, k",
    "at": "A, p",
    "not_at": "A, p",
    "row": "A, row",
    "faces": "A, way",
}


def prompt(wording: Wording, voice: Voice) -> str:
    """The whole prompt but for how to reply."""
    chosen = wording.puzzle.question.kind is QuestionKind.CHOICE
    theme, found = wording.style.theme, not wording.plan.ways
    task = [voice.says("task")]
    if found or theme:
        task.append(voice.says("also_ways") if found else voice.says("also_values", title=theme))
    parts = {
        "scene": " ".join(_scene(wording, voice)),
        "meant": "",
        "task": "" if chosen else " ".join(task),
    }
    said = wording.sentences()
    if formulas(voice):
        legend = [_meaning(wording, voice, kind) for kind in wording.kinds() if not voice.short or kind in _TOLD]
        if not voice.short:
            legend += _meanings(wording, voice)
        if legend:
            parts["meant"] = (
                f"{voice.says('legend')} {'; '.join(legend)}" if voice.short else "\n".join([voice.says("legend"), *legend])
            )
        shown = voice.numbered([wording.formula(label) if label else text for label, text in said])
        parts["clues"] = f"{voice.says('formulas')}\n{shown}"
        return voice.arranged(_ORDERS, parts)
    meanings = _meanings(wording, voice)
    if meanings:
        parts["meant"] = f"{voice.says('meant')}\n{voice.bullets(meanings)}"
    way = voice.place("clues", NOTATIONS) if voice.number else NOTATIONS
    texts = [text for _, text in said]
    table = markdown([str(i) for i in range(1, len(texts) + 1)], ["clue"], [[text] for text in texts])
    parts["clues"] = f"{voice.says('clues')}\n{table if way == _TABLE else voice.numbered(texts)}"
    return voice.arranged(_ORDERS, parts)


def _scene(wording: Wording, voice: Voice) -> list[str]:
    """Who sits where, how seats are numbered, which way persons face, and what left and right are."""
    plan, names = wording.plan, wording.style.names
    n, line = plan.seats, plan.line
    half = n // 2 if plan.shape == "rows" else (n - CORNERS) // CORNERS
    words = {"n": NUMBERS[n], "names": listed(names[0]), "half": NUMBERS[half]}
    said = [voice.says(f"scene_{plan.shape}", **words)]
    if plan.groups > 1:
        said.append(voice.says("second", each=wording.attribute.each, values=listed(sorted(names[1]))))
    slot = "number_ring" if plan.ring else f"number_{plan.shape}"
    said.append(voice.says(slot, last=n, middle=line, after=line + 1, first=names[0][0]))
    kinds = {*wording.kinds()}
    if kinds & {"corner", "side"}:
        corners = [str(p + 1) for p in range(n) if plan.is_corner(p)]
        said.append(voice.says("corners", corners=listed(corners)))
    said.append(_facing(wording, voice))
    if kinds & {"left", "right", "left_of", "right_of"} or wording.puzzle.question.kind is not QuestionKind.WHOLE:
        said.append(voice.says("sides"))
    return [capital(each) for each in said]


def _facing(wording: Wording, voice: Voice) -> str:
    plan, (way, other) = wording.plan, ways_of(wording.plan)
    if not plan.ways:
        return voice.says("face_found", way=way, other=other)
    if plan.shape == "rows":
        return voice.says("face_rows")
    if len(set(plan.ways)) == 1:
        return voice.says("face_all", way=(way, other)[plan.ways[0]])
    few = 0 if 2 * sum(plan.ways) > plan.seats else 1
    here = [str(p + 1) for p, each in enumerate(plan.ways) if each == few]
    if len(here) == 1:
        return f"The person in seat {here[0]} faces {(way, other)[few]}, the others face {(way, other)[1 - few]}."
    return voice.says("face_some", one=listed(here), way=(way, other)[few], other=(way, other)[1 - few])


def _meanings(wording: Wording, voice: Voice) -> list[str]:
    """The exact meanings of the words for the kinds that the clues have."""
    plan, kinds = wording.plan, wording.kinds()
    where = {"row": "in the row", "rows": "in the same row"}.get(plan.shape, "around the table")
    gap = {"row": "in the seats between theirs", "rows": "in the seats between theirs in the same row"}.get(
        plan.shape, "going round the table in at least one direction"
    )
    table = "" if plan.shape == "rows" else " the table"
    near = {"next", "not_next", "between"} & {*kinds}
    slots = {"next": near, "across": near if plan.shape == "rows" else (), "gap": "gap" in kinds, "between": "between" in kinds}
    slots["somewhere"] = {"left_of", "right_of"} & {*kinds}
    slots["opposite"] = {"opposite", "not_opposite"} & {*kinds}
    return [voice.says(f"m_{slot}", where=where, gap=gap, table=table) for slot, wanted in slots.items() if wanted]


def _meaning(wording: Wording, voice: Voice, kind: str) -> str:
    """What a formula says."""
    shape = "A, B, C" if kind == "between" else _FORM.get(kind, "A, B")
    if kind in ("end", "not_end", "corner", "side"):
        shape = "A"
    values = {"x": "A", "y": "B", "z": "C", "how": "d seats", "side": kind.removesuffix("_of"), "seat": "p", "way": "this way"}
    values |= {"row": "a row" if "end" in kind else "named", "many": "k people", "count": "k", "sit": "sit"}
    values |= {"a": "A is true", "b": "B is true"}
    slot = {"left": "step", "right": "step", "left_of": "somewhere", "right_of": "somewhere"}.get(kind, kind)
    said = wordings(NAME).of(slot, voice.number if voice.short else 1)[0].format(**values)
    if kind == "gap" and wording.plan.ring:
        said += " in at least one direction"
    return f"{kind}({shape}): {said}{'' if voice.short else '.'}"
