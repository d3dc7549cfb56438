/* libFuzzer over unpacking: any bytes, every format and layout. All kernels give scalar's floats, all
 * quaternions are of length 1, and from the middle of an array the same come out. */
#include "fuzz.h"

#include "support/denormals.h"

enum { MOST = 80 }; /* quaternions: five blocks of the widest kernels */

/* unpack_aos_at against what all of them are. */
static void check_at(const quatsimd_kernels *k, quatsimd_format format, const fuzz_array *packed,
                     const fuzz_quats *all, size_t first, size_t some, size_t offset) {
  fuzz_array to = fuzz_array_new(16 * some, 4 * offset);
  if (quatsimd_unpack(format, quatsimd_aos_out((float *)(void *)to.data), packed->data, packed->size, first,
                      some) != QUATSIMD_OK)
    fuzz_fail("unpack_aos_at fails");
  for (size_t i = 0; i < some; i++) {
    float q[4];
    fuzz_quats_get(all, first + i, q);
    if (memcmp(to.data + 16 * i, q, 16) != 0)
      fuzz_fail("%s: element %zu, from %zu on, is another one", k->name, first + i, first);
  }
  fuzz_array_free(&to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  fuzz_input in = {data, size};
  const quatsimd_format format = fuzz_take_format(&in);
  const quatsimd_format_info *info = quatsimd_get_format_info(format);
  const fuzz_shape shape = fuzz_take_shape(&in);
  const unsigned from = fuzz_byte(&in), length = fuzz_byte(&in);
  const size_t there = 8 * in.left / info->bits, count = there < MOST ? there : MOST;
  const size_t first = from % (count + 1), some = length % (count - first + 1);
  fuzz_array packed = fuzz_array_new(quatsimd_packed_size(format, count), shape.packed_offset);
  fuzz_take(&in, packed.data, packed.size);
  fuzz_quats wanted = {0};
  for (size_t t = 0; t < n; t++) {
    fuzz_quats to = fuzz_quats_new(shape.layout, count, shape.stride, shape.float_offset);
    fuzz_use(tables[t]);
    flush_denormals(shape.flush && t > 0);
    run_unpack(tables[t], format, fuzz_quats_view(&to), packed.data, count);
    check_at(tables[t], format, &packed, &to, first, some, shape.float_offset);
    flush_denormals(false);
    if (t == 0) {
      wanted = to;
      continue;
    }
    if (!fuzz_quats_equal(&to, &wanted))
      fuzz_fail("%s, %s: not what scalar unpacks", tables[t]->name, info->name);
    fuzz_quats_free(&to);
  }
  for (size_t i = 0; i < count; i++) {
    float q[4];
    fuzz_quats_get(&wanted, i, q);
    if (!fuzz_is_unit(q)) fuzz_fail("%s: element %zu has length %.9g", info->name, i, fuzz_length(q));
  }
  fuzz_quats_free(&wanted);
  fuzz_array_free(&packed);
  return 0;
}
