"""The n-gram model behind form_surprise: by hand, as a distribution, and that nothing is scored by what has read it."""

from __future__ import annotations

from math import log2

import pytest

from puzzlemill.analysis import surprise
from puzzlemill.analysis.surprise import LEAST, Ngrams, form_surprise, half


def test_witten_bell_by_hand() -> None:
    """Another smoothing is used than the docstring says, or the back-off goes to the wrong context."""
    model = Ngrams(["aab"])
    # unigrams a 2, b 1: 3 bytes, 2 kinds
    a = (2 + 2 / 256) / 5
    b = (1 + 2 / 256) / 5
    z = (0 + 2 / 256) / 5
    assert model.chance(b"", ord("a")) == pytest.approx(a)
    assert model.chance(b"", ord("z")) == pytest.approx(z)
    # after "a": a 1, b 1
    assert model.chance(b"a", ord("b")) == pytest.approx((1 + 2 * b) / 4)
    assert model.chance(b"a", ord("z")) == pytest.approx((0 + 2 * z) / 4)
    # "b" was never followed by anything
    assert model.chance(b"b", ord("a")) == pytest.approx(a)


def test_bytes_after_a_context_have_probability_one_together() -> None:
    """Bits under something that is no distribution mean nothing."""
    model = Ngrams(["Row 1: 5 3 .", "Row 2: . 7 ä", ""])
    for context in (b"", b"R", b"Row 1", b": .", b"never", b"\0\0\0\0\0", "ä".encode()):
        assert sum(model.chance(context, byte) for byte in range(256)) == pytest.approx(1)


def test_bits_are_the_sum_over_the_bytes() -> None:
    """The start of a text is forgotten, or a gram is kept under another one's name."""
    model = Ngrams(["abc abd"] * 3)
    text = "abd"
    chances = [model.chance(b"\0\0\0\0\0", ord("a")), model.chance(b"\0\0\0\0a", ord("b")), model.chance(b"\0\0\0ab", ord("d"))]
    assert model.bits(text) == pytest.approx(-sum(map(log2, chances)))
    assert model.bits(text) == model.bits(text)
    assert model.bits("") == 0


def test_a_known_text_costs_little_and_another_form_more() -> None:
    """Letters in place of digits, in a text that is otherwise the same, are no surprise."""
    boards = [" ".join(str((i * k) % 9 + 1) for i in range(40)) for k in range(1, 60)]
    model = Ngrams(boards[:-1])
    letters = boards[-1].translate(str.maketrans("123456789", "ABCDEFGHI"))
    assert model.bits(boards[0]) < model.bits(boards[-1]) < model.bits(letters)


def groups(n: int) -> dict[str, list[str]]:
    """Group -> canonical text; the same number of groups in both halves."""
    halves: list[list[str]] = [[], []]
    for i in range(100 * n):
        halves[half(f"g{i}")].append(f"g{i}")
    return {group: [f"the canonical text of {group}"] for side in halves for group in side[:n]}


def test_nothing_is_scored_by_a_model_that_has_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row is unsurprising because the model has seen its parent."""
    read: list[tuple[list[str], list[str]]] = []

    class Spy:
        def __init__(self, texts: list[str]) -> None:
            read.append((list(texts), []))

        def bits(self, text: str) -> float:
            read[-1][1].append(text)
            return float(len(text))

    monkeypatch.setattr(surprise, "Ngrams", Spy)
    canonical = groups(LEAST)
    texts = {f"{kind}-{group}": (group, f"{kind} {group}") for group in canonical for kind in ("child", "parent")}
    found = form_surprise(canonical, texts)
    assert found == dict.fromkeys(texts, 1.0)
    for fitted, scored in read:
        assert {text.split()[-1] for text in fitted}.isdisjoint(text.split()[-1] for text in scored)
    assert sum(len(scored) for _, scored in read) == len(texts)


def test_too_few_canonical_texts_give_no_figure() -> None:
    """A model of three texts has an opinion on everything."""
    canonical = groups(LEAST)
    texts = {"a": ("g0", "some text"), "b": ("g1", "")}
    assert list(form_surprise(canonical, texts)) == ["a"]
    canonical.popitem()
    assert form_surprise(canonical, texts) == {}


def test_bits_are_told_per_character_and_not_per_byte() -> None:
    """A text of two-byte letters looks half as surprising as it is."""
    canonical = groups(LEAST)
    found = form_surprise(canonical, {"a": ("g0", "ää"), "b": ("g0", "\ud800")})
    side = half("g0")
    model = Ngrams([text for group in canonical if half(group) != side for text in canonical[group]])
    assert found["a"] == round(model.bits("ää") / 2, 4)
    assert found["b"] == round(model.bits("?"), 4)
