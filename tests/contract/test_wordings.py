"""Wordings of prompts: there are many, each says all that the rule says, and boards are read back from every notation."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from notations import shown_in

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.generators import family_named
from puzzlemill.rules.lines import constraint
from puzzlemill.rules.lines_draw import drawn, kinds_in
from puzzlemill.scoring.prompt import FORMATS, prompt
from puzzlemill.vocabulary.wordings import FIRST, Wordings, wordings
from strategies import every_case, minimized, unwanted

HOME = Path(__file__).parents[2] / "puzzlemill/vocabulary/wordings"
NAMES = sorted(path.stem for path in HOME.glob("*.toml"))
WORDED = [name for name in NAMES if name not in ("frame", "notes")]
SAID = tomllib.loads((Path(__file__).parents[1] / "unit/wordings.toml").read_text())
VOICES = range(FIRST, FIRST + 24)
_GROUP = re.compile(r"\[([^\[\]|]*(?:\|[^\[\]|]*)+)\]")


def spoken(voice: int, puzzle: AnyPuzzle) -> AnyPuzzle:
    return replace(puzzle, style=replace(puzzle.style, phrasing=voice))


@lru_cache(maxsize=16)
def puzzles(name: str) -> tuple[AnyPuzzle, ...]:
    """One of every case of the family; the second of each that has another one."""
    return tuple(minimized(case, index).puzzle for case in every_case() if case.family.name == name for index in (0, 1))


def choices(wording: str) -> Iterator[str]:
    """Every text that a wording stands for, if not more than a few hundred; else each alternative at least once."""
    groups = [found.group(1).split("|") for found in _GROUP.finditer(wording)]
    for turn in range(max([len(group) for group in groups], default=1)):
        options = iter(groups)

        def one(_: re.Match[str], options: Iterator[list[str]] = options, turn: int = turn) -> str:
            group = next(options)
            return group[turn % len(group)]

        yield _GROUP.sub(one, wording)


def fields(wording: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(wording) if name is not None}


# ---- the data ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_there_are_many_different_wordings_of_every_slot(name: str) -> None:
    """A slot with one wording makes all prompts alike in this place."""
    read: Wordings = wordings(name)
    for slot, options in read.say.items():
        assert len(set(options)) == len(options), slot
        least = 12 if slot == "task" else 6
        if name == "frame":
            least = {"cell": 4, "legend": 4}.get(slot, 2 if slot.startswith(("alone", "size", "apart", "within")) else 6)
        assert len(options) >= least, (slot, len(options))
    if name != "notes":
        assert set(read.canonical) <= {*read.say, "own", "open"}
    assert set(read.short) <= {*read.say, "compact"}
    assert all(read.short.values())


@pytest.mark.parametrize("name", WORDED)
def test_every_wording_says_all_that_the_rule_says(name: str) -> None:
    """A wording that leaves out a part of a rule makes a puzzle that cannot be solved from its prompt."""
    read: Wordings = wordings(name)
    for slot, patterns in SAID[name].items():
        told = [*read.say[slot], *read.short.get(slot, ())] + [read.canonical[slot] for _ in range(slot in read.canonical)]
        for wording in told:
            if wording in read.short.get(slot, ()) and slot in ("task", "connected", "numbers_stay"):
                continue  # shorter than that
            for text in choices(wording):
                missing = [pattern for pattern in patterns if not re.search(pattern, text)]
                assert not missing, (slot, text, missing)
    assert {"task"} <= SAID[name].keys()


@pytest.mark.parametrize("name", NAMES)
def test_wordings_are_plain_sentences_with_known_places(name: str) -> None:
    """A place that no family fills raises when the one row in a thousand takes it; a half bracket stands in a prompt."""
    read: Wordings = wordings(name)
    for slot in read.say:
        said = (*read.say[slot], *read.short.get(slot, ()), *[read.canonical[slot] for _ in range(slot in read.canonical)])
        # a place may be left out where its wording says the same in words, and none is added
        known = fields(slot) if name == "notes" else set().union(*[fields(wording) for wording in said])
        for wording in said:
            assert fields(wording) <= known
            for text in choices(wording):
                assert "[" not in text.replace("[ ]", "") or name == "frame", text
                assert (text == text.strip() or slot in ("item", "bullet", "number")) and not re.search(
                    r"  |\t| \.(?!\.)| ,", text
                ), text
                assert not unwanted(text), text


# ---- prompts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WORDED)
def test_every_voice_renders_every_puzzle_tidily(name: str) -> None:
    """A field that nothing fills, a heading without its board, a trailing blank."""
    family: AnyFamily = family_named(name)
    for puzzle in puzzles(name):
        texts = set()
        for number in VOICES:
            for voice in (number, -number):
                text = family.render(spoken(voice, puzzle))
                texts.add(text)
                assert text == text.strip()
                assert not re.search(r"[ \t]+$|\t|\n{3,}|<class|object at|\bNone\b(?! of| does)", text, re.M), text
                plain = re.sub(r"^out\(.*", "", text, flags=re.M)  # books in symbols have sets
                assert not re.search(r"\{\w*\}", plain) and not _GROUP.search(re.sub(r"^[\[{].*", "", text, flags=re.M)), text
                assert not unwanted(text), text
        assert len(texts) > 1.3 * len(VOICES)


@pytest.mark.parametrize("name", WORDED)
def test_short_voices_are_short(name: str) -> None:
    """A short form that saves little is of no use to a small model."""
    plain = short = 0
    for puzzle in puzzles(name):
        plain += sum([len(prompt(spoken(number - FIRST, puzzle), "json")) for number in VOICES])
        short += sum([len(prompt(spoken(-number, puzzle), "json")) for number in VOICES])
    assert short <= 0.6 * plain, short / plain


@pytest.mark.parametrize("name", WORDED)
def test_the_board_is_read_back_from_every_notation(name: str) -> None:
    """A notation that leaves out a given, or has it elsewhere, poses another puzzle."""
    family = family_named(name)
    met: dict[str, int] = {}
    for puzzle in puzzles(name):
        expected = shown_in(family.render(puzzle), puzzle)[1]
        for number in VOICES:
            for voice in (number, -number):
                notation, found = shown_in(family.render(spoken(voice, puzzle)), spoken(voice, puzzle))
                assert_meant(puzzle, found.pop("formulas", ()))
                assert found == expected, (voice, notation, family.render(spoken(voice, puzzle)))
                met[notation] = met.get(notation, 0) + 1
    assert len(met) >= 4, met


def assert_meant(puzzle: AnyPuzzle, formulas: Sequence[Any]) -> None:
    """What formulas say of tables of attributes, twenty at random, is what the checker says of the clues."""
    family, rng = family_named(puzzle.family), stream("tests", "meant", puzzle.family)
    slots = family.form.slots(puzzle.spec, puzzle.board)
    for _ in range(20 if formulas else 0):
        size = range(slots[0])
        table = tuple([tuple(rng.shuffled(size)) for _ in range(len(slots) // slots[0])])
        if puzzle.family == "ordering":
            table = table[0] if len(slots) == slots[0] else tuple([rng.pick(size) for _ in slots])
        broken = family.broken_rules(puzzle, table)
        for clue, holds in zip(puzzle.clues_in_order(), formulas, strict=True):
            assert holds(table) == (clue.id not in broken), clue


def test_the_canonical_voice_is_that_of_small_phrasings() -> None:
    """Families that put clues in words draw phrasings of their own, and their prompts are canonical otherwise."""
    for name in WORDED:
        puzzle = puzzles(name)[0]
        if puzzle.style.phrasing == 0 and not puzzle.style.names:
            assert family_named(name).render(spoken(7, puzzle)) == family_named(name).render(puzzle)


def test_no_phrase_that_is_unwanted_stands_in_a_prompt() -> None:
    """What was mended once comes back in another place: tests/unit/phrases.txt lists it."""
    for case in every_case():
        puzzle = minimized(case, 0).puzzle
        for reply_format in FORMATS:
            text = prompt(puzzle, reply_format)
            assert not unwanted(text), text


def test_wordings_of_a_constraint_name_the_same_lines_and_numbers() -> None:
    """One that leaves out a row, or says even for odd, makes another puzzle."""
    patterns = (r"\d+", r"\b(?:no|two|three|four|five|six|seven|eight|odd|even)\b", r"\b(?:left|right|top|bottom) to")
    rng = stream("tests", "constraints")
    for kind in kinds_in(6, 6, True):
        said = set()
        for args in islice(drawn(kind, 6, 6, rng.child(kind)), 8):
            extra = constraint(kind, args, 6)
            assert extra is not None
            plain = extra.says("P", "Q")
            for voice in VOICES:
                text = extra.says("P", "Q", voice)
                said.add(text)
                for pattern in patterns[: 2 if text.endswith(" reversed.") else 3]:  # which says the direction without naming it
                    found, meant = (
                        {*re.findall(pattern, re.sub("none|zero", "no", each.lower()))}
                        for each in (text, plain.replace("from ", ""))
                    )
                    assert found == meant, (text, plain)
        assert len(said) >= 8 * 3, kind


def test_json_boards_are_json() -> None:
    """A board that says that it is JSON is read by no JSON reader."""
    found = 0
    for puzzle in puzzles("binario"):
        for number in VOICES:
            text = family_named("binario").render(spoken(number, puzzle))
            if start := re.search(r"^\[\[", text, re.M):
                rows = json.JSONDecoder().raw_decode(text[start.start() :])[0]
                assert len(rows) == puzzle.spec.params.rows
                found += 1
    assert found
