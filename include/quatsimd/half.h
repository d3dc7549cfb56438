/* Arrays of half floats: IEEE binary16.
 *
 * The same bits on every CPU. Arrays are the caller's, aligned as their elements, and must not overlap.
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer unless count is 0. Any number of threads at once. */
#ifndef QUATSIMD_HALF_H
#define QUATSIMD_HALF_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Floats to IEEE binary16, rounded to nearest, halves to even; too large ones become infinity, subnormals
 * are kept, NaN becomes 0x7e00. */
QUATSIMD_API quatsimd_status quatsimd_half_from_float(uint16_t *halves, const float *floats, size_t count);
/* IEEE binary16 to floats, exactly; NaN becomes 0x7fc00000. */
QUATSIMD_API quatsimd_status quatsimd_half_to_float(float *floats, const uint16_t *halves, size_t count);

#ifdef __cplusplus
}
#endif

#endif
