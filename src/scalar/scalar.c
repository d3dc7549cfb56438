/* The reference kernels: loops and layouts around the codecs of this folder. */
#define D_LANES 1
#include "core/dispatch.h"
#include "simd/kernels/operations.inc.h"
#include "scalar/qtangent.h"
#include "scalar/stream.h"
#include "scalar/clip.h"
#include "scalar/pose.h"

#define CODEC(name) <scalar/name.h>
#include "codec/formats.def"

typedef code pack_one(int param, quat q, float n2);
typedef quat unpack_one(int param, code c);

/* Where the components of quaternion i are; each layout is a set of four pointers and a stride. */
static inline quat load_quat(const unsigned char *const base[4], size_t stride, size_t i) {
  quat q;
  for (int c = 0; c < 4; c++) memcpy(&q.v[c], base[c] + i * stride, 4);
  return q;
}

static inline void store_quat(unsigned char *const base[4], size_t stride, size_t i, quat q) {
  for (int c = 0; c < 4; c++) memcpy(base[c] + i * stride, &q.v[c], 4);
}

/* Element i of an array of n-bit codes, least significant bit first, in any number of bytes. */
static inline void store_code(unsigned char *packed, size_t i, unsigned n, code c) {
  size_t bit = i % 8 * n; /* eight elements are n bytes */
  unsigned char *byte = packed + i / 8 * n + bit / 8;
  bit %= 8;
  unsigned char kept = bit ? (unsigned char)(*byte & ((1u << bit) - 1)) : 0;
  for (unsigned left = n; left > 0;) {
    const unsigned room = 8 - (unsigned)bit, taken = left < room ? left : room;
    *byte++ = (unsigned char)(kept | (c.lo & ((1u << taken) - 1)) << bit);
    c.lo = c.lo >> taken | c.hi << (64 - taken);
    c.hi >>= taken;
    left -= taken;
    bit = kept = 0;
  }
}

static inline code load_code(const unsigned char *packed, size_t i, unsigned n) {
  size_t bit = i % 8 * n;
  const unsigned char *byte = packed + i / 8 * n + bit / 8;
  bit %= 8;
  code c = {0, 0};
  for (unsigned done = 0; done < n;) {
    const unsigned room = 8 - (unsigned)bit, taken = n - done < room ? n - done : room;
    const uint64_t bits = *byte++ >> bit & ((1u << taken) - 1);
    if (done < 64) c.lo |= bits << done;
    if (done + taken > 64) c.hi |= done < 64 ? bits >> (64 - done) : bits << (done - 64);
    done += taken;
    bit = 0;
  }
  return c;
}

static inline bool pack_all(pack_one *pack, int param, unsigned n, unsigned char *packed,
                            const unsigned char *const base[4], size_t stride, size_t count) {
  bool all_valid = true;
  for (size_t i = 0; i < count; i++) {
    quat q = load_quat(base, stride, i);
    float n2 = norm2(q);
    if (!valid_norm2(n2)) {
      q = scalar_identity;
      n2 = 1;
      all_valid = false;
    }
    store_code(packed, i, n, pack(param, q, n2));
  }
  return all_valid;
}

static inline void unpack_all(unpack_one *unpack, int param, unsigned n, unsigned char *const base[4],
                              size_t stride, const unsigned char *packed, size_t count) {
  for (size_t i = 0; i < count; i++) store_quat(base, stride, i, unpack(param, load_code(packed, i, n)));
}

#define AOS_BASE(type)                                                                                       \
  { (type *)x, (type *)x + 4, (type *)x + 8, (type *)x + 12 }
#define SOA_BASE(type)                                                                                       \
  { (type *)x, (type *)y, (type *)z, (type *)w }

#define BITS_U24(param) 24
#define BITS_U32(param) 32
#define BITS_U48(param) 48
#define BITS_U64(param) 64
#define BITS_U128(param) 128
#define BITS_PACKED(param) (2 + 3 * (unsigned)(param))

#define LAYOUT(codec, storage, layout, BASE, bytes)                                                          \
  static bool pack_##layout##_##codec(int param, unsigned char *packed, const float *x, const float *y,      \
                                      const float *z, const float *w, size_t stride, size_t count) {         \
    (void)y, (void)z, (void)w, (void)stride;                                                                 \
    const unsigned char *const base[4] = BASE(const unsigned char);                                          \
    return pack_all(scalar_pack_##codec, param, BITS_##storage(param), packed, base, bytes, count);          \
  }                                                                                                          \
  static void unpack_##layout##_##codec(int param, float *x, float *y, float *z, float *w, size_t stride,    \
                                        const unsigned char *packed, size_t count) {                         \
    (void)y, (void)z, (void)w, (void)stride;                                                                 \
    unsigned char *const base[4] = BASE(unsigned char);                                                      \
    unpack_all(scalar_unpack_##codec, param, BITS_##storage(param), base, bytes, packed, count);             \
  }
#define FORMAT(codec, id, param, name, storage, ...)                                                         \
  LAYOUT(codec, storage, aos, AOS_BASE, 16)                                                                  \
  LAYOUT(codec, storage, soa, SOA_BASE, 4)                                                                   \
  LAYOUT(codec, storage, strided, AOS_BASE, stride)
#include "codec/formats.def"

static void meshopt_to_snorm16x4(unsigned char *to, const unsigned char *from, size_t count) {
  for (size_t i = 0; i < count; i++) store_code(to, i, 64, meshopt_shorts(load_code(from, i, 64)));
}

static float number(float a) { return a == a ? a : float_from_bits(0x7fc00000); }

static void halves_from_floats(uint16_t *halves, const float *floats, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float magnitude = magnitude_of(floats[i]);
    const uint32_t sign = float_bits(floats[i]) >> 31 << 15;
    halves[i] = (uint16_t)(magnitude < 65520    ? half_from_float(floats[i])
                           : magnitude >= 65520 ? sign | 0x7c00
                                                : 0x7e00);
  }
}

static void floats_from_halves(float *floats, const uint16_t *halves, size_t count) {
  for (size_t i = 0; i < count; i++) floats[i] = number(float_from_half(halves[i]));
}

static size_t find_invalid(const float *xyzw, size_t count, size_t from) {
  for (; from < count; from++)
    if (!valid_norm2(
            norm2((quat){{xyzw[4 * from], xyzw[4 * from + 1], xyzw[4 * from + 2], xyzw[4 * from + 3]}})))
      break;
  return from;
}

/* ---- operations in float ---- */

static quat quat_at(const float *const *in, size_t i) {
  return (quat){{in[0][i], in[1][i], in[2][i], in[3][i]}};
}

/* Element i: its results, which are `results` floats, to v. */
#define EACH_ELEMENT(name, results, ...)                                                                     \
  INLINE void each_##name(int param, float v[16], const float *const *in, size_t i) {                        \
    (void)param;                                                                                             \
    __VA_ARGS__                                                                                              \
  }                                                                                                          \
  static void in_float_##name(int param, float *const *out, const float *const *in, size_t count) {          \
    for (size_t i = 0; i < count; i++) {                                                                     \
      float v[16];                                                                                           \
      each_##name(param, v, in, i);                                                                          \
      for (int c = 0; c < results; c++) out[c][i] = number(v[c]);                                            \
    }                                                                                                        \
  }
EACH_ELEMENT(multiply, 4, float_multiply(v, quat_at(in, i), quat_at(in + 4, i));)
EACH_ELEMENT(rotate, 3, float_rotate(v, quat_at(in, i), (const float[]){in[4][i], in[5][i], in[6][i]});)
EACH_ELEMENT(nlerp, 4, float_nlerp(v, quat_at(in, i), quat_at(in + 4, i), in[8][i]);)
EACH_ELEMENT(lerp, 3, {
  const float t = fraction_of(in[6][i]);
  for (int c = 0; c < 3; c++) v[c] = in[c][i] * (1 - t) + in[3 + c][i] * t;
})
EACH_ELEMENT(slerp, 4, float_slerp(v, quat_at(in, i), quat_at(in + 4, i), in[8][i]);)
EACH_ELEMENT(to_matrix3, 9, {
  float m[3][3];
  float_matrix(m, quat_at(in, i), 1);
  for (int c = 0; c < 9; c++) v[c] = m[c % 3][c / 3];
})
EACH_ELEMENT(to_matrix4, 16, {
  float m[3][3];
  float_matrix(m, quat_at(in, i), 1);
  for (int c = 0; c < 16; c++) v[c] = c < 12 && c % 4 < 3 ? m[c % 4][c / 4] : c == 15;
})
EACH_ELEMENT(from_matrix3, 4, memcpy(v, float_from_matrix(in, i, 3).v, sizeof(quat));)
EACH_ELEMENT(from_matrix4, 4, memcpy(v, float_from_matrix(in, i, 4).v, sizeof(quat));)
EACH_ELEMENT(sqt_compose, 8, {
  quat q = {{0}};
  float_multiply(q.v, quat_at(in, i), quat_at(in + 8, i));
  memcpy(v, scaled(q, 1 / square_root(norm2(q))).v, sizeof q);
  float_sqt_point(v + 4, in, in + 12, i);
  v[7] = in[7][i] * in[15][i];
})
EACH_ELEMENT(sqt_transform_points, 3, float_sqt_point(v, in, in + 8, i);)
EACH_ELEMENT(sqt_transform_vectors, 3, float_sqt_vector(v, in, in + 8, i);)
EACH_ELEMENT(sqt_to_matrix3x4, 12, {
  float m[3][3];
  float_matrix(m, quat_at(in, i), in[7][i]);
  for (int c = 0; c < 12; c++) v[c] = c % 4 < 3 ? m[c / 4][c % 4] : in[4 + c / 4][i];
})
EACH_ELEMENT(exp, 4, {
  if (!float_exp(v, (const float[]){in[0][i], in[1][i], in[2][i]}))
    store4((float *[]){&v[0], &v[1], &v[2], &v[3]}, 0,
           exp_of((dv){d_load(in[0] + i), d_load(in[1] + i), d_load(in[2] + i)}));
})

static vector vector_at(const float *const *in, size_t i) { return (vector){{in[0][i], in[1][i], in[2][i]}}; }
EACH_ELEMENT(qtangent_from_tbn, 6, {
  vector m[3];
  const bool axes_ok = tangent_axes(m, vector_at(in, i), vector_at(in + 3, i));
  const bool handedness_ok = axes_handedness(&v[4], m, vector_at(in + 6, i));
  quaternion_of_axes(v, m);
  v[5] = axes_ok && handedness_ok;
})
EACH_ELEMENT(qtangent_from_tangents, 5, {
  vector m[3];
  v[4] = tangent_axes(m, vector_at(in, i), vector_at(in + 3, i));
  quaternion_of_axes(v, m);
})
EACH_ELEMENT(stream_unit, 5, v[4] = stream_unit(v, quat_at(in, i), quat_at(in + 4, i));)
EACH_ELEMENT(stream_predict, 4, stream_predict(v, quat_at(in, i), quat_at(in + 4, i));)
EACH_ELEMENT(stream_residual, 4,
             stream_residual(v, param == 1, quat_at(in, i), quat_at(in + 4, i), in[8][i], in[9][i]);)
EACH_ELEMENT(stream_turn, 4,
             stream_turn(v, param == 1, quat_at(in, i), (const float[]){in[4][i], in[5][i], in[6][i]},
                         in[7][i]);)

EACH_ELEMENT(pose_unit, 4, memcpy(v, pose_unit(quat_at(in, i)).v, sizeof(quat));)
EACH_ELEMENT(pose_mix, 4, memcpy(v, pose_mix(quat_at(in, i), quat_at(in + 4, i), in[8][i]).v, sizeof(quat));)
EACH_ELEMENT(pose_add, 4, memcpy(v, pose_add(quat_at(in, i), quat_at(in + 4, i), in[8][i]).v, sizeof(quat));)
EACH_ELEMENT(pose_mix3, 3, {
  for (int c = 0; c < 3; c++) v[c] = in[c][i] + in[6][i] * (in[6][i] > 0 ? in[3 + c][i] : 0);
})
EACH_ELEMENT(pose_finish3, 3, {
  for (int c = 0; c < 3; c++) v[c] = in[c][i] * (in[3][i] > 1 ? 1 / in[3][i] : 1);
})
EACH_ELEMENT(pose_add3, 3, {
  for (int c = 0; c < 3; c++) v[c] = in[c][i] + in[6][i] * in[3 + c][i];
})
EACH_ELEMENT(pose_scale3, 3, {
  for (int c = 0; c < 3; c++) v[c] = in[c][i] * (1 + in[6][i] * (in[3 + c][i] - 1));
})
EACH_ELEMENT(pose_matrix3x4, 12, {
  float m[3][3] = {{0}};
  pose_matrix(m, quat_at(in, i), (const float[]){in[7][i], in[8][i], in[9][i]});
  for (int c = 0; c < 12; c++) v[c] = c % 4 < 3 ? m[c / 4][c % 4] : in[4 + c / 4][i];
})
EACH_ELEMENT(pose_matrix4, 16, {
  float m[3][3] = {{0}};
  pose_matrix(m, quat_at(in, i), (const float[]){in[7][i], in[8][i], in[9][i]});
  for (int c = 0; c < 16; c++) v[c] = c % 4 == 3 ? c == 15 : c < 12 ? m[c % 4][c / 4] : in[4 + c % 4][i];
})

/* Arrays of structs. Inputs of n0, n1 and n2 components, which are known when this is compiled; 0: there is
 * none. */
INLINE size_t on_structs(void (*each)(int, float *, const float *const *, size_t), int results, int n0,
                         int n1, int n2, float *to, const float *const *in, const size_t *stride,
                         size_t count) {
  for (size_t e = 0; e < count; e++, to += results) {
    const float *from[17];
    float v[16];
    for (int c = 0; c < n0; c++) from[c] = in[0] + stride[0] * e + c;
    for (int c = 0; c < n1; c++) from[n0 + c] = in[1] + stride[1] * e + c;
    for (int c = 0; c < n2; c++) from[n0 + n1 + c] = in[2] + stride[2] * e + c;
    each(0, v, from, 0);
    for (int c = 0; c < results; c++) to[c] = number(v[c]);
  }
  return count;
}
#define FIRST_THREE(a, b, c, ...) a, b, c
#define THREE(...) FIRST_THREE(__VA_ARGS__, 0, 0, 0)
#define DEFINE_DOUBLE(name, outputs, inputs)
#define DEFINE_FLOAT(name, outputs, inputs)
#define NUMBER_OF(...) (sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
#define DEFINE_STRUCTS(name, outputs, inputs)                                                                \
  _Static_assert(NUMBER_OF outputs == 1 && NUMBER_OF inputs <= 3, #name " has more than on_structs takes");  \
  static size_t on_structs_##name(float *const *out, const float *const *in, const size_t *stride,           \
                                  size_t count) {                                                            \
    return on_structs(each_##name, outputs, THREE inputs, out[0], in, stride, count);                        \
  }
#define OPERATION(name, where, outputs, inputs) DEFINE_##where(name, outputs, inputs)
#include "rotation/operations.def"

/* There are no registers of more than one: the caller does it all. */
static size_t split4(float *const to[4], const float *first, size_t stride, size_t count) {
  return (void)to, (void)first, (void)stride, (void)count, (size_t)0;
}
static size_t join4(float *first, size_t stride, const float *const from[4], size_t count) {
  return (void)first, (void)stride, (void)from, (void)count, (size_t)0;
}
static size_t split3(float *const to[3], const float *xyz, size_t count) {
  return (void)to, (void)xyz, (void)count, (size_t)0;
}
static size_t join3(float *xyz, const float *const from[3], size_t count) {
  return (void)xyz, (void)from, (void)count, (size_t)0;
}

static void split_blocks(float *const to[4], const float *blocks, size_t block, size_t count) {
  for (size_t i = 0; i < count; i += block, blocks += 4 * block)
    for (size_t c = 0; c < 4; c++) memcpy(to[c] + i, blocks + c * block, block * sizeof(float));
}
static void join_blocks(float *blocks, size_t block, const float *const from[4], size_t count) {
  for (size_t i = 0; i < count; i += block, blocks += 4 * block)
    for (size_t c = 0; c < 4; c++) memcpy(blocks + c * block, from[c] + i, block * sizeof(float));
}

/* By the column `where` of operations.def. */
#define IN_DOUBLE(name) in_double_##name
#define IN_FLOAT(name) in_float_##name
#define IN_STRUCTS(name) in_float_##name
#define ON_DOUBLE(name) NULL
#define ON_FLOAT(name) NULL
#define ON_STRUCTS(name) on_structs_##name

extern const quatsimd_kernels quatsimd_kernels_scalar;
const quatsimd_kernels quatsimd_kernels_scalar = {
    .name = "scalar",
    .lanes = 1,
    .codec =
        {
#define FORMAT(codec, ...)                                                                                   \
  [QUATSIMD_CODEC_##codec] = {{pack_aos_##codec, pack_soa_##codec, pack_strided_##codec},                    \
                              {unpack_aos_##codec, unpack_soa_##codec, unpack_strided_##codec}},
#include "codec/formats.def"
        },
    .meshopt_to_snorm16x4 = meshopt_to_snorm16x4,
    .half_from_float = halves_from_floats,
    .half_to_float = floats_from_halves,
    .find_invalid = find_invalid,
    .operation =
        {
#define OPERATION(name, where, ...) [QUATSIMD_OPERATION_##name] = IN_##where(name),
#include "rotation/operations.def"
        },
    .aos =
        {
#define OPERATION(name, where, ...) [QUATSIMD_OPERATION_##name] = ON_##where(name),
#include "rotation/operations.def"
        },
    .split4 = split4,
    .join4 = join4,
    .split3 = split3,
    .join3 = join3,
    .split_blocks = split_blocks,
    .join_blocks = join_blocks,
    .clip = &quatsimd_clip_kernels_scalar,
};
