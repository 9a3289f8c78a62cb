"""`puzzlemill stats`: measure what is in a data set, and whether its transforms do what they are named for."""

from __future__ import annotations

import argparse
import json

from puzzlemill.analysis import complexity, complexity_page, lazy, perplexity, surface, tables
from puzzlemill.analysis import options_told as looks
from puzzlemill.analysis.pages import write_page
from puzzlemill.analysis.stats import measured, to_json, to_text
from puzzlemill.core.errors import BadParams
from puzzlemill.factory.read import open_release, rows


def run(options: argparse.Namespace) -> int:
    if options.model and not options.report:
        raise BadParams("--model: goes into the report; name a file with --report")
    if options.model_groups < 1:
        raise BadParams(f"--model-groups: expected at least 1, got {options.model_groups}")
    release = open_release(options.dir)
    found = measured(release)
    as_json = to_json(found) if options.json else {}
    in_words = [] if options.json else [to_text(found)]
    if options.surface:
        told, rates = surface.surface(rows(release, surface.COLUMNS)), lazy.rates(rows(release, lazy.COLUMNS))
        picks = looks.picks(rows(release, looks.COLUMNS))
        as_json["surface"] = {
            "readers": tables.to_json(told),
            "policies": tables.to_json(rates),
            "options": tables.to_json(picks),
        }
        in_words += [surface.to_text(told), lazy.to_text(rates), *([looks.to_text(picks)] if picks else [])]
    if options.report:
        if options.report.resolve().is_relative_to(options.dir.resolve()):
            raise BadParams(f"--report: {options.report} lies in the release, whose files are fixed; name a file elsewhere")
        model = None
        if options.model:
            model = perplexity.load(options.model)
        judged = complexity.complexity(release, model, options.model or "", options.model_groups)
        write_page(complexity_page.page(release, judged), options.report, "--report")
        as_json["complexity"] = complexity.to_json(judged)
        in_words += [complexity_page.to_text(judged), str(options.report)]
    print(json.dumps(as_json, indent=2) if options.json else "\n\n".join(in_words))
    return 0
