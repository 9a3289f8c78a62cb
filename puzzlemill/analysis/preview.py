"""The gallery of a release: one HTML file to look at rows with, without a server and without anything loaded from elsewhere.

Every family and variant is shown with as many rows as asked for, of different difficulty where there are any: the board with what
is given, the answer, the unsat core marked on the board, steps of the deduction, the prompt. Histograms count every row.
Rows are data from anywhere: pictures are drawn anew from the puzzle, the template escapes all text, and the page's own policy
lets nothing but its one script run.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from puzzlemill.analysis.pages import render, write_page
from puzzlemill.analysis.rows import BANDS, answer_of, band_order, naming, puzzle_of
from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK, Fact
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.factory.read import Release, rows
from puzzlemill.factory.recipe import CANONICAL

MOST = 5_000  # rows in one page; a row takes some 20 kB
PICTURED = 100  # rows with a picture after each step, which takes some 250 kB of one
FRAMES = 4  # boards of a deduction that are drawn, and the last one as well
NARROWEST, WIDEST, SCALE = 300, 700, 0.64  # of a picture: pixels, and pixels of the page for one of its own
_VIEW = re.compile(r'viewBox="0 0 ([0-9.]{1,9}) ')


def preview(release: Release, per_variant: int = 6) -> str:
    """The page. per_variant: how many rows of each family and variant. Raises BadFile or BadRow for what cannot be read."""
    if per_variant < 1:
        raise BadParams(f"--rows: expected at least 1 row of each variant, got {per_variant}")
    charts: dict[str, dict[str, Counter[tuple[int, str]]]] = {}
    shelves: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = {}
    for row in rows(release):
        with naming(row, "shown"):
            for chart, place in _places(row):
                charts.setdefault(row["family"], {}).setdefault(chart, Counter())[place] += 1
            shelf = shelves.setdefault((row["family"], row["variant"]), {})
            chosen = shelf.setdefault(row["difficulty"]["band"], [])
        if len(chosen) < per_variant:
            chosen.append(row)
    shown = [row for kind in sorted(shelves, key=_order) for row in _taken(shelves[kind], per_variant)]
    if len(shown) > MOST:
        raise BadParams(
            f"--rows: {per_variant} of each variant are {len(shown)} rows; a page holds {MOST} at most, ask for fewer"
        )
    script = render("preview.js")
    return render(
        "preview.html",
        title=f"Puzzlemill {release.manifest.get('release', '')}",
        policy=b64encode(sha256(script.encode()).digest()).decode(),
        filters=_filters(shown),
        histograms={
            family: {name: _bars(name, found[name]) for name in _CHARTS if name in found}
            for family, found in sorted(charts.items())
        },
        rows=[_shown(row, number < PICTURED) for number, row in enumerate(shown)],
        script=script,
    )


def _order(kind: tuple[str, str]) -> tuple[str, bool, str]:
    return (kind[0], kind[1] != CANONICAL, kind[1])


def _taken(by_band: Mapping[str, Sequence[dict[str, Any]]], most: int) -> list[dict[str, Any]]:
    """Choose up to `most` rows, the bands taking turns."""
    bands = [by_band[band] for band in sorted(by_band, key=band_order)]
    turns = [row for i in range(most) for band in bands for row in band[i : i + 1]]
    return turns[:most]


# ---- histograms -------------------------------------------------------------------------------------------------------


_TIERS, _COST = "tier of the hardest technique needed", "least cost (moves, or length)"
_EFFORT = {
    "SAT conflicts (of a sample)": "sat_conflicts",
    "nodes (branchings, or states expanded)": "nodes",
    "states generated": "generated",
}
_CHARTS = (_TIERS, _COST, *_EFFORT)


def _places(row: Mapping[str, Any]) -> Iterator[tuple[str, tuple[int, str]]]:
    """The charts that count a row, each with the number and the name of the bar that does: of a tier, or of a bucket."""
    if row["optimum"] is not None:
        yield _COST, _bucket(row["optimum"].bit_length())
    elif row["difficulty"]["tier"] is not None:
        yield _TIERS, (row["difficulty"]["tier"], f"{row['difficulty']['tier']} {row['difficulty']['band']}")
    for chart, figure in _EFFORT.items():
        if row["effort"][figure] is not None:
            yield chart, _bucket(row["effort"][figure].bit_length())


def _bucket(k: int) -> tuple[int, str]:
    """Bucket k holds the numbers of k binary digits: 2 ** (k - 1) .. 2 ** k - 1."""
    return k, str(k) if k < 2 else f"{1 << (k - 1)}-{(1 << k) - 1}"


def _bars(chart: str, found: Counter[tuple[int, str]]) -> list[tuple[str, int]]:
    """Name and count of each bar; of buckets also those between that are empty."""
    bars = sorted(found)
    if chart != _TIERS:
        bars = [_bucket(k) for k in range(bars[0][0], bars[-1][0] + 1)]
    return [(name, found[k, name]) for k, name in bars]


# ---- one row ----------------------------------------------------------------------------------------------------------


def _shown(row: Mapping[str, Any], pictured: bool) -> dict[str, Any]:
    """All that the template shows of a row. pictured: with a picture after each step, of families that have such."""
    with naming(row, "shown"):
        family, puzzle = puzzle_of(row)
        family.validate(puzzle.spec)
        after = list(_after_each(row["trace"], family, puzzle))
        pictures = list(_figures(row, family, puzzle, after))
        tier, band = row["difficulty"]["tier"], row["difficulty"]["band"]
        facts = {
            "status": row["status"],
            "difficulty": band if tier is None else f"{band}, tier {tier}",
            "rules": row["rules"] if len(row["rules"]) <= 60 else row["rules"][:57] + "...",
            "optimum": row["optimum"],
            "clash": row["proof"]["depth"],
            "pairing": row["pairing"] if row["parent_id"] else None,
            "proved by": ", ".join(row["proof"]["formulations"]),
            "effort": ", ".join(f"{name} {amount}" for name, amount in row["effort"].items() if amount is not None),
            "search space": f"10^{row['search_space_log10']:.1f}",
            "paper_bound": family.paper_bound(puzzle),
            "split": row["split"],
        }
        return {
            "id": row["id"],
            "filters": {name: row[name] for name in ("family", "variant", "status")} | {"band": band},
            "figures": [(title, picture, _width(picture)) for title, picture in pictures],
            "facts": {name: value for name, value in facts.items() if value not in (None, "")},
            "clash": row["proof"]["sentences"],
            "prompt": row["prompt"],
            "reply": row["gold_reply"],
            "steps": [
                (_named(step["technique"]), step["text"], picture if pictured else "")
                for step, picture in zip(row["trace"], after, strict=True)
            ],
        }


def _width(picture: str) -> int:
    """A picture is as wide as its own size asks for: a board of 20 cells, or one with sentences, is read in no space for nine."""
    size = _VIEW.search(picture)
    return NARROWEST if size is None else min(max(NARROWEST, round(SCALE * float(size[1]))), WIDEST)


def _figures(row: Mapping[str, Any], family: AnyFamily, puzzle: AnyPuzzle, after: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Titles and pictures: the puzzle (its unsat core marked), stages of the deduction, the answer."""
    answer = answer_of(row, family)
    clash = row["proof"]["unsat_core"]
    yield ("puzzle" if not clash else "puzzle, the unsat core marked"), family.draw(puzzle, None, clash)
    yield from _film(row["trace"], family, puzzle, after)
    if answer is not None:
        yield "answer", family.draw(puzzle, answer)


def _film(
    trace: Sequence[Mapping[str, Any]], family: AnyFamily, puzzle: AnyPuzzle, after: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The board after some of the steps, evenly chosen, with the clues and rules marked that the step uses.

    after: what is known after each step, of families that have such pictures.
    """
    shown = family.clues.in_sight(puzzle)
    values = [BLANK] * len(family.form.slots(puzzle.spec, puzzle.board)) if shown is None else list(shown)
    if len(trace) < 3 or not values:
        return
    wanted = {len(trace) * (i + 1) // (FRAMES + 1) for i in range(FRAMES)}
    for number, step in enumerate(trace, 1):
        for slot, value in json.loads(step["conclusion"])["sets"]:
            if slot < len(values):  # steps may speak of further slots
                values[slot] = value
        if number in wanted:
            partial = family.form.assemble(puzzle.spec, puzzle.board, tuple(values))
            marked = [used for used in step["uses"] if used[0] != "#"]  # "#4" is a step
            picture = after[number - 1] or family.draw(puzzle, partial, marked)
            yield f"after step {number}: {_named(step['technique'])}", picture


def _after_each(trace: Sequence[Mapping[str, Any]], family: AnyFamily, puzzle: AnyPuzzle) -> Iterator[str]:
    """A picture of what is known after each step, "" of families that have none."""
    known: list[list[Fact]] = [[], []]
    for step in trace:
        said = json.loads(step["conclusion"])
        new = [[(slot, value) for slot, value in said[name]] for name in ("sets", "drops")]
        for facts, more in zip(known, new, strict=True):
            facts += more
        yield family.draw_known(puzzle, known[0], known[1], [fact for facts in new for fact in facts])


def _named(technique: str) -> str:
    return technique.replace("_", " ")


# ---- the page ---------------------------------------------------------------------------------------------------------


def _filters(shown: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Column -> the values that a reader may choose."""
    return {
        "family": sorted({row["family"] for row in shown}),
        "variant": sorted({row["variant"] for row in shown}, key=lambda name: (name != CANONICAL, name)),
        "band": [band for band in BANDS if any(row["difficulty"]["band"] == band for row in shown)],
        "status": sorted({row["status"] for row in shown}),
    }


def write_preview(release: Release, out: Path, per_variant: int) -> None:
    """Write the page; an existing file is replaced only once the new one is whole."""
    write_page(preview(release, per_variant), out)
