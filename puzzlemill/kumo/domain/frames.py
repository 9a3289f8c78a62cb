"""Frames of invented domains: scenes, and what can be done there, with gaps for names that invent.py makes up.

All wording is our own. In it {place} and {person} are names, {it} is what the scene is about, and {y} is the word that makes one
action's instrument this domain's own ("the tesk lamp"). A frame has actions of its own and a pool that it shares with others.

Actions are written down as

    lamp: hold the {y} lamp above {it}        the thing, and what to do
      = burns blue / = smokes / = goes out    outcomes; "=" is "the {y} lamp"
    scale: lay {it} on the {y} scale
      # weight, *, 2 400 0                    a numeric one: "the {y} weight", unit (* for an invented one), low, high, decimals

Outcomes of one action exclude each other, whichever of them a domain takes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Method:
    """A way of finding out. thing: a noun; does: what to do with it; outcomes: clauses, all with {y}, () for a numeric one.

    quantity, unit, scale: of a numeric one; unit "*" for an invented one; scale is (low, high, decimals), low and high without
    their points.
    """

    thing: str
    does: str
    outcomes: tuple[str, ...]
    quantity: str = ""
    unit: str = ""
    scale: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Frame:
    """A scene. nouns: truth, truths, action, actions. form: how the two words of a truth's name are put together."""

    title: str
    topic: str
    nouns: tuple[str, str, str, str]
    it: str
    scene: str
    question: str
    form: str
    pool: str
    own: tuple[Method, ...]


def methods(text: str) -> tuple[Method, ...]:
    """What a block of text tells, in its order. Raises ValueError at a line that is neither a head nor a body."""
    found = []
    lines = [line for line in text.splitlines() if line.strip()]
    for head, body in zip(lines[::2], lines[1::2], strict=True):
        named = re.fullmatch(r"([a-z][a-z' -]*): (\S.*)", head)
        if named is None or not body.startswith("  "):
            raise ValueError(f"expected 'thing: what to do' and an indented line, got {head!r} and {body!r}")
        thing, does = named.groups()
        if body.strip().startswith("#"):
            quantity, unit, scale = [part.strip() for part in body.strip().removeprefix("#").split(",")]
            low, high, decimals = scale.split()
            bounds = (int(low.replace(".", "")), int(high.replace(".", "")), int(decimals))
            found.append(Method(thing, does, (), f"the {{y}} {quantity}", unit, bounds))
        else:
            outcomes = [clause.strip().replace("=", f"the {{y}} {thing}") for clause in body.split("/")]
            found.append(Method(thing, does, tuple(outcomes)))
    return tuple(found)


_BENCH = """
lamp: hold the {y} lamp above {it}
  = burns blue / = burns low / = smokes / = goes out
bell: ring the {y} bell beside {it}
  = sounds dull / = rings twice / = rings on by itself / = stays silent
mirror: hold the {y} mirror behind {it}
  = clouds over / = darkens at the rim / = shows a second image / = stays clear
salt: strew the {y} salt around {it}
  = turns grey / = clumps / = hisses / = lies as it fell
needle: hang the {y} needle over {it}
  = swings to the north / = trembles / = turns in circles / = hangs still
thread: draw the {y} thread across {it}
  = frays / = knots itself / = snaps / = slides off
taper: light the {y} taper beside {it}
  = leans to the left / = leans to the right / = stands upright / = dies in its own wax
lens: look at {it} through the {y} lens
  rings are seen in the {y} lens / a net of lines is seen in the {y} lens / nothing new is seen in the {y} lens
paper: press the {y} paper against {it}
  = turns red / = turns green / = curls up / = keeps its colour
powder: dust {it} with the {y} powder
  = gathers in rings / = gathers in stripes / = glitters where it lies / = falls off
oil: put a drop of the {y} oil on {it}
  = spreads out / = stands in a bead / = sinks in / = turns milky
vinegar: pour the {y} vinegar over {it}
  = foams / = turns brown / = smells of almonds / = does nothing
lodestone: bring the {y} lodestone near {it}
  = jumps forward / = is pushed away / = turns over / = does not stir
hammer: tap {it} with the {y} hammer
  = rings / = thuds / = springs back / = leaves a dent
fork: set the {y} fork upon {it}
  = sings on / = falls silent at once / = changes its note
feather: drop the {y} feather on {it}
  = hovers / = sticks / = singes / = slides down
smoke: blow the {y} smoke at {it}
  = parts in two / = is drawn in / = turns violet / = rises straight
chalk: draw a ring of the {y} chalk around {it}
  = fades / = darkens / = flakes off / = stays as drawn
ice: lay a chip of the {y} ice on {it}
  = melts at once / = cracks / = grows / = slides off
glass: cover {it} with the {y} glass
  = fogs from within / = hums / = cracks / = stays clear
ink: let the {y} ink drip on {it}
  = runs outwards / = forms a ring / = vanishes / = dries at once
beetle: set the {y} beetle beside {it}
  = walks around it / = flees / = falls asleep / = digs a hole
wire: wind the {y} wire around {it}
  = glows / = hums / = stretches / = breaks
clay: press the {y} clay onto {it}
  = hardens / = crumbles / = takes a blue stain / = stays soft
whistle: blow the {y} whistle at {it}
  = gives two tones / = chokes / = sounds as ever
leaf: lay the {y} leaf upon {it}
  = wilts / = unfolds / = turns silver / = stays green
coin: spin the {y} coin beside {it}
  = topples at once / = spins for a minute / = rolls away
pendulum: swing the {y} pendulum over {it}
  = swings in ovals / = swings in a line / = stops short / = speeds up
ribbon: tie the {y} ribbon around {it}
  = loosens / = tightens / = fades / = holds its knot
balance: weigh {it} on the {y} balance
  # weight, *, 2 400 0
thermometer: press the {y} thermometer to {it}
  # warmth, degrees, 0 140 0
gauge: clamp the {y} gauge to {it}
  # strain, *, 0.5 9.5 1
glow meter: hold the {y} glow meter before {it}
  # glow, *, 0 80 0
counter: leave the {y} counter beside {it} for an hour
  # count, , 0 600 0
rule: measure {it} with the {y} rule
  # width, *, 2 90 0
sandglass: warm {it} and time its cooling with the {y} sandglass
  # cooling time, s, 0.5 30.0 1
density jar: drop a flake of {it} into the {y} density jar
  # density, g/cm³, 0.4 9.9 1
"""

_WATCH = """
dish: turn the {y} dish towards {it}
  = hums / = crackles / = picks up two tones / = stays silent
prism: split {it} with the {y} prism
  = shows a dark band / = shows a double red / = shows a gap in the green / = shows all colours
plate: expose the {y} plate to {it}
  = blackens / = shows a streak / = shows a ring / = stays blank
filter: look at {it} through the {y} filter
  = dims it by half / = blots it out / = splits it in two / = changes nothing
shutter: watch {it} through the {y} shutter
  = makes it flicker / = freezes it / = shows it running backwards
crystal: hold the {y} crystal up to {it}
  = turns cloudy / = rings faintly / = casts a green spot / = lies dead
grid: set up the {y} grid against {it}
  = warps at the middle / = warps at the edge / = stays straight
aerial: raise the {y} aerial before dawn
  = sparks / = sings / = grows hoarfrost / = hangs quiet
wheel: spin the {y} wheel before {it}
  = seems to stand still / = seems to turn backwards / = blurs to grey
screen: catch {it} on the {y} screen
  = shows a crescent / = shows a double spot / = shows a grainy haze / = stays dark
drum: leave the {y} drum to record all night
  = holds a saw-toothed line / = holds three bursts / = holds a slow swell / = holds a flat line
almanac: look {it} up in the {y} almanac
  = has a blank page there / = tells of a flood that year / = tells of a wedding that year
balloon: send the {y} balloon up towards {it}
  = drifts east / = comes down frozen / = bursts early / = comes down dry
kite: fly the {y} kite beneath {it}
  = pulls hard / = dances / = will not rise
well: look up at {it} from the bottom of the {y} well
  = shows it by day / = shows a halo around it / = shows a black sky
bowl: watch {it} in the {y} bowl of quicksilver
  = ripples / = mirrors it upside down / = goes dull / = mirrors it plainly
choir: ask the {y} choir to listen for {it}
  = hears a fifth / = hears a falling tone / = hears a heartbeat / = hears nothing
owl: carry the {y} owl outside
  = turns its head away / = calls three times / = stares upwards / = falls asleep
moth trap: light the {y} moth trap below {it}
  = fills within an hour / = fills at dawn / = stays empty
hut keeper: question the {y} hut keeper
  = saw it pulse / = saw it set twice / = saw nothing but fog
sieve: set out the {y} sieve for falling dust
  = holds black grains / = holds glass beads / = holds feathery ash / = holds nothing
mast: climb the {y} mast to see {it}
  = sways without wind / = glows at the tip / = stands quiet
quartz: compare the beat of the {y} quartz
  = runs ahead / = lags / = skips beats / = keeps time
veil: draw the {y} veil across {it}
  = shines through / = casts a coloured edge / = swallows it
horn: sound the {y} horn towards {it}
  an echo answers the {y} horn at once / an echo answers the {y} horn after supper / no echo answers the {y} horn
harp: open the {y} harp to the night air
  = plays low chords / = plays a scale / = snaps a string / = stays mute
tile: leave the {y} tile in its light
  = bleaches / = reddens / = cracks / = looks the same
gong: strike the {y} gong at its brightest
  = makes it dim / = makes it flare / = makes no difference
photometer: measure {it} with the {y} photometer
  # brightness, *, 0 90 0
sextant: take the height of {it} with the {y} sextant
  # height, degrees, 0 90 0
chronometer: time {it} with the {y} chronometer
  # period, s, 0.5 60.0 1
spectroscope: read the strongest line in the {y} spectroscope
  # line, nm, 380 780 0
drift scale: follow {it} on the {y} drift scale
  # drift, *, 0.0 12.0 1
tally: count its flashes on the {y} tally
  # tally, , 0 300 0
tilt table: level the {y} tilt table under {it}
  # tilt, degrees, 0 180 0
hygrometer: read the {y} hygrometer beneath {it}
  # dampness, percent, 0 100 0
"""

_BEING = """
bowl: leave the {y} bowl of milk for {it}
  = is empty by morning / = is turned over / = is covered with frost / = is untouched
flute: play the {y} flute for {it}
  = draws it closer / = drives it away / = puts it to sleep
cradle: set up the {y} cradle near {it}
  = rocks / = is filled with moss / = stands still
bread: offer {it} the {y} bread
  = is eaten / = is buried / = turns mouldy at once / = is ignored
mask: wear the {y} mask before {it}
  = makes it bow / = makes it hiss / = makes it hide / = leaves it cold
drum: beat the {y} drum near {it}
  = is answered in kind / = makes it tremble / = goes unheard
stone ring: lay the {y} stone ring around {it}
  = is crossed at once / = is walked three times / = is kept
cloak: throw the {y} cloak over {it}
  = sinks flat / = floats / = is worn with pride / = is torn
honey: smear the {y} honey on a post
  = is licked off / = turns black / = stays as it was
mirror: show {it} the {y} mirror
  = stays empty / = shows a stranger / = is breathed upon / = is smashed
rattle: shake the {y} rattle behind {it}
  = makes it turn / = makes it sing / = makes it vanish for a while / = makes no difference
incense: burn the {y} incense upwind of {it}
  = makes it sneeze / = makes it bigger / = makes it pale / = bends away from it
puzzle box: give {it} the {y} puzzle box
  = is solved / = is swallowed / = is given back / = is left alone
shell: hold the {y} shell towards {it}
  = whispers / = cracks / = fills with water / = stays mute
stew: cook the {y} stew within its reach
  = is finished / = goes sour / = gains an unknown spice
hound: let the {y} hound meet {it}
  = wags its tail / = howls / = lies down / = sees nobody
cat: let the {y} cat meet {it}
  = arches its back / = purrs / = sleeps on
rope: stretch the {y} rope across its path
  = is jumped / = is tied in knots / = is cut / = hangs as before
riddle: ask {it} the {y} riddle
  = is answered / = is answered with another / = makes it angry / = is met with silence
lullaby: sing it the {y} lullaby
  = makes it weep / = is sung along / = makes it yawn
sand: strew the {y} sand before its door
  = shows hooves / = shows bare feet / = shows a dragged tail / = shows nothing
seed: plant the {y} seed where it slept
  = sprouts overnight / = comes up white / = rots / = waits for rain
portrait: show it the {y} portrait
  = is kissed / = is turned to the wall / = is scratched / = is ignored
lantern: carry the {y} lantern up to {it}
  = is blown out / = throws no shadow of it / = throws two shadows of it / = draws it closer
bell rope: pull the {y} bell rope at noon
  = makes it stop / = makes it dance / = makes it cover its ears
nettles: hang the {y} nettles over the door
  = wither / = bloom / = stay green
name: call {it} by the {y} name
  = makes it look up / = makes it laugh / = is repeated / = goes unheard
ferryman: ask the {y} ferryman about {it}
  = crosses himself / = demands a fare for it / = shrugs
scales: lure {it} onto the {y} scales
  # burden, *, 0 250 0
ear trumpet: count its breaths with the {y} ear trumpet
  # breath, per minute, 0 90 0
thermometer: hang the {y} thermometer in its room
  # chill, degrees, 0 40 0
yardstick: mark its shadow with the {y} yardstick
  # shadow, *, 1 60 0
hourglass: time its visits with the {y} hourglass
  # stay, minutes, 2 240 0
abacus: count its steps on the {y} abacus
  # stride, , 2 90 0
noise jar: open the {y} noise jar near {it}
  # loudness, dB, 10 110 0
pace line: pace out how near it comes to the {y} pace line
  # distance, *, 0.5 20.0 1
"""

_LORE = """
archive: search the {y} archive for {it}
  = has burnt pages / = has a forged page / = has a locked drawer / = has nothing on it
elder: ask the {y} elder about {it}
  = laughs / = weeps / = changes the subject / = tells a long story
chronicle: read the {y} chronicle
  = breaks off in winter / = praises a widow / = names seven witnesses / = is silent on it
feast: attend the {y} feast
  = begins with salt / = begins with a silence / = begins with a quarrel
dance: watch the {y} dance
  = turns against the sun / = turns with the sun / = is danced in lines / = is forbidden now
seal: hold the {y} seal to the light
  = shows a heron / = shows a hand / = shows a broken wheel / = is blank
proverb: ask a child for the {y} proverb
  = is about rain / = is about debts / = is about geese / = is long forgotten
gate: look at the {y} gate
  = faces the sea / = faces the hills / = is walled up
oath: listen to the {y} oath
  = is sworn on bread / = is sworn on iron / = is sworn in whispers
hymn: sing the {y} hymn aloud
  = has an extra verse / = is known to everyone / = makes people leave
market: spend a morning at the {y} market
  = haggles in rhyme / = takes no coins / = closes at noon / = sells only by weight
kitchen: eat in the {y} kitchen
  = cooks with ash / = cooks with flowers / = serves all dishes cold
graveyard: walk through the {y} graveyard
  = has graves of wood / = has graves without names / = has boats for graves / = is a meadow
calendar: consult the {y} calendar
  = has thirteen months / = counts by floods / = leaves out a day / = is the common one
tattoo: look for the {y} tattoo
  = is worn on the wrist / = is worn on the brow / = is worn by nobody
game: play the {y} game with strangers
  = is played with bones / = is played with shells / = is played blindfold / = is lost on purpose
greeting: try the {y} greeting
  = is returned twice / = is met with a bow / = offends / = is unknown
hat: wear the {y} hat in public
  = is admired / = is taken away / = is turned inside out / = goes unnoticed
cup: drink from the {y} cup
  = is refilled at once / = is smashed afterwards / = is passed to the left
gift: bring the {y} gift
  = is weighed / = is refused once / = is burnt / = is opened in private
tax roll: unroll the {y} tax roll
  = counts hearths / = counts goats / = counts windows / = is empty
map: unfold the {y} map
  = shows a river that is gone / = shows a second town / = has south at the top
rhyme: ask for the {y} nursery rhyme
  = counts to nine / = counts backwards / = ends in a scream
tower: climb the {y} tower
  = has no stairs / = has a bell without clapper / = leans to the west / = is an ordinary tower
council: sit in on the {y} council
  = votes with stones / = votes by walking out / = never votes
fountain: drink at the {y} fountain
  = tastes of iron / = is dry / = runs warm / = tastes of nothing
weaver: watch the {y} weaver at work
  = leaves a fault on purpose / = works from the middle / = works at night
inn sign: look at the {y} inn sign
  = shows a bear / = shows a crown upside down / = has been painted over
census: read the {y} census
  # head count, , 20 900 0
toll: pay the {y} toll
  # fee, *, 1 60 0
yearbook: count the years in the {y} yearbook
  # age, years, 5 900 0
procession: follow the {y} procession
  # length, *, 2 80 0
letter rod: measure the letters with the {y} letter rod
  # size, mm, 1.0 30.0 1
water clock: time the speech with the {y} water clock
  # span, minutes, 2 180 0
tithe: weigh out the {y} tithe
  # share, percent, 0 60 0
milestone: read the {y} milestone
  # distance, *, 1 300 0
"""

POOLS: dict[str, tuple[Method, ...]] = {
    "bench": methods(_BENCH),
    "watch": methods(_WATCH),
    "being": methods(_BEING),
    "lore": methods(_LORE),
}


def _frame(  # one frame as it is written below
    title: str, topic: str, nouns: str, it: str, scene: str, question: str, form: str, pool: str, own: str
) -> Frame:
    truth, truths, action, actions = nouns.split(", ")
    return Frame(title, topic, (truth, truths, action, actions), it, scene, question, form, pool, methods(own))


FRAMES: tuple[Frame, ...] = (
    _frame(
        "The Engine Below {place}",
        "strange engines",
        "fault, faults, test, tests",
        "the engine",
        "Below {place} stands an engine that nobody living has built. "
        "It stopped this morning, and {person} has the list of its faults.",
        "Which fault stopped the engine?",
        "{X}'s {Y}",
        "bench",
        """
valve: open the {y} valve by one turn
  = hisses / = sticks / = spits oil / = turns freely
piston: push the {y} piston by hand
  = moves an inch / = sinks by itself / = is seized / = comes back
boiler: fire the {y} boiler for a minute
  = boils over / = stays cold / = groans
flywheel: turn the {y} flywheel half round
  = turns back / = keeps on turning / = scrapes / = stops where it is left
crank case: open the {y} crank case
  = holds sand / = holds brine / = holds feathers / = is dry
belt: look at the {y} belt
  = has slipped / = has stretched / = has been cut / = looks sound
lever: pull the {y} lever
  = clicks / = comes off / = rings a far bell
pressure dial: read the {y} pressure dial
  # pressure, bar, 0.5 20.0 1
idle counter: count the beats of the {y} idle counter
  # idle, per minute, 0 240 0
""",
    ),
    _frame(
        "The Stopped Draught of {place}",
        "alchemy",
        "draught, draughts, assay, assays",
        "the flask",
        "{person} of {place} brewed one of the old draughts, drank half of it, and forgot the recipe. "
        "The other half is on the table.",
        "Which draught is in the flask?",
        "{X} of {Y}",
        "bench",
        """
retort: distil a spoonful in the {y} retort
  = runs clear / = runs red / = bursts / = stays dry
crucible: heat a drop in the {y} crucible
  = turns to gold leaf / = cracks / = fills with ash
frog: bathe the {y} frog in a drop of it
  = sings / = shrinks / = sleeps / = hops away unchanged
rose: water the {y} rose with it
  = opens / = drops its petals / = turns black / = takes no notice
spoon: stir it with the {y} spoon
  = dissolves / = turns blue / = comes out clean
wax tongue: dip the {y} wax tongue into it
  = curls / = speaks a word / = melts
sigil: drip it on the {y} sigil
  = glows / = fades / = turns round / = keeps still
alembic scale: read the {y} alembic scale
  # strength, percent, 0 100 0
freezing stone: cool it with the {y} freezing stone
  # freezing point, degrees, -60 20 0
""",
    ),
    _frame(
        "A Stone Fell on {place}",
        "skyfall",
        "mineral, minerals, test, tests",
        "the stone",
        "Last night a stone fell through the roof of the dairy in {place}. "
        "{person} keeps a cabinet of sky minerals and wants to label it.",
        "Which mineral is the stone made of?",
        "{X} {y}",
        "bench",
        """
streak plate: scratch the stone over the {y} streak plate
  = shows a white line / = shows a green line / = shows a line that glows / = is scratched itself
acid: dab the {y} acid on it
  = fizzes / = beads / = turns pink / = dries without a trace
saw: cut a corner off with the {y} saw
  = goes blunt / = sings / = finds a hollow / = goes through like butter
furnace: leave it in the {y} furnace overnight
  = melts it / = cracks it / = leaves it as it was
moss: lay the {y} moss against it
  = grows over it / = shuns it / = dies
hen: set the {y} hen on it
  = broods / = runs away / = pecks at it
section: grind the {y} section thin
  = shows stripes / = shows bubbles / = shows tiny wheels / = shows plain glass
scratch ladder: climb the {y} scratch ladder
  # hardness, *, 1.0 10.0 1
ray tube: leave it beside the {y} ray tube
  # radiance, clicks per minute, 0 900 0
""",
    ),
    _frame(
        "The Dye Vats of {place}",
        "dyes",
        "dye, dyes, proof, proofs",
        "the cloth",
        "The last bolt of cloth from {place} was dyed before the vats were broken. {person} wants the same colour for a wedding.",
        "Which dye was used?",
        "{X} {Y}",
        "bench",
        """
lye: soak a thread in the {y} lye
  = bleaches it / = greens it / = leaves it fast / = dissolves it
sunboard: pin a patch to the {y} sunboard
  = fades in a day / = deepens in a day / = shows no change
wax: iron the {y} wax over it
  = lifts the colour / = turns purple / = stays pale
snail: let the {y} snail crawl over it
  = leaves a blue trail / = leaves a white trail / = turns back
mordant: try the {y} mordant on it
  = darkens the fold / = makes it shine / = does not take
rain butt: rinse it in the {y} rain butt
  = turns red / = turns yellow / = smells of iron / = stays clear
goat: offer it to the {y} goat
  = eats it / = spits it out / = ignores it
thread counter: lay the {y} thread counter on it
  # thread count, , 10 120 0
vat rod: compare it with the {y} vat rod
  # depth of colour, *, 0 24 0
""",
    ),
    _frame(
        "The Loom That Ran at {place}",
        "looms",
        "pattern, patterns, check, checks",
        "the web",
        "The great loom of {place} wove all night with nobody at it. "
        "{person} found a yard of web, and the guild book lists every pattern.",
        "Which pattern did the loom weave?",
        "{X}'s {Y}",
        "bench",
        """
shuttle: throw the {y} shuttle once
  = comes back empty / = comes back full / = stays in the shed / = flies out
heddle: lift the {y} heddle
  = lifts every second thread / = lifts every third thread / = lifts nothing
selvage: feel along the {y} selvage
  = is knotted / = is looped / = is cut
weft: pull the {y} weft out
  = is one thread / = is two threads / = breaks off short
reverse side: turn up the {y} reverse side
  = is a mirror image / = is plain / = is another picture
border: follow the {y} border with a finger
  = closes / = has a gap / = runs into the middle
treadle: step on the {y} treadle
  = sinks / = kicks back / = squeaks
repeat gauge: find the next repeat with the {y} repeat gauge
  # repeat, threads, 4 160 0
slack rule: hang a stone on the {y} slack rule
  # slack, mm, 0 60 0
""",
    ),
    _frame(
        "Spores Over {place}",
        "spores",
        "mould, moulds, culture, cultures",
        "the dish",
        "A grey dust has drifted into {place}, and the bread is singing. "
        "{person} caught some of it in a dish before the wind turned.",
        "Which mould is it?",
        "{X} {y}",
        "bench",
        """
broth: feed the spores with the {y} broth
  = clouds / = clears / = turns to jelly / = grows a skin
agar: spread them on the {y} agar
  = shows round spots / = shows stars / = shows a lawn / = stays bare
stain: colour them with the {y} stain
  = takes at the rim / = takes at the core / = washes off
fly: shut the {y} fly in with them
  = goes grey / = lives on / = dances
cheese: put a crumb on the {y} cheese
  = blues / = runs / = sweats / = keeps
draught box: blow through the {y} draught box
  = fills with threads / = fills with sparks / = stays clean
rye: sow them on the {y} rye
  = blackens / = grows taller / = bends
spore rule: measure ten of them with the {y} spore rule
  # spore size, µm, 1.0 40.0 1
warm shelf: wait beside the {y} warm shelf
  # growth, mm per day, 0.0 9.0 1
""",
    ),
    _frame(
        "The Coin in the {place} Well",
        "coinage",
        "mint, mints, trial, trials",
        "the find",
        "A diver brought up one coin from the well at {place}. {person} collects coins of every mint of the old league.",
        "Which mint struck the coin?",
        "{X} {Y}",
        "bench",
        """
edge: run a nail along the {y} edge
  = is milled / = is smooth / = bears letters
touchstone: rub it on the {y} touchstone
  = shows a yellow streak / = shows a red streak / = shows a white streak / = shows no streak
die: compare it with the {y} die
  = fits / = is off by a hair / = fits upside down
moneychanger: show it to the {y} moneychanger
  = bites it / = refuses it / = pays double / = calls the guard
legend: spell out the {y} legend
  = reads from the right / = runs in a spiral / = is worn off / = names a god
patina: scrape the {y} patina
  = is green / = is black / = comes off in flakes
plumb bath: drown it in the {y} plumb bath
  # fineness, percent, 5 99 0
strike gauge: press it into the {y} strike gauge
  # relief, mm, 0.1 4.0 1
""",
    ),
    _frame(
        "The Mask From {place}",
        "masks",
        "carver, carvers, trial, trials",
        "the mask",
        "A mask without signature hangs in the hall of {place}, and two heirs disagree. "
        "{person} knows the hand of every carver of the coast.",
        "Who carved the mask?",
        "{X} {Y}",
        "bench",
        """
brow: look along the {y} brow
  = is notched / = is smooth / = bears three beads / = is split
eyelet: look through the {y} eyelet
  = is round / = is a slit / = is closed with horn
chisel mark: follow the {y} chisel mark
  = runs with the grain / = runs across the grain / = ends in a hook
lacquer: warm the {y} lacquer
  = softens / = blisters / = stays hard
cord: untie the {y} cord
  = is of hair / = is of bark / = is of silk
actor: let the {y} actor wear it
  = speaks deeper / = falls silent / = takes it off at once
knot: count the wood's years at the {y} knot
  # ring count, , 8 300 0
hollow: fill the {y} hollow with millet
  # volume, *, 1 40 0
""",
    ),
    _frame(
        "Resin Night in {place}",
        "perfumery",
        "resin, resins, trial, trials",
        "the bead",
        "On resin night every house in {place} burns its own bead. "
        "{person} found one unburnt on the stairs and would like to return it.",
        "Which resin is the bead made of?",
        "{X} of {Y}",
        "bench",
        """
coal: lay a crumb on the {y} coal
  = smokes white / = smokes green / = spits / = goes dark
nose: ask the {y} nose
  = speaks of rain / = speaks of leather / = speaks of oranges / = sneezes
bee: show it to the {y} bee
  = circles it / = lands / = leaves the room
spirit bath: drop it into the {y} spirit bath
  = turns gold / = turns cloudy / = leaves a stone at the bottom
fur: rub it on the {y} fur
  = crackles / = sticks / = comes away clean
tooth: bite it with the {y} tooth
  = breaks / = bends / = goes numb
melting spoon: heat it in the {y} melting spoon
  # melting point, degrees, 30 260 0
scent clock: wait with the {y} scent clock
  # staying time, hours, 2 72 0
""",
    ),
    _frame(
        "Tea for the Court of {place}",
        "tea",
        "blend, blends, tasting, tastings",
        "the pot",
        "The court of {place} drinks fifty blends, each on its own day. "
        "The calendar has burnt, and {person} has only the pot on the tray.",
        "Which blend is in the pot?",
        "{X} {Y}",
        "bench",
        """
steam: breathe the {y} steam
  = smells of straw / = smells of tar / = smells of plums / = smells of nothing
first sip: take the {y} first sip
  = is sweet / = is bitter / = is salty
milk: add the {y} milk
  = curdles / = sinks / = turns pink
dregs: read the {y} dregs
  = show a bird / = show a gate / = show a cross
wet leaf: unroll the {y} wet leaf
  = is toothed / = is whole / = is chopped
cold cup: leave the {y} cold cup overnight
  = sets / = clears / = grows a rainbow
taster: ask the {y} taster
  = nods / = spits / = asks for more / = falls asleep
brewing glass: watch the {y} brewing glass
  # brewing time, minutes, 0.5 12.0 1
colour chart: hold it against the {y} colour chart
  # colour, *, 1 50 0
""",
    ),
    _frame(
        "The Bell Nobody Cast in {place}",
        "bell founding",
        "alloy, alloys, proof, proofs",
        "the great bell",
        "{place} woke up to a new bell in its tower. "
        "{person} the founder swears that its alloy is in the book, on one page or another.",
        "Which alloy is the bell cast from?",
        "{X}-{Y}",
        "bench",
        """
clapper: swing the {y} clapper
  = draws a low tone / = draws two tones / = draws a shriek / = draws no tone
rim: chalk the {y} rim
  = shows a crack / = shows a seam / = shows no flaw
yoke: load the {y} yoke
  = creaks / = holds / = bends
bat: release the {y} bat inside it
  = hangs there / = leaves by the mouth / = falls asleep
file: take a shaving with the {y} file
  = comes off in curls / = comes off in dust / = slips
frost: wait for the {y} frost
  = sits outside / = sits inside / = spares it
tone ladder: sing up the {y} tone ladder
  # tone, Hz, 60 900 0
decay clock: time the sound with the {y} decay clock
  # decay, s, 1 90 0
""",
    ),
    _frame(
        "The Toy in the {place} Attic",
        "clockwork",
        "maker, makers, check, checks",
        "the toy",
        "A clockwork toy was found in the attic of {place} with its stamp filed off. {person} buys the work of one maker only.",
        "Who made the toy?",
        "{X} {Y}",
        "bench",
        """
key: turn the {y} key once
  = turns both ways / = turns to the left / = slips / = locks
spring: let the {y} spring run down
  = runs down in jerks / = runs down smoothly / = stops half way
cam: look at the {y} cam
  = is heart-shaped / = is a snail / = is toothed
music comb: pluck the {y} music comb
  = plays a march / = plays a hymn / = plays nothing
paint: scratch the {y} paint
  = is red below / = is bare tin below / = is gilt below
screw: undo the {y} screw
  = has a left thread / = is a rivet / = has a square head
walk: let it do the {y} walk
  = ends in a bow / = ends at the edge / = goes in a circle
train: count the teeth of the {y} train
  # tooth count, , 8 144 0
run timer: wind it up beside the {y} run timer
  # run, s, 5 240 0
""",
    ),
    _frame(
        "The Call From {place}",
        "star signals",
        "sender, senders, reading, readings",
        "the signal",
        "For nine nights a signal has come from the dark beside the star {place}. "
        "{person} keeps the register of everything that sends.",
        "Which sender is it?",
        "{X}-{Y}",
        "watch",
        """
decoder: feed it to the {y} decoder
  = prints primes / = prints a spiral / = prints one word / = jams
loop: play back the {y} loop
  = repeats at dawn / = never repeats / = repeats reversed
pause: listen to the {y} pause
  = hisses / = holds a second voice / = is dead silent
reply: send the {y} reply
  = is echoed / = is corrected / = is ignored
polar ring: turn the {y} polar ring
  = cuts it off / = makes it stronger / = turns by itself
noise floor: subtract the {y} noise floor
  = leaves a hum / = leaves a chirp / = leaves a single tick
band reader: find it on the {y} band reader
  # band, MHz, 12 980 0
burst clock: time it with the {y} burst clock
  # burst, ms, 1 400 0
""",
    ),
    _frame(
        "The Wanderer Above {place}",
        "comets",
        "comet, comets, observation, observations",
        "the comet",
        "A comet stands above {place}, and the roll of wanderers lists all that ever came back. "
        "{person} must tell the king which one it is.",
        "Which comet is it?",
        "{X}'s {Y}",
        "watch",
        """
tail: draw the {y} tail
  = is forked / = is curved / = points at the sun / = is missing
coma: sketch the {y} coma
  = is green / = is lopsided / = has a hole
scroll: unroll the {y} scroll
  = shows a sword / = shows a broom / = shows a lantern
goose: watch the {y} goose
  = flies south / = lays at midnight / = stays on the pond
tide mark: walk to the {y} tide mark
  = is drowned / = is dry / = is where it was
dream book: open the {y} dream book
  = tells of fire / = tells of brothers / = tells of bread
tail staff: hold the {y} tail staff at arm's length
  # tail length, degrees, 0 70 0
return table: count back in the {y} return table
  # return, years, 3 400 0
""",
    ),
    _frame(
        "Northern Lights at {place}",
        "sky lights",
        "light, lights, reading, readings",
        "the glow",
        "Over the ice of {place} hangs a curtain of light that the herders have a name for, and another name for "
        "every other kind.",
        "Which light is it?",
        "{X} of {Y}",
        "watch",
        """
hem: follow the {y} hem
  = ripples east / = ripples west / = hangs straight / = is torn
crown: look up into the {y} crown
  = opens / = closes / = turns
compass: lay out the {y} compass
  = spins / = points down / = holds
ice ear: lie down with the {y} ice ear
  = hears steps / = hears surf / = hears nothing
reindeer: watch the {y} reindeer
  = kneels / = walks in a ring / = grazes on
whistling stone: whistle on the {y} whistling stone
  = draws it lower / = scatters it / = leaves it alone
curtain pole: span it with the {y} curtain pole
  # breadth, degrees, 2 160 0
spark gap: open the {y} spark gap
  # charge, kV, 0.0 30.0 1
""",
    ),
    _frame(
        "The False Lighthouse of {place}",
        "coast lights",
        "beacon, beacons, bearing, bearings",
        "the beam",
        "A light that is on no chart has been seen from {place}. "
        "{person} thinks that one of the drowned beacons is burning again.",
        "Which beacon is burning?",
        "{X} {Y}",
        "watch",
        """
code: write down the {y} code
  = is two long / = is one long and one short / = is never the same twice
log book: search the {y} log book
  = tells of a wreck / = tells of a wedding at sea / = has a page torn out
buoy: row out to the {y} buoy
  = rings / = is gone / = is hot
gull: follow the {y} gull
  = dives / = circles left / = lands on nothing
lamp oil: sniff the {y} lamp oil on the wind
  = smells of whale / = smells of cedar / = smells of tin
fog: wait for the {y} fog
  = turns it red / = swallows it / = doubles it
range finder: aim the {y} range finder
  # range, miles, 2 40 0
flash timer: start the {y} flash timer
  # interval, s, 0.5 45.0 1
""",
    ),
    _frame(
        "The Guest of {place} Manor",
        "spirits",
        "spirit, spirits, rite, rites",
        "the spirit",
        "Somebody walks in {place} Manor who pays no rent. "
        "{person} can bid any spirit farewell, if it is called by its right name.",
        "Which spirit walks in the manor?",
        "{X} of {Y}",
        "being",
        """
staircase: sit on the {y} staircase at midnight
  = creaks upwards / = creaks downwards / = is one step longer / = stays quiet
clock: stop the {y} clock
  = strikes anyway / = runs backwards / = stays stopped
candle: light the {y} candle
  = burns black / = bends / = goes out three times
letter: read the {y} letter aloud
  = catches fire / = rewrites itself / = stays a letter
keyhole: look through the {y} keyhole
  = shows snow / = shows an eye / = shows a ball
salt line: pour the {y} salt line
  = is swept away / = is crossed barefoot / = holds
cold spot: feel for the {y} cold spot
  # cold, degrees, 0 30 0
sounding board: count the knocks on the {y} sounding board
  # knocking, , 0 40 0
""",
    ),
    _frame(
        "Something in {place} Bay",
        "sea beasts",
        "beast, beasts, trial, trials",
        "the beast",
        "The nets of {place} come up cut, and the harbour pilot saw a back as long as a street. {person} owns the only bestiary.",
        "Which beast is in the bay?",
        "{X} {y}",
        "being",
        """
bait: sink the {y} bait
  = is taken whole / = is nibbled / = comes up polished / = is left
net: haul the {y} net
  = is cut clean / = is chewed / = is full of scales
spout: watch the {y} spout
  = goes straight up / = goes forward / = is steam
song post: listen at the {y} song post
  = carries a moan / = carries clicks / = carries a duet / = carries no sound
ink cloud: sample the {y} ink cloud
  = is purple / = is green / = is without colour
scale: dry the {y} scale
  = curls / = shatters / = turns to salt
sounding line: drop the {y} sounding line
  # depth, fathoms, 2 300 0
wake rule: measure the {y} wake rule
  # wake, *, 1 90 0
""",
    ),
    _frame(
        "The Humming Horses of {place}",
        "fevers",
        "fever, fevers, examination, examinations",
        "the horse",
        "In {place} one horse after another begins to hum. {person}, the horse doctor, knows every humming fever and its cure.",
        "Which fever is it?",
        "{X}'s {Y}",
        "being",
        """
pulse: feel the {y} pulse
  = skips / = races / = comes in threes / = is even
tongue: look at the {y} tongue
  = is striped / = is white / = is blue
tonic: mix the {y} tonic into the oats
  = is kept down / = stops the humming / = brings a rash
leech: set the {y} leech
  = falls off / = swells / = turns pale
reflex: tap the {y} reflex
  = is late / = is doubled / = is missing
gait: watch the {y} gait
  = is sideways / = is backwards / = is that of a foal / = is as always
fever glass: read the {y} fever glass
  # temperature, °C, 34.0 42.0 1
pitch pipe: match the hum on the {y} pitch pipe
  # pitch, Hz, 40 600 0
""",
    ),
    _frame(
        "The Flower That Opened in {place}",
        "hothouses",
        "flower, flowers, check, checks",
        "the flower",
        "A bud without a label has opened in the glasshouse of {place}. "
        "{person} sold seeds of fifty kinds that year, and one is poisonous.",
        "Which flower is it?",
        "{X} {y}",
        "bench",
        """
petal: fold back the {y} petal
  = snaps back / = bleeds / = stays folded
pollen: shake the {y} pollen out
  = drifts upwards / = clings / = is black / = is absent
root: lift the {y} root
  = is forked / = is a bulb / = moves
wasp: let in the {y} wasp
  = enters / = is caught / = flies a ring and leaves
shade cloth: hang up the {y} shade cloth
  = makes it close / = makes it lean / = makes no odds
sap: cut for the {y} sap
  = is milky / = is clear / = is red / = smokes
stalk rule: stand the {y} stalk rule beside it
  # stalk, cm, 3 190 0
dew cup: collect dew in the {y} dew cup
  # dew, ml, 0.0 12.0 1
""",
    ),
    _frame(
        "A Swarm on {place} Bridge",
        "swarms",
        "swarm, swarms, trial, trials",
        "the swarm",
        "The bridge of {place} has disappeared under a humming brown swarm. "
        "{person} keeps every kind of hive and can house it, if told which.",
        "Which swarm is on the bridge?",
        "{X} {Y}",
        "being",
        """
skep: hold up the {y} skep
  = is entered / = is circled / = is sealed with wax / = is shunned
smoker: puff the {y} smoker
  = calms it / = splits it / = turns it white
sugar: set out the {y} sugar
  = is carried off / = is fought over / = is left
scout: follow the {y} scout
  = flies to the river / = flies to a chimney / = flies in eights
sting: wait for the {y} sting
  = itches / = burns / = never comes
comb: break the {y} comb
  = has square cells / = has round cells / = holds sand
wing counter: listen with the {y} wing counter
  # wing beat, Hz, 20 640 0
cluster rope: let down the {y} cluster rope
  # cluster, *, 1 50 0
""",
    ),
    _frame(
        "The Castaway of {place}",
        "island customs",
        "clan, clans, question, questions",
        "the castaway",
        "A castaway of the {place} islands sits on the quay and says nothing. "
        "Every clan there has its own customs, and {person} has noted all.",
        "Which clan does the castaway come from?",
        "{X} {Y}",
        "lore",
        """
knot: hand over the {y} knot
  = is tied with one hand / = is tied behind the back / = is thrown away
fish: serve the {y} fish
  = is eaten from the tail / = is turned thrice / = is given back raw
canoe: point at the {y} canoe
  = draws a smile / = draws a sign against evil / = draws no look
shell money: pay with the {y} shell money
  = is counted twice / = is worn / = is laughed at
fire: light the {y} fire
  = is fed with salt / = is stepped over / = is left to die
star path: ask for the {y} star path
  = starts in the west / = starts overhead / = is a secret
scar: look at the {y} scar
  = is a ring / = is a ladder / = is hidden
breath dive: watch the {y} breath dive
  # dive, s, 10 300 0
outrigger: measure the {y} outrigger
  # reach, *, 1 30 0
""",
    ),
    _frame(
        "The Tablet of {place}",
        "old scripts",
        "script, scripts, test, tests",
        "the tablet",
        "The library of {place} owns a tablet that no one has read. "
        "{person} has primers of all the dead scripts, but only one of them fits.",
        "Which script is on the tablet?",
        "{X} {Y}",
        "lore",
        """
first line: trace the {y} first line
  = runs to the left / = runs downwards / = turns like an ox / = forms a ring
sign list: compare the {y} sign list
  = shares the eye / = shares the boat / = shares no sign
stylus: press the {y} stylus into wax
  = leaves wedges / = leaves dots / = leaves hooks
gap: look for the {y} gap
  = stands after each word / = stands after each line / = is never there
king list: lay the {y} king list beside it
  = matches twice / = matches backwards / = matches nothing
ditto mark: search for the {y} ditto mark
  = is a bird / = is a bar / = is missing
sign counter: run the {y} sign counter
  # sign count, , 18 700 0
groove gauge: press in the {y} groove gauge
  # groove, mm, 0.2 6.0 1
""",
    ),
    _frame(
        "The Last Dancer of {place}",
        "dance",
        "school, schools, lesson, lessons",
        "the dancer",
        "The last dancer of {place} teaches without saying a word. "
        "{person} hopes to write down which of the old schools lives on.",
        "Which school is it?",
        "{X}'s {Y}",
        "lore",
        """
step: copy the {y} step
  = starts on the heel / = starts on the left / = leaves the ground / = is not shown
fan: hand over the {y} fan
  = stays closed / = covers the eyes / = is thrown and caught
anklet: listen to the {y} anklet
  = beats five / = beats seven / = beats against the drum
bow: return the {y} bow
  = is repeated lower / = is refused / = ends the lesson
turn: count out the {y} turn
  = closes at three / = closes at four / = never closes
costume: unpack the {y} costume
  = has bells / = has feathers / = is bare of ornament
beat stick: keep time with the {y} beat stick
  # beat, per minute, 30 220 0
leap rod: hold up the {y} leap rod
  # leap, cm, 0 150 0
""",
    ),
    _frame(
        "The Charter of {place}",
        "edicts",
        "edict, edicts, inquiry, inquiries",
        "the charter",
        "The council of {place} is bound by one old edict, and only its torn corner is left. "
        "{person} has been asked to say which edict it was.",
        "Which edict binds the council?",
        "{X} of {Y}",
        "lore",
        """
clause: read the {y} clause
  = forbids bells / = forbids geese / = allows duels / = ends in mid-sentence
witness: call the {y} witness
  = signs with a cross / = has been dead for years / = remembers rain
ribbon: unpick the {y} ribbon
  = is crimson / = is plaited / = hides a hair
precedent: look up the {y} precedent
  = was overturned / = was upheld / = was eaten by mice
parchment: hold up the {y} parchment
  = is goat / = is calf / = has been scraped
notary: visit the {y} notary
  = denies it / = charges double / = locks the door
fine: work out the {y} fine
  # fine, *, 1 400 0
margin: measure the {y} margin
  # margin, mm, 2 70 0
""",
    ),
    _frame(
        "A Theft in {place}",
        "thieves' guilds",
        "guild, guilds, inquiry, inquiries",
        "the theft",
        "The moon clock of {place} was stolen in broad daylight. "
        "Each guild of thieves has its pride and its habits, says {person}.",
        "Which guild stole the clock?",
        "{X} {Y}",
        "lore",
        """
window: examine the {y} window
  = was opened from inside / = was taken out whole / = was painted shut
watchman: wake the {y} watchman
  = remembers a song / = remembers a fire / = remembers two nuns / = remembers nothing
footprint: cast the {y} footprint
  = has six toes / = points backwards / = is a child's
lock: take the {y} lock apart
  = was picked / = was frozen / = was replaced by a better one
note: unfold the {y} note
  = rhymes / = is in mirror writing / = is blank
fence: bribe the {y} fence
  = names a price / = runs / = swears by his mother
rooftop: climb the {y} rooftop
  = has chalk arrows / = has rope burns / = has sleeping doves
ransom scale: weigh the {y} ransom scale
  # ransom, *, 5 900 0
minute book: check the {y} minute book
  # absence, minutes, 2 120 0
""",
    ),
    _frame(
        "The Dream That Visits {place}",
        "dreams",
        "dream, dreams, reading, readings",
        "the dream",
        "All of {place} had the same dream last night, and the baker had it twice. "
        "{person} reads dreams and owns the long list of them.",
        "Which dream was it?",
        "{X} of {Y}",
        "lore",
        """
door: ask who opened the {y} door
  = was opened by a hare / = was opened by a twin / = was a painting
pillow: look under the {y} pillow
  = hides a key / = hides a tooth / = hides sand
staircase: ask about the {y} staircase
  = went down / = went round / = ended in the sea
colour: ask for the {y} colour
  = was green / = was the colour of tin / = was unheard of
stranger: describe the {y} stranger
  = had no face / = had wet shoes / = asked for bread / = was not there
waking bell: sound the {y} waking bell
  = was heard in the dream / = woke nobody / = rang by itself
sleep scale: read the {y} sleep scale
  # sleep, hours, 0.5 14.0 1
sheep counter: check the {y} sheep counter
  # flock, , 1 500 0
""",
    ),
    _frame(
        "Who Built {place}",
        "ruins",
        "dynasty, dynasties, survey, surveys",
        "the ruin",
        "Goats found {place}, a city of red steps under the sand. "
        "{person} thinks that one dynasty built all of it in a single summer.",
        "Which dynasty built it?",
        "{X} {Y}",
        "lore",
        """
cornerstone: dig to the {y} cornerstone
  = holds a coin / = holds a bone / = holds a toy / = is hollow
brick: break the {y} brick
  = is stamped with a paw / = is stamped with a sun / = bears no stamp
cistern: let a lamp down the {y} cistern
  = is painted / = is dry as dust / = echoes twice
arch: stand below the {y} arch
  = is pointed / = is round / = is a single stone
drain: follow the {y} drain
  = runs uphill / = ends at a shrine / = is lined with lead
mosaic: sweep the {y} mosaic
  = shows bulls / = shows knots / = shows the sea floor
step rule: lay the {y} step rule on the stairs
  # step, cm, 8 60 0
wall line: pace along the {y} wall line
  # circuit, *, 4 200 0
""",
    ),
    _frame(
        "The Wreck off {place}",
        "wrecks",
        "shipyard, shipyards, survey, surveys",
        "the wreck",
        "The storm has laid bare a wreck off {place} with its name board gone. "
        "{person} can tell every shipyard of the gulf by its habits.",
        "Which shipyard built her?",
        "{X} {Y}",
        "lore",
        """
keel: scrape the {y} keel
  = is of oak / = is of iron / = is laced with rope / = is double
plank: lift the {y} plank
  = overlaps the next / = meets the next edge to edge / = is charred
peg: knock out the {y} peg
  = is square / = is tapered / = is a bone
figurehead: clean the {y} figurehead
  = smiles / = frowns / = sleeps
anchor: raise the {y} anchor
  = has one arm / = has two arms / = has four arms
ballast: sift the {y} ballast
  = is river gravel / = is broken pots / = is lead
rib gauge: measure between ribs with the {y} rib gauge
  # rib spacing, cm, 10 120 0
mast step: plumb the {y} mast step
  # rake, degrees, 0 25 0
""",
    ),
    _frame(
        "Fifty Openings of {place}",
        "board games",
        "opening, openings, study, studies",
        "the game",
        "In {place} people play a game with salt and thimbles. "
        "{person} came late, and now has to find out which opening was played.",
        "Which opening was played?",
        "{X}'s {Y}",
        "lore",
        """
thimble: look for the {y} thimble
  = stands in a corner / = lies on its side / = was taken
salt line: look along the {y} salt line
  = is broken / = is doubled / = is untouched
onlooker: ask the {y} onlooker
  = whistles / = shakes his head / = bets against it
score card: turn over the {y} score card
  = holds three strokes / = holds a sketch / = holds a stain
pass: ask about the {y} pass
  = was called twice / = was called too late / = was never called
rule book: open the {y} rule book
  = forbids it on Sundays / = praises it / = has lost that chapter
move counter: read the {y} move counter
  # move count, , 2 90 0
think glass: read the {y} think glass
  # thinking time, minutes, 0.5 40.0 1
""",
    ),
)
