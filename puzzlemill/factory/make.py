"""One puzzle at a time, and a catalogue of all that can be made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily, Transform
from puzzlemill.core.types import Spec
from puzzlemill.factory.build import GroupResult, build_group
from puzzlemill.factory.recipe import Recipe
from puzzlemill.generators import families
from puzzlemill.transforms import transforms as known_transforms


def make(
    family: str,
    /,
    *,
    seed: str = "demo",
    index: int = 0,
    transforms: Sequence[str] = (),
    rules: Sequence[str] = (),
    reply_format: str = "json",
    ask: str = "whole",
    **params: int | str | bool,
) -> dict[str, Any]:
    """One proved puzzle as a row of a data set; the same arguments give the same row.

    seed: puzzles of another seed are other puzzles. index: 0, 1, ... number the puzzles of one seed. transforms: what to do to
    the canonical puzzle, by name ("clash" makes it unsolvable). rules: optional rules in force. ask: what of the answer is
    wanted (whole, cell, number, option, step, value). params: the family's parameters.
    Raises BadParams if there is no such puzzle.
    """
    variants = [{"name": "made", "transforms": list(transforms)}] if transforms else []
    stratum = {
        "family": family,
        "params": params,
        "rules": list(rules),
        "variants": variants,
        "counts": {"train": 1},
        "reply_formats": [reply_format],
        "asks": [ask],
        "lopsided": bool(transforms),  # one puzzle is asked for: there are no others to tell it from
    }
    recipe = Recipe.from_plain({"name": "made", "seed": seed, "strata": [stratum]})
    return group(recipe, index).rows[-1]


def group(recipe: Recipe, index: int, split: str = "train") -> GroupResult:
    """Group `index` of a recipe's first stratum. Raises BadParams if every attempt was discarded."""
    if index < 0:
        raise BadParams(f"index: puzzles are numbered from 0, got {index}")
    result = build_group(recipe, recipe.strata[0], split, index)
    if not result.rows:
        reasons = ", ".join(f"{reason} {times}" for reason, times in result.tally if reason != "gave_up")
        raise BadParams(
            f"{recipe.strata[0].family}: no puzzle number {index} in {recipe.attempts} attempts ({reasons}); "
            "take another seed or index, a smaller size, or give the proof more budget (conf/proof/default.yaml says what each "
            "engine may spend; a family without a table is decided by the plain checker, within proof.checks)"
        )
    return result


def catalogue(variants: Callable[[AnyFamily], Mapping[str, Sequence[Any]]]) -> dict[str, dict[str, Any]]:
    """Every family with its parameters, optional rules, transforms, and the variants that fit its default puzzle; JSON-able.

    variants: a family's variants by name, with the transforms of each.
    """
    return {name: _entry(family, variants(family)) for name, family in families().items()}


def _entry(family: AnyFamily, variants: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    spec: Spec[Any] = Spec(family.params())
    known = known_transforms(family)
    return {
        "title": family.title,
        "version": family.version,
        "params": {f.name: {"type": str(f.type), "default": getattr(spec.params, f.name)} for f in fields(family.params)},
        "rules": list(family.rules),
        "transforms": {
            name: {
                "kind": transform.kind.value,
                "args": {arg: getattr(transform, arg) for arg in transform.args},
                "about": transform.about,
                "needs": transform.needs,
            }
            for name, transform in known.items()
        },
        "variants": {name: _about(chain, known) for name, chain in variants.items() if _fit(family, spec, chain)},
        "source": family.source,
    }


def _about(chain: Sequence[Any], known: Mapping[str, Transform]) -> str:
    names = [call if type(call) is str else call["name"] for call in chain]
    return "; ".join([known[name].about for name in names]) or "the puzzle as it is known, nothing changed"


def _fit(family: AnyFamily, spec: Spec[Any], chain: Sequence[Any]) -> bool:
    """Return whether a variant may be asked of this spec."""
    stratum = {"family": family.name, "params": {f.name: getattr(spec.params, f.name) for f in fields(family.params)}}
    variant = {"name": "asked", "transforms": list(chain)}
    try:
        Recipe.from_plain(
            {
                "name": "asked",
                "seed": "asked",
                "strata": [{**stratum, "variants": [variant] if chain else [], "counts": {"test": 1}}],
            }
        )
    except BadParams:
        return False
    return True
