"""Families and statements about them as clauses.

A family is one couple, all who descend from it, and whom these married. Slots of each person: gender, spouse, father, mother, in
which oneself stands for nobody; a further slot, which follows from these, is the generation, the couple's being the first.

What a statement needs of somebody in between is said by variables of its own that imply it ("z is a sister of y"), which is
enough since statements are only stated as true; what is counted has variables that are equal to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

from puzzlemill.core.model import Constraints
from puzzlemill.rules.kin import ANY, COUNTED, MAN, WORDS, Statement

GENDER, SPOUSE, FATHER, MOTHER = range(4)
FIELDS = 4  # slots of a person


def bare(people: int, generations: int, alike: bool) -> Constraints:
    """All families of so many people in so many generations. alike: no couple has both sons and daughters."""
    m, everybody = Constraints(), range(people)
    for _ in everybody:
        m.slot(2)
        for _ in range(FIELDS - 1):
            m.slot(people)
    depth = [m.further(generations) for _ in everybody]
    at = _Slots(m, people)
    for x, y in product(everybody, repeat=2):
        if x == y:
            m.require(-at.father(x, x), at.mother(x, x), label="parents")
            m.require(at.father(x, x), -at.mother(x, x), label="parents")
            continue
        m.require(-at.spouse(x, y), at.spouse(y, x), label="marriage")
        for gender in (1, -1):
            m.require(-at.spouse(x, y), gender * at.man(x), gender * at.man(y), label="marriage")
        for parent, gender in ((at.father(y, x), at.man(y)), (at.mother(y, x), -at.man(y))):
            m.require(-parent, gender, label="parents")
            m.require(-parent, -at.spouse(y, y), label="parents")
        for z in everybody:
            if z not in (x, y):
                m.require(-at.father(y, x), -at.spouse(y, z), at.mother(z, x), label="parents")
                m.require(-at.mother(y, x), -at.spouse(y, z), at.father(z, x), label="parents")
        m.require(-at.spouse(x, y), at.father(x, x), at.father(y, y), label="descent")
        for g in range(generations):
            m.require(-at.spouse(x, y), -depth[x][g], depth[y][g], label="descent")
            for parent in (at.father(y, x), at.mother(y, x)):
                m.require(-parent, -depth[y][g], *depth[x][g + 1 : g + 2], label="descent")
    for x in everybody:
        m.require(-depth[x][0], at.father(x, x), label="descent")
        m.require(-depth[x][0], -at.spouse(x, x), label="descent")
        m.require(depth[x][0], -at.father(x, x), -at.spouse(x, x), label="descent")
        for y in everybody:
            if x != y:
                m.require(depth[x][0], -at.spouse(x, y), -at.father(x, x), -at.father(y, y), label="descent")
    if alike:
        for x, y, f in permutations(everybody, 3):
            m.require(-at.father(f, x), -at.father(f, y), -at.man(x), at.man(y), label="alike")
    m.exactly([levels[0] for levels in depth], 2, label="descent", plain=True)
    m.require(*[levels[-1] for levels in depth], label="generations")
    return m


class _Slots:
    """Literals of a model by what they say: x is the spouse, the father or the mother of y; nobody is, for y itself."""

    def __init__(self, m: Constraints, people: int) -> None:
        self.key, self.everybody = m.key, range(people)

    def man(self, x: int) -> int:
        return self.key[FIELDS * x][MAN]

    def spouse(self, x: int, y: int) -> int:
        return self.key[FIELDS * y + SPOUSE][x]

    def father(self, x: int, y: int) -> int:
        return self.key[FIELDS * y + FATHER][x]

    def mother(self, x: int, y: int) -> int:
        return self.key[FIELDS * y + MOTHER][x]


class _Stated(_Slots):
    """What a statement says. Each literal that a method returns implies what the method is called by; 0 is never true."""

    def __init__(self, m: Constraints, people: int) -> None:
        super().__init__(m, people)
        self.m = m
        self.known: dict[tuple[str, int, int], int] = {}

    def some(self, ways: Sequence[Sequence[int]]) -> int:
        """A literal that implies all literals of one of these ways."""
        possible = [way for way in ways if 0 not in way]
        if not possible:
            return 0
        if len(possible) == 1 and len(possible[0]) == 1:
            return possible[0][0]
        chosen = []
        for way in possible:
            one = way[0] if len(way) == 1 else self.m.var()
            if len(way) > 1:
                for lit in way:
                    self.m.require(-one, lit)
            chosen.append(one)
        if len(chosen) == 1:
            return chosen[0]
        whole = self.m.var()
        self.m.require(-whole, *chosen)
        return whole

    def is_(self, kinship: str, x: int, y: int) -> int:
        """X is this to y."""
        if x == y:
            return 0
        key = (kinship, x, y)
        if key not in self.known:
            self.known[key] = self._is(kinship, x, y)
        return self.known[key]

    def _is(self, kinship: str, x: int, y: int) -> int:
        if kinship == "spouse":
            return self.spouse(x, y)
        if kinship == "parent":
            return self.some([[self.father(x, y)], [self.mother(x, y)]])
        if kinship == "sibling":
            return self.some([[self.father(f, x), self.father(f, y)] for f in self.everybody if f not in (x, y)])
        turned = _TURNED.get(kinship)
        if turned is not None:
            return self.is_(turned, y, x)
        return self.some([way for first, second in _THROUGH[kinship] for way in self._through(first, second, x, y)])

    def _through(self, first: str, second: str, x: int, y: int) -> list[list[int]]:
        return [[self.is_(first, x, z), self.is_(second, z, y)] for z in self.everybody if z not in (x, y)]

    def called(self, name: str, x: int, y: int) -> int:
        """X is called this by y."""
        kinship, gender, only = WORDS[name]
        right = self.is_(kinship, x, y)
        if not right:
            return 0
        of_gender = [] if gender == ANY else [self.man(x) if gender == MAN else -self.man(x)]
        if not only:
            return self.some([[right, *of_gender]])
        alone = self.some([[right, *of_gender, self.m.var()]])
        for z in self.everybody:
            if z not in (x, y):
                other = [] if gender == ANY else [-self.man(z) if gender == MAN else self.man(z)]
                for way in self.base(kinship, z, y):
                    self.m.require(-alone, *[-lit for lit in way], *other)
        return alone

    def base(self, kinship: str, x: int, y: int) -> list[list[int]]:
        """All ways in which x can be a child or sibling of y, in literals of the slots."""
        if kinship == "child":
            return [[self.father(y, x)], [self.mother(y, x)]]
        return [[self.father(f, x), self.father(f, y)] for f in self.everybody if f not in (x, y)]

    def related(self, words: Sequence[str], x: int, y: int) -> int:
        """X is the first word of the second word of ... y."""
        if len(words) == 1:
            return self.called(words[0], x, y)
        between = [z for z in self.everybody if z != y and (z != x or len(words) > 2)]
        return self.some([[self.related(words[:-1], x, z), self.called(words[-1], z, y)] for z in between])

    def equal(self, kinship: str, x: int, y: int) -> int:
        """A literal that is true exactly if x is a child or sibling of y."""
        exact = []
        for way in self.base(kinship, x, y):
            one = self.m.var()
            self.m.require(one, *[-lit for lit in way])
            for lit in way:
                self.m.require(-one, lit)
            exact.append(one)
        whole = self.m.var()
        self.m.require(-whole, *exact)
        for one in exact:
            self.m.require(whole, -one)
        return whole


_TURNED = {
    "child": "parent",
    "grandchild": "grandparent",
    "great_grandchild": "great_grandparent",
    "nephew_or_niece": "uncle_or_aunt",
    "child_in_law": "parent_in_law",
}
_THROUGH = {
    "grandparent": (("parent", "parent"),),
    "great_grandparent": (("parent", "grandparent"),),
    "beside": (("sibling", "parent"),),
    "uncle_or_aunt": (("sibling", "parent"), ("spouse", "beside")),
    "cousin": (("child", "beside"),),
    "parent_in_law": (("parent", "spouse"),),
    "sibling_in_law": (("sibling", "spouse"), ("spouse", "sibling")),
}


def state(m: Constraints, people: int, said: Statement, label: str) -> None:
    """Add what a statement says."""
    at = _Stated(m, people)
    kind, who = said.kind, said.people
    if kind == "kin":
        right = at.related(said.words, *who)
        m.require(*[right] * bool(right), label=label)
    elif kind in ("man", "woman"):
        m.require(at.man(who[0]) if kind == "man" else -at.man(who[0]), label=label)
    elif kind in ("married", "unmarried"):
        alone = at.spouse(who[0], who[0])
        m.require(alone if kind == "unmarried" else -alone, label=label)
    elif kind in ("childless", "no_siblings"):
        for z in at.everybody:
            for way in at.base("child" if kind == "childless" else "sibling", z, who[0]) if z != who[0] else ():
                m.require(*[-lit for lit in way], label=label)
    elif kind == "couples":
        m.exactly([-at.spouse(x, x) for x in at.everybody], 2 * said.number, label=label)
    elif kind in COUNTED:
        m.exactly(_counted(m, at, kind, who[0]), said.number, label=label)
    else:
        m.exactly([at.man(x) if kind == "men" else -at.man(x) for x in at.everybody], said.number, label=label)


def _counted(m: Constraints, at: _Stated, kind: str, y: int) -> list[int]:
    """Literals that are true exactly for the people who are counted."""
    word = WORDS[{"children": "child"}.get(kind, kind.removesuffix("s"))]
    counted = []
    for x in at.everybody:
        if x == y:
            continue
        right = at.equal(word.kinship, x, y)
        if word.gender != ANY:
            gender, both = at.man(x) if word.gender == MAN else -at.man(x), m.var()
            m.require(-both, right)
            m.require(-both, gender)
            m.require(both, -right, -gender)
            right = both
        counted.append(right)
    return counted
