/* Packs rotations relative to a base into codes of fixed width, and unpacks them. */
#include "quatsimd/relative.h"

#include <string.h>

#include "core/bytes.h"
#include "core/operand.h"
#include "scalar/code.h"
#include "simd/vec/one.h"
#include "simd/kernels/rotation.h"

typedef struct layout {
  int bits[3];  /* widths of the codes of x, y and z, from the lowest bit of a word up */
  size_t bytes; /* size of a word, which is little-endian */
  quatsimd_operation between, turn;
} layout;

static const layout *find_layout(quatsimd_relative_format format) {
#define BY(bits, bytes, map, turn)                                                                           \
  { bits, bytes, QUATSIMD_OPERATION_##map##_between, QUATSIMD_OPERATION_turn_by_##turn }
#define BITS(x, y, z)                                                                                        \
  { x, y, z }
  static const layout layouts[] = {
      BY(BITS(8, 8, 8), 3, cayley, cayley),    BY(BITS(11, 11, 10), 4, cayley, cayley),
      BY(BITS(16, 16, 16), 6, cayley, cayley), BY(BITS(8, 8, 8), 3, log, exp),
      BY(BITS(11, 11, 10), 4, log, exp),       BY(BITS(16, 16, 16), 6, log, exp)};
  const unsigned i = (unsigned)format - 1;
  return i < sizeof layouts / sizeof *layouts ? &layouts[i] : NULL;
}

/* Returns the largest component that is packed. For the Cayley map, it is tan(largest_angle / 4), computed as
 * sine / cosine. This cosine is at least 0.7. */
static float limit_of(const layout *l, float largest_angle) {
  if (l->turn == QUATSIMD_OPERATION_turn_by_exp) return largest_angle;
  const double x = (double)largest_angle * 0.25, x2 = x * x;
  return (float)(x * POLYNOMIAL(ROTATION_SIN, x2) / POLYNOMIAL(ROTATION_COS, x2));
}

static float max_code(int bits) { return (float)((1 << (bits - 1)) - 1); }

size_t quatsimd_relative_packed_size(quatsimd_relative_format format, size_t count) {
  const layout *l = find_layout(format);
  return l && count <= SIZE_MAX / l->bytes ? count * l->bytes : 0;
}

static quatsimd_status check(const layout *l, float largest_angle, const void *packed, size_t packed_size,
                             size_t count) {
  if (!l) return QUATSIMD_ERROR_BAD_FORMAT;
  if (!(largest_angle >= 1e-6f && largest_angle <= (float)ROTATION_PI)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (count == 0) return QUATSIMD_OK;
  if (!packed) return QUATSIMD_ERROR_BAD_ARGUMENT;
  return count > packed_size / l->bytes ? QUATSIMD_ERROR_SHORT_BUFFER : QUATSIMD_OK;
}

/* Returns x, or +0 if its magnitude is below 2^-50. Products of two results, and differences of such
 * products, are thus never denormal. CPU modes that flush denormals to 0 then change no packed word. */
static float never_tiny(float x) { return magnitude_of(x) >= 0x1p-50f ? x : 0; }

/* Loads n quaternions from the i-th on and normalises them. An invalid quaternion becomes the identity and
 * sets its element of `invalid`. */
static void load_units(const quatsimd_operand *o, size_t i, size_t n, float q[4][QUATSIMD_CHUNK],
                       bool invalid[QUATSIMD_CHUNK]) {
  quatsimd_gather(o, i, n, quatsimd_padded(n), q);
  for (size_t e = 0; e < n; e++)
    invalid[e] |= !valid_norm2(norm2((quat){{q[0][e], q[1][e], q[2][e], q[3][e]}}));
  quatsimd_active_kernels()->operation[QUATSIMD_OPERATION_unit](
      (float *[]){q[0], q[1], q[2], q[3]}, (const float *[]){q[0], q[1], q[2], q[3]}, quatsimd_padded(n));
  for (int c = 0; c < 4; c++)
    for (size_t e = 0; e < n; e++) q[c][e] = never_tiny(q[c][e]);
}

quatsimd_status quatsimd_relative_pack(quatsimd_relative_format format, float largest_angle, void *packed,
                                       size_t packed_size, unsigned char *beyond, quatsimd_in base,
                                       quatsimd_in value, size_t count) {
  const layout *l = find_layout(format);
  quatsimd_operand from, to;
  const quatsimd_status status = check(l, largest_angle, packed, packed_size, count);
  if (status != QUATSIMD_OK || count == 0) return status;
  if (!quatsimd_resolve_in(&from, 4, &base) || !quatsimd_resolve_in(&to, 4, &value) ||
      quatsimd_begins_at(&from, packed) || quatsimd_begins_at(&to, packed))
    return QUATSIMD_ERROR_BAD_ARGUMENT;

  /* rounding may raise a component above `limit`, so only one above beyond_limit is out of range */
  const float limit = limit_of(l, largest_angle), beyond_limit = limit * (1 + 0x1p-20f);
  unsigned char *out = packed;
  bool any_beyond = false, any_invalid = false;
  if (beyond) memset(beyond, 0, (count + 7) / 8);
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, count);
    float a[4][QUATSIMD_CHUNK], b[4][QUATSIMD_CHUNK], v[3][QUATSIMD_CHUNK];
    bool invalid[QUATSIMD_CHUNK] = {false};
    load_units(&from, i, n, a, invalid);
    load_units(&to, i, n, b, invalid);
    quatsimd_active_kernels()->operation[l->between](
        (float *[]){v[0], v[1], v[2]}, (const float *[]){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]},
        quatsimd_padded(n));
    for (size_t e = 0; e < n; e++, out += l->bytes) {
      float largest = magnitude_of(v[0][e]);
      for (int c = 1; c < 3; c++) largest = magnitude_of(v[c][e]) > largest ? magnitude_of(v[c][e]) : largest;
      const bool too_far = largest > beyond_limit;
      const float shrink = invalid[e] ? 0 : largest > limit ? limit / largest : 1;
      uint64_t word = 0;
      for (int c = 2; c >= 0; c--) {
        const float max = max_code(l->bits[c]), t = v[c][e] * shrink * (max / limit);
        const int32_t number = round_half_even(t > max ? max : t < -max ? -max : t);
        word = word << l->bits[c] | ((uint32_t)number & ((1u << l->bits[c]) - 1));
      }
      store_little(out, word, l->bytes);
      any_beyond |= too_far, any_invalid |= invalid[e];
      if (beyond && (too_far || invalid[e])) beyond[(i + e) / 8] |= (unsigned char)(1u << (i + e) % 8);
    }
  }
  return any_invalid  ? QUATSIMD_WARNING_REPLACED_INVALID
         : any_beyond ? QUATSIMD_WARNING_SATURATED
                      : QUATSIMD_OK;
}

quatsimd_status quatsimd_relative_unpack(quatsimd_relative_format format, float largest_angle,
                                         quatsimd_out out, quatsimd_in base, const void *packed,
                                         size_t packed_size, size_t count) {
  const layout *l = find_layout(format);
  quatsimd_operand from, to;
  const quatsimd_status status = check(l, largest_angle, packed, packed_size, count);
  if (status != QUATSIMD_OK || count == 0) return status;
  if (!quatsimd_resolve_in(&from, 4, &base) || !quatsimd_resolve_out(&to, 4, &out) ||
      quatsimd_collide(&to, &from, count) || quatsimd_begins_at(&to, packed))
    return QUATSIMD_ERROR_BAD_ARGUMENT;

  const float limit = limit_of(l, largest_angle);
  const unsigned char *in = packed;
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, count);
    float a[4][QUATSIMD_CHUNK], v[3][QUATSIMD_CHUNK];
    bool invalid[QUATSIMD_CHUNK] = {false}; /* not read: load_units has made invalid bases the identity */
    load_units(&from, i, n, a, invalid);
    for (size_t e = 0; e < n; e++, in += l->bytes) {
      uint64_t word = load_little(in, l->bytes);
      for (int c = 0; c < 3; word >>= l->bits[c++])
        v[c][e] = (float)sign_extend(word, l->bits[c]) * (limit / max_code(l->bits[c]));
    }
    for (size_t e = n; e < quatsimd_padded(n); e++) v[0][e] = v[1][e] = v[2][e] = 0;
    quatsimd_active_kernels()->operation[l->turn]((float *[]){a[0], a[1], a[2], a[3]},
                                                  (const float *[]){a[0], a[1], a[2], a[3], v[0], v[1], v[2]},
                                                  quatsimd_padded(n));
    quatsimd_scatter(&to, i, n, a);
  }
  return QUATSIMD_OK;
}
