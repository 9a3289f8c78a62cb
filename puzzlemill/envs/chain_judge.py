"""A judge model for chains of reasoning: labels for sentences that were not understood, and how far it agrees on the others.

The model sees the puzzle, its answer and the numbered sentences, and returns a line with a category for each. It is as little
trusted as any reply: a line that names no sentence or no category is left out.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzlemill.chains.judge import CATEGORIES, UNKNOWN
from puzzlemill.chains.main import Chain
from puzzlemill.chains.summary import kappa
from puzzlemill.envs.endpoint import Address, CallError, Endpoint, conversation, named_model, within

_ASKED = """Below are a logic puzzle, its solution, and the numbered sentences of somebody's reasoning about it.
Label each sentence with one of these categories:
NC  no conclusion: it only repeats a clue or something said before, or reasons about nothing
RR  right premise, right conclusion
RW  right premise, wrong conclusion
WR  wrong premise, right conclusion
WW  wrong premise, wrong conclusion
A premise or a conclusion is wrong only if it contradicts the solution. A sentence that begins with "so" or "therefore" has the
conclusion before it as its premise. Answer with one line for each sentence, "number: category", and nothing else."""
_LINE = re.compile(r"^\W*(?:[Ss]entence\W*)?(\d{1,4})\W{1,5}(?:[Cc]ategory\W*)?(NC|RR|RW|WR|WW)\b", re.MULTILINE)


@dataclass(slots=True)
class Asked:
    """What a judge model said.

    labels: of the sentences that were not understood. ours, theirs: of the others. missing: sentences that it gave no label.
    said: of each row and sample its labels by the sentence's place in the chain. failed: chains by the reason why.
    """

    labels: Counter[str] = field(default_factory=Counter)
    ours: list[str] = field(default_factory=list)
    theirs: list[str] = field(default_factory=list)
    missing: int = 0
    said: dict[tuple[str, int], dict[int, str]] = field(default_factory=dict)
    failed: Counter[str] = field(default_factory=Counter)

    @property
    def kappa(self) -> float | None:
        """Agreement on the sentences that both have labelled."""
        return kappa(self.ours, self.theirs)

    def to_json(self) -> dict[str, Any]:
        agreed = self.kappa
        return {
            "not_understood": dict(sorted(self.labels.items())),
            "both": len(self.ours),
            "unlabelled": self.missing,
            "kappa": None if agreed is None else round(agreed, 4),
            "failed": dict(sorted(self.failed.items())),
        }

    def to_text(self) -> str:
        agreed = "-" if self.kappa is None else f"{self.kappa:.3f}"
        told = ", ".join([f"{name} {count}" for name, count in sorted(self.labels.items())]) or "none"
        lines = [f"judge model: kappa {agreed} on {len(self.ours)} sentences; of those not understood: {told}"]
        lines += [f"  no label for {self.missing} sentences"] if self.missing else []
        lines += [f"  failed: {why} ({count} chains)" for why, count in sorted(self.failed.items())]
        return "\n".join(lines)


def ask(
    chains: Sequence[Chain], prompts: Mapping[str, tuple[str, str]], model: str, address: Address, concurrency: int = 4
) -> Asked:
    """Let a model label the sentences of chains. prompts: of each row its prompt and its right reply.

    Raises BadParams for an address or a model that cannot be.
    """
    named_model(model)
    within("--concurrency", concurrency, 1, 100)
    endpoint, seats, found = Endpoint(address, concurrency), asyncio.Semaphore(concurrency), Asked()

    async def one(chain: Chain) -> None:
        sentences = {place: label for place, label in enumerate(chain.judged.labels) if label.category in (*CATEGORIES, UNKNOWN)}
        if not sentences:
            return
        prompt, gold = prompts[chain.row["id"]]
        listed = "\n".join([f"{k}. {label.text}" for k, label in enumerate(sentences.values(), 1)])
        text = f"Puzzle:\n{prompt}\n\nSolution:\n{gold}\n\nSentences:\n{listed}"
        async with seats:
            try:
                body = {"model": model, "messages": conversation(_ASKED, text), "temperature": 0}
                reply = await endpoint.complete(body, "chains", chain.row["id"], chain.sample)
            except CallError as error:
                found.failed[error.problem] += 1
                return
        said = {int(number): category for number, category in _LINE.findall(reply.text[:200_000])}
        if not said:
            found.failed['a reply without a line "number: category"'] += 1
            return
        mine = found.said.setdefault((chain.row["id"], chain.sample), {})
        for k, (place, label) in enumerate(sentences.items(), 1):
            if k not in said:
                found.missing += 1
                continue
            mine[place] = said[k]
            if label.category == UNKNOWN:
                found.labels[said[k]] += 1
            else:
                found.ours.append(label.category)
                found.theirs.append(said[k])

    async def every() -> None:
        async with endpoint:
            await asyncio.gather(*[one(chain) for chain in chains])

    asyncio.run(every())
    return found
