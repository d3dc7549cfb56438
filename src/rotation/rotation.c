/* Rotation algebra: the functions of rotation.h, nearly all of them an operation each. */
#include "rotation/eigen.h"
#include "core/single.h"

/* The functions with one output, by the number of their inputs; what these are, rotation.h says. */
#define IN quatsimd_in
#define FUNCTION(name, parameters, ...)                                                                      \
  quatsimd_status quatsimd_##name parameters {                                                               \
    return quatsimd_run(QUATSIMD_OPERATION_##name, NULL, &out, (const quatsimd_in[]){__VA_ARGS__}, count);   \
  }
#define FUNCTION1(name) FUNCTION(name, (quatsimd_out out, IN in0, size_t count), in0)
#define FUNCTION2(name) FUNCTION(name, (quatsimd_out out, IN in0, IN in1, size_t count), in0, in1)
#define FUNCTION3(name)                                                                                      \
  FUNCTION(name, (quatsimd_out out, IN in0, IN in1, IN in2, size_t count), in0, in1, in2)
#define FUNCTION5(name)                                                                                      \
  FUNCTION(name, (quatsimd_out out, IN in0, IN in1, IN in2, IN in3, IN in4, size_t count), in0, in1, in2,    \
           in3, in4)

FUNCTION1(normalize)
FUNCTION1(conjugate)
FUNCTION1(inverse)
FUNCTION2(add)
FUNCTION2(scale)
FUNCTION2(multiply)
FUNCTION2(dot)
FUNCTION1(norm)
FUNCTION2(angle_between)
FUNCTION2(rotate)
FUNCTION3(nlerp)
FUNCTION3(slerp)
FUNCTION5(squad)
FUNCTION3(squad_control)
FUNCTION2(from_axis_angle)
FUNCTION1(exp)
FUNCTION1(log)
FUNCTION1(from_cayley)
FUNCTION1(to_cayley)
FUNCTION1(from_matrix3)
FUNCTION1(from_matrix4)
FUNCTION1(to_matrix3)
FUNCTION1(to_matrix4)
FUNCTION3(integrate)
FUNCTION5(integrate_rk4)
FUNCTION3(angular_velocity)
FUNCTION2(predict)

quatsimd_status quatsimd_to_axis_angle(quatsimd_out axis, quatsimd_out angle, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_to_axis_angle, NULL, (const quatsimd_out[]){axis, angle}, &q, count);
}

/* ---- Euler angles ---- */

/* Orders go round: 3 beginning with x, y, z whose second axis is the next one, 3 whose second axis is the
 * one before; then the same with the first axis in place of the third; then all of it extrinsic, which is
 * intrinsic from the last to the first. */
static bool find_euler(quatsimd_euler_order order, quatsimd_euler *e) {
  const unsigned n = (unsigned)order;
  if (n > QUATSIMD_EXTRINSIC_ZYZ) return false;
  const bool extrinsic = n >= 12, repeats = n % 12 >= 6, next = n % 6 < 3;
  const unsigned first = n % 3, second = (first + (next ? 1 : 2)) % 3, third = 3 - first - second;
  const bool swapped = extrinsic && !repeats;
  *e = (quatsimd_euler){{(unsigned char)(swapped ? third : first), (unsigned char)second,
                         (unsigned char)(swapped ? first : third)},
                        {extrinsic ? 2 : 0, 1, extrinsic ? 0 : 2},
                        (next != swapped ? 0 : 1) | (repeats ? 2 : 0) | (extrinsic ? 4 : 0)};
  return true;
}

quatsimd_status quatsimd_from_euler(quatsimd_out out, quatsimd_in angles, quatsimd_euler_order order,
                                    size_t count) {
  quatsimd_euler e;
  return find_euler(order, &e) ? quatsimd_run(QUATSIMD_OPERATION_from_euler, &e, &out, &angles, count)
                               : QUATSIMD_ERROR_BAD_ARGUMENT;
}
quatsimd_status quatsimd_to_euler(quatsimd_out angles, quatsimd_in q, quatsimd_euler_order order,
                                  size_t count) {
  quatsimd_euler e;
  return find_euler(order, &e) ? quatsimd_run(QUATSIMD_OPERATION_to_euler, &e, &angles, &q, count)
                               : QUATSIMD_ERROR_BAD_ARGUMENT;
}

/* ---- along a track: each key depends on all before it, so one by one ---- */

quatsimd_status quatsimd_make_continuous(quatsimd_out q, size_t count) {
  quatsimd_operand o;
  if (count == 0) return QUATSIMD_OK;
  if (!quatsimd_resolve_out(&o, 4, &q)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  quat last = {{0, 0, 0, 0}};
  for (size_t i = 0; i < count; i++) {
    const quat key = quatsimd_load(&o, i);
    if (!valid_norm2(norm2(key))) continue;
    const bool negative = quatsimd_dot_of(key, last) < 0;
    quatsimd_negate_if(negative, &o, i);
    last = scaled(key, negative ? -1.0f : 1.0f);
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_mean(float mean_xyzw[4], quatsimd_in q, const quatsimd_in *weights, size_t count) {
  quatsimd_operand o = {0}, w = {0};
  if (!mean_xyzw) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (count > 0 && !quatsimd_resolve_in(&o, 4, &q)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (count > 0 && weights && !quatsimd_resolve_in(&w, 1, weights)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  double a[4][4] = {{0}}, v[4][4];
  bool all_valid = true;
  for (size_t i = 0; i < count; i++) {
    const quat key = quatsimd_load(&o, i);
    float given = 1;
    if (weights) quatsimd_load_element(&w, i, &given);
    const double weight = (double)given, n2 = quatsimd_dot_of(key, key);
    const bool valid = valid_norm2(norm2(key)) && weight > 0 && weight <= (double)FLT_MAX;
    all_valid &= valid;
    const double factor = valid ? weight / n2 : 0;
    for (int r = 0; r < 4; r++)
      for (int c = r; c < 4; c++) a[r][c] += valid ? factor * key.v[r] * key.v[c] : 0;
  }
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < r; c++) a[r][c] = a[c][r];
  quatsimd_diagonalize(a, v, 4, 8, 0);
  int best = 3; /* if all are the same, as for none: the identity */
  for (int k = 2; k >= 0; k--)
    if (a[k][k] > a[best][best]) best = k;
  int largest = 0;
  for (int c = 1; c < 4; c++)
    if (v[c][best] * v[c][best] > v[largest][best] * v[largest][best]) largest = c;
  for (int c = 0; c < 4; c++) mean_xyzw[c] = (float)(v[largest][best] < 0 ? -v[c][best] : v[c][best]);
  return all_valid ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID;
}
