"""Reads a book that `write_book` has written: the exclusion map again, exactly, or an error that names the line.

The grammar is written here a second time, as patterns. Of the writer's material the parser knows the notes alone (notes.py); from
the domain it knows names, nouns and texts. A sentence is read as a rule, or it is a note, or it is *plain*: it names no truth and
no outcome, and has no word of excluding or confirming in it. Anything else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from puzzlemill.core.errors import BadRow
from puzzlemill.core.text import capital, printable
from puzzlemill.kumo.book.notes import notes, nouns
from puzzlemill.kumo.domain.domain import Action, Domain
from puzzlemill.kumo.reading.lines import lines

Exclusions = tuple[
    tuple[tuple[int, ...], ...], ...
]  # of each action and outcome, the positions of the excluded truths, ascending

MAX_PLACES = 40  # where a sentence is tried to be cut into condition and consequence
SHOWN = 80  # characters of a refused sentence that its error shows

_BEFORE = (
    "if it turns out that ", "if you find that ", "should it turn out that ", "once you know that ", "given that ", "suppose ",
    "where ", "when ", "if ",
)  # fmt: skip
_AFTER = (
    " if it turns out that ", " if you find that ", " as soon as you know that ", " once you know that ", " when ", " if ",
)  # fmt: skip
_ASKING = ("and if ", "what if ", "suppose ", "and when ", "what do I do if ", "what follows if ")
_ANSWERING = ("then ", "in that case ")
_AND, _OR, _NOR, _COMMA, _ONE = "and", "or", "nor", "comma", "one"
_OUT = (
    (_AND, r"(?P<names>.+) (?:is|are) (?:ruled out|out of the question|excluded)"),
    (_AND, r"(?P<names>.+) (?:has|have) to be excluded"),
    (_AND, r"(?P<names>.+) (?:drops? out|leaves? the list)"),
    (_AND, r"strike (?P<names>.+) from the list"),
    (_AND, r"cross (?P<names>.+) off the list"),
    (_AND, r"(?:you can rule out|rule out|exclude|strike|cross off|dismiss|(?:this|that) (?:rules out|excludes)) (?P<names>.+)"),
    (_AND, r"ruled out: (?P<names>.+)"),
    (_OR, r"the {truth} cannot be (?P<names>.+)"),
    (_ONE, r"the {truth}(?: in question)? is not (?P<names>.+)"),
    (_NOR, r"the {truth}(?: in question)? is neither (?P<names>.+)"),
    (_AND, r"the {truth}(?: in question)? is none of (?P<names>.+)"),
)  # how the names are joined, and the sentence; tried in this order
_NOTHING = (
    "nothing is ruled out", "no {truth} is ruled out", "strike nothing from the list", "the list stays as it was",
    "no name leaves the list", "nothing has to be excluded", "nothing is excluded", "you can rule out nothing",
    "every {truth} that was possible stays possible",
    "this rules out nothing", "that excludes none of the {truths}", "this rules out none of the {truths}",
    "strike nothing", "rule out nothing", "exclude nothing", "cross off nothing", "dismiss nothing", "ruled out: nothing",
)  # fmt: skip
_WORDS = re.compile(
    r"\b(?:rul(?:e|es|ed|ing) out|exclu\w+|strikes?|struck|cross(?:ed|es)?|drops? out|out of the question|cannot be|none of|"
    r"neither|nor|(?:from|off|leaves?|on) the list|confirm\w*|prov(?:e|es|ed|en|ing)|proofs?|dismiss\w*|in play|"
    r"into question|eliminat\w+|"
    r"impossible|must be the|certainly|likely|points? to|indicat\w+)\b",
    re.IGNORECASE,
)
_MARKER = re.compile(r"(?:[-•] |\* |\d{1,3}\. )\s*")
_SPEAKER = re.compile(r"(?:\*\*[^\W\d_]+:\*\*|(?!Outcome:|Ruled)[^\W\d_]+:) ")
_HEADING = re.compile(r"#+ (?:\d+\. |(?:Procedure|Protocol|Section|Part) \d+: |More on )?(?P<name>.*?)(?: \(continued\))?$")
_SENTENCE = re.compile(r"(?<=[.?!]) +")
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_SPOKEN = re.compile(rf"at least {_NUMBER} and (below|at most) {_NUMBER}(?: (.+)|(%))?")
_BRACKET = re.compile(rf"in \[{_NUMBER}, {_NUMBER}([\])])(?: (.+))?")
_OUTCOME_HEADS = ("Outcome", "What is found", "Finding")
_OUT_HEADS = ("Rules out", "Ruled out", "Excludes", "Excluded", "Struck from the list")


def parse_book(text: str, domain: Domain) -> Exclusions:
    """The exclusions that a book of `write_book` gives to this domain, whatever exclusions the domain itself has.

    Raises BadRow, with the line, for what `write_book` does not write, for an outcome that comes twice, and for a missing one.
    """
    for number, line in lines(text):
        if number == 1:
            reader = _Reader(domain)
        reader.line(number, line)
    return reader.map()


class _Reader:
    """Reads line after line. action: the one that the rules now belong to. asked: outcomes that await their consequence."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        words = nouns(domain)
        self._truths = {name: t for t, name in enumerate(domain.truths)}
        self._actions = {action.name: a for a, action in enumerate(domain.actions)}
        self._told: list[list[tuple[int, ...] | None]] = [[None] * action.size for action in domain.actions]
        self._notes = sorted(notes(words), key=_longest)
        escaped = {slot: re.escape(noun) for slot, noun in words.items()}
        self._out = [(joined, re.compile(pattern.format_map(escaped), re.IGNORECASE)) for joined, pattern in _OUT]
        self._nothing = {template.format_map(words).lower() for template in _NOTHING}
        self._marked = re.compile(rf'(?:\*\*|[“"*])({_any(list(self._actions))})(?:\*\*|[”"*])')
        texts = [outcome for action in domain.actions for outcome in action.outcomes]
        texts += [f"{action.quantity} is at least" for action in domain.actions if action.numeric]
        self._facts = re.compile(rf"(?<!\w)(?:{_any(domain.truths)}|{_any(texts)})(?!\w)")
        # what stands in a book because it stands in the domain, wherever it would not pass as plain
        texts = [text for action in domain.actions for text in (action.does, capital(action.does), action.name, action.quantity)]
        texts += [domain.title, domain.question, domain.scene, *[noun for noun in words.values() if noun]]
        self._texts = sorted({text for text in texts if self._speaks(text)}, key=_longest)
        self._action = -1
        self._asked: tuple[int, ...] = ()
        self._columns: tuple[str, ...] = ()
        self._row = 0

    def map(self) -> Exclusions:
        if self._asked:
            raise BadRow(f"the book ends, and the question about {self._named(self._asked[0])} has no answer")
        for a, row in enumerate(self._told):
            for s, names in enumerate(row):
                if names is None:
                    raise BadRow(f"the book does not say what is ruled out by {self._named(s, a)}; tell every outcome once")
        return tuple([tuple([names for names in row if names is not None]) for row in self._told])

    def line(self, number: int, raw: str) -> None:
        place = f"line {number}"
        text = raw.strip()
        if not text.startswith("|"):
            self._columns = ()
        for known in (self._domain.scene, self._domain.question, *self._notes):
            if known and known in text:
                text = text.replace(known, "").strip()
        if not text:
            return
        if text.startswith("|"):
            self._table(text, place)
        elif text.startswith("#"):
            self._heading(text, place)
        elif not self._symbols(text, place):
            marker = _MARKER.match(text)
            text = text[marker.end() :] if marker else text
            speaker = _SPEAKER.match(text)
            for sentence in _SENTENCE.split(text[speaker.end() :] if speaker else text):
                self._sentence(sentence, place)

    # prose

    def _heading(self, text: str, place: str) -> None:
        found = _HEADING.match(text)
        if found and found["name"] in self._actions:
            self._turn_to(self._actions[found["name"]], place)
        else:
            self._plain(text, place)

    def _turn_to(self, a: int, place: str) -> None:
        if self._asked and a != self._action:
            raise BadRow(
                f"{place}: a new {self._domain.action} comes up, and {self._named(self._asked[0])} has not been told yet"
            )
        self._action = a

    def _sentence(self, text: str, place: str) -> None:
        for name in self._marked.findall(text):
            self._turn_to(self._actions[name], place)
        body = text[:-1] if text.endswith((".", "?")) else text
        if self._action >= 0:
            if text.endswith("?") or body.startswith("Outcome: "):
                outcomes = self._question(body)
                if outcomes:
                    if self._asked:
                        raise BadRow(f"{place}: a second question comes before {self._named(self._asked[0])} has been told")
                    self._asked = outcomes
                    return
            rule = self._rule(body)
            if rule:
                self._tell(*rule, place)
                return
            if self._asked:
                for lead in ("", *_ANSWERING):
                    names = self._consequence(body[len(lead) :]) if body.lower().startswith(lead) else None
                    if names is not None:
                        asked, self._asked = self._asked, ()
                        self._tell(asked, names, place)
                        return
        self._plain(text, place)

    def _question(self, body: str) -> tuple[int, ...]:
        if body.startswith("Outcome: "):
            return self._outcomes(body[len("Outcome: ") :])
        for lead in _ASKING:
            if body.lower().startswith(lead.lower()):
                return self._outcomes(body[len(lead) :])
        return ()

    def _rule(self, body: str) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """(outcomes, truths) of a sentence that states a rule of the action in hand, without its full stop."""
        low = body.lower()
        for lead in _BEFORE:
            if low.startswith(lead):
                rest = body[len(lead) :]
                for cut in (", ", ": then "):
                    for at in _places(rest, cut):
                        read = self._pair(rest[:at], rest[at + len(cut) :])
                        if read:
                            return read
        for link in _AFTER:
            for at in _places(body, link):
                read = self._pair(body[at + len(link) :], body[:at])
                if read:
                    return read
        for colon in _places(body, ": "):
            read = self._pair(body[:1].lower() + body[1:colon], body[colon + 2 :]) or self._pair(body[:colon], body[colon + 2 :])
            if read:
                return read
        return None

    def _pair(self, condition: str, consequence: str) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        outcomes = self._outcomes(condition)
        names = self._consequence(consequence) if outcomes else None
        return (outcomes, names) if names is not None else None

    def _outcomes(self, text: str) -> tuple[int, ...]:
        """The outcomes of the action in hand that a condition names; () if it is not made of them alone."""
        found = [self._outcome(part) for part in re.split(r",? or if ", text)]
        return () if -1 in found else tuple(found)

    def _outcome(self, text: str) -> int:
        """The outcome of the action in hand that this clause is, in words or in symbols; -1 for none."""
        action = self._domain.actions[self._action]
        if not action.numeric:
            return action.outcomes.index(text) if text in action.outcomes else -1
        for lead in (f"{action.quantity} is ", f"{action.quantity}: ", f"{action.quantity} "):
            if text.startswith(lead):
                return _interval(action, text[len(lead) :])
        return -1

    def _consequence(self, text: str) -> tuple[int, ...] | None:
        """The truths that this clause rules out; None if it is no such clause."""
        if text.lower() in self._nothing:
            return ()
        for joined, pattern in self._out:
            found = pattern.fullmatch(text)
            names = self._names(found["names"], joined) if found else None
            if names is not None:
                return names
        return None

    def _names(self, text: str, joined: str) -> tuple[int, ...] | None:
        """The truths of a list, ascending; None for anything but known names, each once, joined in this way."""
        parts = text.split(", ")
        if joined == _NOR:
            parts = text.split(" nor ")
            if len(parts) != 2:
                return None
        elif joined in (_AND, _OR):
            link = f"{joined} "
            if len(parts) > 2 and parts[-1].startswith(link):
                parts[-1] = parts[-1][len(link) :]
            elif len(parts) == 1:
                parts = text.split(f" {link}")
                if len(parts) > 2:
                    return None
            else:
                return None
        elif joined == _ONE and len(parts) > 1:
            return None
        places = [self._truths.get(part, -1) for part in parts]
        return None if -1 in places or len({*places}) < len(places) else tuple(sorted(places))

    def _plain(self, text: str, place: str) -> None:
        """Lets a sentence pass that can hold no rule."""
        for known in self._texts:
            text = text.replace(known, "")
        found = self._speaks(text)
        if found:
            shown = printable(text[:SHOWN]) + "…" * (len(text) > SHOWN)
            raise BadRow(
                f"{place}: cannot read “{shown}” because of “{printable(found)}”; "
                "expected a rule as write_book words it, below its action's name, or a sentence that excludes nothing"
            )

    def _speaks(self, text: str) -> str:
        """The first thing in a text that could belong to a rule; "" if there is none."""
        found = self._facts.search(text) or _WORDS.search(text)
        return found.group() if found else ""

    def _tell(self, outcomes: Sequence[int], names: tuple[int, ...], place: str) -> None:
        for s in outcomes:
            if self._told[self._action][s] is not None:
                raise BadRow(f"{place}: {self._named(s)} is told a second time")
            self._told[self._action][s] = names

    def _named(self, s: int, a: int | None = None) -> str:
        action = self._domain.actions[self._action if a is None else a]
        return f"“{action.clause(s)}” of {action.name}"

    # symbols and tables

    def _symbols(self, text: str, place: str) -> bool:
        """Reads a line of one of the three notations; False if it is none."""
        if text.endswith(":") and text[:-1] in self._actions:
            self._turn_to(self._actions[text[:-1]], place)
            return True
        if text.startswith("out("):
            name, bar, rest = text[4:].partition(" | ")
            outcome, equals, names = rest.partition(") = {")
            if not (bar and equals and names.endswith("}")):
                raise BadRow(f"{place}: expected out(action | outcome) = {{truths}}, got “{printable(text[:SHOWN])}”")
            return self._line(name, outcome, names[:-1].split(", ") if names != "}" else [], place)
        if " |- " in text:
            left, _, right = text.partition(" |- ")
            name, _, outcome = left.partition(": ")
            parts = [] if right == "true" else right.split(" & ")
            if not all(part.startswith("~") for part in parts):
                raise BadRow(f"{place}: expected true or ~X & ~Y behind |-, got “{printable(right[:SHOWN])}”")
            return self._line(name, outcome, [part[1:] for part in parts], place)
        if " => " in text:
            outcome, _, right = text.partition(" => ")
            if right != "-" and not right.startswith("not "):
                raise BadRow(f"{place}: expected - or not X, Y behind =>, got “{printable(right[:SHOWN])}”")
            return self._line(None, outcome, [] if right == "-" else right[4:].split(", "), place)
        return False

    def _line(self, name: str | None, outcome: str, names: Sequence[str], place: str) -> bool:
        """One outcome of the named action (None: of the one in hand) and what it rules out."""
        if name is not None:
            if name not in self._actions:
                raise BadRow(f"{place}: no {self._domain.action} is called “{printable(name[:SHOWN])}”")
            self._turn_to(self._actions[name], place)
        s = self._outcome(outcome) if self._action >= 0 else -1
        if s < 0:
            raise BadRow(f"{place}: “{printable(outcome[:SHOWN])}” is no outcome of the {self._domain.action} in hand")
        truths = self._names(", ".join(names), _COMMA) if names else ()
        if truths is None:
            raise BadRow(
                f"{place}: expected {self._domain.truths_plural}, each once, got “{printable(', '.join(names)[:SHOWN])}”"
            )
        self._tell((s,), truths, place)
        return True

    def _table(self, text: str, place: str) -> None:
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        if not self._columns:
            named = cells[-1] in _OUT_HEADS and (
                (len(cells) == 2 and cells[0] in _OUTCOME_HEADS)
                or (len(cells) == 3 and cells[0] == capital(self._domain.action) and cells[1] in _OUTCOME_HEADS)
            )
            crossed = cells[0] in _OUTCOME_HEADS and all(cell in self._truths for cell in cells[1:]) and len(cells) > 1
            if not (named or crossed):
                raise BadRow(f"{place}: expected a head of outcomes and what they rule out, got “{printable(text[:SHOWN])}”")
            self._columns, self._row = (*cells, "crosses" if crossed else "names"), 0
            return
        self._row += 1
        if self._row == 1:
            if any(cell != "---" for cell in cells):
                raise BadRow(f"{place}: expected a line of dashes below the head of the table, got “{printable(text[:SHOWN])}”")
            return
        if len(cells) != len(self._columns) - 1:
            raise BadRow(f"{place}: the table has {len(self._columns) - 1} columns, this row {len(cells)}")
        if self._columns[-1] == "crosses":
            if any(cell not in ("×", "·") for cell in cells[1:]):
                raise BadRow(f"{place}: expected × or · in every cell but the first, got “{printable(text[:SHOWN])}”")
            self._line(
                None, cells[0], [head for head, cell in zip(self._columns[1:], cells[1:], strict=False) if cell == "×"], place
            )
        else:
            names = [] if cells[-1] in ("—", "–", "-") else cells[-1].split(", ")
            self._line(cells[0] if len(cells) == 3 else None, cells[-2], names, place)


def _interval(action: Action, text: str) -> int:
    """The outcome whose values this text names, in words or in brackets; -1 for none."""
    spoken, bracket = _SPOKEN.fullmatch(text), _BRACKET.fullmatch(text)
    if spoken:
        low, closed, high, unit = spoken[1], spoken[2] == "at most", spoken[3], spoken[4] or spoken[5] or ""
    elif bracket:
        low, high, closed, unit = bracket[1], bracket[2], bracket[3] == "]", bracket[4] or ""
    else:
        return -1
    low_value, high_value = _scaled(low, action.decimals), _scaled(high, action.decimals)
    for s in range(action.size):
        if (
            (low_value, high_value) == action.bounds[s : s + 2]
            and closed == (s == action.size - 1)
            and _same_unit(unit, high, action.unit)
        ):
            return s
    return -1


def _scaled(number: str, decimals: int) -> int | None:
    """A number as a whole multiple of 10**-decimals; None if it is written with other decimals."""
    whole, _, part = number.partition(".")
    return int(whole + part) if len(part) == decimals and len(number) < 20 else None


def _same_unit(got: str, high: str, unit: str) -> bool:
    """True of the action's own unit, and of its singular after a 1."""
    return got == unit or (
        high == "1" and (got + "s" == unit or re.sub(r"^(\w+)(?= |$)", r"\1s", got) == unit or got + "es" == unit)
    )


def _places(text: str, part: str) -> list[int]:
    """The places of a part in a text, the first MAX_PLACES of them."""
    return [found.start() for found in islice(re.finditer(re.escape(part), text), MAX_PLACES)]


def _any(texts: Sequence[str]) -> str:
    """A pattern of any of these texts, longer ones first."""
    return "|".join([re.escape(text) for text in sorted(texts, key=_longest)]) or "(?!)"


def _longest(text: str) -> tuple[int, str]:
    """Sorts longer texts first, in an order that no hash seed changes."""
    return -len(text), text
