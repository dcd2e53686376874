"""Scores of documents for a query: arrays in, arrays out; no storage, no documents."""
