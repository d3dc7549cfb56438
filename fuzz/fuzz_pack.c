/* libFuzzer over packing: any floats, every format and layout. All kernels give scalar's bytes, invalid
 * quaternions are told of and become the identity, valid ones come back within the format's error. */
#include "fuzz.h"

#include "support/denormals.h"

enum { MOST = 80 }; /* quaternions: five blocks of the widest kernels */

static void check_round_trip(quatsimd_format format, const float *xyzw, const fuzz_array *packed,
                             size_t count) {
  const quatsimd_format_info *info = quatsimd_get_format_info(format);
  const float identity[4] = {0, 0, 0, 1};
  unsigned char one[32];
  float back[4 * MOST], identity_back[4];
  quatsimd_unpack(format, quatsimd_aos_out(back), packed->data, packed->size, 0, count);
  quatsimd_pack(format, one, sizeof one, quatsimd_aos(identity), 1);
  quatsimd_unpack(format, quatsimd_aos_out(identity_back), one, sizeof one, 0, 1);
  for (size_t i = 0; i < count; i++) {
    const int valid = fuzz_is_valid(xyzw + 4 * i);
    if (!fuzz_is_unit(back + 4 * i))
      fuzz_fail("%s: element %zu comes back with length %.9g", info->name, i, fuzz_length(back + 4 * i));
    if (valid == 0 && memcmp(back + 4 * i, identity_back, 16) != 0)
      fuzz_fail("%s: element %zu is invalid and not the identity", info->name, i);
    if (valid != 1) continue;
    const double off = fuzz_angle(xyzw + 4 * i, back + 4 * i);
    if (off > 1.01 * info->worst_error + 2e-7) /* worst errors have four digits at most */
      fuzz_fail("%s: element %zu is %.6g off, and the worst error is %.6g", info->name, i, off,
                info->worst_error);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  fuzz_input in = {data, size};
  const quatsimd_format format = fuzz_take_format(&in);
  const fuzz_shape shape = fuzz_take_shape(&in);
  const size_t count = in.left / 16 < MOST ? in.left / 16 : MOST, bytes = quatsimd_packed_size(format, count);
  float xyzw[4 * MOST];
  fuzz_take(&in, xyzw, 16 * count);
  fuzz_quats from = fuzz_quats_new(shape.layout, count, shape.stride, shape.float_offset);
  bool all_valid = true, doubtful = false;
  for (size_t i = 0; i < count; i++) {
    fuzz_quats_set(&from, i, xyzw + 4 * i);
    all_valid = all_valid && fuzz_is_valid(xyzw + 4 * i) != 0;
    doubtful = doubtful || fuzz_is_valid(xyzw + 4 * i) < 0;
  }
  fuzz_array aos = fuzz_array_new(16 * count, 4 * shape.float_offset), wanted = {0};
  if (count) memcpy(aos.data, xyzw, 16 * count);
  size_t invalid = 0;
  for (size_t t = 0; t < n; t++) {
    fuzz_use(tables[t]);
    fuzz_array packed = fuzz_array_new(bytes, shape.packed_offset);
    flush_denormals(shape.flush && t > 0);
    const bool good = run_pack(tables[t], format, packed.data, fuzz_quats_view(&from), count);
    const size_t first = quatsimd_find_invalid(quatsimd_aos((const float *)(const void *)aos.data), count, 0);
    flush_denormals(false);
    if (good != all_valid && !doubtful) fuzz_fail("%s: invalid ones are not told of", tables[t]->name);
    if (good != (first == count)) fuzz_fail("%s: find_invalid and pack disagree", tables[t]->name);
    if (t == 0) {
      wanted = packed, invalid = first;
      continue;
    }
    if (memcmp(packed.data, wanted.data, bytes) != 0 || first != invalid)
      fuzz_fail("%s, %s: not what scalar packs", tables[t]->name, quatsimd_get_format_info(format)->name);
    fuzz_array_free(&packed);
  }
  check_round_trip(format, xyzw, &wanted, count);
  fuzz_array_free(&wanted), fuzz_array_free(&aos);
  fuzz_quats_free(&from);
  return 0;
}
