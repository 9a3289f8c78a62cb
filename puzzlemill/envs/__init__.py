"""Where puzzles are played. So far: a person at a terminal."""
