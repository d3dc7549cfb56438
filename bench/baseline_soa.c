/* Plain loops over arrays of components, which compilers vectorise: parameters say that no array is
 * another. */
#include <math.h>

#include "baselines.h"

#define OUT(name) float *restrict name
#define IN(name) const float *restrict name

static void multiply(OUT(x), OUT(y), OUT(z), OUT(w), IN(ax), IN(ay), IN(az), IN(aw), IN(bx), IN(by), IN(bz),
                     IN(bw), size_t count) {
  for (size_t i = 0; i < count; i++) {
    x[i] = aw[i] * bx[i] + ax[i] * bw[i] + ay[i] * bz[i] - az[i] * by[i];
    y[i] = aw[i] * by[i] + ay[i] * bw[i] + az[i] * bx[i] - ax[i] * bz[i];
    z[i] = aw[i] * bz[i] + az[i] * bw[i] + ax[i] * by[i] - ay[i] * bx[i];
    w[i] = aw[i] * bw[i] - ax[i] * bx[i] - ay[i] * by[i] - az[i] * bz[i];
  }
}

static void nlerp(OUT(x), OUT(y), OUT(z), OUT(w), IN(ax), IN(ay), IN(az), IN(aw), IN(bx), IN(by), IN(bz),
                  IN(bw), IN(t), size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float d = ax[i] * bx[i] + ay[i] * by[i] + az[i] * bz[i] + aw[i] * bw[i];
    const float of_a = 1 - t[i], of_b = d < 0 ? -t[i] : t[i];
    const float qx = ax[i] * of_a + bx[i] * of_b, qy = ay[i] * of_a + by[i] * of_b;
    const float qz = az[i] * of_a + bz[i] * of_b, qw = aw[i] * of_a + bw[i] * of_b;
    const float r = 1 / sqrtf(qx * qx + qy * qy + qz * qz + qw * qw);
    x[i] = qx * r, y[i] = qy * r, z[i] = qz * r, w[i] = qw * r;
  }
}

/* v + 2 w (u x v) + 2 u x (u x v), u the vector of the quaternion. */
static void rotate(OUT(x), OUT(y), OUT(z), IN(ux), IN(uy), IN(uz), IN(w), IN(vx), IN(vy), IN(vz),
                   size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float tx = 2 * (uy[i] * vz[i] - uz[i] * vy[i]), ty = 2 * (uz[i] * vx[i] - ux[i] * vz[i]);
    const float tz = 2 * (ux[i] * vy[i] - uy[i] * vx[i]);
    x[i] = vx[i] + w[i] * tx + (uy[i] * tz - uz[i] * ty);
    y[i] = vy[i] + w[i] * ty + (uz[i] * tx - ux[i] * tz);
    z[i] = vz[i] + w[i] * tz + (ux[i] * ty - uy[i] * tx);
  }
}

/* The square of the length of element i. */
#define LENGTH2 (qx[i] * qx[i] + qy[i] * qy[i] + qz[i] * qz[i] + qw[i] * qw[i])
#define Q IN(qx), IN(qy), IN(qz), IN(qw)
#define AB IN(ax), IN(ay), IN(az), IN(aw), IN(bx), IN(by), IN(bz), IN(bw)
#define XYZW OUT(x), OUT(y), OUT(z), OUT(w)

static void normalize(XYZW, Q, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float r = 1 / sqrtf(LENGTH2);
    x[i] = qx[i] * r, y[i] = qy[i] * r, z[i] = qz[i] * r, w[i] = qw[i] * r;
  }
}
static void conjugate(XYZW, Q, size_t count) {
  for (size_t i = 0; i < count; i++) x[i] = -qx[i], y[i] = -qy[i], z[i] = -qz[i], w[i] = qw[i];
}
static void inverse(XYZW, Q, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float r = 1 / LENGTH2;
    x[i] = -qx[i] * r, y[i] = -qy[i] * r, z[i] = -qz[i] * r, w[i] = qw[i] * r;
  }
}
static void scale(XYZW, Q, IN(s), size_t count) {
  for (size_t i = 0; i < count; i++)
    x[i] = qx[i] * s[i], y[i] = qy[i] * s[i], z[i] = qz[i] * s[i], w[i] = qw[i] * s[i];
}
static void add(XYZW, AB, size_t count) {
  for (size_t i = 0; i < count; i++)
    x[i] = ax[i] + bx[i], y[i] = ay[i] + by[i], z[i] = az[i] + bz[i], w[i] = aw[i] + bw[i];
}
static void dot(OUT(to), AB, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = ax[i] * bx[i] + ay[i] * by[i] + az[i] * bz[i] + aw[i] * bw[i];
}
static void norm(OUT(to), Q, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = sqrtf(LENGTH2);
}

void BASELINE(multiply)(float *const *out, const float *const *in, size_t count) {
  multiply(out[0], out[1], out[2], out[3], in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], count);
}
void BASELINE(nlerp)(float *const *out, const float *const *in, size_t count) {
  nlerp(out[0], out[1], out[2], out[3], in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], count);
}
void BASELINE(rotate)(float *const *out, const float *const *in, size_t count) {
  rotate(out[0], out[1], out[2], in[0], in[1], in[2], in[3], in[4], in[5], in[6], count);
}
#define UNARY(name)                                                                                          \
  void BASELINE(name)(float *const *out, const float *const *in, size_t count) {                             \
    name(out[0], out[1], out[2], out[3], in[0], in[1], in[2], in[3], count);                                 \
  }
UNARY(normalize)
UNARY(conjugate)
UNARY(inverse)
void BASELINE(scale)(float *const *out, const float *const *in, size_t count) {
  scale(out[0], out[1], out[2], out[3], in[0], in[1], in[2], in[3], in[4], count);
}
void BASELINE(add)(float *const *out, const float *const *in, size_t count) {
  add(out[0], out[1], out[2], out[3], in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], count);
}
void BASELINE(dot)(float *const *out, const float *const *in, size_t count) {
  dot(out[0], in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], count);
}
void BASELINE(norm)(float *const *out, const float *const *in, size_t count) {
  norm(out[0], in[0], in[1], in[2], in[3], count);
}
