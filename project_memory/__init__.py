"""A curated, reviewable knowledge store of hard-won lessons for coding agents."""
