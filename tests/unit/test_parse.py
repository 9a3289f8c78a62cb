"""Replies read as rows: every freedom of form, and no freedom of meaning."""

from __future__ import annotations

import json

import pytest

from hostile import told
from puzzlemill.core.errors import BadParams
from puzzlemill.core.types import Column, Layout
from puzzlemill.scoring.parse import CANDIDATES, WINDOW, Reading, parse
from puzzlemill.scoring.prompt import FORMATS, spelled

DIGITS = ("1", "2", "3", "4")
GRID = Layout(tuple(Column(f"c{i}", DIGITS) for i in range(3)), 2, 2, True, "Two rows.")
COLOURS = ("red", "dark blue", "Grün")
FIELDS = Layout(
    (Column("house", ("1", "2")), Column("colour", COLOURS), Column("pet", ("cat", "dog"))), 2, 2, False, "One per house."
)
MOVES = Layout((Column("disk", ("1", "2")), Column("to", ("A", "B"))), 0, 4, False, "One per move.")
TEXT = Layout(tuple(Column(f"letter {i}", tuple("ABCDEFGHLOPW")) for i in range(6)), 1, 1, True, "A text.", "text")
A = (("1", "2", "3"), ("4", "1", "2"))
B = (("4", "4", "4"), ("1", "1", "1"))
HOUSES = (("1", "red", "cat"), ("2", "dark blue", "dog"))


def rows(reply: str, layout: Layout, reply_format: str, doubt: bool = False) -> object:
    """The rows if a complete answer was read, else the reason or what else was read."""
    reading = parse(reply, layout, reply_format, doubt)
    return reading.rows if reading.rows is not None and reading.complete else reading


def unreadable(reply: str, layout: Layout, reply_format: str, doubt: bool = False) -> bool:
    reading = parse(reply, layout, reply_format, doubt)
    assert (reading.rows is None and not reading.unsolvable) == (reading.why != "")
    return reading.why != ""


# ---- any format -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply_format", FORMATS)
@pytest.mark.parametrize(("layout", "answer"), [(GRID, A), (FIELDS, HOUSES)], ids=["grid", "fields"])
def test_prose_thinking_and_drafts_may_stand_around_an_answer(reply_format: str, layout: Layout, answer: object) -> None:
    """Models that explain themselves, or correct themselves, score zero."""
    text = spelled(answer, layout, reply_format)  # type: ignore[arg-type]
    draft = spelled(B if layout is GRID else HOUSES[::-1], layout, reply_format)
    for reply in (
        text,
        f"\n\n  {text}  \n",
        f'<think>Maybe\n\n{draft}\n\nno, that is wrong: {{x}}, [1, 2], "answer".</think>\n\nSo:\n\n{text}\n\nI\'m sure {{1}}.',
        f"```json\n{text}\n```\nDone.",
        f"First\n\n{draft}\n\nand then, corrected,\n\n{text}",
    ):
        assert rows(reply, layout, reply_format) == answer


@pytest.mark.parametrize("reply_format", FORMATS)
def test_the_last_complete_answer_counts(reply_format: str) -> None:
    """A reply could be paid for its best guess instead of its last one."""
    a, b = (spelled(answer, GRID, reply_format) for answer in (A, B))
    short = spelled(B[:1], GRID, reply_format)
    assert rows(f"{a}\n\n{b}", GRID, reply_format) == B
    assert rows(f"{b}\n\n{a}", GRID, reply_format) == A
    assert rows(f"{a}\n\n{short}", GRID, reply_format) == A


@pytest.mark.parametrize(
    ("reply_format", "claim"),
    [
        ("json", '{"solvable": false}'),
        ("json", '```json\n{ "solvable" : false, "answer" : null }\n```'),
        ("tags", "<answer>no solution</answer>"),
        ("tags", "<ANSWER>\nNo solution.\n</ANSWER>"),
        ("tags", "<answer>\n```text\nno solution\n```\n</answer>"),
        ("boxed", "\\boxed{no solution}"),
        ("boxed", "$\\boxed{\\text{No solution}}$"),
        ("table", "| no solution |"),
        ("table", "|**No solution**|"),
        ("table", "| No solution |\n| --- |"),
        ("table", "| |\n|---|\n| No solution |"),
    ],
)
def test_a_claim_counts_where_it_stands_last_and_was_offered(reply_format: str, claim: str) -> None:
    """Unsolvable puzzles could not be answered, or both answers could be given at once."""
    text = spelled(A, GRID, reply_format)
    assert parse(claim, GRID, reply_format, True) == Reading(unsolvable=True)
    assert parse(f"{text}\n\n{claim}", GRID, reply_format, True) == Reading(unsolvable=True)
    assert rows(f"{claim}\n\n{text}", GRID, reply_format, True) == A
    assert rows(f"{text}\n\n{claim}", GRID, reply_format, False) == A
    assert unreadable(claim, GRID, reply_format, False)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_another_formats_answer_is_not_read(reply_format: str) -> None:
    """Rows promise that the format asked for is the one that is scored."""
    for other in FORMATS:
        if other != reply_format:
            assert unreadable(spelled(A, GRID, other), GRID, reply_format)


@pytest.mark.parametrize("reply_format", FORMATS)
@pytest.mark.parametrize(
    "token", ["01", "+1", "1.0", "1e0", "１", "١", "¹", "1/2", "1 or 2", "1,2", "true", "5", "-1", "I", "\u200b1", "1\u0301"]
)
def test_tokens_are_exact(reply_format: str, token: str) -> None:
    """Something that is not the token is taken for it."""
    if reply_format == "json":
        reply = json.dumps({"answer": [["1", "2", "3"], ["4", token, "2"]]})
    else:
        reply = spelled((("1", "2", "3"), ("4", token, "2")), GRID, reply_format)
    assert unreadable(reply, GRID, reply_format)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_blanks_are_told_from_values(reply_format: str) -> None:
    """Half an answer is thrown away, or a blank is taken for a value."""
    for blank in (".", "?", "_"):
        text = spelled((("1", blank, "3"), ("4", "1", blank)), GRID, reply_format) if reply_format != "json" else ""
        text = text or json.dumps({"answer": [[1, blank, 3], [4, 1, blank]]})
        reading = parse(text, GRID, reply_format, False)
        assert (reading.rows, reading.blanks, reading.complete) == ((("1", "", "3"), ("4", "1", "")), 2, False)
        whole = spelled(A, GRID, reply_format)
        assert rows(f"{whole}\n\n{text}", GRID, reply_format) == A  # the last *complete* one


@pytest.mark.parametrize("reply_format", FORMATS)
def test_a_symbol_that_looks_like_a_blank_is_a_value(reply_format: str) -> None:
    """Puzzles written with dots or dashes could not be answered."""
    layout = Layout(tuple(Column(f"c{i}", (".", "-")) for i in range(4)), 2, 2, True, "Two rows.")
    answer = ((".", "-", "-", "."), ("-", "-", "-", "-"))
    assert rows(spelled(answer, layout, reply_format), layout, reply_format) == answer


@pytest.mark.parametrize("reply_format", FORMATS)
def test_case_is_free_unless_it_tells_tokens_apart(reply_format: str) -> None:
    """Names in another case score zero, or two symbols are mixed up."""
    names = spelled((("1", "RED", "Cat"), ("2", "Dark Blue", "dog")), FIELDS, reply_format)
    assert rows(names, FIELDS, reply_format) == HOUSES
    both = Layout((Column("x", ("a", "A", "b")), Column("y", ("a", "A", "b"))), 1, 1, True, "One row.")
    assert rows(spelled((("a", "A"),), both, reply_format), both, reply_format) == (("a", "A"),)
    assert rows(spelled((("B", "A"),), both, reply_format), both, reply_format) == (("b", "A"),)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_letters_that_fold_to_others_are_not_those(reply_format: str) -> None:
    """A Kelvin sign or a long s passes for a letter."""
    layout = Layout((Column("x", ("k", "s")), Column("y", ("grün", "k"))), 1, 1, False, "One row.")
    assert unreadable(spelled((("\u212a", "k"),), layout, reply_format), layout, reply_format)
    assert unreadable(spelled((("\u017f", "k"),), layout, reply_format), layout, reply_format)
    for spelling in ("GRÜN", "gru\u0308n"):
        assert rows(spelled((("k", spelling),), layout, reply_format), layout, reply_format) == (("k", "grün"),)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_counts_are_exact(reply_format: str) -> None:
    """Answers of another size are cut or filled up."""
    for wrong in (A[:1], (*A, A[0]), tuple(row[:2] for row in A), tuple((*row, "1") for row in A)):
        assert unreadable(told(wrong, GRID, reply_format), GRID, reply_format)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_as_many_rows_as_the_layout_allows(reply_format: str) -> None:
    """Lists of moves are refused for their length."""
    move = ("1", "B")
    for n in range(1, 5):
        assert rows(spelled((move,) * n, MOVES, reply_format), MOVES, reply_format) == (move,) * n
    assert unreadable(spelled((move,) * 5, MOVES, reply_format), MOVES, reply_format)


def test_an_empty_list_of_moves_can_be_given() -> None:
    """A puzzle that is solved from the start has no right reply."""
    for reply, reply_format in (('{"answer": []}', "json"), ("<answer></answer>", "tags"), ("\\boxed{}", "boxed")):
        assert rows(reply, MOVES, reply_format) == ()


@pytest.mark.parametrize("reply_format", FORMATS)
def test_only_the_end_of_a_long_reply_is_read(reply_format: str) -> None:
    """A reply of any length must be read in the same time."""
    text = spelled(A, GRID, reply_format)
    assert rows("x" * WINDOW * 3 + "\n" + text, GRID, reply_format) == A
    assert unreadable(text + "\n" + "x" * WINDOW, GRID, reply_format)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_a_bounded_number_of_candidates_is_tried(reply_format: str) -> None:
    """Thousands of broken answers would take long."""
    text, short = spelled(A, GRID, reply_format), spelled(B[:1], GRID, reply_format)
    assert rows(text + ("\n\n" + short) * (CANDIDATES - 1), GRID, reply_format) == A
    assert unreadable(text + ("\n\n" + short) * CANDIDATES, GRID, reply_format)


def test_what_is_not_text_or_no_format() -> None:
    """A missing reply crashes a run; a misspelt format scores everything zero."""
    for nothing in (None, b"{}", 5, ["x"]):
        assert parse(nothing, GRID, "json", True).why == "the reply is not text"
    with pytest.raises(BadParams, match="'yaml' is not known"):
        parse("x", GRID, "yaml", True)


# ---- json -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        '{"answer": [[1, 2, 3], [4, 1, 2]]}',
        '{"answer":[["1","2","3"],["4","1","2"]]}',
        '{"solvable": true, "answer": [[1, 2, 3], [4, "1", 2]]}',
        '{"answer": [[1, 2, 3], [4, 1, 2]], "solvable": true}',
        '{"reasoning": "a { brace and \\"answer\\": [[1]]", "answer": [[1, 2, 3], [4, 1, 2]], "sure": {"answer": "yes"}}',
        '{"result": {"answer": [[1, 2, 3], [4, 1, 2]]}}',
        '{"notes": {"a": 1}, "answer": [[1, 2, 3], [4, 1, 2]], "more": [{"b": {}}]}',
        '{"answer": [[1, 2, 3], [4, 1, 2]]} The key "answer": see above.',
        '{"answer"\n:\t[[1, 2, 3],\n [4, 1, 2]]}',
    ],
)
def test_json_answers(reply: str) -> None:
    """A right JSON reply is not understood."""
    assert rows(reply, GRID, "json", True) == A


@pytest.mark.parametrize(
    "reply",
    [
        '{"answer": [[01, 2, 3], [4, 1, 2]]}',
        '{"answer": [[1.0, 2, 3], [4, 1, 2]]}',
        '{"answer": [[1e0, 2, 3], [4, 1, 2]]}',
        '{"answer": [[true, 2, 3], [4, 1, 2]]}',
        '{"answer": [[[1], 2, 3], [4, 1, 2]]}',
        '{"answer": [[{"1": 1}, 2, 3], [4, 1, 2]]}',
        '{"answer": [["1, 2", 2, 3], [4, 1, 2]]}',
        '{"answer": ["123", "412"]}',
        '{"answer": [1, 2, 3, 4, 1, 2]}',
        '{"answer": "1 2 3\\n4 1 2"}',
        '{"answer": {"0": [1, 2, 3], "1": [4, 1, 2]}}',
        '{"answer": [[1, 2, 3], [4, 1, 2]]',
        '{"answer": [[1, 2, 3], [4, 1, 2],]}',
        "{'answer': [[1, 2, 3], [4, 1, 2]]}",
        '{"answer": [[1, 2, 3], [4, 1, NaN]]}',
        '{"answer": [[1, 2, 3], [4, 1, 2]], "answer": [[1, 2, 3], [4, 1, 2]]}',
        '{"answer": [[1, 2, 3], [4, 1, 2]], "solvable": false}',
        '{"answer": [[1, 2, 3], [4, 1, 2]], "solvable": "true"}',
        '{"Answer": [[1, 2, 3], [4, 1, 2]]}',
        '"answer": [[1, 2, 3], [4, 1, 2]]',
        '{"solvable": "false"}',
        '{"solvable": 0}',
        '{"solvable": true}',
        '{"solvable": false, "solvable": false}',
        '{"unsolvable": true}',
        '{"solution": [[1, 2, 3], [4, 1, 2]]}',
    ],
)
def test_json_that_is_no_answer(reply: str) -> None:
    """Something that says no answer, or two, is read as one."""
    assert unreadable(reply, GRID, "json", True)


def test_named_fields_in_json() -> None:
    """Objects by column names, and a heading, are other forms of the same rows."""
    objects = [dict(zip(("house", "colour", "pet"), row, strict=True)) for row in HOUSES]
    assert rows(json.dumps({"answer": objects}), FIELDS, "json") == HOUSES
    assert rows(json.dumps({"answer": [{"Pet": "cat", "HOUSE": 1, "colour": "red"}, objects[1]]}), FIELDS, "json") == HOUSES
    assert rows(json.dumps({"answer": [["House", "Colour", "Pet"], *HOUSES]}), FIELDS, "json") == HOUSES
    for wrong in ({"house": 1, "colour": "red"}, {**objects[0], "age": 3}, {"house": 1, "House": 1, "pet": "cat"}, {}):
        assert unreadable(json.dumps({"answer": [wrong, objects[1]]}), FIELDS, "json")
    reading = parse(json.dumps({"answer": [{**objects[0], "pet": None}, objects[1]]}), FIELDS, "json", False)
    assert (reading.rows, reading.blanks) == ((("1", "red", ""), HOUSES[1]), 1)


# ---- tags, boxed, table ---------------------------------------------------------------------------------------------


def test_a_whole_large_grid_may_stand_in_one_latex_text() -> None:
    """Small grids could be wrapped in \\text{...}, large ones not."""
    side = 16
    grid = Layout(tuple(Column(f"c{i}", DIGITS) for i in range(side)), side, side, True, "Rows.")
    answer = (("1", "2", "3", "4") * (side // 4),) * side
    body = spelled(answer, grid, "boxed").removeprefix("\\boxed{").removesuffix("}")
    assert len(body) > 200
    assert rows(f"\\boxed{{\\text{{{body}}}}}", grid, "boxed") == answer


@pytest.mark.parametrize(
    ("reply_format", "reply"),
    [
        ("tags", "<answer>1 2 3\n4 1 2</answer>"),
        ("tags", "<Answer>\n```\n1 2 3\n4 1 2\n```\n</Answer>"),
        ("tags", "<answer>\n123\n412\n</answer>"),
        ("tags", "<answer>\n1, 2, 3\n\n4, 1, 2\n</answer>"),
        ("tags", "<answer>\n| 1 | 2 | 3 |\n|---|---|---|\n| 4 | 1 | 2 |\n</answer>"),
        ("tags", "<answer> draft <answer>\n1\t2\t3\r\n4  1  2\n</answer>"),
        ("boxed", "\\boxed{1 2 3; 4 1 2}"),
        ("boxed", "\\boxed{1,2,3;4,1,2}"),
        ("boxed", "\\boxed{123;412}"),
        ("boxed", "\\boxed {\n1 2 3\n4 1 2\n}"),
        ("boxed", "\\[\\boxed{\\begin{array}{ccc} 1 & 2 & 3 \\\\ \\hline 4 & 1 & 2 \\end{array}}\\]"),
        ("boxed", "$\\boxed{\\begin{bmatrix}1&2&3\\\\4&1&2\\end{bmatrix}}$"),
        ("boxed", "\\boxed{\\text{1} 2 3; \\mathbf{4} 1 2}"),
        ("boxed", "\\boxed{\\boxed{1 2 3; 4 1 2}}"),
        ("table", "| 1 | 2 | 3 |\n| 4 | 1 | 2 |"),
        ("table", "1 | 2 | 3\n4 | 1 | 2"),
        ("table", "| 1 | 2 | 3 |\n|:-:|---|--:|\n| 4 | **1** | `2` |"),
        ("table", "| | | |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 1 | 2 |"),
        ("table", "| 123 |\n| 412 |"),
        ("table", "| 1 2 | 3 |\n+-----+---+\n| 4 1 | 2 |"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |\n\nso\n\n  | 1 | 2 | 3 |\n  | 4 | 1 | 2 |\n\nas wanted"),
    ],
)
def test_forms_of_a_grid_in_text(reply_format: str, reply: str) -> None:
    """A right reply in a form that models use is not understood."""
    assert rows(reply, GRID, reply_format) == A


@pytest.mark.parametrize(
    ("reply_format", "reply"),
    [
        ("tags", "<answer>1 2 3\n4 1 2"),
        ("tags", "1 2 3\n4 1 2</answer>"),
        ("tags", "<answer>1 2 3 4 1 2</answer>"),
        ("tags", "<answer>123412</answer>"),
        ("tags", "<answer>The answer is\n1 2 3\n4 1 2</answer>"),
        ("tags", "<answer>12 3\n41 2</answer>".replace("12 3", "12 33")),
        ("tags", "<\u017fanswer>1 2 3\n4 1 2</\u017fanswer>"),
        ("boxed", "\\boxed{1 2 3; 4 1 2"),
        ("boxed", "boxed{1 2 3; 4 1 2}"),
        ("boxed", "\\boxed{1 2 3 4 1 2}"),
        ("boxed", "\\boxed{1 2 3} \\boxed{4 1 2}"),
        ("boxed", "\\boxed{1 2 3; 4 1 {2}"),
        ("table", "| 1 | 2 | 3 |\n\n| 4 | 1 | 2 |"),
        ("table", "1 2 3\n4 1 2"),
        ("table", "| 1 | 2 | 3 | 4 | 1 | 2 |"),
    ],
)
def test_text_that_is_no_grid(reply_format: str, reply: str) -> None:
    """An answer is pieced together from what is not one."""
    assert unreadable(reply, GRID, reply_format)


@pytest.mark.parametrize(
    ("reply_format", "reply"),
    [
        ("tags", "<answer>\nHouse | Colour | Pet\n1 | red | cat\n2 | dark blue | dog\n</answer>"),
        ("tags", "<answer>\n1, red, cat\n2, dark blue, dog\n</answer>"),
        ("boxed", "\\boxed{1 & \\text{red} & \\text{cat} \\\\ 2 & \\text{dark blue} & \\text{dog}}"),
        ("table", "| House | **Colour** | Pet |\n|---|---|---|\n| 1 | Red | cat |\n| 2 | dark blue | dog |"),
    ],
)
def test_forms_of_named_fields_in_text(reply_format: str, reply: str) -> None:
    """A right reply in a form that models use is not understood."""
    assert rows(reply, FIELDS, reply_format) == HOUSES


@pytest.mark.parametrize(
    ("reply_format", "reply"),
    [
        ("json", '{"answer": "HELLOW"}'),
        ("json", '{"answer": "hel low"}'),
        ("json", '{"answer": " HE|LL | OW\\n"}'),
        ("json", '{"answer": "**HELLOW**"}'),
        ("json", '{"answer": [["H", "E", "L", "L", "O", "W"]]}'),
        ("json", '{"answer": ["H", "e", "L", "L", "O", "W"]}'),
        ("json", '{"answer": ["HELLOW"]}'),
        ("json", '{"answer": ["HEL", "LOW"]}'),
        ("tags", "<answer>HELLOW</answer>"),
        ("tags", "<answer>\n`HEL LOW`\n</answer>"),
        ("tags", "<answer>\nHEL\n\nLOW\n</answer>"),
        ("tags", "<answer>H, E, L, L, O, W</answer>"),
        ("boxed", "\\boxed{\\text{HEL LOW}}"),
        ("boxed", "\\boxed{HEL|LOW}"),
        ("table", "| HELLOW |"),
        ("table", "| HEL | LOW |\n|---|---|"),
    ],
)
def test_forms_of_a_text(reply_format: str, reply: str) -> None:
    """A right reply in a form that people use is not understood."""
    assert rows(reply, TEXT, reply_format) == (("H", "E", "L", "L", "O", "W"),)


@pytest.mark.parametrize(
    ("reply_format", "reply"),
    [
        ("json", '{"answer": "HELLO"}'),
        ("json", '{"answer": "HELLOWHELLOW"}'),
        ("json", '{"answer": "\\"HELLOW\\""}'),
        ("json", '{"answer": "HELLOX"}'),
        ("json", '{"answer": "answer: HELLOW"}'),
        ("json", '{"answer": ["H", "E", "L", "L", "O", "W", ""]}'),
        ("json", '{"answer": [["HELLOW"], ["HELLOW"]]}'),
        ("json", '{"answer": {"text": "HELLOW"}}'),
        ("json", '{"answer": ""}'),
        ("json", '{"answer": []}'),
        ("json", '{"answer": null}'),
        ("json", '{"answer": "[[\\"H\\", \\"E\\", \\"L\\", \\"L\\", \\"O\\", \\"W\\"]]"}'),
        ("json", '{"answer": "' + "HELLOW" * 20_000 + '"}'),
        ("tags", "<answer>HELLOW or HELLOP</answer>"),
        ("tags", "<answer></answer>"),
        ("tags", "<answer>" + "H " * 90_000 + "</answer>"),
        ("boxed", "\\boxed{HELLOW; HELLOW}"),
        ("table", "| HELLOW |\n| HELLOW |"),
    ],
)
def test_text_that_is_no_answer(reply_format: str, reply: str) -> None:
    """An answer is pieced together from what is not one, or two texts are one answer."""
    assert unreadable(reply, TEXT, reply_format)


def test_blanks_in_a_text() -> None:
    """Partial credit of a text in which some letters are left open."""
    for answer in ("HE?L.W", ["H", "E", None, "L", "_", "W"], [["H", "E", "", "L", "", "W"]]):
        reply = json.dumps({"answer": answer})
        reading = parse(reply, TEXT, "json", False)
        assert (reading.rows, reading.blanks) == ((("H", "E", "", "L", "", "W"),), 2), reply


def test_values_of_named_fields_are_never_joined() -> None:
    """Two values could be read as one."""
    assert unreadable("<answer>\n1 | dark | blue\n2 | red | dog\n</answer>", FIELDS, "tags")
    assert unreadable("| 1 | red cat |\n| 2 | dark blue dog |", FIELDS, "table")


def test_a_heading_that_is_also_a_legal_row_is_a_row() -> None:
    """A row of the answer is thrown away as a heading."""
    layout = Layout((Column("a", ("a", "b")), Column("b", ("a", "b"))), 1, 2, False, "Rows.")
    assert rows("| a | b |\n| b | a |", layout, "table") == (("a", "b"), ("b", "a"))
    assert rows("| a | b |\n|---|---|\n| b | a |\n| a | a |", layout, "table") == (("b", "a"), ("a", "a"))


NAMES = Layout((Column("mineral", ("calcite", "rock salt", "quartz")),), 1, 1, False, "One mineral.")
TWO = Layout(NAMES.columns, 2, 2, False, "Two minerals.")


def test_one_named_field_needs_no_list_of_its_own() -> None:
    """A model that gives one name, and not a list of lists of one name, scores zero."""
    for answer in ('[["rock salt"]]', '["Rock Salt"]', '"rock salt"', '[{"mineral": "rock salt"}]'):
        assert rows(f'{{"answer": {answer}}}', NAMES, "json") == (("rock salt",),)
    for answer in ('[["quartz"], ["calcite"]]', '["quartz", "calcite"]', '["quartz", ["calcite"]]'):
        assert rows(f'{{"answer": {answer}}}', TWO, "json") == (("quartz",), ("calcite",))
    for answer in (
        '"gold"',
        '"quartz, calcite"',
        '["quartz", "calcite"]',
        "[]",
        '[["quartz", "calcite"]]',
        '{"mineral": "quartz"}',
    ):
        assert unreadable(f'{{"answer": {answer}}}', NAMES, "json")
    for answer in ('"quartz"', '"quartz, calcite"', '["quartz"]', '[["quartz", "calcite"]]'):
        assert unreadable(f'{{"answer": {answer}}}', TWO, "json")
    assert unreadable('{"answer": ["red"]}', FIELDS, "json") and unreadable('{"answer": ["1", "2"]}', GRID, "json")


# ---- what lists and tables put around rows (tests/contract/test_dresses.py has the forms that are read) ----------------


@pytest.mark.parametrize(
    ("layout", "reply_format", "reply"),
    [
        (GRID, "tags", "<answer>[[1, 2, 3], [4, 1, 2]]\n[[4, 4, 4], [1, 1, 1]]</answer>"),
        (GRID, "tags", "<answer>[[1, 2, 3], [4, 1, 2]] or [[4, 4, 4], [1, 1, 1]]</answer>"),
        (GRID, "tags", "<answer>\n1. 1 2 3\n2. 4 1 2\n3. 4 4 4\n</answer>"),
        (GRID, "tags", "<answer>\n1. 1 2 3\n1. 4 1 2\n</answer>"),
        (GRID, "tags", "<answer>\n2. 4 1 2\n1. 1 2 3\n</answer>"),
        (GRID, "tags", "<answer>\nRow 1: 1 2 3\nor 4 4 4\nRow 2: 4 1 2\n</answer>"),
        (GRID, "tags", "<answer>\nNot 1: 1 2 3\nNot 2: 4 1 2\n</answer>"),
        (TWO, "tags", "<answer>\nOption 1: quartz\nOption 2: calcite\n</answer>"),
        (GRID, "tags", "<answer>\n(1 2 3) 4 4 4\n4 1 2\n</answer>"),
        (GRID, "tags", "<answer>\n1 2 3\n4 1 2\n---\n4 4 4\n1 1 1\n</answer>"),
        (GRID, "tags", "<answer>\n1 2 3; 4 1 2; 4 4 4; 1 1 1\n</answer>"),
        (GRID, "tags", "<answer>\nNot the answer:\n1 2 3\n4 1 2\n</answer>"),
        (GRID, "table", "| 1 | 2 | 3 | 1 |\n| 4 | 1 | 2 | 1 |"),
        (GRID, "table", "| 1 | 2 | 3 | 1 |\n| 4 | 1 | 2 | 2 |"),
        (GRID, "table", "| 2 | 1 | 2 | 3 |\n| 1 | 4 | 1 | 2 |"),
        (GRID, "table", "| 1 | 2 | 3 |\n| 4 | 1 | 2 |\n|---|---|---|\n| 4 | 4 | 4 |\n| 1 | 1 | 1 |"),
        (GRID, "table", "| 4 | 4 | 4 |\n| 1 | 2 | 3 |\n| 4 | 1 | 2 |"),
        (GRID, "table", '| "1" or "2" | 2 | 3 |\n| 4 | 1 | 2 |'),
        (GRID, "boxed", "\\boxed{\\text{Row 1: } 1 2 3; \\text{Row 3: } 4 1 2}"),
        (FIELDS, "tags", "<answer>\nHouse 1: red, cat; House 1: dark blue, cat\nHouse 2: dark blue, dog\n</answer>"),
        (FIELDS, "tags", "<answer>\n1 | red -> dark blue | cat\n2 | dark blue | dog\n</answer>"),
        (FIELDS, "table", "| 1 | colour red dark blue | cat |\n| 2 | dark blue | dog |"),
        (NAMES, "tags", "<answer>quartz, calcite</answer>"),
        (NAMES, "tags", "<answer>quartz -> calcite</answer>"),
        (NAMES, "table", "| quartz | calcite |"),
        (NAMES, "tags", "<answer>\n1. quartz\n2. calcite\n</answer>"),
        (NAMES, "table", "| quartz |\n|---|\n| calcite |\n|---|\n| rock salt |"),
        (TEXT, "tags", "<answer>\nHELLOW\n---\nHELLOP\n</answer>"),
        (TEXT, "tags", "<answer>\n- HELLOW\n- HELLOP\n</answer>"),
    ],
)
def test_two_answers_in_one_place_are_none(layout: Layout, reply_format: str, reply: str) -> None:
    """A reply is paid for one of several answers that it gives at once, or for one that it does not give."""
    assert unreadable(reply, layout, reply_format)


def test_a_heading_of_markdown_is_no_row_however_it_reads() -> None:
    """Markdown has no table without a heading: one with numbers over the columns would count as a row too many."""
    assert rows("| 1 | 2 | 3 |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 1 | 2 |", GRID, "table") == A
    assert rows("| | |\n|---|---|\n| 1 | A |", MOVES, "table") == (("1", "A"),)
    assert rows("| 1 | A |\n|---|---|\n| 2 | B |", MOVES, "table") == (("1", "A"), ("2", "B"))


def test_an_empty_first_row_is_a_blank_one_where_the_rows_are_counted() -> None:
    """Partial credit for a table whose first row is left open is lost."""
    reading = parse("| | | |\n|---|---|---|\n| 4 | 1 | 2 |", GRID, "table", False)
    assert (reading.rows, reading.blanks) == ((("", "", ""), ("4", "1", "2")), 3)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_marks_of_lists_and_tables_without_end_are_read_in_bounded_steps(reply_format: str) -> None:
    """A reply made of the marks that are passed over takes long."""
    marks = ("[", "] [", "(", "1. ", "- ", "> ", "→", "**", '"', "_", "│", "—|", "Row 1: ", "1: ", ";", "| |\n", "|-|\n", "a|\n|")
    more = ("Answer:\n", "\u00a0", "\ufeff", "No. 1", "\\text{", "[1],", "1 |\n2\n| ")
    for mark in (*marks, *more):
        some = mark * 40
        for text in (mark * (WINDOW // len(mark)), some, (some + "\n") * 100):
            replies = {"table": text, "tags": f"<answer>{text}</answer>", "boxed": f"\\boxed{{{text}}}"}
            for layout in (GRID, MOVES, TEXT):
                reading = parse(replies.get(reply_format, f'{{"answer": [["{text}"]]}}'), layout, reply_format, True)
                assert not reading.complete or reading.rows == (), (mark, layout)
