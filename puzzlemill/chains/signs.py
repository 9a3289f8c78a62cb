"""Sentences as strings of signs: one character for each name of the puzzle, number, clue or word of reasoning.

Names, numbers and clues are characters of a private range (ITEM, NUMBER, CLUE); words are the letters of
vocabulary/chain_words.toml; other words are "x". What a sentence claims is then read off by patterns (clauses.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from puzzlemill.chains.scene import Scene
from puzzlemill.rules.grids import Item
from puzzlemill.vocabulary.load import record

ITEM, NUMBER, CLUE = 0xE000, 0xE100, 0xF000
X, N, C = "[\ue000-\ue0ff]", "[\ue100-\uefff]", "[\uf000-\uf1ff]"
_MOST_NUMBER = 0xEFF
_TOKEN = re.compile(r"[0-9]+(?:[.:,][0-9]+)*|n't\b|[^\W\d_]+(?=n't\b)|'s\b|[^\W\d_]+|->|=>|!=|[^\s\w]")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_NUMBERS = r"#?\d{1,3}(?:[ ]*(?:,|and|&|,[ ]?and|or|to|-|through|/)[ ]*#?\d{1,3})*"
_CITED = re.compile(
    rf"\b(?:clue|hint|constraint|statement|sentence|condition|fact|rule)s?[ ]*(?:no\.?|number|#)?[ ]*({_NUMBERS}|\({_NUMBERS}\))",
    re.IGNORECASE,
)
_NUMBERED = re.compile(rf"(?:\bno\.|\bformula|(?<!\w)#|(?<!\w)\[(?=\d{{1,2}}\]))[ ]*({_NUMBERS})\]?(?!\d)", re.IGNORECASE)
_ENCLOSED = re.compile(r"\((\d{1,2})\)")
_STEPS = re.compile(
    r"\b(?:step|deduction|case|option|row|line|point)s?[ ]*(?:no\.?|#)?[ ]*\d{1,3}(?:[ ]*(?:,|and|&|to|-)[ ]*\d{1,3})*\b",
    re.IGNORECASE,
)
_COMMON_WORDS = frozenset(["than", "the", "and", "was", "were", "had", "has", "have", "that", "for", "with"])
_CLOCK = re.compile(r"\b(\d{1,2}) hours?(?:(?: and)? (\d{1,2}) minutes?)?")
_DIGITS = re.compile(r"\d+")
_STOPS = {
    ",": ",",
    ";": ";",
    ".": ".",
    ":": ":",
    "(": "(",
    ")": ")",
    "?": ".",
    "!": ".",
    "\u2014": ";",
    "\u2013": ";",
    "\u2192": "j",
    "\u21d2": "j",
    "->": "j",
    "=>": "j",
    '"': "q",
    "\u2260": "!",
    "<": "<",
    ">": ">",
}


@dataclass(frozen=True, slots=True)
class _Words:
    signs: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, int]
    ordinals: Mapping[str, int]
    ends: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _words() -> _Words:
    found: _Words = record(_Words, "puzzlemill.vocabulary", "chain_words.toml")
    return found


_AS_ITEM = re.compile(
    rf"(?:^|(?<=[V!m/&,SBe:HRynxf=wj;({X[1:-1]}]))(?:(?<![({X[1:-1]}]){N}|(?<=[(]){N}(?=[)])|(?<={X}){N}(?=[.,;:&/)jS]|$))(?=[.,;:&/)(SBwV!LGHRasqnj]|{X}|$)(?!H*[<>#~DJ])"
)
_AS_DIFFERENCE = re.compile(rf"({X})(H*[<>#])")
Phrases = dict[str, list[tuple[tuple[str, ...], str]]]  # by the first word: all words, and the sign


def tokens(text: str) -> list[str]:
    """The words and marks of a text."""
    found: list[str] = _TOKEN.findall(_HYPHEN.sub(" ", text))
    return found


@lru_cache(maxsize=1)
def _common() -> Phrases:
    found: Phrases = {}
    words = _words()
    for sign, phrases in words.signs.items():
        for phrase in phrases:
            _add(found, phrase, sign)
    for word, number in words.numbers.items():
        _add(found, word, chr(NUMBER + number))
    return found


def _add(to: Phrases, phrase: str, sign: str) -> None:
    words = tuple(tokens(phrase.casefold()))
    if words:
        to.setdefault(words[0], []).append((words, sign))


class Signs:
    """Encodes the sentences of one puzzle's chains."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.n = scene.size.items
        self.phrases: Phrases = {first: list(found) for first, found in _common().items()}
        self.capital: set[str] = set()  # names that are common words too: only with their capital they are names
        self.cells: dict[str, list[Item]] = {}
        self.numerals: dict[int, list[Item]] = {}
        nouns = {word for text in (*scene.phrases, *scene.nouns, *scene.titles) for word in tokens(text.casefold())}
        names = {word for names in scene.names for name in names for word in tokens(name.casefold())}
        for word in sorted(nouns):
            if word.isalpha() and word not in names and word not in _common():
                _add(self.phrases, word, "H")
        for noun in (*scene.nouns, *scene.titles):
            words = tuple(tokens(noun.casefold()))
            self.phrases.setdefault(words[0], []).insert(0, (words, "H"))
        for sign, every in (("V", scene.compares), ("<", scene.below), (">", scene.above)):
            for phrase in [phrase for phrases in every for phrase in phrases]:
                words = tuple(tokens(re.sub(r"\[[^]]*\] ?", "", phrase.casefold())))
                self.phrases.setdefault(words[0], []).insert(0, (words, sign))
        if 0 in scene.clues:  # the clues that a table shows
            _add(self.phrases, "the table", chr(CLUE))
        self.of_scale = [self._of_scale(k) for k in range(len(scene.size.scales))]
        self._names(nouns)
        self._places()
        for found in self.phrases.values():
            found.sort(key=lambda entry: -len(entry[0]))

    def _of_scale(self, k: int) -> frozenset[str]:
        """Words that name a scale and no other one."""
        scene = self.scene
        every = [
            {word for texts in each for text in texts for word in tokens(text.casefold()) if len(word) > 2 or not word.isalpha()}
            for each in zip(scene.below, scene.above, scene.compares, scene.units, strict=True)
        ]
        if len(every) <= k:
            return frozenset()
        return frozenset(every[k].difference(*[other for j, other in enumerate(every) if j != k], _COMMON_WORDS))

    def scales(self, text: str) -> list[int]:
        """The scales that a sentence's words name."""
        words = set(tokens(text.casefold()))
        return [k for k, own in enumerate(self.of_scale) if words & own]

    def _names(self, nouns: set[str]) -> None:
        scene, owner = self.scene, dict[str, list[Item]]()
        scaled = [category for category, _ in scene.size.scales]
        for c, v in scene.every:
            name = scene.names[c][v]
            self.cells.setdefault(name.casefold(), []).append((c, v))
            digits = _DIGITS.findall(name)
            if len(digits) == 1 and (name.isdigit() or c in scaled):
                self.numerals.setdefault(int(digits[0]), []).append((c, v))
            if (c == 0 and scene.place) or (name.isdigit() and len(name) < 4 and c in scaled):
                continue
            for variant in _variants(name.casefold()):
                owner.setdefault(variant, []).append((c, v))
            for phrase in scene.nouns_of((c, v)):  # "person who drinks tea", whose words may mean something by themselves
                owner.setdefault(re.sub(r"^(?:the|an?) ", "", phrase.casefold()), []).append((c, v))
        for c, v in scene.every:
            if scene.names[c][v].casefold() in owner:  # "blues" is no plural of "blue" where both are names
                owner[scene.names[c][v].casefold()] = [(c, v)]
        common = _common()
        for variant, found in owner.items():
            words = tokens(variant)
            if len(set(found)) == 1 and words:
                sign = chr(ITEM + 16 * found[0][0] + found[0][1])
                self.phrases.setdefault(words[0], []).insert(0, (tuple(words), sign))
                if any(phrase[1:2] == (words[0],) for phrase, _ in self.phrases["the"]):  # "the One-Eyed King", not "the one"
                    self.phrases["the"].insert(0, (("the", *words), sign))
                if len(words) == 1 and words[0] in common and scene.names[found[0][0]][found[0][1]][0].isupper():
                    self.capital.add(words[0])
        self._parts(owner, nouns)
        for c, v in scene.every:
            for phrase, truth in scene.verbs_of((c, v)):  # "was not painted by Ann", whose words may mean something by themselves
                _add(self.phrases, phrase, ("V" if truth else "!") + chr(ITEM + 16 * c + v))

    def _parts(self, owner: Mapping[str, Sequence[Item]], nouns: set[str]) -> None:
        """A word of a name alone, where no other name has it."""
        having: dict[str, dict[Item, None]] = {}
        every = {name.casefold() for names in self.scene.names for name in names}
        around = nouns & self._around(every)
        for c, v in self.scene.every:
            words = tokens(self.scene.names[c][v].casefold())
            if len(words) > 1:
                for word in words:
                    for form in _variants(word):
                        having.setdefault(form, {})[c, v] = None
        for word, found in having.items():
            if len(found) == 1 and len(word) > 3 and word.isalpha() and word not in owner and word not in around:
                (item,) = found
                if word not in _common():
                    self.phrases.setdefault(word, []).append(((word,), chr(ITEM + 16 * item[0] + item[1])))

    def _around(self, names: Iterable[str]) -> set[str]:
        """Words of the scene that stand beside its names."""
        scene = self.scene
        name = re.compile("|".join([rf"\b{re.escape(one)}\b" for one in sorted(names, key=len, reverse=True)]))
        return {word for text in (*scene.phrases, *scene.nouns, *scene.titles) for word in tokens(name.sub(" ", text.casefold()))}

    def _places(self) -> None:
        scene = self.scene
        self.numbered: re.Pattern[str] | None = None
        if not scene.place:
            return
        nouns = dict.fromkeys(
            [*scene.place, "position", "positions", "place", "places", "spot", "spots", "slot", "slots", "location"]
        )
        many = "|".join([re.escape(noun) for noun in sorted(nouns, key=len, reverse=True)])
        between = r"(?:,|and|or|nor|&|,[ ]?or|,[ ]?and|to|-|/|through|\u2013)"
        join = rf"(?:[ ]*{between}[ ]*(?:\b(?:{many})[ ]*)?#?\d\b(?![:.]?\d| (?:places?|more|units?)\b))"
        self.numbered = re.compile(rf"\b(?:the )?(?:{many})[ ]*(?:no\.?|number|#)?[ ]*(\d\b{join}*)", re.IGNORECASE)
        ordinals = "|".join(_words().ordinals)
        self.ordinal = re.compile(
            rf"\b(?:the )?((?:very )?(?:{ordinals})(?:[ ]*(?:or|and|nor|,)[ ]*(?:the )?(?:{ordinals}))*)[ ]+(?:{many})\b",
            re.IGNORECASE,
        )
        ends = _words().ends
        first, last = chr(ITEM), chr(ITEM + self.n - 1)
        for phrase in ends["either"]:
            _add(self.phrases, phrase, f"V{first}/{last}")
        for phrase in ends["first"]:
            _add(self.phrases, phrase, f"V{first}")
        for phrase in ends["last"]:
            _add(self.phrases, phrase, f"V{last}")

    # ---- a sentence

    def encoded(self, text: str) -> str:
        """The signs of a text."""
        text = _CITED.sub(_cite, text)
        if not self.scene.place:
            if "#" in text or "[" in text or "o. " in text or "ormula" in text:
                text = _NUMBERED.sub(_cite, text)
            if "(" in text:
                text = _ENCLOSED.sub(self._enclosed, text)
        text = _STEPS.sub(" ", text)
        if "hour" in text:
            text = _CLOCK.sub(lambda found: f"{60 * int(found[1]) + int(found[2] or 0)} minutes", text)
        if self.numbered is not None:
            text = self.numbered.sub(self._place, text)
            text = self.ordinal.sub(self._ordered, text)
        bare = _TOKEN.findall(_HYPHEN.sub(" ", text))
        words = [word.casefold() for word in bare]
        out: list[str] = []
        at, end = 0, len(words)
        phrases, capital = self.phrases, self.capital
        while at < end:
            word = words[at]
            for phrase, sign in phrases.get(word, ()):
                size = len(phrase)
                if (size == 1 or tuple(words[at : at + size]) == phrase) and not (
                    word in capital and size == 1 and bare[at][0].islower() and sign >= "\ue000"
                ):
                    break
            else:
                size, sign = 1, self._single(word)
            out.append(sign)
            at += size
        signs = "".join(out).replace("z", "")
        return self._numerals(signs if self.scene.place else signs.replace("~", "V"))

    def _enclosed(self, found: re.Match[str]) -> str:
        """A number in parentheses cites a clue if it is no item's."""
        number = int(found[1])
        return _cite(found) if number in self.scene.clues and number not in self.numerals else found[0]

    def _single(self, word: str) -> str:
        """The sign of a word that is in no list."""
        if "\ue000" <= word[0] <= "\uf8ff":
            return word
        if word[0].isdigit():
            return self._number(word)
        return _STOPS.get(word, "x" if word.isalpha() else "")

    def _numerals(self, signs: str) -> str:
        """Numbers that stand for an item of a scale as that item, and items that stand for a difference as numbers."""
        for pattern, change in ((_AS_DIFFERENCE, self._as_number), (_AS_ITEM, self._as_item)):
            signs = pattern.sub(change, signs)
        return signs

    def _as_item(self, found: re.Match[str]) -> str:
        before = re.split("[,.;:S]", found.string[: found.start()])[-1]
        if "D" in before or "#" in before:  # "differ by 2"
            return found[0]
        named = self.numerals.get(ord(found[0]) - NUMBER, [])
        return chr(ITEM + 16 * named[0][0] + named[0][1]) if len(named) == 1 else found[0]

    def _as_number(self, found: re.Match[str]) -> str:
        c, v = item(found[1])
        digits = _DIGITS.findall(self.scene.names[c][v])
        scale = c in [category for category, _ in self.scene.size.scales] and not (c == 0 and self.scene.place)
        return (
            chr(NUMBER + int(digits[0])) if scale and len(digits) == 1 and int(digits[0]) <= _MOST_NUMBER else found[1]
        ) + found[2]

    def _number(self, word: str) -> str:
        digits = word.replace(",", "")
        if digits.isascii() and digits.isdigit() and len(digits) < 5 and int(digits) <= _MOST_NUMBER:
            return chr(NUMBER + int(digits))
        return "x"

    def _place(self, found: re.Match[str]) -> str:
        text = re.sub(r"[^\W\d_]*(?:to|through)\b|[-\u2013]", "-", found[1])
        text = re.sub(
            r"(\d)\s*-\s*(?:[^\W\d_]+\s*)?#?(\d)",
            lambda ends: ", ".join([str(p) for p in range(int(ends[1]), min(int(ends[2]), 9) + 1)]),
            text,
        )
        return " " + re.sub(r"\d", lambda digit: f" {self._of(int(digit[0]))} ", text) + " "

    def _ordered(self, found: re.Match[str]) -> str:
        ordinals = _words().ordinals

        def place(word: re.Match[str]) -> str:
            number = ordinals.get(word[0].casefold())
            if number is None:
                return word[0]
            middle = (self.n + 1) // 2
            return f" {self._of(middle if number == 0 else number if number > 0 else self.n)} "

        return re.sub(r"\w+", place, found[1])

    def _of(self, number: int) -> str:
        return chr(ITEM + number - 1) if 1 <= number <= self.n else chr(NUMBER + number)


def _cite(found: re.Match[str]) -> str:
    text = re.sub(r"\s*(?:-|to|through)\s*", "-", found[1])
    numbers: list[int] = []
    for part in re.findall(r"\d+(?:-\d+)?", text):
        first, _, last = part.partition("-")
        numbers += range(int(first), min(int(last), int(first) + 40) + 1) if last else [int(first)]
    return " " + " ".join([chr(CLUE + number) for number in numbers if number < 0x1FF]) + " "


def _variants(name: str) -> Iterator[str]:
    """A name as people write it: without its article, in the singular and in the plural."""
    bare = re.sub(r"^(?:a|an|the)\s+", "", name)
    for form in dict.fromkeys([name, bare, re.sub(r"(?<=:\d\d) [ap]m$", "", name)]):
        yield form
        if len(form) > 3 and form[-1].isalpha():
            yield f"{form}s"
            if form.endswith("y"):
                yield f"{form[:-1]}ies"
            if form.endswith("s") and not form.endswith("ss"):
                yield form[:-1]
                if form.endswith("ies"):
                    yield f"{form[:-3]}y"
                if form.endswith("oes"):
                    yield form[:-2]


def item(sign: str) -> Item:
    return divmod(ord(sign) - ITEM, 16)


def number(sign: str) -> int:
    return ord(sign) - NUMBER


def clue(sign: str) -> int:
    return ord(sign) - CLUE


def pairs_of(signs: Sequence[str]) -> Iterator[tuple[str, str]]:
    return combinations(signs, 2)
