"""Programs that models wrote in place of answers: out of a file of replies into a folder, and their outputs back as replies.

Nothing here runs a program. Between the two steps stands a sandbox of the user's own, which runs FOLDER/ID.SAMPLE.py and writes
what it prints to FOLDER/ID.SAMPLE.out. The folder is as little trusted as a reply: plain files alone are read, and bounded.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.envs.calls import encoded
from puzzlemill.envs.mitigations import mitigations
from puzzlemill.envs.run import companion, read_settings
from puzzlemill.factory.files import in_one_line, whole
from puzzlemill.scoring.replies import MAX_LINE, MAX_SAMPLE

MOST = 8 << 20  # bytes of an output, its last ones
OUTPUTS = "outputs"  # in the settings of a file whose replies are programs' outputs
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,199}")


def refuse_programs(replies: Path) -> None:
    """Raise BadParams for a file whose replies are programs that nobody has run."""
    settings = (read_settings(replies) or {}).get("settings", {})
    if _asks_for_programs(settings) and OUTPUTS not in settings:
        raise BadParams(
            f"{replies} holds programs, not answers: `puzzlemill programs` writes them to a folder; run them in a sandbox of your"
            " own, and score the file that it makes of their outputs"
        )


def write_programs(replies: Path, folder: Path) -> int:
    """Write the program of every line to the folder; their number. Raises BadFile, BadParams."""
    _settings(replies)
    count = 0
    with in_one_line(folder, "name another folder with --folder"):
        folder.mkdir(parents=True, exist_ok=True)
        for line in _lines(replies):
            with whole(folder / f"{_stem(line)}.py") as aside:
                aside.write_text(line["program"], encoding="utf-8", errors="backslashreplace")
            count += 1
    return count


def read_outputs(replies: Path, folder: Path, out: Path) -> tuple[int, int]:
    """Write `out`: the lines with the outputs as their replies, and how they were asked; how many, and how many had no output.

    Raises BadFile, BadParams.
    """
    header = _settings(replies)
    if out.resolve() == replies.resolve():
        raise BadParams(f"--out: {out} holds the programs; name another file")
    count = lacking = 0
    header["settings"][OUTPUTS] = "of a sandbox"  # so that `run` asks for no programs in this file
    with in_one_line(out, "name another file with --out"), whole(out) as aside:
        with aside.open("wb") as file:
            for line in _lines(replies):
                output = _output(folder / f"{_stem(line)}.out")
                if output is None:
                    lacking += 1
                else:
                    file.write(encoded(line | {"reply": output}))
                    count += 1
        with whole(companion(out, ".run.json")) as beside:
            beside.write_text(json.dumps(header, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
    return count, lacking


def _asks_for_programs(settings: Mapping[str, Any]) -> bool:
    name = settings.get("mitigation")
    found = mitigations().get(name) if type(name) is str else None
    return found is not None and found.program


def _settings(replies: Path) -> dict[str, Any]:
    found = read_settings(replies)
    if found is None or not _asks_for_programs(found["settings"]) or OUTPUTS in found["settings"]:
        raise BadParams(f"{replies} holds no programs; ask for them with `puzzlemill run --mitigation program-of-thought`")
    return found


def _lines(replies: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file of programs, checked."""
    with in_one_line(replies, "give a file that `puzzlemill run` wrote"), replies.open("rb") as file:
        number = 0
        while raw := file.readline(MAX_LINE + 1):
            number += 1
            try:
                line = json.loads(raw) if len(raw) <= MAX_LINE else None
            except (ValueError, RecursionError):
                line = None
            if (
                type(line) is not dict
                or type(line.get("id")) is not str
                or not _NAME.fullmatch(line["id"])
                or type(line.get("sample")) is not int
                or not 0 <= line["sample"] <= MAX_SAMPLE
                or type(line.get("program")) is not str
            ):
                raise BadFile(f"{replies}:{number}: no line with a program; give a file that `puzzlemill run` wrote")
            yield line


def _stem(line: Mapping[str, Any]) -> str:
    return f"{line['id']}.{line['sample']}"


def _output(path: Path) -> str | None:
    """The end of what a program printed; None where there is no plain file."""
    if path.is_symlink() or not path.is_file():
        return None
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - MOST))
        return file.read(MOST).decode(errors="replace")
