"""Why a number that counts groups of touching mines settles cells around it, in words.

The mines around a number form at most as many groups as there are blocks: a known mine with all that touches it is one block, and
cells that all touch each other are one. They form at least as many as there are known mines that no other cells can join.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from puzzlemill.core.model import MinesTable, Step
from puzzlemill.core.words import plural
from puzzlemill.solvers.deduce.masks import bits, mask_of, union


class Naming(Protocol):
    """What a sentence needs: how cells and clues are named."""

    table: MinesTable

    def shows(self, clue: int) -> str: ...
    def listed(self, cells: Sequence[int]) -> str: ...
    def hold(self, cells: Sequence[int]) -> str: ...
    def safe(self, cells: Sequence[int]) -> str: ...
    def since(self, cells: int) -> str: ...


class Around(NamedTuple):
    """The cells around a number, as masks: its mines, those that may hold one, and closed ones that are known to be safe."""

    near: Sequence[int]  # of every cell, the cells around it
    mines: int
    open: int
    safe: int


def joined(near: Sequence[int], cells: int, among: int) -> int:
    """These cells, and all that touching cells of `among` join to them."""
    while True:
        more = cells | (union([near[cell] for cell in bits(cells)]) & among)
        if more == cells:
            return cells
        cells = more


def parts(near: Sequence[int], cells: int, among: int) -> list[int]:
    """The groups that these cells form if all of `among` join them, each with what joins it."""
    found = []
    while cells:
        found.append(joined(near, cells & -cells, cells | among))
        cells &= ~found[-1]
    return found


def blocks(near: Sequence[int], mines: int, others: int) -> list[int]:
    """The fewest blocks of these mines and cells that may hold one; the mines can form that many groups, and no more."""
    found = parts(near, mines, 0)
    for i, part in enumerate(found):
        found[i] = part | (union([near[cell] for cell in bits(part)]) & others)
        others &= ~found[i]
    return [*found, *_cliques(near, others)]


def _cliques(near: Sequence[int], cells: int) -> list[int]:
    """The fewest sets of cells that all touch each other."""
    if not cells:
        return []
    first = cells & -cells
    best: list[int] | None = None
    around = _cells(near[first.bit_length() - 1] & cells)
    for chosen in range((1 << len(around)) - 1, -1, -1):
        clique = first | mask_of(cell for i, cell in enumerate(around) if chosen >> i & 1)
        if all(clique & ~near[cell] == 1 << cell for cell in bits(clique)):
            rest = _cliques(near, cells & ~clique)
            if best is None or len(rest) + 1 < len(best):
                best = [clique, *rest]
    return best or []


def _cells(mask: int) -> list[int]:
    return list(bits(mask))


def told(say: Naming, clue: int, seen: Around, step: Step) -> str:
    """Why the cells that a step sets are mines, or safe; without any, why the number cannot be right."""
    number, (near, held, maybe, known) = say.table.clues[clue][1], seen
    mines, safe = (mask_of(cell for cell, value in step.sets if value == wanted) for wanted in (1, 0))
    if not step.sets:
        return f"{say.shows(clue)}, but {_wrong(say, seen, number)}"
    begins = [say.shows(clue)]
    found: list[str] = []

    def add(text: str) -> None:
        found.append(". ".join([*begins, text]))
        begins.clear()

    apart = mask_of(cell for cell in bits(safe) if len(parts(near, held | 1 << cell, held | maybe)) > number)
    left = maybe & ~safe
    bridges = mask_of(cell for cell in bits(mines) if len(parts(near, held, held | left & ~(1 << cell))) > number)
    filling = mines & ~bridges
    if apart:
        those = "these cells are safe" if apart.bit_count() > 2 else say.safe(_cells(apart))
        add(f"{_further(say, seen, apart, number)}, so {those}")
    if filling | safe & ~apart:
        only, since = held | maybe & ~apart, say.since(known)
        where = say.listed(_cells(only))
        if only == filling and number == 1 == filling.bit_count():
            add(
                f"The only place for its group is {where}{since}, so the mine is there"
                if found
                else f"Around it only {where} can hold a mine{since}, so the mine is there"
            )
            return _sentences(found)
        if only == held | filling and len(blocks(near, held, filling)) == number == len(_cells(only)):
            need = "both" if number == 2 else "all of these"
            hold = say.hold(_cells(filling)) if held else f"{need} hold mines"
            add(f"Around it only {where} can hold mines{since}, and {number} groups need {need}, so {hold}")
            return _sentences(found)
        begins.append(f"Around it only {where} can hold mines{since}")
        for cell in bits(safe & ~apart):
            add(f"{_fewer(say, seen, 1 << cell, apart)}, so {say.safe([cell])}")
        if filling:
            add(_filling(say, seen, filling, left & ~filling, number))
    if bridges:
        which = "Only a mine" if bridges.bit_count() == 1 else "Only mines"
        join = f"{which} in {say.listed(_cells(bridges))} can join them into {plural(number, 'group')}{say.since(known)}"
        add(f"{_capital(say.hold(_cells(held)))}. {join}, so {_there(bridges)}")
    return _sentences(found)


def brief(say: Naming, clue: int, seen: Around, step: Step) -> str:
    """The same within a chain, for the simplest of these; "" for others."""
    number, (near, held, maybe, _) = say.table.clues[clue][1], seen
    mines, safe = (mask_of(cell for cell, value in step.sets if value == wanted) for wanted in (1, 0))
    if not safe and mines | held == maybe | held and (held | mines).bit_count() == number:
        left = "is left for a mine" if mines.bit_count() == 1 else "are left for mines"
        apart = f"apart from {say.listed(_cells(held))} " if held else ""
        return f"{say.shows(clue)}, and {apart}only {say.listed(_cells(mines))} {left}"
    if mines or any(len(parts(near, held | 1 << cell, held | maybe)) <= number for cell in bits(safe)):
        return ""
    its = f"its {'group is' if number == 1 else f'{number} groups are'} in {say.listed(_cells(held))}"
    do, so = ("do", "they are safe") if safe.bit_count() > 1 else ("does", "it is safe")
    that = "that cell" if held.bit_count() == 1 else "these"
    links = _links(say, seen, safe, number)
    since, so = (f", and {links}", f"{say.safe(_cells(safe))} too") if links else ("", so)
    return f"{say.shows(clue)}, and {its}. {_capital(say.listed(_cells(safe)))} {do} not touch {that}{since}, so {so}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentences(found: Sequence[str]) -> str:
    return ". ".join([found[0], *map(_capital, found[1:])])


def _wrong(say: Naming, seen: Around, number: int) -> str:
    """Why the number cannot be right: too few groups, or too many."""
    most, since = blocks(seen.near, seen.mines, seen.open), say.since(seen.safe)
    if len(most) < number:
        cells = _cells(seen.mines | seen.open)
        if not cells:
            return "every cell around it is safe"
        if len(cells) == 1:
            return f"around it only {say.listed(cells)} can hold a mine{since}"
        why = _most(say, seen, most, seen.mines, True)
        return f"around it only {say.listed(cells)} can hold mines{since}. {why}. That is too few"
    least = parts(seen.near, seen.mines, seen.mines | seen.open)
    if len(least) == 1:
        return f"{say.hold(_cells(seen.mines))}"
    join = f" that no other mine can join{since}" if seen.open else f" that cannot be joined{since}"
    return f"{say.hold(_cells(seen.mines))}, which form {plural(len(least), 'group')}{join}"


def _there(cells: int) -> str:
    """That these cells, just named, hold mines."""
    count = cells.bit_count()
    return "there is a mine there" if count == 1 else "both hold mines" if count == 2 else "all of these hold mines"


def _further(say: Naming, seen: Around, apart: int, number: int) -> str:
    """Why mines apart from those held would be one group too many."""
    held = seen.mines
    several, many = held.bit_count() > 1, apart.bit_count() > 1
    have = f"{'form' if several else 'is'} its {'one group' if number == 1 else f'{number} groups'}"
    more = "a second group" if number == 1 else "one group too many"
    which = "would touch none of these" if several else "would not touch it"
    touch = f"A mine in {'any of ' * many}{say.listed(_cells(apart))} {which}"
    links = _links(say, seen, apart, number)
    would = f", and {links}. Such a mine would form {more}" if links else f" and would form {more}"
    return f"{_capital(say.hold(_cells(held)))}, which {have}. {touch}{would}"


def _links(say: Naming, seen: Around, apart: int, number: int) -> str:
    """ "row 1 column 2, which could link them, is safe"; "" if no safe cell could."""
    near, held, maybe, known = seen
    links = mask_of(
        link
        for link in bits(known)
        if any(len(parts(near, held | 1 << cell, held | maybe | 1 << link)) <= number for cell in bits(apart))
    )
    are = "is" if links.bit_count() == 1 else "are"
    return f"{say.listed(_cells(links))}, which could link them, {are} safe" if links else ""


def _fewer(say: Naming, seen: Around, cell: int, apart: int) -> str:
    """Why a mine in this cell would leave too few groups."""
    others, held = (seen.mines | seen.open) & ~apart & ~cell, seen.mines | cell
    most = blocks(seen.near, held, seen.open & ~apart & ~cell)
    where = say.listed(_cells(cell))
    if len(most) == 1:
        if seen.mines and others & ~seen.mines and others & ~seen.near[cell.bit_length() - 1]:
            linked = f"With a mine in {where} too, each of the other cells would touch one of these mines"
            return f"{_capital(say.hold(_cells(seen.mines)))}. {linked}, and there would be only 1 group"
        touch = "be joined to" if others & ~seen.near[cell.bit_length() - 1] else "touch"
        which = "the other one" if others.bit_count() == 1 else "all the others"
        return f"A mine in {where} would {touch} {which}, and there would be only 1 group"
    return f"With a mine in {where} there would be at most {plural(len(most), 'group')}: {_places(say, most)}"


def _places(say: Naming, found: Sequence[int]) -> str:
    """Where these groups are."""
    where = [f"one in {say.listed(_cells(block))}" for block in found]
    if len(where) == 2:
        return f"{where[0]}; the other in {say.listed(_cells(found[1]))}"
    return f"{'; '.join(where[:-1])}; and {where[-1]}"


def _most(say: Naming, seen: Around, found: Sequence[int], held: int, whole: bool = False) -> str:
    """The cells of these blocks form at most so many groups, and why. held: cells with a mine. whole: all that were named."""
    cells = union(found)
    where, count = _capital(say.listed(_cells(cells))), plural(len(found), "group")
    if cells.bit_count() == 1:
        return f"{where} alone is 1 group"
    if len(found) > 1:
        return f"{'These' if whole else 'The other cells'} form at most {count}: {_places(say, found)}"
    hubs = [cell for cell in bits(cells) if cells & ~seen.near[cell] == 1 << cell]
    if len(hubs) == cells.bit_count():
        return f"{where} {'touch' if len(hubs) == 2 else 'all touch each other'}, so they form at most {count}"
    centre = [cell for cell in hubs if held >> cell & 1]
    if centre:
        others = _cells(cells & ~(1 << centre[0]))
        return f"{_capital(say.listed(others))} touch the mine in {say.listed(centre[:1])}, so all of these form at most {count}"
    return f"{where} form at most {count}, since each of them touches one of the mines there"


def _without(say: Naming, cell: int, most: Sequence[int]) -> str:
    """How few groups the cells of these blocks form, without a mine in this cell."""
    where, count = say.listed([cell]), plural(len(most), "group")
    if len(most) > 1:
        return f"Without a mine in {where} there would be at most {count}: {_places(say, most)}"
    return f"Without a mine in {where}, only {say.listed(_cells(most[0]))} could hold mines, which form at most {count}"


def _filling(say: Naming, seen: Around, mines: int, others: int, number: int) -> str:
    """Why there would be too few groups without mines in these cells."""
    rest, so = blocks(seen.near, seen.mines, others), f"so {say.hold(_cells(mines))}"
    there = f"so {_there(mines)}"
    if len(rest) + mines.bit_count() != number:
        found = []
        for cell in bits(mines):
            most = blocks(seen.near, seen.mines, (others | mines) & ~(1 << cell))
            found.append(_without(say, cell, most))
        return f"{'. '.join(found)}, {so}"
    held, count = union(rest), mines.bit_count()
    if held.bit_count() == len(rest):  # every cell that is left is a group
        need = f"The {plural(number, 'group')} then need{'s' * (number == 1)} {say.listed(_cells(held | mines))}"
        return f"{need}, {so if held else there}"
    if len(rest) > 1 == count:
        return f"{_without(say, _cells(mines)[0], rest)}, so {_there(mines)}"
    other = "the other group" if len(rest) == count == 1 else "one more group" if count == 1 else f"{count} more groups"
    return f"{_most(say, seen, rest, seen.mines)}. {_capital(other)} can only be in {say.listed(_cells(mines))}, {there}"
