"""What only orderings have: their answers as lists and as text, their prompts, and what can be asked of them.

Without ties an answer has a slot for each place, with who has it; with ties a slot for each person (or thing), with its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
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
            return f.Column("place", _numbers(size.places)), f.Column(positions_words.titles(puzzle, size)[0], names)
        world, (attribute,) = positions_words.vocabulary(puzzle, size)
        places = world.spots[: size.places] or _numbers(size.places)
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


def _numbers(n: int) -> tuple[str, ...]:
    return tuple([str(p + 1) for p in range(n)])


class OrderText(f.TextForm[Any, Any]):
    """The names, `name: Ann, Bea, Cyd`, with ties the number of places, `places: 2`, and a statement on each further line."""

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
        body = f.markdown(_numbers(len(said)), ["clue"], [[text] for text in sentences])
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


# ---- questions ----------------------------------------------------------------------------------------------------------

(WHO, WHO_LAST, RANK, RANK_LAST, BETWEEN, MORE, LESS, AFTER, BEFORE, ORDER) = range(10)
_ASKED = ("who", "who_last", "rank", "rank_last", "between", "more", "less", "after", "before", "order")
_OFTEN = (WHO, WHO, WHO_LAST, RANK, RANK_LAST, BETWEEN, BETWEEN, MORE, LESS, AFTER, BEFORE, ORDER)
_OFTEN_SHARED = (RANK, RANK, MORE, LESS)
NOBODY = "nobody"
_HOW = {  # what a free answer is to be, where that is not plain
    AFTER: f'(Answer "{NOBODY}" if there is none.)',
    BEFORE: f'(Answer "{NOBODY}" if there is none.)',
    ORDER: "(Give the three with commas between them.)",
}


class OrderChoices(f.Choices[Any, Any, f.Slots]):
    """Who has a place, what place somebody has from either end, how many are between two or on one side, who comes next, and the
    order of three. `about` is the kind of question, and a place or persons."""

    several = True

    def questions(self, puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> Iterator[tuple[int, ...]]:
        """Questions that no clue answers outright."""
        size = size_of(puzzle.spec)
        every = self._all(puzzle)
        told = {(said.items[0][1], said.number) for said in every if said.kind == "at"}
        apart = {frozenset([v for _, v in said.items]) for said in every if said.kind in ("next", "just_left", "apart", "ahead")}
        after = {said.items[0][1] for said in every if said.kind == "just_left"}
        before = {said.items[1][1] for said in every if said.kind == "just_left"}
        told_of = {v for v, _ in told}
        dated = bool(puzzle.style.theme and orders()[puzzle.style.theme].spots)
        for kind in rng.shuffled(_OFTEN_SHARED if size.values else _OFTEN) * 2:
            if kind in (WHO_LAST, RANK_LAST) and dated:
                continue
            if kind in (WHO, WHO_LAST):
                p = rng.below(size.places)
                if p not in [place for _, place in told]:
                    yield kind, p
                continue
            about = rng.sample(range(size.many), {BETWEEN: 2, ORDER: 3}.get(kind, 1))
            known = {RANK: told_of, RANK_LAST: told_of, AFTER: after, BEFORE: before}.get(kind, ())
            if about[0] not in known and not (kind == BETWEEN and frozenset(about) in apart):
                yield (kind, *sorted(about))

    def _all(self, puzzle: f.Puzzle[Any, Any]) -> list[positions.Statement]:
        return [positions.read(clue, size_of(puzzle.spec)) for clue in puzzle.clues]

    def says(self, puzzle: f.Puzzle[Any, Any]) -> str:
        kind, args = self._about(puzzle)
        if not puzzle.style.theme:
            told = [str(arg + 1) if kind <= WHO_LAST else puzzle.style.names[0][arg] for arg in args]
            return f"{_ASKED[kind]}({', '.join(told)})?"
        wording = Wording(puzzle, size_of(puzzle.spec))
        named = [] if kind <= WHO_LAST else [(wording.attributes[0], puzzle.style.names[0][v]) for v in args]
        name = "spot" if kind == RANK and wording.theme.spots else _ASKED[kind]
        how = _HOW.get(kind, "") if puzzle.question.ask is f.Ask.VALUE else ""
        said = wording.theme.asks(
            name, named, args[0] if kind <= WHO_LAST else 0, wording.size.places, abs(puzzle.style.phrasing) + kind
        )
        return f"{said} {how}" if how else said

    def _about(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, tuple[int, ...]]:
        """The kind of question and its arguments. Raises BadRow for another than the family asks."""
        size, about = size_of(puzzle.spec), puzzle.question.about
        kind, args = (about[0], about[1:]) if about else (-1, ())
        count = {BETWEEN: 2, ORDER: 3}.get(kind, 1)
        most = size.places if kind in (WHO, WHO_LAST) else size.many
        known = kind in (_OFTEN_SHARED if size.values else _OFTEN)
        if not known or len(args) != count or list(args) != sorted(set(args)) or not all(0 <= arg < most for arg in args):
            raise f.BadRow(
                f"question.about: {str(about)[:60]} is no question about an order of {size.many} at {size.places} places"
            )
        return kind, args

    def domain(self, puzzle: f.Puzzle[Any, Any]) -> tuple[str, ...]:
        size, (kind, args), names = size_of(puzzle.spec), self._about(puzzle), puzzle.style.names[0]
        if kind in (WHO, WHO_LAST):
            return names
        if kind in (AFTER, BEFORE):
            return (*[name for v, name in enumerate(names) if v != args[0]], NOBODY)
        if kind in (RANK, RANK_LAST):
            return _ranks(puzzle, size)
        if kind == BETWEEN:
            return tuple([str(k) for k in range(size.places - 1)])
        if kind in (MORE, LESS):
            return tuple([str(k) for k in range(size.many)])
        return tuple([", ".join([names[v] for v in three]) for three in permutations(args)])

    def value(self, puzzle: f.Puzzle[Any, Any], answer: f.Slots) -> str:
        size, (kind, args), names = size_of(puzzle.spec), self._about(puzzle), puzzle.style.names[0]
        at = places_of(puzzle, answer)
        if kind in (WHO, WHO_LAST):
            return names[at.index(args[0])]
        here = at[args[0]]
        if kind in (AFTER, BEFORE):
            there = here + 1 if kind == AFTER else here - 1
            return names[at.index(there)] if there in at else NOBODY
        if kind in (RANK, RANK_LAST):
            return _ranks(puzzle, size)[here if kind == RANK else size.places - 1 - here]
        if kind == BETWEEN:
            return str(abs(here - at[args[1]]) - 1)
        if kind in (MORE, LESS):
            return str(sum([p < here if kind == MORE else p > here for p in at]))
        return ", ".join([names[v] for v in sorted(args, key=lambda v: at[v])])

    def distractors(self, puzzle: f.Puzzle[Any, Any], answer: f.Slots, rng: f.Rng) -> Iterator[str]:
        """Whoever stands at the mirrored place or beside the right one comes first. Numbers are drawn evenly, and a question
        whose value is more likely than others is asked more seldom, so that no number is right more often than another.
        """
        size, (kind, args), right = size_of(puzzle.spec), self._about(puzzle), self.value(puzzle, answer)
        domain, at = self.domain(puzzle), places_of(puzzle, answer)
        if kind == BETWEEN and not rng.chance(1, size.places - 1 - int(right)):
            return
        if kind in (MORE, LESS) and size.values and right == "0" and not rng.chance(size.places - 1, size.many - 1):
            return
        if kind in (WHO, WHO_LAST, AFTER, BEFORE):
            p = args[0] if kind in (WHO, WHO_LAST) else at[args[0]]
            near = [size.places - 1 - p, p - 1, p + 1]
            if kind in (AFTER, BEFORE) and right != NOBODY and rng.chance(4, max(4, size.places - 1)):
                yield NOBODY
            names = [puzzle.style.names[0][at.index(q)] for q in rng.shuffled(near) if q in at]
            yield from [name for name in names if name in domain][: rng.below(3)]
            yield from [name for name in rng.shuffled(domain) if name != NOBODY]
            return
        if kind == ORDER:
            yield ", ".join(right.split(", ")[::-1])
        yield from rng.shuffled(domain)


def _ranks(puzzle: f.Puzzle[Any, Any], size: positions.Size) -> tuple[str, ...]:
    """How places are named in options: by their own names, or by their numbers."""
    world = orders().get(puzzle.style.theme)
    return world.spots[: size.places] if world is not None and world.spots else _numbers(size.places)
