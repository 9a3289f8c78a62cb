"""Truth finding (core.model.Game): dealing tasks, and playing them with the fewest actions.

strategy.py   what a solved game is: value, best action, the actions of one world, cost per truth
exact.py      the best play under the game's own prior (all worlds equally likely); kernel in solvers/kernels/play_exact.py
compat.py     the published search, to compare with the paper; kernel in solvers/kernels/play_compat.py
plain_exact.py, plain_compat.py  both once more as plain Python, written apart
evaluate.py   what any policy costs, found without the kernels
deal.py       draws tasks evenly from a named sample space, and counts it; kernel in solvers/kernels/deal.py
"""
