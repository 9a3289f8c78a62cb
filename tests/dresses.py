"""Natural ways to write a right answer: what models put around rows, in every reply format.

A dress is made from the rows and their layout. It is worn by every family and format, except where WITHOUT says why not.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from puzzlemill.core.types import Layout, Rows
from puzzlemill.scoring.prompt import numeric, spelled

TEXTS = ("tags", "boxed", "table")
Make = Callable[[Rows, Layout, str], str]


@dataclass(frozen=True)
class Dress:
    """formats: those in which it is natural. make: rows, layout and format -> the reply. around: puts the dress around any reply,
    where that is all it does."""

    name: str
    formats: tuple[str, ...]
    make: Make
    around: Callable[[str], str] | None = None


DRESSES: list[Dress] = []


def dress(*formats: str) -> Callable[[Make], Make]:
    def add(make: Make) -> Make:
        DRESSES.append(Dress(make.__name__, formats, make))
        return make

    return add


def form_of(layout: Layout) -> str:
    """The kind of answer.

    text; row, a grid of one; dashes, a grid of which a value is a dash; grid, any other one; name, one named field; table,
    of named fields; way and moves, as many rows as it takes, of one field or of several.
    """
    if layout.text:
        return "text"
    if any(token == "-" for column in layout.columns for token in column.tokens):
        return "dashes"
    if layout.grid:
        return "row" if layout.max_rows == 1 else "grid"
    if layout.min_rows == layout.max_rows:
        return "table" if len(layout.columns) > 1 else "name"
    return "moves" if len(layout.columns) > 1 else "way"


FORMS = ("text", "row", "grid", "dashes", "name", "table", "way", "moves")

# Dress -> forms that do not wear it, and why.
WITHOUT: dict[str, tuple[tuple[str, ...], str]] = {}


def _without(forms: tuple[str, ...], why: str, *names: str) -> None:
    for name in names:
        assert name not in WITHOUT
        WITHOUT[name] = forms, why


_without(
    ("text",),
    "a text is no list of rows, and the marks of a list could be letters or blanks of it",
    *("bullets", "star_bullets", "round_bullets", "numbered", "numbered_with_brackets", "numbered_between_brackets"),
    *("rows_with_labels", "rows_with_bold_labels", "rows_with_hashes"),
    *(
        "brackets_around_rows",
        "parentheses_around_rows",
        "lists_as_json_in_text",
        "lists_as_json_in_one_line",
        "lists_without_quotes",
    ),
    *("semicolons_after_rows", "commas_after_rows", "all_in_one_line", "a_column_of_numbers", "a_column_of_numbers_with_heading"),
    *("a_column_of_row_labels", "quoted_cells", "typographic_quotes", "dollars_around_cells", "escaped_cells", "quoted_rows"),
    *("underlined_cells", "bold_cells", "code_cells", "italic_cells"),
)
_without(
    ("text", "row", "grid", "dashes", "name", "way"),
    "one value says which it is by its place, or stands alone",
    *("values_after_their_columns_names", "rows_as_objects", "a_colon_after_the_first_value", "tabs_between_fields"),
)
_without(
    ("text", "row", "grid", "dashes", "table", "moves", "name"), "only a way is one thing after the other", "arrows_in_one_line"
)
_without(
    ("text", "row", "grid", "dashes", "name", "way", "table"), "only a move leads from one place to another", "arrows_within_rows"
)
_without(
    ("name", "way", "table", "moves"),
    "names may be of several words or letters, so that blanks or nothing between them would not tell them apart",
    *("commas_between_values", "blanks_without_end", "nothing_between_values", "aligned_with_blanks"),
)
_without(
    ("text", "row", "grid", "dashes", "table", "moves"), "a list of values alone has one value in a row", "commas_in_one_line"
)
_without(("grid", "dashes", "table", "moves", "way", "text", "name"), "a flat list is one row, or one value", "a_flat_list")
_without(
    ("row", "grid", "dashes", "text"),
    "columns of a grid have no names that people use",
    "heading_of_names",
    "heading_in_bold",
    "heading_in_capitals",
)
_without(("text", "name", "way"), "one value in a line has no bar without the outer ones", "without_outer_bars")
_without(("text",), "any word may be the text", "heading_of_words")
_without(("dashes",), "one dash in each place is a row of the answer", "long_dashes")


# ---- around the answer, in every format -----------------------------------------------------------------------------

EVERY = ("json", *TEXTS)
PROSE = "Let me think. Row 1 can't hold two of them - so “it” must be here… (50 % sure), isn’t it?"


def plain(rows: Rows, layout: Layout, form: str) -> str:
    return spelled(rows, layout, form)


def _changed(name: str, change: Callable[[str], str], formats: tuple[str, ...] = EVERY) -> None:
    def make(rows: Rows, layout: Layout, form: str) -> str:
        return change(plain(rows, layout, form))

    DRESSES.append(Dress(name, formats, make, change))


def _around(name: str, before: str, after: str = "", formats: tuple[str, ...] = EVERY) -> None:
    _changed(name, lambda text: f"{before}{text}{after}", formats)


def _between(text: str) -> str:
    return f"{PROSE}\n\n{text}\n\nDone."


_around("alone", "")
_around("prose", PROSE + "\n\n", "\n\nThat keeps every rule.")
_around("prose_on_the_next_lines", PROSE + "\n", "\nThat keeps every rule.")
_around(
    "prose_with_bars_on_the_next_lines", "The answer (values | separated):\n", "\nThis is | as asked.", ("json", "tags", "boxed")
)
_around("prose_with_bars_before_a_table", "Values are separated by |, as asked:\n", "\nThat keeps every rule.", ("table",))
_around("end_of_turn", "So:\n\n", "<|im_end|>", ("json", "tags", "boxed"))
_around("end_of_turn_on_its_own_line", "So:\n\n", "\n<|im_end|>")
_around("label", "Answer:\n")
_around("label_on_the_same_line", "Final answer: ", formats=("json", "tags", "boxed"))
_around("bold_label", "**Final Answer**\n\n")
_around("markdown_heading", "### Solution\n")
_around("underlined_heading", "Answer\n------\n")
_around("fence", "```\n", "\n```")
_around("fence_with_a_language", "```json\n", "\n```\n")
_around("fence_with_tildes", "~~~text\n", "\n~~~")
_around("rulers_around", "---\n\n", "\n\n---")
_around("rulers_on_the_next_lines", "---\n", "\n---")
_around("thinking", "<think>\nMaybe {1} or [2], <b>no</b>: | x |\n</think>\n\n")
_around("list_item", "1. Reasoning.\n2. Answer: ", formats=("json", "tags", "boxed"))
_around("dollars", "$$", "$$", ("boxed",))
_around("display_brackets", "\\[\n", "\n\\]", ("boxed",))
_around("bold", "**", "**", ("json", "tags", "boxed"))
_around("details", "<details><summary>Answer</summary>\n\n", "\n\n</details>")
_around("byte_order_mark", "\ufeff")
_around("unicode_prose", "→ „So“ — it’s ‘done’ ✅ — ﹣1 ≤ x ≤ 5:\n", "\n— ✓ 答案")
_changed("windows_line_ends", lambda text: _between(text).replace("\n", "\r\n"))
_changed("trailing_blanks", lambda text: _between(text).replace("\n", "   \n") + "  ")
_changed("indented", lambda text: "    " + _between(text).replace("\n", "\n    "))
_changed("indented_by_tabs", lambda text: "\t" + _between(text).replace("\n", "\n\t"))
_changed("quoted", lambda text: "> " + _between(text).replace("\n", "\n> "))
_changed("no_break_spaces", lambda text: _between(text).replace(" ", "\u00a0"))
_changed("narrow_no_break_spaces", lambda text: _between(text).replace(" ", "\u202f"), TEXTS)


def _other(rows: Rows, layout: Layout) -> Rows:
    """Another answer of the same shape."""
    row = [next(t for t in column.tokens if t != token) for token, column in zip(rows[0], layout.columns, strict=True)]
    return (tuple(row), *rows[1:])


@dress(*EVERY)
def after_a_draft(rows: Rows, layout: Layout, form: str) -> str:
    return f"{spelled(_other(rows, layout), layout, form)}\n\nNo, that is wrong. Corrected:\n\n{plain(rows, layout, form)}"


@dress(*EVERY)
def after_a_table(rows: Rows, layout: Layout, form: str) -> str:
    return f"| step | cell | value |\n|------|------|-------|\n| 1 | r1c1 | 3 |\n\n{plain(rows, layout, form)}"


# ---- json -----------------------------------------------------------------------------------------------------------


def _values(rows: Rows, layout: Layout) -> Any:
    if layout.text:
        return "".join(rows[0])
    return [[int(t) if numeric(c) else t for t, c in zip(row, layout.columns, strict=True)] for row in rows]


@dress("json")
def indented_json(rows: Rows, layout: Layout, form: str) -> str:
    return "```json\n" + json.dumps({"answer": _values(rows, layout)}, indent=2) + "\n```"


@dress("json")
def compact_json(rows: Rows, layout: Layout, form: str) -> str:
    return json.dumps({"answer": _values(rows, layout)}, separators=(",", ":"))


@dress("json")
def numbers_as_strings(rows: Rows, layout: Layout, form: str) -> str:
    return json.dumps({"answer": _values(rows, layout) if layout.text else rows})


@dress("json")
def further_keys(rows: Rows, layout: Layout, form: str) -> str:
    found = {"reasoning": 'a "{" and | more', "solvable": True, "answer": _values(rows, layout), "confidence": 0.9}
    return json.dumps(found, ensure_ascii=False)


@dress("json")
def inner_object(rows: Rows, layout: Layout, form: str) -> str:
    return json.dumps({"result": {"answer": _values(rows, layout)}, "steps": [1, 2.5, None]})


@dress("json")
def json_with_tabs(rows: Rows, layout: Layout, form: str) -> str:
    return json.dumps({"answer": _values(rows, layout)}, indent="\t").replace("\n", "\r\n")


@dress("json")
def rows_as_objects(rows: Rows, layout: Layout, form: str) -> str:
    names = [column.name for column in layout.columns]
    return json.dumps({"answer": [dict(zip(names, row, strict=True)) for row in rows]}, ensure_ascii=False)


@dress("json")
def a_flat_list(rows: Rows, layout: Layout, form: str) -> str:
    return json.dumps({"answer": _values(rows, layout)[0]})


@dress("json")
def names_in_capitals(rows: Rows, layout: Layout, form: str) -> str:
    return json.dumps({"answer": [[token.upper() for token in row] for row in rows]})


@dress("json")
def bold_values(rows: Rows, layout: Layout, form: str) -> str:
    return json.dumps({"answer": [[f"**{token}**" for token in row] for row in rows]})


# ---- rows as lines, in tags, boxes and tables -----------------------------------------------------------------------


def _line(row: tuple[str, ...], layout: Layout, form: str) -> str:
    if layout.text:
        row = ("".join(row),)
    if form == "table":
        return "| " + " | ".join(row) + " |"
    return (" " if layout.grid else " | ").join(row)


def _lines(rows: Rows, layout: Layout, form: str) -> list[str]:
    return [_line(row, layout, form) for row in rows]


def _in(form: str, lines: list[str]) -> str:
    """Lines as an answer of this format."""
    body = "\n".join(lines)
    return f"Answer:\n<answer>\n{body}\n</answer>" if form == "tags" else f"\\boxed{{\n{body}\n}}" if form == "boxed" else body


def _by_row(name: str, change: Callable[[int, str], str], formats: tuple[str, ...] = TEXTS) -> None:
    """Each line changed by itself. change: its number, from 1, and the line."""

    def make(rows: Rows, layout: Layout, form: str) -> str:
        return _in(form, [change(k, line) for k, line in enumerate(_lines(rows, layout, form), 1)])

    DRESSES.append(Dress(name, formats, make))


def _by_cell(name: str, change: Callable[[str], str], formats: tuple[str, ...] = TEXTS) -> None:
    def make(rows: Rows, layout: Layout, form: str) -> str:
        return _in(form, _lines(tuple([tuple([change(token) for token in row]) for row in rows]), layout, form))

    DRESSES.append(Dress(name, formats, make))


LISTED = ("tags", "boxed")
_by_row("bullets", lambda k, line: f"- {line}", LISTED)
_by_row("star_bullets", lambda k, line: f"* {line}", LISTED)
_by_row("round_bullets", lambda k, line: f"• {line}", LISTED)
_by_row("numbered", lambda k, line: f"{k}. {line}", LISTED)
_by_row("numbered_with_brackets", lambda k, line: f"{k}) {line}", LISTED)
_by_row("numbered_between_brackets", lambda k, line: f"({k}) {line}", LISTED)
_by_row("rows_with_labels", lambda k, line: f"Row {k}: {line}", LISTED)
_by_row("rows_with_bold_labels", lambda k, line: f"**Row {k}:** {line}", LISTED)
_by_row("rows_with_hashes", lambda k, line: f"#{k}: {line}", LISTED)
_by_row("semicolons_after_rows", lambda k, line: f"{line};", LISTED)
_by_row("commas_after_rows", lambda k, line: f"{line},", LISTED)
_by_row("blanks_without_end", lambda k, line: line.replace(" ", "     ") + "  \t ")
_by_row("blank_lines_between", lambda k, line: f"{line}\n", LISTED)
_by_row("code_rows", lambda k, line: f"`{line}`", LISTED)
_by_row("quoted_rows", lambda k, line: f'"{line}"', LISTED)
_by_cell("bold_cells", "**{}**".format)
_by_cell("italic_cells", "*{}*".format)
_by_cell("underlined_cells", "__{}__".format, ("tags", "table"))
_by_cell("code_cells", "`{}`".format)
_by_cell("quoted_cells", '"{}"'.format)
_by_cell("typographic_quotes", "“{}”".format)
_by_cell("dollars_around_cells", "${}$".format)
_by_cell("escaped_cells", "\\text{{{}}}".format, ("boxed",))
_by_cell("in_capitals", str.upper)
_by_cell("in_small_letters", str.lower)
_by_cell("other_dashes", lambda token: token.replace("-", "−"))
_by_cell("other_hyphens", lambda token: token.replace("-", "‑").replace("'", "’"))
_by_cell("no_break_spaces_in_names", lambda token: token.replace(" ", "\u00a0"))


def _beside(body: str, form: str) -> str:
    """The answer right beside the marks of its form."""
    return f"<answer>{body}</answer>" if form == "tags" else f"\\boxed{{{body}}}"


@dress(*LISTED)
def on_the_line_of_the_brackets(rows: Rows, layout: Layout, form: str) -> str:
    return _beside("\n".join(_lines(rows, layout, form)), form)


@dress(*LISTED)
def fence_inside(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, ["```text", *_lines(rows, layout, form), "```"])


@dress(*LISTED)
def label_inside(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, ["**Final answer:**", "", *_lines(rows, layout, form)])


@dress("tags")
def tags_in_capitals(rows: Rows, layout: Layout, form: str) -> str:
    return plain(rows, layout, form).replace("answer>", "ANSWER>")


@dress(*LISTED)
def commas_between_values(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, [", ".join(row) for row in rows])


@dress(*LISTED)
def nothing_between_values(rows: Rows, layout: Layout, form: str) -> str:
    if any(len(token) > 1 for column in layout.columns for token in column.tokens):
        return commas_between_values(rows, layout, form)  # without anything between them such values could not be told apart
    return _in(form, ["".join(row) for row in rows])


@dress(*LISTED)
def aligned_with_blanks(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, ["  ".join(token.rjust(3) for token in row) for row in rows])


@dress(*LISTED)
def all_in_one_line(rows: Rows, layout: Layout, form: str) -> str:
    return _beside("; ".join(_lines(rows, layout, form)) + ";", form)


@dress(*LISTED)
def brackets_around_rows(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, [f"[{', '.join(row)}]," for row in rows])


@dress(*LISTED)
def parentheses_around_rows(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, [f"({', '.join(row)})" for row in rows])


@dress(*LISTED)
def lists_as_json_in_text(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, json.dumps(_values(rows, layout), ensure_ascii=False, indent=1).splitlines())


@dress(*LISTED)
def lists_as_json_in_one_line(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, [json.dumps(_values(rows, layout), ensure_ascii=False)])


@dress(*LISTED)
def lists_without_quotes(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, ["[" + ", ".join(f"[{', '.join(row)}]" for row in rows) + "]"])


@dress(*LISTED)
def commas_in_one_line(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, [", ".join(row[0] for row in rows)])


@dress(*LISTED)
def arrows_in_one_line(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, [" → ".join(row[0] for row in rows)])


@dress(*LISTED)
def arrows_within_rows(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, [f"{k}. {row[0]}: {row[1]} -> {row[2]}" for k, row in enumerate(rows, 1)])


@dress(*LISTED)
def a_colon_after_the_first_value(rows: Rows, layout: Layout, form: str) -> str:
    name = layout.columns[0].name
    return _in(form, [f"{name.capitalize()} {row[0]}: {', '.join(row[1:])}" for row in rows])


@dress("tags")
def tabs_between_fields(rows: Rows, layout: Layout, form: str) -> str:
    return _in(form, ["\t".join(row) for row in rows])


@dress(*TEXTS)
def values_after_their_columns_names(rows: Rows, layout: Layout, form: str) -> str:
    named = [[f"{column.name} {token}" for token, column in zip(row, layout.columns, strict=True)] for row in rows]
    return _in(form, _lines(tuple(map(tuple, named)), layout, form))


@dress(*LISTED)
def table_inside(rows: Rows, layout: Layout, form: str) -> str:
    lines = _lines(rows, layout, "table")
    return _in(form, [lines[0], _ruler(layout, "---"), *lines[1:]])


# ---- boxes ----------------------------------------------------------------------------------------------------------


def _latex(rows: Rows, layout: Layout, cell: str = "{}") -> str:
    marks = str.maketrans({"#": "\\#", "_": "\\_", "%": "\\%"})
    return " \\\\ ".join(" & ".join(cell.format(token.translate(marks)) for token in row) for row in rows)


@dress("boxed")
def matrix(rows: Rows, layout: Layout, form: str) -> str:
    return f"$\\boxed{{\\begin{{bmatrix}} {_latex(rows, layout)} \\end{{bmatrix}}}}$"


@dress("boxed")
def array_with_lines(rows: Rows, layout: Layout, form: str) -> str:
    body = _latex(rows, layout, "\\text{{{}}}").replace(" \\\\ ", " \\\\ \\hline\n")
    return f"$$\\boxed{{\n\\begin{{array}}{{|{'c|' * len(layout.columns)}}}\n\\hline\n{body} \\\\ \\hline\n\\end{{array}}\n}}$$"


@dress("boxed")
def array_between_left_and_right(rows: Rows, layout: Layout, form: str) -> str:
    return f"\\boxed{{\\left[\\begin{{array}}{{{'c' * len(layout.columns)}}} {_latex(rows, layout)} \\end{{array}}\\right]}}"


@dress("boxed")
def bold_latex_text(rows: Rows, layout: Layout, form: str) -> str:
    return f"\\boxed{{{_latex(rows, layout, chr(92) + 'text{{' + chr(92) + 'textbf{{{}}}}}')}}}"


@dress("boxed")
def all_in_latex_text(rows: Rows, layout: Layout, form: str) -> str:
    return f"\\boxed{{\\text{{{'; '.join(_lines(rows, layout, form))}}}}}"


# ---- tables ---------------------------------------------------------------------------------------------------------


def _width(layout: Layout) -> int:
    return 1 if layout.text else len(layout.columns)


def _ruler(layout: Layout, part: str, more: int = 0) -> str:
    return "|" + f"{part}|" * (_width(layout) + more)


def _table(name: str, change: Callable[[list[str], Layout], list[str]]) -> None:
    def make(rows: Rows, layout: Layout, form: str) -> str:
        return f"Here it is:\n{chr(10).join(change(_lines(rows, layout, 'table'), layout))}\nThat is it."

    DRESSES.append(Dress(name, ("table",), make))


def _empty(layout: Layout, more: int = 0) -> str:
    return "|" + "  |" * (_width(layout) + more)


def _names(layout: Layout) -> list[str]:
    return ["Answer"] if layout.text else [column.name for column in layout.columns]


_table("ruler_below_the_first_row", lambda lines, layout: [lines[0], _ruler(layout, "---"), *lines[1:]])
_table("ruler_with_blanks", lambda lines, layout: [lines[0], _ruler(layout, " --- "), *lines[1:]])
_table("ruler_with_colons", lambda lines, layout: [lines[0], _ruler(layout, ":---:"), *lines[1:]])
_table("ruler_with_short_colons", lambda lines, layout: [lines[0], _ruler(layout, ":-:"), *lines[1:]])
_table("rulers_between_all_rows", lambda lines, layout: [part for line in lines for part in (line, _ruler(layout, "---"))])
_table("plus_rulers", lambda lines, layout: [x for line in lines for x in (_ruler(layout, "---").replace("|", "+"), line)])
_table("empty_heading", lambda lines, layout: [_empty(layout), _ruler(layout, "---"), *lines])
_table("empty_heading_and_dashes", lambda lines, layout: [_empty(layout), _ruler(layout, "-"), *lines])
_table("empty_heading_and_colons", lambda lines, layout: [_empty(layout), _ruler(layout, ":--"), *lines])
_table("empty_heading_without_ruler", lambda lines, layout: [_empty(layout), *lines])
_table("narrow_empty_heading", lambda lines, layout: [_empty(layout).replace(" ", ""), _ruler(layout, "---"), *lines])
_table("heading_of_names", lambda lines, layout: ["| " + " | ".join(_names(layout)) + " |", _ruler(layout, "---"), *lines])
_table(
    "heading_in_bold",
    lambda lines, layout: ["|" + "|".join(f"**{n}**" for n in _names(layout)) + "|", _ruler(layout, "---"), *lines],
)
_table(
    "heading_in_capitals",
    lambda lines, layout: ["|" + "|".join(n.upper() for n in _names(layout)) + "|", _ruler(layout, "-"), *lines],
)
_table(
    "heading_of_words", lambda lines, layout: ["|" + "|".join(["Value"] * _width(layout)) + "|", _ruler(layout, "---"), *lines]
)
_table("without_outer_bars", lambda lines, layout: [line.strip("| ") for line in lines])
_table("narrow", lambda lines, layout: [line.replace(" | ", "|").replace("| ", "|").replace(" |", "|") for line in lines])
_table("indented_table", lambda lines, layout: ["   " + line for line in lines])
_table("drawn_with_box_signs", lambda lines, layout: ["┌───┐", *[line.replace("|", "│") for line in lines], "└───┘"])
_table("long_dashes", lambda lines, layout: [lines[0], _ruler(layout, "—"), *lines[1:]])


@dress("table")
def heading_of_numbers(rows: Rows, layout: Layout, form: str) -> str:
    width = _width(layout)
    return "\n".join(
        ["| " + " | ".join(map(str, range(1, width + 1))) + " |", _ruler(layout, "---"), *_lines(rows, layout, "table")]
    )


@dress("table")
def a_column_of_numbers(rows: Rows, layout: Layout, form: str) -> str:
    return "\n".join(f"| {k} {line}" for k, line in enumerate(_lines(rows, layout, "table"), 1))


@dress("table")
def a_column_of_numbers_with_heading(rows: Rows, layout: Layout, form: str) -> str:
    lines = [f"| **{k}** {line}" for k, line in enumerate(_lines(rows, layout, "table"), 1)]
    return "\n".join(["| # | " + " | ".join(_names(layout)) + " |", _ruler(layout, "---", 1), *lines])


@dress("table")
def a_column_of_row_labels(rows: Rows, layout: Layout, form: str) -> str:
    lines = [f"| Row {k} {line}" for k, line in enumerate(_lines(rows, layout, "table"), 1)]
    return "\n".join([_empty(layout, 1), _ruler(layout, ":-:", 1), *lines])
