"""For navigation alone: maps with what is asked of them, how they are cut off, other styles, the text form and the picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import lgamma, log, log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.pictures import MARK, Spot, ring
from puzzlemill.core.types import AnyDraft
from puzzlemill.core.words import with_article
from puzzlemill.rules.ways import Path
from puzzlemill.rules.ways_draw import cut_off, ends
from puzzlemill.vocabulary.walks import all_of, walks

VIA = "via"
PLACES, KINDS, VISITS = 52, 12, 3  # the most that can be asked for
_EVEN = 4  # cuts tried until as many paths lead to and from every place as before
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = (*_ALPHABET, *[first + second for first in "AB" for second in _ALPHABET])  # A to Z, then AA, AB, ...


@dataclass(frozen=True, slots=True)
class Board:
    """kinds: of each place. paths: (from, to, length). start: a place. goal: a kind. via: kinds to visit."""

    kinds: tuple[int, ...]
    paths: tuple[Path, ...]
    start: int
    goal: int
    via: tuple[int, ...] = ()


def bounded(board: Board, names: Sequence[Sequence[str]]) -> None:
    """Raise BadRow for a map that search and labelling are not for; somebody may have made up any. names: of places, of kinds."""
    places, ends = len(board.kinds), [path[:2] for path in board.paths]
    if not 2 <= places <= PLACES or len(names) != 2 or len(names[0]) != places or len(names[1]) > KINDS:
        raise f.BadRow(
            f"navigation: expected 2 to {PLACES} places with as many names and up to {KINDS} kinds, got {places} places and "
            f"{', '.join([str(len(each)) for each in names[:3]]) or 'no'} names"
        )
    if len(board.via) > VISITS or len(set(board.via)) < len(board.via):
        raise f.BadRow(f"navigation: via is up to {VISITS} different kinds, got {str(board.via[:5])[:60]}")
    if len(set(ends)) < len(ends) or not all(0 <= a < places > b >= 0 and 1 <= length <= 9999 for a, b, length in board.paths):
        raise f.BadRow("navigation: expected paths between two of the places, each pair once, of lengths 1 to 9999")


def routes_log10(others: int) -> float:
    """log10 of the number of routes that visit no place twice, where there are so many places besides the start.

    The paper's tables count no space for navigation.
    """
    logs = [(lgamma(others + 1) - lgamma(others - count + 1)) / log(10) for count in range(1, others + 1)]
    return logs[-1] + log10(sum(10 ** (each - logs[-1]) for each in logs))


# ---- cut off ------------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Cut(f.Transform):
    """Let up to `most` paths that leave the places around the start lead elsewhere, so that none does; their number stays.

    Such a path exchanges its end with one that comes to these places from outside, so that as many paths as before lead to and
    from every place. Where no path comes in, it leads to another of these places; where the place that it leaves has a path to
    all others already, it comes from outside. A clash of one change mostly cuts off the start, or the start and one place more.
    """

    name: str = "cut"
    kind: f.Kind = f.Kind.UP
    relation: f.Relation = f.Relation.EDIT
    pairing: f.Pairing = f.Pairing.GROUP
    promises: f.Status | None = f.Status.UNSOLVABLE
    most: int = 3
    args: tuple[str, ...] = ("most",)
    about: str = "some paths lead elsewhere, so that no way is left"

    def fits(self, family: AnyFamily, spec: f.Spec[Any]) -> bool:
        return self.most > 0 and family.board is Board

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: f.Rng, oracle: f.Oracle) -> AnyDraft:
        board = draft.puzzle.board
        made: list[tuple[Path, ...]] = []
        while len(made) < _EVEN and (not made or not made[-1] or ends(made[-1]) != ends(board.paths)):
            made.append(cut_off(board.kinds, board.paths, board.start, (board.goal, *board.via), self.most, rng))
        paths = made[-1] or made[0]
        puzzle = replace(draft.puzzle, board=replace(board, paths=paths))
        if not paths or oracle.count(puzzle, 1):
            raise f.Discarded("no_clash")
        return replace(draft, puzzle=puzzle, answer=None)


# ---- styles -------------------------------------------------------------------------------------------------------------


def rename(puzzle: f.Puzzle[Any, Board], rng: f.Rng) -> f.Style:
    """Other letters and kinds, and remarks that name them."""
    style, (places, kinds) = puzzle.style, puzzle.style.names
    pool = [name for name in walks().kinds if name not in kinds]
    while (letters := tuple(rng.sample(LETTERS[: max(26, len(places))], len(places)))) == places:
        pass
    remarks = [at for at, _ in style.asides]
    return replace(style, names=(letters, tuple(rng.few(pool, len(kinds)))), asides=_remarks(letters, remarks, rng))


def paraphrase(puzzle: f.Puzzle[Any, Board], rng: f.Rng) -> f.Style:
    """Every path in other words, in a voice of the same kind."""
    now, more = puzzle.style.phrasing, rng.between(1, len(walks().wordings) - 1)
    kept = f.voices_of(now) == f.voices_of(now + more)
    return replace(puzzle.style, phrasing=now + more if kept else now - more)


def red_herring(puzzle: f.Puzzle[Any, Board], rng: f.Rng) -> f.Style:
    """One to three remarks."""
    places = puzzle.style.names[0]
    spots = sorted(rng.below(len(places) + 1) for _ in range(rng.between(1, 3)))
    return replace(puzzle.style, asides=_remarks(places, spots, rng))


def shuffle_paths(puzzle: f.Puzzle[Any, Board], rng: f.Rng) -> f.Style:
    """The paths in another order."""
    now = tuple(puzzle.style.order or range(len(puzzle.board.paths)))
    while (order := tuple(rng.shuffled(now))) == now:
        pass
    return replace(puzzle.style, order=order)


def _remarks(places: Sequence[str], spots: Sequence[int], rng: f.Rng) -> tuple[tuple[int, str], ...]:
    remarks = rng.few(walks().remarks, len(spots))
    return tuple([(at, remark.format(*rng.sample(places, 2))) for at, remark in zip(spots, remarks, strict=True)])


def words(puzzle: f.Puzzle[Any, Board]) -> f.Words:
    """Names of places, what stands there, and the kinds that are asked for: the wanted one first."""
    board, (places, kinds) = puzzle.board, puzzle.style.names
    asked = (board.goal, *board.via)
    return f.Words(
        cell=lambda place: places[place],
        shows=lambda place: kinds[board.kinds[place]],
        unit=lambda number: kinds[asked[number]],
        voice=puzzle.style.phrasing,
    )


# ---- text form ----------------------------------------------------------------------------------------------------------


class Text(f.TextForm[Any, Board]):
    """Lines kinds:, places: with what stands there, way: START KIND, and one for each path: A -> B 4."""

    def parse(self, lines: Sequence[f.Line]) -> f.Puzzle[Any, Board]:
        options = f.heading(lines, self.family.name, (), (VIA,))
        board, names = _read(lines[0], lines[1:], options[VIA].split(",") if VIA in options else [])
        longest = max([length for _, _, length in board.paths], default=1)
        sizes = (len(board.kinds), len(names[1]), len(board.paths), 1, longest)
        params = self.family.params(*sizes, visits=max(1, len(board.via)))
        spec = f.Spec(params, (f.Rule(VIA),) if VIA in options else ())
        return self.family.puzzle(spec, (), board, f.Style(names=names))

    def format(self, puzzle: f.Puzzle[Any, Board]) -> str:
        board, (places, kinds) = puzzle.board, puzzle.style.names
        for name in (*places, *kinds):
            if not name.isalnum():
                raise f.BadRow(f"navigation: the text form cannot write the name {name[:40]!r}; names are letters and digits")
        by = f" {VIA}={','.join([kinds[kind] for kind in board.via])}" if puzzle.spec.rule(VIA) is not None else ""
        lines = [
            self.family.name + by,
            "kinds: " + " ".join(kinds),
            "places: " + " ".join([f"{name}={kinds[kind]}" for name, kind in zip(places, board.kinds, strict=True)]),
            f"way: {places[board.start]} {kinds[board.goal]}",
            *[f"{places[source]} -> {places[target]} {length}" for source, target, length in board.paths],
        ]
        return "\n".join(lines) + "\n"


def _read(head: f.Line, lines: Sequence[f.Line], named: Sequence[str]) -> tuple[Board, tuple[tuple[str, ...], tuple[str, ...]]]:
    """A map as people write it, with the names of its places and of its kinds. named: the kinds to visit.

    Raises BadRow; head: the line to blame for what is missing.
    """
    headings: dict[str, f.Line] = {}
    for line in lines[:3]:
        name, colon, _ = line.text.partition(":")
        if not colon or name in headings or name not in ("kinds", "places", "way"):
            raise line.bad(0, "expected the lines kinds: school bank, places: A=school B=bank and way: A school")
        headings[name] = line
    if list(headings) != ["kinds", "places", "way"]:
        raise head.bad(0, "expected below it the lines kinds: school bank, places: A=school B=bank and way: A school")
    kinds: dict[str, int] = {}
    for word in headings["kinds"].words_from(len("kinds:")):
        if word.text in kinds or not word.text.isalnum():
            raise headings["kinds"].bad(word.column, f"expected each kind once, a word of letters, got {word.text[:40]!r}")
        kinds[word.text] = len(kinds)
    places: dict[str, int] = {}
    stands: list[int] = []
    for word in headings["places"].words_from(len("places:")):
        name, sign, kind = word.text.partition("=")
        if not sign or not name.isalnum() or name.casefold() in places or kind not in kinds:
            raise headings["places"].bad(word.column, f"expected a new place with its kind, A=school say, got {word.text[:40]!r}")
        places[name.casefold()] = len(stands)
        stands.append(kinds[kind])
    letters = tuple([word.text.partition("=")[0] for word in headings["places"].words_from(len("places:"))])
    if not 2 <= len(stands) <= PLACES or not 2 <= len(kinds) <= KINDS:
        wanted = f"2 to {PLACES} places and 2 to {KINDS} kinds"
        raise headings["places"].bad(0, f"expected {wanted}, got {len(stands)} and {len(kinds)}")
    asked = headings["way"].words_from(len("way:"))
    if len(asked) != 2 or asked[0].text.casefold() not in places or asked[1].text not in kinds:
        raise headings["way"].bad(0, "expected the place where the way starts and the kind where it ends, such as way: A school")
    start, goal = places[asked[0].text.casefold()], kinds[asked[1].text]
    for name in named:
        if name not in kinds:
            raise head.bad(0, f"via names a kind of this puzzle, got {name[:40]!r}")
    via = tuple([kinds[name] for name in named])
    if len(via) > VISITS:
        raise head.bad(0, f"via names up to {VISITS} kinds, got {len(via)}")
    if len({stands[start], goal, *via}) != 2 + len(via) or not {goal, *via} <= set(stands):
        raise headings["way"].bad(0, "the start, the landmarks to visit and the one where the way ends are of different kinds")
    paths: dict[tuple[int, int], int] = {}
    for line in lines[3:]:
        words = line.words
        ends = [places.get(word.text.casefold()) for word in words[:3:2]]
        if len(words) != 4 or words[1].text != "->" or None in ends or ends[0] == ends[1]:
            raise line.bad(0, "expected a path between two places and its length, such as A -> B 4")
        number = words[3].text
        if not (number.isascii() and number.isdigit() and len(number) <= 4 and int(number)):
            raise line.bad(words[3].column, f"expected a length of 1 to 9999, got {number[:40]!r}")
        pair = (ends[0] or 0, ends[1] or 0)
        if pair in paths:
            raise line.bad(0, "a path from this place to that one is given twice")
        paths[pair] = int(number)
    listed = tuple([(source, target, length) for (source, target), length in paths.items()])
    return Board(tuple(stands), listed, start, goal, via), (letters, tuple(kinds))


# ---- picture ------------------------------------------------------------------------------------------------------------


def picture(puzzle: f.Puzzle[Any, Board], answer: Sequence[tuple[int, int]], marked: Collection[str]) -> str:
    """Places on a ring, the start with a thick rim, wanted landmarks filled; the paths of an answer stand out."""
    board = puzzle.board
    places, kinds = puzzle.style.names
    via = board.via if puzzle.spec.rule(VIA) is not None else ()
    colours = {board.goal: "#9c9", **dict.fromkeys(via, "#9bc")}
    spots = []
    for place, kind in enumerate(board.kinds):
        colour = MARK if f"place {place + 1}" in marked else colours.get(kind, "#fff")
        spots.append(Spot(places[place], kinds[kind], colour, 4 if place == board.start else 1))
    taken = set(answer)
    paths = [(source, target, str(length), (source, target) in taken) for source, target, length in board.paths]
    wish = f"from {places[board.start]} to {with_article(kinds[board.goal])}"
    wish += f" by way of {all_of(kinds, via)}" if via else ""
    return ring(spots, paths, wish, bool(via) and VIA in marked)
