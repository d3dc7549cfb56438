/* Tests that all layouts of the arguments give equal results, and that wrong calls are refused. */
#include <limits.h>

#include "fixture.h"

enum { N = 133, FEW = 9 };

static void one_base_is_for_all(const float *base, const float *value) {
  FOR_EACH_FORMAT(f) {
    float *same = filled(16 * N), *out = filled(16 * N), *out2 = filled(16 * N);
    unsigned char *packed = filled(f->bytes * N), *again = filled(f->bytes * N);
    for (size_t i = 0; i < N; i++) memcpy(same + 4 * i, base + 4, 16);
    const quatsimd_status status = pack(f, 1, packed, same, value, N, NULL);
    HOLDS(f, 0,
          quatsimd_relative_pack(f->format, 1, again, f->bytes * N, NULL, quatsimd_one(base + 4),
                                 quatsimd_aos(value), N) == status);
    HOLDS(f, 0, memcmp(packed, again, f->bytes * N) == 0);
    unpack(f, 1, out, same, packed, N);
    HOLDS(f, 0,
          quatsimd_relative_unpack(f->format, 1, quatsimd_aos_out(out2), quatsimd_one(base + 4), packed,
                                   f->bytes * N, N) == QUATSIMD_OK);
    HOLDS(f, 0, memcmp(out, out2, 16 * N) == 0);
    free(again), free(packed), free(out2), free(out), free(same);
  }
}

void layouts_agree(void **state) {
  (void)state;
  enum { GAP = 28 };
  float *base = random_quats(N, 20), *value = random_quats(N, 21);
  make_invalid(base, 0), make_invalid(value + 4 * 50, 3);
  float *b[4], *v[4], *o[4];
  for (int c = 0; c < 4; c++) {
    b[c] = filled(4 * N), v[c] = filled(4 * N), o[c] = filled(4 * N);
    for (size_t i = 0; i < N; i++) b[c][i] = base[4 * i + c], v[c][i] = value[4 * i + c];
  }
  unsigned char *wide_base = filled(GAP * N), *wide_value = filled(GAP * N), *wide_out = filled(GAP * N);
  for (size_t i = 0; i < N; i++)
    memcpy(wide_base + GAP * i, base + 4 * i, 16), memcpy(wide_value + GAP * i, value + 4 * i, 16);
  FOR_EACH_FORMAT(f) for (size_t n = 0; n <= N; n += n < 70 ? 1 : 21) {
    unsigned char *packed = filled(f->bytes * n), *again = filled(f->bytes * n + 1);
    unsigned char *mask = filled((n + 7) / 8), *mask2 = filled((n + 7) / 8);
    float *out = filled(16 * n);
    const quatsimd_status status = pack(f, 2, packed, base, value, n, mask);
    HOLDS(f, n, status >= 0);
    HOLDS(f, n, unpack(f, 2, out, base, packed, n) == QUATSIMD_OK);
    const quatsimd_in cb = quatsimd_soa(b[0], b[1], b[2], b[3]), cv = quatsimd_soa(v[0], v[1], v[2], v[3]);
    const quatsimd_out co = quatsimd_soa_out(o[0], o[1], o[2], o[3]);
    HOLDS(f, n, quatsimd_relative_pack(f->format, 2, again, f->bytes * n, mask2, cb, cv, n) == status);
    HOLDS(f, n, memcmp(packed, again, f->bytes * n) == 0 && memcmp(mask, mask2, (n + 7) / 8) == 0);
    HOLDS(f, n,
          quatsimd_relative_pack(f->format, 2, again + 1, f->bytes * n, mask2,
                                 quatsimd_strided((float *)(void *)wide_base, GAP),
                                 quatsimd_strided((float *)(void *)wide_value, GAP), n) == status);
    HOLDS(f, n, memcmp(packed, again + 1, f->bytes * n) == 0 && memcmp(mask, mask2, (n + 7) / 8) == 0);
    HOLDS(f, n, quatsimd_relative_unpack(f->format, 2, co, cb, packed, f->bytes * n, n) == QUATSIMD_OK);
    memset(wide_out, FILL, GAP * N);
    HOLDS(f, n,
          quatsimd_relative_unpack(f->format, 2, quatsimd_strided_out((float *)(void *)wide_out, GAP), cb,
                                   again + 1, f->bytes * n, n) == QUATSIMD_OK);
    for (size_t i = 0; i < n; i++) {
      for (int c = 0; c < 4; c++) HOLDS(f, i, memcmp(&o[c][i], &out[4 * i + c], 4) == 0);
      HOLDS(f, i,
            memcmp(wide_out + GAP * i, out + 4 * i, 16) == 0 && untouched(wide_out + GAP * i + 16, GAP - 16));
    }
    HOLDS(f, n, untouched(wide_out + GAP * n, GAP * (N - n)));
    float *in_place = filled(16 * n);
    memcpy(in_place, base, 16 * n);
    HOLDS(f, n, unpack(f, 2, in_place, in_place, packed, n) == QUATSIMD_OK);
    HOLDS(f, n, memcmp(in_place, out, 16 * n) == 0);
    free(in_place), free(out), free(mask2), free(mask), free(again), free(packed);
  }
  one_base_is_for_all(base, value);
  for (int c = 0; c < 4; c++) free(b[c]), free(v[c]), free(o[c]);
  free(wide_out), free(wide_value), free(wide_base), free(value), free(base);
}

/* The arguments of a valid call. Each wrong call differs from this call in one argument. */
typedef struct call {
  quatsimd_in b, v;
  quatsimd_out o;
  float *out;
  unsigned char beyond[2], packed[6 * FEW + 5];
} call;

static bool all_untouched(const call *a) {
  return untouched(a->packed, sizeof a->packed) && untouched(a->beyond, sizeof a->beyond) &&
         untouched(a->out, 16 * FEW);
}

static void wrong_angles_are_refused(const format *f, call *a) {
  const quatsimd_relative_format id = f->format;
  const size_t size = f->bytes * FEW;
  float bad_angles[] = {1e-7f,           1e-45f,        0, -0.0f, -1, 3.1416f, 4, 1e30f, 0, 0, 0,
                        0x1.0c6f78p-20f, 0x1.921fb8p+1f}; /* neighbours of the limits of angles */
  sweep_set_bits(&bad_angles[8], nan_bits), sweep_set_bits(&bad_angles[9], infinity_bits);
  sweep_set_bits(&bad_angles[10], infinity_bits | UINT32_C(0x80000000));
  for (size_t i = 0; i < sizeof bad_angles / sizeof bad_angles[0]; i++) {
    HOLDS(f, i,
          quatsimd_relative_pack(id, bad_angles[i], a->packed, size, a->beyond, a->b, a->v, FEW) ==
              QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, i,
          quatsimd_relative_unpack(id, bad_angles[i], a->o, a->b, a->packed, size, FEW) ==
              QUATSIMD_ERROR_BAD_ARGUMENT);
  }
}

static void wrong_arguments_are_refused(const format *f, call *a, float *base) {
  const quatsimd_in none = quatsimd_aos(NULL), crooked = quatsimd_strided(base, 18),
                    hole = quatsimd_soa(base, base, NULL, base);
  const quatsimd_out nowhere = quatsimd_aos_out(NULL);
  const quatsimd_relative_format id = f->format;
  const size_t size = f->bytes * FEW;
  HOLDS(f, 0,
        quatsimd_relative_pack(id, 1, a->packed, size - 1, a->beyond, a->b, a->v, FEW) ==
            QUATSIMD_ERROR_SHORT_BUFFER);
  HOLDS(f, 0,
        quatsimd_relative_unpack(id, 1, a->o, a->b, a->packed, size - 1, FEW) == QUATSIMD_ERROR_SHORT_BUFFER);
  HOLDS(f, 0,
        quatsimd_relative_pack(id, 1, a->packed, 0, a->beyond, a->b, a->v, FEW) ==
            QUATSIMD_ERROR_SHORT_BUFFER);
  HOLDS(f, 0, quatsimd_relative_pack(id, 1, a->packed, SIZE_MAX, a->beyond, a->b, a->v, SIZE_MAX / 2) < 0);
  HOLDS(f, 0, quatsimd_relative_unpack(id, 1, a->o, a->b, a->packed, SIZE_MAX, SIZE_MAX / 2) < 0);
  HOLDS(f, 0,
        quatsimd_relative_pack(id, 1, NULL, size, a->beyond, a->b, a->v, FEW) == QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_pack(id, 1, a->packed, size, a->beyond, none, a->v, FEW) ==
            QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_pack(id, 1, a->packed, size, a->beyond, a->b, none, FEW) ==
            QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_pack(id, 1, a->packed, size, a->beyond, crooked, a->v, FEW) ==
            QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_pack(id, 1, a->packed, size, a->beyond, a->b, hole, FEW) ==
            QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_unpack(id, 1, nowhere, a->b, a->packed, size, FEW) == QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_unpack(id, 1, a->o, none, a->packed, size, FEW) == QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0, quatsimd_relative_unpack(id, 1, a->o, a->b, NULL, size, FEW) == QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_unpack(id, 1, quatsimd_strided_out(a->out, 12), a->b, a->packed, size, FEW) ==
            QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_unpack(id, 1, quatsimd_strided_out(a->out, 0), a->b, a->packed, size, FEW) ==
            QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_unpack(id, 1, quatsimd_strided_out(a->out, 17), a->b, a->packed, size, FEW) ==
            QUATSIMD_ERROR_BAD_ARGUMENT);
  float both[4 * FEW] = {0};
  const quatsimd_in same = quatsimd_aos(both);
  HOLDS(f, 0,
        quatsimd_relative_pack(id, 1, both, size, a->beyond, same, a->v, FEW) == QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_pack(id, 1, both, size, a->beyond, a->b, same, FEW) == QUATSIMD_ERROR_BAD_ARGUMENT);
  HOLDS(f, 0,
        quatsimd_relative_unpack(id, 1, quatsimd_aos_out(both), a->b, both, size, FEW) ==
            QUATSIMD_ERROR_BAD_ARGUMENT);
  for (size_t i = 0; i < 4 * FEW; i++) HOLDS(f, i, both[i] == 0);
  HOLDS(f, 0, quatsimd_relative_pack(id, 1, NULL, 0, NULL, none, none, 0) == QUATSIMD_OK);
  HOLDS(f, 0, quatsimd_relative_unpack(id, 1, nowhere, none, NULL, 0, 0) == QUATSIMD_OK);
}

static void more_room_stays_as_it_is(const format *f, call *a) {
  const quatsimd_relative_format id = f->format;
  const size_t size = f->bytes * FEW;
  HOLDS(f, 0, quatsimd_relative_pack(id, 1, a->packed, sizeof a->packed, NULL, a->b, a->v, FEW) >= 0);
  HOLDS(f, 0, untouched(a->packed + size, sizeof a->packed - size) && !untouched(a->packed, size));
  HOLDS(f, 0, quatsimd_relative_unpack(id, 1, a->o, a->b, a->packed, sizeof a->packed, FEW) == QUATSIMD_OK);
  memset(a->packed, FILL, sizeof a->packed), memset(a->out, FILL, 16 * FEW);
}

static void unknown_formats_are_refused(call *a) {
  const quatsimd_in none = quatsimd_aos(NULL);
  const int unknown[] = {0, 7, -1, 100, INT_MAX, INT_MIN};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    const quatsimd_relative_format id = (quatsimd_relative_format)unknown[i];
    assert_int_equal(quatsimd_relative_pack(id, 1, a->packed, sizeof a->packed, a->beyond, a->b, a->v, FEW),
                     QUATSIMD_ERROR_BAD_FORMAT);
    assert_int_equal(quatsimd_relative_unpack(id, 1, a->o, a->b, a->packed, sizeof a->packed, FEW),
                     QUATSIMD_ERROR_BAD_FORMAT);
    assert_int_equal(quatsimd_relative_pack(id, 1, NULL, 0, NULL, none, none, 0), QUATSIMD_ERROR_BAD_FORMAT);
  }
}

void wrong_calls_are_refused(void **state) {
  (void)state;
  float *base = random_quats(FEW, 30), *value = random_quats(FEW, 31), *out = filled(16 * FEW);
  call a = {.b = quatsimd_aos(base), .v = quatsimd_aos(value), .o = quatsimd_aos_out(out), .out = out};
  memset(a.packed, FILL, sizeof a.packed), memset(a.beyond, FILL, sizeof a.beyond);
  FOR_EACH_FORMAT(f) {
    wrong_angles_are_refused(f, &a);
    wrong_arguments_are_refused(f, &a, base);
    HOLDS(f, 0, all_untouched(&a));
    more_room_stays_as_it_is(f, &a);
  }
  unknown_formats_are_refused(&a);
  assert_true(all_untouched(&a));
  free(out), free(value), free(base);
}
