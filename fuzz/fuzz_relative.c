/* libFuzzer over the codes of relative.h: any bases, values and bytes. All kernels give scalar's, any
 * bytes turn a base to a rotation, what is packed comes back within half a quantum of each component, no
 * rotation is code 0, and what is beyond the range, and only that, is told of. The expected value is
 * computed here, in double. */
#include "fuzz.h"

enum { MOST = 150 }; /* more than a chunk */

static quatsimd_in source_of(const fuzz_quats *q) {
  return q->layout == QUATSIMD_VIEW_SOA ? quatsimd_soa(q->x, q->y, q->z, q->w)
                                        : quatsimd_strided(q->x, q->stride);
}
static quatsimd_out target_of(const fuzz_quats *q) {
  return q->layout == QUATSIMD_VIEW_SOA ? quatsimd_soa_out(q->x, q->y, q->z, q->w)
                                        : quatsimd_strided_out(q->x, q->stride);
}

/* value base^-1, of length 1. */
static void relative_of(const float *base, const float *value, double r[4]) {
  const double b[4] = {base[0], base[1], base[2], base[3]}, v[4] = {value[0], value[1], value[2], value[3]};
  const double n = fuzz_length(base) * fuzz_length(value);
  r[0] = (v[0] * b[3] - v[3] * b[0] - v[1] * b[2] + v[2] * b[1]) / n;
  r[1] = (v[1] * b[3] - v[3] * b[1] - v[2] * b[0] + v[0] * b[2]) / n;
  r[2] = (v[2] * b[3] - v[3] * b[2] - v[0] * b[1] + v[1] * b[0]) / n;
  r[3] = (v[3] * b[3] + v[0] * b[0] + v[1] * b[1] + v[2] * b[2]) / n;
}

/* The vector that stands for a rotation, as which of r and -r it is given. */
static void vector_of(bool exponential, const double r[4], double v[3]) {
  const double n = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  const double k = !exponential ? 1 / (1 + r[3]) : n > 1e-9 ? 2 * atan2(n, r[3]) / n : 2;
  for (int i = 0; i < 3; i++) v[i] = k * r[i];
}

/* Of a base and a value that are both valid, what came back and whether it was told of. Null: it is as it
 * should be. */
static const char *wrong_with(quatsimd_relative_format format, float largest, const float *base,
                              const float *value, const float *back, bool set) {
  static const int bits[3][3] = {{8, 8, 8}, {11, 11, 10}, {16, 16, 16}};
  const bool exponential = format >= QUATSIMD_RELATIVE_EXPMAP24;
  const double range = exponential ? (double)largest : tan((double)largest / 4);
  const double rounding = exponential ? 3e-7 * 1.5708 : 3e-7 / 2; /* what floats lose: 3e-7 radians */
  double r[4], b[4], v[3], w[3], dot = 0, most = 0;
  relative_of(base, value, r), relative_of(base, back, b);
  for (int i = 0; i < 4; i++) dot += r[i] * b[i];
  /* half a turn may be a bit more */
  const double r_sign = r[3] < 0 ? -1 : 1, b_sign = dot * r_sign < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) r[i] *= r_sign, b[i] *= b_sign;
  vector_of(exponential, r, v), vector_of(exponential, b, w);
  for (int i = 0; i < 3; i++) most = fmax(most, fabs(v[i]));
  if (set && most < range - rounding) return "is within the range and told of";
  if (!set && most > range * (1 + 0x1p-19) + rounding) return "is beyond the range and not told of";
  if (set && r[3] < 1e-6) return NULL; /* of half a turn either axis may be the one that is kept */
  double half[3], whole = 0;
  for (int i = 0; i < 3; i++) {
    half[i] = (0.5 + 1e-6) * range / ((1 << (bits[(format - 1) % 3][i] - 1)) - 1);
    whole += half[i] * half[i];
  }
  /* if it was the other one, what is off along the axis comes back with the other sign: one component may
   * have all of it */
  for (int i = 0; i < 3; i++) {
    if (fabs(v[i] * (set ? range / most : 1) - w[i]) > (r[3] < 1e-6 ? sqrt(whole) : half[i]) + rounding)
      return set ? "is beyond the range and not on its edge" : "is off by more than half a quantum";
  }
  return NULL;
}

/* value is base or -base. */
static bool is_same(const float *base, const float *value) {
  bool same = true, opposite = true;
  for (int c = 0; c < 4; c++) same = same && value[c] == base[c], opposite = opposite && value[c] == -base[c];
  return same || opposite;
}

static bool all_zero(const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i]) return false;
  return true;
}

/* The packed codes, what they unpack to, and the bits of elements that are not, or not quite, in the
 * codes. */
static void check_packed(const quatsimd_kernels *k, quatsimd_relative_format format, float largest,
                         quatsimd_status status, const fuzz_array *codes, const unsigned char *beyond,
                         const fuzz_quats *base, const fuzz_quats *value) {
  const size_t count = base->count, code = quatsimd_relative_packed_size(format, 1);
  bool any = false, any_invalid = false;
  fuzz_quats to = fuzz_quats_new(QUATSIMD_VIEW_AOS, count, 0, 0);
  if (quatsimd_relative_unpack(format, largest, target_of(&to), source_of(base), codes->data, codes->size,
                               count) != QUATSIMD_OK)
    fuzz_fail("%s: what it packed is not unpacked", k->name);
  for (size_t i = 0; i < (count + 7) / 8 * 8; i++) {
    float p[4], q[4], back[4];
    const bool set = beyond[i / 8] >> i % 8 & 1;
    any = any || set;
    if (i >= count && set) fuzz_fail("%s: a bit behind the last element is set", k->name);
    if (i >= count) continue;
    fuzz_quats_get(base, i, p), fuzz_quats_get(value, i, q), fuzz_quats_get(&to, i, back);
    const int p_valid = fuzz_is_valid(p), q_valid = fuzz_is_valid(q);
    const bool invalid = p_valid == 0 || q_valid == 0, none = all_zero(codes->data + code * i, code);
    any_invalid = any_invalid || invalid;
    if (invalid && !(set && none))
      fuzz_fail("%s: element %zu is invalid and not told of, or not code 0", k->name, i);
    if (p_valid != 1 || q_valid != 1) continue;
    if (is_same(p, q) && (set || !none))
      fuzz_fail("%s: element %zu does not turn and is not code 0", k->name, i);
    for (int c = 0; c < 4 && none; c++)
      if (fabs((double)p[c] / fuzz_length(p) - (double)back[c]) > 1.2e-7)
        fuzz_fail("%s: element %zu is code 0 and comes back as another than its base", k->name, i);
    const char *wrong = wrong_with(format, largest, p, q, back, set);
    if (wrong) fuzz_fail("%s: element %zu %s", k->name, i, wrong);
  }
  if (any != (status != QUATSIMD_OK) || (any_invalid && status != QUATSIMD_WARNING_REPLACED_INVALID))
    fuzz_fail("%s: some are beyond or invalid, and the status is %s", k->name,
              quatsimd_status_string(status));
  fuzz_quats_free(&to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  fuzz_input in = {data, size};
  const unsigned how = fuzz_byte(&in);
  const quatsimd_relative_format format = (quatsimd_relative_format)(how % 8); /* 0 and 7 are none */
  const fuzz_shape shape = fuzz_take_shape(&in);
  const float largest = fuzz_float(&in);
  const size_t code = format >= 1 && format <= 6 ? quatsimd_relative_packed_size(format, 1) : 4;
  const size_t there = in.left / (32 + code), count = there < MOST ? there : MOST;
  fuzz_quats base = fuzz_quats_new(shape.layout, count, shape.stride, shape.float_offset),
             value = fuzz_quats_new(QUATSIMD_VIEW_AOS, count, 0, 0);
  for (size_t i = 0; i < count; i++) {
    float q[8];
    fuzz_take(&in, q, sizeof q);
    /* some do not turn */
    for (int c = 0; c < 4 && how >> 3 & i & 1; c++) q[4 + c] = how & 16 ? -q[c] : q[c];
    fuzz_quats_set(&base, i, q), fuzz_quats_set(&value, i, q + 4);
  }
  fuzz_array any = fuzz_array_new(code * count, shape.packed_offset), wanted_codes = {0}, wanted_beyond = {0};
  fuzz_take(&in, any.data, any.size);
  fuzz_quats wanted = {0};
  quatsimd_status wanted_status = QUATSIMD_OK, wanted_back = QUATSIMD_OK;
  for (size_t t = 0; t < n; t++) {
    fuzz_use(tables[t]);
    fuzz_array codes = fuzz_array_new(any.size, shape.packed_offset),
               beyond = fuzz_array_new((count + 7) / 8, 0);
    fuzz_quats to = fuzz_quats_new(shape.layout, count, shape.stride, shape.float_offset);
    const quatsimd_status status = quatsimd_relative_pack(
        format, largest, codes.data, codes.size, beyond.data, source_of(&base), source_of(&value), count);
    const quatsimd_status back = quatsimd_relative_unpack(format, largest, target_of(&to), source_of(&base),
                                                          any.data, any.size, count);
    if (status >= 0) check_packed(tables[t], format, largest, status, &codes, beyond.data, &base, &value);
    for (size_t i = 0; i < count && back == QUATSIMD_OK; i++) {
      float q[4];
      fuzz_quats_get(&to, i, q);
      if (!fuzz_is_unit(q)) fuzz_fail("%s: a code gives length %.9g", tables[t]->name, fuzz_length(q));
    }
    if (t == 0) {
      wanted_codes = codes, wanted_beyond = beyond, wanted = to, wanted_status = status, wanted_back = back;
      continue;
    }
    if (status != wanted_status || back != wanted_back)
      fuzz_fail("%s: another status than scalar's", tables[t]->name);
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
