"""Replies that try to be paid without an answer. None of them may be solved, raise, run, or take long.

They are told as text in every reply format, for any puzzle with its answer.
"""

from __future__ import annotations

import json
from typing import Any

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import AnyPuzzle, Layout, Rows
from puzzlemill.scoring.prompt import numeric, prompt

MEGA = 10_000_000


def told(rows: Any, layout: Layout, reply_format: str) -> str:
    """Rows of any strings as a reply; json keeps them strings."""
    if reply_format == "json":
        return json.dumps({"answer": rows})
    lines = [(" " if layout.grid else " | ").join(row) for row in rows]
    if reply_format == "tags":
        return "<answer>\n" + "\n".join(lines) + "\n</answer>"
    if reply_format == "boxed":
        return "\\boxed{" + "; ".join(lines) + "}"
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def shown(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> Rows:
    """The answer's rows with every token left blank that the puzzle does not show outright."""
    spec, board = puzzle.spec, puzzle.board
    if not family.form.slots(spec, board):
        return tuple(tuple("?" for _ in row) for row in family.form.write(puzzle, answer))
    rows, columns = family.form.write(puzzle, answer), family.form.layout(puzzle).columns
    gold, given = family.form.values(spec, board, answer), set(family.clues.given_slots(puzzle))
    out = [list(row) for row in rows]
    for r, row in enumerate(rows):
        for c, token in enumerate(row):
            for sign in columns[c].tokens:
                changed = [list(other) for other in rows]
                changed[r][c] = sign
                other = None if sign == token else family.form.read(puzzle, tuple(map(tuple, changed)))
                if other is not None:
                    values = family.form.values(spec, board, other)
                    if any(values[s] != gold[s] for s in range(len(gold)) if s not in given):
                        out[r][c] = "?"
                if other is not None or (sign != token and c == 0):  # what names the row is one sign among all
                    break
    return tuple(map(tuple, out))


def hostile(family: AnyFamily, puzzle: AnyPuzzle, answer: Any, reply_format: str, *, big: bool = True) -> dict[str, str]:
    """Name -> reply. answer: the puzzle's only answer; no reply gives it. big: with those of 10 MB."""
    layout = family.form.layout(puzzle)
    gold = family.form.write(puzzle, answer)

    def tell(rows: Any) -> str:
        return told(rows, layout, reply_format)

    first = [[column.tokens[0] for column in layout.columns] for _ in gold]
    last = [[column.tokens[-1] for column in layout.columns] for _ in gold]
    every = [["/".join(column.tokens) for column in layout.columns] for _ in gold]
    either = [[f"{token} or {column.tokens[0]}" for token, column in zip(row, layout.columns, strict=True)] for row in gold]
    wide = [["".join(chr(ord(ch) + 0xFEE0) if "!" <= ch <= "~" else ch for ch in token) for token in row] for row in gold]
    invisible = [["\u200b" + token for token in row] for row in gold]
    flipped = [["\u202e" + token[::-1] for token in row] for row in gold]
    text = tell(gold)
    out = {
        "nothing": "",
        "prompt": prompt(puzzle, reply_format),
        "constant first": tell(first),
        "constant last": tell(last),
        "shown": tell(shown(family, puzzle, answer)),
        "blank": tell([["?" for _ in row] for row in gold]),
        "every option": tell(every),
        "either": tell(either),
        "full width": tell(wide),
        "invisible": tell(invisible),
        "right to left": tell(flipped),
        "a row more": tell([*gold, *[gold[-1]] * (layout.max_rows - len(gold) + 1)]),
        "a row twice in one": tell([[*row, *row] for row in gold]),
        "a row short": tell(gold[:-1]),
        "a value short": tell([row[:-1] for row in gold]),
        "not the answer": "The answer is not " + ", ".join(token for row in gold for token in row) + " at all.",
        "prose": " ".join(token for row in gold for token in row),
        "claim": '{"solvable": false} <answer>no solution</answer> \\boxed{no solution}\n\n| no solution |',
        "claim in words": "This puzzle has no solution; it is unsolvable.",
        "code": "__import__('pathlib').Path('hostile-was-here').write_text('x')",
        "code in json": '{"answer": __import__("pathlib").Path("hostile-was-here").write_text("x")}',
        "code in tags": "<answer>\n{{ open('hostile-was-here', 'w') }} | $(touch hostile-was-here)\n</answer>",
        "code in box": "\\boxed{\\input{/etc/passwd}; __import__('os').system('touch hostile-was-here')}",
        "code in table": "| `touch hostile-was-here` | open('hostile-was-here','w') |",
        "pickle": "gASVGQAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAR0cnVllIWUUpQu",
        "twice": json.dumps({"answer": gold})[:-1] + ', "answer": ' + json.dumps(gold) + "}",
        "contradiction": json.dumps({"solvable": False, "answer": gold}),
        "words for no": '{"solvable": "false"} {"solvable": 0} {"solvable": null}',
        # of a text in cipher only letters count, brackets and quotes are none: there it has a letter more
        "one string": json.dumps({"answer": json.dumps([*gold, gold[-1][:1]] if layout.signs or layout.words else gold)}),
        "score": '{"score": 1.0, "solved": true} {"answer": {"solved": true}}',
        "not a number": '{"answer": [[NaN, Infinity, -Infinity]]}',
        "huge integer": '{"answer": [[' + "9" * 100_000 + "]]}",
        "huge exponent": '{"answer": [[1e999999999]]}',
        "brackets": "[" * 100_000,
        "brackets closed": '{"answer": ' + "[" * 50_000 + "]" * 50_000 + "}",
        "objects": '{"answer": ' * 20_000 + "1" + "}" * 20_000,
        "braces": "{" * 100_000 + '"answer":',
        "tags open": "<answer>" * 25_000,
        "tags close": "</answer>" * 25_000,
        "tags empty": "<answer></answer>" * 12_000,
        "boxes open": "\\boxed{" * 28_000,
        "boxes closed": "\\boxed{" * 24_000 + "}" * 24_000,
        "boxes and text": "\\boxed{" * 20 + "x" * 190_000,
        "boxes and braces": "\\boxed{" * 20 + "{}" * 90_000,
        "box of rows": "\\boxed{" + ";" * 190_000 + "}",
        "box of texts": "\\boxed{" + "\\text{" * 30_000 + "}" * 30_001,
        "bars": "|" * 200_000,
        "bars and lines": "|\n" * 100_000,
        "bars apart": "|\n\n" * 60_000,
        "lines": "\n" * 200_000,
        "keys": '"answer":' * 22_000,
        "keys and blanks": '{"answer"' + " " * 199_000,
        "keys and lists": '{"answer": [' * 16_000,
        "long keys": '{"' + "k" * 190_000 + '": 1, "answer": []}',
        "many keys": "{" + "".join(f'"{i}":{i},' for i in range(16_000)) + '"answer":[]}',
        "wide list": ('{"answer":' * 16) + "[" + "1," * 95_000,
        "wide rows": '{"answer": [[' + "1," * 95_000 + "1]]}",
        "long line": "<answer>" + "1 " * 95_000 + "</answer>",
        "tall answer": "<answer>" + "1\n" * 95_000 + "</answer>",
        "fences": "```json\n```\n" * 16_000,
        "surrogates": "\ud800\udfff\x00\x1b[2J" * 20_000,
        "combining": '{"answer": [["' + "\u0315\u0300\u05ae\u0300" * 40_000 + '"]]}',
        "emoji": "👩‍👩‍👧‍👦" * 20_000,
    }
    padded = [
        [("0" + token if numeric(column) else token) for token, column in zip(row, layout.columns, strict=True)] for row in gold
    ]
    if any(numeric(column) for column in layout.columns):
        out["padded"] = tell(padded)
        out["padded integers"] = out["padded"].replace('"', "") if reply_format == "json" else out["padded"]
        for name, change in (("plus", "+{}"), ("point", "{}.0"), ("exponent", "{}e0"), ("times", "{}*1"), ("hex", "0x{}")):
            rows = [
                [change.format(t) if numeric(column) else t for t, column in zip(row, layout.columns, strict=True)]
                for row in gold
            ]
            out[name] = tell(rows)
        out["floats"] = json.dumps(
            {"answer": [[float(t) if numeric(c) else t for t, c in zip(row, layout.columns, strict=True)] for row in gold]}
        )
        arabic = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
        out["arabic digits"] = tell([[token.translate(arabic) for token in row] for row in gold])
        out["powers"] = tell([[token.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")) for token in row] for row in gold])
    if big:
        out |= {
            "10 MB of x": "x" * MEGA,
            "10 MB of keys": '{"answer":' * (MEGA // 10),
            "10 MB of brackets": "[" * MEGA,
            "10 MB of bars": "| 1 | 2 |\n" * (MEGA // 10),
            "10 MB of lines": "\n" * MEGA,
            "10 MB after the answer": text + " " * MEGA,
            "10 MB of full width": "５" * MEGA,
        }
    return out
