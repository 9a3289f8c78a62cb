"""Cryptograms: brute force on small lists, what steps count, replies as text and as mapping, ciphers and their keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import Slots
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Rule, Spec, Status
from puzzlemill.factory.build import _draw
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.lazy import Truth, by_frequency, frequency_reply
from puzzlemill.factory.make import make
from puzzlemill.generators._cryptogram import Params
from puzzlemill.generators.cryptogram import FAMILY
from puzzlemill.rules import cryptograms, cryptograms_prompt
from puzzlemill.scoring.prompt import FORMATS, gold_reply, prompt
from puzzlemill.scoring.score import score
from puzzlemill.solvers.deduce import explain_all, grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines
from puzzlemill.transforms.clash import Clash
from puzzlemill.vocabulary import lexicon
from puzzlemill.vocabulary.wordings import FIRST, LAST

ENGINES = Engines(FAMILY)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SPECS = (
    Spec(Params()),
    Spec(Params(level="hard", lexicon="rare")),
    Spec(Params(1)),
    Spec(Params(), (Rule("apart"),)),
    Spec(Params(1, listed=True)),
)


@lru_cache(maxsize=64)
def draft(spec: Spec[Params], index: int) -> AnyDraft:
    return _draw(FAMILY, spec, stream("tests", "cryptogram", str(spec), index), ENGINES, False)


def parsed(text: str) -> AnyPuzzle:
    return FAMILY.text.parse(lines_of(text))


def by_engine(puzzle: AnyPuzzle, limit: int = 200) -> list[set[Slots]]:
    found = [ENGINES.finding(puzzle, engine, limit) for engine in ("kernel", "sat")]
    return [set(each.answers) for each in found]  # type: ignore[union-attr]


# ---- answers ------------------------------------------------------------------------------------------------------------


def brute(puzzle: AnyPuzzle) -> set[str]:
    """Every way to read each word as any word of the list."""
    board, found = puzzle.board, set()
    ciphers = list(dict.fromkeys("".join([sign if sign in LETTERS else " " for sign in board.text]).split()))
    for plain in product(board.words, repeat=len(ciphers)):
        pairs: dict[str, str] = {}
        fits = True
        for cipher, word in zip(ciphers, plain, strict=True):
            fits = fits and len(cipher) == len(word)
            for sign, letter in zip(cipher, word, strict=False):
                fits = fits and pairs.setdefault(sign, letter) == letter
        if fits and len(set(pairs.values())) == len(pairs):
            found.add("".join([pairs[letter].upper() for letter in board.letters]))
    return found


def test_all_answers_over_a_small_list_are_found() -> None:
    """A search that misses a reading proves a cryptogram unique that is not; brute force over lists of ten words tells."""
    rng, several = stream("tests", "cryptogram", "brute"), 0
    words = [word for word in lexicon.words("common", 1, 4) if not set(word) - set("aeinorst")]
    short = [word for word in words if len(word) < 4]
    for index in range(60):
        here = rng.child(index)
        listed = tuple(sorted(here.few(short if index % 2 else words, 10)))
        plain = " ".join(here.few(listed, 2 + index % 3)).upper()
        text = plain.translate(str.maketrans(LETTERS, "".join(here.child("key").shuffled(LETTERS))))
        puzzle = FAMILY.puzzle(Spec(Params(listed=True)), (), cryptograms.Board(text, "", listed))
        expected = {FAMILY.form.values(puzzle.spec, puzzle.board, answer) for answer in brute(puzzle)}
        assert by_engine(puzzle) == [expected, expected], text
        assert all(FAMILY.broken_rules(puzzle, FAMILY.form.assemble(puzzle.spec, puzzle.board, each)) == [] for each in expected)
        several += len(expected) > 1
    assert several > 20


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_the_two_searches_agree_with_and_without_letters(spec: Spec[Params]) -> None:
    """The kernel or the clauses read the lexicon, a revealed letter or the rule in another way."""
    for index in range(3):
        made = draft(spec, index)
        assert by_engine(made.puzzle) == [{FAMILY.form.values(spec, made.puzzle.board, made.answer)}] * 2
        for clue in made.puzzle.clues:
            fewer = made.puzzle.with_clues([other for other in made.puzzle.clues if other != clue])
            kernel, clauses = by_engine(fewer)
            assert len(kernel) == len(clauses) > 1
            assert kernel == clauses or len(kernel) == 200


def test_letters_stand_for_others_and_an_added_rule_is_needed() -> None:
    """A letter stands for itself, or a rule is in force that changes nothing."""
    for spec in SPECS:
        for index in range(4):
            made = draft(spec, index)
            steps = [abs(ord(a) - ord(b)) for a, b in zip(made.puzzle.board.letters, made.answer, strict=True)]
            assert min(steps) >= 1 + bool(spec.rules)
            if spec.rules:
                assert ENGINES.count(replace(made.puzzle, spec=spec.without_rule("apart"))) == 2
            if spec.params.level == "hard":
                assert not made.puzzle.clues and not made.puzzle.board.author
            words = {
                word.lower()
                for word in cryptograms.words_of(cryptograms.put(made.puzzle.board.text, made.puzzle.board.letters, made.answer))
            }
            assert words <= set(made.puzzle.board.words)


def test_one_text_in_two_ciphers_is_one_puzzle() -> None:
    """The same quotation enciphered anew in the test split is a leak that only the key can find."""
    made = draft(SPECS[0], 0)
    others = [stream("tests", "cryptogram", "again", n).shuffled(LETTERS) for n in range(5)]
    for other in others:
        text = made.puzzle.board.text.translate(str.maketrans(LETTERS, "".join(other)))
        again = replace(made.puzzle, board=replace(made.puzzle.board, text=text))
        assert again != made.puzzle
        assert canonical_key(FAMILY, again) == canonical_key(FAMILY, made.puzzle)
    assert len({canonical_key(FAMILY, draft(SPECS[0], index).puzzle) for index in range(12)}) == 12


def test_drafts_are_diverse() -> None:
    """Quotations or ciphers that come again and again can be learnt by heart."""
    texts = [
        cryptograms.put(made.puzzle.board.text, made.puzzle.board.letters, made.answer)
        for made in (draft(SPECS[2], n) for n in range(40))
    ]
    assert len(set(texts)) >= 38
    plain = [dict(zip(made.puzzle.board.letters, made.answer, strict=True)) for made in (draft(SPECS[2], n) for n in range(40))]
    assert len({key.get("E") for key in plain}) > 10


def test_the_lexicon_is_as_large_as_the_prompt_says() -> None:
    """A prompt that is wrong about the words makes a proof about other puzzles."""
    for band, (count, _) in cryptograms_prompt.BANDS.items():
        assert round(len(lexicon.words(band)), -3) == int(count.replace(",", ""))


# ---- deductions ---------------------------------------------------------------------------------------------------------


def fitting(puzzle: AnyPuzzle, cipher: str, known: dict[str, str], out: set[tuple[str, str]]) -> list[str]:
    """The words that fit, counted in the plainest way."""
    band = puzzle.spec.params.lexicon
    words = puzzle.board.words if puzzle.spec.params.listed else lexicon.words(band, len(cipher), len(cipher))
    found = []
    for word in words:
        pairs = set(zip(cipher, word.upper(), strict=False))
        if len(word) == len(cipher) and len(pairs) == len(set(cipher)) == len(set(word)):
            new = [(sign, letter) for sign, letter in pairs if sign not in known]
            free = not any(letter in known.values() for _, letter in new)
            if free and all(known.get(sign, letter) == letter for sign, letter in pairs) and not set(new) & out:
                found.append(word.upper())
    return found


def apart_of(puzzle: AnyPuzzle) -> set[tuple[str, str]]:
    near = {(a, b) for a, b in product(LETTERS, repeat=2) if abs(ord(a) - ord(b)) < 2}
    return near if puzzle.spec.rules else set()


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_steps_follow_and_what_they_count_is_so(spec: Spec[Params]) -> None:
    """A trace that says "3 words fit" where there are 5, or that leans on what it does not name."""
    for index in range(3):
        made = draft(spec, index)
        puzzle, letters = made.puzzle, made.puzzle.board.letters
        graded = grade(FAMILY, puzzle, made.answer)
        assert graded is not None
        assert wrong_step(FAMILY, puzzle, graded.steps) == ""
        assert len(graded.steps) < 80 and all(len(text) < 700 for text in explain_all(FAMILY, puzzle, graded.steps))
        ciphers, out = cryptograms.words_of(puzzle.board.text), apart_of(puzzle)
        known = {letters[slot]: LETTERS[value] for slot, value in (clue.ints() for clue in puzzle.clues)}
        for step in graded.steps:
            if step.technique in ("pattern_word", "last_word"):
                assert fitting(puzzle, ciphers[step.found.word], known, out) == [step.found.plain]
            elif step.technique in ("agreement", "narrowed", "ruled_out"):
                words = fitting(puzzle, ciphers[step.found.word], known, out)
                assert len(words) == step.found.count
                assert step.technique != "agreement" or list(step.found.few) in ([], words)
            elif step.technique == "crossing":
                for which, number in enumerate((step.found.one, step.found.other)):
                    words, at = fitting(puzzle, ciphers[number], known, out), ciphers[number].index(letters[step.found.slot])
                    assert len(words) == step.found.counts[which]
                    assert {word[at] for word in words} == set(step.found.letters[which].upper())
            elif step.technique in ("cases", "many_cases"):
                assert list(step.found.few) == fitting(puzzle, ciphers[step.found.word], known, out)
            known |= {letters[slot]: LETTERS[value] for slot, value in step.sets}
            out |= {(letters[slot], LETTERS[value]) for slot, value in step.drops}
        assert "".join([known[letter] for letter in letters]) == made.answer


def test_words_of_a_clash_have_no_reading_together() -> None:
    """An unsolvable cryptogram is told by words that do have a common reading, or by one word that no lexicon has."""
    for index in range(3):
        made = draft(SPECS[0], index)
        child = Clash().edit(FAMILY, made, stream("tests", "cryptogram", "clash", index), ENGINES)
        core = ENGINES.unsat_core(child.puzzle)
        words = cryptograms.words_of(child.puzzle.board.text)
        told = [words[int(label[1:]) - 1] for label in core if label[0] == "w"]
        assert len(told) + len([label for label in core if child.puzzle.clue(label)]) > 1
        assert all(FAMILY.describe(child.puzzle, label).endswith(".") for label in core)
        clues = [clue for clue in child.puzzle.clues if clue.id in core]
        text = " ".join(told)
        mine = cryptograms.letters_of(text)
        moved = [replace(clue, args=(mine.index(clue.id), clue.args[1])) for clue in clues if clue.id in mine]
        alone = replace(child.puzzle, board=replace(child.puzzle.board, text=text)).with_clues(moved)
        assert ENGINES.count(alone, 1) == 0
        for word in told:
            fewer = " ".join([other for other in told if other != word])
            mine = cryptograms.letters_of(fewer)
            moved = [replace(clue, args=(mine.index(clue.id), clue.args[1])) for clue in clues if clue.id in mine]
            if fewer:
                assert ENGINES.count(replace(child.puzzle, board=replace(child.puzzle.board, text=fewer)).with_clues(moved), 1)
        graded = grade(FAMILY, child.puzzle, None)
        assert graded is not None and wrong_step(FAMILY, child.puzzle, graded.steps) == ""


# ---- replies ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def row(reply_format: str, *transforms: str) -> dict[str, Any]:
    return make("cryptogram", seed="tests", transforms=transforms, reply_format=reply_format, revealed=3)


def told(reply_format: str, text: str = "", mapping: dict[str, str] | None = None) -> str:
    pairs = mapping or {}
    if reply_format == "json":
        parts = [f'"answer": "{text}"'] * bool(text)
        parts += ['"mapping": {' + ", ".join([f'"{a}": "{b}"' for a, b in pairs.items()]) + "}"] * bool(pairs)
        return "{" + ", ".join(parts) + "}"
    listed = ", ".join([f"{a} = {b}" for a, b in pairs.items()])
    if reply_format == "tags":
        return f"<answer>{text}</answer>" * bool(text) + f"\n<mapping>{listed}</mapping>" * bool(pairs)
    if reply_format == "boxed":
        return f"\\boxed{{{text or listed}}}"
    return f"| {text} |" if text else "\n".join([f"| {a} | {b} |" for a, b in pairs.items()])


@pytest.mark.parametrize("reply_format", FORMATS)
@pytest.mark.parametrize("transforms", [(), ("numbers",)])
def test_replies_as_text_mapping_or_both(reply_format: str, transforms: tuple[str, ...]) -> None:
    """A right reply in one of the ways that the prompt names is not paid, or two that contradict each other are."""
    one = row(reply_format, *transforms)
    puzzle, answer = loads(puzzle_type(FAMILY), one["puzzle"]), loads(str, one["answer"])
    board = puzzle.board
    plain = cryptograms.put(board.text, board.letters, answer)
    shown = [puzzle.style.symbols[LETTERS.index(letter)] for letter in board.letters]
    mapping = dict(zip(shown, answer, strict=True))
    right = [plain, plain.lower(), plain.replace(".", ""), f"{plain} - {board.author}", "".join(filter(str.isalpha, plain))]
    for text in right:
        assert score(told(reply_format, text), one).solved, text
    assert score(told(reply_format, mapping=mapping), one).solved
    wrong = mapping | {shown[0]: answer[1], shown[1]: answer[0]}
    verdict = score(told(reply_format, mapping=wrong), one)
    assert not verdict.solved and 0 < verdict.subtask < 1
    if reply_format in ("json", "tags"):
        assert score(told(reply_format, plain, mapping), one).solved
        assert score(told(reply_format, plain, dict(list(mapping.items())[:5])), one).solved
        assert score(told(reply_format, plain, wrong), one).why == "unreadable"
    assert score(gold_reply(puzzle, answer, reply_format), one).solved
    if reply_format == "json":  # a list of letters in one string is a text with signs between its letters
        assert score(json.dumps({"answer": json.dumps(list(filter(str.isalpha, plain)))}), one).solved
    for voice in (0, FIRST, -FIRST, 5 - LAST):
        spoken = replace(puzzle, style=replace(puzzle.style, phrasing=voice))
        assert prompt(spoken, reply_format).count("mapping") >= 1


@pytest.mark.parametrize("reply_format", FORMATS)
def test_letters_in_disguise_are_not_read(reply_format: str) -> None:
    """Signs that are not seen, or other letters that fold to those of the answer, are taken for it."""
    one = row(reply_format)
    puzzle, answer = loads(puzzle_type(FAMILY), one["puzzle"]), loads(str, one["answer"])
    board = puzzle.board
    plain = cryptograms.put(board.text, board.letters, answer)
    assert "S" in plain and score(told(reply_format, f"\u201c{plain}\u201d \u2014 {board.author}"), one).solved
    hidden = [f"{plain[:3]}{sign}{plain[3:]}" for sign in "\u200b\u202e\u00ad\u2066\u0301\x7f"]
    for text in (*hidden, plain.replace("S", "\u017f"), "".join([chr(ord(ch) + 0xFEE0 * ch.isalpha()) for ch in plain])):
        verdict = score(told(reply_format, text), one)
        assert (verdict.solved, verdict.why) == (False, "unreadable"), ascii(text)
    mapping = dict(zip(board.letters, answer, strict=True))
    letter = next(letter for letter, becomes in mapping.items() if becomes == "S")
    for other in ("\u017f", "\u200bS", "S\u0301", "\uff33"):
        verdict = score(told(reply_format, mapping=mapping | {letter: other}), one)
        assert not verdict.solved, ascii(other)


def test_partial_credit_is_of_letters_that_are_not_revealed() -> None:
    """A reply that repeats what the puzzle shows, or lists letters or words, earns something."""
    one = row("json")
    puzzle, answer = loads(puzzle_type(FAMILY), one["puzzle"]), loads(str, one["answer"])
    board, given = puzzle.board, {board_letter(puzzle, clue.id) for clue in puzzle.clues}
    known = {letter: plain for letter, plain in zip(board.letters, answer, strict=True) if letter in given}
    assert len(known) >= 3
    assert score(told("json", mapping=known), one).subtask == 0
    hidden = [letter for letter in board.letters if letter not in given]
    some = known | {letter: dict(zip(board.letters, answer, strict=True))[letter] for letter in hidden[:4]}
    assert score(told("json", mapping=some), one).subtask == pytest.approx(4 / len(hidden))
    everything = " ".join(lexicon.words("known"))
    for reply in (LETTERS, everything, everything[:90_000], "".join([letter * 8 for letter in LETTERS])):
        assert score(told("json", reply), one).subtask == 0
    # the same letter of the cipher read in two ways is no reading of it
    twice = next(letter for letter in hidden if board.text.count(letter) > 1)
    plain = list(cryptograms.put(board.text, board.letters, answer))
    plain[board.text.index(twice)] = "Z" if plain[board.text.index(twice)] != "Z" else "Y"
    verdict = score(told("json", "".join(plain)), one)
    assert not verdict.solved and verdict.subtask == pytest.approx(1 - 1 / len(hidden))


def board_letter(puzzle: AnyPuzzle, label: str) -> str:
    clue = puzzle.clue(label)
    assert clue is not None
    return str(puzzle.board.letters[clue.args[0]])


def test_letters_by_frequency_solve_nothing() -> None:
    """Whoever replaces letters by how often they occur is right now and then: then uniqueness says little."""
    shares = []
    for index in range(20):
        made = draft(SPECS[2], index)
        reply = frequency_reply(made.puzzle)
        assert len(set(reply)) == len(reply)
        assert by_frequency(FAMILY, made.puzzle, Truth(made.answer)) == 0
        open_ = [slot for slot in range(len(reply)) if slot not in FAMILY.clues.given_slots(made.puzzle)]
        shares.append(sum([reply[slot] == made.answer[slot] for slot in open_]) / len(open_))
    assert sum(shares) / len(shares) < 0.3


# ---- input --------------------------------------------------------------------------------------------------------------


def file_of(folder: Path, *lines: str) -> str:
    path = folder / f"{len(lines[0])}.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def drawn_from(source: str, **params: Any) -> Iterator[AnyDraft]:
    spec = Spec(Params(source=source, **params))
    FAMILY.validate(spec)
    yield from (_draw(FAMILY, spec, stream("tests", "cryptogram", "file", n), ENGINES, False) for n in range(3))


def test_quotations_of_a_users_file(tmp_path: Path) -> None:
    """Accents, apostrophes and the author's line come through by one rule, or the file is refused where it is wrong."""
    source = file_of(
        tmp_path, "The old résumé keeps its doors open for every guest that comes; nobody was ever sent away again.\tAnn Own"
    )
    for made in drawn_from(source):
        plain = cryptograms.put(made.puzzle.board.text, made.puzzle.board.letters, made.answer)
        assert "RESUME" in plain and made.puzzle.board.author == "Ann Own"
    with pytest.raises(BadParams, match="lexicon's band"):
        list(drawn_from(file_of(tmp_path, "Brzzl frobnicates the whole gnarlboot all night long without an end.\tAnn Own")))
    with pytest.raises(BadFile, match="No such file"):
        list(drawn_from(str(tmp_path / "nothing.txt")))
    with pytest.raises(BadParams, match="letters"):
        list(drawn_from(file_of(tmp_path, "Too short.\tAnn Own")))
    several = file_of(tmp_path, "The cat sat with a big hat on a mat and the dog sat on it too.\tAnn Own")
    with pytest.raises(BadParams, match=r"no quotation of .* is long enough for one answer.*level=easy"):
        list(drawn_from(several, sentences=1, level="hard"))
    assert all(made.puzzle.clues for made in drawn_from(several, sentences=1))


@pytest.mark.parametrize(
    "text",
    [
        "cryptogram\ntext: QXB\nknown: QX=E",
        "cryptogram\ntext: " + "QXB " * 600,
        "cryptogram\ntext: QXB\nauthor: " + "x" * 100,
        "cryptogram lexicon=listed\ntext: QXB\nwords: th3",
        "cryptogram",
    ],
)
def test_texts_that_are_no_cryptograms(text: str) -> None:
    """A text without a meaning is proved, or fails without saying where."""
    with pytest.raises(BadInput, match="line"):
        parsed(text)


def test_statuses_of_texts() -> None:
    """check proves what is written down: one answer, several, or none."""
    cases = {
        "cryptogram lexicon=listed\ntext: C BCD CR C ECR\nwords: a at bat man mat": 1,
        "cryptogram lexicon=listed\ntext: C BCD CR C ECR\nwords: a at bat ham man mat": 2,
        "cryptogram lexicon=listed\ntext: C BCD CR C ECR\nknown: B=T\nwords: a at bat man mat": 0,
        "cryptogram\ntext: QXBBX": 2,
        "cryptogram\ntext: QQQQQQ": 0,
    }
    for text, expected in cases.items():
        assert [len(each) for each in by_engine(parsed(text), 2)] == [expected] * 2
    assert Status.UNSOLVABLE.value == row("json", "clash")["status"]
