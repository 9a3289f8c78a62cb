"""The board of a family's deduction: what is left for each slot, and why the rest is not.

Slots are those of the table, then the generation of each person, the couple's at the top being 0. What clues say is put as
*ways*: sets of facts of which one must hold as a whole. What all ways that are left have in common holds, and what none has does
not. Whatever a step finds is followed by the rules of families at once, in the same step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from puzzlemill.core.model import KIN_STATEMENTS, KIN_WORDS, Fact, KinTable, Slots, Step
from puzzlemill.rules.kin import ANY, MAN, WORDS, Word
from puzzlemill.solvers.deduce.board import Board
from puzzlemill.solvers.deduce.kin_findings import Clash, Excluding, KinFound, Placing, Rules
from puzzlemill.solvers.deduce.masks import bits_of

GENDER, SPOUSE, FATHER, MOTHER = range(4)
PROBES = 24  # suppositions in one deduction, before the rest is left to search
_CAP, _WORK = 24, 400  # ways that are looked at, and facts that are tried for them
_FAMILIES = ("marriage", "parents", "descent")  # which go together: that a couple are parents says that they are married
_HERE = "*"  # why something is out that the present step has found
_CLIMBS = {"parent": -1, "grandparent": -2, "great_grandparent": -3, "uncle_or_aunt": -1, "parent_in_law": -1}
_CLIMBS |= {"child": 1, "grandchild": 2, "great_grandchild": 3, "nephew_or_niece": 1, "child_in_law": 1}
_TURNED = {"grandchild": "grandparent", "great_grandchild": "great_grandparent", "nephew_or_niece": "uncle_or_aunt"}
_TURNED |= {"child_in_law": "parent_in_law"}
_THROUGH = {
    "grandparent": (("parent", "parent"),),
    "great_grandparent": (("parent", "grandparent"),),
    "beside": (("sibling", "parent"),),
    "uncle_or_aunt": (("sibling", "parent"), ("spouse", "beside")),
    "cousin": (("child", "beside"),),
    "parent_in_law": (("parent", "spouse"),),
    "sibling_in_law": (("sibling", "spouse"), ("spouse", "sibling")),
}
Way = dict[int, int]


class _Empty(Exception):
    """Nothing is left for some slot."""


class _TooMany(Exception):
    """There are more ways than somebody would look at."""


class KinBoard(Board):
    """left: of each slot a mask of values. why: of each value that is out, the label of the step.

    lost: values that are out by field (GENDER, ..., generation). followed: of each rule of families and person what was known of
    all that it looks at when it was last followed, since it gives nothing new until that changes.
    """

    followed: list[tuple[int, ...]]

    def __init__(self, table: KinTable, ids: Sequence[str]) -> None:
        rules = ["marriage", "parents", "descent", "generations", *["alike"] * table.alike]
        super().__init__(ids, rules, PROBES, 1)
        n = table.people
        self.table, self.n, self.values = table, n, n
        self.sizes = [2, n, n, n] * n + [table.generations] * n
        self.left = [(1 << size) - 1 for size in self.sizes]
        self.why = [[""] * size for size in self.sizes]
        self.used: dict[str, None] = {}
        self.removed: list[Fact] = []
        self.version, self.seen = 0, [-1] * (len(ids) + 1)
        self.lost = [0] * 5
        self.followed = [()] * (3 * n)
        self.failed: dict[Fact, None] = {}
        self.work = 0

    # ---- what Board asks

    @property
    def unsolved(self) -> bool:
        return any(mask & (mask - 1) for mask in self.left[: 4 * self.n])

    def own(self) -> None:
        self.left, self.why = list(self.left), [list(each) for each in self.why]
        self.seen = [-1] * len(self.seen)
        self.lost, self.followed = list(self.lost), list(self.followed)

    def put(self, slot: int, value: int, why: str) -> None:
        for other in range(self.sizes[slot]):
            if other != value:
                self.drop(slot, other, why)

    def drop(self, slot: int, value: int, why: str) -> None:
        if self.left[slot] >> value & 1:
            self._lose(slot, value)
        elif self.why[slot][value] != _HERE:
            return
        self.why[slot][value] = why

    def rest(self, answer: Slots) -> list[Fact]:
        return [(slot, value) for slot, value in enumerate(answer) if self.left[slot] & (self.left[slot] - 1)]

    def wanted(self, step: Step) -> bool:
        return any(slot < 4 * self.n for slot, _ in step.sets)

    def run(self, top: int) -> None:
        """Read one clue after the other, from the first again whenever one has told something."""
        looks = [len(self.ids), *range(len(self.ids))]
        while True:
            for which in looks:
                if self.seen[which] != self.version:
                    self.seen[which] = self.version
                    if self._look_at(which):
                        break
            else:
                return

    # ---- a step

    def _look_at(self, which: int) -> bool:
        """Let one clue tell what it can, or after the last one the rules alone."""
        self.used, self.removed, self.failed = {}, [], {}
        try:
            if which < len(self.ids):
                self.used[self.ids[which]] = None
                self._read(which)
                if not self.removed:
                    return False
            self._follow()
        except _Empty:
            return self.note(Clash(which), self.used)
        if not self.removed:
            return False
        slots = list(dict.fromkeys(slot for slot, _ in self.removed))
        sets = [(slot, self.left[slot].bit_length() - 1) for slot in slots if not self.left[slot] & (self.left[slot] - 1)]
        done = [slot for slot, _ in sets]
        self._lean([(slot, -1) for slot in done])
        drops = [fact for fact in self.removed if fact[0] not in done]
        kind: type[KinFound] = Rules if which == len(self.ids) else Placing if sets else Excluding
        return self.note(kind(which), self.used, sets, drops)

    def out(self, slot: int, value: int, rule: str, *because: tuple[int, int]) -> None:
        """Rule out a value. because: slots, and masks of values that are out there, from which it follows with the rule."""
        if not self.left[slot] >> value & 1:
            return
        self._lose(slot, value)
        self.why[slot][value] = _HERE
        self.removed.append((slot, value))
        self.used.update(dict.fromkeys(_FAMILIES if rule in _FAMILIES else [rule] * bool(rule)))
        self._lean(because)
        if not self.left[slot]:
            self._lean([(slot, (1 << self.sizes[slot]) - 1)])
            raise _Empty

    def _lose(self, slot: int, value: int) -> None:
        self.left[slot] &= ~(1 << value)
        self.version += 1
        self.lost[slot % 4 if slot < 4 * self.n else 4] += 1

    def _lean(self, because: Sequence[tuple[int, int]]) -> None:
        for slot, mask in because:
            out = mask & ~self.left[slot] & ((1 << self.sizes[slot]) - 1)
            why = self.why[slot]
            for value in bits_of(out):
                label = why[value]
                if label and label != _HERE:
                    self.used[label] = None

    def keep(self, slot: int, mask: int, rule: str, *because: tuple[int, int]) -> None:
        """Rule out all other values."""
        if out := self.left[slot] & ~mask:
            for value in bits_of(out):
                self.out(slot, value, rule, *because)

    def one(self, slot: int) -> int:
        """The value of a slot, -1 if it is not known."""
        mask = self.left[slot]
        return -1 if mask & (mask - 1) else mask.bit_length() - 1

    # ---- the rules of families

    def _follow(self) -> None:
        before, n, left, lost, followed = -1, self.n, self.left, self.lost, self.followed
        alike = self.table.alike
        while before != len(self.removed):
            before = len(self.removed)
            for x in range(n):
                gender, s, f, m = left[4 * x : 4 * x + 4]
                now: tuple[int, ...] = (gender, s, f >> x & 1, lost[GENDER] if gender != 3 else -1)
                if followed[3 * x] != now:
                    followed[3 * x] = now
                    self._marriage(x)
                    f, m = left[4 * x + FATHER], left[4 * x + MOTHER]
                now = (f, m, lost[GENDER], lost[SPOUSE], lost[FATHER] if alike else -1)
                if followed[3 * x + 1] != now:
                    followed[3 * x + 1] = now
                    self._parents(x)
                now = (*left[4 * x + SPOUSE : 4 * x + 4], lost[4], lost[FATHER])
                if followed[3 * x + 2] != now:
                    followed[3 * x + 2] = now
                    self._descent(x)
            self._ends()

    def _marriage(self, x: int) -> None:
        n, left = self.n, self.left
        s, g = 4 * x + SPOUSE, 4 * x
        for y in range(n):
            if y == x:
                continue
            if not left[s] >> y & 1:
                self.out(4 * y + SPOUSE, x, "marriage", (s, 1 << y))
            elif self.one(g) >= 0 and self.one(g) == self.one(4 * y):
                self.out(s, y, "marriage", (g, 3), (4 * y, 3))
        y = self.one(s)
        if y not in (-1, x):
            if self.one(g) >= 0:
                self.out(4 * y, self.one(g), "marriage", (s, -1), (g, 3))
            if not left[4 * x + FATHER] >> x & 1:
                self.keep(4 * y + FATHER, 1 << y, "descent", (s, -1), (4 * x + FATHER, 1 << x))

    def _parents(self, x: int) -> None:
        left = self.left
        for field, gender, other in ((FATHER, 0, MOTHER), (MOTHER, 1, FATHER)):
            slot, beside = 4 * x + field, 4 * x + other
            if not left[slot] >> x & 1:
                self.out(beside, x, "parents", (slot, 1 << x))
            elif left[slot] == 1 << x:
                self.keep(beside, 1 << x, "parents", (slot, -1))
            for p in bits_of(left[slot] & ~(1 << x)):
                married = 4 * p + SPOUSE
                if not left[4 * p] >> gender & 1:
                    self.out(slot, p, "parents", (4 * p, 1 << gender))
                elif not left[married] & left[beside] & ~(1 << x) & ~(1 << p):
                    self.out(slot, p, "parents", (married, -1), (beside, -1))
            p = self.one(slot)
            if p not in (-1, x):
                self.keep(4 * p, 1 << gender, "parents", (slot, -1))
                spouse = left[beside] & ~(1 << x) & ~(1 << p)
                self.keep(4 * p + SPOUSE, spouse, "parents", (slot, -1), (beside, -1))
        if self.table.alike:
            self._alike(x)

    def _alike(self, x: int) -> None:
        """Brothers and sisters are of one gender."""
        f, gender = self.one(4 * x + FATHER), self.one(4 * x)
        if f in (-1, x) or gender < 0:
            return
        for y in range(self.n):
            if y not in (x, f):
                if self.one(4 * y + FATHER) == f:
                    self.keep(4 * y, 1 << gender, "alike", (4 * y + FATHER, -1), (4 * x + FATHER, -1), (4 * x, -1))
                elif self.one(4 * y) == 1 - gender:
                    self.out(4 * y + FATHER, f, "alike", (4 * y, -1), (4 * x + FATHER, -1), (4 * x, -1))

    def _descent(self, x: int) -> None:
        n, left = self.n, self.left
        f, s, d = 4 * x + FATHER, 4 * x + SPOUSE, 4 * n + x
        if left[f] == 1 << x:
            self.out(s, x, "descent", (f, -1))
        if not left[f] >> x & 1:
            self.out(d, 0, "descent", (f, 1 << x))
        if left[d] == 1:
            self.keep(f, 1 << x, "descent", (d, -1))
            self.out(s, x, "descent", (d, -1))
        for slot in (f, 4 * x + MOTHER):
            for p in bits_of(left[slot] & ~(1 << x)):
                if not left[4 * n + p] << 1 & left[d]:
                    self.out(slot, p, "descent", (4 * n + p, -1), (d, -1))
            p = self.one(slot)
            if p not in (-1, x):
                self.keep(d, left[4 * n + p] << 1, "descent", (slot, -1), (4 * n + p, -1))
                self.keep(4 * n + p, left[d] >> 1, "descent", (slot, -1), (d, -1))
        for y in bits_of(left[s] & ~(1 << x)):
            if not left[4 * n + y] & left[d]:
                self.out(s, y, "descent", (4 * n + y, -1), (d, -1))
            elif not left[f] >> x & 1 and not left[4 * y + FATHER] >> y & 1:
                self.out(s, y, "descent", (f, 1 << x), (4 * y + FATHER, 1 << y))
            elif not left[d] & 1 and left[f] == 1 << x and left[4 * y + FATHER] == 1 << y:
                self.out(s, y, "descent", (d, 1), (f, -1), (4 * y + FATHER, -1))
        y = self.one(s)
        if y == x:
            self.out(f, x, "descent", (s, -1))
        elif y >= 0:
            self.keep(d, left[4 * n + y], "descent", (s, -1), (4 * n + y, -1))
            if left[4 * y + FATHER] == 1 << y:
                if not left[d] & 1:
                    self.out(f, x, "descent", (s, -1), (d, 1), (4 * y + FATHER, -1))
                elif left[f] == 1 << x:
                    self.keep(d, 1, "descent", (s, -1), (f, -1), (4 * y + FATHER, -1))

    def _ends(self) -> None:
        """Two people are at the top; somebody is in the last generation."""
        n, left, last = self.n, self.left, self.table.generations - 1
        may = [x for x in range(n) if left[4 * n + x] & 1]
        sure = [x for x in may if left[4 * n + x] == 1]
        if len(sure) >= 2:
            for x in range(n):
                if x not in sure[:2]:
                    self.out(4 * n + x, 0, "descent", *[(4 * n + y, -1) for y in sure[:2]])
        if len(may) <= 2:
            others = [(4 * n + x, 1) for x in range(n) if x not in may]
            for x in may:
                self.keep(4 * n + x, 1, "descent", *others)
                for y in range(n):
                    if y not in may:
                        self.out(4 * x + SPOUSE, y, "descent", *others)
        lowest = [x for x in range(n) if left[4 * n + x] >> last & 1]
        if len(lowest) == 1:
            others = [(4 * n + x, 1 << last) for x in range(n) if x not in lowest]
            self.keep(4 * n + lowest[0], 1 << last, "generations", *others)

    # ---- clues

    def _read(self, which: int) -> None:
        code, x, y, number, *words = self.table.clues[which]
        kind = KIN_STATEMENTS[code]
        if kind == "kin":
            self._kin([WORDS[KIN_WORDS[word]] for word in words if word >= 0], x, y)
        elif kind in ("man", "woman"):
            self.keep(4 * x, 1 if kind == "man" else 2, "")
        elif kind == "unmarried":
            self.keep(4 * x + SPOUSE, 1 << x, "")
        elif kind == "married":
            self.out(4 * x + SPOUSE, x, "")
        elif kind == "childless":
            for z in range(self.n):
                if z != x:
                    self.out(4 * z + FATHER, x, "")
                    self.out(4 * z + MOTHER, x, "")
        elif kind == "no_siblings":
            self._apart(x, self.one(4 * x + FATHER), [])
        elif kind in ("men", "women"):
            self._total(int(kind == "women"), number)
        elif kind in ("children", "sons", "daughters"):
            self._children(x, {"sons": 0, "daughters": 1}.get(kind, ANY), number)

    def _apart(self, x: int, f: int, among: Sequence[int]) -> None:
        """Nobody else than x, and those among whom there may be some, has the father f of x."""
        if f not in (-1, x):
            for z in range(self.n):
                if z not in (x, f) and z not in among:
                    self.out(4 * z + FATHER, f, "", (4 * x + FATHER, -1))

    def _total(self, gender: int, number: int) -> None:
        sure = [x for x in range(self.n) if self.one(4 * x) == gender]
        may = [x for x in range(self.n) if self.left[4 * x] >> gender & 1]
        if len(sure) >= number:
            for x in may:
                if x not in sure[:number]:
                    self.out(4 * x, gender, "", *[(4 * y, 3) for y in sure])
        elif len(may) <= number:
            for x in may:
                self.keep(4 * x, 1 << gender, "", *[(4 * y, 3) for y in range(self.n) if y not in may])

    def _children(self, x: int, gender: int, number: int) -> None:
        """So many children, or sons, or daughters."""
        sure, may = [], []
        for z in range(self.n):
            slots = [slot for slot in (4 * z + FATHER, 4 * z + MOTHER) if self.left[slot] >> x & 1]
            if z != x and slots and (gender == ANY or self.left[4 * z] >> gender & 1):
                may.append(z)
                if any(self.one(slot) == x for slot in slots) and gender in (ANY, self.one(4 * z)):
                    sure.append(z)
        fields = [FATHER, MOTHER] if self.one(4 * x) < 0 else [FATHER + self.one(4 * x)]
        known = [(4 * z + field, -1) for z in sure for field in (GENDER, FATHER, MOTHER)]
        if len(sure) >= number:
            for z in may:
                if z not in sure[:number] and gender in (ANY, self.one(4 * z)):
                    for field in (FATHER, MOTHER):
                        self.out(4 * z + field, x, "", (4 * z, -1), *known)
        if len(may) == number and len(fields) == 1:
            others = [(4 * z + field, -1) for z in range(self.n) if z not in may for field in (GENDER, FATHER, MOTHER)]
            for z in may:
                self.keep(4 * z + fields[0], 1 << x, "", (4 * x, -1), *others)
                if gender != ANY:
                    self.keep(4 * z, 1 << gender, "", *others)

    def _kin(self, words: Sequence[Word], x: int, y: int) -> None:
        """One of the ways holds in which x is this to y."""
        n, climb = self.n, sum([_CLIMBS.get(word.kinship, 0) for word in words])
        dx, dy = 4 * n + x, 4 * n + y
        self.keep(dx, self.left[dy] << climb if climb > 0 else self.left[dy] >> -climb, "descent", (dy, -1))
        self.keep(dy, self.left[dx] >> climb if climb > 0 else self.left[dx] << -climb, "descent", (dx, -1))
        if words[0].gender != ANY:
            self.keep(4 * x, 1 << words[0].gender, "")
        self.failed, self.work = {}, 0
        try:
            ways = self._listed(words, x, y)
        except _TooMany:
            ways = None
        if ways is not None:
            because = [(slot, 1 << value) for slot, value in self.failed]
            if not ways:
                self._lean(because)
                self.used.update(dict.fromkeys(_FAMILIES))
                raise _Empty
            for slot in ways[0]:
                if all(slot in way for way in ways):
                    self.keep(slot, sum({1 << way[slot] for way in ways}), "marriage", *because)
        if len(words) == 1 and words[0].only:
            self._only(words[0], x, y)

    def _only(self, word: Word, x: int, y: int) -> None:
        """No other child of y, or of its father, is of this gender."""
        f = self.one(4 * y + FATHER)
        for z in range(self.n):
            if z in (x, y):
                continue
            mine = word.gender == ANY or self.one(4 * z) == word.gender
            if word.kinship == "child":
                if mine:
                    self.out(4 * z + FATHER, y, "", (4 * z, -1))
                    self.out(4 * z + MOTHER, y, "", (4 * z, -1))
                elif y in (self.one(4 * z + FATHER), self.one(4 * z + MOTHER)):
                    self.out(4 * z, word.gender, "", (4 * z + FATHER, -1), (4 * z + MOTHER, -1))
            elif f not in (-1, y, z):
                if mine:
                    self.out(4 * z + FATHER, f, "", (4 * z, -1), (4 * y + FATHER, -1))
                elif self.one(4 * z + FATHER) == f:
                    self.out(4 * z, word.gender, "", (4 * z + FATHER, -1), (4 * y + FATHER, -1))

    # ---- ways

    def _listed(self, words: Sequence[Word], x: int, y: int) -> list[Way]:
        found: list[Way] = []
        for way in self._chain(words, x, y):
            if way not in found:
                found.append(way)
            if len(found) > _CAP:
                raise _TooMany
        return found

    def _alive(self, *facts: Fact) -> Way | None:
        """The facts as a way, None if one of them is out."""
        self.work += 1
        if self.work > _WORK:
            raise _TooMany
        for slot, value in facts:
            if not self.left[slot] >> value & 1:
                self.failed[slot, value] = None
                return None
        return dict(facts)

    def _chain(self, words: Sequence[Word], x: int, y: int) -> Iterator[Way]:
        if len(words) == 1:
            yield from self._word(words[0], x, y)
            return
        for z in range(self.n):
            if z != y and (z != x or len(words) > 2):
                for last in self._word(words[-1], z, y):
                    yield from _joined(last, self._chain(words[:-1], x, z))

    def _word(self, word: Word, x: int, y: int) -> Iterator[Way]:
        gender = {} if word.gender == ANY else self._alive((4 * x, word.gender))
        if gender is not None:
            yield from _joined(gender, self._ways(word.kinship, x, y))

    def _ways(self, kinship: str, x: int, y: int) -> Iterator[Way]:
        if x == y:
            return
        if kinship == "parent":
            for field, gender in ((FATHER, MAN), (MOTHER, 1)):
                way = self._alive((4 * y + field, x), (4 * x, gender))
                if way is not None:
                    yield way
        elif kinship == "child":
            yield from self._ways("parent", y, x)
        elif kinship == "spouse":
            way = self._alive((4 * x + SPOUSE, y), (4 * y + SPOUSE, x))
            if way is not None:
                yield way
        elif kinship == "sibling":
            for f in range(self.n):
                way = self._alive((4 * x + FATHER, f), (4 * y + FATHER, f)) if f not in (x, y) else None
                if way is not None:
                    yield way
        elif kinship in _TURNED:
            yield from self._ways(_TURNED[kinship], y, x)
        else:
            for first, second in _THROUGH[kinship]:
                for z in range(self.n):
                    if z not in (x, y):
                        for way in self._ways(second, z, y):
                            yield from _joined(way, self._ways(first, x, z))


def _joined(one: Way, others: Iterator[Way]) -> Iterator[Way]:
    """Ways that have these facts too and do not contradict them."""
    for other in others:
        if all(one.get(slot, value) == value for slot, value in other.items()):
            yield {**one, **other}
