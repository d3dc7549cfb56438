/* Every file that computes with floats includes this header first, so that the build cannot change the
 * arithmetic.
 *
 * No macro tells whether multiplications and additions are fused. CMake forbids fusing by -ffp-contract=off,
 * and compiler.h forbids it by a pragma. clang ignores the pragma under -ffp-contract=fast, so the golden
 * hashes and the object check test that nothing is fused. */
#ifndef QUATSIMD_ARITHMETIC_H
#define QUATSIMD_ARITHMETIC_H

#include <float.h>

/* Macros of -ffast-math, of the options that it implies (clang defines only the first two), and of Visual
 * C++. */
#if defined __FAST_MATH__ || __FINITE_MATH_ONLY__ || defined __ASSOCIATIVE_MATH__ ||                         \
    defined __RECIPROCAL_MATH__ || defined __NO_SIGNED_ZEROS__ || defined _M_FP_FAST
#error                                                                                                       \
    "libquatsimd must not be compiled with -ffast-math or /fp:fast: packed bytes would depend on the compiler"
#endif
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 /* 16 differs from 0 for half floats alone */
#error "floats must be evaluated in float (i386: -msse2 -mfpmath=sse; s390x: -fexcess-precision=fast)"
#endif

#include "core/compiler.h"
#include "core/root.h"

_Static_assert(sizeof 1.0 == sizeof(double), "must not be compiled with -fsingle-precision-constant");

/* A quaternion is valid if its squared length is in this range. Its components are then finite, and its
 * length is from 2^-32 to 2^32. */
#define QUATSIMD_MIN_NORM2 0x1p-64f
#define QUATSIMD_MAX_NORM2 0x1p+64f

/* The squared sine of an angle of 1.5e-5 radians. Two vectors at a smaller angle count as parallel: the part
 * of one that is perpendicular to the other has no reliable direction. */
#define QUATSIMD_PARALLEL2 0x1p-32f

#endif
