"""The truth-finding game KUMO: domains and books (standard library only), then people, authors, trajectories, graphs."""
