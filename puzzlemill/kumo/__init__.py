"""The truth-finding game KUMO (docs/design/kumo.md), on three floors; imports go down only. The family is generators/kumo.py.

Above the factory, for those who study how the game is played:
  people.py         a page on which people play a release's dialogues               (docs/study.md)
  authors.py        domains and books that a language model writes                  (docs/authors.md)
  trajectories.py   games of a good player as conversations to fine-tune on         (docs/trajectories.md)
  graphs.py         graphs of domains: communities, parts, splits                   (docs/graphs.md)
  graph_picture.py  such a graph as a picture
  association.py    the structure of tasks against the replies of models
With the solvers (puzzlemill/solvers/play): dealing, the best play and the published search.
Below the generators, standard library only:
  reading/          knowledge books read back, and those of other authors audited   (docs/books.md)
  book/             knowledge books written and turned round, also in scorer.zip
  domain/           domains: files, checks, exclusions, invented ones; tasks, which are in scorer.zip too (docs/domains.md)
"""
