"""JSON Schemas of every form, as package data."""
