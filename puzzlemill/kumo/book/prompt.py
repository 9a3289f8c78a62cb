"""The prompt of a task: the question, what can be done or was done, and the book between its two lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from puzzlemill.core.errors import BadRow
from puzzlemill.core.words import NUMBERS, with_article
from puzzlemill.kumo.book.write import write_book
from puzzlemill.kumo.domain.domain import CHANCES, Domain
from puzzlemill.vocabulary.wordings import Voice, markdown

BEGIN, END = "=== The book begins ===", "=== The book ends ==="
_ORDERS = (
    ("task", "acts", "promise", "book"),
    ("task", "book", "acts", "promise"),
    ("book", "task", "acts", "promise"),
    ("acts", "promise", "task", "book"),
)
_EDGES = frozenset({BEGIN.strip("= ").lower(), END.strip("= ").lower()})


def task_prompt(
    domain: Domain, count: int, seen: Sequence[str] | None, chances: bool, register: str, seed: int, long: bool
) -> str:
    """The prompt of a task of which `count` truths are right. seen: sentences about the outcomes, None for a dialogue.

    chances: outcomes do not come up alike. register, seed, long: of the book (write.py).
    """
    voice, one, several, many = Voice("kumo", seed), domain.truth, domain.truths_plural, domain.actions_plural
    words = {
        "question": domain.question,
        "truth": one,
        "truths": several,
        "action": domain.action,
        "actions": many,
        "one": with_article(domain.action),
        "n": len(domain.truths),
        "m": len(domain.actions),
        "count": NUMBERS[count],
        "hundred": CHANCES,
    }
    text = write_book(domain, register, seed, long, several=count > 1).strip()
    parts = {
        "task": _truths(voice.says("task" if count == 1 else "tasks", **words), domain.truths, voice),
        "book": f"{voice.says('book')}\n\n{BEGIN}\n\n{text}\n\n{END}",
        "promise": "",
    }
    if seen is not None:
        parts["acts"] = f"{voice.says('told', **words)}\n{voice.bullets(seen)}"
    else:
        parts["acts"] = f"{voice.says('actions', **words)}\n{_actions(domain, voice)}"
        words["right"] = "the right one" if count == 1 else "a right one"
        words["rest"] = f"every {one} except the right one" if count == 1 else f"all {several} except the right ones"
        parts["promise"] = f"{voice.says('promise', **words)} {_prior(domain, chances, voice, words)}"
    return voice.arranged(_ORDERS, parts)


def _truths(head: str, names: Sequence[str], voice: Voice) -> str:
    """The truths in a row, as a list or as JSON."""
    way = voice.place("truths as", 4) if not voice.short else 0
    if way == 3:
        return f"{head}\n{json.dumps(names, ensure_ascii=False)}"
    if way == 2:
        return f"{head}\n{voice.bullets(names)}"
    return head + ("\n" if way else " ") + f"{', '.join(names)}."


def _actions(domain: Domain, voice: Voice) -> str:
    """What can be done, as a list or a table; short voices need the names alone."""
    if voice.short:
        return "; ".join([action.name for action in domain.actions])
    if voice.place("actions as", 4) == 1:
        return markdown([action.name for action in domain.actions], [domain.action], [[each.does] for each in domain.actions])
    return voice.bullets([f"{action.name}: {action.does}" for action in domain.actions])


def _prior(domain: Domain, chances: bool, voice: Voice, words: Mapping[str, object]) -> str:
    """The likelihood of worlds, in words."""
    if not chances:
        return voice.says("even")
    lines = []
    for action in domain.actions:
        outcomes = [f"{action.clause(s)} ({chance})" for s, chance in enumerate(action.chances)]
        lines.append(f"{action.name}: {'; '.join(outcomes)}")
    return f"{voice.says('chances', **words)}\n{voice.bullets(lines)}\n{voice.says('product')}"


# ---- prompts with books of others


def book_in(prompt: str) -> str:
    """The book of a task's prompt. Raises BadRow for a text that does not hold one book between its two lines."""
    return _parted(prompt)[1].strip() + "\n"


def with_book(prompt: str, book: str) -> str:
    """The prompt of a task with this book in the place of its own, whatever that says (`audit_book` checks it).

    Raises BadRow for a prompt without a book, and for a book in which a line could be taken for the one that begins or ends it.
    """
    before, _, after = _parted(prompt)
    for line in book.splitlines():
        if line.strip(" =*_`#>-").lower() in _EDGES:
            raise BadRow(f"book: the line {line[:60]!r} reads as the edge of a book; leave it out")
    return f"{before}\n\n{book.strip()}\n\n{after}"


def _parted(prompt: str) -> tuple[str, str, str]:
    """A prompt up to the line that begins its book, the book, and the rest from the line that ends it."""
    begin, end = f"\n{BEGIN}\n", f"\n{END}"
    if not prompt.count(begin) == prompt.count(end) == 1 or prompt.index(begin) > prompt.index(end):
        raise BadRow(f"prompt: expected one book between {BEGIN!r} and {END!r}; use a kumo row of a release")
    start, stop = prompt.index(begin) + len(begin) - 1, prompt.index(end) + 1
    return prompt[:start], prompt[start:stop], prompt[stop:]
