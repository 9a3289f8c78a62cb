"""The files under conf/ by their names, and recipes of one's own: plain YAML, read without running anything that it names."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import yaml

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.text import nearest, printable

CONF = Path(__file__).parents[1] / "conf"
MAX_FILE = 1_000_000  # bytes of a recipe of one's own
MAX_VALUES = 100_000  # in it, where a value that is referred to counts each time
MAX_DEPTH = 20


def choices(group: str) -> list[str]:
    """The names of conf/<group>/*.yaml."""
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def shipped(group: str, name: str) -> dict[str, Any]:
    """The settings of conf/<group>/<name>.yaml, a copy of one's own. Raises BadParams for an unknown name."""
    known = choices(group)
    if name not in known:
        error = unknown(group, name, known)
        raise BadParams(f"{error}; a recipe of your own is a file, release=FILE.yaml") if group == "release" else error
    return deepcopy(_shipped(group, name))


def unknown(kind: str, name: object, known: list[str], owner: str = "") -> BadParams:
    """An error that lists the known names, and those that are nearly the same last."""
    return BadParams(f"unknown {kind} {str(name)[:100]!r}; known{owner}: {', '.join(known)}{nearest(str(name), known)}")


@lru_cache(maxsize=256)
def _shipped(group: str, name: str) -> dict[str, Any]:
    return read(CONF / group / f"{name}.yaml")


@lru_cache(maxsize=1)
def usual() -> dict[str, Any]:
    """The settings of every release: conf/generate.yaml with what it begins with, but for the strata. Not to be changed."""
    return {**read(CONF / "generate.yaml"), "proof": _shipped("proof", "default"), "executor": _shipped("executor", "local")}


def read(path: Path, own: bool = False) -> dict[str, Any]:
    """The names and values of a YAML file, for our own without `defaults`. Raises BadFile with the line of what is wrong.

    own: it is the user's, and may hold anything.
    """
    try:
        size = path.stat().st_size
        if not path.is_file() or size > MAX_FILE:
            raise BadFile(f"{path}: expected a file of at most {MAX_FILE} bytes")
        loader = (_Own if own else _Loader)(path.read_bytes())
        try:
            found = loader.get_single_data()
        finally:
            loader.dispose()
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror}); name a recipe, FILE.yaml") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        why = " ".join(str(getattr(error, "problem", None) or error).split())[:200]
        raise BadFile(f"{path}:{place} cannot be read as YAML ({printable(why)})") from None
    except (ValueError, RecursionError, OverflowError) as error:
        raise BadFile(f"{path}: cannot be read as YAML ({printable(str(error))[:200]})") from None
    if type(found) is not dict:
        raise BadFile(f"{path}: expected settings, each written `name: value`; docs/mixes.md shows a recipe")
    for number, _ in enumerate(_values(found, 0, str(path))):
        if number > MAX_VALUES:
            raise BadFile(f"{path}: more than {MAX_VALUES} values; split it into several recipes")
    if not own:
        found.pop("defaults", None)
    settings: dict[str, Any] = plain(found, "")
    return settings


def _values(value: Any, depth: int, where: str) -> Iterator[Any]:
    """Every value in a tree. Raises BadFile for one that is too deep, such as one that holds itself."""
    if depth > MAX_DEPTH:
        raise BadFile(f"{where}: lists and mappings within each other more than {MAX_DEPTH} times")
    yield value
    for item in value.values() if type(value) is dict else value if type(value) is list else ():
        yield from _values(item, depth + 1, where)


def plain(value: Any, where: str) -> Any:
    """Refuse interpolations, code to instantiate, floats, bytes and nulls, which no setting may hold."""
    if type(value) is dict:
        for key in value:
            if type(key) is not str or key.startswith("_") or not key.isascii():
                raise BadParams(f"{where or 'settings'}: the name {key!r} is not taken; names are plain words")
        return {key: plain(item, f"{where}.{key}" if where else key) for key, item in value.items()}
    if type(value) in (list, tuple):
        return [plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if type(value) is str and "${" in value:
        raise BadParams(f"{where}: {value!r} refers to something else; write the value itself")
    if type(value) not in (int, str, bool):
        remedy = f"; write {int(value)}" if type(value) is float and value.is_integer() else ""
        raise BadParams(f"{where}: expected a number, a word or a list of them, got {value!r}{remedy}")
    return value


class _Loader(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
    """YAML's safe loader, for which a day is a word, and which takes no name twice."""

    yaml_implicit_resolvers: ClassVar = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in names:
                    raise yaml.constructor.ConstructorError(None, None, f"the name {key.value!r} stands twice", key.start_mark)
                names.add(key.value)
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        return found


class _Own(_Loader):
    """The same for files of others: merged mappings, which can grow without bound, are not taken."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        for key, _ in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                raise yaml.constructor.ConstructorError(None, None, "merged mappings (<<) are not taken", key.start_mark)
