#include "clip/encode/tangent.h"

#include "core/quat64.h"
#include "rotation/eigen.h"

/* Convert rotations to tan(angle / 4) times the axis, and back. */
static void to_cayley(double v[3], const double q[4]) {
  const double s = 1 / (1 + q[3]);
  for (int i = 0; i < 3; i++) v[i] = q[i] * s;
}
static void from_cayley(double q[4], const double v[3]) {
  const double m = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], s = 1 / (1 + m);
  for (int i = 0; i < 3; i++) q[i] = 2 * v[i] * s;
  q[3] = (1 - m) * s;
}

/* Packs a base; if `coarse`, without the last bits of its components. base_of unpacks a base. */
static uint32_t base_code(const double base[4], bool coarse) {
  double q[4], v[3];
  memcpy(q, base, sizeof q);
  uint32_t code = 0;
  const int32_t quantum = coarse ? 1 << CLIP_BASE_COARSE : 1, most = 2 * CLIP_BASE_HALF - quantum;
  if (q[3] < 0) quat64_negate(q);
  to_cayley(v, q);
  for (int i = 0; i < 3; i++) {
    const double s = v[i] * CLIP_BASE_HALF / quantum;
    const int32_t x = (int32_t)(s + (s < 0 ? -0.5 : 0.5)) * quantum + CLIP_BASE_HALF;
    code |= (uint32_t)(x < most ? x : most) << 10 * i;
  }
  return code;
}
static void base_of(double q[4], uint32_t code) {
  double v[3];
  for (int i = 0; i < 3; i++)
    v[i] = (double)((int32_t)(code >> 10 * i & 1023) - CLIP_BASE_HALF) / CLIP_BASE_HALF;
  from_cayley(q, v);
}

/* Finds the middle of the box around all vectors, or around the vectors at knots. */
static void middle_of(double middle[3], clip_vector *v, size_t frames, bool knots) {
  const size_t count = knots && frames > 1 ? clip_blocks(frames) + 1 : frames;
  for (int i = 0; i < 3; i++) {
    float low = v[0][i], high = v[0][i];
    for (size_t n = 1; n < count; n++) {
      const size_t f = count < frames ? clip_block_start(n, frames) : n;
      if (v[f][i] < low) low = v[f][i];
      if (v[f][i] > high) high = v[f][i];
    }
    middle[i] = (double)low + ((double)high - low) / 2;
  }
}

/* Rounds to float, through a volatile pointer: vectorised code of GCC 12 would keep the double. Volatile
 * floats do not help: clang 14 for WebAssembly puts three of them into the wrong lanes. */
static float round_to_float(double x) { return (float)x; }
static float (*const volatile float_of)(double) = round_to_float;

/* Rounds a float to its upper 16 bits. Magnitudes below 2^-90 become 0, so that denormals do not matter. */
static float upper_half(float x) {
  return fabsf(x) < 0x1p-90f ? 0 : float_from_bits((float_bits(x) + 0x8000) & 0xffff0000);
}

static bool is_half_turn(const float *a, const float *b) {
  const double p[4] = {a[0], a[1], a[2], a[3]}, q[4] = {b[0], b[1], b[2], b[3]}, dot = quat64_dot(p, q);
  return dot < 2 * CLIP_FRAMES_TURN && dot > -2 * CLIP_FRAMES_TURN;
}

/* Finds vectors such that left * Cay(vector) * right is the value. A rotation keeps its sign, so that vectors
 * do not jump, until its vector would be longer than `far`. If the turn from the frame before is nearly half
 * a turn, the limit is `farthest`: a change of sign would make sampling turn the other way. */
static void vectors_of(clip_vector *vector, clip_value *value, size_t frames, const double left[4],
                       const double right[4]) {
  const double far = 2, farthest = 8, least = (1 - far * far) / (1 + far * far),
               last = (1 - farthest * farthest) / (1 + farthest * farthest);
  double row[4][4] = {{0}}, before[4], behind[4]; /* row: the matrix that takes q to before * q * behind */
  quat64_conjugate(before, left), quat64_conjugate(behind, right);
  for (int i = 0; i < 4; i++) {
    row[i][i] = 1;
    quat64_multiply(row[i], before, row[i]), quat64_multiply(row[i], row[i], behind);
  }
  double sign = 1;
  for (size_t f = 0; f < frames; f++) {
    const double v[4] = {value[f][0], value[f][1], value[f][2], value[f][3]};
    double q[4];
    for (int i = 0; i < 4; i++)
      q[i] = (v[0] * row[0][i] + v[1] * row[1][i]) + (v[2] * row[2][i] + v[3] * row[3][i]);
    if (f == 0 && q[3] < 0) sign = -1;
    if (q[3] * sign < last || (q[3] * sign < least && !(f > 0 && is_half_turn(value[f - 1], value[f]))))
      sign = -sign;
    const double s = sign / (1 + q[3] * sign);
    for (int i = 0; i < 3; i++) vector[f][i] = (float)(q[i] * s);
  }
}

/* Moves the base to the middle of the box around all vectors or, if `knots`, around the vectors at knots. */
static void centre(double base[4], clip_vector *vector, size_t frames, bool knots) {
  double middle[3], q[4];
  middle_of(middle, vector, frames, knots);
  from_cayley(q, middle);
  quat64_multiply(base, q, base);
}

/* Rotates vectors by the conjugate of `left`. */
static void turn_back(clip_vector *vector, size_t frames, const double left[4]) {
  double row[3][4] = {{0}}, before[4];
  quat64_conjugate(before, left);
  for (int i = 0; i < 3; i++) {
    row[i][i] = 1;
    quat64_multiply(row[i], before, row[i]), quat64_multiply(row[i], row[i], left);
  }
  for (size_t f = 0; f < frames; f++) {
    const double x = vector[f][0], y = vector[f][1], z = vector[f][2];
    for (int i = 0; i < 3; i++) vector[f][i] = (float)((x * row[0][i] + y * row[1][i]) + z * row[2][i]);
  }
}

/* Finds the rotation that takes the axes x, y, z to the columns of m. */
static void rotation_of_axes(double q[4], double m[3][3]) {
  /* 4 x^2, 4 y^2, 4 z^2, 4 w^2 of q */
  const double four[4] = {1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                          1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]};
  int largest = 3;
  for (int i = 0; i < 3; i++)
    if (four[i] > four[largest]) largest = i;
  const double two = quatsimd_sqrt(four[largest]), s = 0.5 / two;
  q[largest] = two / 2;
  if (largest == 3) {
    q[0] = (m[2][1] - m[1][2]) * s, q[1] = (m[0][2] - m[2][0]) * s, q[2] = (m[1][0] - m[0][1]) * s;
  } else {
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    q[j] = (m[j][i] + m[i][j]) * s, q[k] = (m[k][i] + m[i][k]) * s, q[3] = (m[k][j] - m[j][k]) * s;
  }
  const double norm = quatsimd_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) q[i] /= norm;
}

/* Finds the principal axes of the residuals: vectors minus straight lines from knot to knot. */
static void principal_axes(double q[4], clip_vector *vector, size_t frames) {
  double a[3][4] = {{0}}, v[3][4], m[3][3];
  for (size_t b = 0; b < clip_blocks(frames); b++) {
    const size_t first = clip_block_start(b, frames), last = clip_block_start(b + 1, frames);
    for (size_t f = first + 1; f < last; f++) {
      const double t = (double)(f - first) / (double)(last - first);
      double r[3];
      for (int i = 0; i < 3; i++) r[i] = vector[f][i] - (vector[first][i] * (1 - t) + vector[last][i] * t);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a[i][j] += r[i] * r[j];
    }
  }
  quatsimd_diagonalize(a, v, 3, 12, 1e-30);
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; i++)
    for (int j = i + 1; j < 3; j++)
      if (a[order[j]][order[j]] > a[order[i]][order[i]]) {
        const int t = order[i];
        order[i] = order[j], order[j] = t;
      }
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) m[r][c] = v[r][order[c]];
  const double volume = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                        m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                        m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  for (int r = 0; volume < 0 && r < 3; r++) m[r][2] = -m[r][2];
  rotation_of_axes(q, m);
}

void quatsimd_tangent_space(clip_tangent_space *space, clip_vector *vector, clip_value *value, size_t frames,
                            int kind, clip_bases bases) {
  *space = (clip_tangent_space){.left = CLIP_BASE_NONE, .right = CLIP_BASE_NONE};
  if (kind != QUATSIMD_CLIP_ROTATION) {
    double middle[3];
    for (size_t f = 0; f < frames; f++) memcpy(vector[f], value[f], sizeof vector[f]);
    middle_of(middle, vector, frames, bases.knots);
    for (int i = 0; i < 3; i++) {
      const float rounded = float_of(middle[i]);
      space->middle[i] = bases.coarse ? upper_half(rounded) : rounded;
      middle[i] = (double)space->middle[i];
    }
    for (size_t f = 0; f < frames; f++)
      for (int i = 0; i < 3; i++) vector[f][i] = (float)((double)value[f][i] - middle[i]);
    return;
  }
  const float *v = value[frames / 2];
  double left[4] = {0, 0, 0, 1}, right[4] = {v[0], v[1], v[2], v[3]};
  for (int i = 0; i < 2; i++) {
    vectors_of(vector, value, frames, left, right);
    centre(right, vector, frames, false);
  }
  vectors_of(vector, value, frames, left, right);
  if (bases.axes) {
    double back[4];
    principal_axes(left, vector, frames);
    space->left = base_code(left, bases.coarse_axes);
    base_of(left, space->left);
    turn_back(vector, frames, left);
    quat64_conjugate(back, left), quat64_multiply(right, back, right);
  }
  centre(right, vector, frames, bases.knots);
  space->right = base_code(right, bases.coarse);
  base_of(right, space->right);
  vectors_of(vector, value, frames, left, right);
}

clip_sides quatsimd_tangent_sides(const clip_tangent_space *space) {
  clip_sides sides;
  base_of(sides.left, space->left), base_of(sides.right, space->right);
  return sides;
}

void quatsimd_tangent_vectors(const clip_tangent_space *space, clip_vector *vector, clip_value *value,
                              size_t frames) {
  const clip_sides sides = quatsimd_tangent_sides(space);
  vectors_of(vector, value, frames, sides.left, sides.right);
}

void quatsimd_tangent_back(double value[CLIP_MOST_COMPONENTS], const clip_sides *sides,
                           const double vector[3]) {
  from_cayley(value, vector);
  quat64_multiply(value, sides->left, value), quat64_multiply(value, value, sides->right);
}
