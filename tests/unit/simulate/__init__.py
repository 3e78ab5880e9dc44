"""Policies, splits and workloads of `simulate`."""
