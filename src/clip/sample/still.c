#include "clip/sample/still.h"

#include "clip/kernels.h"
#include "clip/sample/time.h"

const float quatsimd_clip_none[QUATSIMD_CLIP_KINDS][4] = {{0, 0, 0, 1}, {0, 0, 0, 0}, {1, 1, 1, 0}};

/* From one unit quaternion toward the next, as between frames. */
static void turn_toward(float value[4], const float next[4], float t) {
  const quatsimd_clip_weights w = clip_weights(t);
  const float d = (value[0] * next[0] + value[1] * next[1]) + (value[2] * next[2] + value[3] * next[3]);
  const float second = clip_second(&w, __builtin_fabsf(d) * 0.25f), first = w.whole - second,
              of_next = d < 0 ? -second : second;
  for (int i = 0; i < 4; i++) value[i] = value[i] * first + next[i] * of_next;
  const float r = 1 / __builtin_sqrtf((value[0] * value[0] + value[1] * value[1]) +
                                      (value[2] * value[2] + value[3] * value[3]));
  for (int i = 0; i < 4; i++) value[i] *= r;
}

static void sample_keys(float value[4], const quatsimd_clip *clip, int kind, const clip_keyed *keys,
                        double time) {
  /* the last key that is not after `time`, or the first, or the next one */
  size_t low = 0, high = keys->count;
  /* a time near a frame's became that; a key there must not be missed for it */
  const double slack = 0x1p-23 * clip_absolute(time) + (clip->rate > 0 ? 0x1p-20 / clip->rate : 0);
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (clip_keyed_time(keys, middle) <= time) low = middle;
    else high = middle;
  }
  if (high < keys->count &&
      clip_is_meant(clip_keyed_time(keys, low), clip_keyed_time(keys, high), time, slack))
    low = high++;
  clip_load_value(value, clip, kind, keys->values + low * keys->value_bytes);
  const double from = clip_keyed_time(keys, low);
  if (keys->hold || high == keys->count || !(time > from)) return;
  float next[4];
  clip_load_value(next, clip, kind, keys->values + high * keys->value_bytes);
  const float t = (float)((time - from) / (clip_keyed_time(keys, high) - from));
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
          sample_keys(sampled, clip, kind, &keys, frames > 1 ? clip_frame_time(clip, frame + f) : time);
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

void quatsimd_clip_sample_still(const quatsimd_clip *clip, int kind, double time, const clip_output *out) {
  each_still(clip, kind, time, 0, 1, out, 0);
}

void quatsimd_clip_decode_still(const quatsimd_clip *clip, int kind, size_t frame, size_t frames,
                                const clip_output *out, size_t to) {
  each_still(clip, kind, clip_frame_time(clip, frame), frame, frames, out, to);
}

/* Curves in this state among the joints before this one. */
static size_t rank_of(const quatsimd_clip_part *part, unsigned state, size_t joint) {
  size_t rank = 0;
  for (size_t j = 0; j < joint; j++) rank += clip_state(part->masks, j) == state;
  return rank;
}

void quatsimd_clip_sample_one_still(const quatsimd_clip *clip, int kind, unsigned state, size_t joint,
                                    double time, float value[4]) {
  const quatsimd_clip_part *part = &clip->part[kind];
  if (state == CLIP_ABSENT) {
    memcpy(value, quatsimd_clip_none[kind], sizeof quatsimd_clip_none[kind]);
    return;
  }
  size_t rank = rank_of(part, state, joint);
  if (state == CLIP_CONSTANT) {
    clip_load_value(value, clip, kind,
                    part->constant + rank * clip_constant_bytes(kind, clip_precision(clip)));
    return;
  }
  clip_keyed keys = clip_keyed_at(clip, kind, part->keys);
  for (; rank > 0; rank--) keys = clip_keyed_at(clip, kind, clip_keyed_end(&keys));
  sample_keys(value, clip, kind, &keys, time);
}
