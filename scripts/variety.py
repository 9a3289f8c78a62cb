"""How varied worked replies or prompts are: zlib's ratio of some hundred of each family, with names and numbers masked.

    python scripts/variety.py out/quick --most 300 [--prompts]

The ratio is compressed to raw bytes at level 9, of the texts one after another; replies are those of `export --to sft`, with the
right answer at their end. Numbers become 0 and the names of a puzzle's style N, so that what is measured is wording; the zeros of
a board add bytes and nothing new. The last column has the number of different sentences, masked alike.
"""

from __future__ import annotations

import argparse
import json
import re
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from puzzlemill.analysis.tables import text_table
from puzzlemill.envs.columns import COLUMNS_READ, sft
from puzzlemill.envs.export import choose, families_of, rows
from puzzlemill.factory.read import Release, open_release

_SENTENCE = re.compile(r"(?<=[.:!?])\s+|\n+")


def masked(row: dict[str, Any], prompts: bool) -> str:
    """The prompt or the worked reply of a row without its names and numbers."""
    text = str(row["prompt"] if prompts else sft(row)[1]["content"])
    style = json.loads(row["puzzle"])["style"]
    names = {name for group in style["names"] for name in group} | {sign for sign in style["symbols"] if sign.isalpha()}
    if names:
        longest = sorted(names, key=lambda name: (-len(name), name))
        text = re.sub(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", "N", text)
    return re.sub(r"\d+", "0", text)


def measured(release: Release, most: int, prompts: bool) -> Iterator[list[object]]:
    for family in families_of(release):
        texts = [masked(row, prompts) for row in islice(rows(release, COLUMNS_READ, family=family), most)]
        if texts:
            raw = "\n\n".join(texts).encode()
            sentences = {sentence for text in texts for sentence in _SENTENCE.split(text)}
            ratio = len(zlib.compress(raw, 9)) / len(raw)
            yield [family, len(texts), len(raw) // len(texts), f"{ratio:.4f}", len(sentences)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path, help="a release")
    parser.add_argument("--most", type=int, default=300, help="texts of each family, at most")
    parser.add_argument("--prompts", action="store_true", help="measure prompts instead of worked replies")
    options = parser.parse_args()
    release = choose(open_release(options.dir), single=True)
    found = list(measured(release, options.most, options.prompts))
    print(text_table(["family", "prompts" if options.prompts else "replies", "mean bytes", "zlib ratio", "sentences"], found))


if __name__ == "__main__":
    main()
