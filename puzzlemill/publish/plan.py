"""One release among several of a recipe: its version, what of it is blind, and the block of the manifest that says so.

A release has an *open* recipe, which is published, and may have a *blind* one: the same strata, but only the splits whose rows
are kept back. Both draw from seeds of their own: the open one from the recipe's seed and the period, so that anybody can build
it again; the blind one from a secret and the version. Strata with small classes, of parents or of variants, stay open: all
puzzles of such a class are known anyway, and nothing would keep them apart from the open part.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.text import printable
from puzzlemill.factory import record
from puzzlemill.factory.recipe import Recipe, Stratum, few_answers
from puzzlemill.generators import family_named
from puzzlemill.publish.secret import SECRET_BYTES

_PERIOD = re.compile(r"[0-9a-z]+(?:-[0-9a-z]+)*\Z")
_VERSION = re.compile(r"[0-9a-z]+(?:-[0-9a-z]+)*-[0-9a-f]{8}\Z")
_SHA = re.compile(r"[0-9a-f]{64}\Z")
_BLIND_SEED = b"puzzlemill blind word 1\0"
_LEDGER = re.compile(r"ledger/[0-9a-z-]{1,60}(?:\.blind|\.revealed)?\.parquet\Z")
MOST_CHANGES = 40  # that a card lists of each kind


@dataclass(frozen=True, slots=True)
class Plan:
    """A release to make. recipe: with its own seed and all splits. blind: the splits that are kept back, sorted."""

    recipe: Recipe
    period: str
    blind: tuple[str, ...]
    version: str
    open: Recipe

    def blind_recipe(self, secret: bytes) -> Recipe:
        """The recipe of the blind part. Its seed is as secret as the secret."""
        if len(secret) != SECRET_BYTES:
            raise BadParams(f"secret: expected {SECRET_BYTES} bytes; `puzzlemill secret FILE` makes one")
        seed = sha256(_BLIND_SEED + secret + self.version.encode()).hexdigest()
        return replace(self.recipe, seed=seed, strata=tuple(_strata(self.recipe, self.blind, hidden=True)))


def plan(recipe: Recipe, period: str, blind: Sequence[str] = ()) -> Plan:
    """Plan a release of this recipe. Raises BadParams if the period is no name, or a split cannot be blind."""
    if not _PERIOD.match(period) or len(period) > 32:
        raise BadParams(f"period: expected lower-case letters, digits and single dashes, as in 2026-12, got {period[:40]!r}")
    if recipe.excludes:
        raise BadParams(
            f"recipe: {recipe.name} keeps apart from releases of {', '.join(recipe.excludes)}, which a series cannot promise; "
            f"make it with `puzzlemill generate release={recipe.name} exclude=DIR out=DIR`"
        )
    known = {split for stratum in recipe.strata for split, count in stratum.counts if count}
    for split in blind:
        if split not in known:
            raise BadParams(f"blind: the recipe has no split {split!r}; it has {', '.join(sorted(known))}")
        if split == "train":
            raise BadParams("blind: train cannot be blind: nobody could train on it; name validation, test or another split")
    names = tuple(sorted(set(blind)))
    if names and not any(_strata(recipe, names, hidden=True)):
        raise BadParams(
            f"blind: all puzzles of {', '.join(names)} are of small classes or have few answers, which cannot be kept "
            "back; leave blind= out"
        )
    opened = tuple(_strata(recipe, names, hidden=False))
    if not opened:
        raise BadParams("blind: no split is left to publish; leave one of them open")
    return Plan(
        recipe,
        period,
        names,
        f"{period}-{_recipe_hash(recipe, names)[:8]}",
        replace(recipe, seed=_open_seed(recipe, period), strata=opened),
    )


def _open_seed(recipe: Recipe, period: str) -> str:
    return f"{recipe.seed}/{period}"


def plan_of(publication: Mapping[str, Any]) -> Plan:
    """The plan that a publication was made from. Raises BadFile if it does not give the version that the publication states."""
    try:
        again = plan(
            Recipe.from_plain(publication["recipe"]),
            publication["period"],
            publication["blind"]["splits"] if publication["blind"] else (),
        )
    except BadParams as error:
        raise BadFile(f"{publication['version']}: its recipe cannot be used with this version of Puzzlemill ({error})") from None
    if again.version != publication["version"]:
        raise BadFile(
            f"{publication['version']}: families or the schema have other versions in this Puzzlemill, which would make "
            f"{again.version}; install the version that the manifest names"
        )
    return again


def _strata(recipe: Recipe, blind: Sequence[str], *, hidden: bool) -> Iterator[Stratum]:
    """The strata with only their blind splits, or only their open ones; without those that have none."""
    for stratum in recipe.strata:
        small = _small(stratum)
        counts = tuple((split, count) for split, count in stratum.counts if (split in blind and not small) == hidden and count)
        if counts:
            yield replace(stratum, counts=counts)


def _small(stratum: Stratum) -> bool:
    """Say if one of its rows may be of a small class, which no ledger keeps apart from the open part, or have one of few answers,
    which are dealt to all splits together.
    """
    specs = [*stratum.bases(), *(stratum.spec_of(base, variant) for base in stratum.bases() for variant in stratum.variants)]
    small = family_named(stratum.family).small
    return bool(few_answers(stratum)) or any(small.puzzles(spec) is not None for spec in specs)


def _recipe_hash(recipe: Recipe, blind: Sequence[str]) -> str:
    """Everything that a version stands for but its period: the recipe without its seed, the families' versions, the schema."""
    plain = recipe.to_plain()
    del plain["seed"]
    families = {stratum.family: family_named(stratum.family).version for stratum in recipe.strata}
    whole = {"recipe": plain, "blind": list(blind), "families": families, "schema": record.SCHEMA_VERSION}
    return sha256(json.dumps(whole, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


# ---- the block in a manifest ------------------------------------------------------------------------------------------


def publication(
    made: Plan,
    previous: Mapping[str, Any] | None,
    manifest: Mapping[str, Any],
    *,
    blind: Mapping[str, Any] | None,
    ledger: Mapping[str, str],
    earlier: Mapping[str, str],
) -> dict[str, Any]:
    """The publication block of a new release.

    previous: the manifest of the release before it. manifest: this release's, not yet with its publication. blind: {splits,
    commitment, rows, groups, files}. ledger, earlier: path -> SHA-256 of its own segments of the ledger and of those before it.
    """
    block: dict[str, Any] = {
        "series": made.recipe.name,
        "period": made.period,
        "version": made.version,
        "previous": None if previous is None else previous["publication"]["version"],
        "changes": [],
        "recipe": made.recipe.to_plain(),
        "blind": None if blind is None else dict(blind),
        "ledger": dict(sorted(ledger.items())),
        "earlier": dict(sorted(earlier.items())),
    }
    changes = [] if previous is None else _changes(previous, {**manifest, "publication": block})
    return {**block, "changes": [printable(change) for change in changes]}  # they quote what others may have written


def publication_of(manifest: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The publication block of a published manifest, whose types are checked. Raises BadFile if there is none."""
    block = manifest.get("publication")
    try:
        if type(block) is not dict:
            raise TypeError
        texts = [block[name] for name in ("series", "period", "version")]
        texts += [] if block["previous"] is None else [block["previous"]]
        if any(type(text) is not str for text in texts) or not _VERSION.match(block["version"]):
            raise TypeError
        for segments in (block["ledger"], block["earlier"]):
            if any(not _LEDGER.match(path) or not _SHA.match(sha) for path, sha in segments.items()):
                raise TypeError
        if type(block["recipe"]) is not dict or type(block["changes"]) is not list:
            raise TypeError
        if (blind := block["blind"]) is not None and (
            not _SHA.match(blind["commitment"])
            or type(blind["rows"]) is not int
            or type(blind["groups"]) is not int
            or any(type(split) is not str for split in blind["splits"])
            or any(type(path) is not str or not _SHA.match(sha) for path, sha in blind["files"].items())
        ):
            raise TypeError
        _check_compared(manifest, block["recipe"])
    except (KeyError, TypeError, AttributeError):
        raise BadFile(f"{where}: its manifest.json is not that of a release made by `puzzlemill release`") from None
    return dict(block)


def _check_compared(manifest: Mapping[str, Any], recipe: Mapping[str, Any]) -> None:
    """The types of what the next release compares itself with. Raises KeyError, TypeError or AttributeError."""
    counts = [count for cell in manifest["content"] for count in cell["variants"].values()]
    versions = [family["version"] for family in manifest["families"].values()]
    texts = [manifest["recipe_key"], manifest["puzzlemill"], *manifest["environment"].values()]
    if type(recipe["strata"]) is not list:
        raise TypeError
    for stratum in recipe["strata"]:
        texts += [stratum["family"], *(variant["name"] for variant in stratum["variants"])]
        if any("transforms" not in variant for variant in stratum["variants"]):
            raise TypeError
    if any(type(number) is not int for number in [*counts, *versions]) or any(type(text) is not str for text in texts):
        raise TypeError


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Changes since the release before, one sentence each: software, families, recipe, rows."""
    if before["puzzlemill"] != now["puzzlemill"]:
        yield f"made by Puzzlemill {now['puzzlemill']}, before {before['puzzlemill']}"
    old, new = ({stratum["family"] for stratum in manifest["publication"]["recipe"]["strata"]} for manifest in (before, now))
    for name in sorted(old ^ new):
        yield f"{name}: {'new' if name in new else 'no longer in it'}"
    both = old & new
    for name in sorted(both & {*before["families"]} & {*now["families"]}):
        versions = [manifest["families"][name]["version"] for manifest in (before, now)]
        if versions[0] != versions[1]:
            yield f"{name}: version {versions[1]} of the family, before {versions[0]}"
    yield from _listed(_recipe_changes(before["publication"], now["publication"], both), "settings of the recipe")
    yield from _listed(_row_changes(before, now, both), "numbers of rows")


def _listed(changes: Iterator[str], what: str) -> Iterator[str]:
    every = list(changes)
    yield from every[:MOST_CHANGES]
    if len(every) > MOST_CHANGES:
        yield f"{len(every) - MOST_CHANGES} more {what}"


def _recipe_changes(before: Mapping[str, Any], now: Mapping[str, Any], families: Set[str]) -> Iterator[str]:
    old, new = (dict(_settings(block, families)) for block in (before, now))
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield f"recipe: {name}: {new.get(name) or 'none'}, before {old.get(name) or 'none'}"


def _settings(block: Mapping[str, Any], families: Set[str]) -> Iterator[tuple[str, str]]:
    """(name, value) of what a recipe says of these families. Strata are named by family and number: sudoku[2].counts.test."""
    number: Counter[str] = Counter()
    for name, value in block["recipe"].items():
        if name != "strata":
            yield name, str(value)
    for stratum in block["recipe"]["strata"]:
        number[stratum["family"]] += 1
        if stratum["family"] not in families:
            continue
        for name, value in stratum.items():
            where = f"{stratum['family']}[{number[stratum['family']]}].{name}"
            if type(value) is dict:
                yield from ((f"{where}.{key}", _short(item)) for key, item in value.items())
            elif name == "variants":
                yield where, _short([variant["name"] for variant in value])
                yield from ((f"{where}.{variant['name']}", _short(variant["transforms"])) for variant in value)
            elif name != "family":
                yield where, _short(value)
    yield "blind", ", ".join(block["blind"]["splits"]) if block["blind"] else "none"


def _short(value: Any) -> str:
    if type(value) is list and all(type(item) in (str, int, bool) for item in value):
        return ", ".join(str(item) for item in value) or "none"
    text = json.dumps(value, sort_keys=True) if type(value) in (list, dict) else str(value)
    return text if len(text) <= 120 else text[:117] + "..."


def _row_changes(before: Mapping[str, Any], now: Mapping[str, Any], families: Set[str]) -> Iterator[str]:
    old, new = (_rows(manifest) for manifest in (before, now))
    for family, variant in sorted({*old, *new}):
        if family in families and old[family, variant] != new[family, variant]:
            yield f"{family}, {variant}: {new[family, variant]} rows, before {old[family, variant]}"
    blind = [manifest["publication"]["blind"]["rows"] if manifest["publication"]["blind"] else 0 for manifest in (before, now)]
    if blind[0] != blind[1]:
        yield f"blind: {blind[1]} rows, before {blind[0]}"


def _rows(manifest: Mapping[str, Any]) -> Counter[tuple[str, str]]:
    """Published rows by family and variant."""
    counted: Counter[tuple[str, str]] = Counter()
    for cell in manifest["content"]:
        for variant, rows in cell["variants"].items():
            counted[cell["family"], variant] += rows
    return counted
