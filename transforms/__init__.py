"""Operators that turn a puzzle into a rarer one and promise what becomes of its status.

A module here lists the operators that any family may have in `TRANSFORMS`; they are found by looking into this folder. What only
one family has stands in that family's `transforms`, mostly made from the classes of forms.py. All of them reach a family through
its interface and the engines through `ask`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType

from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily, Pairing, Transform
from puzzlemill.core.text import nearest
from puzzlemill.core.types import Status


@lru_cache(maxsize=1)
def generic() -> MappingProxyType[str, Transform]:
    """The operators that are not of one family, by name. Two of one name are refused."""
    found: dict[str, Transform] = {}
    for info in pkgutil.iter_modules(__path__):
        for transform in getattr(import_module(f"{__name__}.{info.name}"), "TRANSFORMS", ()):
            if found.setdefault(transform.name, transform) is not transform:
                raise BadParams(f"transforms/{info.name}.py: the name {transform.name!r} is taken; choose another")
    return MappingProxyType({name: found[name] for name in sorted(found)})


@lru_cache(maxsize=64)
def transforms(family: AnyFamily) -> MappingProxyType[str, Transform]:
    """Every operator that may be asked of this family, by name, in alphabetical order."""
    found = dict(generic())
    for transform in family.transforms:
        if transform.name in found:
            raise BadParams(f"{family.name}: the transform's name {transform.name!r} is taken; choose another")
        found[transform.name] = transform
    return MappingProxyType({name: found[name] for name in sorted(found)})


def transform_of(family: AnyFamily, name: str, args: Mapping[str, int | bool | str]) -> Transform:
    """The operator of this name with these arguments. Raises BadParams for unknown ones."""
    known = transforms(family)
    if name not in known:
        raise BadParams(f"unknown transform {name!r}; known to {family.name}: {', '.join(known)}{nearest(name, known)}")
    return known[name].with_args(args)


# How little a child shares with its parent, from much to little: a chain shares what its loosest transform does.
_LOOSENESS = (Pairing.EXACT, Pairing.SAME_ANSWER, Pairing.GROUP, Pairing.NONE)


def loosest(chain: Sequence[Transform]) -> Pairing:
    """The pairing of what these transforms make."""
    return max((transform.pairing for transform in chain), key=_LOOSENESS.index)


def promise(chain: Sequence[Transform]) -> Status | None:
    """The promise of the last transform that makes one; None: the parent's status stays."""
    return next((transform.promises for transform in reversed(chain) if transform.promises is not None), None)


def out_of_order(chain: Sequence[Transform]) -> str:
    """Why these transforms cannot follow each other in any puzzle, "" if they may.

    Stages come in their order, so that no edit is lost when a later transform has the puzzle drawn anew and each transform sees
    the final spec; nothing is edited after the puzzle has become unsolvable; nothing is done twice.
    """
    for before, after in zip(chain, chain[1:], strict=False):
        if before.stage() > after.stage():
            return f"{after.name} comes before {before.name}: specs are changed first, then clues, then looks"
        if before.promises is Status.UNSOLVABLE and after.stage() < 2:
            return f"{after.name} cannot follow {before.name}, which leaves no answer"
    names = [transform.name for transform in chain]
    twice = next((name for name in names if names.count(name) > 1), "")
    return f"{twice} stands twice" if twice else ""
