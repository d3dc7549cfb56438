/* Operations for four sequences of intrinsic axes serve all 24 orders: axes and angles are permuted. */
#include "core/operand.h"
#include "quatsimd/rotation.h"

/* An Euler order as an operation takes it. Place j of the operation has axis[j] (0 for x) and the caller's
 * angle number angle[j]. `axes` is the number of the sequence of axes: 0 for from_euler, 3 for
 * from_euler_xzx. reversed is true if the operation's first angle is the caller's last. */
typedef struct euler {
  unsigned char axis[3], angle[3];
  unsigned axes;
  bool reversed;
} euler;
_Static_assert(QUATSIMD_OPERATION_from_euler + 3 == QUATSIMD_OPERATION_from_euler_xzx &&
                   QUATSIMD_OPERATION_to_euler + 3 == QUATSIMD_OPERATION_to_euler_xzx &&
                   QUATSIMD_OPERATION_to_euler_reversed + 3 == QUATSIMD_OPERATION_to_euler_xzx_reversed,
               "the four axes are one behind the other");

/* Returns false if the order is unknown. Order n begins with axis n % 3. Orders 0 to 2 go on with the next
 * two axes, orders 3 to 5 with the two axes before. Orders 6 to 11 are 0 to 5 with the first axis in place of
 * the third. Orders 12 to 23 are extrinsic: order n is order n - 12 with axes and angles reversed. */
static bool find_euler(quatsimd_euler_order order, euler *e) {
  const unsigned n = (unsigned)order;
  if (n > QUATSIMD_EXTRINSIC_ZYZ) return false;
  const bool extrinsic = n >= 12, repeats = n % 12 >= 6, next = n % 6 < 3;
  const unsigned first = n % 3, second = (first + (next ? 1 : 2)) % 3, third = 3 - first - second;
  const bool swapped = extrinsic && !repeats;
  *e = (euler){{(unsigned char)(swapped ? third : first), (unsigned char)second,
                (unsigned char)(swapped ? first : third)},
               {extrinsic ? 2 : 0, 1, extrinsic ? 0 : 2},
               (next != swapped ? 0u : 1u) | (repeats ? 2u : 0u),
               extrinsic};
  return true;
}

quatsimd_status quatsimd_from_euler(quatsimd_out out, quatsimd_in angles, quatsimd_euler_order order,
                                    size_t count) {
  euler e;
  if (!find_euler(order, &e)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_variant v = {{e.angle[0], e.angle[1], e.angle[2]}, {e.axis[0], e.axis[1], e.axis[2]}};
  return quatsimd_run((quatsimd_operation)(QUATSIMD_OPERATION_from_euler + e.axes), &v, OUTS(&out),
                      INS(&angles), count);
}

quatsimd_status quatsimd_to_euler(quatsimd_out angles, quatsimd_in q, quatsimd_euler_order order,
                                  size_t count) {
  euler e;
  if (!find_euler(order, &e)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_variant v = {{e.axis[0], e.axis[1], e.axis[2]}, {e.angle[0], e.angle[1], e.angle[2]}};
  const quatsimd_operation first =
      e.reversed ? QUATSIMD_OPERATION_to_euler_reversed : QUATSIMD_OPERATION_to_euler;
  return quatsimd_run((quatsimd_operation)(first + e.axes), &v, OUTS(&angles), INS(&q), count);
}
