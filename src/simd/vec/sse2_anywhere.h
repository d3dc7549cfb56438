/* The intrinsics of SSE2 that vec_sse2.h and vec_clip_sse2.h use, for machines that have other vectors of
 * 128 bits (RISC-V, POWER, LoongArch, WebAssembly): by the vector extension of GCC and Clang, which make
 * instructions of what the machine has. Each does what Intel's does, lane by lane; conversions are of
 * numbers in range. */
#ifndef QUATSIMD_SIMD_SSE2_ANYWHERE_H
#define QUATSIMD_SIMD_SSE2_ANYWHERE_H

#include <stdint.h>
#include <string.h>

#include "core/arithmetic.h"

#define ANYWHERE static inline __attribute__((always_inline))

typedef float __m128 __attribute__((vector_size(16)));
typedef int64_t __m128i __attribute__((vector_size(16)));
typedef int16_t any_i16 __attribute__((vector_size(16)));
typedef int32_t any_i32 __attribute__((vector_size(16)));
typedef uint32_t any_u32 __attribute__((vector_size(16)));
typedef uint64_t any_u64 __attribute__((vector_size(16)));

/* Lanes of a, from 0, and of b, behind them; of vectors with four lanes and with two. */
#ifdef __clang__
#define ANY_FOUR(type, a, b, ...) __builtin_shufflevector((type)(a), (type)(b), __VA_ARGS__)
#define ANY_TWO(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define ANY_FOUR(type, a, b, ...) __builtin_shuffle((type)(a), (type)(b), (any_i32){__VA_ARGS__})
#define ANY_TWO(a, b, ...) __builtin_shuffle(a, b, (__m128i){__VA_ARGS__})
#endif

#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))
#define _mm_shuffle_ps(a, b, lanes)                                                                          \
  ANY_FOUR(__m128, a, b, (lanes)&3, (lanes) >> 2 & 3, ((lanes) >> 4 & 3) + 4, ((lanes) >> 6 & 3) + 4)
#define _mm_unpacklo_epi32(a, b) ((__m128i)ANY_FOUR(any_i32, a, b, 0, 4, 1, 5))
#define _mm_unpackhi_epi32(a, b) ((__m128i)ANY_FOUR(any_i32, a, b, 2, 6, 3, 7))
#define _mm_unpacklo_epi64(a, b) ANY_TWO(a, b, 0, 2)
#define _mm_unpackhi_epi64(a, b) ANY_TWO(a, b, 1, 3)
#define _MM_TRANSPOSE4_PS(x, y, z, w)                                                                        \
  do {                                                                                                       \
    const __m128 any_a = ANY_FOUR(__m128, x, y, 0, 4, 1, 5), any_b = ANY_FOUR(__m128, x, y, 2, 6, 3, 7);     \
    const __m128 any_c = ANY_FOUR(__m128, z, w, 0, 4, 1, 5), any_d = ANY_FOUR(__m128, z, w, 2, 6, 3, 7);     \
    x = ANY_FOUR(__m128, any_a, any_c, 0, 1, 4, 5), y = ANY_FOUR(__m128, any_a, any_c, 2, 3, 6, 7);          \
    z = ANY_FOUR(__m128, any_b, any_d, 0, 1, 4, 5), w = ANY_FOUR(__m128, any_b, any_d, 2, 3, 6, 7);          \
  } while (0)

ANYWHERE __m128 _mm_set1_ps(float a) { return (__m128){a, a, a, a}; }
ANYWHERE __m128i _mm_set1_epi32(int32_t a) { return (__m128i)(any_i32){a, a, a, a}; }
ANYWHERE __m128i _mm_setr_epi32(int32_t a, int32_t b, int32_t c, int32_t d) {
  return (__m128i)(any_i32){a, b, c, d};
}
ANYWHERE __m128i _mm_setzero_si128(void) { return (__m128i){0, 0}; }
ANYWHERE __m128i _mm_castps_si128(__m128 a) { return (__m128i)a; }
ANYWHERE __m128 _mm_castsi128_ps(__m128i a) { return (__m128)a; }

ANYWHERE __m128 _mm_loadu_ps(const float *p) {
  __m128 a;
  memcpy(&a, p, sizeof a);
  return a;
}
ANYWHERE void _mm_storeu_ps(float *p, __m128 a) { memcpy(p, &a, sizeof a); }
ANYWHERE __m128i _mm_loadu_si128(const void *p) {
  __m128i a;
  memcpy(&a, p, sizeof a);
  return a;
}
ANYWHERE void _mm_storeu_si128(void *p, __m128i a) { memcpy(p, &a, sizeof a); }
ANYWHERE __m128i _mm_loadl_epi64(const void *p) {
  int64_t low;
  memcpy(&low, p, sizeof low);
  return (__m128i){low, 0};
}
ANYWHERE void _mm_storel_epi64(void *p, __m128i a) {
  const int64_t low = a[0];
  memcpy(p, &low, sizeof low);
}

ANYWHERE __m128 _mm_add_ps(__m128 a, __m128 b) { return a + b; }
ANYWHERE __m128 _mm_sub_ps(__m128 a, __m128 b) { return a - b; }
ANYWHERE __m128 _mm_mul_ps(__m128 a, __m128 b) { return a * b; }
ANYWHERE __m128 _mm_div_ps(__m128 a, __m128 b) { return a / b; }
ANYWHERE __m128 _mm_sqrt_ps(__m128 a) {
#ifdef __wasm_simd128__
  return __builtin_wasm_sqrt_f32x4(a);
#else
  for (int i = 0; i < 4; i++) a[i] = quatsimd_sqrtf(a[i]);
  return a;
#endif
}

ANYWHERE __m128 _mm_and_ps(__m128 a, __m128 b) { return (__m128)((__m128i)a & (__m128i)b); }
ANYWHERE __m128 _mm_or_ps(__m128 a, __m128 b) { return (__m128)((__m128i)a | (__m128i)b); }
ANYWHERE __m128 _mm_andnot_ps(__m128 a, __m128 b) { return (__m128)(~(__m128i)a & (__m128i)b); }
ANYWHERE __m128i _mm_and_si128(__m128i a, __m128i b) { return a & b; }
ANYWHERE __m128i _mm_or_si128(__m128i a, __m128i b) { return a | b; }
ANYWHERE __m128i _mm_xor_si128(__m128i a, __m128i b) { return a ^ b; }
ANYWHERE __m128i _mm_andnot_si128(__m128i a, __m128i b) { return ~a & b; }

ANYWHERE __m128 _mm_cmpgt_ps(__m128 a, __m128 b) { return (__m128)(a > b); }
ANYWHERE __m128 _mm_cmpge_ps(__m128 a, __m128 b) { return (__m128)(a >= b); }
ANYWHERE __m128 _mm_cmple_ps(__m128 a, __m128 b) { return (__m128)(a <= b); }
ANYWHERE __m128 _mm_cmplt_ps(__m128 a, __m128 b) { return (__m128)(a < b); }
ANYWHERE __m128 _mm_cmpord_ps(__m128 a, __m128 b) { return (__m128)((a == a) & (b == b)); }
/* b where they are equal, or one is NaN */
ANYWHERE __m128 _mm_max_ps(__m128 a, __m128 b) {
  const __m128 m = _mm_cmpgt_ps(a, b);
  return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}
ANYWHERE __m128 _mm_min_ps(__m128 a, __m128 b) {
  const __m128 m = _mm_cmplt_ps(a, b);
  return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}
ANYWHERE int _mm_movemask_ps(__m128 a) {
#ifdef __wasm_simd128__
  return (int)__builtin_wasm_bitmask_i32x4((any_i32)a);
#else
  const any_u32 bits = (any_u32)a >> 31 << (any_u32){0, 1, 2, 3};
  return (int)((bits[0] | bits[1]) | (bits[2] | bits[3]));
#endif
}

ANYWHERE __m128i _mm_add_epi32(__m128i a, __m128i b) { return (__m128i)((any_u32)a + (any_u32)b); }
ANYWHERE __m128i _mm_sub_epi32(__m128i a, __m128i b) { return (__m128i)((any_u32)a - (any_u32)b); }
ANYWHERE __m128i _mm_cmplt_epi32(__m128i a, __m128i b) { return (__m128i)((any_i32)a < (any_i32)b); }
ANYWHERE __m128i _mm_cmpeq_epi32(__m128i a, __m128i b) { return (__m128i)((any_i32)a == (any_i32)b); }
/* Each lane gets the sum of two products of shorts. */
ANYWHERE __m128i _mm_madd_epi16(__m128i a, __m128i b) {
#ifdef __wasm_simd128__
  return (__m128i)__builtin_wasm_dot_s_i32x4_i16x8((any_i16)a, (any_i16)b);
#else
  const any_i32 low = ((any_i32)((any_u32)a << 16) >> 16) * ((any_i32)((any_u32)b << 16) >> 16);
  return (__m128i)((any_u32)low + (any_u32)(((any_i32)a >> 16) * ((any_i32)b >> 16)));
#endif
}

/* Bits shifted beyond a lane are 0. */
ANYWHERE __m128i _mm_slli_epi32(__m128i a, int n) {
  return n < 32 ? (__m128i)((any_u32)a << (uint32_t)n) : _mm_setzero_si128();
}
ANYWHERE __m128i _mm_srli_epi32(__m128i a, int n) {
  return n < 32 ? (__m128i)((any_u32)a >> (uint32_t)n) : _mm_setzero_si128();
}
ANYWHERE __m128i _mm_srai_epi32(__m128i a, int n) { return (__m128i)((any_i32)a >> (n < 32 ? n : 31)); }
ANYWHERE __m128i any_shl(__m128i a, uint64_t n) {
  return (__m128i)(((any_u64)a << (n & 63)) & -(uint64_t)(n < 64));
}
ANYWHERE __m128i any_shr(__m128i a, uint64_t n) {
  return (__m128i)(((any_u64)a >> (n & 63)) & -(uint64_t)(n < 64));
}
ANYWHERE __m128i _mm_slli_epi64(__m128i a, int n) { return any_shl(a, (uint64_t)n); }
ANYWHERE __m128i _mm_srli_epi64(__m128i a, int n) { return any_shr(a, (uint64_t)n); }
ANYWHERE __m128i _mm_sll_epi64(__m128i a, __m128i n) { return any_shl(a, ((any_u64)n)[0]); }
ANYWHERE __m128i _mm_srl_epi64(__m128i a, __m128i n) { return any_shr(a, ((any_u64)n)[0]); }

ANYWHERE __m128 _mm_cvtepi32_ps(__m128i a) { return __builtin_convertvector((any_i32)a, __m128); }
ANYWHERE __m128i _mm_cvttps_epi32(__m128 a) { return (__m128i) __builtin_convertvector(a, any_i32); }

#endif
