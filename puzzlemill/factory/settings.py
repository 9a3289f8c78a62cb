"""Settings, as conf/, a file of one's own, Python or the command line give them, and the recipe that they describe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import Spec
from puzzlemill.factory import conf
from puzzlemill.factory.conf import choices, shipped, unknown
from puzzlemill.factory.recipe import CANONICAL, Recipe, check_settings
from puzzlemill.factory.words import ALIKE, EACH, GROUPED, OWN, Scope, parameters, short_names
from puzzlemill.generators import families
from puzzlemill.kumo.domain import files
from puzzlemill.transforms import transforms
from puzzlemill.vocabulary import quote_files, quotes

OWN_DOMAINS = "own"  # as family.params.domain: all files of domains=PATH
_DOMAIN_WORDS = (OWN_DOMAINS, "authored", "invented")
_PATHS = ("out", "exclude", "domains")  # as they stand
_SINGLE = "single"  # the file of conf/release that is one family, named with its settings
_MIX = "mix"  # the name of a recipe of several families
_HEAD = {"seed": "demo", "reply_formats": ["json", "tags", "boxed", "table"]}  # of a recipe that does not say
_SHARED = {"count": 20, "split": "train"}  # the same of a mix


# ---- what settings begin with -------------------------------------------------------------------------------------------


def is_path(release: object) -> bool:
    """Return whether `release` names a recipe of one's own rather than one of conf/release."""
    return type(release) is str and release.endswith((".yaml", ".yml"))


def base_of(family: object = "", release: object = "") -> dict[str, Any]:
    """The settings that others change: of a recipe by its name or file, of one family, or of a mix of several.

    Raises BadParams for unknown names, BadFile for a file that cannot be read.
    """
    if release and family:
        raise BadParams("family: there is no such setting here, as a release has its own families; leave family or release out")
    if type(release) is not str or (family and type(family) not in (str, list, tuple)):
        raise BadParams(f"release, family: expected a release's name, or a family's or a list of them; got {release or family!r}")
    if is_path(release):
        return own_recipe(Path(release).expanduser())
    if release and release != _SINGLE:
        return shipped("release", release)
    if type(family) in (list, tuple):
        return mix(family)  # type: ignore[arg-type]  # it is a list
    single = shipped("release", _SINGLE)
    return {**single, "family": shipped("family", str(family or "sudoku")), "variant": shipped("variant", "canonical")}


def mix(names: Sequence[Any]) -> dict[str, Any]:
    """The settings of a mix: a stratum for each family; count=N are its groups, shared among them in equal parts."""
    if not names or len(set(map(str, names))) < len(names) or any(type(name) is not str for name in names):
        raise BadParams(f"family: expected one or several different names, as in [sudoku,zebra], got {list(names)!r}")
    strata: dict[str, dict[str, Any]] = {}
    for name in names:
        family = shipped("family", name)
        strata[name] = {"family": family["name"], **{key: family[key] for key in ("params", "rules") if key in family}}
    return {"name": _MIX, **_HEAD, **_SHARED, "strata": strata}


def own_recipe(path: Path) -> dict[str, Any]:
    """The settings in a file of the user's. It has strata, as the files of conf/release, or a family (or several) and settings.

    The file's name is the recipe's where it does not say; seed and reply_formats have the usual values.
    """
    given = conf.read(path, own=True)
    for name in ("defaults", "hydra", "executor", "out", "exclude", "domains", "release"):
        if name in given:
            remedy = "; give it on the command line" if name in (*_PATHS, "executor") else ""
            raise BadFile(f"{path}: {name}: not taken in a recipe{remedy or ', which holds everything itself; leave it out'}")
    head = {"name": path.stem.lower(), **_HEAD}
    if "strata" in given:
        if "family" in given:
            raise BadFile(f"{path}: has family and strata; a stratum names its own family, so leave family out")
        strata = mapping(given["strata"], f"{path}: strata")
        each = {} if all(type(each) is dict and {"counts", "count"} & set(each) for each in strata.values()) else _SHARED
        if not each and (mute := [name for name in _SHARED if name in given]):
            raise BadFile(f"{path}: {mute[0]}: all strata say how many groups they have; leave it out")
        strata = {name: long_names(mapping(each, at), at) for name, each in strata.items() for at in [f"{path}: strata.{name}."]}
        return {**head, **each, **given, "strata": strata}
    if "family" not in given:
        raise BadFile(
            f"{path}: has neither family nor strata; begin with `family: sudoku` or with `strata:`, as docs/mixes.md shows"
        )
    family = given.pop("family")
    base = {**mix(family if type(family) is list else [family]), **head}
    try:
        return changed(base, given)
    except BadParams as error:
        raise BadParams(f"{path}: {error}") from None


def scope_of(settings: Mapping[str, Any]) -> Scope:
    """What names of settings are about."""
    if "strata" in settings:
        strata = mapping(settings["strata"], "strata")
        return Scope(strata={name: mapping(stratum, f"strata.{name}") for name, stratum in strata.items()})
    return Scope(family=str(mapping(settings["family"], "family").get("name")))


def changed(settings: dict[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with these words, long or short names with their values. Raises BadParams for names that there are not."""
    scope = scope_of(settings)
    parts = [
        (f"{name}.{part}", each)
        for name, value in words.items()
        if name in scope.strata and type(value) is dict
        for part, each in value.items()
    ]
    for name, value in [*[(name, words[name]) for name in words if name not in dict.fromkeys(scope.strata)], *parts]:
        full = scope.full(name)
        value = conf.plain(value, name)
        at, steps = settings, full.name.split(".")
        for step in steps[:-1]:
            below = at.setdefault(step, {})
            if type(below) is not dict:
                raise BadParams(f"{name}: {step} is {below!r} here and has no settings of its own; set {step} as a whole")
            at = below
        if type(at.get(steps[-1])) is dict and type(value) is dict and len(steps) == 1 and steps[0] in GROUPED:
            value = {**at[steps[-1]], **value}
        at[steps[-1]] = [value] if full.listed and type(value) is not list else value
    return settings


def settled(family: object = "", release: object = "", words: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settings as `puzzlemill generate` composes them from the same words."""
    base = base_of(family, release)
    return changed({**conf.usual(), **base, "proof": {**conf.usual()["proof"], **base.get("proof", {})}}, words or {})


# ---- the recipe ---------------------------------------------------------------------------------------------------------


def recipe_of(settings: Mapping[str, Any]) -> Recipe:
    """The recipe that composed settings describe; errors name the settings."""
    known = {"name", "seed", "license", "reply_formats", "proof", "executor"}
    known |= {"strata"} if "strata" in settings else {"family", *EACH}
    optional = {*_PATHS, *ALIKE, *GROUPED, *(EACH if "strata" in settings else ())}
    check_settings(settings, known | optional, known, "")
    if "strata" in settings:
        given = mapping(settings["strata"], "strata")
        shares = _shares(settings, given)
        each = {name: settings[name] for name in (*EACH, "voices", "reply_formats") if name in settings}
        strata = [
            _stratum({**each, "count": shares.get(name, 0), **mapping(stratum, f"strata.{name}")}, f"strata.{name}.")
            for name, stratum in given.items()
        ]
    else:
        family = mapping(settings["family"], "family")
        check_settings(family, {"name", "params", "rules"}, {"name", "params"}, "family.")
        one = {name: settings[name] for name in (*EACH, "voices", "reply_formats") if name in settings}
        strata = [_stratum({**one, "family": family["name"], "params": family["params"], "rules": family.get("rules", [])}, "")]
    own = _own_domains(settings["domains"]) if "domains" in settings else {}
    used = {name for stratum in strata for name in _name_own(stratum, own)}
    if own and not used:
        raise BadParams(f"domains: no stratum draws from {settings['domains']}; set domain={OWN_DOMAINS} to draw from all")
    quotations = dict([named for stratum in strata for named in _name_sources(stratum)])
    seed = settings["seed"]
    plain = {
        "name": settings["name"],
        "seed": str(seed) if type(seed) is int else seed,  # seed=7 is read as a number
        "license": settings["license"],
        "strata": strata,
        **({"domains": {name: text for name, text in own.values() if name in used}} if used else {}),
        **({"quotations": quotations} if quotations else {}),
        **({"excludes": settings["excludes"]} if "excludes" in settings else {}),
        **({"reasoning": settings["reasoning"]} if "reasoning" in settings else {}),
        **mapping(settings["proof"], "proof"),
    }
    with named_by(settings):
        return Recipe.from_plain(plain)


@contextmanager
def named_by(settings: Mapping[str, Any]) -> Iterator[None]:
    """Errors of a recipe, which number its strata, name them and their settings as the settings do."""
    if "strata" in settings:
        labels = {f"strata[{number}]": f"strata.{name}" for number, name in enumerate(settings["strata"])}
    else:
        labels = {
            "strata[0].params": "family.params",
            "strata[0].rules": "family.rules",
            "strata[0].variants[0]": "variant",
            "strata[0].counts": "count",
            "strata[0].reply_formats": "reply_formats",
            "strata[0].asks": "asks",
            "strata[0].voices": "voices",
            "strata[0].": "",
        }
    try:
        yield
    except BadParams as error:
        message = str(error)
        for ours, theirs in labels.items():
            message = message.replace(ours, theirs)
        stratum = re.search(r"strata\.(\w+)\.", message)
        raise BadParams(short_names(message, f"strata.{stratum[1]}." if stratum else "")) from None


def _stratum(given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A stratum as recipes have it. where: what stands before the names of its settings, "strata.NAME."."""
    stratum = long_names(given, where)
    if "counts" not in stratum:
        count = given["count"]
        stratum["counts"] = count if type(count) is dict else {str(given.get("split", "train")): count}
    variants = stratum.get("variants", [])
    if type(variants) is not list:
        raise BadParams(f"{where}variants: expected a list of variants, got {variants!r}")
    at = f"{where}variants: " if where else ""
    named = [named_variant(variant, given["family"], at) for variant in variants]
    stratum["variants"] = [variant for variant in named if (variant.get("name"), variant.get("transforms")) != (CANONICAL, [])]
    return {name: stratum[name] for name in OWN if name in stratum}


def long_names(given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A stratum with its parameters in params and its variants in a list."""
    own = parameters(given.get("family"))
    check_settings(given, {*OWN, *EACH, *own}, {"family"}, where)
    short = {name: given[name] for name in own if name in given and name not in (*OWN, *EACH)}
    stratum = {name: value for name, value in given.items() if name not in (*short, "variant")}
    if short:
        params = mapping(given.get("params", {}), f"{where}params")
        if twice := sorted(set(short) & set(params)):
            raise BadParams(f"{where}{twice[0]}: stands twice, alone and in params; leave one out")
        stratum["params"] = {**params, **short}
    if "variant" in given and "variants" not in given:
        stratum["variants"] = given["variant"] if type(given["variant"]) is list else [given["variant"]]
    return stratum


def _shares(settings: Mapping[str, Any], strata: Mapping[str, Any]) -> dict[str, Any]:
    """The groups of each stratum that does not say how many it has: equal parts of `count`, of each split."""
    count, split = settings.get("count", 0), str(settings.get("split", "train"))
    sharing = [name for name, each in strata.items() if not {"counts", "count"} & set(mapping(each, f"strata.{name}"))]
    if "count" not in settings and sharing:
        raise BadParams(f"strata.{sharing[0]}.counts: missing; it has no default")
    counts = count if type(count) is dict else {split: count}
    for name, number in counts.items():
        if type(number) is not int:
            raise BadParams(f"count.{name}: expected a whole number, got {number!r}")
    k = len(sharing)
    return {
        stratum: {name: number // k + (i < number % k) for name, number in counts.items()} for i, stratum in enumerate(sharing)
    }


def _own_domains(place: Any) -> dict[str, tuple[str, str]]:
    """The domain files of a folder, or one file: the name of each -> its name in a recipe, and its text in one form."""
    if type(place) is not str or not place:
        raise BadParams(f"domains: expected a domain file, or a folder of them, got {place!r}")
    path = Path(place)
    try:
        found = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    except OSError as error:
        raise BadParams(f"domains: {path} cannot be read ({error.strerror})") from None
    if not found or len(found) > files.MAX_ITEMS:
        raise BadParams(f"domains: expected 1 to {files.MAX_ITEMS} files *.toml in {path}, got {len(found)}")
    own = {}
    for each in found:
        if not each.is_file() or each.suffix != ".toml":
            raise BadParams(f"domains: {each} is no file *.toml; name a domain file, or a folder of them")
        if each.stem in (*files.names(), *_DOMAIN_WORDS):
            raise BadParams(f"domains: {each}: {each.stem!r} means another domain already; rename the file")
        text = files.write(files.read(each))
        own[each.stem] = files.own_name(each.stem, text), text
    return own


def _name_own(stratum: dict[str, Any], own: Mapping[str, tuple[str, str]]) -> list[str]:
    """Give own domains in a stratum's parameters the names that recipes have for them; return those that it draws from."""
    params = stratum.get("params")
    if not own or type(params) is not dict or "domain" not in params:
        return []
    given = params["domain"] if type(params["domain"]) is list else [params["domain"]]
    values: list[Any] = []
    used = []
    for value in given:
        stem, slash, side = value.partition("/") if type(value) is str else ("", "", "")
        stems = [*own] if value == OWN_DOMAINS else [stem] if stem in own else []
        used += [own[each][0] for each in stems]
        values += [own[each][0] + slash + side for each in stems] or [value]
    stratum["params"] = {**params, "domain": values}
    return used


def _name_sources(stratum: dict[str, Any]) -> list[tuple[str, str]]:
    """Give files of quotations in a stratum's parameters the names that recipes have for them; return these with their texts."""
    params = stratum.get("params")
    if type(params) is not dict or "source" not in params:
        return []
    given = params["source"] if type(params["source"]) is list else [params["source"]]
    named: dict[str, tuple[str, str]] = {}
    for source in given:
        if type(source) is str and source not in quotes.SOURCES:
            quotes.check_source(source)
            text = quote_files.write(quote_files.read(Path(source)))
            named[source] = quote_files.own_name(Path(source).stem, text), text
    stratum["params"] = {**params, "source": [named[each][0] if each in named else each for each in given]}
    return list(named.values())


def variants_of(family: AnyFamily) -> dict[str, list[Any]]:
    """A family's variants, name -> transforms: files of conf/variant, and each transform that is not the whole of one."""
    known = transforms(family)
    found = {name: shipped("variant", name)["transforms"] for name in choices("variant")}
    found = {name: calls for name, calls in found.items() if all(_name_of(call) in known for call in calls)}
    return dict(sorted({**{name: [name] for name in known if [name] not in found.values()}, **found}.items()))


def named_variant(variant: Any, family: Any, where: str = "") -> dict[str, Any]:
    """A variant by its name: a file of conf/variant, else the family's transform of that name. One that is written out stays."""
    if type(variant) is dict:
        return variant
    if type(variant) is not str:
        raise no_variant(variant, family, where)
    if variant in choices("variant"):
        return shipped("variant", variant)
    known = families().get(str(family))  # an unknown family is refused with the recipe
    if known is not None and variant not in transforms(known):
        raise no_variant(variant, family, where)
    return {"name": variant, "transforms": [variant]}


def no_variant(given: Any, family: Any, where: str) -> BadParams:
    """An error about what names no variant: with the parameters that it may be a value of where it is a number, as 9 or 9x9."""
    known = families().get(str(family))
    listed = f" to {family}" if known is not None else ""
    names = list(variants_of(known)) if known is not None else choices("variant")
    number = re.fullmatch(r"(\d{1,4})(?:x\1)?", str(given)) if type(given) in (int, str) else None
    meant = [f"{name}={number[1]}" for name in _taking(known, int(number[1]))[:2]] if known is not None and number else []
    if meant:
        remedy = f"did you mean {' or '.join(meant)}?"
        return BadParams(f"{where}variant: {given} is no variant; {remedy} Variants known{listed}: {', '.join(names)}")
    if type(given) is str:
        return BadParams(f"{where}{unknown('variant', given, names, listed)}")
    return BadParams(f"{where}variant: expected a name, got {str(given)[:60]}; known{listed}: {', '.join(names)}")


def _taking(family: AnyFamily, number: int) -> list[str]:
    """The parameters of a family's usual puzzle that may have this value in place of their own."""
    usual, found = family.params(), []
    for name in parameters(family.name):
        if type(getattr(usual, name)) is int:
            try:
                family.validate(Spec(replace(usual, **{name: number})))
            except BadParams:
                continue
            found.append(name)
    return found


def _name_of(call: Any) -> str:
    """The name of a transform that a variant asks for, alone or with arguments."""
    return str(call["name"] if type(call) is dict else call)


def workers_of(settings: Mapping[str, Any]) -> int:
    workers = mapping(settings["executor"], "executor").get("workers")
    if type(workers) is not int:
        raise BadParams(f"workers: expected a number of processes, got {workers!r}")
    return workers


def mapping(value: Any, where: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise BadParams(f"{where}: expected names and values, got {value!r}; `puzzlemill generate --cfg` prints the settings")
    return value
