"""Prompts of disks on pegs in voices of their own (wordings/hanoi.toml), with arrangements in one of seven notations."""

from __future__ import annotations

import json
from collections.abc import Sequence

from puzzlemill.core.words import listed
from puzzlemill.vocabulary.wordings import Voice, markdown

Stacks = Sequence[Sequence[str]]  # the names of the disks on each peg, from bottom to top

_ORDERS = (
    ("set", "rules", "start", "goal", "task"),
    ("task", "set", "rules", "start", "goal"),
    ("set", "start", "goal", "rules", "task"),
    ("set", "task", "rules", "start", "goal"),
    ("rules", "set", "start", "goal", "task"),
)
_NOTATIONS = ("lines", "downwards", "json", "prose", "table", "drawn", "prose")
_EMPTY = ("(empty)", "-", "empty", "none")


def told(pegs: Sequence[str], disks: Sequence[str], start: Stacks, goal: Stacks, right_only: bool, voice: Voice) -> str:
    """The whole prompt but for how to reply. disks: from smallest to largest."""
    pieces = [
        voice.says("pegs", n=len(pegs), pegs=listed(pegs)),
        voice.says("disks", m=len(disks), disks=listed(disks)),
    ]
    rules = [voice.says(rule) for rule in ("top", "smaller", *["right_only"] * right_only)]
    return voice.arranged(
        _ORDERS,
        {
            "set": " ".join(pieces),
            "rules": voice.listed(rules),
            "start": arrangement("Start", pegs, start, voice),
            "goal": arrangement("Goal", pegs, goal, voice),
            "task": f"{voice.says('task')} {voice.says('equal')}",
        },
    )


def arrangement(name: str, pegs: Sequence[str], stacks: Stacks, voice: Voice) -> str:
    """Where the disks stand, with a heading."""
    way = "lines" if voice.short else _NOTATIONS[voice.place("pegs as", len(_NOTATIONS))]
    between = " " if voice.short else (" ", ", ")[voice.place("between", 2)]
    empty = "-" if voice.short else _EMPTY[voice.place("empty", len(_EMPTY))]
    if way == "json":
        rows = [
            f"{json.dumps(peg)}: {json.dumps(list(stack), ensure_ascii=False)}" for peg, stack in zip(pegs, stacks, strict=True)
        ]
        body = "{" + ", ".join(rows) + "}"
    elif way == "prose":
        body = " ".join([_sentence(peg, stack, i, voice) for i, (peg, stack) in enumerate(zip(pegs, stacks, strict=True))])
    elif way == "table":
        body = markdown(pegs, ["disks"], [[between.join(stack) or empty] for stack in stacks])
    elif way == "drawn":
        body = _drawn(pegs, stacks)
    else:
        shown = [stack[:: -1 if way == "downwards" else 1] for stack in stacks]
        body = "\n".join([f"{peg}: {between.join(stack) or empty}" for peg, stack in zip(pegs, shown, strict=True)])
    return f"{voice.says(way, name=name)}\n{body}"


def _sentence(peg: str, stack: Sequence[str], turn: int, voice: Voice) -> str:
    if len(stack) > 1:
        return voice.says("several", turn, peg=peg, disks=listed(stack))
    return voice.says("single", turn, peg=peg, disk=stack[0]) if stack else voice.says("none", turn, peg=peg)


def _drawn(pegs: Sequence[str], stacks: Stacks) -> str:
    """Columns of disks above the names of their pegs, | where there is none."""
    high, wide = max([len(stack) for stack in stacks]), max([len(name) for each in (pegs, *stacks) for name in each])
    levels = [[stack[level] if level < len(stack) else "|" for stack in stacks] for level in range(high - 1, -1, -1)]
    return "\n".join([" ".join([name.ljust(wide) for name in row]).rstrip() for row in (*levels, pegs)])
