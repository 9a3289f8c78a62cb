"""Rules that several families speak: statements about positions, ciphers, one-way maps. Standard library only."""
