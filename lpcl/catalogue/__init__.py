"""Contracts as people read them: what is in each, and pages and terminal text made of that.

`sheets` collects what a contract says, `pages` and `text` write it down, `markup` makes HTML that cannot be
broken by what stands in a contract.
"""
