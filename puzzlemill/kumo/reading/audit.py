"""Checks a book that anyone has written, in free prose, against a domain's exclusions.

Every sentence is taken apart into clauses. A clause is understood if it names an outcome (in its own words, in others that fit
one outcome only, or by its interval; or the clause before it has named one) and says of truths, or of none, that they are ruled
out, that they stay, or that they are confirmed. What names a truth with an outcome or a word of judging, and is not understood,
is reported as unread: an audit without findings has understood the whole book, and found the domain's rules in it and no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from puzzlemill.kumo.book.notes import notes, nouns
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.reading.lines import MAX_LINE, lines
from puzzlemill.kumo.reading.matching import (
    NEGATED,
    Mention,
    Names,
    Outcomes,
    Token,
    domain_names,
    intervals_in,
    meaning,
    stem,
    tokens_of,
    word_set,
)
from puzzlemill.kumo.reading.verdicts import OUT, REVERSED, STAYS, Verdict, excludes, verdicts

KINDS = ("missing", "added", "reversed", "untold", "misplaced", "unknown", "unread")
MAX_SENTENCE = 6_000  # of a longer one only this is reported: unread
WRAPPED = 60  # characters that a line has, at least, that was broken because it was long
MAX_FINDINGS = 10_000
SHOWN = 160
_PLAIN = {ord(sign): " " for sign in "\t\u00a0\u2007\u2009\u200a\u202f\u2002\u2003\u3000"} | {ord("‘"): "'", ord("’"): "'"}
_MARKUP = re.compile(r"\*{1,3}|`+|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)")
_MARKER = re.compile(r"(?:[-•–—▪*+]|\(?\d{1,3}[.)]|\(?[a-z][.)]) +")
_SPEAKER = re.compile(r"[A-Z]\w{1,20}: ")
_SENTENCE = re.compile(r"(?<=[.?!])[\"”')]? +(?=[\"“'(]?[^\W_])")
_LINKS = word_set(", and or nor & the as well / also a an")
_CUTS = word_set("but while whereas however although though yet")
_ALL = word_set("all every everything everyone anything any each no nothing none others")
_CONDITIONS = word_set("if when where whenever should suppose once given")
_CROSS = word_set("× x ✗ ✘ ✕ out no excluded")
_BLANK = frozenset(["", "·", ".", "-", "–", "—", "✓", "yes", "o"])
_LEADS = word_set(
    "out exclude excludes strike strikes be not neither dismiss dismisses eliminate eliminates cross drop discard :"
)
_NAMED_TWICE = re.compile(r"out\((.+?) \| (.+?)\) ?= ?\{(.*?)\}")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a book, or that could not be understood.

    kind: "missing": an exclusion of the domain that the book lacks; "added": one that the book has and the domain has not;
        "reversed": the book says that an outcome confirms or keeps a truth, where an outcome can only exclude it, or excludes it;
        "untold": the book says nothing of an outcome; "misplaced": it has a rule under the name of another action, which is given
        here; "unknown": a name in a list that is no truth; "unread": a sentence that was not understood.
    action, outcome, truth: names, "" where there is none. line: from 1, 0 where the book is silent. text: the sentence.
    """

    kind: str
    action: str = ""
    outcome: str = ""
    truth: str = ""
    line: int = 0
    text: str = ""

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        named = " / ".join([name for name in (self.action, self.outcome, self.truth) if name])
        said = f" (“{self.text}”)" if self.text else ""
        return f"{where}{self.kind}{': ' * bool(named)}{named}{said}"


def audit_book(text: str, domain: Domain) -> tuple[Finding, ...]:
    """The findings of a book about this domain, in the order of the domain; those that could not be understood come last.

    Raises BadRow for a text that is too long, or that holds signs which cannot be seen.
    """
    reader = _Auditor(domain)
    for number, line in _paragraphs(lines(text, _tidied)):
        reader.line(number, line)
    return reader.findings()


def _paragraphs(numbered: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, with those put together again that were broken because they were long; each under its first number."""
    number, held = 0, ""
    for at, line in numbered:
        if number and _goes_on(held, line):
            held = f"{held.rstrip()} {line.strip()}"
        else:
            if number:
                yield number, held
            number, held = at, line
    if number:
        yield number, held


def _goes_on(before: str, line: str) -> bool:
    """True if a line is the rest of the one before."""
    apart = ("|", "#", "=>", "→", "->", "= {")
    if len(before) < WRAPPED or len(before) > MAX_LINE or before.rstrip().endswith((".", "?", "!", ":", ";")) or not line.strip():
        return False
    if any(sign in before[:2] or sign in line for sign in apart) or any(sign in before for sign in apart[2:]) or " |- " in before:
        return False
    return not (_MARKER.match(line.strip()) or _SPEAKER.match(line.strip()))


def _tidied(line: str) -> str:
    """A line with plain blanks and quotation marks, without the carriage return of a file from Windows."""
    return line.removesuffix("\r").translate(_PLAIN)


@dataclass(frozen=True, slots=True)
class _Clause:
    """tokens of a clause; text: as it stands."""

    tokens: tuple[Token, ...]
    text: str


class _Auditor:
    """Reads line after line and keeps what the book says.

    _said: (action, outcome, truth) -> (verdict, line, sentence), the worst. _told: (action, outcome) of which it says anything.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._truths, self._actions = domain_names(domain)
        self._outcomes = [Outcomes(action) for action in domain.actions]
        self._said: dict[tuple[int, int, int], tuple[str, int, str]] = {}
        self._told: set[tuple[int, int]] = set()
        self._doubts: list[Finding] = []
        self._nouns = frozenset(f"list lists {domain.truth} {domain.truths_plural}".lower().split(" "))
        self._action = -1
        self._headed = -1  # the action that a heading, a label or a row of a table names, until another one is named
        self._context: tuple[tuple[int, int], ...] = ()  # outcomes that the next clause may be about
        self._standing = ""  # a verdict that a line has announced for the list below it
        self._head: list[str] = []
        explained = [*notes(nouns(domain)), domain.question, domain.title, *_SENTENCE.split(domain.scene)]
        self._known = {_bare(text) for text in (domain.scene, *explained) if text}

    # what the book says, against the domain

    def findings(self) -> tuple[Finding, ...]:
        found: list[Finding] = []
        for a, action in enumerate(self._domain.actions):
            for s in range(action.size):
                excluded = set(action.excludes[s])
                if (a, s) not in self._told:
                    found.append(Finding("untold", action.name, action.clause(s)))
                for t, truth in enumerate(self._domain.truths):
                    verdict, line, text = self._said.get((a, s, t), ("", 0, ""))
                    kind = _judged(verdict, t in excluded)
                    if kind:
                        found.append(Finding(kind, action.name, action.clause(s), truth, line, text))
        return (*found[:MAX_FINDINGS], *self._doubts[:MAX_FINDINGS])

    def _tell(self, outcomes: Sequence[tuple[int, int]], verdict: str, truths: Sequence[int], line: int, text: str) -> None:
        order = (OUT, STAYS, REVERSED)
        if self._headed >= 0 and any(a != self._headed for a, _ in outcomes):
            here = self._domain.actions[self._headed].name
            self._doubts.append(Finding("misplaced", here, line=line, text=text[:SHOWN]))
        for a, s in outcomes:
            self._told.add((a, s))
            for t in truths:
                before = self._said.get((a, s, t))
                if before is None or order.index(verdict) > order.index(before[0]):
                    self._said[a, s, t] = (verdict, line, text[:SHOWN])

    def _doubt(self, kind: str, line: int, text: str, truth: str = "") -> None:
        if len(self._doubts) < MAX_FINDINGS:
            name = self._domain.actions[self._action].name if self._action >= 0 else ""
            self._doubts.append(Finding(kind, name, "", truth, line, text[:SHOWN]))

    # lines

    def line(self, number: int, raw: str) -> None:
        text = _MARKUP.sub("", raw).strip()
        if self._head and not text.startswith("|"):
            self._head, self._headed = [], -1
        if not text or _bare(text) in self._known:
            return
        if text.startswith("|"):
            self._row([cell.strip() for cell in text.strip("|").split("|")], number, text)
            return
        symbolic = _NAMED_TWICE.fullmatch(text)
        if symbolic:
            text = f"{symbolic[1]}: {symbolic[2]} => {'not ' + symbolic[3] if symbolic[3].strip() else 'nothing is ruled out'}"
        heading = raw.lstrip().startswith("#")
        text = text.lstrip("#").strip()
        if heading:
            self._context, self._standing = (), ""
        marker = _MARKER.match(text)
        text = text[marker.end() :] if marker else text
        if not marker:
            self._standing = ""
        speaker = _SPEAKER.match(text)
        label = tokens_of(speaker.group()) if speaker else []
        if speaker and not (self._actions.find(label) or _labels(speaker.group()) or self._similar(label)):
            text = text[speaker.end() :]
        if len(text) > MAX_SENTENCE and not _SENTENCE.search(text):
            self._doubt("unread", number, text)
            return
        for sentence in _SENTENCE.split(text):
            if len(sentence) > MAX_SENTENCE:
                self._doubt("unread", number, sentence)
            elif _bare(sentence) not in self._known:
                self._sentence(sentence, number)
        named = self._actions.find(tokens_of(text))
        if named and (heading or _bare(text) == self._domain.actions[named[0].number].name.lower()):
            self._headed = named[0].number
        elif heading:
            self._headed = -1
        if not text.endswith(("?", ":")) and not self._open:
            self._context = ()

    def _sentence(self, text: str, line: int) -> None:
        tokens = tokens_of(text)
        self._turn(tokens, text)
        self._open = False
        for clause in _clauses(tokens, text, self._exact(tokens)[1]):
            self._clause(clause, line, text)

    _open = False  # the last sentence names an outcome and says nothing of it yet

    def _turn(self, tokens: Sequence[Token], text: str) -> None:
        """Turns to the action that a sentence names, if it names one as a name."""
        inside = [*self._truths.find(tokens), *(m for outcomes in self._outcomes for m in outcomes.exact.find(tokens))]
        for mention in self._actions.find(tokens):
            if any(m.first <= mention.first < m.last for m in inside):
                continue
            name = self._domain.actions[mention.number].name
            raw = text[tokens[mention.first].start : tokens[mention.last - 1].end]
            after = tokens[mention.last].low if mention.last < len(tokens) else ""
            before = tokens[mention.first - 1].low if mention.first else ""
            alone = mention.first == 0 and after in ("", ":", ".", "-", "–", "—", "(", ",")
            quoted = before in ("“", '"', "'", "«") and after in ("”", '"', "'", "»", ".", ",")
            noun = self._domain.action.split(" ")[-1]
            called = noun in (before, after) or f"{noun}s" in (before, after) or after in ("test", "check", "examination")
            written = raw == name and mention.first > 0
            if alone or quoted or called or written or (mention.last - mention.first > 1):
                if mention.number != self._action:
                    self._context = ()
                    self._headed = -1
                self._action = mention.number
                if quoted or (mention.first == 0 and after == ":"):
                    self._headed = mention.number

    # tables

    def _row(self, cells: list[str], line: int, text: str) -> None:
        if not self._head:
            self._head = cells
            return
        if all(set(cell) <= set("-: ") for cell in cells) or len(cells) != len(self._head):
            if len(cells) != len(self._head):
                self._doubt("unread", line, text)
            return
        named = []
        for i, cell in enumerate(cells):
            found = self._actions.find(tokens_of(cell))
            if len(found) == 1 and self._domain.actions[found[0].number].name.lower() == _bare(cell):
                self._action = self._headed = found[0].number
                named.append(i)
        heads = [self._truth_of(head) for head in self._head[1:]]
        if heads and -1 not in heads:
            self._crosses(cells, heads, line, text)
            return
        place = next((i for i, head in enumerate(self._head) if verdicts(f"{_bare(head)} §", 1)), -1)
        judged = verdicts(f"{_bare(self._head[place])} §", 1)[0].kind if place >= 0 else ""
        outcomes = [
            found
            for i, cell in enumerate(cells)
            if i != place and i not in named
            for found in self._outcomes_in(tokens_of(cell), cell)
        ]
        if place < 0 or not outcomes:
            if self._truths.find(tokens_of(text)):
                self._doubt("unread", line, text)
            return
        judging = tokens_of(cells[place])
        mentions, unknown = _grouped(self._truths.find(judging), judging)
        for name in unknown:
            self._doubt("unknown", line, text, name)
        empty = {token.low for token in judging} <= {"-", "–", "—", "none", "nothing", "no", "one", "/"}
        if mentions or empty:
            self._tell(outcomes, judged, [m.number for group in mentions for m in group], line, text)
        elif not unknown:
            self._doubt("unread", line, text)

    def _crosses(self, cells: list[str], heads: Sequence[int], line: int, text: str) -> None:
        outcomes = self._outcomes_in(tokens_of(cells[0]), cells[0])
        marks = [cell.lower() for cell in cells[1:]]
        if not outcomes or any(mark not in _CROSS | _BLANK for mark in marks):
            self._doubt("unread", line, text)
            return
        self._tell(outcomes, OUT, [t for t, mark in zip(heads, marks, strict=True) if mark in _CROSS], line, text)

    def _truth_of(self, text: str) -> int:
        tokens = tokens_of(text)
        found = self._truths.find(tokens)
        return found[0].number if len(found) == 1 and (found[0].first, found[0].last) == (0, len(tokens)) else -1

    # clauses

    def _clause(self, clause: _Clause, line: int, sentence: str) -> None:
        mentions = self._truths.find(clause.tokens)
        groups, unknown = _grouped(mentions, clause.tokens)
        outcomes, spans, never = self._told_in(clause, mentions)
        actions = [m for m in self._actions.find(clause.tokens) if self._written(m, clause)]
        words = _words(clause.tokens, groups, spans, [(m.first, m.last) for m in actions])
        found = verdicts(words, len(groups))
        lows = [token.low for token in clause.tokens]
        posed = bool({"if", "when", "whenever", "suppose"} & set(lows)) or lows[0] in _CONDITIONS
        labelled = bool({":", "→", ">"} & set(lows))
        likely: list[tuple[int, int]] = []
        rest: list[Token] = []
        if not outcomes and not never:  # an outcome in other words
            rest = _without(clause.tokens, groups, words, self._nouns)
            likely = self._similar(rest, strangers=posed or labelled or not self._context)
            if likely:
                words = _words(self._apart(clause.tokens, likely[0]), groups, spans, [(m.first, m.last) for m in actions])
                found = verdicts(words, len(groups))
        unclear = (posed and bool(groups)) or self._touches(rest)
        about = outcomes or likely or (() if unclear else self._context)
        for name in unknown:
            if about or found:
                self._doubt("unknown", line, sentence, name)
        if len({a for a, _ in outcomes}) > 1:
            self._doubt("unread", line, sentence)
        elif never and outcomes:
            self._tell(outcomes, OUT, [m.number for m in groups[0]], line, sentence)
            self._context = tuple(outcomes)
        elif found and about and (groups or found[0].empty):
            self._take(found, groups, about, line, sentence)
            self._context, self._open = tuple(about), False
        elif found and about and not groups and sentence.endswith(":"):
            self._context, self._open, self._standing = tuple(about), True, found[0].kind
        elif found and found[0].kind == OUT and (outcomes or (likely and posed and excludes(found[0].words))):
            self._doubt("unread", line, sentence)
        elif self._standing and about and groups and not outcomes and not likely:
            self._tell(about, self._standing, [m.number for group in groups for m in group], line, sentence)
            self._open = True
        elif groups and (outcomes or likely):
            self._doubt("unread", line, sentence)
        elif outcomes or (likely and (posed or sentence.endswith(("?", ":")))):
            self._context, self._open = tuple(outcomes or likely), True
        elif groups and (found or self._context):
            self._doubt("unread", line, sentence)

    def _written(self, mention: Mention, clause: _Clause) -> bool:
        """True if an action's name stands there as a name: as it is written, or in several words."""
        raw = [token.raw for token in clause.tokens[mention.first : mention.last]]
        name = [token.raw for token in tokens_of(self._domain.actions[mention.number].name)]
        return raw == name or len(raw) > 1

    def _take(
        self,
        found: Sequence[Verdict],
        groups: Sequence[Sequence[Mention]],
        about: Sequence[tuple[int, int]],
        line: int,
        text: str,
    ) -> None:
        """Keeps what a clause says of each group of truths."""
        for verdict in found:
            if verdict.empty:
                self._tell(about, OUT, (), line, text)
                continue
            if verdict.group < 0 or verdict.kind == "":
                self._doubt("unread", line, text)
                continue
            named = [m.number for m in groups[verdict.group]]
            if verdict.rest:
                named = [t for t in range(len(self._domain.truths)) if t not in named]
            self._tell(about, verdict.kind, named, line, text)

    def _told_in(self, clause: _Clause, mentions: Sequence[Mention]) -> tuple[list[tuple[int, int]], list[tuple[int, int]], bool]:
        """Outcomes named word by word or as intervals, the tokens that do it, and whether a truth is said never to show them."""
        outcomes, spans = self._exact(clause.tokens)
        if not outcomes:
            outcomes, spans = self._interval(clause)
        never = False
        if len(mentions) >= 1 and not outcomes:
            last = max([m.last for m in mentions])
            lows = [token.low for token in clause.tokens[last : last + 4]]
            denied = next((i for i, low in enumerate(lows) if low in ("never", "not", "cannot") or low.endswith("n't")), -1)
            if denied >= 0 and (denied == 0 or lows[0] in ("does", "do", "can", "will", "would", "could")) and "be" not in lows:
                similar = self._similar(clause.tokens[last + denied + 1 :])
                if similar:
                    return similar, [], True
        return outcomes, spans, never

    def _outcomes_in(self, tokens: Sequence[Token], text: str) -> list[tuple[int, int]]:
        outcomes, _ = self._exact(tokens)
        if not outcomes:
            outcomes, _ = self._interval(_Clause(tuple(tokens), text))
        return outcomes or self._similar(tokens)

    def _exact(self, tokens: Sequence[Token]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Outcomes named word by word, of the action in hand or else of the only action that has them."""
        if self._action >= 0:
            own = self._outcomes[self._action].exact.find(tokens)
            if own:
                others = [
                    (a, m)
                    for a, outcomes in enumerate(self._outcomes)
                    for m in outcomes.exact.find(tokens)
                    if a != self._action and not any(m.first < o.last and o.first < m.last for o in own)
                ]
                found = [*[(self._action, m) for m in own], *others]
                return [(a, m.number) for a, m in found], [(m.first, m.last) for _, m in found]
        found = [(a, m) for a, outcomes in enumerate(self._outcomes) for m in outcomes.exact.find(tokens)]
        longest = [(a, m) for a, m in found if not any(m.first >= o.first and m.last <= o.last and m != o for _, o in found)]
        if longest and len({a for a, _ in longest}) == 1:
            return [(a, m.number) for a, m in longest], [(m.first, m.last) for _, m in longest]
        return [], []

    def _interval(self, clause: _Clause) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """An interval of the numeric action in hand, or of the only one whose quantity is named."""
        named = [
            a
            for a, action in enumerate(self._domain.actions)
            if action.numeric and meaning(tokens_of(action.quantity)) <= meaning(clause.tokens)
        ]
        if not named:
            named = [
                a for a, action in enumerate(self._domain.actions) if action.unit and f" {action.unit} " in f"{clause.text} "
            ]
        in_hand = [self._action] if self._action >= 0 and self._domain.actions[self._action].numeric else []
        candidates = in_hand if in_hand and (not named or self._action in named) else named if len(named) == 1 else []
        start = clause.tokens[0].start if clause.tokens else 0
        for a in candidates:
            found = intervals_in(clause.text.lower(), self._domain.actions[a])
            if found and all(s >= 0 for s, _, _ in found):
                spans = []
                quantity = Names([self._domain.actions[a].quantity]).find(clause.tokens)
                for _, low, high in found:
                    inside = [
                        i for i, token in enumerate(clause.tokens) if token.start - start < high and token.end - start > low
                    ]
                    if inside:
                        first = next((m.first for m in quantity if 0 <= inside[0] - m.last <= 3), inside[0])
                        spans.append((first, inside[-1] + 1))
                self._action = a
                return [(a, s) for s, _, _ in found], spans
        return [], []

    def _touches(self, tokens: Sequence[Token]) -> bool:
        """True if outcomes of the action in hand differ in one of these words, so that one of them could be meant."""
        if self._action < 0:
            return False
        features = self._outcomes[self._action].features
        return bool(
            (meaning(tokens) - {NEGATED}) & (frozenset.union(*features) - frozenset.intersection(*features)) if features else ()
        )

    def _apart(self, tokens: Sequence[Token], outcome: tuple[int, int]) -> list[Token]:
        """The tokens, with ◊ for every word of this outcome."""
        own = self._outcomes[outcome[0]].features[outcome[1]]
        return [replace(token, low="◊") if token.word and stem(token.low) in own else token for token in tokens]

    def _similar(self, tokens: Sequence[Token], *, strangers: bool = True) -> list[tuple[int, int]]:
        """The outcome of the action in hand in other words; with `strangers` that of any action that one of its words names."""
        if self._action >= 0:
            s = self._outcomes[self._action].similar(tokens)
            if s >= 0:
                return [(self._action, s)]
        if not strangers:
            return []
        found = [(a, outcomes.similar(tokens, anchored=True)) for a, outcomes in enumerate(self._outcomes)]
        hits = [(a, s) for a, s in found if s >= 0]
        return hits if len(hits) == 1 else []


def _judged(verdict: str, excluded: bool) -> str:
    """The kind of finding; "" if what is said is right."""
    if verdict == OUT:
        return "" if excluded else "added"
    if verdict == REVERSED or (verdict == STAYS and excluded):
        return "reversed"
    return "missing" if excluded else ""


def _clauses(tokens: Sequence[Token], text: str, spans: Sequence[tuple[int, int]]) -> Iterator[_Clause]:
    """A sentence in parts, at semicolons, at "but" and its like, and where a further condition begins; spans stay whole."""
    whole = {i for first, last in spans for i in range(first, last)}
    cuts, conditions = [0], 0
    for i, token in enumerate(tokens):
        after = tokens[i + 1].low if i + 1 < len(tokens) else ""
        if i in whole:
            continue
        kept = token.low == "but" and bool(_ALL & {other.low for other in tokens[max(i - 2, 0) : i]})
        if token.low == ";" or (token.low in _CUTS and i > 0 and not kept):
            cuts.append(i + (token.low == ";"))
            conditions = 0
        elif token.low in ("and", ",") and after in _CONDITIONS and conditions and (i - cuts[-1]) > 3 and i + 2 < len(tokens):
            before = tokens[i - 1].low
            if before != "or" and tokens[i + 1].low != "or":
                cuts.append(i + 1)
                conditions = 0
        if token.low in _CONDITIONS:
            conditions += 1
    for low, high in zip(cuts, [*cuts[1:], len(tokens)], strict=True):
        part = tuple(tokens[low:high])
        if part:
            yield _Clause(part, text[part[0].start : part[-1].end])


def _grouped(mentions: Sequence[Mention], tokens: Sequence[Token]) -> tuple[list[list[Mention]], list[str]]:
    """Truths that stand in one list, and names in these lists that are no truths."""
    groups: list[list[Mention]] = []
    unknown: list[str] = []
    for mention in mentions:
        if groups:
            between = tokens[groups[-1][-1].last : mention.first]
            lows = [token.low for token in between]
            before = tokens[groups[-1][0].first - 1].low if groups[-1][0].first else ""
            denied = {low for low in lows if low in ("not", "~", "¬")}
            if lows and set(lows) - denied <= _LINKS and denied <= {before}:
                groups[-1].append(mention)
                continue
            if lows and lows[0] in (",", "and", "or", "&") and lows[-1] in (",", "and", "or", "&") and len(lows) <= 8:
                names = _strangers(between)
                if names:
                    unknown += names
                    groups[-1].append(mention)
                    continue
        groups.append([mention])
    for group in groups:
        unknown += _strangers_after(tokens, group[-1].last)
        unknown += _strangers_before(tokens, group[0].first)
    return groups, unknown


def _strangers(between: Sequence[Token]) -> list[str]:
    """Capitalised names between two commas; [] if anything else stands there."""
    names: list[list[str]] = [[]]
    for token in between:
        if token.low in (",", "and", "or", "&"):
            names.append([])
        else:
            names[-1].append(token.raw)
    parts = [part for part in names if part]
    return [" ".join(part) for part in parts] if parts and all(part[0][0].isupper() for part in parts) else []


def _strangers_after(tokens: Sequence[Token], i: int) -> list[str]:
    """A capitalised name that ends a list: ", and Marble"."""
    start = i
    while i < len(tokens) and tokens[i].low in (",", "and", "or", "nor", "&"):
        i += 1
    ends = i + 1 == len(tokens) or (i + 1 < len(tokens) and not tokens[i + 1].word)
    if i > start and ends and i < len(tokens) and tokens[i].low.isalpha() and meaning(tokens[i : i + 1]) - {NEGATED}:
        return [tokens[i].raw]  # also in small letters, where nothing follows
    name: list[str] = []
    while i < len(tokens) and tokens[i].raw[0].isupper() and len(name) < 5:
        name.append(tokens[i].raw)
        i += 1
    return [" ".join(name)] if name and i - len(name) > start else []


def _strangers_before(tokens: Sequence[Token], i: int) -> list[str]:
    """A capitalised name that begins a list: "Marble, " or "Marble and ", not at the beginning of a sentence."""
    end = i
    while i > 0 and tokens[i - 1].low in (",", "and", "or", "nor", "&"):
        i -= 1
    if i == end:
        return []
    name: list[str] = []
    while i > 1 and tokens[i - 1].raw[0].isupper() and len(name) < 5:
        name.append(tokens[i - 1].raw)
        i -= 1
    led = i > 0 and (tokens[i - 1].low in _LEADS or [token.low for token in tokens[max(i - 2, 0) : i]] == ["none", "of"])
    return [" ".join(reversed(name))] if name and led else []


def _words(
    tokens: Sequence[Token],
    groups: Sequence[Sequence[Mention]],
    spans: Sequence[tuple[int, int]],
    actions: Sequence[tuple[int, int]],
) -> str:
    """The clause in lower case with § for every group of truths, ◊ for every outcome, ¤ for every action."""
    signs = {first: (last, "¤") for first, last in actions}
    for group in groups:
        signs[group[0].first] = (group[-1].last, "§")
    for first, last in spans:
        signs[first] = (last, "◊")
    words, i = [], 0
    while i < len(tokens):
        if i in signs:
            last, sign = signs[i]
            words.append(sign)
            i = max(last, i + 1)
        else:
            words.append(tokens[i].low)
            i += 1
    return " ".join(words)


def _without(tokens: Sequence[Token], groups: Sequence[Sequence[Mention]], words: str, nouns: frozenset[str]) -> list[Token]:
    """The tokens that belong to no list of truths, are no words of judging, and do not say what truths are."""
    named = {i for group in groups for i in range(group[0].first, group[-1].last)}
    judging = [word for verdict in verdicts(words, words.count("§")) for word in verdict.words.split(" ")]
    rest = []
    for i, token in enumerate(tokens):
        if i in named:
            continue
        if token.low in judging:
            judging.remove(token.low)
            continue
        if token.low not in nouns:
            rest.append(token)
    return rest


def _labels(text: str) -> bool:
    """True if "Word: " is a label that belongs to a rule."""
    return bool(verdicts(f"{_bare(text)} §", 1)) or text.lower().startswith(("outcome", "result", "finding", "if", "when"))


def _bare(text: str) -> str:
    return text.strip().rstrip(".:?! ").lower()
