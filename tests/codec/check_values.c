/* Tests the results of packing, unpacking and transcoding. */
#include "checks.h"
#include "fixture.h"

void length_does_not_count(void **state) {
  (void)state;
  enum { N = 40 };
  float *quats = random_quats(N, 13), *longer = filled(16 * N), *a = filled(16 * N), *b = filled(16 * N);
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *expected = filled(size), *got = filled(size);
    HOLDS(f, 0, quatsimd_pack(f->format, expected, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    for (int e = -31; e <= 31; e++) { /* a power of two scales every intermediate result exactly */
      for (size_t i = 0; i < 4 * N; i++) longer[i] = ldexpf(quats[i], e);
      HOLDS(f, e, quatsimd_pack(f->format, got, size, quatsimd_aos(longer), N) == QUATSIMD_OK);
      /* float4 copies unit quaternions and normalises others */
      if (f->format != QUATSIMD_FORMAT_FLOAT4) {
        HOLDS(f, e, memcmp(got, expected, size) == 0);
        continue;
      }
      HOLDS(f, e, quatsimd_unpack(f->format, quatsimd_aos_out(a), expected, size, 0, N) == QUATSIMD_OK);
      HOLDS(f, e, quatsimd_unpack(f->format, quatsimd_aos_out(b), got, size, 0, N) == QUATSIMD_OK);
      for (size_t i = 0; i < 4 * N; i++) HOLDS(f, e, fabsf(a[i] - b[i]) <= 3e-7f);
    }
    free(expected), free(got);
  }
  free(quats), free(longer), free(a), free(b);
}

/* Most formats pack q and -q to one word. tests/model/model.py lists the formats that keep the sign. */
void sign_does_not_count(void **state) {
  (void)state;
  enum { N = 40 };
  float *quats = random_quats(N, 17), *negated = filled(16 * N), *a = filled(16 * N), *b = filled(16 * N);
  for (size_t i = 0; i < 4 * N; i++) negated[i] = -quats[i];
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *of_quats = filled(size), *of_negated = filled(size);
    HOLDS(f, 0, quatsimd_pack(f->format, of_quats, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_pack(f->format, of_negated, size, quatsimd_aos(negated), N) == QUATSIMD_OK);
    word turned;
    HOLDS(f, 0, pack_one(f, &turned, 0, 0, 0, -1) == QUATSIMD_OK);
    HOLDS(f, 0,
          quatsimd_unpack(f->format, quatsimd_aos_out(a), turned.bytes, sizeof turned.bytes, 0, 1) ==
              QUATSIMD_OK);
    const bool keeps_sign = a[3] < 0;
    HOLDS(f, 0, (memcmp(of_quats, of_negated, size) != 0) == keeps_sign);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(a), of_quats, size, 0, N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(b), of_negated, size, 0, N) == QUATSIMD_OK);
    for (size_t i = 0; i < N; i++) {
      double dot = 0, same = 0;
      for (size_t c = 4 * i; c < 4 * i + 4; c++) dot += (double)a[c] * b[c], same += (double)a[c] * quats[c];
      HOLDS(f, i, keeps_sign ? dot < -0.99 && same > 0.99 : dot > 0.999999 && fabs(same) > 0.97);
    }
    free(of_quats), free(of_negated);
  }
  free(quats), free(negated), free(a), free(b);
}

void zeros_of_both_signs(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    word plus, minus;
    float q[4];
    HOLDS(f, 0, pack_one(f, &plus, 0, 0, 0, 1) == QUATSIMD_OK);
    HOLDS(f, 0, pack_one(f, &minus, -0.f, -0.f, -0.f, 1) == QUATSIMD_OK);
    if (f->format != QUATSIMD_FORMAT_FLOAT4 && f->format != QUATSIMD_FORMAT_HALF4) {
      HOLDS(f, 0, memcmp(&plus, &minus, sizeof plus) == 0);
      continue;
    }
    HOLDS(f, 0,
          quatsimd_unpack(f->format, quatsimd_aos_out(q), minus.bytes, f->bits / 8, 0, 1) == QUATSIMD_OK);
    const float expected[4] = {-0.f, -0.f, -0.f, 1};
    HOLDS(f, 0, same_quat(q, expected));
  }
  /* a w of -0 does not count as negative, but a denormal w below zero does */
  const listed *snorm = listed_as(QUATSIMD_FORMAT_SNORM16X3);
  /* bytes of the codes 19660 and 26214, and of their negatives */
  const unsigned char positive[6] = {0xcc, 0x4c, 0x66, 0x66, 0, 0},
                      negative[6] = {0x34, 0xb3, 0x9a, 0x99, 0, 0};
  static const struct {
    float w;
    bool negative;
  } cases[] = {{0, false},         {-0.f, false},      {0x1p-140f, false},
               {-0x1p-140f, true}, {-0x1p-149f, true}, {-0x1p-30f, true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    word got;
    HOLDS(snorm, i, pack_one(snorm, &got, 0.6f, 0.8f, 0, cases[i].w) == QUATSIMD_OK);
    HOLDS(snorm, i, memcmp(got.bytes, cases[i].negative ? negative : positive, 6) == 0);
  }
}

void identity_is_exact_where_promised(void **state) {
  (void)state;
  enum { N = 37 };
  FOR_EACH_FORMAT(f) for (size_t n = 1; n <= N; n += N - 1) {
    const size_t size = quatsimd_packed_size(f->format, n);
    float *quats = filled(16 * n);
    unsigned char *packed = filled(size);
    for (size_t i = 0; i < n; i++) memcpy(quats + 4 * i, identity, 16);
    HOLDS(f, n, quatsimd_pack(f->format, packed, size, quatsimd_aos(quats), n) == QUATSIMD_OK);
    memset(quats, FILL, 16 * n);
    HOLDS(f, n, quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, size, 0, n) == QUATSIMD_OK);
    for (size_t i = 0; i < n; i++) {
      HOLDS(f, i,
            same_quat(quats + 4 * i, identity) == (quatsimd_get_format_info(f->format)->exact_identity == 1));
      HOLDS(f, i, quats[4 * i + 3] > 0.99f);
    }
    free(quats), free(packed);
  }
}

void known_answers(void **state) {
  (void)state;
  word got;
  /* before rounding, the code of x is just below 0.5; adding 0.5 to the code in float would give 1 */
  assert_int_equal(pack_one(listed_as(QUATSIMD_FORMAT_SNORM16X3), &got, 0x1.8003p-17f, 0, 0, 0.75f),
                   QUATSIMD_OK);
  assert_true(got.bytes[0] == 0 && got.bytes[1] == 0);
  assert_int_equal(pack_one(listed_as(QUATSIMD_FORMAT_VERTEX32), &got, 0x1.02048ap-8f, 0, 0, 1), QUATSIMD_OK);
  assert_memory_equal(got.bytes, ((const unsigned char[]){0, 0, 0, 0x7f}), 4);

  /* fused or reordered operations would change the sum for w */
  const uint64_t code = UINT64_C(0x309828c2af41);
  const float expected[4] = {-0x1.5c9ff2p-1f, 0, -0x1.06f2fep-1f, 0x1.0b531ep-1f};
  unsigned char packed[6];
  for (int i = 0; i < 6; i++) packed[i] = (unsigned char)(code >> 8 * i);
  float q[4];
  assert_int_equal(quatsimd_unpack(QUATSIMD_FORMAT_SMALLEST3_48, quatsimd_aos_out(q), packed, 6, 0, 1),
                   QUATSIMD_OK);
  assert_true(same_quat(q, expected));
  assert_int_equal(quatsimd_unpack(QUATSIMD_FORMAT_SMALLEST3(15), quatsimd_aos_out(q), packed, 6, 0, 1),
                   QUATSIMD_OK);
  assert_true(same_quat(q, expected));
}

void any_bytes_are_unit_quaternions(void **state) {
  (void)state;
  enum { N = 20011 };
  float *quats = filled(16 * N);
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *packed = random_bytes(size);
    memset(packed, 0, 64), memset(packed + 64, 0xff, 64);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(quats), packed, size, 0, N) == QUATSIMD_OK);
    for (size_t i = 0; i < N; i++) {
      double n2 = 0;
      for (size_t c = 4 * i; c < 4 * i + 4; c++) n2 += (double)quats[c] * quats[c];
      HOLDS(f, i, fabs(sqrt(n2) - 1) <= 4e-7); /* false for NaN */
    }
    free(packed);
  }
  free(quats);
}

/* The error of each round trip is at most the worst error in the format's info. */
void round_trips_are_as_good_as_said(void **state) {
  (void)state;
  enum { N = 1000 };
  float *quats = random_quats(N, 23), *back = filled(16 * N);
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *packed = filled(size);
    HOLDS(f, 0, quatsimd_pack(f->format, packed, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(back), packed, size, 0, N) == QUATSIMD_OK);
    for (size_t i = 0; i < N; i++) {
      double dot = 0, chord2 = 0;
      for (size_t c = 4 * i; c < 4 * i + 4; c++) dot += (double)quats[c] * back[c];
      for (size_t c = 4 * i; c < 4 * i + 4; c++) {
        const double d = (double)quats[c] - (dot < 0 ? -(double)back[c] : (double)back[c]);
        chord2 += d * d;
      }
      HOLDS(f, i, 4 * asin(sqrt(chord2) / 2) <= quatsimd_get_format_info(f->format)->worst_error + 1e-6);
    }
    free(packed);
  }
  free(quats), free(back);
}

/* Transcoding equals unpacking and packing. Errors are returned before anything is written. */
void transcode_is_unpack_and_pack(void **state) {
  (void)state;
  enum { N = 2 * 256 + 13 };
  float *quats = random_quats(N, 29), *floats = filled(16 * N);
  unsigned char *from = filled(16 * N), *expected = filled(16 * N), *to = filled(16 * N + 1);
  FOR_EACH_FORMAT(f) {
    const size_t from_size = quatsimd_packed_size(f->format, N);
    HOLDS(f, 0, quatsimd_pack(f->format, from, from_size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(floats), from, from_size, 0, N) == QUATSIMD_OK);
    for (const listed *t = formats; t < formats + FORMATS; t++) {
      const size_t size = quatsimd_packed_size(t->format, N);
      HOLDS(t, 0, quatsimd_pack(t->format, expected, size, quatsimd_aos(floats), N) == QUATSIMD_OK);
      memset(to, 0xa5, 16 * N + 1);
      HOLDS(t, 1,
            quatsimd_transcode(t->format, to, size - 1, f->format, from, from_size, N) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(t, 2,
            quatsimd_transcode(t->format, to, size, f->format, from, from_size - 1, N) ==
                QUATSIMD_ERROR_SHORT_BUFFER);
      HOLDS(t, 3,
            quatsimd_transcode(t->format, NULL, size, f->format, from, from_size, N) ==
                QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(t, 4,
            quatsimd_transcode(t->format, to, size, f->format, NULL, from_size, N) ==
                QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(t, 5,
            quatsimd_transcode((quatsimd_format)0, to, size, f->format, from, from_size, N) ==
                QUATSIMD_ERROR_BAD_FORMAT);
      HOLDS(t, 6,
            quatsimd_transcode(t->format, to, size, (quatsimd_format)0, from, from_size, N) ==
                QUATSIMD_ERROR_BAD_FORMAT);
      HOLDS(t, 7, quatsimd_transcode(t->format, NULL, 0, f->format, NULL, 0, 0) == QUATSIMD_OK);
      HOLDS(t, 8, to[0] == 0xa5 && memcmp(to, to + 1, 16 * N) == 0);
      HOLDS(t, 9, quatsimd_transcode(t->format, to, size, f->format, from, from_size, N) == QUATSIMD_OK);
      HOLDS(t, 10, to[size] == 0xa5);
      HOLDS(t, 11, memcmp(to, expected, size) == 0);
    }
  }
  free(quats), free(floats), free(from), free(expected), free(to);
}

/* The shorts may differ by 1 from those that unpacking and packing give. Errors write nothing. */
void meshopt_goes_to_shorts(void **state) {
  (void)state;
  enum { N = 2 * 256 + 13, SIZE = 8 * N };
  float *quats = random_quats(N, 31);
  unsigned char *from = filled(SIZE), *expected = filled(SIZE), *to = filled(SIZE + 1);
  size_t different = 0;
  for (int bits = 4; bits <= 16; bits++) {
    const listed *f = listed_as(QUATSIMD_FORMAT_MESHOPT(bits));
    HOLDS(f, 0, quatsimd_pack(f->format, from, SIZE, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 1,
          quatsimd_transcode(QUATSIMD_FORMAT_SNORM16X4, expected, SIZE, f->format, from, SIZE, N) ==
              QUATSIMD_OK);
    memset(to, FILL, SIZE + 1);
    HOLDS(f, 2, quatsimd_meshopt_to_snorm16x4(to, SIZE - 1, from, SIZE, N) == QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, 3, quatsimd_meshopt_to_snorm16x4(to, SIZE, from, SIZE - 1, N) == QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, 4,
          quatsimd_meshopt_to_snorm16x4(to, SIZE_MAX, from, SIZE_MAX, SIZE_MAX / 8 + 1) ==
              QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, 5, quatsimd_meshopt_to_snorm16x4(NULL, SIZE, from, SIZE, N) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 6, quatsimd_meshopt_to_snorm16x4(to, SIZE, NULL, SIZE, N) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 7, quatsimd_meshopt_to_snorm16x4(NULL, 0, NULL, 0, 0) == QUATSIMD_OK);
    HOLDS(f, 8, untouched(to, SIZE + 1));
    HOLDS(f, 9, quatsimd_meshopt_to_snorm16x4(to, SIZE, from, SIZE, N) == QUATSIMD_OK);
    HOLDS(f, 10, untouched(to + SIZE, 1));
    for (size_t i = 0; i < 4 * N; i++) {
      int16_t a, b;
      memcpy(&a, to + 2 * i, 2), memcpy(&b, expected + 2 * i, 2);
      HOLDS(f, i, abs(a - b) <= 1);
      different += a != b;
    }
    unsigned char *some = filled(SIZE);
    for (size_t n = 0; n <= 40; n++) {
      HOLDS(f, n, quatsimd_meshopt_to_snorm16x4(some, 8 * n, from, 8 * n, n) == QUATSIMD_OK);
      HOLDS(f, n, memcmp(some, to, 8 * n) == 0 && untouched(some + 8 * n, 8));
    }
    free(some);
  }
  assert_true(different > 0);
  free(quats), free(from), free(expected), free(to);
}
