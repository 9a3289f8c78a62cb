"""Our families and two tasks of reasoning-gym in one composite data set, and a curriculum that grows."""

from __future__ import annotations

import argparse
from collections import Counter

from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec
from reasoning_gym.factory import create_curriculum, create_dataset

import puzzlemill.envs.adapters.reasoning_gym  # noqa: F401, registers puzzlemill_<family>


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--seed", type=int, default=42)
    options = parser.parse_args()
    data = CompositeDataset(
        CompositeConfig(
            seed=options.seed,
            size=options.size,
            datasets=[
                DatasetSpec("puzzlemill_sudoku", 2, {"params": {"size": 6}, "reply_formats": ["json", "tags"]}),
                DatasetSpec("puzzlemill_zebra", 2, {"params": {"positions": 3, "attributes": 3}, "transforms": ["clash"]}),
                DatasetSpec("puzzlemill_hanoi", 1, {"params": {"disks": [4, 5], "start": "random"}}),
                DatasetSpec("spell_backward", 1, {}),
                DatasetSpec("chain_sum", 1, {}),
            ],
        )
    )
    made: Counter[str] = Counter()
    gold = silent = 0.0
    for entry in data:
        made[entry["metadata"]["source_dataset"]] += 1
        gold += data.score_answer(entry["answer"], entry)
        silent += data.score_answer("I do not know.", entry)
    print(", ".join(f"{name} {count}" for name, count in sorted(made.items())))
    print(f"mean score of the answers {gold / options.size:.2f}, of not answering {silent / options.size:.2f}")

    curriculum = create_curriculum("puzzlemill_binario")
    for level in range(3):
        config = curriculum.generate_configuration({"seed": options.seed, "size": 1})
        entry = create_dataset("puzzlemill_binario", **vars(config))[0]
        print(f"level {level}: {config.params['rows']}x{config.params['cols']}, {entry['metadata']['difficulty']['band']}")
        curriculum.increment_attr_level("params")


if __name__ == "__main__":
    main()
