"""Crypto: plain text, encrypted by classical methods; the plain text is to be found.

The class of hypotheses is declared in the puzzle: a menu of methods with the keys that each may have.
  cipher    some hypothesis that turns every sample's plain text into its cipher turns the answer into the cipher;
  method    there is such a hypothesis: one that turns every sample's plain text into its cipher.
task says what a hypothesis is: "known" - the methods of the menu one after the other, in its order; "unordered" - all of them,
each once, in any order; "pairs" - as many different entries (a method with one key) as there are layers, in any order. A text
may have segments, separated by "|", each of which is encrypted by itself; the segments of a sample match those of the cipher.
With rounds, the hypothesis turns a sample's plain text into its cipher once, and the answer into the cipher that many times over.

Texts are capital letters. Polybius and Playfair squares have no J, and texts with a J cannot be encrypted by them; a Playfair
text has an even number of letters and no pair of two equal ones (no filler letters are put in). So every method with its key is
one-to-one, and a hypothesis gives one plain text at most. Polybius and Morse write other signs than letters, so they come last.
Source: H. F. Gaines, Cryptanalysis (1939); D. Kahn, The Codebreakers (1967); the tasks after HardcoreLogic's crypto.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations
from json import dumps
from math import log10, perm
from typing import Any, ClassVar, final
from xml.sax.saxutils import escape

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.family import AnyFamily, Family, Legacy, Pairing, Relation, Transform
from puzzlemill.core.model import BLANK, CIPHERS, CipherPart, CipherTable, Slots, Space, Step
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import Clue, Column, Draft, Example, Kind, Layout, Oracle, Puzzle, Question, Rows, Spec, Style
from puzzlemill.transforms.forms import SetParam, valid
from puzzlemill.vocabulary.words import keywords, plain_words

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNKNOWN = "?"  # in the place of a letter
TASKS = ("known", "unordered", "pairs")
TEXTS = ("words", "random")
MAX_CLASS = 5_000  # hypotheses per segment
MAX_CIPHER = 400  # signs of one segment's cipher
MAX_SEGMENTS, MAX_LETTERS = 4, 60  # letters of one segment's plain text
DRAWS = 400  # tries at texts and methods that go together

Steps = tuple[tuple[str, str], ...]  # methods with a key each, the first applied first
Menu = tuple[tuple[str, ...], ...]  # lines: a method and the keys that it may have

KEYWORDS = keywords()

# Every method, in the order of menus, with the keys that it may have.
_FACTORS = (1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25)
METHODS: dict[str, tuple[str, ...]] = {
    "caesar": tuple([str(shift) for shift in range(1, 26)]),
    "atbash": ("",),
    "affine": tuple([f"{a},{b}" for a in _FACTORS for b in range(26) if a > 1]),
    "keyword": KEYWORDS,
    "vigenere": KEYWORDS,
    "beaufort": KEYWORDS,
    "autokey": KEYWORDS,
    "trithemius": ("",),
    "playfair": KEYWORDS,
    "polybius": ("",),
    "bacon": ("",),
    "morse": ("",),
    "reversal": ("",),
    "railfence": ("2", "3", "4", "5"),
    "columnar": KEYWORDS,
}
_LAST = ("polybius", "morse")

# Methods as prompts tell them: enough to encrypt and decrypt by hand.
_TOLD = {
    "caesar": "Caesar shift: every letter moves k places forward in the alphabet, from Z on to A; k is {key}",
    "atbash": "Atbash: A becomes Z, B becomes Y, and so on to Z, which becomes A",
    "affine": "Affine cipher: with A = 0 to Z = 25, the letter x becomes a*x + b modulo 26; (a, b) is {key}",
    "keyword": "Keyword substitution: the keyword's letters (each only the first time that it comes), followed by all other "
    "letters in alphabetical order, are a new alphabet, and A becomes its first letter, B its second, and so on; the "
    "keyword is {key}",
    "vigenere": "Vigenere cipher: the keyword is written below the text again and again, and each letter moves forward in the "
    "alphabet, from Z on to A, by the letter below it (A is 0 places, Z is 25); the keyword is {key}",
    "beaufort": "Beaufort cipher: the keyword is written below the text again and again, and with A = 0 to Z = 25 each letter "
    "becomes the letter below it minus itself, modulo 26; the keyword is {key}",
    "autokey": "Autokey cipher: below the text the keyword is written once, followed by the text itself (as it was before this "
    "step), and each letter moves forward in the alphabet, from Z on to A, by the letter below it (A is 0 places, Z "
    "is 25); the keyword is {key}",
    "trithemius": "Trithemius cipher: the first letter stays, the second moves 1 place forward in the alphabet, the third 2 "
    "places, and so on, from Z on to A",
    "playfair": "Playfair cipher: a 5 x 5 square is filled row by row with the keyword's letters (each only the first time that "
    "it comes), then all other letters but J in alphabetical order. The text is taken in pairs. Two letters in one "
    "row become those to the right of each, two in one column those below each (after the last comes the first); "
    "else each becomes the letter in its own row and the other one's column. Only a text of even length without J in "
    "which no pair has two equal letters can be encrypted; the keyword is {key}",
    "polybius": "Polybius square: a 5 x 5 square is filled row by row with the alphabet without J, and each letter becomes the "
    "number of its row and that of its column (1 to 5), so A is 11 and Z is 55. A text with a J cannot be encrypted",
    "bacon": "Bacon's code: with A = 0 to Z = 25, each letter becomes that number in five binary digits, with A for 0 and B for "
    "1, so C becomes AAABA",
    "morse": "Morse code: each letter becomes its international Morse sign, with a space between letters",
    "reversal": "Reversal: the text is written backwards",
    "railfence": "Rail fence: the text is written in a zigzag over k rails, from the top rail down and up again, and read rail "
    "by rail from the top; k is {key}",
    "columnar": "Columnar transposition: the text is written row by row below the keyword, a letter below each of its letters ("
    "the last row may be short), and read column by column from the top, in the alphabetical order of the keyword's "
    "letters, equal ones from left to right; the keyword is {key}",
}

_SIGNS = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
_MORSE = _SIGNS.split()


@dataclass(frozen=True, slots=True)
class Params:
    """letters: of each segment, 3 to 60. task: known, unordered or pairs. layers: 1 to 4 methods one after the other.

    segments: 1 to 4. samples: pairs of a plain text and its cipher, 0 to 4. text: words or random letters.
    rounds: how often the wanted text goes through all the layers, 1 to 3; samples go through them once.
    methods, keys: for "pairs", how many methods (1 to 15) the menu has, and at most how many keys of each (1 to 25).
    """

    letters: int = 24
    task: str = "known"
    layers: int = 1
    segments: int = 1
    samples: int = 0
    text: str = "words"
    methods: int = 15
    keys: int = 8
    rounds: int = 1


@dataclass(frozen=True, slots=True)
class Board:
    """cipher: of each segment. lengths: letters of each segment's plain text. menus: one for all segments, or one for each."""

    cipher: tuple[str, ...]
    lengths: tuple[int, ...]
    menus: tuple[Menu, ...]


@dataclass(frozen=True, slots=True)
class Secret:
    """plain: the answer's segments. samples: plain texts, by segments. steps: what each segment is encrypted by."""

    plain: tuple[str, ...]
    samples: tuple[tuple[str, ...], ...]
    steps: tuple[Steps, ...]
    menus: tuple[Menu, ...]


@final
@dataclass(frozen=True, slots=True)
class Layers(Transform):
    """Several methods one after the other, drawn anew. Where they are not told, the menu is cut so that the class stays small."""

    name: str = "layers"
    kind: Kind = Kind.IC1
    relation: Relation = Relation.RESIZE
    pairing: Pairing = Pairing.NONE
    layers: int = 2  # up to 4
    args: tuple[str, ...] = ("layers",)
    about: str = "several methods applied one after the other"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return family.name == Crypto.name and spec.params.layers < self.layers and valid(family, self._layered(spec))

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return self._layered(spec)

    def _layered(self, spec: Spec[Any]) -> Spec[Any]:
        p = spec.params
        most, keys = {2: (6, 4), 3: (4, 4), 4: (3, 3)}.get(self.layers, (p.methods, p.keys))
        return replace(spec, params=replace(p, layers=self.layers, methods=min(p.methods, most), keys=min(p.keys, keys)))


@final
class Crypto(Legacy, Family[Params, Board, Secret | str, str]):
    name: ClassVar[str] = "crypto"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Crypto"
    params: ClassVar[Any] = Params
    board: ClassVar[Any] = Board
    answer: ClassVar[Any] = str
    hypothesis_class: ClassVar[bool] = True
    source: ClassVar[str] = "classical methods as in H. F. Gaines, Cryptanalysis (1939); tasks after HardcoreLogic"
    transforms: ClassVar[tuple[Transform, ...]] = (
        SetParam("random_text", Kind.IC1, Relation.RESIZE, Pairing.NONE, (("text", "random"),), "a text of random letters"),
        Layers(),
        SetParam(
            "unordered",
            Kind.IC1,
            Relation.RESIZE,
            Pairing.NONE,
            (("task", "unordered"), ("layers", 3), ("samples", 2)),
            "three methods applied in an order that is not given",
        ),
        SetParam(
            "segments",
            Kind.IC1,
            Relation.RESIZE,
            Pairing.NONE,
            (("segments", 3),),
            "three segments, each encrypted by itself",
        ),
        SetParam(
            "known_pair",
            Kind.IC2,
            Relation.RULE,
            Pairing.SAME_ANSWER,
            (("task", "pairs"), ("layers", 1), ("samples", 2)),
            "samples and a menu of methods in place of the method, the plain text being the same",
        ),
        SetParam(
            "twice",
            Kind.IC1,
            Relation.RESIZE,
            Pairing.NONE,
            (("task", "pairs"), ("layers", 1), ("samples", 2), ("rounds", 2)),
            "a text encrypted twice by a method that is not given, and samples that were encrypted once",
        ),
    )

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        p = spec.params
        for field, value, low, high in (
            ("letters", p.letters, 3, 60),
            ("layers", p.layers, 1, 4),
            ("segments", p.segments, 1, 4),
            ("samples", p.samples, 0, 4),
            ("methods", p.methods, 1, len(METHODS)),
            ("keys", p.keys, 1, 25),
            ("rounds", p.rounds, 1, 3),
        ):
            if not low <= value <= high:
                raise BadParams(f"crypto.{field} must be {low} to {high}, got {value}; set family.params.{field}")
        for field, told, known in (("task", p.task, TASKS), ("text", p.text, TEXTS)):
            if told not in known:
                raise BadParams(f"crypto.{field} must be {', '.join(known)}, got {told[:40]!r}; set family.params.{field}")
        if p.task != "known" and not p.samples:
            raise BadParams(f"crypto.samples must be 1 to 4 where task is {p.task}, got 0; set family.params.samples")
        if p.task == "unordered" and p.layers < 2:
            raise BadParams(f"crypto.layers must be 2 to 4 where task is unordered, got {p.layers}; set family.params.layers")
        if p.task == "pairs":
            most = sum(sorted([min(p.keys, len(keys)) for keys in METHODS.values()])[-p.methods :])
            if perm(most, p.layers) > MAX_CLASS:
                raise BadParams(
                    f"crypto.methods and crypto.keys give up to {perm(most, p.layers)} hypotheses for {p.layers} layers, "
                    f"at most {MAX_CLASS} are allowed; set family.params.methods and family.params.keys lower"
                )
            if most < p.layers:
                raise BadParams(f"crypto.methods must give {p.layers} entries, got {most}; set family.params.methods higher")
        if spec.rules:
            raise BadParams(f"crypto has no optional rule, got {spec.rules[0].name}; leave out family.rules")

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Secret:
        return _secret(spec.params, rng, None)

    def make_puzzle(self, spec: Spec[Params], hidden: Secret | str, rng: Rng) -> Draft[Params, Board, Secret | str, str]:
        """hidden: a plain text alone is encrypted anew."""
        if isinstance(hidden, str):
            each = spec.params.letters
            hidden = _secret(spec.params, rng, tuple([hidden[i : i + each] for i in range(0, len(hidden), each)]))
        ciphers = _encrypted(hidden.steps, hidden.plain, spec.params.rounds)
        board = Board(ciphers, tuple([len(part) for part in hidden.plain]), hidden.menus)
        clues = [
            Clue(f"s{number}", "sample", ("|".join(plain), "|".join(_encrypted(hidden.steps, plain, 1))))
            for number, plain in enumerate(hidden.samples, 1)
        ]
        plain = "".join(hidden.plain)
        return Draft(_puzzle(spec, board, clues), plain, plain)

    def kept(self, spec: Spec[Params]) -> int:
        return spec.params.samples

    def alternatives(self, puzzle: Puzzle[Params, Board], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """The sample's plain text under other hypotheses, and now and then its cipher with one sign changed."""
        plain, cipher = _sample(puzzle, clue)
        p = puzzle.spec.params
        seen = {"|".join(cipher)}
        for attempt in range(120):
            here = rng.child(attempt)
            part = here.below(len(plain))
            if here.chance(1, 4):
                changed = _misspelt(cipher[part], here)
            else:
                pool = _pool(_menu(puzzle.board, part))
                steps = tuple(here.sample(pool, p.layers))
                done = None if p.task == "known" else _forward(steps, list(plain[part]))
                changed = _misspelt(cipher[part], here) if done is None else _joined(done)
            text = "|".join([*cipher[:part], changed, *cipher[part + 1 :]])
            if text not in seen and len(changed) <= MAX_CIPHER:
                seen.add(text)
                yield Clue(clue.id, "sample", ("|".join(plain), text))

    def can_clash(self, spec: Spec[Params]) -> bool:
        return spec.params.samples >= 2

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        p = spec.params
        if p.letters + 12 > 60:
            return None
        return replace(spec, params=replace(p, letters=p.letters + 12))

    # ---- meaning

    def model(self, spec: Spec[Params], board: Board) -> Ciphers:
        return Ciphers(spec.params.task, spec.params.layers, spec.params.rounds, board)

    def table(self, puzzle: Puzzle[Params, Board]) -> CipherTable:
        p, board = puzzle.spec.params, puzzle.board
        samples = [_sample(puzzle, clue) for clue in puzzle.clues]
        parts = []
        for part, cipher in enumerate(board.cipher):
            entries = tuple([(CIPHERS.index(method), *_numbers(key)) for method, key in _pool(_menu(board, part))])
            told = tuple([(plain[part], code[part]) for plain, code in samples])
            parts.append(CipherPart(entries, p.layers, p.task == "known", told, cipher, board.lengths[part], p.rounds))
        return CipherTable(tuple(parts))

    def slots(self, spec: Spec[Params], board: Board) -> tuple[int, ...]:
        return (26,) * _letters(board)

    def assemble(self, spec: Spec[Params], board: Board, values: Slots) -> str:
        return "".join([UNKNOWN if v == BLANK else LETTERS[v] for v in values])

    def values(self, spec: Spec[Params], board: Board, answer: str) -> Slots:
        return tuple([LETTERS.find(sign) for sign in answer])

    def broken_rules(self, puzzle: Puzzle[Params, Board], answer: str, partial: bool = False) -> list[str]:
        board, p = puzzle.board, puzzle.spec.params
        if not isinstance(answer, str) or len(answer) != sum(board.lengths):
            return ["malformed"]
        for sign in answer:
            if sign not in LETTERS and not (partial and sign == UNKNOWN):
                return ["malformed"]
        start = 0
        for part, length in enumerate(board.lengths):
            told = tuple([(plain[part], cipher[part]) for plain, cipher in [_sample(puzzle, clue) for clue in puzzle.clues]])
            fitting = _fitting(p.task, p.layers, _menu(board, part), told)
            if not fitting:
                return ["method"]
            text = list(answer[start : start + length])
            start += length
            if not any(_turns(steps * p.rounds, text, board.cipher[part]) for steps in fitting):
                return ["cipher"]
        return []

    def search_space_log10(self, puzzle: Puzzle[Params, Board]) -> float:
        return sum(puzzle.board.lengths) * log10(26)

    def symmetry(self, puzzle: Puzzle[Params, Board]) -> str:
        """No symmetry but the order of samples, and of a menu where its order means nothing."""
        p, board = puzzle.spec.params, puzzle.board
        menus = [[list(line) for line in _menu(board, part)] for part in range(len(board.cipher))]
        if p.task != "known":
            menus = [sorted([[line[0], *sorted(line[1:])] for line in menu]) for menu in menus]
        samples = sorted([list(clue.args) for clue in puzzle.clues])
        return dumps([p.task, p.layers, p.rounds, board.cipher, board.lengths, menus, samples])

    # ---- text

    def render(self, puzzle: Puzzle[Params, Board]) -> str:
        p, board = puzzle.spec.params, puzzle.board
        parts = len(board.cipher)
        told = ["A plain text of capital letters was encrypted. Find the plain text; it need not make sense."]
        if parts > 1:
            lengths = ", ".join(map(str, board.lengths[:-1]))
            told.append(
                f'It has {parts} segments of {lengths} and {board.lengths[-1]} letters. Each was encrypted by itself; "|" stands '
                "between the segments of a text."
            )
        else:
            told.append(f"It has {board.lengths[0]} letters.")
        told.append(_asked(p.task, p.layers, len(board.menus) > 1, parts > 1))
        blocks = [" ".join(told)]
        for number, menu in enumerate(board.menus, 1):
            lines = [f"Segment {number}:"] if len(board.menus) > 1 else []
            for place, line in enumerate(menu, 1):
                keys = [_shown(line[0], key) for key in line[1:]]
                listed = keys[0] if len(keys) == 1 else f"one of {', '.join(keys)}"
                counted = f"{place}. " if len(menu) > 1 else ""
                lines.append(f"{counted}{_TOLD[line[0]].format(key=listed)}.")
            blocks.append("\n".join(lines))
        last = any(line[0] in _LAST for menu in board.menus for line in menu)
        if p.rounds > 1:
            again = {2: "twice", 3: "three times"}[p.rounds]
            all_of_it = "This" if p.layers == 1 else "All of this"
            blocks.append(f"{all_of_it} was done {again} in the same way, each time with what the time before had given.")
            if last and p.task == "pairs":
                blocks[-1] += " Every method takes capital letters only, so one that writes other signs cannot have been used."
        elif last and p.layers > 1 and p.task != "known":
            blocks.append("Every method takes capital letters only, so one that writes other signs can only come last.")
        samples = [_sample(puzzle, clue) for clue in puzzle.clues_in_order()]
        if samples:
            which = "These texts were" if len(samples) > 1 else "This text was"
            once = ", but only once" if p.rounds > 1 else ""
            same = "method and key" if p.layers == 1 else "methods and keys in the same order"
            each = ", segment by segment" if parts > 1 else ""
            blocks.append(f"{which} encrypted with the same {same}{each}{once}:")
            blocks.append("\n".join([f"{' | '.join(plain)} became {' | '.join(cipher)}" for plain, cipher in samples]))
        blocks.append(f"The encrypted text:\n{' | '.join(board.cipher)}")
        return "\n\n".join(blocks)

    def layout(self, puzzle: Puzzle[Params, Board]) -> Layout:
        columns = tuple([Column(f"letter {i + 1}", tuple(LETTERS)) for i in range(_letters(puzzle.board))])
        if len(puzzle.board.cipher) > 1:
            note = 'Give the plain text, segment after segment; spaces and "|" do not count.'
        else:
            note = "Give the plain text; spaces do not count."
        return Layout(columns, 1, 1, True, note, "plain text")

    def write(self, puzzle: Puzzle[Params, Board], answer: str) -> Rows:
        return (tuple(answer),)

    def read(self, puzzle: Puzzle[Params, Board], rows: Rows) -> str | None:
        return "".join(rows[0]).upper()

    def draw(self, puzzle: Puzzle[Params, Board], answer: str | None = None, marked: Collection[str] = ()) -> str:
        """Methods that are told, and samples, each plain text over its cipher; then the answer, if given, over the cipher."""
        rows: list[tuple[str, str]] = []
        if puzzle.spec.params.task != "pairs":
            then = ", then " if puzzle.spec.params.task == "known" else ", "
            for number, menu in enumerate(puzzle.board.menus, 1):
                segment = f"{number}: " if len(puzzle.board.menus) > 1 else ""
                rows.append((segment + then.join([_named([step]) for step in _pool(menu)]), "#333"))
            rows.append(("", "#333"))
        for clue in puzzle.clues_in_order():
            plain, cipher = _sample(puzzle, clue)
            rows += [(" | ".join(plain), "#c40" if clue.id in marked else "#333"), (" | ".join(cipher), "#06c"), ("", "#333")]
        spelt = []
        start = 0
        for length in puzzle.board.lengths:
            spelt.append((answer or UNKNOWN * sum(puzzle.board.lengths))[start : start + length])
            start += length
        rows += [(" | ".join(spelt), "#080"), (" | ".join(puzzle.board.cipher), "#06c")]
        wide = 90  # signs; what is longer goes on in the next row
        rows = [(text[i : i + wide], colour) for text, colour in rows for i in range(0, max(1, len(text)), wide)]
        lines = [
            f'<text x="10" y="{20 * n}" font-family="monospace" font-size="14" fill="{colour}">{escape(text)}</text>'
            for n, (text, colour) in enumerate(rows, 1)
        ]
        width = 20 + 9 * max([len(text) for text, _ in rows])
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {20 * len(rows) + 10}">{"".join(lines)}</svg>'

    def describe(self, puzzle: Puzzle[Params, Board], label: str) -> str:
        for clue in puzzle.clues:
            if clue.id == label:
                plain, cipher = _sample(puzzle, clue)
                return f"{' | '.join(plain)} became {' | '.join(cipher)}."
        if label == "method":
            return "One way of encrypting, of those listed, made every sample."
        if label == "cipher":
            return "The way of encrypting that made the samples turns the answer into the encrypted text."
        raise BadRow(f"crypto: {label[:40]!r} is no sample of this puzzle and no rule; expected s1, s2, ..., method or cipher")

    def explain(self, puzzle: Puzzle[Params, Board], step: Step) -> str:
        """A segment's decryption, worked out layer by layer; how its methods were found comes first."""
        p, board = puzzle.spec.params, puzzle.board
        part, size = step.about[:2]
        pool = _pool(_menu(board, part))
        told = {clue.id: _sample(puzzle, clue) for clue in puzzle.clues}
        many = len(board.cipher) > 1
        text = f"Segment {part + 1}: " if many else ""

        def made(label: str) -> str:
            plain, cipher = told[label]
            return f"{plain[part]} into {cipher[part]}"

        ways = "The way of encrypting that is told" if size == 1 else f"Of the {size:,} ways of encrypting"
        if not step.sets and size == 1:
            wrong = " and ".join([made(label) for label in step.uses])
            return f"{text}{ways} {f'does not turn {wrong}' if wrong else f'cannot have made {board.cipher[part]}'}."
        if not step.sets:
            found = []
            for inner in step.within:
                fitting, *places = inner.about
                way = f"only {_named([pool[place] for place in places])} turns" if fitting == 1 else f"{fitting} turn"
                found.append(f"{way if fitting else 'none turns'} {made(inner.uses[0])}")
            text += f"{ways}, {', and '.join(found) or f'none can have made {board.cipher[part]}'}"
            if found and step.about[2]:
                which = "this" if len(found) == 1 else "all of this"
                return f"{text}; a way that does {which} cannot have made {board.cipher[part]}."
            return f"{text}; no way does {'both' if len(found) == 2 else 'all of this'}." if len(found) > 1 else f"{text}."
        fitting, *places = step.about[2:]
        steps = tuple([pool[place] for place in places])
        if size > 1:
            samples = " and ".join([made(label) for label in step.uses])
            if not samples:
                text += (
                    f"All {size:,} ways of encrypting were tried, and they leave one text. One that gives it is {_named(steps)}. "
                )
            elif fitting == 1:
                text += f"{ways}, only one turns {samples}: {_named(steps)}. "
            else:
                text += f"{ways}, {fitting} turn {samples}, and these leave one text. One that gives it is {_named(steps)}. "
        cipher = board.cipher[part]
        whole = steps * p.rounds
        for place in range(len(whole) - 1, -1, -1):
            before = _before(whole[place], cipher)
            if before is None:
                raise BadRow(f"crypto: a step undoes {whole[place][0]}, which cannot have made {cipher[:40]}")
            if len(whole) > 1:
                order = "First" if place == len(whole) - 1 else "Finally" if not place else "Then"
                text += f"{order} undo {_named(whole[place : place + 1])}: "
                text += f"{_undoing(*whole[place], cipher)}. {cipher} becomes {before}. "
            else:
                undoing = _undoing(*whole[place], cipher)
                text += f"{undoing[0].upper()}{undoing[1:]}. {cipher} becomes {before}. "
            cipher = before
        return f"{text}The {f'plain text of segment {part + 1}' if many else 'plain text'} is {cipher}."

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, Board]:
        options = heading(lines, self.name, (), ("task", "layers", "rounds"))
        task, layers, rounds = options.get("task", "known"), options.get("layers", "1"), options.get("rounds", "1")
        if task not in TASKS or layers not in ("1", "2", "3", "4"):
            raise lines[0].bad(0, f"expected task={'|'.join(TASKS)} and layers=1 to 4, got {task[:20]} and {layers[:20]}")
        if rounds not in ("1", "2", "3"):
            raise lines[0].bad(0, f"expected rounds=1 to 3, got {rounds[:20]}")
        menus: list[list[tuple[str, ...]]] = [[]]
        lengths: tuple[int, ...] | None = None
        cipher: tuple[str, ...] | None = None
        samples: list[tuple[Line, str, str]] = []
        for line in lines[1:]:
            text = line.text.strip()
            if text == "segment":
                menus.append([])
            elif text.startswith("method "):
                menus[-1].append(_method(line))
            elif text.startswith("letters:") and lengths is None:
                told = [word.text for word in line.words_from(line.text.index(":") + 1)]
                if not 1 <= len(told) <= 4 or not all(t.isascii() and t.isdigit() and 1 <= int(t[:4]) <= 60 for t in told):
                    raise line.bad(0, "expected 1 to 4 numbers of letters, each 1 to 60")
                lengths = tuple([int(t) for t in told])
            elif text.startswith("cipher:") and cipher is None:
                cipher = tuple([part.strip() for part in text[7:].split("|")])
                if not all(_is_cipher(part) for part in cipher):
                    raise line.bad(0, "expected capital letters, Morse signs or numbers 11 to 55 in every segment")
            elif text.startswith("pair:") and text.count(" = ") == 1:
                plain, _, code = text[5:].partition(" = ")
                samples.append((line, plain.strip(), "|".join([part.strip() for part in code.split("|")])))
            else:
                raise line.bad(
                    0, "expected a line with segment, method, letters:, cipher: (each of these two once) or pair: A = B"
                )
        if cipher is None or lengths is None or len(lengths) != len(cipher):
            raise lines[0].bad(0, "expected one line cipher: and one line letters: with a number for every segment of the cipher")
        filled = menus[1:] if len(menus) > 1 and not menus[0] else menus
        if len(filled) not in (1, len(cipher)) or not all(filled):
            raise lines[0].bad(0, "expected methods, either for all segments or below a line segment for each of them")
        board = Board(cipher, lengths, tuple([tuple(menu) for menu in filled]))
        for line, plain, code in samples:
            parts, codes = plain.split("|"), code.split("|")
            fine = len(parts) == len(codes) == len(cipher) and all(_is_letters(part) and len(part) <= 60 for part in parts)
            if not fine or not all(_is_cipher(part) for part in codes):
                raise line.bad(0, f"expected {len(cipher)} segments of letters, then = and as many of their ciphers")
        clues = [Clue(f"s{n}", "sample", (plain, code)) for n, (_, plain, code) in enumerate(samples, 1)]
        for part in range(len(cipher)):
            count, pool = int(layers), len(_pool(_menu(board, part)))
            if (task != "pairs" and pool != count) or pool < count or perm(pool, count) > MAX_CLASS:
                raise lines[0].bad(0, f"layers={count} does not go with {pool} methods and keys (at most {MAX_CLASS} hypotheses)")
        spec = Spec(Params(max(3, lengths[0]), task, int(layers), len(cipher), min(4, len(samples)), rounds=int(rounds)))
        return _puzzle(spec, board, clues)

    def format(self, puzzle: Puzzle[Params, Board]) -> str:
        p, board = puzzle.spec.params, puzzle.board
        times = f" rounds={p.rounds}" if p.rounds > 1 else ""
        lines = [f"crypto task={p.task} layers={p.layers}{times}", f"letters: {' '.join(map(str, board.lengths))}"]
        for menu in board.menus:
            lines += ["segment"] if len(board.menus) > 1 else []
            lines += [" ".join(["method", *[word for word in line if word]]) for line in menu]
        lines += [f"pair: {plain} = {cipher}" for plain, cipher in [clue.args for clue in puzzle.clues]]
        return "\n".join([*lines, f"cipher: {'|'.join(board.cipher)}"]) + "\n"

    # ---- evidence

    def examples(self) -> tuple[Example[Params, Board, str], ...]:
        vigenere = _puzzle(Spec(Params(letters=12)), Board(("LXFOPVEFRNHR",), (12,), ((("vigenere", "LEMON"),),)), [])
        square = ((("playfair", "PLAYFAIREXAMPLE"),),)
        playfair = _puzzle(Spec(Params(letters=26)), Board(("BMODZBXDNABEKUDMUIXMMOUVIF",), (26,), square), [])
        return (
            Example(vigenere, "ATTACKATDAWN", "Wikipedia, Vigenère cipher: ATTACKATDAWN under LEMON"),
            Example(
                playfair,
                "HIDETHEGOLDINTHETREXESTUMP",
                "Wikipedia, Playfair cipher: hide the gold in the tree stump, an X between the two Es, under PLAYFAIR EXAMPLE",
            ),
        )

    @property
    def smallest(self) -> tuple[Spec[Params], ...]:  # type: ignore[override]
        return (
            Spec(Params(letters=5)),
            Spec(Params(letters=4, layers=2, segments=2)),
            Spec(Params(letters=5, task="unordered", layers=2, samples=2)),
            Spec(Params(letters=6, task="pairs", samples=2, methods=5, keys=2)),
            Spec(Params(letters=5, task="pairs", samples=2, methods=4, keys=2, rounds=2)),
            Spec(Params(letters=5, task="pairs", layers=2, samples=2, text="random", methods=3, keys=2)),
        )


_TITLES = {
    "caesar": "the Caesar shift by {key}",
    "affine": "the affine cipher {key}",
    "keyword": "the keyword substitution {key}",
    "vigenere": "the Vigenere cipher {key}",
    "beaufort": "the Beaufort cipher {key}",
    "autokey": "the autokey cipher {key}",
    "playfair": "the Playfair cipher {key}",
    "atbash": "Atbash",
    "trithemius": "the Trithemius cipher",
    "polybius": "the Polybius square",
    "bacon": "Bacon's code",
    "morse": "Morse code",
    "reversal": "the reversal",
    "railfence": "the rail fence of {key} rails",
    "columnar": "the columnar transposition {key}",
}


def _shown(method: str, key: str) -> str:
    """A key as it is told."""
    return f"({key.replace(',', ', ')})" if method == "affine" else key


def _named(steps: Sequence[tuple[str, str]]) -> str:
    """Methods with their keys, the first one applied first."""
    return ", then ".join([_TITLES[method].format(key=_shown(method, key)) for method, key in steps])


def _undoing(method: str, key: str, cipher: str) -> str:
    """What a person does to undo a step."""
    n = len(cipher)
    if method == "caesar":
        return f"move every letter {key} {'place' if key == '1' else 'places'} back in the alphabet"
    if method == "atbash":
        return "exchange A with Z, B with Y, and so on"
    if method == "affine":
        a, b = key.split(",")
        inverse = pow(int(a), -1, 26)
        return f"with A = 0 to Z = 25, y becomes {inverse} * (y - {b}) modulo 26, since {a} * {inverse} is 1 modulo 26"
    if method == "keyword":
        return f"{_in_front(key)} stands for {LETTERS}, letter by letter"
    if method in ("vigenere", "beaufort"):
        below = (key * (n // len(key) + 1))[:n]
        if method == "vigenere":
            return f"move each letter back by the letter of {below} below it"
        return f"subtract each letter from the letter of {below} below it, modulo 26"
    if method == "autokey":
        first = f"move the first {min(n, len(key))} letters back by {key}"
        return f"{first}, and each later one by the plain letter found {len(key)} places before"
    if method == "trithemius":
        return "move the first letter back by 0 places, the second by 1, the third by 2, and so on"
    if method == "playfair":
        square = _filled(key)
        rows = " / ".join([square[i : i + 5] for i in range(0, 25, 5)])
        return f"in the square {rows}, take pairs: to the left in a row, up in a column, else the corners in the same row"
    if method == "polybius":
        return "look up row and column in the square ABCDE / FGHIK / LMNOP / QRSTU / VWXYZ"
    if method == "bacon":
        return "read each five letters as a binary number, A for 0 and B for 1, with 0 for A to 25 for Z"
    if method == "morse":
        return "read the Morse signs"
    if method == "reversal":
        return "read the text backwards"
    if method == "railfence":
        cycle = 2 * int(key) - 2
        sizes = [sum([min(i % cycle, cycle - i % cycle) == rail for i in range(n)]) for rail in range(int(key))]
        where, lines = 0, []
        for size in sizes:
            lines.append(cipher[where : where + size] or "(empty)")
            where += size
        return f"the rails are {' / '.join(lines)}; read them in a zigzag"
    where, columns = 0, [""] * len(key)
    for place in sorted(range(len(key)), key=key.__getitem__):
        size = len(range(place, n, len(key)))
        columns[place] = cipher[where : where + size] or "(empty)"
        where += size
    return f"the columns below {key} are {' / '.join(columns)}; read them row by row"


# ---- what is told, read back and made ---------------------------------------------------------------------------------


def _puzzle(spec: Spec[Params], board: Board, clues: Sequence[Clue]) -> Puzzle[Params, Board]:
    return Puzzle(Crypto.name, Crypto.version, spec, board, tuple(clues), Question(), Style())


def _asked(task: str, layers: int, apart: bool, segments: bool) -> str:
    """What the menu means, in words."""
    many = " (each segment in its own way)" if segments and not apart else ""
    if task == "known":
        if layers == 1:
            return "The method of each segment is this:" if apart else "The method is this:"
        if apart:
            return "The methods of each segment were applied one after the other, in the order given:"
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


def _letters(board: Board) -> int:
    """How many letters all segments have; a board that somebody made up may ask for any number."""
    lengths = board.lengths
    if not 1 <= len(lengths) == len(board.cipher) <= MAX_SEGMENTS or not all(1 <= n <= MAX_LETTERS for n in lengths):
        raise BadRow(
            f"crypto.board: expected lengths of 1 to {MAX_LETTERS} letters for each of 1 to {MAX_SEGMENTS} segments, "
            f"got {str(lengths[:5])[:60]} for {len(board.cipher)}"
        )
    return sum(lengths)


def _menu(board: Board, part: int) -> Menu:
    return board.menus[part if len(board.menus) > 1 else 0]


def _sample(puzzle: Puzzle[Params, Board], clue: Clue) -> tuple[list[str], list[str]]:
    """The segments of a sample's plain text and of its cipher."""
    if clue.kind == "sample" and len(clue.args) == 2:
        plain, cipher = clue.args
        if isinstance(plain, str) and isinstance(cipher, str):
            texts, codes = plain.split("|"), cipher.split("|")
            if len(texts) == len(codes) == len(puzzle.board.cipher) and all(_is_letters(text) for text in texts):
                return texts, codes
    raise BadRow(f"crypto: clue {clue.id}: expected a sample of {len(puzzle.board.cipher)} segments and its cipher")


def _is_letters(text: str) -> bool:
    return bool(text) and not text.strip(LETTERS)


def _is_cipher(text: str) -> bool:
    """Whether this could be a segment's cipher by some method: letters, Morse signs, or pairs of digits."""
    if not text or len(text) > MAX_CIPHER:
        return False
    signs = text.split(" ")
    return _is_letters(text) or all(sign in _MORSE for sign in signs) or all(sign in _squared() for sign in signs)


@lru_cache(maxsize=1)
def _squared() -> frozenset[str]:
    return frozenset([f"{row}{column}" for row in range(1, 6) for column in range(1, 6)])


def _is_key(method: str, key: str) -> bool:
    known = METHODS.get(method)
    if known is None:
        return False
    if known is KEYWORDS:
        return _is_letters(key) and len(key) <= 30 and not (method == "playfair" and "J" in key)
    return key in known


@lru_cache(maxsize=4096)
def _pool(menu: Menu) -> Steps:
    """The entries of a menu: every method with each of its keys."""
    for line in menu:
        if not all(_is_key(line[0], key) for key in line[1:]) or len(line) < 2:
            raise BadRow(f"crypto.board: expected a method and keys that it may have, got {str(line)[:60]}")
    pool = tuple([(line[0], key) for line in menu for key in line[1:]])
    if len(set(pool)) < len(pool) or len(pool) > 400:
        raise BadRow("crypto.board: a menu names a method with a key twice, or has more than 400 entries")
    return pool


def _method(line: Line) -> tuple[str, ...]:
    """A line `method NAME KEY ...` of a text."""
    words = line.words[1:]
    name = words[0].text
    if name not in METHODS:
        raise line.bad(words[0].column, f"expected one of {', '.join(METHODS)}, got {name[:40]!r}")
    if METHODS[name] == ("",):
        if len(words) > 1:
            raise line.bad(words[1].column, f"{name} has no key")
        return (name, "")
    for word in words[1:]:
        if not _is_key(name, word.text):
            raise line.bad(word.column, f"{word.text[:40]!r} is no key of {name}; one is {METHODS[name][0]}")
    keys = [word.text for word in words[1:]]
    if not keys or len(set(keys)) < len(keys) or len(keys) > 300:
        raise line.bad(0, f"expected one key of {name} or more, each once")
    return (name, *keys)


def _secret(p: Params, rng: Rng, plain: tuple[str, ...] | None) -> Secret:
    """Methods first, each as likely as the others; then texts that they can encrypt. All is drawn again until they can.

    plain: the wanted text's segments, if they are given.
    """
    for attempt in range(DRAWS):
        here = rng.child(attempt)
        menus, steps = _methods(p, here.child("methods"))
        if not steps:
            continue
        texts: list[tuple[str, ...]] = []
        for number in range(1 + p.samples):
            times = 1 if number else p.rounds
            if plain is not None and not number:
                parts = [text for text, each in zip(plain, steps, strict=True) if _encrypts(each * times, text)]
            else:
                parts = [_text(p, steps[s] * times, here.child("text", number, s)) for s in range(p.segments)]
            texts.append(tuple([part for part in parts if part]))
            if len(texts[-1]) < p.segments:
                break
        else:
            if len(set(texts)) == len(texts):
                return Secret(texts[0], tuple(texts[1:]), steps, menus)
    raise Discarded("inapplicable", f"{DRAWS} draws of methods and texts do not go together")


def _methods(p: Params, rng: Rng) -> tuple[tuple[Menu, ...], tuple[Steps, ...]]:
    """The menus, and what each segment is encrypted by; no steps if the menu that was drawn has too few entries."""
    names = list(METHODS)
    steps: list[Steps] = []
    menus: list[Menu] = []
    if p.task == "pairs":
        kinds = sorted(rng.sample(names, p.methods), key=names.index)
        lines = [
            (kind, sorted(rng.sample(METHODS[kind], min(p.keys, len(METHODS[kind]))), key=METHODS[kind].index)) for kind in kinds
        ]
        menus = [tuple([(kind, *keys) for kind, keys in lines])]
        for _ in range(p.segments):
            if len(lines) >= p.layers:
                steps.append(tuple([(kind, rng.pick(keys)) for kind, keys in rng.sample(lines, p.layers)]))
            elif len(pool := _pool(menus[0])) >= p.layers:
                steps.append(tuple(rng.sample(pool, p.layers)))
        return tuple(menus), tuple(steps)
    for _ in range(p.segments):
        drawn = tuple([(kind, rng.pick(METHODS[kind])) for kind in rng.sample(names, p.layers)])
        steps.append(drawn)
        menus.append(drawn if p.task == "known" else tuple(sorted(drawn, key=lambda step: names.index(step[0]))))
    return tuple(menus), tuple(steps)


def _text(p: Params, steps: Steps, rng: Rng) -> str:
    """A plain text that these steps can encrypt, evenly of all; "" if none was found in 20 draws."""
    for _ in range(20):
        if p.text == "random":
            text = "".join([rng.pick(LETTERS) for _ in range(p.letters)])
        else:
            text = _worded(p.letters, rng)
        if _encrypts(steps, text):
            return text
    return ""


def _encrypts(steps: Steps, text: str) -> bool:
    """Whether the steps can encrypt the text, into something else that is not too long."""
    done = _forward(steps, list(text))
    return done is not None and len(_joined(done)) <= MAX_CIPHER and _joined(done) != text


def _worded(length: int, rng: Rng) -> str:
    """Words without the spaces between them: every row of words that has this many letters is equally likely."""
    made = ""
    while len(made) < length:
        left = length - len(made)
        place = _below(_rows_of_words(left), rng)
        for size, words in _by_length().items():
            rest = _rows_of_words(left - size) if size <= left else 0
            if place < rest * len(words):
                made += words[place // rest]
                break
            place -= rest * len(words)
    return made.upper()


@lru_cache(maxsize=1)
def _by_length() -> dict[int, list[str]]:
    words = plain_words()
    return {size: [word for word in words if len(word) == size] for size in sorted({len(word) for word in words})}


@lru_cache(maxsize=128)
def _rows_of_words(letters: int) -> int:
    """How many rows of words have this many letters in all."""
    if not letters:
        return 1
    return sum([len(words) * _rows_of_words(letters - size) for size, words in _by_length().items() if size <= letters])


def _below(n: int, rng: Rng) -> int:
    """As Rng.below, for n of any size."""
    bits = (n - 1).bit_length()
    while True:
        value = 0
        for _ in range(-(-bits // 64)):
            value = value << 64 | rng.next64()
        value >>= -bits % 64
        if value < n:
            return value


def _numbers(key: str) -> tuple[int, ...]:
    """A key as a CipherTable has it."""
    if not key or key[0].isdigit():
        return tuple([int(number) for number in key.split(",") if number])
    return tuple([LETTERS.index(letter) for letter in key])


def _encrypted(steps: Sequence[Steps], plain: Sequence[str], rounds: int) -> tuple[str, ...]:
    ciphers = []
    for each, text in zip(steps, plain, strict=True):
        done = _forward(each * rounds, list(text))
        assert done is not None  # fill() took texts that can be encrypted
        ciphers.append(_joined(done))
    return tuple(ciphers)


def _joined(signs: Sequence[str]) -> str:
    return (" " if any(len(sign) > 1 or sign not in LETTERS for sign in signs) else "").join(signs)


def _misspelt(cipher: str, rng: Rng) -> str:
    """The cipher with one of its signs changed into another of the same sort."""
    if _is_letters(cipher):
        place = rng.below(len(cipher))
        used = "AB" if not cipher.strip("AB") else LETTERS
        return cipher[:place] + rng.pick([sign for sign in used if sign != cipher[place]]) + cipher[place + 1 :]
    signs = cipher.split(" ")
    place = rng.below(len(signs))
    others = _MORSE if signs[0] in _MORSE else sorted(_squared())
    signs[place] = rng.pick([sign for sign in others if sign != signs[place]])
    return " ".join(signs)


# ---- the checker: encrypting, sign by sign ----------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _fitting(task: str, layers: int, menu: Menu, told: tuple[tuple[str, str], ...]) -> tuple[Steps, ...]:
    """The hypotheses that turn every one of these plain texts into its cipher."""
    entries = _pool(menu)
    if task == "known":
        return (entries,) if all(_turns(entries, list(plain), cipher) for plain, cipher in told) else ()
    found: list[Steps] = []
    looked = [(entry, entry[0] == "playfair") for entry in entries]

    def extend(steps: Steps, text: list[str]) -> None:
        """steps have turned the first plain text into this one."""
        if len(steps) < layers - 1:
            for entry in entries:
                after = None if entry in steps else _forward((entry,), text)
                if after is not None:
                    extend((*steps, entry), after)
            return
        cipher = told[0][1]
        moved = sorted(text) == sorted(cipher)
        first, pair = text[0], "".join(text[:2])
        for entry, paired in looked:
            begun = _begun(entry, pair if paired else first)
            # mostly the first letter says no, or which letters there are at all
            if begun is None or not (cipher.startswith(begun) if begun else moved) or entry in steps:
                continue
            whole = (*steps, entry)
            if _turns((entry,), text, cipher) and all(_turns(whole, list(plain), cipher) for plain, cipher in told[1:]):
                found.append(whole)

    if not told:
        return tuple(permutations(entries, layers))
    extend((), list(told[0][0]))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _begun(entry: tuple[str, str], letters: str) -> str | None:
    """How a cipher begins whose plain text begins so; "" for entries that only move letters, None if there is none."""
    if entry[0] in ("reversal", "railfence", "columnar"):
        return ""
    begun = _forward((entry,), list(letters))
    return None if begun is None else _joined(begun)


def _turns(steps: Steps, text: list[str], cipher: str) -> bool:
    """Whether the steps can turn the text, of which letters may be unknown, into the cipher."""
    signs = _forward(steps, text)
    if signs is None:
        return False
    wanted = cipher.split(" ") if steps[-1][0] in _LAST else list(cipher)
    if len(signs) != len(wanted):
        return False
    return all(sign in (want, UNKNOWN) for sign, want in zip(signs, wanted, strict=True))


def _forward(steps: Steps, signs: list[str]) -> list[str] | None:
    """The text after these steps; None if one of them cannot encrypt what comes to it. What depends on unknown letters is."""
    for method, key in steps:
        for sign in signs:
            if sign not in LETTERS and sign != UNKNOWN:
                return None
        after = _encrypt(method, key, signs)
        if after is None:
            return None
        signs = after
    return signs


def _encrypt(method: str, key: str, signs: list[str]) -> list[str] | None:
    if method == "reversal":
        return signs[::-1]
    if method == "railfence":
        rails: list[list[str]] = [[] for _ in range(int(key))]
        rail, way = 0, 1
        for sign in signs:
            rails[rail].append(sign)
            if not 0 <= rail + way < len(rails):
                way = -way
            rail += way
        return [sign for row in rails for sign in row]
    out: list[str] = []
    if method == "columnar":
        for _, column in sorted([(letter, place) for place, letter in enumerate(key)]):
            out += signs[column :: len(key)]
        return out
    if method == "playfair":
        return _paired(_filled(key), signs)
    if method == "autokey":
        stream = [*key, *signs]
        return [
            UNKNOWN if UNKNOWN in (sign, moved) else LETTERS[(ord(sign) + ord(moved) - 130) % 26]
            for sign, moved in zip(signs, stream, strict=False)
        ]
    signed = _signed(method, key)
    if signed is not None:  # a sign or several for each letter, wherever it stands
        for sign in signs:
            if sign not in signed:
                return None
            out += signed[sign]
        return out
    factor, shifts = _linear(method, key)
    several = len(shifts)
    return [
        UNKNOWN if sign == UNKNOWN else LETTERS[(factor * (ord(sign) - 65) + shifts[place % several]) % 26]
        for place, sign in enumerate(signs)
    ]


@lru_cache(maxsize=512)
def _signed(method: str, key: str) -> dict[str, list[str]] | None:
    """What is written for each letter, by methods for which its place does not matter; None for others."""
    if method == "keyword":
        signs = {letter: [sign] for letter, sign in zip(LETTERS, _in_front(key), strict=True)}
    elif method == "polybius":
        signs = {letter: [f"{place // 5 + 1}{place % 5 + 1}"] for place, letter in enumerate(_filled(key))}
    elif method == "bacon":
        signs = {letter: ["AB"[x >> bit & 1] for bit in (4, 3, 2, 1, 0)] for x, letter in enumerate(LETTERS)}
    elif method == "morse":
        signs = {letter: [sign] for letter, sign in zip(LETTERS, _MORSE, strict=True)}
    else:
        return None
    return {**signs, UNKNOWN: [UNKNOWN] * (5 if method == "bacon" else 1)}


@lru_cache(maxsize=512)
def _linear(method: str, key: str) -> tuple[int, tuple[int, ...]]:
    """A factor, and what is then added to a letter's number: at the first place, the second and so on, again and again."""
    if method == "caesar":
        return 1, (int(key),)
    if method == "atbash":
        return -1, (25,)
    if method == "affine":
        a, b = key.split(",")
        return int(a), (int(b),)
    if method == "trithemius":
        return 1, tuple(range(26))
    if method in ("vigenere", "beaufort"):
        return 1 if method == "vigenere" else -1, tuple([LETTERS.index(letter) for letter in key])
    raise BadRow(f"crypto: unknown method {method[:40]!r}; known: {', '.join(METHODS)}")


@lru_cache(maxsize=512)
def _in_front(word: str) -> str:
    """The alphabet with a word's letters in front, each once."""
    order = ""
    for letter in word + LETTERS:
        if letter not in order:
            order += letter
    return order


@lru_cache(maxsize=512)
def _filled(word: str) -> str:
    """A square of 5 x 5, row by row."""
    return _in_front(word).replace("J", "")


def _paired(square: str, signs: list[str]) -> list[str] | None:
    """Playfair: pair by pair."""
    if len(signs) % 2 or "J" in signs:
        return None
    out = []
    for i in range(0, len(signs), 2):
        one, two = signs[i], signs[i + 1]
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


# ---- the class: decrypting, whole texts at a time ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ciphers(Space):
    """The hypotheses of a puzzle. One is its steps, as the pool's numbers, the step that was applied first in front."""

    task: str
    layers: int
    rounds: int
    board: Board

    def scope(self) -> str:
        return dumps([Crypto.name, Crypto.version, self.task, self.layers, self.rounds, self.board.menus])

    def parts(self) -> int:
        return len(self.board.cipher)

    def size(self, part: int) -> int:
        return 1 if self.task == "known" else perm(len(_pool(_menu(self.board, part))), self.layers)

    def hypotheses(self, part: int) -> Iterator[tuple[Any, ...]]:
        pool = _pool(_menu(self.board, part))
        return iter((pool,)) if self.task == "known" else permutations(pool, self.layers)

    def fits(self, part: int, hypothesis: tuple[Any, ...], kind: str, args: tuple[Any, ...]) -> bool:
        plain, cipher = [str(arg).split("|")[part] for arg in args]
        return _undone(hypothesis, cipher) == plain

    def fitting(self, part: int, clues: Sequence[tuple[str, tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
        """Last steps first: hypotheses with the same ones share the texts in between."""
        if self.task == "known" or not clues:
            yield from Space.fitting(self, part, clues)
            return
        plain, cipher = [str(arg).split("|")[part] for arg in clues[0][1]]
        pool = _pool(_menu(self.board, part))
        heads: dict[int, list[tuple[tuple[str, str], int, int, dict[str, str]]]] = {}  # by the text's length

        def back(text: str, steps: Steps) -> Iterator[Steps]:
            if len(steps) < self.layers - 1:
                for step in pool:
                    before = None if step in steps else _before(step, text)
                    if before is not None:
                        yield from back(before, (step, *steps))
                return
            if len(text) not in heads:
                heads[len(text)] = [(step, *_head(step, len(text))) for step in pool]
            for step, start, stop, begun in heads[len(text)]:
                if begun and not plain.startswith(begun.get(text[start:stop], UNKNOWN)):
                    continue  # mostly the first letter says no
                if _before(step, text) == plain and step not in steps:
                    yield (step, *steps)

        for steps in back(cipher, ()):
            if all(self.fits(part, steps, kind, args) for kind, args in clues[1:]):
                yield steps

    def output(self, part: int, hypothesis: tuple[Any, ...]) -> Slots | None:
        text = _undone(hypothesis * self.rounds, self.board.cipher[part])
        if text is None or len(text) != self.board.lengths[part]:
            return None
        return tuple([ord(letter) - 65 for letter in text])


def _undone(steps: Sequence[tuple[str, str]], cipher: str) -> str | None:
    """The text that these steps turn into the cipher; None if there is none."""
    text: str | None = cipher
    for step in reversed(steps):
        if text is None:
            return None
        text = _before(step, text)
    return text


@lru_cache(maxsize=4096)  # hypotheses share their last steps
def _before(step: tuple[str, str], text: str) -> str | None:
    """The text that one step turns into this one."""
    method, key = step
    if method in _LAST:
        return _decoded(method, text)
    if text.strip(LETTERS):
        return None
    if method in ("caesar", "atbash", "affine", "keyword"):
        return text.translate(_back(method, key))
    return _decrypted(method, key, text)


@lru_cache(maxsize=4096)
def _head(step: tuple[str, str], n: int) -> tuple[int, int, dict[str, str]]:
    """Where in a cipher of n signs those stand that tell how its plain text begins, and how it does for each of them.

    Empty where that is not said so simply.
    """
    method, key = step
    if method == "playfair":
        return 0, 2, _pairs(key)
    if method in ("polybius", "morse", "bacon"):
        return 0, 0, {}
    if method in ("reversal", "railfence", "columnar"):
        place = n - 1 if method == "reversal" else _order(method, key, n).index(0)
        return place, place + 1, {sign: sign for sign in LETTERS}
    return 0, 1, {sign: str(_before(step, sign)) for sign in LETTERS}


@lru_cache(maxsize=1024)
def _back(method: str, key: str) -> dict[int, int]:
    """From each cipher letter's code to its plain letter's."""
    if method == "keyword":
        word = "".join(dict.fromkeys(key))
        whole = word + "".join(sorted(set(LETTERS) - set(word)))
        return {ord(sign): 65 + place for place, sign in enumerate(whole)}
    a, b = {"caesar": lambda: (1, int(key)), "atbash": lambda: (-1, 25)}.get(method, lambda: tuple(map(int, key.split(","))))()
    inverse = pow(a, -1, 26)
    return {65 + y: 65 + inverse * (y - b) % 26 for y in range(26)}


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """From Morse signs and squares to letters."""
    square = [letter for letter in LETTERS if letter != "J"]
    return dict(zip(_MORSE, LETTERS, strict=True)) | {f"{11 + 10 * (n // 5) + n % 5}": letter for n, letter in enumerate(square)}


def _decoded(method: str, text: str) -> str | None:
    codes = _codes()
    if text[:1].isdigit() == (method == "morse"):
        return None
    letters = [codes.get(sign, "") for sign in text.split(" ")]
    digits = [sign[:1].isdigit() for sign in text.split(" ")]
    return "".join(letters) if all(letters) and len(set(digits)) == 1 else None


def _decrypted(method: str, key: str, text: str) -> str | None:
    n = len(text)
    if method == "reversal":
        return text[::-1]
    if method == "bacon":
        if n % 5 or text.strip("AB"):
            return None
        numbers = [int(text[i : i + 5].replace("A", "0").replace("B", "1"), 2) for i in range(0, n, 5)]
        return "".join([LETTERS[x] for x in numbers]) if max(numbers) < 26 else None
    if method in ("railfence", "columnar"):
        plain = [""] * n
        for place, letter in zip(_order(method, key, n), text, strict=True):
            plain[place] = letter
        return "".join(plain)
    if method == "playfair":
        if n % 2:
            return None
        pairs = _pairs(key)
        found = [pairs.get(text[i : i + 2]) for i in range(0, n, 2)]
        return None if None in found else "".join([pair for pair in found if pair])
    codes = text.encode()
    word = [code - 65 for code in key.encode()]
    if method == "vigenere":
        return bytes([(code - 65 - word[i % len(word)]) % 26 + 65 for i, code in enumerate(codes)]).decode()
    if method == "beaufort":
        return bytes([(word[i % len(word)] - code + 65) % 26 + 65 for i, code in enumerate(codes)]).decode()
    if method == "trithemius":
        return bytes([(code - 65 - i) % 26 + 65 for i, code in enumerate(codes)]).decode()
    for code in codes:  # autokey: what is found prolongs the key
        word.append((code - 65 - word[len(word) - len(key)]) % 26)
    return "".join([LETTERS[x] for x in word[len(key) :]])


@lru_cache(maxsize=4096)
def _order(method: str, key: str, n: int) -> tuple[int, ...]:
    """Where in the plain text each sign of the cipher stood."""
    if method == "columnar":
        ranks = sorted(range(len(key)), key=key.__getitem__)
        return tuple(sorted(range(n), key=lambda place: (ranks.index(place % len(key)), place)))
    cycle = 2 * int(key) - 2
    return tuple(sorted(range(n), key=lambda place: (min(place % cycle, cycle - place % cycle), place)))


@lru_cache(maxsize=256)
def _pairs(key: str) -> dict[str, str]:
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


FAMILY = Crypto()
