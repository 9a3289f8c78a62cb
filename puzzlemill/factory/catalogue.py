"""A catalogue of all that can be made: families with parameters, optional rules and variants, for programs and for people."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from textwrap import fill
from typing import Any, NamedTuple

from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily, Transform
from puzzlemill.core.text import nearest
from puzzlemill.core.types import Spec
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.settings import variants_of
from puzzlemill.generators import families
from puzzlemill.questions import may_grade
from puzzlemill.transforms import transforms as known_transforms

_WIDTH = 110


class Parameter(NamedTuple):
    """values: which it may have, in words. about: what it means, "" where its name says it."""

    default: int | str | bool
    values: str
    about: str


def catalogue() -> dict[str, dict[str, Any]]:
    """Every family with its parameters, optional rules, transforms, and the variants that fit its default puzzle; JSON-able."""
    return {name: entry(family) for name, family in families().items()}


@lru_cache(maxsize=64)
def entry(family: AnyFamily) -> dict[str, Any]:
    """One family's part of the catalogue."""
    spec: Spec[Any] = Spec(family.params())
    known, own = known_transforms(family), parameters_of(family)
    chains = variants_of(family)
    fitting = {name: chain for name, chain in chains.items() if _fits(family, spec, chain)}
    others = {name: chain for name, chain in chains.items() if name not in fitting and _could(chain, known, own)}
    return {
        "title": family.title,
        "version": family.version,
        "params": {
            f.name: {
                "type": str(f.type),
                "default": own[f.name].default,
                "values": own[f.name].values,
                "about": own[f.name].about,
            }
            for f in fields(family.params)
        },
        "rules": list(family.rules),
        "transforms": {
            name: {
                "kind": transform.kind.value,
                "args": {arg: getattr(transform, arg) for arg in transform.args},
                "about": transform.about,
                "needs": transform.needs,
            }
            for name, transform in known.items()
        },
        "variants": {name: _about(chain, known) for name, chain in fitting.items()},
        "kinds": {name: _kinds(chain, known) for name, chain in fitting.items()},
        "others": {name: _about(chain, known) for name, chain in others.items()},
        "source": family.source,
    }


def parameters_of(family: AnyFamily) -> dict[str, Parameter]:
    """A family's parameters by name."""
    usual = family.params()
    said = dict(_said(family))
    return {
        each.name: Parameter(getattr(usual, each.name), _values(each, usual), said.get(each.name, ""))
        for each in fields(family.params)
    }


def _values(declared: Any, usual: Any) -> str:
    """The values that a parameter may have, in words. A bound that depends on others is that of the default puzzle."""
    bounds, value = declared.metadata.get("bounds"), getattr(usual, declared.name)
    if bounds is not None and bounds.among:
        return " or ".join(", ".join(map(str, bounds.among)).rsplit(", ", 1))
    if type(value) is bool:
        return "true or false"
    if bounds is None or (bounds.least is None and bounds.most is None):
        return "a whole number" if type(value) is int else "text"
    least, most = (bound(usual) if callable(bound) else bound for bound in (bounds.least, bounds.most))
    span = f"at least {least}" if most is None else f"at most {most}" if least is None else f"{least} to {most}"
    span += f" or {bounds.unset}" if bounds.unset is not None else ""
    return f"{span} here" if callable(bounds.least) or callable(bounds.most) else span


def _said(family: AnyFamily) -> Iterator[tuple[str, str]]:
    """The meaning of parameters, as the docstring of their class has it: `name: meaning. other, third: meaning.`"""
    names = [each.name for each in fields(family.params)]
    text = " ".join((family.params.__doc__ or "").split())
    one = "|".join(names)
    heads = list(re.finditer(rf"(?:^|(?<=[.;:] ))((?:{one})(?:, (?:{one}))*)(?:: )", text)) if names else []
    ends = [*[head.start() for head in heads[1:]], len(text)]
    for head, end in zip(heads, ends, strict=False):
        meaning = text[head.end() : end].strip().rstrip(".;")
        for name in head[1].split(", "):
            yield name, meaning


def _about(chain: Sequence[Any], known: Mapping[str, Transform]) -> str:
    names = [call if type(call) is str else call["name"] for call in chain]
    return "; ".join([known[name].about for name in names]) or "the puzzle as it is known, nothing changed"


def _kinds(chain: Sequence[Any], known: Mapping[str, Transform]) -> list[str]:
    names = [call if type(call) is str else call["name"] for call in chain]
    return list(dict.fromkeys([known[name].kind.value for name in names]))


def _could(chain: Sequence[Any], known: Mapping[str, Transform], own: Collection[str]) -> bool:
    """Return whether other parameters of the family let it have this variant."""
    needs = _needs(chain, known)
    return bool(needs) and set(re.findall(r"family\.params\.(\w+)", needs)) <= set(own)


def _fits(family: AnyFamily, spec: Spec[Any], chain: Sequence[Any]) -> bool:
    """Return whether a variant may be asked of this spec."""
    stratum = {"family": family.name, "params": {f.name: getattr(spec.params, f.name) for f in fields(family.params)}}
    variant = {"name": "asked", "transforms": list(chain)}
    try:
        Recipe.from_plain(
            {
                "name": "asked",
                "seed": "asked",
                "strata": [{**stratum, "variants": [variant] if chain else [], "counts": {"test": 1}, "lopsided": True}],
            }
        )
    except BadParams:
        return False
    return True


def sheet(family: AnyFamily) -> str:
    """One family for people: a line for each parameter, optional rule and variant."""
    found, own = entry(family), parameters_of(family)
    known = known_transforms(family)
    lines = [f"{family.name}  {family.title}, version {family.version}", "", "parameters (default; values)"]
    rows = [(f"{name}={_plain(each.default)}", each.values, each.about) for name, each in own.items()]
    lines += _table(rows)
    if family.rules:
        lines += ["", "rules, as in rules=[" + next(iter(family.rules)) + "]"]
        lines += _table([(name, f"{known[name].about if name in known else ''}{_sizes(family, name)}") for name in family.rules])
    lines += ["", "variants, as in variant=" + next((name for name in found["variants"] if name != "canonical"), "canonical")]
    lines += _table([(name, "+".join(found["kinds"][name]) or "-", about) for name, about in found["variants"].items()])
    if found["others"]:
        chains = variants_of(family)
        lines += ["", "variants that the default puzzle is not fit for"]
        lines += _table(
            [
                (name, "+".join(_kinds(chains[name], known)), f"{about}{_needs(chains[name], known)}")
                for name, about in found["others"].items()
            ]
        )
    graded = may_grade(family, Spec(family.params()))
    band = "band=easy, medium or hard: what the puzzle must grade as" if graded else "no grades: band cannot be asked for"
    lines += ["", f"{band}. Source: {family.source}."]
    return "\n".join(lines)


def _needs(chain: Sequence[Any], known: Mapping[str, Transform]) -> str:
    needs = [known[call if type(call) is str else call["name"]].needs for call in chain]
    return "".join([f"; needs {need}" for need in needs if need])


def _sizes(family: AnyFamily, rule: str) -> str:
    sizes = family.rules[rule].sizes
    return f" (size {', '.join(map(str, sizes))})" if sizes else ""


def _plain(value: int | str | bool) -> str:
    return str(value).lower() if type(value) is bool else str(value) or '""'


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows as lines, in columns, the last one as long as it is."""
    widths = [min(34, max(len(row[i]) for row in rows)) for i in range(len(rows[0]) - 1)]
    return [
        ("  " + "  ".join([*[f"{text:<{width}}" for text, width in zip(row, widths, strict=False)], row[-1]])).rstrip()
        for row in rows
    ]


def described(family: AnyFamily) -> str:
    """A family as `help` shows it: what it is, its rules, an example, and the sheet."""
    module = (sys.modules[type(family).__module__].__doc__ or "").strip().split("\n\n")
    first, source = module[0], ("Source:", "Slots ", "Seen ", "Arguments ", "Clue kinds")
    rules = "\n".join([line for line in "\n\n".join(module[1:2]).split("\n") if not line.startswith(source)])
    example = f'    puzzlemill.make("{family.name}"{_example(family)})'
    return "\n\n".join([part for part in (first, rules, example, sheet(family)) if part]) + "\n"


def _example(family: AnyFamily) -> str:
    name, each = next(iter(parameters_of(family).items()))
    value = f'"{each.default}"' if type(each.default) is str else str(each.default)
    return f', {name}={value}, seed="demo"'


_DESCRIBED: set[str] = set()  # families whose docstring is theirs for people


class Families(Mapping[str, AnyFamily]):
    """Every family by name. The docstring of one says what it is and what can be asked of it: `help(FAMILIES["sudoku"])`."""

    def __getitem__(self, name: str) -> AnyFamily:
        known = families()
        if name not in known:
            raise KeyError(f"unknown family {name!r}; known: {', '.join(known)}{nearest(str(name), known)}")
        family = known[name]
        if name not in _DESCRIBED:
            type(family).__doc__ = described(family)
            _DESCRIBED.add(name)
        return family

    def __iter__(self) -> Iterator[str]:
        return iter(families())

    def __len__(self) -> int:
        return len(families())

    def __repr__(self) -> str:
        return f"<families: {', '.join(families())}>"


@lru_cache(maxsize=1)
def known_families() -> Families:
    """The one mapping of all families."""
    return Families()


def overview() -> str:
    """All families for people, a line for each."""
    rows = [
        (name, family.title, " ".join([f"{key}={_plain(each.default)}" for key, each in parameters_of(family).items()]))
        for name, family in families().items()
    ]
    width = max(len(name) for name, *_ in rows)
    return "\n".join(
        [fill(f"{name:<{width}}  {title}: {params}", _WIDTH, subsequent_indent=" " * (width + 2)) for name, title, params in rows]
    )
