"""Print composed quotations to read, and figures of many: python scripts/read_quotes.py ROUND [SOURCES]

100 quotations of two sentences, drawn by ROUND. Then of 2,000: how many differ, distinct openings (the first three words)
and, given the folder that build_lexicon.py reads, the share of their pairs of words that WordNet's glosses and examples have too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from build_lexicon import synsets

from puzzlemill.core.rng import stream
from puzzlemill.vocabulary.quotes import frames, quotation


def pairs(texts: Iterable[str]) -> list[tuple[str, str]]:
    """The pairs of neighbouring words, none across a sign."""
    runs = [run.split() for text in texts for run in re.split(r"[^a-z ]+", text.lower())]
    return [pair for run in runs for pair in pairwise(run)]


def main(args: Sequence[str]) -> None:
    if not 1 <= len(args) <= 2 or args[0] in ("-h", "--help"):
        sys.exit(__doc__)
    for i in range(100):
        print(quotation(2, stream("read", args[0], i)).text)
    many = [quotation(2, stream("measure", args[0], i)).text for i in range(2000)]
    said = [sentence for text in many for sentence in re.split(r"(?<=[.?!])\s", text)]
    openings = {tuple(sentence.split()[:3]) for sentence in said}
    print(f"{frames()} frames; of {len(many)} quotations {len(set(many))} differ, {len(set(said))} of {len(said)} sentences")
    print(f"{len(openings)} openings of three words")
    if len(args) == 2:
        plain = set(pairs([synset.gloss for synset in synsets(Path(args[1])).values()]))
        found = pairs(many)
        print(f"{sum(pair in plain for pair in found) / len(found):.3f} of {len(found)} pairs of words are in {len(plain)}")
        names = set(found)
        print(f"{sum(pair in plain for pair in names) / len(names):.3f} of {len(names)} distinct ones")


if __name__ == "__main__":
    main(sys.argv[1:])
