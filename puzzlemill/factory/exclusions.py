"""The puzzles of releases that another one must not have: a recipe's `excludes` names their recipes, `exclude=DIR` the releases.

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
from puzzlemill.factory.recipe import Recipe, plain_names
from puzzlemill.generators import family_named

_COLUMNS = ("id", "family", "family_version", "puzzle", "canonical_key")


@dataclass(frozen=True, slots=True)
class Exclusions:
    """The canonical keys of every row of one release or several, children and small classes included.

    recipes: the releases', as Recipe.excludes has them. digest: SHA-256 over the keys in order, one per line: the same puzzles
    have the same digest.
    """

    recipes: tuple[str, ...]
    digest: str
    keys: frozenset[str]

    def holds(self, keys: Collection[str]) -> bool:
        """Return whether one of these canonical keys at least is among them."""
        return not self.keys.isdisjoint(keys)

    def to_json(self) -> dict[str, Any]:
        """What manifests say of them."""
        return {"recipe": plain_names(self.recipes), "puzzles": len(self.keys), "digest": self.digest}


def keeping_apart(recipe: Recipe, *folders: Path) -> tuple[Recipe, Exclusions]:
    """The recipe, which may be any, apart from the finished releases in the folders, and the puzzles of those. Raises as below.

    A recipe that names some itself needs a release of each of them, and may be given more, but not one of others alone.
    """
    found = sorted({str(open_release(folder).manifest.get("release")) for folder in folders})
    if not recipe.excludes or (len(folders) > 1 and set(recipe.excludes) <= set(found)):
        recipe = replace(recipe, excludes=tuple(found))
    return recipe, exclusions_of(recipe, *folders)


def exclusions_of(recipe: Recipe, *folders: Path) -> Exclusions:
    """Collect the puzzles that a release of this recipe must not have, from the finished releases that it keeps apart from.

    Raises BadParams if the recipe keeps apart from nothing, or no folder holds one that it names; BadFile if a folder holds no
    whole release of a recipe that it names, or one whose keys were made otherwise than here: all of them are made again from the
    puzzles.
    """
    if not recipe.excludes:
        raise BadParams(f"exclude: the recipe {recipe.name} keeps apart from no other; leave the setting out")
    names, keys = set(), set[str]()
    for folder in folders:
        name, some = _keys(recipe, folder)
        names.add(name)
        keys |= some
    if missing := sorted(set(recipe.excludes) - names):
        raise BadParams(
            f"exclude: {recipe.name} must be apart from a release of {missing[0]} too; make one with `puzzlemill generate "
            f"release={missing[0]} out=DIR` and give it with the others, exclude=[DIR,...]"
        )
    return Exclusions(recipe.excludes, sha256("\n".join(sorted(keys)).encode()).hexdigest(), frozenset(keys))


def _keys(recipe: Recipe, folder: Path) -> tuple[str, set[str]]:
    """The name of the recipe of the release in a folder, and the keys of all its rows."""
    from puzzlemill.factory.writer import checksum  # which writes Exclusions into manifests

    release = open_release(folder)
    name = release.manifest.get("release")
    if name not in recipe.excludes:
        raise BadFile(
            f"{folder}: holds the release {str(name)[:60]!r}, and {recipe.name} must be apart from "
            f"{' and '.join(recipe.excludes)}; make one with `puzzlemill generate release={recipe.excludes[0]} out=DIR` and give "
            "exclude=DIR"
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
    return str(name), set(keys)


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
