"""The head of a data set card, which the Hub and `datasets` read: configs with their files and sizes, columns, papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from puzzlemill.factory.read import place_of
from puzzlemill.factory.recipe import split_order
from puzzlemill.factory.record import COLUMNS, ColumnType, Each

ALL = "all"  # the config of every family together, and the default one
# the papers whose tasks and measures are rebuilt here: key, arXiv id, authors, title, year
PAPERS = (
    (
        "chen2025lr2bench",
        "2502.17848",
        "Chen, Jianghao and others",
        "LR2Bench: Evaluating Long-chain Reflective Reasoning Capabilities of Large Language Models via Constraint Satisfaction "
        "Problems",
        2025,
    ),
    (
        "lin2025kumo",
        "2504.02810",
        "Lin, Haowei and Wang, Xiangyu and Yan, Ruilin and Huang, Baizhou and Ye, Haotian and others",
        "Generative Evaluation of Complex Reasoning in Large Language Models",
        2025,
    ),
    (
        "liang2025hardcorelogic",
        "2510.12563",
        "Liang, Jingcong and Wan, Shijun and Wu, Xuehai and Wang, Siyuan and others",
        "HardcoreLogic: Challenging Large Reasoning Models with Long-tail Logic Puzzle Games",
        2025,
    ),
    (
        "tyagi2024gridpuzzle",
        "2407.14790",
        "Tyagi, Nemika and Parmar, Mihir and Kulkarni, Mohith and RRV, Aswin and others",
        "Step-by-Step Reasoning to Solve Grid Puzzles: Where do LLMs Falter?",
        2024,
    ),
    (
        "halder2025riddlebench",
        "2510.24932",
        "Halder, Deepon and Saji, Alan and Jayakumar, Thanmay and Puduppully, Ratish and others",
        "RiddleBench: A New Generative Reasoning Benchmark for LLMs",
        2025,
    ),
)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"))

Cells = Mapping[str, Sequence[Mapping[str, Any]]]  # family -> its cells with rows, splits in their usual order


def front_matter(manifest: Mapping[str, Any], families: Cells) -> str:
    """The YAML between two lines of dashes."""
    from huggingface_hub import DatasetCardData

    rows = sum(cell["rows"] for cell in manifest["content"])
    groups = {ALL: [cell for cells in families.values() for cell in cells], **families}
    head = DatasetCardData(
        pretty_name=f"Puzzlemill {manifest['release']}",
        license=manifest["license"],
        language=["en"],
        annotations_creators=["machine-generated"],
        source_datasets=["original"],
        task_categories=["text-generation", "question-answering"],
        size_categories=[next((name for bound, name in _SIZES if rows < bound), "n>10M")],
        tags=[
            "puzzles",
            "reasoning",
            "procedural",
            "proved",
            *manifest["families"],
            *[f"arxiv:{number}" for _, number, *_ in PAPERS],
        ],
        configs=[_config(name, cells) for name, cells in groups.items()],
        dataset_info=[_info(name, cells, manifest["files"]) for name, cells in groups.items()],
    )
    return f"---\n{head.to_yaml()}\n---\n"


def _config(name: str, cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A config: its splits, each with its files."""
    paths = {split: [_pattern(cell) for cell in cells if cell["split"] == split] for split in _splits(cells)}
    files = [{"split": split, "path": some[0] if len(some) == 1 else some} for split, some in paths.items()]
    return {"config_name": name} | ({"default": True} if name == ALL else {}) | {"data_files": files}


def _pattern(cell: Mapping[str, Any]) -> str:
    return f"data/{cell['family']}/{cell['split']}-*.parquet"


def _splits(cells: Iterable[Mapping[str, Any]]) -> list[str]:
    return sorted({cell["split"] for cell in cells}, key=split_order)


def _info(name: str, cells: Sequence[Mapping[str, Any]], files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The sizes of a config, and its columns where it is that of all rows: those of a family are the same.

    num_bytes: of the rows in memory.
    """
    wanted = {(cell["family"], cell["split"]) for cell in cells}
    there = [(at[1], one) for path, one in files.items() if (at := place_of(path)) in wanted]
    splits = [
        {
            "name": split,
            "num_bytes": sum(one.get("memory", 0) for of, one in there if of == split),
            "num_examples": sum(cell["rows"] for cell in cells if cell["split"] == split),
        }
        for split in _splits(cells)
    ]
    return {
        "config_name": name,
        **({"features": _fields(COLUMNS)} if name == ALL else {}),
        "splits": splits,
        "download_size": sum(one.get("bytes", 0) for _, one in there),
        "dataset_size": sum(split["num_bytes"] for split in splits),
    }


def _fields(columns: Mapping[str, ColumnType]) -> list[dict[str, Any]]:
    """Columns as `datasets` writes them into a card."""
    return [{"name": name, **_field(kind)} for name, kind in columns.items()]


def _field(kind: ColumnType) -> dict[str, Any]:
    if isinstance(kind, str):
        return {"dtype": kind}
    if isinstance(kind, Each):
        inner = _field(kind.of)
        return {"list": inner.get("dtype", inner.get("struct", inner))}
    return {"struct": _fields(kind)}


def citation(manifest: Mapping[str, Any]) -> str:
    """BibTeX of this data set and of the papers."""
    version = (manifest.get("publication") or {}).get("version", manifest["recipe_key"][:12])
    entries = [
        f"@misc{{puzzlemill_{manifest['release']},\n  title = {{Puzzlemill {manifest['release']}: proved logic puzzles}},\n"
        "  author = {{The Puzzlemill authors}},\n"
        f"  note = {{Data set, version {version}, made with Puzzlemill {manifest['puzzlemill']}}}\n}}"
    ]
    for key, number, authors, title, year in PAPERS:
        entries.append(
            f"@misc{{{key},\n  title = {{{{{title}}}}},\n  author = {{{authors}}},\n  year = {{{year}}},\n"
            f"  eprint = {{{number}}},\n  archivePrefix = {{arXiv}}\n}}"
        )
    return "\n\n".join(entries)
