"""reasoning-gym: our families as its procedural data sets.

    import reasoning_gym
    import puzzlemill.envs.adapters.reasoning_gym

    data = reasoning_gym.create_dataset("puzzlemill_sudoku", seed=42, size=10, params={"size": 6})
    data.score_answer(reply, data[0])

Every family is registered as `puzzlemill_<family>`, with a curriculum of growing sizes. Two seeds give other puzzles altogether:
a puzzle is drawn from a hash of the seed and its number, not from their sum. An answer is scored by what the entry's metadata
stores of the row, and the text of its question is never read. Entries take one answer: a family of dialogues (kumo) is asked for
its other form, in which outcomes are told (told=true).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

from puzzlemill.core.errors import BadInput, BadParams, BadRow
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import QuestionKind, Spec
from puzzlemill.envs.columns import reward, scoring
from puzzlemill.envs.live import Live
from puzzlemill.generators import families, family_named
from puzzlemill.questions import is_dialogue

try:
    from reasoning_gym.coaching import BaseCurriculum, ScalarAttributeDefinition
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import DATASETS, register_dataset
except ImportError:
    raise BadInput("reasoning-gym is not installed; pip install 'puzzlemill[reasoning-gym]'") from None

PREFIX = "puzzlemill_"
LEVELS = 6  # sizes of a curriculum


@dataclass
class PuzzlemillConfig:
    """seed, size: as of every data set there; size is the number of entries. params: the family's parameters, by name.

    The others: as envs.live.Live takes them. Raises BadParams if there are no such puzzles.
    """

    seed: int | None = None
    size: int = 500
    params: dict[str, Any] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
    transforms: list[str] = field(default_factory=list)
    band: str = ""
    reply_formats: list[str] = field(default_factory=lambda: ["json"])
    family: str = "sudoku"

    def validate(self) -> None:
        if type(self.size) is not int or self.size < 1:
            raise BadParams(f"size: expected the number of entries, 1 or more, got {str(self.size)[:40]}")
        self.live("validate")

    def live(self, seed: str) -> Live:
        return Live(
            self.family,
            seed=seed,
            params={**_told(family_named(self.family)), **self.params},
            rules=self.rules,
            transforms=self.transforms,
            band=self.band,
            reply_formats=self.reply_formats,
        )


class PuzzlemillDataset(ProceduralDataset):  # type: ignore[misc]
    """Entries 0 .. size - 1; deterministic by seed and number."""

    def __init__(self, config: PuzzlemillConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._live = config.live(f"reasoning-gym/{self.seed}")

    @property
    def category(self) -> str:
        return "puzzlemill"

    def __getitem__(self, idx: int) -> dict[str, Any]:
        if not 0 <= idx < self.size:
            raise IndexError(f"entry {idx} of {self.size}")
        row = self._live.row(idx)
        if is_dialogue(row["question"]):
            raise BadParams(f"params: told: entries of {PREFIX}{self.config.family} are no dialogues; leave told out")
        params = json.loads(row["puzzle"])["spec"]["params"]
        return {
            "question": row["prompt"],
            "answer": row["gold_reply"],
            "metadata": {
                "source_dataset": PREFIX + self.config.family,
                "source_index": idx,
                "difficulty": {**params, "band": row["difficulty"]["band"]},
                "row": scoring(row),
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """1.0 for any right answer, else 0.0. Raises BadRow if the entry's metadata is not what this data set wrote."""
        metadata = entry.get("metadata")
        row = metadata.get("row") if isinstance(metadata, Mapping) else None
        if not isinstance(row, Mapping):
            raise BadRow("metadata: row: missing; score entries as the data set gave them")
        return reward(answer, row)


def _sizes(family: AnyFamily) -> list[dict[str, Any]]:
    """Parameters of growing puzzles, from the smallest."""
    words = {name: value for name, value in asdict(family.params()).items() if type(value) is str}
    spec: Any = replace(family.smallest[0], params=replace(family.smallest[0].params, **words))
    found = [asdict(spec.params) | _told(family)]
    while len(found) < LEVELS and (spec := family.larger(spec)) is not None:
        found.append(asdict(spec.params) | _told(family))
    return found


def _told(family: AnyFamily) -> dict[str, Any]:
    """The further parameters of a family whose rows are dialogues."""
    return {"told": True} if family.question(Spec(family.params())).kind is QuestionKind.PLAY else {}


def _register(name: str) -> None:
    """One family's data set, configuration and curriculum."""
    family = family_named(name)

    @dataclass
    class Config(PuzzlemillConfig):
        family: str = name

    class Dataset(PuzzlemillDataset):
        pass

    class Curriculum(BaseCurriculum):  # type: ignore[misc]
        levels: ClassVar[list[dict[str, Any]]] = _sizes(family)

        def __init__(self) -> None:
            super().__init__(f"{type(self).__name__}", Config)
            self._define_attributes(
                ScalarAttributeDefinition(name="params", field_name="params", levels=self.levels, description="sizes")
            )

    title = "".join(word.capitalize() for word in name.split("_"))
    for made, suffix in ((Config, "Config"), (Dataset, "Dataset"), (Curriculum, "Curriculum")):
        made.__name__ = made.__qualname__ = f"{title}{suffix}"
    register_dataset(PREFIX + name, Dataset, Config, Curriculum)


for _name in families():
    if PREFIX + _name not in DATASETS:
        _register(_name)
