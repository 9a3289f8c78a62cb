"""Recipes: what a release is made of, decided and checked before anything is drawn. Standard library only.

A recipe is frozen data with one JSON form. Everything that can be known to be wrong with it (an unknown key, a wrong type, a
parameter that describes no puzzle, a variant that does not fit, more puzzles than there are) is a BadParams naming the place,
raised when the recipe is made, not in hour three. Nothing in a recipe names code: families, transforms and reply formats are
looked up by name.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import lru_cache
from hashlib import sha256
from itertools import product
from math import lcm
from typing import Any, get_type_hints

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import BadInput, BadParams
from puzzlemill.core.family import AnyFamily, Transform
from puzzlemill.core.rng import digest, stream
from puzzlemill.core.text import nearest, printable
from puzzlemill.core.types import Arg, Ask, Rule, Spec, Status
from puzzlemill.factory.imports.origin import Origin, read_origin
from puzzlemill.factory.reasoning import DEFAULT, Options
from puzzlemill.generators import family_named
from puzzlemill.kumo.domain.files import carry
from puzzlemill.questions import may_grade, strategy
from puzzlemill.questions.asks import askable, may_doubt
from puzzlemill.scoring.prompt import FORMATS
from puzzlemill.transforms import out_of_order, promise, transform_of
from puzzlemill.vocabulary import quote_files
from puzzlemill.vocabulary.quotes import SOURCES

Value = int | bool | str  # what a parameter may be
SPLITS = ("train", "validation", "test")  # the usual ones, in this order; others follow in alphabetical order
BANDS = ("easy", "medium", "hard")
VOICES = ("plain", "many", "short")
CANONICAL = "canonical"  # the variant of every parent
MAX_GROUPS = 10_000_000  # of one stratum in one split
MAX_FILES = 200
_FILES = ("domains", "quotations")  # that a recipe brings along
LEAST_SMT = 2  # percent of the rows of every release
MAX_BASES = 10_000  # combinations of one stratum's parameter lists
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?\Z")
_SPLIT = re.compile(r"[a-z][a-z0-9_]{0,30}\Z")


@dataclass(frozen=True, slots=True)
class TransformCall:
    """One transform by name. args: for transforms that take any (`puzzlemill list --json` names them)."""

    name: str
    args: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """One child per group: the transforms are applied in this order.

    of: the variant whose puzzle they are applied to, which is the child's parent: the canonical one, or one that stands earlier.
    """

    name: str
    transforms: tuple[TransformCall, ...]
    of: str = CANONICAL

    def calls(self) -> tuple[tuple[str, str], ...]:
        """(name, arguments as JSON) of each transform, as rows have them."""
        return tuple((call.name, json.dumps(dict(call.args), sort_keys=True)) for call in self.transforms)

    def chain(self, family: AnyFamily) -> list[Transform]:
        """The transforms themselves. Raises BadParams for unknown ones."""
        return [transform_of(family, call.name, dict(call.args)) for call in self.transforms]

    def promises_unsolvable(self, family: AnyFamily) -> bool:
        """Return whether what comes out has no answer."""
        return promise(self.chain(family)) is Status.UNSOLVABLE


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """A class of variants: those whose prompts tell no reader which of them it is. The canonical puzzle is of the first class.

    solvable: how many of them have an answer. unsolvable: those that have none; where there are any, the prompts of the whole
    class say that there may be no answer, so that neither the rules nor that sentence gives a row's status away.
    """

    names: tuple[str, ...]
    solvable: int
    unsolvable: tuple[Variant, ...]


@dataclass(frozen=True, slots=True)
class Stratum:
    """Groups of one family. Its variants fall into classes of which a prompt shows the same (Lookalikes).

    params: every parameter of the family with its values; several values are taken in turn. rules: in force in all of them.
    counts: groups by split. reply_formats: taken in turn, one per group. asks: what of the answer is wanted, in turn too.
    unsolvable: percent of the rows of each class with unsolvable variants that have no answer, 1 to 50: these variants then take
        turns, and not every group has one. 0: every group has a row of each variant.
    lopsided: whether there may be classes of which more than half of the rows have no answer, so that their wording tells it.
    band: what parents must grade as, "easy", "medium" or "hard"; others are drawn again. "": as they come.
    voices: wordings of the prompts. "plain": the canonical one; "many": each puzzle that is drawn has one of its own, and what is
        edited or restyled keeps its parent's; "short": the same, of short ones.
    trace: whether rows have the steps of the deduction; without them grading is faster, and difficulty.score is null.
    Fields that are left out get the family's defaults; the stored stratum is complete and sorted.
    """

    family: str
    params: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    rules: tuple[Rule, ...] = ()
    variants: tuple[Variant, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    reply_formats: tuple[str, ...] = FORMATS
    asks: tuple[Ask, ...] = (Ask.WHOLE,)
    unsolvable: int = 0
    band: str = ""
    voices: str = "plain"
    lopsided: bool = False
    trace: bool = True

    def __post_init__(self) -> None:
        try:
            family = family_named(self.family)
        except BadParams as error:
            raise BadParams(f"family: {error}") from None
        object.__setattr__(self, "params", _complete(family, dict(self.params)))
        object.__setattr__(self, "rules", tuple(sorted(self.rules, key=lambda rule: rule.name)))
        object.__setattr__(self, "counts", tuple(sorted(self.counts, key=lambda item: split_order(item[0]))))
        self._check_rules(family)
        self._check_counts()
        self._check_formats()
        self._check_asks(family)
        bases = self.bases()
        for spec in bases:
            try:
                family.validate(spec)
            except BadParams as error:
                raise BadParams(f"params: {error}") from None
        self._check_variants(family, bases)
        drawn = [ask.value for ask in self.asks if not may_doubt(ask)]
        if drawn and any(variant.promises_unsolvable(family) for variant in self.variants):
            raise BadParams(
                f"asks: {drawn[0]!r} is drawn from the answer, which unsolvable variants do not have; leave it to strata without "
                "them"
            )

    def _check_rules(self, family: AnyFamily) -> None:
        names = [rule.name for rule in self.rules]
        for name in names:
            if name not in family.rules:
                known = ", ".join(family.rules) or "none"
                raise BadParams(
                    f"rules: {family.name} has no optional rule {name!r}; known: {known}{nearest(name, family.rules)}"
                )
        if len(set(names)) < len(names):
            raise BadParams(f"rules: {names} names one rule twice; leave one out")

    def _check_counts(self) -> None:
        for split, count in self.counts:
            if not _SPLIT.match(split) or split == "all":
                raise BadParams(f"counts: {split!r} cannot name a split; use train, validation, test or another small word")
            meant = get_close_matches(split, SPLITS, 1, 0.75)
            if meant and not re.match(rf"{meant[0]}(?:[0-9_]|\Z)", split):
                raise BadParams(
                    f"counts.{split}: did you mean {meant[0]}? A split of its own needs a name that is not so nearly one of "
                    f"{', '.join(SPLITS)}"
                )
            if not 0 <= count <= MAX_GROUPS:
                raise BadParams(f"counts.{split}: expected 0 to {MAX_GROUPS} groups, got {count}")
        if not any(count for _, count in self.counts):
            raise BadParams("counts: no group is asked for; give at least one split a count, as in counts.train=10")
        if len(dict(self.counts)) < len(self.counts):
            raise BadParams("counts: one split is named twice")

    def _check_formats(self) -> None:
        if not self.reply_formats:
            raise BadParams(f"reply_formats: at least one of {', '.join(FORMATS)} is needed")
        for name in self.reply_formats:
            if name not in FORMATS:
                raise BadParams(f"reply_formats: unknown format {name!r}; known: {', '.join(FORMATS)}{nearest(name, FORMATS)}")

    def _check_asks(self, family: AnyFamily) -> None:
        if not self.asks:
            raise BadParams(f"asks: at least one of {', '.join(ask.value for ask in Ask)} is needed")
        known = [ask for ask in Ask if all(ask in askable(family, family.question(spec).kind) for spec in self.bases())]
        for ask in self.asks:
            if ask not in known:
                raise BadParams(f"asks: {family.name} is not asked for {ask.value!r}; known: {', '.join(a.value for a in known)}")
        if Ask.STEP in self.asks and not self.trace:
            raise BadParams(
                "asks: 'step' asks for a step, and trace: false leaves steps out; set trace: true, or ask for another part"
            )

    def _check_variants(self, family: AnyFamily, bases: tuple[Spec[Any], ...]) -> None:
        names = [variant.name for variant in self.variants]
        for i, variant in enumerate(self.variants):
            where = f"variants[{i}]"
            if not _NAME.match(variant.name) or variant.name == CANONICAL or names.count(variant.name) > 1:
                raise BadParams(
                    f"{where}.name: {variant.name!r} is taken or not a plain word; every group has its {CANONICAL} parent anyway"
                )
            if not variant.transforms:
                raise BadParams(f"{where}.transforms: a variant without transforms is its parent again; leave the variant out")
            self._check_chain(family, bases, variant, where)
        if self.band not in ("", *BANDS):
            meant = nearest(self.band, BANDS) or _other_band(family)
            raise BadParams(f"band: expected {', '.join(BANDS)} or nothing, got {self.band!r}{meant}")
        if self.band and not any(may_grade(family, spec) for spec in bases):
            raise BadParams(
                f"band: expected nothing, got {self.band!r}: no puzzle of {family.name} is graded, as it has no table for "
                "deductions; leave band out"
            )
        if self.voices not in VOICES:
            raise BadParams(f"voices: expected {', '.join(VOICES)}, got {self.voices!r}{nearest(self.voices, VOICES)}")
        doubted = [each for each in self.classes() if each.unsolvable]
        for variant in [variant for each in doubted for variant in each.unsolvable]:
            kinds = [family.question(self.spec_of(base, variant)).kind for base in bases]
            if not all(strategy(kind).may_be_unsolvable for kind in kinds):
                raise BadParams(
                    "variants: a dialogue cannot say that there may be no answer; leave unsolvable ones to other strata"
                )
        if self.unsolvable and not 1 <= self.unsolvable <= 50:
            raise BadParams(f"unsolvable: expected 1 to 50 percent of the rows, got {self.unsolvable}")
        if self.unsolvable and not doubted:
            raise BadParams(
                "unsolvable: no variant of this stratum is unsolvable; add one, such as clash, or leave the share out"
            )
        for each in doubted if not self.lopsided else ():
            self._check_class(each)

    def _check_chain(self, family: AnyFamily, bases: tuple[Spec[Any], ...], variant: Variant, where: str) -> None:
        """Every transform is known and fits what the earlier ones make of every base."""
        earlier = {other.name: other for other in self.variants[: self.variants.index(variant)]}
        if variant.of != CANONICAL and variant.of not in earlier:
            known = ", ".join([CANONICAL, *earlier])
            raise BadParams(f"{where}.of: {variant.of!r} is no variant that stands before it; known: {known}")
        for j, call in enumerate(variant.transforms):
            try:
                transform_of(family, call.name, dict(call.args))
            except BadParams as error:
                raise BadParams(f"{where}.transforms[{j}]: {error}") from None
        chain = variant.chain(family)
        if wrong := out_of_order(chain):
            raise BadParams(f"{where}.transforms: {wrong}")
        for source in self.lineage(variant)[:-1]:
            if source.promises_unsolvable(family):
                raise BadParams(f"{where}.of: {source.name} has no answer; variants are made from puzzles that have one")
        before = [transform for source in self.lineage(variant)[:-1] for transform in source.chain(family)]
        for base in bases:
            spec = base
            for transform in before:
                spec = transform.changed(family, spec, stream("fits", base_text(base)))
            for transform in chain:
                if not transform.fits(family, spec):
                    needs = f"; it needs {transform.needs}" if transform.needs else ""
                    after = f" after the earlier transforms ({base_text(spec)})" if spec != base else ""
                    raise BadParams(
                        f"{where}: {transform.name} does not fit {family.name} {base_text(base)}{after}; "
                        f"leave the variant out or set other family.params{needs}"
                    )
                spec = transform.changed(family, spec, stream("fits", base_text(base)))

    def _check_class(self, alike: Lookalikes) -> None:
        """Its wording does not tell whether there is an answer: enough of its variants have one."""
        bad, good, names = len(alike.unsolvable), alike.solvable, ", ".join(alike.names)
        if not good:
            raise BadParams(
                f"variants[{self.variants.index(alike.unsolvable[0])}]: {names} can have no answer, and no variant that has one "
                "looks the same, so that the wording would tell; add one that makes the same visible changes (zones for "
                "zones_clash, right_only for one_way), or set lopsided: true"
            )
        if self.unsolvable and self.unsolvable * good > (100 - self.unsolvable) * bad:
            raise BadParams(
                f"unsolvable: {self.unsolvable} percent, but {bad} unsolvable and {good} solvable variants ({names}) give "
                f"{100 * bad // (good + bad)} percent at most; ask for less or add unsolvable variants"
            )
        if not self.unsolvable and bad > good:
            raise BadParams(
                f"variants: {bad} of {bad + good} puzzles that look the same ({names}) would be unsolvable, so that always "
                "replying so would pay; at most half may be: leave some out, add variants that can be solved, set `unsolvable`, "
                "or set lopsided: true"
            )

    def classes(self) -> tuple[Lookalikes, ...]:
        """The variants by what their prompts show, in the order of their first ones."""
        return _classes(self)

    def doubts(self, name: str) -> bool:
        """Return whether prompts of this variant say that there may be no answer; of imported puzzles Origin.doubts knows."""
        return any(each.unsolvable and name in each.names for each in self.classes())

    def variants_at(self, turn: int) -> tuple[Variant, ...]:
        """The variants of a group; turn: its number plus its base's. Unsolvable ones with a share take turns in their class."""
        doubted = [each for each in self.classes() if each.unsolvable]
        if not self.unsolvable or not doubted:
            return self.variants
        rest = 100 - self.unsolvable
        now: list[Variant] = []
        for number, each in enumerate(doubted):
            # share / rest unsolvable rows per group, in turns: as many by the end of this group less those before it
            share, ahead = self.unsolvable * max(1, each.solvable), number * rest // len(doubted)
            due = range((turn * share + ahead) // rest, ((turn + 1) * share + ahead) // rest)
            now += [each.unsolvable[i % len(each.unsolvable)] for i in due]
        left_out = [v for each in doubted for v in each.unsolvable if v not in now]
        return tuple(v for v in self.variants if v not in left_out)

    def lineage(self, variant: Variant) -> list[Variant]:
        """The variants between the canonical puzzle and this one, which is the last."""
        by_name = {other.name: other for other in self.variants}
        line = [variant]
        while line[0].of != CANONICAL:
            line.insert(0, by_name[line[0].of])
        return line

    def spec_of(self, base: Spec[Any], variant: Variant) -> Spec[Any]:
        """The spec of a variant's puzzles that are made from those of a base; arguments of its rules are some that fit."""
        family, spec, rng = family_named(self.family), base, stream("spec", base_text(base))
        for transform in [transform for ancestor in self.lineage(variant) for transform in ancestor.chain(family)]:
            spec = transform.changed(family, spec, rng)
        return spec

    def turns(self) -> int:
        """The number of turns after which variants_at() begins again."""
        return (100 - self.unsolvable) * lcm(*[len(each.unsolvable) or 1 for each in self.classes()]) if self.unsolvable else 1

    def bases(self) -> tuple[Spec[Any], ...]:
        """Every combination of the parameters' values, the last parameter changing fastest."""
        family = family_named(self.family)
        names = [name for name, _ in self.params]
        combinations = product(*(values for _, values in self.params))
        return tuple(Spec(family.params(**dict(zip(names, values, strict=True))), self.rules) for values in combinations)


@lru_cache(maxsize=256)
def _classes(stratum: Stratum) -> tuple[Lookalikes, ...]:
    family = family_named(stratum.family)
    found: dict[tuple[Any, ...], tuple[list[str], list[Variant]]] = {(): ([CANONICAL], [])}
    for variant in stratum.variants:
        chain = [transform.shows() for each in stratum.lineage(variant) for transform in each.chain(family)]
        names, unsolvable = found.setdefault(tuple([each for each in chain if each]), ([], []))
        names.append(variant.name)
        unsolvable += [variant] if variant.promises_unsolvable(family) else []
    return tuple([Lookalikes(tuple(names), len(names) - len(bad), tuple(bad)) for names, bad in found.values()])


@lru_cache(maxsize=256)
def few_answers(stratum: Stratum) -> list[tuple[Spec[Any], int]]:
    """The specs of a stratum's puzzles that have few answers up to symmetry, with their number; rules are without arguments."""
    family = family_named(stratum.family)
    specs = [spec for base in stratum.bases() for spec in (base, *[stratum.spec_of(base, each) for each in stratum.variants])]
    bare = dict.fromkeys(Spec(spec.params, tuple([Rule(rule.name) for rule in spec.rules])) for spec in specs)
    found = [(spec, family.small.solutions(spec)) for spec in bare]
    return [(spec, count) for spec, count in found if count is not None]


def sharing(strata: Sequence[Stratum], family: str, spec: Spec[Any] | None = None) -> dict[str, int]:
    """Groups by split of the family's strata with few answers, or of those that make puzzles of this spec."""
    found: Counter[str] = Counter()
    for stratum in strata:
        few = few_answers(stratum) if stratum.family == family else []
        if few if spec is None else spec in [each for each, _ in few]:
            found.update(dict(stratum.counts))
    return {split: found[split] for split in sorted(found, key=split_order) if found[split]}


def _complete(family: AnyFamily, given: Mapping[str, tuple[Value, ...]]) -> tuple[tuple[str, tuple[Value, ...]], ...]:
    """All parameters in the family's order, with its defaults for those not given."""
    hints = get_type_hints(family.params)
    defaults = family.params()
    known = [f.name for f in fields(family.params)]
    for name in given:
        if name not in known:
            raise BadParams(
                f"params.{name}: {family.name} has no such parameter; known: {', '.join(known) or 'none'}{nearest(name, known)}"
            )
    complete = []
    combinations = 1
    for name in known:
        values = given.get(name, (getattr(defaults, name),))
        if not values:
            raise BadParams(f"params.{name}: an empty list; give one value at least or leave it out")
        for value in values:
            if type(value) is not hints[name]:
                number = re.match(r"\d{1,9}(?!\d)", value) if type(value) is str and hints[name] is int else None
                remedy = f"; write {name}={number[0]}" if number else ""
                raise BadParams(f"params.{name}: expected {hints[name].__name__}, got {_shown(value)}{remedy}")
        combinations *= len(values)
        if combinations > MAX_BASES:
            raise BadParams(f"params.{name}: more than {MAX_BASES} combinations of values; split the stratum")
        complete.append((name, tuple(values)))
    return tuple(complete)


def _other_band(family: AnyFamily) -> str:
    """The end of an error about a band where the family has a parameter of that name."""
    named = any(each.name == "band" for each in fields(family.params))
    return f"; for the parameter band of {family.name} write params.band" if named else ""


def base_text(spec: Spec[Any]) -> str:
    """The one text of a base spec; part of the path of its random streams."""
    return dumps(spec)


def split_order(split: str) -> tuple[int, str]:
    """A key to sort splits by: train, validation, test, then any other by name."""
    return (SPLITS.index(split) if split in SPLITS else len(SPLITS), split)


@dataclass(frozen=True, slots=True)
class Quota:
    """The numbers of groups that a stratum owes a split, by base (positions as in Stratum.bases())."""

    stratum: int
    split: str
    by_base: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A release.

    domains: domain files of kumo that strata draw from and that this package does not have, name -> text (kumo/domain/files.py:
        own_name, write). They are a part of the recipe, and so of its key and of the manifest: nothing else has to be kept.
    quotations: files of quotations that strata draw from, name -> text, in the same way (vocabulary/quote_files.py).
    excludes: recipes, each once and in alphabetical order; of each a release is needed, none of whose puzzles this one has.
    seed: puzzles of another seed are other puzzles; small classes (all puzzles there are) are the exception.
    smt: percent of the rows that Z3 decides too, 2 to 100, by a hash of their id; only these have `effort.sat_*`, `smt_*`.
    reasoning: how worked replies of its rows are put where an export does not say otherwise; the rows do not depend on it.
    imported: where its puzzles are from if they were not drawn; its strata then count what was kept.
    attempts: draws per group before it is given up. The other budgets are solvers.engines.Budget's, per question.
    """

    name: str
    seed: str
    strata: tuple[Stratum, ...]
    license: str = "cc-by-4.0"
    attempts: int = 40
    nodes: int = 2_000_000
    conflicts: int = 200_000
    checks: int = 200_000
    rlimit: int = 50_000_000
    states: int = 20_000_000
    smt: int = LEAST_SMT
    excludes: tuple[str, ...] = ()
    domains: tuple[tuple[str, str], ...] = ()
    quotations: tuple[tuple[str, str], ...] = ()
    reasoning: Options = DEFAULT
    imported: Origin | None = None
    quotas: tuple[Quota, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not _NAME.match(self.name):
            raise BadParams(f"name: expected a small word like quick or 2026-11, got {self.name!r}")
        if not 1 <= len(self.seed) <= 200 or not self.seed.isprintable():
            raise BadParams(f"seed: expected 1 to 200 printable characters, got {_shown(self.seed)}")
        if not _NAME.match(self.license):
            raise BadParams(f"license: expected an identifier like cc-by-4.0, got {_shown(self.license)}")
        object.__setattr__(self, "excludes", tuple(sorted(set(self.excludes))))
        for name in self.excludes:
            if not _NAME.match(name):
                raise BadParams(f"excludes: expected the name of a recipe, or a list of names, got {_shown(name)}")
        if not 1 <= self.attempts <= 100_000:
            raise BadParams(f"attempts: expected 1 to 100000, got {self.attempts}")
        for name in BUDGETS:
            if getattr(self, name) < 1:
                raise BadParams(f"{name}: a budget is at least 1, got {getattr(self, name)}")
        if not LEAST_SMT <= self.smt <= 100:
            raise BadParams(f"smt: expected {LEAST_SMT} to 100 percent of the rows, which Z3 decides too, got {self.smt}")
        if not self.strata:
            raise BadParams("strata: nothing to make; give at least one stratum with a family and counts")
        self.carry()
        for stratum in self.strata:
            for value in dict(stratum.params).get("domain", ()):
                name = str(value).partition("/")[0]
                if "@" in name and name not in dict(self.domains):
                    raise BadParams(f"domains: {name!r} is not among them, and {stratum.family} draws from it; add its file")
            for value in dict(stratum.params).get("source", ()):
                if value not in (*SOURCES, *dict(self.quotations)):
                    raise BadParams(f"quotations: {value!r} is not among them, and {stratum.family} draws from it; add its file")
        object.__setattr__(self, "quotas", () if self.imported else tuple(_quotas(self.strata)))
        if not self.imported:
            self._check_answers()

    def _check_answers(self) -> None:
        """Each answer belongs to one split, so that there must be one for each."""
        for p, stratum in enumerate(self.strata):
            for spec, count in few_answers(stratum):
                splits = sharing(self.strata, stratum.family, spec)
                if count < len(splits):
                    raise BadParams(
                        f"strata[{p}].counts: {stratum.family} {base_text(spec)} has {count} different answers (symmetry counts "
                        f"as equal), and each belongs to one split, so that there are too few for {', '.join(splits)}; leave "
                        f"splits out, or give strata[{p}].params other values"
                    )

    def carry(self) -> None:
        """Make the recipe's files known in this process. Raises BadParams."""
        for kind, files, take in (("domains", self.domains, carry), ("quotations", self.quotations, quote_files.carry)):
            if len(files) > MAX_FILES or len(dict(files)) < len(files):
                raise BadParams(f"{kind}: expected at most {MAX_FILES} files, each once, got {len(files)}")
            for name, text in files:
                try:
                    take(name, text)
                except BadInput as error:
                    raise BadParams(f"{kind}.{printable(name[:80])}: {error}") from None

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Recipe:
        """Read what Hydra composes or JSON holds. Raises BadParams naming the key of the first thing that is wrong."""
        raw = _object(
            plain,
            "",
            {"name", "seed", "strata"},
            {"license", "attempts", "smt", "excludes", *_FILES, "reasoning", "imported", *BUDGETS},
        )
        files = {kind: _read_files(raw.get(kind, {}), kind) for kind in _FILES}
        made = []
        for i, stratum in enumerate(_list(raw["strata"], "strata")):
            try:
                made.append(_read_stratum(stratum))
            except BadParams as error:
                text = str(error)
                raise BadParams(f"strata[{i}]{text if text.startswith(':') else '.' + text}") from None
        texts = {key: _text(raw[key], key) for key in ("name", "seed", "license") if key in raw}
        apart = raw.get("excludes") or []
        excludes = tuple([_text(name, "excludes") for name in ([apart] if type(apart) is str else _list(apart, "excludes"))])
        numbers = {key: _int(raw[key], key) for key in ("attempts", "smt", *BUDGETS) if key in raw}
        how = read_reasoning(raw.get("reasoning", {}))
        origin = read_origin(raw["imported"]) if "imported" in raw else None
        return cls(strata=tuple(made), **files, excludes=excludes, reasoning=how, imported=origin, **texts, **numbers)  # type: ignore[arg-type]  # the keys were checked above

    def to_plain(self) -> dict[str, Any]:
        """JSON-able; from_plain(to_plain()) gives an equal recipe."""
        head = {"name": self.name, "seed": self.seed, "license": self.license, "attempts": self.attempts}
        return {
            **head,
            **({"excludes": plain_names(self.excludes)} if self.excludes else {}),  # others keep the keys that they had
            **{kind: dict(getattr(self, kind)) for kind in _FILES if getattr(self, kind)},
            **{name: getattr(self, name) for name in BUDGETS},
            "smt": self.smt,
            **({"reasoning": self.reasoning.to_json()} if self.reasoning != DEFAULT else {}),
            **({"imported": self.imported.to_json()} if self.imported else {}),
            "strata": [
                {
                    "family": stratum.family,
                    "params": {name: list(values) if len(values) > 1 else values[0] for name, values in stratum.params},
                    "rules": [rule.to_json() for rule in stratum.rules],
                    "variants": [
                        {
                            "name": v.name,
                            "of": v.of,
                            "transforms": [{"name": t.name, "args": dict(t.args)} for t in v.transforms],
                        }
                        for v in stratum.variants
                    ],
                    "counts": dict(stratum.counts),
                    "reply_formats": list(stratum.reply_formats),
                    "unsolvable": stratum.unsolvable,
                    "band": stratum.band,
                    # strata without these have the form that they had
                    **({"asks": [ask.value for ask in stratum.asks]} if stratum.asks != (Ask.WHOLE,) else {}),
                    **({"voices": stratum.voices} if stratum.voices != VOICES[0] else {}),
                    **({"lopsided": True} if stratum.lopsided else {}),
                    **({} if stratum.trace else {"trace": False}),
                }
                for stratum in self.strata
            ],
        }

    def key(self) -> str:
        """SHA-256 of the canonical JSON form, in hex: equal recipes have equal keys."""
        return sha256(json.dumps(self.to_plain(), sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def asks_smt(self, row: str) -> bool:
        """Return whether Z3 decides the row of this id too, and figures of effort are measured."""
        return int(digest("smt", row).hex()[:8], 16) % 100 < self.smt

    def release_seed(self) -> str:
        """A word for core.params.specialized, which rows may show: a hash of this recipe's seed and of nothing else."""
        return sha256(b"puzzlemill edition 1\0" + self.seed.encode()).hexdigest()[:16]


def plain_names(names: Sequence[str]) -> str | list[str]:
    """Names as recipes and manifests write them: one alone, several as a list."""
    return names[0] if len(names) == 1 else list(names)


BUDGETS = ("nodes", "conflicts", "checks", "rlimit", "states")


# ---- how many of what -------------------------------------------------------------------------------------------------


def _quotas(strata: tuple[Stratum, ...]) -> Iterator[Quota]:
    """Share the groups of every stratum and split among its bases. Raises BadParams where there are not enough puzzles.

    Large classes: group i of a split is of base i modulo their number. Where a class is small (Family.small), each puzzle goes
    to one split only: bases take turns until they are used up, and a shuffle that depends on the bases alone deals them to the
    splits, so that the splits are alike and releases with another seed deal in the same way.
    """
    left: dict[tuple[str, str], int] = {}  # puzzles of a small class that no stratum has claimed yet
    for p, stratum in enumerate(strata):
        family = family_named(stratum.family)
        bases = stratum.bases()
        keys = [(stratum.family, base_text(spec)) for spec in bases]
        for key, spec in zip(keys, bases, strict=True):
            capacity = family.small.puzzles(spec)
            if capacity is not None:
                left.setdefault(key, capacity)
        dealt = _deal(p, stratum, keys, left) if any(key in left for key in keys) else []
        for split, count in stratum.counts:
            if dealt:
                mine, dealt = dealt[:count], dealt[count:]
                yield Quota(p, split, tuple(mine.count(b) for b in range(len(bases))))
            else:
                share, more = divmod(count, len(bases))
                yield Quota(p, split, tuple(share + (b < more) for b in range(len(bases))))


def _deal(p: int, stratum: Stratum, keys: list[tuple[str, str]], left: dict[tuple[str, str], int]) -> list[int]:
    """The bases of a stratum's groups in the order in which splits get them, where some are small; takes them out of `left`.

    The last puzzles of a class can be rare and long to find: where a large class can stand in, at most half of it is used.
    """
    large = any(key not in left for key in keys)
    may = {key: (left[key] + 1) // 2 if large else left[key] for key in keys if key in left}
    wanted = sum(count for _, count in stratum.counts)
    deal = stream("small classes", stratum.family, *[text for _, text in keys])
    turns = deal.child("bases").shuffled(range(len(keys)))
    dealt: list[int] = []
    while len(dealt) < wanted:
        before = len(dealt)
        for b in turns:
            if may.get(keys[b], 1) > 0 and len(dealt) < wanted:
                dealt.append(b)
                if keys[b] in may:
                    may[keys[b]] -= 1
                    left[keys[b]] -= 1
        if len(dealt) == before:
            raise BadParams(
                f"strata[{p}].counts: {wanted} groups are asked for, but there are only {before} different puzzles of "
                f"{stratum.family} with these parameters that no other stratum takes (symmetry counts as equal); "
                f"ask for {before} at most, or give strata[{p}].params more values"
            )
    return deal.child("splits").shuffled(dealt)


# ---- reading plain values ---------------------------------------------------------------------------------------------


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except RecursionError:
        text = "of great depth"
    return f"{type(value).__name__} {text if len(text) < 60 else text[:57] + '...'}"


def check_settings(given: Mapping[str, Any], known: Collection[str], needed: Collection[str], where: str) -> None:
    """Raise BadParams for a setting that is not known, or that is needed and missing. where: what stands before its name."""
    for name in sorted(set(given) - set(known)):
        raise BadParams(f"{where}{name}: there is no such setting here; known: {', '.join(sorted(known))}{nearest(name, known)}")
    for name in sorted(set(needed) - set(given)):
        raise BadParams(f"{where}{name}: missing; it has no default")


def _object(raw: Any, where: str, needed: set[str], optional: set[str]) -> Mapping[str, Any]:
    prefix = f"{where}." if where else ""
    if not isinstance(raw, Mapping):
        raise BadParams(f"{where or 'recipe'}: expected keys and values, got {_shown(raw)}")
    for key in raw:
        if key not in needed and key not in optional:
            raise BadParams(f"{prefix}{key}: unknown key; known: {', '.join(sorted(needed | optional))}")
    for key in sorted(needed):
        if key not in raw:
            raise BadParams(f"{prefix}{key}: missing; it has no default")
    return raw


def _list(raw: Any, where: str) -> list[Any]:
    if not isinstance(raw, list | tuple):
        raise BadParams(f"{where}: expected a list, got {_shown(raw)}")
    return list(raw)


def _text(raw: Any, where: str) -> str:
    if type(raw) is not str:
        several = isinstance(raw, list | tuple)
        remedy = "name one; parts of a recipe can differ in it" if several else "a number as a word needs quotes"
        raise BadParams(f"{where}: expected text, got {_shown(raw)}; {remedy}")
    return raw


def _int(raw: Any, where: str) -> int:
    if type(raw) is not int:
        raise BadParams(f"{where}: expected a whole number, got {_shown(raw)}")
    return raw


def _flag(raw: Any, where: str) -> bool:
    if type(raw) is not bool:
        raise BadParams(f"{where}: expected true or false, got {_shown(raw)}")
    return raw


def _value(raw: Any, where: str) -> Value:
    if type(raw) not in (int, bool, str):
        raise BadParams(f"{where}: expected a number, true, false or text, got {_shown(raw)}")
    value: Value = raw
    return value


def read_reasoning(raw: Any) -> Options:
    """How worked replies are put, as a recipe says it. Raises BadParams naming the key that is wrong."""
    usual = DEFAULT.to_json()
    raw = {**usual, **_object(raw, "reasoning", set(), set(usual))}
    form = _text(raw["form"], "reasoning.form")
    numbers = [_int(raw[name], f"reasoning.{name}") for name in ("trace_tokens", "wrong_suppositions")]
    try:
        return Options(form, *numbers)
    except BadParams as error:
        raise BadParams(f"reasoning.{error}") from None


def _read_files(value: Any, kind: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        raise BadParams(f"{kind}: expected names and texts of files, got {_shown(value)}")
    return tuple(sorted([(str(name), _text(text, f"{kind}.{name}")) for name, text in value.items()]))


def _read_stratum(raw: Any) -> Stratum:
    if not isinstance(raw, Mapping):
        raise BadParams(f": expected keys and values, got {_shown(raw)}")
    known = {"params", "rules", "variants", "reply_formats", "asks", "unsolvable", "band", "voices", "lopsided", "trace"}
    raw = _object(raw, "", {"family", "counts"}, known)
    params = raw.get("params", {})
    if not isinstance(params, Mapping):
        raise BadParams(f"params: expected names and values, got {_shown(params)}")
    lists = {
        str(name): tuple(_value(v, f"params.{name}") for v in (values if isinstance(values, list | tuple) else [values]))
        for name, values in params.items()
    }
    counts = _object(
        raw["counts"], "counts", set(), set(map(str, raw["counts"])) if isinstance(raw["counts"], Mapping) else set()
    )
    in_turn: dict[str, Any] = {} if "reply_formats" not in raw else {"reply_formats": _formats(raw["reply_formats"])}
    if "asks" in raw:
        in_turn["asks"] = _asks(raw["asks"])
    return Stratum(
        family=_text(raw["family"], "family"),
        params=tuple(lists.items()),
        rules=tuple(_read_rule(rule, f"rules[{i}]") for i, rule in enumerate(_list(raw.get("rules", []), "rules"))),
        variants=tuple(_read_variant(v, f"variants[{i}]") for i, v in enumerate(_list(raw.get("variants", []), "variants"))),
        counts=tuple((split, _int(count, f"counts.{split}")) for split, count in counts.items()),
        unsolvable=_int(raw.get("unsolvable", 0), "unsolvable"),
        band=_text(raw.get("band", ""), "band"),
        voices=_text(raw.get("voices", VOICES[0]), "voices"),
        lopsided=_flag(raw.get("lopsided", False), "lopsided"),
        trace=_flag(raw.get("trace", True), "trace"),
        **in_turn,
    )


def _formats(raw: Any) -> tuple[str, ...]:
    return tuple(_text(name, f"reply_formats[{i}]") for i, name in enumerate(_list(raw, "reply_formats")))


def _asks(raw: Any) -> tuple[Ask, ...]:
    names = [_text(name, f"asks[{i}]") for i, name in enumerate(_list(raw, "asks"))]
    known = [ask.value for ask in Ask]
    for name in names:
        if name not in known:
            raise BadParams(f"asks: unknown request {name!r}; known: {', '.join(known)}{nearest(name, known)}")
    return tuple(map(Ask, names))


def _read_rule(raw: Any, where: str) -> Rule:
    """A rule without arguments is its name; one with arguments is a list [name, ...]."""
    if type(raw) is str:
        return Rule(raw)
    parts = _list(raw, where)
    if not parts:
        raise BadParams(f"{where}: an empty list; give the rule's name")
    return Rule(_text(parts[0], where), tuple(_read_arg(part, where) for part in parts[1:]))


def _read_arg(raw: Any, where: str, depth: int = 0) -> Arg:
    if isinstance(raw, list | tuple) and depth < 8:
        return tuple(_read_arg(part, where, depth + 1) for part in raw)
    if type(raw) is not int and type(raw) is not str:
        raise BadParams(f"{where}: a rule's arguments are numbers, texts or lists of them, got {_shown(raw)}")
    return raw


def _read_variant(raw: Any, where: str) -> Variant:
    raw = _object(raw, where, {"name", "transforms"}, {"of"})
    calls = [
        _read_call(call, f"{where}.transforms[{i}]") for i, call in enumerate(_list(raw["transforms"], f"{where}.transforms"))
    ]
    return Variant(_text(raw["name"], f"{where}.name"), tuple(calls), _text(raw.get("of", CANONICAL), f"{where}.of"))


def _read_call(raw: Any, where: str) -> TransformCall:
    if type(raw) is str:
        return TransformCall(raw)
    raw = _object(raw, where, {"name"}, {"args"})
    args = raw.get("args", {})
    if not isinstance(args, Mapping):
        raise BadParams(f"{where}.args: expected names and values, got {_shown(args)}")
    read = tuple((str(name), _value(value, f"{where}.args.{name}")) for name, value in sorted(args.items()))
    return TransformCall(_text(raw["name"], f"{where}.name"), read)
