"""Worked examples of logic grids, in the worlds whose names they have."""

from __future__ import annotations

WORLDS = ("kites", "supper")
WORKED = (
    (
        """logic_grid
kite: Blue Zephyr, Cloud Hopper, Featherlight, Hummingbird
country: France, Malaysia, New Zealand, Peru
material: canvas, nylon, paper, rice straw
price ($): $30, $35, $50, $65
different(Featherlight, New Zealand, paper)
apart(rice straw, nylon, price, 35)
pair(Hummingbird, Featherlight, paper, $65)
before(nylon, France, price)
exactly(paper, New Zealand, price, 15)
is_not(Peru, $30)
is_not(France, $65)
either_or(New Zealand, Cloud Hopper, Hummingbird)""",
        """Blue Zephyr | Malaysia | nylon | $30
Cloud Hopper | New Zealand | canvas | $50
Featherlight | Peru | rice straw | $65
Hummingbird | France | paper | $35""",
        "made up for Puzzlemill",
    ),
    (
        """logic_grid
guest: Anton, Beatrix, Eloise, Haruki
arrival time (minutes): 6:05 pm = 0, 6:15 pm = 10, 6:25 pm = 20, 6:35 pm = 30
bill ($): $18, $22, $26, $30
exactly(Haruki, Eloise, bill, 12)
pair(Beatrix, Anton, 6:15 pm, $26)
apart(Eloise, Anton, arrival time, 20)
before(Eloise, Beatrix, arrival time)""",
        """Anton | 6:25 pm | $26
Beatrix | 6:15 pm | $22
Eloise | 6:05 pm | $30
Haruki | 6:35 pm | $18""",
        "made up for Puzzlemill",
    ),
)
