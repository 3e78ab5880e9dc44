"""Theorems for any number of shares, and verdicts for a given configuration.

`solver` decides one condition; `steps` lists what may happen; `safety` and `reclaim` state the theorems; `verify` puts
them and the numbers of a configuration together.
"""
