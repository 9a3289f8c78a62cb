"""People who solve the rows of a release in a browser: a small server for this machine, one page, and files of what they did.

The page shows what a model gets to read, with cells, lines or buttons in place of the reply format. A move in a dialogue (rows of
kumo) goes through the same envs.turns.Game as a model's message; any other row takes one answer, as from a model, scored in the
row's own format. What cannot be read as a whole answer is refused and costs nothing. FILE.moves.jsonl gets a line for every
move as it is made; FILE gets one for every finished game, as `puzzlemill score` reads them: sample k is the player who came as
number k. A study that was stopped goes on where it
was, and be it in the middle of a game. A line is written first, whole or not at all, and the game follows it: on a full disk it
stands where the file stands. One study at a time writes to FILE.

The server listens on 127.0.0.1 only. It answers requests that name this machine as their host (a page elsewhere cannot reach it
through a name of its own) and, but for the page itself, that carry the token which only the page holds. Who begins under a name
is shown a code, and nobody goes on under the name without it; the file holds a hash of it. Nothing about a hidden outcome or the
answer leaves the server before it is shown in the game.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.core.rng import stream
from puzzlemill.core.text import visible
from puzzlemill.core.types import Ask
from puzzlemill.envs.grids import by_cells, given_grid
from puzzlemill.envs.turns import Episode, Game, episode
from puzzlemill.factory.files import append, last_line, locked
from puzzlemill.factory.read import Release
from puzzlemill.factory.read import rows as all_rows
from puzzlemill.questions.asks import layout_of
from puzzlemill.scoring.moves import Moves
from puzzlemill.scoring.parse import read_reply
from puzzlemill.scoring.prompt import between, gold_reply, spelled, stated
from puzzlemill.scoring.replies import Replies
from puzzlemill.scoring.score import COLUMNS, Prepared, prepared

MOST_BODY = 1 << 16  # bytes of a request
MOST_PLAYERS = 1_000
MOST_NEW = 60  # players who may come for the first time within a minute
MOST_ROWS = 10_000
_PLAYER = re.compile(r"[^\W_](?:[\w .'-]{0,38}[\w.])?")
_HASH = re.compile(r"[0-9a-f]{64}")
_READ = (*COLUMNS, "prompt", "hidden", "play")


class NotYours(BadParams):
    """A name that somebody else plays under."""


class TooMany(BadParams):
    """More new players than may come at a time."""


def games_of(release: Release, split: str, limit: int, family: str = "") -> list[dict[str, Any]]:
    """The rows to solve. split, family: "" for all. limit: the first so many, 0 for all. Raises BadParams if there are none."""
    found = []
    for row in all_rows(release, _READ):
        if split in ("", row["split"]) and family in ("", row["family"]):
            prepared(row)
            found.append(row)
            if len(found) == (limit or MOST_ROWS):
                break
    if not found:
        raise BadParams(
            f"{release.folder} has no rows of family {family or 'any'!r} in split {split or 'any'!r}; name others with --family "
            "and --split"
        )
    return found


@dataclass(slots=True)
class _Sitting:
    """One game of one player, or one puzzle. told: what came back for each message."""

    row: Mapping[str, Any]
    game: Episode
    messages: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    solved: bool | None = None

    def take(self, message: str) -> None:
        turn = self.game.step(message)
        self.messages.append(message)
        self.told.append(turn.text)
        if turn.done:
            assert turn.verdict is not None
            self.solved = turn.verdict.solved

    def after(self, message: str) -> _Sitting:
        """The game as it will stand after one more message; this one stays as it is."""
        made = _Sitting(self.row, episode(self.row))
        for each in (*self.messages, message):
            made.take(each)
        return made


class Study:
    """Players, the order of their tasks, and how far they are; `with` lets the files go at the end.

    seed: other seeds give other orders. clock: seconds, from any start. code: a new secret of some letters for each call.
    Raises BadFile if the files cannot be read or written, are written by another study, or are about other rows.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], out: Path, seed: str, clock: Callable[[], float], code: Callable[[], str]
    ) -> None:
        self.rows = {str(row["id"]): row for row in rows}
        self.out, self.moves_file, self.seed = out, out.with_name(out.name + ".moves.jsonl"), seed
        self.clock, self.code = clock, code
        self.lock = Lock()
        self.players: dict[str, int] = {}
        self.codes: dict[str, str] = {}  # player -> the hash of the code
        self.came: deque[float] = deque(maxlen=MOST_NEW)  # when the last new players came
        self.finished: dict[str, list[str]] = {}  # player -> ids, in order
        self.sittings: dict[str, _Sitting] = {}  # player -> the game that is going on, or was the last one
        try:
            self.out.parent.mkdir(parents=True, exist_ok=True)
            self.moves_file.touch()
            self._held = self.out.open("ab+", buffering=0)
        except OSError as error:
            raise BadFile(f"--out: {self.out} cannot be written ({error.strerror})") from None
        try:
            if not locked(self._held):
                raise BadFile(f"--out: {self.out} is being written by another study or run; wait for it, or name another file")
            self._resume()
        except BaseException:
            self._held.close()
            raise

    def __enter__(self) -> Study:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None, /) -> None:
        self._held.close()

    # ---- what the page asks for

    def state(self, player: str, code: str = "") -> dict[str, Any]:
        """The state of a player: the game that is going on, or the last one until the next is asked for.

        A new player's state has a code more, which is told this once and asked for from then on.
        """
        with self.lock:
            made = self._enter(player, code)
            self._settle(player)
            if player not in self.sittings:
                self._next(player)
            return self._told(player) | ({"code": made} if made else {})

    def next(self, player: str, code: str) -> dict[str, Any]:
        """The next game, once the one before is over."""
        with self.lock:
            self._check(player, code)
            self._settle(player)
            sitting = self.sittings.get(player)
            if sitting is None or sitting.solved is not None:
                self._next(player)
            return self._told(player)

    def act(self, player: str, code: str, row: str, turn: int, kind: str, choice: Sequence[object]) -> dict[str, Any]:
        """Make a move in the game of this row. turn: how many moves the player has seen in it; another number means that the page
        is not up to date, and changes nothing. kind: of a dialogue "action" (one number) or "answer" (numbers of what holds); of
        other rows "lines" (those of the answer) or "none" (a claim that there is no solution).

        Raises BadParams for what is no move.
        """
        with self.lock:
            self._check(player, code)
            self._settle(player)
            sitting = self.sittings.get(player)
            if sitting is None:
                self._next(player)
            elif sitting.solved is None and sitting.row["id"] == row and len(sitting.messages) == turn:
                self._take(player, sitting, _message(prepared(sitting.row), kind, choice))
            return self._told(player)

    # ---- players

    def _enter(self, player: str, code: str) -> str:
        """Let a player in; returns the code of a new one, "" for one who came before."""
        if not _PLAYER.fullmatch(player):
            raise BadParams("player: expected a name of at most 40 letters, digits, spaces and . ' -")
        if player in self.codes:
            self._check(player, code)
            return ""
        now = self.clock()
        if player not in self.players:
            if len(self.players) == MOST_PLAYERS:
                raise TooMany(f"player: {MOST_PLAYERS} players have come; take another file for more")
            if len(self.came) == MOST_NEW and 0 <= now - self.came[0] < 60:
                raise TooMany(f"player: {MOST_NEW} new players have come within a minute; begin again in a minute")
        made = self.code()
        self._write(self.moves_file, {"player": player, "code": _hash(made), "seconds": round(now, 3)})
        if player not in self.players:
            self.players[player] = len(self.players)
            self.came.append(now)
        self.codes[player] = _hash(made)
        return made

    def _check(self, player: str, code: str) -> None:
        """Refuse who has not the player's code."""
        if player not in self.codes:
            raise NotYours("player: nobody plays under this name yet; load the page again and begin")
        if not compare_digest(self.codes.get(player, ""), _hash(code)):
            raise NotYours(
                "player: somebody plays under this name; give the code that was shown when you began, or take another name"
            )

    # ---- games

    def _next(self, player: str) -> None:
        done = set(self.finished.get(player, ()))
        order = stream("study", self.seed, player).shuffled(sorted(self.rows))
        row = next((self.rows[name] for name in order if name not in done), None)
        if row is None:
            self.sittings.pop(player, None)
        else:
            self.sittings[player] = _Sitting(row, episode(row))

    def _take(self, player: str, sitting: _Sitting, message: str) -> None:
        """Make a move: it counts once its line is written."""
        later = sitting.after(message)
        line = {"player": player, "id": sitting.row["id"], "turn": len(later.messages), "reply": message, "told": later.told[-1]}
        self._write(self.moves_file, {**line, "seconds": round(self.clock(), 3)})
        self.sittings[player] = later
        self._settle(player)

    def _settle(self, player: str) -> None:
        """Write the line of a game that is over, unless it is written."""
        sitting = self.sittings.get(player)
        if sitting is None or sitting.solved is None:
            return
        row, done = str(sitting.row["id"]), self.finished.setdefault(player, [])
        if row not in done:
            turns = [{"reply": message} for message in sitting.messages]
            line = {"id": row, "sample": self.players[player], "reply": sitting.messages[-1], "player": player}
            line |= {"turns": turns} if isinstance(sitting.game, Game) else {}
            self._write(self.out, line)
            done.append(row)

    def _told(self, player: str) -> dict[str, Any]:
        """All that the page may know."""
        count = len(self.finished.get(player, ()))
        state: dict[str, Any] = {"player": player, "finished": count, "games": len(self.rows), "over": True}
        sitting = self.sittings.get(player)
        if sitting is None:
            return state
        case = prepared(sitting.row)
        state |= {"over": False, "id": sitting.row["id"], "told": list(sitting.told), "solved": sitting.solved}
        if not isinstance(sitting.game, Game):
            return state | _puzzle(case)
        board, play = case.puzzle.board, sitting.game.play
        columns = case.family.form.layout(case.puzzle)
        return state | {
            "kind": "dialogue",
            "title": board.title,
            "text": case.family.render(case.puzzle),
            "question": board.question,
            "actions_plural": board.actions_plural,
            "truths_plural": board.truths_plural,
            "truths": list(columns.columns[0].tokens),
            "choose": columns.max_rows,
            "actions": list(Moves(case.puzzle, case.reply_format).names),
            "done": list(play.actions),
            "left": sitting.game.left,
        }

    # ---- files

    def _write(self, path: Path, line: Mapping[str, Any]) -> None:
        """Append a line, whole or not at all."""
        try:
            _cut(path)
            with path.open("ab", buffering=0) as file:
                append(file, (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace"))
        except OSError as error:
            raise BadFile(f"{path}: cannot be written ({error.strerror}); it goes on from here once it can") from None

    def _resume(self) -> None:
        """Read what was played before; a game whose last move was written, but not its end, is finished now."""
        try:
            _cut(self.out)
            _cut(self.moves_file)
        except OSError as error:
            raise BadFile(f"--out: {self.out} cannot be written ({error.strerror})") from None
        held = Replies(self.out, self.rows)
        for number, line in enumerate(_lines(self.moves_file), 1):
            player, row, message = line.get("player"), line.get("id"), line.get("reply")
            code = line.get("code", "")
            if type(player) is not str or not _PLAYER.fullmatch(player) or type(code) is not str:
                raise BadFile(f"{self.moves_file}:{number}: these are no moves of a study; name another file with --out")
            self.players.setdefault(player, len(self.players))
            if row is None:
                if _HASH.fullmatch(code):
                    self.codes[player] = code
                continue
            if type(row) is not str or row not in self.rows or type(message) is not str:
                raise BadFile(f"{self.moves_file}:{number}: a move in a game that is not of this release; name another file")
            if self.players[player] in held.samples_of(row):
                done = self.finished.setdefault(player, [])
                if row not in done:
                    done.append(row)
                continue
            sitting = self.sittings.get(player)
            if sitting is None or sitting.row["id"] != row:
                sitting = self.sittings[player] = _Sitting(self.rows[row], episode(self.rows[row]))
            if sitting.solved is not None:
                raise BadFile(f"{self.moves_file}:{number}: a move in a game that is over; restore the file, or name another one")
            sitting.take(message)
            self._settle(player)


def _puzzle(case: Prepared) -> dict[str, Any]:
    """What the page shows of a row that takes one answer. cells: a board to fill in, "" where a cell is open; [] for lines."""
    family, puzzle = case.family, case.puzzle
    layout = layout_of(family, puzzle)
    whole = puzzle.question.ask is Ask.WHOLE and by_cells(family, puzzle, layout)
    picture = b64encode(family.draw(puzzle).encode()).decode()
    return {
        "kind": "puzzle",
        "title": family.title,
        "text": stated(puzzle),
        "picture": f"data:image/svg+xml;base64,{picture}",
        "cells": given_grid(family, puzzle, layout) if whole else [],
        "zones": list(family.zones(puzzle)) if whole else [],
        "lines": layout.max_rows if not layout.text else 1,
        "form": "a text" if layout.text else between(layout).join([f"<{column.name}>" for column in layout.columns][:40]),
        "tokens": list(layout.columns[0].tokens[:40]) if len(layout.columns) == 1 and not layout.text else [],
        "doubt": case.doubt,
    }


def _message(case: Prepared, kind: str, choice: Sequence[object]) -> str:
    """A move as a message in the row's format."""
    return _move(case, kind, choice) if case.strategy.dialogue else _whole_answer(case, kind, choice)


def _whole_answer(case: Prepared, kind: str, lines: Sequence[object]) -> str:
    """Lines as a reply in the row's format; BadParams for what is no complete answer, which a person may mend."""
    if kind == "none" and case.doubt:
        return gold_reply(case.puzzle, None, case.reply_format)
    if kind != "lines" or not all(type(line) is str for line in lines):
        raise BadParams("choice: expected the lines of an answer")
    text = "\n".join(str(line) for line in lines)
    reading = read_reply(f"<answer>\n{text}\n</answer>", case.grammar, "tags", False)
    if reading.rows is None:
        raise BadParams(f"This cannot be read as an answer: {reading.why}. It was not counted.")
    if not reading.complete:
        raise BadParams("Some places are still open. It was not counted.")
    rows = tuple([tuple([token or "?" for token in row]) for row in reading.rows])
    return spelled(rows, layout_of(case.family, case.puzzle), case.reply_format, case.doubt)


def _move(case: Prepared, kind: str, choice: Sequence[object]) -> str:
    layout = case.family.form.layout(case.puzzle)
    numbers = [number for number in choice if type(number) is int]
    if len(numbers) < len(choice):
        raise BadParams("choice: expected numbers")
    if kind == "action":
        moves = Moves(case.puzzle, case.reply_format)
        if len(numbers) != 1 or not 0 <= numbers[0] < len(moves.names):
            raise BadParams(f"choice: expected one number from 0 to {len(moves.names) - 1}")
        return moves.message(numbers[0])
    tokens = layout.columns[0].tokens
    if kind != "answer" or len(numbers) != layout.max_rows or len(set(numbers)) != len(numbers):
        raise BadParams(f"choice: expected {layout.max_rows} different numbers for an answer")
    if not all(0 <= number < len(tokens) for number in numbers):
        raise BadParams(f"choice: expected numbers from 0 to {len(tokens) - 1}")
    return spelled(tuple([(tokens[number],) for number in sorted(numbers)]), layout, case.reply_format)


def _lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of lines."""
    found = []
    for number, line in enumerate(path.read_bytes().split(b"\n")[:-1], 1):
        try:
            made = json.loads(line)
        except (ValueError, RecursionError):
            made = None
        if type(made) is not dict:
            raise BadFile(f"{path}:{number}: no JSON object; restore the file, or name another one with --out")
        found.append(made)
    return found


def _cut(path: Path) -> None:
    """Cut off a last line that is not whole: it was being written when the study stopped, or the disk was full."""
    with path.open("rb+", buffering=0) as file:
        if rest := last_line(file):
            file.truncate(file.seek(0, os.SEEK_END) - len(rest))


def _hash(code: str) -> str:
    return sha256(code.encode("utf-8", "replace")).hexdigest()


# ---- the server -------------------------------------------------------------------------------------------------------


class Server(ThreadingHTTPServer):
    """Serves a study on this machine until it is shut down. port: 0 takes a free one."""

    daemon_threads = True

    def __init__(self, study: Study, port: int, token: str) -> None:
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except (OSError, OverflowError) as error:
            raise BadParams(f"--port: {port} cannot be taken ({error}); choose another one, or 0") from None
        self.study, self.token = study, token
        self.page = (files("puzzlemill.kumo") / "people.html").read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = 30

    def do_GET(self) -> None:
        if not self._from_here():
            return
        if self.path != "/":
            self._send(404, b"not found", "text/plain")
            return
        # the token stands for the page's own script as well: nothing else in the page may run
        page = self.server.page.replace("__TOKEN__", self.server.token)
        script, style = [sha_of(part, page) for part in ("script", "style")]
        allowed = f"script-src {script}; style-src {style}; connect-src 'self'; img-src data:"
        policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
        self._send(200, page.encode(), "text/html; charset=utf-8", policy)

    def do_POST(self) -> None:
        if not self._from_here():
            return
        if not compare_digest(self.headers.get("X-Study", "").encode(), self.server.token.encode()):
            self._send(403, b"this page is not of this study; load it again", "text/plain")
            return
        try:
            found = self._answer(self.path, self._body())
        except BadInput as error:
            status = {NotYours: 403, TooMany: 429, BadFile: 507}.get(type(error), 400)
            self._send(status, str(error).encode("utf-8", "replace"), "text/plain; charset=utf-8")
            return
        self._send(200, visible(json.dumps(found, ensure_ascii=False)).encode(), "application/json")

    def _answer(self, path: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        player, code = asked.get("player"), asked.get("code", "")
        if type(player) is not str or type(code) is not str:
            raise BadParams("player: expected a name and a code")
        study, player = self.server.study, " ".join(player.split())
        if path == "/state":
            return study.state(player, code)
        if path == "/next":
            return study.next(player, code)
        if path != "/move":
            raise BadParams("there is no such request")
        row, turn, kind, choice = [asked.get(name) for name in ("id", "turn", "kind", "choice")]
        if type(row) is not str or type(turn) is not int or type(kind) is not str or type(choice) is not list:
            raise BadParams("expected id, turn, kind and choice")
        return study.act(player, code, row, turn, kind, choice)

    def _body(self) -> Mapping[str, Any]:
        size = self.headers.get("Content-Length", "")
        if not (size.isascii() and size.isdigit() and len(size) < 8 and int(size) <= MOST_BODY):
            self.close_connection = True
            raise BadParams(f"expected a request of at most {MOST_BODY} bytes")
        try:
            found = json.loads(self.rfile.read(int(size)))
        except (ValueError, RecursionError):
            found = None
        if type(found) is not dict:
            raise BadParams("expected a JSON object")
        return found

    def _from_here(self) -> bool:
        if self.headers.get("Host", "") in (f"127.0.0.1:{self.server.server_port}", f"localhost:{self.server.server_port}"):
            return True
        self._send(403, b"this server is for this machine only", "text/plain")
        return False

    def _send(self, status: int, body: bytes, kind: str, policy: str = "default-src 'none'") -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Content-Security-Policy", policy),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: names of players are nobody's business."""


def sha_of(part: str, page: str) -> str:
    """The hash by which a policy allows this page's script or style, and nothing else."""
    inside = page.partition(f"<{part}>")[2].partition(f"</{part}>")[0]
    return f"'sha256-{b64encode(sha256(inside.encode()).digest()).decode()}'"
