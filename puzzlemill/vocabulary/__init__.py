"""Words that puzzles are written in, as data with their sources (SOURCES.md).

load.py    reads data files, also those of kumo/domain and kumo/book
words.py   lists of English words and of keywords: words.txt, keywords.txt
themes.py  scenes, attributes and sentences of puzzles about positions: themes.toml, axes.toml; of orderings: orders.toml,
           order_axes.toml
worlds.py  scenes, categories, scales and sentences of logic grids: worlds.toml, grid_clues.toml
voices.toml is how worked replies speak, which factory/reasoning.py reads.
"""
