/* Every file that computes with floats includes this first: the build must not change the arithmetic.
 * (Fusing of multiplications and additions has no macro to test. It is switched off here, as gcc ignores
 * the pragma of the C standard, and by -ffp-contract=off where CMake builds; the golden hashes and the
 * object check prove it. clang's -ffp-contract=fast overrides its pragma.) */
#ifndef QUATSIMD_ARITHMETIC_H
#define QUATSIMD_ARITHMETIC_H

#include <float.h>

#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __GNUC__
#pragma GCC optimize("fp-contract=off")
#else
#error "libquatsimd needs gcc or clang: how others are kept from fusing a * b + c is not known"
#endif
/* -ffast-math, or a part of it: of clang's parts the first two alone have a macro. */
#if defined __FAST_MATH__ || __FINITE_MATH_ONLY__ || defined __ASSOCIATIVE_MATH__ ||                         \
    defined __RECIPROCAL_MATH__ || defined __NO_SIGNED_ZEROS__
#error "libquatsimd must not be compiled with -ffast-math: packed bytes would depend on the compiler"
#endif
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 /* of a machine with half floats */
#error "floats must be evaluated in float (i386: -msse2 -mfpmath=sse; s390x: -fexcess-precision=fast)"
#endif

#include "core/root.h"

/* A quaternion is valid if its squared length is in this range: components are finite, length in [2^-32,
 * 2^32]. */
#define QUATSIMD_MIN_NORM2 0x1p-64f
#define QUATSIMD_MAX_NORM2 0x1p+64f

/* The squared sine of an angle as good as none, 1.5e-5 radians: what is left of a vector across another
 * has no direction to speak of. */
#define QUATSIMD_PARALLEL2 0x1p-32f

#endif
