"""The float32 steps against a plain double encoder: model.py --share."""
import numpy as np

from arithmetic import normsquare, signed, split, split_largest
from formats import pack_cube32, pack_smallest3

ULP = 2.0**-24  # half a unit in the last place, relative


def share(count):
    """Words that a plain double encoder rounds otherwise than the float32 steps do. Those are neighbouring cells, and
    the exact value is within the rounding errors of the steps of the boundary, or this fails."""
    q = np.random.default_rng(1).standard_normal((4, count))
    q = (q / np.sqrt(np.sum(q * q, axis=0))).astype(np.float32).astype(np.float64)
    n2 = normsquare(*q)
    _, value, others = split_largest(q)
    unit = others / np.sqrt(np.sum(q * q, axis=0)) * np.where(value < 0, -1, 1)

    def compare(name, exact, codes, bound):
        """exact: scaled such that its nearest integer is the code."""
        differ = np.rint(exact) != codes
        step = np.abs(np.rint(exact) - codes)[differ]
        near = (np.abs(np.abs(exact - np.floor(exact) - 0.5)) / bound)[differ]
        assert np.all(step == 1), name
        assert np.all(near <= 1), name
        words = np.count_nonzero(np.any(differ, axis=0))
        print(f"{name:<12} {words / count * 10000:9.3f} {np.max(near, initial=0):9.2f}")

    print("Words per 10,000 that a double encoder rounds otherwise, and how near the exact value then is")
    print("to the boundary, 1 being all the rounding errors of the float32 steps added up.")
    # 1/q[L], the product and the sum, times 511.5: 3 * 511.5; the product below 1024 and its sum with 0.5: 512 each
    _, *codes = split(pack_cube32(q, n2), 2, 10, 10, 10)
    compare("cube32", (others / value + 1) * 511.5, np.stack(codes), 2560 * ULP)
    for bits in range(4, 21):
        # 1.414214f, M, E; n2 1.5; sqrt, k, the product
        exact = unit * (2.0 ** (bits - 1) - 1) * 1.414214
        _, *codes = split(pack_smallest3(bits, 0)(q, n2), 2, bits, bits, bits)
        codes = np.stack([signed(c, bits) for c in codes])
        compare(f"smallest3:{bits}", exact, codes, 7.5 * ULP * np.abs(exact))
