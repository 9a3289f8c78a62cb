"""Statements of logic grids in words, and the styles that their puzzles have.

A style names a world (puzzlemill/vocabulary/worlds.py) and, by category, the names of its items: entities first, then categories
of the world, then its scales, whose names show the numbers of the board. Puzzles in the text form bring names of their own and no
world: their style's symbols are the categories' titles, and statements stay as written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle, Clue, Style
from puzzlemill.core.words import Words, among, listed
from puzzlemill.rules.grids import KINDS, LISTING, Item, Scales, Size, Statement, read
from puzzlemill.rules.grids_forms import STORY, TABLE, form_of, one_sentence, tabled
from puzzlemill.vocabulary.wordings import Voice
from puzzlemill.vocabulary.worlds import Category, Named, Said, Scale, World, draw_scale, found_in, worlds

NOTATIONS = 8  # of clues
_TURNS_ROUND = ("is", "is_not", "pair")  # kinds whose halves may change places
_TURNS = (41, 43, 47, 53, 59, 61, 67, 71)  # of phrasings: prime, and more than there are templates of any kind


@dataclass(frozen=True, kw_only=True)
class GridWords(Words):
    """item: by its number c * items + v, a short and definite noun phrase: "the kite from Peru". entry: its name alone: "Peru".

    title: a category's. number: a clue's number in the prompt, by its position; 0 for one that a table shows. clue: "clue 3",
    "sentence 3" of an account, "the table". cited: the same of several: "clues 3 and 5". who, whos: "kite", "kites".
    has: the clause that one entity has both items, or that it has not. order: a clause that compares two items on a scale, by the
    kind of statement (before, exactly, at_least, apart) and its number.
    """

    item: Callable[[int], str]
    entry: Callable[[int], str]
    title: Callable[[int], str]
    number: Callable[[int], int]
    cited: Callable[[Sequence[int]], str]
    has: Callable[[int, int, bool], str]
    order: Callable[[int, int, int, int, str], str]
    who: str
    whos: str


def vocabulary(puzzle: AnyPuzzle, size: Size) -> tuple[World, tuple[Category | Scale, ...]]:
    """The puzzle's world and categories. Raises BadRow if its style does not come from one world."""
    check_names(puzzle, size)
    found = found_in(puzzle.style.theme, puzzle.style.names, tuple([numbers for _, numbers in size.scales]))
    return worlds()[puzzle.style.theme], found


def check_names(puzzle: AnyPuzzle, size: Size) -> None:
    """Raises BadRow if the style does not name each item."""
    names = puzzle.style.names
    if len(names) != size.categories or any(len({name.casefold() for name in each}) != size.items for each in names):
        expected = f"{size.items} different names for each of {size.categories} categories"
        raise BadRow(f"{puzzle.family}: style.names must hold {expected}")


def titles(puzzle: AnyPuzzle, size: Size) -> tuple[str, ...]:
    """The titles of the categories."""
    if puzzle.style.theme:
        return tuple([category.title for category in vocabulary(puzzle, size)[1]])
    check_names(puzzle, size)
    if len(puzzle.style.symbols) != size.categories + len(size.scales):
        expected = f"the titles of {size.categories} categories and the units of {len(size.scales)} scales"
        raise BadRow(f"{puzzle.family}: a style without a world needs {expected} as symbols")
    return puzzle.style.symbols[: size.categories]


def units(puzzle: AnyPuzzle, size: Size) -> tuple[str, ...]:
    """The units of the scales: "years"."""
    if puzzle.style.theme:
        return tuple([category.unit() for category in vocabulary(puzzle, size)[1] if isinstance(category, Scale)])
    titles(puzzle, size)
    return puzzle.style.symbols[size.categories :]


def spelled(puzzle: AnyPuzzle, size: Size, said: Statement) -> str:
    """A statement as the text form has it: is(Ana, Peru), exactly(Ana, Peru, year, 3)."""
    if said.parts:
        return f"{said.kind}({', '.join([spelled(puzzle, size, part) for part in said.parts])})"
    every = Counter([name.casefold() for names in puzzle.style.names for name in names])
    headings = titles(puzzle, size)
    words = []
    for c, v in said.items:
        name = puzzle.style.names[c][v]
        words.append(name if every[name.casefold()] == 1 else f"{headings[c]}={name}")
    if KINDS[said.kind].scale and len(size.scales) > 1:
        words.append(headings[size.scales[said.scale][0]])
    if KINDS[said.kind].number:
        words.append(str(said.number))
    return f"{said.kind}({', '.join(words)})"


def formulas(voice: Voice) -> bool:
    """Return whether this voice writes clues as formulas, whose parts stay in their order."""
    return voice.short or (bool(voice.number) and voice.place("clues", NOTATIONS) == 0)


def _two_comparisons(said: Statement) -> bool:
    """Return whether a statement compares the same two items on two scales."""
    kinds = [part.kind in ("before", "exactly", "at_least") for part in said.parts]
    if said.kind != "both" or not all(kinds):
        return False
    one, two = said.parts
    return one.scale != two.scale and set(one.items) == set(two.items)


class Wording:
    """The words of one puzzle. Raises BadRow as vocabulary() does."""

    def __init__(self, puzzle: AnyPuzzle, size: Size) -> None:
        self.puzzle, self.style, self.size = puzzle, puzzle.style, size
        self.world, self.categories = vocabulary(puzzle, size)
        self.form = form_of(puzzle.style)
        if self.form not in ("", STORY, TABLE):
            raise BadRow(f"{puzzle.family}: style.symbols names no form of a logic grid: {self.form[:40]!r}")

        self.noun = "sentence" if self.form == STORY else "clue"

    def lines(self) -> list[Clue]:
        """The clues in the order of the prompt; of those that say nothing alone, each by itself, with an id of its own."""
        found: list[Clue] = []
        for clue in self.puzzle.clues_in_order():
            said = read(clue, self.size)
            parts = [part.clue(f"{clue.id}.{k}") for k, part in enumerate(said.parts, 1)]
            found += parts if said.kind == LISTING else [clue]
        return found

    def known(self) -> list[tuple[str, Statement]]:
        """The clues that the prompt shows in a table: their ids, and what they say."""
        every = [(clue.id, read(clue, self.size)) for clue in self.puzzle.clues]
        return tabled(every) if self.form == TABLE else []

    def _named(self, items: Sequence[Item]) -> tuple[Named, ...]:
        return tuple([(self.categories[c], self.style.names[c][v]) for c, v in items])

    def _said(self, said: Statement) -> Said:
        scale = self.categories[self.size.scales[said.scale][0]] if KINDS[said.kind].scale else None
        assert scale is None or isinstance(scale, Scale)
        items, free, shared = said.items, KINDS[said.kind].free, None
        if self.size.shared and any(c == self.size.shared for c, _ in items):
            shared = self.categories[self.size.shared]
            if said.kind in _TURNS_ROUND and items[0][0] == self.size.shared:  # then what it is said of comes first
                items = (*items[len(items) // 2 :], *items[: len(items) // 2])
        return Said(said.kind, self._named(items), self.size.items, scale, said.number, free, shared)

    def _choice(self, clue: Clue) -> int:
        return self.style.phrasing + crc32(clue.id.encode())

    def sentence(self, clue: Clue) -> str:
        """A clue in words. Its wording depends on the style and the clue's id alone."""
        text = self._sentence(clue, read(clue, self.size))
        return one_sentence(text) if self.form == STORY else text

    def _sentence(self, clue: Clue, said: Statement) -> str:
        if said.kind == LISTING:
            return "Exactly one of the clues is false."
        if _two_comparisons(said):
            return self.world.twice([self._said(part) for part in said.parts], self._choice(clue))
        if said.parts:
            clauses = [self.clause(clue, k) for k in range(len(said.parts))]
            return self.world.composite(said.kind, clauses, self._choice(clue))
        return self.world.sentence(self._said(said), self._choice(clue))

    def clause(self, clue: Clue, k: int) -> str:
        """A part of a composite clue in words: no capital, no full stop."""
        return self.world.clause(self._said(read(clue, self.size).parts[k]), self._choice(clue) + k)

    def sentences(self) -> list[tuple[str, str]]:
        """The lines of the prompt's list, or the sentences of its account: a clue's id and its sentence, or "" and an aside."""
        found = [(clue.id, self.sentence(clue)) for clue in self.lines()]
        if self.style.asides:
            choices = range(len(self.world.asides))
            known = {self.world.aside(item, choice) for item in self._every() for choice in choices}
            found = among(found, self.style.asides, known)
        shown = [label for label, _ in self.known()]
        return [(label, sentence) for label, sentence in found if label not in shown]

    def kinds(self) -> list[str]:
        """The kinds that the listed clues and their parts have, in the order of KINDS."""
        shown = [label for label, _ in self.known()]
        every = [read(clue, self.size) for clue in self.lines() if clue.id not in shown]
        found = {one.kind for said in every for one in (said, *said.parts)}
        return [kind for kind in KINDS if kind in found]

    def formula(self, label: str) -> str:
        """A clue of the list as the text form has it."""
        return next(spelled(self.puzzle, self.size, read(clue, self.size)) for clue in self.lines() if clue.id == label)

    def words(self) -> GridWords:
        """The nouns of sentences about a deduction; clues are numbered as the prompt lists them."""
        clues, world, n = self.puzzle.clues, self.world, self.size.items
        if any(clue.kind == LISTING for clue in clues):
            clues = tuple(self.lines())
        number = {id_: i for i, (id_, _) in enumerate(self.sentences(), 1)}

        def named(*items: int) -> tuple[Named, ...]:
            return self._named([divmod(x, n) for x in items])

        def item(x: int) -> str:
            return world.noun(named(x)[0])

        def order(x: int, y: int, scale: int, d: int, kind: str) -> str:
            return world.clause(self._said(Statement(kind, (divmod(x, n), divmod(y, n)), scale, d)), 0)

        def cited(places: Sequence[int]) -> str:
            numbers = sorted({number.get(clues[i].id, 0) for i in places})
            named = [str(k) for k in numbers if k]
            told = f"{self.noun}{'s' * (len(named) > 1)} {listed(named)}"
            return listed([*["the table"] * (0 in numbers), *[told] * bool(named)])

        return GridWords(
            value=item,
            unit=lambda c: self.categories[c].title,
            clue=lambda i: cited([i]),
            voice=self.style.phrasing,
            item=item,
            entry=lambda x: self.style.names[x // n][x % n],
            title=lambda c: self.categories[c].title,
            number=lambda i: number.get(clues[i].id, 0),
            cited=cited,
            has=lambda x, y, truth: f"{item(x)} {world.has(named(y)[0], truth)}",
            order=order,
            who=world.who,
            whos=world.whos,
        )

    # ---- other styles

    def renamed(self, rng: Rng) -> Style:
        """Other names for all, none of them a name of the puzzle, and asides with them.

        They are of another world, whose scales show the same numbers; letters stay letters.
        """
        return self._moved(rng, self.world.coded)

    def coded(self, rng: Rng) -> Style:
        """Letters or codes for all names, the first ones half of the time, and asides with them."""
        return self._moved(rng, True)

    def _moved(self, rng: Rng, coded: bool) -> Style:
        other = Wording(replace(self.puzzle, style=self._renamed(rng, coded)), self.size)
        return other.with_asides([place for place, _ in self.style.asides], rng.child("asides"))

    def _renamed(self, rng: Rng, coded: bool) -> Style:
        numbers = [numbers for _, numbers in self.size.scales]
        taken = {name.casefold() for names in self.style.names for name in names}
        others = rng.shuffled([other for other in worlds().values() if other != self.world and other.coded == coded])
        first = self.size.items if coded and rng.child("first").chance(1, 2) else None
        for other in others:
            chosen = _categories_for(other, self.size, numbers, rng)
            if chosen is None:
                continue
            spare = [[value for value in each.values if value.casefold() not in taken] for each in chosen[0]]
            shown = [
                [names for names in scale.all_names(each) if not taken.intersection([name.casefold() for name in names])]
                for scale, each in zip(chosen[1], numbers, strict=True)
            ]
            if all(len(each) >= self.size.items for each in spare) and all(shown):
                plain = [tuple(rng.sample(each[:first], self.size.items)) for each in spare]
                return replace(self.style, theme=other.name, names=(*plain, *[rng.pick(each) for each in shown]))
        raise Discarded("no_other_names")

    def with_asides(self, places: Sequence[int], rng: Rng) -> Style:
        """The style with different remarks about different items, each after so many clues."""
        about, choices = rng.sample(self._every(), len(places)), rng.sample(range(len(self.world.asides)), len(places))
        found = [(place, self.world.aside(item, choice)) for place, item, choice in zip(places, about, choices, strict=True)]
        return replace(self.style, asides=tuple(found))

    def _every(self) -> list[Named]:
        return [(category, name) for category, names in zip(self.categories, self.style.names, strict=True) for name in names]


def _categories_for(
    world: World, size: Size, numbers: Sequence[Sequence[int]], rng: Rng
) -> tuple[list[Category], list[Scale]] | None:
    """Categories and scales of a world that can have these numbers; None if it has too few."""
    plain = size.categories - len(numbers) - 1
    scales = rng.shuffled(world.scales)
    for turn in range(len(scales)):
        turned = [*scales[turn:], *scales[:turn]][: len(numbers)]
        if len(turned) == len(numbers) and all(scale.fits(each) for scale, each in zip(turned, numbers, strict=True)):
            return [world.names, *rng.sample(world.categories, min(plain, len(world.categories)))], turned
    return None


def draw_style(categories: int, items: int, scales: int, rng: Rng) -> tuple[Style, Scales]:
    """A random world, categories of it, names of items, a phrasing, and the board: the numbers that its scales show.

    The same generator gives the same: who needs the board first draws both, and the style later again.
    """
    world = rng.pick([each for each in worlds().values() if len(each.scales) >= scales and not each.coded])
    chosen = [world.names, *rng.sample(world.categories, categories - scales - 1)]
    names = [tuple(rng.sample(category.values, items)) for category in chosen]
    drawn = [draw_scale(scale, items, rng) for scale in rng.sample(world.scales, scales)]
    style = Style(names=(*names, *[shown for _, shown in drawn]), theme=world.name, phrasing=rng.below(1000))
    return style, Scales(tuple([numbers for numbers, _ in drawn]))


def style_for(size: Size, rng: Rng) -> Style:
    """A random world that has words for puzzles of this size and these numbers, with names. Raises Discarded if none has."""
    numbers = [numbers for _, numbers in size.scales]
    for world in rng.shuffled([each for each in worlds().values() if not each.coded]):
        chosen = _categories_for(world, size, numbers, rng)
        if chosen is None or not all(len(each.values) >= size.items for each in chosen[0]):
            continue
        shown = [scale.all_names(each) for scale, each in zip(chosen[1], numbers, strict=True)]
        if len(chosen[0]) + len(shown) == size.categories and all(shown):
            names = [tuple(rng.sample(each.values, size.items)) for each in chosen[0]]
            return Style(names=(*names, *[rng.pick(each) for each in shown]), theme=world.name, phrasing=rng.below(1000))
    raise Discarded("no_other_names")


def paraphrased(puzzle: AnyPuzzle, rng: Rng) -> Style:
    """A style in which no clue keeps its template."""
    return replace(puzzle.style, phrasing=puzzle.style.phrasing + rng.pick(_TURNS))
