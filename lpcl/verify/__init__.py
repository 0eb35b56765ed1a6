"""Runs the evidence of contracts against the installed libraries.

`selection` finds the contracts, `experiments` prepares what they propose to try, `laboratory` carries out one
experiment in a fresh process, `judgement` holds what it reported against what was expected, and `render`
writes the outcomes down.
"""
