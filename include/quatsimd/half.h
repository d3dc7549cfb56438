/* Arrays of half floats: conversion from and to IEEE binary16.
 *
 * Arguments. They are pointers, not views, because a view cannot describe halves. The arrays are aligned as
 * their elements and must not overlap. If count is 0, pointers may be null.
 *
 * Errors. Both functions return QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer unless count
 * is 0.
 *
 * Results have the same bits on every CPU. Both functions may be called from any number of threads at once.
 *
 * docs/half.md: tables, errors, costs. */
#ifndef QUATSIMD_HALF_H
#define QUATSIMD_HALF_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Converts count floats to halves. Numbers are rounded to the nearest half, and halfway cases to the even
 * one. A magnitude of 65520 or more becomes infinity. A magnitude below 2^-14 becomes a subnormal half. A
 * magnitude of 2^-25 or less becomes 0. A NaN becomes 0x7e00. */
QUATSIMD_API quatsimd_status quatsimd_half_from_float(uint16_t *halves, const float *floats, size_t count);
/* Converts count halves to floats. Every number is exact, including subnormal halves and infinities. A NaN
 * becomes 0x7fc00000. */
QUATSIMD_API quatsimd_status quatsimd_half_to_float(float *floats, const uint16_t *halves, size_t count);

#ifdef __cplusplus
}
#endif

#endif
