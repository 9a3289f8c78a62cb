"""How a person undoes one method of encrypting: the alphabet or the square written out, then the letters in groups.

What is written is worked out here from the method's definition and compared with the text that it must give, else it is a BadRow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from puzzlemill.core.errors import BadRow
from puzzlemill.core.words import listed, pick, plural
from puzzlemill.rules.ciphers import LETTERS, MORSE, cipher_of

GROUP = 5  # letters that are mapped at a time
_SQUARE = "ABCDEFGHIKLMNOPQRSTUVWXYZ"


def worked(step: tuple[str, str], cipher: str, text: str, voice: int, ends: str = "", same: bool = False) -> str:
    """Sentences that lead from a cipher to the text that this method made it of; the last one without its full stop.

    ends: of the last layer, the sentence that states the text. same: the method has just been undone and need not be explained.
    """
    method, key = step
    how, letters, found = _WORK[method](key, cipher, voice)
    if found != text:
        raise BadRow(f"{method}: the working gives {found[:40]}, the text is {text[:40]}")
    gives = ends or pick(voice, f"So {shortened(cipher)} was {text}", f"That gives {text}", f"The text is then {text}")
    return f"{letters if same else f'{how}. {letters}'}. {gives}"


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
    x, k = number(letter), number(below)
    return total(f"{letter} ({x}) + {below} ({k})", x + k)


def total(what: str, result: int) -> str:
    """A sum or a difference of two letters, with 26 added or subtracted where it is no number of a letter."""
    return f"{what}{' + 26' * (result < 0)}{' - 26' * (result > 25)} = {result % 26}"


def _modulo(result: int) -> str:
    """What is said after a result that is no number of a letter."""
    return "" if 0 <= result < 26 else f", which is {result % 26} modulo 26"


def _affine_again(key: str, text: str, i: int) -> str:
    a, b = map(int, key.split(","))
    y = a * number(text[i]) + b
    return f"{a} * {text[i]} ({number(text[i])}) + {b} = {y}{_modulo(y)}"


def _beaufort_again(key: str, text: str, i: int) -> str:
    below = key[i % len(key)]
    return total(f"{below} ({number(below)}) - {text[i]} ({number(text[i])})", number(below) - number(text[i]))


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


Worked = tuple[str, str, str]  # how the method is undone, what that makes of the letters, and where it ends


def _table(back: Mapping[str, str], how: str, cipher: str, voice: int) -> Worked:
    """A method that replaces each letter by the same one everywhere."""
    used = sorted(set(cipher))
    pairs = ", ".join([f"{sign} for {back[sign]}" if i else f"{sign} stands for {back[sign]}" for i, sign in enumerate(used)])
    found = "".join([back[sign] for sign in cipher])
    table = pick(voice, f"Of the letters that occur, {pairs}", f"In this cipher {pairs}", f"The letters that occur: {pairs}")
    return how, f"{table}. {_groups(cipher, found)}", found


def number(letter: str) -> int:
    """The number of a letter, 0 for A to 25 for Z."""
    return ord(letter) - 65


def _caesar(key: str, cipher: str, voice: int) -> Worked:
    shift = int(key)
    back = {sign: LETTERS[(i - shift) % 26] for i, sign in enumerate(LETTERS)}
    places = plural(shift, "place")
    how = pick(
        voice,
        f"Every letter moves {places} back in the alphabet",
        f"Go {places} back from each letter; before A comes Z",
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
    y = number(cipher[0])
    product = inverse * (y - b)
    first = f"{cipher[0]} is {y}, and {inverse} * ({y} - {b}) = {product}{_modulo(product)}"
    one = f"{a} * {inverse} = {a * inverse}, which is 1 modulo 26"
    stands = f"the cipher letter y stands for {inverse} * (y - {b}) modulo 26"
    how = pick(
        voice,
        f"With A = 0 to Z = 25, {stands}, since {one}. For the first letter, {first}, so {back[cipher[0]]}",
        f"Since {one}, {stands} (A = 0 to Z = 25). The first letter: {first}, so {back[cipher[0]]}",
    )
    return _table(back, how, cipher, voice)


def _keyword(key: str, cipher: str, voice: int) -> Worked:
    alphabet = "".join(dict.fromkeys(key + LETTERS))
    how = pick(
        voice,
        f"The new alphabet has {''.join(dict.fromkeys(key))} in front: {alphabet}, which stands for {LETTERS}",
        f"Write {alphabet} (the letters of {key} first, then the others) over {LETTERS}",
        f"The letters of {key}, each once, and then all others make the alphabet {alphabet}; below it stands {LETTERS}",
    )
    return _table(dict(zip(alphabet, LETTERS, strict=True)), how, cipher, voice)


def _shifted(how: str, sums: Sequence[str], lines: Sequence[str], cipher: str, found: str) -> Worked:
    """A method with a letter or a number for each place. sums: of each letter, as lines has them in groups for longer texts."""
    if len(cipher) > _EACH:
        return how, "; ".join(lines), found
    groups = [f"{', '.join(sums[i : i + GROUP])}: {found[i : i + GROUP]}" for i in range(0, len(found), GROUP)]
    return how, "; ".join(groups), found


_EACH = 30  # letters that are subtracted one by one in words


def _subtracted(how: str, first: str, upper: str, lower: str, cipher: str, found: str) -> Worked:
    """A method by which letters are subtracted: first, and each upper letter less the lower one."""
    below = lower if upper == cipher else upper
    lines = [
        f"{cipher[i : i + GROUP]} with {below[i : i + GROUP]} becomes {found[i : i + GROUP]}"
        for i in range(0, len(cipher), GROUP)
    ]
    sums = [f"{a} - {b} = {c}" for a, b, c in zip(upper, lower, found, strict=True)]
    return _shifted(f"{how}. {first}", sums, lines, cipher, found)


def _vigenere(key: str, cipher: str, voice: int) -> Worked:
    below = (key * len(cipher))[: len(cipher)]
    found = "".join([LETTERS[(number(x) - number(k)) % 26] for x, k in zip(cipher, below, strict=True)])
    how = pick(
        voice,
        f"Write {key} below the text again and again, and move each letter back by the one below it (0 places for A to "
        "25 for Z; before A comes Z)",
        f"Each letter goes back by its letter of {key}, which is repeated below the text (0 places for A to 25 for Z; "
        "before A comes Z)",
        f"With {key} repeated below the cipher, subtract the letter below from each letter, modulo 26 (A = 0 to Z = 25)",
    )
    return _subtracted(how, _less(cipher[0], below[0], found[0], voice), cipher, below, cipher, found)


def _less(one: str, other: str, result: str, voice: int) -> str:
    """The first subtraction, in numbers."""
    x, k = number(one), number(other)
    return pick(
        voice,
        f"For example, {one} - {other} is {total(f'{x} - {k}', x - k)}, so {result}",
        f"The first letter: {total(f'{one} ({x}) - {other} ({k})', x - k)}, {result}",
        f"To begin with, {total(f'{one} ({x}) - {other} ({k})', x - k)}, so {result}",
    )


def _beaufort(key: str, cipher: str, voice: int) -> Worked:
    below = (key * len(cipher))[: len(cipher)]
    found = "".join([LETTERS[(number(k) - number(x)) % 26] for x, k in zip(cipher, below, strict=True)])
    how = pick(
        voice,
        f"Write {key} below the text again and again, and subtract each letter from the one below it, modulo 26 (A = 0 "
        "to Z = 25)",
        f"With {key} repeated below the cipher, each plain letter is the key letter minus the cipher letter, modulo 26 "
        "(A = 0 to Z = 25)",
        f"Repeat {key} below the cipher. At each place subtract the cipher letter from the key letter, modulo 26 (A = 0 "
        "to Z = 25)",
    )
    return _subtracted(how, _less(below[0], cipher[0], found[0], voice), below, cipher, cipher, found)


def _autokey(key: str, cipher: str, voice: int) -> Worked:
    below = list(key)
    found = ""
    for i, sign in enumerate(cipher):
        found += LETTERS[(number(sign) - number(below[i])) % 26]
        below.append(found[-1])
    how = pick(
        voice,
        f"Below the text stands {key}, then the plain text as it is found, and each letter goes back by the one below it "
        "(0 places for A to 25 for Z; before A comes Z)",
        f"Move the first {plural(min(len(key), len(cipher)), 'letter')} back by {key}, each later one by the plain letter found "
        f"{len(key)} places before it (0 places for A to 25 for Z; before A comes Z)",
        f"The key is {key}, followed by the plain letters as they are found; subtract it letter by letter, modulo 26 (A "
        "= 0 to Z = 25)",
    )
    first = _less(cipher[0], below[0], found[0], voice)
    return _subtracted(how, first, cipher, "".join(below[: len(cipher)]), cipher, found)


def _trithemius(_: str, cipher: str, voice: int) -> Worked:
    found = "".join([LETTERS[(number(sign) - i) % 26] for i, sign in enumerate(cipher)])
    sums = [f"{sign} - {i} = {found[i]}" for i, sign in enumerate(cipher)]
    lines = [
        f"{cipher[i : i + GROUP]} less {', '.join(map(str, range(i, min(i + GROUP, len(cipher)))))} is {found[i : i + GROUP]}"
        for i in range(0, len(cipher), GROUP)
    ]
    how = pick(
        voice,
        "Move the first letter back by 0 places, the second by 1, the third by 2, and so on; before A comes Z",
        "The letters go back by 0, 1, 2 and so on places in the alphabet; before A comes Z",
        "The first letter stays, and each other one goes back by one place more than the one before it; before A comes Z",
    )
    return _shifted(how, sums, lines, cipher, found)


def square_rows(key: str) -> str:
    """The square of a Playfair key, "EAGLB CDFHI KMNOP QRSTU VWXYZ"."""
    square = "".join([letter for letter in dict.fromkeys(key + LETTERS) if letter != "J"])
    return " ".join([square[i : i + 5] for i in range(0, 25, 5)])


def _playfair(key: str, cipher: str, voice: int) -> Worked:
    square = square_rows(key).replace(" ", "")
    found, pairs = "", list[str]()
    for i in range(0, len(cipher), 2):
        (r, c), (s, d) = divmod(square.index(cipher[i]), 5), divmod(square.index(cipher[i + 1]), 5)
        if r == s:
            pair, line = square[5 * r + (c - 1) % 5] + square[5 * s + (d - 1) % 5], " (row)"
        elif c == d:
            pair, line = square[5 * ((r - 1) % 5) + c] + square[5 * ((s - 1) % 5) + d], " (column)"
        else:
            pair, line = square[5 * r + d] + square[5 * s + c], ""
        found += pair
        pairs.append(f"{cipher[i : i + 2]} is {pair}{line}")
    rows = square_rows(key).replace(" ", " / ")
    how = pick(
        voice,
        f"The square is {rows}. Two letters of one row become those to their left, two of one column those above them "
        "(before the first comes the last), and any other letter becomes the one in its own row and the other's column",
        f"Write the square {rows}. For a pair in one row take the letters to the left, for a pair in one column those "
        "above (before the first comes the last), and else for each letter the one in its own row and the other's column",
        f"{key} gives the square {rows}. If both letters of a pair are in one row, take those to their left, if in one "
        "column, those above them; otherwise take for each letter the one in its own row and the "
        "other's column. Before the first of a row or column comes its last",
    )
    return how, ", ".join(pairs), found


def _coded(
    lead: Callable[[int], str], letters: Mapping[str, str], size: int, quote: str = ""
) -> Callable[[str, str, int], Worked]:
    """A code. size: signs of a letter, 1 where spaces stand between them. quote: stands around signs that look "
    "like full stops."""

    def work(_: str, cipher: str, voice: int) -> Worked:
        parts = [cipher[i : i + size] for i in range(0, len(cipher), size)] if size > 1 else cipher.split(" ")
        found = "".join([letters[part] for part in parts])
        used = sorted(set(parts), key=lambda part: letters[part])
        table = ", ".join([f"{quote}{part}{quote} is {letters[part]}" for part in used])
        groups = [
            f"{quote}{' '.join(parts[i : i + GROUP])}{quote} gives {found[i : i + GROUP]}" for i in range(0, len(parts), GROUP)
        ]
        listing = "; ".join(groups) if len(parts) <= _EACH else f"The first {GROUP}, {groups[0].replace(' gives ', ', give ')}"
        return lead(voice), f"{pick(voice, 'Of the signs that occur,', 'The signs that occur:')} {table}. {listing}", found

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
        "Every group of five is a binary number (A is the digit 0, B the digit 1), which gives the letter, 0 for A to 25 for Z",
        "Cut the cipher into groups of five. Each is a number in binary digits, with A for 0 and B for 1, and numbers a letter: "
        "0 is A, 25 is Z",
        "With A as the digit 0 and B as the digit 1, each group of five is a binary number: that of a letter, 0 for A "
        "to 25 for Z",
    )


def _tapped(voice: int) -> str:
    return pick(
        voice,
        "Read the Morse signs",
        "Each group of dots and dashes is a letter",
        "Look the signs up in the international Morse code",
    )


def _reversal(_: str, cipher: str, voice: int) -> Worked:
    found = cipher[::-1]
    how = pick(
        voice,
        "Read the text backwards",
        "Start at the last letter and go to the first",
        "Read the letters from the last to the first",
    )
    parts = ", ".join([found[i : i + GROUP] for i in range(0, len(found), GROUP)])
    return how, f"In fives, that is {parts}", found


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
    which_rails = f"rails 1 {'and' if rails == 2 else 'to'} {rails}"
    zigzag = ", ".join([str(rail + 1) for rail in which[: cycle + 1]])
    how = pick(
        voice,
        f"The zigzag over rails {zigzag}, ... puts {sizes} of the {len(cipher)} letters on {which_rails}",
        f"A zigzag over rails {zigzag}, ... has {sizes} of {len(cipher)} letters on {which_rails}",
        f"Counted along the zigzag (rails {zigzag}, ...), {which_rails} have {sizes} of the {len(cipher)} letters",
    )
    parts = ", ".join([found[i : i + GROUP] for i in range(0, len(found), GROUP)])
    letters = pick(
        voice,
        f"Cut into these rails, the cipher is {lines}. Follow the zigzag, and take at each place the next letter of its "
        f"rail: {parts}",
        f"The rails hold {lines}. Along the zigzag, with the next letter of its rail each time, that reads {parts}",
        f"The rails are {lines}. Follow the zigzag and take the next letter of its rail at each place: {parts}",
    )
    return how, letters, found


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
    letters = pick(
        voice,
        f"Cut the cipher into the columns in the alphabetical order of the letters of {key}: {listing}. Put back in the order of "
        f"{key}, they read, row by row, {rows}",
        f"The column whose letter comes first in the alphabet was read first: {listing}. Put back below {key} and read "
        f"row by row, that is {rows}",
        f"In alphabetical order the columns of {key} hold {listing}. Put back in the order of {key}, the columns give "
        f"the rows {rows}",
    )
    return sizes, letters, found


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
    "morse": _coded(_tapped, dict(zip(MORSE, LETTERS, strict=True)), 1, "`"),
    "reversal": _reversal,
    "railfence": _railfence,
    "columnar": _columnar,
}
