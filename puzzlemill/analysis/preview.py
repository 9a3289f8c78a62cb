"""The gallery of a release: one HTML file to look at rows with, without a server and without anything loaded from elsewhere.

Every family and variant is shown with as many rows as asked for, of different difficulty where there are any: the board with what
is given, the answer, the clash marked on the board, steps of the deduction, the prompt. Histograms count every row.
Rows are data from anywhere: pictures are drawn anew from the puzzle, all text is escaped, and the page's own policy lets nothing
but its one script run.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from puzzlemill.analysis.pages import write_page
from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadInput, BadParams, BadRow
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.model import BLANK
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.factory.read import Release, rows
from puzzlemill.factory.recipe import CANONICAL
from puzzlemill.generators import family_named

MOST = 5_000  # rows in one page; a row takes some 20 kB
FRAMES = 4  # boards of a deduction that are drawn, the last one beside them
NARROWEST, WIDEST, SCALE = 300, 700, 0.64  # of a picture: pixels, and pixels of the page for one of its own
_VIEW = re.compile(r'viewBox="0 0 ([0-9.]{1,9}) ')
_NONSENSE = (ArithmeticError, LookupError, TypeError, ValueError, RecursionError)
BANDS = ("easy", "medium", "hard", "unrated")


@dataclass(slots=True)
class _Counted:
    """What the histograms of one family show."""

    tiers: Counter[str] = field(default_factory=Counter)
    conflicts: Counter[int] = field(default_factory=Counter)
    nodes: Counter[int] = field(default_factory=Counter)
    generated: Counter[int] = field(default_factory=Counter)
    moves: Counter[int] = field(default_factory=Counter)


def preview(release: Release, per_variant: int = 6) -> str:
    """The page. per_variant: how many rows of each family and variant. Raises BadFile or BadRow for what cannot be read."""
    if per_variant < 1:
        raise BadParams(f"--rows: expected at least 1 row of each variant, got {per_variant}")
    counted: dict[str, _Counted] = {}
    shelves: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = {}
    for row in rows(release):
        try:
            _count(counted.setdefault(row["family"], _Counted()), row)
            shelf = shelves.setdefault((row["family"], row["variant"]), {})
            chosen = shelf.setdefault(row["difficulty"]["band"], [])
        except _NONSENSE as error:
            raise _unreadable(row, error) from None
        if len(chosen) < per_variant:
            chosen.append(row)
    shown = [row for kind in sorted(shelves, key=_order) for row in _taken(shelves[kind], per_variant)]
    if len(shown) > MOST:
        raise BadParams(
            f"--rows: {per_variant} of each variant are {len(shown)} rows; a page holds {MOST} at most, ask for fewer"
        )
    articles = "\n".join(_article(row) for row in shown)
    return _PAGE.format(
        title=escape(f"Puzzlemill {release.manifest.get('release', '')}"),
        policy=b64encode(sha256(_SCRIPT.encode()).digest()).decode(),
        style=_STYLE,
        filters=_filters(shown),
        histograms="\n".join(_histograms(name, counted[name]) for name in sorted(counted)),
        articles=articles,
        shown=len(shown),
        script=_SCRIPT,
    )


def _order(kind: tuple[str, str]) -> tuple[str, bool, str]:
    return (kind[0], kind[1] != CANONICAL, kind[1])


def _taken(by_band: Mapping[str, Sequence[dict[str, Any]]], most: int) -> list[dict[str, Any]]:
    """Up to `most` rows, the bands taking turns."""
    bands = [by_band[band] for band in sorted(by_band, key=lambda b: (BANDS.index(b) if b in BANDS else len(BANDS), b))]
    turns = [row for i in range(most) for band in bands for row in band[i : i + 1]]
    return turns[:most]


def _unreadable(row: Mapping[str, Any], error: Exception) -> BadRow:
    return BadRow(
        f"row {str(row.get('id'))[:80]}: cannot be shown ({type(error).__name__}); "
        "`puzzlemill verify` tells what is wrong with it"
    )


# ---- histograms -------------------------------------------------------------------------------------------------------


def _count(found: _Counted, row: Mapping[str, Any]) -> None:
    difficulty, effort = row["difficulty"], row["effort"]
    if row["optimum"] is not None:
        found.moves[_bucket(row["optimum"])] += 1
    elif difficulty["tier"] is not None:
        found.tiers[f"{difficulty['tier']} {difficulty['band']}"] += 1
    bins_of = {"sat_conflicts": found.conflicts, "nodes": found.nodes, "generated": found.generated}
    for figure, bins in ((effort[name], bins) for name, bins in bins_of.items()):
        if figure is not None:
            bins[_bucket(figure)] += 1


def _bucket(amount: int) -> int:
    """0 for 0, else the number of binary digits: bucket k holds 2 ** (k - 1) .. 2 ** k - 1."""
    return amount.bit_length()


def _bucket_name(k: int) -> str:
    return "0" if k == 0 else "1" if k == 1 else f"{1 << (k - 1)}-{(1 << k) - 1}"


def _histograms(name: str, found: _Counted) -> str:
    tiers = [(label, found.tiers[label]) for label in sorted(found.tiers, key=lambda label: int(label.split()[0]))]
    charts = [
        _bars("tier of the hardest technique needed", tiers),
        _bars("least cost (moves, or length)", _buckets(found.moves)),
        _bars("SAT conflicts", _buckets(found.conflicts)),
        _bars("nodes (branchings, or states expanded)", _buckets(found.nodes)),
        _bars("states generated", _buckets(found.generated)),
    ]
    return f'<section class="family"><h2>{escape(name)}</h2><div class="charts">{"".join(charts)}</div></section>'


def _buckets(bins: Counter[int]) -> list[tuple[str, int]]:
    return [(_bucket_name(k), bins[k]) for k in range(min(bins), max(bins) + 1)] if bins else []


def _bars(title: str, bars: Sequence[tuple[str, int]]) -> str:
    """A bar chart as SVG; nothing if there is nothing to count."""
    if not bars:
        return ""
    high = max(count for _, count in bars)
    lines = []
    for i, (label, count) in enumerate(bars):
        y, width = 26 + 18 * i, round(180 * count / high)
        lines.append(
            f'<text x="92" y="{y + 12}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="98" y="{y}" width="{width}" height="14" fill="#5a8fc8"/>'
            f'<text x="{102 + width}" y="{y + 12}">{count}</text>'
        )
    size = f'width="330" height="{32 + 18 * len(bars)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
        f'<text x="0" y="14" font-weight="bold">{escape(title)}</text>{"".join(lines)}</svg>'
    )


# ---- one row ----------------------------------------------------------------------------------------------------------


def _article(row: Mapping[str, Any]) -> str:
    try:
        family = family_named(row["family"])
        puzzle: AnyPuzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
        family.validate(puzzle.spec)
        answer = None if row["answer"] is None else loads(family.answer, row["answer"], "answer")
        figures = list(_figures(row, family, puzzle, answer))
        steps = list(_steps(row))
    except (BadInput, *_NONSENSE) as error:
        raise _unreadable(row, error) from None
    facts = {
        "status": row["status"],
        "difficulty": row["difficulty"]["band"]
        + ("" if row["difficulty"]["tier"] is None else f", tier {row['difficulty']['tier']}"),
        "rules": row["rules"] if len(row["rules"]) <= 60 else row["rules"][:57] + "...",
        "optimum": row["optimum"],
        "clash": row["proof"]["depth"],
        "pairing": row["pairing"] if row["parent_id"] else None,
        "proved by": ", ".join(row["proof"]["formulations"]),
        "effort": ", ".join(f"{name} {amount}" for name, amount in row["effort"].items() if amount is not None),
        "search space": f"10^{row['search_space_log10']:.1f}",
        "split": row["split"],
    }
    told = "".join(f"<dt>{escape(k)}</dt><dd>{escape(str(v))}</dd>" for k, v in facts.items() if v not in (None, ""))
    pictures = "".join(_figure(title, svg) for title, svg in figures)
    count = f"{len(steps)} step{'s' if len(steps) > 1 else ''}"
    clash = "".join(f"<li>{escape(sentence)}</li>" for sentence in row["proof"]["words"])
    parts = [
        f"<h3>{escape(row['family'])} / {escape(row['variant'])} <small>{escape(row['id'])}</small></h3>",
        f'<div class="boards">{pictures}</div>',
        f"<dl>{told}</dl>",
        f"<details open><summary>what clashes</summary><ul>{clash}</ul></details>" if clash else "",
        "<details><summary>prompt and reply</summary>"
        f"<pre>{escape(row['prompt'])}</pre><pre>{escape(row['gold_reply'])}</pre></details>",
        f"<details><summary>deduction, {count}</summary><ol>{''.join(steps)}</ol></details>" if steps else "",
    ]
    data = {"family": row["family"], "variant": row["variant"], "band": row["difficulty"]["band"], "status": row["status"]}
    named = " ".join(f'data-{name}="{escape(value, quote=True)}"' for name, value in data.items())
    return f"<article {named}>{''.join(parts)}</article>"


def _figure(title: str, svg: str) -> str:
    """A picture as wide as its own size asks for: a board of 20 cells, or one with sentences, is read in no space for nine."""
    size = _VIEW.search(svg)
    wide = NARROWEST if size is None else min(max(NARROWEST, round(SCALE * float(size[1]))), WIDEST)
    return f'<figure style="width:{wide}px">{svg}<figcaption>{escape(title)}</figcaption></figure>'


def _figures(row: Mapping[str, Any], family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None) -> Iterator[tuple[str, str]]:
    """Titles and pictures: the puzzle (its clash marked), stages of the deduction, the answer."""
    clash = row["proof"]["clash"]
    yield ("puzzle" if not clash else "puzzle, the clash marked"), family.draw(puzzle, None, clash)
    yield from _film(row["trace"], family, puzzle)
    if answer is not None:
        yield "answer", family.draw(puzzle, answer)


def _film(trace: Sequence[Mapping[str, Any]], family: AnyFamily, puzzle: AnyPuzzle) -> Iterator[tuple[str, str]]:
    """The board after some of the steps, evenly chosen, with the clues marked that the step uses."""
    values = [BLANK] * len(family.form.slots(puzzle.spec, puzzle.board))
    if len(trace) < 3 or not values:
        return
    wanted = {len(trace) * (i + 1) // (FRAMES + 1) for i in range(FRAMES)}
    for number, step in enumerate(trace, 1):
        for slot, value in json.loads(step["conclusion"])["sets"]:
            values[slot] = value
        if number in wanted:
            partial = family.form.assemble(puzzle.spec, puzzle.board, tuple(values))
            yield f"after step {number}: {_named(step['technique'])}", family.draw(puzzle, partial, step["uses"])


def _steps(row: Mapping[str, Any]) -> Iterator[str]:
    for step in row["trace"]:
        yield f"<li><b>{escape(_named(step['technique']))}</b>: {escape(step['text'])}</li>"


def _named(technique: str) -> str:
    return technique.replace("_", " ")


# ---- the page ---------------------------------------------------------------------------------------------------------


def _filters(shown: Sequence[Mapping[str, Any]]) -> str:
    columns = {
        "family": sorted({row["family"] for row in shown}),
        "variant": sorted({row["variant"] for row in shown}, key=lambda name: (name != CANONICAL, name)),
        "band": [band for band in BANDS if any(row["difficulty"]["band"] == band for row in shown)],
        "status": sorted({row["status"] for row in shown}),
    }
    made = []
    for name, values in columns.items():
        options = "".join(f'<option value="{escape(value, quote=True)}">{escape(value)}</option>' for value in values)
        title = "difficulty" if name == "band" else name
        made.append(f'<label>{title} <select id="{name}"><option value="">all</option>{options}</select></label>')
    return "".join(made)


def write_preview(release: Release, out: Path, per_variant: int) -> None:
    """Write the page; an existing file is replaced only once the new one is whole."""
    write_page(preview(release, per_variant), out)


_STYLE = """
:root{color-scheme:light;font-family:system-ui,sans-serif;line-height:1.4}
body{margin:0 auto;max-width:1500px;padding:0 1rem 4rem;background:#f4f5f7;color:#1b1f24}
header{position:sticky;top:0;background:#f4f5f7;padding:.6rem 0;border-bottom:1px solid #ccd;z-index:1}
h1{font-size:1.3rem;margin:0 0 .4rem}h2{font-size:1.1rem}h3{font-size:1rem;margin:.2rem 0 .6rem}small{color:#667;font-weight:400}
label{margin-right:1rem}.charts{display:flex;flex-wrap:wrap;gap:1.5rem}.family{margin:1rem 0}
article{background:#fff;border:1px solid #dde;border-radius:6px;padding:.8rem 1rem;margin:1rem 0}article[hidden]{display:none}
.boards{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;max-width:100%}figure svg{width:100%;height:auto}
figcaption{font-size:.85rem;color:#556}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;font-size:.85rem}
dt{color:#667}dd{margin:0;overflow-wrap:anywhere}pre{white-space:pre-wrap;background:#f7f8fa;padding:.6rem;overflow-wrap:anywhere}
summary{cursor:pointer}ol,ul{font-size:.9rem}
"""
_SCRIPT = """
const names=["family","variant","band","status"];
const articles=[...document.querySelectorAll("article")];
function apply(){
  let shown=0;
  for(const a of articles){
    const fits=names.every(n=>{const v=document.getElementById(n).value;return !v||a.dataset[n]===v;});
    a.hidden=!fits;
    shown+=fits;
  }
  document.getElementById("count").textContent=shown+" of "+articles.length+" rows shown";
}
for(const n of names)document.getElementById(n).addEventListener("change",apply);
apply();
"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{policy}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header><h1>{title}</h1>{filters}<span id="count">{shown} rows shown</span></header>
<details open><summary>difficulty and effort of all rows</summary>
{histograms}
</details>
<main>
{articles}
</main>
<script>{script}</script>
</body>
</html>
"""
