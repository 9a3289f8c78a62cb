"""Texts encrypted by some of a few known methods: meeting in the middle.

The samples' plain texts are encrypted by every row of half of the layers, their ciphers are decrypted by every row of the other
half; where both give the same texts, the two rows together are a hypothesis. So k layers of N entries take about N**ceil(k/2)
rows instead of N**k. With one layer nothing is decrypted but the wanted cipher.

Methods are tables here: most of them move letters and put each through an alphabet of its place (`_Places`), and the rest are
look-ups of pairs, or of signs. A node is one row tried on the samples.
Source: W. Diffie, M. Hellman, Exhaustive cryptanalysis of the NBS data encryption standard, Computer 10(6), 1977 (meeting in the
middle).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice, permutations, product
from math import perm

from puzzlemill.core.model import CIPHERS, CipherPart, CipherTable, Finding, Slots

Entry = tuple[int, ...]
Row = tuple[Entry, ...]

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NAME = dict(enumerate(CIPHERS))
# International Morse code (ITU-R M.1677) as numbers: a 1 in front, then 0 for a dot and 1 for a dash, A to Z.
_DOTS_AND_DASHES = (5, 24, 26, 12, 2, 18, 14, 16, 4, 23, 13, 20, 7, 6, 15, 22, 29, 10, 8, 3, 9, 17, 11, 25, 27, 28)


class _Spent(Exception):
    """The budget of rows ran out."""


def answers(table: CipherTable, limit: int, nodes: int) -> Finding:
    """Up to `limit` different answers. nodes: rows that may be tried."""
    tried = 0
    outputs: list[list[Slots]] = []
    for part in table.parts:
        found: dict[Slots, None] = {}
        try:
            for row in _rows(part, nodes - tried):
                if isinstance(row, int):
                    tried += row
                    continue
                text = decrypted(part, row)
                if text is not None:
                    found[tuple([_ALPHABET.index(letter) for letter in text])] = None
        except _Spent:
            return Finding((), False, nodes)
        outputs.append(list(found))
    joined = [tuple(chain.from_iterable(each)) for each in islice(product(*outputs), limit)]
    return Finding(tuple(joined), len(joined) < limit, tried)


def rows(part: CipherPart) -> Iterator[Row]:
    """Every row of entries that makes all samples, without a budget."""
    return (row for row in _rows(part, 1 << 62) if not isinstance(row, int))


def decrypted(part: CipherPart, row: Row) -> str | None:
    """The text of the right length that the row turns into the part's cipher; None if there is none."""
    whole = row * part.rounds
    text = _decrypt(whole, part.cipher)
    return text if text is not None and len(text) == part.length and encrypted(whole, text) == part.cipher else None


def _rows(part: CipherPart, budget: int) -> Iterator[Row | int]:
    """Every row of entries that makes all samples, and last the number of rows tried."""
    if part.in_order:
        if all(encrypted(part.entries, plain) == cipher for plain, cipher in part.samples):
            yield part.entries
        yield 1
        return
    many, late = len(part.entries), part.layers // 2
    tried = perm(many, late) + perm(many, part.layers - late)
    if tried > budget:
        raise _Spent
    if not part.samples:
        yield from permutations(part.entries, part.layers)
    else:
        first, *others = part.samples
        for row in _making(part.entries, part.layers, *first):
            if all(encrypted(row, plain) == cipher for plain, cipher in others):
                yield row
    yield tried


@lru_cache(maxsize=512)  # puzzles that differ in one sample have the others in common
def _making(entries: Row, layers: int, plain: str, cipher: str) -> tuple[Row, ...]:
    """Every row of so many entries that makes one sample, in the order of permutations()."""
    late = layers // 2
    ends: dict[str, list[Row]] = {}
    for row in permutations(entries, late):
        text = _decrypt(row, cipher)
        if text is not None:
            ends.setdefault(text, []).append(row)
    found = []
    for row in permutations(entries, layers - late):
        made = encrypted(row, plain)
        for end in ends.get(made, ()) if made is not None else ():
            if not set(row) & set(end):
                found.append((*row, *end))
    return tuple(found)


def encrypted(row: Row, text: str) -> str | None:
    """What a row makes of a text; None if it cannot encrypt it."""
    made: str | None = text
    for entry in row:
        if made is None or not made.isalpha():
            return None
        made = _turned(entry, made)
    return made


def _decrypt(row: Row, text: str) -> str | None:
    made = text
    for entry in reversed(row):
        before = _turned_back(entry, made)
        if not before:
            return None
        made = before
    return made


@lru_cache(maxsize=4096)  # rows share their first steps
def _turned(entry: Entry, text: str) -> str | None:
    name = _NAME[entry[0]]
    if name in ("polybius", "bacon", "morse"):
        signs, width = _signs(name)
        made = [signs[letter] for letter in text]
        return None if "" in made else ("" if width else " ").join(made)
    if name == "playfair":
        pairs = _digraphs(entry)[0]
        doubles = [pairs.get(text[i : i + 2]) for i in range(0, len(text), 2)]
        return None if None in doubles else "".join([pair for pair in doubles if pair])
    if name == "autokey":
        numbers = [_ALPHABET.index(letter) for letter in text]
        stream = [*entry[1:], *numbers]
        return "".join([_ALPHABET[(x + k) % 26] for x, k in zip(numbers, stream, strict=False)])
    return "".join([alphabet[text[source]] for source, alphabet in _places(entry, len(text))])


@lru_cache(maxsize=4096)
def _turned_back(entry: Entry, text: str) -> str | None:
    name = _NAME[entry[0]]
    if name in ("polybius", "bacon", "morse"):
        signs, width = _signs(name)
        letters = {sign: letter for letter, sign in signs.items() if sign}
        made = [text[i : i + width] for i in range(0, len(text), width)] if width else text.split(" ")
        return "".join([letters[sign] for sign in made]) if all(sign in letters for sign in made) else None
    if not text.isalpha():
        return None
    if name == "playfair":
        pairs = _digraphs(entry)[1]
        doubles = [pairs.get(text[i : i + 2]) for i in range(0, len(text), 2)]
        return None if None in doubles else "".join([pair for pair in doubles if pair])
    if name == "autokey":
        stream = list(entry[1:])
        for place, letter in enumerate(text):
            stream.append((_ALPHABET.index(letter) - stream[place]) % 26)
        return "".join([_ALPHABET[x] for x in stream[len(entry) - 1 :]])
    return "".join([alphabet[text[source]] for source, alphabet in _places_back(entry, len(text))])


@lru_cache(maxsize=4)
def _signs(name: str) -> tuple[dict[str, str], int]:
    """The signs for each letter ("" for none), and how many signs without spaces; 0: with spaces."""
    if name == "bacon":
        return {letter: format(x, "05b").translate({48: "A", 49: "B"}) for x, letter in enumerate(_ALPHABET)}, 5
    if name == "morse":
        codes = [format(number, "b")[1:].translate({48: ".", 49: "-"}) for number in _DOTS_AND_DASHES]
        return dict(zip(_ALPHABET, codes, strict=True)), 0
    rows = ("ABCDE", "FGHIK", "LMNOP", "QRSTU", "VWXYZ")
    square = {letter: f"{r}{c}" for r, row in enumerate(rows, 1) for c, letter in enumerate(row, 1)}
    return {letter: square.get(letter, "") for letter in _ALPHABET}, 0


@lru_cache(maxsize=256)
def _digraphs(entry: Entry) -> tuple[dict[str, str], dict[str, str]]:
    """Playfair: what each pair of letters becomes, and the inverse."""
    order = [x for x in dict.fromkeys([*entry[1:], *range(26)]) if x != 9]
    there = {}
    for p, q in permutations(range(25), 2):
        if p // 5 == q // 5:
            made = [p // 5 * 5 + (p + 1) % 5, q // 5 * 5 + (q + 1) % 5]
        elif p % 5 == q % 5:
            made = [(p + 5) % 25, (q + 5) % 25]
        else:
            made = [p - p % 5 + q % 5, q - q % 5 + p % 5]
        there[_ALPHABET[order[p]] + _ALPHABET[order[q]]] = "".join([_ALPHABET[order[at]] for at in made])
    return there, {after: before for before, after in there.items()}


_Places = list[tuple[int, dict[str, str]]]  # for every place of the new text: where its letter comes from, and what it becomes


@lru_cache(maxsize=8192)
def _places(entry: Entry, n: int) -> _Places:
    """Encrypting a text of n letters."""
    name, key = _NAME[entry[0]], entry[1:]
    sources = list(range(n))
    if name == "reversal":
        sources.reverse()
    elif name == "columnar":
        sources = [place for column in sorted(range(len(key)), key=lambda i: (key[i], i)) for place in range(column, n, len(key))]
    elif name == "railfence":
        zigzag = [*range(key[0]), *range(key[0] - 2, 0, -1)]
        sources.sort(key=lambda place: zigzag[place % len(zigzag)])
    period = {"vigenere": len(key), "beaufort": len(key), "trithemius": 26}.get(name, 1)
    return [(source, _alphabet(name, key, source % period)) for source in sources]


@lru_cache(maxsize=8192)
def _places_back(entry: Entry, n: int) -> _Places:
    """Decrypting one."""
    back: _Places = [(0, {})] * n
    inverses: dict[int, dict[str, str]] = {}
    for place, (source, alphabet) in enumerate(_places(entry, n)):
        if id(alphabet) not in inverses:
            inverses[id(alphabet)] = {after: before for before, after in alphabet.items()}
        back[source] = (place, inverses[id(alphabet)])
    return back


@lru_cache(maxsize=8192)
def _alphabet(name: str, key: tuple[int, ...], place: int) -> dict[str, str]:
    """The letter that each letter becomes at this place of the text."""
    numbers = list(range(26))
    if name == "caesar":
        numbers = [x + key[0] for x in numbers]
    elif name == "atbash":
        numbers.reverse()
    elif name == "affine":
        numbers = [key[0] * x + key[1] for x in numbers]
    elif name == "keyword":
        numbers = list(dict.fromkeys([*key, *numbers]))
    elif name == "vigenere":
        numbers = [x + key[place] for x in numbers]
    elif name == "beaufort":
        numbers = [key[place] - x for x in numbers]
    elif name == "trithemius":
        numbers = [x + place for x in numbers]
    return {letter: _ALPHABET[x % 26] for letter, x in zip(_ALPHABET, numbers, strict=True)}
