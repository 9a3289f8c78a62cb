"""Settings composed from conf/ and the command line, and the recipe that they describe. Only this knows Hydra."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from puzzlemill.cli.conf import CONF, choices
from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily
from puzzlemill.factory.recipe import Recipe, check_settings
from puzzlemill.generators import families
from puzzlemill.kumo.domain import files
from puzzlemill.transforms import transforms
from puzzlemill.vocabulary import quote_files, quotes

OWN = "own"  # as family.params.domain: all files of domains=PATH
_DOMAIN_WORDS = (OWN, "authored", "invented")
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


def compose(settings: Sequence[str], root: str = "generate") -> dict[str, Any]:
    """Hydra overrides -> plain dicts, lists, ints and strings. Nothing is resolved, imported or read from outside conf/.

    root: the file of conf/ that settings begin with.

    `out=PATH`, `exclude=PATH`, `domains=PATH` and `workers=N` are short for `out`, `exclude` and `domains` as they stand (a path
    may hold any character) and executor.workers. `variant=NAME` is a file of conf/variant, else the transform of that name.
    """
    paths: dict[str, str] = {}
    asked: list[str] = []  # variants that are a transform
    overrides: list[str] = []
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals and not name.startswith("~"):
            raise BadParams(f"{setting!r} is not a setting; write name=value, for instance family=sudoku")
        if name in ("out", "exclude", "domains"):
            paths[name] = value
        elif re.split(r"[./@]", name.lstrip("+~"), maxsplit=1)[0] == "hydra":
            raise BadParams(f"{setting!r}: settings of Hydra itself are not taken; leave it out")
        elif name == "variant" and _NAME.fullmatch(value) and value not in choices("variant"):
            asked.append(value)
        else:
            overrides.append(f"executor.workers={value}" if name == "workers" else setting)
    named = [f"variant.{field}" for name in asked for field in (f"name='{name}'", f"transforms=['{name}']")]
    try:
        with initialize_config_dir(str(CONF.resolve()), version_base="1.3"):
            composed = OmegaConf.to_container(hydra_compose(root, [*named, *overrides]), resolve=False)
    except MissingConfigException as error:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        raise _unknown(group, name, choices(group)) from None
    except OverrideParseException as error:
        raise BadParams(
            f"{error.override}: cannot be read; `puzzlemill generate --help` shows how settings are written"
        ) from None
    except (HydraException, OmegaConfBaseException) as error:
        raise BadParams(_one_line(str(error))) from None
    settled: dict[str, Any] = plain(composed, "")
    for name in asked:
        named_variant(name, mapping(settled["family"], "family").get("name"))
    return {**settled, **paths}


def _unknown(kind: str, name: str, known: Iterable[str], owner: str = "") -> BadParams:
    """An error that lists the known names, and those that are nearly the same last."""
    listed = list(known)
    near = get_close_matches(name[:100], listed, 3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return BadParams(f"unknown {kind} {name!r}; known{owner}: {', '.join(listed)}{hint}")


def _one_line(message: str) -> str:
    """The part of a Hydra message that names the mistake; its advice is for people who write applications."""
    first = message.strip().splitlines()[0]
    if first.startswith("Could not override"):
        return f"{first.rstrip('.')}: there is no such setting here; `puzzlemill generate --cfg` prints those there are"
    return f"{first}; `puzzlemill generate --help` shows how settings are written"


def plain(value: Any, where: str) -> Any:
    """Refuse interpolations, code to instantiate, floats, bytes and nulls, which no setting may hold."""
    if type(value) is dict:
        for key in value:
            if type(key) is not str or key.startswith("_") or not key.isascii():
                raise BadParams(f"{where or 'settings'}: the name {key!r} is not taken; names are plain words")
        return {key: plain(item, f"{where}.{key}" if where else key) for key, item in value.items()}
    if type(value) is list:
        return [plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if type(value) is str and "${" in value:
        raise BadParams(f"{where}: {value!r} refers to something else; write the value itself")
    if type(value) not in (int, str, bool):
        raise BadParams(f"{where}: expected a number, a word or a list of them, got {value!r}")
    return value


_OF_STRATA = ("asks", "unsolvable", "band", "lopsided")  # what a stratum takes as the settings of a single one have it


def recipe_of(settings: Mapping[str, Any]) -> Recipe:
    """The recipe that composed settings describe; errors name the settings."""
    known = {"name", "seed", "license", "reply_formats", "proof", "executor"}
    known |= {"strata"} if "strata" in settings else {"family", "variant", "count", "split", *_OF_STRATA}
    check_settings(settings, known | {"out", "exclude", "excludes", "domains", "voices", "reasoning"}, known, "")
    labels = {}  # stratum of the recipe -> the user's name for it
    strata: list[dict[str, Any]] = []
    if "strata" in settings:
        for name, stratum in mapping(settings["strata"], "strata").items():
            stratum = mapping(stratum, f"strata.{name}")
            check_settings(
                stratum,
                {"family", "params", "rules", "variants", "counts", "reply_formats", "voices", *_OF_STRATA},
                {"family", "counts"},
                f"strata.{name}.",
            )
            names = stratum.get("variants", [])
            if type(names) is not list:
                raise BadParams(f"strata.{name}.variants: expected a list of variants, got {names!r}")
            labels[f"strata[{len(strata)}]"] = f"strata.{name}"
            strata.append(
                {
                    "reply_formats": settings["reply_formats"],
                    "voices": settings.get("voices", "plain"),
                    **stratum,
                    "variants": [named_variant(variant, stratum["family"], f"strata.{name}.variants: ") for variant in names],
                }
            )
    else:
        family, variant = mapping(settings["family"], "family"), mapping(settings["variant"], "variant")
        check_settings(family, {"name", "params", "rules"}, {"name", "params"}, "family.")
        check_settings(variant, {"name", "transforms"}, {"name", "transforms"}, "variant.")
        count = settings["count"]
        strata.append(
            {
                "family": family["name"],
                "params": family["params"],
                "rules": family.get("rules", []),
                "variants": [variant] if variant["transforms"] else [],
                "counts": count if type(count) is dict else {settings["split"]: count},
                "reply_formats": settings["reply_formats"],
                "asks": settings["asks"],
                "unsolvable": settings["unsolvable"],
                "band": settings["band"],
                "lopsided": settings["lopsided"],
                "voices": settings.get("voices", "plain"),
            }
        )
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
    own = _own_domains(settings["domains"]) if "domains" in settings else {}
    used = {name for stratum in strata for name in _name_own(stratum, own)}
    if own and not used:
        raise BadParams(f"domains: no stratum draws from {settings['domains']}; set family.params.domain={OWN} to draw from all")
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
    try:
        return Recipe.from_plain(plain)
    except BadParams as error:
        message = str(error)
        for ours, theirs in labels.items():
            message = message.replace(ours, theirs)
        raise BadParams(message) from None


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
        stems = [*own] if value == OWN else [stem] if stem in own else []
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
    found = {name: _variant_file(name)["transforms"] for name in choices("variant")}
    found = {name: calls for name, calls in found.items() if all(_name_of(call) in known for call in calls)}
    return dict(sorted({**{name: [name] for name in known if [name] not in found.values()}, **found}.items()))


def named_variant(variant: Any, family: Any, where: str = "") -> dict[str, Any]:
    """A variant by its name: a file of conf/variant, else the family's transform of that name. One that is written out stays."""
    if type(variant) is not str:
        return mapping(variant, f"{where}a variant")
    if variant in choices("variant"):
        return _variant_file(variant)
    known = families().get(str(family))  # an unknown family is refused with the recipe
    if known is not None and variant not in transforms(known):
        raise BadParams(f"{where}{_unknown('variant', variant, variants_of(known), f' to {family}')}")
    return {"name": variant, "transforms": [variant]}


@lru_cache(maxsize=64)
def _variant_file(name: str) -> dict[str, Any]:
    loaded = OmegaConf.to_container(OmegaConf.load(CONF / "variant" / f"{name}.yaml"), resolve=False)
    return mapping(plain(loaded, ""), "variant")


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
