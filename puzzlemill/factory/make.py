"""One puzzle at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlemill.core.errors import BadParams
from puzzlemill.core.text import nearest
from puzzlemill.factory.build import GroupResult, build_group
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import bands_seen, check_bands, other_band
from puzzlemill.factory.settings import named_variant, no_variant
from puzzlemill.factory.words import gone, parameters, short_names, sized

_WORDS = ("variant", "band", "rules", "seed", "index", "ask", "reply_format", "voices", "trace", "transforms")


def make(
    family: str,
    *,
    variant: str = "",
    band: str = "",
    rules: Sequence[str] = (),
    seed: str | int = "demo",
    index: int = 0,
    ask: str = "whole",
    reply_format: str = "json",
    voices: str = "plain",
    trace: bool = True,
    transforms: Sequence[str] = (),
    params: Mapping[str, int | str | bool] | None = None,
    **more: int | str | bool,
) -> dict[str, Any]:
    """One proved puzzle as a row of a data set; the same arguments give the same row, and `puzzlemill show` the same puzzle.

        make("sudoku", size=6)
        make("sudoku", variant="unsolvable", band="hard")

    variant: what is done to the canonical puzzle (`puzzlemill list sudoku`). band: what that must grade as, easy, medium or hard.
    rules: optional rules in force. seed: puzzles of another seed are other puzzles. index: 0, 1, ... number the puzzles of one
    seed. ask: what of the answer is wanted (whole, cell, number, option, step, value). reply_format: json, tags, boxed or table.
    voices: plain, many or short wordings. trace: whether the row has the steps of its deduction. transforms: in place of variant,
    several by name. more: the family's parameters; params: the same, needed only for one that is named like an argument above.
    Raises BadParams if there is no such puzzle.
    """
    if variant and transforms:
        raise BadParams("variant, transforms: leave one out; transforms=[...] says itself what is done")
    if variant and type(variant) is not str:
        raise no_variant(variant, family, "")
    words = [*more, *(params or {})]
    known = parameters(family)
    for name in words:
        if known and name not in known:
            every = (*known, *_WORDS)
            raise BadParams(
                f"params.{name}: {family} has no such parameter; known: {', '.join(known) or 'none'}"
                f"{sized(name, known) or gone(name) or nearest(name, every)}"
            )
    written = {"name": "made", "transforms": list(transforms)} if transforms else None
    chosen = written or (named_variant(variant, family) if variant else None)
    stratum = {
        "family": family,
        "params": {**(params or {}), **more},
        "rules": [rules] if isinstance(rules, str) else list(rules),
        "variants": [chosen] if chosen and chosen["transforms"] else [],
        "counts": {"train": 1},
        "reply_formats": [reply_format],
        "asks": [ask],
        "band": band,
        "voices": voices,
        "trace": trace,
        "lopsided": bool(chosen),  # one puzzle is asked for: there are no others to tell it from
    }
    try:
        recipe = Recipe.from_plain({"name": "made", "seed": str(seed), "strata": [stratum]})
    except BadParams as error:
        raise BadParams(short_names(str(error).removeprefix("strata[0]."), "")) from None
    return group(recipe, index).rows[-1]


def group(recipe: Recipe, index: int, split: str = "train") -> GroupResult:
    """Group `index` of a recipe's first stratum. Raises BadParams if every attempt was discarded."""
    if index < 0:
        raise BadParams(f"index: puzzles are numbered from 0, got {index}")
    try:
        check_bands(recipe)
    except BadParams as error:
        raise BadParams(str(error).removeprefix("strata[0].").replace("strata[0].params", "params")) from None
    result = build_group(recipe, recipe.strata[0], split, index)
    if not result.rows:
        reasons = ", ".join(f"{reason} {times}" for reason, times in result.tally if reason != "gave_up")
        if result.bands:
            band = recipe.strata[0].band
            seen = dict(result.bands)
            raise BadParams(
                f"{recipe.strata[0].family}: no {band} puzzle number {index} in {recipe.attempts} attempts ({reasons}; drawn "
                f"were {bands_seen(seen)}); {other_band(seen)}, set other parameters, another seed or index, or "
                "more proof.attempts"
            )
        raise BadParams(
            f"{recipe.strata[0].family}: no puzzle number {index} in {recipe.attempts} attempts ({reasons}); "
            "take another seed or index, a smaller size, or give the proof more budget (conf/proof/default.yaml says what each "
            "engine may spend; a family without a table is decided by the plain checker, within proof.checks)"
        )
    return result
