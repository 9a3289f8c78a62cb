"""The reward that verl would load, on exported rows: what a few replies earn. Needs pyarrow, no verl and no GPU."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pyarrow.parquet as pq


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="what `puzzlemill export --to verl` wrote")
    parser.add_argument("--split", default="train")
    options = parser.parse_args()
    sys.path.insert(0, str(options.folder))
    from reward import compute_score

    file = pq.ParquetFile(options.folder / f"{options.split}.parquet")
    rows = next(file.iter_batches(batch_size=8)).to_pylist()
    for name, reply in (("nothing", ""), ("no solution", '{"solvable": false} <answer>no solution</answer>')):
        scores = [
            compute_score(row["data_source"], reply, row["reward_model"]["ground_truth"], row["extra_info"])["score"]
            for row in rows
        ]
        print(f"{name:12} {scores}")
    print(f"{'status':12} {[row['extra_info']['status'] for row in rows]}")


if __name__ == "__main__":
    main()
