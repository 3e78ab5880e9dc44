"""Arithmetic on one configuration: the share table and the findings QP###. No solver, no scheduler, no terminal."""
