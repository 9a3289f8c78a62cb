"""`puzzlemill domains`: the domains of the truth-finding game; checks domain files, and tells a domain with its exclusions."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.text import printable

if TYPE_CHECKING:
    from puzzlemill.kumo.domain.domain import Domain

INVENTED = "invented:"
LONGEST_WORD = 200  # as words of recipes


def add(commands: Any) -> None:
    command = commands.add_parser("domains", help="the domains of the truth-finding game: list, check or show them")
    command.set_defaults(run=_list)
    parts = command.add_subparsers(metavar="check|show")
    check = parts.add_parser("check", help="what is wrong with domain files; exit code 1 if anything is")
    check.add_argument("files", metavar="FILE", type=Path, nargs="+", help="a domain file (TOML, docs/domains.md)")
    check.set_defaults(run=_check)
    show = parts.add_parser("show", help="one domain: its truths, its actions, and what every outcome excludes")
    show.add_argument("name", metavar="NAME", help=f"an authored domain, {INVENTED}N, or a domain file FILE.toml")
    show.add_argument("--edition", metavar="WORD", default="demo", help="exclusions of another word are others (demo)")
    show.add_argument("--toml", action="store_true", help="as a domain file that brings its exclusions along")
    show.set_defaults(run=_show)


def _list(_: argparse.Namespace) -> int:
    from puzzlemill.kumo.domain.files import authored, names

    rows = [("name", "topic", "structure", "truths", "actions", "numeric", "title")]
    for name in names():
        domain = authored(name)
        numeric = sum([action.numeric for action in domain.actions])
        sizes = (str(len(domain.truths)), str(len(domain.actions)), str(numeric))
        rows.append((name, domain.topic, domain.structure, *sizes, domain.title))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:>{width}}" if cell.isdecimal() else f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)]
        print("  ".join(cells).rstrip())
    return 0


def _check(options: argparse.Namespace) -> int:
    from puzzlemill.kumo.domain.files import examine

    wrong = 0
    for path in options.files:
        try:
            domain, problems = examine(path)
        except BadFile as error:
            domain, problems = None, (str(error).removeprefix(f"{path}: "),)
        for problem in problems:
            print(printable(f"{path}: {problem}"))
        if domain is not None and not problems:
            print(f"{path}: good, {len(domain.truths)} truths and {len(domain.actions)} actions")
        wrong += bool(problems)
    return 1 if wrong else 0


def _show(options: argparse.Namespace) -> int:
    from puzzlemill.kumo.domain.files import write

    domain = named(options.name, options.edition)
    print(write(domain) if options.toml else "\n".join(_told(domain)), end="" if options.toml else "\n")
    return 0


def named(name: str, edition: str) -> Domain:
    """The domain with its exclusions. Raises BadInput for a name that there is none of, and for a bad file."""
    from puzzlemill.kumo.domain.files import read
    from puzzlemill.kumo.domain.invent import invented
    from puzzlemill.kumo.domain.structure import domain_of, drawn_for

    if len(edition) > LONGEST_WORD or not edition.isprintable():
        raise BadParams(
            f"--edition: expected at most {LONGEST_WORD} printable characters, got {edition[:80]!r}; choose another word"
        )
    if name.startswith(INVENTED):
        number = name.removeprefix(INVENTED)
        if not (number.isascii() and number.isdecimal() and len(number) <= 9):
            raise BadParams(f"{name}: expected {INVENTED} and a number, got {number!r}; write for instance {INVENTED}7")
        return invented(edition, int(number))
    if name.endswith(".toml"):
        return drawn_for(read(Path(name)), edition)
    return domain_of(name, edition)


def _told(domain: Domain) -> Iterator[str]:
    """The domain in words, line by line."""
    yield f"{domain.title} ({domain.name}; {domain.topic}, {domain.structure})"
    yield f"{domain.scene} {domain.question}"
    yield ""
    yield f"{len(domain.truths)} {domain.truths_plural}: {', '.join(domain.truths)}"
    for number, action in enumerate(domain.actions, 1):
        yield ""
        yield f"{number}. {action.name}: {action.does}"
        for s, excluded in enumerate(action.excludes):
            names = ", ".join([domain.truths[t] for t in excluded])
            yield f"   If {action.clause(s)}, " + (f"this excludes {names}." if names else "nothing is excluded.")
