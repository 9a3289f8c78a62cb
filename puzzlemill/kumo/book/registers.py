"""The six registers of a book: how it begins, how an action's rules are told, and how it ends.

An *entry* tells some or all of one action's outcomes. In a long book an action comes up more than once; its first entry says how
the action is done, and all of an action's entries name it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import final

from puzzlemill.kumo.book import notes
from puzzlemill.kumo.book.wording import (
    NO_ORDERS,
    ORDERS,
    Wording,
    capital,
    clause,
    counted,
    digits,
    interval,
    listed,
    measured,
    words_of,
)
from puzzlemill.kumo.domain.domain import Action

MARKS = (("**", "**"), ("“", "”"), ('"', '"'), ("*", "*"))  # around an action's name in prose
SPEAKERS = (
    "Amrit", "Beate", "Cosima", "Dunstan", "Elspeth", "Fabian", "Gunvor", "Hollis", "Ilse", "Jonna", "Kasper", "Lorenz",
    "Maren", "Nestor", "Ottilie", "Pavel", "Renske", "Sunniva", "Tibor", "Ulrike", "Vasco", "Wilma", "Xenia", "Yorick",
    "Zelda", "Anouk", "Bertil", "Corin", "Dagny", "Emeric", "Freya", "Goran", "Henrike", "Isolde", "Jarmila", "Knut",
)  # fmt: skip


class Register(ABC):
    """A way to write a book. Blocks are paragraphs, tables or lists, to be set apart by empty lines."""

    def __init__(self, wording: Wording) -> None:
        self.wording, self.domain, self.rng = wording, wording.domain, wording.rng
        self._mark = self.rng.pick(MARKS)

    @abstractmethod
    def head(self) -> list[str]:
        """The blocks before the first entry."""

    @abstractmethod
    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        """The blocks that tell these outcomes of action a. first: the action has not come up before."""

    @abstractmethod
    def tail(self) -> list[str]:
        """The blocks after the last entry."""

    def aside(self, title: str, paragraph: str, *, after_entry: bool) -> list[str]:
        """The blocks of a paragraph that has nothing to do with the rules. after_entry: an entry stands right before it."""
        return [f"## {title}", paragraph] if after_entry else [paragraph]

    def marked(self, a: int) -> str:
        """The action's name, set off from the words around it."""
        return f"{self._mark[0]}{self.domain.actions[a].name}{self._mark[1]}"

    def say(self, template: str, **more: str) -> str:
        return template.format_map({**self.wording.nouns, **more})

    def of(self, *choices: str, **more: str) -> str:
        """One of the sentences."""
        return self.say(self.rng.pick(choices), **more)

    def noted(self, *groups: Sequence[str]) -> str:
        """One note of each group, as a paragraph."""
        return " ".join([self.of(*group) for group in groups])

    def setting(self) -> str:
        """Scene and question. Where several truths may hold, both would tell of one: then a note stands for them."""
        if not self.wording.several:
            return f"{self.domain.scene} {self.domain.question}"
        kept = [notes.ELSEWHERE] if self.domain.scene.endswith(notes.ELSEWHERE) else []
        return " ".join([self.of(*notes.SEVERAL), *kept])

    def range(self, action: Action) -> str:
        """ "from 1.5 to 8.5 g/cm³", of a numeric action."""
        return f"from {digits(action, action.bounds[0])} to {measured(action, action.bounds[-1])}"

    @property
    def size(self) -> str:
        """ "six tests"."""
        return counted(len(self.domain.actions), self.domain.action, self.domain.actions_plural)


@final
class Guidebook(Register):
    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._headed = self.rng.chance(1, 2)
        self._openings = wording.deck(
            (
                "{m}: {does}.",
                "For the {action} {m}, {does}.",
                "The {action} {m} has you {does}.",
                "To use the {action} {m}, {does}.",
                "Whoever turns to the {action} {m} has to {does}.",
                "One of the {actions} is {m}: {does}.",
                "In the {action} {m} you {does}.",
            )
        )
        self._headed_openings = wording.deck(
            ("For this {action}, {does}.", "{Does}.", "Here you {does}.", "This {action} has you {does}.", "You {does}.")
        )
        self._again = wording.deck(
            (
                "There is more to say about the {action} {m}.",
                "Back to the {action} {m}.",
                "The {action} {m} was left unfinished some pages ago.",
                "One more word on {m}.",
                "Here the thread of {m} is taken up again.",
                "The account of the {action} {m} goes on.",
                "What follows belongs to the {action} {m} once more.",
            )
        )
        self._measures = wording.deck(
            (
                "What you read off is {quantity}, {range}.",
                "It gives {quantity}, which runs {range}.",
                "The result is {quantity}, a value {range}.",
                "It tells {quantity}, {range}.",
            )
        )

    def head(self) -> list[str]:
        kind = self.of("A Guide", "A Guide for Beginners", "A Short Guidebook", "The Guide", "A Guide in Plain Words")
        opening = self.of(
            "This guide goes through {size}, one after another.",
            "The pages below describe {size} and what may come of them.",
            "Here the reader finds {size}, each with the outcomes that it can have.",
            "Of the ways to find out, this guide describes {size}.",
            size=self.size,
        )
        return [
            f"# {self.domain.title}: {kind}",
            self.setting(),
            f"{opening} {self.noted(notes.READING, notes.NO_PROOF, notes.EMPTY)}",
        ]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        words = {"m": self.marked(a), "does": action.does, "Does": capital(action.does)}
        rules = self.wording.rules(a, outcomes)
        lead = []
        if first:
            lead = [self.say((self._headed_openings if self._headed else self._openings).deal(), **words)]
            if action.numeric:
                lead.append(self.say(self._measures.deal(), quantity=action.quantity, range=self.range(action)))
        elif not self._headed:
            lead = [self.say(self._again.deal(), **words)]
        heading = [f"## {action.name}" if first else f"## More on {action.name}"] if self._headed else []
        return [*heading, " ".join([*lead, *rules])]

    def tail(self) -> list[str]:
        return [
            self.of(
                "Keep this guide at hand, and read each entry to its end.",
                "So much for the {actions}; the rest is patience.",
                "With this the guide has told all that it knows.",
                "More than this the guide does not know.",
            )
        ]


@final
class LabManual(Register):
    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._style = self.rng.below(3)
        self._unit = self.rng.pick(("Procedure", "Protocol", "Section", "Part"))
        self._number = 0
        self._notes = wording.deck(
            (
                "Note the outcome.",
                "Write down what is found before reading on.",
                "Enter the outcome in the notebook.",
                "Record which of the outcomes below is found.",
                "Put the outcome on paper at once.",
            )
        )
        self._acts = wording.deck(
            (
                "Compare it with these entries:",
                "Look the outcome up below:",
                "Then find the outcome here:",
                "Go on as follows:",
                "Act on the outcome:",
            )
        )

    def head(self) -> list[str]:
        title = self.of("Laboratory Manual", "Manual of Procedures", "Bench Manual", "Working Manual")
        scope = self.of(
            "This manual covers {size}.",
            "The manual holds the procedures for {size}.",
            "Described are {size}, with all of their outcomes.",
            size=self.size,
        )
        return [
            f"# {title}: {self.domain.title}",
            "## Scope",
            f"{self.setting()} {scope}",
            "## How to read an entry",
            self.noted(notes.READING, notes.NO_PROOF, notes.EMPTY),
        ]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        self._number += 1
        extra = "" if first else " (continued)"
        steps = [f"{capital(action.does)}."] if first else []
        if first and action.numeric:
            low, high = digits(action, action.bounds[0]), measured(action, action.bounds[-1])
            reading = ("Read {q}; the scale goes from {low} to {high}.", "Read {q}, which lies between {low} and {high}.")
            steps.append(self.of(*reading, q=action.quantity, low=low, high=high))
        steps += [self.say(self._notes.deal()), self.say(self._acts.deal())]
        lines = [f"{i}. {step}" for i, step in enumerate(steps, 1)]
        lines += [f"   - {self._item(a, s)}" for s in outcomes]
        return [f"## {self._unit} {self._number}: {action.name}{extra}", "\n".join(lines)]

    def _item(self, a: int, s: int) -> str:
        if self._style == 0:
            return self.wording.rule(a, s)
        names, outcome = self.wording.names(a, s), clause(self.domain.actions[a], s)
        if self._style == 1:
            template = self.rng.pick(ORDERS) if names else self.rng.pick(NO_ORDERS)
            return f"{capital(outcome)}: {self.wording.fill(template, names)}."
        return f"Outcome: {outcome}. Ruled out: {listed(names, 'and') if names else 'nothing'}."

    def tail(self) -> list[str]:
        return [
            self.of(
                "End of the manual.",
                "The manual ends here. Put all things back where they were.",
                "No further procedures are in use.",
                "Wipe the bench before you leave.",
            )
        ]


@final
class Memo(Register):
    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._bullets = self.rng.chance(1, 2)
        self._number = 1
        self._how = wording.deck(
            (
                "How it is done: {does}.",
                "Staff are asked to {does}.",
                "For this {action}, {does}.",
                "Please {does}.",
                "The way to do it: {does}.",
            )
        )

    def head(self) -> list[str]:
        to = self.of("all members of staff", "everyone on duty", "the day shift and the night shift", "all new colleagues",
                     "whoever is in charge this week")  # fmt: skip
        sender = self.of(
            "the head of records", "the standing committee", "the deputy director", "the office of methods", "the senior clerk"
        )
        subject = self.of("how to read the {actions}", "outcomes of the {actions}", "the {actions} in use")
        purpose = self.of(
            "This memo puts on paper what is to be done after each of the {size} in use.",
            "To spare everyone further questions, the outcomes of the {size} in use are set down here.",
            "Several colleagues have asked for a written account; here it is, for the {size} in use.",
            size=self.size if len(self.domain.actions) > 1 else self.domain.action,
        )
        if len(self.domain.actions) == 1:
            purpose = self.say("This memo puts on paper what is to be done after the {action} in use.")
        return [
            "# Memorandum",
            f"To: {to}\nFrom: {sender}\nSubject: {self.domain.title}: {subject}",
            "## 1. Background",
            self.setting(),
            purpose,
            self.noted(notes.READING, notes.NO_PROOF, notes.EMPTY),
        ]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        self._number += 1
        heading = f"## {self._number}. {action.name}{'' if first else ' (continued)'}"
        rules = self.wording.rules(a, outcomes)
        lead = [self.say(self._how.deal(), does=action.does)] if first else []
        if first and action.numeric:
            lead.append(self.of("It yields {q}, {r}.", "To be reported: {q}, {r}.", q=action.quantity, r=self.range(action)))
        if self._bullets:
            return [heading, *([" ".join(lead)] if lead else []), "\n".join([f"- {rule}" for rule in rules])]
        return [heading, " ".join([*lead, *rules])]

    def tail(self) -> list[str]:
        return [
            self.of(
                "Questions may be left in the tray by the door.",
                "Please keep this memo where everyone can find it.",
                "Earlier versions are to be thrown away.",
                "Thank you for your care.",
            )
        ]


@final
class Dialogue(Register):
    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        taken = words_of(wording.domain)
        free = [name for name in SPEAKERS if name.lower() not in taken]
        self._asks, self._tells = self.rng.sample(free, 2)
        self._bold = self.rng.chance(1, 3)
        self._how = wording.deck(
            (
                "What do I do for {m}?",
                "And how does {m} go?",
                "Tell me about {m}.",
                "Now for {m}. What is to be done?",
                "How should I go about {m}?",
                "Next on my page is {m}. How is it done?",
                "I have never tried {m}. What do I do?",
            )
        )
        self._does = wording.deck(
            ("You {does}.", "{Does}.", "Nothing easier: {does}.", "First of all, {does}.", "You have to {does}.")
        )
        self._again = wording.deck(
            (
                "May we come back to {m}?",
                "I still have a gap at {m}.",
                "Once more about {m}.",
                "We had not finished {m}, I think.",
            )
        )
        self._yes = wording.deck(("Of course.", "Gladly.", "Yes, let us go on.", "By all means.", "You are right."))
        self._asked = wording.deck(
            ("And if {o}?", "What if {o}?", "Suppose {o}?", "And when {o}?", "What do I do if {o}?", "What follows if {o}?")
        )
        self._answers = wording.deck(("{C}.", "Then {c}.", "{C}.", "In that case {c}."))
        self._reminds = wording.deck(
            (
                "And now a story, please.",
                "Let us rest a little. What else do you remember?",
                "Tell me something about the people who were here before.",
                "My hand is tired. Talk of something else for a moment.",
                "How was it in the old days?",
            )
        )
        self._goes_on = wording.deck(
            ("And then?", "Is there more of that kind?", "I could listen for hours.", "You must have seen a good deal here.",
             "And the others?", "Really?", "What else is told in the house?", "I had heard about that, in another version.",
             "That sounds like the people I know.", "Who told you that?", "Do go on.", "And you were there?", "I like that one.")
        )  # fmt: skip
        self._thanks = wording.deck(
            ("Noted.", "I have that.", "Good.", "Go on, please.", "I see.", "Clear enough.", "Right.", "Let me write that down.")
        )

    def head(self) -> list[str]:
        asked, told = self.rng.pick(notes.ASK)
        return [
            f"# {self.domain.title}: {self.of('A Conversation', 'Two Colleagues Talk', 'Questions and Answers')}",
            self.setting(),
            self._asking(
                self.of(
                    "You know the {actions} by heart, I am told.",
                    "Before I start, would you take me through the {actions}?",
                    "I am to do the {actions} from tomorrow. Can you teach me?",
                )
            ),
            self._telling(
                self.noted(("Ask away.", "With pleasure.", "Sit down and take your notebook."), notes.READING, notes.EMPTY)
            ),
            self._asking(self.say(asked)),
            self._telling(self.say(told)),
        ]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        words = {"m": self.marked(a), "does": action.does, "Does": capital(action.does)}
        lines = [self._asking(self.say((self._how if first else self._again).deal(), **words))]
        reply = [self.say((self._does if first else self._yes).deal(), **words)]
        if first and action.numeric:
            reply.append(self.of("What you get is {q}, {r}.", "You read {q}, {r}.", q=action.quantity, r=self.range(action)))
        thanks = ""
        for s in outcomes:
            if self.rng.chance(2, 3):
                ask = self._asked.deal().format(o=clause(action, s))
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
        asked, answered = self.rng.pick(
            (
                ("That is all?", "That is all I know."),
                ("Is there anything else?", "No, you have it all now."),
                ("Then I have filled my notebook.", "Read it over tonight, and come to me with questions."),
                ("I think I have everything.", "Then good luck to you."),
            )
        )
        return [self._asking(asked), self._telling(answered)]

    def aside(self, title: str, paragraph: str, *, after_entry: bool) -> list[str]:  # noqa: ARG002 - a story in talk has no title
        lead = self._reminds.deal() if after_entry else self._goes_on.deal()
        return [self._asking(lead), self._telling(paragraph)]

    def _asking(self, text: str) -> str:
        return self._turn(self._asks, text)

    def _telling(self, text: str) -> str:
        return self._turn(self._tells, text)

    def _turn(self, name: str, text: str) -> str:
        return f"**{name}:** {text}" if self._bold else f"{name}: {text}"


@final
class Table(Register):
    """Style 0: one table of all; 1: a table for every action; 2: the same with a column for each truth, for at most 12 truths."""

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._style = self.rng.below(3 if len(self.domain.truths) <= 12 else 2)
        self._method = self.rng.pick(("Method: {does}.", "{Does}.", "How to do it: {does}."))
        self._places = self.rng.shuffled(range(len(self.domain.truths)))
        self._dash = self.rng.pick(("—", "–", "-"))
        self._column = self.rng.pick(("Rules out", "Ruled out", "Excludes", "Excluded", "Struck from the list"))
        self._outcome = self.rng.pick(("Outcome", "What is found", "Finding"))

    def head(self) -> list[str]:
        legend = notes.GRID_LEGENDS if self._style == 2 else notes.LEGENDS
        blocks = [
            f"# {self.domain.title}: {self.of('Tables', 'Reference Tables', 'A Table of Outcomes', 'The Outcomes at a Glance')}",
            self.setting(),
            self.noted(legend, notes.NO_PROOF),
        ]
        if self._style == 0:
            lines = [f"- {a.name}: {a.does}." for a in self.domain.actions]
            blocks += [self.of("How each {action} is done:", "The {actions} in use:", "What to do:"), "\n".join(lines)]
        return blocks

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:
        action = self.domain.actions[a]
        if self._style == 0:
            return [self.one([(a, outcomes)])]
        blocks = [f"## {action.name}{'' if first else ' (continued)'}"]
        if first:
            blocks.append(self.say(self._method, does=action.does, Does=capital(action.does)))
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
        """Whether all entries belong into one table."""
        return self._style == 0

    def tail(self) -> list[str]:
        return [self.of("The tables are complete.", "No rows are missing.", "There are no further {actions}.")]

    def _shown(self, action: Action, s: int) -> str:
        return f"{action.quantity}: {interval(action, s)}" if action.numeric else action.outcomes[s]

    def _cell(self, a: int, s: int) -> str:
        return ", ".join(self.wording.names(a, s)) or self._dash


@final
class Symbolic(Register):
    """A terse notation in three dialects, told by the first lines."""

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self._dialect = self.rng.below(3)

    def head(self) -> list[str]:
        kept = [notes.ELSEWHERE] if self.domain.scene.endswith(notes.ELSEWHERE) else []
        return [f"# {self.domain.title}", " ".join([self.say(notes.SYMBOLS[self._dialect]), *kept])]

    def entry(self, a: int, outcomes: Sequence[int], *, first: bool) -> list[str]:  # noqa: ARG002 - it has one form
        action = self.domain.actions[a]
        lines = [self._line(a, s) for s in outcomes]
        if self._dialect == 0:
            lines = [f"{action.name}:", *[f"  {line}" for line in lines]]
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
        low, high = digits(action, action.bounds[s]), digits(action, action.bounds[s + 1])
        unit = f" {action.unit}" if action.unit else ""
        return f"{action.quantity} in [{low}, {high}{']' if s == action.size - 1 else ')'}{unit}"


def grid(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], f"|{' --- |' * len(rows[0])}", *lines[1:]])
