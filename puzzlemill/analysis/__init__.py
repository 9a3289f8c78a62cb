"""What is measured of rows and replies."""
