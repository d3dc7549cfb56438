#include "clip/sample/still.h"

#include "clip/kernels.h"

const float quatsimd_clip_none[QUATSIMD_CLIP_KINDS][4] = {{0, 0, 0, 1}, {0, 0, 0, 0}, {1, 1, 1, 0}};

static void normalise(float q[4]) {
  const float r = 1 / __builtin_sqrtf((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
  for (int i = 0; i < 4; i++) q[i] *= r;
}

void quatsimd_clip_load_key(float value[4], const quatsimd_clip *clip, int kind, const clip_keyed *keys,
                            size_t k) {
  const unsigned char *from = keys->values + k * keys->value_bytes;
  if (!keys->floats) {
    clip_load_value(value, clip, kind, from);
    return;
  }
  for (int i = 0; i < 4; i++) value[i] = load_float(from + 4 * i);
  normalise(value);
  for (int i = 0; i < 4; i++) value[i] += 0.0f; /* no -0 */
}

/* From one unit quaternion toward the next, as between frames. */
static void turn_toward(float value[4], const float next[4], float t) {
  const quatsimd_clip_weights w = clip_weights(t);
  const float d = (value[0] * next[0] + value[1] * next[1]) + (value[2] * next[2] + value[3] * next[3]);
  const float second = clip_second(&w, __builtin_fabsf(d) * 0.25f), first = w.whole - second,
              of_next = d < 0 ? -second : second;
  for (int i = 0; i < 4; i++) value[i] = value[i] * first + next[i] * of_next;
  normalise(value);
}

void quatsimd_clip_sample_keys(float value[4], const quatsimd_clip *clip, int kind, const clip_keyed *keys,
                               double time) {
  size_t low = 0, high = keys->count; /* low: the last key that is not after `time`, or the first */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (clip_keyed_time(keys, middle) <= time) low = middle;
    else high = middle;
  }
  quatsimd_clip_load_key(value, clip, kind, keys, low);
  const double from = clip_keyed_time(keys, low);
  if (keys->hold || high == keys->count || !(time > from)) return;
  float next[4];
  quatsimd_clip_load_key(next, clip, kind, keys, high);
  const double distance = clip_keyed_time(keys, high) - from; /* may be 0 where denormals are flushed */
  const float t = distance > 0 ? (float)((time - from) / distance) : 0;
  if (kind == QUATSIMD_CLIP_ROTATION) turn_toward(value, next, t);
  else
    for (int c = 0; c < CLIP_AXES; c++) value[c] = value[c] * (1 - t) + next[c] * t;
}

#define ALL_MOVING 0xaaaaaaaaaaaaaaaau
enum { STILL_JOINTS = 32, STILL_CONSTANTS = 64 }; /* at once */
/* The states of STILL_JOINTS joints, two bits each, CLIP_MOVING behind the last one. */
static uint64_t load_states(const quatsimd_clip *clip, int kind, size_t first) {
  const unsigned char *masks = clip->part[kind].masks;
  const size_t joints = clip->joints - first < STILL_JOINTS ? clip->joints - first : STILL_JOINTS;
  uint64_t states = 0;
  for (size_t i = 0; masks && i < (joints + 3) / 4; i++) states |= (uint64_t)masks[first / 4 + i] << 8 * i;
  if (joints == STILL_JOINTS) return states;
  const uint64_t mine = ((uint64_t)1 << 2 * joints) - 1;
  return (states & mine) | (ALL_MOVING & ~mine);
}

/* All curves of a kind but the moving ones: at a time, or at all of some frames from `frame` on, whose
 * joints are elements from `to` on. Inline, so that the call below for one time is one without loops. */
static inline void each_still(const quatsimd_clip *clip, int kind, double time, size_t frame, size_t frames,
                              const clip_output *out, size_t to) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t bytes = clip_constant_bytes(kind, clip_precision(clip)), n = out->components;
  const unsigned char *keys_at = part->keys;
  float constant[4 * STILL_CONSTANTS];
  size_t constants = 0;
  for (size_t first = 0; first < clip->joints; first += STILL_JOINTS) {
    const uint64_t states = load_states(clip, kind, first), other = states ^ ALL_MOVING;
    for (uint64_t left = (other | other >> 1) & 0x5555555555555555u; left; left &= left - 1) {
      const unsigned at = (unsigned)__builtin_ctzll(left), state = states >> at & 3;
      const size_t element = to + first + at / 2;
      const float *value = quatsimd_clip_none[kind];
      if (state == CLIP_KEYED) {
        const clip_keyed keys = clip_keyed_at(clip, kind, keys_at);
        for (size_t f = 0; f < frames; f++) {
          float sampled[4];
          quatsimd_clip_sample_keys(sampled, clip, kind, &keys,
                                    frames > 1 ? clip_frame_time(clip, frame + f) : time);
          clip_store(out, element + f * clip->joints, sampled);
        }
        keys_at = clip_keyed_end(&keys);
        continue;
      }
      if (state == CLIP_CONSTANT) {
        const size_t at_hand = constants++ % STILL_CONSTANTS, rest = part->constants + 1 - constants;
        if (at_hand == 0)
          quatsimd_constant_load(constant, kind, clip_precision(clip),
                                 part->constant + (constants - 1) * bytes,
                                 rest < STILL_CONSTANTS ? rest : STILL_CONSTANTS);
        value = constant + n * at_hand;
      }
      for (size_t f = 0; f < frames; f++) clip_store(out, element + f * clip->joints, value);
    }
  }
}

void quatsimd_clip_sample_still(const quatsimd_clip *clip, int kind, const clip_position *p,
                                const clip_output *out) {
  each_still(clip, kind, p->time, 0, 1, out, 0);
}

void quatsimd_clip_decode_still(const quatsimd_clip *clip, int kind, size_t frame, size_t frames,
                                const clip_output *out, size_t to) {
  each_still(clip, kind, clip_frame_time(clip, frame), frame, frames, out, to);
}

/* Of bits that are every second one, the lowest among them; no builtin, which may call another library. */
static size_t count_bits(uint64_t bits) {
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (size_t)(bits * 0x0101010101010101u >> 56);
}

/* A bit for each joint that is in this state, the lower one of its two. */
static uint64_t joints_in(uint64_t states, unsigned state) {
  const uint64_t same = ~(states ^ 0x5555555555555555u * state);
  return same & same >> 1 & 0x5555555555555555u;
}

/* The value of a curve that is not moving. rank: curves of its state before it, no fewer than last time if it
 * has keys. */
static void sample_one(float value[4], const quatsimd_clip *clip, int kind, unsigned state, size_t rank,
                       const clip_position *p, clip_passed *passed) {
  if (state == CLIP_ABSENT) {
    memcpy(value, quatsimd_clip_none[kind], sizeof quatsimd_clip_none[kind]);
    return;
  }
  if (state == CLIP_CONSTANT) {
    clip_load_value(value, clip, kind,
                    clip->part[kind].constant + rank * clip_constant_bytes(kind, clip_precision(clip)));
    return;
  }
  clip_keyed keys = clip_keyed_at(clip, kind, passed->keys);
  for (; passed->rank < rank; passed->rank++)
    passed->keys = clip_keyed_end(&keys), keys = clip_keyed_at(clip, kind, passed->keys);
  quatsimd_clip_sample_keys(value, clip, kind, &keys, p->time);
}

size_t quatsimd_clip_sample_some_still(const quatsimd_clip *clip, int kind, const clip_position *p,
                                       const clip_asked *asked, clip_passed *passed, const clip_output *out) {
  _Static_assert((int)ASKED_WORD == (int)STILL_JOINTS, "a word has other joints than states");
  size_t moving = 0;
  for (; passed->joints < asked->end; passed->joints += STILL_JOINTS) {
    const size_t first = passed->joints;
    const uint64_t states = load_states(clip, kind, first), constant = joints_in(states, CLIP_CONSTANT),
                   keyed = joints_in(states, CLIP_KEYED);
    uint32_t left = first < asked->first ? 0 : asked->bits[(first - asked->first) / ASKED_WORD];
    for (; left; left &= left - 1) {
      const unsigned i = (unsigned)__builtin_ctz(left), state = states >> 2 * i & 3;
      const uint64_t before = ((uint64_t)1 << 2 * i) - 1;
      const size_t rank = state == CLIP_CONSTANT ? passed->constants + count_bits(constant & before)
                                                 : passed->keyed + count_bits(keyed & before);
      float value[4];
      moving += state == CLIP_MOVING;
      if (state == CLIP_MOVING) continue;
      sample_one(value, clip, kind, state, rank, p, passed);
      clip_store(out, clip_asked_element(asked, first + i), value);
    }
    passed->constants += count_bits(constant), passed->keyed += count_bits(keyed);
  }
  return moving;
}
