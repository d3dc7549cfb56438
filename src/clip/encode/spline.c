#include "clip/encode/spline.h"

#include "core/bits.h"
#include "core/quat64.h"

/* ---- the spline ---- */

/* Makes a value or tangent relative to the base's value. False if it has no such value. */
static bool make_relative(double *number, int kind, const double *base, bool tangent) {
  if (kind == QUATSIMD_CLIP_ROTATION) quat64_relative(number, base, number);
  bool good = true;
  for (size_t c = 0; c < clip_components(kind); c++) {
    if (kind == QUATSIMD_CLIP_SCALE) number[c] /= base[c];
    else if (kind != QUATSIMD_CLIP_ROTATION && !tangent) number[c] -= base[c];
    good = good && fabs(number[c]) <= (tangent ? 0x1p+100 : 0x1p+60);
  }
  return good;
}

/* Makes a pair. A curve without keys becomes one key. False if memory runs out. */
static bool take_pair(quatsimd_memory *memory, clip_spline *spline, const clip_truth *truth, int kind) {
  spline->base = truth->base, spline->curve = truth->curve;
  if (truth->curve.key_count > 0) return true;
  float *value = quatsimd_take(memory, CLIP_MOST_COMPONENTS, sizeof *value);
  for (size_t c = 0; value && c < clip_components(kind); c++) value[c] = (float)quatsimd_no_value[kind][c];
  spline->curve = (quatsimd_curve){1, truth->base.times, value, QUATSIMD_CURVE_LINEAR};
  return value != NULL;
}

bool quatsimd_spline_take(quatsimd_memory *memory, clip_spline *spline, const clip_truth *truth, int kind) {
  const quatsimd_curve *curve = &truth->curve;
  const size_t n = clip_components(kind), numbers = 3 * curve->key_count;
  *spline = (clip_spline){.curve.key_count = 0};
  if (truth->base.key_count > CLIP_MOST_KEYS_3 / 2) return true;
  if (truth->base.key_count > 1) return take_pair(memory, spline, truth, kind);
  if (truth->base.key_count == 0) {
    spline->curve = *curve;
    return true;
  }
  double base[CLIP_MOST_COMPONENTS], number[CLIP_MOST_COMPONENTS];
  quatsimd_curve_key(&truth->base, kind, 0, base);
  float *values = quatsimd_take(memory, numbers, n * sizeof *values);
  if (!values) return false;
  for (size_t i = 0; i < numbers; i++) {
    for (size_t c = 0; c < n; c++) number[c] = clip_kept(curve->values[n * i + c]);
    if (!make_relative(number, kind, base, i % 3 != 1)) return true;
    for (size_t c = 0; c < n; c++) values[n * i + c] = (float)clip_kept(number[c]);
  }
  spline->curve = (quatsimd_curve){curve->key_count, curve->times, values, QUATSIMD_CURVE_CUBIC};
  return true;
}

bool quatsimd_spline_straighten(quatsimd_memory *memory, quatsimd_curve *curve, const clip_spline *spline,
                                int kind) {
  const quatsimd_curve *from = &spline->curve;
  const size_t n = clip_components(kind), most = SPLINE_PARTS * from->key_count;
  double *times = quatsimd_take(memory, most, sizeof *times);
  float *values = quatsimd_take(memory, most, n * sizeof *values);
  clip_progress place = {0};
  size_t keys = 0;
  if (!times || !values) return false;
  for (size_t i = 0; i <= SPLINE_PARTS * (from->key_count - 1); i++) {
    const size_t k = i / SPLINE_PARTS, part = i % SPLINE_PARTS;
    const double *t = from->times + k,
                 time = part ? t[0] + (t[1] - t[0]) * ((double)part / SPLINE_PARTS) : t[0];
    double value[CLIP_MOST_COMPONENTS];
    if ((keys > 0 && !(time > times[keys - 1])) || (part && !(time < t[1]))) continue;
    quatsimd_curve_along(from, kind, time, &place, value);
    for (size_t c = 0; c < n; c++) values[n * keys + c] = (float)clip_kept(value[c]);
    times[keys++] = time;
  }
  *curve = (quatsimd_curve){keys, times, values, QUATSIMD_CURVE_LINEAR};
  return true;
}

/* ---- packed numbers ---- */

/* Numbers follow each other as in a clip: number 3 k is the value of key k, then come its out-tangent and the
 * next key's in-tangent. */
static size_t numbers_of(const clip_spline *spline) { return 3 * spline->curve.key_count - 2; }
static bool is_tangent(size_t i) { return i % 3 != 0; }
static double step_of(const clip_spline *spline, bool tangent) {
  return tangent ? CLIP_SPLINE_TANGENT * (double)spline->unit : (double)spline->unit;
}

/* Returns component c of number i, in units and rounded. */
static double packed(const clip_spline *spline, int kind, size_t i, size_t c) {
  const quatsimd_curve *curve = &spline->curve;
  const double length = is_tangent(i) ? curve->times[i / 3 + 1] - curve->times[i / 3] : 1,
               x = length * clip_kept(clip_key(curve, kind, 0)[clip_components(kind) * i + c]) /
                   step_of(spline, is_tangent(i)),
               most = 0x1p+30;
  return x > most ? most : x < -most ? -most : (double)(int32_t)(x < 0 ? x - 0.5 : x + 0.5);
}

/* Sets spline->width. False if a number needs more than CLIP_SPLINE_BITS. */
static bool find_widths(clip_spline *spline, int kind) {
  memset(spline->width, 0, sizeof spline->width);
  for (size_t i = 0; i < numbers_of(spline); i++)
    for (size_t c = 0; c < clip_components(kind); c++) {
      const unsigned bits = bits_for((int32_t)packed(spline, kind, i, c));
      uint8_t *width = &spline->width[is_tangent(i)][c];
      if (bits > CLIP_SPLINE_BITS) return false;
      if (bits > *width) *width = (uint8_t)bits;
    }
  return true;
}

/* True if the packed spline is within `bound` of the curve from key k to the next key. A rotation that may
 * pass near 0 is not, because there its direction depends on every bit. */
static bool piece_fits(const clip_spline *spline, int kind, size_t k, double bound) {
  enum { PARTS = 16 };
  const size_t n = clip_components(kind);
  const bool rotation = kind == QUATSIMD_CLIP_ROTATION;
  double wanted[SPLINE_NUMBERS][4] = {{0}}, found[SPLINE_NUMBERS][4] = {{0}}, before[4] = {0},
         chord2[3] = {0};
  quatsimd_curve_numbers(&spline->curve, kind, k, wanted);
  for (size_t i = 0; i < SPLINE_NUMBERS; i++)
    for (size_t c = 0; c < n; c++)
      found[i][c] = packed(spline, kind, 3 * k + i, c) * step_of(spline, is_tangent(i));
  const double first = quat64_dot(wanted[SPLINE_VALUE], wanted[SPLINE_VALUE]);
  for (int q = 0; q <= PARTS; q++) {
    double a[4] = {0}, b[4] = {0}, step[4], largest = 0;
    spline_between(a, wanted, n, (double)q / PARTS), spline_between(b, found, n, (double)q / PARTS);
    clip_clear_axes(a, kind), clip_clear_axes(b, kind);
    for (int c = 0; c < 4; c++) step[c] = q ? a[c] - before[c] : 0, before[c] = a[c];
    const double length = quatsimd_sqrt(quat64_dot(a, a));
    if (rotation && !(length - 2 * quatsimd_sqrt(quat64_dot(step, step)) > 0.25 * quatsimd_sqrt(first)))
      return false;
    if (rotation && (!spline_turn(a) || !spline_turn(b))) return false;
    for (size_t c = 0; c < n; c++) largest = fabs(a[c]) > largest ? fabs(a[c]) : largest;
    /* the value is rounded to float once */
    const double left = bound * (1 - 0x1p-6) - (rotation ? 3e-7 : 2 * 0x1p-24 * largest);
    chord2[2] = quatsimd_value_chord2(kind, a, b);
    const double peak = q > 1 ? clip_peak(chord2[0], chord2[1], chord2[2]) : chord2[2];
    if (!(left > 0 && quatsimd_chord2_error(kind, peak) <= left &&
          quatsimd_chord2_error(kind, chord2[2]) <= left))
      return false;
    chord2[0] = chord2[1], chord2[1] = chord2[2];
  }
  return true;
}

static size_t packed_bytes(const clip_spline *spline, int kind) {
  const size_t n = clip_components(kind), keys = spline->curve.key_count;
  uint64_t value = 0, tangent = 0;
  for (size_t c = 0; c < n; c++) value += spline->width[0][c], tangent += spline->width[1][c];
  return 4 + 2 * n + (size_t)((keys * value + 2 * (keys - 1) * tangent + 7) / 8);
}

void quatsimd_spline_fit(clip_spline *spline, int kind, double bound, bool floats) {
  enum { TRIES = 12 };
  const size_t keys = spline->curve.key_count, in_floats = 4 * clip_components(kind) * numbers_of(spline);
  /* the error of the worst case is 1.5 units of each component; most splines hold the bound with more */
  double unit = kind == QUATSIMD_CLIP_ROTATION ? bound / 2 : bound;
  spline->floats = true, spline->bytes = in_floats;
  if (kind ==
      QUATSIMD_CLIP_ROTATION) { /* errors of direction are relative to lengths, which may differ from 1 */
    const float *v = clip_key(&spline->curve, kind, 0);
    const double q[4] = {v[0], v[1], v[2], v[3]};
    unit *= quatsimd_sqrt(quat64_dot(q, q));
  }
  for (int i = 0; i < TRIES && !floats && !clip_is_pair(spline) && unit >= 0x1p-90 && unit <= 0x1p+60;
       i++, unit *= 0.8) {
    size_t k = 0;
    spline->unit = (float)unit;
    if (!find_widths(spline, kind)) return;
    const size_t bytes = packed_bytes(spline, kind);
    if (bytes >= in_floats) return;
    while (k + 1 < keys && piece_fits(spline, kind, k, bound)) k++;
    if (k + 1 < keys) continue;
    spline->floats = false, spline->bytes = bytes;
    return;
  }
}

/* ---- writing ---- */

void quatsimd_spline_write(clip_bytes *bytes, const clip_spline *spline, int kind) {
  const size_t n = clip_components(kind);
  unsigned char *p = quatsimd_clip_append(bytes, spline->bytes);
  if (p && !spline->floats) {
    store_float(p, spline->unit);
    for (size_t c = 0; c < n; c++) p[4 + c] = spline->width[0][c], p[4 + n + c] = spline->width[1][c];
    p += 4 + 2 * n;
  }
  size_t bit = 0;
  for (size_t i = 0; p && i < numbers_of(spline); i++)
    for (size_t c = 0; c < n; c++)
      if (spline->floats)
        store_float(p, (float)clip_kept(clip_key(&spline->curve, kind, 0)[n * i + c])), p += 4;
      else {
        const unsigned width = spline->width[is_tangent(i)][c];
        put_bits(p, bit, width, (int32_t)packed(spline, kind, i, c));
        bit += width;
      }
}
