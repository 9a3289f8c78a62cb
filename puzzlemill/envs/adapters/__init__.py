"""Exports of a release for each training or evaluation tool, one module per tool.

Every module has export(release, out): it writes the tool's files for `puzzlemill.envs.export` into an empty folder and needs none
of the tool's packages. What runs inside the tool is either a file that travels with the export and needs the standard library
alone, or imports the tool's package inside functions.
"""
