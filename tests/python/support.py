"""Rotations, and calls that must fail."""
import numpy as np


def rotations(*shape, seed=1):
    found = np.random.default_rng(seed).normal(size=shape + (4,))
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


def raises(case, error, text, function, *arguments, **named):
    with case.assertRaisesRegex(error, text):
        function(*arguments, **named)
