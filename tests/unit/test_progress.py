"""What commands say on standard error while they work, and what the library logs."""

from __future__ import annotations

import io
import logging
import os
import pty
import subprocess
import sys
from collections.abc import Callable

import pytest

from puzzlemill.cli.logs import logged
from puzzlemill.cli.progress import Bar, Lines, Pace, duration, in_words
from puzzlemill.solvers.kernels import compile as compiling


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (200, "3 min 20 s"), (7500, "2 h 05 min")]
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_progress_in_words() -> None:
    assert in_words(40, 100, "groups", 2.5) == "40 of 100 groups, 2.5/s, about 24 s left"
    assert in_words(40, 100, "groups", 0.25) == "40 of 100 groups, 15.0/min, about 4 min 00 s left"
    assert in_words(100, 100, "rows", 1.0) == "100 of 100 rows, 1.0/s"
    assert in_words(0, 100, "rows", 0.0) == "0 of 100 rows"
    assert in_words(12, None, "MB", 3.0) == "12 MB, 3.0/s"


def test_a_rate_is_that_of_the_last_minute(clock: Clock) -> None:
    """What a resumed run finds on the disk counts for ever, and the time left is minutes where it is hours."""
    pace = Pace(clock)
    for now, done in ((100, 0), (101, 1000), (161, 1060), (191, 1090), (221, 1120)):
        clock.now = now
        pace.note(done)
    assert pace.rate() == 1.0
    pace.note(3)
    assert pace.rate() == 0.0, "fewer than before: something else is counted"


def test_what_is_there_at_once_is_no_rate(clock: Clock) -> None:
    """ "2 of 20 groups, 42870.6/s, about 0 s left", or groups of an earlier run that make the rest seem quick."""
    pace = Pace(clock)
    for now, done in ((100, 1), (100.00002, 2), (100.5, 900)):
        clock.now = now
        pace.note(done)
        assert pace.rate() == 0.0
    clock.now = 110.5
    pace.note(905)
    assert pace.rate() == 0.5


def test_a_line_at_each_tenth_and_after_half_a_minute(clock: Clock) -> None:
    """A log has a line for every row, or is silent for an hour."""
    told: list[str] = []
    lines = Lines("groups", told.append, clock)
    clock.now += 29
    lines.tick()
    assert told == []
    clock.now += 1
    lines.tick()
    lines.tick()
    assert told == ["preparing, 30 s so far"]
    told.clear()
    for done in range(101):
        lines.show(done, 200, "sudoku train")
        clock.now += 2
        lines.tick()
    assert [line.split(",")[0] for line in told] == [
        f"sudoku train: {done} of 200 groups" for done in (14, 20, 34, 40, 54, 60, 74, 80, 94, 100)
    ]
    assert told[-1] == "sudoku train: 100 of 200 groups, 30.0/min, about 3 min 20 s left"


def test_short_work_is_silent(clock: Clock) -> None:
    """A command of half a second writes ten lines."""
    told: list[str] = []
    lines = Lines("rows", told.append, clock)
    for done in range(11):
        lines.show(done, 10, "verifying")
        clock.now += 0.05
    assert told == []


def test_a_terminal_has_one_line_with_part_count_rate_and_time_left() -> None:
    """The bar says nothing of how long it will take, or leaves lines behind."""
    code = (
        "import time\nfrom puzzlemill.cli.progress import Bar\n"
        "with Bar('groups') as bar:\n"
        "    bar.show(0, 100, 'zebra test')\n    time.sleep(1.1)\n    bar.show(10, 100, 'zebra test')\n    time.sleep(.3)\n"
    )
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen([sys.executable, "-c", code], stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(leader)
        assert process.wait(30) == 0
    text = shown.decode()
    assert "zebra test" in text and "10 of 100 groups" in text and "/s, about" in text and " left" in text
    assert text.replace("\r\n", "").count("\n") == 0 or "\x1b[1A" in text, "the line is rewritten"


def test_a_bar_off_a_terminal_ends_its_thread(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("rows") as bar:
        bar.show(1, 2, "verifying")
    assert capsys.readouterr().err == "" and bar._ended.is_set()


# ---- the log ----------------------------------------------------------------------------------------------------------


def said(level: str, say: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> str:
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    with logged(level):
        say()
    return out.getvalue()


def test_warnings_are_shown_and_news_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    log = logging.getLogger("puzzlemill.envs.endpoint")

    def say() -> None:
        log.info("try 2 of 6")
        log.warning("odd")

    assert said("", say, monkeypatch) == "odd\n"
    assert said("info", say, monkeypatch) == "puzzlemill.envs.endpoint: try 2 of 6\npuzzlemill.envs.endpoint: odd\n"
    assert said("error", say, monkeypatch) == ""
    assert len(logging.getLogger("puzzlemill").handlers) == 1, "the handler goes with the command"


def test_a_library_says_nothing_by_itself() -> None:
    """Who imports the package sees a warning that nobody has asked for."""
    code = "import logging, puzzlemill\nlogging.getLogger('puzzlemill.envs.forms').warning('odd')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr == ""


def test_compiling_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first command is silent for minutes, or says so for each kernel."""
    monkeypatch.setattr(compiling, "_announced", [])

    def twice() -> None:
        compiling.announce("latin, lines")
        compiling.announce("erase")

    told = "compiling kernels that are not in the cache yet, once, for some seconds each: latin, lines\n"
    assert said("", twice, monkeypatch) == told
    monkeypatch.setattr(compiling, "_announced", [])
    assert said("error", twice, monkeypatch) == ""
