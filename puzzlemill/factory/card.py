"""The data set card: README.md of a release, from its manifest alone, so that the same release has the same card."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

from puzzlemill.core.types import QuestionKind
from puzzlemill.factory.bundle import BESIDE
from puzzlemill.factory.card_head import citation, front_matter
from puzzlemill.factory.example import PICTURE
from puzzlemill.factory.reasoning import BY_VOICE, LAID, PROCESS, Options
from puzzlemill.factory.recipe import BANDS, CANONICAL, LEAST_SMT, Recipe, split_order
from puzzlemill.generators import family_named
from puzzlemill.scoring.summary import MEANINGS
from puzzlemill.transforms import transforms

_CLASHES = ("clash", "deep_clash", "shallow_clash")  # those that leave no answer
_BESIDE = {"hardcorelogic": "hardcorelogic_balanced"}  # recipes of what a lopsided one lacks


def card(manifest: Mapping[str, Any]) -> str:
    """Markdown with YAML front matter: a config for all rows, which is the default, and one per family, so that
    `load_dataset(DIR)` and `load_dataset(DIR, "sudoku")` find their splits.

    manifest: as writer.stage makes it; its "files" need not be complete yet.
    """
    return front_matter(manifest, _by_family(manifest)) + "\n" + _body(manifest)


def _by_family(manifest: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """Cells with rows, by family; splits in their usual order."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for cell in manifest["content"]:
        if cell["rows"]:
            found.setdefault(cell["family"], []).append(cell)
    for cells in found.values():
        cells.sort(key=lambda cell: split_order(cell["split"]))
    return found


def _table(header: Sequence[str], body: Sequence[Sequence[object]], numbers: int) -> str:
    """A Markdown table whose last `numbers` columns stand to the right."""
    words = len(header) - numbers
    rule = ["---"] * words + ["---:"] * numbers
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in [header, rule, *body])


def _filled(template: str, **values: object) -> str:
    """A text of factory/templates with these values."""
    text = (files("puzzlemill.factory") / "templates" / template).read_text(encoding="utf-8")
    return Template(text).substitute(values)


def _body(manifest: Mapping[str, Any]) -> str:
    families = _by_family(manifest)
    first = next(iter(families))
    small, few = "\n".join(_small(manifest)), "\n".join(_few(manifest))
    made = _made(manifest)
    splits = sorted({cell["split"] for cells in families.values() for cell in cells}, key=split_order)
    kinds = sorted({(family, variant) for family, _, variant in made}, key=lambda kind: (kind[0], kind[1] != CANONICAL, kind[1]))
    content = [
        [*kind, *(made[kind[0], split, kind[1]] for split in splits), sum(made[kind[0], split, kind[1]] for split in splits)]
        for kind in kinds
    ]
    found = {band for cells in families.values() for cell in cells for band in cell["difficulty"]}
    bands = (*BANDS, *sorted(found.difference(BANDS)))
    difficulty = [
        [name, *_bars([sum(c["difficulty"].get(b, 0) for c in cells) for b in bands])] for name, cells in families.items()
    ]
    supposing = ", ".join([name for name in families if family_named(name).hypothesis_class])
    forced = ", ".join([name for name in families if QuestionKind.FORCED in family_named(name).questions])
    played = ", ".join([name for name in families if QuestionKind.PLAY in family_named(name).questions])
    return _filled(
        "card.md",
        release=manifest["release"],
        rows=sum(cell["rows"] for cell in manifest["content"]),
        smt=manifest["recipe"].get("smt", LEAST_SMT),
        titles=", ".join(manifest["families"][name]["title"] for name in families),
        origin=_origin(manifest),
        version=manifest["puzzlemill"],
        publication=_publication(manifest, first),
        example=_example(manifest),
        measures=_table(["measure", "meaning"], [[name, words] for name, words in MEANINGS.values()], 0),
        citation=citation(manifest),
        content=_table(["family", "variant", *splits, "rows"], content, len(splits) + 1),
        difficulty=_table(["family", *bands], difficulty, 0),
        variants=_variants(manifest),
        traces=_traces(manifest),
        works=_works(families),
        supposing=f" {_SUPPOSING.format(supposing)}" if supposing else "",
        forced=f" {_FORCED.format(forced)}" if forced else "",
        played=f" {_PLAYED.format(played)}" if played else "",
        but_forced=(f", but for {forced}, where the stored set of cells decides" if forced else "")
        + (f", and for {played}, where what is hidden does" if played else ""),
        beside=f", with `{BESIDE}` in the same folder," if BESIDE in manifest["files"] else "",
        family=first,
        split=families[first][0]["split"],
        small=(f"{_filled('small_classes.md')}{small}\n" if small else "")
        + (f"{_filled('few_answers.md')}{few}\n" if few else ""),
        canary=manifest["canary"],
        license=manifest["license"],
    )


_FORMS = {
    BY_VOICE: "in the voice and form of each row",
    PROCESS: "as steps with labels",
    **{form: f"as {form if form != 'table' else 'tables'}" for form in LAID},
}
_SUPPOSING = (
    "Of {} all hypotheses of a declared class were tried, in two ways; a proof is about that class, which `proof.scope` names."
)
_FORCED = (
    "Of {} it is asked which cells hold the same in all arrangements: of each it was proved that they do or that they do not, and"
    " `unique` says that there is one such set."
)

_PLAYED = (
    "Of dialogues ({}) it is proved of what is left once all outcomes are seen; and that the best play takes as many actions as "
    "`play.exact` says."
)


def _works(names: Iterable[str]) -> str:
    """The measure that grades families that ask for a least answer; nothing if there are none."""
    asking = [family for family in map(family_named, names) if QuestionKind.LEAST in family.questions]
    words = [
        f"{family.name} {what} (under {medium}: easy, {hard} or more: hard)"
        for family in asking
        for what, medium, hard in [family.work_bands]
    ]
    return f",\nand where a least answer is asked for, by the work that it is: {'; '.join(words)}" if words else ""


def _example(manifest: Mapping[str, Any]) -> str:
    """A row to look at; nothing for releases without one."""
    row = manifest.get("example")
    if not row:
        return ""
    fence = "`" * max(3, *[len(run) + 1 for text in (row["prompt"], row["gold_reply"]) for run in re.findall("`+", text)], 3)
    return _filled("example.md", **row, picture=PICTURE, fence=fence)


def _publication(manifest: Mapping[str, Any], family: str) -> str:
    """The place of a release among several, what changed, and what is blind; "" for one that stands alone."""
    publication = manifest.get("publication")
    if publication is None:
        return ""
    if "reveals" in publication:
        return _filled("revealed.md", version=publication["version"], commitment=publication["reveals"], family=family)
    before = publication["previous"]
    text = _filled(
        "version.md",
        version=publication["version"],
        period=publication["period"],
        series=publication["series"],
        previous="the first one." if before is None else f"the one before is `{before}`.",
        family=family,
    )
    if before is not None:
        changes = [f"* {change}" for change in publication["changes"]] or ["Nothing but the puzzles."]
        text += "\n".join([f"\n### Changes since {before}\n", *changes]) + "\n"
    if (blind := publication["blind"]) is not None:
        listed = _table(["file", "SHA-256"], [[path, f"`{sha}`"] for path, sha in sorted(blind["files"].items())], 0)
        text += _filled(
            "blind.md",
            rows=blind["rows"],
            groups=blind["groups"],
            splits=", ".join(blind["splits"]),
            commitment=blind["commitment"],
            version=publication["version"],
            files=listed,
        )
    return text


def _origin(manifest: Mapping[str, Any]) -> str:
    """Where the puzzles are from: drawn, or imported from files."""
    imported = manifest["recipe"].get("imported")
    if imported is None:
        return (
            f"All of them were drawn by\nPuzzlemill {manifest['puzzlemill']} from random numbers; none was taken from a book, a "
            "web page or another data set."
        )
    table = _table(
        ["file", "bytes", "SHA-256"],
        [[_code(each["name"]), each["bytes"], _code(each["sha256"])] for each in imported["files"]],
        0,
    )
    kept = [_KEPT[status] for status in imported["keep"]]
    return _filled("imported.md", version=manifest["puzzlemill"], files=table, kept="".join([f" {words}" for words in kept]))


def _code(text: str) -> str:
    """A text from outside as Markdown code in a table."""
    return "`" + text.replace("`", "'").replace("|", "\\|") + "`"


_KEPT = {
    "any": "Rows whose `status` is `any` have several answers, by two formulations; each answer counts, and one is stored.",
    "unsolvable": "Puzzles without an answer were kept, so every prompt says that there may be none; their share is the files'.",
}


def _made(manifest: Mapping[str, Any]) -> Counter[tuple[str, str, str]]:
    """Rows by family, split and variant."""
    made: Counter[tuple[str, str, str]] = Counter()
    for cell in manifest["content"]:
        for variant, rows in cell["variants"].items():
            made[cell["family"], cell["split"], variant] += rows
    return made


def _bars(counts: Sequence[int]) -> list[str]:
    """Each count with a bar as long as its share."""
    total = sum(counts)
    return [f"{'█' * round(20 * count / total)} {count}".strip() if total else "0" for count in counts]


def _variants(manifest: Mapping[str, Any]) -> str:
    lines = [f"* `{CANONICAL}`: the parent of its group."]
    seen: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for stratum in manifest["recipe"]["strata"]:
        for variant in stratum["variants"]:
            chain = [call["name"] for call in variant["transforms"]]
            users = seen.setdefault((variant["name"], variant.get("of", CANONICAL)), (chain, []))[1]
            if stratum["family"] not in users:
                users.append(stratum["family"])
    for (name, of), (chain, users) in seen.items():
        known = transforms(family_named(users[0]))
        words = "; ".join(known[transform].about or f"made by `{transform}`" for transform in chain)
        lines.append(f"* `{name}` ({', '.join(users)}): {'' if of == CANONICAL else f'from `{of}`: '}{words}.")
    text = "Variants (column `variant`):\n" + "\n".join(lines)
    if any(transform in _CLASHES for chain, _ in seen.values() for transform in chain):
        text += (
            "\n\nWhere puzzles that look the same, with the same rules in the same form, come with and without a solution, their "
            "prompts say that there may be none and how to reply so, and solvable rows are at least as many: always claiming it "
            "is right half of the time at most. Other prompts say nothing of it, and their puzzles have a solution."
        )
    return text + _lopsided(manifest) + _depths(manifest)


def _traces(manifest: Mapping[str, Any]) -> str:
    """How long traces are by family; nothing for releases that do not say it."""
    found = {family: each for family, each in dict(manifest.get("traces", {})).items() if each["replies"]}
    if not found:
        return ""
    heads = ("replies", "p50", "p95", "most", "too_long", "without")
    body = [[family, *[each[head] for head in heads]] for family, each in found.items()]
    table = _table(["family", "rows with a trace", "median", "95 %", "longest", "too long", "without"], body, 6)
    how = Options(**manifest["recipe"].get("reasoning", {}))
    return _filled("traces.md", table=table, cap=f"{how.trace_tokens:,}", form=_FORMS[how.form], share=how.wrong_suppositions)


def _lopsided(manifest: Mapping[str, Any]) -> str:
    """Where the wording alone tells that there is no solution; nothing if it does nowhere."""
    if not any(stratum.get("lopsided") for stratum in manifest["recipe"]["strata"]):
        return ""
    told = [
        f"{stratum.family} ({', '.join([f'`{name}`' for name in each.names])})"
        for stratum in Recipe.from_plain(manifest["recipe"]).strata
        for each in stratum.classes()
        if each.unsolvable and not each.solvable
    ]
    text = (
        f"\n\nIn {', '.join(dict.fromkeys(told))} no puzzle that looks the same has a solution: the wording alone tells it there."
    )
    beside = _BESIDE.get(manifest["release"])
    return text + (f" `release={beside}` has rows that look the same and have one; measure on both together." if beside else "")


def _depths(manifest: Mapping[str, Any]) -> str:
    """How many unsolvable rows are shallow and deep, and where they are out of balance; nothing if there are none."""
    found: dict[str, Counter[str]] = {}
    for name, cells in _by_family(manifest).items():
        for cell in cells:
            found.setdefault(name, Counter()).update(cell.get("depths", {}))
    body = [[name, each["shallow"], each["deep"]] for name, each in found.items() if each]
    if not body:
        return ""
    text = "\n\nUnsolvable rows by depth (`proof.depth`): *shallow* if unit propagation refutes them, for our encoding.\n\n"
    text += _table(["family", "shallow", "deep"], body, 2)
    for depth in ("shallow", "deep"):
        few = [name for name, each in found.items() if 5 * each[depth] < each.total()]
        if few:
            text += (
                f"\n\nFew are {depth} of {', '.join(few)}: where a variant names no depth both are looked for alike, and there "
            )
            text += "are puzzles of which hardly any change leaves such a clash."
    return text


def _small(manifest: Mapping[str, Any]) -> Iterator[str]:
    """One line for each family and number of puzzles: parameters that have so few."""
    places: dict[tuple[str, int], list[str]] = {}
    for item in manifest["small_classes"]:
        used = f"{_named(item['base'])}, {item['used']} used" if item["capacity"] > 1 else _named(item["base"])
        places.setdefault((item["family"], item["capacity"]), []).append(used)
    for (family, capacity), names in places.items():
        yield f"* {family}, {capacity:,} puzzle{'s' if capacity > 1 else ''} each: {'; '.join(names)}."


def _few(manifest: Mapping[str, Any]) -> Iterator[str]:
    """One line for each family and number of answers: parameters that have so few."""
    places: dict[tuple[str, int], list[str]] = {}
    for item in manifest["few_answers"]:
        places.setdefault((item["family"], item["answers"]), []).append(_named(item["spec"]))
    for (family, answers), names in places.items():
        yield f"* {family}, {answers:,} answer{'s' if answers > 1 else ''}: {'; '.join(names)}."


def _named(spec: Mapping[str, Any]) -> str:
    """The parameters and rules of a spec in words."""
    params = " ".join(f"{name}={value}" for name, value in spec["params"].items())
    return " with ".join([params, *[rule[0] for rule in spec["rules"]]])
