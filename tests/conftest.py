"""Settings for the whole suite."""

from hypothesis import settings

# how long an example takes says nothing about the code on a busy machine
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
