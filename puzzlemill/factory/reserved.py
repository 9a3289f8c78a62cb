"""The puzzles of a release that another one must not have: a recipe's `apart_from` names the recipe, `apart=DIR` the release.

The ledger (factory/ledger.py) keeps releases of one series apart and passes over small classes, which would be used up. Here no
puzzle is excepted: train is apart from a test set only if it has none of its puzzles at all, however few of them there are.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory.canonical import KEY_VERSION
from puzzlemill.factory.read import file_hash, open_release, rows
from puzzlemill.factory.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Reserved:
    """The canonical keys of every row of one release, children and small classes included.

    recipe: the release's. digest: SHA-256 over the keys in order, one per line: the same puzzles have the same digest.
    """

    recipe: str
    digest: str
    keys: frozenset[str]

    def holds(self, keys: Collection[str]) -> bool:
        """Whether one of these canonical keys at least is among them."""
        return not self.keys.isdisjoint(keys)


def reserve(recipe: Recipe, folder: Path) -> Reserved:
    """What a release of this recipe must not have, read from the finished release that it is to be apart from.

    Raises BadParams if the recipe keeps apart from nothing, BadFile if the folder holds no whole release of the recipe that it
    names, or one whose keys were made otherwise than here.
    """
    if not recipe.apart_from:
        raise BadParams(f"apart: the recipe {recipe.name} keeps apart from no other; leave the setting out")
    release = open_release(folder)
    if release.manifest.get("release") != recipe.apart_from:
        raise BadFile(
            f"{folder}: holds the release {str(release.manifest.get('release'))[:60]!r}, and {recipe.name} must be apart from "
            f"{recipe.apart_from}; make one with `puzzlemill generate release={recipe.apart_from} out=DIR` and give apart=DIR"
        )
    for path in release.data_files():
        if not (folder / path).is_file() or file_hash(folder / path) != release.files[path].sha256:
            raise BadFile(f"{folder / path}: is missing or was altered, so not every puzzle is known; build the release again")
    keys = frozenset(str(row["canonical_key"]) for row in rows(release, ["canonical_key"]))
    if other := next((key for key in sorted(keys) if key.split(":")[1:2] != [str(KEY_VERSION)]), None):
        raise BadFile(f"{folder}: the key {other[:80]} was not made as keys are made here; build the release again")
    return Reserved(recipe.apart_from, sha256("\n".join(sorted(keys)).encode()).hexdigest(), keys)
