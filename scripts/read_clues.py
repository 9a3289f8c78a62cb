"""Print clues to read and judge: python scripts/read_clues.py SORT ROUND [COUNT]

One clue each of COUNT (200) words of the known band that have clues of the sort, drawn by ROUND: another round draws others.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from puzzlemill.core.rng import stream
from puzzlemill.vocabulary.clues import SORTS, carriers, clues
from puzzlemill.vocabulary.lexicon import KNOWN, words


def main(args: Sequence[str]) -> None:
    if not 2 <= len(args) <= 3 or args[0] not in SORTS:
        sys.exit(__doc__)
    rng = stream("read", args[0], args[1])
    left = int(args[2]) if len(args) == 3 else 200
    for word in rng.shuffled(words(KNOWN, 3)):
        found = clues(word, [args[0]])
        if found and left:
            left -= 1
            clue = rng.pick(found)
            print(f"{word}: {clue.text}  [{len(carriers(clue, len(word), KNOWN))}]")


if __name__ == "__main__":
    main(sys.argv[1:])
