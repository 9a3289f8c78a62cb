"""An audit of reasoning-gym's puzzles by our own proofs: `python benchmarks/audit_peers.py [--count 200] [--write]`.

Of each task that can be read as one of our families, so many puzzles are read and proved as `puzzlemill import --audit`
does it: one right answer or not, golds that break rules, copies. Then their scorers get replies that are wrong by the rules
of their own prompts, and right ones in other clothes. `.venv/bench` has the package (make .venv/bench/installed); --write
writes benchmarks/audit.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from measure import write_page

from puzzlemill.factory.imports.forms import Asked, opened
from puzzlemill.factory.imports.proving import RIGHT, UNREAD, UNREADABLE, WRONG, Proved, prove
from puzzlemill.factory.imports.tally import ALIKE, EXACT, NONE, SEVERAL, UNIQUE, Tally
from puzzlemill.generators import family_named
from puzzlemill.solvers.engines import Budget

Entry = dict[str, Any]
Replies = list[tuple[str, bool, str]]  # what it is, whether it is right, the reply
_LEFT = {"{} is directly left of {}": "just_left", "{} is somewhere to the left of {}": "left"}
_TWO = {
    **_LEFT,
    "{} and {} are next to each other": "next",
    "{} is somewhere to the right of {}": "right",
    "{} is {}": "same",
}
_APART = {"There is one house between {} and {}": 2, "There are two houses between {} and {}": 3}
_HOUSES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


@dataclass(frozen=True)
class Task:
    """A data set of reasoning-gym: how its entries are read, and what its scorer is tried with.

    read: an entry as columns of a table, puzzle and solution. replies: to an entry whose proved answer is given (None if it has
    several). settings: of the data set, besides its defaults, with what to call it then. share: one of so many is asked for.
    """

    dataset: str
    family: str
    read: Callable[[Entry], dict[str, Any]]
    replies: Callable[[Entry, Proved], Replies]
    called: str = ""
    settings: tuple[tuple[str, Any], ...] = ()
    share: int = 1

    @property
    def name(self) -> str:
        return self.called or self.dataset


# ---- sudoku -------------------------------------------------------------------------------------------------------------


def _sudoku(entry: Entry) -> dict[str, Any]:
    return {"puzzle": entry["metadata"]["puzzle"], "solution": entry["answer"]}


def _sudoku_replies(entry: Entry, _: Proved) -> Replies:
    gold: list[list[int]] = entry["metadata"]["solution"]
    n, puzzle = len(gold), entry["metadata"]["puzzle"]
    open_ = [(r, c) for r in range(n) for c in range(n) if not puzzle[r][c]]
    r, c = open_[0]
    one = _put(gold, {(r, c): gold[r][c] % n + 1})
    ones = _put(gold, dict.fromkeys(open_, 1))
    rows = _put(gold, {(i, j): 1 + j for i in range(n) for j in range(n)})
    doubled = "\n".join(
        " ".join(f"{value}{value}" if (i, j) == (r, c) else str(value) for j, value in enumerate(row))
        for i, row in enumerate(gold)
    )
    return [
        ("right, as asked", True, entry["answer"]),
        ("right, without blanks", True, "\n".join("".join(map(str, row)) for row in gold)),
        ("right, in a code block", True, f"```\n{entry['answer']}\n```"),
        ("one cell wrong", False, _spaced(one)),
        ("1 in every empty cell", False, _spaced(ones)),
        (f"1 to {n} in every row, whatever is given", False, _spaced(rows)),
        ("a cell holds two digits", False, doubled),
    ]


def _put(grid: Sequence[Sequence[int]], cells: dict[tuple[int, int], int]) -> list[list[int]]:
    return [[cells.get((r, c), value) for c, value in enumerate(row)] for r, row in enumerate(grid)]


def _spaced(grid: Sequence[Sequence[int]]) -> str:
    return "\n".join(" ".join(map(str, row)) for row in grid)


# ---- kakurasu -----------------------------------------------------------------------------------------------------------


def _kakurasu(entry: Entry) -> dict[str, Any]:
    sums, shape = entry["metadata"], entry["metadata"]["puzzle"]
    head = "  " + " ".join(map(str, sums["col_sums"]))
    rows = [f"{total} " + " ".join("." * len(row)) for total, row in zip(sums["row_sums"], shape, strict=True)]
    return {"puzzle": "\n".join([head, *rows]), "solution": entry["answer"]}


def _kakurasu_replies(entry: Entry, _: Proved) -> Replies:
    gold = entry["metadata"]["solution"]
    return [
        ("right, as asked", True, entry["answer"]),
        ("right, as JSON lists", True, json.dumps(gold)),
        ("right, in a code block", True, f"```\n{entry['answer']}\n```"),
        ("one cell wrong", False, _spaced(_put(gold, {(0, 0): 1 - gold[0][0]}))),
        ("all cells 0", False, _spaced([[0 for _ in row] for row in gold])),
        ("a 7 beside every cell", False, "\n".join(" ".join(f"{value} 7" for value in row) for row in gold)),
    ]


# ---- tower of hanoi -----------------------------------------------------------------------------------------------------


def _hanoi(entry: Entry) -> dict[str, Any]:
    about = entry["metadata"]
    pegs = range(1, about["num_pegs"] + 1)
    disks = " ".join(str(disk) for disk in range(about["num_disks"], 0, -1))
    start = [f"Peg_{peg}: {disks if peg == about['start_peg'] else ''}".rstrip() for peg in pegs]
    moves = [re.findall(r"\d+", line) for line in entry["answer"].splitlines()]
    return {
        "puzzle": "\n".join(["start", *start, "goal", f"Peg_{about['target_peg']}: {disks}"]),
        "solution": json.dumps([[disk, f"Peg_{source}", f"Peg_{target}"] for disk, source, target in moves]),
    }


def _hanoi_replies(entry: Entry, _: Proved) -> Replies:
    about, moves = entry["metadata"], entry["answer"].splitlines()
    start, other = about["start_peg"], about["auxiliary_pegs"][0]
    there, back = f"Move disk 1 from Peg {start} to Peg {other}", f"Move disk 1 from Peg {other} to Peg {start}"
    return [
        ("right, as asked", True, entry["answer"]),
        ("right, numbered lines", True, "\n".join(f"{i}. {move}" for i, move in enumerate(moves, 1))),
        ("one legal move, and no more", False, there),
        ("the goal is not reached: all moves but the last", False, "\n".join(moves[:-1])),
        ("the goal is not reached: a disk to and fro", False, f"{there}\n{back}"),
    ]


# ---- zebra --------------------------------------------------------------------------------------------------------------


def _zebra(entry: Entry) -> dict[str, Any]:
    """Their sentences are made of fixed phrases; each stands for one value, and six patterns for what is said of them."""
    from reasoning_gym.logic.contrib.logic_puzzle import literals

    text = entry["question"]
    kinds = [kind for kind in vars(literals).values() if isinstance(kind, type) and issubclass(kind, literals.Literal)]
    listed = dict(re.findall(r"^ - (.*?): (.*)$", text, re.MULTILINE))
    phrases, lines = {}, []
    for kind in kinds:
        names = listed.get(kind.description().partition(":")[0]) if len(kind) else None
        if names is None:
            continue
        here = [each for each in kind if each.name.replace("_", " ") in names.split(", ")]
        lines.append(f"{kind.__name__}: {', '.join(f'{kind.__name__}-{each.name}' for each in here)}")
        phrases |= {each.value.casefold(): f"{kind.__name__}-{each.name}" for each in here}
    for clue in re.findall(r"^\d+\. (.*)\.$", text, re.MULTILINE):
        lines.append(_clue(clue, phrases))
    return {"puzzle": "\n".join(lines)}


def _clue(text: str, phrases: dict[str, str]) -> str:
    one = "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))
    found = re.fullmatch(rf"({one}) is (not )?in the ({'|'.join(_HOUSES)}) house", text, re.IGNORECASE)
    if found:
        return f"{'not_at' if found[2] else 'at'}({phrases[found[1].casefold()]}, {_HOUSES.index(found[3]) + 1})"
    for pattern, number in _APART.items():
        if found := re.fullmatch(pattern.format(f"({one})", f"({one})"), text, re.IGNORECASE):
            return f"apart({phrases[found[1].casefold()]}, {phrases[found[2].casefold()]}, {number})"
    for pattern, kind in _TWO.items():
        if found := re.fullmatch(pattern.format(f"({one})", f"({one})"), text, re.IGNORECASE):
            return f"{kind}({phrases[found[1].casefold()]}, {phrases[found[2].casefold()]})"
    raise SystemExit(f"audit_peers: a sentence of zebra_puzzles is not known: {text!r}")


def _zebra_replies(entry: Entry, _: Proved) -> Replies:
    names = re.search(r"unique name: (.*)", entry["question"])
    assert names
    others = [name for name in names[1].split(", ") if name != entry["answer"]]
    return [
        ("right, as asked", True, entry["answer"]),
        ("right, with a full stop", True, f"{entry['answer']}."),
        ("another name", False, others[0]),
        ("all names", False, ", ".join([entry["answer"], *others])),
    ]


def _zebra_gold(entry: Entry, found: Proved, own: Any) -> bool | None:
    """Whether the gold name is the one at the house that is asked for; None where the answer is not the only one. own: the puzzle
    with its own names."""
    if found.certificate is None or found.status != "unique":
        return None
    family = family_named("zebra")
    house = int(re.search(r"lives in House (\d+)", entry["question"])[1])  # type: ignore[index]
    columns = [column.name for column in family.form.layout(own).columns]
    rows = family.form.write(own, found.certificate.answer)
    return bool(rows[house - 1][columns.index("Name")] == f"Name-{entry['answer']}")


_LARGE = (("min_rows", 7), ("max_rows", 7), ("min_cols", 7), ("max_cols", 7), ("p_ones", 0.5))
_TALL = (("min_pegs", 4), ("max_pegs", 5), ("min_disks", 5), ("max_disks", 8))
TASKS = (
    Task("sudoku", "sudoku", _sudoku, _sudoku_replies),
    Task("mini_sudoku", "sudoku", _sudoku, _sudoku_replies),
    Task("kakurasu", "kakurasu", _kakurasu, _kakurasu_replies),
    Task("kakurasu", "kakurasu", _kakurasu, _kakurasu_replies, "kakurasu, 7x7, half of the cells 1", _LARGE, 5),
    Task("tower_of_hanoi", "hanoi", _hanoi, _hanoi_replies),
    Task("tower_of_hanoi", "hanoi", _hanoi, _hanoi_replies, "tower_of_hanoi, 4 or 5 pegs, 5 to 8 disks", _TALL, 2),
    Task("zebra_puzzles", "zebra", _zebra, _zebra_replies),
)


# ---- the tables ---------------------------------------------------------------------------------------------------------


def proved(task: Task, entries: Sequence[Entry], folder: Path) -> tuple[Tally, list[Proved], list[Any]]:
    """The entries as a file that `puzzlemill import` reads, what is proved of each, and the puzzles in their own names."""
    path = folder / f"{task.dataset}.jsonl"
    path.write_text("".join(json.dumps({"name": str(i), **task.read(entry)}) + "\n" for i, entry in enumerate(entries)))
    asked = Asked(task.family)
    source = opened(path, asked)
    tally, found, own = Tally([source.file.name]), [], []
    for item in source.items(asked):
        found.append(prove(0, item, False, Budget()))
        own.append(item.puzzle)
        if not tally.add(found[-1]):
            tally.replaces(found[-1])
    return tally, found, own


def quality(
    task: Task, entries: Sequence[Entry], after: Sequence[Entry], tally: Tally, found: Sequence[Proved], own: Sequence[Any]
) -> list[object]:
    """One line of the first table. after: the entries of the next seed. own: the puzzles in their own names."""
    counts, total = tally.counts[0], len(entries)
    golds = {gold: sum(each.gold == gold and each.status != UNREADABLE for each in found) for gold in (RIGHT, WRONG, UNREAD)}
    if task.dataset == "zebra_puzzles":
        said = [_zebra_gold(*each) for each in zip(entries, found, own, strict=True)]
        golds = {RIGHT: said.count(True), WRONG: said.count(False), UNREAD: 0}
    breaks = (
        sum(each.gold == WRONG and each.why.startswith("breaks") for each in found)
        if task.dataset != "zebra_puzzles"
        else golds[WRONG]
    )
    longer = sum(each.gold == WRONG and not each.why.startswith("breaks") for each in found)
    later = {entry["question"] for entry in after}
    again = sum(entry["question"] in later for entry in entries)
    return [
        task.name,
        task.family,
        total - counts[UNREADABLE],
        counts[UNIQUE],
        _share(counts[SEVERAL], total),
        _share(counts[NONE], total),
        _share(breaks, total),
        _share(longer, total),
        _share(golds[UNREAD], total),
        _share(counts[EXACT], total),
        _share(counts[ALIKE], total),
        _share(again, total),
    ]


def _share(count: int, total: int) -> str:
    return f"{count} ({100 * count / total:.1f} %)" if count else "0"


def paid(dataset: Any, task: Task, entries: Sequence[Entry], found: Sequence[Proved]) -> list[list[object]]:
    """Lines of the second table: what their scorer gives to each kind of reply."""
    scores: dict[tuple[str, bool], list[float]] = {}
    for entry, each in zip(entries, found, strict=True):
        for label, right, reply in task.replies(entry, each):
            scores.setdefault((label, right), []).append(float(dataset.score_answer(reply, entry)))
    lines: list[list[object]] = []
    for (label, right), got in scores.items():
        wrong = _share(sum(score > 0 for score in got), len(got)) if not right else "-"
        unpaid = _share(sum(score < 1 for score in got), len(got)) if right else "-"
        lines.append([task.name, label, "right" if right else "wrong", len(got), f"{sum(got) / len(got):.3f}", wrong, unpaid])
    return lines


def _table(header: Sequence[str], lines: Sequence[Sequence[object]]) -> str:
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in [header, ["---"] * len(header), *lines])


QUALITY = (
    "task",
    "family",
    "read",
    "one answer",
    "several answers",
    "no answer",
    "gold breaks a rule",
    "gold longer than need be",
    "gold unread",
    "exact copies",
    "alike up to symmetry",
    "also in the next seed",
)
PAID = ("task", "reply", "it is", "replies", "mean reward", "wrong and paid", "right and not paid in full")


ABOUT = """\
Proved by two formulations each, as `puzzlemill import --audit` does it. *Several answers* and *no answer* are of the whole
puzzle. *Gold longer than need be*: a list of moves that another one beats; their prompts do not ask for a shortest one, but
the reward is measured by its length. *Alike*: puzzles that turning, mirroring or renaming makes equal to an earlier one.
*Also in the next seed*: items whose prompts stand word for word in the data set of the next seed, since item i of seed s is
drawn from s + i: train and test sets of neighbouring seeds share nearly all of their puzzles."""
REWARDS = """\
Rewards of `score_answer`. A wrong reply that is paid breaks a rule which its prompt states, or leaves the goal unreached;
partial credit is meant, and is listed because a policy can live on it. Right replies in other clothes break the form that
prompts ask for."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=200, help="puzzles of each task (default 200)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the next one is compared with it (default 0)")
    parser.add_argument("--write", action="store_true", help="write benchmarks/audit.md too")
    asked = parser.parse_args()
    if not 1 <= asked.count <= 100_000:
        parser.error(f"--count: expected 1 to 100000, got {asked.count}")
    try:
        import reasoning_gym as gym
    except ImportError:
        parser.error("reasoning-gym is not installed; use .venv/bench (make .venv/bench/installed)")
    first: list[list[object]] = []
    second: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for task in TASKS:
            print(f"{task.name} ...", file=sys.stderr, flush=True)
            count = -(-asked.count // task.share)
            dataset, next_ = (
                gym.create_dataset(task.dataset, seed=asked.seed + k, size=count, **dict(task.settings)) for k in (0, 1)
            )
            entries, after = [dataset[i] for i in range(count)], [next_[i] for i in range(count)]
            tally, found, own = proved(task, entries, Path(folder))
            for what in dict.fromkeys(each.problem for each in found if each.problem):
                print(f"  not read: {what}", file=sys.stderr)
            first.append(quality(task, entries, after, tally, found, own))
            second += [] if task.called else paid(dataset, task, entries, found)
    head = (
        f"reasoning-gym {version('reasoning-gym')}, {asked.count} puzzles of each task with its default settings (of other "
        f"settings a half or a fifth), seed {asked.seed}; the next seed is {asked.seed + 1}."
    )
    text = f"{head}\n\n{_table(QUALITY, first)}\n\n{ABOUT}\n\n{_table(PAID, second)}\n\n{REWARDS}"
    print(text)
    if asked.write:
        write_page("audit.md", "An audit of peers", "audit_peers.py", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
