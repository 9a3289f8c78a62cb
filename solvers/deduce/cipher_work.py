"""How a person undoes one method of encrypting: the alphabet or the square written out, then the letters in groups.

What is written is worked out here from the method's definition and compared with the text that it must give, else it is a BadRow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from puzzlemill.core.errors import BadRow
from puzzlemill.core.words import listed, pick, plural
from puzzlemill.rules.ciphers import LETTERS, MORSE, cipher_of

GROUP = 5  # letters that are mapped at a time
_PAIRS = 4  # pairs of letters
_SQUARE = "ABCDEFGHIKLMNOPQRSTUVWXYZ"


def worked(step: tuple[str, str], cipher: str, text: str, voice: int, ends: str = "") -> str:
    """Sentences that lead from a cipher to the text that this method made it of; the last one without its full stop.

    ends: of the last layer, the sentence that states the text.
    """
    method, key = step
    lead, found = _WORK[method](key, cipher, voice)
    if found != text:
        raise BadRow(f"{method}: the working gives {found[:40]}, the text is {text[:40]}")
    gives = ends or pick(voice, f"So {shortened(cipher)} was {text}", f"That gives {text}", f"The text is then {text}")
    return f"{lead}. {gives}"


def again(steps: Sequence[tuple[str, str]], text: str, cipher: str, voice: int) -> str:
    """The check of a text: its first letters, encrypted anew; "" where that is no more than the table read the other way."""
    made = cipher_of(tuple(steps), text)
    if made != cipher:
        raise BadRow(f"the check of {text[:40]} gives {str(made)[:40]}, not {cipher[:40]}")
    (method, key), *others = steps
    if others or method not in _FORWARD:
        return ""
    sums = [f"{_FORWARD[method](key, text, i)}, {sign}" for i, sign in enumerate(cipher[:_CHECKED])]
    return pick(
        voice,
        f"Check by encrypting the first letters again: {'; '.join(sums)}",
        f"To check, encrypt the first letters: {'; '.join(sums)}, as in the cipher",
        f"Encrypting the first letters once more gives the cipher: {'; '.join(sums)}",
    )


_CHECKED = 3  # letters that are encrypted again


def _plus(letter: str, below: str) -> str:
    x, k = _number(letter), _number(below)
    return f"{letter} ({x}) + {below} ({k}) = {x + k}{_modulo(x + k)}"


def _modulo(number: int) -> str:
    return "" if 0 <= number < 26 else f", which is {number % 26} modulo 26"


def _affine_again(key: str, text: str, i: int) -> str:
    a, b = map(int, key.split(","))
    y = a * _number(text[i]) + b
    return f"{a} * {text[i]} ({_number(text[i])}) + {b} = {y}{_modulo(y)}"


def _beaufort_again(key: str, text: str, i: int) -> str:
    below = key[i % len(key)]
    y = _number(below) - _number(text[i])
    return f"{below} ({_number(below)}) - {text[i]} ({_number(text[i])}) = {y}{_modulo(y)}"


_FORWARD: Mapping[str, Callable[[str, str, int], str]] = {
    "affine": _affine_again,
    "vigenere": lambda key, text, i: _plus(text[i], key[i % len(key)]),
    "beaufort": _beaufort_again,
    "autokey": lambda key, text, i: _plus(text[i], (key + text)[i]),
}


def signs(cipher: str) -> Sequence[str]:
    """The signs of a cipher: letters, or what stands between spaces."""
    return cipher if cipher.isalpha() else cipher.split(" ")


def shortened(text: str) -> str:
    """The beginning of a long text."""
    parts = signs(text)
    joint = " " if " " in text else ""
    return text if len(parts) <= 2 * GROUP else f"{joint.join(parts[:GROUP])}…"


def _groups(cipher: str, text: str) -> str:
    """The letters in groups: "LXFOP becomes ATTAC; VEFRN becomes KATDA"."""
    return "; ".join([f"{cipher[i : i + GROUP]} becomes {text[i : i + GROUP]}" for i in range(0, len(text), GROUP)])


Worked = tuple[str, str]  # what is said, and where it ends


def _table(back: Mapping[str, str], how: str, cipher: str, voice: int) -> Worked:
    """A method that replaces each letter by the same one everywhere."""
    used = sorted(set(cipher))
    pairs = ", ".join([f"{sign} is {back[sign]}" for sign in used])
    found = "".join([back[sign] for sign in cipher])
    table = pick(voice, f"For the letters that occur: {pairs}", f"This table does it: {pairs}", f"Letter by letter, {pairs}")
    return f"{how}. {table}. {_groups(cipher, found)}", found


def _number(letter: str) -> int:
    return ord(letter) - 65


def _caesar(key: str, cipher: str, voice: int) -> Worked:
    shift = int(key)
    back = {sign: LETTERS[(i - shift) % 26] for i, sign in enumerate(LETTERS)}
    places = plural(shift, "place")
    how = pick(
        voice,
        f"Every letter moves {places} back in the alphabet",
        f"Go {places} back from each letter, from A on to Z",
        f"The letters were moved forward by {shift}, so they go {places} back",
    )
    return _table(back, how, cipher, voice)


def _atbash(_: str, cipher: str, voice: int) -> Worked:
    how = pick(
        voice,
        f"{LETTERS} stands for {LETTERS[::-1]}, letter by letter",
        f"Write the alphabet backwards, {LETTERS[::-1]}, below {LETTERS}, and read each letter off",
        "A and Z change places, B and Y, C and X, and so on",
    )
    return _table(dict(zip(LETTERS, LETTERS[::-1], strict=True)), how, cipher, voice)


def _affine(key: str, cipher: str, voice: int) -> Worked:
    a, b = map(int, key.split(","))
    inverse = next(i for i in range(26) if a * i % 26 == 1)
    back = {LETTERS[(a * x + b) % 26]: letter for x, letter in enumerate(LETTERS)}
    y = _number(cipher[0])
    product = inverse * (y - b)
    first = f"{cipher[0]} is {y}, and {inverse} * ({y} - {b}) = {product}{_modulo(product)}"
    how = f"With A = 0 to Z = 25, y was {inverse} * (y - {b}) modulo 26, since {a} * {inverse} is 1 modulo 26"
    return _table(back, f"{how}. The first letter {first}, so {back[cipher[0]]}", cipher, voice)


def _keyword(key: str, cipher: str, voice: int) -> Worked:
    alphabet = "".join(dict.fromkeys(key + LETTERS))
    how = pick(
        voice,
        f"The new alphabet has {''.join(dict.fromkeys(key))} in front: {alphabet}, which stands for {LETTERS}",
        f"Write {alphabet} (the letters of {key} first, then the others) over {LETTERS}",
        f"The letters of {key}, each once, and then all others make the alphabet {alphabet}; below it stands {LETTERS}",
    )
    return _table(dict(zip(alphabet, LETTERS, strict=True)), how, cipher, voice)


def _shifted(how: str, first: str, below: str, cipher: str, found: str, voice: int) -> Worked:
    """A method with a letter or a number for each place."""
    lines = [
        f"{cipher[i : i + GROUP]} with {below[i : i + GROUP]} becomes {found[i : i + GROUP]}"
        for i in range(0, len(cipher), GROUP)
    ]
    begin = pick(voice, "The first letter", "To begin with, the first letter", "At the first place")
    return f"{how}. {begin}: {first}. {'; '.join(lines)}", found


def _vigenere(key: str, cipher: str, voice: int) -> Worked:
    below = (key * len(cipher))[: len(cipher)]
    found = "".join([LETTERS[(_number(x) - _number(k)) % 26] for x, k in zip(cipher, below, strict=True)])
    how = pick(
        voice,
        f"Write {key} below the text again and again, and move each letter back by the one below it (A is 0, Z is 25)",
        f"Each letter goes back by its letter of {key}, which is repeated below the text (A is 0 places, Z is 25)",
        f"With {key} repeated below the cipher, subtract the letter below from each letter (A = 0 to Z = 25)",
    )
    return _shifted(how, _less(cipher[0], below[0], found[0]), below, cipher, found, voice)


def _less(one: str, other: str, result: str) -> str:
    x, k = _number(one), _number(other)
    return f"{one} ({x}) less {other} ({k}) is {(x - k) % 26}{' modulo 26' if x < k else ''}, {result}"


def _beaufort(key: str, cipher: str, voice: int) -> Worked:
    below = (key * len(cipher))[: len(cipher)]
    found = "".join([LETTERS[(_number(k) - _number(x)) % 26] for x, k in zip(cipher, below, strict=True)])
    how = pick(
        voice,
        f"Write {key} below the text again and again, and subtract each letter from the one below it (A = 0 to Z = 25)",
        f"With {key} repeated below the cipher, the letter below less the letter above is the plain one (A = 0 to Z = 25)",
        f"Each plain letter is the letter of {key} below, which is repeated, minus the letter of the cipher (A = 0 to Z = 25)",
    )
    return _shifted(how, _less(below[0], cipher[0], found[0]), below, cipher, found, voice)


def _autokey(key: str, cipher: str, voice: int) -> Worked:
    below = list(key)
    found = ""
    for i, sign in enumerate(cipher):
        found += LETTERS[(_number(sign) - _number(below[i])) % 26]
        below.append(found[-1])
    how = pick(
        voice,
        f"Below the text stands {key}, then the plain text as it is found; each letter goes back by the one below it",
        f"Move the first {plural(min(len(key), len(cipher)), 'letter')} back by {key}, the later ones by what was found "
        f"{len(key)} places before",
        f"The key is {key} and goes on with the plain letters as they come out; subtract it letter by letter",
    )
    first = _less(cipher[0], below[0], found[0])
    return _shifted(how, first, "".join(below[: len(cipher)]), cipher, found, voice)


def _trithemius(_: str, cipher: str, voice: int) -> Worked:
    found = "".join([LETTERS[(_number(sign) - i) % 26] for i, sign in enumerate(cipher)])
    below = (LETTERS * 3)[: len(cipher)]
    how = pick(
        voice,
        "The first letter moves back by 0 places, the second by 1, the third by 2, and so on; written below them, A is 0, B is 1",
        "Write ABC and so on below the text, and move each letter back by the letter below it (A is 0, Z is 25)",
        "The first letter goes back by 0 places, and each other one by one place more than the one before it, shown below as A "
        "for 0, B for 1, and so on",
    )
    return _shifted(how, f"{cipher[0]} stays", below, cipher, found, voice)


def square_rows(key: str) -> str:
    """The square of a Playfair key, "EAGLB CDFHI KMNOP QRSTU VWXYZ"."""
    square = "".join([letter for letter in dict.fromkeys(key + LETTERS) if letter != "J"])
    return " ".join([square[i : i + 5] for i in range(0, 25, 5)])


def _playfair(key: str, cipher: str, voice: int) -> Worked:
    square = square_rows(key).replace(" ", "")
    found = ""
    for i in range(0, len(cipher), 2):
        (r, c), (s, d) = divmod(square.index(cipher[i]), 5), divmod(square.index(cipher[i + 1]), 5)
        if r == s:
            found += square[5 * r + (c - 1) % 5] + square[5 * s + (d - 1) % 5]
        elif c == d:
            found += square[5 * ((r - 1) % 5) + c] + square[5 * ((s - 1) % 5) + d]
        else:
            found += square[5 * r + d] + square[5 * s + c]
    rows = square_rows(key).replace(" ", " / ")
    how = pick(
        voice,
        f"The square is {rows}. Two letters in a row go left, two in a column go up, others to the corners in their rows",
        f"With the square {rows}, each pair goes one to the left (in a row), one up (in a column), else to the other corners",
        f"{key} gives the square {rows}; pairs in a row move left, pairs in a column up, all others change columns",
    )
    pairs = [[text[i : i + 2] for i in range(0, len(text), 2)] for text in (cipher, found)]
    groups = [[" ".join(each[i : i + _PAIRS]) for i in range(0, len(each), _PAIRS)] for each in pairs]
    return f"{how}. {'; '.join([f'{one} become {two}' for one, two in zip(*groups, strict=True)])}", found


def _coded(lead: Callable[[int], str], letters: Mapping[str, str], size: int) -> Callable[[str, str, int], Worked]:
    def work(_: str, cipher: str, voice: int) -> Worked:
        parts = [cipher[i : i + size] for i in range(0, len(cipher), size)] if size > 1 else cipher.split(" ")
        found = "".join([letters[part] for part in parts])
        groups = [f"{' '.join(parts[i : i + GROUP])} is {found[i : i + GROUP]}" for i in range(0, len(parts), GROUP)]
        return f"{lead(voice)}. {'; '.join(groups)}", found

    return work


def _look(voice: int) -> str:
    return pick(
        voice,
        "Each number is a row and a column of the square ABCDE / FGHIK / LMNOP / QRSTU / VWXYZ",
        "In the square ABCDE / FGHIK / LMNOP / QRSTU / VWXYZ the first digit is the row, the second the column",
        "Look each number up, row first, in the square ABCDE / FGHIK / LMNOP / QRSTU / VWXYZ",
    )


def _binary(voice: int) -> str:
    return pick(
        voice,
        "Each five letters are a binary number, A for 0 and B for 1, from 0 for A to 25 for Z",
        "Cut it into fives and read A as 0 and B as 1: binary numbers, A = 0 to Z = 25",
        "Fives of A (0) and B (1) are numbers in binary; 0 is A, 1 is B, and so on",
    )


def _tapped(voice: int) -> str:
    return pick(voice, "Read the Morse signs", "Each group of dots and dashes is a letter", "By the international Morse alphabet")


def _reversal(_: str, cipher: str, voice: int) -> Worked:
    found = cipher[::-1]
    how = pick(voice, "Read the text backwards", "Start at the last letter and go to the first", "Turn the text round")
    parts = ", ".join([found[i : i + GROUP] for i in range(0, len(found), GROUP)])
    return f"{how}, in fives: {parts}", found


def _railfence(key: str, cipher: str, voice: int) -> Worked:
    rails, cycle = int(key), 2 * int(key) - 2
    which = [min(i % cycle, cycle - i % cycle) for i in range(len(cipher))]
    cut, start = [], 0
    for rail in range(rails):
        cut.append(cipher[start : start + which.count(rail)])
        start += which.count(rail)
    taken = [0] * rails
    found = ""
    for rail in which:
        found += cut[rail][taken[rail]]
        taken[rail] += 1
    sizes = listed([str(len(line)) for line in cut])
    lines = " / ".join([line or "(empty)" for line in cut])
    zigzag = ", ".join([str(rail + 1) for rail in which[: cycle + 1]])
    how = pick(
        voice,
        f"Down and up over {rails} rails, the {len(cipher)} letters go to rails {zigzag}, ...: {sizes} of them. Cut the cipher "
        f"into such pieces, {lines}, and take the next letter of each rail in that order",
        f"The zigzag of {len(cipher)} letters over rails {zigzag} and so on puts {sizes} of them on the {rails} rails, so these "
        f"hold {lines}. Take the next letter of each rail along the zigzag",
        f"Count along the zigzag, rails {zigzag} and so on: of {len(cipher)} letters {sizes} are on the rails. So the rails are "
        f"{lines}; read along the zigzag",
    )
    parts = ", ".join([found[i : i + GROUP] for i in range(0, len(found), GROUP)])
    return f"{how}. That reads, in fives, {parts}", found


def _columnar(key: str, cipher: str, voice: int) -> Worked:
    width = len(key)
    order = sorted(range(width), key=lambda place: (key[place], place))
    columns = [""] * width
    start = 0
    for place in order:
        size = len(range(place, len(cipher), width))
        columns[place] = cipher[start : start + size]
        start += size
    found = "".join([column[row] for row in range(-(-len(cipher) // width)) for column in columns if row < len(column)])
    listing = ", ".join([f"{key[place]}: {columns[place] or '(empty)'}" for place in order])
    rows = " / ".join([found[i : i + width] for i in range(0, len(found), width)])
    full, more = divmod(len(cipher), width)
    sizes = f"{len(cipher)} letters make {plural(full, 'full row')} of {width}"
    sizes += f" and {more} more, so the first {plural(more, 'column has', 'columns have')} {full + 1}" if more else ""
    sizes += f", {'the others' if more else 'so each column has'} {full}"
    how = pick(
        voice,
        f"{sizes}. Cut the cipher into the columns in the alphabetical order of the letters of {key}: {listing}. In the order of "
        f"{key} the rows are {rows}",
        f"{sizes}. The column whose letter comes first in the alphabet was read first: {listing}. Put back below {key} and read "
        f"across, that is {rows}",
        f"{sizes}. In alphabetical order the columns of {key} hold {listing}. Side by side as {key} has them, they read {rows}",
    )
    return how, found


_WORK: Mapping[str, Callable[[str, str, int], Worked]] = {
    "caesar": _caesar,
    "atbash": _atbash,
    "affine": _affine,
    "keyword": _keyword,
    "vigenere": _vigenere,
    "beaufort": _beaufort,
    "autokey": _autokey,
    "trithemius": _trithemius,
    "playfair": _playfair,
    "polybius": _coded(_look, {f"{11 + 10 * (i // 5) + i % 5}": letter for i, letter in enumerate(_SQUARE)}, 1),
    "bacon": _coded(_binary, {f"{i:05b}".replace("0", "A").replace("1", "B"): letter for i, letter in enumerate(LETTERS)}, 5),
    "morse": _coded(_tapped, dict(zip(MORSE, LETTERS, strict=True)), 1),
    "reversal": _reversal,
    "railfence": _railfence,
    "columnar": _columnar,
}
