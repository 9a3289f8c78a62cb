"""Statements about a family: who is whose father, cousin or mother-in-law, and who is married or has how many children.

A *kin word* is a kind of kinship with a gender or none ("father", "parent"), perhaps the only one of its kind ("only_son"). A
statement of kind "kin" joins two people by one to three such words: ("brother", "mother") says that the first person is the
brother of the mother of the second. Uncles and aunts are brothers and sisters of a parent and whom these married; brothers- and
sisters-in-law are those of one's spouse and whom one's own brothers and sisters married.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from puzzlemill.core.errors import BadRow
from puzzlemill.core.types import Clue

MAN, WOMAN, ANY = range(3)

# kinship: how it is called of a man, of a woman, and of somebody whose gender is not told
KINSHIPS: dict[str, tuple[str, str, str]] = {
    "parent": ("father", "mother", "parent"),
    "child": ("son", "daughter", "child"),
    "spouse": ("husband", "wife", "spouse"),
    "sibling": ("brother", "sister", "sibling"),
    "grandparent": ("grandfather", "grandmother", "grandparent"),
    "grandchild": ("grandson", "granddaughter", "grandchild"),
    "great_grandparent": ("great_grandfather", "great_grandmother", "great_grandparent"),
    "great_grandchild": ("great_grandson", "great_granddaughter", "great_grandchild"),
    "uncle_or_aunt": ("uncle", "aunt", "uncle_or_aunt"),
    "nephew_or_niece": ("nephew", "niece", "nephew_or_niece"),
    "cousin": ("", "", "cousin"),
    "parent_in_law": ("father_in_law", "mother_in_law", "parent_in_law"),
    "child_in_law": ("son_in_law", "daughter_in_law", "child_in_law"),
    "sibling_in_law": ("brother_in_law", "sister_in_law", "sibling_in_law"),
}
SYMMETRIC = ("spouse", "sibling", "cousin", "sibling_in_law")


class Word(NamedTuple):
    """A kin word. only: there is nobody else of whom it is true."""

    kinship: str
    gender: int
    only: bool = False


WORDS: dict[str, Word] = {
    name: Word(kinship, gender) for kinship, names in KINSHIPS.items() for gender, name in enumerate(names) if name
}
PLAIN = tuple(WORDS)
ONLY = ("only_child", "only_son", "only_daughter", "only_brother", "only_sister")
WORDS.update({name: Word(*WORDS[name.removeprefix("only_")][:2], only=True) for name in ONLY})
CODES = {name: code for code, name in enumerate(WORDS)}

# of one person; of one person and a number; of a number alone
SINGLE = ("man", "woman", "married", "unmarried", "childless", "no_siblings")
COUNTED = ("children", "sons", "daughters", "brothers", "sisters")
TOTALS = ("men", "women", "couples")
KINDS = ("kin", *SINGLE, *COUNTED, *TOTALS)
LINKS = 3  # words of a statement at most


class Statement(NamedTuple):
    """kind: one of KINDS. people: whom it is about, by number. words: what the first is to the second. number: counted."""

    kind: str
    people: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    number: int = 0

    def clue(self, id_: str) -> Clue:
        """The statement as a clue."""
        numbers = (self.number,) if self.kind in COUNTED + TOTALS else ()
        return Clue(id_, self.kind, (*self.people, *self.words, *numbers))


def related(words: Sequence[str], one: int, other: int) -> Statement:
    """The statement that one person is this to another; of what goes both ways, the smaller number stands first."""
    if len(words) == 1 and one > other and WORDS[words[0]].gender == ANY and WORDS[words[0]].kinship in SYMMETRIC:
        one, other = other, one
    return Statement("kin", (one, other), tuple(words))


def read(clue: Clue, people: int) -> Statement:
    """The statement of a clue about so many people. Raises BadRow for one that says nothing about them."""
    many = 2 if clue.kind == "kin" else 0 if clue.kind in TOTALS else 1
    who, rest = clue.args[:many], clue.args[many:]
    numbers = tuple([x for x in who if type(x) is int and 0 <= x < people])
    sound = clue.kind in KINDS and len(numbers) == many and len(set(numbers)) == many
    if sound and clue.kind == "kin":
        words = tuple([word for word in rest if type(word) is str and word in WORDS])
        if len(words) == len(rest) and 1 <= len(words) <= LINKS:
            return Statement("kin", numbers, words)
    elif sound and clue.kind in SINGLE and not rest:
        return Statement(clue.kind, numbers)
    elif sound and clue.kind in COUNTED + TOTALS and len(rest) == 1 and type(rest[0]) is int and 0 <= rest[0] <= people:
        return Statement(clue.kind, numbers, (), rest[0])
    raise BadRow(f"clue {clue.id}: expected a statement about {people} people, got {clue.kind[:20]} {str(clue.args)[:60]}")


# ---- one whole family -----------------------------------------------------------------------------------------------------

Tree = tuple[tuple[int, ...], ...]  # of each person: gender, spouse, father, mother; oneself for nobody


class Kin:
    """All that is true of one whole family, for drawing statements and asking questions.

    of[kinship][y]: whom y has as such, ascending.
    """

    def __init__(self, tree: Tree) -> None:
        people = range(len(tree))
        self.tree, self.gender = tree, [row[0] for row in tree]
        spouse = [[row[1]] if row[1] != i else [] for i, row in enumerate(tree)]
        parent = [[p for p in row[2:] if p != i] for i, row in enumerate(tree)]
        child = [[c for c in people if y in parent[c]] for y in people]
        sibling = [[s for s in people if s != y and parent[s] and parent[s] == parent[y]] for y in people]
        beside = [[x for p in parent[y] for x in sibling[p]] for y in people]  # brothers and sisters of parents

        def then(first: list[list[int]], second: list[list[int]]) -> list[list[int]]:
            return [[x for z in second[y] for x in first[z]] for y in people]

        grandparent, grandchild = then(parent, parent), then(child, child)
        found = {
            "parent": parent,
            "child": child,
            "spouse": spouse,
            "sibling": sibling,
            "grandparent": grandparent,
            "grandchild": grandchild,
            "great_grandparent": then(parent, grandparent),
            "great_grandchild": then(child, grandchild),
            "uncle_or_aunt": [[*beside[y], *[x for z in beside[y] for x in spouse[z]]] for y in people],
            "nephew_or_niece": [a + b for a, b in zip(then(child, sibling), then(then(child, sibling), spouse), strict=True)],
            "cousin": then(child, beside),
            "parent_in_law": then(parent, spouse),
            "child_in_law": then(spouse, child),
            "sibling_in_law": [a + b for a, b in zip(then(spouse, sibling), then(sibling, spouse), strict=True)],
        }
        self.of = {kinship: [sorted(each) for each in lists] for kinship, lists in found.items()}

    def who(self, name: str, y: int) -> list[int]:
        """The people who are this to y."""
        kinship, gender, only = WORDS[name]
        found = [x for x in self.of[kinship][y] if gender in (ANY, self.gender[x])]
        return [] if only and len(found) != 1 else found

    def kinship(self, x: int, y: int) -> str:
        """What x is to y, without the gender; "" if there is no word for it."""
        return next((kinship for kinship, of in self.of.items() if x in of[y]), "")

    def called(self, x: int, y: int) -> str:
        """What x is to y; "" if there is no word for it."""
        names = KINSHIPS.get(self.kinship(x, y), ("", "", ""))
        return names[self.gender[x]] or names[ANY]

    def count(self, kind: str, y: int = 0) -> int:
        """The number that a statement of this kind has."""
        if kind == "couples":
            return sum([len(each) for each in self.of["spouse"]]) // 2
        if kind in ("men", "women"):
            return self.gender.count(MAN if kind == "men" else WOMAN)
        return len(self.who({"children": "child"}.get(kind, kind.removesuffix("s")), y))

    def holds(self, kind: str, y: int) -> bool:
        """Return whether a statement of one person is true."""
        if kind in ("man", "woman"):
            return self.gender[y] == (MAN if kind == "man" else WOMAN)
        of = {"married": "spouse", "unmarried": "spouse", "childless": "child", "no_siblings": "sibling"}[kind]
        return bool(self.of[of][y]) == (kind == "married")
