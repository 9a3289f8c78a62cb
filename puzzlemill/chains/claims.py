"""What a sentence of a chain claims: statements of a logic grid, and what people say besides.

A claim is a Statement of rules/grids.py. Kinds of our own, all of which have parts:
  all      every part is true
  any      a part is true: the items that an item may still have
  not      its one part is false
  nothing  false: a contradiction, without parts
  true_clue, false_clue  the clue of this number is true, or false, where one clue is; 0: all clues are true, or not all
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from puzzlemill.rules.grids import Item, Statement, is_true, stated

Claim = Statement
NOTHING = Statement("nothing")
TRUE, FALSE = "true_clue", "false_clue"
_MOST_ATOMS = 200


def same(x: Item, y: Item) -> Claim:
    return stated("is", (x, y))


def other(x: Item, y: Item) -> Claim:
    return stated("is_not", (x, y))


def several(kind: str, parts: Iterable[Claim]) -> Claim:
    """All or any of some claims; one alone stands for itself."""
    found = tuple(dict.fromkeys(parts))
    return found[0] if len(found) == 1 else Statement(kind, parts=found)


def negated(claim: Claim) -> Claim:
    """The claim that this one is false."""
    if claim.kind in ("is", "is_not"):
        return Statement("is_not" if claim.kind == "is" else "is", claim.items)
    if claim.kind in (TRUE, FALSE):
        return Statement(FALSE if claim.kind == TRUE else TRUE, number=claim.number)
    if claim.kind == "not":
        return claim.parts[0]
    if claim.kind in ("all", "any"):
        return several("any" if claim.kind == "all" else "all", [negated(part) for part in claim.parts])
    return Statement("not", parts=(claim,))


def holds(claim: Claim, of: Callable[[Item], int], at: Callable[[int, int], int]) -> bool:
    """Return whether a claim is true, as is_true() does of a statement."""
    if not claim.parts:
        return claim.kind != "nothing" and is_true(claim, of, at)
    truths = [holds(part, of, at) for part in claim.parts]
    if claim.kind in ("all", "both"):
        return all(truths)
    if claim.kind == "any":
        return any(truths)
    if claim.kind == "not":
        return not truths[0]
    return not truths[0] or truths[1] if claim.kind == "if" else sum(truths) == 1


def items_of(claim: Claim) -> Iterator[Item]:
    """Every item that a claim names."""
    yield from claim.items
    for part in claim.parts:
        yield from items_of(part)


def atoms(claims: Sequence[Claim]) -> frozenset[Claim]:
    """The claims as the least parts of which all must hold, so that two ways to say the same are equal."""
    found: dict[Claim, None] = {}
    stack = list(claims)
    while stack and len(found) < _MOST_ATOMS:
        claim = stack.pop()
        if claim.kind in ("all", "both"):
            stack += claim.parts
        elif claim.kind == "neither":
            stack += [other(claim.items[0], y) for y in claim.items[1:]]
        elif claim.kind == "different":
            stack += [other(x, y) for k, x in enumerate(claim.items) for y in claim.items[:k]]
        elif claim.kind == "either_or":
            w, *rest = claim.items
            found[_any([same(w, y) for y in rest])] = None
        elif claim.kind in ("any", "either", "one_of") and all(part.kind == "is" for part in claim.parts):
            found[_any(claim.parts)] = None
        elif (
            (claim.items and len(set(claim.items)) > 1 and claim.kind != "is_not")
            or (claim.kind == "is_not" and claim.items[0][0] != claim.items[1][0])
            or not claim.items
        ):
            found[claim] = None
    return frozenset(found)


def _any(parts: Sequence[Claim]) -> Claim:
    return Statement("any", parts=tuple(sorted(set(parts))))


def pairs(claims: Sequence[Claim]) -> list[Claim]:
    """The accepted and rejected pairs of items of claims, each once; an "X or Y" accepts none."""
    return sorted([claim for claim in atoms(claims) if claim.kind in ("is", "is_not")])
