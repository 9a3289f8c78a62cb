"""A puzzle as chains of reasoning need it: its names, its clues by their numbers, and its answer.

A family needs an adapter. Category 0 is the entities; in puzzles of positions it is the places, which are a scale too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import Any

from puzzlemill.chains.claims import FALSE, TRUE, Claim, holds, same, several
from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.rules import grids, grids_words, positions, positions_words
from puzzlemill.rules.grids import Item, Size, Statement, stated
from puzzlemill.vocabulary.worlds import Scale


@dataclass(frozen=True)
class Scene:
    """names: of every item, by category. titles: of the categories. phrases: further texts with an item's name in them, whose
    words mean nothing by themselves. nouns: words for what has an item ("person", "house").

    clues: what each says, by its number in the prompt; ids: their numbers. gold: gold[c][v] is the entity of item (c, v).
    place: "house" and "houses" if category 0 are places in a row. below, above: of each scale, how two items compare ("cheaper
    than"), and the verbs before that; units: and further words that name it.
    """

    size: Size
    titles: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    phrases: tuple[str, ...]
    nouns: tuple[str, ...]
    clues: Mapping[int, Claim]
    gold: tuple[tuple[int, ...], ...]
    place: tuple[str, ...] = ()
    below: tuple[tuple[str, ...], ...] = ()
    above: tuple[tuple[str, ...], ...] = ()
    compares: tuple[tuple[str, ...], ...] = ()
    units: tuple[tuple[str, ...], ...] = ()
    ids: Mapping[str, int] = field(default_factory=dict)
    fact: Callable[[int, int], tuple[Item, Item]] = lambda _slot, _value: ((0, 0), (0, 0))  # that a slot's value is, of two items
    nouns_of: Callable[[Item], Sequence[str]] = lambda _x: ()  # noun phrases of an item, for texts of our own
    verbs_of: Callable[[Item], Sequence[tuple[str, bool]]] = lambda _x: ()  # verb phrases, and whether each says so or denies it
    at_word: str = ""  # before a place: "in"
    false: int = 0  # the number of the clue that is false, if one is

    @property
    def every(self) -> list[Item]:
        return [(c, v) for c in range(self.size.categories) for v in range(self.size.items)]

    @cached_property
    def at(self) -> tuple[tuple[int, ...], ...]:
        """at[scale][entity]: the entity's number."""
        found = []
        for c, numbers in self.size.scales:
            row = [0] * self.size.items
            for v, e in enumerate(self.gold[c]):
                row[e] = numbers[v]
            found.append(tuple(row))
        return tuple(found)

    def right(self, claim: Claim) -> bool:
        """Return whether the answer agrees with a claim."""
        if claim.kind in (TRUE, FALSE):
            return (claim.kind == FALSE) == (claim.number in (0, self.false))
        return holds(claim, lambda item: self.gold[item[0]][item[1]], lambda scale, e: self.at[scale][e])


Adapter = Callable[[AnyFamily, AnyPuzzle, Any], Scene]


def scene_of(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> Scene:
    """The scene of a puzzle with its answer. Raises BadParams for a family whose chains are not read."""
    adapter = ADAPTERS.get(family.name)
    if adapter is None:
        raise BadParams(f"chains of {family.name} are not read; known: {', '.join(ADAPTERS)}")
    return adapter(family, puzzle, answer)


# ---- puzzles of positions ------------------------------------------------------------------------------------------------


def _zebra(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> Scene:
    params = puzzle.spec.params
    old = positions.Size(params.attributes, params.positions)
    n = old.places
    size = Size(old.attributes + 1, n, ((0, tuple(range(n))),))
    gold = [tuple(range(n))]
    for row in answer:
        gold.append(tuple([row.index(v) for v in range(n)]))
    titles = positions_words.titles(puzzle, old)
    layout = family.form.layout(puzzle)
    noun = layout.columns[0].name
    words: list[str] = []
    places, at = f"{noun}s", "at"
    verbs: list[list[tuple[tuple[str, bool], ...]]] = []
    nouns = [noun, places]
    every: list[list[tuple[str, ...]]] = [[(name,) for name in names] for names in puzzle.style.names]
    if puzzle.style.theme:
        theme, attributes = positions_words.vocabulary(puzzle, old)
        nouns += [theme.who, theme.whos, theme.place, theme.places]
        places, at = theme.places, theme.at
        named = [[(attribute, name) for name in names] for attribute, names in zip(attributes, puzzle.style.names, strict=True)]
        every = [[(theme.noun(each), theme.short(each)) for each in row] for row in named]
        verbs = [[((_filled(a.verb, name), True), (_filled(a.verb_not, name), False)) for a, name in row] for row in named]
        words = [text for row in every for texts in row for text in texts]
        words += [attribute.verb for attribute in attributes] + [theme.stands, theme.stand, theme.stands_not]
        lines = positions_words.Wording(puzzle, old).sentences()
    else:
        lines = [(clue.id, "") for clue in puzzle.clues_in_order()]
    clues = {number: converted(positions.read(puzzle.clue(id_), old), n) for number, (id_, _) in enumerate(lines, 1) if id_}
    return Scene(
        size,
        (noun, *titles),
        (tuple([str(p + 1) for p in range(n)]), *puzzle.style.names),
        tuple(words),
        tuple(dict.fromkeys(nouns)),
        MappingProxyType(clues),
        tuple(gold),
        (noun, places),
        ids=MappingProxyType({id_: number for number, (id_, _) in enumerate(lines, 1) if id_}),
        fact=lambda slot, v: ((slot // n + 1, v), (0, slot % n)),
        nouns_of=lambda x: every[x[0] - 1][x[1]],
        verbs_of=lambda x: verbs[x[0] - 1][x[1]] if verbs and x[0] else (),
        at_word=at,
    )


def _filled(template: str, value: str) -> str:
    article = "an" if value[0].lower() in "aeiou" else "a"
    return template.replace("{a}", f"{article} {value}").replace("{}", value)


def converted(said: positions.Statement, n: int) -> Claim:
    """A statement about places as one about items, of which category 0 are the places."""
    if said.parts:
        return Statement(said.kind, parts=tuple([converted(part, n) for part in said.parts]))
    items = [(a + 1, v) for a, v in said.items]
    kind, d = said.kind, said.number
    if kind in ("at", "not_at"):
        return stated("is" if kind == "at" else "is_not", [items[0], (0, d)])
    if kind == "end":
        return several("any", [same(items[0], (0, 0)), same(items[0], (0, n - 1))])
    if kind == "not_end":
        return several("all", [stated("is_not", [items[0], (0, p)]) for p in (0, n - 1)])
    if kind in ("up_to", "from"):
        reach = range(d + 1) if kind == "up_to" else range(d, n)
        return several("any", [same(items[0], (0, p)) for p in reach])
    if kind == "ahead":
        return stated("exactly", items[::-1], 0, d)
    if kind == "far":
        return several("any", [stated("at_least", pair, 0, d) for pair in (items, items[::-1])])
    if kind in ("next", "just_left", "apart"):
        return stated("exactly" if kind == "just_left" else "apart", items, 0, d if kind == "apart" else 1)
    return stated({"same": "is", "not_same": "is_not", "left": "before"}.get(kind, kind), items)


# ---- logic grids ---------------------------------------------------------------------------------------------------------


def _grid(_family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> Scene:
    params, style = puzzle.spec.params, puzzle.style
    if puzzle.spec.rule("twice"):
        raise BadParams("chains of logic grids are not read where an item occurs twice")
    size = grids.size_of(params.categories, params.items, puzzle.board)
    m, n = size.categories, size.items
    gold = [tuple(range(n)), *[tuple([row.index(v) for v in range(n)]) for row in answer]]
    titles = grids_words.titles(puzzle, size)
    lines = [(clue.id, "") for clue in puzzle.clues_in_order()]
    tabled: list[tuple[str, Statement]] = []
    said = {clue.id: grids.read(clue, size) for clue in puzzle.clues}
    every: list[list[tuple[str, ...]]] = [[(name,) for name in names] for names in style.names]
    verbs: list[list[tuple[tuple[str, bool], ...]]] = []
    nouns, words = [titles[0]], []
    below, above, compares = list[tuple[str, ...]](), list[tuple[str, ...]](), list[tuple[str, ...]]()
    units: list[tuple[str, ...]] = [(unit,) for unit in grids_words.units(puzzle, size)]
    if style.theme:
        wording = grids_words.Wording(puzzle, size)
        lines, world, tabled = wording.sentences(), wording.world, wording.known()
        said = {clue.id: grids.read(clue, size) for clue in wording.lines()}
        nouns += [world.who, world.whos, *[word for pair in world.also for word in pair]]
        named = [[(category, name) for name in names] for category, names in zip(wording.categories, style.names, strict=True)]
        every = [[tuple(dict.fromkeys([world.noun(each, k) for k in range(4)])) for each in row] for row in named]
        words = [text for row in every for texts in row for text in texts]
        words += [text for category in wording.categories for text in (category.verb, category.verb_not)]
        verbs = [[tuple([(world.has(each, truth), truth) for truth in (True, False)]) for each in row] for row in named]
        scales = [category for category in wording.categories if isinstance(category, Scale)]
        below = [tuple([frame[1] for frame in scale.frames] + [scale.below]) for scale in scales]
        above = [tuple([frame[2] for frame in scale.frames] + [scale.above]) for scale in scales]
        compares = [tuple([frame[0] for frame in scale.frames]) for scale in scales]
        units = [(scale.unit(), scale.title, scale.measure, scale.measures) for scale in scales]
        words += [text for texts in units for text in texts]
    pairs = list(combinations(range(1, m), 2))
    clues: dict[int, Claim] = {number: said[id_] for number, (id_, _) in enumerate(lines, 1) if id_}
    if tabled:
        clues[0] = several("all", [one for _, one in tabled])
    right = Scene(size, titles, style.names, (), (), {}, tuple(gold)).right
    false = next((k for k, claim in clues.items() if not right(claim)), 0) if puzzle.spec.rule("false_clue") else 0

    def fact(slot: int, v: int) -> tuple[Item, Item]:
        row, k = divmod(slot, n)
        if row < m - 1:
            return (row + 1, v), (0, k)
        b, c = pairs[row - m + 1]
        return (b, k), (c, v)

    return Scene(
        size,
        titles,
        style.names,
        tuple(words),
        tuple(dict.fromkeys(nouns)),
        MappingProxyType(clues),
        tuple(gold),
        below=tuple(below),
        above=tuple(above),
        compares=tuple(compares),
        units=tuple(units),
        ids=MappingProxyType(
            {id_: number for number, (id_, _) in enumerate(lines, 1) if id_} | dict.fromkeys([id_ for id_, _ in tabled], 0)
        ),
        false=false,
        fact=fact,
        nouns_of=lambda x: every[x[0]][x[1]],
        verbs_of=lambda x: verbs[x[0]][x[1]] if verbs else (),
    )


ADAPTERS: Mapping[str, Adapter] = MappingProxyType({"zebra": _zebra, "logic_grid": _grid})
