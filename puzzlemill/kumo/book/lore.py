"""What the background chapters of long books are composed of: words for slots, and paragraphs as rows of alternative sentences.

A paragraph is a title and its sentences in order, each in several alternatives. Slots: {P} {p} a person's full and last name,
{he} {his} {him} that person's pronouns, {Q} {q} another person; {m} an action's name, set off, and {does} what is done for it;
the nouns of `notes.nouns`; and the words below, each of which keeps its value within a paragraph. With a capital letter, a slot
begins a sentence. A chapter is about one house, in one town, so that its stories do not contradict each other. Nothing here
speaks of outcomes or of excluding.
"""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split("; "))


FIRST_SHE = _words(
    "Adelheid; Agathe; Amalia; Berenike; Birgit; Cornelia; Delphine; Eleonore; Estrid; Filippa; Genoveva; Gudrun; "
    "Hedwig; Ingeborg; Katinka; Leokadia; Livia; Malvina; Noor; Oda; Philomena; Ragna; Rosalie; Sieglinde; Tabea; "
    "Theresia; Undine; Valborg; Wanda; Zenobia"
)
FIRST_HE = _words(
    "Alarik; Anton; Baldwin; Bastian; Caspar; Ditmar; Eckhart; Emmerich; Fridolin; Gereon; Hartwig; Hjalmar; Ignaz; "
    "Jorin; Kilian; Leander; Leopold; Magnus; Norbert; Oswin; Pankraz; Raimund; Roland; Sander; Severin; Tancred; "
    "Ulrich; Valentin; Wendelin; Zacharias"
)
LAST = _words(
    "Abendroth; Achterberg; Amsinck; Bachofen; Birkeland; Brenninger; Callander; Dahlgren; Dreyfeld; Eisenhart; "
    "Engstrand; Falkenrath; Fenwick; Gallenkamp; Grundtvig; Haverkamp; Hollander; Ibsgaard; Jessenius; Kaltofen; "
    "Kirkeby; Lindqvist; Lovisetto; Mandersloot; Morgenthal; Nachtweih; Nordahl; Oberholt; Ostergren; Pallandt; "
    "Pettersund; Quarles; Rademaker; Rosendahl; Sandgreve; Schoonhoven; Soderlund; Tavernier; Thorvaldsen; "
    "Uhlenbrook; Vandermeer; Vesterholm; Wachsmuth; Westergaard; Ysenburg; Zeidler; Zuiderveld"
)
TOWNS = _words(
    "Aldermoor; Bissenhall; Carrowmede; Dunster-le-Fen; Eskeby; Farleigh; Gansholm; Hexney; Inverlune; Jarrowdale; "
    "Kestenholm; Lindenau; Marlowick; Netherby; Olmstead; Pendlecote; Quillhaven; Rosswyke; Sallowfield; Tarnbeck; "
    "Ulverstead; Vellinge; Wexcombe; Yarrowmouth"
)
WORDS = {
    "season": _words(
        "spring; summer; autumn; winter; late summer; early spring; a wet autumn; a hard winter; a dry summer; a mild "
        "winter; a stormy spring; the week after harvest; the darkest month; the season of fog"
    ),
    "place": _words(
        "the archive; the cellar; the reading room; the back office; the attic; the porch; the long corridor; the "
        "kitchen; the yard; the store room; the stairwell; the map room; the old stable; the courtyard; the west wing; "
        "the cloakroom; the boiler room; the little office under the roof"
    ),
    "thing": _words(
        "the ledger; the inkstand; the brass lamp; the visitors' book; the great key; the oak desk; the umbrella stand; "
        "the wall clock; the tea urn; the filing cabinet; the step ladder; the letter scales; the green armchair; the "
        "notice board; the glass cupboard; the hand bell; the coat rack; the cash box"
    ),
    "food": _words(
        "barley soup; rye bread; plum cake; pickled beets; stewed lentils; cold potatoes; apple dumplings; oat "
        "biscuits; hard cheese; onion tart; pea soup; stewed pears; honey rolls; boiled eggs"
    ),
    "drink": _words("strong tea; black coffee; elderberry wine; warm milk; cider; nettle tea; small beer; barley water"),
    "weather": _words(
        "rain; sleet; a gale from the west; thick fog; hail; the first snow; a week of drizzle; a heat wave; black frost; "
        "a thunderstorm; a sandy wind; a sudden thaw"
    ),
    "trade": _words(
        "carpenter; ferryman; schoolteacher; glazier; printer; bookbinder; locksmith; roofer; tailor; beekeeper; "
        "surveyor; postmaster; stonemason; piano tuner; basket maker; baker; saddler; gardener"
    ),
    "role": _words(
        "the first director; the second keeper; a junior clerk; the night porter; an apprentice in the third year; the "
        "deputy director; the treasurer; a retired inspector; the youngest of the assistants; the head of the workshop; "
        "the secretary; a volunteer; the caretaker; a trainee; the chief of the day shift; a guest from abroad"
    ),
    "body": _words(
        "the board; the town council; the committee; the guild; the council of elders; the ministry; the society of friends; the "
        "parish; the audit office; the assembly of members"
    ),
    "paper": _words(
        "a letter; a circular; a thin report; a petition; a pamphlet; a note of four lines; a bill; a speech; a formal "
        "complaint; an inventory; a sealed envelope; a poem of eleven stanzas"
    ),
    "n": _words("three; four; five; six; seven; eight; nine; eleven; twelve; fourteen; seventeen; twenty; thirty"),
    "k": _words("two; three; four; five; six"),
    "animal": _words(
        "a tabby cat; a lame dog; a jackdaw; a family of hedgehogs; a pair of swallows; a stray goat; a grey goose; a "
        "tortoise; an old mule; a swarm of bees; a one-eyed tomcat; a hen"
    ),
    "day": _words("Monday; Tuesday; Wednesday; Thursday; Friday; Saturday; Sunday"),
    "colour": _words("green; dark blue; yellow; brick red; grey; white; brown; cream"),
    "virtue": _words(
        "patience; tidiness; a steady hand; plain speech; good light; a warm room; a sharp pencil; an early start; honest "
        "doubt; a good night's sleep; dry shoes; silence"
    ),
    "fault": _words(
        "haste; vanity; an empty stomach; cold fingers; too much talk; a blunt pencil; poor light; wishful thinking; a "
        "borrowed coat; bad handwriting; a full appointment book; too little sleep"
    ),
}
CHAPTERS = _words(
    "The House at {town}; {town}; In {town}; The People of {town}; From the Papers of {town}; A House Named {town}; "
    "How They Live in {town}; Notes From {town}; {town} and Its Ways; Days in {town}"
)

Paragraph = tuple[str, tuple[tuple[str, ...], ...]]

PARAGRAPHS: tuple[Paragraph, ...] = (
    (
        "The Founding",
        (
            (
                "The house was founded in {season} by {P}, who had been {role} elsewhere and was tired of it.",
                "Nobody remembers the exact day on which {P} opened the house, but it was in {season}, and there was {weather}.",
                "Before there was a house there was only {P}, a table, and {thing}.",
            ),
            (
                "{He} had saved for {n} years and spent all of it on {k} rooms above a {trade}'s shop in {town}.",
                "The money came from an aunt in {town}, who never learned what it was for.",
                "{He} rented {k} rooms in {town} and painted the door {colour} with {his} own hands.",
            ),
            (
                "For the first months not a single visitor came up the stairs.",
                "The first visitor was a {trade} who had mistaken the door for that of the dentist.",
                "In the first week {n} people came, most of them to get out of {weather}.",
            ),
            (
                "{p} used the quiet to write the earliest instructions, and some of their turns of phrase are still in use.",
                "{He} filled the empty hours by sorting {paper} after another, and so the archive began.",
                "The rent was paid late every month, and every month it was paid.",
            ),
            (
                "A small portrait of {him} hangs in {place}, somewhat too high for anyone to see it well.",
                "When {he} died, the shop below stayed shut for {k} days.",
                "{His} chair still stands in {place}, and by custom only the youngest may sit in it.",
            ),
        ),
    ),
    (
        "How a Method Came Here",
        (
            (
                "The {action} {m} is older than the house.",
                "It took the house {n} years to make {m} what it is today.",
                "Nobody planned to have {m} among the {actions}.",
            ),
            (
                "It was brought here by {P}, who had seen it done in {town} and drew it on the back of {paper}.",
                "{P} had the idea to {does} during a sleepless night in {season}.",
                "The first to {does} in this house was {P}, then {role}, and {he} did so without asking for leave.",
            ),
            (
                "The others shook their heads and went on drinking {drink}.",
                "At first it was tolerated only on {day}s, and only in {place}.",
                "{q} called it a waste of good daylight, and said so at every meeting.",
            ),
            (
                "After {k} months it was part of the ordinary round, and after a year nobody could imagine the week without it.",
                "Then {body} came on a visit, was shown it by chance, and asked to have it written into the statutes.",
                "In the end it was the cleaning staff who insisted that it be kept.",
            ),
            (
                "The sheet with the first notes on it has survived, with a ring from a cup of {drink} in the corner.",
                "{p} never claimed any credit, and would speak of luck when asked.",
                "A copy of the first instructions is kept in {place}, behind glass.",
            ),
        ),
    ),
    (
        "A Practitioner",
        (
            (
                "Nobody could {does} as calmly as {P}.",
                "For {n} years it was {P} who took care of {m}, and hardly anyone else was let near it.",
                "The name of {P} will always be joined to the {action} {m}.",
            ),
            (
                "{He} had learned the trade of a {trade} and kept its habits: clean sleeves, few words, and a break at ten.",
                "{He} would hum while at work, always the same tune, and always a little flat.",
                "{He} wore {colour} gloves for it, and washed them every {day}.",
            ),
            (
                "Asked for the secret, {he} would name {virtue}.",
                "{His} only advice to beginners was to beware of {fault}.",
                "People came from as far as {town} to watch, and left as wise as before.",
            ),
            (
                "In {his} last year {he} trained {Q}, who is said to have the same way of standing.",
                "When {his} eyes grew weak, {he} had the younger ones describe to {him} everything they saw.",
                "{He} kept a diary about it, {n} volumes long, in which the weather takes up most of the room.",
            ),
            (
                "The tune is still heard in {place} now and then.",
                "It is for {his} sake that the window there faces north.",
                "A bench in {town} bears {his} name, and somebody always sits on it.",
            ),
        ),
    ),
    (
        "The Roof",
        (
            (
                "The roof has been repaired {n} times, and it still lets in {weather}.",
                "In {season} half of the roof came down on {place}.",
                "Everyone who has worked here can tell a story about the roof.",
            ),
            (
                "The {trade} from {town} shook his head and named a sum.",
                "{P} climbed up with a bucket of tar and came down with a cold.",
                "For {k} weeks the staff worked under umbrellas, and {thing} was covered with oilcloth.",
            ),
            (
                "{Body} granted the money in the end, in {n} small parts.",
                "A collection among the neighbours brought in enough for {k} rows of tiles.",
                "Nobody could agree whether slate or tile was better, and so there are both.",
            ),
            (
                "Since then a bucket stands in {place}, just in case.",
                "The tiles that were left over now edge the path in the yard.",
                "The {trade} was invited to the opening and ate {food} for three.",
            ),
            (
                "Whoever begins {an_action} under that roof should first look up.",
                "A date is scratched into one of the beams, but nobody can read it any more.",
                "It is said to be dry up there now, though nobody likes to say it aloud.",
            ),
        ),
    ),
    (
        "A Visitor",
        (
            (
                "One {day} in {season} a stranger in a {colour} coat stood in {place} and asked for {P}.",
                "Among the visitors of that year a {trade} from {town} is remembered best.",
                "The visitors' book has an entry by {P}, which fills {k} pages.",
            ),
            (
                "The guest wanted to know everything, from the price of coal to the shelf marks in the archive.",
                "The guest had walked all the way through {weather} and would not take off the boots.",
                "The guest said nothing for an hour, and then asked why anyone would {does}.",
            ),
            (
                "{Q} offered {drink} and {food}, and the talk went on until the lamps were lit.",
                "Somebody fetched {thing} to have at least something to show.",
                "{Q} explained the {actions} one by one, with great patience, and twice over.",
            ),
            (
                "It turned out that the two had been at school together.",
                "At the door the guest turned round and praised the doorknob.",
                "On leaving, the guest bought a calendar that was {k} years old.",
            ),
            (
                "{Paper} with thanks arrived {n} weeks later.",
                "Nothing was ever heard of it again.",
                "To this day a cup with a {colour} rim is kept for that guest in the cupboard.",
            ),
        ),
    ),
    (
        "A Quarrel",
        (
            (
                "Two people could hardly have been less alike than {P} and {Q}.",
                "The quarrel between {P} and {Q} lasted {n} years and began with {thing}.",
                "There was a time when {p} and {q} spoke to each other in writing only.",
            ),
            (
                "{p} held that everything depends on {virtue}; {q} would not hear of it.",
                "One wanted the door of {place} open, the other wanted it shut.",
                "Each of them thought that the other should be the one to {does}.",
            ),
            (
                "Their notes went to and fro across the same desk, carried by a trainee.",
                "The staff divided into two camps, which ate at separate tables.",
                "{Body} had to be called, listened for an afternoon, and went home.",
            ),
            (
                "What ended it was {weather}, which kept both of them in {place} for a whole night.",
                "What ended it was {food}, shared by mistake.",
                "It ended when a new colleague, who knew nothing of it, put both names on one form.",
            ),
            (
                "They were buried {k} rows apart, which some think is still too close.",
                "Later they wrote a booklet together, and it is a very polite booklet.",
                "The two never mentioned it again, and the staff soon missed it.",
            ),
        ),
    ),
    (
        "Stock-Taking",
        (
            (
                "Once a year, in {season}, everything in the house is counted.",
                "The inventory of the house was begun by {P} and has never been finished.",
                "On the last {day} of the year {role} goes round with {paper} and counts.",
            ),
            (
                "The last count gave {n} chairs, {k} ladders, and one {trade}'s apron of unknown origin.",
                "The count begins in {place} and ends, by custom, at the stove.",
                "There were {n} pencils too many and {k} lamps too few.",
            ),
            (
                "Nobody could explain the {n} left shoes.",
                "{Thing} is entered every year with the remark that it ought to be replaced.",
                "Under the stairs they found a crate of {food}, still good.",
            ),
            (
                "{q} suggested that things which nobody has used for {n} years be given away.",
                "What is needed for {m} was complete, down to the last clip.",
                "A whole shelf turned out to belong to the neighbours.",
            ),
            (
                "Afterwards there is {drink} for all.",
                "The sheets are signed by {k} people, so that the blame can be shared.",
                "The numbers are then read out aloud, and it is good manners to look surprised.",
            ),
        ),
    ),
    (
        "An Apprentice",
        (
            (
                "{P} came to the house at the age of sixteen and could not yet tie an apron.",
                "When {P} began here, {he} had to sweep {place} for the whole of the first year.",
                "The best apprentice that the house ever had, so the older ones say, was {P}.",
            ),
            (
                "On the first day {he} was told to {does}, and did so {n} times in a row to be sure.",
                "{He} was afraid of {thing} and took the long way round it.",
                "{His} first notebook is a model of bad spelling and good sense.",
            ),
            (
                "{q} was a strict teacher who accepted no excuse, least of all {fault}.",
                "Whatever {he} was told, {he} wrote down, and whatever {he} wrote down, {he} tried out.",
                "In the evenings {he} earned a little by helping the {trade} next door.",
            ),
            (
                "After {k} years {he} knew every board in the floor by its voice.",
                "At the examination {he} was asked about {m} and spoke for an hour.",
                "Once {he} fell asleep in {place} and was locked in until {day}.",
            ),
            (
                "Now {he} has apprentices of {his} own, and they sweep.",
                "{He} left for {town} in the end, and still writes every year.",
                "The apron with {his} name on it is too small for anyone.",
            ),
        ),
    ),
    (
        "On Care",
        (
            (
                "The first thing to bring to any of the {actions} is {virtue}.",
                "More {actions} have been spoilt by {fault} than by anything else.",
                "Old hands agree that {virtue} is worth more than any apparatus.",
            ),
            (
                "Whoever feels {fault} coming on should put everything down and go for a walk.",
                "It helps to say aloud what one is about to do, even when nobody is near.",
                "Tools should lie in the order in which they will be needed, from left to right.",
            ),
            (
                "{P} used to count slowly to {n} before touching anything.",
                "{P} would not begin before the table had been wiped {k} times.",
                "A card above the desk in {place} says so in letters a hand high.",
            ),
            (
                "This costs a little time and saves a good deal of it.",
                "Young people laugh at this, and come round to it in their second year.",
                "It is a small thing, and the house is built of small things.",
            ),
            (
                "What has been written down need not be remembered.",
                "What is put back in its place need not be looked for.",
                "Nobody has ever been blamed here for being slow.",
            ),
        ),
    ),
    (
        "An Accident",
        (
            (
                "On a {day} in {season}, {P} knocked over {thing}.",
                "The worst accident in the history of the house took place in {place}, and nobody was hurt.",
                "It was {weather} that caused it, or so {P} always said.",
            ),
            (
                "Ink ran down {k} flights of stairs and out into the street.",
                "There was a noise as if a cart had come through the wall.",
                "For a moment nothing moved, and then everything did.",
            ),
            (
                "{q} saved the notebooks by throwing them out of the window.",
                "The neighbours came running with buckets, though there was no fire.",
                "{Animal} had been asleep underneath and was never seen in that room again.",
            ),
            (
                "The damage came to {n} weeks' pay, and {body} took it calmly.",
                "The carpet had to be turned round, and it still lies that way.",
                "A {trade} worked on it for {k} days and would take no money.",
            ),
            (
                "Since then there has been a rail.",
                "{p} told the story well, and better with the years.",
                "A sign was put up on that day: no running in {place}.",
            ),
        ),
    ),
    (
        "The Animal of the House",
        (
            (
                "For {n} years the house had {animal}.",
                "{Animal} came in with {weather} and stayed.",
                "Officially there are no animals in the house; in fact there has always been one.",
            ),
            (
                "It slept in {place}, on top of {thing}.",
                "{P} fed it with what was left of the {food}, and denied it.",
                "It was fond of {q} and of nobody else.",
            ),
            (
                "Whenever somebody set out to {does}, it left the room.",
                "It had its own line in the budget, under the heading of fuel.",
                "Visitors took it for a sign of good luck, and the staff let them.",
            ),
            (
                "{Body} once asked for its papers.",
                "In {season} it would sit at the window and watch the street for hours.",
                "It was never ill for a day, which could not be said of the staff.",
            ),
            (
                "Its grave is under the pear tree.",
                "Its descendants are all over {town}.",
                "A photograph of it hangs between those of the directors, and it has the kindest face.",
            ),
        ),
    ),
    (
        "A Letter",
        (
            (
                "Among the papers in {place} there is {paper} from {P} to {Q}.",
                "A letter of that time, in a {colour} envelope, was found behind {thing}.",
                "{P} wrote long letters home, and the house has copies of {n} of them.",
            ),
            (
                "It begins with the weather, which was {weather}, and with the food, which was {food}.",
                "It was written in {season}, by candle light, and there are drops of wax on it.",
                "Its tone is cheerful, although its writer had every reason to complain.",
            ),
            (
                "Then it tells of the work: how they got up at dawn to {does}, and how cold the floor was.",
                "The middle part deals with a pair of boots, and takes {k} pages to do so.",
                "There is a drawing of {place} in it, with everyone in their usual seats.",
            ),
            (
                "One sentence about {q} has been made illegible with great care.",
                "At the end come greetings to {n} people, each by name.",
                "The last page is missing, and perhaps it never arrived.",
            ),
            (
                "The letter was never answered, as far as anyone knows.",
                "It is read aloud every year at the summer feast.",
                "Historians have not yet shown any interest in it.",
            ),
        ),
    ),
    (
        "Money",
        (
            (
                "The house has never been rich.",
                "In its fifth year the house was nearly closed for want of money.",
                "The accounts of the house are kept in a {colour} book by {role}.",
            ),
            (
                "In a bad year the staff was paid in {food}.",
                "{P}, who kept the books, could make a coin last a week.",
                "The largest sum ever spent at once went into a stove.",
            ),
            (
                "{Body} gave a little every year and wanted to be thanked for it.",
                "A bequest from a {trade} in {town} came just in time.",
                "To save on light, the hours were moved with the sun.",
            ),
            (
                "String is kept, and so are envelopes, which are turned inside out.",
                "Every {action} has its price, and the price of {m} has not gone up for {n} years.",
                "Somebody once proposed to charge for admission, and was laughed at.",
            ),
            (
                "So it has gone on, from one year to the next.",
                "The books balance, and nobody looks too closely at how.",
                "There is a jar for coins in {place}, and it is never quite empty.",
            ),
        ),
    ),
    (
        "A Winter",
        (
            (
                "The winter in which {thing} froze to the wall is still talked about.",
                "That year winter came early and stayed until the tenth week of the new year.",
                "In the cold months work moves to {place}, which has the only good stove.",
            ),
            (
                "The ink froze, and so they wrote with pencils.",
                "Everybody wore {k} coats and hardly fitted through the door.",
                "{P} slept at the house, because the road to {town} was closed.",
            ),
            (
                "It was {q}'s turn to {does}, and {q} did it with mittens on.",
                "They burned the old shelves first, and then the new ones.",
                "They ate {food} every day, and nobody complained until {day}.",
            ),
            (
                "At night one heard the beams crack.",
                "{Animal} was let in and turned out to be good company.",
                "To keep warm they recited poems, and when they ran out of poems, the {actions}.",
            ),
            (
                "When the thaw came, they hardly knew what to do with their hands.",
                "No one who was there ever spoke badly of summer again.",
                "The wood bill of that winter is framed in {place}.",
            ),
        ),
    ),
    (
        "The Archive",
        (
            (
                "The archive takes up {k} rooms and smells of dust and {drink}.",
                "Nobody has ever read the whole archive, though {P} came close.",
                "The archive was moved {k} times and lost something every time.",
            ),
            (
                "It is sorted by year, then by colour, and then by a system that {p} took to the grave.",
                "There are {n} boxes without a label and {k} labels without a box.",
                "The oldest sheet is {paper} about a leaking barrel.",
            ),
            (
                "To borrow from it one signs in {thing}.",
                "Whoever looks for one thing there finds another.",
                "All that was ever noted about {m} fills a shelf as long as a man.",
            ),
            (
                "In {season} the windows are opened for an hour, and paper flies about.",
                "The mice have been asked to leave, by means of {animal}.",
                "A student from {town} once spent {n} weeks in it and came out with a beard.",
            ),
            (
                "There is talk of a catalogue.",
                "Everything is there; one only has to be lucky.",
                "The key hangs on a nail beside the door, so that it is safe.",
            ),
        ),
    ),
    (
        "A Feast",
        (
            (
                "Every year on a {day} in {season} the house gives a feast.",
                "The jubilee was kept with {food}, {drink}, and {n} speeches.",
                "When {P} retired, there was a dinner in {place}.",
            ),
            (
                "{q} spoke for an hour about {virtue}.",
                "The {trade} from across the street played the fiddle.",
                "{Body} sent {paper}, which was read out twice because of the noise.",
            ),
            (
                "At midnight somebody proposed to {does} with closed eyes, and was held back.",
                "The youngest sang a song with {n} verses, one for each of the old directors.",
                "There was dancing, and the floor held.",
            ),
            (
                "Nobody remembers who brought {animal}.",
                "{Thing} was found in the garden next morning.",
                "It began to pour, and the whole company moved into the kitchen.",
            ),
            (
                "Work began an hour late the next day, as it does every year.",
                "The song is lost, except for its last line.",
                "The bill was settled by somebody who wished to remain unknown.",
            ),
        ),
    ),
    (
        "A Journey",
        (
            (
                "In {season} {P} was sent to {town} to see how things were done there.",
                "The house once sent {P} and {k} others on a journey.",
                "{P} travelled for {n} weeks with nothing but a bag and {thing}.",
            ),
            (
                "The coach lost a wheel, the ferry did not run, and there was {weather}.",
                "On the way {he} met a {trade} who knew the house by name.",
                "Every inn had {food} and nothing else.",
            ),
            (
                "In {town} they received {him} kindly and showed {him} everything but the kitchen.",
                "There they also have the habit to {does}, but they do it standing.",
                "They were asked so many questions that they ran out of answers on the second day.",
            ),
            (
                "{He} came home with {n} drawings and a cough.",
                "{He} brought back a kettle, which is the one still in use.",
                "The report ran to {n} pages, of which {body} read {k}.",
            ),
            (
                "Since then both houses have exchanged greetings every new year.",
                "Nobody has been sent since.",
                "{q} remarked that one could have written a letter.",
            ),
        ),
    ),
    (
        "The Tools",
        (
            (
                "The tools for {m} are kept in a {colour} box in {place}.",
                "Half of the tools were made by {P}, who had been a {trade} before.",
                "A good tool, they say here, is one that nobody notices.",
            ),
            (
                "They are oiled every {day} and counted every month.",
                "The handles are worn where thumbs have been for {n} years.",
                "Each has its own nail, and its outline is painted on the wall behind it.",
            ),
            (
                "Lending is not done; the house learned that from the {trade} next door.",
                "A set of new ones was once ordered from {town} and sent back within {k} days.",
                "When {q} let one of them fall, the whole room held its breath.",
            ),
            (
                "They look like nothing much, and a visitor once took them for kitchen things.",
                "One of them has no known use, and is oiled with the others.",
                "In {season} the metal sweats and has to be dried with a cloth.",
            ),
            (
                "Whoever borrows the cloth is asked to bring it back.",
                "Treat them as if they were borrowed from a friend.",
                "The box was once a bread bin, and on warm days one can tell.",
            ),
        ),
    ),
    (
        "The Neighbours",
        (
            (
                "The people of the street have their own opinion about the house.",
                "To the left lives a {trade}, and to the right there is an empty plot with {animal}.",
                "The neighbours have never quite understood what is done here.",
            ),
            (
                "Some think that it is a bank, others that it is a school for nuns.",
                "They have seen people {does} at the window, and drawn their conclusions.",
                "Children dare each other to touch the {colour} door.",
            ),
            (
                "In {season} they complain about the smoke, and in the other seasons about the bell.",
                "{P} made peace with them by way of {food}.",
                "When the pump failed, it was the house that gave them water for {n} days.",
            ),
            (
                "Once a year they are invited to {place}, and most of them come for the {drink}.",
                "The {trade}'s wife waters the window boxes when nobody is in.",
                "A hole in the fence has been kept open on both sides.",
            ),
            ("One could do worse.", "They would miss it, they say, if it were gone.", "It is, on the whole, a quiet street."),
        ),
    ),
    (
        "A Diary",
        (
            (
                "The diary of {P} covers {n} years and hardly mentions the house.",
                "From a diary kept in {place}: the entries of one week in {season}.",
                "{P} wrote a line every evening, however tired {he} was.",
            ),
            (
                "On {day}, {weather}; the stove smoked; no visitors.",
                '"Was asked to {does} and did," says one entry, and no more.',
                '"Slept badly, worked well," runs the entry for a {day}.',
            ),
            (
                "The next day there is only a drawing of {thing}.",
                "Then follow {k} pages on the right way to boil an egg.",
                "A pressed leaf lies between the next two pages.",
            ),
            (
                "Of {q} it says, in small letters: kind, but loud.",
                "There is a quarrel about {food}, told with great fairness.",
                "{He} notes the price of lamp oil as others note birthdays.",
            ),
            (
                "The last entry breaks off in the middle of a word.",
                "One closes the book with the feeling of having been a guest.",
                "Nothing happens in it, and one reads on.",
            ),
        ),
    ),
    (
        "Learning",
        (
            (
                "Nobody learns all of the {actions} in one year.",
                "The teaching of the {actions} has changed more than the {actions} themselves.",
                "Beginners are taught in {place}, {k} at a time.",
            ),
            (
                "In the first weeks they only watch, which is harder than it sounds.",
                "They start with {m}, because nothing can break.",
                "{P} made them {does} with their eyes on the clock, until it bored them.",
            ),
            (
                "Then they are asked to teach it to somebody else.",
                "Mistakes are written on the board, with the date and without the name.",
                "A beginner who asks no questions is sent to buy {food}.",
            ),
            (
                "{q} held that one can teach everything but {virtue}.",
                "The most common weakness is {fault}, and it goes away by itself.",
                "There is no prize at the end; there is a cup of {drink}.",
            ),
            (
                "After that they are on their own, with all the others around them.",
                "Some stay for {n} years, and some until lunch.",
                "The old ones learn again when they teach, and say so.",
            ),
        ),
    ),
    (
        "The Clock",
        (
            (
                "The clock in {place} is {n} minutes fast, on purpose.",
                "Time in this house is told by a bell, which {role} rings.",
                "{P} gave the house its clock, and with it a good deal of trouble.",
            ),
            (
                "It was set that way so that nobody would miss the last coach to {town}.",
                "In {season} it stops, and somebody has to climb up to it.",
                "A {trade} comes twice a year, listens to it, and leaves again.",
            ),
            (
                "Whoever has to {does} goes by it, and by nothing else.",
                "It was silent for {k} years, and punctuality did not suffer.",
                "The hours are told to visitors as they are, after a short sum.",
            ),
            (
                "{q} once set it right, and the whole day fell apart.",
                "Its face was painted {colour} by mistake.",
                "Inside it somebody keeps a bottle of {drink}.",
            ),
            ("Nobody knows how to stop it.", "One gets used to it.", "It will outlast us all, and be early."),
        ),
    ),
    (
        "A Rumour",
        (
            (
                "For years there was a rumour about a door behind {thing}.",
                "It is said that {P} still walks through {place} at night.",
                "The rumour that the house would be sold came up every other year.",
            ),
            (
                "Nobody had seen it, but everyone knew somebody who had.",
                "It was started by a {trade} from {town}, who had been given bad soup.",
                "{q} laughed at it and avoided being there after dark.",
            ),
            (
                "{Body} looked into the matter for {n} weeks and found a draught.",
                "One {day} they moved the furniture and found a wall, {colour}, and quite solid.",
                "The more it was denied, the better it was told.",
            ),
            (
                "Apprentices are still told about it on their first {day}.",
                "It served to keep children out of the yard.",
                "A song was made about it, with a part for the bell.",
            ),
            (
                "There is nothing in it.",
                "One should not believe everything, and least of all in {season}.",
                "It did no harm, and the evenings are long.",
            ),
        ),
    ),
    (
        "The Garden",
        (
            (
                "Behind the house there is a garden of {n} paces by {k}.",
                "{P} laid out the garden in the shape of a fan.",
                "The garden was meant for rest and became a place of work.",
            ),
            (
                "Beans grow there, and a pear tree that bears every other year.",
                "In {season} one can hardly see the path.",
                "A wall keeps off the worst of the wind, and most of the sun.",
            ),
            (
                "On warm days the tables are carried out, and in the shade the talk is about how to {does}.",
                "{Animal} has the run of it.",
                "There is a bench for those who have finished and another for those who have not begun.",
            ),
            (
                "{q} tried to grow melons and harvested {k} of them.",
                "The {trade} across the lane lends a hand, and takes his pay in pears.",
                "The compost is the business of {role}.",
            ),
            (
                "Many a hard question has been settled there by silence.",
                "When the gate stands open, one may come in.",
                "Nobody has ever been seen to hurry in it.",
            ),
        ),
    ),
    (
        "The Night Shift",
        (
            (
                "The night shift was introduced by {P} and hated from the beginning.",
                "At night the house belongs to {k} people and {animal}.",
                "Those who work at night have a way of walking of their own.",
            ),
            (
                "They begin at ten with {drink} and end at six with {food}.",
                "They sit in {place}, where the lamp is, and tell each other their lives.",
                "It is so quiet that one hears the paper grow old.",
            ),
            (
                "Now and then someone has to {does}, and all go along for company.",
                "{q} once read a whole dictionary, and was somewhat changed by it.",
                "Every hour one of them goes round with {thing} under the arm.",
            ),
            (
                "In {season} they see the sun rise over {town}.",
                "They have a language of nods, which the day shift does not understand.",
                "Their handwriting is larger, and their jokes are slower.",
            ),
            (
                "In the morning they leave everything as they found it.",
                "Their notes begin with the words: nothing to report.",
                "Nobody asks to be moved to the day, once the first year is over.",
            ),
        ),
    ),
    (
        "The Inspection",
        (
            (
                "{Body} announced an inspection, {n} days ahead.",
                "The inspector, {P}, arrived in {weather} and in a bad temper.",
                "Inspections are rare, and each has left its mark.",
            ),
            (
                "Everything was scrubbed, even {thing}.",
                "They had hidden {animal} in {place}, where it could be heard.",
                "A {colour} carpet was borrowed from the {trade}.",
            ),
            (
                "{p} wanted to see the accounts, the cellar, and the soup, in this order.",
                "{q} was asked to {does} while being watched, and {q}'s ears turned red.",
                "{p} ran a finger along the shelves and looked at the finger.",
            ),
            (
                "There was a long pause over the {n} missing spoons.",
                "Then {p} sat down, took some {drink}, and asked for a second cup.",
                "{p} wrote for an hour without looking up.",
            ),
            (
                "The report praised the stairs.",
                "The house was given {k} years to mend the gutter, and took them.",
                "It could have been worse, as {role} put it, and it had been worse.",
            ),
        ),
    ),
    (
        "A Collection",
        (
            (
                "In {place} stands a cupboard with things that were left behind.",
                "{P} collected buttons, and left the house {n} boxes of them.",
                "The house owns a small collection, which nobody has asked for.",
            ),
            (
                "There are umbrellas, a set of false teeth, and a map of {town}.",
                "Each piece has a number, and the numbers are in a notebook that is also lost.",
                "The finest piece is a {colour} glass bottle without a bottom.",
            ),
            (
                "It may be seen on {day}s, if somebody is found who has the key.",
                "School classes are led past it on the way to the {actions}.",
                "Once somebody came back for a scarf after {n} years, and got it.",
            ),
            (
                "{q} wanted to throw it all away and kept a thimble.",
                "It grows by itself, as such things do.",
                "{Animal} once spent a winter in it.",
            ),
            ("There is room for more.", "Please leave nothing behind.", "It is dusted before feasts."),
        ),
    ),
    (
        "A Saying",
        (
            (
                "There is a saying in the house: first the hands, then the head, then the mouth.",
                '"Look twice, write once," is carved over the door of {place}.',
                'Everyone here knows the words of {P}: "It will still be there tomorrow."',
            ),
            (
                "Nobody knows where it comes from.",
                "{q} is said to have coined it, while waiting for {drink}.",
                "It was meant for the {trade} who built the stairs, and has been applied to everything since.",
            ),
            (
                "It is said to beginners before they set out to {does} for the first time.",
                "It is said at weddings, too, and nobody minds.",
                "It is embroidered on a {colour} cushion, with a mistake in it.",
            ),
            (
                "What it means is that {virtue} comes first.",
                "What it means is not clear, and that is why it is so useful.",
                "What it warns against is {fault}.",
            ),
            (
                "One could do without it, of course.",
                "There are worse sayings, and some of them are carved as well.",
                "Several generations have rolled their eyes at it and passed it on.",
            ),
        ),
    ),
    (
        "The Staircase",
        (
            (
                "The staircase has {n} steps, or one more, depending on where one starts.",
                "The {trade} who built the staircase had never built one before.",
                "Everything that comes into the house has to come up the stairs.",
            ),
            (
                "The third step creaks and is left out by those who come late.",
                "{P} carried {thing} up alone and talked about it ever after.",
                "The banister is polished by {k} generations of sleeves.",
            ),
            (
                "On the landing there is a chair for the out of breath.",
                "When there is {weather}, the steps are covered with sacking.",
                "In {season} light falls on it through a {colour} pane.",
            ),
            (
                "The way to {place} is up, then left, and then down again.",
                "{q} fell down it once, with a full tray, and not a cup was broken.",
                "Whoever is about to {does} should not run up it.",
            ),
            (
                "It has been said that the house is a staircase with rooms.",
                "A lift was considered for {n} years.",
                "One learns a good deal about people by listening to them climb.",
            ),
        ),
    ),
    (
        "The Names of Things",
        (
            (
                "Why {m} is called {m} is a question that visitors like to ask.",
                "The name of the {action} {m} has not always been the one in use now.",
                "Names in this house are older than the things they stand for.",
            ),
            (
                "{P} proposed the name in a meeting about something else.",
                "In the earliest papers it has no name and is called the usual.",
                "A spelling mistake by {role} was never put right.",
            ),
            (
                "For some years the people of {town} had another word for it, which may not be printed.",
                "{q} wanted to call it after a favourite aunt.",
                "There was a vote, with {n} hands for and {k} against.",
            ),
            (
                "By then it was on the labels, and the labels had been paid for.",
                "It is short, and one can call it down the stairs.",
                "Foreign visitors find it easy to say, and hard to forget.",
            ),
            ("So it has stayed.", "A name is a handle; one should not paint it too often.", "Nobody would understand any other."),
        ),
    ),
    (
        "Rules of the House",
        (
            (
                "To begin with the rules of the house, hats are taken off in {place}.",
                "There are {n} rules of the house, and most of them are about doors.",
                "Of all the rules of the house the oldest concerns wet coats.",
            ),
            (
                "Nobody eats {food} above the ground floor.",
                "On {day}s there is no talking before noon.",
                "Whoever comes last fills the lamps.",
            ),
            (
                "{P} wrote them down, on {paper} that has since turned brown.",
                "They were made one at a time, each after a small disaster.",
                "{q} knew all of them and kept about half.",
            ),
            (
                "New ones have to be read out {k} times before they hold.",
                "Guests are not bound by them, but soon keep them.",
                "One of them forbids what nobody has ever wanted to do.",
            ),
            (
                "About the {actions} they say nothing; those have pages of their own.",
                "There is no fine; there is only the look of {role}.",
                "Nobody has been sent away for breaking them.",
            ),
        ),
    ),
    (
        "Weather Notes",
        (
            (
                "It is a custom of the house to write down the weather every morning.",
                "{P} kept the weather notes for {n} years without missing a {day}.",
                "The windiest month on record was in {season}.",
            ),
            (
                "There was {weather}, and the shutters banged all night.",
                "The barrel in the yard overflowed {k} times in a week.",
                "One could not see from the door to the gate.",
            ),
            (
                "The work went on, since one can {does} in any weather.",
                "They lit the lamps at noon.",
                "The messenger from {town} arrived {n} hours late and was given {drink}.",
            ),
            (
                "{q} nailed {thing} to the floor.",
                "Washing from the whole street ended up in the pear tree.",
                "{Animal} refused to go out.",
            ),
            (
                "Then it cleared, and everyone stood in the yard looking up.",
                "The next entry says: fair.",
                "No two such days have been alike, and the notes are there for those who doubt it.",
            ),
        ),
    ),
    (
        "A Reform",
        (
            (
                "When {P} became director, everything was to change.",
                "The great reform took place in {season} and was over by the next.",
                "{Body} sent a plan for a reform, with {n} coloured charts.",
            ),
            (
                "Desks were turned round so that people faced each other.",
                "Forms were to be filled in with {k} copies, one of them {colour}.",
                "The {actions} were given numbers instead of names, and nobody could find {m} any more.",
            ),
            (
                "The older staff nodded and did as before.",
                "{q} carried it out to the letter, which made it look worse than it was.",
                "For a while there was a prize for suggestions, won by the {trade} from next door.",
            ),
            (
                "After {n} months the paper ran out.",
                "Then came {weather}, and people had other worries.",
                "Step by step the desks were turned back.",
            ),
            (
                "Some good came of it: the windows were cleaned.",
                "The charts are used to wrap {food}.",
                "{p} took it well, and planted the pear tree.",
            ),
        ),
    ),
    (
        "The Kitchen",
        (
            (
                "The kitchen is the warmest room, and so most things are decided there.",
                "{P} cooked for the house for {n} years and never sat down.",
                "The dish on {day}s is {food}, and no one has ever been able to change that.",
            ),
            (
                "The pot is large enough to bathe a child in, and that has been done.",
                "Water is drawn in the yard and carried in by whoever is nearest.",
                "The spoons are counted, since {k} of them were lost in the cellar.",
            ),
            (
                "While the {drink} draws, people go through the day's {actions}.",
                "Anyone who has to {does} gets a second helping.",
                "Recipes are kept in the same ledger as the accounts, and on some pages it is hard to tell which is which.",
            ),
            (
                "{q} once salted the soup with plaster.",
                "In {season} the shutters stay closed to keep out the wasps.",
                "A guest from {town} asked for the recipe and was given the wrong one.",
            ),
            (
                "The stove has been out only once, and that was a sad day.",
                "One washes one's own cup.",
                "It smells of onions there, even in the drawers.",
            ),
        ),
    ),
    (
        "Farewell to an Old Hand",
        (
            (
                "When {P} left, after {n} years, {he} took nothing but {thing}.",
                "{P} worked here until the day on which {he} could no longer climb the stairs.",
                "Of all who ever worked here, {P} is the one people ask about.",
            ),
            (
                "{He} had never been late, except once, because of {weather}.",
                "{He} had seen {k} directors come and go, and had taught each of them where the key hung.",
                "{He} spoke little, and what {he} said was mostly about {virtue}.",
            ),
            (
                "On the last {day} {he} went to {place} alone, to {does} once more.",
                "The speech by {q} was short, because {q} could not go on.",
                "They gave {him} a {colour} blanket, which {he} said was too good to use.",
            ),
            (
                "{He} moved to {town}, to live with a sister who was a {trade}.",
                "For some time {he} still came by on {day}s, and sat in the yard.",
                "{His} hook in the cloakroom was left free for a year.",
            ),
            (
                "New people ask why that cup has a crack and is not thrown away.",
                "It is quieter since, although {he} never made a sound.",
                "There are people like that, and no house could stand without them.",
            ),
        ),
    ),
    (
        "A Wager",
        (
            (
                "{P} once bet {q} {n} coins that nobody could carry {thing} to {town}.",
                "It began as a wager, over {drink}, in {place}.",
                "{P} could not resist a wager, and {q} knew it.",
            ),
            (
                "The task was to {does} with one hand tied behind the back.",
                "The task was to say nothing for {k} days.",
                "The loser was to cook {food} for the whole staff.",
            ),
            (
                "Half of the street came to watch.",
                "There was {weather}, which nobody had thought of.",
                "A {trade} was made umpire because he owned a whistle.",
            ),
            (
                "On the second day {p} was seen to waver.",
                "{q} looked so calm that people began to change sides.",
                "At that moment {animal} came round the corner.",
            ),
            (
                "Nobody won, and both of them paid.",
                "The coins went into the roof.",
                "Wagers have been frowned upon ever since, and take place in the yard.",
            ),
        ),
    ),
    (
        "The Well",
        (
            (
                "The well in the yard is {n} fathoms deep, or so {P} used to say.",
                "Before the pump there was a well, and before the well there was a long walk.",
                "{P} paid a {trade} from {town} to dig the well a second time.",
            ),
            (
                "At {k} fathoms they came upon a boot, and at {n} upon water.",
                "Its water tastes of iron and makes {drink} darker than anywhere else.",
                "A {colour} bucket hangs above it, with a hole that everyone knows how to hold shut.",
            ),
            (
                "In {season} the rope freezes, and {q} thaws it with a candle.",
                "Whoever is sent to {does} goes past it and looks down, out of habit.",
                "{Thing} fell in once and was fished out with a bent spoon.",
            ),
            (
                "{Body} sent somebody to measure it, who went home with wet sleeves.",
                "Children are told that {role} lives at the bottom.",
                "{Animal} drinks there, at the same hour every day.",
            ),
            (
                "A coin is thrown in at new year, and taken out again in {season}.",
                "No two people agree on how it got its lid.",
                "It has been dry for {k} days in all, and people still speak of each of them.",
            ),
        ),
    ),
    (
        "The Bell",
        (
            (
                "The bell came from a ship, a school, or a goat, depending on whom one asks.",
                "{P} cast the bell out of {n} old kettles.",
                "The bell in {place} has a crack and a voice like {role}.",
            ),
            (
                "It is rung {k} times in the morning and once, more softly, at night.",
                "A {trade} offered to mend it and was thanked and sent home.",
                "{q} rang it for an hour on the day on which the {actions} were first shown to the public.",
            ),
            (
                "In {weather} it can be heard as far as {town}.",
                "Its rope has been spliced so often that nothing of the first rope is left.",
                "{Animal} learned to pull the rope and had to be bribed with {food}.",
            ),
            (
                "During the great silence, when {p} was ill, it was wrapped in a {colour} shawl.",
                "{Body} wanted it lower, the neighbours wanted it gone, and so it stayed.",
                "When somebody begins to {does}, it must not be touched for an hour.",
            ),
            (
                "Those who left say that they still hear it on {day}s.",
                "It was never stolen, though twice it was borrowed.",
                "On the rim there is a verse about {virtue}, which ends in the middle.",
            ),
        ),
    ),
    (
        "Shoes",
        (
            (
                "Nobody enters {place} in boots, by order of {P}.",
                "The house once bought {n} pairs of felt slippers, all of one size.",
                "There is a row of pegs by the door, and below it a row of shoes.",
            ),
            (
                "{P} had lost {k} toes to frost and took footwear seriously.",
                "The {trade} round the corner soles them for the price of {food}.",
                "Guests are lent a {colour} pair that squeaks.",
            ),
            (
                "In {season} the floor is so cold that people stand on {paper}.",
                "One knows by the shoes who is in, and by the laces in what mood.",
                "{q} wore two different ones for {n} years, and nobody mentioned it.",
            ),
            (
                "Someone once tried to {does} in clogs, and the noise was remarkable.",
                "A mouse raised a family in the left slipper of {role}.",
                "{Body} came in socks and was for once quite friendly.",
            ),
            (
                "The fine for mud is a song.",
                "It is better to have dry feet than to be right, as they say in {town}.",
                "The oldest pair is kept behind glass, next to {thing}.",
            ),
        ),
    ),
    (
        "Handwriting",
        (
            (
                "The handwriting of {P} was so small that {n} notebooks lasted a lifetime.",
                "Beginners spend their first {k} weeks on the letters of the alphabet.",
                "There are {n} ways to write a seven in this house, and each has its party.",
            ),
            (
                "{q} dotted every letter, to be on the safe side.",
                "Ink is made from oak galls in {place}, in {season}, with the windows open.",
                "A {trade} gave lessons on {day}s and was paid in {food}.",
            ),
            (
                "The notes on {m} are in {k} hands, one of them left-handed.",
                "What {p} wrote in {weather} can be told by the slant.",
                "One page has a paw print on it, the work of {animal}.",
            ),
            (
                "{Body} asked for typed copies and was sent {paper}, in capitals.",
                "To practise, they copied out {paper} about the price of coal.",
                "The worst hand belonged to {role}, whose orders were carried out by guesswork.",
            ),
            (
                "A good line is like a fence: straight, and with something behind it.",
                "What nobody can read is kept all the same, in a {colour} folder.",
                "Blotting paper is never thrown away, for it remembers.",
            ),
        ),
    ),
    (
        "The Census",
        (
            (
                "One year {body} wanted to know how many people worked in the house.",
                "Nobody was sure how many people belonged to the house, and so {P} counted them.",
                "A man with a {colour} satchel came to count heads on a {day} in {season}.",
            ),
            (
                "The first count gave {n}, the second {k}, and the third was broken off.",
                "{q} was counted twice because of a change of hat.",
                "Two were on the roof, one was in the well, and {role} refused to be a number.",
            ),
            (
                "It was argued whether {animal} should be entered.",
                "Those who had gone out to {does} were put down in pencil.",
                "The form had no line for the {trade} who had only come about the stove and stayed for years.",
            ),
            (
                "In the end a figure was agreed upon over {drink}.",
                "{p} signed with a flourish that covered the last column.",
                "The sheet was sent off together with a jar of {food}.",
            ),
            (
                "{Paper} came back: thank you, but the question had been about chairs.",
                "Ever since, they add one for luck.",
                "The true number is known to the cook.",
            ),
        ),
    ),
    (
        "The Long Table",
        (
            (
                "The table in {place} seats {n}, or more if nobody breathes.",
                "{P} built the long table from the door of a barn near {town}.",
                "Everything of importance has at some time lain on the long table.",
            ),
            (
                "One leg is shorter and rests on {paper}.",
                "There are {k} knots in the wood, and each has a name.",
                "It had to be built inside the room and will never leave it.",
            ),
            (
                "On {day}s it is scrubbed with sand until it is almost white.",
                "{q} always sat at the head, {p} at the foot, and the salt in the middle.",
                "A burn in the shape of a horseshoe recalls a night long ago.",
            ),
            (
                "It is there that the young learn to {does}, between breakfast and soup.",
                "A {trade} from {town} offered {n} coins for it and was shown the door.",
                "Below it {animal} waits for {food}.",
            ),
            (
                "In its drawer are a cork, a key without a lock, and the rules of a forgotten game.",
                "Whoever carves a name into it has to oil the whole table.",
                "It has heard everything and keeps it to itself.",
            ),
        ),
    ),
    (
        "A Flood",
        (
            (
                "In {season} the river came up to {place}.",
                "The flood mark on the wall is at the height of a tall child.",
                "It had rained for {n} days when {P} first heard water under the floor.",
            ),
            (
                "They carried the papers upstairs in a chain of {n} people and one {trade}.",
                "{Thing} floated out by the front door and came back by the cellar.",
                "{q} rowed to work for a week, in a trough.",
            ),
            (
                "The {actions} went on in the attic, by the light of {k} lamps.",
                "When somebody had to {does}, they did it standing on chairs.",
                "{Animal} sat on the highest shelf and would not be spoken to.",
            ),
            (
                "{town} sent blankets, {food}, and good advice.",
                "{Body} declared that the river had acted without permission.",
                "There was nothing to drink but {drink}, and nobody complained.",
            ),
            (
                "It took {k} months for the walls to dry, and the smell of river is still in the folders.",
                "A fish was found in the letter box, alive.",
                "After that the archive was moved up, and the kitchen stayed where it was.",
            ),
        ),
    ),
    (
        "Music",
        (
            (
                "{P} played the flute, and whoever worked next door learned patience.",
                "There was once a choir of {n} voices in the house, most of them low.",
                "The piano in {place} was left behind by a {trade} who owed rent.",
            ),
            (
                "They met on {day}s, after the last of the {actions}, and sang until the lamp went out.",
                "{q} knew {k} songs, {n} verses each, and no tune.",
                "In {weather} half of the keys stick, and the pieces are chosen to suit.",
            ),
            (
                "A march was written for the day on which {m} was first done by a trainee.",
                "There is a round about {food}, which can be started at any point and never ends.",
                "For {season} there is a lullaby that sends {animal} to sleep, and nobody else.",
            ),
            (
                "{Body} was received with a hymn and mistook it for a complaint.",
                "The people of {town} opened their windows, and then closed them.",
                "{Role} conducted with a ruler.",
            ),
            (
                "The last concert had to be broken off because of applause.",
                "Even now someone whistles when about to {does}.",
                "What remains is a cupboard full of stands.",
            ),
        ),
    ),
    (
        "A Dream",
        (
            (
                "{P} dreamed of {thing}, three nights in a row.",
                "Dreams are not written down here, with a single exception.",
                "After {food} for supper, {P} had a dream that became famous in the house.",
            ),
            (
                "In the dream, {place} had grown to the size of {town}, and there was no end to the shelves.",
                "In the dream, {animal} spoke with the voice of {role} and asked for the accounts.",
                "In the dream it was {weather} indoors, and everybody carried on with their work.",
            ),
            (
                "{He} was told to {does}, and each time {he} began, {his} hands were {colour}.",
                "{He} tried to climb the stairs, and they went down on both sides.",
                "{He} looked for the word {virtue} in a book and found only drawings of it.",
            ),
            (
                "{He} woke up, drank {drink}, and dreamed the second part.",
                "{q} explained it in {n} ways, all of them flattering to {q}.",
                "A {trade} offered to build what {he} had seen, at a fixed price.",
            ),
            (
                "Nothing came of it, except that the shelves were dusted.",
                "For years people asked each other in the morning whether there was any news from the night.",
                "The sheet is in the archive, under furniture.",
            ),
        ),
    ),
    (
        "Young and Old",
        (
            (
                "The youngest person who ever worked in the house was not yet tall enough for the desk, if one believes {P}.",
                "At the long table the old sit by the stove and the young by the door.",
                "{P} and {Q} were born on the same {day}, {n} years apart.",
            ),
            (
                "The old say that in their time one could {does} without being told twice.",
                "The young say that {place} could do with a window.",
                "Between them they know everything, though never at the same time.",
            ),
            (
                "Once a year they change places, and then the soup is salted twice.",
                "It was {role} who thought of giving each beginner an old hand for company.",
                "{q} taught {p} to whistle, and {p} taught {q} to be silent.",
            ),
            (
                "What the one calls {fault}, the other calls speed.",
                "A {trade} who watched them for a day thought they were quarrelling; they were agreeing.",
                "They share {food} at noon and {drink} at four.",
            ),
            (
                "So the {actions} pass from hand to hand and hardly change.",
                "Nobody is old here before the age of {n}ty.",
                "In the end everybody sits by the stove.",
            ),
        ),
    ),
    (
        "The Post",
        (
            (
                "The post comes at {k} o'clock, if the road from {town} is open.",
                "{P} carried the letters for {n} years and read only the postcards.",
                "A letter box was put up in {season}, {colour}, with a slot for thin letters only.",
            ),
            (
                "On {day}s there is nothing but bills, and {q} opens them with {thing}.",
                "In {weather} the bag is dried over the stove, and the ink runs.",
                "Most people write to ask about the {actions}, and some to ask about the cook.",
            ),
            (
                "A parcel of {food} once went round by way of {town} and arrived with a history.",
                "{Paper} came every month from a {trade} who wished to be remembered, and he is.",
                "Some letters are addressed to people who have been dead for {n} years; they are answered all the same.",
            ),
            (
                "The stamps go to {role}, and the string to the drawer.",
                "{Animal} disliked the postman and liked the replacement even less.",
                "Once the order to {does} came by post, from {body}, when it had long been done.",
            ),
            (
                "No letter has ever been lost, only delayed.",
                "One writes back on the same day, and posts it on the next.",
                "The last page of the postbook is kept free for good news.",
            ),
        ),
    ),
    (
        "Light",
        (
            (
                "Good light is half of the work, as {P} used to say while looking for {his} glasses.",
                "Until the {n} lamps came, all of the {actions} were done by day.",
                "The north window in {place} was {p}'s idea, and so was the bill for it.",
            ),
            (
                "A lamp is filled on {day}s and trimmed by {role}.",
                "In {season} the sun reaches the desk for {k} minutes, and everybody stops to look.",
                "The {colour} shade was sewn by {q} from a coat that had seen {weather}.",
            ),
            (
                "To {does} by candle light takes {n} minutes longer and is said to be good for the character.",
                "A {trade} sold them a mirror to throw the light round the corner, and it mostly throws it on {animal}.",
                "They tried gas, oil, and moonlight, in that order.",
            ),
            (
                "{Body} thought that {k} candles a week should be enough for anyone.",
                "When the lamp in {town} went out, theirs was lent for the night.",
                "Soot is collected and made into ink, so that nothing is wasted.",
            ),
            (
                "What one has seen in a bad light one should look at again.",
                "The last to leave turns the wick down, and the first to come in turns it up.",
                "There is a shadow on the wall that nobody can explain, shaped like {thing}.",
            ),
        ),
    ),
)
