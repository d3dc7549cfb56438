/* libFuzzer over transcoding: any bytes, any two formats. All kernels give the bytes that unpacking and
 * packing by scalar gives, and buffers that are too short are refused untouched. From the words of
 * meshoptimizer's filter straight to shorts all kernels give what scalar gives. */
#include "fuzz.h"

#include "support/denormals.h"

enum { MOST = 600 }; /* quaternions: more than two of its blocks of 256 */

static bool is_meshopt(quatsimd_format format) {
  return strncmp(quatsimd_get_format_info(format)->name, "meshopt", 7) == 0;
}

static void by_hand(quatsimd_format to, fuzz_array *packed, quatsimd_format from, const fuzz_array *source,
                    size_t count) {
  static float xyzw[4 * MOST];
  quatsimd_unpack(from, quatsimd_aos_out(xyzw), source->data, source->size, 0, count);
  quatsimd_pack(to, packed->data, packed->size, quatsimd_aos(xyzw), count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  fuzz_input in = {data, size};
  const quatsimd_format from = fuzz_take_format(&in), to = fuzz_take_format(&in);
  const fuzz_shape shape = fuzz_take_shape(&in);
  const size_t there = 8 * in.left / quatsimd_get_format_info(from)->bits,
               count = there < MOST ? there : MOST;
  fuzz_array source = fuzz_array_new(quatsimd_packed_size(from, count), shape.packed_offset);
  fuzz_take(&in, source.data, source.size);
  fuzz_array wanted = fuzz_array_new(quatsimd_packed_size(to, count), 0);
  fuzz_use(tables[0]);
  const bool to_shorts = is_meshopt(from) && to == QUATSIMD_FORMAT_SNORM16X4;
  fuzz_array shorts = fuzz_array_new(to_shorts ? wanted.size : 0, 0);
  if (to_shorts) quatsimd_meshopt_to_snorm16x4(shorts.data, shorts.size, source.data, source.size, count);
  if (count) by_hand(to, &wanted, from, &source, count);
  for (size_t t = 0; t < n; t++) {
    fuzz_array packed = fuzz_array_new(wanted.size, shape.float_offset),
               again = fuzz_array_new(shorts.size, shape.packed_offset);
    fuzz_use(tables[t]);
    flush_denormals(shape.flush && t > 0);
    const quatsimd_status status =
        quatsimd_transcode(to, packed.data, packed.size, from, source.data, source.size, count);
    const bool same_shorts =
        !to_shorts || (quatsimd_meshopt_to_snorm16x4(again.data, again.size, source.data, source.size,
                                                     count) == QUATSIMD_OK &&
                       memcmp(again.data, shorts.data, shorts.size) == 0);
    flush_denormals(false);
    if (!same_shorts) fuzz_fail("%s: meshopt to shorts is not what scalar gives", tables[t]->name);
    if (status != QUATSIMD_OK || memcmp(packed.data, wanted.data, wanted.size) != 0)
      fuzz_fail("%s: %s to %s is not what unpacking and packing gives", tables[t]->name,
                quatsimd_get_format_info(from)->name, quatsimd_get_format_info(to)->name);
    fuzz_array_free(&packed), fuzz_array_free(&again);
  }
  fuzz_array little = fuzz_array_new(wanted.size ? wanted.size - 1 : 0, 0);
  if (count && quatsimd_transcode(to, little.data, little.size, from, source.data, source.size, count) !=
                   QUATSIMD_ERROR_SHORT_BUFFER)
    fuzz_fail("a short buffer is taken");
  if (count && quatsimd_transcode(to, wanted.data, wanted.size, from, source.data, source.size - 1, count) !=
                   QUATSIMD_ERROR_SHORT_BUFFER)
    fuzz_fail("a short source is taken");
  fuzz_array_free(&little), fuzz_array_free(&shorts), fuzz_array_free(&wanted), fuzz_array_free(&source);
  return 0;
}
