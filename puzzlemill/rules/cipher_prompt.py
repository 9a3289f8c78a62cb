"""Prompts of encrypted texts in voices of their own (wordings/crypto.toml), with samples and menus in several notations."""

from __future__ import annotations

import json
from collections.abc import Sequence

from puzzlemill.core.types import Clue
from puzzlemill.core.words import listed
from puzzlemill.rules.cipher_menus import Board
from puzzlemill.rules.ciphers import METHODS
from puzzlemill.vocabulary.wordings import Voice, markdown

_ORDERS = (
    ("task", "methods", "rest", "samples", "cipher"),
    ("task", "cipher", "methods", "rest", "samples"),
    ("cipher", "task", "methods", "rest", "samples"),
    ("task", "cipher", "samples", "methods", "rest"),
)
_SAMPLES = ("lines", "lines", "bullets", "table", "json")  # notations


def told(task: str, layers: int, rounds: int, board: Board, clues: Sequence[Clue], voice: Voice) -> str:
    """The whole prompt but for how to reply. task: "known", "unordered" or "pairs". clues: the samples."""
    samples = [board.sample(clue) for clue in clues]
    parts, lengths = len(board.cipher), [str(length) for length in board.lengths]
    size = voice.says("length", n=lengths[0]) if parts == 1 else voice.says("lengths", parts=parts, lengths=listed(lengths))
    foreign = not all(METHODS[line[0]].letters for menu in board.menus for line in menu)
    rest = []
    if rounds > 1:
        what = "This" if layers == 1 else "All of this"
        again = {2: "twice", 3: "three times"}[rounds]
        rest.append(voice.says("rounds", what=what, what_low=what.lower(), again=again))
        rest += [voice.says("unused")] * (foreign and task == "pairs")
    elif foreign and layers > 1 and task != "known":
        rest.append(voice.says("last"))
    shown = ""
    if samples:
        texts = "These texts were" if len(samples) > 1 else "This text was"
        same = "method and key" if layers == 1 else "methods and keys in the same order"
        once, each = ", but only once" if rounds > 1 else "", ", segment by segment" if parts > 1 else ""
        head = voice.says("samples", texts=texts, texts_low=texts.lower(), same=same, each=each, once=once)
        shown = f"{head}\n{_samples([(' | '.join(plain), ' | '.join(cipher)) for plain, cipher in samples], voice)}"
    return voice.arranged(
        _ORDERS,
        {
            "task": f"{voice.says('task')} {size}",
            "methods": f"{_meaning(task, layers, board, voice)}\n{_menus(board, voice)}",
            "rest": " ".join(rest),
            "samples": shown,
            "cipher": f"{voice.says('cipher')}\n{' | '.join(board.cipher)}",
        },
    )


def _meaning(task: str, layers: int, board: Board, voice: Voice) -> str:
    """The words in front of the menus."""
    apart = len(board.menus) > 1
    slot = task if task == "unordered" else ("known" if task == "known" else "pair" if layers == 1 else "pairs")
    slot += "_one" * (layers == 1) + "_each" * (apart and task != "pairs")
    each = " (each segment in its own way)" if len(board.cipher) > 1 and not apart else ""
    return voice.says(slot, layers=layers, each=each)


def _menus(board: Board, voice: Voice) -> str:
    blocks = []
    for number, menu in enumerate(board.menus, 1):
        lines = [voice.says(line[0], key=METHODS[line[0]].one_of(line[1:])) for line in menu]
        head = f"Segment {number}:\n" if len(board.menus) > 1 else ""
        blocks.append(head + (voice.numbered(lines) if len(menu) > 1 else lines[0]))
    return ("\n" if voice.short else "\n\n").join(blocks)


def _samples(pairs: Sequence[tuple[str, str]], voice: Voice) -> str:
    way = "lines" if voice.short else _SAMPLES[voice.place("samples as", len(_SAMPLES))]
    if way == "json":
        return json.dumps(pairs)
    if way == "table" and not any("|" in plain for plain, _ in pairs):
        return markdown([str(i) for i in range(1, len(pairs) + 1)], ["plain text", "cipher"], pairs)
    lines = [voice.says("sample", plain=plain, cipher=cipher) for plain, cipher in pairs]
    return voice.bullets(lines) if way == "bullets" else "\n".join(lines)
