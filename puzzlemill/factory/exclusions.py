"""The puzzles of a release that another one must not have: a recipe's `excludes` names the recipe, `exclude=DIR` the release.

The ledger (publish/ledger.py) keeps releases of one series apart and passes over small classes, which would be used up. Here no
puzzle is excepted: train is apart from a test set only if it has none of its puzzles at all, however few of them there are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadFile, BadInput, BadParams, BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.read import MANIFEST, file_hash, open_release, rows
from puzzlemill.factory.recipe import Recipe
from puzzlemill.generators import family_named

_COLUMNS = ("id", "family", "family_version", "puzzle", "canonical_key")


@dataclass(frozen=True, slots=True)
class Exclusions:
    """The canonical keys of every row of one release, children and small classes included.

    recipe: the release's. digest: SHA-256 over the keys in order, one per line: the same puzzles have the same digest.
    """

    recipe: str
    digest: str
    keys: frozenset[str]

    def holds(self, keys: Collection[str]) -> bool:
        """Return whether one of these canonical keys at least is among them."""
        return not self.keys.isdisjoint(keys)


def keeping_apart(recipe: Recipe, folder: Path) -> tuple[Recipe, Exclusions]:
    """The recipe, which may be any, apart from the finished release in the folder, and the puzzles of that. Raises as below."""
    if not recipe.excludes:
        recipe = replace(recipe, excludes=str(open_release(folder).manifest.get("release")))
    return recipe, exclusions_of(recipe, folder)


def exclusions_of(recipe: Recipe, folder: Path) -> Exclusions:
    """Collect the puzzles that a release of this recipe must not have, from the finished release that it keeps apart from.

    Raises BadParams if the recipe keeps apart from nothing, BadFile if the folder holds no whole release of the recipe that it
    names, or one whose keys were made otherwise than here: all of them are made again from the puzzles.
    """
    from puzzlemill.factory.writer import checksum  # which writes Exclusions into manifests

    if not recipe.excludes:
        raise BadParams(f"exclude: the recipe {recipe.name} keeps apart from no other; leave the setting out")
    release = open_release(folder)
    if release.manifest.get("release") != recipe.excludes:
        raise BadFile(
            f"{folder}: holds the release {str(release.manifest.get('release'))[:60]!r}, and {recipe.name} must be apart from "
            f"{recipe.excludes}; make one with `puzzlemill generate release={recipe.excludes} out=DIR` and give exclude=DIR"
        )
    if release.manifest.get("checksum") != checksum(release.manifest):
        raise BadFile(f"{folder / MANIFEST}: was altered, so not every puzzle is known; build the release again")
    for path in release.data_files():
        if not (folder / path).is_file() or file_hash(folder / path) != release.files[path].sha256:
            raise BadFile(f"{folder / path}: is missing or was altered, so not every puzzle is known; build the release again")
    keys = [_key(folder, row) for row in rows(release, _COLUMNS)]
    stated = sum([cell["rows"] for cell in release.manifest["content"]])
    if not keys or len(keys) != stated:
        raise BadFile(f"{folder}: its files hold {len(keys)} rows, the manifest says {stated}; build the release again")
    return Exclusions(recipe.excludes, sha256("\n".join(sorted(set(keys))).encode()).hexdigest(), frozenset(keys))


def _key(folder: Path, row: Mapping[str, Any]) -> str:
    """The row's canonical key, made again from its puzzle: one that was made otherwise would match nothing here."""
    where = f"{folder}: row {str(row['id'])[:80]}"
    try:
        family = family_named(row["family"])
        if row["family_version"] != family.version:
            raise BadRow(f"is of version {row['family_version']} of {family.name}, here it is {family.version}")
        key = canonical_key(family, loads(puzzle_type(family), row["puzzle"], "puzzle"))
    except (BadInput, LookupError, ValueError, TypeError, ArithmeticError) as error:
        raise BadFile(" ".join(f"{where}: cannot be compared ({error}); build the release again".split())) from None
    if key != row["canonical_key"]:
        raise BadFile(f"{where}: its key was not made as keys are made here; build the release again")
    return key
