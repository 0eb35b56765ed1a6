"""Searches the best regularisation of a ridge regression: several worker processes, each at work with NumPy.

This is an ordinary program as many people write it. One worker is started for each CPU, and NumPy's OpenBLAS
starts one thread for each CPU in every one of them. The search evaluates random candidates for a fixed time
and prints how many it managed a second, and the best one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from multiprocessing.synchronize import Barrier

import numpy as np

SAMPLES = 1024
FEATURES = 256
FOLDS = 4

_start: Barrier


def main() -> None:
    """Parses the arguments, runs the search and prints what it found."""
    cpus = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=cpus, help="worker processes (default: one for each CPU)")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long to search (default: 0.5)")
    arguments = parser.parse_args()
    if arguments.jobs < 1:
        parser.error("--jobs must be 1 or more")

    # Fresh processes: what a library's threads are at when a process is forked does not matter then.
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(arguments.jobs)
    with context.Pool(arguments.jobs, initializer=_meet_at, initargs=(start,)) as pool:
        found = pool.starmap(
            search, [(seed, arguments.seconds) for seed in range(arguments.jobs)], chunksize=1
        )
    error, regularisation = min((error, regularisation) for _, error, regularisation in found)
    print(f"best regularisation: {regularisation:.4g} (mean squared error {error:.4f})")
    print(f"models/s: {sum(rate for rate, _, _ in found):.1f}")


def search(seed: int, seconds: float) -> tuple[float, float, float]:
    """Tries random regularisations; returns models a second, the least error and where it was found."""
    random = np.random.default_rng(seed)
    inputs, targets = _data()
    least, best = np.inf, np.nan
    _evaluate(inputs, targets, 1.0)
    _start.wait(timeout=300)
    began = time.perf_counter()
    models = 0
    while models == 0 or time.perf_counter() - began < seconds:
        regularisation = 10 ** random.uniform(-3, 4)
        error = _evaluate(inputs, targets, regularisation)
        models += 1
        if error < least:
            least, best = error, regularisation
    return models / (time.perf_counter() - began), float(least), float(best)


def _evaluate(inputs: np.ndarray, targets: np.ndarray, regularisation: float) -> float:
    """The mean squared error of a ridge regression, by cross-validation."""
    errors = []
    for fold in range(FOLDS):
        held_out = np.arange(len(inputs)) % FOLDS == fold
        seen, wanted = inputs[~held_out], targets[~held_out]
        gram = seen.T @ seen + regularisation * np.eye(FEATURES)
        weights = np.linalg.solve(gram, seen.T @ wanted)
        errors.append(np.mean((inputs[held_out] @ weights - targets[held_out]) ** 2))
    return float(np.mean(errors))


def _data() -> tuple[np.ndarray, np.ndarray]:
    """The same regression problem in every worker."""
    random = np.random.default_rng(12345)
    inputs = random.standard_normal((SAMPLES, FEATURES))
    weights = random.standard_normal(FEATURES) * (random.uniform(size=FEATURES) < 0.1)
    return inputs, inputs @ weights + 3.0 * random.standard_normal(SAMPLES)


def _meet_at(start: Barrier) -> None:
    """Keeps the point at which the workers wait for each other, so that all search at the same time."""
    global _start
    _start = start


if __name__ == "__main__":
    main()
