"""Rules that several families speak: statements about positions, ciphers. Standard library only."""
