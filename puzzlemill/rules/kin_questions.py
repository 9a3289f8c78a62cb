"""What is asked about a family: how two people are related, who is somebody's mother, how many sisters somebody has."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import permutations
from typing import Any

from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import Choices
from puzzlemill.core.form import Grid
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import capital
from puzzlemill.core.types import AnyPuzzle, Ask
from puzzlemill.core.words import pick
from puzzlemill.rules.kin import ANY, KINSHIPS, PLAIN, WORDS, Kin, read
from puzzlemill.rules.kin_words import word

RELATION, WHO, COUNT = range(3)  # the first number of a question
OTHER, NOBODY = "Another relative", "Nobody"
_WHO = ("father", "mother", "spouse", "father_in_law", "mother_in_law")
_COUNTS = (
    *("men", "women", "couples"),
    *("child", "son", "daughter", "brother", "sister", "grandchild", "nephew_or_niece", "cousin", "uncle_or_aunt"),
)
_PLURALS = {
    "men": "men",
    "women": "women",
    "couples": "married couples",
    "child": "children",
    "grandchild": "grandchildren",
    "nephew_or_niece": "nephews and nieces",
    "uncle_or_aunt": "uncles and aunts",
}
_TOLD = {  # what statements of one person, or of all, count
    "children": ("child",),
    "childless": ("child", "son", "daughter", "grandchild"),
    "no_siblings": ("brother", "sister"),
    "men": ("men", "women"),
    "women": ("men", "women"),
    "couples": ("couples",),
}
_MOST_COUNTED = 4
_WHOLE = 3  # counts that are of the whole family
_SHARES = (6, 2, 2)  # of ten questions, how many are of each sort
_OTHER, _NOBODY, _OF = 1, 3, 10  # of ten questions how often the answer is a relation without a word, and nobody
# what is mistaken for what: the generation above or below, the side that married in
_NEAR = {
    "parent": ("grandparent", "uncle_or_aunt", "child", "parent_in_law"),
    "child": ("grandchild", "nephew_or_niece", "parent", "child_in_law"),
    "spouse": ("sibling", "sibling_in_law", "cousin", "parent"),
    "sibling": ("cousin", "sibling_in_law", "spouse", "uncle_or_aunt"),
    "grandparent": ("parent", "great_grandparent", "uncle_or_aunt", "grandchild", "parent_in_law"),
    "grandchild": ("child", "great_grandchild", "nephew_or_niece", "grandparent"),
    "great_grandparent": ("grandparent", "parent", "uncle_or_aunt", "great_grandchild"),
    "great_grandchild": ("grandchild", "child", "nephew_or_niece", "great_grandparent"),
    "uncle_or_aunt": ("parent", "nephew_or_niece", "grandparent", "cousin"),
    "nephew_or_niece": ("child", "uncle_or_aunt", "cousin", "grandchild"),
    "cousin": ("sibling", "nephew_or_niece", "uncle_or_aunt", "sibling_in_law"),
    "parent_in_law": ("parent", "grandparent", "child_in_law", "uncle_or_aunt"),
    "child_in_law": ("child", "sibling_in_law", "parent_in_law", "nephew_or_niece"),
    "sibling_in_law": ("sibling", "cousin", "child_in_law", "spouse"),
}
_ROOM = {  # the smallest families in which there are such: people, generations
    "sibling": (4, 2),
    "parent_in_law": (4, 2),
    "child_in_law": (4, 2),
    "sibling_in_law": (5, 2),
    "grandparent": (5, 3),
    "grandchild": (5, 3),
    "uncle_or_aunt": (6, 3),
    "nephew_or_niece": (6, 3),
    "cousin": (8, 3),
    "great_grandparent": (7, 4),
    "great_grandchild": (7, 4),
}
_GREAT = ("great_grandparent", "great_grandchild")


def _texts(generations: int) -> tuple[str, ...]:
    names = [name for name in PLAIN if WORDS[name].gender != ANY or name == "cousin"]
    return (*[capital(word(name)) for name in names if generations > 3 or WORDS[name].kinship not in _GREAT], OTHER)


def _explained(puzzle: AnyPuzzle) -> str:
    """Which words a free answer may be, and whom "Another relative" means where it can be the answer."""
    question, generations = puzzle.question, puzzle.spec.params.generations
    free = question.ask is Ask.VALUE
    exact = ' Give the exact word: for a man "grandson", say, and not "grandchild".' if free else ""
    if not free and OTHER not in question.options:
        return ""
    known = [word(names[ANY]) for kinship, names in KINSHIPS.items() if generations > 3 or kinship not in _GREAT]
    return f'{exact} "{OTHER}" is a relative, such as a husband\'s aunt, who is none of these: {", ".join(known)}.'


class Questions(Choices[Any, Any, Grid]):
    """A question is (RELATION, x, y), (WHO, place in _WHO, y) or (COUNT, place in _COUNTS, y)."""

    several = True

    def questions(self, puzzle: AnyPuzzle, rng: Rng) -> Iterator[tuple[int, ...]]:
        """Any two people, whatever they are to each other."""
        yield from rng.shuffled([(RELATION, x, y) for x, y in permutations(range(puzzle.spec.params.people), 2)])

    def questions_of(self, puzzle: AnyPuzzle, answer: Grid, rng: Rng) -> Iterator[tuple[int, ...]]:
        return _drawn(Kin(answer), _told(puzzle), rng)

    def says(self, puzzle: AnyPuzzle) -> str:
        sort, one, two = self.about(puzzle)
        names, voice = puzzle.style.names[0], puzzle.style.phrasing
        y = names[two]
        if sort == RELATION:
            x = names[one]
            asked = pick(voice, f"How is {x} related to {y}?", f"What is {x} to {y}?", f"What relation is {x} to {y}?")
            return f"{asked}{_explained(puzzle)}"
        if sort == WHO:
            r = word(_WHO[one])
            return pick(voice, f"Who is the {r} of {y}?", f"Who is {y}'s {r}?", f"Which member of the family is the {r} of {y}?")
        what = _PLURALS.get(_COUNTS[one], f"{_COUNTS[one]}s")
        if one < _WHOLE:
            return pick(voice, f"How many {what} are there in the family?", f"How many {what} does the family have?")
        return pick(voice, f"How many {what} does {y} have?", f"How many {what} has {y} got?")

    def about(self, puzzle: AnyPuzzle) -> tuple[int, int, int]:
        """The question of a puzzle. Raises BadRow for one that somebody made up."""
        about, people = puzzle.question.about, puzzle.spec.params.people
        most = (people, len(_WHO), len(_COUNTS))
        sound = len(about) == 3 and about[0] in range(3) and 0 <= about[1] < most[about[0]] and 0 <= about[2] < people
        if sound and (about[0] != RELATION or about[1] != about[2]):
            return about[0], about[1], about[2]
        raise BadRow(f"question.about: expected a question about {people} people, got {str(about)[:60]}")

    def domain(self, puzzle: AnyPuzzle) -> tuple[str, ...]:
        sort, names = self.about(puzzle)[0], puzzle.style.names[0]
        if sort == COUNT:
            return tuple([str(k) for k in range(len(names) + 1)])
        return (*names, NOBODY) if sort == WHO else _texts(puzzle.spec.params.generations)

    def value(self, puzzle: AnyPuzzle, answer: Grid) -> str:
        about = self.about(puzzle)
        found = _value(answer, *about)
        return puzzle.style.names[0][int(found)] if about[0] == WHO and found != NOBODY else found

    def distractors(self, puzzle: AnyPuzzle, answer: Grid, rng: Rng) -> Iterator[str]:
        """What others of this family are to each other, the other gender, a generation up or down, in-laws; other names, numbers.

        An option is right as often as it is shown beside others: questions ask for each relation of the family as often, and for
        each small number.
        """
        sort, one, two = self.about(puzzle)
        kin, names = Kin(answer), puzzle.style.names[0]
        if sort == COUNT:
            yield from map(str, [*rng.shuffled(list(_counts(kin))), *range(len(names) + 1)])
        elif sort == WHO:
            yield NOBODY
            yield from rng.shuffled(names)
        else:
            if rng.chance(1, 7):  # as often as it keeps its share of right answers
                yield OTHER
            told = _told(puzzle)
            pairs = [(x, y) for x, y in permutations(range(len(names)), 2) if (RELATION, x, y) not in told]
            occurs = dict.fromkeys([_value(answer, RELATION, x, y) for x, y in pairs])
            yield from rng.shuffled([text for text in occurs if text != OTHER])
            yield from self._relations(puzzle, kin, (one, two), rng)

    def _relations(self, puzzle: AnyPuzzle, kin: Kin, pair: tuple[int, int], rng: Rng) -> Iterator[str]:
        kinship = kin.kinship(*pair) or rng.pick(list(_NEAR))
        texts = _texts(puzzle.spec.params.generations)
        other = KINSHIPS[kinship][1 - kin.gender[pair[0]]]
        found = [other] if other and rng.chance(2, 3) else []
        for near in rng.shuffled(_NEAR[kinship])[:1]:
            found.append(_any_gender(near, rng))
        found += [_any_gender(each, rng) for each in rng.shuffled(list(KINSHIPS))]
        yield from [capital(word(name)) for name in found if _possible(puzzle, WORDS[name].kinship)]
        yield from rng.shuffled(texts[:-1])


@lru_cache(maxsize=16_384)  # the same families fit again and again as statements are left out
def _value(tree: Grid, sort: int, one: int, two: int) -> str:
    """The value of a question in a family; of who somebody is the number."""
    kin = Kin(tree)
    if sort == RELATION:
        name = kin.called(one, two)
        return capital(word(name)) if name else OTHER
    if sort == WHO:
        found = kin.who(_WHO[one], two)
        return str(found[0]) if found else NOBODY
    return str(_count(kin, one, two))


def _possible(puzzle: AnyPuzzle, kinship: str) -> bool:
    """Return whether there is room for such relatives in a family of this size."""
    people, generations = _ROOM.get(kinship, (3, 2))
    return bool(puzzle.spec.params.people >= people and puzzle.spec.params.generations >= generations)


def _any_gender(kinship: str, rng: Rng) -> str:
    return KINSHIPS[kinship][rng.below(2)] or KINSHIPS[kinship][ANY]


def _count(kin: Kin, which: int, y: int) -> int:
    name = _COUNTS[which]
    return kin.count(name) if which < _WHOLE else len(kin.who(name, y))


def _counts(kin: Kin) -> dict[int, list[tuple[int, int]]]:
    """What there is to count in a family, up to four of each, and of whom, by how many there are."""
    found: dict[int, list[tuple[int, int]]] = {}
    for which in range(len(_COUNTS)):
        for y in [0] if which < _WHOLE else range(len(kin.tree)):
            found.setdefault(_count(kin, which, y), []).append((which, y))
    return {number: found[number] for number in sorted(found) if number <= _MOST_COUNTED}


def _told(puzzle: AnyPuzzle) -> set[tuple[int, int, int]]:
    """Questions that a single statement answers, the other way round too."""
    people, found = puzzle.spec.params.people, set()
    for said in [read(clue, people) for clue in puzzle.clues]:
        if said.kind == "kin" and len(said.words) == 1:
            (x, y), (name,) = said.people, said.words
            found |= {(RELATION, x, y), (RELATION, y, x), *[(WHO, k, y) for k, who in enumerate(_WHO) if who == name]}
        counted = _TOLD.get(said.kind, (said.kind.removesuffix("s"),))
        found |= {(COUNT, k, said.people[0] if said.people else 0) for k, each in enumerate(_COUNTS) if each in counted}
    return found


def _drawn(kin: Kin, told: Collection[tuple[int, int, int]], rng: Rng) -> Iterator[tuple[int, ...]]:
    """Questions about a family; each relation that occurs is asked as often as the others, and so is each small number.

    told: questions that are not asked.
    """
    people = range(len(kin.tree))
    pairs: dict[str, list[tuple[int, int]]] = {}
    for x, y in permutations(people, 2):
        if (RELATION, x, y) not in told:
            pairs.setdefault(kin.called(x, y) or "", []).append((x, y))
    other = pairs.pop("", [])
    counts = {number: [each for each in found if (COUNT, *each) not in told] for number, found in _counts(kin).items()}
    small = [number for number, found in counts.items() if found]
    while True:
        turn = rng.below(sum(_SHARES))
        if turn < _SHARES[0]:
            unnamed = other if rng.chance(_OTHER, _OF) or not pairs else []
            if unnamed or pairs:
                yield RELATION, *rng.pick(unnamed or pairs[rng.pick(list(pairs))])
        elif turn < _SHARES[0] + _SHARES[1]:
            missing = rng.chance(_NOBODY, _OF)
            found = [(k, y) for k, name in enumerate(_WHO) for y in people if bool(kin.who(name, y)) != missing]
            found = [each for each in found if (WHO, *each) not in told]
            if found:
                yield WHO, *rng.pick(found)
        elif small:
            yield COUNT, *rng.pick(counts[rng.pick(small)])
