"""What only orderings have: their answers as lists and as text, and their prompts.

Without ties an answer has a slot for each place, with who has it; with ties a slot for each person (or thing), with its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from puzzlemill import family as f
from puzzlemill.rules import positions, positions_words
from puzzlemill.rules.positions_words import Reader, Wording, read_names, spelled
from puzzlemill.vocabulary.themes import SHARED, Theme, orders

MOST = 8  # persons
_LETTERS = "letter"  # the attribute whose values are letters: it is never drawn, but names are replaced by it


def size_of(spec: f.Spec[Any]) -> positions.Size:
    p = spec.params
    return positions.Size(1, p.persons - p.ties, p.persons if p.ties else 0)


def places_of(puzzle: f.Puzzle[Any, Any], answer: f.Slots) -> f.Slots:
    """The place of each person; BLANK where an answer does not say."""
    if puzzle.spec.params.ties:
        return answer
    at = {v: p for p, v in enumerate(answer)}
    return tuple([at.get(v, f.BLANK) for v in range(len(answer))])


# ---- styles -------------------------------------------------------------------------------------------------------------


def _worlds(size: positions.Size) -> list[Theme]:
    """Those that have places enough, and in which several may share one if they are to."""
    return [
        world
        for name, world in orders().items()
        if name.endswith(SHARED) == bool(size.values) and (not world.spots or len(world.spots) >= size.places)
    ]


def draw_style(size: positions.Size, rng: f.Rng) -> f.Style:
    world = rng.pick(_worlds(size))
    attribute = rng.pick([each for each in world.attributes if each.title != _LETTERS])
    return f.Style(names=(tuple(rng.sample(attribute.values, size.many)),), theme=world.name, phrasing=rng.below(1000))


def _dressed(puzzle: f.Puzzle[Any, Any], style: f.Style, rng: f.Rng) -> f.Style:
    """The style with new remarks at the places of the old ones."""
    wording = Wording(replace(puzzle, style=style), size_of(puzzle.spec))
    return wording.with_asides([place for place, _ in style.asides], rng.child("asides"))


def renamed(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    """Other names, none of them a name of the puzzle, in this world."""
    style, world = puzzle.style, orders()[puzzle.style.theme]
    spare = [
        free
        for each in world.attributes
        if each.title != _LETTERS
        and len(free := [value for value in each.values if value not in style.names[0]]) >= len(style.names[0])
    ]
    if not spare:
        raise f.Discarded("no_other_names")
    return _dressed(puzzle, replace(style, names=(tuple(rng.sample(rng.pick(spare), len(style.names[0]))),)), rng)


def lettered(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    """Letters in place of names."""
    world = orders()[puzzle.style.theme]
    letters = next(each for each in world.attributes if each.title == _LETTERS).values[:MOST]
    return _dressed(puzzle, replace(puzzle.style, names=(tuple(rng.sample(letters, len(puzzle.style.names[0]))),)), rng)


# ---- answers ------------------------------------------------------------------------------------------------------------


class OrderForm(f.Form[Any, Any, f.Slots]):
    """One row for each place with who has it, or with ties one for each person with its place."""

    def slots(self, spec: f.Spec[Any], board: Any) -> tuple[int, ...]:
        size = size_of(spec)
        return (size.places,) * size.many

    def assemble(self, spec: f.Spec[Any], board: Any, values: f.Slots) -> f.Slots:
        return values

    def values(self, spec: f.Spec[Any], board: Any, answer: f.Slots) -> f.Slots:
        return answer

    def entry_of(self, puzzle: f.Puzzle[Any, Any], slot: int) -> tuple[int, int]:
        return slot, 1

    def _columns(self, puzzle: f.Puzzle[Any, Any]) -> tuple[f.Column, f.Column]:
        """Of the places, and of the names."""
        size, names = size_of(puzzle.spec), puzzle.style.names[0]
        if not puzzle.style.theme:
            return f.Column("place", numbers(size.places)), f.Column(positions_words.titles(puzzle, size)[0], names)
        world, (attribute,) = positions_words.vocabulary(puzzle, size)
        places = world.spots[: size.places] or numbers(size.places)
        return f.Column(world.place, places), f.Column(attribute.title, attribute.listed(names))

    def layout(self, puzzle: f.Puzzle[Any, Any]) -> f.Layout:
        (places, names), many = self._columns(puzzle), len(puzzle.style.names[0])
        if size_of(puzzle.spec).values:
            return f.Layout((names, places), many, many, False, f"Give one row per {names.name}, in any order.")
        order = orders()[puzzle.style.theme].words["down"] if puzzle.style.theme else "from the first to the last"
        return f.Layout((places, names), many, many, False, f"Give one row per {places.name}, {order}.")

    def write(self, puzzle: f.Puzzle[Any, Any], answer: f.Slots) -> f.Rows:
        places, names = self._columns(puzzle)[0].tokens, puzzle.style.names[0]
        if size_of(puzzle.spec).values:
            return tuple([(names[v], places[p]) for v, p in enumerate(answer)])
        return tuple([(places[p], names[v]) for p, v in enumerate(answer)])

    def read(self, puzzle: f.Puzzle[Any, Any], rows: f.Rows) -> f.Slots | None:
        """Rows may come in any order; what stands first in them must be there once each."""
        size = size_of(puzzle.spec)
        places = {token.casefold(): p for p, token in enumerate(self._columns(puzzle)[0].tokens)}
        names = {name.casefold(): v for v, name in enumerate(puzzle.style.names[0])}
        first, second = (names, places) if size.values else (places, names)
        found: dict[int, int] = {}
        for row in rows:
            if len(row) != 2 or row[0].casefold() not in first or row[1].casefold() not in second:
                return None
            found[first[row[0].casefold()]] = second[row[1].casefold()]
        return tuple([found[i] for i in range(size.many)]) if len(found) == len(rows) == size.many else None


def numbers(n: int) -> tuple[str, ...]:
    return tuple([str(p + 1) for p in range(n)])


class OrderText(f.TextForm[Any, Any]):
    """The names, `name: Ann, Bea, Cyd`, with ties the number of places, `places: 2`, and a statement on each further line."""

    def worded(self, puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Puzzle[Any, Any]:
        return puzzle if puzzle.style.theme else replace(puzzle, style=draw_style(size_of(puzzle.spec), rng))

    def parse(self, lines: Sequence[f.Line]) -> f.Puzzle[Any, Any]:
        f.heading(lines, self.family.name)
        if len(lines) < 2:
            raise lines[0].bad(0, "expected a line of names such as `name: Ann, Bea, Cyd`")
        title, names = read_names(lines[1])
        rest, places = lines[2:], len(names)
        if rest and rest[0].text.partition(":")[0].strip() == "places":
            text = rest[0].text.partition(":")[2].strip()
            if not (text.isascii() and text.isdigit() and len(text) < 3 and 2 <= int(text) < len(names)):
                raise rest[0].bad(0, f"expected a number of places from 2 to {len(names) - 1}, got {text[:40]!r}")
            rest, places = rest[1:], int(text)
        reader = Reader({title: names}, places)
        clues = [reader.statement(line).clue(f"k{i}") for i, line in enumerate(rest, 1)]
        spec = f.Spec(self.family.params(len(names), len(names) - places))
        return replace(self.family.puzzle(spec, clues), style=f.Style(symbols=(title,), names=(names,)))

    def format(self, puzzle: f.Puzzle[Any, Any]) -> str:
        size = size_of(puzzle.spec)
        lines = [self.family.name, f"{positions_words.titles(puzzle, size)[0]}: {', '.join(puzzle.style.names[0])}"]
        lines += [f"places: {size.places}"] * bool(size.values)
        said = [spelled(puzzle, size, positions.read(clue, size)) for clue in puzzle.clues_in_order()]
        return "\n".join([*lines, *said]) + "\n"


# ---- prompts ------------------------------------------------------------------------------------------------------------

_ORDERS = (
    ("scene", "numbering", "meant", "clues", "task"),
    ("scene", "clues", "numbering", "meant", "task"),
    ("scene", "numbering", "clues", "meant", "task"),
    ("task", "scene", "numbering", "clues", "meant"),
)
_TABLE, _PROSE = 1, (2, 3, 4)  # of the notations of clues


def prompt(wording: Wording, voice: f.Voice) -> str:
    """The whole prompt but for how to reply, and for the question if one option or value is asked for."""
    world, size, puzzle = wording.theme, wording.size, wording.puzzle
    whole, formal = puzzle.question.kind is f.QuestionKind.WHOLE, positions_words.formulas(voice)
    words: dict[str, Any] = {"who": world.who, "whos": world.whos, "place": world.place, "places": world.places, "n": size.places}
    words |= {
        "Place": f.capital(world.place),
        "Places": f.capital(world.places),
        "at": world.at,
        **world.words,
        **spots_of(world, size.places),
    }
    way = "dates" if world.spots else "shared" if world.along == "levels" else "floors" if world.along == "floors" else "ranks"
    said = [(wording.formula(label) if label else text, text) for label, text in wording.sentences()]
    told = whole or way in ("shared", "floors") or any(world.place in text for _, text in said)
    numbered = formal or (way != "dates" and told)
    parts = {
        "scene": scene(wording, voice.short),
        "numbering": f.capital(voice.says(f"numbering_{way}", **words)) if numbered else "",
        "meant": "",
        "task": voice.says("task_shared" if size.values else "task", **words) if whole else "",
    }
    if formal:
        legend = [_legend(voice, kind, words) for kind in wording.kinds()]
        head, between = voice.says("legend"), " " if voice.short else "\n"
        parts["meant"] = f"{head}\n{between.join(legend)}" if head else between.join(legend)
        parts["clues"] = f"{voice.says('formulas')}\n{voice.numbered([formula for formula, _ in said])}"
        return voice.arranged(_ORDERS, parts)
    meanings = wording.meanings()
    parts["meant"] = " ".join(meanings)
    sentences = [text for _, text in said]
    notation = voice.place("clues", positions_words.NOTATIONS) if voice.number else 0
    if notation in _PROSE or len(sentences) == 1:
        parts["clues"] = " ".join(sentences)
    elif notation == _TABLE:
        body = f.markdown(numbers(len(said)), ["clue"], [[text] for text in sentences])
        parts["clues"] = f"{voice.says('clues')}\n{body}"
    else:
        parts["clues"] = f"{voice.says('clues')}\n{voice.numbered(sentences)}"
    return voice.arranged(_ORDERS, parts)


def scene(wording: Wording, short: bool = False) -> str:
    """Who or what is ordered, with all names."""
    world, size, (attribute,) = wording.theme, wording.size, wording.attributes
    if short:
        each = f"{size.places} {world.places}, each taken" if size.values else f"one per {world.place}"
        return f"{', '.join(attribute.listed(wording.style.names[0]))}: {each}."
    names = f.listed([world.short((attribute, name)) for name in attribute.listed(wording.style.names[0])])
    number = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
    text = world.scene_shared if size.values else world.scene
    values = {"n": number[size.many], "m": number[size.places], "names": names, **spots_of(world, size.places)}
    return f.capital(text.format(**values))


def spots_of(world: Theme, n: int) -> dict[str, str]:
    """The names of the first and the last place, if they have any."""
    return {"first_spot": world.spots[0], "last_spot": world.spots[n - 1]} if world.spots else {}


def _legend(voice: f.Voice, kind: str, words: dict[str, Any]) -> str:
    """What formulas of a kind mean: what they mean in puzzles of places, but for who shares one."""
    if kind in ("same", "not_same"):
        return voice.says(kind, **words)
    return f.Voice("zebra", voice.number).says(kind, **words)
