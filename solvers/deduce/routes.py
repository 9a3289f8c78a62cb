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
        return f"{self.state(state)}, {with_article(self.words.shows(place))}" if shown else self.state(state)

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
        first = with_article(kinds[0]) if kinds else ""
        told = pick(
            self.voice,
            "A place that is reached is open until its least distance is sure, that is, until it is settled. The nearest open "
            "place can always be settled: by way of another one it would be no nearer",
            "Places that are reached are open until their least distances are settled. The nearest of them is settled each "
            "time, as every detour by way of another open place is at least as long",
            "A place is settled when its least distance is sure, and open while it is only reached. Going by way of a farther "
            "open place cannot bring the nearest one nearer, so the nearest is settled next",
        )
        if not kinds:
            return [told]
        if len(kinds) == 1:
            anew = pick(
                self.voice,
                f"From when {first} is visited, places have a star and distances of their own: {name}* is {name} after that",
                f"A star means that {first} is visited: {name}* is {name} after that, and counts as another place",
                f"Each place counts twice, {name} before {first} is visited and {name}* after that",
            )
        else:
            anew = pick(
                self.voice,
                f"What is visited is added to a place, which then counts anew: {name}+{kinds[0]} is {name} after {first}",
                f"A place counts anew after each visit: {name}+{kinds[0]} is {name} once {first} is visited",
                f"{name}+{kinds[0]} stands for {name} with {first} visited, and counts as another place than {name}",
            )
        return [anew, told]


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
                f"distances are counted from the start, {name}",
            )
            return ". ".join([text, *self._roads(say, voice), *say.method(self.state)])
        nearer = self.before[1]
        by = f" (by way of {say.state(self.before[0])}{f': {nearer} + {far - nearer}' if nearer else ''})"
        if self.rival < 0:
            text = pick(
                voice,
                f"only {name} is open, at {far}{by}",
                f"nothing but {name} is open, so {name} is settled at {far}{by}",
                f"{name} is the one open place, and is settled at {far}{by}",
            )
        else:
            least = f"every other open place is at least {self.rival} away"
            text = pick(
                voice,
                f"the nearest open place is {name}, {far} away{by}; {least}",
                f"next comes {name} at {far}{by}, since {least}",
                f"{least}, so {name} is settled at {far}{by}",
                f"{name} is settled at {far}{by}: {least}",
            )
        return ". ".join([text, *self._roads(say, voice)])

    def _roads(self, say: _Say, voice: int) -> list[str]:
        """Sentences that account for every road, each with its capital."""
        far, here = self.distance, say.state(self.state)
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
        same = [
            f"{say.state(state)} would be {total}, no better than its {best}" for state, total, best, own in self.longer if own
        ]
        if same:
            found.append(f"By way of {here}, {listed(same)}")
        late: dict[int, list[str]] = {}  # what is no nearer than an end of the way, by how far it would be
        for state, total, _, own in self.longer:
            if not own:
                late.setdefault(total, []).append(say.state(state))
        if late:
            parts = [f"{listed(names)} would be {total}" for total, names in late.items()]
            end = next(best for _, _, best, own in self.longer if not own)
            found.append(f"By way of {here}, {listed(parts)}: no use, as {say.wanted()} is at {end} already")
        if self.behind:
            also, settled = "also " if found else "", "is settled" if len(self.behind) == 1 else "are settled"
            names = listed([say.beyond(self.state, place) for place in self.behind])
            found.append(capital(f"{here} {also}leads to {names}, which {settled} already"))
        return found or [f"No path leads away from {here}"]


class Arrive(Found[_Say]):
    """The end is the nearest of all that is open. rival: the least distance of all others that are open, -1 if there are none.
    route: the places of the way; lengths: of its roads.
    """

    total: int
    rival: int
    route: tuple[int, ...]
    lengths: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        place, total = self.route[-1], self.total
        end = say.state(((1 << len(say.table.via)) - 1) * say.places + place)
        if self.rival < 0:
            text = pick(
                say.voice,
                f"only {end}, {say.wanted()}, is open, at {total}, so no route is shorter",
                f"{end}, {say.wanted()}, is the one open place, at {total}, and there is no shorter route",
                f"nothing but {end}, {say.wanted()}, is open; it is {total} away, and no route is shorter",
            )
        else:
            least = f"every other open place is at least {self.rival} away"
            text = pick(
                say.voice,
                f"the nearest open place is {end}, {say.wanted()}, {total} away; {least}, so no route is shorter than {total}",
                f"now {end}, {say.wanted()}, comes first, at {total}: {least}, and no route is shorter",
                f"{least}, so {end}, {say.wanted()}, is settled at {total}, and no route is shorter",
            )
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
        visits, owed = [[with_article(kind) for kind in say.groups(self.visited, holds)] for holds in (True, False)]
        where = f"with {listed(visits)} visited" if visits else f"before {listed(owed, 'or')} is visited" if owed else ""
        before = f"{where}, " if where else ""
        first, lead = [say.name(place) for place in self.entries], ""
        if self.entries and self.visited:
            are = "place is" if len(first) == 1 else "places are"
            lead = pick(voice, f"one is at {listed(first, 'or')}: ", f"the first {are} {listed(first)}: ")
        elif first:
            lead = pick(
                voice,
                f"the route starts at {first[0]}: ",
                f"starting at {first[0]}: ",
                f"{first[0]} is where the route begins: ",
            )
        parts = []
        for place, targets in self.onward:
            paths = "a path leads" if len(targets) == 1 else "paths lead"
            there = listed([say.name(target) for target in targets])
            parts.append(
                f"from {say.name(place)} {paths} to {there} only" if targets else f"no path leads away from {say.name(place)}"
            )
        text = f"{before}{lead}{'; '.join(parts)}"
        if not self.all:
            return text
        here, full = listed([say.name(place) for place in self.all]), (1 << len(table.via)) - 1
        so = f"So {before}only {here} can be reached"
        if self.gone:
            kinds: dict[str, list[str]] = {}
            for place in self.gone:
                kinds.setdefault(say.words.shows(place), []).append(say.name(place))
            next_ = [
                f"{names[0]}, {with_article(kind)}" if len(names) == 1 else f"the {many(kind)} {listed(names)}"
                for kind, names in kinds.items()
            ]
            so += f", and from there {listed(next_)}"
        wanted = [0] if self.visited == full else [n + 1 for n, group in enumerate(table.via) if not self.visited >> n & 1]
        missing = [say.words.unit(n) for n in wanted if not n or not any(place in table.via[n - 1] for place in self.gone)]
        if missing and not self.gone:
            none = listed([with_article(kind) for kind in missing], "or")
            must = ", so none can be visited" if self.visited != full else ""
            alone = len(self.all) == 1
            so += pick(
                voice,
                f", and {'that is not' if alone else 'none of these is'} {none}{must}",
                f". There is no {listed(missing, 'or')} {'there' if alone else 'among these'}{must}",
                f", and {none}{must}{',' * bool(must)} is not {'there' if alone else 'among these'}",
            )
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
        left = [far for state, far in best.items() if state not in number and state != end]
        lengths_of = tuple([lengths[source, target] for source, target in answer])
        arrive = Arrive(total, min(left, default=-1), tuple(route), lengths_of)
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
