"""Engines that answer questions about models, tables and checkers, and the certificates made of them."""
