"""The one exception by which the tuner refuses to start, for reasons that its user can do something about."""


class TuneError(Exception):
    """Nothing was measured, because what was asked for cannot be; the message says why and what to do."""
