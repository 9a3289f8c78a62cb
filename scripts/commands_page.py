"""Print docs/commands.md, made from the table of commands: `make docs`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from puzzlemill.cli.table import Argument, Command, commands

HEAD = "<!-- Made by `make docs` from puzzlemill/cli/commands.toml: change that file. -->"


def main() -> int:
    table = commands()
    program = table.pop("puzzlemill")
    rows = [(f"[`{name}`](#puzzlemill-{name.replace(' ', '-')})", command.summary) for name, command in table.items()]
    blocks = [HEAD, "# Commands", program.text, *_table("command", rows)]
    for command in table.values():
        blocks += section(command)
    print("\n\n".join(blocks))
    return 0


def section(command: Command) -> Iterator[str]:
    """The Markdown blocks of one command."""
    yield f"{'###' if ' ' in command.name else '##'} puzzlemill {command.name}"
    yield f"```\n{usage(command)}\n```"
    yield command.described
    if command.arguments:
        yield from _table("argument", [_row(argument) for argument in command.arguments])
    for title, group in command.groups.items():
        yield from _table(title, [_row(argument) for argument in group])
    if command.settings:
        places = [f": `conf/{known}`" if known else "" for *_, known in command.settings]
        named = zip(command.settings, places, strict=True)
        yield from _table("setting", [(f"`{typed}`", said + place) for (typed, said, _), place in named])
    if command.examples:
        yield f"```sh\n{command.examples}\n```"
    if command.output:
        yield f"```\n{command.output}\n```"


def usage(command: Command) -> str:
    """The command line: what has to be given, and that there is more."""
    every = [*command.arguments, *[argument for group in command.groups.values() for argument in group]]
    needed = [argument.spelled for argument in every if argument.needed or not argument.option]
    more = ["[OPTION ...]"] if any(argument.option and not argument.needed for argument in every) else []
    return " ".join(["puzzlemill", command.name, *needed, *more])


def _row(argument: Argument) -> tuple[str, str]:
    return f"`{argument.spelled}`", argument.described


def _table(head: str, rows: list[tuple[str, str]]) -> list[str]:
    lines = [
        f"| {first} | {said} |" for first, said in ((left.replace("|", "\\|"), right.replace("|", "\\|")) for left, right in rows)
    ]
    return ["\n".join([f"| {head} | meaning |", "|---|---|", *lines])]


if __name__ == "__main__":
    sys.exit(main())
