"""Two configurations compared, and the way from one to the other."""
