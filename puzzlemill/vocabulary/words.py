"""Plain English words of three to eight letters in alphabetical order, written down for Puzzlemill; anyone may use the list."""

from __future__ import annotations

_LISTED = """
able above acid acorn across act actor add after again age agree air alarm album alive all alone along amber among anchor
angle animal ankle ant anvil apple apron arch area arm army around arrow art ash aside ask atlas attic aunt autumn avenue
away axle baby back bacon badge bag bake ball banana band bank barn barrel basin basket bath bay beach beak bean bear beard
beat bed beef begin behind bell belong belt bench berry best better between bird birth bitter black blade blanket blend
blind block bloom blue board boat body bold bolt bone bonnet book boot border bottle bottom bowl box branch brave bread
break breeze brick bridge bright bring broad broken broom brother brown brush bucket build bundle burn bus bush busy butter
button cabin cable cactus cage cake calm camel camera camp canal candle canoe canvas captain carbon card carpet carry cart
castle cat cattle cave cedar ceiling cellar center chain chair chalk change chapter charm cheese cherry chest chicken child
chimney choose circle city clay clean clear clerk clever cliff climb clock close cloth cloud clover coach coal coast coat
cobble coffee coin cold collar color comb come common cool copper coral cord corn corner cotton count country cousin cover
crab cradle crane crayon cream creek crew cricket crisp crop cross crowd crown cruel crystal cup curtain curve custom dairy
daisy damp dance danger dark dawn day deal dear deck deep deer dense desert desk diamond dinner dish ditch dive doctor dog
doll dolphin donkey door double dove dragon draw dream dress drift drink drive drop drum dry duck dull dust duty eagle ear
early earth east easy echo edge egg eight elbow elder elm empty engine enjoy enough equal evening ever every exact eye
fabric face factory fair falcon fall family farm fast father feast feather fence fern ferry field fig figure final find
finger fire first fish five flag flame flat fleet flock floor flour flower flute fly fog fold follow food foot forest forget
fork form fort forward fox frame free fresh friend frog front frost fruit fur future gallery game garden garlic gate gather
gentle giant gift ginger give glad glass globe glove goat gold goose grain grand grape grass gravel gray great green grow
guard guest guide guitar half hall hammer hand handle happy harbor hard harvest hat hawk hay hazel head heart heavy hedge
help herb here hero heron hidden high hill hold hollow home honest honey hood hook hope horn horse hotel hour house humble
hundred hunt hurry ice idea ink inside into iron island ivory ivy jacket jar jelly jewel join journey judge juice jump
jungle kettle key kind king kitchen kite kitten knee knife knot ladder lake lamb lamp land lantern large laugh laundry lawn
leaf learn leather left lemon lens lesson letter level light lily lime linen lion listen little live lizard lock log long
look loud lucky lumber lunch machine magnet mango maple marble march market marsh mask master meadow meal medal melon melt
member metal middle mile milk mill mint mirror mist model modest moment money monkey month moon morning moss mother mountain
mouse mouth movie museum music nail name narrow native near neck needle neighbor nest never new night nine noble noise north
nose note number nut oak oar ocean odd office often oil old olive once onion open orange orbit orchard order other otter
outside oval oven over owl oyster page paint pair palace palm panda paper parade parcel park parrot path peach pear pearl
pebble pen pencil people pepper petal piano picnic picture pigeon pillow pilot pine pink pipe plain planet plate play plenty
plow plum pocket poem point polar pond pony poppy porch port potato powder prince pumpkin puppy purple quail quarter queen
quick quiet quilt rabbit radio rain raven ready reason red reed rest ribbon rice ride ring ripe river road robin rock roof
room root rope rose round ruby rule run sable sad saddle sail salad salmon salt same sand scale school scissors sea season
second seed seldom seven shadow shallow sheep shelf shell shine ship shirt shoe shop shore short shoulder shovel silent silk
silver simple sister six sky sleep slow small smile smoke smooth snail snow soap soft soil soldier song soon sound south
sparrow spider spoon spring square stable stairs star station steam steel stem step stick stone storm story stove strange
straw stream street strong sugar summer sun supper swan sweet swift table tailor tall teach teacher temple ten tent thank
thick thin third thirty thorn thread three thunder ticket tide tiger timber tin tiny today together tomato tooth top tower
town trail train travel tree triangle tribe trip trout truck trumpet trust tulip tunnel turkey turnip turtle twelve twenty
two umbrella uncle under until upper useful valley van velvet very village vine violet violin visit voice wagon walk wall
walnut warm wash watch water wave weather week well west whale wheat wheel whisper whistle white wide wild willow wind
window wing winter wise wolf wonder wood wool word work world yard year yellow young zebra zero
"""

WORDS: tuple[str, ...] = tuple(_LISTED.split())

_KEYS = """
ANCHOR BASKET CANDLE DRAGON EAGLE FALCON GARDEN HARBOR ISLAND KETTLE LEMON MARBLE NEEDLE ORCHID PEPPER QUARTZ RIBBON
SILVER TIMBER UMBRA VELVET WALNUT YELLOW ZEBRA
"""

# Keywords of ciphers: five to seven letters, no J (a square of 5 x 5 has none), no two with the same set of letters.
KEYWORDS: tuple[str, ...] = tuple(_KEYS.split())
