/* Euler angles: two operations serve all 24 orders. They take intrinsic angles about the axes x, y, z or x,
 * y, x; other orders permute axes and angles. */
#include "core/operand.h"
#include "quatsimd/rotation.h"

/* An order as the operations see it: the axes and the angles that they have at places 0, 1, 2, and their
 * param, which simd/kernels/operations.inc.h explains. */
typedef struct euler {
  unsigned char axis[3], angle[3];
  int param;
} euler;

/* Writes the order's axes, angles and param to *e. The enum has 24 orders in groups of three, which begin
 * with x, y and z. Numbers 0 to 2 continue with the next axis, 3 to 5 with the axis before; 6 to 11 are the
 * same with the first axis again as the third; 12 to 23 are 0 to 11 as extrinsic orders. An extrinsic order
 * is the intrinsic one with axes and angles reversed. */
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
