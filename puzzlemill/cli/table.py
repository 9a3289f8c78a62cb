"""The table of commands, commands.toml, as a parser of command lines and as help; scripts/commands_page.py makes a page of it."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from puzzlemill import __version__
from puzzlemill.core.text import nearest
from puzzlemill.factory.conf import choices

TABLE = Path(__file__).with_name("commands.toml")
_TYPES: Mapping[str, Callable[[str], Any]] = {"path": Path, "int": int, "float": float}
_LINK = re.compile(r"\[([^]]+)\]\(([^)]+)\)")
_WIDEST = 110  # columns of help


class Argument(NamedTuple):
    """One argument as commands.toml has it."""

    spelled: str  # "DIR ...", "[VARIANT]", "--json", "--workers N"
    help: str
    default: Any = None
    type: str = ""
    required: bool = False
    again: bool = False
    alone: str = ""
    dest: str = ""

    @property
    def option(self) -> str:
        """Its name with dashes; "" for a positional one."""
        return self.spelled.partition(" ")[0] if self.spelled.startswith("--") else ""

    @property
    def needed(self) -> bool:
        return self.required if self.option else not self.spelled.startswith("[")

    @property
    def described(self) -> str:
        """The help with the default, where there is one to speak of."""
        shown = f"{self.default:g}" if type(self.default) is float else self.default
        return f"{self.help} (default: {shown})" if self.default and self.default != [] else self.help

    def add_to(self, parser: Any) -> None:
        value = self.spelled.removeprefix(self.option).strip()
        bare = value.strip("[]").removesuffix(" ...")
        optional, many = value.startswith("["), value.rstrip("]").endswith(" ...")
        given: dict[str, Any] = {"help": plain(self.described).replace("%", "%%"), "metavar": bare, "default": self.default}
        if self.option == "--version":
            parser.add_argument("--version", action="version", version=f"puzzlemill {__version__}", help=given["help"])
            return
        if not bare:
            parser.add_argument(self.option, action="store_true", help=given["help"])
            return
        kind = _TYPES.get(self.type) or type(self.default)
        if kind not in (type(None), str, list):
            given["type"] = kind
        if optional or many:
            given["nargs"] = {(True, True): "*", (False, True): "+", (True, False): "?"}[optional, many]
        if self.again:
            given |= {"action": "append", "default": []}
        if self.alone:
            given["const"] = self.alone
        if self.option:
            parser.add_argument(self.option, required=self.required, **given)
        else:
            dest = re.match(r"\w+", bare)
            parser.add_argument(self.dest or (dest[0].lower() if dest else bare), **given)


class Command(NamedTuple):
    """One command as commands.toml has it."""

    name: str
    summary: str
    run: str = ""  # module:function; "" for one that only has parts
    text: str = ""
    examples: str = ""
    output: str = ""
    resumes: bool = False
    arguments: tuple[Argument, ...] = ()
    groups: Mapping[str, tuple[Argument, ...]] = {}
    settings: tuple[tuple[str, str, str], ...] = ()  # as it is typed, help, folder of conf/ with the known names

    @property
    def described(self) -> str:
        return self.text or f"{self.summary[0].upper()}{self.summary[1:]}."

    def call(self, options: argparse.Namespace) -> int:
        """Import the command's module and run it; the exit code."""
        module, _, function = self.run.partition(":")
        code: int = getattr(import_module(f"puzzlemill.cli.{module}"), function)(options)
        return code


def commands() -> dict[str, Command]:
    """Every command by its name, in the table's order. "puzzlemill" stands for the program itself."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    shared = table.pop("shared")
    return {name: _command(name, entry, shared) for name, entry in table.items()}


def _command(name: str, entry: Mapping[str, Any], shared: Mapping[str, Any]) -> Command:
    texts = {key: entry.get(key, "").strip() for key in ("summary", "run", "text", "examples", "output")}
    settings = [(typed, {"help": said} if type(said) is str else said) for typed, said in entry.get("settings", {}).items()]
    return Command(
        name,
        **texts,
        resumes=entry.get("resumes", False),
        arguments=_arguments({**entry.get("arguments", {}), **shared.get(entry.get("use", ""), {})}),
        groups={title: _arguments(group) for title, group in entry.get("groups", {}).items()},
        settings=tuple([(typed, said["help"], said.get("known", "")) for typed, said in settings]),
    )


def _arguments(entries: Mapping[str, Any]) -> tuple[Argument, ...]:
    """Arguments with the positional ones first."""
    made = [Argument(typed, **(said if type(said) is dict else {"help": said})) for typed, said in entries.items()]
    return tuple(sorted(made, key=lambda argument: bool(argument.option)))


def parser() -> argparse.ArgumentParser:
    """The parser of all commands; `options.command` is the one that was asked for, `options.parser` its own parser."""
    return _Parser(prog="puzzlemill", table=commands(), command="puzzlemill")


class _Parser(argparse.ArgumentParser):
    """A parser of one command; arguments and help are made when they are needed, so that the others cost next to nothing."""

    def __init__(self, *, table: Mapping[str, Command], command: str, **more: Any) -> None:
        super().__init__(formatter_class=_formatter, allow_abbrev=False, **more)  # --api-key would be --api-key-env
        self.table, self.command, self.filled, self.mixed = table, table[command], False, False
        self.given: list[str] = []

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The same, with options before, behind and between the values of a list: `show sudoku --answer size=6`."""
        if not self.filled:
            self.filled = True
            self._fill()
            self.given = [str(each) for each in args or ()]
        lists = any(" ..." in argument.spelled and not argument.option for argument in self.command.arguments)
        if self.mixed or not lists:
            return super().parse_known_args(args, namespace)
        self.mixed = True  # which parses twice
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self.mixed = False

    def _fill(self) -> None:
        self.set_defaults(command=self.command, parser=self)
        for argument in self.command.arguments:
            argument.add_to(self)
        for title, group in self.command.groups.items():
            section = self.add_argument_group(title)
            for argument in group:
                argument.add_to(section)
        within = "" if self.command.name == "puzzlemill" else f"{self.command.name} "
        parts = [
            name for name in self.table if name.startswith(within) and " " not in name[len(within) :] and name != "puzzlemill"
        ]
        if parts:
            below = self.add_subparsers(title="commands", metavar="COMMAND", required=not self.command.run)
            for name in parts:
                below.add_parser(name[len(within) :], help=self.table[name].summary, table=self.table, command=name)

    def error(self, message: str) -> NoReturn:
        """Refuse arguments: with the usage and one line, which says what an unknown name may be meant for."""
        if found := re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)$", message):
            message += nearest(found[1], re.findall(r"[\w-]+", found[2]))
        options = [argument.option.lstrip("-") for argument in _every(self.command) if argument.option]
        if found := re.match(r"unrecognized arguments: --([\w-]+)(?:[= ]([^-\s]\S*))?", message):
            if self.command.name == "import" and found[1] in ("out", "workers"):
                usual = {"out": "DIR", "workers": "N"}[found[1]]
                message += f"; settings are written {found[1]}={found[2] or usual}, without dashes"
            elif near := nearest(found[1], options):
                message += near.replace("mean ", "mean --").replace(" or ", " or --")
            elif self.command.settings or self.command.name in ("show", "play"):
                message += f"; settings are written {found[1].replace('-', '_')}={found[2] or 'VALUE'}, without dashes"
        elif not self.command.settings:
            for name, equals, value in [each.partition("=") for each in self.given]:
                if equals and (option := name.replace("_", "-")) in options:
                    message += f"; options are written --{option} {value or 'VALUE'}, with dashes"
                    break
        super().error(message)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; what is not recognized is refused by the parser of the command that it was given to."""
        options, rest = self.parse_known_args(args, namespace)
        if rest:
            getattr(options, "parser", self).error(f"unrecognized arguments: {' '.join(rest)}")
        return options

    def format_help(self) -> str:
        self.description = plain(self.command.described)
        self.epilog = "\n\n".join(_below(self.command))
        return super().format_help()


def _every(command: Command) -> list[Argument]:
    return [*command.arguments, *[argument for group in command.groups.values() for argument in group]]


def _formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=30, width=_width())


@lru_cache(maxsize=1)
def _width() -> int:
    return min(shutil.get_terminal_size().columns - 2, _WIDEST)


def _below(command: Command) -> Iterator[str]:
    """The sections of a help below the arguments."""
    if command.settings:
        lines = ["settings, each written name=value:"]
        for typed, said, known in command.settings:
            text = f"{plain(said)}{f': {_known(known)}' if known else ''}"
            text = textwrap.fill(text, _width(), initial_indent=" " * 20, subsequent_indent=" " * 20, break_on_hyphens=False)
            lines.append(f"  {typed:<17} {text.lstrip()}" if len(typed) < 18 else f"  {typed}\n{text}")
        yield "\n".join(lines)
    for title, block in (("examples", command.examples), ("it prints, for example", command.output)):
        if block:
            yield f"{title}:\n{textwrap.indent(block, '  ')}"


def _known(folder: str) -> str:
    return ", ".join(name for name in choices(folder) if name != "single")  # which is one family, named with its settings


def plain(markdown: str) -> str:
    """A text for a terminal: links by their addresses, paragraphs and lists as wide as it is."""
    text = _LINK.sub(lambda link: f"{link[1]} ({link[2] if '://' in link[2] else 'docs/' + link[2]})", markdown)
    blocks = re.split(r"\n\n|\n(?=\* )", text.strip())
    wrapped = [
        textwrap.fill(block, _width(), subsequent_indent="  " if block.startswith("* ") else "", break_on_hyphens=False)
        for block in blocks
    ]
    joined = [("\n" if block.startswith("* ") else "\n\n") + block for block in wrapped]
    return "".join(joined).strip()
