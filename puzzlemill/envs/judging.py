"""Rows that ask for a judgement: which of two answers is right, and whether a reasoning is; and exports of them as releases.

Such a row is made of a row of a release and of
  planted   a wrong answer, or the row's trace with an error (flaws.py): no model is asked, and every label is proved
  replies   a model's reply, which the scorer found right or wrong
and comes in twos that differ in nothing but what is right: both orders of two answers, a sound and a flawed reasoning. Of
replies, each wrong one goes with a right one to the same family whose length is nearest, and those that are left over are left
out; that such a reply's reasoning is right is not proved, only its answer is. Rows that say that there may be no solution are
asked without that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log10
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadFile, BadRow
from puzzlemill.core.rng import Rng, digest, stream
from puzzlemill.core.types import Rows
from puzzlemill.envs.columns import scoring
from puzzlemill.envs.export import MARK, MAX_MARK
from puzzlemill.envs.flaws import Flaw, flaw, gold_rows, letter_and_text, sound_steps, wrong_rows
from puzzlemill.envs.mitigations import filled
from puzzlemill.factory.read import MANIFEST, Entry, Release, file_hash, open_release
from puzzlemill.questions import is_dialogue
from puzzlemill.questions.asks import layout_of
from puzzlemill.scoring.judging import ANSWERS, CORRECTED, JUDGEMENT, NO, REASONING, YES, Sheet
from puzzlemill.scoring.prompt import answer_example, spelled, stated
from puzzlemill.scoring.score import Prepared, prepared, score
from puzzlemill.vocabulary.load import record

PLANTED, REPLIES = "planted", "replies"  # sources
LONGEST = 60_000  # characters of a reply that is shown
Row = dict[str, Any]
_HEADS = ("{n}. ", "Step {n}: ", "({n}) ", "[{n}] ")


@dataclass(frozen=True, slots=True)
class Wordings:
    """Ways of asking, by task."""

    answers: tuple[str, ...]
    reasoning: tuple[str, ...]


@cache
def wordings() -> Wordings:
    """All of them."""
    read: Wordings = record(Wordings, "puzzlemill.vocabulary", "judging.toml")
    return read


@dataclass(frozen=True, slots=True)
class Replied:
    """A model's reply that holds an answer. right: by the scorer."""

    sample: int
    text: str
    rows: Rows
    right: bool


def judged_of(row: Mapping[str, Any]) -> Prepared | None:
    """The row, if judgements can be made of it: one that is no dialogue and has an answer."""
    unfit = is_dialogue(row["question"]) or row["answer"] is None or row["reply_format"] == JUDGEMENT
    return None if unfit else prepared(row)


# ---- without a model -----------------------------------------------------------------------------------------------------


def planted(row: Mapping[str, Any]) -> Iterator[Row]:
    """Judgements of a row, in twos."""
    case = judged_of(row)
    if case is None:
        return
    rng = stream("judging", row["id"])
    wrong = wrong_rows(row, case, rng.child("wrong"))
    if wrong is not None:
        yield from _answers(row, case, wrong, PLANTED, rng.child(ANSWERS))
    found = flaw(row, case, rng.child("flaw"))
    if found is not None:
        yield from _reasonings(row, case, found, rng.child(REASONING))


def _answers(row: Mapping[str, Any], case: Prepared, wrong: Rows, source: str, rng: Rng, sample: int = 0) -> Iterator[Row]:
    """Both orders of the right answer and a wrong one."""
    gold = gold_rows(case)
    asked = rng.pick(wordings().answers)
    for place, (first, second) in enumerate(((gold, wrong), (wrong, gold)), 1):
        shown = {"first": letter_and_text(first, case), "second": letter_and_text(second, case)}
        sheet = Sheet(ANSWERS, str(place))
        why = f"answer {3 - place} is refused by the scorer"
        yield _row(row, filled(asked, _question(case) | shown), sheet, source, why, f"\\boxed{{{place}}}", sample)


def _reasonings(row: Mapping[str, Any], case: Prepared, found: Flaw, rng: Rng) -> Iterator[Row]:
    """The trace of a row, sound and with an error."""
    asked, head = rng.pick(wordings().reasoning), rng.pick(_HEADS)
    for steps, rows, why in (
        (sound_steps(row, case), gold_rows(case), "the trace of a proved row"),
        (found.steps, found.rows, found.why),
    ):
        text = "\n".join([f"{head.format(n=n)}{step}" for n, step in enumerate(steps, 1)])
        sheet = Sheet(REASONING, NO if steps == found.steps else YES)
        yield _reasoning(row, case, asked, text, rows, sheet, PLANTED, why)


def _reasoning(
    row: Mapping[str, Any],
    case: Prepared,
    asked: str,
    text: str,
    rows: Rows,
    sheet: Sheet,
    source: str,
    why: str,
    sample: int = 0,
) -> Row:
    layout = layout_of(case.family, case.puzzle)
    shown = {"reasoning": text, "answer": letter_and_text(rows, case), "form": _inside(answer_example(layout, "boxed", False))}
    gold = f"\\boxed{{{YES}}}"
    if sheet.right == NO:
        gold = f"\\boxed{{{NO}, {CORRECTED} {_inside(spelled(gold_rows(case), layout, 'boxed'))}}}"
    return _row(row, filled(asked, _question(case) | shown), sheet, source, why, gold, sample)


def _question(case: Prepared) -> dict[str, str]:
    return {"question": stated(case.puzzle)}


def _inside(boxed: str) -> str:
    return boxed.removeprefix("\\boxed{").removesuffix("}")


def _row(row: Mapping[str, Any], prompt: str, sheet: Sheet, source: str, why: str, gold: str, sample: int) -> Row:
    """The columns of a judgement: those of the row that it is about, with its own in their places."""
    prompt = prompt.strip()
    name = digest("judgement", row["id"], sample, sheet.to_json(), prompt).hex()[:20]
    return {
        **scoring(row),
        "id": f"judgement-{name}",
        "parent_id": None,
        "variant": f"judge_{sheet.task}",
        "reply_format": JUDGEMENT,
        "hidden": sheet.to_json(),
        "play": None,
        "guess_baseline": 0.5,
        "prompt": prompt,
        "messages": [{"role": "user", "content": prompt}, {"role": "assistant", "content": gold}],
        "gold_reply": gold,
        "task": sheet.task,
        "label": sheet.right,
        "source": source,
        "why": why,
        "about": row["id"],
        "sample": sample,
        "question": row["question"],
        "reply_schema": "{}",
        "difficulty": row["difficulty"],
        "kinds": [],
        "search_space_log10": log10(2),  # of the verdicts
        "canary": row["canary"],
    }


# ---- of replies ----------------------------------------------------------------------------------------------------------


def replied(row: Mapping[str, Any], lines: Iterable[tuple[int, Mapping[str, Any]]]) -> list[Replied]:
    """The replies to a row that hold a full answer, right or wrong, and are not too long to be shown."""
    found = []
    for sample, line in lines:
        verdict = score(line["reply"], row)
        thoughts = line.get("reasoning")
        text = f"{thoughts}\n\n{line['reply']}" if type(thoughts) is str and thoughts else line["reply"]
        if verdict.why in ("solved", "wrong") and verdict.answer is not None and len(text) <= LONGEST:
            found.append(Replied(sample, text.strip(), verdict.answer, verdict.solved))
    return found


Answered = tuple[Mapping[str, Any], Replied]


def of_replies(answered: Sequence[Answered]) -> Iterator[Row]:
    """Judgements of replies: each wrong answer beside the right one, and each wrong reasoning with a right one of its length."""
    for row, reply in answered:
        if not reply.right:
            case = prepared(row)
            yield from _answers(row, case, reply.rows, REPLIES, stream("judging", row["id"], reply.sample), reply.sample)
    for pair in _matched(answered):
        asked = stream("judging", REASONING, pair[0][0]["id"], pair[0][1].sample).pick(wordings().reasoning)
        for row, reply in pair:
            sheet = Sheet(REASONING, YES if reply.right else NO)
            why = "its answer is right" if reply.right else "its answer is refused by the scorer"
            yield _reasoning(row, prepared(row), asked, reply.text, reply.rows, sheet, REPLIES, why, reply.sample)


def _matched(answered: Sequence[Answered]) -> list[tuple[Answered, Answered]]:
    """Right and wrong replies in twos, of one family and of nearly one length; of more of one kind the nearest are taken."""
    kinds: dict[str, tuple[list[Answered], list[Answered]]] = {}
    for row, reply in answered:
        kinds.setdefault(row["family"], ([], []))[reply.right].append((row, reply))
    found: list[tuple[Answered, Answered]] = []
    for one, other in kinds.values():
        few, many = sorted((one, other), key=len)
        left = list(many)
        for each in sorted(few, key=lambda pair: digest(pair[0]["id"], pair[1].sample)):
            gaps = [abs(len(reply.text) - len(each[1].text)) for _, reply in left]
            found.append((each, left.pop(gaps.index(min(gaps)))))
    return found


# ---- exports, opened like releases ---------------------------------------------------------------------------------------


def is_judged(release: Release) -> bool:
    """Return whether these are judgements."""
    return "judgements" in release.manifest


def open_rows(folder: Path) -> Release:
    """A release, or an export of judgements with its files in the place of a release's. Raises BadFile."""
    mark = folder / MARK
    if (folder / MANIFEST).exists() or not mark.is_file():
        return open_release(folder)
    try:
        written = json.loads(mark.read_bytes()) if mark.stat().st_size <= MAX_MARK else {}
        listed = {name: hashed for name, hashed in written["files"].items() if name.endswith(".parquet")}
        if written["to"] != "judging":
            raise BadFile(f"{folder}: an export to {str(written['to'])[:20]}; of exports only those --to judging can be opened")
        files = {}
        for name, hashed in listed.items():
            path = folder / name
            if Path(name).name != name or file_hash(path) != hashed:
                raise BadRow(f"{name[:80]} was changed")
            files[name] = Entry(name, path.stat().st_size, hashed, None)
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError, BadRow) as error:
        raise BadFile(f"{mark}: not a list of the files that lie there ({error}); make the export again") from None
    name = f"{written.get('release')}, judgements"
    manifest: dict[str, Any] = {"release": name, "content": [], "judgements": written.get("judgements")}
    return Release(folder, manifest, files)
