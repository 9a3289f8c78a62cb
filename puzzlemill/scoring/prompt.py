"""Prompts: what a family says, followed by how to reply; and the replies that are right.

Reply formats, all of the same rows of tokens (core.types.Layout):
  json    a JSON object {"answer": [[...], ...]}; where the puzzle may have no solution
          {"solvable": true, "answer": [[...], ...]} or {"solvable": false}
  tags    <answer>...</answer> around one row per line
  boxed   \\boxed{...} around the rows, separated by ";"
  table   one "| ... | ... |" line per row
Tokens of a grid are separated by spaces, those of named fields by "|" (json and table have their own separators).
An answer that is a text (Layout.text), or a single named value, is written as one, in json {"answer": "..."}; where rows have one
named value, json has a list of them, {"answer": ["...", ...]}.
`puzzlemill.scoring.parse` reads them back.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from puzzlemill.core.errors import BadParams
from puzzlemill.core.types import AnyPuzzle, Column, Layout, Rows
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.questions.asks import layout_of, write
from puzzlemill.vocabulary.wordings import Voice

FORMATS = ("json", "tags", "boxed", "table")
CANONICAL = Voice("", 0)
_LISTED = 1_000  # numbers that a schema lists; of more it says that they are whole
NO_SOLUTION = "no solution"  # what stands in place of the rows; json says {"solvable": false}

NONE = {
    "json": '{"solvable": false}',
    "tags": f"<answer>{NO_SOLUTION}</answer>",
    "boxed": f"\\boxed{{{NO_SOLUTION}}}",
    "table": f"| {NO_SOLUTION} |",
}


def known_format(reply_format: str) -> str:
    """The format itself; raises BadParams if there is no such format."""
    if reply_format not in FORMATS:
        raise BadParams(f"reply format {reply_format!r} is not known; use one of {', '.join(FORMATS)}")
    return reply_format


@lru_cache(maxsize=256)
def numeric(column: Column) -> bool:
    """Return whether JSON writes this column as integers: every token is the one decimal spelling of an integer."""
    return all(token.isascii() and token.removeprefix("-").isdigit() and str(int(token)) == token for token in column.tokens)


# ---- prompts --------------------------------------------------------------------------------------------------------


def prompt(puzzle: AnyPuzzle, reply_format: str) -> str:
    """The whole prompt: the family's text, what is asked for, and how to reply; of a dialogue the text that opens it.

    Says that there may be no solution, and how to reply so, exactly when puzzle.question.may_be_unsolvable.
    """
    from puzzlemill.scoring.moves import move_instructions  # which reads this module

    parts = [family_named(puzzle.family).render(puzzle)]
    if asked(puzzle).dialogue:
        parts.append(move_instructions(puzzle, reply_format))
    else:
        voice, layout = Voice(puzzle.family, puzzle.style.phrasing), layout_of(family_named(puzzle.family), puzzle)
        parts.append(instructions(layout, reply_format, puzzle.question.may_be_unsolvable, voice))
    return "\n\n".join(parts)


def stated(puzzle: AnyPuzzle) -> str:
    """The prompt of a puzzle that is no dialogue, without how to reply: what is told of it, and what is asked for."""
    voice, layout = Voice(puzzle.family, puzzle.style.phrasing), layout_of(family_named(puzzle.family), puzzle)
    return "\n\n".join([family_named(puzzle.family).render(puzzle), voice.noted(layout.note)])


def instructions(layout: Layout, reply_format: str, doubt: bool, voice: Voice = CANONICAL) -> str:
    """Say how to reply, with an example of the form that holds placeholders only."""
    example = answer_example(layout, known_format(reply_format), doubt)
    size = _size(layout, reply_format, voice)
    how = voice.framed(f"reply_{reply_format}", size=f" ({size})" if size else "")
    parts = [f"{voice.noted(layout.note)} {how}\n{example}"]
    if layout.signs:
        parts.append(voice.framed(f"mapping_{reply_format}", sign=layout.signs[0]))
    if layout.words and not voice.short:
        parts.append(voice.framed(f"words_{reply_format}", label=layout.words[0][0]))
    if doubt:
        parts.append(voice.framed("doubt", none=NONE[reply_format]))
    parts.append(voice.framed("last"))
    return ("\n" if voice.short else "\n\n").join(parts)


def _size(layout: Layout, reply_format: str, voice: Voice) -> str:
    """Rows and values of an answer, and what separates them; "" for a single value, and for short voices: the form shows it."""
    columns, rows, exact = len(layout.columns), layout.max_rows, layout.min_rows == layout.max_rows
    if layout.text:
        letters = all(token.isalpha() for tokens in dict.fromkeys(column.tokens for column in layout.columns) for token in tokens)
        return f"{columns} {'letters' if letters else 'characters'}"
    if voice.short or layout.keyed or (rows == columns == 1):
        return ""
    alone = columns == 1
    sized = "size_names" if alone else "size_row" if rows == 1 else "size_grid"
    slot = sized if exact else "size_list" if alone else "size_any"
    parts = [voice.framed(slot, rows=rows, values=columns)]
    if rows > 1 and reply_format != "json":
        mark = "semicolon" if reply_format == "boxed" else "line"
        parts.append(voice.framed(f"{'alone' if alone else 'apart'}_{mark}"))
    if columns > 1 and reply_format in ("tags", "boxed"):
        parts.append(voice.framed("within", between="spaces" if layout.grid else '"|"'))
    return ", ".join(parts)


def answer_example(layout: Layout, reply_format: str, doubt: bool) -> str:
    one = layout.min_rows == layout.max_rows == 1
    if layout.text:
        cells = [f"<{layout.text}>"]
    elif layout.grid:
        cells = ["?"] * len(layout.columns)
    else:
        cells = [f"<{column.name}>" for column in layout.columns]
    if layout.keyed:
        cells[0] = layout.columns[0].tokens[0]
    if reply_format == "json":
        solvable = '"solvable": true, ' if doubt else ""
        if layout.text:
            return f'{{{solvable}"answer": "{cells[0]}"}}'
        if layout.keyed:
            return f'{{{solvable}"answer": {{"{cells[0]}": "{cells[1]}", ...}}}}'
        quoted = [cell if numeric(column) else f'"{cell}"' for cell, column in zip(cells, layout.columns, strict=True)]
        if _single(layout):
            return f'{{{solvable}"answer": {quoted[0] if one else f"[{quoted[0]}, ...]"}}}'
        return f'{{{solvable}"answer": [[{", ".join(quoted)}]{"" if one else ", ..."}]}}'
    line = between(layout).join(cells)
    if reply_format == "tags":
        return "<answer>\n" + line + ("\n" if one else "\n...\n") + "</answer>"
    if reply_format == "boxed":
        return f"\\boxed{{{line}{'' if one else '; ...'}}}"
    row = "| " + " | ".join(cells) + " |"
    return row if one else row + "\n..."


def between(layout: Layout) -> str:
    """The sign between the values of a row, where rows are lines."""
    return " " if layout.grid else ": " if layout.keyed else " | "


def _single(layout: Layout) -> bool:
    """Return whether an answer is one name, or a list of names: JSON has them without a list for each row."""
    return len(layout.columns) == 1 and not layout.grid and not layout.text


# ---- replies that are right -----------------------------------------------------------------------------------------


def gold_reply(puzzle: AnyPuzzle, answer: Any | None, reply_format: str) -> str:
    """The shortest reply that gives this answer; None: that there is no solution.

    Raises BadParams for None where the puzzle does not admit doubt, since no prompt says how to reply so.
    """
    known_format(reply_format)
    doubt = puzzle.question.may_be_unsolvable
    if answer is None:
        if not doubt:
            raise BadParams(f"{puzzle.family}: without question.may_be_unsolvable no reply says that there is no solution")
        return NONE[reply_format]
    family = family_named(puzzle.family)
    return spelled(write(family, puzzle, answer), layout_of(family, puzzle), reply_format, doubt)


def spelled(rows: Rows, layout: Layout, reply_format: str, doubt: bool = False) -> str:
    """These rows as a reply. doubt: the json reply also says "solvable": true."""
    if layout.between:
        rows = (("".join([before + token for before, token in zip(layout.between, (*rows[0], ""), strict=True)]),),)
    elif layout.text:
        rows = (("".join(rows[0]),),)
    if reply_format == "json":
        as_int = [numeric(column) for column in layout.columns]
        value: Any = rows[0][0]
        if not layout.text:
            value = [[int(token) if number else token for token, number in zip(row, as_int, strict=True)] for row in rows]
        if layout.keyed and len(dict(value)) == len(value):
            value = dict(value)
        if _single(layout):
            value = value[0][0] if layout.max_rows == 1 else [row[0] for row in value]
        return json.dumps({"solvable": True, "answer": value} if doubt else {"answer": value}, ensure_ascii=False)
    if reply_format == "table":
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)
    lines = [between(layout).join(row) for row in rows]
    if reply_format == "tags":
        return "<answer>\n" + "".join(line + "\n" for line in lines) + "</answer>"
    return f"\\boxed{{{'; '.join(lines)}}}"


def reply_schema(puzzle: AnyPuzzle) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of the json reply, for servers that decode along a schema.

    It uses only type, properties, required, additionalProperties, items, prefixItems (where columns differ), enum, minItems and
    maxItems; an answer that is a text is any string, and one of very many numbers any integer. A puzzle that admits doubt
    requires "solvable" and allows "answer": "exactly one of two forms" is what such servers support least, and the parser
    refuses the two combinations that mean nothing.
    """
    layout = layout_of(family_named(puzzle.family), puzzle)
    cells = [_cell(column) for column in layout.columns]
    row: dict[str, Any] = {"type": "array", "minItems": len(cells), "maxItems": len(cells)}
    if all(cell == cells[0] for cell in cells):
        row["items"] = cells[0]
    else:
        row["prefixItems"] = cells
        row["items"] = False
    if _single(layout):
        row = cells[0]
    answer = {"type": "array", "items": row, "minItems": layout.min_rows, "maxItems": layout.max_rows}
    if _single(layout) and layout.max_rows == 1:
        answer = row
    if layout.text:
        answer = {"type": "string"}
    if layout.keyed:
        names = list(layout.columns[0].tokens)
        words = {name: {"type": "string"} for name in names}
        answer = {"type": "object", "properties": words, "required": names, "additionalProperties": False}
    doubt = puzzle.question.may_be_unsolvable
    return {
        "type": "object",
        "properties": {"solvable": {"type": "boolean"}, "answer": answer} if doubt else {"answer": answer},
        "required": ["solvable"] if doubt else ["answer"],
        "additionalProperties": False,
    }


def _cell(column: Column) -> dict[str, Any]:
    if numeric(column):
        if len(column.tokens) > _LISTED:
            return {"type": "integer"}
        return {"type": "integer", "enum": [int(token) for token in column.tokens]}
    return {"type": "string", "enum": list(column.tokens)}
