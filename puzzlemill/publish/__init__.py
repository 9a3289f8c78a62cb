"""Releases: the ledger, folders and the Hub, blind splits, what becomes of a release later."""
