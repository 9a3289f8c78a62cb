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
from puzzlemill.core.words import Words, capital, listed, many, pick, with_article
from puzzlemill.solvers.deduce.steps import Found, tiers

MEDIUM, HARD = 2, 3  # of these nothing is graded: the question's own work is (questions/least.py)
_OPEN = 6  # places that are listed with their distances
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
        return 140 + 10 * min(len(found.open), _OPEN) + 45 * len(found.labels) + 40 * len(found.longer) + 6 * len(found.behind)
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

    def groups(self, visited: int, holds: bool = True) -> list[str]:
        """The kinds of `via` that were visited, or (holds False) were not."""
        return [self.words.unit(n + 1) for n in range(len(self.table.via)) if (visited >> n & 1) == holds]

    def state(self, state: int) -> str:
        """ "B", or "B*" once the kind of `via` was visited; of several kinds, "B+park"."""
        visited, place = divmod(state, self.places)
        if len(self.table.via) == 1:
            return f"{self.name(place)}{'*' if visited else ''}"
        return "+".join([self.name(place), *self.groups(visited)])

    def target(self, source: int, state: int) -> str:
        """A state where a road leads, with what stands there if that matters."""
        visited, place = divmod(state, self.places)
        ends = place in self.table.goals and visited == (1 << len(self.table.via)) - 1
        shown = ends or visited != source // self.places
        return f"the {self.words.shows(place)} {self.state(state)}" if shown else self.state(state)

    def open(self, places: Sequence[Label]) -> str:
        """Open places and how far they are, the nearest first; of many the last ones are counted only."""
        named, most = [f"{self.state(state)} ({far})" for state, far in places], _OPEN - 2 * (len(self.table.via) > 1)
        if len(named) > most:
            named[most - 2 :] = [f"{len(named) - most + 2} more that are at least {places[most - 2][1]} away"]
        return listed(named)

    def beyond(self, source: int, place: int) -> str:
        """The state of a place where a road from this one leads."""
        visited = source // self.places
        for number, group in enumerate(self.table.via):
            visited |= (place in group) << number
        return self.state(visited * self.places + place)

    def wanted(self) -> str:
        return with_article(self.words.unit(0))

    def method(self, start: int) -> list[str]:
        """How places are settled, and how they are written where visits count."""
        name, kinds = self.name(start), self.groups(-1)
        told = pick(
            self.voice,
            f"find the least distances from {name}, the nearest place first. A place is open once some route to it is known, and "
            "settled once its least distance is certain. At each step the nearest open place can be settled, because any other "
            "route to it goes through an open place that is no nearer",
            f"work out how far the places are from {name}, in order of distance. A place is open once some route to it is known, "
            "and settled once no shorter route is possible. At each step the nearest open place can be settled, because a route "
            "through another open place is at least as long",
            f"go outwards from {name}. A place that has been reached is open, and it is settled once its least distance is "
            "certain. At each step the nearest open place can be settled, because a route through another open place is at "
            "least as long",
        )
        if not kinds:
            return [told]
        first = with_article(kinds[0])
        if len(kinds) == 1:
            anew = pick(
                self.voice,
                f"each place counts twice, as {name} before {first} is visited and as {name}* after that",
                f"a star means that {first} has been visited: {name}* is {name} after that, and counts as another place",
                f"{name}* stands for {name} after {first} has been visited, and is treated as a different place from {name}",
            )
        else:
            anew = pick(
                self.voice,
                f"{name}+{kinds[0]} stands for {name} after {first} has been visited, and is treated as a different place from "
                f"{name}",
                f"a place counts anew after each visit: {name}+{kinds[0]} is {name} once {first} has been visited",
                f"the visits made are added to a place, which then counts anew: {name}+{kinds[0]} is {name} after {first}",
            )
        return [told, capital(anew)]


class Settle(Found[_Say]):
    """A state is the nearest that is not settled, and where its roads lead.

    before: the state by way of which, and how far that is; (-1, 0) for the start. open: all others that are open and how far
    they are, the nearest first. labels: states that come to be known, or nearer than before, by its roads; nearer: of these,
    what was known before. longer: states that do not come nearer; behind: places that are settled already.
    """

    state: int
    distance: int
    before: Label
    open: tuple[Label, ...]
    labels: tuple[Label, ...]
    nearer: tuple[Label, ...]
    longer: tuple[Known, ...]
    behind: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        name, far = say.state(self.state), self.distance
        voice = say.voice and say.voice + far  # 0 stays 0
        if self.before[0] < 0:
            start = pick(
                voice,
                f"{name} itself is settled at 0",
                f"the start, {name}, is settled at 0",
                f"{name}, where the route starts, is settled at 0",
            )
            return ". ".join([*say.method(self.state), capital(start), *self._roads(say, voice)])
        nearer, came = self.before[1], say.state(self.before[0])
        by = f"by way of {came} ({nearer} + {far - nearer})" if nearer else f"straight from {came}"
        if not self.open:
            text = pick(
                voice,
                f"now only {name} is open, so it is settled at {far}, {by}",
                f"only {name} is open, so settle it at {far}, {by}",
                f"{name} alone is open, so it is settled at {far}, {by}",
            )
        else:
            places, alone = say.open(((self.state, far), *self.open)), self.open[0][1] > far
            nearest = f"{name} is the nearest" if alone else f"none is nearer than {name}"
            text = pick(
                voice,
                f"now the open places are {places}. {capital(nearest)}, so it is settled at {far}, {by}",
                f"compare the open places: {places}. {capital(nearest)}, so settle it at {far}, {by}",
                f"{places} are open, and {nearest}: it is settled at {far}, {by}",
                f"of the open places {places}, {'the nearest is' if alone else 'none is nearer than'} {name}. It is settled at "
                f"{far}, {by}",
            )
        return ". ".join([text, *self._roads(say, voice)])

    def _roads(self, say: _Say, voice: int) -> list[str]:
        """Sentences that account for every road, each with its capital."""
        far, here = self.distance, say.state(self.state)
        known, texts, found = dict(self.nearer), [], []

        def sums(total: int) -> str:
            return f"{far} + {total - far} = {total}" if far else str(total)

        for state, total in self.labels:
            down = f", down from {known[state]}" if state in known else ""
            texts.append(f"{say.target(self.state, state)} ({sums(total)}{down})")
        if texts:
            lead = pick(
                voice,
                f"from {here} {'a path leads' if len(texts) == 1 else 'paths lead'} to {listed(texts)}",
                f"from {here} one can go to {listed(texts)}",
                f"{here} leads to {listed(texts)}",
            )
            found.append(capital(lead))
        same = [(say.state(state), total, best) for state, total, best, own in self.longer if own]
        if same:
            would = [f"{name} {'' if number else 'would be '}{sums(total)}" for number, (name, total, _) in enumerate(same)]
            best = listed([str(best) for _, _, best in same])
            found.append(f"By way of {here}, {listed(would)}: no better than the {best} found before")
        late = [f"{say.state(state)} ({sums(total)})" for state, total, _, own in self.longer if not own]
        if late:
            end = next(best for _, _, best, own in self.longer if not own)
            found.append(
                pick(
                    voice,
                    f"Going on to {listed(late, 'or')} is no use, as {say.wanted()} can already be reached at {end}",
                    f"It is no use to go on to {listed(late, 'or')}, since {say.wanted()} can already be reached at {end}",
                    f"As {say.wanted()} can already be reached at {end}, there is no use in going on to {listed(late, 'or')}",
                )
            )
        if self.behind:
            leads = "also leads" if found else "leads only"
            settled = "is settled" if len(self.behind) == 1 else "are settled"
            names = listed([say.beyond(self.state, place) for place in self.behind])
            found.append(capital(f"{here} {leads} to {names}, which {settled} already"))
        return found or [f"No path leads away from {here}"]


class Arrive(Found[_Say]):
    """The end is the nearest of all that is open. open: all others that are open and how far they are, the nearest first.
    route: the places of the way; lengths: of its roads.
    """

    total: int
    open: tuple[Label, ...]
    route: tuple[int, ...]
    lengths: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        place, total = self.route[-1], self.total
        state = ((1 << len(say.table.via)) - 1) * say.places + place
        goal = say.words.unit(0)
        end, no = f"the {goal} {say.state(state)}", f"no route to {say.wanted()} is shorter"
        if not self.open:
            text = pick(
                say.voice,
                f"now only {end} is open, at {total}, so {no}",
                f"only {end} is left, at {total}, so {no}",
                f"no place is open but {end}, at {total}, so {no}",
            )
        else:
            places, alone = say.open(((state, total), *self.open)), self.open[0][1] > total
            nearest = f"{end} is the nearest" if alone else f"none is nearer than {end}"
            text = pick(
                say.voice,
                f"now the open places are {places}. {capital(nearest)}, so {no} than {total}",
                f"compare the open places: {places}. {capital(nearest)}, so {no} than {total}",
                f"{places} are open, and {nearest}: {no} than {total}",
            )
        way, sums = " -> ".join([say.name(place) for place in self.route]), " + ".join(map(str, self.lengths))
        way += f": {sums} = {total}" if len(self.lengths) > 1 else f": {total}"
        return f"{text}. " + pick(
            say.voice,
            f"The route is {way}",
            f"So take {way}",
            f"That is the route {way}",
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
        visits, owed = [[with_article(kind) for kind in say.groups(self.visited, holds)] for holds in (True, False)]
        when = f"after {listed(visits)} {'has' if len(visits) == 1 else 'have'} been visited" if visits else ""
        if owed:
            none = listed(say.groups(self.visited, False), "or")
            when = f"{when}, but no {none}" if when else f"before {listed(owed, 'or')} is visited"
        first, lead = [say.name(place) for place in self.entries], ""
        if first and self.visited:
            lead = pick(
                voice,
                f"next, see where the route can go {when}. Begin at {listed(first)}",
                f"now look at the places that can be reached {when}, beginning at {listed(first)}",
                f"next, find all places that can be reached {when}. Begin at {listed(first)}",
            )
        elif first:
            lead = pick(
                voice,
                f"the route starts at {first[0]}{f'. See where it can go {when}' if when else ''}",
                f"start at {first[0]}, and see which places can be reached{f' {when}' if when else ''}",
                f"find all places that can be reached from {first[0]}{f' {when}' if when else ''}",
            )
        parts: list[str] = []
        for place, targets in self.onward:
            there = f"only to {listed([say.name(target) for target in targets])}"
            lead_on = "" if parts else "a path leads " if len(targets) == 1 else "paths lead "
            parts.append(f"from {say.name(place)} {lead_on}{there}" if targets else f"no path leads away from {say.name(place)}")
        text = f"{f'{lead}. ' if lead else ''}{capital('; '.join(parts)) if lead else '; '.join(parts)}"
        if not self.all:
            return text
        here, full = listed([say.name(place) for place in self.all]), (1 << len(table.via)) - 1
        so = f"So {when}, only {here} can be reached" if visits else f"So only {here} can be reached"
        if self.gone and not visits:
            so += f" {when}"
        if self.gone:
            kinds: dict[str, list[str]] = {}
            for place in self.gone:
                kinds.setdefault(say.words.shows(place), []).append(say.name(place))
            next_ = [
                f"the {kind} {names[0]}" if len(names) == 1 else f"the {many(kind)} {listed(names)}"
                for kind, names in kinds.items()
            ]
            so += f", and from there {listed(next_)}"
        wanted = [0] if self.visited == full else [n + 1 for n, group in enumerate(table.via) if not self.visited >> n & 1]
        missing = [say.words.unit(n) for n in wanted if not n or not any(place in table.via[n - 1] for place in self.gone)]
        if missing and not self.gone:
            kind, alone = listed([with_article(kind) for kind in missing], "or"), len(self.all) == 1
            so += f", and {'that is not' if alone else 'none of these is'} {kind}"
            so += ", but the route must visit one" if self.visited != full and len(missing) == 1 else ""
        return f"{text}. {so}{'' if step.sets else '. So there is no answer'}"


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
        last = self.full * places + route[-1]
        steps: list[Step] = []
        while queue and queue[0][0] < total:
            far, state = heappop(queue)
            if state in number:
                continue
            visited, place = divmod(state, places)
            waiting = tuple(sorted([one for one in best.items() if one[0] not in number and one[0] != state], key=_by_distance))
            labels, longer, behind, nearer = list[Label](), list[Known](), list[int](), list[Label]()
            for target, length in self.away[place]:
                after = (visited | self.bits.get(target, 0)) * places + target
                ends = visited == self.full and target in table.goals
                now = far + length
                if after in number:
                    behind.append(target)
                elif now < best.get(after, known) or (after == last and now == total and after not in best):
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
                waiting,
                tuple(labels),
                tuple(nearer),
                tuple(longer),
                tuple(behind),
            )
            steps.append(Step("settle", (*_paths_of(self.away, place), *uses), ((state, far),), found=found))
        left = sorted([one for one in best.items() if one[0] not in number and one[0] != last], key=_by_distance)
        lengths_of = tuple([lengths[source, target] for source, target in answer])
        arrive = Arrive(total, tuple(left), tuple(route), lengths_of)
        steps.append(Step("arrive", tuple([f"#{k}" for k in range(1, len(steps) + 1)]), ((last, total),), found=arrive))
        return steps


_FAR = 1 << 30


def _by_distance(label: Label) -> Label:
    return label[::-1]


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
