"""Domains by the names that recipes and rows give them: authored ones, invented ones, and parts of either."""

from __future__ import annotations

import re

from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import Rng
from puzzlemill.kumo.domain.domain import Domain

AUTHORED, INVENTED = "authored", "invented"  # any domain of the sort
INVENTED_DOMAINS = 1_000  # "invented" alone takes one of the first so many
_NAME = re.compile(r"(?:invented:(?:0|[1-9][0-9]{0,5})|[a-z][a-z0-9_]{1,39}(?:@[0-9a-f]{16})?)(?:/(?:first|second))?")


def check_name(name: str) -> None:
    """Raise BadParams for the name of no domain. Where there are no domain files, as in a scorer, any name will do."""
    if not _NAME.fullmatch(name):
        raise BadParams(
            f"kumo.domain must be authored, invented, an authored domain's name, or an invented one's number as in invented:12, "
            f"either of these with /first or /second for a part of it, got {name[:60]!r}; set family.params.domain"
        )
    name, _, part = name.partition("/")
    if part and name in (AUTHORED, INVENTED):
        raise BadParams(f"kumo.domain: only a domain that is named has parts, got {name}/{part}; set family.params.domain")
    if name.partition(":")[0] in (AUTHORED, INVENTED) or "@" in name:
        return  # a file with its hash is looked for where something is drawn from it: rows hold all that they need
    try:
        from puzzlemill.kumo.domain import files
    except ImportError:
        return
    known = files.names()
    if name not in known:
        raise BadParams(f"kumo.domain: no authored domain is called {name!r}; known: {', '.join(known)}")


def domain_named(name: str, edition: str, rng: Rng) -> Domain:
    """The whole domain of this name with the exclusions of this edition. rng: draws one where the name leaves that open.

    Raises BadParams where there is none.
    """
    from puzzlemill.kumo.domain import files, invent, structure
    from puzzlemill.kumo.domain.parts import side

    name, _, part = name.partition("/")
    kind, _, number = name.partition(":")
    if kind == INVENTED:
        whole = invent.invented(edition, int(number) if number else rng.below(INVENTED_DOMAINS))
    else:
        whole = structure.domain_of(rng.pick(files.names()) if kind == AUTHORED else kind, edition)
    return side(whole, part) if part else whole
