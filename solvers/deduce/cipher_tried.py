"""Why methods of a menu cannot have made a sample, in words: by what it looks like, by the letter of a key, or by a letter.

Ways that fail for one reason are told together: methods that write other signs, that only move letters, that replace a letter by
the same one everywhere. What is said is worked out here from the sample; a reason that does not hold is a BadRow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from puzzlemill.core.errors import BadRow
from puzzlemill.core.words import NUMBERS, capital, listed, pick, plural
from puzzlemill.rules.ciphers import LETTERS, METHODS
from puzzlemill.solvers.deduce.cipher_work import number, shortened, signs, square_rows, total

SIGNS, SIZE, MOVES, SAME = "signs", "size", "moves", "same"  # reasons of several methods; a method's own is its name
_RANKS = (SIGNS, SIZE, MOVES, SAME)
_STEADY = ("caesar", "atbash", "affine", "keyword")  # a letter becomes the same one everywhere
_OTHER = {"polybius": "digits", "morse": "dots and dashes"}  # what methods write that write no letters
_LONG = 560  # characters of a step; Playfair squares are left out of longer ones


class Sample:
    """What is seen of a plain text and its cipher."""

    def __init__(self, plain: str, cipher: str) -> None:
        self.plain, self.cipher = plain, cipher
        self.sort = "letters" if cipher.isalpha() else "digits" if cipher[:1].isdigit() else "dots and dashes"
        self.like = len(plain) == len(cipher)  # a letter for each letter
        self.permuted = sorted(plain) == sorted(cipher)
        pairs = set(zip(plain, cipher, strict=False))
        self.steady = len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})

    def why(self, method: str) -> str:
        """The reason for which the sample refutes a method, whatever its key is; else the method's name."""
        if _OTHER.get(method, "letters") != self.sort or (method == "bacon" and self.cipher.strip("AB")):
            return SIGNS
        if self.sort == "letters" and method != "bacon":
            if not self.like:
                return SIZE
            if METHODS[method].moves and not self.permuted:
                return MOVES
            if method in _STEADY and not self.steady:
                return SAME
        return method

    @property
    def became(self) -> str:
        return f"{shortened(self.plain)} became {shortened(self.cipher)}"


def rank(why: str) -> int:
    """The order in which reasons are told: those of several methods first."""
    return _RANKS.index(why) if why in _RANKS else len(_RANKS)


def refuted(plain: str, cipher: str, tried: Sequence[tuple[tuple[str, str], str]], voice: int, kept: str = "") -> str:
    """Sentences that tell why this sample refutes these ways, all for one reason; the last one without its full stop.

    tried: methods with a key, and what each makes of the plain text ("" nothing). kept: the key of the method that fits.
    """
    sample = Sample(plain, cipher)
    methods = list(dict.fromkeys([method for (method, _), _ in tried]))
    why = sample.why(methods[0])
    if any(sample.why(method) != why for method in methods):
        raise BadRow(f"{', '.join(methods)}: not refuted for one reason by {plain[:40]}")
    if why in _REASONS:
        return _REASONS[why](sample, methods, voice)
    keyed = [(key, made) for (_, key), made in tried]
    told = _keys(sample, why, keyed, voice)
    return f"{told}. {_KEPT[voice % len(_KEPT)].format(key=_key(why, kept))}" if kept else told


# ---- for several methods -------------------------------------------------------------------------------------------------


def _called(method: str) -> str:
    """The name of a method without its key."""
    return METHODS[method].title.partition(" {key}")[0].removesuffix(" by").removesuffix(" of")


def _heading(method: str) -> str:
    """The name of a method in front of a colon: "Caesar shift"."""
    return METHODS[method].says.partition(":")[0]


def _none(methods: Sequence[str]) -> str:
    return "none of them was used" if len(methods) > 2 else "neither was used" if len(methods) == 2 else "it was not used"


def _signs(sample: Sample, methods: Sequence[str], voice: int) -> str:
    """Methods that write other signs than the cipher has."""
    foreign = next((sign for sign in sample.cipher if sign not in "AB"), "") if "bacon" in methods else ""
    writers = [method for method in methods if _OTHER.get(method, "letters") == "letters"]
    if sample.sort == "letters":
        writers = [method for method in methods if method == "bacon"]
    what = [f"{_called(method)} writes {_OTHER[method]}" for method in methods if method in _OTHER]
    if writers:
        only = "only the letters A and B" if sample.sort == "letters" else "letters"
        what.insert(
            0 if sample.sort != "letters" else len(what), f"{listed(list(map(_called, writers)))} {_verb(writers)} {only}"
        )
    said = [what[0], *[each.replace(" writes ", " ") for each in what[1:]]]
    laws = ", and ".join(said) if len(said) == 2 else listed(said)
    has = f"has the letter {foreign}" if foreign and sample.sort == "letters" else f"is written in {sample.sort}"
    return pick(
        voice,
        f"{sample.became}, which {has}. But {laws}, so {_none(methods)}",
        f"{sample.became}, which {has}. {capital(laws)}, so {_none(methods)}",
        f"{sample.became}. This {has}, but {laws}, so {_none(methods)}",
    )


def _verb(methods: Sequence[str], one: str = "writes", many: str = "write") -> str:
    return one if len(methods) == 1 else many


def _size(sample: Sample, methods: Sequence[str], voice: int) -> str:
    """Methods that write a letter for each."""
    names = listed(list(map(_called, methods)))
    fact = f"{shortened(sample.plain)} has {len(sample.plain)} letters and became {len(sample.cipher)} letters"
    return pick(
        voice,
        f"{fact}. But {names} {_verb(methods)} one letter for each letter, so {_none(methods)}",
        f"{fact}. Since {names} {_verb(methods)} one letter for each letter, {_none(methods)}",
    )


def _moves(sample: Sample, methods: Sequence[str], voice: int) -> str:
    """Methods that only move letters."""
    had, has = Counter(sample.plain), Counter(sample.cipher)
    letter = max(sorted(has), key=lambda each: (not had[each], has[each] - had[each]))
    if has[letter] <= had[letter]:
        raise BadRow(f"{sample.plain[:40]}: its letters are those of its cipher")
    where = f"the letter {letter} is new"
    if had[letter]:
        where = f"the letter {letter} stands {_times(has[letter])} instead of {_times(had[letter])}"
    names, whole = listed(list(map(_called, methods))), f"{sample.plain} became {sample.cipher}"
    only = f"only {_verb(methods, 'changes', 'change')} the order of the letters"
    return pick(
        voice,
        f"{whole}. {capital(where)}, but {names} {only}, so {_none(methods)}",
        f"{whole}, where {where}. So the letters were not just rearranged, and {names} {_verb(methods, 'was', 'were')} not used",
        f"{whole}, where {where}. This rules out {names}, which {only}",
    )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{NUMBERS[count] if count < len(NUMBERS) else count} times")


def _same(sample: Sample, methods: Sequence[str], voice: int) -> str:
    """Methods by which a letter becomes the same one everywhere, and different ones become different ones."""
    names = listed(list(map(_called, methods)))
    first: dict[str, int] = {}
    back: dict[str, int] = {}
    for i, (one, other) in enumerate(zip(sample.plain, sample.cipher, strict=True)):
        a, b = first.setdefault(one, i), back.setdefault(other, i)
        if sample.cipher[a] != other:
            was, now = [f"{'stayed' if one == sign else 'became'} {sign}" for sign in (sample.cipher[a], other)]
            fact = f"{_nth(a, 'letter')}, {one}, {was}, but {_nth(i, 'letter')}, also {one}, {now}"
            law = f"{_verb(methods, 'turns', 'turn')} equal letters into equal ones"
            break
        if sample.plain[b] != one:
            fact = f"{_nth(b, 'letter')}, {sample.plain[b]}, and {_nth(i, 'letter')}, {one}, both became {other}"
            law = f"{_verb(methods, 'turns', 'turn')} different letters into different ones"
            break
    else:
        raise BadRow(f"{sample.plain[:40]}: each letter became the same one everywhere")
    whole = f"{sample.plain} became {sample.cipher}"
    return pick(
        voice,
        f"{whole}: {fact}. But {names} {law}, so {_none(methods)}",
        f"{whole}, and {fact}. Since {names} {law}, {_none(methods)}",
        f"{whole}: {fact}. This rules out {names}, which {law}",
    )


_REASONS: Mapping[str, Callable[[Sample, Sequence[str], int], str]] = {
    SIGNS: _signs,
    SIZE: _size,
    MOVES: _moves,
    SAME: _same,
}


# ---- for the keys of one method --------------------------------------------------------------------------------------------

Keyed = tuple[str, str]  # a key, and what it makes of the plain text


def _keys(sample: Sample, method: str, tried: Sequence[Keyed], voice: int) -> str:
    """The keys of one method, by the first sign where that is enough."""
    title = _heading(method)
    if not tried[0][1]:  # that depends on the text alone
        return f"{title}: {sample.plain} cannot be encrypted, because {unfit(sample.plain, METHODS[method].block)}"
    if method == "playfair":
        told = _unlike(sample)
        if told:
            return f"{title}: {told}"
    begins = sample.cipher[:2] if method == "playfair" else signs(sample.cipher)[0]
    early = [each for each in tried if not _begun(method, each[1], begins)] if method in _EARLY else []
    late = _late(sample, method, [each for each in tried if each not in early], bool(early))
    if not early:
        fact = sample.became if not METHODS[method].moves else f"{sample.plain} became {sample.cipher}"
        return f"{title}: {fact}. {'. '.join(late)}"
    text = _EARLY[method](sample, early, voice, True)
    if method == "playfair" and len(text) > _LONG:
        text = _EARLY[method](sample, early, voice, False)
    return ". ".join([f"{title}{', ' if text.startswith('the rows') else ': '}{text}", *late])


def _begun(method: str, made: str, begins: str) -> bool:
    return made.startswith(begins) if method == "playfair" else signs(made)[0] == begins


def _shown(method: str, keys: Sequence[str], last: str = "or") -> str:
    return listed([METHODS[method].shown(key) for key in keys], last) + (" rails" if method == "railfence" else "")


_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"),
)
# after the keys of a method that a sample refutes
_KEPT = ("With {key} it fits, so that stays possible", "That leaves {key} possible", "But with {key} it fits")


def _nth(place: int, noun: str) -> str:
    return f"the {_ORDINALS[place]} {noun}" if place < len(_ORDINALS) else f"{noun} {place + 1} of the text"


def _key(method: str, key: str) -> str:
    return f"{'k = ' * (method == 'caesar')}{_shown(method, [key])}"


def _late(sample: Sample, method: str, tried: Sequence[Keyed], others: bool) -> list[str]:
    """Sentences: where keys fail that are right at the beginning, or a method without a key. others: other keys fail there."""
    if not METHODS[method].moves:
        return [_place(sample, method, key, made, others) for key, made in tried]
    texts, begins = list[str](), dict[str, list[str]]()
    for key, made in tried:
        place = next(i for i, (a, b) in enumerate(zip(made, sample.cipher, strict=True)) if a != b)
        if place < _SAME:
            begins.setdefault(made[: place + 1], []).append(key)
        else:
            by = f"With {_shown(method, [key])} " if key else ""
            differs = f"letter {place + 1} is {made[place]}, not {sample.cipher[place]}"
            texts.append(capital(f"{by}the cipher would be {made}, where {differs}"))
    wanted = sample.cipher[: max(map(len, begins), default=0)]
    each = [begin + (f" ({_shown(method, keys, 'and')})" if keys[0] else "") for begin, keys in begins.items()]
    if each and others:
        each = [f"{_shown(method, keys, 'and')} ({begin})" for begin, keys in begins.items()]
        texts.insert(0, f"The first letter is right with {listed(each)}, but the cipher begins with {wanted}")
    elif each:
        texts.insert(0, f"The cipher would begin with {listed(each, 'or')}, not with {wanted}")
    return texts


_SAME = 6  # signs that agree and are written out


def _place(sample: Sample, method: str, key: str, made: str, others: bool) -> str:
    """The first letter, or pair of letters, that does not become what it should. others: other keys fail at the first one."""
    by = f"With {_key(method, key)} " if key else ""
    if others:
        by += f"the first {'pair' if method == 'playfair' else 'letter'} is right, but "
    plain, got, wanted = sample.plain, signs(made), signs(sample.cipher)
    place = next((i for i, (a, b) in enumerate(zip(got, wanted, strict=False)) if a != b), min(len(got), len(wanted)))
    if place == min(len(got), len(wanted)):
        return capital(f"{by}the cipher would have {len(got)} signs, not {len(wanted)}")
    size = {"playfair": 2, "bacon": 5}.get(method, 1)
    block, noun = place // size, "pair" if method == "playfair" else "letter"
    source = plain[2 * block : 2 * block + 2] if method == "playfair" else plain[block]
    a, b = ["".join(each[size * block : size * block + size]) for each in (got, wanted)]
    return capital(f"{by}{_nth(block, noun)}, {source}, would become {_quoted(a)}, not {_quoted(b)}")


def _quoted(sign: str) -> str:
    """A sign of a cipher; one of Morse code in quotation marks, since it could be taken for a full stop."""
    return sign if sign.isalnum() else f'"{sign}"'


def unfit(plain: str, block: int) -> str:
    """Why a method of letters cannot encrypt a text."""
    if block > 1 and len(plain) % block:
        return f"it has {len(plain)} letters, an odd number"
    if "J" in plain or block == 1:
        return "it has a J"
    pair = next(i for i in range(0, len(plain), 2) if plain[i] == plain[i + 1])
    return f"its letters {pair + 1} and {pair + 2} are the pair {plain[pair : pair + 2]}"


def _unlike(sample: Sample) -> str:
    """Why no square of Playfair's can have made the sample, "" if one might."""
    whole = f"{sample.plain} became {sample.cipher}"
    if "J" in sample.cipher:
        return f"{whole}, which has a J, but the 5 x 5 square has none"
    place = next((i for i, (a, b) in enumerate(zip(sample.plain, sample.cipher, strict=False)) if a == b), -1)
    if place >= 0:
        return f"{whole}, where {_nth(place, 'letter')} stayed {sample.plain[place]}. But this cipher leaves no letter as it is"
    return ""


def _by_first(early: Sequence[Keyed], method: str, show: Callable[[str], str]) -> str:
    """What the first letter would become by each key: "R with ANCHOR or TIMBER, E with CANDLE or N with DRAGON"."""
    firsts: dict[str, list[str]] = {}
    for key, made in early:
        firsts.setdefault(show(made), []).append(key)
    return listed([f"{sign} with {_shown(method, keys, 'and')}" for sign, keys in firsts.items()], "or")


def _caesar(sample: Sample, early: Sequence[Keyed], voice: int, _: bool) -> str:
    a, b = sample.plain[0], sample.cipher[0]
    keys, places = [key for key, _ in early], (number(b) - number(a)) % 26
    if not places:
        return f"{sample.became}, so the first letter, {a}, stayed as it is. A shift by {listed(keys, 'or')} would change it"
    far = plural(places, "place")
    return pick(
        voice,
        f"{sample.became}, and {b} is {far} after {a} in the alphabet. So k is not {listed(keys, 'or')}",
        f"{sample.became}. The first letter, {a}, moved {far} on, to {b}, so the shift is not by {listed(keys, 'or')}",
        f"{sample.became}, so {a} became {b}, {far} on. This rules out {_verb(keys, 'a shift', 'shifts')} by {listed(keys)}",
    )


def _affine(sample: Sample, early: Sequence[Keyed], voice: int, _: bool) -> str:
    a, b = sample.plain[0], sample.cipher[0]
    x = number(a)
    sums = []
    for key, made in early:
        times, plus = map(int, key.split(","))
        y = times * x + plus
        if LETTERS[y % 26] != made[0]:
            raise BadRow(f"affine {key}: {a} becomes {made[0]}")
        sums.append(f"{y % 26} ({made[0]}) for {METHODS['affine'].shown(key)}")
    each = _by_first(early, "affine", lambda made: made[0])
    return pick(
        voice,
        f"{sample.became}. The first letter, {a}, would become {each}, but it became {b}",
        f"{sample.became}, so x = {x} ({a}) became {number(b)} ({b}). But a*{x} + b mod 26 is {listed(sums)}",
        f"{sample.became}. By the formula {a} would become {each}, but the sample has {b}",
    )


def _keyword(sample: Sample, early: Sequence[Keyed], voice: int, _: bool) -> str:
    a, b = sample.plain[0], sample.cipher[0]
    each, place = _by_first(early, "keyword", lambda made: made[0]), number(a) + 1
    return pick(
        voice,
        f"{sample.became}, so {a}, letter {place} of the alphabet, became {b}. But letter {place} of the new alphabet is {each}",
        f"{sample.became}. In the new alphabet letter {place}, which stands for {a}, is {each}, but {a} became {b}",
        f"{sample.became}. The first letter, {a}, would become letter {place} of the new alphabet: {each}. But it became {b}",
    )


def _keyed_by(method: str) -> Callable[[Sample, Sequence[Keyed], int, bool], str]:
    """The first letter of the keyword, from the first letters of the texts."""

    def say(sample: Sample, early: Sequence[Keyed], voice: int, _: bool) -> str:
        a, b = sample.plain[0], sample.cipher[0]
        x, y = number(a), number(b)
        result = y + x if method == "beaufort" else y - x
        begins, keys = LETTERS[result % 26], [key for key, _ in early]
        if any(key[0] == begins for key in keys):
            raise BadRow(f"{method}: {begins} begins one of {', '.join(keys)[:60]}")
        sign, back = ("+", "plus") if method == "beaufort" else ("-", "minus")
        first = f"{total(f'{b} ({y}) {sign} {a} ({x})', result)}, {begins}"
        k = number(begins)
        made = total(f"{k} - {x}", k - x) if method == "beaufort" else total(f"{x} + {k}", x + k)
        none = f"None of {listed(keys)} begins with {begins}" if len(keys) > 1 else f"{keys[0]} does not begin with {begins}"
        return pick(
            voice,
            f"{sample.became}. A key letter is the cipher letter {back} the plain one, so the first is {first}. {none}",
            f"{sample.became}. {a} ({x}) becomes {b} ({y}) only with the key letter {begins} ({k}), as {made}. {none}",
            f"{sample.became}. Cipher letter {back} plain letter is the key letter, so the keyword begins with {first}. {none}",
        )

    return say


def _trithemius(sample: Sample, _: Sequence[Keyed], voice: int, __: bool) -> str:
    a, b = sample.plain[0], sample.cipher[0]
    return pick(
        voice,
        f"{sample.became}. The first letter, {a}, would stay as it is, but it became {b}",
        f"the first letter stays as it is, but {sample.became}, so {a} became {b}",
        f"{sample.became}, so the first letter, {a}, became {b}. But this cipher leaves the first letter as it is",
    )


def _plainly() -> Callable[[Sample, Sequence[Keyed], int, bool], str]:
    """A method without a key, by the first letter."""

    def say(sample: Sample, early: Sequence[Keyed], voice: int, _: bool) -> str:
        a, b = sample.plain[0], _quoted(signs(sample.cipher)[0])
        made = _quoted(signs(early[0][1])[0])
        return pick(
            voice,
            f"{sample.became}. The first letter, {a}, would become {made}, but it became {b}",
            f"{sample.became}, so {a} became {b}. But this method makes it {made}",
            f"{a}, the first letter of {shortened(sample.plain)}, would become {made}, but it became {b}",
        )

    return say


def _playfair(sample: Sample, early: Sequence[Keyed], voice: int, full: bool) -> str:
    pair, got = sample.plain[:2], sample.cipher[:2]
    firsts: dict[str, list[str]] = {}
    for key, made in early:
        firsts.setdefault(made[:2], []).append(f"{key} ({square_rows(key).replace(' ', '/')})" if full else key)
    each = listed([f"{sign} with {listed(keys)}" for sign, keys in firsts.items()], "or")
    rows = "the rows of each square in brackets: " if full else ""
    return pick(
        voice,
        f"{rows}{sample.became}. The first pair, {pair}, would become {each}, but it became {got}",
        f"{rows}{sample.became}, so the first pair, {pair}, became {got}. It would have become {each}",
    )


def _railfence(sample: Sample, _: Sequence[Keyed], voice: int, __: bool) -> str:
    a, b = sample.plain[0], sample.cipher[0]
    return pick(
        voice,
        f"{sample.became}. On any number of rails the first letter, {a}, would stay in front, but {b} stands there",
        f"{sample.became}, with {b} in front. On any number of rails {a}, the first letter, would stay there",
        f"{sample.became}, which begins with {b}. On any number of rails it would begin with {a}",
    )


def _reversal(sample: Sample, _: Sequence[Keyed], voice: int, __: bool) -> str:
    a, b, whole = sample.plain[-1], sample.cipher[0], f"{sample.plain} became {shortened(sample.cipher)}"
    return pick(
        voice,
        f"{whole}. The last letter, {a}, would stand in front, but {b} does",
        f"{whole}, which begins with {b}. Reversed, it would begin with {a}, its last letter",
    )


def _columnar(sample: Sample, early: Sequence[Keyed], voice: int, _: bool) -> str:
    b = sample.cipher[0]
    firsts: dict[str, dict[int, list[str]]] = {}
    for key, made in early:
        column = 1 + min(range(len(key)), key=lambda place: (key[place], place))
        firsts.setdefault(made[0], {}).setdefault(column, []).append(key)
    where = {sign: [f"column {column} of {listed(keys)}" for column, keys in at.items()] for sign, at in firsts.items()}
    each = listed([f"{sign} ({'; '.join(columns)})" for sign, columns in where.items()], "or")
    return pick(
        voice,
        f"{sample.became}, which begins with {b}. But the column whose key letter comes first in the alphabet is read first, "
        f"so the cipher would begin with {each}",
        f"the column whose key letter comes first in the alphabet is read first. From {shortened(sample.plain)} that gives "
        f"{each} as the first letter, but it became {shortened(sample.cipher)}",
    )


_EARLY: Mapping[str, Callable[[Sample, Sequence[Keyed], int, bool], str]] = {
    "caesar": _caesar,
    "atbash": _plainly(),
    "affine": _affine,
    "keyword": _keyword,
    "vigenere": _keyed_by("vigenere"),
    "beaufort": _keyed_by("beaufort"),
    "autokey": _keyed_by("autokey"),
    "trithemius": _trithemius,
    "playfair": _playfair,
    "polybius": _plainly(),
    "morse": _plainly(),
    "reversal": _reversal,
    "railfence": _railfence,
    "columnar": _columnar,
}
