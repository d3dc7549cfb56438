"""Rotations and translations at random, and angles between rotations."""
import numpy as np


def rotations(*shape, seed=1, dtype=np.float32):
    q = np.random.default_rng(seed).normal(size=(*shape, 4))
    return (q / np.linalg.norm(q, axis=-1, keepdims=True)).astype(dtype)


def degrees_between(p, q):
    """Angle of the rotation from p to q, of arrays (..., 4), directions alone."""
    p, q = (a.astype(np.float64) / np.linalg.norm(a.astype(np.float64), axis=-1, keepdims=True) for a in (p, q))
    q = q * np.where((p * q).sum(-1, keepdims=True) < 0, -1, 1)
    return np.degrees(4 * np.arcsin(np.linalg.norm(p - q, axis=-1) / 2))


def product(a, b):
    """Quaternions that turn by b, then by a."""
    (u, w), (v, x) = ((np.asarray(q, float)[..., :3], np.asarray(q, float)[..., 3:]) for q in (a, b))
    return np.concatenate((w * v + x * u + np.cross(u, v), w * x - (u * v).sum(-1, keepdims=True)), -1)


def walk(frames, bodies, seed=1, turn=0.01):
    """Rotations that turn a little from frame to frame: (frames, bodies, 4) in float32."""
    generator = np.random.default_rng(seed)
    q = np.empty((frames, bodies, 4))
    q[0] = rotations(bodies, seed=seed, dtype=float)
    for f in range(1, frames):
        v, u, w = turn * generator.normal(size=(bodies, 3)), q[f - 1, :, :3], q[f - 1, :, 3:]
        q[f] = np.concatenate((w * v + u + np.cross(v, u), w - (u * v).sum(-1, keepdims=True)), -1)
        q[f] /= np.linalg.norm(q[f], axis=-1, keepdims=True)
    return q.astype(np.float32)


def turns(keys, seed=1):
    return walk(keys, 1, seed=seed, turn=0.2)[:, 0]


def moves(keys, seed=1):
    return np.random.default_rng(seed).normal(size=(keys, 3)).astype(np.float32)
