"""Shared by tests: small queues and random runs."""
