"""One group: a proved parent and its proved children, from the recipe and a place in it alone.

    Spec -> sample_solution -> make_puzzle -> minimize -> certify -> parent
                              |
                              +-> per variant: before (a changed spec is drawn anew) -> edit -> restyle -> certify -> child

A variant may be made from another variant's puzzle instead (Variant.of), which then is its parent.

A step that gives nothing usable raises Discarded: the whole group is drawn again from the next stream, at most
`recipe.attempts` times, and every discard is counted by its reason. A child that is drawn anew, or that others are made from, is
tried again for the same parent first. Nothing here depends on what else is built, in which order,
or where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily, Pairing
from puzzlemill.core.params import specialized
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.rules import added, resolved
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Kind, QuestionKind, Spec, Status
from puzzlemill.factory import record
from puzzlemill.factory.answers import at_home
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.recipe import CANONICAL, Recipe, Stratum, Variant, base_text
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.questions.asks import posed
from puzzlemill.questions.choice import restyled
from puzzlemill.solvers.certify import by_smt, certify
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.engines import Budget, Engines
from puzzlemill.transforms import loosest, promise
from puzzlemill.vocabulary.wordings import FIRST, LAST

ANSWERS = 200  # answers drawn until one is of the split, where there are few and each belongs to one
GAVE_UP = "gave_up"  # the reason counted once for a group of which every attempt was discarded
CHILD_TRIES = 8  # draws of a child that is drawn anew, before its group is drawn again
OTHER_SPLIT = "other_split"  # the reason counted when an answer, of which there are few, belongs to another split
OTHER_BAND = "other_band"  # the reason counted when a parent is of another band than is wanted
DUPLICATE = "duplicate"  # the reason counted when another group of the release has the same puzzle up to symmetry
PUBLISHED = "published"  # the reason counted when an earlier release has the same puzzle up to symmetry
EXCLUDED = "excluded"  # the reason counted when the release that the recipe keeps apart from has the same puzzle up to symmetry


@dataclass(frozen=True, slots=True)
class GroupResult:
    """rows: the parent first, then a row per variant; () if the group was given up.

    keys: the different canonical keys of the rows, the parent's first. lasting: those of them that no later release may have
    again: all but puzzles of small classes. tally: (reason, times), sorted by reason. bands: (band, times) of the parents that
    were of another band than is wanted.
    """

    rows: tuple[dict[str, Any], ...]
    keys: tuple[str, ...]
    lasting: tuple[str, ...]
    tally: tuple[tuple[str, int], ...]
    bands: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Made:
    """A draft with how it came about, before it is proved. kinds, transforms: from the canonical puzzle on."""

    variant: str
    draft: AnyDraft
    pairing: Pairing
    kinds: tuple[Kind, ...]
    transforms: tuple[tuple[str, str], ...]
    promise: Status
    drawn: bool  # anew, not from the parent's puzzle


@dataclass(frozen=True, slots=True)
class _Kept:
    """A proved draft and its row."""

    made: _Made
    row: dict[str, Any]

    @property
    def lasts(self) -> bool:
        """Return whether no later release may have this puzzle again: it is of no small class."""
        puzzle = self.made.draft.puzzle
        return family_named(puzzle.family).small.puzzles(puzzle.spec) is None


def build_group(recipe: Recipe, stratum: Stratum, split: str, index: int) -> GroupResult:
    """Build group `index` of this stratum and split: number `index // len(bases)` of base `index % len(bases)`.

    Two strata draw alike where base, split and number are the same. Reads the recipe's seed, budgets, name and license, not its
    other strata. Raises EnginesDisagree.
    """
    tally: Counter[str] = Counter()
    bands: Counter[str] = Counter()
    kept: list[_Kept] = []
    for attempt in range(recipe.attempts):
        try:
            kept = _Attempt(recipe, stratum, split, index, attempt, tally).group()
            break
        except Discarded as why:
            tally[why.reason] += 1
            if why.reason == OTHER_BAND:
                bands[why.detail] += 1
    else:
        tally[GAVE_UP] += 1
    return GroupResult(
        tuple([one.row for one in kept]),
        tuple(dict.fromkeys(one.row["canonical_key"] for one in kept)),
        tuple(dict.fromkeys(one.row["canonical_key"] for one in kept if one.lasts)),
        tuple(sorted(tally.items())),
        tuple(sorted(bands.items())),
    )


def drafts(recipe: Recipe, stratum: Stratum, split: str, index: int) -> dict[str, AnyPuzzle]:
    """The puzzles of a group by variant as they are drawn, nothing proved; {} if the group was given up.

    For measuring what many of them have in common. They are mostly those of build_group(), which proves them too.
    """
    for attempt in range(recipe.attempts):
        try:
            return _Attempt(recipe, stratum, split, index, attempt, Counter()).drafts()
        except Discarded:
            continue
    return {}


@lru_cache(maxsize=32)
def _bases(stratum: Stratum) -> tuple[Spec[Any], ...]:
    return stratum.bases()


def budget_of(recipe: Recipe) -> Budget:
    """The budget of the engines for one question."""
    return Budget(recipe.nodes, recipe.conflicts, recipe.checks, recipe.rlimit, recipe.states)


class _Nothing:
    """No value was given, not even None."""


_NOTHING = _Nothing()


class _Attempt:
    """One draw of a group: what its parent and its children have in common."""

    def __init__(self, recipe: Recipe, stratum: Stratum, split: str, index: int, attempt: int, tally: Counter[str]) -> None:
        bases = _bases(stratum)
        number, base = divmod(index, len(bases))
        self.recipe, self.stratum, self.split, self.tally = recipe, stratum, split, tally
        self.family = family_named(stratum.family)
        self.engines = Engines(self.family, budget_of(recipe))
        self.variants = stratum.variants_at(number + base)
        # the formats take turns within one base, and each base begins with another one
        self.reply_format = stratum.reply_formats[(number + base) % len(stratum.reply_formats)]
        self.rng = stream(recipe.seed, split, stratum.family, base_text(bases[base]), number, attempt)
        spec = specialized(bases[base], recipe.release_seed())
        draft = _draw(self.family, spec, self.rng, self.engines, stratum.doubts(CANONICAL), home=self.home)
        draft = voiced(draft, stratum.voices, self.rng)
        # requests take turns too, whatever the format is
        self.ask = stratum.asks[(number // len(stratum.reply_formats) + base) % len(stratum.asks)]
        # the same in all attempts, so that what is harder to make is asked no less often
        self.plan = stream(recipe.seed, split, stratum.family, base_text(bases[base]), number).child("choice")
        self.draft = posed(self.family, draft, self.ask, self.rng.child("ask"), self.plan, self.engines)
        self.group_id = record.group_id(split, self.draft.puzzle)

    def home(self, draft: AnyDraft) -> bool:
        """Return whether a row of this split may have the draft's answer."""
        return at_home(self.recipe, self.split, self.family, draft.puzzle, draft.answer)

    def group(self) -> list[_Kept]:
        """The parent, then a child for each variant. Raises Discarded."""
        parent = self._proved(self._parent(), None)
        children: dict[str, _Kept] = {}
        for variant in self.variants:
            if variant.of == CANONICAL:
                children |= self._grown(variant, parent)
        return [parent, *[children[variant.name] for variant in self.variants]]

    def drafts(self) -> dict[str, AnyPuzzle]:
        """The puzzles by variant, none of them proved. Raises Discarded."""
        made = {CANONICAL: self._parent()}
        for variant in self.variants:
            made[variant.name] = self._child(variant, made[variant.of], self.rng.child(variant.name, 0))
        return {name: each.draft.puzzle for name, each in made.items()}

    def _parent(self) -> _Made:
        status = asked(self.draft.puzzle).solved_status
        return _Made(CANONICAL, self.draft, Pairing.NONE, (), (), status, True)

    def _child(self, variant: Variant, source: _Made, rng: Rng) -> _Made:
        """A child that is asked for the same as the parent, wherever it shows as many cells."""
        made = _child(self.stratum, source, variant, rng, self.engines, self.home)
        parent = source.draft.puzzle
        if parent.question.kind is QuestionKind.CHOICE and not made.drawn:
            return replace(made, draft=restyled(self.family, parent, made.draft))
        plan = self.plan.child(variant.name)
        return replace(made, draft=posed(self.family, made.draft, self.ask, self.rng.child("ask"), plan, self.engines))

    def _grown(self, variant: Variant, source: _Kept) -> dict[str, _Kept]:
        """A child of this variant and those made from it, by their variants' names."""
        after = [other for other in self.variants if other.of == variant.name]
        for attempt in range(CHILD_TRIES):
            rng = self.rng.child(variant.name, attempt)
            try:
                child = self._proved(self._child(variant, source.made, rng), source)
                kept = {variant.name: child}
                for other in after:
                    kept |= self._grown(other, child)
                return kept
            except Discarded as why:
                # what is edited from the parent's own puzzle, and leads to no other variant, would fail again
                if attempt == CHILD_TRIES - 1 or not (after or _drawn(self.family, variant)):
                    raise
                self.tally[f"{variant.name}:{why.reason}"] += 1
        raise AssertionError("the last attempt returns or raises")

    def _proved(self, made: _Made, source: _Kept | None) -> _Kept:
        """A draft with its proof, as a row. Raises Discarded, for a parent of another band than is wanted too."""
        family, engines, puzzle, answer = self.family, self.engines, made.draft.puzzle, made.draft.answer
        wanted, question = self.stratum.band if source is None else "", asked(puzzle)
        if not self.home(made.draft):
            raise Discarded(OTHER_SPLIT)
        if wanted == "hard" and puzzle.clues and not engines.nodes(puzzle):
            raise Discarded(OTHER_BAND, "easy or medium")  # an engine that needed no guess has used the easiest techniques only
        if wanted and (band := engines.band(puzzle)) not in (None, wanted):
            raise Discarded(OTHER_BAND, str(band))
        before = question.graded_before_proof()
        graded = grade(family, puzzle, answer, self.stratum.trace) if before else None
        early = wanted and before
        if early and (early_band := question.difficulty(family, puzzle, answer, graded, None)["band"]) != wanted:
            raise Discarded(OTHER_BAND, early_band)
        certificate = certify(family, puzzle, answer, engines.budget, hidden=made.draft.hidden, expect=made.promise)
        graded = graded if before else grade(family, puzzle, certificate.answer, self.stratum.trace)
        row = record.row(
            family=family,
            recipe=self.recipe,
            split=self.split,
            group=self.group_id,
            parent=None if source is None else source.row,
            pairing=made.pairing,
            variant=made.variant,
            kinds=made.kinds,
            transforms=made.transforms,
            edit=None if source is None or made.drawn else record.edit_of(source.made.draft.puzzle, puzzle),
            puzzle=puzzle,
            hidden=made.draft.hidden,
            certificate=certificate,
            graded=graded,
            key=canonical_key(family, puzzle),
            reply_format=self.reply_format,
        )
        if wanted and row["difficulty"]["band"] != wanted:
            raise Discarded(OTHER_BAND, row["difficulty"]["band"])
        if self.recipe.asks_smt(row["id"]):
            row["effort"] |= by_smt(family, puzzle, certificate.answer, engines.budget, made.draft.hidden)
        return _Kept(made, row)


@lru_cache(maxsize=256)
def _drawn(family: AnyFamily, variant: Variant) -> bool:
    """Return whether the variant's puzzles are drawn anew rather than made from the parent's."""
    return any(transform.stage() == 0 for transform in variant.chain(family))


def _draw(
    family: AnyFamily,
    spec: Spec[Any],
    rng: Rng,
    engines: Engines,
    doubt: bool,
    hidden: Any = _NOTHING,
    home: Callable[[AnyDraft], bool] = lambda _: True,
) -> AnyDraft:
    """A draft of this spec with as few clues as the family wants.

    hidden: what it is made from, if that is not drawn anew. home: says if it may have its answer.
    """
    spec = resolved(family.rules, spec, rng.child("settle"))
    draft = _posed(family, spec, rng, engines, hidden)
    for turn in range(1, ANSWERS if hidden is _NOTHING else 1):
        if home(draft):
            break
        draft = _posed(family, spec, rng, engines, _NOTHING, turn)
    if not home(draft):
        raise Discarded(OTHER_SPLIT)
    puzzle = draft.puzzle
    if puzzle.clues:
        order = family.clues.removal_order(draft, rng.child("thin"))
        kept = engines.minimize(puzzle, order, family.clues.kept(spec))
        if len(kept) < len(puzzle.clues):
            puzzle = puzzle.with_clues([puzzle.clues[i] for i in kept])
        puzzle = _thinned_until_needed(family, replace(draft, puzzle=puzzle), rng.child("needed"), engines)
    draft = _doubted(replace(draft, puzzle=puzzle), doubt)
    draft = asked(puzzle).with_answer(engines, family, draft)
    if not family.clues.usable(draft):
        raise Discarded("unusable")
    return family.clues.finish(draft, rng.child("finish"), engines)


def _doubted(draft: AnyDraft, doubt: bool) -> AnyDraft:
    """The draft with a prompt that says, or does not say, that there may be no answer."""
    question = replace(draft.puzzle.question, may_be_unsolvable=doubt)
    return replace(draft, puzzle=replace(draft.puzzle, question=question))


def _posed(family: AnyFamily, spec: Spec[Any], rng: Rng, engines: Engines, hidden: Any, *turn: int) -> AnyDraft:
    """A draft with all its clues. hidden: what it is made from, if that is not drawn; turn: of drawing, from the second on."""
    if hidden is _NOTHING:
        hidden = family.sample_solution(spec, rng.child("fill", *turn), engines)
    return family.make_puzzle(spec, hidden, rng.child("pose"))


def _thinned_until_needed(family: AnyFamily, draft: AnyDraft, rng: Rng, engines: Engines) -> AnyPuzzle:
    """Leave out more clues, a tenth at a time, until every added rule is needed; down to half of what the family keeps.

    With many clues a rule hardly matters, and a puzzle in which it does not is of no use.
    """
    puzzle = draft.puzzle
    least = family.clues.kept(puzzle.spec) // 2
    for name in added(family.rules, puzzle.spec):
        while not engines.needs(puzzle, name):
            fewer = len(puzzle.clues) - max(1, len(puzzle.clues) // 10)
            order = family.clues.removal_order(replace(draft, puzzle=puzzle), rng.child(name, fewer))
            kept = engines.minimize(puzzle, order, fewer) if least <= fewer else ()
            if not kept or len(kept) == len(puzzle.clues):
                raise Discarded("idle_rule", name)
            puzzle = puzzle.with_clues([puzzle.clues[i] for i in kept])
    return puzzle


def voiced(draft: AnyDraft, voices: str, rng: Rng) -> AnyDraft:
    """The draft in a voice of its own (vocabulary/wordings.py), which depends on the stream alone: never on its status."""
    if voices == "plain":
        return draft
    voice = rng.child("voice").between(FIRST, LAST) * (-1 if voices == "short" else 1)
    return replace(draft, puzzle=replace(draft.puzzle, style=replace(draft.puzzle.style, phrasing=voice)))


def _child(
    stratum: Stratum,
    parent: _Made,
    variant: Variant,
    rng: Rng,
    engines: Engines,
    home: Callable[[AnyDraft], bool],
) -> _Made:
    """Apply a variant's transforms, stage by stage, each with a stream of its own.

    What is drawn anew has a voice of its own. What is edited or restyled keeps its parent's, so that only the change differs.
    """
    family, doubt = family_named(stratum.family), stratum.doubts(variant.name)
    chain = variant.chain(family)
    names = [f"{i}:{transform.name}" for i, transform in enumerate(chain)]
    pairing = loosest(chain)
    spec = parent.draft.puzzle.spec
    for transform, name in zip(chain, names, strict=True):
        if not transform.fits(family, spec):
            raise Discarded("no_fit", f"{transform.name} after the earlier transforms of {variant.name}")
        if transform.stage() == 0:
            spec = transform.before(family, spec, rng.child("before", name))
    drawn = _drawn(family, variant)
    draft = _doubted(parent.draft, doubt)
    if drawn:
        family.validate(spec)
        hidden = draft.hidden if pairing is Pairing.SAME_ANSWER else _NOTHING
        draft = voiced(_draw(family, spec, rng.child("draw"), engines, doubt, hidden, home), stratum.voices, rng)
    for transform, name in zip(chain, names, strict=True):
        draft = transform.edit(family, draft, rng.child("edit", name), engines)
    puzzle: AnyPuzzle = draft.puzzle
    for transform, name in zip(chain, names, strict=True):
        style = transform.restyle(family, puzzle, rng.child("dress", name))
        if stratum.voices != "plain" and 0 <= style.phrasing < FIRST:  # a new style, of no voice
            style = replace(style, phrasing=puzzle.style.phrasing)
        puzzle = replace(puzzle, style=style)
    promised = promise(chain) or parent.promise
    kinds = (*parent.kinds, *[transform.kind for transform in chain])
    calls = (*parent.transforms, *variant.calls())
    return _Made(variant.name, replace(draft, puzzle=puzzle), pairing, kinds, calls, promised, drawn)
