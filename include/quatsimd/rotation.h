/* Rotation algebra over arrays: products, interpolation, conversions, integration.
 *
 * Shapes. A quaternion is four floats x, y, z, w, a vector three, a scalar one. A 3x3 matrix is nine floats
 * and a 4x4 matrix sixteen, column by column as in OpenGL. Angles are in radians. A quaternion q rotates the
 * vector v to q v q^-1. The product a b rotates by b first, then by a.
 *
 * Arguments. Each array is a view (view.h) of count elements. quatsimd_one passes one element for all.
 * Quaternions must have length 1 within 1e-4, unless a function says otherwise. Other lengths give wrong
 * results, not errors.
 *
 * Results. They have the same bits on every CPU, in every layout and for every count. Quaternions have length
 * 1 within 2.5e-7, unless a function says otherwise. An element with a NaN gives an element with at least one
 * NaN, unless a function says otherwise. So does an element with an infinity, unless the formula is defined
 * for infinity, as a sum is. The NaN is always 0x7fc00000. The rounding mode must be round-to-nearest, which
 * is the default. Flush-to-zero modes may turn inputs and results below 1.2e-38 into 0. They may change other
 * results by up to 2e-37, those of quatsimd_rotate by up to 2e-37 |v| if |v| > 1.
 *
 * Errors. Every function returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a view that breaks a rule of
 * view.h. On error nothing is written. Every function may be called from any number of threads at once.
 *
 * docs/rotation.md: formulas, the worst error of each function, costs. */
#ifndef QUATSIMD_ROTATION_H
#define QUATSIMD_ROTATION_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- algebra ---- Sources: Hamilton 1843; Bobick, "Rotating Objects Using Quaternions", Game Developer
 * 1998. */

/* Normalises quaternions of any length: out = q / |q|. A quaternion is invalid if a component is NaN or
 * infinite, or if its length is outside [2^-32, 2^32]. An invalid quaternion becomes the identity, and the
 * call still returns QUATSIMD_OK. quatsimd_find_invalid (codec.h) finds invalid quaternions. The result is at
 * an angle of at most 1.2e-7 to q, and has length 1 within 2.5e-7. */
QUATSIMD_API quatsimd_status quatsimd_normalize(quatsimd_out out, quatsimd_in q, size_t count);
/* Conjugates quaternions of any length: out = (-x, -y, -z, w). The conjugate of a unit quaternion is its
 * inverse. The result has the length |q|. */
QUATSIMD_API quatsimd_status quatsimd_conjugate(quatsimd_out out, quatsimd_in q, size_t count);
/* Inverts quaternions of any length: out = conjugate(q) / |q|^2. The result has the length 1 / |q|. The
 * inverse of zero is NaN. */
QUATSIMD_API quatsimd_status quatsimd_inverse(quatsimd_out out, quatsimd_in q, size_t count);
/* Adds quaternions of any length, component by component: out = a + b. The result is not normalised. */
QUATSIMD_API quatsimd_status quatsimd_add(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count);
/* Multiplies each component of a quaternion of any length by a scalar: out = factor * q. The result has the
 * length |factor| |q|. */
QUATSIMD_API quatsimd_status quatsimd_scale(quatsimd_out out, quatsimd_in q, quatsimd_in factor,
                                            size_t count);
/* Multiplies quaternions of any length: out = a b, which rotates by b first, then by a. The result has the
 * length |a| |b|, which must be in the range of a float. */
QUATSIMD_API quatsimd_status quatsimd_multiply(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count);
/* Computes dot products of quaternions of any length. The result is a scalar: the sum of the products of
 * components. Its error is at most 2e-7 |a| |b|. */
QUATSIMD_API quatsimd_status quatsimd_dot(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count);
/* Computes lengths of quaternions of any length. The result is a scalar: |q|, the square root of dot(q,
 * q). */
QUATSIMD_API quatsimd_status quatsimd_norm(quatsimd_out out, quatsimd_in q, size_t count);
/* Computes the angle of the rotation from a to b. The result is a scalar in radians, 0 to pi. It is accurate
 * at both ends of this range. */
QUATSIMD_API quatsimd_status quatsimd_angle_between(quatsimd_out out, quatsimd_in a, quatsimd_in b,
                                                    size_t count);
/* Rotates vectors: out = q v q^-1. quatsimd_one(q) rotates many vectors by one quaternion. quatsimd_one(v)
 * rotates one vector by many quaternions. */
QUATSIMD_API quatsimd_status quatsimd_rotate(quatsimd_out out, quatsimd_in q, quatsimd_in v, size_t count);

/* ---- interpolation ---- t is a scalar. Values below 0 count as 0, values above 1 as 1. Interpolation of
 * quaternions follows the shorter arc: it uses -b in place of b if dot(a, b) < 0. If |dot(a, b)| is below
 * 1.2e-7, rounding may select either. Unpacked quaternions and unit quaternions from this header have length
 * 1 within 4e-7. */

/* Interpolates quaternions linearly and normalises the result: (1 - t) a + t b. The lengths of a and b must
 * be 1 within 4e-7. The angular speed is not constant. */
QUATSIMD_API quatsimd_status quatsimd_nlerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t,
                                            size_t count);
/* Interpolates vectors linearly: (1 - t) a + t b. */
QUATSIMD_API quatsimd_status quatsimd_lerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t,
                                           size_t count);
/* Interpolates quaternions from a to b at constant angular speed (spherical linear interpolation, Shoemake
 * 1985). The lengths of a and b must be 1 within 4e-7. Other lengths give arbitrary numbers. The length of
 * the result is as near to 1 as those of a and b. t = 0 gives a exactly, and t = 1 gives b or -b exactly,
 * except that -0 becomes 0. */
QUATSIMD_API quatsimd_status quatsimd_slerp(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in t,
                                            size_t count);
/* Interpolates from key a to key b so that motion is smooth where two pieces of a curve meet (Shoemake 1987):
 * slerp(slerp(a, b, t), slerp(a_control, b_control, t), 2 t (1 - t)). a_control and b_control are the control
 * quaternions of the keys, which quatsimd_squad_control computes. The lengths of all four must be 1 within
 * 4e-7. The length of the result is as near to 1 as theirs. */
QUATSIMD_API quatsimd_status quatsimd_squad(quatsimd_out out, quatsimd_in a, quatsimd_in a_control,
                                            quatsimd_in b_control, quatsimd_in b, quatsimd_in t,
                                            size_t count);
/* Computes the control quaternion of each key q for quatsimd_squad: q exp(-(log(q^-1 before) + log(q^-1
 * after)) / 4). `before` and `after` are the keys before and after q. At the ends of a curve pass q itself in
 * place of the missing key. */
QUATSIMD_API quatsimd_status quatsimd_squad_control(quatsimd_out out, quatsimd_in before, quatsimd_in q,
                                                    quatsimd_in after, size_t count);

/* ---- conversions ---- Matrices cannot have the layout of quatsimd_soa. */

/* Converts an axis and an angle to quaternions. The axis is a vector of any length from 2^-32 to 2^32. The
 * angle is a scalar in radians. An angle of magnitude up to 1e6 loses no accuracy. An angle of magnitude
 * above 2^30 gives NaN. The result has w >= 0. A zero axis gives the identity, whatever the angle. */
QUATSIMD_API quatsimd_status quatsimd_from_axis_angle(quatsimd_out out, quatsimd_in axis, quatsimd_in angle,
                                                      size_t count);
/* Converts quaternions to an axis and an angle. The axis is a unit vector. The angle is a scalar in radians,
 * 0 to pi. The axis of the identity is (1, 0, 0). */
QUATSIMD_API quatsimd_status quatsimd_to_axis_angle(quatsimd_out axis, quatsimd_out angle, quatsimd_in q,
                                                    size_t count);
/* Converts rotation vectors to quaternions (the exponential map). A rotation vector is the axis times the
 * angle in radians. An angle of magnitude up to 1e6 loses no accuracy. An angle of magnitude above 2^30 gives
 * NaN. The result has w >= 0. Three floats become four, so an aos output cannot use the memory of an aos
 * input. */
QUATSIMD_API quatsimd_status quatsimd_exp(quatsimd_out out, quatsimd_in vector, size_t count);
/* Converts quaternions to rotation vectors (the inverse of quatsimd_exp). The length of a vector is the angle
 * in radians, 0 to pi. */
QUATSIMD_API quatsimd_status quatsimd_log(quatsimd_out vector, quatsimd_in q, size_t count);
/* Converts Cayley vectors B to quaternions: (2 B, 1 - B.B) / (1 + B.B). Their length may be 0 to 2^32. Cayley
 * vectors are also known as modified Rodrigues parameters. */
QUATSIMD_API quatsimd_status quatsimd_from_cayley(quatsimd_out out, quatsimd_in cayley, size_t count);
/* Converts quaternions to Cayley vectors: (x, y, z) / (1 + w) = axis * tan(angle / 4), computed from
 * whichever of q and -q has w >= 0. The length of a vector is 0 to 1. */
QUATSIMD_API quatsimd_status quatsimd_to_cayley(quatsimd_out cayley, quatsimd_in q, size_t count);
/* Converts 3x3 matrices to quaternions (Shepperd 1978). The largest component of the result is positive. A
 * matrix must be a rotation within rounding error. Remove scale and mirroring first. A matrix with either
 * gives some other rotation. */
QUATSIMD_API quatsimd_status quatsimd_from_matrix3(quatsimd_out out, quatsimd_in matrix, size_t count);
/* Converts the upper left 3x3 parts of 4x4 matrices to quaternions. The other seven floats are not read. The
 * result is that of quatsimd_from_matrix3, with the same conditions for the 3x3 part. */
QUATSIMD_API quatsimd_status quatsimd_from_matrix4(quatsimd_out out, quatsimd_in matrix, size_t count);
/* Converts quaternions to 3x3 matrices. The columns are the images of the axes x, y and z. */
QUATSIMD_API quatsimd_status quatsimd_to_matrix3(quatsimd_out matrix, quatsimd_in q, size_t count);
/* Converts quaternions to 4x4 matrices. The upper left 3x3 part is that of quatsimd_to_matrix3. The last row
 * and the last column are 0, 0, 0, 1. */
QUATSIMD_API quatsimd_status quatsimd_to_matrix4(quatsimd_out matrix, quatsimd_in q, size_t count);

/* Orders of Euler angles. The three letters name the axes in the order in which the three angles are stored
 * and applied. Intrinsic orders rotate about the axes of the rotating body. Extrinsic orders rotate about the
 * axes of the world. With angles a, b, c, INTRINSIC_XYZ is the product X(a) Y(b) Z(c), and EXTRINSIC_XYZ is
 * Z(c) Y(b) X(a). */
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

/* Converts Euler angles to quaternions. The angles are three floats in radians, in the order that `order`
 * names. An angle of magnitude up to 1e6 loses no accuracy. An angle of magnitude above 2^30 gives NaN. An
 * unknown order is QUATSIMD_ERROR_BAD_ARGUMENT. */
QUATSIMD_API quatsimd_status quatsimd_from_euler(quatsimd_out out, quatsimd_in angles,
                                                 quatsimd_euler_order order, size_t count);
/* Converts quaternions to Euler angles, three floats in radians, in the order that `order` names (Bernardes
 * and Viollet, "Quaternion to Euler angles conversion", PLoS ONE 2022). The first and the third angle are
 * from -pi to pi. The second angle is from -pi/2 to pi/2 if the three axes differ, and from 0 to pi if the
 * third axis is the same as the first. An unknown order is QUATSIMD_ERROR_BAD_ARGUMENT.
 *
 * Gimbal lock: if the second angle is within 1.19e-7 of an end of its range, only the sum or the difference
 * of the other two is determined. The second angle is then set to that end, and the third to 0. */
QUATSIMD_API quatsimd_status quatsimd_to_euler(quatsimd_out angles, quatsimd_in q, quatsimd_euler_order order,
                                               size_t count);

/* ---- motion ---- q is the orientation of a body: it rotates from the coordinates of the body to those of
 * the world. Angular velocities are vectors in radians per unit of time, in the coordinates of the world. dt
 * is a scalar in the same unit of time. */

/* Computes orientations after a time dt at constant angular velocity: exp(velocity * dt) q, normalised. An
 * angle |velocity| dt above 2^30 gives NaN. */
QUATSIMD_API quatsimd_status quatsimd_integrate(quatsimd_out out, quatsimd_in q, quatsimd_in velocity,
                                                quatsimd_in dt, size_t count);
/* Computes orientations after a time dt at an angular velocity that changes: one step of the fourth-order
 * Runge-Kutta method for dq/dt = velocity q / 2, normalised. The velocities are those at the beginning, the
 * middle and the end of the step. The error of a step is of order (|velocity| dt / 2)^5 / 120. */
QUATSIMD_API quatsimd_status quatsimd_integrate_rk4(quatsimd_out out, quatsimd_in q,
                                                    quatsimd_in velocity_begin, quatsimd_in velocity_middle,
                                                    quatsimd_in velocity_end, quatsimd_in dt, size_t count);
/* Computes the constant angular velocities that take `from` to `to` by the shorter way in the time dt. The
 * result is log(to * from^-1) / dt. If dt is 0, the result is infinite or NaN. */
QUATSIMD_API quatsimd_status quatsimd_angular_velocity(quatsimd_out velocity, quatsimd_in from,
                                                       quatsimd_in to, quatsimd_in dt, size_t count);
/* Predicts the next orientation of bodies that keep rotating as before: last * before^-1 * last, normalised.
 * `before` and `last` are the last two orientations. The time from `last` to the result is that from `before`
 * to `last`. */
QUATSIMD_API quatsimd_status quatsimd_predict(quatsimd_out out, quatsimd_in before, quatsimd_in last,
                                              size_t count);

/* ---- along a curve ---- */

/* Makes the signs of a curve's keys continuous, in place. Each quaternion becomes q or -q, whichever has a
 * dot product with the previous key that is not negative. The first key keeps its sign. Quaternions may be of
 * any length. Invalid keys (see quatsimd_normalize) are unchanged and skipped. */
QUATSIMD_API quatsimd_status quatsimd_make_continuous(quatsimd_out q, size_t count);
/* Computes the mean of count rotations: the eigenvector of the largest eigenvalue of the sum of weight * q
 * q^T / |q|^2 (Markley and others 2007). mean_xyzw receives one quaternion x, y, z, w, whose largest
 * component is positive. Quaternions may be of any length. *weights is a view of scalars; null means equal
 * weights. Invalid quaternions (see quatsimd_normalize) and weights that are not positive and finite are left
 * out. The call then returns QUATSIMD_WARNING_REPLACED_INVALID. If nothing is left, the mean is the identity.
 * A null mean_xyzw is QUATSIMD_ERROR_BAD_ARGUMENT. */
QUATSIMD_API quatsimd_status quatsimd_mean(float mean_xyzw[4], quatsimd_in q, const quatsimd_in *weights,
                                           size_t count);

#ifdef __cplusplus
}
#endif

#endif
