"""The text form of hanoi alone: pegs at the start and at the goal, each with its disks from bottom to top."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from puzzlemill.core.errors import BadRow
from puzzlemill.core.text import Line, heading

Parsed = tuple[dict[str, str], list[str], list[str], tuple[int, ...], tuple[int, ...]]


def parsed(lines: Sequence[Line], name: str, flags: Collection[str]) -> Parsed:
    """Options, names of the pegs and of the disks (smallest first), and the peg of each disk at the start and at the goal."""
    options = heading(lines, name, flags)
    rest = list(lines[1:])
    names: list[str] | None = None
    if rest and rest[0].text.casefold().startswith("disks:"):
        names = [word.text for word in rest.pop(0).words_from(len("disks:"))]
    sides = _sides(lines[0], rest)
    pegs = [peg for peg, _ in sides[0]]
    sizes = names or [str(size + 1) for size in range(sum(len(stack) for _, stack in sides[0]))]
    for what, named, least, most in (("pegs", pegs, 3, 6), ("disks", sizes, 1, 12)):
        if not least <= len(named) <= most:
            raise lines[0].bad(0, f"expected {least} to {most} {what}, got {len(named)}")
        if len({name.casefold() for name in named}) < len(named):
            raise lines[0].bad(0, f"two {what} have one name: {', '.join(named)[:80]}")
    start, goal = (_stands(side, pegs, sizes, lines[0]) for side in sides)
    return options, pegs, sizes, start, goal


def formatted(
    words: Sequence[str], pegs: Sequence[str], disks: Sequence[str], sides: Sequence[tuple[str, list[list[int]]]]
) -> str:
    """The inverse; words: of the heading."""
    for name in (*pegs, *disks):
        if not name or any(sign.isspace() or sign in ":#" for sign in name):
            raise BadRow(f"hanoi: the text form has no way to write the name {name[:40]!r}; names are words without : and #")
    lines = [" ".join(words)]
    if list(disks) != [str(size + 1) for size in range(len(disks))]:
        lines.append(f"disks: {' '.join(disks)}")
    for side, stacks in sides:
        lines.append(side)
        for peg, stack in zip(pegs, stacks, strict=True):
            lines.append(" ".join([f"{peg}:", *[disks[disk] for disk in stack]]))
    return "\n".join(lines) + "\n"


_GONE = -1
_Stacks = list[tuple[str, list[tuple[Line, int, str]]]]  # pegs, each with its disks from bottom to top and where they are named


def _sides(head: Line, lines: Sequence[Line]) -> tuple[_Stacks, _Stacks]:
    """What stands on each peg at the start and at the goal, as written below the heading."""
    sides: dict[str, _Stacks] = {}
    here: _Stacks | None = None
    for line in lines:
        told = line.text.strip().rstrip(":").casefold()
        if told in ("start", "goal") and told not in sides:
            here = sides[told] = []
            continue
        name, colon, _ = line.text.partition(":")
        if here is None or not colon or len(name.split()) != 1:
            raise line.bad(0, "expected a line with start or goal, once each, and then lines such as A: 3 2 1")
        here.append((name.strip(), [(line, word.column, word.text) for word in line.words_from(len(name) + 1)]))
    if set(sides) != {"start", "goal"}:
        raise head.bad(0, "expected the pegs at the start below a line with start, and those at the goal below a line with goal")
    return sides["start"], sides["goal"]


def _stands(side: _Stacks, pegs: Sequence[str], disks: Sequence[str], head: Line) -> tuple[int, ...]:
    """The peg of each disk."""
    stands = [_GONE] * len(disks)
    numbers = {name.casefold(): disk for disk, name in enumerate(disks)}
    left = {name.casefold(): peg for peg, name in enumerate(pegs)}
    for name, stack in side:
        peg = left.pop(name.casefold(), None)
        if peg is None:
            raise (stack[0][0] if stack else head).bad(0, f"the peg {name[:40]!r} is told twice, or is none of {', '.join(pegs)}")
        below = len(disks)
        for line, column, told in stack:
            disk = numbers.get(told.casefold())
            if disk is None or stands[disk] != _GONE:
                raise line.bad(column, f"expected each of the disks {', '.join(disks)[:80]} once, got {told[:40]!r}")
            if disk > below:
                raise line.bad(column, f"the disk {told[:40]} is larger than the one below it; disks are told from bottom to top")
            stands[disk], below = peg, disk
    if _GONE in stands:
        raise head.bad(0, f"the disk {disks[stands.index(_GONE)]} is missing at the start or at the goal")
    return tuple(stands)
