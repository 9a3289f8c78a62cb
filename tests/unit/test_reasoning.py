"""Worked replies: whatever the voice and the form, they hold the trace, end as the prompt asks, and try nothing that is right."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.rng import stream
from puzzlemill.envs.columns import process, sft
from puzzlemill.factory.build import build_group
from puzzlemill.factory.reasoning import BY_VOICE, LAID, Options, length, quantiles, reasoning, tokens, voices
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.factory.writer import traces_of
from puzzlemill.generators import family_named
from puzzlemill.scoring.score import score
from puzzlemill.solvers.deduce import explain_all, grade, supposition
from puzzlemill.solvers.deduce.check import wrong_step
from strategies import unwanted

SIZES: dict[str, tuple[tuple[str, tuple[int, ...]], ...]] = {
    "binario": (("rows", (6,)), ("cols", (6,))),
    "kakurasu": (("rows", (5,)), ("cols", (5,))),
    "hitori": (("rows", (5,)), ("cols", (5,))),
}
TRIED: dict[str, tuple[tuple[str, tuple[int, ...]], ...]] = {
    "sudoku": (("size", (6,)),),
    "skyscraper": (("size", (4,)),),
    "minesweeper": (("rows", (6,)), ("cols", (6,)), ("mines", (7,))),
    "zebra": (("positions", (4,)), ("attributes", (3,))),
}
UNTIDY = re.compile(r"  | ,|,,|\w\.\.|[{}?]|-1\b")


@pytest.fixture(scope="module")
def rows() -> dict[str, dict[str, Any]]:
    """A solvable row of each."""
    found = {}
    for name, params in {**SIZES, **TRIED}.items():
        part = Stratum(name, params=params, counts=(("train", 1),))
        found[name] = build_group(Recipe("small", "reasoning", (part,)), part, "train", 0).rows[0]
    return found


def as_ids(row: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """The row under other ids, which draw other voices."""
    return [{**row, "id": f"{row['family']}-{i}"} for i in range(count)]


def refuted(row: dict[str, Any]) -> dict[str, Any]:
    """The row as one without a solution would be: a contradiction is its last step."""
    last = {**row["trace"][-1], "conclusion": '{"sets":[],"drops":[]}', "text": "Row 1 has four 0s. So there is no answer."}
    proof = {**row["proof"], "sentences": ["Row 1 column 1 holds 0.", "Row 1 column 1 holds 1."]}
    return {**row, "answer": None, "trace": [*row["trace"][:-1], last], "proof": proof, "gold_reply": '{"solvable": false}'}


def test_there_are_many_voices_and_each_is_drawn(rows: dict[str, dict[str, Any]]) -> None:
    """Failing means that replies of a data set sound alike."""
    assert len({voice.name for voice in voices()}) == len(voices()) >= 8
    drawn = [reasoning(row) for row in as_ids(rows["binario"], 200)]
    assert {each.voice for each in drawn} == {voice.name for voice in voices()}
    assert drawn[0] == reasoning(as_ids(rows["binario"], 1)[0])
    assert len({each.text.split("\n")[0] for each in drawn}) >= 20
    for voice in voices():
        assert 8 <= voice.recap <= 15 and voice.form in LAID
        assert all("the puzzle has no solution" in text for text in voice.none)
        assert all("{fact}" in text for text in voice.trying) and all("{not}" in text for text in voice.back)
        assert all("{open}" in text for text in voice.recaps)


def test_names_of_cells_and_boxes_are_explained(rows: dict[str, dict[str, Any]]) -> None:
    """Failing means that r2c3 or box 4 stands in a reply, and nothing says which that is; or that a sentence follows a colon."""
    row = rows["sudoku"]
    for each in [*as_ids(row, 60), *as_ids({**row, "trace": row["trace"][:1]}, 20)]:
        first = reasoning(each).parts[0].text
        assert "r2c3" in first and re.search(r"(?i)\bbox(?:es)?\b", first) and not re.search(r":\W+[A-Z]", first), first
        assert not [text for text in (row["trace"][0]["text"],) if text in first]
    assert "r2c3" not in reasoning(rows["binario"]).text and not reasoning(rows["zebra"]).parts[0].text.startswith("By r2c3")


@pytest.mark.parametrize("form", [BY_VOICE, *LAID])
@pytest.mark.parametrize("name", SIZES)
def test_every_step_is_told_in_its_order(rows: dict[str, dict[str, Any]], name: str, form: str) -> None:
    """Failing means that a model would learn replies that skip a step, end wrongly or score nothing."""
    for row in as_ids(rows[name], 24):
        text = reasoning(row, Options(form, wrong_suppositions=0)).text
        place = 0
        for step in row["trace"]:
            said = step["text"]
            place = text.casefold().index(said.casefold(), place) + len(said)
        assert score(sft(row, Options(form))[1]["content"], row).score == 1.0
        assert not {"{n}", "{open}", "{fact}", "{not}"} & set(re.findall(r"\{\w+\}", text))
        none = reasoning(refuted(row), Options(form, wrong_suppositions=100))
        assert "no answer" not in none.text and none.text.endswith("the puzzle has no solution.")
        assert none.text.count("the puzzle has no solution") == 1 and not none.tried


def test_boards_stand_between_the_steps_and_are_true(rows: dict[str, dict[str, Any]]) -> None:
    """Failing means that a recap shows what is not known yet, or something else than the answer."""
    row = rows["binario"]
    answer = [[str(v) for v in line] for line in json.loads(row["answer"])]
    shown = 0
    for each in as_ids(row, 40):
        before = -1
        for part in reasoning(each).parts:
            if part.kind == "recap":
                board = [line.split() for line in part.text.split("\n")[1:]]
                assert [len(line) for line in board] == [6] * 6
                signs = [sign for line in board for sign in line]
                assert all(sign in (".", right) for sign, right in zip(signs, chain(*answer), strict=True))
                known = 36 - signs.count(".")
                assert before < known < 36
                before, shown = known, shown + 1
    assert shown > 20


@pytest.mark.parametrize("name", [*SIZES, *TRIED])
def test_what_is_tried_is_wrong_and_its_refutation_follows(rows: dict[str, dict[str, Any]], name: str) -> None:
    """Failing means that a right value is taken back, or that a refutation leans on what it does not name."""
    row = rows[name]
    family = family_named(name)
    puzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    answer = family.form.values(puzzle.spec, puzzle.board, loads(family.answer, row["answer"], "answer"))
    graded = grade(family, puzzle, loads(family.answer, row["answer"], "answer"))
    assert graded is not None
    found = [supposition(family, puzzle, graded.steps, stream(name, i)) for i in range(30)]
    tried = [each for each in found if each is not None]
    assert len(tried) >= 10
    for each in tried[:10]:
        assert [answer[slot] == value for slot, value in each.step.sets] + [
            answer[slot] != value for slot, value in each.step.drops
        ] == [True]
        assert all(not use.startswith("#") or int(use[1:]) <= each.after for use in each.step.uses)
        assert wrong_step(family, puzzle, [*graded.steps, each.step]) == ""
        assert 2 <= len(each.story) <= 5
        assert not [text for text in (each.fact, *each.story, each.back) if UNTIDY.search(text) or unwanted(text)]
        assert wrong_step(family, puzzle, [*graded.steps, replace(each.step, uses=())]) != ""
    shares = [
        sum(reasoning(other, Options(wrong_suppositions=share)).tried for other in as_ids(row, 60)) for share in (0, 30, 100)
    ]
    assert shares[0] == 0 < shares[1] < shares[2]


@pytest.mark.parametrize("name", [*SIZES, *TRIED])
def test_what_leads_over_to_a_step_fits_it(rows: dict[str, dict[str, Any]], name: str) -> None:
    """Failing means joins that say what is not so ("in the same way"), that no person would write, or that repeat themselves."""
    by_name = {voice.name: voice for voice in voices()}
    led = 0
    for row in as_ids(rows[name], 60):
        found = reasoning(row, Options("prose", wrong_suppositions=0))
        voice, steps = by_name[found.voice], [part for part in found.parts if part.kind == "step"]
        for number, (before, part) in enumerate(zip(steps, steps[1:], strict=False), 1):
            if not part.lead:
                continue
            led += 1
            assert part.lead != before.lead and not re.match(r"Where |Look |Suppose |Assume |Imagine ", part.text)
            if part.lead in voice.so:
                assert f"#{number}" in row["trace"][number]["uses"]
            elif part.lead in voice.same:
                assert row["trace"][number]["technique"] == row["trace"][number - 1]["technique"]
            assert not (part.lead.endswith(", ") and part.text.startswith(("In ", "By ", "With ", "Since ", "Because ", "For ")))
        assert not unwanted(found.text), found.text
        assert not re.search(r"(?:, |\bNow |\bThen )(?:Row|Column|The|In|Only|No|Between) ", found.text), found.text
    assert led > (40 if name in SIZES else 0)


def test_a_form_that_is_asked_for_is_not_belied() -> None:
    """Failing means that paragraphs begin with "A table of the deductions:"."""
    for voice in voices():
        said = [*voice.openings, *voice.filling, *voice.endings, *voice.none, *voice.recaps]
        assert voice.bound or not [text for text in said if re.search(r"\b(?:table|worksheet|sheet|list)\b", text)], voice.name
        assert not [text for each in (said, voice.trying, voice.back, voice.checking) for text in each if unwanted(text)]
        assert not voice.linked or (len(voice.links) >= 6 and len(voice.same) >= 3 and len(voice.so) >= 3)
        assert all(re.search(r"[:,] \Z|\b(?:Now|now|Then) \Z", text) for text in (*voice.links, *voice.same, *voice.so))


def test_traces_are_measured_as_exports_cut_them(rows: dict[str, dict[str, Any]]) -> None:
    """Failing means that a card counts other rows as too long than an export leaves without reasoning."""
    for name in SIZES:
        row = rows[name]
        size = tokens("\n".join([step["text"] for step in row["trace"]]))
        for cap in range(0, 2 * size, max(1, size // 25)):
            assert length(row, Options(trace_tokens=cap)) == (size, reasoning(row, Options(trace_tokens=cap)).cut == "none")
    assert length({**rows["binario"], "trace": []}, Options()) == (0, False)
    made = traces_of([("zebra", {(40, False): 2, (0, False): 3}), ("zebra", {(9_000, True): 1}), ("kumo", {})])
    assert made == {"zebra": {"replies": 3, "p50": 40, "p95": 9_000, "most": 9_000, "too_long": 1, "without": 3}}


def test_labels_are_false_for_what_is_tried_alone(rows: dict[str, dict[str, Any]]) -> None:
    """Failing means that a reward model learns that a right step is wrong, or a wrong one right."""
    seen = False
    for row in as_ids(rows["binario"], 12):
        made = process(row, Options("process", wrong_suppositions=100))
        assert made["completions"][-1] == row["gold_reply"] and made["prompt"] == row["prompt"]
        assert len(made["completions"]) == len(made["labels"]) == len(made["parts"])
        assert [not label for label in made["labels"]] == [part == "wrong" for part in made["parts"]]
        told = {text for text, part in zip(made["completions"], made["parts"], strict=True) if part == "step"}
        assert told <= {step["text"] for step in row["trace"]}
        if "wrong" in made["parts"]:
            first = made["parts"].index("wrong")
            assert made["parts"][first:].index("taken back") >= 3
            seen = True
    assert seen


def test_a_cap_gives_a_shorter_proof_or_none(rows: dict[str, dict[str, Any]]) -> None:
    """Failing means that a reply is longer than was asked for, or cut off in the middle."""
    row = rows["kakurasu"]
    whole = reasoning(row)
    assert whole.cut == "" and whole.tokens == tokens(whole.text)
    cuts = {}
    for most in range(0, whole.tokens + 8, 8):
        found = reasoning(row, Options(trace_tokens=most))
        assert found.tokens <= most
        cuts[found.cut] = found.tokens
    assert list(cuts) == ["none", "short", ""] and cuts["none"] == 0
    clash = refuted(row)
    found = reasoning(clash, Options(trace_tokens=60))
    assert found.cut == "core" and found.text.startswith("Row 1 column 1 holds 0. Row 1 column 1 holds 1. ")
    assert reasoning(clash, Options(trace_tokens=5)).text == ""
    assert sft(row, Options(trace_tokens=0))[1]["content"] == row["gold_reply"]
    untold = {**row, "trace": [{**each, "technique": "long_look_ahead"} for each in row["trace"]]}
    assert (reasoning(untold).text, reasoning(untold).cut) == ("", "none")
    assert (length(row, Options())[1], length(untold, Options())[1]) == (False, True)


def test_a_trace_that_names_other_steps_is_numbered(rows: dict[str, dict[str, Any]]) -> None:
    """Failing means that "step 2" refers to nothing."""
    row = rows["binario"]
    cited = {**row["trace"][2], "text": "Row 1 column 1 holds 0 (step 2)."}
    row = {**row, "trace": [*row["trace"][:2], cited, *row["trace"][3:]]}
    for each in as_ids(row, 30):
        found = reasoning(each, Options(wrong_suppositions=100))
        line = next(line for line in found.text.split("\n") if "(step 2)" in line)
        assert re.match(r"\W*(Step )?3\b", line), line


def test_a_board_that_a_step_draws_keeps_its_lines(rows: dict[str, dict[str, Any]]) -> None:
    """Failing means that the rows of a board run together, or that it is left out."""
    row = rows["binario"]
    drawn = {**row["trace"][2], "text": "This board fits too:\n- X\nX -\nEvery number is right."}
    for each in as_ids({**row, "trace": [*row["trace"][:2], drawn, *row["trace"][3:]]}, 24):
        for found in (reasoning(each), reasoning(each, Options("table")), reasoning(each, Options("bullets"))):
            assert "This board fits too:" in found.text and "\n\n- X\nX -\nEvery number is right.\n\n" in found.text
        assert drawn["text"] in process(each)["completions"]


def test_families_without_slots_and_long_steps_are_told(rows: dict[str, dict[str, Any]]) -> None:
    """Failing means that traces of moves or of statements raise instead of being told."""
    part = Stratum("hanoi", params=(("disks", (3,)),), counts=(("train", 1),))
    row = build_group(Recipe("small", "w", (part,)), part, "train", 0).rows[0]
    assert reasoning({**row, "trace": []}).cut == "untold" and reasoning({**row, "trace": []}).text == ""
    text = "The largest disk first. " * 25
    step = {"step": 1, "uses": [], "technique": "subgoal", "conclusion": '{"sets":[],"drops":[]}', "text": text}
    for each in as_ids({**row, "trace": [step] * 20}, 24):
        found = reasoning(each)
        assert found.text.count("largest disk first") == 500 and not any(part.kind == "recap" for part in found.parts)


@pytest.mark.parametrize("name", SIZES)
def test_every_wording_is_tidy(rows: dict[str, dict[str, Any]], name: str) -> None:
    """Failing means that a voice leaves signs of a template, or a sentence without an end."""
    row = rows[name]
    family = family_named(name)
    puzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    graded = grade(family, puzzle, loads(family.answer, row["answer"], "answer"))
    assert graded is not None
    texts = {}
    for voice in range(25):
        said = explain_all(family, replace(puzzle, style=replace(puzzle.style, phrasing=voice)), graded.steps)
        assert not [text for text in said if UNTIDY.search(text) or not text.endswith(".") or not text[0].isupper()]
        assert not [text for text in said if len(text) > 600]
        texts[voice] = said
    assert len({re.sub(r"\d+", "0", said[0]) for said in texts.values()}) >= 3
    assert puzzle.style.phrasing or texts[0] == [step["text"] for step in row["trace"]]


@pytest.mark.parametrize("name", ["binario", "kakurasu", "hitori", "skyscraper", "sudoku", "zebra"])
def test_checks_of_an_answer_are_sentences_with_its_values(name: str) -> None:
    """Failing means that a worked reply ends without a check, or with one of another answer."""
    family = family_named(name)
    example = family.examples()[0]
    said = family.checks(example.puzzle, example.answer)
    assert name == "zebra" or len(said) >= 4
    assert all(text.endswith(".") and not re.search(r"  | \.", text) for text in said)
    if name == "kakurasu":
        assert all(
            re.fullmatch(r"(Row|Column) \d+: (?:.* = \d+|\d+ alone|no chosen cell, which makes 0), as required\.", text)
            for text in said
        )


def test_options_are_bounded() -> None:
    for wrong in ({"form": "song"}, {"trace_tokens": -1}, {"wrong_suppositions": 101}):
        with pytest.raises(BadParams):
            Options(**wrong)  # type: ignore[arg-type]
    assert quantiles([1, 3, 5, 9]) == {"replies": 4, "p50": 3, "p95": 9, "most": 9}
    assert quantiles([]) == {"replies": 0}
