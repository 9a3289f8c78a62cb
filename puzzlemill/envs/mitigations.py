"""Ways of asking that are meant to mend a model's reasoning (mitigations.toml): one call, or a chain of calls.

Every call is a conversation of its own: a system message where there is one, and a message that holds the row's whole prompt.
What a model wrote is put into later messages as it is, never read as a template, and at most its last PASSED characters.
docs/mitigations.md has their sources.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.envs.endpoint import Message, conversation
from puzzlemill.scoring.judging import REASONING, YES, said
from puzzlemill.vocabulary import load

PLAIN = "plain"
PASSED = 100_000  # characters of a reply that stand in a later call
_FILE = "mitigations.toml"
_SLOT = re.compile(r"\{([a-z]\w*)\}")
_PYTHON = ("python", "python3", "py")


@dataclass(frozen=True, slots=True)
class Step:
    """One call. user: its message, with slots for the puzzle and for the replies of steps before.

    endorsed: it is made only if the reply before it, a verdict on a reasoning, says that all is right.
    """

    name: str
    user: str
    system: str = ""
    endorsed: bool = False

    def follows(self, before: str) -> bool:
        """Return whether it is made after this reply."""
        return not self.endorsed or said(before, REASONING).verdict == YES


@dataclass(frozen=True, slots=True)
class Mitigation:
    """A way of asking. steps: its calls in order, none of the plain one.

    program: the last reply is a program, not an answer. verdicts: replies after the first are verdicts on it. again: all replies
    are verdicts on a row that asks for one.
    """

    about: str
    steps: tuple[Step, ...] = ()
    program: bool = False
    verdicts: bool = False
    again: bool = False

    def messages(self, puzzle: str, system: str, replies: Sequence[str]) -> list[Message]:
        """The call that follows so many replies. system: the user's own message, which stands before the step's."""
        step = self.steps[len(replies)]
        given = {"puzzle": puzzle}
        for before, reply in zip(self.steps, replies, strict=False):
            given[before.name] = reply.strip()[-PASSED:] or "(nothing)"
        return conversation("\n\n".join([text for text in (system, step.system) if text]), filled(step.user, given))

    @property
    def checksum(self) -> str:
        """Of the texts, so that replies to other texts can be told from these."""
        steps = [{name: value for name, value in asdict(step).items() if value is not False} for step in self.steps]
        return sha256(json.dumps(steps).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Book:
    """mitigations.toml as it is written."""

    texts: Mapping[str, str]
    mitigations: Mapping[str, Mitigation]


@cache
def mitigations() -> dict[str, Mitigation]:
    """All of them by name, with the texts that they share put in. Raises BadFile for a slot that nothing fills."""
    book: _Book = load.record(_Book, __package__, _FILE)
    return {name: _complete(name, one, book.texts) for name, one in book.mitigations.items()}


def named(name: str) -> Mitigation:
    """The mitigation of this name. Raises BadParams."""
    found = mitigations().get(name)
    if found is None:
        raise BadParams(f"--mitigation: expected one of {', '.join(mitigations())}, got {name[:40]!r}")
    return found


def _complete(name: str, one: Mitigation, texts: Mapping[str, str]) -> Mitigation:
    shared = {key: text.strip() for key, text in texts.items()}
    steps: list[Step] = []
    for step in one.steps:
        user, system = (filled(text.strip(), shared) for text in (step.user, step.system))
        unknown = set(_SLOT.findall(user)) - {"puzzle", *[before.name for before in steps]} | set(_SLOT.findall(system))
        if unknown or "{puzzle}" not in user:
            raise BadFile(f"puzzlemill/envs/{_FILE}: {name}, step {step.name}: slots that nothing fills, or no {{puzzle}}")
        steps.append(replace(step, user=user, system=system))
    return replace(one, steps=tuple(steps))


def filled(text: str, given: Mapping[str, str]) -> str:
    """The text with its slots filled in one pass: braces in what is put in mean nothing. Unknown slots stay."""
    return _SLOT.sub(lambda slot: given.get(slot[1], slot[0]), text)


def program_of(reply: str) -> str:
    """The last fenced block of Python in a reply, else its last block without a language; the reply itself if it has no fence.

    A block that was cut off goes to the end. "" if all blocks are in other languages. Nothing is run.
    """
    blocks: list[tuple[str, list[str]]] = []
    inside = False
    for line in reply.splitlines(keepends=True):
        if line.lstrip().startswith("```"):
            inside = not inside
            if inside:
                blocks.append((line.strip().strip("`").strip().lower(), []))
        elif inside:
            blocks[-1][1].append(line)
    if not blocks:
        return reply
    for languages in (_PYTHON, ("",)):
        found = [lines for language, lines in blocks if language in languages]
        if found:
            return "".join(found[-1])
    return ""
