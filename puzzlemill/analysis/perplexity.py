"""Bits per character of texts under a causal language model of the user's choice (extra: pip install 'puzzlemill[perplexity]').

Bits are divided by characters and not by tokens, so that models with other tokens can be compared. A text that is longer than the
model's window is read in windows that overlap by half: each token is scored once, with at least half a window before it where
there is as much. The first token is predicted from the model's token for the beginning of a text, or for the end of the one
before; a model that has neither does not predict it, and its characters are not counted.

Nothing is run that comes with a model: weights are read from safetensors, and code in its folder stays what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import log
from typing import Any

from puzzlemill.analysis.extras import needing
from puzzlemill.core.errors import BadInput

WINDOW = 4096  # tokens, also where a model could read more


def load(name: str) -> Callable[[Mapping[str, str]], dict[str, float]]:
    """A function from id -> text to id -> bits per character, rounded to 4 places. name: a folder, or a model of the Hub.

    Raises BadInput if the extra is missing or the model cannot be read.
    """
    with needing("--model", "perplexity"):
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(name, trust_remote_code=False)
        model: Any = AutoModelForCausalLM.from_pretrained(name, trust_remote_code=False, use_safetensors=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        what = " ".join(str(error).split())[:200]
        raise BadInput(f"--model: {name!r} cannot be read as a causal language model ({type(error).__name__}: {what})") from None
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(device).eval()
    most = getattr(model.config, "max_position_embeddings", None) or getattr(model.config, "n_positions", None) or WINDOW
    window = max(2, min(WINDOW, most))
    first = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id

    def bits_per_character(texts: Mapping[str, str]) -> dict[str, float]:
        out = {}
        for key, text in texts.items():
            tokens = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
            characters = len(text)
            if first is not None:
                tokens = [first, *tokens]
            elif tokens:
                characters -= len(tokenizer.decode(tokens[:1]))
            if len(tokens) > 1 and characters > 0:
                out[key] = round(_nats(torch, model, tokens, window, device) / log(2) / characters, 4)
        return out

    return bits_per_character


def _nats(torch: Any, model: Any, tokens: list[int], window: int, device: str) -> float:
    """-ln of the probability of all tokens but the first."""
    total, done = 0.0, 1  # tokens before `done` are scored, or are not to be
    with torch.inference_mode():
        while done < len(tokens):
            start = max(0, done - window // 2) if len(tokens) > window else 0
            part = torch.tensor([tokens[start : start + window]], device=device)
            chances = torch.log_softmax(model(part).logits[0, :-1].double(), dim=-1)
            scored = chances.gather(1, part[0, 1:, None])[done - start - 1 :, 0]
            total -= float(scored.sum())
            done += len(scored)
    return total
