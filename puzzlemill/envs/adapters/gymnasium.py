"""Gymnasium: puzzles as an environment that is observed and acted on in text.

    import gymnasium
    import puzzlemill.envs.adapters.gymnasium

    env = gymnasium.make("puzzlemill/Puzzle-v0", family="sudoku", params={"size": 6})
    prompt, info = env.reset(seed=1)
    text, reward, terminated, truncated, info = env.step("...")

An episode is one puzzle: the observation is its prompt, an action is a reply, and the reward of the last one is its score; those
before it earn nothing. Of a row that is a dialogue (family "kumo") an action is a message, the observation what comes back, and
the reward 1 if the game was won. How many replies there are is part of the task and told in the observation, so that an episode
terminates and is never truncated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from puzzlemill.core.errors import BadInput, BadParams
from puzzlemill.envs.live import Live
from puzzlemill.envs.turns import Episode, episode, known_turns
from puzzlemill.factory.read import batches, open_release
from puzzlemill.scoring.moves import Play
from puzzlemill.scoring.parse import WINDOW
from puzzlemill.scoring.score import Verdict

try:
    import gymnasium
except ImportError:
    raise BadInput("gymnasium is not installed; pip install 'puzzlemill[gymnasium]'") from None

ID = "puzzlemill/Puzzle-v0"
LONGEST = 262_144  # characters of an observation; the prompt of a 25x25 sudoku has some 3,000, a long book of a kumo some 80,000
_SIGNS = "\n" + "".join(map(chr, range(32, 127)))  # what samples are made of
_NUMBERS = 1 << 53  # of live puzzles


class AnyText(gymnasium.spaces.Text):  # type: ignore[misc]
    """Any text of at most max_length characters. Samples are of printable ASCII, but a model may write anything."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length, min_length=0, charset=_SIGNS)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


def _not_shared(_space: AnyText, n: int = 1, **_: Any) -> None:
    raise gymnasium.error.CustomSpaceError(f"text of {n} environments cannot be shared: pass shared_memory=False")


# Gymnasium 1.4 reads texts from shared memory once, before the first reset, and hands those out ever after: better an error.
gymnasium.vector.utils.create_shared_memory.register(AnyText, _not_shared)


class PuzzleEnv(gymnasium.Env[str, str]):  # type: ignore[misc]
    """Rows of a release, or fresh puzzles of one family without end.

    release: a folder that `puzzlemill generate` or `release` wrote; split, families, variants: which of its rows (None: all).
    family: in place of a release; seed, params, rules, transforms, band, reply_formats: as envs.live.Live takes them.
    turns: replies per episode; with more than 1, what is wrong with a reply is told (envs.turns.Feedback). A row that is a
        dialogue has a number of its own, whatever this is (envs.turns.Game).

    reset(seed=...) seeds the draw of puzzles, as everywhere in Gymnasium. options={"row": N} takes row N of the release, or live
    puzzle N. info has the row's id, family, variant and number; after a step also the verdict of the reply.
    Raises BadInput for what cannot be used.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        release: str | Path | None = None,
        *,
        split: str | None = "train",
        families: Sequence[str] | None = None,
        variants: Sequence[str] | None = None,
        family: str | None = None,
        seed: str = "gymnasium",
        params: Mapping[str, Any] | None = None,
        rules: Sequence[str] = (),
        transforms: Sequence[str] = (),
        band: str = "",
        reply_formats: Sequence[str] = ("json",),
        turns: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if (release is None) == (family is None):
            raise BadParams("name either a release folder or a family; as in family='sudoku'")
        if render_mode not in (None, "ansi"):
            raise BadParams(f"render_mode: expected ansi or none, got {str(render_mode)[:40]!r}")
        self.render_mode = render_mode
        self.turns = known_turns(turns)
        self._live: Live | None = None
        self._rows: list[dict[str, Any]] = []
        if family is not None:
            self._live = Live(
                family,
                seed=seed,
                params=params,
                rules=rules,
                transforms=transforms,
                band=band,
                reply_formats=reply_formats,
            )
        elif release is not None:
            self._rows = _rows(Path(release), split, families, variants)
        self.observation_space = AnyText(LONGEST)
        self.action_space = AnyText(WINDOW)  # of a longer reply the end is read
        self._episode: Episode | None = None
        self._told: list[str] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        count = len(self._rows) or _NUMBERS
        number = int(self.np_random.integers(count))
        if options and "row" in options:
            number = options["row"]
            if type(number) is not int or not 0 <= number < count:
                raise BadParams(f"options: row: expected 0 to {count - 1}, got {str(number)[:40]}")
        row = self._rows[number] if self._live is None else self._live.row(number)
        self._episode = episode(row, self.turns)
        prompt = self._episode.start()
        if len(prompt) > LONGEST:
            raise BadParams(f"row {row['id']}: a prompt of {len(prompt)} characters, at most {LONGEST} fit the space")
        self._told = [prompt]
        return prompt, {**{name: row[name] for name in ("id", "family", "variant")}, "number": number}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        if self._episode is None:
            raise gymnasium.error.ResetNeeded("the episode is over, or none was begun; call reset()")
        turn = self._episode.step(action)
        if turn.done:
            self._episode = None
        self._told += [str(action)[:LONGEST], turn.text[:LONGEST]]
        reward = turn.verdict.score if turn.done and turn.verdict is not None else 0.0
        info = {} if turn.verdict is None else {"verdict": _plain(turn.verdict)}
        return turn.text[:LONGEST], reward, turn.done, False, info

    def render(self) -> str | None:
        """The dialogue so far; None without the render mode ansi."""
        return "\n\n".join(self._told) if self.render_mode == "ansi" else None


def _plain(verdict: Verdict) -> dict[str, Any]:
    """The figures of a verdict: vector environments stack these."""
    return {
        "solved": verdict.solved,
        "credit": verdict.credit,
        "subtask": verdict.subtask,
        "complete": verdict.complete,
        "why": verdict.why,
        "broken": ", ".join(verdict.broken),
        "claims_unsolvable": verdict.claims_unsolvable,
    } | ({} if verdict.play is None else _played(verdict.play))


def _played(play: Play) -> dict[str, Any]:
    """The outcome of a dialogue, in numbers; exact, compat: actions of the best play by both semantics, -1 where unknown."""
    best = {"exact": -1 if play.exact is None else play.exact, "compat": -1 if play.compat is None else play.compat}
    return {
        "actions": len(play.actions),
        "messages": play.messages,
        "illegal": play.illegal,
        "unreadable": play.unreadable,
    } | best


def _rows(
    folder: Path, split: str | None, families: Sequence[str] | None, variants: Sequence[str] | None
) -> list[dict[str, Any]]:
    """The rows of a release that are asked for, with the columns that an episode reads."""
    from puzzlemill.envs.columns import COLUMNS_READ

    release = open_release(folder)
    columns = [name for name in COLUMNS_READ if name not in ("trace", "gold_reply", "difficulty", "canonical_key", "canary")]
    found = []
    for path in release.data_files():
        for batch in batches(release.folder / path, columns):
            found += [
                row
                for row in batch
                if (split is None or row["split"] == split)
                and (families is None or row["family"] in families)
                and (variants is None or row["variant"] in variants)
            ]
    if not found:
        raise BadParams(f"{folder}: no row of split {split}, families {families}, variants {variants}")
    return found


if ID not in gymnasium.registry:
    gymnasium.register(id=ID, entry_point=PuzzleEnv)
