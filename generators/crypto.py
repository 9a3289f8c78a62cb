"""Crypto: plain text, encrypted by classical methods; the plain text is to be found.

The class of hypotheses is declared in the puzzle: a menu of methods with the keys that each may have.
  cipher    some hypothesis that turns every sample's plain text into its cipher turns the answer into the cipher;
  method    there is such a hypothesis: one that turns every sample's plain text into its cipher.
task says what a hypothesis is: "known" - the methods of the menu one after the other, in its order; "unordered" - all of them,
each once, in any order; "pairs" - as many different entries (a method with one key) as there are layers, in any order. A text
may have segments, separated by "|", each of which is encrypted by itself; the segments of a sample match those of the cipher.
With rounds, the hypothesis turns a sample's plain text into its cipher once, and the answer into the cipher that many times over.

Texts are capital letters. The methods are those of puzzlemill/rules/ciphers.py, which are one-to-one, so a hypothesis gives one
plain text at most.
Source: H. F. Gaines, Cryptanalysis (1939); D. Kahn, The Codebreakers (1967); the tasks after HardcoreLogic's crypto.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from json import dumps
from math import log10, perm
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.model import CipherPart, CipherTable
from puzzlemill.core.pictures import FOUND, GIVEN, MARKED, text_picture
from puzzlemill.rules import cipher_menus, cipher_prompt, ciphers
from puzzlemill.rules.cipher_menus import MAX_LETTERS, MAX_SEGMENTS, Board, Ciphers, Menu, Samples
from puzzlemill.rules.ciphers import LETTERS, METHODS, UNKNOWN, Steps
from puzzlemill.vocabulary.texts import sentence

TASKS = ("known", "unordered", "pairs")
MAX_CLASS = 5_000  # hypotheses per segment
DRAWS = 400  # tries at texts and methods that go together


@f.params
class Params:
    """letters: of each segment. layers: methods one after the other. samples: pairs of a plain text and its cipher. text:
    sentences without their spaces (words in a row where there are few letters), or random letters. rounds: how often the wanted
    text goes through all the layers; samples go through them once.

    methods, keys: for "pairs", how many methods the menu has, and at most how many keys of each.
    """

    letters: int = f.Param(24, least=3, most=MAX_LETTERS)
    task: str = f.Param("known", among=TASKS)
    layers: int = f.Param(1, least=1, most=4)
    segments: int = f.Param(1, least=1, most=MAX_SEGMENTS)
    samples: int = f.Param(0, least=0, most=4)
    text: str = f.Param("sentences", among=("sentences", "random"))
    methods: int = f.Param(15, least=1, most=len(METHODS))
    keys: int = f.Param(8, least=1, most=25)
    rounds: int = f.Param(1, least=1, most=3)


@dataclass(frozen=True, slots=True)
class Secret:
    """plain: the answer's segments. samples: plain texts, by segments. steps: what each segment is encrypted by."""

    plain: tuple[str, ...]
    samples: tuple[tuple[str, ...], ...]
    steps: tuple[Steps, ...]
    menus: tuple[Menu, ...]


CryptoPuzzle = f.Puzzle[Params, Board]


@final
@dataclass(frozen=True, slots=True)
class Layers(f.Transform):
    """Several methods one after the other, drawn anew. Where they are not stated, the menu is cut to keep the class small."""

    name: str = "layers"
    kind: f.Kind = f.Kind.IC1
    relation: f.Relation = f.Relation.RESIZE
    pairing: f.Pairing = f.Pairing.NONE
    layers: int = 2
    args: tuple[str, ...] = ("layers",)
    about: str = "several methods applied one after the other"

    def fits(self, family: Any, spec: f.Spec[Any]) -> bool:
        return family.name == Crypto.name and spec.params.layers < self.layers and f.valid(family, self._layered(spec))

    def before(self, family: Any, spec: f.Spec[Any], rng: f.Rng) -> f.Spec[Any]:
        return self._layered(spec)

    def _layered(self, spec: f.Spec[Any]) -> f.Spec[Any]:
        p = spec.params
        most, keys = {2: (6, 4), 3: (4, 4), 4: (3, 3)}.get(self.layers, (p.methods, p.keys))
        return replace(spec, params=replace(p, layers=self.layers, methods=min(p.methods, most), keys=min(p.keys, keys)))


_ANEW = (f.Kind.IC1, f.Relation.RESIZE, f.Pairing.NONE)
_UNORDERED = (("task", "unordered"), ("layers", 3), ("samples", 2))
_SAMPLES = (("task", "pairs"), ("layers", 1), ("samples", 2))


# ---- answers, clues, text form ------------------------------------------------------------------------------------------


def _note(board: Board) -> str:
    if len(board.cipher) > 1:
        return 'Give the plain text, segment after segment; spaces and "|" do not count.'
    return "Give the plain text; spaces do not count."


_FORM = f.LetterForm(Board.letters, _note, "plain text")


class Text(f.TextForm[Params, Board]):
    """Lines letters:, method NAME KEY ..., pair: PLAIN = CIPHER and cipher:; each segment's own methods below a line segment."""

    def parse(self, lines: Sequence[f.Line]) -> CryptoPuzzle:
        options = f.heading(lines, self.family.name, (), ("task", "layers", "rounds"))
        task, layers, rounds = options.get("task", "known"), options.get("layers", "1"), options.get("rounds", "1")
        if task not in TASKS or layers not in ("1", "2", "3", "4") or rounds not in ("1", "2", "3"):
            found = f"{task[:20]}, {layers[:20]} and {rounds[:20]}"
            raise lines[0].bad(0, f"expected task={'|'.join(TASKS)}, layers=1 to 4 and rounds=1 to 3, got {found}")
        board, clues = cipher_menus.read_board(lines[0], lines[1:])
        for part in range(len(board.cipher)):
            count, entries = int(layers), len(board.pool(part))
            if (task != "pairs" and entries != count) or entries < count or perm(entries, count) > MAX_CLASS:
                raise lines[0].bad(0, f"layers={count} does not go with {entries} methods and keys ({MAX_CLASS} ways at most)")
        letters, segments = max(3, board.lengths[0]), len(board.cipher)
        spec = f.Spec(Params(letters, task, int(layers), segments, min(4, len(clues)), rounds=int(rounds)))
        return self.family.puzzle(spec, clues, board)

    def format(self, puzzle: CryptoPuzzle) -> str:
        p = puzzle.spec.params
        times = f" rounds={p.rounds}" if p.rounds > 1 else ""
        return (
            "\n".join([f"crypto task={p.task} layers={p.layers}{times}", *cipher_menus.board_text(puzzle.board, puzzle.clues)])
            + "\n"
        )


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Crypto(f.Family[Params, Board, Secret | str, str]):
    name, version, title = "crypto", 1, "Crypto"
    source = "classical methods as in H. F. Gaines, Cryptanalysis (1939); tasks after HardcoreLogic"
    params, board, answer, form, clues, text = Params, Board, str, _FORM, Samples(), Text()
    hypothesis_class = True
    transforms = (
        f.SetParam("random_text", *_ANEW, (("text", "random"),), "a text of random letters"),
        Layers(),
        f.SetParam("unordered", *_ANEW, _UNORDERED, "three methods applied in an order that is not given"),
        f.SetParam("segments", *_ANEW, (("segments", 3),), "three segments, each encrypted by itself"),
        f.SetParam(
            *("known_pair", f.Kind.IC2, f.Relation.RULE, f.Pairing.SAME_ANSWER, _SAMPLES),
            about="samples and a menu of methods in place of the method, the plain text being the same",
        ),
        f.SetParam(
            *("twice", *_ANEW, (*_SAMPLES, ("rounds", 2))),
            about="a text encrypted twice by a method that is not given, and samples that were encrypted once",
        ),
    )
    smallest = (
        f.Spec(Params(letters=5)),
        f.Spec(Params(letters=4, layers=2, segments=2)),
        f.Spec(Params(letters=5, task="unordered", layers=2, samples=2)),
        f.Spec(Params(letters=6, task="pairs", samples=2, methods=5, keys=2)),
        f.Spec(Params(letters=5, task="pairs", samples=2, methods=4, keys=2, rounds=2)),
        f.Spec(Params(letters=5, task="pairs", layers=2, samples=2, text="random", methods=3, keys=2)),
    )
    worked = (
        (
            "crypto\nletters: 12\nmethod vigenere LEMON\ncipher: LXFOPVEFRNHR",
            "ATTACKATDAWN",
            "Wikipedia, Vigenère cipher: ATTACKATDAWN under LEMON",
        ),
        (
            "crypto\nletters: 26\nmethod playfair PLAYFAIREXAMPLE\ncipher: BMODZBXDNABEKUDMUIXMMOUVIF",
            "HIDETHEGOLDINTHETREXESTUMP",
            "Wikipedia, Playfair cipher: hide the gold in the tree stump, an X between the two Es, under PLAYFAIR EXAMPLE",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        p = spec.params
        if p.task != "known" and not p.samples:
            raise f.BadParams(f"crypto.samples must be 1 to 4 where task is {p.task}, got 0; set family.params.samples")
        if p.task == "unordered" and p.layers < 2:
            raise f.BadParams(f"crypto.layers must be 2 to 4 where task is unordered, got {p.layers}; set family.params.layers")
        if p.task == "pairs":
            most = sum(sorted([min(p.keys, len(method.keys)) for method in METHODS.values()])[-p.methods :])
            if perm(most, p.layers) > MAX_CLASS:
                raise f.BadParams(
                    f"crypto.methods and crypto.keys give up to {perm(most, p.layers)} hypotheses for {p.layers} layers, "
                    f"at most {MAX_CLASS} are allowed; set family.params.methods and family.params.keys lower"
                )
            if most < p.layers:
                raise f.BadParams(f"crypto.methods must give {p.layers} entries, got {most}; set family.params.methods higher")

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Secret:
        return _secret(spec.params, rng, None)

    def make_puzzle(self, spec: f.Spec[Params], hidden: Secret | str, rng: f.Rng) -> f.Draft[Params, Board, Secret | str, str]:
        """hidden: a plain text alone is encrypted anew."""
        if isinstance(hidden, str):
            each = spec.params.letters
            hidden = _secret(spec.params, rng, tuple([hidden[i : i + each] for i in range(0, len(hidden), each)]))
        cipher = ciphers.segments(hidden.steps, hidden.plain, spec.params.rounds)
        board = Board(cipher, tuple([len(part) for part in hidden.plain]), hidden.menus)
        clues = [
            cipher_menus.sample(number, plain, ciphers.segments(hidden.steps, plain))
            for number, plain in enumerate(hidden.samples, 1)
        ]
        plain = "".join(hidden.plain)
        return f.Draft(self.puzzle(spec, clues, board), plain, plain)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        letters = spec.params.letters + 12
        return None if letters > MAX_LETTERS else replace(spec, params=replace(spec.params, letters=letters))

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Board) -> Ciphers:
        p, named = spec.params, (self.name, self.version, spec.params.task)
        return Ciphers(named, p.layers, p.task == "known", p.rounds, board)

    def table(self, puzzle: CryptoPuzzle) -> CipherTable:
        p, board = puzzle.spec.params, puzzle.board
        samples = [board.sample(clue) for clue in puzzle.clues]
        parts = []
        for part, cipher in enumerate(board.cipher):
            pairs = tuple([(plain[part], code[part]) for plain, code in samples])
            entries, in_order = cipher_menus.numbered(board.menu(part)), p.task == "known"
            parts.append(CipherPart(entries, p.layers, in_order, pairs, cipher, board.lengths[part], p.rounds))
        return CipherTable(tuple(parts))

    def broken_rules(self, puzzle: CryptoPuzzle, answer: str, partial: bool = False) -> list[str]:
        board, p = puzzle.board, puzzle.spec.params
        allowed = LETTERS + UNKNOWN if partial else LETTERS
        if not isinstance(answer, str) or len(answer) != sum(board.lengths) or answer.strip(allowed):
            return [f.MALFORMED]
        samples = [board.sample(clue) for clue in puzzle.clues]
        start = 0
        for part, length in enumerate(board.lengths):
            pairs = tuple([(plain[part], cipher[part]) for plain, cipher in samples])
            ways = cipher_menus.fitting(p.layers, p.task == "known", board.menu(part), pairs)
            if not ways:
                return ["method"]
            text = list(answer[start : start + length])
            start += length
            if not any(cipher_menus.turns(steps * p.rounds, text, board.cipher[part]) for steps in ways):
                return ["cipher"]
        return []

    def search_space_log10(self, puzzle: CryptoPuzzle) -> float:
        return sum(puzzle.board.lengths) * log10(26)

    def symmetry(self, puzzle: CryptoPuzzle) -> str:
        """No symmetry but the order of samples, and of a menu where its order means nothing."""
        p, board = puzzle.spec.params, puzzle.board
        menus = [[list(line) for line in board.menu(part)] for part in range(len(board.cipher))]
        if p.task != "known":
            menus = [sorted([[line[0], *sorted(line[1:])] for line in menu]) for menu in menus]
        samples = sorted([list(clue.args) for clue in puzzle.clues])
        return dumps([p.task, p.layers, p.rounds, board.cipher, board.lengths, menus, samples])

    def solution(self, spec: f.Spec[Params], answer: str) -> str:
        """The plain text, of which nothing is equal to another."""
        return answer

    # ---- text

    def render(self, puzzle: CryptoPuzzle) -> str:
        p, board, voice = puzzle.spec.params, puzzle.board, f.Voice(self.name, puzzle.style.phrasing, self.title)
        if voice.number:
            return cipher_prompt.told(p.task, p.layers, p.rounds, board, puzzle.clues_in_order(), voice)
        parts = len(board.cipher)
        opening = ["A plain text of capital letters without spaces was encrypted. Find it; it may be a sentence or mere letters."]
        if parts > 1:
            opening.append(f"It has {parts} segments of {f.listed([str(length) for length in board.lengths])} letters. Each was")
            opening.append('encrypted by itself; "|" stands between the segments of a text.')
        else:
            opening.append(f"It has {board.lengths[0]} letters.")
        opening.append(cipher_menus.meaning(p.task, p.layers, len(board.menus) > 1, parts > 1))
        blocks = [" ".join(opening), *board.describe()]
        last = not all(METHODS[line[0]].letters for menu in board.menus for line in menu)
        if p.rounds > 1:
            again = {2: "twice", 3: "three times"}[p.rounds]
            all_of_it = "This" if p.layers == 1 else "All of this"
            blocks.append(f"{all_of_it} was done {again} in the same way, each time with what the time before had given.")
            if last and p.task == "pairs":
                blocks[-1] += " Every method takes capital letters only, so one that writes other signs cannot have been used."
        elif last and p.layers > 1 and p.task != "known":
            blocks.append("Every method takes capital letters only, so one that writes other signs can only come last.")
        samples = [self.describe(puzzle, clue.id)[:-1] for clue in puzzle.clues_in_order()]
        if samples:
            which = "These texts were" if len(samples) > 1 else "This text was"
            once = ", but only once" if p.rounds > 1 else ""
            same = "method and key" if p.layers == 1 else "methods and keys in the same order"
            each = ", segment by segment" if parts > 1 else ""
            blocks += [f"{which} encrypted with the same {same}{each}{once}:", "\n".join(samples)]
        blocks.append(f"The encrypted text:\n{' | '.join(board.cipher)}")
        return "\n\n".join(blocks)

    def describe(self, puzzle: CryptoPuzzle, label: str) -> str:
        clue = puzzle.clue(label)
        if clue is not None:
            plain, cipher = puzzle.board.sample(clue)
            return f"{' | '.join(plain)} became {' | '.join(cipher)}."
        if label == "method":
            return "One way of encrypting, of those listed, made every sample."
        if label == "cipher":
            return "The way of encrypting that made the samples turns the answer into the encrypted text."
        raise f.BadRow(f"crypto: {label[:40]!r} is no sample of this puzzle and no rule; expected s1, s2, ..., method or cipher")

    def words(self, puzzle: CryptoPuzzle) -> f.Words:
        return f.Words(voice=puzzle.style.phrasing)

    def draw(self, puzzle: CryptoPuzzle, answer: str | None = None, marked: Collection[str] = ()) -> str:
        """Methods that are stated, and samples, each plain text over its cipher; then the answer, if given, over the cipher."""
        p, board = puzzle.spec.params, puzzle.board
        rows: list[tuple[str, str]] = []
        if p.task != "pairs":
            for number, menu in enumerate(board.menus, 1):
                segment = f"{number}: " if len(board.menus) > 1 else ""
                then = ", then " if p.task == "known" else ", "
                rows.append((segment + then.join([ciphers.named([step]) for step in cipher_menus.pool(menu)]), ""))
            rows.append(("", ""))
        for clue in puzzle.clues_in_order():
            plain, cipher = board.sample(clue)
            rows += [(" | ".join(plain), MARKED if clue.id in marked else ""), (" | ".join(cipher), GIVEN), ("", "")]
        letters = iter(answer or UNKNOWN * board.letters())
        spelt = ["".join(islice(letters, length)) for length in board.lengths]
        return text_picture([*rows, (" | ".join(spelt), FOUND), (" | ".join(board.cipher), GIVEN)])


# ---- what is drawn ------------------------------------------------------------------------------------------------------


def _secret(p: Params, rng: f.Rng, plain: tuple[str, ...] | None) -> Secret:
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
            whole = [each * (1 if number else p.rounds) for each in steps]
            if plain is not None and not number:
                texts.append(tuple([text for text, each in zip(plain, whole, strict=True) if ciphers.encrypts(each, text)]))
            else:
                drawn = [_text(p, each, here.child("text", number, s)) for s, each in enumerate(whole)]
                texts.append(tuple([text for text in drawn if text]))
            if len(texts[-1]) < p.segments:
                break
        else:
            if len(set(texts)) == len(texts):
                return Secret(texts[0], tuple(texts[1:]), steps, menus)
    raise f.Discarded("inapplicable", f"{DRAWS} draws of methods and texts do not go together")


def _methods(p: Params, rng: f.Rng) -> tuple[tuple[Menu, ...], tuple[Steps, ...]]:
    """The menus, and what each segment is encrypted by; no steps if the menu that was drawn has too few entries."""
    names = list(METHODS)
    steps: list[Steps] = []
    menus: list[Menu] = []
    if p.task == "pairs":
        menus = [cipher_menus.drawn_menu(p.methods, p.keys, rng)]
        for _ in range(p.segments):
            if p.methods >= p.layers:
                steps.append(tuple([(kind, rng.pick(keys)) for kind, *keys in rng.sample(menus[0], p.layers)]))
            elif len(entries := cipher_menus.pool(menus[0])) >= p.layers:
                steps.append(tuple(rng.sample(entries, p.layers)))
        return tuple(menus), tuple(steps)
    for _ in range(p.segments):
        drawn = tuple([(kind, rng.pick(METHODS[kind].keys)) for kind in rng.sample(names, p.layers)])
        steps.append(drawn)
        menus.append(drawn if p.task == "known" else tuple(sorted(drawn, key=lambda step: names.index(step[0]))))
    return tuple(menus), tuple(steps)


def _text(p: Params, steps: Steps, rng: f.Rng) -> str:
    """A plain text that these steps can encrypt, evenly of all; "" if none was found in 20 draws."""
    for _ in range(20):
        if p.text == "random":
            text = "".join([rng.pick(LETTERS) for _ in range(p.letters)])
        else:
            text = sentence(p.letters, rng).replace(" ", "").upper()
        if ciphers.encrypts(steps, text):
            return text
    return ""


FAMILY = Crypto()
