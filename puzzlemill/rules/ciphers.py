"""Ciphers: classical methods of encrypting a text of capital letters, one class each.

Everything about a method stands together: its keys, its sentence for prompts, its name, how it encrypts and decrypts, how a
person undoes it. Polybius and Playfair squares have no J, and texts with a J cannot be encrypted by them; a Playfair text has an
even number of letters and no pair of two equal ones (no filler letters are put in). So every method with its key is one-to-one.
Polybius and Morse write other signs than letters, so they come last.

Encrypting goes sign by sign and may meet unknown letters: it is for plain checkers. Decrypting takes whole texts: it is for
models. Neither uses the other, nor any of its tables, since each is to find the other's mistakes; solvers/kernels/ciphers.py has
both once more, as tables of its own.
Source: H. F. Gaines, Cryptanalysis (1939); D. Kahn, The Codebreakers (1967).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import cycle
from typing import ClassVar

from puzzlemill.core.rng import Rng
from puzzlemill.core.words import plural
from puzzlemill.vocabulary.words import keywords

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNKNOWN = "?"  # in the place of a letter
_SIGNS = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
MORSE = tuple(_SIGNS.split())
SQUARED = tuple([f"{row}{column}" for row in range(1, 6) for column in range(1, 6)])  # the signs of a square of 5 x 5
MAX_CIPHER = 400  # signs of a cipher
MAX_KEYWORD = 30

Steps = tuple[tuple[str, str], ...]  # methods with a key each, the first applied first


# ---- methods ------------------------------------------------------------------------------------------------------------


class Method(ABC):
    """One method.

    keys: those that may be drawn; "" is the key of a method without any. title, says: its name and how it encrypts, enough to
    do so by hand, with {key}. letters: its ciphers are of capital letters. moves: it only changes the places of letters.
    block: the number of letters that are encrypted together.
    """

    name: ClassVar[str]
    keys: ClassVar[tuple[str, ...]] = ("",)
    title: ClassVar[str]
    says: ClassVar[str]
    undo: ClassVar[str] = ""
    letters: ClassVar[bool] = True
    moves: ClassVar[bool] = False
    block: ClassVar[int] = 1

    @abstractmethod
    def encrypt(self, key: str, signs: list[str]) -> list[str] | None:
        """The signs that stand for these letters, UNKNOWN where they depend on one; None if there are none."""

    @abstractmethod
    def decrypt(self, key: str, text: str) -> str | None:
        """The text whose cipher this is, written apart from encrypt(); None if there is none.

        text: of capital letters, or of anything where the method writes other signs.
        """

    def undoing(self, key: str, cipher: str) -> str:
        """How a person decrypts this cipher; a method for which `undo` does not say so says it here."""
        return self.undo

    def begins(self, key: str, n: int) -> tuple[int, int, Mapping[str, str]]:
        """Where in a cipher of n signs those stand that decide how its text begins, and how it does by them.

        Without any beginnings where that is not decided so simply.
        """
        return 0, 1, {sign: str(self.decrypt(key, sign)) for sign in LETTERS}

    def has_key(self, key: str) -> bool:
        """Return whether this is a key of the method, one that may be drawn or another."""
        return key in self.keys

    def shown(self, key: str) -> str:
        """The key as prompts show it."""
        return key

    def describe(self, keys: Sequence[str]) -> str:
        """The method in a sentence, with one of these keys."""
        return self.says.format(key=self.one_of(keys)) + "."

    def one_of(self, keys: Sequence[str]) -> str:
        """A single key, or that it is one of these."""
        shown = [self.shown(key) for key in keys]
        return shown[0] if len(shown) == 1 else f"one of {', '.join(shown)}"


class Keyed(Method):
    """A method whose keys are words."""

    keys = keywords()

    def has_key(self, key: str) -> bool:
        return is_letters(key) and len(key) <= MAX_KEYWORD


class Caesar(Method):
    name, keys, title = "caesar", tuple([str(shift) for shift in range(1, 26)]), "the Caesar shift by {key}"
    says = "Caesar shift: every letter moves k places forward in the alphabet, from Z on to A; k is {key}"

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        return _moved(signs, 1, (int(key),))

    def decrypt(self, key: str, text: str) -> str:
        return text.translate(_linear_back(1, int(key)))

    def undoing(self, key: str, cipher: str) -> str:
        return f"move every letter {plural(int(key), 'place')} back in the alphabet"


class Atbash(Method):
    name, title = "atbash", "Atbash"
    says = "Atbash: A becomes Z, B becomes Y, and so on to Z, which becomes A"
    undo = "exchange A with Z, B with Y, and so on"

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        return _moved(signs, -1, (25,))

    def decrypt(self, key: str, text: str) -> str:
        return text.translate(_linear_back(-1, 25))


class Affine(Method):
    name, title = "affine", "the affine cipher {key}"
    keys = tuple([f"{a},{b}" for a in (3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25) for b in range(26)])
    says = "Affine cipher: with A = 0 to Z = 25, the letter x becomes a*x + b modulo 26; (a, b) is {key}"

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        a, b = key.split(",")
        return _moved(signs, int(a), (int(b),))

    def decrypt(self, key: str, text: str) -> str:
        return text.translate(_linear_back(*map(int, key.split(","))))

    def undoing(self, key: str, cipher: str) -> str:
        a, b = key.split(",")
        inverse = pow(int(a), -1, 26)
        return f"with A = 0 to Z = 25, y becomes {inverse} * (y - {b}) modulo 26, since {a} * {inverse} is 1 modulo 26"

    def shown(self, key: str) -> str:
        return f"({key.replace(',', ', ')})"


class Keyword(Keyed):
    name, title = "keyword", "the keyword substitution {key}"
    says = (
        "Keyword substitution: the keyword's letters (each only the first time that it comes), followed by all other letters in "
        "alphabetical order, are a new alphabet, and A becomes its first letter, B its second, and so on; the keyword is {key}"
    )

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        alphabet = _in_front(key)
        return [UNKNOWN if sign == UNKNOWN else alphabet[ord(sign) - 65] for sign in signs]

    def decrypt(self, key: str, text: str) -> str:
        return text.translate(_keyword_back(key))

    def undoing(self, key: str, cipher: str) -> str:
        return f"{_in_front(key)} stands for {LETTERS}, letter by letter"


class Vigenere(Keyed):
    name, title = "vigenere", "the Vigenere cipher {key}"
    says = (
        "Vigenere cipher: the keyword is written below the text again and again, and each letter moves forward in the alphabet, "
        "from Z on to A, by the letter below it (A is 0 places, Z is 25); the keyword is {key}"
    )

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        return _moved(signs, 1, [LETTERS.index(letter) for letter in key])

    def decrypt(self, key: str, text: str) -> str:
        word = key.encode()
        return bytes([(code - word[i % len(word)]) % 26 + 65 for i, code in enumerate(text.encode())]).decode()

    def undoing(self, key: str, cipher: str) -> str:
        return f"move each letter back by the letter of {_below(key, cipher)} below it"


class Beaufort(Keyed):
    name, title = "beaufort", "the Beaufort cipher {key}"
    says = (
        "Beaufort cipher: the keyword is written below the text again and again, and with A = 0 to Z = 25 each letter x "
        "becomes k - x modulo 26, where k is the letter below it; the keyword is {key}"
    )

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        return _moved(signs, -1, [LETTERS.index(letter) for letter in key])

    def decrypt(self, key: str, text: str) -> str:
        word = key.encode()
        return bytes([(word[i % len(word)] - code) % 26 + 65 for i, code in enumerate(text.encode())]).decode()

    def undoing(self, key: str, cipher: str) -> str:
        return f"subtract each letter from the letter of {_below(key, cipher)} below it, modulo 26"


class Autokey(Keyed):
    name, title = "autokey", "the autokey cipher {key}"
    says = (
        "Autokey cipher: below the text the keyword is written once, followed by the text itself (as it was before this step), "
        "and each letter moves forward in the alphabet, from Z on to A, by the letter below it (A is 0 places, Z is 25); the "
        "keyword is {key}"
    )

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        return [
            UNKNOWN if UNKNOWN in (sign, below) else LETTERS[(ord(sign) + ord(below) - 130) % 26]
            for sign, below in zip(signs, [*key, *signs], strict=False)
        ]

    def decrypt(self, key: str, text: str) -> str:
        word = list(key.encode())
        for i, code in enumerate(text.encode()):  # what is found prolongs the key
            word.append((code - word[i]) % 26 + 65)
        return bytes(word[len(key) :]).decode()

    def undoing(self, key: str, cipher: str) -> str:
        first = f"move the first {min(len(cipher), len(key))} letters back by {key}"
        return f"{first}, and each later one by the plain letter found {len(key)} places before"


class Trithemius(Method):
    name, title = "trithemius", "the Trithemius cipher"
    says = (
        "Trithemius cipher: the first letter stays, the second moves 1 place forward in the alphabet, the third 2 places, and so "
        "on, from Z on to A"
    )
    undo = "move the first letter back by 0 places, the second by 1, the third by 2, and so on"

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        return _moved(signs, 1, range(26))

    def decrypt(self, key: str, text: str) -> str:
        return bytes([(code - 65 - i) % 26 + 65 for i, code in enumerate(text.encode())]).decode()


class Playfair(Keyed):
    name, title, block = "playfair", "the Playfair cipher {key}", 2
    says = (
        "Playfair cipher: a 5 x 5 square is filled row by row with the keyword's letters (each only the first time that it "
        "comes), then all other letters but J in alphabetical order. The text is taken in pairs. Two letters in one row become "
        "those to the right of each, two in one column those below each (after the last comes the first); else each becomes the "
        "letter in its own row and the other one's column. Only a text of even length without J in which no pair has two equal "
        "letters can be encrypted; the keyword is {key}"
    )

    def encrypt(self, key: str, signs: list[str]) -> list[str] | None:
        if len(signs) % 2 or "J" in signs:
            return None
        square, out = _square(key), []
        for one, two in zip(signs[::2], signs[1::2], strict=True):
            if UNKNOWN in (one, two):
                out += [UNKNOWN, UNKNOWN]
                continue
            if one == two:
                return None
            (r, c), (s, d) = divmod(square.index(one), 5), divmod(square.index(two), 5)
            if r == s:
                out += [square[5 * r + (c + 1) % 5], square[5 * s + (d + 1) % 5]]
            elif c == d:
                out += [square[5 * ((r + 1) % 5) + c], square[5 * ((s + 1) % 5) + d]]
            else:
                out += [square[5 * r + d], square[5 * s + c]]
        return out

    def decrypt(self, key: str, text: str) -> str | None:
        pairs = _pairs_back(key)
        found = [pairs.get(text[i : i + 2], "") for i in range(0, len(text), 2)]
        return "".join(found) if all(found) else None

    def undoing(self, key: str, cipher: str) -> str:
        rows = " / ".join([_square(key)[i : i + 5] for i in range(0, 25, 5)])
        return f"in the square {rows}, take pairs: to the left in a row, up in a column, else the corners in the same row"

    def begins(self, key: str, n: int) -> tuple[int, int, Mapping[str, str]]:
        return 0, 2, _pairs_back(key)

    def has_key(self, key: str) -> bool:
        return super().has_key(key) and "J" not in key


class Code(Method):
    """A method that writes one or several signs for each letter, wherever that stands.

    signs: of each letter that can be encrypted, and of UNKNOWN.
    """

    signs: ClassVar[Mapping[str, Sequence[str]]]

    def encrypt(self, key: str, signs: list[str]) -> list[str] | None:
        out: list[str] = []
        for sign in signs:
            if sign not in self.signs:
                return None
            out += self.signs[sign]
        return out

    def begins(self, key: str, n: int) -> tuple[int, int, Mapping[str, str]]:
        return 0, 0, {}


class Polybius(Code):
    name, title, letters = "polybius", "the Polybius square", False
    says = (
        "Polybius square: a 5 x 5 square is filled row by row with the alphabet without J, and each letter becomes the number of "
        "its row and that of its column (1 to 5), so A is 11 and Z is 55. A text with a J cannot be encrypted"
    )
    undo = "look up row and column in the square ABCDE / FGHIK / LMNOP / QRSTU / VWXYZ"
    signs: ClassVar[Mapping[str, Sequence[str]]] = {
        letter: (sign,) for letter, sign in zip(LETTERS.replace("J", "") + UNKNOWN, (*SQUARED, UNKNOWN), strict=True)
    }

    def decrypt(self, key: str, text: str) -> str | None:
        return _looked_up(_SQUARE_BACK, text)


class Bacon(Code):
    name, title = "bacon", "Bacon's code"
    says = (
        "Bacon's code: with A = 0 to Z = 25, each letter becomes that number in five binary digits, with A for 0 and B for 1, so "
        "C becomes AAABA"
    )
    undo = "read each five letters as a binary number, A for 0 and B for 1, with 0 for A to 25 for Z"
    signs: ClassVar[Mapping[str, Sequence[str]]] = {
        UNKNOWN: UNKNOWN * 5,
        **{letter: ["AB"[x >> bit & 1] for bit in (4, 3, 2, 1, 0)] for x, letter in enumerate(LETTERS)},
    }

    def decrypt(self, key: str, text: str) -> str | None:
        if len(text) % 5 or text.strip("AB"):
            return None
        numbers = [int(text[i : i + 5].replace("A", "0").replace("B", "1"), 2) for i in range(0, len(text), 5)]
        return "".join([LETTERS[x] for x in numbers]) if max(numbers, default=0) < 26 else None


class Morse(Code):
    name, title, letters = "morse", "Morse code", False
    says = "Morse code: each letter becomes its international Morse sign, with a space between letters"
    undo = "read the Morse signs"
    signs: ClassVar[Mapping[str, Sequence[str]]] = {
        letter: (sign,) for letter, sign in zip(LETTERS + UNKNOWN, (*MORSE, UNKNOWN), strict=True)
    }

    def decrypt(self, key: str, text: str) -> str | None:
        return _looked_up(_MORSE_BACK, text)


class Transposition(Method):
    """A method that only changes the places of letters."""

    moves = True

    @abstractmethod
    def order(self, key: str, n: int) -> Sequence[int]:
        """Where in the text each letter of the cipher stood; for decrypting."""

    def decrypt(self, key: str, text: str) -> str:
        plain = [""] * len(text)
        for place, letter in zip(self.order(key, len(text)), text, strict=True):
            plain[place] = letter
        return "".join(plain)

    def begins(self, key: str, n: int) -> tuple[int, int, Mapping[str, str]]:
        place = self.order(key, n).index(0)
        return place, place + 1, dict(zip(LETTERS, LETTERS, strict=True))


class Reversal(Transposition):
    name, title = "reversal", "the reversal"
    says = "Reversal: the text is written backwards"
    undo = "read the text backwards"

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        return signs[::-1]

    def order(self, key: str, n: int) -> Sequence[int]:
        return range(n - 1, -1, -1)


class RailFence(Transposition):
    name, keys, title = "railfence", ("2", "3", "4", "5"), "the rail fence of {key} rails"
    says = (
        "Rail fence: the text is written in a zigzag over k rails, from the top rail down and up again, and read rail by rail "
        "from the top; k is {key}"
    )

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        rails: list[list[str]] = [[] for _ in range(int(key))]
        rail, way = 0, 1
        for sign in signs:
            rails[rail].append(sign)
            if not 0 <= rail + way < len(rails):
                way = -way
            rail += way
        return [sign for row in rails for sign in row]

    def order(self, key: str, n: int) -> Sequence[int]:
        return _zigzag(int(key), n)

    def undoing(self, key: str, cipher: str) -> str:
        cycle = 2 * int(key) - 2
        rails = [min(i % cycle, cycle - i % cycle) for i in range(len(cipher))]
        lines = _cut(cipher, [rails.count(rail) for rail in range(int(key))])
        return f"the rails are {' / '.join(lines)}; read them in a zigzag"


class Columnar(Keyed, Transposition):
    name, title = "columnar", "the columnar transposition {key}"
    says = (
        "Columnar transposition: the text is written row by row below the keyword, a letter below each of its letters (the last "
        "row may be short), and read column by column from the top, in the alphabetical order of the keyword's letters, equal "
        "ones from left to right; the keyword is {key}"
    )

    def encrypt(self, key: str, signs: list[str]) -> list[str]:
        out: list[str] = []
        for _, column in sorted([(letter, place) for place, letter in enumerate(key)]):
            out += signs[column :: len(key)]
        return out

    def order(self, key: str, n: int) -> Sequence[int]:
        return _columns(key, n)

    def undoing(self, key: str, cipher: str) -> str:
        places = sorted(range(len(key)), key=key.__getitem__)
        columns = dict(zip(places, _cut(cipher, [len(range(place, len(cipher), len(key))) for place in places]), strict=True))
        listed = " / ".join([columns[place] for place in range(len(key))])
        return f"the columns below {key} are {listed}; read them row by row"


# Every method, in the order of menus.
METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        *(Caesar(), Atbash(), Affine(), Keyword(), Vigenere(), Beaufort(), Autokey(), Trithemius(), Playfair()),
        *(Polybius(), Bacon(), Morse(), Reversal(), RailFence(), Columnar()),
    )
}


# ---- tables for encrypting ----------------------------------------------------------------------------------------------


def _moved(signs: Sequence[str], factor: int, shifts: Sequence[int]) -> list[str]:
    """Each letter's number times the factor, plus a shift: at the first place the first one, and so on, again and again."""
    if len(shifts) == 1:
        alphabet = _alphabet(factor, shifts[0])
        return [alphabet[sign] for sign in signs]
    alphabets = [_alphabet(factor, shift) for shift in shifts]
    return [alphabet[sign] for sign, alphabet in zip(signs, cycle(alphabets), strict=False)]


@lru_cache(maxsize=512)
def _alphabet(factor: int, shift: int) -> dict[str, str]:
    """The letter that each letter becomes."""
    return {UNKNOWN: UNKNOWN, **{letter: LETTERS[(factor * x + shift) % 26] for x, letter in enumerate(LETTERS)}}


@lru_cache(maxsize=512)
def _in_front(word: str) -> str:
    """The alphabet with a word's letters in front, each once."""
    order = ""
    for letter in word + LETTERS:
        if letter not in order:
            order += letter
    return order


@lru_cache(maxsize=512)
def _square(word: str) -> str:
    """A square of 5 x 5, row by row."""
    return _in_front(word).replace("J", "")


# ---- tables for decrypting ----------------------------------------------------------------------------------------------

_SQUARE_BACK = {f"{11 + 10 * (n // 5) + n % 5}": letter for n, letter in enumerate("ABCDEFGHIKLMNOPQRSTUVWXYZ")}
_MORSE_BACK = dict(zip(MORSE, LETTERS, strict=True))


@lru_cache(maxsize=512)
def _linear_back(a: int, b: int) -> dict[int, int]:
    """From each code of a letter a*x + b to that of x."""
    inverse = pow(a, -1, 26)
    return {65 + y: 65 + inverse * (y - b) % 26 for y in range(26)}


@lru_cache(maxsize=512)
def _keyword_back(key: str) -> dict[int, int]:
    word = "".join(dict.fromkeys(key))
    whole = word + "".join(sorted(set(LETTERS) - set(word)))
    return {ord(sign): 65 + place for place, sign in enumerate(whole)}


@lru_cache(maxsize=256)
def _pairs_back(key: str) -> dict[str, str]:
    """From each pair of a Playfair cipher to the plain pair."""
    word = dict.fromkeys(key + LETTERS)
    del word["J"]
    spot = {letter: (place // 5, place % 5) for place, letter in enumerate(word)}
    at = {where: letter for letter, where in spot.items()}
    pairs = {}
    for x, (r, c) in spot.items():
        for y, (s, d) in spot.items():
            if x != y and r == s:
                pairs[x + y] = at[r, (c - 1) % 5] + at[s, (d - 1) % 5]
            elif x != y and c == d:
                pairs[x + y] = at[(r - 1) % 5, c] + at[(s - 1) % 5, d]
            elif x != y:
                pairs[x + y] = at[r, d] + at[s, c]
    return pairs


def _looked_up(letters: Mapping[str, str], text: str) -> str | None:
    found = [letters.get(sign, "") for sign in text.split(" ")]
    return "".join(found) if all(found) else None


@lru_cache(maxsize=4096)
def _zigzag(rails: int, n: int) -> tuple[int, ...]:
    cycle = 2 * rails - 2
    return tuple(sorted(range(n), key=lambda place: (min(place % cycle, cycle - place % cycle), place)))


@lru_cache(maxsize=4096)
def _columns(key: str, n: int) -> tuple[int, ...]:
    ranks = sorted(range(len(key)), key=key.__getitem__)
    return tuple(sorted(range(n), key=lambda place: (ranks.index(place % len(key)), place)))


# ---- texts and steps ----------------------------------------------------------------------------------------------------

_KNOWN = frozenset(LETTERS + UNKNOWN)


def encrypted(steps: Steps, signs: list[str]) -> list[str] | None:
    """The signs after these steps; None if one of them cannot encrypt what comes to it. What depends on unknown letters is."""
    for method, key in steps:
        if not _KNOWN.issuperset(signs):
            return None
        after = METHODS[method].encrypt(key, signs)
        if after is None:
            return None
        signs = after
    return signs


def joined(signs: Sequence[str]) -> str:
    """The signs of a cipher as a text."""
    text = "".join(signs)
    return text if len(text) == len(signs) and not text.strip(LETTERS) else " ".join(signs)


def cipher_of(steps: Steps, text: str) -> str | None:
    """The text after these steps; None if they cannot encrypt it."""
    signs = encrypted(steps, list(text))
    return None if signs is None else joined(signs)


def segments(steps: Sequence[Steps], plain: Sequence[str], rounds: int = 1) -> tuple[str, ...]:
    """The cipher of each segment of a text that can be encrypted, each having its own steps."""
    return tuple([cipher_of(each * rounds, text) or "" for each, text in zip(steps, plain, strict=True)])


def encrypts(steps: Steps, text: str) -> bool:
    """Return whether the steps can encrypt the text, into something else that is not too long."""
    cipher = cipher_of(steps, text)
    return cipher is not None and len(cipher) <= MAX_CIPHER and cipher != text


def decrypted(steps: Sequence[tuple[str, str]], cipher: str) -> str | None:
    """The text that these steps turn into the cipher; None if there is none."""
    text: str | None = cipher
    for step in reversed(steps):
        if text is None:
            return None
        text = before(step, text)
    return text


@lru_cache(maxsize=4096)  # hypotheses share their last steps
def before(step: tuple[str, str], text: str) -> str | None:
    """The text that one step turns into this one; None if there is none."""
    method = METHODS[step[0]]
    return None if method.letters and text.strip(LETTERS) else method.decrypt(step[1], text)


def named(steps: Sequence[tuple[str, str]]) -> str:
    """Methods with their keys, the first one applied first."""
    return ", then ".join([METHODS[method].title.format(key=METHODS[method].shown(key)) for method, key in steps])


@lru_cache(maxsize=4096)
def numbers(key: str) -> tuple[int, ...]:
    """A key as tables for kernels have it."""
    if not key or key[0].isdigit():
        return tuple([int(number) for number in key.split(",") if number])
    return tuple([LETTERS.index(letter) for letter in key])


def key_of(method: str, numbers: Sequence[int]) -> str:
    """The inverse of numbers()."""
    if isinstance(METHODS[method], Keyed):
        return "".join([LETTERS[x] for x in numbers])
    return ",".join(map(str, numbers))


def is_letters(text: str) -> bool:
    """Return whether the text is one of capital letters only, at least one."""
    return bool(text) and not text.strip(LETTERS)


def is_cipher(text: str) -> bool:
    """Return whether the text could be a cipher by some method: letters, Morse signs, or numbers of a square."""
    if not text or len(text) > MAX_CIPHER:
        return False
    signs = text.split(" ")
    return is_letters(text) or all(sign in MORSE for sign in signs) or all(sign in SQUARED for sign in signs)


def misspelt(cipher: str, rng: Rng) -> str:
    """The cipher with one of its signs changed into another of the same sort."""
    if is_letters(cipher):
        place = rng.below(len(cipher))
        used = "AB" if not cipher.strip("AB") else LETTERS
        return cipher[:place] + rng.pick([sign for sign in used if sign != cipher[place]]) + cipher[place + 1 :]
    signs = cipher.split(" ")
    place = rng.below(len(signs))
    others = MORSE if signs[0] in MORSE else SQUARED
    signs[place] = rng.pick([sign for sign in others if sign != signs[place]])
    return " ".join(signs)


def exchanged(cipher: str, rng: Rng) -> str | None:
    """The cipher with two of its signs exchanged; None if all are the same."""
    signs = list(cipher) if is_letters(cipher) else cipher.split(" ")
    one = rng.below(len(signs))
    others = [place for place, sign in enumerate(signs) if sign != signs[one]]
    if not others:
        return None
    two = rng.pick(others)
    signs[one], signs[two] = signs[two], signs[one]
    return ("" if is_letters(cipher) else " ").join(signs)


def looks(plain: str, cipher: str) -> tuple[object, ...]:
    """What is seen of a sample without knowing a method: the sort and number of signs, whether they are the plain text's letters,
    and whether each letter always became the same sign."""
    signs = list(cipher) if is_letters(cipher) else cipher.split(" ")
    sort = "AB" if not cipher.strip("AB") else "letters" if is_letters(cipher) else "Morse" if signs[0] in MORSE else "numbers"
    steady = len(signs) == len(plain) and len(set(zip(plain, signs, strict=True))) == len(set(plain))
    return sort, len(signs), sorted(signs) == sorted(plain), steady


def _below(key: str, text: str) -> str:
    """The keyword again and again, as long as the text."""
    return (key * (len(text) // len(key) + 1))[: len(text)]


def _cut(text: str, sizes: Sequence[int]) -> list[str]:
    """Parts of a text of these sizes, as a person writes them down."""
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    return [text[start : start + size] or "(empty)" for start, size in zip(starts, sizes, strict=True)]
