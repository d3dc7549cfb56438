/* A table of the functions of rotation.h: kinds of arguments, errors of results, and their limits. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "rotation/rotation_reference.h"
#include "support/random.h"

#include "quatsimd/rotation.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* Numbers of random and of hard inputs for each function. Long double of more than 64 bits is slow. */
enum { INPUTS = LDBL_MANT_DIG > 64 ? 400 : 10000 };

/* ---- limits ---- */
#define ROTATIONS 3e-7         /* radians */
#define VECTORS 4e-7           /* relative */
#define ROUNDED_ONCE 5.9605e-8 /* 2^-24, relative */
#define UNIT_LENGTH 2.5e-7L
#define FLOAT_TIE 1.2e-7L  /* a dot product this near to 0 may have either sign in float */
#define SMALLEST 0x1p-126L /* the smallest normal float; smaller results are tested for absolute error */
/* Smaller angles in radians are tested for absolute error: cancellation in double costs their digits. */
#define NEARLY_EQUAL 1e-8L

/* ---- the 24 orders of Euler angles ---- */

typedef struct euler {
  quatsimd_euler_order order;
  char letters[4];
  bool extrinsic;
} euler;
enum { ORDERS = 24 };
extern const euler eulers[ORDERS];

static inline bool is_proper(const euler *e) { return e->letters[0] == e->letters[2]; }

/* ---- arguments ---- */

typedef enum kind {
  UNIT, /* a quaternion of length 1 +- 1e-4 */
  /* a quaternion of length 1 up to rounding, for interpolation: other lengths would change its results */
  ROUNDED,
  VALID, /* a quaternion of a length that normalize accepts */
  ANY4,  /* a quaternion of any length */
  VECTOR,
  AXIS,
  ROTATION_VECTOR,
  CAYLEY,
  VELOCITY,
  EULER,
  MATRIX3,
  MATRIX4,
  FACTOR,
  ANGLE,
  T,
  DT,
  KINDS
} kind;
static const int widths[KINDS] = {4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 9, 16, 1, 1, 1, 1};
static inline bool is_quaternion(kind k) { return k <= ANY4; }

enum { MOST_IN = 6, MOST_OUT = 2, WIDEST = 16 };

/* One element of each argument, and the results of the function for them. function.error takes a sample. */
typedef struct sample {
  real in[MOST_IN][WIDEST];
  float out[MOST_OUT][WIDEST];
  const euler *euler;
  ref_ties ties;
} sample;

/* The rule for the results if component c of an argument is NaN or infinite. */
typedef enum invalid_rule {
  /* some component of the results is NaN; an infinite VECTOR or T may give the limit for growing c */
  GIVES_NAN,
  NAN_OR_LIMIT, /* like GIVES_NAN, but an infinite argument of any kind may give the limit */
  /* like NAN_OR_LIMIT, but only component c of the result may change, unless the argument is a FACTOR */
  COMPONENTWISE,
  IDENTITY /* the result is the identity */
} invalid_rule;

typedef struct function {
  const char *name;
  int outs, out_width[MOST_OUT], ins;
  kind in[MOST_IN];
  invalid_rule invalid;
  quatsimd_status (*call)(const quatsimd_out *o, const quatsimd_in *i, quatsimd_euler_order order, size_t n);
  real (*error)(sample *s);
  const char *unit;
  double limit;
  bool ordered; /* the function takes an order of Euler angles */
} function;

extern const function functions[];
extern const size_t function_count;
#define FOR_EACH_FUNCTION(f) for (const function *f = functions; f < functions + function_count; f++)

/* ---- results ---- */

static const float identity[4] = {0, 0, 0, 1};
static inline uint32_t bits_of(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}
static inline bool is_the_nan(float f) { return bits_of(f) == UINT32_C(0x7fc00000); }

/* Returns the angle in radians between the rotations of two quaternions, or infinity if the length of `out`
 * is not 1. angle_and_sign_from also returns infinity if their dot product is not positive. */
real angle_from(const float *out, const real *exact);
real angle_and_sign_from(const float *out, const real *exact);
/* Returns true if a positive component has the largest magnitude of all components, up to rounding. */
bool largest_is_positive(const float *q);

void show(const char *label, const float *p, int n);

#endif
