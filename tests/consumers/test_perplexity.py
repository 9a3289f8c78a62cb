"""`stats --model`: bits per character under a real causal language model of transformers, made here and tiny."""

from __future__ import annotations

from math import log
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers", reason="needs transformers: pip install 'puzzlemill[perplexity]'")
pytest.importorskip("torch", reason="needs torch: pip install 'puzzlemill[perplexity]'")

import torch
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

from puzzlemill.analysis.perplexity import load
from puzzlemill.cli import main
from puzzlemill.core.errors import BadInput

WORDS = ["<start>", "<unknown>", *(chr(code) for code in range(32, 127)), "\n", "Row", "row", "the "]
WINDOW = 32


def made(folder: Path, start: bool = True) -> Path:
    """A GPT-2 of one layer with random weights that reads letters and three longer tokens."""
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Split

    inner = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unknown>"))
    inner.pre_tokenizer = Split(Regex(r"Row|row|the |[\s\S]"), behavior="isolated")
    marks = {"bos_token": "<start>"} if start else {}
    PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="<unknown>", **marks).save_pretrained(folder)
    torch.manual_seed(7)
    config = GPT2Config(
        vocab_size=len(WORDS),
        n_positions=WINDOW,
        n_embd=16,
        n_layer=1,
        n_head=2,
        initializer_range=0.5,
        bos_token_id=0 if start else None,
        eos_token_id=None,
    )
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("model"))


def logits(folder: Path, tokens: list[int]) -> Any:
    model = GPT2LMHeadModel.from_pretrained(folder).eval()
    with torch.no_grad():
        return model(torch.tensor([tokens])).logits[0]


def nats(folder: Path, tokens: list[int], first: int = 1) -> float:
    """-ln of the probability of tokens[first:] after the ones before, one after the other and without any batch."""
    total = 0.0
    for i in range(first, len(tokens)):
        chances = torch.softmax(logits(folder, tokens[:i])[-1].double(), dim=-1)
        total -= log(float(chances[tokens[i]]))
    return total


def ids(text: list[str]) -> list[int]:
    return [WORDS.index(word) for word in text]


def test_bits_are_those_of_the_model_by_character(folder: Path) -> None:
    """Bits are told per token, in nats, or without the first token."""
    found = load(str(folder))({"a": "Row the b", "b": "x", "c": ""})
    tokens = ids(["<start>", "Row", " ", "the ", "b"])
    assert found["a"] == pytest.approx(nats(folder, tokens) / log(2) / 9, abs=1e-4)
    assert found["b"] == pytest.approx(nats(folder, ids(["<start>", "x"])) / log(2), abs=1e-4)
    assert set(found) == {"a", "b"}


def test_a_text_longer_than_the_window_is_read_whole(folder: Path) -> None:
    """Tokens at the seams are scored twice or never, or with nothing before them."""
    text = "".join(chr(97 + (i * i) % 26) for i in range(75))
    tokens = ids(["<start>", *text])
    expected, done = nats(folder, tokens[:WINDOW]), WINDOW
    while done < len(tokens):
        start = done - WINDOW // 2
        expected += nats(folder, tokens[start : start + WINDOW], done - start)
        done = start + WINDOW
    assert load(str(folder))({"a": text})["a"] == pytest.approx(expected / log(2) / 75, abs=1e-4)


def test_a_model_without_a_beginning_leaves_the_first_token_out(tmp_path: Path) -> None:
    """Its characters are counted though nothing predicted them."""
    folder = made(tmp_path / "model", start=False)
    found = load(str(folder))({"a": "Row b", "b": "x"})
    assert found == {"a": pytest.approx(nats(folder, ids(["Row", " ", "b"])) / log(2) / 2, abs=1e-4)}


def test_what_is_no_model_is_one_line(tmp_path: Path) -> None:
    """A folder without a model ends in a traceback, or something is fetched from the Hub."""
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(BadInput, match=r"^--model: .* cannot be read as a causal language model") as error:
        load(str(tmp_path))
    assert "\n" not in str(error.value)


def test_the_report_has_the_model_beside_form_surprise(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`stats --model` tells nothing of the model."""
    from puzzlemill.factory.recipe import Recipe
    from puzzlemill.factory.run import run

    letters = {"name": "letters", "transforms": ["letters"]}
    part = {"family": "sudoku", "params": {"size": 6}, "variants": [letters], "counts": {"test": 16}}
    out = tmp_path / "release"
    run(Recipe.from_plain({"name": "perplexity", "seed": "perplexity", "strata": [part]}), out)
    report = tmp_path / "report.html"
    assert main(["stats", str(out), "--report", str(report), "--model", str(folder), "--model-groups", "8"]) == 0
    printed = capsys.readouterr().out
    lines = [line for line in printed.splitlines() if "surprise" in line and line.startswith("UE1")]
    assert [("of the model" in line, "paired, 8" in line) for line in lines] == [(False, False), (True, True)]
    assert "it has read 16 texts" in report.read_text()
