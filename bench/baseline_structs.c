/* Plain loops over arrays of structs, as people write them for one element at a time; compilers vectorise
 * some. Formulas are the usual ones, in float. */
#include <math.h>

#include "baselines.h"

typedef struct vec3 {
  float x, y, z;
} vec3;
typedef struct quat {
  float x, y, z, w;
} quat;
typedef struct matrix3 {
  float m[9];
} matrix3;
typedef struct matrix3x4 {
  float m[12];
} matrix3x4;
typedef struct matrix4 {
  float m[16];
} matrix4;
typedef struct sqt {
  quat q;
  vec3 t;
  float s;
} sqt;

static inline float dot3(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec3 cross(vec3 a, vec3 b) {
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float dot(quat a, quat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
static inline float norm(quat q) { return sqrtf(dot(q, q)); }
static inline quat scale(quat q, float s) { return (quat){q.x * s, q.y * s, q.z * s, q.w * s}; }
static inline quat add(quat a, quat b) { return (quat){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
static inline quat normalize(quat q) { return scale(q, 1 / norm(q)); }
static inline quat conjugate(quat q) { return (quat){-q.x, -q.y, -q.z, q.w}; }
static inline quat inverse(quat q) { return scale(conjugate(q), 1 / dot(q, q)); }
static inline quat multiply(quat a, quat b) {
  return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
/* v + 2 w (u x v) + 2 u x (u x v), u the vector of the quaternion. */
static inline vec3 rotate(quat q, vec3 v) {
  const vec3 u = {q.x, q.y, q.z}, c = cross(u, v), t = {2 * c.x, 2 * c.y, 2 * c.z}, d = cross(u, t);
  return (vec3){v.x + q.w * t.x + d.x, v.y + q.w * t.y + d.y, v.z + q.w * t.z + d.z};
}
static inline vec3 lerp(vec3 a, vec3 b, float t) {
  return (vec3){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}
static inline quat nlerp(quat a, quat b, float t) {
  return normalize(add(scale(a, 1 - t), scale(b, dot(a, b) < 0 ? -t : t)));
}
static inline quat slerp(quat a, quat b, float t) {
  const float d = dot(a, b), c = fabsf(d);
  float of_a = 1 - t, of_b = t;
  if (c < 0.9995f) {
    const float angle = acosf(c), r = 1 / sinf(angle);
    of_a = sinf(of_a * angle) * r, of_b = sinf(of_b * angle) * r;
  }
  return add(scale(a, of_a), scale(b, d < 0 ? -of_b : of_b));
}
static inline quat exp_of(vec3 v) {
  const float angle = sqrtf(dot3(v, v)), s = angle > 1e-6f ? sinf(0.5f * angle) / angle : 0.5f;
  return (quat){v.x * s, v.y * s, v.z * s, cosf(0.5f * angle)};
}
static inline vec3 log_of(quat q) {
  const float n = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z), w = q.w < 0 ? -n : n;
  const float s = n > 1e-6f ? 2 * atan2f(n, fabsf(q.w)) / w : 2;
  return (vec3){q.x * s, q.y * s, q.z * s};
}
static inline quat integrate(quat q, vec3 v, float dt) {
  return normalize(multiply(exp_of((vec3){v.x * dt, v.y * dt, v.z * dt}), q));
}

/* Columns, and from them the largest component (Shepperd 1978). */
static inline matrix3 to_matrix3(quat q) {
  const float x = 2 * q.x, y = 2 * q.y, z = 2 * q.z;
  return (matrix3){{1 - q.y * y - q.z * z, q.x * y + q.w * z, q.x * z - q.w * y, q.x * y - q.w * z,
                    1 - q.x * x - q.z * z, q.y * z + q.w * x, q.x * z + q.w * y, q.y * z - q.w * x,
                    1 - q.x * x - q.y * y}};
}
static inline quat from_columns(const float *a, const float *b, const float *c) {
  const float trace = a[0] + b[1] + c[2];
  quat q;
  if (trace >= a[0] && trace >= b[1] && trace >= c[2])
    q = (quat){b[2] - c[1], c[0] - a[2], a[1] - b[0], 1 + trace};
  else if (a[0] >= b[1] && a[0] >= c[2])
    q = (quat){1 + a[0] - b[1] - c[2], a[1] + b[0], c[0] + a[2], b[2] - c[1]};
  else if (b[1] >= c[2]) q = (quat){a[1] + b[0], 1 + b[1] - a[0] - c[2], b[2] + c[1], c[0] - a[2]};
  else q = (quat){c[0] + a[2], b[2] + c[1], 1 + c[2] - a[0] - b[1], a[1] - b[0]};
  return normalize(q);
}
static inline quat from_matrix3(matrix3 a) { return from_columns(a.m, a.m + 3, a.m + 6); }
static inline quat from_matrix4(matrix4 a) { return from_columns(a.m, a.m + 4, a.m + 8); }
static inline matrix4 to_matrix4(quat q) {
  const matrix3 r = to_matrix3(q);
  return (matrix4){
      {r.m[0], r.m[1], r.m[2], 0, r.m[3], r.m[4], r.m[5], 0, r.m[6], r.m[7], r.m[8], 0, 0, 0, 0, 1}};
}

static inline vec3 sqt_transform_points(sqt a, vec3 v) {
  const vec3 r = rotate(a.q, (vec3){a.s * v.x, a.s * v.y, a.s * v.z});
  return (vec3){r.x + a.t.x, r.y + a.t.y, r.z + a.t.z};
}
static inline sqt sqt_compose(sqt a, sqt b) {
  return (sqt){multiply(a.q, b.q), sqt_transform_points(a, b.t), a.s * b.s};
}
static inline matrix3x4 sqt_to_matrix3x4(sqt a) {
  const matrix3 r = to_matrix3(a.q);
  return (matrix3x4){{r.m[0] * a.s, r.m[3] * a.s, r.m[6] * a.s, a.t.x, r.m[1] * a.s, r.m[4] * a.s,
                      r.m[7] * a.s, a.t.y, r.m[2] * a.s, r.m[5] * a.s, r.m[8] * a.s, a.t.z}};
}

/* Roll about x, then pitch about y, then yaw about z. */
static inline quat from_euler(vec3 a) {
  const float cx = cosf(a.x / 2), sx = sinf(a.x / 2), cy = cosf(a.y / 2), sy = sinf(a.y / 2);
  const float cz = cosf(a.z / 2), sz = sinf(a.z / 2);
  return (quat){sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz,
                cx * cy * cz + sx * sy * sz};
}
static inline vec3 to_euler(quat q) {
  const float s = 2 * (q.w * q.y - q.z * q.x), t = s > 1 ? 1 : s < -1 ? -1 : s;
  return (vec3){atan2f(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y)), asinf(t),
                atan2f(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))};
}

#define LOOP(name, function, out_type, ...)                                                                  \
  void BASELINE_STRUCTS(name)(float *restrict out, const float *restrict a, const float *restrict b,         \
                              const float *restrict t, size_t count) {                                       \
    out_type *to = (out_type *)out;                                                                          \
    (void)a, (void)b, (void)t;                                                                               \
    for (size_t i = 0; i < count; i++) to[i] = function(__VA_ARGS__);                                        \
  }
#define A(type) ((const type *)a)[i]
#define B(type) ((const type *)b)[i]
LOOP(multiply, multiply, quat, A(quat), B(quat))
LOOP(rotate, rotate, vec3, A(quat), B(vec3))
LOOP(rotate_by_one, rotate, vec3, *(const quat *)a, B(vec3))
LOOP(nlerp, nlerp, quat, A(quat), B(quat), t[i])
LOOP(lerp, lerp, vec3, A(vec3), B(vec3), t[i])
LOOP(slerp, slerp, quat, A(quat), B(quat), t[i])
LOOP(exp, exp_of, quat, A(vec3))
LOOP(log, log_of, vec3, A(quat))
LOOP(normalize, normalize, quat, A(quat))
LOOP(conjugate, conjugate, quat, A(quat))
LOOP(inverse, inverse, quat, A(quat))
LOOP(add, add, quat, A(quat), B(quat))
LOOP(scale, scale, quat, A(quat), b[i])
LOOP(dot, dot, float, A(quat), B(quat))
LOOP(norm, norm, float, A(quat))
LOOP(from_matrix4, from_matrix4, quat, A(matrix4))
LOOP(to_matrix4, to_matrix4, matrix4, A(quat))
LOOP(from_matrix3, from_matrix3, quat, A(matrix3))
LOOP(to_matrix3, to_matrix3, matrix3, A(quat))
LOOP(sqt_compose, sqt_compose, sqt, A(sqt), B(sqt))
LOOP(sqt_transform_points, sqt_transform_points, vec3, A(sqt), B(vec3))
LOOP(sqt_to_matrix3x4, sqt_to_matrix3x4, matrix3x4, A(sqt))
LOOP(from_euler, from_euler, quat, A(vec3))
LOOP(to_euler, to_euler, vec3, A(quat))
LOOP(integrate, integrate, quat, A(quat), B(vec3), *t)
