"""Chains with planted errors, made of a row's own trace: every sentence has its label by construction.

A chain goes through the steps of a trace in order. Some steps are told wrongly, each in the way of one sub-category of the paper;
a wrong conclusion may be built upon by the sentence after it. The wordings are those of vocabulary/planted.toml, which the
recogniser was not developed on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from puzzlemill.chains.claims import Claim, negated, other, same, several
from puzzlemill.chains.follow import FOLLOWS, OPEN, Follow
from puzzlemill.chains.judge import NC, RR, RW, SUPPOSED, WR, WW
from puzzlemill.chains.scene import Scene
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import capital
from puzzlemill.rules.grids import Item
from puzzlemill.vocabulary.load import record

SHARE = 40  # of a hundred steps, so many are told wrongly
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


@dataclass(frozen=True, slots=True)
class _Wordings:
    clauses: Mapping[str, tuple[str, ...]]
    frames: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _wordings() -> _Wordings:
    found: _Wordings = record(_Wordings, "puzzlemill.vocabulary", "planted.toml")
    return found


@dataclass(frozen=True, slots=True)
class Planted:
    """A sentence with its label: category and sub-categories, and in words why."""

    text: str
    category: str
    premise: str = ""
    conclusion: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a trace: the numbers of the clues that it uses, the steps that it leans on, and what it concludes."""

    clues: tuple[int, ...]
    steps: tuple[int, ...]
    claims: tuple[Claim, ...]


def steps_of(row: Mapping[str, Any], scene: Scene) -> list[Step]:
    """The steps of a row's trace, as claims."""
    found = []
    for step in row["trace"]:
        facts = json.loads(step["conclusion"]) if type(step["conclusion"]) is str else step["conclusion"]
        claims = [same(*scene.fact(slot, value)) for slot, value in facts["sets"]]
        claims += [other(*scene.fact(slot, value)) for slot, value in facts["drops"]]
        numbers = tuple([scene.ids[use] for use in step["uses"] if use in scene.ids])
        leans = tuple([int(use[1:]) - 1 for use in step["uses"] if use.startswith("#")])
        found.append(Step(numbers, leans, tuple(claims)))
    return found


def _sayable(scene: Scene, claim: Claim) -> bool:
    """Return whether the wordings say a claim of this scene; those of orders are of places."""
    kind = _worded(claim)
    return bool(kind) and (bool(scene.place) or kind in ("is", "is_not", "any"))


class Planter:
    """Makes chains of one puzzle."""

    def __init__(self, scene: Scene, steps: Sequence[Step], rng: Rng, share: int = SHARE) -> None:
        self.scene, self.steps, self.rng, self.share = scene, steps, rng, share
        self.follow = Follow(scene.size)
        self.out: list[Planted] = []
        self.right: list[Claim] = []
        self.wrong: Claim | None = None  # concluded just before

    def chain(self) -> list[Planted]:
        """The sentences of a chain."""
        self.out, self.right, self.wrong = [], [], None
        self._add(self._frame("talk"), NC, reason="says nothing of the puzzle")
        for number, step in enumerate(self.steps):
            self.at = number
            if self.rng.chance(1, 12):
                self._add(self._frame("talk"), NC, reason="says nothing of the puzzle")
            if self.rng.chance(self.share, 100):
                self._error(step)
            else:
                self._told(step)
            self.right += [claim for claim in step.claims if claim not in self.right]
        return self.out

    # ---- right sentences

    def _told(self, step: Step) -> None:
        claim = self.rng.pick(step.claims)
        clue = self._clue(step)
        if clue and self.rng.chance(1, 2):
            self._add(self._frame("restate", k=clue, clue=self.scene.clues[clue]), NC, reason="a clue again")
        premise = self._known(step)
        if self.scene.clues.get(clue) == claim or (clue and self.rng.chance(1, 3)):
            kind = NC if self.scene.clues.get(clue) == claim else RR
            self._add(self._frame("by_clue", k=clue, conclusion=claim), kind, reason="follows" if kind == RR else "a clue again")
        elif len(premise) > 1 and self.rng.chance(1, 2):
            self._add(self._frame("so_two", premise=premise[0], more=premise[1], conclusion=claim), RR, reason="follows")
        elif premise:
            self._add(self._frame("so", premise=premise[0], conclusion=claim), RR, reason="follows")
        elif clue:
            self._add(self._frame("by_clue", k=clue, conclusion=claim), RR, reason="follows")

    def _clue(self, step: Step) -> int:
        numbers = [number for number in step.clues if _sayable(self.scene, self.scene.clues[number])]
        return self.rng.pick(numbers) if numbers else 0

    def _known(self, step: Step) -> list[Claim]:
        claims = [claim for k in step.steps for claim in self.steps[k].claims]
        return self.rng.shuffled(claims or self.right)[:2]

    # ---- errors

    def _error(self, step: Step) -> None:
        kinds: list[Callable[[Step], bool]] = [
            self._reasoning,
            self._elimination,
            self._made_up,
            self._narrowed,
            self._assumption,
            self._incomplete,
            self._derived,
            self._supposition,
        ]
        if not any(kind(step) for kind in self.rng.shuffled(kinds)):
            self._told(step)

    def _reasoning(self, step: Step) -> bool:
        """RW a, and often a sentence that builds upon it: WR 4, WW 4."""
        premise, claim = self._known(step), self._false()
        if not premise:
            return False
        self._add(self._frame("so", premise=premise[0], conclusion=claim), RW, "", "a", "does not follow")
        if self.rng.chance(2, 3):
            self._built_upon(step, claim)
        return True

    def _built_upon(self, step: Step, wrong: Claim) -> None:
        if self.rng.chance(1, 3):
            claim = self.rng.pick(step.claims)
            self._add(self._frame("so", premise=wrong, conclusion=claim), WR, "4", "", "leans on a wrong conclusion")
            return
        claim, sub = self._after(wrong)
        text = (
            self._frame("alone", conclusion=claim)
            if self.rng.chance(1, 3)
            else self._frame("so", premise=wrong, conclusion=claim)
        )
        self._add(text, WW, "4", sub, "leans on a wrong conclusion")

    def _elimination(self, _step: Step) -> bool:
        claim = self._false()
        x, y = claim.items if claim.items[1][0] == 0 else claim.items[::-1]
        away = [known for known in self.right if known.kind == "is_not"]
        if not away or claim.kind != "is" or y[0] != 0 or not self.scene.place:
            return False
        premise = self.rng.pick(away)
        text = self._frame("elimination", premise=premise, A=x, p=y)
        self._add(text, RW, "", "c", "more than one is left")
        return True

    def _made_up(self, step: Step) -> bool:
        """A clue that says something else."""
        clue = self.rng.pick(list(self.scene.clues))
        premise = self._false()
        if self.follow.check([premise], self.scene.clues[clue], 50) == FOLLOWS:
            return False
        return self._upon(step, "1", premise, "false_clue", "the clue does not say so", k=clue)

    def _narrowed(self, step: Step) -> bool:
        """Of what a clue leaves open one part, as if it was said."""
        for clue in self.rng.shuffled(list(self.scene.clues)):
            said = self.scene.clues[clue]
            options = [part for part in said.parts if part.kind == "is"] if said.kind == "any" else []
            if said.kind == "before" and self.scene.place:
                options = [same(said.items[0], (0, 0)), same(said.items[1], (0, self.scene.size.items - 1))]
            options = [claim for claim in options if not self.scene.right(claim)]
            if options:
                return self._upon(step, "2", self.rng.pick(options), "false_clue", "the clue leaves more open", k=clue)
        return False

    def _assumption(self, step: Step) -> bool:
        premise = self._false()
        if self.rng.chance(1, 2):
            return self._upon(step, "3", premise, "assumed", "assumed")
        self._add(self._frame("assume", premise=premise), NC, "3", "", "assumed, and never taken back")
        if self.rng.chance(1, 2):
            self._add(self._frame("then", conclusion=self.rng.pick(step.claims)), WR, "3", "", "leans on what is assumed")
        else:
            claim, sub = self._after(premise)
            self._add(self._frame("then", conclusion=claim), WW, "3", sub, "leans on what is assumed")
        return True

    def _incomplete(self, step: Step) -> bool:
        """Not all that an item may still be."""
        if not self.scene.place or self.scene.size.items < 4:
            return False
        x = self._item()
        p = self.scene.gold[x[0]][x[1]]
        places = [(0, q) for q in range(self.scene.size.items) if q != p]
        premise = several("any", [same(x, y) for y in sorted(self.rng.sample(places, 2))])
        return self._upon(step, "5", premise, "so", "leaves out what is still possible")

    def _derived(self, step: Step) -> bool:
        return self._upon(step, "6", self._false(), "derived", "assumed as if it followed")

    def _upon(self, step: Step, sub: str, premise: Claim, frame: str, reason: str, k: int = 0) -> bool:
        if self.rng.chance(1, 2):
            text = self._frame(frame, k=k, premise=premise, conclusion=self.rng.pick(step.claims))
            self._add(text, WR, sub, "", reason)
        else:
            claim, wrong = self._after(premise)
            self._add(self._frame(frame, k=k, premise=premise, conclusion=claim), WW, sub, wrong, reason)
        return True

    def _supposition(self, _step: Step) -> bool:
        premise = self._false()
        claim, _ = self._after(premise)
        self._add(self._frame("assume", premise=premise), SUPPOSED, reason="supposed, and taken back")
        self._add(self._frame("then", conclusion=claim), SUPPOSED, reason="within a supposition")
        clue = self.rng.pick(list(self.scene.clues))
        text = self._frame("refuted", k=clue, conclusion=negated(premise))
        first, _, rest = text.partition(". ")
        if rest:
            self._add(f"{first}.", SUPPOSED, reason="within a supposition")
        self._add(rest or text, RR, reason="the supposition is taken back")
        return True

    def _after(self, premise: Claim) -> tuple[Claim, str]:
        """A wrong conclusion, and whether it follows (b) from a wrong premise or not (a)."""
        size = self.scene.size.items
        if premise.kind == "is" and self.rng.chance(2, 3):
            x, y = premise.items if premise.items[1][0] == 0 else premise.items[::-1]
            e = self.scene.gold[y[0]][y[1]]
            z = next((x[0], v) for v in range(size) if self.scene.gold[x[0]][v] == e)
            return other(z, y), "b"
        clues = list(self.scene.clues.values())
        for _ in range(20):
            claim = self._false()
            if claim != premise and self.follow.check([premise, *self.right, *clues], claim, 200) == OPEN:
                return claim, "a"
        return self._false(), "b"

    def _false(self) -> Claim:
        """A false claim of an item and an entity."""
        x = self._item()
        e = self.scene.gold[x[0]][x[1]]
        if self.rng.chance(1, 5):
            return other(x, (0, e))
        return same(x, (0, self.rng.pick([p for p in range(self.scene.size.items) if p != e])))

    def _item(self) -> Item:
        return (self.rng.between(1, self.scene.size.categories - 1), self.rng.below(self.scene.size.items))

    # ---- words

    def _add(self, text: str, category: str, premise: str = "", conclusion: str = "", reason: str = "") -> None:
        """Add a sentence; of a text of two, the first is the premise, said again or for the first time."""
        self.out.append(Planted(text, category, premise, conclusion, reason))

    def _frame(self, name: str, k: int = 0, A: Item | None = None, p: Item | None = None, **claims: Claim) -> str:
        words = {key: self._clause(claim) for key, claim in claims.items()}
        words |= {capital(key): capital(text) for key, text in words.items()}
        words["k"] = str(k)
        words["at"] = self.scene.at_word
        if A is not None and p is not None:
            words |= {"A": self._noun(A), "p": self._place(p)}
        return capital(self.rng.pick(_wordings().frames[name]).format_map(words))

    def _clause(self, claim: Claim) -> str:
        kind, items = _worded(claim), claim.items or tuple([x for part in claim.parts for x in part.items])
        words = {"at": self.scene.at_word, "place": self.scene.place[0] if self.scene.place else ""}
        words["places"] = self.scene.place[-1] if self.scene.place else ""
        if kind in ("is", "is_not") and self.scene.place and any(x[0] == 0 for x in items):
            kind = "at" if kind == "is" else "not_at"
            items = tuple(sorted(items, reverse=True))
            words["p"] = self._place(items[1])
        if kind == "any":
            whom = next(x for x in items if x[0] != 0)
            words["A"] = self._noun(whom)
            words["list"] = " or ".join([self._place(x) if x[0] == 0 else self._noun(x) for x in items if x != whom])
        else:
            words |= dict(zip("ABC", [self._noun(x) for x in items], strict=False))
        d = claim.number
        words |= {"d": NUMBERS[d] if d < len(NUMBERS) else str(d), "gap": f"exactly {NUMBERS[min(max(d - 1, 0), 7)]}"}
        return self.rng.pick(_wordings().clauses[kind]).format_map(words)

    def _noun(self, x: Item) -> str:
        return self.rng.pick(self.scene.nouns_of(x))

    def _place(self, x: Item) -> str:
        return f"{self.scene.place[0]} {x[1] + 1}" if self.scene.place else self._noun(x)


def _worded(claim: Claim) -> str:
    """The kind of clause that says a claim; "" for one that has no wordings here."""
    if claim.kind == "any" and all(part.kind == "is" for part in claim.parts):
        return "any"
    if claim.kind == "exactly":
        return "just_before" if claim.number == 1 else ""
    if claim.kind == "apart":
        return "next" if claim.number == 1 else "apart"
    return claim.kind if claim.kind in ("is", "is_not", "before", "between") else ""


def planted(row: Mapping[str, Any], scene: Scene, rng: Rng) -> list[Planted]:
    """A chain with planted errors of a row that has a trace."""
    return Planter(scene, steps_of(row, scene), rng).chain()
