"""Techniques of one clue: by what is placed, by what is left, by the truth of its parts, and by its cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from puzzlemill.core.model import COMPOSITES
from puzzlemill.solvers.deduce.masks import bits
from puzzlemill.solvers.deduce.positions_board import PlaceBoard, Why, joined
from puzzlemill.solvers.deduce.positions_findings import ByClue, Cases, Composite, Discord, Known, Part, PlaceSay, Reach, Same
from puzzlemill.solvers.deduce.positions_findings import Fact as Given
from puzzlemill.solvers.deduce.positions_relations import IF, Statement, forced
from puzzlemill.solvers.deduce.steps import Found


class Clues(PlaceBoard):
    """A clue leaves its items only places at which it can be true."""

    def _clue(self, i: int) -> bool:
        statement = self.truths[i][0][0]
        view = [self.places[x] if self.placed[x] else self.full for x in statement.items]
        return self._plain(i, statement, view, ByClue)

    def _reach(self, i: int) -> bool:
        statement = self.truths[i][0][0]
        return self._plain(i, statement, self._view(statement), Reach)

    def _plain(self, i: int, statement: Statement, view: Sequence[int], kind: type[ByClue]) -> bool:
        def found(known: tuple[Given, ...], links: tuple[Same, ...]) -> ByClue:
            return kind(i, statement.items, known, statement.via, links)

        return self._state(statement, view, found, [self.ids[i]])

    def _view(self, statement: Statement) -> list[int]:
        return [self.places[x] for x in statement.items]

    def _unheld(self, i: int) -> bool:
        """Note the contradiction in which a clue ends, and nothing else."""
        statement = self.truths[i][0][0]
        if self.kinds[i] in COMPOSITES:
            found = forced(self.kinds[i], self.truths[i], self.places)
            return bool(found) and found[0][0] < 0 and self._composite(i)
        if statement.relation.possible(self._view(statement)):
            return False
        placed = statement.relation.possible([self.places[x] if self.placed[x] else self.full for x in statement.items])
        return self._reach(i) if placed else self._clue(i)

    # ---- composites

    def _composite(self, i: int) -> bool:
        for part, truth, because in forced(self.kinds[i], self.truths[i], self.places):
            uses = [self.ids[i], "once"]
            via: list[int] = []
            parts: list[Part] = []
            for k in because:
                true, false = self.truths[i][k]
                wrong = false if true.relation.possible(self._view(true)) else true
                known: list[Given] = []
                self._refute(wrong, self._view(wrong), {}, uses, known)
                parts.append(Part(k, wrong is false, joined(known), items=wrong.items))
                via += wrong.via
            uses += [self.ids[clue] for clue in via]
            decided, by = tuple(parts), tuple(dict.fromkeys(via))
            if part < 0:
                self.note(Discord(i, decided, by), uses)
            statement = self.truths[i][part][1 - truth]

            def found(further: tuple[Given, ...], links: tuple[Same, ...]) -> Composite:
                made = Composite(i, decided, by, part, bool(truth), further, statement.via, links)  # noqa: B023 - used at once
                return replace(made, items=statement.items)  # noqa: B023

            if self._state(statement, self._view(statement), found, uses):
                return True
        return False

    def _cases(self, i: int) -> bool:
        """Drop what a composite's items have in none of its cases."""
        parts = self.truths[i]
        open_cases: list[tuple[bool, ...]] = []
        shut: list[tuple[bool, ...]] = []
        left = dict.fromkeys([x for true, _ in parts for x in true.items], 0)
        for truths in product((True, False), repeat=len(parts)):
            if not (truths[1] or not truths[0] if self.kinds[i] == IF else sum(truths) == 1):
                continue
            masks = {x: self.places[x] for x in left}
            for (true, false), truth in zip(parts, truths, strict=True):
                statement = true if truth else false
                narrowed = statement.relation.narrowed(self._view(statement))
                for x, mask in zip(statement.items, narrowed, strict=True):
                    masks[x] = masks[x] & mask if all(narrowed) else 0
            if all(masks.values()):
                open_cases.append(truths)
                for x, mask in masks.items():
                    left[x] |= mask
            else:
                shut.append(truths)
        if not open_cases:
            return False  # what is known decides parts, or a supposition will show it
        for x, mask in left.items():
            lost = self.places[x] & ~mask
            if lost:
                uses = [self.ids[i], "once"]
                known: dict[tuple[int, bool, bool], list[Given]] = {}
                via: list[int] = []
                for p in bits(lost):
                    for truths in (*open_cases, *shut):
                        if not self._barred(i, truths, x, p, uses, known, via):
                            return False
                uses += [self.ids[clue] for clue in via]
                ways = tuple(
                    [
                        Part(k, truth, joined(known[k, truth, shut]), shut, parts[k][0].items)
                        for k, truth, shut in sorted(known, key=_turn)
                    ]
                )
                found = Cases(i, ways, tuple(dict.fromkeys(via)))
                return self.note(found, uses, [], self._facts([(x, p) for p in bits(lost)]))
        return False

    def _barred(
        self,
        i: int,
        truths: Sequence[bool],
        x: int,
        p: int,
        uses: list[str],
        known: dict[tuple[int, bool, bool], list[Given]],
        via: list[int],
    ) -> bool:
        """Add why an item does not stand at a place in this case, by the part of it that shows that; False if none does."""
        statements = [part[1 - truth] for part, truth in zip(self.truths[i], truths, strict=True)]
        named = [(part, {statement.items.index(x): p}) for part, statement in enumerate(statements) if x in statement.items]
        for part, fixed in (*named, *[(part, dict[int, int]()) for part in range(len(statements))]):
            statement = statements[part]
            view = self._view(statement)
            if self._refuted(statement, view, fixed):
                self._refute(statement, view, fixed, uses, known.setdefault((part, truths[part], not fixed), []))
                via += statement.via
                return True
        return False

    # ---- one statement

    def _state(
        self,
        statement: Statement,
        view: Sequence[int],
        found: Callable[[tuple[Given, ...], tuple[Same, ...]], Found[PlaceSay]],
        given: Sequence[str],
    ) -> bool:
        """Conclude what a statement says of its items' places.

        view: the places that each item has for the others. found: the finding, by what is known and what is set with an item.
        given: what the statement itself follows from.
        """
        narrowed = statement.relation.narrowed(view)
        for x, mask in zip(statement.items, narrowed, strict=True):
            if self.places[x] & ~mask:
                break
        else:
            return False
        given = [*given, *[self.ids[clue] for clue in statement.via]]
        done: tuple[list[str], list[tuple[int, int]], list[Given]] | None = None  # uses, drops, known
        for k, x in enumerate(statement.items):
            left = self.places[x] & narrowed[k]
            lost = self.places[x] & ~left
            if not lost:
                continue
            uses, named = list(given), list[Given]()
            if left and left & left - 1 == 0:
                target = left.bit_length() - 1
                self._only(statement, view, k, target, uses, named)
                return self._set(partial(found, joined(named)), uses, x, target)
            for p in bits(lost):
                self._refute(statement, view, {k: p}, uses, named)
            if not left:
                self._bars(x, self.full & ~lost, uses, named)
                uses.append("once")
                self.note(found(joined(named), ()), uses)
            drops = [(x, p) for p in bits(lost)]
            if done is None:
                done = uses, drops, named
            elif set(done[0]) == set(uses):  # one thing to say, of several items
                done = uses, done[1] + drops, done[2] + named
        if done is None:
            return False
        uses, drops, named = done
        return self.note(found(joined(named), ()), uses, [], self._facts(dict.fromkeys(drops)))

    def _only(self, statement: Statement, view: Sequence[int], k: int, target: int, uses: list[str], known: list[Given]) -> None:
        """Why only one place is left for the k-th item of a statement."""
        relation, x = statement.relation, statement.items[k]
        others = [y for j, y in enumerate(statement.items) if j != k]
        reach = relation.images[0][0] if relation.direct and not others else 0
        if relation.direct and others and self.placed[others[0]]:
            reach = relation.images[1 - k][self.places[others[0]]]
            uses.append(self.placed[others[0]])
            known.append(Known(others[0], self.places[others[0]], True))
        if reach:
            mask = reach & ~(1 << target)
        else:
            uses.append("once")
            mask = 0
            for p in bits(self.full & ~(1 << target)):
                if self._refuted(statement, view, {k: p}):
                    self._refute(statement, view, {k: p}, uses, known)
                else:
                    mask |= 1 << p
        self._bars(x, mask, uses, known)

    def _refuted(self, statement: Statement, view: Sequence[int], fixed: dict[int, int]) -> bool:
        """Return whether no right tuple with these places is left."""
        loose = [k for k in range(len(view)) if k not in fixed]
        return not any(all(view[k] >> places[k] & 1 for k in loose) for places in statement.relation.having_all(fixed))

    def _refute(
        self, statement: Statement, view: Sequence[int], fixed: dict[int, int], uses: list[str], known: list[Given]
    ) -> None:
        """Add to uses and known why no right tuple with these places is left."""
        relation, items = statement.relation, statement.items
        loose = [k for k in range(relation.arity) if k not in fixed]
        several: list[list[Why]] = []
        for places in relation.having_all(fixed):
            whys = [self._bar(items[k], places[k], relation.direct) for k in loose if not view[k] >> places[k] & 1]
            if len(whys) > 1:
                several.append(whys)
            else:
                uses += whys[0].labels
                known += whys[0].facts
        for whys in several:  # the fewest further facts
            labels = [set(why.labels).difference(uses, ("once",)) for why in whys]
            new = [len(each) + sum([fact not in known for fact in why.facts]) for each, why in zip(labels, whys, strict=True)]
            best = whys[new.index(min(new))]
            uses += best.labels
            known += best.facts
        if relation.direct and loose:
            return
        if relation.direct or relation.arity == 3 or not all(self.placed[items[k]] in uses for k in loose):
            uses.append("once")  # each of the items stands somewhere, and at one place only

    def _bar(self, x: int, p: int, direct: bool) -> Why:
        if self.placed[x]:
            labels = (self.placed[x], "once") if direct else (self.placed[x],)
            return Why(labels, (Known(x, self.places[x], True),))
        return self.why[x][p]


def _turn(case: tuple[int, bool, bool]) -> tuple[bool, bool, int]:
    """What cannot be last, before it true statements first, in their order."""
    part, truth, shut = case
    return shut, not truth, part
