"""Operators that turn a puzzle into a rarer one and promise what becomes of its status.

A module here lists its operators in `TRANSFORMS`; they are found by looking into this folder. Generic operators only: they
reach a family through its interface and the engines through `ask`.
"""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType

from puzzlemill.core.errors import BadParams
from puzzlemill.core.types import Transform


@lru_cache(maxsize=1)
def transforms() -> MappingProxyType[str, Transform]:
    """Every transform by name, in alphabetical order. Two of one name are refused."""
    found: dict[str, Transform] = {}
    for info in pkgutil.iter_modules(__path__):
        for transform in import_module(f"{__name__}.{info.name}").TRANSFORMS:
            if found.setdefault(transform.name, transform) is not transform:
                raise BadParams(f"transforms/{info.name}.py: the name {transform.name!r} is taken; choose another")
    return MappingProxyType({name: found[name] for name in sorted(found)})
