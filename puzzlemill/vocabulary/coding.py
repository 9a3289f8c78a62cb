"""Prompts of coding in voices (wordings/coding.toml), with samples and tables in several notations; words of its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from puzzlemill.core.rng import Rng
from puzzlemill.core.words import capital, pick
from puzzlemill.vocabulary.load import record
from puzzlemill.vocabulary.wordings import Voice

_ORDERS = (("task", "samples", "codes", "ask"), ("task", "codes", "samples", "ask"), ("codes", "task", "samples", "ask"))
_TABLES = (("task", "samples", "cases", "codes", "ask"),)
_NOTATIONS = ("prose", "bullets", "arrows", "table")
APART = {
    "letters": ", or one for vowels and one for consonants",
    "numbers": ", or that place counted from one end for vowels and from the other end for consonants",
    "sums": "",
}
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_ASIDES = (
    "The clerk who noted down {A} made the ink himself.",
    "{A} once stood on a sign above a shop.",
    "Somebody underlined {A} twice.",
    "{A} was copied by hand a hundred years ago.",
    "A child learned to spell {A} last week.",
    "The note with {A} on it was found in a drawer.",
    "{A} is printed in red on the cover of a notebook.",
    "Few people can say {A} three times without a slip.",
)


@dataclass(frozen=True, slots=True)
class _Lists:
    """coding.toml as it is written."""

    places: tuple[str, ...]
    codes: str
    words: Mapping[str, tuple[str, ...]]


@cache
def _lists() -> _Lists:
    read: _Lists = record(_Lists, __package__, "coding.toml")
    return read


def code_words() -> list[str]:
    """All code words."""
    return _lists().codes.split()


def words_at(place: int) -> tuple[str, ...]:
    """The words that may stand in this place of a sentence."""
    lists = _lists()
    return lists.words[lists.places[place]]


def asides() -> tuple[str, ...]:
    """Remarks that say nothing about any code; {A}: a word of the puzzle."""
    return _ASIDES


def remark(text: str, rng: Rng) -> str:
    """A remark about a word of the puzzle."""
    return rng.pick(_ASIDES).format(A=text)


# ---- prompts ------------------------------------------------------------------------------------------------------------


def told(
    task: str, samples: Sequence[tuple[str, str]], notes: Sequence[tuple[int, str]], decode: bool, voice: Voice, ask: str
) -> str:
    """The prompt of codes on words and of sentences. notes: remarks with the number of samples before each."""
    sentences = task == "sentences"
    parts = {
        "task": voice.says("sentences" if sentences else "task"),
        "samples": _samples(samples, notes, voice),
        "codes": voice.says("words")
        if sentences
        else f"{voice.says(task, apart='' if decode else APART[task])} {voice.says('vowels')}",
        "ask": ask,
    }
    return voice.arranged(_ORDERS, parts)


def _samples(samples: Sequence[tuple[str, str]], notes: Sequence[tuple[int, str]], voice: Voice) -> str:
    way = voice.notation(*_NOTATIONS)
    if way == "prose":
        lines = [f"{voice.says('said', turn, word=word, code=code)}." for turn, (word, code) in enumerate(samples)]
    elif way == "bullets":
        lines = [voice.says("said", word=word, code=code) for word, code in samples]
    else:
        lines = [f"{word} -> {code}" if way == "arrows" else f"| {word} | {code} |" for word, code in samples]
    remarks = [text for _, text in notes]
    if way == "table":
        body = "\n".join(["| word | code |", "| --- | --- |", *lines])
        return "\n\n".join([body, " ".join(remarks)]) if remarks else body
    for place, text in sorted(notes, reverse=True):
        lines.insert(place, text)
    if way == "prose":
        return " ".join([capital(line) for line in lines])
    return voice.bullets(lines) if way == "bullets" else "\n".join(lines)


def tabled(
    codes: Sequence[tuple[str, str]], cases: Sequence[str], notes: Sequence[str], chained: bool, voice: Voice, ask: str
) -> str:
    """The prompt of a code with conditions. codes: letters and their signs. cases: each as a sentence. notes: remarks."""
    way = voice.notation(*_NOTATIONS)
    if way == "prose":
        table = ", ".join([f"{letter} = {sign}" for letter, sign in codes])
    elif way == "bullets":
        table = "\n".join([f"Letter: {' '.join([a for a, _ in codes])}", f"Digit:  {' '.join([b for _, b in codes])}"])
    elif way == "arrows":
        table = "\n".join([f"{letter} -> {sign}" for letter, sign in codes])
    else:
        rows = [[a for a, _ in codes], ["---"] * len(codes), [b for _, b in codes]]
        table = "\n".join([f"| {' | '.join(row)} |" for row in rows])
    parts = {
        "task": voice.says("conditions"),
        "samples": "\n\n".join([table, *notes]),
        "cases": voice.numbered(cases),
        "codes": " ".join(
            [*([voice.says("every_case" if chained else "first_case")] if len(cases) > 1 else []), voice.says("vowels")]
        ),
        "ask": ask,
    }
    return voice.arranged(_TABLES, parts)


def test_text(case: tuple[tuple[int, int, int], tuple[int, int, int]], letters: int) -> str:
    """What a condition asks: "the word begins with a vowel"."""
    return _test(case[0], letters, 0)


def case_text(case: tuple[tuple[int, int, int], tuple[int, int, int]], letters: int, voice: int) -> str:
    """A condition as a sentence."""
    test, done = _test(case[0], letters, voice), _done(case[1], letters, voice)
    return pick(
        voice, f"If {test}, {done}.", f"When {test}, {done}.", f"{capital(done)} if {test}.", f"{capital(done)} when {test}."
    )


def place_name(place: int, letters: int) -> str:
    """ "first", "last"."""
    return "last" if place == letters - 1 else PLACES[place]


def _sort(vowel: int, many: bool = False) -> str:
    return ("vowels" if vowel else "consonants") if many else "a vowel" if vowel else "a consonant"


def _test(test: tuple[int, int, int], letters: int, voice: int) -> str:
    kind, one, other = test
    if kind == 1:
        return pick(
            voice,
            f"the {place_name(one, letters)} letter is {_sort(other)}",
            f"the word has {_sort(other)} in the {place_name(one, letters)} place",
            f"its {place_name(one, letters)} letter is {_sort(other)}",
        )
    if kind == 2:
        number = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")[one]
        return pick(
            voice,
            f"the word has {number} vowels or more",
            f"at least {number} of the letters are vowels",
            f"there are {number} or more vowels in the word",
        )
    if one == other:
        return pick(
            voice,
            f"both the first and the last letter are {_sort(one, True)}",
            f"the first letter and the last one are {_sort(one, True)}",
            f"the word begins and ends with {_sort(one)}",
        )
    return pick(
        voice,
        f"the first letter is {_sort(one)} and the last one {_sort(other)}",
        f"the word begins with {_sort(one)} and ends with {_sort(other)}",
        f"the word has {_sort(one)} at its beginning and {_sort(other)} at its end",
    )


def _done(action: tuple[int, int, int], letters: int, voice: int) -> str:
    kind, i, j = action
    first, second = place_name(i, letters), place_name(j, letters)
    if kind == 0:
        return pick(
            voice,
            f"the {first} and the {second} digit of the code are swapped",
            f"swap the {first} and the {second} digit of the code",
            f"the {first} digit of the code and the {second} one change places",
        )
    if kind == 1:
        return pick(
            voice,
            f"the {second} digit of the code is replaced by the {first} one",
            f"the {first} digit of the code is written in the {second} place too",
            f"in place of the {second} digit of the code the {first} one is repeated",
        )
    if kind == 2:
        return pick(
            voice,
            f"the {first} and the {second} digit of the code are both replaced by X",
            f"X is written for the {first} and for the {second} digit of the code",
            f"the {first} digit of the code becomes X, and so does the {second} one",
        )
    return pick(
        voice,
        "the whole code is written backwards",
        "the code is reversed, the last digit first",
        "the digits of the code are written in reverse order",
    )
