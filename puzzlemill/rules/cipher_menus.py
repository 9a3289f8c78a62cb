"""Menus of ciphers: what can be supposed about how a text was encrypted, for puzzles that state some methods with some keys.

The checker's search encrypts, the model's class of hypotheses decrypts (ciphers.py); they share nothing but the menu's entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from json import dumps
from math import perm
from typing import Any

from puzzlemill.core.clues import Clues
from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import CIPHERS, Claim, Slots, Space
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import Line
from puzzlemill.core.types import Clue, Puzzle, Spec
from puzzlemill.rules.ciphers import (
    MAX_CIPHER,
    METHODS,
    UNKNOWN,
    Steps,
    before,
    cipher_of,
    decrypted,
    encrypted,
    exchanged,
    is_cipher,
    is_letters,
    looks,
    misspelt,
    numbers,
)

MAX_KEYS, MAX_POOL = 300, 400  # of a method, of a menu
MAX_SEGMENTS, MAX_LETTERS = 4, 60  # of a text, of a segment's plain text
TRIED = 120  # other ciphers of a sample

Menu = tuple[tuple[str, ...], ...]  # lines: a method and the keys that it may have


@dataclass(frozen=True, slots=True)
class Board:
    """A text as it was encrypted. cipher: of each segment. lengths: letters of each segment's plain text. menus: of what the
    steps may be, one for all segments, or one for each.
    """

    cipher: tuple[str, ...]
    lengths: tuple[int, ...]
    menus: tuple[Menu, ...]

    def letters(self) -> int:
        """How many letters all segments have. Raises BadRow for a board that somebody made up: it may ask for any number."""
        lengths = self.lengths
        if not 1 <= len(lengths) == len(self.cipher) <= MAX_SEGMENTS or not all(1 <= n <= MAX_LETTERS for n in lengths):
            raise BadRow(
                f"board: expected lengths of 1 to {MAX_LETTERS} letters for each of 1 to {MAX_SEGMENTS} segments, "
                f"got {str(lengths[:5])[:60]} for {len(self.cipher)}"
            )
        return sum(lengths)

    def menu(self, part: int) -> Menu:
        """The menu of a segment."""
        return self.menus[part if len(self.menus) > 1 else 0]

    def pool(self, part: int) -> Steps:
        """The entries of a segment's menu."""
        return pool(self.menu(part))

    def describe(self) -> list[str]:
        """The menus as blocks of lines for prompts."""
        blocks = []
        for number, menu in enumerate(self.menus, 1):
            lines = [f"Segment {number}:"] if len(self.menus) > 1 else []
            for place, line in enumerate(menu, 1):
                lines.append((f"{place}. " if len(menu) > 1 else "") + METHODS[line[0]].describe(line[1:]))
            blocks.append("\n".join(lines))
        return blocks

    def sample(self, clue: Clue) -> tuple[list[str], list[str]]:
        """The segments of a sample's plain text and of its cipher, which a clue has joined by "|"."""
        if clue.kind == "sample" and len(clue.args) == 2:
            plain, cipher = clue.args
            if isinstance(plain, str) and isinstance(cipher, str):
                texts, codes = plain.split("|"), cipher.split("|")
                if len(texts) == len(codes) == len(self.cipher) and all(is_letters(text) for text in texts):
                    return texts, codes
        raise BadRow(f"clue {clue.id}: expected a sample of {len(self.cipher)} segments and its cipher")


@lru_cache(maxsize=4096)
def pool(menu: Menu) -> Steps:
    """The entries of a menu: every method with each of its keys. Raises BadRow for a menu that means nothing."""
    for line in menu:
        known = METHODS.get(line[0]) if line else None
        if known is None or len(line) < 2 or not all(known.has_key(key) for key in line[1:]):
            raise BadRow(f"board: expected a method and keys that it may have, got {str(line)[:60]}")
    entries = tuple([(line[0], key) for line in menu for key in line[1:]])
    if len(set(entries)) < len(entries) or len(entries) > MAX_POOL:
        raise BadRow(f"board: a menu names a method with a key twice, or has more than {MAX_POOL} entries")
    return entries


@lru_cache(maxsize=256)
def numbered(menu: Menu) -> tuple[tuple[int, ...], ...]:
    """The entries of a menu as tables for kernels have them."""
    return tuple([(CIPHERS.index(method), *numbers(key)) for method, key in pool(menu)])


def meaning(task: str, layers: int, apart: bool, segments: bool) -> str:
    """The words in front of a menu. task: "known", "unordered" or "pairs". apart: each segment has its own menu."""
    many = " (each segment in its own way)" if segments and not apart else ""
    if task == "known" and layers == 1:
        return f"The method {'of each segment ' if apart else ''}is this:"
    if task == "known" and apart:
        return "The methods of each segment were applied one after the other, in the order given:"
    if task == "known":
        return "These methods were applied one after the other, in this order:"
    if task == "unordered":
        start = f"To each segment all {layers} of its methods" if apart else f"All {layers} of these methods"
        return f"{start} were applied, each once, one after the other, but not necessarily in the order given:"
    if layers == 1:
        return f"One of these methods, with one of its keys, was applied{many}; which one is not known:"
    return (
        f"{layers} of these methods, each with one of its keys, were applied one after the other{many}; which ones, and in which "
        "order, is not known. The same method may come twice, with two different keys."
    )


def drawn_menu(methods: int, keys: int, rng: Rng) -> Menu:
    """So many methods, each with at most so many of its keys, in the order of METHODS."""
    names, menu = list(METHODS), []
    for name in sorted(rng.few(names, methods), key=names.index):
        known = METHODS[name].keys
        menu.append((name, *sorted(rng.few(known, min(keys, len(known))), key=known.index)))
    return tuple(menu)


def sample(number: int, plain: Sequence[str], cipher: Sequence[str]) -> Clue:
    """The clue that a text, by segments, became this cipher."""
    return Clue(f"s{number}", "sample", ("|".join(plain), "|".join(cipher)))


class Samples(Clues[Any, Board]):
    """Plain texts and what became of them; arguments are both, segments separated by "|".

    Parameters of the family: samples, how many there are; layers, how many steps; task, "known" where they are stated.
    """

    def kept(self, spec: Spec[Any]) -> int:
        return int(spec.params.samples)

    def deep_odds(self, puzzle: Puzzle[Any, Board]) -> tuple[int, int]:
        """One in six has none."""
        return 3, 5

    def exchanges(self, puzzle: Puzzle[Any, Board], rng: Rng) -> Iterator[Puzzle[Any, Board]]:
        """A sample's plain text under other hypotheses, or its cipher with two signs exchanged, where that looks as before."""
        clues, p = puzzle.clues, puzzle.spec.params
        seen = {clue.args for clue in clues}
        samples = [puzzle.board.sample(clue) for clue in clues]
        known = [[looks(text, code) for text, code in zip(*sample, strict=True)] for sample in samples]
        for attempt in range(TRIED * len(clues)):
            here = rng.child(attempt)
            at = here.below(len(clues))
            plain, cipher = samples[at]
            part = here.below(len(plain))
            steps = () if p.task == "known" or here.chance(1, 4) else tuple(here.few(puzzle.board.pool(part), p.layers))
            changed = cipher_of(steps, plain[part]) if steps else exchanged(cipher[part], here)
            if changed is None or looks(plain[part], changed) != known[at][part]:
                continue
            args = ("|".join(plain), "|".join([*cipher[:part], changed, *cipher[part + 1 :]]))
            if args not in seen:
                seen.add(args)
                yield puzzle.with_clues([*clues[:at], Clue(clues[at].id, "sample", args), *clues[at + 1 :]])

    def alternatives(self, puzzle: Puzzle[Any, Board], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """The sample's plain text under other hypotheses, and now and then its cipher with one sign changed."""
        plain, cipher = puzzle.board.sample(clue)
        p = puzzle.spec.params
        seen = {"|".join(cipher)}
        for attempt in range(TRIED):
            here = rng.child(attempt)
            part = here.below(len(plain))
            if here.chance(1, 4):
                changed = misspelt(cipher[part], here)
            else:
                steps = tuple(here.few(puzzle.board.pool(part), p.layers))
                done = None if p.task == "known" else cipher_of(steps, plain[part])
                changed = misspelt(cipher[part], here) if done is None else done
            text = "|".join([*cipher[:part], changed, *cipher[part + 1 :]])
            if text not in seen and len(changed) <= MAX_CIPHER:
                seen.add(text)
                yield Clue(clue.id, "sample", ("|".join(plain), text))

    def can_clash(self, spec: Spec[Any]) -> bool:
        return int(spec.params.samples) >= 2


# ---- text form ----------------------------------------------------------------------------------------------------------


def board_text(board: Board, clues: Sequence[Clue]) -> list[str]:
    """The lines of a board and its samples as people write them."""
    lines = [f"letters: {' '.join(map(str, board.lengths))}"]
    for menu in board.menus:
        lines += ["segment"] if len(board.menus) > 1 else []
        lines += [" ".join(["method", *[word for word in line if word]]) for line in menu]
    lines += [f"pair: {plain} = {cipher}" for plain, cipher in [clue.args for clue in clues]]
    return [*lines, f"cipher: {'|'.join(board.cipher)}"]


def read_board(head: Line, lines: Sequence[Line]) -> tuple[Board, list[Clue]]:
    """The inverse of board_text(). Raises BadRow; head: the line to blame for what is missing."""
    menus: list[list[tuple[str, ...]]] = [[]]
    lengths: tuple[int, ...] | None = None
    cipher: tuple[str, ...] | None = None
    pairs: list[tuple[Line, list[str], list[str]]] = []
    for line in lines:
        text = line.text.strip()
        if text == "segment":
            menus.append([])
        elif text.startswith("method "):
            menus[-1].append(_menu_line(line))
        elif text.startswith("letters:") and lengths is None:
            given = [word.text for word in line.words_from(line.text.index(":") + 1)]
            sound = all(t.isascii() and t.isdigit() and 1 <= int(t[:4]) <= MAX_LETTERS for t in given)
            if not sound or not 1 <= len(given) <= MAX_SEGMENTS:
                raise line.bad(0, f"expected 1 to {MAX_SEGMENTS} numbers of letters, each 1 to {MAX_LETTERS}")
            lengths = tuple([int(t) for t in given])
        elif text.startswith("cipher:") and cipher is None:
            cipher = tuple([part.strip() for part in text[7:].split("|")])
            if not all(is_cipher(part) for part in cipher):
                raise line.bad(0, "expected capital letters, Morse signs or numbers 11 to 55 in every segment")
        elif text.startswith("pair:") and text.count(" = ") == 1:
            plain, _, code = text[5:].partition(" = ")
            pairs.append((line, plain.strip().split("|"), [part.strip() for part in code.split("|")]))
        else:
            raise line.bad(0, "expected a line with segment, method, letters:, cipher: (these two once) or pair: A = B")
    if cipher is None or lengths is None or len(lengths) != len(cipher):
        raise head.bad(0, "expected one line cipher: and one line letters: with a number for every segment of the cipher")
    filled = menus[1:] if len(menus) > 1 and not menus[0] else menus
    if len(filled) not in (1, len(cipher)) or not all(filled):
        raise head.bad(0, "expected methods, either for all segments or below a line segment for each of them")
    for line, parts, codes in pairs:
        fine = all(is_letters(part) and len(part) <= MAX_LETTERS for part in parts) and all(is_cipher(part) for part in codes)
        if not fine or not len(parts) == len(codes) == len(cipher):
            raise line.bad(0, f"expected {len(cipher)} segments of letters, then = and as many of their ciphers")
    clues = [sample(number, parts, codes) for number, (_, parts, codes) in enumerate(pairs, 1)]
    return Board(cipher, lengths, tuple([tuple(menu) for menu in filled])), clues


def _menu_line(line: Line) -> tuple[str, ...]:
    """A line `method NAME KEY ...`, as a line of a menu."""
    words = line.words[1:]
    name, keys = words[0].text, tuple([word.text for word in words[1:]])
    if name not in METHODS:
        raise line.bad(words[0].column, f"expected one of {', '.join(METHODS)}, got {name[:40]!r}")
    if METHODS[name].keys == ("",):
        if keys:
            raise line.bad(words[1].column, f"{name} has no key")
        return (name, "")
    for word in words[1:]:
        if not METHODS[name].has_key(word.text):
            raise line.bad(word.column, f"{word.text[:40]!r} is no key of {name}; one is {METHODS[name].keys[0]}")
    if not keys or len(set(keys)) < len(keys) or len(keys) > MAX_KEYS:
        raise line.bad(0, f"expected one key of {name} or more, each once")
    return (name, *keys)


# ---- hypotheses ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def fitting(layers: int, in_order: bool, menu: Menu, samples: tuple[tuple[str, str], ...]) -> tuple[Steps, ...]:
    """All steps from a menu that turn every one of these texts into its cipher, found by encrypting: for checkers.

    layers: the number of steps, different entries of the menu. in_order: all of them are taken, in the menu's order.
    """
    entries = pool(menu)
    if in_order:
        return (entries,) if all(turns(entries, list(plain), cipher) for plain, cipher in samples) else ()
    found: list[Steps] = []

    def extend(steps: Steps, text: list[str]) -> None:
        """steps have turned the first plain text into this one."""
        if len(steps) < layers - 1:
            for entry in entries:
                after = None if entry in steps else encrypted((entry,), text)
                if after is not None:
                    extend((*steps, entry), after)
            return
        cipher = samples[0][1]
        moved = sorted(text) == sorted(cipher)
        starts = ("", text[0], "".join(text[:2]))
        for entry, block in blocks:
            begun = _begun(entry, starts[block])
            # mostly the first letter says no, or which letters there are at all
            if begun is None or not (cipher.startswith(begun) if begun else moved) or entry in steps:
                continue
            whole = (*steps, entry)
            if turns((entry,), text, cipher) and all(turns(whole, list(plain), cipher) for plain, cipher in samples[1:]):
                found.append(whole)

    if not samples:
        return tuple(permutations(entries, layers))
    blocks = [(entry, METHODS[entry[0]].block) for entry in entries]
    extend((), list(samples[0][0]))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _begun(entry: tuple[str, str], letters: str) -> str | None:
    """How a cipher begins whose plain text begins so; "" for entries that only move letters, None if there is none."""
    if METHODS[entry[0]].moves:
        return ""
    return cipher_of((entry,), letters)


def turns(steps: Steps, text: list[str], cipher: str) -> bool:
    """Return whether the steps can turn the text, of which letters may be unknown, into the cipher."""
    signs = encrypted(steps, text)
    if signs is None:
        return False
    wanted = list(cipher) if METHODS[steps[-1][0]].letters else cipher.split(" ")
    return len(signs) == len(wanted) and all(sign in (want, UNKNOWN) for sign, want in zip(signs, wanted, strict=True))


@dataclass(frozen=True, slots=True)
class Ciphers(Space):
    """The steps by which each segment of a board may have been encrypted, tried by decrypting: for models.

    name: of what supposes so: a family, its version, its task. A clue's arguments are the plain text and the cipher of a sample,
    their segments separated by "|". rounds: how often the board's text went through all the steps; samples did so once.
    """

    name: tuple[str | int, ...]
    layers: int
    in_order: bool
    rounds: int
    board: Board

    def scope(self) -> str:
        return dumps([*self.name, self.layers, self.rounds, self.board.menus])

    def parts(self) -> int:
        return len(self.board.cipher)

    def size(self, part: int) -> int:
        return 1 if self.in_order else perm(len(self.board.pool(part)), self.layers)

    def hypotheses(self, part: int) -> Iterator[tuple[Any, ...]]:
        entries = self.board.pool(part)
        return iter((entries,)) if self.in_order else permutations(entries, self.layers)

    def fits(self, part: int, hypothesis: tuple[Any, ...], kind: str, args: tuple[Any, ...]) -> bool:
        plain, cipher = [str(arg).split("|")[part] for arg in args]
        return decrypted(hypothesis, cipher) == plain

    def fitting(self, part: int, clues: Sequence[tuple[str, tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
        """Last steps first: hypotheses with the same ones share the texts in between."""
        if self.in_order or not clues:
            yield from Space.fitting(self, part, clues)
            return
        plain, cipher = [str(arg).split("|")[part] for arg in clues[0][1]]
        for steps in _undoing(self.layers, self.board.menu(part), plain, cipher):
            if all(self.fits(part, steps, kind, args) for kind, args in clues[1:]):
                yield steps

    def claimed(self, hypothesis: tuple[Any, ...], claim: Claim) -> bool:
        """("not", part, rows of steps): it is none of them; ("is", part, rows of steps): it is one of them; ("before", part,
        count, text): undoing its last steps, so many, from the cipher gives this text.
        """
        kind, part, *told = claim
        if kind in ("not", "is"):
            return (hypothesis in told[0]) is (kind == "is")
        whole = hypothesis * self.rounds
        return bool(kind == "before" and decrypted(whole[len(whole) - told[0] :], self.board.cipher[part]) == told[1])

    def output(self, part: int, hypothesis: tuple[Any, ...]) -> Slots | None:
        text = decrypted(hypothesis * self.rounds, self.board.cipher[part])
        if text is None or len(text) != self.board.lengths[part]:
            return None
        return tuple([ord(letter) - 65 for letter in text])


@lru_cache(maxsize=512)  # puzzles that differ in one sample have the others in common
def _undoing(layers: int, menu: Menu, plain: str, cipher: str) -> tuple[Steps, ...]:
    """All steps from a menu that turn the cipher back into the plain text."""
    entries, found = pool(menu), list[Steps]()

    def back(text: str, steps: Steps) -> None:
        if len(steps) < layers - 1:
            for step in entries:
                earlier = None if step in steps else before(step, text)
                if earlier is not None:
                    back(earlier, (step, *steps))
            return
        for step, start, stop, begun in _begins(menu, len(text)):
            if begun and not plain.startswith(begun.get(text[start:stop], UNKNOWN)):
                continue  # mostly the first letter says no
            if before(step, text) == plain and step not in steps:
                found.append((step, *steps))

    back(cipher, ())
    return tuple(found)


@lru_cache(maxsize=1024)
def _begins(menu: Menu, n: int) -> tuple[tuple[tuple[str, str], int, int, Mapping[str, str]], ...]:
    """Each entry with how the text of a cipher of n signs begins."""
    return tuple([(step, *_begin(step, n)) for step in pool(menu)])


@lru_cache(maxsize=4096)
def _begin(step: tuple[str, str], n: int) -> tuple[int, int, Mapping[str, str]]:
    return METHODS[step[0]].begins(step[1], n)
