#include "clip/sample/still.h"

#include "clip/kernels.h"
#include "clip/sample/states.h"

static void normalise(float q[4]) {
  const float r = 1 / quatsimd_sqrtf((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
  for (int i = 0; i < 4; i++) q[i] *= r;
}

void quatsimd_clip_load_numbers(double number[SPLINE_NUMBERS][4], const clip_keyed *keys, size_t k,
                                bool between) {
  const size_t n = keys->components;
  const unsigned char *const width = keys->values + 4, *const packed = keys->values + clip_spline_head(keys),
                             *at = keys->values + 4 * n * 3 * k;
  const double unit = keys->floats ? 0 : (double)load_float(keys->values);
  const double length = between ? clip_keyed_time(keys, k + 1) - clip_keyed_time(keys, k) : 0;
  unsigned tangents;
  uint64_t bit = keys->floats ? 0 : (uint64_t)k * clip_spline_bits(keys, &tangents);
  for (int i = 0; i < (between ? SPLINE_NUMBERS : 1); i++) {
    const bool tangent = i == SPLINE_OUT || i == SPLINE_IN;
    for (size_t c = 0; c < n; c++)
      if (keys->floats) {
        number[i][c] = spline_kept((double)load_float(at)) * (tangent ? length : 1);
        at += 4;
      } else {
        const unsigned bits = width[tangent ? n + c : c];
        number[i][c] =
            get_bits(packed + bit / 8, bit % 8, bits) * (tangent ? CLIP_SPLINE_TANGENT * unit : unit);
        bit += bits;
      }
  }
}

/* Evaluates a spline at a time, where key k is the last one that is not after it, or key 0. */
static void sample_spline(double at[4], const clip_keyed *keys, size_t k, double time) {
  double number[SPLINE_NUMBERS][4] = {{0}};
  const double from = clip_keyed_time(keys, k);
  const bool between = k + 1 < keys->count && time > from;
  quatsimd_clip_load_numbers(number, keys, k, between);
  memcpy(at, number[SPLINE_VALUE], sizeof number[SPLINE_VALUE]);
  if (between) {
    const double length = clip_keyed_time(keys, k + 1) - from; /* may be 0 where denormals are flushed */
    spline_between(at, number, keys->components, length > 0 ? (time - from) / length : 0);
  }
  if (keys->components == 4 && !spline_turn(at)) {
    memcpy(at, number[SPLINE_VALUE], sizeof number[SPLINE_VALUE]);
    if (!spline_turn(at)) at[0] = at[1] = at[2] = 0, at[3] = 1;
  }
}

void quatsimd_clip_load_key(float value[4], const clip_keyed *keys, size_t k) {
  if (keys->spline) {
    quatsimd_clip_sample_keys(value, keys, clip_keyed_time(keys, k));
    return;
  }
  const unsigned char *from = keys->values + k * keys->value_bytes;
  if (!keys->floats) {
    clip_load_value(value, keys->clip, keys->kind, from);
    return;
  }
  for (int i = 0; i < 4; i++) value[i] = load_float(from + 4 * i);
  normalise(value);
  for (int i = 0; i < 4; i++) value[i] += 0.0f; /* turns -0 into 0 */
}

/* Turns `value` by t toward `next`. Both are unit quaternions. */
static void turn_toward(float value[4], const float next[4], float t) {
  const quatsimd_clip_weights w = clip_weights(t);
  const float d = clip_key_dot(value, next);
  const float second = clip_second(&w, fabsf(d) * 0.25f), first = w.whole - second,
              of_next = d < 0 ? -second : second;
  for (int i = 0; i < 4; i++) value[i] = value[i] * first + next[i] * of_next;
  normalise(value);
}

size_t quatsimd_clip_key_at(const clip_keyed *keys, double time) {
  size_t low = 0, high = keys->count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (clip_keyed_time(keys, middle) <= time) low = middle;
    else high = middle;
  }
  return low;
}

/* Loads key k and, if `time` is between it and the next key, that key. Returns how far `time` is from the one
 * to the other, from 0 to 1, or -1 if it is not between them. */
static double load_keys(float value[4], float next[4], const clip_keyed *keys, size_t k, double time) {
  const double from = clip_keyed_time(keys, k);
  quatsimd_clip_load_key(value, keys, k);
  if (keys->hold || k + 1 == keys->count || !(time > from)) return -1;
  quatsimd_clip_load_key(next, keys, k + 1);
  const double distance = clip_keyed_time(keys, k + 1) - from; /* may be 0 where denormals are flushed */
  return distance > 0 ? (time - from) / distance : 0;
}

void quatsimd_clip_sample_part(double at[4], const clip_keyed *keys, double time) {
  const size_t k = quatsimd_clip_key_at(keys, time);
  if (keys->spline) {
    sample_spline(at, keys, k, time);
    return;
  }
  float value[4] = {0}, next[4] = {0};
  const double t = load_keys(value, next, keys, k, time);
  const bool turns = keys->kind == QUATSIMD_CLIP_ROTATION;
  if (turns && t >= 0) turn_toward(value, next, (float)t);
  for (size_t c = 0; c < keys->components; c++)
    at[c] = turns || t < 0 ? value[c] : (double)value[c] * (1 - t) + (double)next[c] * t;
}

/* Makes the value of a pair's curve relative to its base. */
static void subtract(double at[4], const clip_keyed *keys, double time) {
  const clip_keyed of_base = quatsimd_clip_keyed_base(keys);
  double base[4] = {0};
  quatsimd_clip_sample_part(base, &of_base, time);
  if (keys->kind == QUATSIMD_CLIP_ROTATION) quat64_relative(at, base, at), quat64_normalise(at);
  else
    for (size_t c = 0; c < keys->components; c++)
      at[c] = keys->kind != QUATSIMD_CLIP_SCALE               ? at[c] - base[c]
              : at[c] == base[c] || spline_kept(base[c]) == 0 ? 1
                                                              : at[c] / base[c];
}

void quatsimd_clip_sample_keys(float value[4], const clip_keyed *keys, double time) {
  if (keys->spline || keys->pair) {
    double at[4];
    quatsimd_clip_sample_part(at, keys, time);
    if (keys->pair) subtract(at, keys, time);
    for (size_t c = 0; c < keys->components; c++) value[c] = spline_rounded(at[c]);
    return;
  }
  float next[4] = {0};
  const float t = (float)load_keys(value, next, keys, quatsimd_clip_key_at(keys, time), time);
  if (t < 0) return;
  if (keys->kind == QUATSIMD_CLIP_ROTATION) turn_toward(value, next, t);
  else
    for (size_t c = 0; c < keys->components; c++) value[c] = value[c] * (1 - t) + next[c] * t;
}

/* ---- all joints ---- */

enum { STILL_CONSTANTS = 64 }; /* constants that are loaded at a time */

static size_t lowest_joint(uint64_t bits) { return quatsimd_lowest_bit(bits) / 2; }

/* Stores one value in `frames` elements: `element`, element + apart, element + 2 * apart and so on. */
static inline void store_frames(const clip_output *out, size_t element, size_t apart, size_t frames,
                                const float *value) {
  const size_t bytes = apart * out->to.stride;
  char *to = clip_place(out, element);
  if (!out->to.interleaved)
    for (size_t f = 0; f < frames; f++) quatsimd_store_element(&out->to, element + f * apart, value);
  else if (out->components == 4)
    for (size_t f = 0; f < frames; f++) memcpy(to + f * bytes, value, 4 * sizeof *value);
  else if (out->components == CLIP_AXES)
    for (size_t f = 0; f < frames; f++) memcpy(to + f * bytes, value, CLIP_AXES * sizeof *value);
  else
    for (size_t f = 0; f < frames; f++) memcpy(to + f * bytes, value, sizeof *value);
}

/* True if store_rest may copy the whole rest pose, and at least a quarter of curves are at rest or absent. */
static bool is_much_rest(const quatsimd_clip *clip, int kind, const clip_output *out) {
  const quatsimd_clip_still *part = clip_still_of(clip, kind);
  return out->to.interleaved && out->rest.interleaved && !out->leave_absent &&
         4 * ((size_t)part->moving + part->constants + part->keyed) <= 3 * clip_elements(clip, kind);
}

/* Copies `count` values, four at a time. `bytes` is known at compile time. */
static inline void copy_values(char *to, size_t stride, const char *from, size_t from_stride, size_t count,
                               size_t bytes) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4, to += 4 * stride, from += 4 * from_stride) {
    memcpy(to, from, bytes);
    memcpy(to + stride, from + from_stride, bytes);
    memcpy(to + 2 * stride, from + 2 * from_stride, bytes);
    memcpy(to + 3 * stride, from + 3 * from_stride, bytes);
  }
  for (; i < count; i++, to += stride, from += from_stride) memcpy(to, from, bytes);
}

/* Copies the rest pose of the first `wanted` joints to elements from `to` on. */
static void copy_rest(const clip_output *out, size_t to, size_t wanted) {
  const size_t bytes = out->components * sizeof(float), stride = out->to.stride,
               rest_stride = out->rest.stride;
  const char *from = out->rest.first;
  char *at = clip_place(out, to);
  if (stride == bytes && rest_stride == bytes) memcpy(at, from, wanted * bytes);
  else if (out->components == 4) copy_values(at, stride, from, rest_stride, wanted, 4 * sizeof(float));
  else if (out->components == CLIP_AXES)
    copy_values(at, stride, from, rest_stride, wanted, CLIP_AXES * sizeof(float));
  else copy_values(at, stride, from, rest_stride, wanted, sizeof(float));
}

/* Stores joints at rest or absent for `frames` frames. May store other joints, too: overwrite them later. */
static inline void store_rest(const quatsimd_clip *clip, int kind, size_t frames, const clip_output *out,
                              size_t to, size_t wanted) {
  const size_t elements = clip_elements(clip, kind);
  if (is_much_rest(clip, kind, out)) {
    for (size_t f = 0; f < frames; f++) copy_rest(out, to + f * elements, wanted);
    return;
  }
  quatsimd_clip_part part;
  clip_find_still(&part, clip, kind);
  for (size_t first = 0; first < wanted; first += CLIP_STATE_JOINTS) {
    const clip_states states = quatsimd_clip_load_states(&part, elements, first);
    for (uint64_t left = states.at_rest | (out->leave_absent ? 0 : states.absent); left; left &= left - 1) {
      const size_t joint = first + lowest_joint(left);
      float value[4];
      clip_load_rest(value, out, joint);
      store_frames(out, to + joint, elements, frames, value);
    }
  }
}

static inline void store_constants(const quatsimd_clip *clip, int kind, size_t frames, const clip_output *out,
                                   size_t to, size_t wanted) {
  quatsimd_clip_part part;
  clip_find_still(&part, clip, kind);
  const size_t bytes = clip_constant_bytes(kind, clip_precision(clip)), n = out->components;
  float constant[4 * STILL_CONSTANTS];
  size_t constants = 0;
  for (size_t first = 0; constants < part.constants && first < wanted; first += CLIP_STATE_JOINTS)
    for (uint64_t left = quatsimd_clip_load_states(&part, clip_elements(clip, kind), first).constant; left;
         left &= left - 1, constants++) {
      const size_t at_hand = constants % STILL_CONSTANTS, following = part.constants - constants;
      if (at_hand == 0)
        quatsimd_constant_load(constant, kind, clip_precision(clip), part.constant + constants * bytes,
                               following < STILL_CONSTANTS ? following : STILL_CONSTANTS);
      store_frames(out, to + first + lowest_joint(left), clip_elements(clip, kind), frames,
                   constant + n * at_hand);
    }
}

/* Samples curves with keys: at `time` if `frames` is 1, else at `frames` frames from `frame` on. */
static void store_keyed(const quatsimd_clip *clip, int kind, double time, size_t frame, size_t frames,
                        const clip_output *out, size_t to, size_t wanted) {
  quatsimd_clip_part part;
  clip_find_still(&part, clip, kind);
  const unsigned char *keys_at = part.keys;
  size_t passed = 0;
  for (size_t first = 0; passed < part.keyed && first < wanted; first += CLIP_STATE_JOINTS)
    for (uint64_t left = quatsimd_clip_load_states(&part, clip_elements(clip, kind), first).keyed; left;
         left &= left - 1, passed++) {
      const clip_keyed keys = clip_keyed_at(clip, kind, keys_at);
      const size_t element = to + first + lowest_joint(left);
      for (size_t f = 0; f < frames; f++) {
        float sampled[4];
        quatsimd_clip_sample_keys(sampled, &keys, frames > 1 ? clip_frame_time(clip, frame + f) : time);
        clip_store(out, element + f * clip_elements(clip, kind), sampled);
      }
      keys_at = quatsimd_clip_keyed_end(&keys);
    }
}

void quatsimd_clip_sample_rest(const quatsimd_clip *clip, int kind, size_t wanted, const clip_output *out) {
  store_rest(clip, kind, 1, out, 0, wanted);
}

void quatsimd_clip_sample_constants(const quatsimd_clip *clip, int kind, size_t wanted,
                                    const clip_output *out) {
  store_constants(clip, kind, 1, out, 0, wanted);
}

void quatsimd_clip_sample_keyed(const quatsimd_clip *clip, int kind, const clip_position *p, size_t wanted,
                                const clip_output *out) {
  store_keyed(clip, kind, p->time, 0, 1, out, 0, wanted);
}

void quatsimd_clip_decode_still(const quatsimd_clip *clip, int kind, size_t frame, size_t frames,
                                const clip_output *out, size_t to) {
  const size_t all = clip_elements(clip, kind);
  store_rest(clip, kind, frames, out, to, all);
  store_constants(clip, kind, frames, out, to, all);
  store_keyed(clip, kind, clip_frame_time(clip, frame), frame, frames, out, to, all);
}

/* ---- some joints ---- */

/* Counts the joints before `joint` whose curves have keys, or if not `keyed`, are constant. */
static size_t count_before(const quatsimd_clip *clip, int kind, size_t joint, bool keyed) {
  quatsimd_clip_part part;
  clip_find_still(&part, clip, kind);
  size_t count = 0;
  for (size_t first = 0; first <= joint; first += CLIP_STATE_JOINTS) {
    const clip_states states = quatsimd_clip_load_states(&part, clip_elements(clip, kind), first);
    const uint64_t before =
        joint - first < CLIP_STATE_JOINTS ? ((uint64_t)1 << 2 * (joint - first)) - 1 : UINT64_MAX;
    count += clip_count_bits((keyed ? states.keyed : states.constant) & before);
  }
  return count;
}

/* Evaluates curve number `rank` of the curves with keys. `rank` must not be less than passed->rank. */
static void sample_one_keyed(float value[4], const quatsimd_clip *clip, int kind, size_t rank,
                             const clip_position *p, clip_passed *passed) {
  clip_keyed keys = clip_keyed_at(clip, kind, passed->keys);
  for (; passed->rank < rank; passed->rank++)
    passed->keys = quatsimd_clip_keyed_end(&keys), keys = clip_keyed_at(clip, kind, passed->keys);
  quatsimd_clip_sample_keys(value, &keys, p->time);
}

bool quatsimd_clip_sample_one_still(const quatsimd_clip *clip, int kind, const clip_position *p, size_t joint,
                                    const clip_output *out) {
  const size_t bytes = clip_constant_bytes(kind, clip_precision(clip));
  quatsimd_clip_part part;
  clip_find_still(&part, clip, kind);
  const quatsimd_clip_state state = clip_part_state(&part, joint);
  clip_passed passed = {.keys = part.keys};
  float value[4];
  switch (state) {
  case QUATSIMD_CLIP_MOVING: return false;
  case QUATSIMD_CLIP_CONSTANT:
    clip_load_value(value, clip, kind, part.constant + bytes * count_before(clip, kind, joint, false));
    break;
  case QUATSIMD_CLIP_KEYED:
    sample_one_keyed(value, clip, kind, count_before(clip, kind, joint, true), p, &passed);
    break;
  default:
    if (state == QUATSIMD_CLIP_ABSENT && out->leave_absent) return true;
    clip_load_rest(value, out, joint);
  }
  clip_store(out, 0, value);
  return true;
}

size_t quatsimd_clip_sample_some_still(const quatsimd_clip *clip, int kind, const clip_position *p,
                                       const clip_asked *asked, clip_passed *passed, const clip_output *out) {
  _Static_assert((int)ASKED_WORD == (int)CLIP_STATE_JOINTS, "a word has other joints than states");
  quatsimd_clip_part part;
  clip_find_still(&part, clip, kind);
  const size_t bytes = clip_constant_bytes(kind, clip_precision(clip));
  size_t moving = 0;
  for (; passed->joints < asked->end; passed->joints += CLIP_STATE_JOINTS) {
    const size_t first = passed->joints;
    const clip_states states = quatsimd_clip_load_states(&part, clip_elements(clip, kind), first);
    uint32_t left = first < asked->first ? 0 : asked->bits[(first - asked->first) / ASKED_WORD];
    for (; left; left &= left - 1) {
      const unsigned i = quatsimd_lowest_bit(left);
      const uint64_t bit = (uint64_t)1 << 2 * i, before = bit - 1;
      float value[4];
      if (states.constant & bit)
        clip_load_value(value, clip, kind,
                        part.constant +
                            bytes * (passed->constants + clip_count_bits(states.constant & before)));
      else if (states.keyed & bit)
        sample_one_keyed(value, clip, kind, passed->keyed + clip_count_bits(states.keyed & before), p,
                         passed);
      else if ((states.at_rest | states.absent) & bit) clip_load_rest(value, out, first + i);
      else moving++;
      if ((states.constant | states.keyed | states.at_rest | (out->leave_absent ? 0 : states.absent)) & bit)
        clip_store(out, clip_asked_element(asked, first + i), value);
    }
    passed->constants += clip_count_bits(states.constant), passed->keyed += clip_count_bits(states.keyed);
  }
  return moving;
}
