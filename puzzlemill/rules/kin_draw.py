"""Which statements are drawn for a family, how they are changed, and when two sets of them are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any

from puzzlemill.core.clues import Clues
from puzzlemill.core.model import KIN_STATEMENTS, KIN_WORDS, Constraints, KinTable
from puzzlemill.core.rng import Rng
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Clue, Spec
from puzzlemill.rules import kin_model
from puzzlemill.rules.kin import (
    ANY,
    COUNTED,
    KINSHIPS,
    ONLY,
    PLAIN,
    SINGLE,
    SYMMETRIC,
    TOTALS,
    WORDS,
    Kin,
    Statement,
    read,
    related,
)

RULE = "alike"  # no couple has both sons and daughters
_CHAINS = 3  # statements of two words or more that are drawn for each person
_OUTRIGHT = ("man", "woman")  # which are left out first


def true_statements(kin: Kin, hops: int, rng: Rng) -> list[Statement]:
    """True statements with which there is one family, in random order. hops: words of a statement at most."""
    people = range(len(kin.tree))
    found = [related([_word(kin, x, y, rng)], x, y) for x, y in permutations(people, 2) if kin.kinship(x, y)]
    found += [Statement("man" if kin.holds("man", x) else "woman", (x,)) for x in people]
    for x in people:
        kinds = [kind for kind in SINGLE if kind not in _OUTRIGHT and kin.holds(kind, x)]
        found += [Statement(kind, (x,)) for kind in kinds if rng.chance(1, 3)]
        found += [Statement(kind, (x,), (), kin.count(kind, x)) for kind in COUNTED if kin.count(kind, x) and rng.chance(1, 4)]
    found += [Statement(kind, (), (), kin.count(kind)) for kind in TOTALS if rng.chance(1, 3)]
    for _ in range(_CHAINS * len(people) if hops > 1 else 0):
        chain = _chain(kin, rng.between(2, hops), rng)
        found += [chain] if chain else []
    return rng.shuffled(list(dict.fromkeys(found)))


def _word(kin: Kin, x: int, y: int, rng: Rng) -> str:
    """A word for what x is to y: mostly with the gender, and if there is nobody else, now and then with that."""
    kinship = kin.kinship(x, y)
    only = [name for name in ONLY if WORDS[name].kinship == kinship and kin.who(name, y) == [x]]
    if only and rng.chance(1, 3):
        return rng.pick(only)
    return KINSHIPS[kinship][ANY] if rng.chance(1, 4) else kin.called(x, y)


def _chain(kin: Kin, length: int, rng: Rng) -> Statement | None:
    """A statement of so many words in which nobody comes twice; None if this draw has none."""
    path = rng.sample(range(len(kin.tree)), min(length + 1, len(kin.tree)))
    pairs = list(zip(path, path[1:], strict=False))
    if len(pairs) < length or not all(kin.kinship(x, y) for x, y in pairs):
        return None
    words = []
    for x, y in pairs:
        only = [name for name in ONLY if WORDS[name].kinship == kin.kinship(x, y) and kin.who(name, y) == [x]]
        words.append(rng.pick(only) if only and rng.chance(1, 2) else kin.called(x, y))
    return related(words, path[0], path[-1])


def changed(said: Statement, people: int) -> list[Statement]:
    """A statement turned round, or with one word, person or number changed."""
    found = []
    for place in range(len(said.people)):
        for x in range(people):
            if x not in said.people:
                who = (*said.people[:place], x, *said.people[place + 1 :])
                found.append(said._replace(people=who))
    if said.kind == "kin":
        found.append(said._replace(people=said.people[::-1]))
        for place, word in enumerate(said.words):
            others = ONLY if WORDS[word].only else PLAIN
            found += [said._replace(words=(*said.words[:place], new, *said.words[place + 1 :])) for new in others if new != word]
        found = [related(one.words, *one.people) for one in found]
    elif said.kind in SINGLE:
        found += [Statement(kind, said.people) for kind in SINGLE if kind != said.kind]
    else:
        most = people if said.kind != "couples" else people // 2
        found += [said._replace(number=k) for k in range(1, most + 1) if k != said.number]
    return [one for one in dict.fromkeys(found) if one != said]


def table(people: int, generations: int, alike: bool, statements: Sequence[Statement]) -> KinTable:
    """The puzzle for the kernel."""
    rows = []
    for said in statements:
        words = [KIN_WORDS.index(word) for word in said.words]
        x, y = (*said.people, 0, 0)[:2]
        rows.append((KIN_STATEMENTS.index(said.kind), x, y, said.number, *words, *[-1] * (3 - len(words))))
    return KinTable(people, generations, alike, tuple(rows))


_PERSON, _GENDER, _PORT, _FIRST = 0, 1, 2, 3


def symmetry(people: int, statements: Sequence[Statement]) -> ColouredGraph:
    """Equal when people can be exchanged, or men and women, so that one set of statements becomes the other."""
    colours, edges = [_PERSON] * people + [_GENDER] * 2, list[tuple[int, int]]()
    kinships = list(KINSHIPS)

    def vertex(colour: int, *joined: int) -> int:
        colours.append(colour)
        edges.extend((other, len(colours) - 1) for other in joined)
        return len(colours) - 1

    for said in statements:
        if said.kind == "kin":
            first = WORDS[said.words[0]]
            both = len(said.words) == 1 and first.gender == ANY and first.kinship in SYMMETRIC
            last = said.people[0] if both else vertex(_PORT, said.people[0])
            for name in said.words:
                word = WORDS[name]
                of = [] if word.gender == ANY else [people + word.gender]
                last = vertex(_FIRST + 2 * kinships.index(word.kinship) + word.only, last, *of)
            edges.append((said.people[1], last))
        else:
            of, kind = _genders(said.kind)
            code = _FIRST + 2 * len(kinships) + _OTHERS.index(kind) * 32 + said.number
            vertex(code, *[people + gender for gender in of], *said.people)
    return ColouredGraph(tuple(colours), tuple(edges))


_OTHERS = ("man", "married", "unmarried", "childless", "no_siblings", "children", "sons", "brothers", "men", "couples")
_WOMEN = {"woman": "man", "daughters": "sons", "sisters": "brothers", "women": "men"}


def _genders(kind: str) -> tuple[list[int], str]:
    """The gender that a kind names, if it does, and the kind under which it is known."""
    if kind in _WOMEN:
        return [1], _WOMEN[kind]
    return [0] if kind in _WOMEN.values() else [], kind


# ---- as clues ------------------------------------------------------------------------------------------------------------


class Statements(Clues[Any, Any]):
    """Clues that are statements about the people of a family. people: how many there are of a spec."""

    lists_clues = True
    edits = 2

    def __init__(self, people: Callable[[Spec[Any]], int]) -> None:
        self.people = people

    def all(self, puzzle: AnyPuzzle) -> list[Statement]:
        """The statement of each clue of a puzzle."""
        people = self.people(puzzle.spec)
        return [read(clue, people) for clue in puzzle.clues]

    def state(self, m: Constraints, spec: Spec[Any], board: Any, clue: Clue) -> None:
        people = self.people(spec)
        kin_model.state(m, people, read(clue, people), clue.id)

    def given_slots(self, puzzle: AnyPuzzle) -> tuple[int, ...]:
        found: dict[int, None] = {}
        for said in self.all(puzzle):
            if said.kind in _OUTRIGHT:
                found[4 * said.people[0]] = None
            elif said.kind == "unmarried":
                found[4 * said.people[0] + 1] = None
            elif said.kind == "kin" and len(said.words) == 1:
                (x, y), word = said.people, WORDS[said.words[0]]
                told = [4 * x] if word.gender != ANY else []
                if word.kinship == "spouse":
                    told += [4 * x + 1, 4 * y + 1]
                elif word.kinship == "parent" and word.gender != ANY:
                    told.append(4 * y + 2 + word.gender)
                found.update(dict.fromkeys(told))
        return tuple(sorted(found))

    def removal_order(self, draft: AnyDraft, rng: Rng) -> list[int]:
        """Genders go first, then of longer statements' puzzles the short ones, then the rest."""
        hops = draft.puzzle.spec.params.hops
        ranks: list[list[int]] = [[], [], []]
        for i, said in enumerate(self.all(draft.puzzle)):
            ranks[0 if said.kind in _OUTRIGHT else 2 if hops == 1 or len(said.words) > 1 else 1].append(i)
        return [i for some in ranks for i in rng.shuffled(some)]

    def usable(self, draft: AnyDraft) -> bool:
        """Return whether a puzzle that is to have long statements has some."""
        return draft.puzzle.spec.params.hops == 1 or any(len(said.words) > 1 for said in self.all(draft.puzzle))

    def exchanges(self, puzzle: AnyPuzzle, rng: Rng) -> Iterator[AnyPuzzle]:
        """Two clues of kinship exchange a person or their words, or one is turned round."""
        said = self.all(puzzle)
        kin = [i for i, one in enumerate(said) if one.kind == "kin"]
        ways = [(i, j, k) for i in kin for j in kin if i < j for k in range(3)] + [(i, i, 0) for i in kin]
        for i, j, k in rng.shuffled(ways):
            one, two = said[i], said[j]
            if i == j:
                new = [related(one.words, *one.people[::-1])]
            elif k == 2:
                new = [related(two.words, *one.people), related(one.words, *two.people)]
            else:
                (a, b), (c, d) = (x.people[:: 1 if k == 0 else -1] for x in (one, two))
                pairs = ((a, d), (c, b)) if k == 0 else ((d, a), (b, c))
                new = [related(x.words, *pair) for x, pair in zip((one, two), pairs, strict=True)]
            rest = [x for m, x in enumerate(said) if m not in (i, j)]
            if all(len(set(x.people)) == 2 and x not in rest for x in new) and len(set(new)) == len(new) and new[0] != one:
                clues = list(puzzle.clues)
                for place, x in zip((i, j), new, strict=False):
                    clues[place] = x.clue(clues[place].id)
                yield puzzle.with_clues(clues)

    def alternatives(self, puzzle: AnyPuzzle, clue: Clue, rng: Rng) -> Iterator[Clue]:
        """Turned round, or with one word, person or number changed; never what another clue already says."""
        people, present = self.people(puzzle.spec), self.all(puzzle)
        for one in rng.shuffled(changed(read(clue, people), people)):
            if one not in present:
                yield one.clue(clue.id)

    def additions(self, puzzle: AnyPuzzle, rng: Rng) -> Iterator[Clue]:
        """Any two people by any word."""
        present, people = self.all(puzzle), self.people(puzzle.spec)
        number = max([int(clue.id[1:]) for clue in puzzle.clues if clue.id[1:].isdigit()], default=0) + 1
        while True:
            one = related([rng.pick(PLAIN)], *rng.few(range(people), 2))
            if one not in present:
                yield one.clue(f"k{number}")
