"""Coding and decoding: how is a word written in a code that examples show, or that is stated with its conditions?

  code    the code that the samples show, or that is stated, turns what is asked for into the answer
task says what is coded: "letters" - words become other letters, "numbers" - a number for each letter, "sums" - one number for
the word; "sentences" - words have code words, and sentences share some; "conditions" - letters have signs in a table, and
conditions change the code of some words. With decode a code is shown and the word is asked for.

The codes on words are a declared class (puzzlemill/rules/codes.py), and a puzzle is unique among all of them: every code that
fits the samples gives the same answer. The prompt says what a code can be. Of sentences, every way to share out the code words
counts. Drawn are: each kind of code evenly, with small keys; words evenly from a list. Samples with two readings are drawn again.
Source: coding-decoding in Indian civil service and banking exams, as in RiddleBench (appendix B.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from json import dumps
from typing import final

from puzzlemill import family as f
from puzzlemill.core.model import CaseTable, CodeTable, PhraseTable
from puzzlemill.core.pictures import FOUND, GIVEN, MARKED, text_picture
from puzzlemill.generators._coding import (
    MOST,
    ON_WORDS,
    TASKS,
    Answer,
    Board,
    CodingPuzzle,
    Form,
    Params,
    Restyled,
    Secret,
    samples,
    shown,
    sound,
    texts,
)
from puzzlemill.generators._coding_draw import DRAWS, of_sentences, on_words, renamed, with_conditions, words_of
from puzzlemill.generators._coding_text import Text
from puzzlemill.rules import codes, codes_space, conditions, phrases
from puzzlemill.rules.codes_check import one_code
from puzzlemill.rules.codes_draw import around, careless, misread
from puzzlemill.rules.conditions import SIGNS
from puzzlemill.vocabulary import coding as told
from puzzlemill.vocabulary.wordings import FIRST, LAST

FORM = Form()
_LISTED = (*ON_WORDS, "sentences")  # tasks with samples


class Samples(f.Clues[Params, Board]):
    """Words, or sentences, with their codes. Ids are s1, s2, ..."""

    lists_clues = True
    edits = 2  # samples that exchange a code word

    def listed(self, spec: f.Spec[Params]) -> bool:
        return spec.params.task in _LISTED

    def state(self, m: f.Constraints, spec: f.Spec[Params], board: Board, clue: f.Clue) -> None:
        phrases.state(m, clue, board.count, board.asked[0], spec.params.decode)

    def removal_order(self, draft: f.Draft[Params, Board, Secret | Answer, Answer], rng: f.Rng) -> list[int]:
        return []

    def kept(self, spec: f.Spec[Params]) -> int:
        return spec.params.samples

    def can_clash(self, spec: f.Spec[Params]) -> bool:
        return spec.params.task in _LISTED

    def exchanges(self, puzzle: CodingPuzzle, rng: f.Rng) -> Iterator[CodingPuzzle]:
        """Two sentences exchange a code word; or a word stands with two signs of its code exchanged, or in another code."""
        p, clues = puzzle.spec.params, puzzle.clues
        for attempt in range(60 * (len(clues) > 1)):
            here = rng.child(attempt)
            one, other = here.few(range(len(clues)), 2)
            if p.task == "sentences":
                changed = phrases.exchanged(clues, one, other, here)
            else:
                word, text = codes_space.pair_of(p.task, clues[one])
                wrong = misread(p.task, p.decode, word, text, here)
                clue = replace(clues[one], args=(clues[one].args[0], codes_space.coded(p.task, wrong))) if wrong else None
                changed = None if clue is None else [*clues[:one], clue, *clues[one + 1 :]]
            if changed is not None:
                yield puzzle.with_clues(changed)

    def alternatives(self, puzzle: CodingPuzzle, clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        """The sample's word in another code, or a code word of its sentence in place of another one."""
        yield from dict.fromkeys(self._alternatives(puzzle, clue, rng))

    def _alternatives(self, puzzle: CodingPuzzle, clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        for attempt in range(60):
            here = rng.child(attempt)
            if puzzle.spec.params.task == "sentences":
                words, names = phrases.phrase_of(clue, puzzle.board.count)
                other, at = here.below(puzzle.board.count), here.below(len(names))
                if other not in names:
                    yield replace(clue, args=(words, (*names[:at], other, *names[at + 1 :])))
            else:
                task, decode = puzzle.spec.params.task, puzzle.spec.params.decode
                word, text = codes_space.pair_of(task, clue)
                wrong = misread(task, decode, word, text, here)
                if wrong is not None:
                    yield replace(clue, args=(clue.args[0], codes_space.coded(task, wrong)))


class Options(f.Choices[Params, Board, Answer]):
    """What is asked for; of sentences it may be open."""

    noun = "code"

    def loosens(self, puzzle: CodingPuzzle) -> bool:
        return puzzle.spec.params.task == "sentences"

    def fair(self, puzzle: CodingPuzzle) -> bool:
        """Return whether a sample shows what is asked for."""
        p, (item, *_) = puzzle.spec.params, puzzle.board.asked
        sides = [phrases.phrase_of(clue, puzzle.board.count) for clue in puzzle.clues if p.task == "sentences"]
        return p.task != "sentences" or any(item in side[p.decode] for side in sides)

    def questions(self, puzzle: CodingPuzzle, rng: f.Rng) -> Iterator[tuple[int, ...]]:
        yield ()

    def says(self, puzzle: CodingPuzzle) -> str:
        return _question(puzzle)

    def domain(self, puzzle: CodingPuzzle) -> tuple[str, ...]:
        return FORM.tokens(puzzle) if puzzle.spec.params.task == "sentences" else ()

    def value(self, puzzle: CodingPuzzle, answer: Answer) -> str:
        return shown(puzzle, answer)

    def distractors(self, puzzle: CodingPuzzle, answer: Answer, rng: f.Rng) -> Iterator[str]:
        p, board = puzzle.spec.params, puzzle.board
        if p.task == "sentences":
            sides = [phrases.phrase_of(clue, board.count)[not p.decode] for clue in puzzle.clues]
            yield from [self.value(puzzle, (item,)) for item in phrases.mistaken(sides, rng)]
        elif p.task == "conditions":
            yield from [self.value(puzzle, signs) for signs in conditions.careless(board.codes, board.cases, board.asked, rng)]
        elif p.decode:
            shown_too = [codes_space.pair_of(p.task, clue)[0] for clue in puzzle.clues]
            words = [word for word in words_of(len(answer)) if word not in shown_too]
            for at in rng.shuffled(range(len(answer))):  # words with one letter in common: each could be asked for as well
                yield from [self.value(puzzle, word) for word in rng.shuffled(words) if word[at] == answer[at]]
        else:
            known = [codes_space.pair_of(p.task, clue) for clue in puzzle.clues]
            code = codes_space.explained(p.task, p.decode, known, board.asked)[0][0]
            made = around(board.asked, answer, rng) if p.task == "sums" else careless(p.task, code, p.order, board.asked, rng)
            yield from [self.value(puzzle, text) for text in made]


def _question(puzzle: CodingPuzzle) -> str:
    p, voice = puzzle.spec.params, puzzle.style.phrasing
    asked = shown(puzzle, puzzle.board.asked, asked=True)
    if p.task == "sentences" and p.decode:
        return f.pick(
            voice, f'What does "{asked}" mean?', f'Which word is written as "{asked}"?', f'What is the meaning of "{asked}"?'
        )
    if p.task == "sentences":
        return f.pick(
            voice, f'What is the code word for "{asked}"?', f'Which code word means "{asked}"?', f'How is "{asked}" written?'
        )
    if p.decode:
        return f.pick(
            voice, f"Which word is written as {asked}?", f"What word has the code {asked}?", f"Which word does {asked} stand for?"
        )
    return f.pick(
        voice,
        f"How is {asked} written in this code?",
        f"What is the code for {asked}?",
        f"What does {asked} become in this code?",
    )


# ---- other styles -------------------------------------------------------------------------------------------------------


def _paraphrased(puzzle: CodingPuzzle, rng: f.Rng) -> f.Style:
    now = puzzle.style.phrasing
    while True:
        voice = rng.between(FIRST, LAST) * (-1 if now < 0 else 1)
        if voice != now:
            return replace(puzzle.style, phrasing=voice)


def _named(puzzle: CodingPuzzle) -> list[str]:
    """The words of the puzzle, as remarks name them."""
    if puzzle.spec.params.task == "sentences":
        return [f'"{word}"' for word in texts(puzzle)[0]]
    return [word for word, _ in samples(puzzle, puzzle.clues)] or [shown(puzzle, puzzle.board.asked, asked=True)]


def _red_herring(puzzle: CodingPuzzle, rng: f.Rng) -> f.Style:
    remark = told.remark(rng.pick(_named(puzzle)), rng.child("remark"))
    return replace(puzzle.style, asides=((rng.below(len(puzzle.clues) + 1), remark),))


# ---- the family ---------------------------------------------------------------------------------------------------------


def _set(name: str, kind: f.Kind, relation: f.Relation, about: str, **values: int | bool | str) -> f.SetParam:
    return f.SetParam(name, kind, relation, f.Pairing.NONE, tuple(values.items()), about)


@final
class Coding(f.Family[Params, Board, Secret | Answer, Answer]):
    name, version, title = "coding", 1, "Coding and decoding"
    source = "coding-decoding of civil service and banking exams; tasks after RiddleBench"
    params, board, answer, form, clues, text = Params, Board, Answer, FORM, Samples(), Text()
    questions = (f.QuestionKind.WHOLE, f.QuestionKind.CHOICE)
    choices = Options()
    hypothesis_class = True
    transforms = (
        _set("decode", f.Kind.UE1, f.Relation.RULE, "a code is shown, and the word is to be found", decode=True),
        _set("reordered", f.Kind.IC2, f.Relation.RESIZE, "codes that change the order of the letters too", order="reordered"),
        _set("all_conditions", f.Kind.IC2, f.Relation.RULE, "every condition that holds is applied", chained=True),
        _set("letter_numbers", f.Kind.UE2, f.Relation.RULE, "numbers in place of letters", task="numbers"),
        Restyled("rename", renamed, ("sentences",), "other words and other code words"),
        Restyled("paraphrase", _paraphrased, TASKS, "the same puzzle in other words"),
        Restyled("red_herring", _red_herring, TASKS, "a remark that says nothing about the code"),
    )
    smallest = (
        f.Spec(Params("sentences", words=3, samples=3)),
        f.Spec(Params("sentences", True, words=4, samples=4)),
        f.Spec(Params("letters", letters=4)),
        f.Spec(Params("letters", True, letters=5, order="reordered")),
        f.Spec(Params("numbers", True, letters=4)),
        f.Spec(Params("sums", letters=4, samples=4)),
        f.Spec(Params("conditions", letters=4)),
        f.Spec(Params("conditions", letters=5, conditions=4, chained=True)),
    )
    worked = (
        ("coding\nFRAME = QEBDL\nBLOCK = KAPJB\nPRIDE = ?", "QOJDC", "RiddleBench (2510.24932), appendix B.1"),
        (
            "coding task=sentences\nred roses bloom = ka mo pi\nred birds sing = mo zi ta\nred = ?",
            "mo",
            "the usual form of exams, by hand: only one word and one code word stand in both sentences",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        p = spec.params
        if p.decode and p.task in ("sums", "conditions"):
            raise f.BadParams(f"coding.decode must be false where task is {p.task}; leave family.params.decode out")
        if p.samples < 3 and p.task in ("sums", "sentences"):
            raise f.BadParams(f"coding.samples must be 3 to 5 where task is {p.task}, got {p.samples}; set family.params.samples")
        if p.order != "any" and p.task not in ("letters", "numbers"):
            raise f.BadParams(f"coding.order must be any where task is {p.task}, got {p.order}; leave family.params.order out")
        if p.chained and (p.task != "conditions" or p.conditions < 2):
            raise f.BadParams("coding.chained needs task=conditions with 2 conditions or more; leave family.params.chained out")

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Secret:
        p = spec.params
        for attempt in range(DRAWS):
            here = rng.child(attempt)
            if p.task == "conditions":
                return with_conditions(p, here)
            secret = of_sentences(p, here) if p.task == "sentences" else on_words(p, here)
            if secret is not None:
                return secret
        raise f.Discarded("inapplicable", f"{DRAWS} draws gave no samples with one reading")

    def make_puzzle(
        self, spec: f.Spec[Params], hidden: Secret | Answer, rng: f.Rng
    ) -> f.Draft[Params, Board, Secret | Answer, Answer]:
        if not isinstance(hidden, Secret):
            raise f.BadRow("coding: an answer alone says nothing of its code")
        return f.Draft(self.puzzle(spec, hidden.clues, hidden.board), hidden.answer, hidden.answer)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more letter in each word; of sentences one more word."""
        p = spec.params
        if p.task == "sentences":
            return replace(spec, params=replace(p, words=p.words + 1)) if p.words < phrases.MOST else None
        return replace(spec, params=replace(p, letters=p.letters + 1)) if p.letters < MOST else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Board) -> f.Space | f.Constraints:
        p, named = spec.params, (self.name, self.version)
        board = sound(spec, board)
        if p.task == "sentences":
            return phrases.bare(board.count, board.asked[0])
        if p.task == "conditions":
            return conditions.Cases(named, board.codes, board.cases, p.chained, board.asked)
        return codes_space.Codes(named, p.task, p.decode, board.asked)

    def table(self, puzzle: CodingPuzzle) -> CodeTable | PhraseTable | CaseTable:
        p, board = puzzle.spec.params, sound(puzzle.spec, puzzle.board)
        if p.task == "conditions":
            return CaseTable(board.codes, conditions.SPECIAL, board.cases, p.chained, board.asked)
        if p.task == "sentences":
            said = tuple([phrases.phrase_of(clue, board.count) for clue in puzzle.clues])
            return PhraseTable(board.count, p.decode, said, board.asked[0])
        pairs = tuple([codes_space.pair_of(p.task, clue) for clue in puzzle.clues])
        return CodeTable(ON_WORDS.index(p.task), p.decode, pairs, board.asked)

    def broken_rules(self, puzzle: CodingPuzzle, answer: Answer, partial: bool = False) -> list[str]:
        p, board, sizes = puzzle.spec.params, puzzle.board, FORM.slots(puzzle.spec, puzzle.board)
        least = f.BLANK if partial else 0
        if not isinstance(answer, tuple) or len(answer) != len(sizes):
            return [f.MALFORMED]
        if not all(type(value) is int and least <= value < size for value, size in zip(answer, sizes, strict=True)):
            return [f.MALFORMED]
        if p.task == "conditions":
            right = [conditions.right(board.codes, board.cases, p.chained, board.asked, at) for at in range(len(answer))]
            return [] if all(mine in (f.BLANK, sign) for mine, sign in zip(answer, right, strict=True)) else ["code"]
        if p.task == "sentences":
            said = [phrases.phrase_of(clue, board.count) for clue in puzzle.clues]
            word, name = (answer[0], board.asked[0]) if p.decode else (board.asked[0], answer[0])
            return [] if phrases.possible(said, board.count, word, name) else ["code"]
        pair = (answer, board.asked) if p.decode else (board.asked, answer)
        known = [codes_space.pair_of(p.task, clue) for clue in puzzle.clues]
        return [] if one_code(p.task, p.decode, [*known, pair]) else ["code"]

    def symmetry(self, puzzle: CodingPuzzle) -> str:
        """Samples may stand in any order, and the code words of a sentence."""
        p, board = puzzle.spec.params, puzzle.board
        if p.task == "sentences":
            pairs = [phrases.phrase_of(clue, board.count) for clue in puzzle.clues]
            named = [
                [sorted([names[item] for item in side]) for side, names in zip(pair, board.names, strict=True)] for pair in pairs
            ]
            return dumps([p.decode, board.names[p.decode][board.asked[0]], sorted(named)])
        said = sorted([list(clue.args) for clue in puzzle.clues])
        cases = [board.codes, board.cases, p.chained] if p.task == "conditions" else []
        return dumps([p.task, p.decode, board.asked, said, sorted(board.codes), cases[1:]])

    # ---- text

    def render(self, puzzle: CodingPuzzle) -> str:
        p, board, voice = (
            puzzle.spec.params,
            sound(puzzle.spec, puzzle.board),
            f.Voice(self.name, puzzle.style.phrasing, self.title),
        )
        ask = "" if puzzle.question.kind is f.QuestionKind.CHOICE else _question(puzzle)
        known = {remark.format(A=name) for name in _named(puzzle) for remark in told.asides()} if puzzle.style.asides else set()
        if not all(text in known and 0 <= place <= len(puzzle.clues) for place, text in puzzle.style.asides):
            raise f.BadRow(f"style.asides: expected remarks about words of the puzzle, got {str(puzzle.style.asides)[:60]}")
        if p.task == "conditions":
            signs = [(codes.LETTERS[letter], SIGNS[sign]) for letter, sign in board.codes]
            cases = [told.case_text(case, len(board.asked), puzzle.style.phrasing) for case in board.cases]
            return told.tabled(signs, cases, [text for _, text in puzzle.style.asides], p.chained, voice, ask)
        return told.told(p.task, samples(puzzle, puzzle.clues_in_order()), puzzle.style.asides, p.decode, voice, ask)

    def describe(self, puzzle: CodingPuzzle, label: str) -> str:
        clue = puzzle.clue(label)
        if clue is not None:
            ((word, text),) = samples(puzzle, [clue])
            return f"{word} is written as {text}."
        if label == "code":
            return "One code holds throughout."
        raise f.BadRow(f"coding: {label[:40]!r} is no rule or sample; expected code, s1, s2, ...")

    def words(self, puzzle: CodingPuzzle) -> f.Words:
        names = texts(puzzle) if puzzle.spec.params.task == "sentences" else ((), ())
        return f.Words(
            cell=lambda item: names[0][item],
            value=lambda item: names[1][item],
            ids=tuple([clue.id for clue in puzzle.clues]),
            voice=puzzle.style.phrasing,
        )

    def draw(self, puzzle: CodingPuzzle, answer: Answer | None = None, marked: Collection[str] = ()) -> str:
        """The samples, or the table, and what is asked for, with the answer if it is given."""
        board = puzzle.board
        lines = []
        for clue, (word, text) in zip(puzzle.clues, samples(puzzle, puzzle.clues), strict=True):
            lines.append((f"{word} -> {text}".replace('"', ""), MARKED if clue.id in marked else GIVEN))
        if board.codes:
            lines.append((" ".join([codes.LETTERS[letter] for letter, _ in board.codes]), GIVEN))
            lines.append((" ".join([SIGNS[sign] for _, sign in board.codes]), GIVEN))
            lines += [(told.case_text(case, len(board.asked), puzzle.style.phrasing), GIVEN) for case in board.cases]
        asked = shown(puzzle, board.asked, asked=True)
        found = "?" if answer is None or set(answer) == {f.BLANK} else shown(puzzle, answer)
        lines.append((f"{found} -> {asked}" if puzzle.spec.params.decode else f"{asked} -> {found}", FOUND))
        return text_picture(lines)


FAMILY = Coding()
