/* Rotation algebra over arrays: products, interpolation, conversions, integration.
 *
 * Shapes. A quaternion is four floats x, y, z, w; a vector three; a scalar (angle, time) one; a 3x3 matrix
 * nine and a 4x4 matrix sixteen, column by column as OpenGL has them. Angles are radians. A quaternion q
 * turns v into q v q^-1, and multiply(a, b) turns by b first. Angular velocities are radians per unit of
 * time, in the coordinates that the quaternion turns into (of the world, where q is the orientation of a body
 * in it).
 *
 * Arrays. Each argument is a view (view.h), which says where its elements are: quatsimd_aos, quatsimd_soa
 * (not for matrices), quatsimd_strided, quatsimd_blocks, quatsimd_one for one element that stands for all,
 * and quatsimd_wxyz around the view of quaternions whose w comes first. Each argument may have another
 * layout. For example
 *   quatsimd_multiply(quatsimd_aos_out(c), quatsimd_aos(a), quatsimd_one(b), count);
 *   quatsimd_slerp(quatsimd_aos_out(c), quatsimd_aos(a), quatsimd_soa(x, y, z, w), quatsimd_one(&t), count);
 *
 * Rotations. Quaternions are unit ones, of length 1 within 1e-4, and so are the results, within 2.5e-7 (of
 * conjugate and slerp, as nearly as the arguments); normalize first what is not. Where lengths are free the
 * function says so. Interpolation takes lengths as they are: there they should be 1 within 4e-7, as unpacking
 * and the functions here leave them. q and -q are one rotation.
 *
 * Accuracy. docs/rotation.md lists the worst error of each function, at most 3e-7 radians for rotations and
 * 4e-7 relative for vectors and matrices. Computed in double and rounded once; multiply, rotate, nlerp, slerp
 * and exp in float, to be as fast as memory or nearly so.
 *
 * The same bits everywhere: results depend on the input alone, not on the CPU, the compiler, the layout, the
 * count or the position in the array, as long as the floating-point rounding mode is round-to-nearest. What
 * cannot be computed is the NaN 0x7fc00000: an element with a NaN in it, or an infinity where that is no
 * number to compute with, gives one with at least one NaN (but normalize makes the identity of it, a zero
 * axis has no angle, and only nine elements of a 4x4 matrix are read). Flush-to-zero modes turn numbers below
 * 1.2e-38 to zero, intermediate ones of the functions in float, too, so that their results may differ by up
 * to 2e-37, of rotate by that times |v| if |v| is above 1; else nothing.
 *
 * Buffers. All are the caller's, aligned as floats. An output may have the memory of an input if each element
 * has the same bytes in both views (view.h), so that exp, whose elements grow, cannot have the memory of its
 * input if both are tight. Other overlap is not allowed, and is refused where both begin at one address.
 * Nothing is read or written outside the elements. count may be 0, and then views are not looked at.
 *
 * Errors. Every function returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT and has written nothing: for a
 * null pointer, a view that breaks a rule of view.h (a stride that is not a multiple of 4 or, of an output,
 * shorter than an element; matrices as soa; w-first vectors), overlap as above, or an unknown order of
 * angles.
 *
 * Threads. Any number of threads may call every function at once; nothing is kept between calls.
 *
 * Sources. Each function or section names them; docs/rotation.md has the formulas.
 */
#ifndef QUATSIMD_ROTATION_H
#define QUATSIMD_ROTATION_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- algebra (Hamilton 1843; Bobick, "Rotating Objects Using Quaternions", Game Developer 1998) ---- */

/* Unit quaternions: q / |q|; the identity where q is invalid, which is QUATSIMD_OK here (see codec.h;
 * quatsimd_find_invalid finds those). */
QUATSIMD_API quatsimd_status quatsimd_normalize(quatsimd_out out, quatsimd_in q, size_t count);
/* Conjugates: -x, -y, -z, w. */
QUATSIMD_API quatsimd_status quatsimd_conjugate(quatsimd_out out, quatsimd_in q, size_t count);
/* Inverses: conjugate / |q|^2, of any length, and the result has 1 / |q|. */
QUATSIMD_API quatsimd_status quatsimd_inverse(quatsimd_out out, quatsimd_in q, size_t count);
/* Sums, component by component, of any lengths. */
QUATSIMD_API quatsimd_status quatsimd_add(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count);
/* Each component times a scalar, of any lengths. */
QUATSIMD_API quatsimd_status quatsimd_scale(quatsimd_out out, quatsimd_in q, quatsimd_in factor,
                                            size_t count);
/* Products a b, of any lengths: the result has |a| |b|, which must be a float. */
QUATSIMD_API quatsimd_status quatsimd_multiply(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count);
/* Scalars: the sum of the products of components, of any lengths. */
QUATSIMD_API quatsimd_status quatsimd_dot(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count);
/* Scalars: the length |q|. */
QUATSIMD_API quatsimd_status quatsimd_norm(quatsimd_out out, quatsimd_in q, size_t count);
/* Scalars: the angle of the rotation from a to b, from 0 to pi, accurate at both ends. */
QUATSIMD_API quatsimd_status quatsimd_angle_between(quatsimd_out out, quatsimd_in a, quatsimd_in b,
                                                    size_t count);
/* Rotated vectors: q v q^-1. One q on many v, many on one, or pairwise. */
QUATSIMD_API quatsimd_status quatsimd_rotate(quatsimd_out out, quatsimd_in q, quatsimd_in v, size_t count);

/* ---- interpolation, along the shorter arc: b or -b, whichever is nearer to a (b where both are) ---- */

/* Linear interpolation, normalised: (1 - t) a + t b. t is clamped to 0..1. Where b and -b are equally near
 * within 1.2e-7 it may take either, as does slerp. */
QUATSIMD_API quatsimd_status quatsimd_nlerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t,
                                            size_t count);
/* Spherical interpolation, at constant speed (Shoemake 1985); lengths above 1 give arbitrary numbers. t is
 * clamped to 0..1; t = 0 gives a itself, t = 1 gives b or -b (0 for -0). */
QUATSIMD_API quatsimd_status quatsimd_slerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t,
                                            size_t count);
/* Interpolation from a to b that is smooth where one piece meets the next (Shoemake 1987): slerp(slerp(a,
 * b, t), slerp(a_control, b_control, t), 2 t (1 - t)), with the controls that squad_control makes of each
 * key and its neighbours. At the ends of a track a key is its own neighbour. */
QUATSIMD_API quatsimd_status quatsimd_squad(quatsimd_out out, quatsimd_in a, quatsimd_in a_control,
                                            quatsimd_in b_control, quatsimd_in b, quatsimd_in t,
                                            size_t count);
/* The control of key q for squad: q exp(-(log(q^-1 before) + log(q^-1 after)) / 4). */
QUATSIMD_API quatsimd_status quatsimd_squad_control(quatsimd_out out, quatsimd_in before, quatsimd_in q,
                                                    quatsimd_in after, size_t count);

/* ---- conversions ---- */

/* Rotations about axes by angles. The axis may have any length from 2^-32 to 2^32. An angle of up to 1e6
 * loses no accuracy, one above 2^30 gives NaN. The result has w >= 0. A zero axis gives the identity. */
QUATSIMD_API quatsimd_status quatsimd_from_axis_angle(quatsimd_out out, quatsimd_in axis, quatsimd_in angle,
                                                      size_t count);
/* And back: a unit axis and an angle from 0 to pi; the axis of the identity is 1, 0, 0. */
QUATSIMD_API quatsimd_status quatsimd_to_axis_angle(quatsimd_out axis, quatsimd_out angle, quatsimd_in q,
                                                    size_t count);
/* The exponential map, of rotation vectors, axis times angle; limits and sign as in from_axis_angle. */
QUATSIMD_API quatsimd_status quatsimd_exp(quatsimd_out out, quatsimd_in vector, size_t count);
/* Its inverse: rotation vectors of length 0 to pi. */
QUATSIMD_API quatsimd_status quatsimd_log(quatsimd_out vector, quatsimd_in q, size_t count);
/* From Cayley vectors B (modified Rodrigues parameters) of any length up to 2^32: (2 B, 1 - B.B) / (1 +
 * B.B). */
QUATSIMD_API quatsimd_status quatsimd_from_cayley(quatsimd_out out, quatsimd_in cayley, size_t count);
/* To Cayley vectors: v / (1 + w) = axis * tan(angle / 4), of length 0 to 1 since the q with w >= 0 is
 * taken. */
QUATSIMD_API quatsimd_status quatsimd_to_cayley(quatsimd_out cayley, quatsimd_in q, size_t count);
/* From matrices, column by column. A matrix must be a rotation, within rounding: take scale and mirroring
 * out before, or the result is some other rotation (Shepperd 1978). Its largest component is positive. */
QUATSIMD_API quatsimd_status quatsimd_from_matrix3(quatsimd_out out, quatsimd_in matrix, size_t count);
/* The same of the upper left 3x3 part; the rest is not read. */
QUATSIMD_API quatsimd_status quatsimd_from_matrix4(quatsimd_out out, quatsimd_in matrix, size_t count);
/* To matrices, column by column. */
QUATSIMD_API quatsimd_status quatsimd_to_matrix3(quatsimd_out matrix, quatsimd_in q, size_t count);
/* The same with 0, 0, 0, 1 as last row and column. */
QUATSIMD_API quatsimd_status quatsimd_to_matrix4(quatsimd_out matrix, quatsimd_in q, size_t count);

/* Three angles about these axes, in the order in which they are stored and applied: intrinsic about the
 * axes of the turning body, extrinsic about those of the world. INTRINSIC_XYZ is X(a) Y(b) Z(c),
 * EXTRINSIC_XYZ is Z(c) Y(b) X(a). */
typedef enum quatsimd_euler_order {
  QUATSIMD_INTRINSIC_XYZ,
  QUATSIMD_INTRINSIC_YZX,
  QUATSIMD_INTRINSIC_ZXY,
  QUATSIMD_INTRINSIC_XZY,
  QUATSIMD_INTRINSIC_YXZ,
  QUATSIMD_INTRINSIC_ZYX,
  QUATSIMD_INTRINSIC_XYX,
  QUATSIMD_INTRINSIC_YZY,
  QUATSIMD_INTRINSIC_ZXZ,
  QUATSIMD_INTRINSIC_XZX,
  QUATSIMD_INTRINSIC_YXY,
  QUATSIMD_INTRINSIC_ZYZ,
  QUATSIMD_EXTRINSIC_XYZ,
  QUATSIMD_EXTRINSIC_YZX,
  QUATSIMD_EXTRINSIC_ZXY,
  QUATSIMD_EXTRINSIC_XZY,
  QUATSIMD_EXTRINSIC_YXZ,
  QUATSIMD_EXTRINSIC_ZYX,
  QUATSIMD_EXTRINSIC_XYX,
  QUATSIMD_EXTRINSIC_YZY,
  QUATSIMD_EXTRINSIC_ZXZ,
  QUATSIMD_EXTRINSIC_XZX,
  QUATSIMD_EXTRINSIC_YXY,
  QUATSIMD_EXTRINSIC_ZYZ,
  /* roll about x, then pitch about y, then yaw about z (Bobick 1998) */
  QUATSIMD_ROLL_PITCH_YAW = QUATSIMD_EXTRINSIC_XYZ
} quatsimd_euler_order;

/* Rotations by three angles each, about the axes that the order names. Limits of angles as in
 * from_axis_angle. */
QUATSIMD_API quatsimd_status quatsimd_from_euler(quatsimd_out out, quatsimd_in angles,
                                                 quatsimd_euler_order order, size_t count);
/* And back. First and third angle from -pi to pi; the second from -pi/2 to pi/2 where three axes differ,
 * from 0 to pi where the first is the third. Gimbal lock, where only the sum or difference of the first
 * and the third is determined (the second is within 1.19e-7 of an end of its range): the second is put
 * there, the third is 0. (Bernardes and Viollet, "Quaternion to Euler angles conversion", PLoS ONE 2022.) */
QUATSIMD_API quatsimd_status quatsimd_to_euler(quatsimd_out angles, quatsimd_in q, quatsimd_euler_order order,
                                               size_t count);

/* ---- motion ---- */

/* The orientation after dt at constant angular velocity: exp(velocity * dt) q, normalised. */
QUATSIMD_API quatsimd_status quatsimd_integrate(quatsimd_out out, quatsimd_in q, quatsimd_in velocity,
                                                quatsimd_in dt, size_t count);
/* The same by one step of Runge-Kutta's fourth order over dq/dt = velocity q / 2, with the velocities at
 * the beginning, the middle and the end of the step: for velocities that change; normalised. The error of
 * a step is of order (|velocity| dt / 2)^5 / 120. */
QUATSIMD_API quatsimd_status quatsimd_integrate_rk4(quatsimd_out out, quatsimd_in q,
                                                    quatsimd_in velocity_begin, quatsimd_in velocity_middle,
                                                    quatsimd_in velocity_end, quatsimd_in dt, size_t count);
/* The constant angular velocity that takes `from` to `to` in dt, by the shorter way: log(to from^-1) / dt.
 * Where dt is 0 it is infinite or NaN. */
QUATSIMD_API quatsimd_status quatsimd_angular_velocity(quatsimd_out velocity, quatsimd_in from,
                                                       quatsimd_in to, quatsimd_in dt, size_t count);
/* Where a body that nothing turns will be after one more step, from the last two: last before^-1 last,
 * normalised. */
QUATSIMD_API quatsimd_status quatsimd_predict(quatsimd_out out, quatsimd_in before, quatsimd_in last,
                                              size_t count);

/* ---- along a track ---- */

/* Make signs continuous, in place: each key's sign is chosen so that its dot product with the one before
 * is not negative. The first keeps its own. Invalid keys are left as they are and passed over. */
QUATSIMD_API quatsimd_status quatsimd_make_continuous(quatsimd_out q, size_t count);
/* The mean rotation: the largest eigenvector of the sum of weight * q q^T (Markley and others 2007), with
 * its largest component positive. weights may be null, for equal ones. Quaternions that are invalid, and
 * weights that are not positive and finite, are left out and then QUATSIMD_WARNING_REPLACED_INVALID is
 * returned; the mean of none is the identity. */
QUATSIMD_API quatsimd_status quatsimd_mean(float mean_xyzw[4], quatsimd_in q, const quatsimd_in *weights,
                                           size_t count);

#ifdef __cplusplus
}
#endif

#endif
