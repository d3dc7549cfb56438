/* Provides AVX-512 through SIMDe. SIMDe 0.7.4 of Debian lacks some operations. This file computes them in two
 * halves of a register with AVX2, or lane by lane. */
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/f16c.h>
#include <stdbool.h>
#include <string.h>

#define SHIM static inline __attribute__((always_inline))

typedef struct halves {
  __m256i low, high;
} halves;
SHIM halves halves_of(const void *vector) {
  halves h;
  memcpy(&h, vector, 64);
  return h;
}
SHIM __m512i from_halves(__m256i low, __m256i high) {
  const halves h = {low, high};
  __m512i v;
  memcpy(&v, &h, 64);
  return v;
}
#define BY_HALVES(v, OP, CAST) from_halves(OP(CAST(halves_of(&v).low)), OP(CAST(halves_of(&v).high)))
#define SAME(v) (v)

SHIM __m512i shim_cvtps_epi32(__m512 a) { return BY_HALVES(a, _mm256_cvtps_epi32, _mm256_castsi256_ps); }
SHIM __m512i shim_cvttps_epi32(__m512 a) { return BY_HALVES(a, _mm256_cvttps_epi32, _mm256_castsi256_ps); }
#define ROUNDED_FLOATS(v) _mm256_castps_si256(_mm256_cvtepi32_ps(v))
SHIM __m512 shim_cvtepi32_ps(__m512i a) { return _mm512_castsi512_ps(BY_HALVES(a, ROUNDED_FLOATS, SAME)); }
SHIM __m512d shim_cvtps_pd(__m256 a) {
  return _mm512_castsi512_pd(from_halves(_mm256_castpd_si256(_mm256_cvtps_pd(_mm256_castps256_ps128(a))),
                                         _mm256_castpd_si256(_mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)))));
}
SHIM __m256 shim_cvtpd_ps(__m512d a) {
  const halves h = halves_of(&a);
  return _mm256_set_m128(_mm256_cvtpd_ps(_mm256_castsi256_pd(h.high)),
                         _mm256_cvtpd_ps(_mm256_castsi256_pd(h.low)));
}
SHIM __m512i shim_srai_epi32(__m512i a, unsigned n) {
  const halves h = halves_of(&a);
  return from_halves(_mm256_srai_epi32(h.low, (int)n), _mm256_srai_epi32(h.high, (int)n));
}
SHIM __m256i shim_cvtepi32_epi16(__m512i a) {
  uint32_t wide[16];
  uint16_t narrow[16];
  memcpy(wide, &a, 64);
  for (int i = 0; i < 16; i++) narrow[i] = (uint16_t)wide[i];
  __m256i v;
  memcpy(&v, narrow, 32);
  return v;
}
SHIM __m512i shim_cvtepu16_epi32(__m256i a) {
  uint16_t narrow[16];
  uint32_t wide[16];
  memcpy(narrow, &a, 32);
  for (int i = 0; i < 16; i++) wide[i] = narrow[i];
  __m512i v;
  memcpy(&v, wide, 64);
  return v;
}
SHIM __m256i shim_cvtps_ph(__m512 a) {
  const halves h = halves_of(&a);
  return _mm256_set_m128i(_mm256_cvtps_ph(_mm256_castsi256_ps(h.high), 0),
                          _mm256_cvtps_ph(_mm256_castsi256_ps(h.low), 0));
}
SHIM __m512 shim_cvtph_ps(__m256i a) {
  return _mm512_castsi512_ps(
      from_halves(_mm256_castps_si256(_mm256_cvtph_ps(_mm256_castsi256_si128(a))),
                  _mm256_castps_si256(_mm256_cvtph_ps(_mm256_extracti128_si256(a, 1)))));
}
SHIM __m512 shim_permutevar_ps(__m512 a, __m512i control) {
  const halves h = halves_of(&a), c = halves_of(&control);
  return _mm512_castsi512_ps(
      from_halves(_mm256_castps_si256(_mm256_permutevar_ps(_mm256_castsi256_ps(h.low), c.low)),
                  _mm256_castps_si256(_mm256_permutevar_ps(_mm256_castsi256_ps(h.high), c.high))));
}
SHIM __m512i shim_shuffle_64x2(__m512i a, __m512i b, int control) {
  uint64_t from_a[8], from_b[8], to[8];
  memcpy(from_a, &a, 64), memcpy(from_b, &b, 64);
  for (int lane = 0; lane < 4; lane++)
    memcpy(to + 2 * lane, (lane < 2 ? from_a : from_b) + 2 * (control >> 2 * lane & 3), 16);
  __m512i v;
  memcpy(&v, to, 64);
  return v;
}
SHIM __m512d shim_shuffle_pd(__m512d a, __m512d b, int control) {
  uint64_t from_a[8], from_b[8], to[8];
  memcpy(from_a, &a, 64), memcpy(from_b, &b, 64);
  for (int i = 0; i < 8; i++) to[i] = (i % 2 ? from_b : from_a)[(i & ~1) + (control >> i & 1)];
  __m512d v;
  memcpy(&v, to, 64);
  return v;
}
/* Shifts by 16 or more give 0 or 16 copies of the sign. */
SHIM __m256i shim_shift_each(__m256i a, __m256i count, bool right) {
  int16_t lane[16];
  uint16_t n[16];
  memcpy(lane, &a, 32), memcpy(n, &count, 32);
  for (int i = 0; i < 16; i++)
    lane[i] = (int16_t)(right ? lane[i] >> (n[i] < 15 ? n[i] : 15) : n[i] < 16 ? lane[i] * (1 << n[i]) : 0);
  __m256i v;
  memcpy(&v, lane, 32);
  return v;
}

#undef _mm512_cvtps_epi32
#define _mm512_cvtps_epi32 shim_cvtps_epi32
#undef _mm512_cvttps_epi32
#define _mm512_cvttps_epi32 shim_cvttps_epi32
#undef _mm512_cvtepi32_ps
#define _mm512_cvtepi32_ps shim_cvtepi32_ps
#undef _mm512_cvtps_pd
#define _mm512_cvtps_pd shim_cvtps_pd
#undef _mm512_cvtpd_ps
#define _mm512_cvtpd_ps shim_cvtpd_ps
#undef _mm512_srai_epi32
#define _mm512_srai_epi32 shim_srai_epi32
#undef _mm512_cvtepi32_epi16
#define _mm512_cvtepi32_epi16 shim_cvtepi32_epi16
#undef _mm512_cvtepu16_epi32
#define _mm512_cvtepu16_epi32 shim_cvtepu16_epi32
#undef _mm512_cvtps_ph
#define _mm512_cvtps_ph(a, rounding) shim_cvtps_ph(a)
#undef _mm512_cvtph_ps
#define _mm512_cvtph_ps shim_cvtph_ps
#undef _mm512_permutevar_ps
#define _mm512_permutevar_ps shim_permutevar_ps
#undef _mm512_shuffle_i64x2
#define _mm512_shuffle_i64x2 shim_shuffle_64x2
#undef _mm512_shuffle_f64x2
#define _mm512_shuffle_f64x2(a, b, control)                                                                  \
  _mm512_castsi512_pd(shim_shuffle_64x2(_mm512_castpd_si512(a), _mm512_castpd_si512(b), control))
#undef _mm512_shuffle_f32x4
#define _mm512_shuffle_f32x4(a, b, control)                                                                  \
  _mm512_castsi512_ps(shim_shuffle_64x2(_mm512_castps_si512(a), _mm512_castps_si512(b), control))
#undef _mm512_mask_shuffle_f32x4
#define _mm512_mask_shuffle_f32x4(other, mask, a, b, control)                                                \
  _mm512_mask_mov_ps(other, mask, _mm512_shuffle_f32x4(a, b, control))
#undef _mm256_sllv_epi16
#define _mm256_sllv_epi16(a, count) shim_shift_each(a, count, false)
#undef _mm256_srav_epi16
#define _mm256_srav_epi16(a, count) shim_shift_each(a, count, true)
#undef _mm512_shuffle_pd
#define _mm512_shuffle_pd shim_shuffle_pd
