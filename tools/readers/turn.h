/* Vectors and rotations in double, for transforms that files have in other terms. */
#ifndef TURN_H
#define TURN_H

#include <math.h>

struct vector {
  double x, y, z;
};
struct turn { /* a unit quaternion */
  double x, y, z, w;
};

static inline struct vector vector_add(struct vector a, struct vector b) {
  return (struct vector){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline struct vector vector_subtract(struct vector a, struct vector b) {
  return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline struct vector vector_scale(struct vector a, struct vector b) { /* each axis by itself */
  return (struct vector){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline struct vector vector_cross(struct vector a, struct vector b) {
  return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vector_length(struct vector v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/* q, then p. */
static inline struct turn turn_multiply(struct turn p, struct turn q) {
  return (struct turn){
      p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
      p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
}
static inline struct turn turn_inverse(struct turn q) { return (struct turn){-q.x, -q.y, -q.z, q.w}; }

/* v + 2w (u x v) + 2 u x (u x v), where u is the quaternion's vector. */
static inline struct vector turn_apply(struct turn q, struct vector v) {
  const struct vector u = {q.x, q.y, q.z}, side = vector_cross(u, v), back = vector_cross(u, side);
  return (struct vector){v.x + 2 * (q.w * side.x + back.x), v.y + 2 * (q.w * side.y + back.y),
                         v.z + 2 * (q.w * side.z + back.z)};
}

/* Degrees about x, then y, then z, all axes standing still. */
static inline struct turn turn_of_degrees(struct vector degrees) {
  const double half = acos(-1) / 360;
  const struct turn x = {sin(half * degrees.x), 0, 0, cos(half * degrees.x)},
                    y = {0, sin(half * degrees.y), 0, cos(half * degrees.y)},
                    z = {0, 0, sin(half * degrees.z), cos(half * degrees.z)};
  return turn_multiply(z, turn_multiply(y, x));
}

#endif
