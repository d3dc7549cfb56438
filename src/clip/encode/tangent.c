#include "clip/encode/tangent.h"

#include "rotation/eigen.h"

typedef struct rotor {
  double x, y, z, w;
} rotor;

static rotor product(rotor a, rotor b) {
  return (rotor){
      (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y), (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
      (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x), (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
}
static rotor conjugate(rotor q) { return (rotor){-q.x, -q.y, -q.z, q.w}; }
static rotor negated(rotor q) { return (rotor){-q.x, -q.y, -q.z, -q.w}; }
static rotor rotor_of(const float *v) { return (rotor){v[0], v[1], v[2], v[3]}; }

/* tan(angle / 4) times the axis, and back. */
static void to_cayley(double v[3], rotor q) {
  const double s = 1 / (1 + q.w);
  v[0] = q.x * s, v[1] = q.y * s, v[2] = q.z * s;
}
static rotor from_cayley(const double v[3]) {
  const double m = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], s = 1 / (1 + m);
  return (rotor){2 * v[0] * s, 2 * v[1] * s, 2 * v[2] * s, (1 - m) * s};
}

/* The stored form of a base, without its last bits, and the base that it stands for. */
static uint32_t base_code(rotor q, bool coarse) {
  double v[3];
  uint32_t code = 0;
  const int32_t step = coarse ? 1 << CLIP_BASE_COARSE : 1, most = 2 * CLIP_BASE_HALF - step;
  to_cayley(v, q.w < 0 ? negated(q) : q);
  for (int i = 0; i < 3; i++) {
    const double s = v[i] * CLIP_BASE_HALF / step;
    const int32_t x = (int32_t)(s + (s < 0 ? -0.5 : 0.5)) * step + CLIP_BASE_HALF;
    code |= (uint32_t)(x < most ? x : most) << 10 * i;
  }
  return code;
}
static rotor base_of(uint32_t code) {
  double v[3];
  for (int i = 0; i < 3; i++)
    v[i] = (double)((int32_t)(code >> 10 * i & 1023) - CLIP_BASE_HALF) / CLIP_BASE_HALF;
  return from_cayley(v);
}

/* The middle of the box around vectors, or around those that are knots. */
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

/* A function of its own: in vectors GCC 12 takes a double to float and back for the double itself. Not a
 * volatile float: clang 14 for WebAssembly brings three of them into the wrong lanes. */
__attribute__((noinline)) static float float_of(double x) { return (float)x; }

/* Of a float the upper 16 bits. Magnitudes below 2^-90 count as 0, so that denormals do not matter. */
static float upper_half(float x) {
  return __builtin_fabsf(x) < 0x1p-90f ? 0 : float_from_bits((float_bits(x) + 0x8000) & 0xffff0000);
}

static bool is_half_turn(const float *a, const float *b) {
  const double dot =
      ((double)a[0] * b[0] + (double)a[1] * b[1]) + ((double)a[2] * b[2] + (double)a[3] * b[3]);
  return dot < 2 * CLIP_FRAMES_TURN && dot > -2 * CLIP_FRAMES_TURN;
}

/* left * Cay(vector) * right is the value. A rotation that goes on beyond half a turn from the base keeps
 * its sign, as its vector then has no jump; far beyond, where vectors grow without bound, it changes. Not in
 * nearly a half turn, if that can be helped: sampling would take the other way. */
static void vectors_of(clip_vector *vector, clip_value *value, size_t frames, rotor left, rotor right) {
  const double far = 2, farthest = 8, least = (1 - far * far) / (1 + far * far),
               last = (1 - farthest * farthest) / (1 + farthest * farthest);
  rotor row[4]; /* of the matrix of both products */
  for (int i = 0; i < 4; i++)
    row[i] = product(product(conjugate(left), (rotor){i == 0, i == 1, i == 2, i == 3}), conjugate(right));
  double sign = 1;
  for (size_t f = 0; f < frames; f++) {
    const double v[4] = {value[f][0], value[f][1], value[f][2], value[f][3]};
    rotor q = {(v[0] * row[0].x + v[1] * row[1].x) + (v[2] * row[2].x + v[3] * row[3].x),
               (v[0] * row[0].y + v[1] * row[1].y) + (v[2] * row[2].y + v[3] * row[3].y),
               (v[0] * row[0].z + v[1] * row[1].z) + (v[2] * row[2].z + v[3] * row[3].z),
               (v[0] * row[0].w + v[1] * row[1].w) + (v[2] * row[2].w + v[3] * row[3].w)};
    if (f == 0 && q.w < 0) sign = -1;
    if (q.w * sign < last || (q.w * sign < least && !(f > 0 && is_half_turn(value[f - 1], value[f]))))
      sign = -sign;
    const double s = sign / (1 + q.w * sign);
    vector[f][0] = (float)(q.x * s), vector[f][1] = (float)(q.y * s), vector[f][2] = (float)(q.z * s);
  }
}

/* The base that puts the box of vectors, taken around `base`, around 0. */
static rotor centred(clip_vector *vector, size_t frames, rotor base, bool knots) {
  double middle[3];
  middle_of(middle, vector, frames, knots);
  return product(from_cayley(middle), base);
}

/* Vectors as they are behind another left base. */
static void turn_back(clip_vector *vector, size_t frames, rotor left) {
  rotor row[3];
  for (int i = 0; i < 3; i++)
    row[i] = product(product(conjugate(left), (rotor){i == 0, i == 1, i == 2, 0}), left);
  for (size_t f = 0; f < frames; f++) {
    const double x = vector[f][0], y = vector[f][1], z = vector[f][2];
    vector[f][0] = (float)((x * row[0].x + y * row[1].x) + z * row[2].x);
    vector[f][1] = (float)((x * row[0].y + y * row[1].y) + z * row[2].y);
    vector[f][2] = (float)((x * row[0].z + y * row[1].z) + z * row[2].z);
  }
}

/* The rotation that takes x, y, z to three axes, the columns of m. */
static rotor rotor_of_axes(double m[3][3]) {
  /* the largest of 4 w^2, 4 x^2, ... tells which to divide by */
  const double four[4] = {1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                          1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]};
  int largest = 3;
  for (int i = 0; i < 3; i++)
    if (four[i] > four[largest]) largest = i;
  const double two = quatsimd_sqrt(four[largest]), s = 0.5 / two;
  double q[4];
  q[largest] = two / 2;
  if (largest == 3) {
    q[0] = (m[2][1] - m[1][2]) * s, q[1] = (m[0][2] - m[2][0]) * s, q[2] = (m[1][0] - m[0][1]) * s;
  } else {
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    q[j] = (m[j][i] + m[i][j]) * s, q[k] = (m[k][i] + m[i][k]) * s, q[3] = (m[k][j] - m[j][k]) * s;
  }
  const double norm = quatsimd_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return (rotor){q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
}

/* Principal axes of what straight lines between the blocks' ends leave over: that is what costs bits. */
static rotor principal_axes(clip_vector *vector, size_t frames) {
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
  return rotor_of_axes(m);
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
  rotor left = {0, 0, 0, 1}, right = rotor_of(value[frames / 2]);
  for (int i = 0; i < 2; i++) {
    vectors_of(vector, value, frames, left, right);
    right = centred(vector, frames, right, false);
  }
  vectors_of(vector, value, frames, left, right);
  if (bases.axes) {
    space->left = base_code(principal_axes(vector, frames), bases.coarse_axes);
    left = base_of(space->left);
    turn_back(vector, frames, left);
    right = product(conjugate(left), right);
  }
  right = centred(vector, frames, right, bases.knots);
  space->right = base_code(right, bases.coarse);
  vectors_of(vector, value, frames, left, base_of(space->right));
}

void quatsimd_tangent_vectors(const clip_tangent_space *space, clip_vector *vector, clip_value *value,
                              size_t frames) {
  vectors_of(vector, value, frames, base_of(space->left), base_of(space->right));
}

void quatsimd_tangent_back(double value[CLIP_MOST_COMPONENTS], const clip_tangent_space *space,
                           const double vector[3]) {
  const rotor q = product(product(base_of(space->left), from_cayley(vector)), base_of(space->right));
  value[0] = q.x, value[1] = q.y, value[2] = q.z, value[3] = q.w;
}
