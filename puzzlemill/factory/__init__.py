"""From a recipe to rows, files and releases."""
