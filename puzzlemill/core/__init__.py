"""Types, models, random streams and errors; standard library only."""
