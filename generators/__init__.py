"""Puzzle families, one file each, found by looking into this folder.

A module whose name does not begin with "_" defines `FAMILY`. Adding a file adds a family; no list is edited.
"""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType

from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.text import nearest


@lru_cache(maxsize=1)
def families() -> MappingProxyType[str, AnyFamily]:
    """Every family by name, in alphabetical order. Two files with one name are refused."""
    found: dict[str, AnyFamily] = {}
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            family: AnyFamily = import_module(f"{__name__}.{info.name}").FAMILY
            if found.setdefault(family.name, family) is not family:
                raise BadParams(f"generators/{info.name}.py: the family name {family.name!r} is taken; choose another")
    return MappingProxyType(found)


def family_named(name: str) -> AnyFamily:
    """The family of this name; the template too, so that its rows can be read. Raises BadParams with the known names."""
    if name == "coin":
        from puzzlemill.generators._template import FAMILY

        return FAMILY
    try:
        return families()[name]
    except KeyError:
        raise BadParams(f"unknown family {name!r}; known: {', '.join(families())}{nearest(str(name), families())}") from None
