"""Names of settings: one vocabulary for the command line, Python and recipes.

A setting has one long name (`family.params.size`, `strata.zebra.band`), and short ones where these can mean nothing else: a
parameter of the one family, or of the only stratum that has it (`size`); a stratum's name and what is its own (`zebra.size`,
`zebra.band`). A name that could mean several things is refused with the choices, an unknown one with what it is nearly like.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from puzzlemill.core.errors import BadParams
from puzzlemill.core.text import nearest
from puzzlemill.factory.conf import usual
from puzzlemill.generators import family_named

ALIKE = ("name", "seed", "license", "reply_formats", "voices", "excludes")  # of a release as a whole
GROUPED = ("proof", "executor", "reasoning")  # mappings of settings, of a release as a whole
EACH = (
    "count",
    "split",
    "variant",
    "asks",
    "unsolvable",
    "band",
    "lopsided",
    "trace",
)  # of every stratum that does not say otherwise
OWN = (
    *("family", "params", "rules", "variants", "counts", "reply_formats"),
    *("voices", "asks", "unsolvable", "band", "lopsided", "trace"),
)
_LONG = {"variant": "variants", "count": "counts"}  # of a stratum: the name of the same in its long form
ONE_OF = {"ask": "asks", "reply_format": "reply_formats"}  # of one puzzle: the list that it is the only one of
_EXTENTS = ("size", "rows", "cols", "positions", "disks", "places", "persons", "people", "items", "letters", "terms")
_SIZES = (*_EXTENTS, "n", "length", "width", "height", "columns", "houses", "discs", "rings", "dimension", "side", "grid")
_GONE = {  # what is written elsewhere or was written before -> the remedy
    "apart": "apart is now exclude, as in exclude=DIR",
    "parts": "parts are now strata, as in strata.NAME.band=hard, or short NAME.band=hard",
    "groups": "their number is count, as in count=100",
    "rows": "the number of groups is count, as in count=100",
    "difficulty": "it is band, as in band=hard",
    "level": "the difficulty is band, as in band=hard",
    "transforms": "write variant=NAME for a transform; `puzzlemill list FAMILY` names them",
    "params": "write a parameter by its name, as in size=6",
}


class Full(NamedTuple):
    """A long name; listed: whether its value is the only one of a list."""

    name: str
    listed: bool = False


def parameters(family: Any) -> tuple[str, ...]:
    """The names of a family's parameters; () of a family that there is not, which is refused elsewhere."""
    try:
        return tuple([each.name for each in fields(family_named(str(family)).params)])
    except BadParams:
        return ()


@dataclass(frozen=True, slots=True)
class Scope:
    """The puzzles that settings are about: of one family, or of the strata of a recipe, as they stand before the settings."""

    family: str = ""
    strata: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def without(self, names: Collection[str]) -> Scope:
        """The same without these strata."""
        return Scope(self.family, {name: each for name, each in self.strata.items() if name not in names})

    def full(self, name: str) -> Full:
        """The long name of a setting. Raises BadParams for one that there is not, or that could mean several things."""
        head, _, rest = name.partition(".")
        if name in ONE_OF:
            return Full(ONE_OF[name], listed=True)
        if head in GROUPED:
            known = list(usual()[head])
            if rest and rest not in known:
                raise BadParams(f"{name}: there is no such setting here; known: {', '.join(known)}{nearest(rest, known)}")
            return Full(name)
        if name in ALIKE:
            return Full(name)
        if self.strata:
            return self._in_strata(name, head, rest)
        if name in EACH or head == "variant":
            return Full(name)
        own = parameters(self.family)
        if head == "family":
            return Full(self._of_family(name, own), listed=name == "family.rules")
        if name == "rules":
            return Full("family.rules", listed=True)
        if name in own:
            return Full(f"family.params.{name}")
        if head == "strata":
            alone = rest.partition(".")[2].removeprefix("params.")
            remedy = f"write {alone}=..., without them" if alone else "leave it out"
            raise BadParams(f"{name}: there is one family and no strata here; {remedy}")
        raise self._unknown(name, (*ALIKE, *EACH, "rules", *own), own)

    def _of_family(self, name: str, own: Collection[str]) -> str:
        parts = name.split(".")
        if parts[1:2] == ["params"] and len(parts) == 3 and parts[2] not in own:
            raise BadParams(f"{name}: {self.family} has no such parameter; known: {', '.join(own)}{nearest(parts[2], own)}")
        if len(parts) == 2 and parts[1] in own:  # family.size
            return f"family.params.{parts[1]}"
        return name

    def _in_strata(self, name: str, head: str, rest: str) -> Full:
        if head == "strata" and rest:
            return self._of_stratum(name, *_split(rest))
        if head in self.strata and rest and head not in ("family", "variant"):
            return self._of_stratum(name, head, rest)
        if name in EACH:
            self._refuse_where_own(name)
            return Full(name)
        if head == "family":
            choices = self._choices([f"{stratum}.{rest.removeprefix('params.')}" for stratum in self.strata] if rest else [])
            raise BadParams(f"{name}: there is no such setting here: there are several strata, each with its family; {choices}")
        having = [each for each, stratum in self.strata.items() if name in parameters(stratum.get("family")) or name == "rules"]
        if len(having) == 1:
            return self._of_stratum(name, having[0], name)
        if having:
            raise BadParams(f"{name}: could be of several strata; {self._choices([f'{each}.{name}' for each in having])}")
        every = dict.fromkeys([each for stratum in self.strata.values() for each in parameters(stratum.get("family"))])
        raise self._unknown(name, (*ALIKE, *EACH, *every, *self.strata), ())

    def _refuse_where_own(self, name: str) -> None:
        """A stratum that says otherwise would silently stay as it is."""
        own = [each for each, stratum in self.strata.items() if name in stratum or _LONG.get(name) in stratum]
        if name == "split":
            own = [each for each, stratum in self.strata.items() if "counts" in stratum]
        if own:
            long = {"count": "counts.train", "split": "counts", "variant": "variants"}.get(name, name)
            raise BadParams(
                f"{name}: there is no such setting here for all strata: some have their own; "
                f"{self._choices([f'strata.{each}.{long}' for each in own])}"
            )

    def _of_stratum(self, name: str, stratum: str, rest: str) -> Full:
        if stratum not in self.strata:
            raise BadParams(
                f"{name}: there is no stratum {stratum!r}; known: {', '.join(self.strata)}{nearest(stratum, self.strata)}"
            )
        given, place = self.strata[stratum], f"strata.{stratum}"
        own = parameters(given.get("family"))
        head, _, more = rest.partition(".")
        if not rest:
            return Full(place)
        if rest in ONE_OF:
            return Full(f"{place}.{ONE_OF[rest]}", listed=True)
        if rest == "variant":
            return Full(f"{place}.variants", listed=True)
        if head == "params" and more and more not in own:
            raise BadParams(
                f"{place}.{rest}: {given.get('family')} has no such parameter; known: {', '.join(own)}{nearest(more, own)}"
            )
        if rest in ("count", "split") and "counts" in given:
            splits = self._choices([f"{place}.counts.{split}" for split in given["counts"]])
            raise BadParams(f"{place}.{rest}: there is no such setting here: the stratum has counts by split; {splits}")
        if head in OWN or rest in ("count", "split"):
            return Full(f"{place}.{rest}", listed=rest == "rules")
        if rest in own:
            return Full(f"{place}.params.{rest}")
        known = (*OWN, "variant", "count", *own)
        raise BadParams(
            f"{place}.{rest}: there is no such setting here; known: {', '.join(known)}{nearest(rest, known)}{gone(rest)}"
        )

    def _choices(self, names: list[str]) -> str:
        shown = [f"{each}=..." for each in names[:8]]
        return (
            f"write {', '.join(shown[:-1])}{' or ' if shown[1:] else ''}{shown[-1]}" if shown else "write strata.NAME... of one"
        )

    def _unknown(self, name: str, known: Collection[str], own: Collection[str]) -> BadParams:
        first = f"parameters of {self.family}: {', '.join(own) or 'none'}" if self.family else f"strata: {', '.join(self.strata)}"
        others = ", ".join([*[each for each in ALIKE if each != "excludes"], "exclude", *EACH])
        meant = sized(name, own) or gone(name) or nearest(name, {*known, "exclude"})
        return BadParams(f"{name}: there is no such setting here; {first}; other settings: {others}{meant}")


def _split(rest: str) -> tuple[str, str]:
    stratum, _, more = rest.partition(".")
    return stratum, more


def sized(name: str, own: Collection[str]) -> str:
    """The end of an error about a word for how large a puzzle is that the family, which has these parameters, does not use."""
    near = [each for each in own if each in _EXTENTS] if name in _SIZES and name not in own else []
    return f"; did you mean {' or '.join(near[:3])}?" if near else ""


def short_names(message: str, before: str) -> str:
    """An error about a family's parameters with the names that people write, `before` them: size for family.params.size."""
    own = {*ALIKE, *EACH, *ONE_OF}
    message = re.sub(r"(?:family\.|strata\.\w+\.|\b)params: \w+\.(\w+) must be", rf"{before}\1: must be", message)

    def short(found: re.Match[str]) -> str:
        return found[0] if found[1] in own and not before else f"{before}{found[1]}"

    message = re.sub(r"(?:family\.|strata\.\w+\.|\b)params\.(\w+)", short, message)
    return re.sub(r"^([\w.]+)(: must be .*); set \1\Z", r"\1\2", message)


def gone(name: str) -> str:
    """The end of an error about a name that is written elsewhere or was written before, "" about others."""
    remedy = _GONE.get(name.partition(".")[0])
    return f"; {remedy}" if remedy else ""
