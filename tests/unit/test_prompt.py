"""Prompts' frames, gold replies and reply schemas."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from puzzlemill.core.errors import BadInput, BadParams
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import Column, Layout, QuestionKind
from puzzlemill.scoring.parse import parse
from puzzlemill.scoring.prompt import (
    FORMATS,
    NONE,
    answer_example,
    gold_reply,
    instructions,
    numeric,
    prompt,
    reply_schema,
    spelled,
)
from puzzlemill.vocabulary.wordings import FIRST, Voice
from rows import coin_row, coins, doubted, drafts
from strategies import every_family

FIELDS = Layout((Column("disk", ("1", "2")), Column("to", ("A", "B C"))), 1, 9, False, "Give one row per move.")
GRID = Layout((Column("a", ("x", "y")), Column("b", ("x", "y"))), 3, 3, True, "Give one row per line.")

TEXT = Layout(tuple([Column(f"letter {i}", ("A", "B", "C")) for i in (1, 2, 3, 4)]), 1, 1, True, "Give the word.", "word")

FRAMES = {
    "json": "Give one row per move. End your reply with a JSON object of this form (any number of rows of 2 values):\n"
    '{"answer": [[<disk>, "<to>"], ...]}',
    "tags": "Give one row per move. End your reply with the answer between <answer> and </answer> "
    '(any number of rows of 2 values, one row per line, values separated by "|"):\n'
    "<answer>\n<disk> | <to>\n...\n</answer>",
    "boxed": "Give one row per move. End your reply with the answer in \\boxed{} "
    '(any number of rows of 2 values, rows separated by semicolons, values separated by "|"):\n'
    "\\boxed{<disk> | <to>; ...}",
    "table": "Give one row per move. End your reply with the answer as a table without a heading "
    "(any number of rows of 2 values, one row per line):\n| <disk> | <to> |\n...",
}
LAST = "\n\nIf you give more than one answer, the last complete one counts."


@pytest.mark.parametrize("reply_format", FORMATS)
def test_the_frame_of_every_format(reply_format: str) -> None:
    """Models are told another form than the one that is read."""
    assert instructions(FIELDS, reply_format, False) == FRAMES[reply_format] + LAST


def test_the_frame_of_a_grid_says_how_many_rows_and_values() -> None:
    """A model must guess the size of the answer."""
    told = instructions(GRID, "tags", False)
    assert "(3 rows of 2 values, one row per line, values separated by spaces):\n<answer>\n? ?\n...\n</answer>" in told


@pytest.mark.parametrize(
    ("reply_format", "form", "gold"),
    [
        ("json", 'a JSON object of this form (4 letters):\n{"answer": "<word>"}\n', '{"answer": "ABCA"}'),
        ("tags", "between <answer> and </answer> (4 letters):\n<answer>\n<word>\n</answer>\n", "<answer>\nABCA\n</answer>"),
        ("boxed", "in \\boxed{} (4 letters):\n\\boxed{<word>}\n", "\\boxed{ABCA}"),
        ("table", "as a table without a heading (4 letters):\n| <word> |\n", "| ABCA |"),
    ],
)
def test_a_text_is_asked_for_as_a_text(reply_format: str, form: str, gold: str) -> None:
    """A model must spell a word letter by letter, or copies a form that is read as an answer."""
    told = instructions(TEXT, reply_format, False)
    assert form in told
    assert told.startswith("Give the word. End your reply with ")
    assert spelled((("A", "B", "C", "A"),), TEXT, reply_format) == gold
    assert parse(gold, TEXT, reply_format, False).rows == (("A", "B", "C", "A"),)
    assert not parse(told, TEXT, reply_format, False).complete
    assert '{"solvable": true, "answer": "<word>"}' in instructions(TEXT, "json", True)


@pytest.mark.parametrize(
    ("reply_format", "how"),
    [
        ("json", '{"solvable": false}'),
        ("tags", "<answer>no solution</answer>"),
        ("boxed", "\\boxed{no solution}"),
        ("table", "| no solution |"),
    ],
)
def test_doubt_is_told_with_the_words_that_count(reply_format: str, how: str) -> None:
    """A model that sees that there is no solution cannot say so."""
    told = instructions(GRID, reply_format, True)
    assert f"The puzzle may have no solution. If it has none, end your reply with this instead:\n{how}\n" in told
    assert "no solution" not in instructions(GRID, reply_format, False)
    assert parse(how, GRID, reply_format, True).unsolvable


def test_the_form_shown_has_the_keys_that_the_schema_requires() -> None:
    """A model that keeps to the form shown misses the schema of its own row, and the gold reply has another form."""
    assert '\n{"solvable": true, "answer": [["?", "?"], ...]}\n' in instructions(GRID, "json", True)
    assert '\n{"answer": [["?", "?"], ...]}\n' in instructions(GRID, "json", False)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_the_form_shown_is_no_answer(reply_format: str) -> None:
    """Copying the prompt's example would be read as an answer."""
    for layout in (FIELDS, GRID, replace(GRID, min_rows=1, max_rows=1)):
        assert not parse(instructions(layout, reply_format, False), layout, reply_format, False).complete
        form, claim = instructions(layout, reply_format, True).split("The puzzle may have no solution.")
        assert claim and not parse(form, layout, reply_format, True).complete


def test_a_dialogue_without_actions_and_an_unknown_format_are_refused() -> None:
    """A wrong word in a recipe would end in a prompt that no scorer fits."""
    puzzle = coins()
    with pytest.raises(BadParams, match="'xml' is not known; use one of json, tags, boxed, table"):
        prompt(puzzle, "xml")
    with pytest.raises(BadInput, match="a coin has no actions to be done in a dialogue"):
        prompt(replace(puzzle, question=replace(puzzle.question, kind=QuestionKind.PLAY)), "json")


def test_only_canonical_decimal_columns_are_numbers_in_json() -> None:
    """Tokens such as 05 or a mix of digits and letters would change when written as JSON numbers."""
    assert numeric(Column("n", ("1", "12", "-3", "0")))
    for tokens in (("1", "05"), ("1", "A"), ("+1",), ("１",), ("-0",), ("-",), ("1.0",), ("²",)):
        assert not numeric(Column("n", tokens))


@pytest.mark.parametrize(
    ("reply_format", "expected"),
    [
        ("json", '{"answer": [[1, "A"], [2, "B C"]]}'),
        ("tags", "<answer>\n1 | A\n2 | B C\n</answer>"),
        ("boxed", "\\boxed{1 | A; 2 | B C}"),
        ("table", "| 1 | A |\n| 2 | B C |"),
    ],
)
def test_rows_are_spelled_in_every_format(reply_format: str, expected: str) -> None:
    """Gold replies change without notice: they are data."""
    assert spelled((("1", "A"), ("2", "B C")), FIELDS, reply_format) == expected


def test_gold_replies_of_the_coins() -> None:
    """Gold replies change without notice: they are data."""
    assert gold_reply(coins(), (0, 1, 0), "json") == '{"answer": [["H", "T", "H"]]}'
    assert gold_reply(doubted(coins()), (0, 1, 0), "json") == '{"solvable": true, "answer": [["H", "T", "H"]]}'
    assert gold_reply(doubted(coins()), None, "json") == '{"solvable": false}'
    with pytest.raises(BadParams, match=r"without question\.may_be_unsolvable"):
        gold_reply(coins(), None, "json")


def _allows(schema: Any, value: Any) -> bool:
    """A validator of the few JSON schema words that reply_schema promises to use; any other word fails the test."""
    if schema is False:
        return False
    known = {"type", "properties", "required", "additionalProperties", "items", "prefixItems", "enum", "minItems", "maxItems"}
    assert schema.keys() <= known
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    if type(value) is not kinds[schema["type"]] or ("enum" in schema and value not in schema["enum"]):
        return False
    if type(value) is dict:
        assert schema["additionalProperties"] is False
        return set(schema["required"]) <= value.keys() <= schema["properties"].keys() and all(
            _allows(schema["properties"][key], part) for key, part in value.items()
        )
    if type(value) is list:
        if not schema["minItems"] <= len(value) <= schema["maxItems"]:
            return False
        first = schema.get("prefixItems", [])
        return all(_allows(first[i] if i < len(first) else schema["items"], part) for i, part in enumerate(value))
    return True


@pytest.mark.parametrize("family", every_family(), ids=lambda family: family.name)
def test_the_schema_allows_gold_replies_and_no_others(family: AnyFamily) -> None:
    """Structured decoding would force every model into a wrong reply, or let it leave the form."""
    for draft in drafts(family, 3):
        for puzzle in (draft.puzzle, doubted(draft.puzzle)):
            schema = reply_schema(puzzle)
            assert json.loads(json.dumps(schema)) == schema
            gold = json.loads(gold_reply(puzzle, draft.answer, "json"))
            assert _allows(schema, gold)
            rows = gold["answer"] if type(gold["answer"]) is list else [[gold["answer"]]]
            for wrong in ([row[:-1] for row in rows], [[*row, row[-1]] for row in rows], [["?"] * len(rows[0])], [[1.5]], []):
                assert not _allows(schema, {**gold, "answer": wrong})
            assert not _allows(schema, {**gold, "comment": "x"})
            assert _allows(schema, {"solvable": False}) is puzzle.question.may_be_unsolvable


def test_rows_of_one_value_have_nothing_between_values() -> None:
    """Who gives a route is told what parts the values of a row that has one."""
    one = Layout((Column("place", ("A", "B")),), 2, 9, False, "One row per place.")
    told = {reply_format: instructions(one, reply_format, False).split("\n")[0] for reply_format in ("tags", "boxed")}
    assert told["tags"].endswith("</answer> (any number of values, one per line):")
    assert told["boxed"].endswith("\\boxed{} (any number of values, separated by semicolons):")


def test_a_name_is_asked_for_as_a_name_and_a_way_as_a_list() -> None:
    """One value in a row of a list of rows is a form that no one would write."""
    way = Layout((Column("place", ("A", "B")),), 2, 9, False, "One row per place.")
    name = replace(way, min_rows=1, max_rows=1)
    assert '{"answer": "<place>"}' in instructions(name, "json", False)
    assert '{"answer": ["<place>", ...]}' in instructions(way, "json", False)
    assert "()" not in instructions(name, "tags", False) and "1 value" not in instructions(name, "tags", False)
    for layout, rows, reply in ((name, (("B",),), '{"answer": "B"}'), (way, (("B",), ("A",)), '{"answer": ["B", "A"]}')):
        assert spelled(rows, layout, "json") == reply
        assert parse(reply, layout, "json", False).rows == rows
        assert parse(json.dumps({"answer": [list(row) for row in rows]}), layout, "json", False).rows == rows


def test_every_wording_of_how_to_reply_is_no_answer_and_shows_the_form_that_is_read() -> None:
    """A voice asks for a form that the parser does not know, or its example counts as an answer."""
    texts: Counter[str] = Counter()
    for number, layout, reply_format, doubt in product(range(FIRST, FIRST + 60), (FIELDS, GRID, TEXT), FORMATS, (False, True)):
        voice = Voice("", number if number % 3 else -number)
        told = instructions(layout, reply_format, doubt, voice)
        form = told.rsplit(NONE[reply_format], 1)[0]
        assert answer_example(layout, reply_format, doubt) in form
        assert not parse(form, layout, reply_format, doubt).complete, told
        assert (NONE[reply_format] in told) is doubt
        texts[told.split("\n")[0]] += 1
    assert len(texts) >= 8 * len(FORMATS)


def test_the_prompt_is_the_familys_text_and_the_frame() -> None:
    """A family's text is lost or changed on its way into the prompt."""
    told = prompt(coins(), "boxed")
    assert told.startswith("3 coins lie in a row.")
    assert told.endswith("\\boxed{? ? ?}" + LAST)
    assert coin_row()["puzzle"].count("may_be_unsolvable") == 1
