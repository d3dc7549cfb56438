/* Tests which bytes packing and unpacking read and write, and at which addresses arrays may begin. */
#include "checks.h"
#include "fixture.h"

void nothing_behind_is_touched(void **state) {
  (void)state;
  enum { GUARD = 96 };
  FOR_EACH_FORMAT(f) for (size_t n = 1; n <= 70; n++) {
    const size_t size = quatsimd_packed_size(f->format, n), used_bits = n * f->bits % 8;
    float *quats = random_quats(n, n), *unpacked = filled(16 * n + GUARD);
    unsigned char *packed = filled(size + GUARD), *exact = filled(size);
    FOR_EACH_LAYOUT(l) {
      memset(packed, 0xff, size); /* packing must overwrite every bit */
      HOLDS(f, n, pack(l, f->format, packed, size + GUARD, quats, n) == QUATSIMD_OK);
      HOLDS(f, n, untouched(packed + size, GUARD));
      HOLDS(f, n, used_bits == 0 || packed[size - 1] >> used_bits == 0);
      HOLDS(f, n, pack(l, f->format, exact, size, quats, n) == QUATSIMD_OK);
      HOLDS(f, n, memcmp(exact, packed, size) == 0);
      HOLDS(f, n, pack(l, f->format, packed, SIZE_MAX, quats, n) == QUATSIMD_OK);
      HOLDS(f, n, memcmp(exact, packed, size) == 0 && untouched(packed + size, GUARD));

      HOLDS(f, n, unpack(l, f->format, unpacked, packed, size + GUARD, n) == QUATSIMD_OK);
      HOLDS(f, n, untouched(unpacked + 4 * n, GUARD));
      float *again = filled(16 * n);
      HOLDS(f, n, unpack(l, f->format, again, exact, size, n) == QUATSIMD_OK);
      HOLDS(f, n, memcmp(again, unpacked, 16 * n) == 0);
      free(again);
    }
    free(quats), free(unpacked), free(packed), free(exact);
  }
}

void packed_data_needs_no_alignment(void **state) {
  (void)state;
  enum { N = 45 };
  float *quats = random_quats(N, 3), *expected = filled(16 * N), *got = filled(16 * N);
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, N);
    unsigned char *aligned = filled(size);
    HOLDS(f, 0, quatsimd_pack(f->format, aligned, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(expected), aligned, size, 0, N) == QUATSIMD_OK);
    for (size_t off = 1; off < 16; off++) {
      unsigned char *packed = filled(size + off);
      HOLDS(f, off, quatsimd_pack(f->format, packed + off, size, quatsimd_aos(quats), N) == QUATSIMD_OK);
      HOLDS(f, off, memcmp(packed + off, aligned, size) == 0 && untouched(packed, off));
      HOLDS(f, off,
            quatsimd_unpack(f->format, quatsimd_aos_out(got), packed + off, size, 0, N) == QUATSIMD_OK);
      HOLDS(f, off, memcmp(got, expected, 16 * N) == 0);
      free(packed);
    }
    free(aligned);
  }
  free(quats), free(expected), free(got);
}

void soa_is_aos(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) for (size_t n = 1; n <= 67; n++) {
    const size_t size = quatsimd_packed_size(f->format, n);
    float *aos = random_quats(n, n), *in[4], *out[4];
    for (size_t c = 0; c < 4; c++) {
      in[c] = filled(4 * n), out[c] = filled(4 * n);
      for (size_t i = 0; i < n; i++) in[c][i] = aos[4 * i + c];
    }
    unsigned char *expected = filled(size), *got = filled(size);
    HOLDS(f, n, quatsimd_pack(f->format, expected, size, quatsimd_aos(aos), n) == QUATSIMD_OK);
    HOLDS(f, n,
          quatsimd_pack(f->format, got, size, quatsimd_soa(in[0], in[1], in[2], in[3]), n) == QUATSIMD_OK);
    HOLDS(f, n, memcmp(got, expected, size) == 0);
    HOLDS(f, n, quatsimd_unpack(f->format, quatsimd_aos_out(aos), expected, size, 0, n) == QUATSIMD_OK);
    HOLDS(f, n,
          quatsimd_unpack(f->format, quatsimd_soa_out(out[0], out[1], out[2], out[3]), expected, size, 0,
                          n) == QUATSIMD_OK);
    for (size_t i = 0; i < 4 * n; i++) HOLDS(f, i, memcmp(&out[i % 4][i / 4], &aos[i], 4) == 0);
    for (size_t c = 0; c < 4; c++) free(in[c]), free(out[c]);
    free(aos), free(expected), free(got);
  }
}

/* The gaps between structs hold NaN. Packing must ignore them and unpacking must not change them. There is no
 * gap after the last struct. */
void strided_is_aos_and_leaves_the_gaps_alone(void **state) {
  (void)state;
  static const size_t strides[] = {16, 20, 24, 28, 32, 36, 48, 52, 64, 80, 100, 4096 + 4};
  FOR_EACH_FORMAT(f)
  for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++)
    for (size_t n = 1; n <= 40; n++) {
      const size_t size = quatsimd_packed_size(f->format, n), stride = strides[s],
                   bytes = (n - 1) * stride + 16;
      float *aos = random_quats(n, n), *unpacked = filled(16 * n);
      unsigned char *expected = filled(size), *got = filled(size), *structs = filled(bytes);
      memset(structs, 0xff, bytes); /* NaN */
      for (size_t i = 0; i < n; i++) memcpy(structs + i * stride, aos + 4 * i, 16);
      HOLDS(f, stride, quatsimd_pack(f->format, expected, size, quatsimd_aos(aos), n) == QUATSIMD_OK);
      HOLDS(f, stride,
            quatsimd_pack(f->format, got, size, quatsimd_strided((float *)(void *)structs, stride), n) ==
                QUATSIMD_OK);
      HOLDS(f, stride, memcmp(got, expected, size) == 0);

      memset(structs, FILL, bytes);
      HOLDS(f, stride,
            quatsimd_unpack(f->format, quatsimd_aos_out(unpacked), expected, size, 0, n) == QUATSIMD_OK);
      HOLDS(f, stride,
            quatsimd_unpack(f->format, quatsimd_strided_out((float *)(void *)structs, stride), expected, size,
                            0, n) == QUATSIMD_OK);
      for (size_t i = 0; i < n; i++) {
        HOLDS(f, stride, memcmp(structs + i * stride, unpacked + 4 * i, 16) == 0);
        HOLDS(f, stride, i + 1 == n || untouched(structs + i * stride + 16, stride - 16));
      }
      free(aos), free(unpacked), free(expected), free(got), free(structs);
    }
}

/* The bytes are random, so that words occur that packing never writes. */
void unpack_at_is_a_slice(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) for (size_t first = 0; first <= 20; first++) for (size_t n = 0; n <= 20; n++) {
    const size_t all = first + n, size = quatsimd_packed_size(f->format, all);
    unsigned char *packed = random_bytes(size);
    float *full = filled(16 * all), *slice = filled(16 * n);
    HOLDS(f, all, quatsimd_unpack(f->format, quatsimd_aos_out(full), packed, size, 0, all) == QUATSIMD_OK);
    HOLDS(f, first,
          quatsimd_unpack(f->format, quatsimd_aos_out(slice), packed, size, first, n) == QUATSIMD_OK);
    HOLDS(f, first, memcmp(slice, full + 4 * first, 16 * n) == 0);
    free(packed), free(full), free(slice);
  }
}

void unpack_at_reaches_far(void **state) {
  (void)state;
  enum { FAR = 100003, N = 50 };
  FOR_EACH_FORMAT(f) {
    const size_t size = quatsimd_packed_size(f->format, FAR + N);
    unsigned char *packed = random_bytes(size);
    float *full = filled(16 * (FAR + N)), *slice = filled(16 * N);
    HOLDS(f, 0, quatsimd_unpack(f->format, quatsimd_aos_out(full), packed, size, 0, FAR + N) == QUATSIMD_OK);
    for (size_t first = FAR - 20; first <= FAR; first++)
      for (size_t n = 0; n <= N; n++) {
        memset(slice, FILL, 16 * N);
        HOLDS(f, first,
              quatsimd_unpack(f->format, quatsimd_aos_out(slice), packed, size, first, n) == QUATSIMD_OK);
        HOLDS(f, first, memcmp(slice, full + 4 * first, 16 * n) == 0);
        HOLDS(f, first, untouched(slice + 4 * n, 16 * (N - n)));
      }
    free(packed), free(full), free(slice);
  }
}
