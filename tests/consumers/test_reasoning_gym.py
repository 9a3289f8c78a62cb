"""reasoning-gym itself makes, mixes and scores our puzzles."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # one of its requirements warns while it is compiled: `is` with a literal (cellpylib 2.4)
    pytest.importorskip("reasoning_gym", reason="needs the extra: pip install 'puzzlemill[reasoning-gym]'")
import reasoning_gym
from reasoning_gym.coaching import ScoreBoard
from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec
from reasoning_gym.dataset import ReseedingDataset
from reasoning_gym.factory import DATASETS, create_curriculum, get_score_answer_fn

from hostile import hostile
from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadInput, BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.envs.adapters.reasoning_gym import PuzzlemillDataset
from puzzlemill.envs.columns import scoring
from puzzlemill.generators import families, family_named

Judge = Callable[[list[tuple[dict[str, Any], str]]], list[float]]
ROOT = Path(__file__).resolve().parents[2]
SMALL: dict[str, dict[str, Any]] = {
    "sudoku": {"size": 6},
    "binario": {"rows": 6, "cols": 6},
    "zebra": {"positions": 3, "attributes": 3},
    "hanoi": {"pegs": 4, "disks": 4, "start": "random", "goal": "random"},
    "skyscraper": {"size": 5},
    "kakurasu": {"rows": 5, "cols": 5},
    "hitori": {"rows": 5, "cols": 5},
    "minesweeper": {"rows": 5, "cols": 5, "mines": 6},
    "navigation": {"places": 8, "paths": 18},
    "crypto": {"letters": 12},
    "acrostic": {"letters": 48, "spread": 12, "bank": True},
    "crossword": {"size": 5, "letters": 20},
    "cryptogram": {"sentences": 1, "listed": True},
    "drop_quote": {"rows": 2, "cols": 20, "givens": 4},
    "kumo": {"truths": 12, "actions": 12, "valid": 3, "domain": "invented"},
    "logic_grid": {"categories": 3, "items": 4},
    "number_series": {"terms": 6, "task": "wrong"},
    "ordering": {"persons": 5},
    "seating": {"shape": "circle", "persons": 6},
    "blood_relations": {"people": 5, "generations": 2},
    "coding": {"task": "letters", "letters": 4},
}


@pytest.fixture(params=SMALL)
def data(request: pytest.FixtureRequest) -> PuzzlemillDataset:
    name = request.param
    return reasoning_gym.create_dataset(f"puzzlemill_{name}", seed=42, size=6, params=SMALL[name])


def test_every_family_is_registered() -> None:
    assert {name.removeprefix("puzzlemill_") for name in DATASETS if name.startswith("puzzlemill_")} == set(families())
    assert set(SMALL) == set(families())


def test_dialogues_are_asked_for_in_the_form_that_tells() -> None:
    """An entry would ask for moves that nobody answers."""
    data = reasoning_gym.create_dataset("puzzlemill_kumo", seed=1, size=2)
    assert {json.loads(entry["metadata"]["row"]["puzzle"])["question"]["kind"] for entry in data} == {"whole"}
    with pytest.raises(BadInput, match="params: told: entries of puzzlemill_kumo are no dialogues"):
        reasoning_gym.create_dataset("puzzlemill_kumo", seed=1, size=2, params={"told": False})[0]
    levels = create_curriculum("puzzlemill_kumo").attributes["params"].levels
    assert len(levels) > 3 and all(level["told"] and level["domain"] == "authored" for level in levels)


def test_entries_are_plain_and_gold_earns_one(data: PuzzlemillDataset) -> None:
    """What is stored as JSON and read back scores the same."""
    entries = list(data)
    assert len(entries) == len(data) == 6
    for idx, entry in enumerate(entries):
        assert entry.keys() == {"question", "answer", "metadata"}
        assert entry["metadata"]["source_index"] == idx
        again = json.loads(json.dumps(entry))
        assert again == entry
        assert data.score_answer(entry["answer"], again) == 1.0
        assert data.score_answer(None, again) == 0.0


def test_the_seed_and_the_number_decide_and_nothing_else(data: PuzzlemillDataset) -> None:
    """Neighbouring seeds share no puzzles: a split by seeds stays a split."""
    again = type(data)(data.config)
    assert [again[i] for i in reversed(range(6))] == [data[i] for i in reversed(range(6))]
    other = type(data)(type(data.config)(seed=43, size=6, params=data.config.params))
    mine = {entry["question"] for entry in data}
    assert len(mine) == 6 and not mine & {entry["question"] for entry in other}


def test_hostile_replies_earn_no_more_than_guessing(data: PuzzlemillDataset) -> None:
    earned: dict[str, list[float]] = {}
    guessed = 0.0
    for entry in data:
        row = entry["metadata"]["row"]
        family = family_named(row["family"])
        puzzle, answer = loads(puzzle_type(family), row["puzzle"]), loads(family.answer, row["answer"])
        guessed += row["guess_baseline"]
        for name, reply in hostile(family, puzzle, answer, row["reply_format"], big=False).items():
            earned.setdefault(name, []).append(data.score_answer(reply, entry))
    assert {name for name, scores in earned.items() if sum(scores) > guessed} == set()


def test_rows_of_a_release_are_scored_alike(pays_no_guess: Callable[[Judge], None]) -> None:
    """score_answer is the one scorer, unsolvable puzzles and every reply format included."""
    judge = get_score_answer_fn("puzzlemill_sudoku")
    pays_no_guess(lambda pairs: [judge(reply, {"question": "", "metadata": {"row": scoring(row)}}) for row, reply in pairs])


def test_the_question_is_never_read(data: PuzzlemillDataset) -> None:
    """An entry's text may be wrapped, translated or forged; only the stored row decides."""
    entry = data[0]
    forged = {**entry, "question": data[1]["question"], "answer": data[1]["answer"]}
    assert data.score_answer(entry["answer"], forged) == 1.0
    assert data.score_answer(data[1]["answer"], forged) == 0.0
    for damaged in (
        {},
        {"metadata": 5},
        {"metadata": {"row": {}}},
        {"metadata": {"row": {**entry["metadata"]["row"], "puzzle": "{"}}},
    ):
        with pytest.raises(BadRow):
            data.score_answer("x", damaged)


def test_composite_and_score_board() -> None:
    """The containers that training there goes through."""
    specs = [DatasetSpec(f"puzzlemill_{name}", 1.0, {"params": params}) for name, params in SMALL.items()]
    mixed = CompositeDataset(CompositeConfig(size=12, seed=1, datasets=[*specs, DatasetSpec("spell_backward", 1.0, {})]))
    board = ScoreBoard()
    seen = set()
    for entry in mixed:
        assert mixed.score_answer(entry["answer"], entry) == 1.0
        board.add_score("all", 1.0, entry["metadata"], "")
        seen.add(entry["metadata"]["source_dataset"])
    assert len(seen) > 2
    assert board.aggregate()["all"].total_scores == 12


def test_reseeding(data: PuzzlemillDataset) -> None:
    """Their way to endless data counts seeds up; ours stay different."""
    endless = iter(ReseedingDataset(data, chunk_size=3))
    questions = [next(endless)["question"] for _ in range(9)]
    assert len(set(questions)) == 9


def test_curricula_grow() -> None:
    """Every level makes puzzles, the next one larger ones."""
    for name in families():
        curriculum = create_curriculum(f"puzzlemill_{name}")
        levels = curriculum.get_attribute("params").levels
        assert len(levels) > 2
        small = curriculum.generate_configuration({"size": 1, "seed": 1})
        assert curriculum.increment_attr_level("params")
        large = curriculum.generate_configuration({"size": 1, "seed": 1})
        assert (small.params, large.params) == (levels[0], levels[1])
        dataset, _ = DATASETS[f"puzzlemill_{name}"]
        entries = [dataset(config)[0] for config in (small, large)]
        spaces = [family_named(name).search_space_log10(_puzzle(entry)) for entry in entries]
        assert spaces[0] < spaces[1]


def _puzzle(entry: dict[str, Any]) -> Any:
    row = entry["metadata"]["row"]
    return loads(puzzle_type(family_named(row["family"])), row["puzzle"])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"params": {"size": 5}}, "sudoku.size must be one of"),
        ({"params": {"colour": 5}}, "colour"),
        ({"rules": ["sideways"]}, "sideways"),
        ({"size": 0}, "size: expected the number of entries"),
        ({"reply_formats": ["yaml"]}, "yaml"),
    ],
)
def test_a_configuration_that_makes_no_puzzle_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        reasoning_gym.create_dataset("puzzlemill_sudoku", seed=1, **options)


def test_the_example_runs_as_its_readme_says(readme_lines: Callable[[Path], list[str]]) -> None:
    """Offline, with nothing installed but the extra."""
    printed = readme_lines(ROOT / "examples/reasoning_gym/README.md")
    assert "mean score of the answers 1.00, of not answering 0.00" in printed[-1]
    assert re.findall(r"level \d: (\d+x\d+)", printed[-1]) == ["4x4", "6x6", "8x8"]
