"""The plain check of a family and of statements about it, also of half a family: true, false or not yet known (None).

What is not known may become true or false as blanks are filled; what is known stays. Written apart from the model and the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puzzlemill.core.model import BLANK
from puzzlemill.rules.kin import Statement

Known = bool | None


def any_of(values: Iterable[Known]) -> Known:
    """True if one is, False if all are false."""
    found: Known = False
    for value in values:
        if value:
            return True
        if value is None:
            found = None
    return found


def all_of(values: Iterable[Known]) -> Known:
    """False if one is, True if all are true."""
    found: Known = True
    for value in values:
        if value is False:
            return False
        if value is None:
            found = None
    return found


def neither(value: Known) -> Known:
    """The opposite, as far as it is known."""
    return None if value is None else not value


def same(value: int, wanted: int) -> Known:
    """Return whether a value that may be blank is this one."""
    return None if value == BLANK else value == wanted


class Half:
    """A family of which some may be blank. rows: of each person gender, spouse, father and mother; oneself for nobody."""

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        self.rows, self.people = rows, range(len(rows))

    # ---- kinships, each of x to y

    def father(self, x: int, y: int) -> Known:
        return False if x == y else same(self.rows[y][2], x)

    def mother(self, x: int, y: int) -> Known:
        return False if x == y else same(self.rows[y][3], x)

    def parent(self, x: int, y: int) -> Known:
        return any_of((self.father(x, y), self.mother(x, y)))

    def child(self, x: int, y: int) -> Known:
        return self.parent(y, x)

    def spouse(self, x: int, y: int) -> Known:
        return False if x == y else any_of((same(self.rows[x][1], y), same(self.rows[y][1], x)))

    def sibling(self, x: int, y: int) -> Known:
        if x == y:
            return False
        return any_of(all_of((self.father(f, x), self.father(f, y))) for f in self.people)

    def through(self, first: str, second: str, x: int, y: int) -> Known:
        """Return whether x is the first to somebody who is the second to y."""
        one, two = getattr(self, first), getattr(self, second)
        links = [(z, two(z, y)) for z in self.people]
        return any_of(all_of((known, one(x, z))) for z, known in links if known is not False)

    def grandparent(self, x: int, y: int) -> Known:
        return self.through("parent", "parent", x, y)

    def grandchild(self, x: int, y: int) -> Known:
        return self.grandparent(y, x)

    def great_grandparent(self, x: int, y: int) -> Known:
        return self.through("parent", "grandparent", x, y)

    def great_grandchild(self, x: int, y: int) -> Known:
        return self.great_grandparent(y, x)

    def beside(self, x: int, y: int) -> Known:
        """A brother or sister of a parent."""
        return self.through("sibling", "parent", x, y)

    def uncle_or_aunt(self, x: int, y: int) -> Known:
        return any_of((self.beside(x, y), self.through("spouse", "beside", x, y)))

    def nephew_or_niece(self, x: int, y: int) -> Known:
        return self.uncle_or_aunt(y, x)

    def cousin(self, x: int, y: int) -> Known:
        return self.through("child", "beside", x, y)

    def parent_in_law(self, x: int, y: int) -> Known:
        return self.through("parent", "spouse", x, y)

    def child_in_law(self, x: int, y: int) -> Known:
        return self.parent_in_law(y, x)

    def sibling_in_law(self, x: int, y: int) -> Known:
        return any_of((self.through("sibling", "spouse", x, y), self.through("spouse", "sibling", x, y)))

    # ---- statements

    def man(self, x: int) -> Known:
        return same(self.rows[x][0], 0)

    def is_called(self, word: str, x: int, y: int) -> Known:
        """Return whether x is this to y."""
        name = word.removeprefix("only_")
        kinship, gender = _MEANT[name]
        right: Known = all_of((self._of_gender(gender, x), getattr(self, kinship)(x, y)))
        if name == word or right is False:
            return right
        others = [neither(self.is_called(name, z, y)) for z in self.people if z != x]
        return all_of((right, *others))

    def _of_gender(self, gender: str, x: int) -> Known:
        return True if not gender else self.man(x) if gender == "man" else neither(self.man(x))

    def is_related(self, words: Sequence[str], x: int, y: int) -> Known:
        """Return whether x is the first word of the second word of ... y."""
        if len(words) == 1:
            return self.is_called(words[0], x, y)
        found: Known = False
        for z in self.people:
            last = self.is_called(words[-1], z, y)
            if last is not False:
                found = any_of((found, all_of((last, self.is_related(words[:-1], x, z)))))
        return found

    def true(self, said: Statement) -> Known:
        """Return whether a statement is true."""
        kind, who = said.kind, said.people
        if kind == "kin":
            return self.is_related(said.words, *who)
        if kind in ("man", "woman"):
            return self._of_gender(kind, who[0])
        if kind in ("married", "unmarried"):
            alone = same(self.rows[who[0]][1], who[0])
            return alone if kind == "unmarried" else neither(alone)
        if kind == "childless":
            return neither(any_of(self.child(z, who[0]) for z in self.people))
        if kind == "no_siblings":
            return neither(any_of(self.sibling(z, who[0]) for z in self.people))
        return self._counted(said)

    def _counted(self, said: Statement) -> Known:
        if said.kind == "couples":
            each, number = [neither(same(self.rows[x][1], x)) for x in self.people], 2 * said.number
        elif said.kind in ("men", "women"):
            each, number = [self._of_gender({"men": "man"}.get(said.kind, "woman"), x) for x in self.people], said.number
        else:
            word = {"children": "child"}.get(said.kind, said.kind.removesuffix("s"))
            each, number = [self.is_called(word, x, said.people[0]) for x in self.people], said.number
        sure, open_ = each.count(True), each.count(None)
        return False if not sure <= number <= sure + open_ else None if open_ else True


_MEANT: dict[str, tuple[str, str]] = {}  # a plain word: its kinship and gender
for _pair, _kinship in (
    ("father mother", "parent"),
    ("son daughter", "child"),
    ("husband wife", "spouse"),
    ("brother sister", "sibling"),
    ("grandfather grandmother", "grandparent"),
    ("grandson granddaughter", "grandchild"),
    ("great_grandfather great_grandmother", "great_grandparent"),
    ("great_grandson great_granddaughter", "great_grandchild"),
    ("uncle aunt", "uncle_or_aunt"),
    ("nephew niece", "nephew_or_niece"),
    ("father_in_law mother_in_law", "parent_in_law"),
    ("son_in_law daughter_in_law", "child_in_law"),
    ("brother_in_law sister_in_law", "sibling_in_law"),
    ("cousin cousin", "cousin"),
):
    _MEANT.update({word: (_kinship, gender) for word, gender in zip(_pair.split(), ("man", "woman"), strict=True)})
    _MEANT[_kinship] = (_kinship, "")


def broken_rules(rows: Sequence[Sequence[int]], generations: int, alike: bool) -> list[str]:
    """The rules of families that the rows break for sure. alike: no couple has both sons and daughters."""
    half, people, broken = Half(rows), range(len(rows)), list[str]()
    for x in people:
        y = rows[x][1]
        if y not in (BLANK, x) and (rows[y][1] not in (BLANK, x) or rows[x][0] == rows[y][0] != BLANK):
            broken = ["marriage"]
    if any(_wrong_parents(rows, x) for x in people):
        broken.append("parents")
    if _wrong_descent(rows):
        broken.append("descent")
    elif all(BLANK not in row for row in rows) and _generations(rows) != generations:
        broken.append("generations")
    if alike and any({0, 1} <= {rows[y][0] for y in people if half.father(x, y)} for x in people):
        broken.append("alike")
    return broken


def _wrong_parents(rows: Sequence[Sequence[int]], x: int) -> bool:
    _, _, father, mother = rows[x]
    if BLANK not in (father, mother) and (father == x) != (mother == x):
        return True
    for parent, gender, other in ((father, 0, mother), (mother, 1, father)):
        if parent in (BLANK, x):
            continue
        if rows[parent][0] not in (BLANK, gender) or rows[parent][1] == parent:
            return True
        if BLANK not in (other, rows[parent][1]) and other != rows[parent][1]:
            return True
    return False


def _wrong_descent(rows: Sequence[Sequence[int]]) -> bool:
    """Return whether somebody descends from himself, a couple has parents twice, or not all come from one couple."""
    tops = 0
    for x, (_, spouse, father, mother) in enumerate(rows):
        if _depth(rows, x) > len(rows):
            return True
        alone = x in (father, mother)
        if alone and spouse == x:
            return True  # neither a descendant nor married to one
        if spouse in (BLANK, x) or BLANK in (father, *rows[spouse][2:3]):
            continue
        if not alone and rows[spouse][2] != spouse:
            return True
        tops += alone and rows[spouse][2] == spouse
    whole = all(BLANK not in row for row in rows)
    return tops > 2 or (whole and tops != 2)


def _depth(rows: Sequence[Sequence[int]], x: int, left: int = -1) -> int:
    """The number of generations from the oldest known ancestor to this one; more than all people if it is one's own."""
    left = len(rows) if left < 0 else left
    if not left:
        return len(rows) + 1
    parents = [parent for parent in rows[x][2:] if parent not in (BLANK, x)]
    return max([1 + _depth(rows, parent, left - 1) for parent in parents], default=1)


def _generations(rows: Sequence[Sequence[int]]) -> int:
    """The number of generations of a whole family."""
    return max([_depth(rows, x) for x in range(len(rows))])
