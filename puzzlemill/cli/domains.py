"""`puzzlemill domains`: the domains of the truth-finding game; checks domain files, and shows a domain with its exclusions."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from puzzlemill.analysis.tables import text_table
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.text import printable
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.domain.files import authored, examine, names, read, write
from puzzlemill.kumo.domain.invent import invented
from puzzlemill.kumo.domain.structure import domain_of, drawn_for

INVENTED = "invented:"
LONGEST_WORD = 200  # as words of recipes


def list_domains(_: argparse.Namespace) -> int:
    rows = []
    for name in names():
        domain = authored(name)
        numeric = sum([action.numeric for action in domain.actions])
        sizes = (len(domain.truths), len(domain.actions), numeric)
        rows.append((name, domain.topic, domain.structure, *sizes, domain.title))
    print(text_table(["name", "topic", "structure", "truths", "actions", "numeric", "title"], rows))
    return 0


def check(options: argparse.Namespace) -> int:
    wrong = 0
    for path in options.file:
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


def show(options: argparse.Namespace) -> int:
    domain = named(options.name, options.edition)
    print(write(domain) if options.toml else "\n".join(_described(domain)), end="" if options.toml else "\n")
    return 0


def named(name: str, edition: str) -> Domain:
    """The domain with its exclusions. Raises BadInput for an unknown name, and for a bad file."""
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


def _described(domain: Domain) -> Iterator[str]:
    """The domain in words, line by line."""
    yield f"{domain.title} ({domain.name}; {domain.topic}, {domain.structure})"
    yield f"{domain.scene} {domain.question}"
    yield ""
    yield f"{len(domain.truths)} {domain.truths_plural}: {', '.join(domain.truths)}"
    for number, action in enumerate(domain.actions, 1):
        yield ""
        yield f"{number}. {action.name}: {action.does}"
        for s, excluded in enumerate(action.excludes):
            truths = ", ".join([domain.truths[t] for t in excluded])
            yield f"   If {action.clause(s)}, " + (f"this excludes {truths}." if truths else "nothing is excluded.")
