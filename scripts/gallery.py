"""Write the gallery of the site: boards and deductions of every family, as Markdown pages with SVG pictures.

    python scripts/gallery.py FOLDER

Rows are those of conf/release/quick.yaml under the seed "gallery": the first group of each of a family's first strata. So a
family stands in the gallery once it ships in that release, and the same sources give the same pictures.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from puzzlemill.analysis.preview import _after_each as stages
from puzzlemill.analysis.preview import _figures as figures
from puzzlemill.analysis.preview import _named as named
from puzzlemill.analysis.rows import puzzle_of
from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.family import AnyFamily
from puzzlemill.factory.build import build_group
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.generators import families

STRATA, CHILDREN = 2, 2  # of a family's strata in the recipe, and of a group's children beside the canonical row
STEPS = 12  # of a deduction that are written out
_WIDTH = re.compile(r'viewBox="0 0 ([0-9.]+) ')


def main(folder: Path) -> int:
    """Write index.md, a page for each family and its pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():  # of an earlier run: pictures that none of today's pages shows
        if old.suffix in (".md", ".svg"):
            old.unlink()
    recipe = recipe_of(compose(["release=quick", "seed=gallery"]))
    cards = []
    for name, family in families().items():
        strata = [stratum for stratum in recipe.strata if stratum.family == name][:STRATA]
        if not strata:
            raise SystemExit(f"{name}: has no stratum in conf/release/quick.yaml; add one, so that the gallery can show it")
        rows = [row for stratum in strata for row in chosen(recipe, stratum)]
        write_page(folder, family, rows)
        cards.append(card(family))
    (folder / "index.md").write_text(
        "\n".join(['<div class="grid cards" markdown>', "", *cards, "</div>"]) + "\n", encoding="utf-8"
    )
    return 0


def chosen(recipe: Recipe, stratum: Stratum) -> list[dict[str, Any]]:
    """The canonical row of the stratum's first group, and its first children, one without an answer before others."""
    variants = stratum.variants[: CHILDREN + 2]
    rows = build_group(recipe, replace(stratum, variants=variants), "train", 0).rows
    parent, *children = rows
    children.sort(key=lambda row: row["status"] != "unsolvable")
    return [parent, *children[:CHILDREN]]


def write_page(folder: Path, family: AnyFamily, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write one family's page with the pictures that it shows."""
    blocks = [f"# {family.title}", f"```text\n{(sys.modules[type(family).__module__].__doc__ or '').strip()}\n```"]
    for number, row in enumerate(rows):
        blocks += section(folder, f"{family.name}-{number}", row)
    (folder / f"{family.name}.md").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def section(folder: Path, stem: str, row: Mapping[str, Any]) -> Iterator[str]:
    """The blocks of one row."""
    found, puzzle = puzzle_of(row)
    after = list(stages(row["trace"], found, puzzle))
    yield f"## {named(row['variant'])}: {row['status']}, {row['difficulty']['band']}"
    yield ", ".join(
        [f"{named(name)} {value}" for name, value in asdict(puzzle.spec.params).items() if value not in ("", 0, False)]
    )
    pictures = []
    for number, (title, picture) in enumerate(figures(row, found, puzzle, after)):
        place = folder / f"{stem}-{number}.svg"
        place.write_text(picture, encoding="utf-8")
        size = _WIDTH.search(picture)
        width = min(640, round(0.62 * float(size[1]))) if size else 300
        pictures.append(
            f'<figure markdown="span">![{title}]({place.name}){{ width="{width}" }}<figcaption>{title}</figcaption></figure>'
        )
    yield '<div class="boards" markdown>\n' + "\n".join(pictures) + "\n</div>"
    for title, lines in (("Prompt", row["prompt"].splitlines()), ("A right reply", row["gold_reply"].splitlines())):
        yield folded(title, ["```text", *lines, "```"])
    if row["proof"]["sentences"]:
        yield folded("Why there is no solution", [f"* {escaped(sentence)}" for sentence in row["proof"]["sentences"]])
    if row["trace"]:
        steps = [f"1. **{named(step['technique'])}.** {escaped(step['text'])}" for step in row["trace"][:STEPS]]
        more = len(row["trace"]) - STEPS
        yield folded(f"Deduction, {len(row['trace'])} steps", [*steps, *(["", f"And {more} more."] if more > 0 else [])])


def folded(title: str, lines: Sequence[str]) -> str:
    """A block that opens when it is clicked."""
    return "\n".join([f'??? note "{title}"', "", *[f"    {line}".rstrip() for line in lines]])


def escaped(text: str) -> str:
    """A sentence as Markdown: nothing in it is markup."""
    return re.sub(
        r"([\\`*_{}\[\]#|~^<>])",
        r"\\\1",
        html.escape(" ".join(text.split()), quote=False).replace("&lt;", "<").replace("&gt;", ">"),
    )


def card(family: AnyFamily) -> str:
    """The family's place in the index: its name and its first board."""
    page, picture = f"gallery/{family.name}.md", f"gallery/{family.name}-0-0.svg"
    return f"-   **[{family.title}]({page})**\n\n    [![]({picture})]({page})\n"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
