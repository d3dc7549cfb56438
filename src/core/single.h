/* Access to the quaternions of an operand one by one, for results that depend on all quaternions before. */
#ifndef QUATSIMD_SINGLE_H
#define QUATSIMD_SINGLE_H

#include "core/operand.h"
#include "scalar/code.h"

static inline quat quatsimd_load(const quatsimd_operand *o, size_t i) {
  const size_t at = quatsimd_offset(o, i);
  quat q;
  for (int c = 0; c < 4; c++) memcpy(&q.v[c], o->component[c] + at, sizeof(float));
  return q;
}

/* Negates quaternion i if `negative` is true. It flips the sign bits, because arithmetic may change the other
 * bits of a NaN. */
static inline void quatsimd_negate_if(bool negative, const quatsimd_operand *o, size_t i) {
  const size_t at = quatsimd_offset(o, i);
  for (int c = 0; c < 4; c++) {
    float *const component = quatsimd_floats(o->component[c] + at);
    uint32_t bits;
    memcpy(&bits, component, sizeof bits);
    bits ^= (uint32_t)negative << 31;
    memcpy(component, &bits, sizeof bits);
  }
}

/* Returns the dot product in double, in which products of floats are exact and do not underflow. */
static inline double quatsimd_dot_of(quat a, quat b) {
  return ((double)a.v[0] * b.v[0] + (double)a.v[1] * b.v[1]) +
         ((double)a.v[2] * b.v[2] + (double)a.v[3] * b.v[3]);
}

#endif
