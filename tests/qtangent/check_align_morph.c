/* Tests quatsimd_qtangent_align_morph. */
#include "align.h"

enum { N = 1000 };

/* Tests one base for all vertices, the target as its own base, no vertices, and bad arguments. */
static void odd_morphs(float *q, const float *base) {
  float was[4 * N];
  memcpy(was, q, sizeof was);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(q), quatsimd_one(base + 100), N),
                   QUATSIMD_OK);
  for (size_t v = 0; v < N; v++)
    assert_true(!(dot(q + 4 * v, base + 100) < 0) &&
                (same(q + 4 * v, was + 4 * v) || opposite(q + 4 * v, was + 4 * v)));
  memcpy(was, q, sizeof was);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(q), quatsimd_aos(q), N), QUATSIMD_OK);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(NULL), quatsimd_aos(NULL), 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(NULL), quatsimd_aos(base), N),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(q), quatsimd_aos(NULL), N),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_strided_out(q, 12), quatsimd_aos(base), N),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(q), quatsimd_strided(base, 6), N),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_memory_equal(q, was, sizeof was);
}

void morphs_follow_their_base(void **state) {
  (void)state;
  static float base[4 * N], q[4 * N], wanted[4 * N];
  uint64_t random = 5;
  random_rotations(base, N, &random), random_rotations(q, N, &random);
  /* vertices 0 to 3: a NaN in `base`; 4 to 7: a NaN in `q`; 8: a right angle; 9: zeros in `q` */
  for (size_t c = 0; c < 4; c++) {
    sweep_set_bits(&base[4 * c + c], UINT32_C(0xffc00001));
    sweep_set_bits(&q[16 + 4 * c + c], UINT32_C(0x7fc00001));
    q[32 + c] = c == 2 ? -1.0f : 0, base[32 + c] = c == 1 ? -1.0f : 0;
    q[36 + c] = -0.0f;
  }
  size_t negative = 0;
  memcpy(wanted, q, sizeof q);
  for (size_t v = 0; v < N; v++)
    if (dot(q + 4 * v, base + 4 * v) < 0) negate(wanted + 4 * v), negative++;
  assert_true(negative > N / 3 && negative < N - N / 3);
  for (int layout = 0; layout < LAYOUTS; layout++)
    for (int base_layout = 0; base_layout < LAYOUTS; base_layout++)
      for (size_t n = 1; n <= N; n += n < 20 ? 1 : 490) {
        float *to = filled(STRIDE * n), *from = filled(STRIDE * n);
        for (size_t v = 0; v < n; v++)
          for (size_t c = 0; c < 4; c++) {
            to[place_of(layout, n, v, c)] = q[4 * v + c];
            from[place_of(base_layout, n, v, c)] = base[4 * v + c];
          }
        float *expected = copied(to, STRIDE * n), *as_before = copied(from, STRIDE * n);
        for (size_t v = 0; v < n; v++)
          for (size_t c = 0; c < 4; c++) expected[place_of(layout, n, v, c)] = wanted[4 * v + c];
        const quatsimd_in source = base_layout == AOS ? quatsimd_aos(from)
                                   : base_layout == SOA
                                       ? quatsimd_soa(from, from + n, from + 2 * n, from + 3 * n)
                                       : quatsimd_strided(from, STRIDE);
        assert_int_equal(quatsimd_qtangent_align_morph(target_of(layout, to, n), source, n), QUATSIMD_OK);
        assert_memory_equal(to, expected, STRIDE * n);
        assert_memory_equal(from, as_before, STRIDE * n);
        free(to), free(from), free(expected), free(as_before);
      }
  odd_morphs(q, base);
}

/* If the target turns each QTangent by less than half a turn, it gets the alignment of its base. */
void morphed_grids_are_aligned(void **state) {
  (void)state;
  mesh m = make_grid(20, 30);
  random_signs(&m, 9);
  assert_int_equal(align(&m), 0);
  float *base = copied(m.q, 16 * m.count);
  for (size_t v = 0; v < m.count; v++) { /* turned by two radians about x */
    const float *const b = base + 4 * v;
    const double s = sin(1.0), c = cos(1.0);
    set(m.q + 4 * v, c * b[0] + s * b[3], c * b[1] - s * b[2], c * b[2] + s * b[1], c * b[3] - s * b[0]);
  }
  random_signs(&m, 10);
  assert_true(count_unaligned(&m) > 0);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(m.q), quatsimd_aos(base), m.count),
                   QUATSIMD_OK);
  assert_int_equal(count_unaligned(&m), 0);
  free(base);
  free_mesh(&m);
}
