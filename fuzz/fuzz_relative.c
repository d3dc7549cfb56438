/* libFuzzer over the codes of relative.h: any bases, values and bytes. All kernels give scalar's, any bytes turn a base
 * to a rotation, and no rotation is code 0. */
#include "fuzz.h"

enum { MOST = 150 }; /* more than a chunk */

static quatsimd_source source_of(const fuzz_quats *q) {
  return q->layout == QUATSIMD_SOA ? quatsimd_soa(q->x, q->y, q->z, q->w) : quatsimd_strided(q->x, q->step);
}
static quatsimd_target target_of(const fuzz_quats *q) {
  return q->layout == QUATSIMD_SOA ? quatsimd_soa_out(q->x, q->y, q->z, q->w) : quatsimd_strided_out(q->x, q->step);
}

/* Bits of elements that are not, or not quite, in the codes. */
static void check_beyond(const quatsimd_kernels *k, quatsimd_status status, const unsigned char *beyond,
                         const fuzz_quats *base, const fuzz_quats *value) {
  const size_t count = base->count;
  bool any = false;
  for (size_t i = 0; i < (count + 7) / 8 * 8; i++) {
    float p[4], q[4];
    const bool set = beyond[i / 8] >> i % 8 & 1;
    any = any || set;
    if (i >= count && set) fuzz_fail("%s: a bit behind the last element is set", k->name);
    if (i >= count) continue;
    fuzz_quats_get(base, i, p), fuzz_quats_get(value, i, q);
    if (!set && (fuzz_is_valid(p) == 0 || fuzz_is_valid(q) == 0))
      fuzz_fail("%s: element %zu is invalid and not told of", k->name, i);
  }
  if (any != (status != QUATSIMD_OK))
    fuzz_fail("%s: some are beyond, and the status is %s", k->name, quatsimd_status_string(status));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  fuzz_input in = {data, size};
  const quatsimd_relative_format format = (quatsimd_relative_format)(fuzz_byte(&in) % 8); /* 0 and 7 are none */
  const fuzz_shape shape = fuzz_take_shape(&in);
  const float largest = fuzz_float(&in);
  const size_t code = format >= 1 && format <= 6 ? quatsimd_relative_size(format, 1) : 4;
  const size_t there = in.left / (32 + code), count = there < MOST ? there : MOST;
  fuzz_quats base = fuzz_quats_new(shape.layout, count, shape.stride, shape.float_offset),
             value = fuzz_quats_new(QUATSIMD_AOS, count, 0, 0);
  for (size_t i = 0; i < count; i++) {
    float q[8];
    fuzz_take(&in, q, sizeof q);
    fuzz_quats_set(&base, i, q), fuzz_quats_set(&value, i, q + 4);
  }
  fuzz_array any = fuzz_array_new(code * count, shape.packed_offset), wanted_codes = {0}, wanted_beyond = {0};
  fuzz_take(&in, any.data, any.size);
  fuzz_quats wanted = {0};
  quatsimd_status wanted_status = QUATSIMD_OK, wanted_back = QUATSIMD_OK;
  for (size_t t = 0; t < n; t++) {
    fuzz_use(tables[t]);
    fuzz_array codes = fuzz_array_new(any.size, shape.packed_offset), beyond = fuzz_array_new((count + 7) / 8, 0);
    fuzz_quats to = fuzz_quats_new(shape.layout, count, shape.stride, shape.float_offset);
    const quatsimd_status status = quatsimd_relative_pack(format, largest, codes.data, codes.size, source_of(&base),
                                                          source_of(&value), count, beyond.data);
    const quatsimd_status back =
        quatsimd_relative_unpack(format, largest, target_of(&to), source_of(&base), any.data, any.size, count);
    if (status >= 0) check_beyond(tables[t], status, beyond.data, &base, &value);
    for (size_t i = 0; i < count && back == QUATSIMD_OK; i++) {
      float q[4];
      fuzz_quats_get(&to, i, q);
      if (!fuzz_is_unit(q)) fuzz_fail("%s: a code gives length %.9g", tables[t]->name, fuzz_length(q));
    }
    if (t == 0) {
      wanted_codes = codes, wanted_beyond = beyond, wanted = to, wanted_status = status, wanted_back = back;
      continue;
    }
    if (status != wanted_status || back != wanted_back) fuzz_fail("%s: another status than scalar's", tables[t]->name);
    if (memcmp(codes.data, wanted_codes.data, codes.size) != 0 ||
        memcmp(beyond.data, wanted_beyond.data, beyond.size) != 0)
      fuzz_fail("%s: not the codes of scalar", tables[t]->name);
    if (!fuzz_quats_equal(&to, &wanted)) fuzz_fail("%s: not the rotations of scalar", tables[t]->name);
    fuzz_array_free(&codes), fuzz_array_free(&beyond), fuzz_quats_free(&to);
  }
  fuzz_array_free(&any), fuzz_array_free(&wanted_codes), fuzz_array_free(&wanted_beyond);
  fuzz_quats_free(&wanted), fuzz_quats_free(&base), fuzz_quats_free(&value);
  return 0;
}
