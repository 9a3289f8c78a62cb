"""The files under conf/: they are shipped, they compose, they say what the families say, and each part of them can be built."""

from __future__ import annotations

from dataclasses import asdict, fields
from itertools import product

import pytest

from puzzlemill.cli.settings import compose, named_variant, recipe_of, variants_of
from puzzlemill.core.errors import BadParams
from puzzlemill.factory.build import build_group
from puzzlemill.factory.conf import CONF, choices
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.generators import families
from puzzlemill.solvers.engines import Budget
from puzzlemill.transforms import transforms


def groups() -> list[str]:
    return sorted(path.name for path in CONF.iterdir() if path.is_dir())


def recipe(*settings: str) -> Recipe:
    return recipe_of(compose(settings))


def test_every_group_is_shipped_and_every_choice_composes() -> None:
    """A file under conf/ is not in the wheel, or does not compose."""
    assert groups() == ["executor", "family", "golden", "hub", "proof", "release", "variant"]
    assert choices("family") == list(families())
    for name in groups():
        for choice in choices(name):
            composed = compose([f"{'+' if name in ('golden', 'hub') else ''}{name}={choice}"])  # of other commands
            assert composed["seed"] in ("demo", choice)


@pytest.mark.parametrize("name", choices("family"))
def test_a_family_s_file_names_its_parameters(name: str) -> None:
    """A parameter can only be set with "+", or the file names one that the family does not have."""
    composed = compose([f"family={name}"])["family"]
    family = families()[name]
    assert composed["name"] == name
    assert set(composed["params"]) == {field.name for field in fields(family.params)}


@pytest.mark.parametrize("name", choices("family"))
def test_a_family_s_file_has_the_family_s_own_defaults(name: str) -> None:
    """`list` and `make` name other defaults than `show` and `generate` use; lists that are taken in turn may differ."""
    usual = asdict(families()[name].params())
    for param, value in compose([f"family={name}"])["family"]["params"].items():
        assert usual[param] in value if isinstance(value, list) else value == usual[param], param


def test_budgets_are_those_of_the_library() -> None:
    """The usual budgets stand in two places and differ."""
    proof = compose([])["proof"]
    attempts, smt = proof.pop("attempts"), proof.pop("smt")
    assert proof.pop("checks") == 20_000  # less than the library's: more of them decide hardly more
    assert proof == {name: amount for name, amount in asdict(Budget()).items() if name != "checks"}
    recipe = Recipe.from_plain({"name": "a", "seed": "b", "strata": [{"family": "zebra", "counts": {"test": 1}}]})
    assert (attempts, smt) == (recipe.attempts, recipe.smt)


def test_the_recipes_of_kumo_have_the_sizes_of_their_names() -> None:
    """Fewer domains or tasks than the paper has, other sizes, or training tasks that can be ones of the hard release."""

    def cells(name: str) -> list[tuple[str, int, int, float]]:
        """(domain, truths, actions, tasks of each split together), of each domain of each part."""
        found = []
        for part in recipe(f"release={name}").strata:
            bases = part.bases()
            each = sum(count for _, count in part.counts) / len(bases)
            found += [(base.params.domain, base.params.truths, base.params.actions, each) for base in bases]
        return found

    easy, hard, train = (cells(name) for name in ("kumo_easy", "kumo_hard", "kumo_train"))
    assert len({domain for domain, *_ in easy}) == len(easy) == 100
    assert {cell[1:] for cell in easy} == {(4, 6, 50)}
    assert len({domain for domain, *_ in hard}) == len(hard) == 5
    assert {cell[1:] for cell in hard} == {(12, 16, 50)}
    assert not {domain for domain, *_ in hard} & {domain for domain, *_ in train} and all(cell[1] < 12 for cell in train)
    assert recipe("release=kumo_train").excludes == ("kumo_easy",)


def test_every_transform_is_a_variant_of_its_own_name() -> None:
    """A transform cannot be asked for by name, or its name means something else."""
    for name, family in families().items():
        for transform in transforms(family):
            assert named_variant(transform, name) == {"name": transform, "transforms": [transform]}
        listed = {call if isinstance(call, str) else call["name"] for chain in variants_of(family).values() for call in chain}
        assert listed == set(transforms(family))


@pytest.mark.parametrize("variant", choices("variant"))
def test_a_variant_has_a_file_only_where_it_is_more_than_a_transform(variant: str) -> None:
    """A file says again what a transform's name says."""
    (transforms_, name) = (compose([f"variant={variant}"])["variant"][key] for key in ("transforms", "name"))
    assert name == variant and transforms_ != [variant]


def test_a_transform_as_variant_takes_arguments() -> None:
    """`variant=layers` and then other settings of the variant are lost, or come too early."""
    settings = ["family=crypto", "variant.transforms=[{name: layers, args: {layers: 4}}]", "variant=layers"]
    (variant,) = recipe(*settings).strata[0].variants
    assert (variant.name, [call.args for call in variant.transforms]) == ("layers", [(("layers", 4),)])
    (plain,) = recipe("family=crypto", "variant=layers").strata[0].variants
    assert [(call.name, call.args) for call in plain.transforms] == [("layers", ())]


@pytest.mark.slow
@pytest.mark.parametrize("variant", sorted({name for family in families().values() for name in variants_of(family)}))
def test_every_variant_builds_for_a_family_at_least(variant: str) -> None:
    """A variant that fits nothing is a trap, and one that fits cannot be built from its name and the family's file alone."""
    built = 0
    names = [name for name in choices("family") if variant in variants_of(families()[name])]
    first = sum(map(ord, variant)) % len(names)
    for family in [*names[first:], *names[:first]]:  # so that it is not the same family for each variant
        if built and (family, variant) not in NEEDED:
            continue
        settings = [f"family={family}", f"variant={variant}", "count=1"]
        made = _recipe_or_refusal([*settings, *NEEDED.get((family, variant), [])])
        if isinstance(made, str):
            assert "does not fit" in made
            continue
        result = build_group(made, made.strata[0], "train", 0)
        assert [row["variant"] for row in result.rows] == ["canonical", *([variant] if variant != "canonical" else [])]
        built += 1
    assert built


def test_a_variant_of_another_family_is_refused() -> None:
    """What the family does not have is passed over."""
    for family, variant in (("hanoi", "zones"), ("kumo", "unsolvable_givens"), ("sudoku", "right_only")):
        with pytest.raises(BadParams, match=r"unknown (transform|variant)"):
            recipe_of(compose([f"family={family}", f"variant={variant}", "count=1"]))


def _recipe_or_refusal(settings: list[str]) -> Recipe | str:
    try:
        return recipe_of(compose(settings))
    except BadParams as error:
        return str(error)


# what a family's usual puzzle lacks for a variant
NEEDED = {
    ("coding", "all_conditions"): ["family.params.task=conditions"],
    ("crossword", "unclued"): ["family.params.style=checked", "family.params.lexicon=known", "family.params.size=5"],
    ("cryptogram", "fewer_letters"): ["family.params.revealed=4"],
    ("sudoku", "fewer_givens"): ["family.params.givens=36"],
    ("sudoku", "max_box"): ["family.params.givens=32"],
    ("sudoku", "nonconsecutive"): ["family.params.givens=32"],
    ("binario", "fewer_givens"): ["family.params.givens=30"],
    ("hanoi", "right_only"): ["family.params.pegs=5", "family.params.disks=5"],
    ("hanoi", "one_way"): ["family.params.pegs=5", "family.params.disks=5", "lopsided=true"],
    ("hanoi", "deep_one_way"): ["family.params.pegs=4", "family.params.disks=5", "family.params.goal=random", "lopsided=true"],
}


def test_the_quick_release_is_what_it_promises() -> None:
    """release=quick lost a family, a split, a variant, or is smaller than 500 rows."""
    made = recipe("release=quick")
    assert {part.family for part in made.strata} == set(families())
    rows = sum(count * (1 + len(part.variants)) for part in made.strata for _, count in part.counts)
    assert rows >= 500
    for part in made.strata:
        assert [split for split, count in part.counts if count] == ["train", "validation", "test"]
    for family in ("sudoku", "binario", "zebra"):
        assert all(_variants(part)[:1] == ["unsolvable"] for part in made.strata if part.family == family)
    zebra = next(part for part in made.strata if part.family == "zebra")
    assert _variants(zebra) == ["unsolvable", "shuffled", "exclusive_or", "either_or_clash"]
    shapes = [dict(part.params) for part in made.strata if part.family == "binario"]
    assert any(rows != cols for shape in shapes for rows, cols in product(shape["rows"], shape["cols"]))


def _variants(part: Stratum) -> list[str]:
    return [variant.name for variant in part.variants]


@pytest.mark.slow
def test_every_stratum_of_every_release_builds() -> None:
    """A stratum of a release can be composed but not built. Those of the releases in golden/pin.py are built there."""
    for name in sorted({*choices("release")} - {"longtail", "hardcorelogic", "quick", "kumo_easy"}):
        made = recipe(f"release={name}")
        for stratum in made.strata:
            assert build_group(made, stratum, stratum.counts[0][0], 0).rows, (name, stratum.family)
