/* The constants of formats, which the reference and the kernels share. */
#ifndef QUATSIMD_CODEC_CONSTANTS_H
#define QUATSIMD_CODEC_CONSTANTS_H

/* The number of quanta in 1, and the quantum, for a component of smallest3. 1.414214f is the square root of 2
 * in the program that the format is from. The quantum is a quotient of floats: at 4, 14, 18 and 20 bits it is
 * not the float nearest to the exact quantum. */
#define QUATSIMD_SMALLEST3_QUANTA(bits) ((float)((1 << ((bits)-1)) - 1) / (1.0f / 1.414214f))
#define QUATSIMD_SMALLEST3_QUANTUM(bits) (1 / QUATSIMD_SMALLEST3_QUANTA(bits))

#define QUATSIMD_SQRT2 0x1.6a09e6p+0f
#define QUATSIMD_SQRT_HALF 0x1.6a09e6p-1f

/* The largest magnitude and the range of components in Mirror's source. */
#define QUATSIMD_MIRROR_LIMIT 0.707107f
#define QUATSIMD_MIRROR_RANGE 1.414214f

/* The widths of x, y and z in unreal48 and unreal32, and the lowest bits of their fields. */
typedef struct quatsimd_unreal {
  int x_bits, y_bits, z_bits, x_at, y_at, z_at;
} quatsimd_unreal;
#define QUATSIMD_UNREAL48 ((quatsimd_unreal){16, 16, 16, 0, 16, 32})
#define QUATSIMD_UNREAL32 ((quatsimd_unreal){11, 11, 10, 21, 10, 0})

/* The constants of a lattice format. A point has three indices from -h to h. The warp f obeys c * f(u) = g *
 * (a + g * g) for g = h * u. newton is 1 if inverting the warp takes a step of Newton's method after the
 * polynomial. The other members place the fields in the word. An index has `bits` bits. Index 0 is at bit
 * first_at, index 1 at bit `bits`, index 2 at bit 0. The parity is at bit parity_at, the chart at bit
 * chart_at. lattice32 has another layout. */
typedef struct quatsimd_lattice {
  float h, a, c;
  int newton, bits, first_at, parity_at, chart_at;
} quatsimd_lattice;
#define QUATSIMD_WARPED24 ((quatsimd_lattice){63, 0x1.510d2cp+13f, 0x1.c5e0d8p+19f, 0, 7, 14, 21, 22})
#define QUATSIMD_WARPED32 ((quatsimd_lattice){405, 0x1.b34958p+18f, 0x1.d7061ap+27f, 0, 0, 0, 0, 0})
#define QUATSIMD_WARPED48 ((quatsimd_lattice){16383, 0x1.5bcb4p+29f, 0x1.dbbfdp+43f, 1, 15, 32, 47, 30})
#define QUATSIMD_WARPED64 ((quatsimd_lattice){524287, 0x1.5bd5cap+39f, 0x1.dbd56ep+58f, 1, 20, 40, 60, 61})
#define QUATSIMD_LATTICE_RADIX 203 /* radix of the digits of lattice32 */

/* The coefficients of a polynomial p: x * p(x * x) is within 1e-4 of the inverse of the warp. */
#define QUATSIMD_UNWARP_0 0x1.5dd6d4p+0f
#define QUATSIMD_UNWARP_1 -0x1.c6a41ep-1f
#define QUATSIMD_UNWARP_2 0x1.5058e2p+0f
#define QUATSIMD_UNWARP_3 -0x1.8dea44p+0f
#define QUATSIMD_UNWARP_4 0x1.1145fap+0f
#define QUATSIMD_UNWARP_5 -0x1.38fe56p-2f

#endif
