/* Arrays of half floats: IEEE binary16.
 *
 * Arguments are pointers, not views: a view is of floats, and halves are none.
 *
 * The same bits on every CPU. Arrays are the caller's, aligned as their elements, and must not overlap.
 * count may be 0, and then pointers may be null. Any number of threads may call both functions at once. */
#ifndef QUATSIMD_HALF_H
#define QUATSIMD_HALF_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Converts count floats to halves, IEEE binary16. Numbers are rounded to nearest, halfway cases to even. A
 * number of magnitude 65520 or more becomes infinity, subnormal halves are kept, and a NaN becomes 0x7e00.
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer unless count is 0. */
QUATSIMD_API quatsimd_status quatsimd_half_from_float(uint16_t *halves, const float *floats, size_t count);
/* Converts count halves, IEEE binary16, to floats. Every number is exact, subnormal halves and infinities
 * among them. A NaN becomes 0x7fc00000. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null
 * pointer unless count is 0. */
QUATSIMD_API quatsimd_status quatsimd_half_to_float(float *floats, const uint16_t *halves, size_t count);

#ifdef __cplusplus
}
#endif

#endif
