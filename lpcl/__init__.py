"""LPCL, the Library Performance Contract Language, and its toolchain."""

__version__ = "0.1.0"
