/* Rotation algebra: most functions of rotation.h run one operation each. */
#include "core/operand.h"
#include "quatsimd/rotation.h"

quatsimd_status quatsimd_normalize(quatsimd_out out, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_normalize, NULL, OUTS(&out), INS(&q), count);
}
quatsimd_status quatsimd_conjugate(quatsimd_out out, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_conjugate, NULL, OUTS(&out), INS(&q), count);
}
quatsimd_status quatsimd_inverse(quatsimd_out out, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_inverse, NULL, OUTS(&out), INS(&q), count);
}
quatsimd_status quatsimd_add(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_add, NULL, OUTS(&out), INS(&a, &b), count);
}
quatsimd_status quatsimd_scale(quatsimd_out out, quatsimd_in q, quatsimd_in factor, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_scale, NULL, OUTS(&out), INS(&q, &factor), count);
}
quatsimd_status quatsimd_multiply(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_multiply, NULL, OUTS(&out), INS(&a, &b), count);
}
quatsimd_status quatsimd_dot(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_dot, NULL, OUTS(&out), INS(&a, &b), count);
}
quatsimd_status quatsimd_norm(quatsimd_out out, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_norm, NULL, OUTS(&out), INS(&q), count);
}
quatsimd_status quatsimd_angle_between(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_angle_between, NULL, OUTS(&out), INS(&a, &b), count);
}
quatsimd_status quatsimd_rotate(quatsimd_out out, quatsimd_in q, quatsimd_in v, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_rotate, NULL, OUTS(&out), INS(&q, &v), count);
}
quatsimd_status quatsimd_lerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_lerp, NULL, OUTS(&out), INS(&a, &b, &t), count);
}
quatsimd_status quatsimd_nlerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_nlerp, NULL, OUTS(&out), INS(&a, &b, &t), count);
}
quatsimd_status quatsimd_slerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_slerp, NULL, OUTS(&out), INS(&a, &b, &t), count);
}
quatsimd_status quatsimd_squad(quatsimd_out out, quatsimd_in a, quatsimd_in a_control, quatsimd_in b_control,
                               quatsimd_in b, quatsimd_in t, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_squad, NULL, OUTS(&out), INS(&a, &a_control, &b_control, &b, &t),
                      count);
}
quatsimd_status quatsimd_squad_control(quatsimd_out out, quatsimd_in before, quatsimd_in q, quatsimd_in after,
                                       size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_squad_control, NULL, OUTS(&out), INS(&before, &q, &after), count);
}
quatsimd_status quatsimd_from_axis_angle(quatsimd_out out, quatsimd_in axis, quatsimd_in angle,
                                         size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_from_axis_angle, NULL, OUTS(&out), INS(&axis, &angle), count);
}
quatsimd_status quatsimd_to_axis_angle(quatsimd_out axis, quatsimd_out angle, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_to_axis_angle, NULL, OUTS(&axis, &angle), INS(&q), count);
}
quatsimd_status quatsimd_exp(quatsimd_out out, quatsimd_in vector, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_exp, NULL, OUTS(&out), INS(&vector), count);
}
quatsimd_status quatsimd_log(quatsimd_out vector, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_log, NULL, OUTS(&vector), INS(&q), count);
}
quatsimd_status quatsimd_from_cayley(quatsimd_out out, quatsimd_in cayley, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_from_cayley, NULL, OUTS(&out), INS(&cayley), count);
}
quatsimd_status quatsimd_to_cayley(quatsimd_out cayley, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_to_cayley, NULL, OUTS(&cayley), INS(&q), count);
}
quatsimd_status quatsimd_from_matrix3(quatsimd_out out, quatsimd_in matrix, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_from_matrix3, NULL, OUTS(&out), INS(&matrix), count);
}
quatsimd_status quatsimd_from_matrix4(quatsimd_out out, quatsimd_in matrix, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_from_matrix4, NULL, OUTS(&out), INS(&matrix), count);
}
quatsimd_status quatsimd_to_matrix3(quatsimd_out matrix, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_to_matrix3, NULL, OUTS(&matrix), INS(&q), count);
}
quatsimd_status quatsimd_to_matrix4(quatsimd_out matrix, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_to_matrix4, NULL, OUTS(&matrix), INS(&q), count);
}
quatsimd_status quatsimd_integrate(quatsimd_out out, quatsimd_in q, quatsimd_in velocity, quatsimd_in dt,
                                   size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_integrate, NULL, OUTS(&out), INS(&q, &velocity, &dt), count);
}
quatsimd_status quatsimd_integrate_rk4(quatsimd_out out, quatsimd_in q, quatsimd_in velocity_begin,
                                       quatsimd_in velocity_middle, quatsimd_in velocity_end, quatsimd_in dt,
                                       size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_integrate_rk4, NULL, OUTS(&out),
                      INS(&q, &velocity_begin, &velocity_middle, &velocity_end, &dt), count);
}
quatsimd_status quatsimd_angular_velocity(quatsimd_out velocity, quatsimd_in from, quatsimd_in to,
                                          quatsimd_in dt, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_angular_velocity, NULL, OUTS(&velocity), INS(&from, &to, &dt),
                      count);
}
quatsimd_status quatsimd_predict(quatsimd_out out, quatsimd_in before, quatsimd_in last, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_predict, NULL, OUTS(&out), INS(&before, &last), count);
}
