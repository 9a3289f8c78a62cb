"""Examples before a prompt: puzzles of the same family with worked replies, from a train split.

    examples = Examples(release, FewShot(2))
    examples.prompt(row)

An example asks as the row does: the same family, question and request, with a reply in the row's own format; and it voices the
doubt that there may be no solution exactly if the row does. Then half of the examples have none, in an order of no meaning. It
has the visible rules of the row where there are enough such examples. By band, score and search space it is no harder than the
easiest solvable row of the row's group. An unsolvable row's own difficulty is not looked at: which examples it has would tell
that it is one. For the same reason all rows of a group that look alike have the same examples, drawn by a stream of the group's.
None is of the row's own group, and none has a canonical key of another split.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.rng import Rng, digest, stream
from puzzlemill.core.types import AnyPuzzle, QuestionKind, Status
from puzzlemill.core.words import NUMBERS
from puzzlemill.envs.columns import COLUMNS_READ
from puzzlemill.factory.read import Release, open_release, rows
from puzzlemill.factory.reasoning import MOST_TOKENS, Options, reasoning
from puzzlemill.factory.recipe import BANDS
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.scoring.prompt import gold_reply, stated
from puzzlemill.vocabulary.wordings import Voice

MOST = 8  # examples of a prompt
TRAIN = "train"
COLUMNS = ("family", "group_id", "reply_format", "puzzle")  # of a row, for Examples.prompt(), besides its prompt
_POOL = 24  # rows that alike ones take their examples from, spread over what there is of difficulties
_LIGHT = ("id", "split", "status", "canonical_key", "family_version", "difficulty", "search_space_log10", *COLUMNS)
_PLAY = QuestionKind.PLAY.value

Kind = tuple[str, str, str, bool]  # family, question, request, doubt
Level = tuple[int, float, float]  # band, score, and size of the search space


@dataclass(frozen=True, slots=True)
class FewShot:
    """examples: before each prompt, 0 for none. tokens: of the reasoning in each, at four characters; 0 for the answer alone.

    reflection: a wrong value is tried and taken back in each that can show one, and those that can are taken first.
    """

    examples: int = 0
    tokens: int = 1_000
    reflection: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.examples <= MOST:
            raise BadParams(f"--few-shot: expected 0 to {MOST} examples, got {self.examples}")
        if not 0 <= self.tokens <= MOST_TOKENS:
            raise BadParams(f"--few-shot-tokens: expected 0 to {MOST_TOKENS}, got {self.tokens}")
        if self.reflection and not (self.examples and self.tokens):
            raise BadParams("--few-shot-reflection: there is no reasoning; give --few-shot, and --few-shot-tokens above 0")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A row that can be an example."""

    id: str
    group: str
    rules: tuple[str, ...]
    unsolvable: bool
    level: Level


def examples_of(release: Release, examples: int, tokens: int, source: Path | None, reflection: bool = False) -> Examples | None:
    """The examples that options ask for; None if they ask for none. Raises BadParams or BadFile."""
    few = FewShot(examples, tokens, reflection)
    if source is not None and not examples:
        raise BadParams("--few-shot-from: no examples are asked for; give their number with --few-shot")
    return Examples(release, few, None if source is None else open_release(source)) if examples else None


class Examples:
    """Examples for the prompts of a release, from its own train split or from that of another one.

    given, without, dialogues: numbers of prompts by family that prompt() was asked for: with examples, without since there are
    too few, and without since a dialogue has none.
    """

    def __init__(self, release: Release, few: FewShot, source: Release | None = None) -> None:
        """Read both releases. Raises BadParams if there is no train split, BadFile for rows of other versions of families."""
        self.few = few
        self.given: Counter[str] = Counter()
        self.without: Counter[str] = Counter()
        self.dialogues: Counter[str] = Counter()
        self._limits: dict[str, Level] = {}  # of groups: the easiest solvable row's
        found: dict[Kind, list[_Candidate]] = {}
        taken: set[str] = set()
        for row in rows(release, _LIGHT):
            level = _level(row)
            if row["status"] != Status.UNSOLVABLE.value and level is not None:
                self._limits[row["group_id"]] = _each(min, level, self._limits.get(row["group_id"], level))
            if row["split"] != TRAIN or source is not None:
                taken.add(row["canonical_key"])
        where = release if source is None else source
        self._hardest: dict[str, Level] = {}
        every = 0
        for row in rows(where, _LIGHT):
            if row["split"] == TRAIN:
                every += 1
                self._add(row, where, taken, found)
        if not every:
            raise BadParams(
                f"--few-shot: {where.folder} has no split {TRAIN} to take examples from; name one with --few-shot-from"
            )
        self._pools = {kind: _thinned(candidates) for kind, candidates in found.items()}
        kept = {candidate.id for pool in self._pools.values() for candidate in pool}
        self._rows = {row["id"]: row for row in rows(where, COLUMNS_READ) if row["id"] in kept}
        self._told: dict[str, tuple[str, str, bool]] = {}
        self._drawn: dict[tuple[str, Kind, tuple[str, ...]], list[str]] = {}

    def _add(self, row: Mapping[str, Any], where: Release, taken: set[str], found: dict[Kind, list[_Candidate]]) -> None:
        if row["family_version"] != (version := family_named(row["family"]).version):
            raise BadFile(
                f"{where.folder}: its rows of {row['family']} are of the family's version {row['family_version']}, and this "
                f"Puzzlemill has version {version}; take examples with the Puzzlemill that made them"
            )
        kind, rules = _kind(row)
        level = _level(row)
        if level is not None:
            self._hardest[row["group_id"]] = _each(max, level, self._hardest.get(row["group_id"], level))
        else:  # what cannot be graded is taken for as hard as the hardest puzzle before it in its group, which it was made from
            level = self._hardest.get(row["group_id"])
        if level is not None and kind[1] != _PLAY and row["canonical_key"] not in taken:
            unsolvable = row["status"] == Status.UNSOLVABLE.value
            found.setdefault(kind, []).append(_Candidate(row["id"], row["group_id"], rules, unsolvable, level))

    # ---- prompts

    def prompt(self, row: Mapping[str, Any]) -> str:
        """The prompt of a row, which has COLUMNS too, with examples before it; by itself where there are too few."""
        own: str = row["prompt"]
        chosen = self.chosen(row)
        count = self.given if chosen else self.dialogues if _kind(row)[0][1] == _PLAY else self.without
        count[row["family"]] += 1
        if not chosen:
            return own
        puzzle, _ = _posed(row)
        voice = Voice(puzzle.family, puzzle.style.phrasing)
        said = f"{NUMBERS[len(chosen)]} solved examples" if len(chosen) > 1 else "a solved example"
        first = voice.framed("examples", examples=said)
        parts = [first[0].upper() + first[1:]]
        for i, name in enumerate(chosen, 1):
            told, why, _ = self._example(name)
            gold = gold_reply(*_posed(self._rows[name]), row["reply_format"])
            parts += [voice.framed("example", i=i), told, voice.framed("worked", i=i), *([why] if why else []), gold]
        return "\n\n".join([*parts, voice.framed("own"), own])

    def chosen(self, row: Mapping[str, Any]) -> list[str]:
        """The ids of a row's examples, in their order; [] if there are too few, and for a dialogue."""
        kind, rules = _kind(row)
        key = row["group_id"], kind, rules
        if key not in self._drawn:
            self._drawn[key] = [] if kind[1] == _PLAY else self._choose(*key)
        return self._drawn[key]

    def _choose(self, group: str, kind: Kind, rules: tuple[str, ...]) -> list[str]:
        """The ids of the examples for rows of a group, in their order; [] if there are too few."""
        rng = stream("few-shot", group, *map(str, kind), *rules)
        limit = self._limits.get(group)
        if limit is None:
            return []
        chosen: list[_Candidate] = []
        for unsolvable, count in self._shares(kind, rng):
            pool = [each for each in self._pools.get(kind, ()) if each.unsolvable is unsolvable and each.group != group]
            pool = [each for each in pool if _each(max, each.level, limit) == limit]
            pool = rng.child("drawn", str(unsolvable)).shuffled(pool)
            pool.sort(key=lambda each: (each.rules != rules, self._lacks(each.id)))
            before = len(chosen)
            for each in pool:
                if len(chosen) - before < count and each.group not in [other.group for other in chosen]:
                    chosen.append(each)
            if len(chosen) - before < count:
                return []
        return [each.id for each in rng.child("order").shuffled(chosen)]

    def _shares(self, kind: Kind, rng: Rng) -> tuple[tuple[bool, int], ...]:
        """How many examples have no solution, and how many have one."""
        if not kind[3]:
            return ((False, self.few.examples),)
        half, odd = divmod(self.few.examples, 2)
        more = odd * rng.child("odd").below(2)
        return (True, half + more), (False, self.few.examples - half - more)

    def _lacks(self, name: str) -> int:
        """The number of things that an example should have, and has not: reasoning, and in that a value that is taken back."""
        if not self.few.tokens:
            return 0
        _, why, tried = self._example(name)
        return (not why) + (self.few.reflection and not tried)

    def _example(self, name: str) -> tuple[str, str, bool]:
        """The puzzle of an example, the reasoning that leads to its answer, and whether a wrong value is tried in that; "" for
        reasoning if none is short enough.
        """
        if name not in self._told:
            row = self._rows[name]
            options = Options(trace_tokens=self.few.tokens, wrong_suppositions=100 * self.few.reflection)
            found = reasoning(row, options)
            # of a refutation that is too long, what contradicts itself alone teaches nothing
            why = found.text if self.few.tokens and found.cut != "core" else ""
            self._told[name] = stated(_posed(row)[0]), why, bool(why) and found.tried
        return self._told[name]

    def settings(self) -> dict[str, Any]:
        """What decides on the examples, with a digest of all that there are."""
        pool = sha256(json.dumps(sorted(self._rows)).encode()).hexdigest()
        few = {"few_shot": self.few.examples, "few_shot_tokens": self.few.tokens, "few_shot_from": pool}
        return few | ({"few_shot_reflection": True} if self.few.reflection else {})

    def to_json(self) -> dict[str, Any]:
        """How examples are given, and to how many prompts of each family."""
        names = sorted({*self.given, *self.without, *self.dialogues})
        counts = {
            name: {"with": self.given[name], "without": self.without[name], "dialogues": self.dialogues[name]} for name in names
        }
        return {**asdict(self.few), "families": counts}

    def summary(self) -> str:
        """The same in a sentence."""
        less = [f"{name} {count}" for name, count in sorted(self.without.items())]
        tried = ", with values taken back where they can show one," if self.few.reflection else ""
        said = f"{self.few.examples} examples{tried} before each of {self.given.total()} prompts"
        if less:
            said += f"; none before {self.without.total()} for which there are too few that are not harder ({', '.join(less)})"
        return said + (f"; none before {self.dialogues.total()} dialogues" if self.dialogues else "")


def _posed(row: Mapping[str, Any]) -> tuple[AnyPuzzle, Any | None]:
    """The puzzle of a row, and its answer."""
    family: AnyFamily = family_named(row["family"])
    answer = row.get("answer")
    puzzle: AnyPuzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    return puzzle, None if answer is None else loads(asked(puzzle).answer_type(family), answer, "answer")


def _kind(row: Mapping[str, Any]) -> tuple[Kind, tuple[str, ...]]:
    """What an example has to have in common with a row, and the names of the rules in force, which it should."""
    raw = json.loads(row["puzzle"])
    question = raw["question"]
    kind = row["family"], question["kind"], question["ask"], question["may_be_unsolvable"]
    return kind, tuple([rule[0] for rule in raw["spec"]["rules"]])


def _level(row: Mapping[str, Any]) -> Level | None:
    """How hard a row is; None for one that cannot be graded. Without the steps of the deduction its tier stands for the score."""
    band, tier, score = (row["difficulty"][name] for name in ("band", "tier", "score"))
    worth = tier if score is None else score
    return (BANDS.index(band), worth, row["search_space_log10"]) if band in BANDS and worth is not None else None


def _each(better: Callable[[float, float], float], one: Level, other: Level) -> Level:
    """The least, or the most, of both in each respect."""
    return int(better(one[0], other[0])), better(one[1], other[1]), better(one[2], other[2])


def _thinned(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """At most _POOL of those with the same rules and status, the easiest and others at even distances."""
    alike: dict[tuple[tuple[str, ...], bool], list[_Candidate]] = {}
    for each in sorted(candidates, key=lambda each: (each.level[1:], digest("few-shot", each.id))):
        alike.setdefault((each.rules, each.unsolvable), []).append(each)
    kept = []
    for _, found in sorted(alike.items()):
        count = min(_POOL, len(found))
        kept += [found[i * len(found) // count] for i in range(count)]
    return kept
