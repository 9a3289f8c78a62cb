"""Settings composed from conf/ and the command line. Only this knows Hydra."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from puzzlemill.core.errors import BadParams
from puzzlemill.factory.conf import CONF, choices, plain, unknown
from puzzlemill.factory.settings import (
    base_of,
    is_path,
    mapping,
    named_by,
    named_variant,
    no_variant,
    recipe_of,
    scope_of,
    variants_of,
    workers_of,
)
from puzzlemill.factory.words import GROUPED, Scope

__all__ = ["compose", "mapping", "named_by", "named_variant", "recipe_of", "several", "variants_of", "workers_of"]

PATHS = ("out", "exclude", "domains")
_BASE = "release"  # where the settings of a recipe that is no file of conf/ are handed to Hydra
_GIVEN = "given"
_GROUPS = ("executor", "proof", "hub", "golden")  # folders of conf/, of which a setting names a file
_ONE = ("release", "name", "seed", "license", "voices", "count", "split", "band", "unsolvable", "lopsided", "trace", "workers")
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


def compose(settings: Sequence[str], root: str = "generate") -> dict[str, Any]:
    """Hydra overrides -> plain dicts, lists, ints and strings. Nothing is resolved, imported or read from outside conf/, but for
    the file that release=FILE.yaml names.

    root: the file of conf/ that settings begin with.

    `out=PATH`, `exclude=PATH`, `domains=PATH` and `workers=N` are short for `out`, `exclude` and `domains` as they stand (a path
    may hold any character; exclude=[A,B] are several) and executor.workers. `variant=NAME` is a file of conf/variant, else the
    transform of that name. Other short names are those of factory/words.py.
    """
    paths: dict[str, Any] = {}
    overrides: list[str] = []
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals and not name.startswith("~"):
            raise BadParams(f"{setting!r} is not a setting; write name=value, for instance family=sudoku")
        if name in PATHS:
            if name in paths:
                both = ", or give both in a list, exclude=[A,B]" if name == "exclude" else ""
                raise BadParams(f"{name}: is given twice; leave one out{both}")
            paths[name] = _listed(value) if name == "exclude" else value
        elif re.split(r"[./@]", name.lstrip("+~"), maxsplit=1)[0] == "hydra":
            raise BadParams(_of_hydra(setting, name))
        else:
            overrides.append(f"executor.workers={value}" if name == "workers" else _named(setting))
    if root != "generate":
        return {**_composed(root, overrides, None), **paths}
    given = _only(overrides, "family"), _only(overrides, "release")
    base = base_of(*given)
    lists_or_file = type(given[0]) is list or is_path(given[1])
    if lists_or_file:
        overrides = [each for each in overrides if each.partition("=")[0] not in ("family", "release")]
    scope = scope_of(base).without([each.removeprefix("~strata.") for each in overrides if each.startswith("~strata.")])
    late: dict[str, Any] = {}  # what is no file of conf/variant, or is one of several
    made = [new for each in overrides if (new := _long(each, scope, late))]
    variant = late.get("variant", "")
    if scope.family and type(variant) is str and variant:  # what else is said of it changes the transform
        named_variant(variant, scope.family)
        del late["variant"]
        made = [f"variant.name='{variant}'", f"variant.transforms=['{variant}']", *made]
    return {**_composed(root, made, base if lists_or_file else None), **late, **paths}


def several(settings: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The runs of `--multirun`: the settings that differ, as a folder's name, and all settings, for each combination of values.

    Raises BadParams where nothing has several values.
    """
    each: list[list[tuple[str, str]]] = []
    for setting in settings:
        if setting.partition("=")[0] in PATHS or not (override := _parsed(setting)).is_sweep_override():
            each.append([("", setting)])
            continue
        try:
            values = [str(value) for value in override.sweep_string_iterator()]
        except (HydraException, ValueError) as error:
            raise BadParams(f"{setting}: {_one_line(str(error))}") from None
        name = setting.partition("=")[0]
        each.append([(f"{name.rpartition('.')[2]}={value}", f"{name}={value}") for value in values])
    runs = [(",".join([shown for shown, _ in run if shown]), [text for _, text in run]) for run in product(*each)]
    if len(runs) < 2:
        raise BadParams("--multirun: no setting has several values; separate them by commas, as in seed=a,b")
    if odd := next((name for name, _ in runs if not re.fullmatch(r"[\w=,.+-]{1,120}", name)), ""):
        raise BadParams(f"--multirun: {odd[:60]!r} cannot name a folder; choose values that are plain words and numbers")
    return runs


def _parsed(setting: str) -> Override:
    try:
        return OverridesParser.create().parse_override(setting)
    except (OverrideParseException, HydraException) as error:
        raise BadParams(
            f"{getattr(error, 'override', setting)}: cannot be read; `puzzlemill generate --help` shows how settings are written"
        ) from None


def _only(settings: Sequence[str], name: str) -> Any:
    """The value of the one setting of this name: a name, a path or a list of names; "" if there is none."""
    found: Any = ""
    for setting in settings:
        if setting.startswith(f"{name}="):
            if found:
                raise BadParams(f"{name}: is given twice; leave one out, or name several families in a list, family=[a,b]")
            value = setting.partition("=")[2]
            several = value.startswith("[") or ("," in value and not is_path(value))
            found = _value(setting) if several else value
    return found


def _listed(value: str) -> str | list[str]:
    """One path, or those of a list, [A,B], unless there is a file of that name."""
    with suppress(OSError):  # it is longer than a name may be
        if Path(value).exists():
            return value
    if not (value.startswith("[") and value.endswith("]")):
        if "," in value:
            raise BadParams(f"exclude: no such folder, {value[:80]}; several releases are written as a list, exclude=[A,B]")
        return value
    places = [each.strip().strip("'\"") for each in value[1:-1].split(",")]
    if not all(places):
        raise BadParams(f"exclude: expected folders or data sets, as in exclude=[out/a,out/b], got {value[:80]!r}")
    return places


def _named(setting: str) -> str:
    """The setting. Raises BadParams where it names a file of conf/ by something else than a word."""
    name, _, value = setting.partition("=")
    group = name.lstrip("+").partition("@")[0]
    if group in _GROUPS and type(_value(setting)) is not str:
        raise BadParams(f"{group}: expected one of {', '.join(choices(group))}, got {value[:60]}")
    if group == "variant" and name != group and type(found := _value(setting)) is not str:
        raise no_variant(found, "", "")
    return setting


def _value(setting: str) -> Any:
    """The value of a setting as plain data. Raises BadParams for several values, and for what cannot be read."""
    parsed = _parsed(setting)
    if parsed.is_sweep_override():
        name, _, value = setting.partition("=")
        listed = "" if name.rpartition(".")[2] in _ONE else f"a list takes them in turn in one release, {name}=[{value}], and "
        raise BadParams(f"{setting}: several values; {listed}`generate --multirun` makes a release of each")
    return OmegaConf.to_container(OmegaConf.create({"value": parsed.value()}), resolve=False)["value"]  # type: ignore[index,call-overload]


def _long(setting: str, scope: Scope, late: dict[str, Any]) -> str:
    """The setting as Hydra takes it, its name in its long form; "" where it goes into `late`."""
    name, equals, value = setting.partition("=")
    if name.startswith(("~", "+")) or not equals:
        return setting
    if name in ("family", "release", *GROUPED) or name.startswith("hub."):
        _value(setting) if not is_path(value) else None
        return setting
    full = scope.full(name)
    given = value if full.name == "variant" and _NAME.fullmatch(value) else plain(_value(setting), name)
    if full.name == "variant" and (scope.strata or type(given) is not str or given not in choices("variant")):
        late["variant"] = given
        named_variant(given, scope.family) if scope.family and type(given) not in (list, dict) else None  # refused at once
        return ""
    if full.listed and not value.startswith("["):
        value = f"[{value}]"
    if scope.family and full.name.partition(".")[0] == "variant":
        return setting
    return f"++{full.name}={value}"


def _composed(root: str, overrides: list[str], base: dict[str, Any] | None) -> dict[str, Any]:
    """base: settings of a recipe that is no file of conf/."""
    try:
        if base is not None:
            ConfigStore.instance().store(group=_BASE, name=_GIVEN, node=base, package="_global_", provider="puzzlemill")
            overrides = [f"{_BASE}={_GIVEN}", *overrides]
        with initialize_config_dir(str(CONF.resolve()), version_base="1.3"):
            composed = OmegaConf.to_container(hydra_compose(root, overrides), resolve=False)
    except MissingConfigException as error:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        raise unknown(group, name, choices(group)) from None
    except OverrideParseException as error:
        raise BadParams(
            f"{error.override}: cannot be read; `puzzlemill generate --help` shows how settings are written"
        ) from None
    except (HydraException, OmegaConfBaseException) as error:
        raise BadParams(_one_line(str(error), root)) from None
    settled: dict[str, Any] = plain(composed, "")
    return settled


def _of_hydra(setting: str, name: str) -> str:
    """The reason why a setting of Hydra itself is not taken, and what to do instead."""
    if "launcher" in name:
        return (
            f"{setting!r}: launchers are not taken: which puzzles of a release are kept depends on those before them, so that "
            "one machine makes it, with workers=N processes; for several machines give each a seed or strata of its own, "
            "exclude=DIR what the others have, and `puzzlemill export A B` takes them together"
        )
    if "sweep" in name:
        return f"{setting!r}: sweepers are not taken; `generate --multirun` makes a release of each combination of values"
    return f"{setting!r}: settings of Hydra itself are not taken; leave it out (out=DIR is where a release goes)"


def _one_line(message: str, command: str = "generate") -> str:
    """The part of a Hydra message that names the mistake; its advice is for people who write applications."""
    first = message.strip().splitlines()[0]
    if first.startswith("Could not override"):
        return f"{first.rstrip('.')}: there is no such setting here; `puzzlemill {command} --cfg` prints those there are"
    return f"{first}; `puzzlemill {command} --help` shows how settings are written"
