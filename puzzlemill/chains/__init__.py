"""Chains of reasoning in free text, judged sentence by sentence without a language model (PuzzleEval of 2407.14790).

cut -> recognise -> judge. Standard library only: it travels in scorer.zip.
"""
