"""Crypto: every method against known ciphers and against its own inverses, the class against its size, clashes of samples."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.model import CIPHERS, Space
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, Clue, Depth, Spec, Status
from puzzlemill.domains.words import KEYWORDS, WORDS
from puzzlemill.factory.build import _draw
from puzzlemill.generators.crypto import (
    FAMILY,
    LETTERS,
    METHODS,
    UNKNOWN,
    Params,
    _forward,
    _joined,
    _numbers,
    _undone,
)
from puzzlemill.solvers import space
from puzzlemill.solvers.certify import certify
from puzzlemill.solvers.engines import Budget, Engines, recheck
from puzzlemill.solvers.kernels import ciphers
from puzzlemill.transforms.clash import Clash

ENGINES = Engines(FAMILY)
# Plain text, method, key, cipher, worked by hand or well known.
KNOWN = [
    ("HELLO", "caesar", "3", "KHOOR"),
    ("WIZARD", "atbash", "", "DRAZIW"),
    ("AFFINECIPHER", "affine", "5,8", "IHHWVCSWFRCP"),
    ("FLEEATONCE", "keyword", "ZEBRAS", "SIAAZQLKBA"),
    ("ATTACKATDAWN", "vigenere", "LEMON", "LXFOPVEFRNHR"),
    ("ATTACKATDAWN", "autokey", "QUEENLY", "QNXEPVYTWTWP"),
    ("HELLO", "trithemius", "", "HFNOS"),
    ("HIDETHEGOLDINTHETREXESTUMP", "playfair", "PLAYFAIREXAMPLE", "BMODZBXDNABEKUDMUIXMMOUVIF"),
    ("BAT", "polybius", "", "12 11 44"),
    ("HI", "bacon", "", "AABBBABAAA"),
    ("SOS", "morse", "", "... --- ..."),
    ("ABC", "reversal", "", "CBA"),
    ("WEAREDISCOVEREDFLEEATONCE", "railfence", "3", "WECRLTEERDSOEEFEAOCAIVDEN"),
    ("WEAREDISCOVEREDFLEEATONCE", "columnar", "ZEBRAS", "EVLNACDTESEAROFODEECWIREE"),
    ("DEFEND", "beaufort", "FORTIFY", "CKMPVC"),
]


def entry(method: str, key: str) -> tuple[int, ...]:
    return (CIPHERS.index(method), *_numbers(key))


@pytest.mark.parametrize(("plain", "method", "key", "cipher"), KNOWN)
def test_known_ciphers(plain: str, method: str, key: str, cipher: str) -> None:
    """A method that is not the one that its name says: all three implementations must make the cipher from books."""
    done = _forward(((method, key),), list(plain))
    assert done is not None
    assert _joined(done) == cipher
    assert _undone(((method, key),), cipher) == plain
    assert ciphers._encrypt((entry(method, key),), plain) == cipher
    assert ciphers._decrypt((entry(method, key),), cipher) == plain


def test_every_method_is_known() -> None:
    """The list above, the menus and the table's codes name the same methods."""
    assert {method for _, method, _, _ in KNOWN} == set(METHODS) == set(CIPHERS)
    assert len(set(WORDS)) == len(WORDS) > 500
    assert all(3 <= len(word) <= 8 and word.isalpha() and word.islower() for word in WORDS)
    assert len({frozenset(word) for word in KEYWORDS}) == len(KEYWORDS)


@pytest.mark.parametrize("method", METHODS)
def test_three_implementations_agree(method: str) -> None:
    """Every key, texts of all lengths: the same cipher or none, and back to the text. Ciphers that nothing makes give nothing."""
    rng = stream("crypto", method)
    for key in METHODS[method]:
        for length in (1, 2, 3, 5, 8, 13, 24):
            text = "".join([rng.pick(LETTERS) for _ in range(length)])
            steps, row = ((method, key),), (entry(method, key),)
            done = _forward(steps, list(text))
            cipher = None if done is None else _joined(done)
            assert ciphers._encrypt(row, text) == cipher
            if cipher is not None:
                assert _undone(steps, cipher) == ciphers._decrypt(row, cipher) == text
            for strange in (text, "".join([rng.pick("AB") for _ in range(length)]), "11 2", ".- ......", "11 56", " "):
                plain = _undone(steps, strange)
                assert ciphers._decrypt(row, strange) == plain
                assert plain is None or ciphers._encrypt(row, plain) == strange


def test_what_unknown_letters_leave_open_is_never_blamed() -> None:
    """The checker's search rests on this: a text with unknown letters becomes the cipher with unknown signs, and no other."""
    rng = stream("crypto", "unknown")
    for method, keys in METHODS.items():
        steps = ((method, keys[-1]),)
        text = "HIDETHEGOLDINTHETREXESTUMP"
        whole = _forward(steps, list(text))
        assert whole is not None
        for _ in range(20):
            some = _forward(steps, [sign if rng.chance(1, 2) else UNKNOWN for sign in text])
            assert some is not None
            assert all(sign in (UNKNOWN, want) for sign, want in zip(some, whole, strict=True))


def drawn(number: int, **params: Any) -> AnyDraft:
    return _draw(FAMILY, Spec(Params(**params)), stream("crypto", "drawn", number), ENGINES, True)


@pytest.mark.parametrize(
    "params",
    [
        {"task": "pairs", "samples": 2},
        {"task": "pairs", "samples": 2, "layers": 2, "methods": 5, "keys": 3},
        {"task": "unordered", "samples": 2, "layers": 4},
        {"task": "known", "layers": 3, "segments": 3},
    ],
)
def test_the_class_is_enumerated_and_named(params: dict[str, int | str]) -> None:
    """A proof by enumeration is only as good as the enumeration: every hypothesis once, and as many as the scope says."""
    for number in range(4):
        draft = drawn(number, **params)
        model = FAMILY.model(draft.puzzle.spec, draft.puzzle.board)
        assert isinstance(model, Space)
        sizes = [len(set(model.hypotheses(part))) for part in range(model.parts())]
        assert sizes == [model.size(part) for part in range(model.parts())]
        proof = certify(FAMILY, draft.puzzle, draft.answer, Budget(), expect=Status.UNIQUE)
        assert proof.formulations == ("table:kernel", "model:space")
        assert proof.scope is not None
        assert proof.scope.startswith(f"crypto:{'x'.join(map(str, sizes))} hypotheses:sha256:")
        found = space.answers(model, draft.puzzle.clues, 2, sum(sizes) - 1)
        assert not found.decided(2), "a spent budget is no proof"


def test_samples_of_different_methods_clash() -> None:
    """Two samples that were made in two ways leave no hypothesis; each alone does, and both are named."""
    kept = 0
    for number in range(8):
        draft = drawn(number, task="pairs", samples=2)
        try:
            child = Clash("deep_clash", Depth.DEEP).edit(FAMILY, draft, stream("crypto", "clash", number), ENGINES)
        except Discarded:
            continue  # signs that one method alone writes give it away
        kept += 1
        proof = certify(FAMILY, child.puzzle, None, Budget(), expect=Status.UNSOLVABLE)
        assert (proof.clash, proof.depth) == (("s1", "s2"), Depth.DEEP)
        for clue in child.puzzle.clues:
            assert ENGINES.count(child.puzzle.with_clues([clue]), 1) == 1
        for engine in ("kernel", "space"):
            assert recheck(FAMILY, child.puzzle, Status.UNSOLVABLE, None, None, engine, Budget()).problem == ""
            wrong = recheck(FAMILY, child.puzzle, Status.UNIQUE, draft.answer, None, engine, Budget())
            assert wrong.problem
    assert kept >= 3


def test_two_hypotheses_with_one_output_are_one_answer() -> None:
    """Caesar by 3 and 4, or by 4 and 3: unique by output, not by hypothesis. One of the two alone leaves two answers."""
    text = "crypto task=unordered layers=2\nletters: 4\nmethod caesar 3 4\ncipher: HIJK\n"
    puzzle = FAMILY.scan(lines_of(text))
    proof = certify(FAMILY, puzzle, "ABCD", Budget(), expect=Status.UNIQUE)
    assert proof.answer == "ABCD"
    text = text.replace("unordered layers=2", "pairs layers=1")
    with pytest.raises(Discarded, match="ambiguous"):
        certify(FAMILY, FAMILY.scan(lines_of(text)), "EFGH", Budget())


def test_methods_are_drawn_evenly() -> None:
    """A method that hardly ever comes is never learned; 600 draws of 15 methods, five standard deviations."""
    spec = Spec(Params(text="random", letters=8))
    counts = Counter(FAMILY.fill(spec, stream("crypto", "even", n), ENGINES).steps[0][0][0] for n in range(600))
    assert set(counts) == set(METHODS)
    # those that refuse some texts are drawn again, and so come a little less often
    assert min(counts.values()) >= 600 / 15 - 5 * (600 / 15) ** 0.5
    assert max(counts.values()) <= 600 / 15 + 5 * (600 / 15) ** 0.5


def test_settings_without_a_puzzle_are_refused() -> None:
    """Each in a sentence that names the setting."""
    for params, name in (
        (Params(task="pairs"), "samples"),
        (Params(task="unordered", samples=1), "layers"),
        (Params(task="pairs", samples=1, layers=3), "methods"),
        (Params(text="poem"), "text"),
    ):
        with pytest.raises(BadParams, match=rf"crypto\.{name}\b"):
            FAMILY.validate(Spec(params))


def test_rows_that_mean_nothing_are_refused() -> None:
    """A stored puzzle with an unknown method or a sample without its segments raises BadRow, not an index error."""
    draft = drawn(0, task="pairs", samples=1)
    assert draft.answer is not None
    for board in (replace(draft.puzzle.board, menus=((("rot", "1"),),)), replace(draft.puzzle.board, menus=((("caesar",),),))):
        with pytest.raises(BadRow):
            FAMILY.broken_rules(replace(draft.puzzle, board=board), draft.answer)
    with pytest.raises(BadRow):
        FAMILY.render(draft.puzzle.with_clues([Clue("s1", "sample", ("ABC", "DEF|GHI"))]))
