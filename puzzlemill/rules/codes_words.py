"""Codes on words in words: what is done to a word, letter by letter."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.core.words import listed, pick, plural
from puzzlemill.rules.codes import CONSONANTS, KINDS, VOWELS, Code, Pair, Word, places
from puzzlemill.rules.codes_space import coded, spelt

_ORDERS = {
    "backwards": "write it backwards",
    "pairs": "swap neighbouring letters in pairs",
    "halves_turned": "reverse each half",
    "halves_exchanged": "swap the two halves",
    "ends": "swap the first and the last letter",
    "first_last": "move the first letter to the end",
    "last_first": "move the last letter to the front",
}
_GROUPS = {
    "alternating": ("letters in odd places", "those in even places"),
    "apart": ("vowels", "consonants"),
    "circles": ("vowels", "consonants"),
    "middle": ("all letters but the middle", "the middle"),
}


def _signed(key: int, size: int) -> int:
    """A number of places in a circle as the shorter way round."""
    return key - size if 2 * key > size else key


def _moves(by: int) -> str:
    return f"{plural(abs(by), 'place')} {'on' if by > 0 else 'back'}" if by else "not at all"


def _plus(key: int) -> str:
    return f"{'plus' if key > 0 else 'minus'} {abs(key)}" if key else ""


def rule(task: str, code: Code) -> str:
    """The code as an instruction."""
    order, name, variant, keys = code
    first = f"{_ORDERS[order]}, then " if order != "same" else ""
    marks = KINDS[task][name].variants[variant]
    told = {"letters": _letters, "numbers": _numbers, "sums": _sum}[task](name, marks, keys)
    if task == "letters" and not any(keys) and not marks and name == "shift":
        return _ORDERS.get(order, "leave it as it is")
    return first + told


def _letters(name: str, marks: tuple[int, ...], keys: tuple[int, ...]) -> str:
    if name == "shift":
        return f"move each letter {_moves(_signed(keys[0], 26))} in the alphabet"
    if name == "mirror":
        moved = _signed(keys[0], 26)
        return "replace each letter by its mirror letter (A by Z, B by Y)" + (f" and move it {_moves(moved)}" if moved else "")
    if name == "growing":
        return (
            f"move the first letter {_moves(_signed(keys[0], 26))} in the alphabet, and each next one {_moves(marks[0])} further"
        )
    sizes = (5, 21) if name == "circles" else (26, 26)
    by = [_moves(_signed(key, size)) for key, size in zip(keys, sizes, strict=True)]
    one, other = _GROUPS[name]
    among = (" among the vowels", " among the consonants") if name == "circles" else (" in the alphabet", "")
    if not keys[0]:
        return f"leave {one} as they are and move {other} {by[1]}{among[1] or ' in the alphabet'}"
    if not keys[1]:
        return f"move {one} {by[0]}{among[0]} and leave {other} as {'it is' if name == 'middle' else 'they are'}"
    return f"move {one} {by[0]}{among[0]} and {other} {by[1]}{among[1]}"


def _side(side: int) -> str:
    return "counted from A" if side > 0 else "counted from Z"


def _numbers(name: str, marks: tuple[int, ...], keys: tuple[int, ...]) -> str:
    plus = f" {_plus(keys[0])}" if keys[0] else ""
    if name == "places":
        times = f"{marks[1]} times " if marks[1] > 1 else ""
        return f"write {times}the place of each letter in the alphabet, {_side(marks[0])},{plus}".rstrip(",")
    if name == "rising":
        start = f"{_plus(keys[0])} for the first letter" if keys[0] else "with nothing added for the first letter"
        more = f"{abs(marks[1])} {'more' if marks[1] > 0 else 'less'} for each next one"
        return f"write the place of each letter in the alphabet, {_side(marks[0])}, {start} and {more}"
    if name == "squares":
        return f"write the square of the place of each letter in the alphabet, {_side(marks[0])},{plus}".rstrip(",")
    one, other = ("A", "Z") if marks[0] > 0 else ("Z", "A")
    return f"write the place of each vowel counted from {one} and of each consonant counted from {other},{plus}".rstrip(",")


def _sum(name: str, marks: tuple[int, ...], keys: tuple[int, ...]) -> str:
    of = ("letters", "vowels", "consonants")[marks[0]]
    base = f"add up the places of the {of} in the alphabet, {_side(marks[1])}"
    if name == "sum":
        times = f", take {marks[2]} times the sum" if marks[2] > 1 else ""
        return f"{base}{times}{f', {_plus(keys[0])}' if keys[0] else ''}"
    if name == "sum_times_length":
        return f"{base}, and multiply by the number of letters{f', {_plus(keys[0])}' if keys[0] else ''}"
    times = f"{abs(marks[2])} times " if abs(marks[2]) > 1 else ""
    return f"{base}, and {'add' if marks[2] > 0 else 'subtract'} {times}the number of letters"


# ---- worked out ---------------------------------------------------------------------------------------------------------


def worked(task: str, code: Code, word: Word, signs: Word) -> str:
    """A word and its code, letter by letter: "FRAME -> RFAEM: R - 1 = Q, F - 1 = E, ..., so QEBDL"."""
    order, name, variant, keys = code
    kind = KINDS[task][name]
    if task == "sums":
        return f"{spelt(word)}: {_summed(name, kind.variants[variant], keys, word, signs[0])}"
    ordered = tuple([word[at] for at in places(order, len(word))])
    bases = kind.bases(kind.variants[variant], ordered)
    steps = []
    for letter, (group, base), sign in zip(ordered, bases, signs, strict=True):
        if task == "numbers":
            steps.append(f"{spelt((letter,))} {sign}")
        elif name == "mirror":
            by = _signed(keys[0], 26)
            steps.append(f"{spelt((letter,))} ~ {spelt((25 - letter,))}{_step(by, sign) if by else ''}")
        else:
            circle = (VOWELS, CONSONANTS)[group] if name == "circles" else range(26)
            at = circle.index(letter)
            by = _signed((base + keys[group] - at) % len(circle), len(circle))
            steps.append(f"{spelt((letter,))}{_step(by, sign)}")
    moved = f"{spelt(word)} -> {spelt(ordered)}" if order != "same" else spelt(word)
    if task == "letters" and name == "shift" and not any(keys):
        return f"{moved}"
    return f"{moved}: {', '.join(steps)}" + (f", so {coded(task, signs)}" if task == "letters" else "")


def _step(by: int, sign: int) -> str:
    """ " - 3 = M"."""
    return f" {'-' if by < 0 else '+'} {abs(by)} = {spelt((sign,))}"


def _summed(name: str, marks: tuple[int, ...], keys: tuple[int, ...], word: Word, number: int) -> str:
    group, side = marks[:2]
    mine = [x for x in word if not group or (x in VOWELS) == (group == 1)]
    parts = [x + 1 if side > 0 else 26 - x for x in mine]
    total = f"{' + '.join(map(str, parts)) or '0'}{f' = {sum(parts)}' if len(parts) != 1 else ''}"
    tail = f" {'+' if keys[0] > 0 else '-'} {abs(keys[0])}" if keys[0] else ""
    if name == "sum_and_length":
        tail = f" {'+' if marks[2] > 0 else '-'} {abs(marks[2])} * {len(word)}"
    times = marks[2] if name == "sum" else len(word) if name == "sum_times_length" else 1
    if times == 1 and not tail:
        return total
    return f"{total}; {f'{times} * ' if times > 1 else ''}{sum(parts)}{tail} = {number}"


def works(task: str, code: Code, pairs: Sequence[Pair], voice: int) -> str:
    """The code, and how it gives each sample; sentences without the last full stop."""
    shown = "; ".join([worked(task, code, *pair) for pair in pairs])
    return pick(
        voice,
        f"one code fits all samples: {rule(task, code)}. {shown}",
        f"the samples have this code in common: {rule(task, code)}. {shown}",
        f"all samples follow one code: {rule(task, code)}. {shown}",
    )


def names(pairs: Sequence[Pair]) -> str:
    """ "FRAME and BLOCK"."""
    return listed([spelt(word) for word, _ in pairs])
