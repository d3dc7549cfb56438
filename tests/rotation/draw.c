#include "rotation/draw.h"

void random_direction(double *to, int n, uint64_t *random) {
  double n2 = 0;
  for (int i = 0; i < n; i++) to[i] = random_gauss(random), n2 += to[i] * to[i];
  for (int i = 0; i < n; i++) to[i] /= sqrt(n2);
}

static void hard_axis(double *to, uint64_t *random) { /* components are 0 and +-1, or random */
  random_direction(to, 3, random);
  const size_t n = pick(random, 40);
  if (n == 13 || n >= 27) return;
  const double x = (double)(n % 3) - 1, y = (double)(n / 3 % 3) - 1, z = (double)(n / 9) - 1,
               length = sqrt(x * x + y * y + z * z);
  to[0] = x / length, to[1] = y / length, to[2] = z / length;
}

static double hard_angle(uint64_t *random, double most) {
  const double list[] = {0,         -0.0,      1e-30,         1e-15,         1e-7,      1e-4,          1e-2,
                         1,         pi / 2,    pi / 2 - 1e-4, pi - 1e-4,     pi - 1e-6, pi - 1e-7,     pi,
                         pi + 1e-7, pi + 1e-4, 3 * pi / 2,    2 * pi - 1e-4, 2 * pi,    2 * pi + 1e-4, 3 * pi,
                         4 * pi,    1e6,       999999.9375};
  double angle = ONE_OF(list, random);
  const size_t other = pick(random, 4);
  if (other == 0) angle = most * random_unit(random);
  /* multiples of pi / 2, whose sine or cosine is 0 */
  if (other == 1) angle = floor(most / (pi / 2) * pow(random_unit(random), 3)) * (pi / 2);
  return (sweep_next(random) >> 40 & 1 ? -1 : 1) * fmin(angle, most);
}

static void turn(double *q, const double *axis, double angle) {
  for (int i = 0; i < 3; i++) q[i] = axis[i] * sin(angle / 2);
  q[3] = cos(angle / 2);
}

/* Draws a rotation at or near gimbal lock of a random order of Euler angles. */
static void near_lock(double *q, uint64_t *random) {
  static const double off[] = {0,    1e-9, 5e-8, 1e-7, 1.15e-7, 1.25e-7, 1.5e-7,
                               2e-7, 3e-7, 5e-7, 1e-6, 1e-5,    1e-4,    1e-3};
  const euler *e = &eulers[pick(random, ORDERS)];
  const double end = is_proper(e) ? (double)pick(random, 2) * pi : (double)pick(random, 2) * pi - pi / 2;
  const double side = end == 0 || end == -pi / 2 ? 1 : -1;
  const real angles[3] = {7 * random_unit(random), end + side * ONE_OF(off, random),
                          pick(random, 3) ? 7 * random_unit(random) : 0};
  real exact[4];
  ref_from_euler(exact, angles, e->letters, e->extrinsic);
  for (int i = 0; i < 4; i++) q[i] = (double)exact[i];
}

/* Draws a quaternion of any length. If `hard` is true, it is a difficult argument. */
static void draw_rotation(double *q, uint64_t *random, bool hard) {
  double axis[3];
  random_direction(q, 4, random);
  if (!hard) return;
  const size_t which = pick(random, 8);
  if (which < 4) hard_axis(axis, random), turn(q, axis, hard_angle(random, 4 * pi));
  else if (which < 6) near_lock(q, random);
  else if (which == 6) { /* one or two components are large, and the others smaller by any factor */
    const size_t large = pick(random, 4), other = pick(random, 4);
    for (size_t i = 0; i < 4; i++)
      if (i != large) q[i] *= i == other ? 1 : exp2(-60 * random_unit(random));
  } /* else q stays the random rotation */
}

/* Draws a quaternion of any length that is a difficult argument in combination with `to`. */
static void draw_related(double *q, const float *to, uint64_t *random) {
  double a[4], axis[3], b[4], n2 = 0;
  for (int i = 0; i < 4; i++) a[i] = to[i], n2 += a[i] * a[i];
  for (int i = 0; i < 4; i++) a[i] /= n2 > 0 ? sqrt(n2) : 1;
  const size_t which = pick(random, 8);
  const double across[4] = {-a[1], a[0], -a[3], a[2]}, sign = pick(random, 2) ? 1 : -1;
  static const double moves[] = {1e-8, 6e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
  const double move = ONE_OF(moves, random);
  for (int i = 0; i < 4; i++) q[i] = a[i];
  /* nearly equal or nearly opposite to a */
  if (which <= 1)
    for (int i = 0; i < 4; i++) q[i] = sign * (a[i] + move * random_gauss(random));
  /* orthogonal to a */
  else if (which == 2)
    for (int i = 0; i < 4; i++) q[i] = sign * across[i];
  /* nearly orthogonal to a */
  else if (which == 3)
    for (int i = 0; i < 4; i++) q[i] = across[i] + move * random_gauss(random);
  /* a hard angle away from a */
  else if (which <= 5) {
    hard_axis(axis, random), turn(b, axis, hard_angle(random, 4 * pi));
    const real ra[4] = {a[0], a[1], a[2], a[3]}, rb[4] = {b[0], b[1], b[2], b[3]};
    real r[4];
    ref_multiply(r, rb, ra);
    for (int i = 0; i < 4; i++) q[i] = (double)r[i];
  } else draw_rotation(q, random, true);
}

void round_quaternion(float *to, const double *q, double length) {
  double n2 = 0;
  for (int i = 0; i < 4; i++) n2 += q[i] * q[i];
  for (int i = 0; i < 4; i++) to[i] = (float)(q[i] / sqrt(n2) * length);
}

void draw_quaternion(float *to, kind k, const float *earlier, uint64_t *random, bool hard) {
  double q[4], length = 1;
  const int most = k == ANY4 ? 50 : 31;
  if (hard && earlier && pick(random, 2)) {
    const size_t same = pick(random, 8);
    if (same <= 2) { /* `earlier`, its opposite, or `earlier` with the last bit of one component changed */
      for (int i = 0; i < 4; i++) to[i] = same == 1 ? -earlier[i] : earlier[i];
      if (same == 2) {
        const size_t i = pick(random, 4);
        /* such a step in a larger component would change the length */
        if (fabsf(to[i]) < 0.5f) to[i] = nextafterf(to[i], pick(random, 2) ? 2 : -2);
      }
      return;
    }
    draw_related(q, earlier, random);
  } else draw_rotation(q, random, hard);
  if (k == UNIT && pick(random, 2)) length = 1 + 0.9999e-4 * (2 * random_unit(random) - 1);
  if (k > ROUNDED && pick(random, 2)) length = exp2((2 * random_unit(random) - 1) * (hard ? most : 1));
  if (k > ROUNDED && hard && pick(random, 8) == 0) length = ldexp(1, most * ((int)pick(random, 3) - 1));
  round_quaternion(to, q, length);
  if (k == ANY4 && hard && pick(random, 50) == 0 && earlier) memset(to, 0, 16);
}

/* Draws a vector, an axis, or another argument that has a direction and a length. */
static void draw_vector(float *to, kind k, uint64_t *random, bool hard) {
  double v[3], length;
  random_direction(v, 3, random);
  if (hard) hard_axis(v, random);
  switch (k) {
  case VECTOR:
    length = hard ? exp2(-160 + 280 * random_unit(random)) : 4 * random_unit(random);
    if (hard && pick(random, 20) == 0) length = 0;
    break;
  case AXIS:
    length = hard ? exp2((2 * random_unit(random) - 1) * 31.99) : exp2(2 * random_unit(random) - 1);
    if (hard && pick(random, 4) == 0) length = 1;
    if (hard && pick(random, 20) == 0) length = 0;
    break;
  case ROTATION_VECTOR: length = hard ? hard_angle(random, 999999) : 2 * pi * random_unit(random); break;
  case CAYLEY:
    length = hard ? exp2(-60 + 91.9 * random_unit(random)) : exp2(4 * random_unit(random) - 3);
    if (hard && pick(random, 4) == 0) length = 1;
    if (hard && pick(random, 4) == 0) length = exp2(4e-7 * (random_unit(random) - 0.5));
    if (hard && pick(random, 20) == 0) length = 0;
    break;
  default: /* VELOCITY */
    length = hard ? 900 * pow(random_unit(random), 9) : 10 * random_unit(random);
    if (hard && pick(random, 20) == 0) length = 0;
  }
  for (int i = 0; i < 3; i++) to[i] = (float)(v[i] * length);
}

static void draw_matrix(float *to, kind k, uint64_t *random, bool hard) {
  double q[4];
  float rounded[4];
  real exact[4], m[9];
  draw_rotation(q, random, hard);
  round_quaternion(rounded, q, 1);
  for (int i = 0; i < 4; i++) exact[i] = rounded[i];
  ref_to_matrix3(m, exact);
  /* the translation and the last row are random */
  if (k == MATRIX4)
    for (int i = 0; i < 16; i++) to[i] = (float)(100 * random_gauss(random));
  for (int i = 0; i < 9; i++) to[k == MATRIX4 ? i / 3 * 4 + i % 3 : i] = (float)m[i];
}

void draw_argument(float *to, kind k, const float *earlier, uint64_t *random, bool hard) {
  static const float ts[] = {0,  -0.f, 0.5f,  1,    0x1p-149f, 1e-20f, 1e-7f, 1 - 0x1p-24f, 1 + 0x1p-23f,
                             -1, 2,    -0.1f, 1.1f, -1e30f,    1e30f};
  switch (k) {
  case UNIT:
  case ROUNDED:
  case VALID:
  case ANY4: draw_quaternion(to, k, earlier, random, hard); return;
  case EULER:
    for (int i = 0; i < 3; i++)
      to[i] = (float)(hard ? hard_angle(random, pick(random, 2) ? 2 * pi : 1e6)
                           : (2 * random_unit(random) - 1) * pi);
    return;
  case MATRIX3:
  case MATRIX4: draw_matrix(to, k, random, hard); return;
  case FACTOR:
    to[0] =
        (float)(hard ? random_gauss(random) * exp2(100 * random_unit(random) - 50) : random_gauss(random));
    return;
  case ANGLE:
    to[0] = (float)(hard ? hard_angle(random, 1e6) : (2 * random_unit(random) - 1) * 2 * pi);
    return;
  case T:
    to[0] = hard && pick(random, 4) ? ONE_OF(ts, random)
                                    : (float)(random_unit(random) * (hard ? 1.2 : 1) - (hard ? 0.1 : 0));
    return;
  case DT:
    to[0] = (float)(hard ? exp2(30 * random_unit(random) - 20) * (pick(random, 2) ? 1 : -1)
                         : random_unit(random));
    return;
  default: draw_vector(to, k, random, hard);
  }
}

void draw(const function *f, block *b, size_t n, uint64_t *random, bool hard) {
  for (size_t i = 0; i < n; i++)
    for (int a = 0; a < f->ins; a++) {
      const float *earlier = NULL; /* a quaternion argument before a, if there is one */
      for (int e = 0; e < a; e++)
        if (is_quaternion(f->in[e]) && (!earlier || pick(random, 2))) earlier = b->in[e] + 4 * i;
      draw_argument(b->in[a] + (size_t)widths[f->in[a]] * i, f->in[a], earlier, random, hard);
    }
}

void call_aos(const function *f, block *b, const euler *e, size_t n) {
  quatsimd_in in[MOST_IN];
  quatsimd_out out[MOST_OUT];
  for (int a = 0; a < f->ins; a++) in[a] = quatsimd_aos(b->in[a]);
  for (int a = 0; a < f->outs; a++) out[a] = quatsimd_aos_out(b->out[a]);
  assert_int_equal(f->call(out, in, e->order, n), QUATSIMD_OK);
}
