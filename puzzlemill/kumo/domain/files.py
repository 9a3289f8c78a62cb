"""Reads domain files and finds the authored ones; docs/domains.md describes the format.

A file is TOML: names and wording, and which shape the exclusions are drawn in. Numbers are read as decimals and become whole
multiples of 10**-decimals exactly. All defects of a file are reported at once, one line each: place, expected, got, remedy.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.text import printable
from puzzlemill.kumo.domain.check import defects
from puzzlemill.kumo.domain.domain import Action, Domain

T = TypeVar("T")
MAX_BYTES = 500_000  # an authored file has some 10 kB, one with its own exclusions some 40 kB
_TOO_LONG = f"the file has more than {MAX_BYTES} bytes; a domain file has some 10 000"
MAX_TEXT = 400  # characters of any text in a file
MAX_ITEMS = 200  # of any list
MAX_NUMBER = 10**9
MAX_DECIMALS = 6
_NAME = re.compile(r"[a-z][a-z0-9_]{1,39}", re.ASCII)
_TEXTS = (
    "title",
    "topic",
    "truth",
    "truths_plural",
    "action",
    "actions_plural",
    "scene",
    "question",
    "structure",
)
_PLAIN = {"name", "does", "outcomes"}
_CUT = {"name", "does", "quantity", "unit", "low", "high", "cuts"}
_INTERVALS = {"name", "does", "quantity", "unit", "intervals"}
_OPTIONAL = {"excludes"}


@cache
def names() -> tuple[str, ...]:
    """The names of the authored domains, in alphabetical order."""
    folder = files("puzzlemill.kumo.domain") / "authored"
    return tuple(sorted([item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml")]))


_carried: dict[str, Domain] = {}  # by its name, which holds a hash of the file: it can mean one domain only


def own_name(name: str, text: str) -> str:
    """The name of a file that a recipe brings along, since it is not authored here: its own, and a hash of its text."""
    return f"{name}@{sha256(text.encode()).hexdigest()[:16]}"


def carry(name: str, text: str) -> None:
    """Take up a file that a recipe brings along, so that `authored` finds it in this process.

    name: as own_name gives it. Raises BadParams for another one, and for a file with defects.
    """
    stem, text = name.partition("@")[0], text[: MAX_BYTES + 1].encode(errors="replace").decode()  # JSON can hold half a sign
    if len(text.encode()) > MAX_BYTES:
        raise BadParams(_TOO_LONG)
    if name != own_name(stem, text):
        raise BadParams(
            f"expected the file's name, @ and the start of its text's SHA-256, as in {own_name('my_quarry', text)}, "
            f"got {printable(name[:80])!r}; put the file back as it was, or name it anew"
        )
    if name not in _carried:
        domain, problems = parse(text, stem)
        if domain is None or problems:
            raise BadParams(problems[0] if problems else "there is no sense in it")
        _carried[name] = domain


@cache
def authored(name: str) -> Domain:
    """The domain of this name, an authored one or one that was carried here; `structure.domain_of` draws its exclusions.

    Raises BadParams for an unknown name.
    """
    if name in _carried:
        return _carried[name]
    if "@" in name:
        raise BadParams(
            f"the domain file {printable(name[:80])!r} is not here; a recipe brings it along under `domains`, "
            "as settings do with domains=PATH"
        )
    if name not in names():
        near = get_close_matches(name, names(), 3, 0.4)
        remedy = f"do you mean {' or '.join(near)}?" if near else "puzzlemill domains lists them"
        raise BadParams(f"no authored domain is called {printable(name)!r}; {remedy}")
    text = (files("puzzlemill.kumo.domain") / "authored" / f"{name}.toml").read_text(encoding="utf-8")
    form = _Form()
    domain = form.domain(tomllib.loads(text, parse_float=Decimal), name)
    if domain is None:
        raise BadFile(f"{name}.toml: {form.problems[0]}")
    return domain


def read(path: Path) -> Domain:
    """The domain of a file. Raises BadFile with the first of its defects; `examine` returns all of them."""
    domain, problems = examine(path)
    if domain is None or problems:
        more = f" (and {len(problems) - 1} more: puzzlemill domains check lists them)" if len(problems) > 1 else ""
        raise BadFile(f"{path}: {problems[0]}{more}")
    return domain


def examine(path: Path) -> tuple[Domain | None, tuple[str, ...]]:
    """The domain of a file, None if there is no sense in it, and everything that is wrong with it.

    Raises BadFile if there is no such file, or if it cannot be read.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror}; name a domain file (TOML) that can be read") from None
    if len(raw) > MAX_BYTES:
        return None, (_TOO_LONG,)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, (f"byte {error.start}: expected UTF-8, got 0x{raw[error.start]:02x}; save the file as UTF-8",)
    return parse(text, path.stem)


def parse(text: str, name: str) -> tuple[Domain | None, tuple[str, ...]]:
    """The domain of a file's text, None if there is no sense in it, and everything that is wrong with it, one line each.

    name: what the domain is to be called, for a file its name without .toml.
    """
    try:
        table = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError) as error:  # ValueError: TOML's own, and integers of thousands of digits
        return None, (f"not TOML: {printable(str(error))}; compare it with an authored domain",)
    except RecursionError:
        return None, ("not a domain: lists are nested too deep; compare it with an authored domain",)
    form = _Form()
    domain = form.domain(table, name)
    return domain, tuple(form.problems) or (defects(domain) if domain is not None else ())


class _Form:
    """Takes a TOML table apart; whatever does not have the form of a domain file goes into `problems`."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def wrong(self, place: str, expected: str, got: object, remedy: str) -> None:
        shown = repr(got)
        self.problems.append(f"{place}: expected {expected}, got {shown if len(shown) <= 80 else shown[:77] + '...'}; {remedy}")

    def keys(self, table: Mapping[str, Any], needed: set[str], place: str, optional: set[str]) -> None:
        missing = needed - set(table)
        for key in sorted(set(table) - needed - optional):
            near = get_close_matches(key, sorted(missing | (optional - set(table))), 1)
            missing -= set(near)
            self.problems.append(
                f"{place}: no key is called {printable(key)!r}; {f'write {near[0]!r}' if near else 'take it out'}"
            )
        for key in sorted(missing):
            self.problems.append(f"{place}: {key!r} is missing; add it")

    def text(self, value: object, place: str, *, empty: bool = False) -> str:
        if not isinstance(value, str) or not (value or empty):
            self.wrong(place, "a text", value, "write it in quotes")
            return ""
        if len(value) > MAX_TEXT or not value.isprintable() or value != value.strip() or "  " in value:
            self.wrong(
                place,
                f"one line of at most {MAX_TEXT} printable characters without blanks at its ends or two in a row",
                value,
                "write it anew",
            )
        return value

    def texts(self, value: object, place: str) -> tuple[str, ...]:
        items = self.items(value, place)
        return tuple([self.text(item, f"{place}[{i}]") for i, item in enumerate(items, 1)])

    def items(self, value: object, place: str) -> Sequence[Any]:
        if not isinstance(value, list) or len(value) > MAX_ITEMS:
            self.wrong(place, f"a list of at most {MAX_ITEMS} items", value, "write it as [..., ...]")
            return ()
        return value

    def number(self, value: object, place: str) -> Decimal:
        """A bounded decimal, 0 if it is none."""
        if type(value) is int and abs(value) <= MAX_NUMBER:
            return Decimal(value)
        if isinstance(value, Decimal) and value.is_finite() and value.copy_abs() <= MAX_NUMBER and _digits(value) <= MAX_DECIMALS:
            return value
        self.wrong(
            place,
            f"a number from -{MAX_NUMBER} to {MAX_NUMBER} of at most {MAX_DECIMALS} digits after the point",
            str(value) if isinstance(value, Decimal) else value,
            "write such a number without quotes",
        )
        return Decimal(0)

    def domain(self, table: Mapping[str, Any], name: str) -> Domain | None:
        """The domain of a table, None if anything in it has the wrong form."""
        if not _NAME.fullmatch(name):
            self.wrong(
                "the file's name", "2 to 40 small letters, digits and underscores, a letter first", name, "rename the file"
            )
        self.keys(table, {*_TEXTS, "truths", "actions"}, "the file", set())
        words = {key: self.text(table[key], key) for key in _TEXTS if key in table}
        truths = self.texts(table.get("truths", []), "truths")
        actions = []
        for i, entry in enumerate(self.items(table.get("actions", []), "actions"), 1):
            if not isinstance(entry, dict):
                self.wrong(f"action {i}", "a table", entry, "begin it with [[actions]]")
                continue
            called = entry.get("name")
            place = f"action {i} ({printable(called)!r})" if isinstance(called, str) else f"action {i}"
            actions.append(self.action(entry, place, truths))
        return None if self.problems else Domain(name=name, **words, truths=truths, actions=tuple(actions))

    def action(self, entry: Mapping[str, Any], place: str, truths: tuple[str, ...]) -> Action:
        if "quantity" not in entry:
            self.keys(entry, _PLAIN, place, _OPTIONAL)
            numeric: dict[str, Any] = {}
            outcomes = self.texts(entry.get("outcomes", []), f"{place}, outcomes")
            size: int | None = len(outcomes) if isinstance(entry.get("outcomes"), list) else None
        else:
            needed = _INTERVALS if "intervals" in entry else _CUT
            self.keys(entry, needed, place, {*_OPTIONAL, "decimals"})
            outcomes = ()
            numeric = {
                "quantity": self.text(entry["quantity"], f"{place}, quantity"),
                "unit": self.text(entry.get("unit", ""), f"{place}, unit", empty=True),
                **self.scale(entry, place),
            }
            size = (
                len(numeric["bounds"]) - 1 if numeric["bounds"] else None
            )  # None: the scale was wrong, which is a problem already
        return Action(
            name=self.text(entry.get("name", ""), f"{place}, name") if "name" in entry else "",
            does=self.text(entry.get("does", ""), f"{place}, does") if "does" in entry else "",
            outcomes=outcomes,
            excludes=self.excludes(entry["excludes"], f"{place}, excludes", truths, size) if "excludes" in entry else (),
            **numeric,
        )

    def scale(self, entry: Mapping[str, Any], place: str) -> dict[str, Any]:
        """decimals and bounds of a numeric action."""
        so_far = len(self.problems)
        cuts = self._from_intervals(entry["intervals"], place) if "intervals" in entry else self._from_cuts(entry, place)
        if len(self.problems) > so_far:
            return {"decimals": 0, "bounds": ()}
        digits = max([_digits(cut) for cut in cuts], default=0)
        decimals = entry.get("decimals", digits)
        if type(decimals) is not int or not 0 <= decimals <= MAX_DECIMALS:
            self.wrong(
                f"{place}, decimals",
                f"a whole number from 0 to {MAX_DECIMALS}",
                decimals,
                "write how many digits follow the point",
            )
        elif decimals < digits:
            self.wrong(f"{place}, decimals", f"at least {digits}, as in the bounds", decimals, "raise it or round the bounds")
        else:
            bounds = tuple([int(cut.scaleb(decimals)) for cut in cuts])
            for low, high in pairwise(bounds):
                if low >= high:
                    a, b = Decimal(low).scaleb(-decimals), Decimal(high).scaleb(-decimals)
                    self.problems.append(f"{place}: {a} does not lie below {b}; write low, the cuts and high in ascending order")
            return {"decimals": decimals, "bounds": bounds}
        return {"decimals": 0, "bounds": ()}

    def _from_cuts(self, entry: Mapping[str, Any], place: str) -> list[Decimal]:
        if not {"low", "high", "cuts"} <= set(entry):
            return []  # that they are missing is a problem already
        inner = [self.number(cut, f"{place}, cuts[{i}]") for i, cut in enumerate(self.items(entry["cuts"], f"{place}, cuts"), 1)]
        return [self.number(entry["low"], f"{place}, low"), *inner, self.number(entry["high"], f"{place}, high")]

    def _from_intervals(self, value: object, place: str) -> list[Decimal]:
        """The bounds of half-open intervals, which have to follow each other without gap and overlap."""
        cuts: list[Decimal] = []
        for i, pair in enumerate(self.items(value, f"{place}, intervals"), 1):
            at = f"{place}, intervals[{i}]"
            if not isinstance(pair, list) or len(pair) != 2:
                self.wrong(at, "a pair [low, high]", pair, "write both ends of the interval")
                continue
            low, high = self.number(pair[0], at), self.number(pair[1], at)
            if low >= high:
                self.wrong(at, "a lower end below the upper one", f"[{low}, {high}]", "swap or change them")
            elif cuts and low > cuts[-1]:
                self.wrong(at, f"a lower end at {cuts[-1]}", str(low), f"close the gap from {cuts[-1]} to {low}")
            elif cuts and low < cuts[-1]:
                what = "overlap" if high > cuts[0] and low >= cuts[0] else "wrong order"
                remedy = f"end the interval before where this one begins ({what})" if what == "overlap" else "sort the intervals"
                self.wrong(at, f"a lower end at {cuts[-1]}", str(low), remedy)
            cuts += [low, high] if not cuts else [high]
        return cuts

    def excludes(self, value: object, place: str, truths: tuple[str, ...], size: int | None) -> tuple[tuple[int, ...], ...]:
        """Exclusions that the file brings along: for each outcome the names of the truths that it excludes.

        size: the number of outcomes, None if the file does not say.
        """
        lists = self.items(value, place)
        if size is not None and len(lists) != size:
            self.wrong(place, f"{size} lists, one per outcome", len(lists), "write one list of truths per outcome, [] for none")
        out = []
        for i, listed in enumerate(lists, 1):
            found = self.texts(listed, f"{place}[{i}]")
            for truth in found:
                if truth not in truths:
                    near = get_close_matches(truth, truths, 1)
                    remedy = f"write {near[0]!r}" if near else "add it to the truths or take it out"
                    self.wrong(f"{place}[{i}]", "a truth of the domain", truth, remedy)
            for truth in _repeated(found):
                self.wrong(f"{place}[{i}]", "each truth once", truth, "take one out")
            out.append(tuple(sorted({truths.index(truth) for truth in found if truth in truths})))
        return tuple(out)


def _digits(value: Decimal) -> int:
    """The number of digits after the point that a finite decimal needs."""
    _, digits, exponent = value.as_tuple()  # as written: arithmetic rounds, and raises for exponents of nine digits
    assert isinstance(exponent, int)
    last = max([i for i, digit in enumerate(digits) if digit], default=-1)
    return max(0, last + 1 - len(digits) - exponent) if last >= 0 else 0


def _repeated(items: Sequence[T]) -> list[T]:
    return [item for i, item in enumerate(items) if item in items[:i]]


def write(domain: Domain) -> str:
    """The domain as a file, with its exclusions if it has any; `parse` gives back the same domain."""
    lines = [f"{key} = {_quoted(getattr(domain, key))}" for key in _TEXTS]
    lines += ["truths = [", *[f"    {_quoted(truth)}," for truth in domain.truths], "]"]
    for action in domain.actions:
        lines += ["", "[[actions]]", f"name = {_quoted(action.name)}", f"does = {_quoted(action.does)}"]
        if action.numeric:
            low, *cuts, high = [f"{Decimal(bound).scaleb(-action.decimals):f}" for bound in action.bounds]
            lines += [f"quantity = {_quoted(action.quantity)}", f"unit = {_quoted(action.unit)}"]
            lines += [f"low = {low}", f"high = {high}", f"cuts = [{', '.join(cuts)}]", f"decimals = {action.decimals}"]
        else:
            lines.append(f"outcomes = [{', '.join([_quoted(text) for text in action.outcomes])}]")
        if action.excludes:
            lists = [", ".join([_quoted(domain.truths[t]) for t in out]) for out in action.excludes]
            lines += ["excludes = [", *[f"    [{listed}]," for listed in lists], "]"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
