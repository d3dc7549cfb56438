/* Rotation algebra: most functions of rotation.h run the operation of their name. FUNCTION_OF_1(normalize),
 * for example, defines quatsimd_normalize. */
#include "core/operand.h"
#include "quatsimd/rotation.h"

FUNCTION_OF_1(normalize)
FUNCTION_OF_1(conjugate)
FUNCTION_OF_1(inverse)
FUNCTION_OF_1(norm)
FUNCTION_OF_1(exp)
FUNCTION_OF_1(log)
FUNCTION_OF_1(from_cayley)
FUNCTION_OF_1(to_cayley)
FUNCTION_OF_1(from_matrix3)
FUNCTION_OF_1(from_matrix4)
FUNCTION_OF_1(to_matrix3)
FUNCTION_OF_1(to_matrix4)

FUNCTION_OF_2(add)
FUNCTION_OF_2(scale)
FUNCTION_OF_2(multiply)
FUNCTION_OF_2(dot)
FUNCTION_OF_2(angle_between)
FUNCTION_OF_2(rotate)
FUNCTION_OF_2(from_axis_angle)
FUNCTION_OF_2(predict)

FUNCTION_OF_3(lerp)
FUNCTION_OF_3(nlerp)
FUNCTION_OF_3(slerp)
FUNCTION_OF_3(squad_control)
FUNCTION_OF_3(integrate)
FUNCTION_OF_3(angular_velocity)

quatsimd_status quatsimd_squad(quatsimd_out out, quatsimd_in a, quatsimd_in a_control, quatsimd_in b_control,
                               quatsimd_in b, quatsimd_in t, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_squad, NULL, OUTS(&out), INS(&a, &a_control, &b_control, &b, &t),
                      count);
}
quatsimd_status quatsimd_to_axis_angle(quatsimd_out axis, quatsimd_out angle, quatsimd_in q, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_to_axis_angle, NULL, OUTS(&axis, &angle), INS(&q), count);
}
quatsimd_status quatsimd_integrate_rk4(quatsimd_out out, quatsimd_in q, quatsimd_in velocity_begin,
                                       quatsimd_in velocity_middle, quatsimd_in velocity_end, quatsimd_in dt,
                                       size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_integrate_rk4, NULL, OUTS(&out),
                      INS(&q, &velocity_begin, &velocity_middle, &velocity_end, &dt), count);
}
