"""The random streams are a promise: if these vectors change, every dataset changes."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from puzzlemill.core.rng import Rng, digest, stream


def test_words_are_those_published_for_xoshiro256starstar() -> None:
    """The state 1, 2, 3, 4 gives the words that the reference implementation gives."""
    rng = Rng(b"".join(i.to_bytes(8, "little") for i in (1, 2, 3, 4)))
    assert [rng.next64() for _ in range(5)] == [11520, 0, 1509978240, 1215971899390074240, 1216172134540287360]


def test_vectors_of_streams_and_draws() -> None:
    """Paths, bounded draws and shuffles stay what they were in the first release."""
    rng = stream("demo", "train", 7)
    assert [hex(rng.next64()) for _ in range(3)] == VECTORS["words"]
    assert [rng.below(10) for _ in range(12)] == VECTORS["below"]
    assert rng.shuffled(range(8)) == VECTORS["shuffled"]
    assert rng.child("a", 1).below(10**9) == VECTORS["child"]


VECTORS: dict[str, object] = {
    "words": ["0x43fa434e61339629", "0x89208246f85d79a2", "0x92ae81a7143af9a9"],
    "below": [3, 0, 9, 7, 5, 5, 2, 6, 7, 5, 5, 5],
    "shuffled": [2, 1, 4, 7, 6, 5, 0, 3],
    "child": 469859599,
}


def test_paths_are_tagged_by_type_and_length() -> None:
    """("a", 1) and ("a", "1") and ("a1",) must not share a stream."""
    assert len({digest("a", 1), digest("a", "1"), digest("a1"), digest("a", "", "1"), digest("", "a", "1")}) == 5
    with pytest.raises(TypeError, match="str and int"):
        digest(True)


def test_kernels_draw_the_same_numbers() -> None:
    """A kernel that goes on with a stream sees the words, draws and shuffles that Python would."""
    from puzzlemill.solvers.kernels import random as kernels

    rng, state = stream("k"), kernels.state_of(stream("k"))
    assert [int(kernels.next64(state)) for _ in range(50)] == [rng.next64() for _ in range(50)]
    for n in (1, 2, 3, 9, 1000, 2**40 + 1):
        assert [int(kernels.below(state, n)) for _ in range(20)] == [rng.below(n) for _ in range(20)]
    items = np.arange(33)
    kernels.shuffle(state, items)
    assert items.tolist() == rng.shuffled(range(33))


def test_draws_are_even() -> None:
    """A biased draw would bias every puzzle: chi-square of 60,000 draws from 6 stays under the 0.1 % point (20.5, 5 d.f.)."""
    rng = stream("even")
    counts = [0] * 6
    for _ in range(60_000):
        counts[rng.below(6)] += 1
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 20.5


def test_few_and_numbers_are_even() -> None:
    """They draw otherwise than sample() and below(), to be faster: every item and every number must be as likely all the same."""
    rng = stream("few")
    first, numbers = [0] * 5, [0] * 7
    for _ in range(10_000):
        few = rng.few(range(5), 3)
        assert len(set(few)) == 3
        first[few[0]] += 1
    for number in islice(rng.numbers(7), 14_000):
        numbers[number] += 1
    for counts, wanted in ((first, 2_000), (numbers, 2_000)):
        assert sum((count - wanted) ** 2 / wanted for count in counts) < 22.5  # the 0.1 % point of 6 d.f.
    assert list(islice(rng.numbers(1), 3)) == [0, 0, 0]
    assert rng.few("abc", 0) == []
