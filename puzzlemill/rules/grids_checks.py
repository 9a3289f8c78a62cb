"""Sentences that check the answer of a logic grid clue by clue, for worked replies."""

from __future__ import annotations

from puzzlemill.core.form import Grid
from puzzlemill.core.text import capital
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.core.words import listed
from puzzlemill.rules.grids import KINDS, Size, read
from puzzlemill.rules.grids_draw import Hidden
from puzzlemill.rules.grids_words import Wording


def checks(puzzle: AnyPuzzle, size: Size, answer: Grid) -> list[str]:
    """Each clue by its number, with what it names of its entities, and their numbers where it compares them.

    What a table shows comes first; the clue that is false, where one is, is named as such.
    """
    wording = Wording(puzzle, size)
    words, n, seen = wording.words(), size.items, Hidden(size, answer)
    number = {label: i for i, (label, _) in enumerate(wording.sentences(), 1)}
    found = []
    for clue in wording.lines():
        said = read(clue, size)
        facts: dict[tuple[int, int], None] = {}
        for part in said.parts or (said,):
            held = [item for item in part.items if item[0] != (size.shared or -1)]
            if len(held) < len(part.items):  # what each of the others has in the category that they speak of
                facts |= dict.fromkeys([(seen.of(x), size.shared * n + seen.item(size.shared, seen.of(x))[1]) for x in held])
            for item in held:
                e, scaled = seen.of(item), KINDS[part.kind].scale
                has = [item, seen.item(size.scales[part.scale][0], e)] if scaled else [item]
                facts |= dict.fromkeys([(e, c * n + v) for c, v in has if c])
        told = listed([words.has(e, x, True) for e, x in facts])
        place = number.get(clue.id, 0)
        by = f"{wording.noun} {place}" if place else "what the table shows"
        found.append((place, f"{capital(by)} {'holds' if seen.true(said) else 'is false'}: {told}."))
    return [text for _, text in sorted(found, key=lambda one: one[0])]
