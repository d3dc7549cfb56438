/* Rotation algebra over arrays: products, interpolation, conversions, integration.
 *
 * Shapes. A quaternion is four floats x, y, z, w. A vector is three floats. A scalar (an angle, a time) is
 * one float. A 3x3 matrix is nine floats and a 4x4 matrix sixteen, column by column as OpenGL has them.
 * Angles are in radians. A quaternion q turns the vector v into q v q^-1. The product a b turns by b first,
 * then by a. Angular velocities are in radians per unit of time, in the coordinates of the world: those that
 * the quaternion turns into, where q is the orientation of a body.
 *
 * Arrays. Each argument is a view (view.h), which says where its elements are: quatsimd_aos, quatsimd_soa
 * (not for matrices), quatsimd_strided, quatsimd_blocks, quatsimd_one for one element that stands for all,
 * and quatsimd_wxyz around the view of quaternions whose w comes first. Each argument may have another
 * layout. For example
 *   quatsimd_multiply(quatsimd_aos_out(c), quatsimd_aos(a), quatsimd_one(b), count);
 *   quatsimd_slerp(quatsimd_aos_out(c), quatsimd_aos(a), quatsimd_soa(x, y, z, w), quatsimd_one(&t), count);
 *
 * Lengths. Quaternions must be unit quaternions, of length 1 within 1e-4, unless the function's comment says
 * "of any length". quatsimd_normalize makes unit quaternions of others. Interpolation needs a length of 1
 * within 4e-7, as unpacking and the functions here leave it. Results are of length 1 within 2.5e-7; those of
 * quatsimd_conjugate and quatsimd_slerp are as near to 1 as the arguments. q and -q are one rotation.
 *
 * Accuracy. docs/rotation.md lists the worst error of each function, at most 3e-7 radians for rotations and
 * 4e-7 relative for vectors and matrices. Most functions compute in double and round once.
 * quatsimd_multiply, quatsimd_rotate, quatsimd_nlerp, quatsimd_lerp, quatsimd_slerp, quatsimd_exp and those
 * from and to matrices compute in float, for speed.
 *
 * The same bits everywhere. Results depend on the input alone, not on the CPU, the compiler, the layout, the
 * count or the position in the array. The floating-point rounding mode must be round-to-nearest (the
 * default).
 *
 * NaN and infinity. An element with a NaN in it gives an element with at least one NaN. So does an element
 * with an infinity that cannot be computed with. Every such NaN is 0x7fc00000. There are three exceptions:
 * quatsimd_normalize makes the identity of such an element, a zero axis has no angle, and of a 4x4 matrix
 * only nine floats are read.
 *
 * Flush-to-zero. Such modes turn numbers below 1.2e-38 into zero, so that results below 1.2e-38 become zero.
 * The functions that compute in float have intermediate numbers as well: their results may differ by up to
 * 2e-37, those of quatsimd_rotate by up to 2e-37 |v| where |v| is above 1.
 *
 * Buffers. All are the caller's, aligned as floats. An output may have the memory of an input if each
 * element has the same bytes in both views (view.h). quatsimd_exp, for example, makes four floats of three,
 * so that its output cannot have the memory of its input. Other overlap of more than one element is not
 * allowed. It is refused where both views begin at one address. Nothing is read or written outside the
 * elements. count may be 0, and then views are not looked at.
 *
 * Errors. Every function returns QUATSIMD_OK, a warning where its comment names one, or
 * QUATSIMD_ERROR_BAD_ARGUMENT and has written nothing. The error is for a null pointer, a view that breaks a
 * rule of view.h (a stride that is no multiple of 4 or that is, of an output, shorter than an element;
 * matrices as soa; w-first vectors), overlap as above, and an unknown order of angles.
 *
 * Threads. Any number of threads may call every function at once. Nothing is kept between calls.
 *
 * Sources. Each function or section names its source; docs/rotation.md has the formulas. */
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

/* Normalises quaternions of any length: out = q / |q|. An invalid quaternion becomes the identity, and the
 * call returns QUATSIMD_OK. A quaternion is invalid if a component is NaN or infinite or if its length is
 * outside [2^-32, 2^32]; quatsimd_find_invalid (codec.h) finds these. */
QUATSIMD_API quatsimd_status quatsimd_normalize(quatsimd_out out, quatsimd_in q, size_t count);
/* Conjugates quaternions: out = (-x, -y, -z, w). The conjugate of a unit quaternion is its inverse.
 * Quaternions may be of any length. */
QUATSIMD_API quatsimd_status quatsimd_conjugate(quatsimd_out out, quatsimd_in q, size_t count);
/* Inverts quaternions of any length: out = conjugate(q) / |q|^2, which has the length 1 / |q|. */
QUATSIMD_API quatsimd_status quatsimd_inverse(quatsimd_out out, quatsimd_in q, size_t count);
/* Adds quaternions of any length, component by component: out = a + b. */
QUATSIMD_API quatsimd_status quatsimd_add(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count);
/* Multiplies each component of a quaternion of any length by a scalar: out = factor * q. */
QUATSIMD_API quatsimd_status quatsimd_scale(quatsimd_out out, quatsimd_in q, quatsimd_in factor,
                                            size_t count);
/* Multiplies quaternions of any length: out = a b, which turns by b first, then by a. The result has the
 * length |a| |b|, which must be in the range of a float. */
QUATSIMD_API quatsimd_status quatsimd_multiply(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count);
/* Dot products of quaternions of any length. The result is a scalar: the sum of the products of
 * components. */
QUATSIMD_API quatsimd_status quatsimd_dot(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count);
/* Lengths of quaternions of any length. The result is a scalar: |q|, the square root of quatsimd_dot of q
 * and q. */
QUATSIMD_API quatsimd_status quatsimd_norm(quatsimd_out out, quatsimd_in q, size_t count);
/* Angles between rotations. The result is a scalar: the angle of the rotation from a to b, in radians, 0 to
 * pi. It is accurate at both ends of this range. */
QUATSIMD_API quatsimd_status quatsimd_angle_between(quatsimd_out out, quatsimd_in a, quatsimd_in b,
                                                    size_t count);
/* Rotates vectors: out = q v q^-1, three floats each. quatsimd_one(q) turns many vectors by one quaternion,
 * quatsimd_one(v) turns one vector by many quaternions. */
QUATSIMD_API quatsimd_status quatsimd_rotate(quatsimd_out out, quatsimd_in q, quatsimd_in v, size_t count);

/* ---- interpolation, along the shorter arc: to b or to -b, whichever is nearer to a ---- */

/* Interpolates linearly from a to b and normalises: (1 - t) a + t b. Lengths must be 1 within 4e-7. t is a
 * scalar and is clamped to 0..1. The way is the shorter arc: -b takes the place of b where dot(a, b) < 0.
 * Where b and -b are equally near to a within 1.2e-7 either may be taken. */
QUATSIMD_API quatsimd_status quatsimd_nlerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t,
                                            size_t count);
/* Interpolates vectors linearly: (1 - t) a + t b. t is a scalar and is clamped to 0..1. */
QUATSIMD_API quatsimd_status quatsimd_lerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t,
                                           size_t count);
/* Interpolates from a to b at constant angular speed (spherical linear interpolation, Shoemake 1985).
 * Lengths must be 1 within 4e-7; lengths above that give arbitrary numbers. t is a scalar and is clamped to
 * 0..1. The way is the shorter arc: -b takes the place of b where dot(a, b) < 0. Where b and -b are equally
 * near to a within 1.2e-7 either may be taken. t = 0 gives a, and t = 1 gives b or -b, in both cases
 * exactly, but with 0 for -0. */
QUATSIMD_API quatsimd_status quatsimd_slerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t,
                                            size_t count);
/* Interpolates from key a to key b so that the motion is smooth where one piece of a curve meets the next
 * (Shoemake 1987): slerp(slerp(a, b, t), slerp(a_control, b_control, t), 2 t (1 - t)). Lengths must be 1
 * within 4e-7. t is a scalar and is clamped to 0..1. a_control and b_control are the keys' control
 * quaternions, which quatsimd_squad_control makes. */
QUATSIMD_API quatsimd_status quatsimd_squad(quatsimd_out out, quatsimd_in a, quatsimd_in a_control,
                                            quatsimd_in b_control, quatsimd_in b, quatsimd_in t,
                                            size_t count);
/* Makes the control quaternion of each key q for quatsimd_squad:
 * q exp(-(log(q^-1 before) + log(q^-1 after)) / 4). `before` and `after` are the keys before and after q.
 * At the ends of a curve give q itself in place of the key that is not there. */
QUATSIMD_API quatsimd_status quatsimd_squad_control(quatsimd_out out, quatsimd_in before, quatsimd_in q,
                                                    quatsimd_in after, size_t count);

/* ---- conversions ---- */

/* Makes quaternions that turn about an axis by an angle. The axis is a vector of any length from 2^-32 to
 * 2^32. The angle is a scalar in radians. An angle of up to 1e6 loses no accuracy; an angle above 2^30 gives
 * NaN. The result has w >= 0. A zero axis gives the identity. */
QUATSIMD_API quatsimd_status quatsimd_from_axis_angle(quatsimd_out out, quatsimd_in axis, quatsimd_in angle,
                                                      size_t count);
/* Splits quaternions into axis and angle. The axis is a unit vector, and the angle is a scalar in radians, 0
 * to pi. The axis of the identity is (1, 0, 0). */
QUATSIMD_API quatsimd_status quatsimd_to_axis_angle(quatsimd_out axis, quatsimd_out angle, quatsimd_in q,
                                                    size_t count);
/* The exponential map: makes quaternions of rotation vectors. A rotation vector is the axis times the angle
 * in radians. An angle of up to 1e6 loses no accuracy; an angle above 2^30 gives NaN. The result has
 * w >= 0. Three floats become four, so that the output cannot have the memory of the input if both are
 * aos. */
QUATSIMD_API quatsimd_status quatsimd_exp(quatsimd_out out, quatsimd_in vector, size_t count);
/* The inverse of the exponential map: makes rotation vectors, axis times angle, of quaternions. The length
 * of a vector is the angle in radians, 0 to pi. */
QUATSIMD_API quatsimd_status quatsimd_log(quatsimd_out vector, quatsimd_in q, size_t count);
/* Makes quaternions of Cayley vectors B, also known as modified Rodrigues parameters, of any length up to
 * 2^32: (2 B, 1 - B.B) / (1 + B.B). */
QUATSIMD_API quatsimd_status quatsimd_from_cayley(quatsimd_out out, quatsimd_in cayley, size_t count);
/* Makes Cayley vectors of quaternions: (x, y, z) / (1 + w) = axis * tan(angle / 4). Of q and -q the one with
 * w >= 0 is taken, so that vectors are of length 0 to 1. */
QUATSIMD_API quatsimd_status quatsimd_to_cayley(quatsimd_out cayley, quatsimd_in q, size_t count);
/* Makes quaternions of 3x3 matrices, nine floats column by column (Shepperd 1978). The largest component of
 * the result is positive. A matrix must be a rotation within rounding. Scale and mirroring must be taken out
 * before, or the result is some other rotation. */
QUATSIMD_API quatsimd_status quatsimd_from_matrix3(quatsimd_out out, quatsimd_in matrix, size_t count);
/* Makes quaternions of the upper left 3x3 parts of 4x4 matrices, sixteen floats column by column. The other
 * seven floats are not read. The 3x3 part must be a rotation, and the result is the same as that of
 * quatsimd_from_matrix3. */
QUATSIMD_API quatsimd_status quatsimd_from_matrix4(quatsimd_out out, quatsimd_in matrix, size_t count);
/* Makes 3x3 matrices of quaternions, nine floats column by column. The columns are where the axes x, y and z
 * go. */
QUATSIMD_API quatsimd_status quatsimd_to_matrix3(quatsimd_out matrix, quatsimd_in q, size_t count);
/* Makes 4x4 matrices of quaternions, sixteen floats column by column. The upper left 3x3 part is that of
 * quatsimd_to_matrix3. The last row and the last column are 0, 0, 0, 1. */
QUATSIMD_API quatsimd_status quatsimd_to_matrix4(quatsimd_out matrix, quatsimd_in q, size_t count);

/* Orders of Euler angles. The three letters are the axes, in the order in which the three angles are stored
 * and applied. Intrinsic orders turn about the axes of the turning body, extrinsic ones about those of the
 * world. With angles a, b, c INTRINSIC_XYZ is the product X(a) Y(b) Z(c), and EXTRINSIC_XYZ is Z(c) Y(b)
 * X(a). */
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

/* Makes quaternions of Euler angles, three floats in radians each, about the axes that the order names. An
 * angle of up to 1e6 loses no accuracy; an angle above 2^30 gives NaN. QUATSIMD_ERROR_BAD_ARGUMENT also if
 * there is no such order. */
QUATSIMD_API quatsimd_status quatsimd_from_euler(quatsimd_out out, quatsimd_in angles,
                                                 quatsimd_euler_order order, size_t count);
/* Makes Euler angles of quaternions, three floats in radians each, about the axes that the order names
 * (Bernardes and Viollet, "Quaternion to Euler angles conversion", PLoS ONE 2022). The first and the third
 * angle are from -pi to pi. The second angle is from -pi/2 to pi/2 where the three axes differ, and from 0
 * to pi where the third axis is the first. QUATSIMD_ERROR_BAD_ARGUMENT also if there is no such order.
 *
 * Gimbal lock: where the second angle is within 1.19e-7 of an end of its range, only the sum or the
 * difference of the other two is determined. The second angle is put at that end then, and the third is 0. */
QUATSIMD_API quatsimd_status quatsimd_to_euler(quatsimd_out angles, quatsimd_in q, quatsimd_euler_order order,
                                               size_t count);

/* ---- motion ---- */

/* Orientations after a time dt at constant angular velocity: exp(velocity * dt) q, normalised. velocity is a
 * vector in radians per unit of time, in the coordinates of the world. dt is a scalar in the same unit of
 * time. */
QUATSIMD_API quatsimd_status quatsimd_integrate(quatsimd_out out, quatsimd_in q, quatsimd_in velocity,
                                                quatsimd_in dt, size_t count);
/* Orientations after a time dt at an angular velocity that changes: one step of Runge and Kutta's fourth
 * order over dq/dt = velocity q / 2, normalised. The velocities are vectors at the beginning, the middle and
 * the end of the step, in radians per unit of time, in the coordinates of the world. dt is a scalar in the
 * same unit of time. The error of a step is of order (|velocity| dt / 2)^5 / 120. */
QUATSIMD_API quatsimd_status quatsimd_integrate_rk4(quatsimd_out out, quatsimd_in q,
                                                    quatsimd_in velocity_begin, quatsimd_in velocity_middle,
                                                    quatsimd_in velocity_end, quatsimd_in dt, size_t count);
/* Constant angular velocities that take `from` to `to` in the time dt, by the shorter way: log(to from^-1) /
 * dt. The result is a vector in radians per unit of dt's time, in the coordinates of the world. dt is a
 * scalar. Where dt is 0 the result is infinite or NaN. */
QUATSIMD_API quatsimd_status quatsimd_angular_velocity(quatsimd_out velocity, quatsimd_in from,
                                                       quatsimd_in to, quatsimd_in dt, size_t count);
/* Predicts the next orientation of bodies that turn on as they did: last before^-1 last, normalised.
 * `before` and `last` are the last two orientations, at equal distances of time. */
QUATSIMD_API quatsimd_status quatsimd_predict(quatsimd_out out, quatsimd_in before, quatsimd_in last,
                                              size_t count);

/* ---- along a curve ---- */

/* Makes the signs of a curve's keys continuous, in place: the sign of each quaternion is chosen so that its
 * dot product with the key before is not negative. Quaternions may be of any length. The first key keeps
 * its sign. Invalid keys (as quatsimd_normalize says) stay as they are and are passed over. */
QUATSIMD_API quatsimd_status quatsimd_make_continuous(quatsimd_out q, size_t count);
/* The mean of many rotations: the eigenvector of the largest eigenvalue of the sum of weight * q q^T
 * (Markley and others 2007). mean_xyzw gets one quaternion x, y, z, w, whose largest component is positive.
 * Quaternions may be of any length. *weights is a view of scalars; null is for equal weights. Invalid
 * quaternions (as quatsimd_normalize says) and weights that are not positive and finite are left out, and
 * then the call returns QUATSIMD_WARNING_REPLACED_INVALID. The mean of none is the identity. */
QUATSIMD_API quatsimd_status quatsimd_mean(float mean_xyzw[4], quatsimd_in q, const quatsimd_in *weights,
                                           size_t count);

#ifdef __cplusplus
}
#endif

#endif
