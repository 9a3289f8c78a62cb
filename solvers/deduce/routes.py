"""Reasoning about shortest ways over one-way roads (RoadsTable): places are settled in the order of their distance from the
start.

A state is a place and a bit set of the groups of `via` that were visited, numbered visited * places + place. What a step
concludes is (state, distance) for the states that it settles; the last one settles the end of the way. Where there is no way,
the states that can be reached are gathered, one step for each set of visited groups, as (state, 1), and the last step says what
none of them is.

Every road from a settled state is accounted for: it gives a distance, or none that is less than what is known. So all states
that are nearer than the end are settled before it, and no way can be shorter. Work is the search of E. W. Dijkstra (1959),
stopped at the end.

Sentences need cell (the name of a place), shows (what stands there) and unit (0: the wanted kind, then those of `via`) of Words.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from puzzlemill.core.model import Fact, Move, RoadsTable, Step
from puzzlemill.core.words import Words, capital, listed, pick, with_article
from puzzlemill.solvers.deduce.steps import Found, tiers

MEDIUM, HARD = 2, 3  # of these nothing is graded: the question's own work is (questions/least.py)
_PLACES = 8  # of which one step says where their roads lead
MOST = 16_000  # characters of a trace, by an estimate; longer ones are left out

Label = tuple[int, int]  # a state, and how far it is by the road in question
Known = tuple[int, int, int, bool]  # a state, how far by the road, how far it is known to be, or (False) an end of the way is


def deduce(table: RoadsTable, ids: Sequence[str], answer: Sequence[Move] | None) -> list[Step]:  # noqa: ARG001
    """The steps of this puzzle; none if they would be too long. answer: a shortest way, (from, to); None if there is no way."""
    steps = _Search(table).settled(answer) if answer is not None else _reached(table)
    return steps if sum(map(_size, steps)) <= MOST else []


def _size(step: Step) -> int:
    """About how many characters a step has."""
    found = step.found
    if isinstance(found, Reach):
        return 80 + sum([30 + 5 * len(targets) for _, targets in found.onward])
    if isinstance(found, Settle):
        return 130 + 45 * len(found.labels) + 40 * len(found.longer) + 6 * len(found.behind)
    return 300


def explain(words: Words, table: RoadsTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return f"{capital(step.found.says(_Say(words, table), step))}."


# ---- findings, and how they are worded -------------------------------------------------------------------------------------


class _Say:
    """Sentences about places of one map."""

    def __init__(self, words: Words, table: RoadsTable) -> None:
        self.words, self.table, self.voice, self.places = words, table, words.voice, table.places
        self.name = words.cell

    def state(self, state: int) -> str:
        """ "B", or "B (park visited)"."""
        visited, place = divmod(state, self.places)
        groups = [self.words.unit(number + 1) for number in range(len(self.table.via)) if visited >> number & 1]
        return f"{self.name(place)}{f' ({listed(groups)} visited)' if groups else ''}"

    def target(self, source: int, state: int) -> str:
        """A place where a road leads, with what stands there if that matters."""
        visited, place = divmod(state, self.places)
        ends = place in self.table.goals and visited == (1 << len(self.table.via)) - 1
        shown = ends or visited != source // self.places
        return f"{self.name(place)}, {with_article(self.words.shows(place))}" if shown else self.name(place)

    def wanted(self) -> str:
        return with_article(self.words.unit(0))


class Settle(Found[_Say]):
    """A state is the nearest that is not settled, and where its roads lead.

    before: the state by way of which, and how far that is; (-1, 0) for the start. rival: the least distance of all others that
    are open, -1 if there are none. labels: states that come to be known, or nearer than before, by its roads; nearer: of these,
    what was known before. longer: states that do not come nearer; behind: places that are settled already.
    """

    state: int
    distance: int
    before: Label
    rival: int
    labels: tuple[Label, ...]
    nearer: tuple[Label, ...]
    longer: tuple[Known, ...]
    behind: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        name, far = say.state(self.state), self.distance
        voice = say.voice and say.voice + far  # 0 stays 0
        if self.before[0] < 0:
            text = pick(
                voice,
                f"the route starts at {name}",
                f"{name} is the start, 0 away",
                f"begin at {name}",
                f"count distances from the start, {name}",
            )
        else:
            nearer = self.before[1]
            by = f" (by way of {say.state(self.before[0])}{f': {nearer} + {far - nearer}' if nearer else ''})"
            least = f"every other open place is at least {self.rival} away" if self.rival >= 0 else "nothing else is open"
            text = pick(
                voice,
                f"the nearest open place is {name}, {far} away{by}; {least}",
                f"next comes {name} at {far}{by}, since {least}",
                f"{least}, so {name} is settled at {far}{by}",
                f"settle {name} at {far}{by}: {least}",
            )
        return ". ".join([text, *self._roads(say, voice)])

    def _roads(self, say: _Say, voice: int) -> list[str]:
        """Sentences that account for every road, each with its capital."""
        far, here = self.distance, say.name(self.state % say.places)
        known, texts, found = dict(self.nearer), [], []
        for state, total in self.labels:
            sums = f"{far} + {total - far} = {total}" if far else str(total)
            texts.append(f"to {say.target(self.state, state)} ({sums}{f', less than {known[state]}' if state in known else ''})")
        if texts:
            one = len(texts) == 1
            lead = pick(
                voice,
                f"from {here} {'a path leads' if one else 'paths lead'} {listed(texts)}",
                f"from {here} one can go {listed(texts)}",
                f"{here} leads on {listed(texts)}",
            )
            found.append(capital(lead))
        if self.longer:
            parts = []
            for state, total, best, own in self.longer:
                than = f"no better than the {best} found before" if own else f"and {say.wanted()} is at {best} already"
                parts.append(f"{say.name(state % say.places)} would be {total}, {than}")
            found.append(f"By way of {here}, {listed(parts)}")
        if self.behind:
            also, settled = "also " if found else "", "is settled" if len(self.behind) == 1 else "are settled"
            found.append(
                capital(f"{here} {also}leads to {listed([say.name(place) for place in self.behind])}, which {settled} already")
            )
        return found or [f"No path leads away from {here}"]


class Arrive(Found[_Say]):
    """The end is the nearest of all that is open. rivals: the nearest of the others. route: the places of the way; lengths: of
    its roads.
    """

    total: int
    rivals: tuple[Label, ...]
    route: tuple[int, ...]
    lengths: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        end, total = say.name(self.route[-1]), self.total
        text = pick(
            say.voice,
            f"{end}, {say.wanted()}, is now the nearest of all that are open, {total} away",
            f"now {end}, {say.wanted()}, comes first, at {total}",
            f"the least distance left is {total}, and it is that of {end}, {say.wanted()}",
        )
        if self.rivals:
            others = listed([f"{say.state(state)} ({far})" for state, far in self.rivals], "or")
            text += f"; any other route goes on by way of {others} or further away, so it is at least {self.rivals[0][1]} long"
        else:
            text += "; nothing else is open, so there is no shorter route"
        way, sums = " -> ".join([say.name(place) for place in self.route]), " + ".join(map(str, self.lengths))
        way += f": {sums} = {total}" if len(self.lengths) > 1 else f": {total}"
        return f"{text}. " + pick(
            say.voice,
            f"The route is {way}",
            f"So take {way}",
            f"Followed back to the start, the route is {way}",
        )


class Reach(Found[_Say]):
    """Places that can be reached with these visits, and where their roads lead.

    entries: where they are come to first, for the first step about these visits. onward: places, each with those that its roads
    lead to. all: in the last step about these visits, every place that can be reached; gone: those of them that count as
    another visit.
    """

    visited: int
    entries: tuple[int, ...]
    onward: tuple[tuple[int, tuple[int, ...]], ...]
    all: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()

    def says(self, say: _Say, step: Step) -> str:
        table, voice = say.table, say.voice
        groups = [say.words.unit(number + 1) for number in range(len(table.via)) if self.visited >> number & 1]
        where = f"with {listed([with_article(group) for group in groups])} visited, " if groups else ""
        names = listed([say.name(place) for place in self.entries])
        lead = ""
        if self.entries:
            lead = pick(voice, f"start at {names}: ", f"see where one gets from {names}: ", f"follow all paths from {names}: ")
        parts = []
        for place, targets in self.onward:
            paths = "a path leads" if len(targets) == 1 else "paths lead"
            there = listed([say.name(target) for target in targets])
            parts.append(
                f"from {say.name(place)} {paths} to {there} only" if targets else f"no path leads away from {say.name(place)}"
            )
        text = f"{where}{lead}{'; '.join(parts)}"
        if not self.all:
            return text
        text += f". So {where}one comes to {listed([say.name(place) for place in [*self.all, *self.gone]])} and no further"
        full = (1 << len(table.via)) - 1
        wanted = [0] if self.visited == full else [n + 1 for n, group in enumerate(table.via) if not self.visited >> n & 1]
        missing = [say.words.unit(n) for n in wanted if not n or not any(place in table.via[n - 1] for place in self.gone)]
        if self.gone:
            text += f"; {listed([f'{say.name(place)} is {with_article(say.words.shows(place))}' for place in self.gone])}"
        if missing:
            none = listed([with_article(kind) for kind in missing], "or")
            text += pick(
                voice,
                f". None of them is {none}",
                f". There is no {listed(missing, 'or')} among them",
                f". {capital(none)} is not among them",
            )
        return f"{text}{'' if step.sets else '. So there is no answer'}"


TECHNIQUES = tiers([Settle, Arrive, Reach])


# ---- finding them ----------------------------------------------------------------------------------------------------------


class _Search:
    """Dijkstra's search over states, written down."""

    def __init__(self, table: RoadsTable) -> None:
        self.table = table
        self.full = (1 << len(table.via)) - 1
        self.away = _away(table)
        self.bits = {place: 1 << number for number, group in enumerate(table.via) for place in group}

    def settled(self, answer: Sequence[Move]) -> list[Step]:
        table, places = self.table, self.table.places
        lengths = {(source, target): length for source, target, length in table.roads}
        route = [table.start, *[target for _, target in answer]]
        total = sum([lengths[source, target] for source, target in answer])
        best = {table.start: 0}
        before: dict[int, int] = {table.start: -1}
        number: dict[int, int] = {}  # of the step that settled a state
        queue = [(0, table.start)]
        known = _FAR  # how far the nearest end is known to be
        steps: list[Step] = []
        while queue and queue[0][0] < total:
            far, state = heappop(queue)
            if state in number:
                continue
            visited, place = divmod(state, places)
            rival = min([known, *[other for other, waits in queue if waits not in number and waits != state]])
            labels, longer, behind, nearer = list[Label](), list[Known](), list[int](), list[Label]()
            for target, length in self.away[place]:
                after = (visited | self.bits.get(target, 0)) * places + target
                ends = visited == self.full and target in table.goals
                now = far + length
                if after in number:
                    behind.append(target)
                elif now < best.get(after, known):
                    if after in best:
                        nearer.append((after, best[after]))
                    best[after], before[after] = now, state
                    labels.append((after, now))
                    if ends:
                        known = min(known, now)
                    else:
                        heappush(queue, (now, after))
                else:
                    own = best.get(after, known) <= known and after in best
                    longer.append((after, now, best[after] if own else known, own))
            number[state] = len(steps) + 1
            came = before[state]
            uses = [f"#{number[came]}"] if came >= 0 else []
            found = Settle(
                state,
                far,
                (came, best.get(came, 0)),
                rival if rival < _FAR else -1,
                tuple(labels),
                tuple(nearer),
                tuple(longer),
                tuple(behind),
            )
            steps.append(Step("settle", (*_paths_of(self.away, place), *uses), ((state, far),), found=found))
        end = self.full * places + route[-1]
        left = sorted([(far, state) for state, far in best.items() if state not in number and state != end])
        lengths_of = tuple([lengths[source, target] for source, target in answer])
        arrive = Arrive(total, tuple([(state, far) for far, state in left[:3]]), tuple(route), lengths_of)
        steps.append(Step("arrive", tuple([f"#{k}" for k in range(1, len(steps) + 1)]), ((end, total),), found=arrive))
        return steps


_FAR = 1 << 30


def _away(table: RoadsTable) -> list[list[tuple[int, int]]]:
    """Of each place, where its roads lead and how long they are, the shortest first."""
    away: list[list[tuple[int, int]]] = [[] for _ in range(table.places)]
    for source, target, length in table.roads:
        away[source].append((target, length))
    for each in away:
        each.sort(key=lambda road: (road[1], road[0]))
    return away


def _paths_of(away: Sequence[Sequence[object]], place: int) -> list[str]:
    """The label of what the place's roads leave out; none where they lead everywhere."""
    return [f"place {place + 1}"] if len(away[place]) < len(away) - 1 else []


def _reached(table: RoadsTable) -> list[Step]:
    """Where one gets without any way to the end, by what was visited."""
    away, places = _away(table), table.places
    bits = {place: 1 << number for number, group in enumerate(table.via) for place in group}
    entries: dict[int, dict[int, None]] = {0: {table.start: None}}
    steps: list[Step] = []
    number: dict[int, int] = {}
    for visited in range(1 << len(table.via)):
        if visited not in entries:
            continue
        found = list(entries[visited])
        gone: dict[int, None] = {}
        onward = []
        for place in found:  # grows
            onward.append((place, tuple([target for target, _ in away[place]])))
            for target, _ in away[place]:
                bit = bits.get(target, 0)
                if bit & ~visited:
                    gone[target] = None
                    entries.setdefault(visited | bit, {})[target] = None
                elif target not in found:
                    found.append(target)
        numbers = [f"#{k}" for seen, k in number.items() if seen & visited == seen]
        for at in range(0, len(found), _PLACES):
            some, last = onward[at : at + _PLACES], at + _PLACES >= len(found)
            uses = sorted([label for place, _ in some for label in _paths_of(away, place)], key=lambda label: int(label[6:]))
            reach = Reach(
                visited,
                tuple(entries[visited]) if not at else (),
                tuple(some),
                tuple(found) if last else (),
                tuple(gone) if last else (),
            )
            sets: tuple[Fact, ...] = tuple([(visited * places + place, 1) for place, _ in some])
            steps.append(Step("reach", (*uses, *numbers), sets, found=reach))
            numbers = [f"#{len(steps)}"]
        number[visited] = len(steps)
    rule = ("via",) if table.via else ()
    earlier = [f"#{k}" for k in range(1, len(steps))]
    own = [use for use in steps[-1].uses if not use.startswith("#")]
    return [*steps[:-1], Step("reach", (*rule, *own, *earlier), found=steps[-1].found)]
