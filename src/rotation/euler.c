/* Euler angles: 24 orders by two operations, which take intrinsic angles about x, y, z or x, y, x; the others
 * are these with their components in another order. */
#include "core/operand.h"
#include "quatsimd/rotation.h"

/* Where an order finds the axes and the angles that the operations have at 0, 1, 2; and their param: see
 * simd/kernels/operations.inc.h. */
typedef struct euler {
  unsigned char axis[3], angle[3];
  int param;
} euler;

/* Orders go round: 3 beginning with x, y, z whose second axis is the next one, 3 whose second axis is the
 * one before; then the same with the first axis in place of the third; then all of it extrinsic, which is
 * intrinsic from the last to the first. */
static bool find_euler(quatsimd_euler_order order, euler *e) {
  const unsigned n = (unsigned)order;
  if (n > QUATSIMD_EXTRINSIC_ZYZ) return false;
  const bool extrinsic = n >= 12, repeats = n % 12 >= 6, next = n % 6 < 3;
  const unsigned first = n % 3, second = (first + (next ? 1 : 2)) % 3, third = 3 - first - second;
  const bool swapped = extrinsic && !repeats;
  *e = (euler){{(unsigned char)(swapped ? third : first), (unsigned char)second,
                (unsigned char)(swapped ? first : third)},
               {extrinsic ? 2 : 0, 1, extrinsic ? 0 : 2},
               (next != swapped ? 0 : 1) | (repeats ? 2 : 0) | (extrinsic ? 4 : 0)};
  return true;
}

quatsimd_status quatsimd_from_euler(quatsimd_out out, quatsimd_in angles, quatsimd_euler_order order,
                                    size_t count) {
  euler e;
  if (!find_euler(order, &e)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_variant v = {
      e.param, {e.angle[0], e.angle[1], e.angle[2]}, {e.axis[0], e.axis[1], e.axis[2]}};
  return quatsimd_run(QUATSIMD_OPERATION_from_euler, &v, OUTS(&out), INS(&angles), count);
}

quatsimd_status quatsimd_to_euler(quatsimd_out angles, quatsimd_in q, quatsimd_euler_order order,
                                  size_t count) {
  euler e;
  if (!find_euler(order, &e)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_variant v = {
      e.param, {e.axis[0], e.axis[1], e.axis[2]}, {e.angle[0], e.angle[1], e.angle[2]}};
  return quatsimd_run(QUATSIMD_OPERATION_to_euler, &v, OUTS(&angles), INS(&q), count);
}
