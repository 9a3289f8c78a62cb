"""The six registers of a book: its beginning, the entries of its actions, and its end. Their sentences stand in registers.toml.

An *entry* states some or all of one action's outcomes. In a long book an action comes up more than once; its first entry says how
the action is done, and all of an action's entries name it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, final

from puzzlemill.core.text import capital
from puzzlemill.kumo.book import notes
from puzzlemill.kumo.book.wording import Deck, Wording, clause, counted, interval, listed, measured, words_of
from puzzlemill.kumo.domain.domain import Action

MARKS = (("**", "**"), ("“", "”"), ('"', '"'), ("*", "*"))  # around an action's name in prose


class Register(ABC):
    """A way to write a book. Blocks are paragraphs, tables or lists, to be set apart by empty lines."""

    name: ClassVar[str]

    def __init__(self, wording: Wording) -> None:
        self.wording, self.domain, self.rng = wording, wording.domain, wording.rng
        self._sentences = {**notes.sentences()["notes"], **notes.sentences()[self.name]}
        self._mark = self.rng.pick(MARKS)

    @abstractmethod
    def head(self) -> list[str]:
        """The blocks before the first entry."""

    @abstractmethod
    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        """The blocks that state these outcomes of action a. first: the action has not come up before."""

    def tail(self) -> list[str]:
        """The blocks after the last entry."""
        return [self.of("ends")]

    def aside(self, title: str, paragraph: str, *, after_entry: bool) -> list[str]:
        """The blocks of a paragraph that has nothing to do with the rules. after_entry: an entry stands right before it."""
        return [f"## {title}", paragraph] if after_entry else [paragraph]

    def marked(self, a: int) -> str:
        """The action's name, set off from the words around it."""
        return f"{self._mark[0]}{self.domain.actions[a].name}{self._mark[1]}"

    def deck(self, place: str) -> Deck[str]:
        """The register's sentences for this place, to be dealt."""
        return Deck(self._sentences[place], self.rng)

    def pick(self, place: str) -> str:
        """One of the register's sentences for this place, with its slots."""
        return self.rng.pick(self._sentences[place])

    def of(self, place: str, **more: str) -> str:
        """One of the register's sentences for this place."""
        return self.say(self.pick(place), **more)

    def say(self, template: str, **more: str) -> str:
        return template.format_map({**self.wording.nouns, **more})

    def noted(self, *places: str) -> str:
        """A sentence for each of these places, as a paragraph."""
        return " ".join([self.of(place) for place in places])

    def setting(self) -> str:
        """Scene and question, which speak of one truth; where several may hold, a note stands for them."""
        if not self.wording.several:
            return f"{self.domain.scene} {self.domain.question}"
        return " ".join([self.of("several"), *self.elsewhere()])

    def elsewhere(self) -> list[str]:
        """The note that ends a scene with rules of its own, where it does."""
        return [notes.ELSEWHERE] if self.domain.scene.endswith(notes.ELSEWHERE) else []

    def range(self, action: Action) -> str:
        """ "from 1.5 to 8.5 g/cm³", of a numeric action."""
        return f"from {action.digits(action.bounds[0])} to {measured(action, action.bounds[-1])}"

    def heading(self, a: int, first: bool) -> str:
        """The action's name above an entry that may be its second one."""
        return f"{self.domain.actions[a].name}{'' if first else ' (continued)'}"

    @property
    def size(self) -> str:
        """ "six tests"."""
        return counted(len(self.domain.actions), self.domain.action, self.domain.actions_plural)


def _doing(action: Action) -> dict[str, str]:
    """The infinitive phrase of an action, for slots inside a sentence and at its start."""
    return {"does": action.does, "Does": capital(action.does)}


@final
class Guidebook(Register):
    name: ClassVar[str] = "guidebook"

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._headed = self.rng.chance(1, 2)
        self._openings = self.deck("headed_openings" if self._headed else "openings")
        self._again, self._measures = self.deck("again"), self.deck("measures")

    def head(self) -> list[str]:
        kind, purpose = self.of("kinds"), self.of("purposes", size=self.size)
        return [
            f"# {self.domain.title}: {kind}",
            self.setting(),
            f"{purpose} {self.noted('reading', 'no_proof', 'empty')}",
        ]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        rules = self.wording.rules(a, outcomes)
        lead = []
        if first:
            lead = [self.say(self._openings.deal(), m=self.marked(a), **_doing(action))]
            if action.numeric:
                lead.append(self.say(self._measures.deal(), quantity=action.quantity, range=self.range(action)))
        elif not self._headed:
            lead = [self.say(self._again.deal(), m=self.marked(a))]
        heading = [f"## {action.name}" if first else f"## More on {action.name}"] if self._headed else []
        return [*heading, " ".join([*lead, *rules])]


@final
class LabManual(Register):
    name: ClassVar[str] = "lab_manual"

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._style = self.rng.below(3)
        self._unit = self.pick("units")
        self._number = 0
        self._notes, self._acts = self.deck("notes"), self.deck("acts")

    def head(self) -> list[str]:
        title, scope = self.of("kinds"), self.of("scopes", size=self.size)
        return [
            f"# {title}: {self.domain.title}",
            "## Scope",
            f"{self.setting()} {scope}",
            "## How to read an entry",
            self.noted("reading", "no_proof", "empty"),
        ]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        self._number += 1
        steps = [f"{capital(action.does)}."] if first else []
        if first and action.numeric:
            low, high = action.digits(action.bounds[0]), measured(action, action.bounds[-1])
            steps.append(self.of("measures", quantity=action.quantity, low=low, high=high))
        steps += [self.say(self._notes.deal()), self.say(self._acts.deal())]
        lines = [f"{i}. {step}" for i, step in enumerate(steps, 1)]
        lines += [f"   - {self._item(a, s)}" for s in outcomes]
        return [f"## {self._unit} {self._number}: {self.heading(a, first)}", "\n".join(lines)]

    def _item(self, a: int, s: int) -> str:
        if self._style == 0:
            return self.wording.rule(a, s)
        names, outcome = self.wording.names(a, s), clause(self.domain.actions[a], s)
        if self._style == 1:
            return f"{capital(outcome)}: {self.wording.order(names)}."
        return f"Outcome: {outcome}. Ruled out: {listed(names, 'and') if names else 'nothing'}."


@final
class Memo(Register):
    name: ClassVar[str] = "memo"

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._bullets = self.rng.chance(1, 2)
        self._number = 1
        self._openings = self.deck("openings")

    def head(self) -> list[str]:
        reader, sender, subject = self.of("readers"), self.of("senders"), self.of("subjects")
        purpose = self.of("purposes", size=self.size)
        if len(self.domain.actions) == 1:
            purpose = self.of("purposes_of_one")
        return [
            "# Memorandum",
            f"To: {reader}\nFrom: {sender}\nSubject: {self.domain.title}: {subject}",
            "## 1. Background",
            self.setting(),
            purpose,
            self.noted("reading", "no_proof", "empty"),
        ]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        self._number += 1
        heading = f"## {self._number}. {self.heading(a, first)}"
        rules = self.wording.rules(a, outcomes)
        lead = [self.say(self._openings.deal(), does=action.does)] if first else []
        if first and action.numeric:
            lead.append(self.of("measures", quantity=action.quantity, range=self.range(action)))
        if self._bullets:
            return [heading, *([" ".join(lead)] if lead else []), "\n".join([f"- {rule}" for rule in rules])]
        return [heading, " ".join([*lead, *rules])]


@final
class Dialogue(Register):
    name: ClassVar[str] = "dialogue"

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        taken = words_of(wording.domain)
        free = [name for name in self._sentences["speakers"] if name.lower() not in taken]
        self._asker, self._teller = self.rng.sample(free, 2)
        self._bold = self.rng.chance(1, 3)
        self._how, self._openings = self.deck("how"), self.deck("openings")
        self._again, self._yes = self.deck("again"), self.deck("yes")
        self._questions, self._answers, self._thanks = self.deck("questions"), self.deck("answers"), self.deck("thanks")
        self._reminds, self._goes_on = self.deck("reminds"), self.deck("goes_on")

    def head(self) -> list[str]:
        place = self.rng.below(len(self._sentences["doubts"]))
        return [
            f"# {self.domain.title}: {self.of('kinds')}",
            self.setting(),
            self._asking(self.of("purposes")),
            self._telling(self.noted("welcomes", "reading", "empty")),
            self._asking(self.say(self._sentences["doubts"][place])),
            self._telling(self.say(self._sentences["assurances"][place])),
        ]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        lines = [self._asking(self.say((self._how if first else self._again).deal(), m=self.marked(a)))]
        reply = [self.say((self._openings if first else self._yes).deal(), **_doing(action))]
        if first and action.numeric:
            reply.append(self.of("measures", quantity=action.quantity, range=self.range(action)))
        thanks = ""
        for s in outcomes:
            if self.rng.chance(2, 3):
                ask = self._questions.deal().format(o=clause(action, s))
                lines += [self._telling(" ".join(reply))] if reply else []
                lines.append(self._asking(f"{thanks} {ask}".strip()))
                answer = self._answers.deal()
                said = self.wording.consequence(a, s, alone="{c}" in answer)
                reply, thanks = [answer.format(c=said, C=capital(said))], ""
            else:
                reply.append(self.wording.rule(a, s))
            if not thanks and self.rng.chance(1, 3):
                thanks = self._thanks.deal()
        return ["\n\n".join([*lines, self._telling(" ".join(reply))])]

    def tail(self) -> list[str]:
        place = self.rng.below(len(self._sentences["ends"]))
        return [self._asking(self._sentences["ends"][place]), self._telling(self._sentences["replies"][place])]

    def aside(self, title: str, paragraph: str, *, after_entry: bool) -> list[str]:  # noqa: ARG002 - a story in talk has no title
        lead = self._reminds.deal() if after_entry else self._goes_on.deal()
        return [self._asking(lead), self._telling(paragraph)]

    def _asking(self, text: str) -> str:
        return self._turn(self._asker, text)

    def _telling(self, text: str) -> str:
        return self._turn(self._teller, text)

    def _turn(self, name: str, text: str) -> str:
        return f"**{name}:** {text}" if self._bold else f"{name}: {text}"


@final
class Table(Register):
    """Style 0: one table of all; 1: a table for every action; 2: the same with a column for each truth, for at most 12 truths."""

    name: ClassVar[str] = "table"

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._style = self.rng.below(3 if len(self.domain.truths) <= 12 else 2)
        self._opening = self.pick("openings")
        self._places = self.rng.shuffled(range(len(self.domain.truths)))
        self._dash = self.pick("dashes")
        self._column = self.pick("columns")
        self._outcome = self.pick("outcomes")

    def head(self) -> list[str]:
        legend = "grid_legends" if self._style == 2 else "legends"
        blocks = [f"# {self.domain.title}: {self.of('kinds')}", self.setting(), self.noted(legend, "no_proof")]
        if self._style == 0:
            lines = [f"- {a.name}: {a.does}." for a in self.domain.actions]
            blocks += [self.of("lists"), "\n".join(lines)]
        return blocks

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        if self._style == 0:
            return [self.one([(a, outcomes)])]
        blocks = [f"## {self.heading(a, first)}"]
        if first:
            blocks.append(self.say(self._opening, **_doing(action)))
        if self._style == 1:
            rows = [(self._shown(action, s), self._cell(a, s)) for s in outcomes]
            return [*blocks, grid([(self._outcome, self._column), *rows])]
        head = (self._outcome, *[self.domain.truths[t] for t in self._places])
        cells = [(self._shown(action, s), *["×" if t in action.excludes[s] else "·" for t in self._places]) for s in outcomes]
        return [*blocks, grid([head, *cells])]

    def one(self, entries: Sequence[tuple[int, Sequence[int]]]) -> str:
        """One table of several actions (style 0)."""
        rows = [(capital(self.domain.action), self._outcome, self._column)]
        for a, outcomes in entries:
            action = self.domain.actions[a]
            rows += [(action.name, self._shown(action, s), self._cell(a, s)) for s in outcomes]
        return grid(rows)

    @property
    def joins(self) -> bool:
        """True if all entries belong into one table."""
        return self._style == 0

    def _shown(self, action: Action, s: int) -> str:
        return f"{action.quantity}: {interval(action, s)}" if action.numeric else action.outcomes[s]

    def _cell(self, a: int, s: int) -> str:
        return ", ".join(self.wording.names(a, s)) or self._dash


@final
class Symbolic(Register):
    """A terse notation in three dialects; the first lines say which."""

    name: ClassVar[str] = "symbolic"

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._dialect = self.rng.below(3)

    def head(self) -> list[str]:
        return [f"# {self.domain.title}", " ".join([self.say(self._sentences["symbols"][self._dialect]), *self.elsewhere()])]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:  # noqa: ARG002 - it has one form
        lines = [self._line(a, s) for s in outcomes]
        if self._dialect == 0:
            lines = [f"{self.domain.actions[a].name}:", *[f"  {line}" for line in lines]]
        return ["\n".join(lines)]

    def tail(self) -> list[str]:
        return []

    def _line(self, a: int, s: int) -> str:
        action, names = self.domain.actions[a], self.wording.names(a, s)
        outcome = action.outcomes[s] if not action.numeric else self._interval(action, s)
        if self._dialect == 0:
            return f"{outcome} => {'not ' + ', '.join(names) if names else '-'}"
        if self._dialect == 1:
            return f"out({action.name} | {outcome}) = {{{', '.join(names)}}}"
        return f"{action.name}: {outcome} |- {' & '.join(['~' + name for name in names]) or 'true'}"

    def _interval(self, action: Action, s: int) -> str:
        low, high = action.digits(action.bounds[s]), action.digits(action.bounds[s + 1])
        unit = f" {action.unit}" if action.unit else ""
        return f"{action.quantity} in [{low}, {high}{']' if s == action.size - 1 else ')'}{unit}"


def grid(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], f"|{' --- |' * len(rows[0])}", *lines[1:]])
