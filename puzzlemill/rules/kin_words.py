"""Statements about a family in words, in code or as what people say who point at others; and prompts made of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, permutations

from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import capital
from puzzlemill.core.types import AnyPuzzle, Clue, Style
from puzzlemill.core.words import NUMBERS, listed, many
from puzzlemill.rules.kin import COUNTED, PLAIN, WORDS, Statement, read
from puzzlemill.rules.kin_draw import RULE
from puzzlemill.vocabulary.kin import kin_words
from puzzlemill.vocabulary.wordings import FIRST, Voice, markdown

POINTING, CODED = "pointing", "coded"  # styles: a puzzle's theme
_NOTATIONS = ("numbered", "paragraph", "bullets", "table", "json")
_ORDERS = (("task", "rules", "clues"), ("task", "clues", "rules"))
_KIN = tuple(permutations((("siblings",), ("uncles", "cousins", "nephews"), ("in_laws",))))  # orders of explanations
_SPELLED = {
    "uncle_or_aunt": "uncle or aunt",
    "nephew_or_niece": "nephew or niece",
    "sibling": "brother or sister",
    "spouse": "husband or wife",
    "sibling_in_law": "brother- or sister-in-law",
    "parent_in_law": "father- or mother-in-law",
    "child_in_law": "son- or daughter-in-law",
}
_TURNS = 60  # voices that are tried for another wording of every statement


def word(name: str) -> str:
    """A kin word as it is written: "great-grandmother"."""
    if name in _SPELLED:
        return _SPELLED[name]
    if WORDS[name].only:
        return f"only {name.removeprefix('only_')}"
    return name.replace("_", "-")


def _own(name: str) -> str:
    return f"{name}'s"


class Wording:
    """The sentences of one puzzle in its style."""

    def __init__(self, puzzle: AnyPuzzle) -> None:
        self.puzzle, self.style = puzzle, puzzle.style
        if not self.style.names or len(self.style.names[0]) != puzzle.spec.params.people:
            raise BadRow(f"{puzzle.family}: style.names: expected the names of {puzzle.spec.params.people} people")
        self.names = self.style.names[0]
        self.voice = Voice(puzzle.family, self.style.phrasing)
        drawn = FIRST + self.style.phrasing if 0 < self.style.phrasing < FIRST else self.style.phrasing
        self._said = Voice(puzzle.family, drawn)  # what words single statements
        self.signs = dict(zip(self.style.symbols[::2], self.style.symbols[1::2], strict=True))

    def read(self, clue: Clue) -> Statement:
        """The statement of a clue."""
        return read(clue, self.puzzle.spec.params.people)

    def sentence(self, clue: Clue) -> str:
        """A clue in words. Its wording depends on the style and the clue's id alone."""
        turn = int(clue.id[1:]) if clue.id[1:].isdigit() else 0
        return self.told(self.read(clue), turn)

    def told(self, said: Statement, turn: int = 0) -> str:
        """A statement in words; turn: which of them it is, for other words each time."""
        names = [self.names[x] for x in said.people]
        if said.kind == "kin":
            return self._kin(said, names, turn)
        if said.kind in COUNTED or not said.people:
            kind = "couples" if said.kind == "couples" else "counted" if said.people else "men"
            return capital(self._said.says(kind, turn, x="".join(names), k=counted(said.kind, said.number)))
        return self._said.says(said.kind, turn, x=names[0])

    def _kin(self, said: Statement, names: Sequence[str], turn: int) -> str:
        (x, y), words = names, said.words
        if len(words) == 1 and words[0] in self.signs:
            return f"{x} {self.signs[words[0]]} {y}"
        if self.style.theme == POINTING:
            return self._said.says("pointing", turn, x=x, y=y, my=chained(words, "my"))
        if len(words) > 1:
            of = _owned(words, y) if self._said.place(f"of {turn}", 2) else chained(words, y)
            return self._said.says("kin_2", turn, x=x, of=of, Of=capital(of))
        if words[0] == "spouse":
            return self._said.says("wed", turn, x=x, y=y)
        return self._said.says("kin_1", turn, x=x, y=y, ys=_own(y), r=word(words[0]))

    def sentences(self) -> list[tuple[str, str]]:
        """The lines of the prompt's list: a clue's id and its sentence, or "" and an aside."""
        found = [(clue.id, self.sentence(clue)) for clue in self.puzzle.clues_in_order()]
        for place, aside in reversed(self.style.asides):
            if not 0 <= place <= len(self.puzzle.clues):
                raise BadRow(f"{self.puzzle.family}: style.asides puts one after {place} of {len(self.puzzle.clues)} clues")
            if aside not in _asides(self.names):
                raise BadRow(f"{self.puzzle.family}: style.asides holds no remark about these people: {aside[:60]!r}")
            found.insert(place, ("", aside))
        return found

    def prompt(self) -> str:
        """The whole prompt but for how to reply."""
        params, voice = self.puzzle.spec.params, self.voice
        numbers = {"n": NUMBERS[params.people], "g": NUMBERS[params.generations]}
        task = capital(voice.says("task", **numbers, names=listed(self.names)))
        kin = chain.from_iterable(_KIN[voice.place("kin", len(_KIN))])
        alike = [RULE] * bool(self.puzzle.spec.rule(RULE))
        slots = ["world", "marriage", "parents", "outside", *kin, "names", "only", *alike]
        rules = " ".join([voice.says(slot) for slot in slots])
        clues = f"{self._legend()}{voice.says('clues')}\n{self._listed()}".strip()
        return voice.arranged(_ORDERS, {"task": task, "rules": rules, "clues": clues})

    def _listed(self) -> str:
        """The statements as the voice lists them; as a paragraph only where each is a sentence."""
        said = [text for _, text in self.sentences()]
        ways = [way for way in _NOTATIONS if way != "paragraph" or all(text.endswith((".", '"')) for text in said)]
        way = self.voice.notation(*ways)
        if way == "table":
            return markdown([str(i) for i in range(1, len(said) + 1)], ["statement"], [[text] for text in said])
        if way == "json":
            return "[" + ",\n ".join([json.dumps(text, ensure_ascii=False) for text in said]) + "]"
        if way == "paragraph":
            return " ".join(said)
        return self.voice.bullets(said) if way == "bullets" else self.voice.numbered(said)

    def _legend(self) -> str:
        if not self.signs:
            return ""
        p, q = self._strangers()
        lines = [self.voice.says("code_line", x=p, y=q, sign=sign, r=word(name)) for name, sign in self.signs.items()]
        return "\n".join([self.voice.says("code"), *lines, "", ""])

    def _strangers(self) -> tuple[str, str]:
        """Two letters that are nobody's name."""
        free = [letter for letter in reversed(kin_words().letters) if letter not in self.names]
        return free[1], free[0]


def chained(words: Sequence[str], last: str) -> str:
    """ "the brother of the mother of Kim"; of "my" it is "the brother of my mother"."""
    spelled = [word(name) for name in words]
    if last == "my":
        *first, final = spelled
        return "".join([f"the {each} of " for each in first]) + f"my {final}"
    return "".join([f"the {each} of " for each in spelled]) + last


def _owned(words: Sequence[str], last: str) -> str:
    """ "Kim's mother's brother"."""
    *owners, final = [word(name) for name in reversed(words)]
    return " ".join([*[_own(each) for each in (last, *owners)], final])


def counted(kind: str, number: int) -> str:
    """ "two sons", "one married couple"."""
    one = {"children": "child", "couples": "married couple", "men": "man", "women": "woman"}.get(kind, kind.removesuffix("s"))
    plural = {"children": "children", "men": "men", "women": "women"}.get(kind, many(one))
    return f"{NUMBERS[number] if number else 'no'} {one if number == 1 else plural}"


# ---- other styles --------------------------------------------------------------------------------------------------------


def draw_style(people: int, rng: Rng) -> Style:
    """Random names, letters for one puzzle in four, and a phrasing."""
    pool = kin_words().letters if rng.chance(1, 4) else kin_words().names
    return Style(names=(tuple(rng.sample(pool, people)),), phrasing=rng.between(1, 999))


def renamed(puzzle: AnyPuzzle, rng: Rng) -> Style:
    """Other names for all; letters stay letters."""
    names, words = puzzle.style.names[0], kin_words()
    pool = words.letters if all(name in words.letters for name in names) else words.names
    taken = [name.casefold() for name in names]
    new = tuple(rng.sample([name for name in pool if name.casefold() not in taken], len(names)))
    return replace(puzzle.style, names=(new,), asides=_moved(puzzle, new))


def lettered(puzzle: AnyPuzzle, rng: Rng) -> Style:
    """Letters for all names."""
    letters = [letter for letter in kin_words().letters if letter not in puzzle.style.names[0]]
    new = tuple(rng.sample(letters, len(puzzle.style.names[0])))
    return replace(puzzle.style, names=(new,), asides=_moved(puzzle, new))


def _moved(puzzle: AnyPuzzle, names: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """The remarks with other names."""
    old, new = _asides(puzzle.style.names[0]), _asides(names)
    return tuple([(place, new[old.index(aside)]) for place, aside in puzzle.style.asides])


def _asides(names: Sequence[str]) -> list[str]:
    return [text.format(x=x, y=y) for text in kin_words().asides for x in names for y in names if x != y]


def red_herring(puzzle: AnyPuzzle, rng: Rng) -> Style:
    """One remark about two of the people, anywhere among the statements."""
    x, y = rng.few(puzzle.style.names[0], 2)
    aside = rng.pick(kin_words().asides).format(x=x, y=y)
    return replace(puzzle.style, asides=((rng.below(len(puzzle.clues) + 1), aside),))


def paraphrased(puzzle: AnyPuzzle, rng: Rng) -> Style:
    """A style in which as few statements as possible keep their words."""
    before = [text for _, text in Wording(puzzle).sentences()]
    best, least = puzzle.style, len(before) + 1
    for _ in range(_TURNS):
        style = replace(puzzle.style, phrasing=_other_phrasing(puzzle.style.phrasing, rng))
        after = [text for _, text in Wording(replace(puzzle, style=style)).sentences()]
        same = sum([a == b for a, b in zip(before, after, strict=True)])
        if same < least:
            best, least = style, same
        if not same:
            break
    return best


def _other_phrasing(phrasing: int, rng: Rng) -> int:
    """A phrasing of the same kind of voice."""
    if 0 <= phrasing < FIRST:
        return (phrasing + rng.between(1, 998)) % 1000 or 1
    number = FIRST + (abs(phrasing) - FIRST + rng.between(1, 1000)) % FIRST
    return number if phrasing > 0 else -number


def coded(puzzle: AnyPuzzle, rng: Rng) -> Style:
    """Signs in place of kin words: those of the statements, and two more."""
    used = [said.words[0] for said in (read(clue, puzzle.spec.params.people) for clue in puzzle.clues) if len(said.words) == 1]
    names = list(dict.fromkeys([name for name in used if name in PLAIN]))
    signs = rng.shuffled(kin_words().symbols)
    more = rng.sample([name for name in PLAIN if name not in names], 2)
    listed_ = sorted([*names, *more][: len(signs)], key=PLAIN.index)
    symbols = tuple([text for pair in zip(listed_, signs, strict=False) for text in pair])
    return replace(puzzle.style, theme=CODED, symbols=symbols)


def pointing(puzzle: AnyPuzzle, rng: Rng) -> Style:
    """Statements of kinship as somebody says them who points at somebody else."""
    del rng
    return replace(puzzle.style, theme=POINTING)
