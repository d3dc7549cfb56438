/* The operations that operations.def calls DOUBLE, on arrays of components, and those that algebra.h computes
 * in double where floats would overflow. The scalar reference includes this file, with one lane. Tests
 * therefore compare with long double arithmetic, GLM and Eigen. */
#include "core/dispatch.h"
#include "simd/kernels/rotation.h"

#define LOAD3(k) ((dv){d_load(in[k] + i), d_load(in[k + 1] + i), d_load(in[k + 2] + i)})
#define LOAD4(k)                                                                                             \
  ((dq){d_load(in[k] + i), d_load(in[k + 1] + i), d_load(in[k + 2] + i), d_load(in[k + 3] + i)})
#define LOAD1(k) d_load(in[k] + i)

D_INLINE dsqt load_sqt(const float *const *in, size_t i) {
  return (dsqt){{d_load(in[0] + i), d_load(in[1] + i), d_load(in[2] + i), d_load(in[3] + i)},
                {d_load(in[4] + i), d_load(in[5] + i), d_load(in[6] + i)},
                d_load(in[7] + i)};
}
D_INLINE void store_sqt(float *const *out, size_t i, dsqt a) {
  store4(out, i, a.q), store3(out + 4, i, a.t), d_store(out[7] + i, a.s);
}

/* Defines an operation. Each vector is loaded before results are stored, so an output may be an input. */
#define EACH(name, ...)                                                                                      \
  static void in_double_##name(float *const *out, const float *const *in, size_t count) {                    \
    for (size_t i = 0; i < count; i += D_LANES) __VA_ARGS__;                                                 \
  }

EACH(inverse, store4(out, i, inverse(LOAD4(0))))
EACH(dot, d_store(out[0] + i, dot(LOAD4(0), LOAD4(4))))
EACH(norm, d_store(out[0] + i, norm(LOAD4(0))))
EACH(angle_between, d_store(out[0] + i, angle_between(LOAD4(0), LOAD4(4))))
EACH(squad, store4(out, i, squad(LOAD4(0), LOAD4(4), LOAD4(8), LOAD4(12), LOAD1(16))))
EACH(squad_control, store4(out, i, squad_control(LOAD4(0), LOAD4(4), LOAD4(8))))
EACH(from_axis_angle, store4(out, i, from_axis_angle(LOAD3(0), LOAD1(3))))
EACH(to_axis_angle, {
  const dq q = LOAD4(0);
  const dv v = log_of(q);
  store3(out, i, axis_of(q));
  d_store(out[3] + i, d_sqrt(dot3(v, v)));
})
/* Computes log in two passes. In one pass CPUs could not begin the next elements before the end of the chain
 * of steps (on Zen 3: 2.3 ns in place of 1.8). */
static void in_double_log(float *const *out, const float *const *in, size_t count) {
  vd factor[QUATSIMD_CHUNK / D_LANES];
  for (size_t i = 0; i < count; i += D_LANES) factor[i / D_LANES] = log_factor(LOAD4(0));
  for (size_t i = 0; i < count; i += D_LANES) store3(out, i, scale3(LOAD3(0), factor[i / D_LANES]));
}
EACH(exp, store4(out, i, exp_of(LOAD3(0))))
EACH(from_cayley, store4(out, i, from_cayley(LOAD3(0))))
EACH(to_cayley, store3(out, i, to_cayley(LOAD4(0))))
EACH(from_euler, store4(out, i, from_euler(LOAD3(0), 1, 0)))
EACH(from_euler_xzy, store4(out, i, from_euler(LOAD3(0), -1, 0)))
EACH(from_euler_xyx, store4(out, i, from_euler(LOAD3(0), 1, 1)))
EACH(from_euler_xzx, store4(out, i, from_euler(LOAD3(0), -1, 1)))
EACH(to_euler, store3(out, i, to_euler(LOAD4(0), 1, 0, 0)))
EACH(to_euler_xzy, store3(out, i, to_euler(LOAD4(0), -1, 0, 0)))
EACH(to_euler_xyx, store3(out, i, to_euler(LOAD4(0), 1, 1, 0)))
EACH(to_euler_xzx, store3(out, i, to_euler(LOAD4(0), -1, 1, 0)))
EACH(to_euler_reversed, store3(out, i, to_euler(LOAD4(0), 1, 0, 1)))
EACH(to_euler_xzy_reversed, store3(out, i, to_euler(LOAD4(0), -1, 0, 1)))
EACH(to_euler_xyx_reversed, store3(out, i, to_euler(LOAD4(0), 1, 1, 1)))
EACH(to_euler_xzx_reversed, store3(out, i, to_euler(LOAD4(0), -1, 1, 1)))
EACH(integrate, store4(out, i, integrate(LOAD4(0), LOAD3(4), LOAD1(7))))
EACH(integrate_rk4, store4(out, i, integrate_rk4(LOAD4(0), LOAD3(4), LOAD3(7), LOAD3(10), LOAD1(13))))
EACH(angular_velocity, store3(out, i, angular_velocity(LOAD4(0), LOAD4(4), LOAD1(8))))
EACH(predict, store4(out, i, predict(LOAD4(0), LOAD4(4))))
EACH(unit, store4(out, i, valid_unit(LOAD4(0))))
EACH(cayley_between, store3(out, i, to_cayley(multiply(LOAD4(4), conjugate(LOAD4(0))))))
EACH(turn_by_cayley, store4(out, i, unit_of(multiply(from_cayley(LOAD3(4)), LOAD4(0)))))
EACH(log_between, store3(out, i, log_of(multiply(LOAD4(4), conjugate(LOAD4(0))))))
EACH(turn_by_exp, store4(out, i, unit_of(multiply(exp_of(LOAD3(4)), LOAD4(0)))))
EACH(qtangent_to_tbn, {
  const dm m = to_matrix(LOAD4(0));
  const vd sign = d_select(d_gt(d_set(0), LOAD1(4)), d_set(-1), d_set(1));
  store3(out, i, (dv){m.m[2][0], m.m[2][1], m.m[2][2]}),
      store3(out + 3, i, (dv){m.m[0][0], m.m[0][1], m.m[0][2]});
  store3(out + 6, i, scale3((dv){m.m[1][0], m.m[1][1], m.m[1][2]}, sign));
})
EACH(sqt_invert, store_sqt(out, i, sqt_invert(load_sqt(in, i))))
EACH(sqt_blend, store3(out, i, add3(scale3(sqt_point(load_sqt(in + 3, i), LOAD3(11)), LOAD1(14)), LOAD3(0))))
