"""Plain frozen dataclasses to JSON and back, by their type annotations.

Known types: int, str, bool, None, enums, tuples, unions of those, and dataclasses of them; data files, which are only read, also
have mappings from texts. Reading trusts nothing: a value of another type, an unknown or missing field, or a text over the limit
is a BadRow that names the place. No code is ever named by the data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from puzzlemill.core.errors import BadRow

T = TypeVar("T")
MAX_TEXT = 4_000_000  # characters of one JSON text; a 25x25 sudoku takes about 30,000
_Reader = Callable[[Any, str], Any]


_SCALARS = frozenset({int, str, bool, NoneType})


@cache
def _names_of(kind: Any) -> tuple[str, ...]:
    return tuple([field.name for field in fields(kind)])


def plain(value: Any) -> Any:
    """A dataclass, tuple or scalar as JSON-able dicts, lists and scalars. Objects with `to_json` write themselves."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in _SCALARS else plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "to_json"):
        return value.to_json()
    if is_dataclass(kind):
        return {name: plain(getattr(value, name)) for name in _names_of(kind)}
    raise TypeError(f"cannot write {kind.__name__} as JSON; use int, str, bool, None, tuples and dataclasses")


def dumps(value: Any) -> str:
    """The one JSON text of a value: no spaces, keys in field order, ASCII only where needed."""
    return json.dumps(plain(value), separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def loads(kind: Any, text: str, where: str = "JSON") -> Any:
    """Read `text` as `kind` (a type or annotation). Raises BadRow with the place of the first thing that is wrong."""
    if len(text) > MAX_TEXT:
        raise BadRow(f"{where}: {len(text)} characters, at most {MAX_TEXT} are read")
    try:
        raw = json.loads(text)
        if "\\u" in text or not text.isascii():
            json.dumps(raw, ensure_ascii=False).encode()  # no half of a surrogate pair: what it is in could not be written
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        raise BadRow(f"{where}: holds half of a surrogate pair, {half}, which is no text") from None
    except (ValueError, RecursionError) as error:
        raise BadRow(f"{where}: not JSON ({type(error).__name__}: {error})") from None
    return build(kind, raw, where)


def build(kind: Any, raw: Any, where: str = "JSON") -> Any:
    """Make a value of type `kind` from parsed JSON."""
    return _reader(kind)(raw, where)


def _wrong(where: str, expected: str, raw: Any) -> BadRow:
    shown = repr(raw)
    return BadRow(f"{where}: expected {expected}, got {shown if len(shown) < 80 else shown[:77] + '...'}")


@cache
def _reader(kind: Any) -> _Reader:
    if kind is int or kind is str or kind is bool or kind is NoneType or kind is None:
        exact = NoneType if kind is None else kind

        def scalar(raw: Any, where: str) -> Any:
            if type(raw) is not exact:
                raise _wrong(where, exact.__name__, raw)
            return raw

        return scalar
    if hasattr(kind, "from_json"):
        method: _Reader = kind.from_json
        return method
    origin = get_origin(kind) or kind
    if origin is tuple:
        return _tuple_reader(get_args(kind))
    if origin is Union or origin is UnionType:
        return _union_reader(get_args(kind))
    if origin is Mapping:
        return _mapping_reader(get_args(kind)[1])
    if isinstance(origin, type) and issubclass(origin, Enum):

        def member(raw: Any, where: str) -> Any:
            try:
                return origin(raw)
            except ValueError:
                raise _wrong(where, "one of " + ", ".join(str(m.value) for m in origin), raw) from None

        return member
    if is_dataclass(origin):
        return _dataclass_reader(origin, _bound(origin, kind))
    raise TypeError(f"cannot read {kind!r} from JSON")


def _tuple_reader(args: tuple[Any, ...]) -> _Reader:
    if len(args) == 2 and args[1] is Ellipsis:
        item = _lazy(args[0])

        def many(raw: Any, where: str) -> Any:
            if type(raw) is not list:
                raise _wrong(where, "a list", raw)
            return tuple([item(part, where) for part in raw])

        return many
    readers = [_lazy(arg) for arg in args if arg != ()]

    def fixed(raw: Any, where: str) -> Any:
        if type(raw) is not list or len(raw) != len(readers):
            raise _wrong(where, f"a list of {len(readers)}", raw)
        return tuple([read(part, where) for read, part in zip(readers, raw, strict=True)])

    return fixed


def _union_reader(args: tuple[Any, ...]) -> _Reader:
    readers = [_lazy(arg) for arg in args]

    def union(raw: Any, where: str) -> Any:
        for read in readers:
            try:
                return read(raw, where)
            except BadRow:
                continue
        raise _wrong(where, " or ".join(getattr(arg, "__name__", str(arg)) for arg in args), raw)

    return union


def _mapping_reader(kind: Any) -> _Reader:
    item = _lazy(kind)

    def mapping(raw: Any, where: str) -> Any:
        if type(raw) is not dict:
            raise _wrong(where, "an object", raw)
        return MappingProxyType({name: item(value, f"{where}.{name}") for name, value in raw.items()})

    return mapping


def _dataclass_reader(kind: Any, bound: dict[Any, Any]) -> _Reader:
    hints = get_type_hints(kind)
    readers = {field.name: _lazy(_bind(hints[field.name], bound)) for field in fields(kind)}
    needed = {f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING}
    name = kind.__name__

    def record(raw: Any, where: str) -> Any:
        if type(raw) is not dict:
            raise _wrong(where, f"an object ({name})", raw)
        if not needed <= raw.keys() or not raw.keys() <= readers.keys():
            missing, unknown = sorted(needed - raw.keys()), sorted(raw.keys() - readers.keys())
            raise BadRow(f"{where}: {name} lacks {missing} and does not know {unknown}")
        return kind(**{key: readers[key](value, f"{where}.{key}") for key, value in raw.items()})

    return record


def _bound(origin: Any, kind: Any) -> dict[Any, Any]:
    empty: tuple[Any, ...] = ()
    return dict(zip(getattr(origin, "__parameters__", empty), get_args(kind), strict=False))


def _bind(hint: Any, bound: dict[Any, Any]) -> Any:
    """Put concrete types for type variables, so that Puzzle[SudokuParams, NoBoard] reads its own params."""
    if isinstance(hint, TypeVar):
        return bound.get(hint, hint)
    if bound and getattr(hint, "__parameters__", None):
        return hint[tuple(bound.get(p, p) for p in hint.__parameters__)]
    return hint


def _lazy(kind: Any) -> _Reader:
    """Find the reader at first use, so that recursive annotations end."""
    found: list[_Reader] = []

    def read(raw: Any, where: str) -> Any:
        if not found:
            found.append(_reader(kind))
        return found[0](raw, where)

    return read
