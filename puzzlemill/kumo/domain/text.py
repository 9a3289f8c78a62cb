"""Tasks as lines of text: the words of their domain, its truths, its actions with their outcomes, and what was seen of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from puzzlemill.core.errors import BadRow
from puzzlemill.core.text import Line
from puzzlemill.kumo.domain.domain import CHANCES, Action, Domain
from puzzlemill.kumo.domain.task import MOST_DECIMALS, MOST_OUTCOMES

Seen = tuple[int, int, int]  # an action, its outcome, and the value that a numeric one shows, else 0

MOST = 40  # truths, and actions
_WORDS = {  # of a domain's words, those that a text may leave out
    "name": "task",
    "title": "Task",
    "topic": "anything",
    "truth": "truth",
    "truths_plural": "truths",
    "action": "action",
    "actions_plural": "actions",
    "scene": "Something has happened.",
    "question": "What is true?",
    "structure": "none",
}
_PLAIN = re.compile(r"[\w '’.,;?!/%°·+()&-]*")  # that texts are made of, other than what separates them
_NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?")


def written(board: Domain, seen: Sequence[Seen]) -> list[str]:
    """The lines of a task. Raises BadRow for one that needs a text of several lines."""
    lines = [f"{key}: {getattr(board, key)}" for key in _WORDS if getattr(board, key) != _WORDS[key]]
    lines.append(f"truths: {' | '.join(board.truths)}")
    for action in board.actions:
        more = [text for text in (action.quantity, action.unit, str(action.decimals)) if text] if action.numeric else []
        lines.append(f"do: {' | '.join([action.name, action.does, *more])}")
        for s, out in enumerate(action.excludes):
            shown = (
                action.outcomes[s] if not action.numeric else " .. ".join([action.digits(b) for b in action.bounds[s : s + 2]])
            )
            chance = f" @ {action.chances[s]}" if action.chances else ""
            lines.append(f"- {shown}{chance} => {' | '.join([board.truths[t] for t in out])}")
    for a, s, value in seen:
        action = board.actions[a]
        lines.append(f"seen: {action.name} | {action.digits(value) if action.numeric else action.outcomes[s]}")
    if again := next((line for line in lines if "\n" in line), ""):
        raise BadRow(f"board: a text of more than one line, {again[:40]!r}")
    return [line.rstrip() for line in lines]


def read(lines: Sequence[Line], head: Line) -> tuple[Domain, tuple[Seen, ...]]:
    """The task of the lines below a heading. Raises BadRow with line and column for lines without a meaning."""
    return _Reader(lines, head).task()


class _Reader:
    """Reads the lines one after the other."""

    def __init__(self, lines: Sequence[Line], head: Line) -> None:
        self.lines, self.head = lines, head
        self.words: dict[str, str] = {}
        self.truths: tuple[str, ...] = ()
        self.actions: list[Action] = []
        self.seen: list[Seen] = []

    def task(self) -> tuple[Domain, tuple[Seen, ...]]:
        for line in self.lines:
            if line.text.lstrip().startswith("- "):
                self._outcome(line)
                continue
            key, colon, rest = line.text.strip().partition(":")
            if not colon or key not in (*_WORDS, "truths", "do", "seen"):
                known = ", ".join([*_WORDS, "truths", "do", "seen"])
                raise line.bad(0, f"expected a line that begins with '- ', or with one of these and a colon: {known}")
            parts = self._parts(line, rest)
            if key == "truths":
                if self.truths or not 2 <= len(parts) <= MOST:
                    raise line.bad(0, f"expected one line of 2 to {MOST} truths")
                self.truths = self._different(line, parts)
            elif key == "do":
                self._action(line, parts)
            elif key == "seen":
                self._was_seen(line, parts)
            elif key in self.words or len(parts) > 1:
                raise line.bad(0, f"expected one text for {key}, once")
            else:
                self.words[key] = parts[0]
        if not self.truths or not self.actions:
            raise (self.lines or [self.head])[-1].bad(0, "expected the truths and at least one action with its outcomes")
        for action in self.actions:
            if not action.excludes:
                raise self.lines[-1].bad(0, f"{action.name} has no outcomes")
            if action.chances and sum(action.chances) != CHANCES:
                raise self.lines[-1].bad(0, f"{action.name}: its outcomes come up {sum(action.chances)} times in {CHANCES}")
        return Domain(**{**_WORDS, **self.words}, truths=self.truths, actions=tuple(self.actions)), tuple(self.seen)

    def _parts(self, line: Line, text: str) -> list[str]:
        parts = [part.strip() for part in text.split("|")]
        for part in parts:
            if not part or not _PLAIN.fullmatch(part):
                raise line.bad(0, f"expected letters, digits and plain signs between '|', got {part[:40]!r}")
        return parts

    def _different(self, line: Line, names: Sequence[str]) -> tuple[str, ...]:
        if len({name.casefold() for name in names}) < len(names):
            raise line.bad(0, "a name stands twice")
        return tuple(names)

    def _action(self, line: Line, parts: Sequence[str]) -> None:
        """NAME | what to do, of a numeric one also | quantity | decimals or | quantity | unit | decimals."""
        if len(parts) not in (2, 4, 5) or (len(parts) > 2 and not re.fullmatch(f"[0-{MOST_DECIMALS}]", parts[-1])):
            raise line.bad(
                0, "expected a name, what to do, and of a numeric action its quantity, its unit if any, and decimals 0 to 6"
            )
        if not self.truths or len(self.actions) == MOST or (self.actions and not self.actions[-1].excludes):
            raise line.bad(0, f"expected the truths first, then up to {MOST} actions, each with its outcomes")
        self._different(line, [*[action.name for action in self.actions], parts[0]])
        action = Action(parts[0], parts[1], ())
        if parts[2:]:
            action = replace(action, quantity=parts[2], unit=parts[3] if len(parts) == 5 else "", decimals=int(parts[-1]))
        self.actions.append(action)

    def _outcome(self, line: Line) -> None:
        """- outcome => the truths that it rules out."""
        shown, arrow, names = line.text.strip()[2:].partition("=>")
        shown = shown.strip()
        if not self.actions or not arrow or self.seen:
            raise line.bad(0, "expected an action first, and '- OUTCOME => TRUTH | TRUTH' below it")
        action = self.actions[-1]
        if len(action.excludes) == MOST_OUTCOMES:
            raise line.bad(0, f"expected {MOST_OUTCOMES} outcomes at most")
        out = self._different(line, self._parts(line, names)) if names.strip() else ()
        for name in out:
            if name not in self.truths:
                raise line.bad(0, f"there is no truth {name[:40]!r}")
        excludes = (*action.excludes, tuple(sorted([self.truths.index(name) for name in out])))
        shown, sign, chance = shown.partition(" @ ")
        if sign:
            if not re.fullmatch("[1-9]", chance.strip()) or len(action.chances) != len(action.excludes):
                raise line.bad(0, "expected how often the outcome comes up, of all outcomes of an action or of none")
            action = replace(action, chances=(*action.chances, int(chance)))
        elif action.chances:
            raise line.bad(0, "expected ' @ ' and how often the outcome comes up, as of the others")
        if not action.quantity:
            self._parts(line, shown)
            self.actions[-1] = replace(action, outcomes=self._different(line, (*action.outcomes, shown)), excludes=excludes)
            return
        low, dots, high = shown.partition(" .. ")
        bounds = (self._number(line, low, action), self._number(line, high, action)) if dots else (0, 0)
        if not bounds[0] < bounds[1] or (action.bounds and bounds[0] != action.bounds[-1]):
            raise line.bad(0, "expected LOW .. HIGH, each interval to begin where the last one ends")
        self.actions[-1] = replace(action, bounds=(*(action.bounds or bounds[:1]), bounds[1]), excludes=excludes)

    def _number(self, line: Line, text: str, action: Action) -> int:
        digits = text.strip()
        whole, _, part = digits.partition(".")
        if not _NUMBER.fullmatch(digits) or len(part) > action.decimals:
            raise line.bad(0, f"expected a number with {action.decimals} digits after the point at most, got {digits[:20]!r}")
        return int(whole + part.ljust(action.decimals, "0"))

    def _was_seen(self, line: Line, parts: Sequence[str]) -> None:
        a = next((a for a, action in enumerate(self.actions) if parts and action.name == parts[0]), None)
        if a is None or len(parts) != 2:
            raise line.bad(0, "expected 'seen: ACTION | OUTCOME' with an action from above")
        action = self.actions[a]
        if any(before == a for before, _, _ in self.seen):
            raise line.bad(0, f"{action.name} was seen before")
        if not action.numeric:
            if parts[1] not in action.outcomes:
                raise line.bad(0, f"{action.name} has no outcome {parts[1][:40]!r}")
            self.seen.append((a, action.outcomes.index(parts[1]), 0))
            return
        value = self._number(line, parts[1], action)
        if not action.bounds or not action.bounds[0] <= value <= action.bounds[-1]:
            raise line.bad(0, f"{action.name} shows no {parts[1]}")
        self.seen.append((a, sum([value >= cut for cut in action.bounds[1:-1]]), value))
