"""`puzzlemill stats`: what is in a data set, and whether its transforms do what they are named for."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadParams


def add(commands: Any) -> None:
    command = commands.add_parser("stats", help="what is in a data set, and how complex it is", description=__doc__)
    command.add_argument("folder", metavar="DIR", type=Path)
    command.add_argument("--json", action="store_true", help="as one JSON object")
    command.add_argument("--report", metavar="FILE", type=Path, help="write a report on complexity: one HTML file")
    command.add_argument(
        "--model", metavar="NAME_OR_PATH", help="a causal language model of transformers, for bits per character in the report"
    )
    command.add_argument(
        "--model-groups", type=int, default=20, metavar="N", help="groups of each step that the model reads (20)"
    )
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from puzzlemill.analysis.stats import measured, to_json, to_text
    from puzzlemill.factory.read import open_release

    if options.model and not options.report:
        raise BadParams("--model: goes into the report; name a file with --report")
    if options.model_groups < 1:
        raise BadParams(f"--model-groups: expected at least 1, got {options.model_groups}")
    release = open_release(options.folder)
    found = measured(release)
    out = to_json(found) if options.json else {}
    told = [] if options.json else [to_text(found)]
    if options.report:
        from puzzlemill.analysis import complexity, complexity_page
        from puzzlemill.analysis.pages import write_page

        if options.report.resolve().is_relative_to(options.folder.resolve()):
            raise BadParams(f"--report: {options.report} lies in the release, whose files are fixed; name a file elsewhere")
        model = None
        if options.model:
            from puzzlemill.analysis.perplexity import load

            model = load(options.model)
        judged = complexity.complexity(release, model, options.model or "", options.model_groups)
        write_page(complexity_page.page(release, judged), options.report, "--report")
        out["complexity"] = complexity.to_json(judged)
        told += [complexity_page.to_text(judged), str(options.report)]
    if options.json:
        import json

        print(json.dumps(out, indent=2))
    else:
        print("\n\n".join(told))
    return 0
