/* Sampling of opened clips. Nothing here can fail but on arguments: open has checked the bytes. */
#include "clip/sample/open.h"

#include "core/operand.h"
#include "clip/kernels.h"
#include "clip/encode/write.h"

/* ---- time ---- */

/* Between frame and frame + 1, at t of the way, and the block that both are in. */
typedef struct position {
  double time;
  /* inner: the frame counted from the block's first; intervals: of the block */
  size_t frame, block, inner, intervals;
  float t;
} position;

double quatsimd_clip_time(const quatsimd_clip *clip, size_t frame) {
  return clip->times ? (double)clip_get_float(clip->times + 4 * frame)
                     : clip->start + (double)frame / clip->rate;
}

static position position_of_frame(const quatsimd_clip *clip, size_t frame, float t) {
  position p = {quatsimd_clip_time(clip, frame), frame, 0, 0, 0, t};
  if (clip->frames > 1) {
    p.block = clip_block_of(frame < clip->frames - 1 ? frame : frame - 1, clip->frames);
    const size_t first = clip_block_start(p.block, clip->frames);
    p.inner = frame - first;
    p.intervals = clip_block_start(p.block + 1, clip->frames) - first;
  }
  return p;
}

#define FAR 0x1p+52                                          /* here doubles are whole */
static double whole(double p) { return (double)(int64_t)p; } /* toward zero; |p| <= FAR */
static double absolute(double x) { return x < 0 ? -x : x; }

/* Time from the start on, within the clip. */
static double wrapped(double time, double end, bool loop) {
  /* NaN: 0 */
  double p = time > FAR * end ? FAR * end : time >= -FAR * end ? time : time < -FAR * end ? -FAR * end : 0;
  if (loop && end > 0 && (p < 0 || p >= end)) {
    p -= whole(p / end) * end;
    if (p < 0) p += end;
  }
  return p > end ? end : p > 0 ? p : 0;
}

/* Frames at even distances, counted as doubles. */
static position even_position(const quatsimd_clip *clip, double time, double rounding, bool loop) {
  const double end = (double)(clip->frames - 1), slack = 0x1p-20 + rounding * clip->rate;
  double p = (time - clip->start) * clip->rate;
  const double nearest = absolute(p) < FAR ? whole(p < 0 ? p - 0.5 : p + 0.5) : p;
  if (absolute(p - nearest) <= (slack < 0.125 ? slack : 0.125)) p = nearest;
  p = wrapped(p, end, loop);
  const size_t frame = (size_t)p;
  const float t = (float)(p - (double)frame);
  position found = position_of_frame(clip, t < 1 ? frame : frame + 1, t < 1 ? t : 0);
  found.time = clip->start + p / clip->rate;
  return found;
}

/* Is the next frame or key meant at p? Others may be as near as rounding. */
static bool is_meant(double before, double next, double p, double rounding) {
  return next <= p + rounding && next - p < absolute(p - before);
}

/* Frames with times of their own. */
static position listed_position(const quatsimd_clip *clip, double time, bool loop) {
  const double p = clip->start + wrapped(time - clip->start, clip->duration, loop),
               rounding = 0x1p-23 * absolute(p);
  /* the last frame that is not after p, or the next one if that is nearer and may be meant */
  size_t low = 0, high = clip->frames;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (quatsimd_clip_time(clip, middle) <= p) low = middle;
    else high = middle;
  }
  if (high < clip->frames &&
      is_meant(quatsimd_clip_time(clip, low), quatsimd_clip_time(clip, high), p, rounding))
    low = high++;
  const double from = quatsimd_clip_time(clip, low),
               to = high < clip->frames ? quatsimd_clip_time(clip, high) : from;
  const float t = p - from > rounding && to > from ? (float)((p - from) / (to - from)) : 0;
  position found = position_of_frame(clip, t < 1 ? low : high, t < 1 ? t : 0);
  found.time = p;
  return found;
}

static position position_of(const quatsimd_clip *clip, double time, quatsimd_clip_wrap wrap) {
  const bool loop = wrap == QUATSIMD_WRAP_LOOP || (wrap == QUATSIMD_WRAP_CLIP && clip->loop);
  const double rounding = 0x1p-23 * absolute(time); /* what a time in float may be off by */
  return clip->times ? listed_position(clip, time, loop) : even_position(clip, time, rounding, loop);
}

/* ---- moving curves ---- */

/* From group to group of a block. */
typedef struct walk {
  const quatsimd_clip *clip;
  const quatsimd_clip_kernels *kernels;
  int kind;
  size_t group, inner; /* inner: frames of a raw curve */
  const unsigned char *codes, *profiles, *payload, *knots;
  float norm;
} walk;

static walk walk_block(const quatsimd_clip *clip, int kind, size_t block, size_t intervals) {
  const quatsimd_clip_part *part = &clip->part[kind];
  walk w = {.clip = clip,
            .kernels = quatsimd_active_kernels()->clip,
            .kind = kind,
            .inner = intervals - 1,
            .norm = quatsimd_clip_norm[intervals]};
  w.codes = part->blocks + (block ? clip_block_end(clip, kind, block - 1) : 0);
  w.profiles = w.codes + (part->moving + 1) / 2;
  w.payload = w.profiles + CLIP_AXES * part->moving;
  w.knots = part->knots + block * part->row;
  return w;
}

static size_t walk_curves(const walk *w) { return clip_curves(w->clip->part[w->kind].moving, w->group); }

/* The step codes of a group; raw where there is no curve. */
static uint32_t walk_codes(const walk *w, size_t curves) {
  const unsigned char *p = w->codes + CLIP_GROUP / 2 * w->group;
  if (curves == CLIP_GROUP) return clip_get32(p);
  uint32_t codes = 0xffffffffu << 4 * curves;
  for (size_t i = 0; i < curves; i++) codes |= clip_code(p, i) << 4 * i;
  return codes;
}

static bool any_raw(uint32_t codes, size_t curves) {
  return (codes & codes >> 1 & codes >> 2 & codes >> 3 & 0x11111111u &
          (uint32_t)((1ull << 4 * curves) - 1)) != 0;
}

/* Behind the group's channels are its raw curves. */
static void walk_on(walk *w, const unsigned char *payload, quatsimd_clip_group *group) {
  const size_t curves = walk_curves(w);
  const bool raws = any_raw(walk_codes(w, curves), curves);
  if (group) group->raws = raws;
  for (size_t i = 0; raws && i < CLIP_GROUP; i++) {
    if (group) group->raw[i] = NULL;
    if (i >= curves || clip_code(w->codes, CLIP_GROUP * w->group + i) != CLIP_RAW) continue;
    if (group) group->raw[i] = payload;
    payload += clip_raw_bytes(payload, w->inner);
  }
  w->knots += clip_row_bytes(w->clip->part[w->kind].widths + CLIP_AXES * w->group, curves);
  w->profiles += CLIP_AXES * curves;
  w->payload = payload;
  w->group++;
}

static void walk_past(walk *w) {
  const unsigned char *payload = w->payload;
  for (size_t i = 0; i < CLIP_AXES * walk_curves(w); i++) payload += quatsimd_clip_bytes[w->profiles[i]];
  walk_on(w, payload, NULL);
}

enum { BASES = 4 * CLIP_GROUP }; /* bytes */
/* The words of a group's bases; in `room` if there are fewer than eight. */
static const unsigned char *base_words(unsigned char room[BASES], const unsigned char *p, size_t curves) {
  if (curves == CLIP_GROUP) return p;
  memset(room, 0, BASES); /* as good as any other for lanes that nobody looks at */
  return memcpy(room, p, 4 * curves);
}

static void load_bases(quatsimd_clip_group *group, const walk *w, size_t curves) {
  const quatsimd_clip_part *part = &w->clip->part[w->kind];
  const size_t first = CLIP_GROUP * w->group;
  if (w->kind == QUATSIMD_CLIP_ROTATION) {
    unsigned char room[BASES];
    w->kernels->bases(group->right, base_words(room, part->bases + 4 * first, curves));
    if (w->clip->flags & CLIP_HAS_AXES)
      w->kernels->bases(group->left, base_words(room, part->bases + 4 * (part->moving + first), curves));
    return;
  }
  for (size_t i = 0; i < CLIP_GROUP; i++)
    for (size_t a = 0; a < CLIP_AXES; a++)
      group->right[a][i] = i < curves ? clip_get_float(part->bases + 12 * (first + i) + 4 * a) : 0;
}

/* All of the group that w is at but its coefficients. */
static void load_group(quatsimd_clip_group *group, const walk *w, size_t curves) {
  const quatsimd_clip_part *part = &w->clip->part[w->kind];
  const unsigned char *width = part->widths + CLIP_AXES * w->group;
  const uint32_t codes = walk_codes(w, curves);
  w->kernels->knots(group->knot[0], w->knots, width, curves);
  w->kernels->knots(group->knot[1], w->knots + part->row, width, curves);
  w->kernels->steps(group->step, codes, part->unit, w->norm);
  for (size_t i = 0; i < CLIP_GROUP; i++) group->knot_step[i] = part->unit * CLIP_KNOT_STEP;
  for (size_t i = 0; part->units && i < curves; i++) {
    const float unit = clip_unit(part->unit, part->units[CLIP_GROUP * w->group + i]);
    const unsigned code = codes >> 4 * i & 15;
    group->knot_step[i] = unit * CLIP_KNOT_STEP;
    group->step[i] = quatsimd_clip_step[code] * unit * w->norm;
  }
  group->inner = w->inner;
  load_bases(group, w, curves);
}

/* The group's profiles, eight for each axis; in `room` if there are fewer curves. */
static const uint8_t *walk_profiles(const walk *w, uint8_t room[CLIP_AXES * CLIP_GROUP], size_t curves) {
  if (curves == CLIP_GROUP) return w->profiles;
  for (size_t a = 0; a < CLIP_AXES; a++) { /* eight bytes from here are there: see CLIP_OVERREAD */
    const uint64_t eight = clip_get64(w->profiles + curves * a) & (((uint64_t)1 << 8 * curves) - 1);
    clip_put(room + CLIP_GROUP * a, eight, sizeof eight);
  }
  return room;
}

/* Unpacks the group that w is at, but for its offsets, and moves w on. */
static void unpack_group(quatsimd_clip_group *group, walk *w) {
  const size_t curves = walk_curves(w);
  uint8_t room[CLIP_AXES * CLIP_GROUP];
  load_group(group, w, curves);
  walk_on(w, w->kernels->unpack(group, walk_profiles(w, room, curves), w->payload), group);
}

static quatsimd_clip_row row_of(size_t intervals, size_t frame) {
  return (quatsimd_clip_row){quatsimd_clip_row_of(intervals, frame),
                             (float)(intervals - frame) / (float)intervals, (float)frame / (float)intervals};
}

/* Raw curves have no coefficients so far, and lie on the line between the knots. */
static void add_raws(float p[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group, size_t frame) {
  if (!group->raws || frame == 0 || frame > group->inner) return;
  for (size_t i = 0; i < CLIP_GROUP; i++) {
    if (!group->raw[i]) continue;
    const unsigned char *width = group->raw[i];
    size_t at = 0;
    for (int a = 0; a < CLIP_AXES; a++) {
      p[a][i] += (float)clip_get_bits(width + CLIP_AXES, at + (frame - 1) * width[a], width[a]) *
                 group->knot_step[i];
      at += group->inner * width[a];
    }
  }
}

/* A group's values between two frames' vectors, or at the first one's if there is no next. */
static void finish(float to[CLIP_GROUP][4], const quatsimd_clip *clip, int kind,
                   const quatsimd_clip_group *group, const quatsimd_clip_kernels *kernels,
                   float p[CLIP_AXES][CLIP_GROUP], float next[CLIP_AXES][CLIP_GROUP], float t) {
  if (kind == QUATSIMD_CLIP_ROTATION)
    kernels->rotate(to, group, p, next, t, (clip->flags & CLIP_HAS_AXES) != 0);
  else
    for (int i = 0; i < CLIP_GROUP; i++)
      for (int a = 0; a < CLIP_AXES; a++)
        to[i][a] = group->right[a][i] + (next ? p[a][i] * (1 - t) + next[a][i] * t : p[a][i]);
}

/* ---- where results go ---- */

typedef struct output {
  quatsimd_operand to;
  size_t components;
  bool wanted;
} output;

/* Of outputs that are interleaved. */
static char *place(const output *out, size_t element) {
  return (char *)(uintptr_t)out->to.first + element * out->to.stride;
}

static void put(const output *out, size_t element, const float *value) {
  if (out->to.interleaved && out->components == 4) memcpy(place(out, element), value, 4 * sizeof *value);
  else if (out->to.interleaved) memcpy(place(out, element), value, CLIP_AXES * sizeof *value);
  else quatsimd_store_element(&out->to, element, value);
}

static bool outputs_of(output out[QUATSIMD_CLIP_KINDS], const quatsimd_pose *pose) {
  const quatsimd_out *target[] = {&pose->rotations, &pose->translations, &pose->scales};
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    const quatsimd_out *t = target[kind];
    const int components = kind == QUATSIMD_CLIP_ROTATION ? 4 : CLIP_AXES;
    out[kind].components = (size_t)components;
    out[kind].wanted = t->layout != QUATSIMD_VIEW_NONE;
    if (out[kind].wanted && !quatsimd_resolve_out(&out[kind].to, components, t)) return false;
  }
  return true;
}

static void find_offsets(size_t offset[CLIP_GROUP], const quatsimd_clip *clip, int kind, size_t group,
                         size_t step) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t curves = clip_curves(part->moving, group), slot_bytes = clip_slot_bytes(clip->joints);
  const unsigned char *slots = part->slots + slot_bytes * CLIP_GROUP * group;
  if (slot_bytes == 1 && curves == CLIP_GROUP) /* nearly always */
    for (size_t i = 0; i < CLIP_GROUP; i++) offset[i] = slots[i] * step;
  else
    for (size_t i = 0; i < CLIP_GROUP; i++)
      offset[i] = clip_slot(slots, slot_bytes, i < curves ? i : 0) * step;
}

static void put_group(float value[CLIP_GROUP][4], const quatsimd_clip *clip, int kind, const output *out,
                      size_t first, size_t group) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t slot_bytes = clip_slot_bytes(clip->joints);
  for (size_t i = 0; i < clip_curves(part->moving, group); i++)
    put(out, first + clip_slot(part->slots + slot_bytes * CLIP_GROUP * group, slot_bytes, i), value[i]);
}

/* ---- curves that do not move, or by keys of their own ---- */

static const float none[QUATSIMD_CLIP_KINDS][4] = {{0, 0, 0, 1}, {0, 0, 0, 0}, {1, 1, 1, 0}};

static void load_value(float value[4], const quatsimd_clip *clip, int kind, const unsigned char *p) {
  quatsimd_constant_load(value, kind, clip_precision(clip), p, 1);
}

static void sample_keys(float value[4], const quatsimd_clip *clip, int kind, const clip_keys *keys,
                        double time) {
  /* the last key that is not after `time`, or the first, or the next one */
  size_t low = 0, high = keys->count;
  /* a time near a frame's became that; a key there must not be missed for it */
  const double slack = 0x1p-23 * absolute(time) + (clip->rate > 0 ? 0x1p-20 / clip->rate : 0);
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (clip_key_time(keys, middle) <= time) low = middle;
    else high = middle;
  }
  if (high < keys->count && is_meant(clip_key_time(keys, low), clip_key_time(keys, high), time, slack))
    low = high++;
  load_value(value, clip, kind, keys->values + low * keys->value_bytes);
  const double from = clip_key_time(keys, low);
  if (keys->step || high == keys->count || !(time > from)) return;
  float next[4];
  load_value(next, clip, kind, keys->values + high * keys->value_bytes);
  const float t = (float)((time - from) / (clip_key_time(keys, high) - from));
  if (kind == QUATSIMD_CLIP_ROTATION)
    quatsimd_nlerp(quatsimd_aos_out(value), quatsimd_aos(value), quatsimd_aos(next), quatsimd_one(&t), 1);
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
 * joints are elements from `to` on. */
static void sample_still(const quatsimd_clip *clip, int kind, double time, size_t frame, size_t frames,
                         const output *out, size_t to) {
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
      const float *value = none[kind];
      if (state == CLIP_KEYED) {
        const clip_keys keys = clip_keys_at(clip, kind, keys_at);
        for (size_t f = 0; f < frames; f++) {
          float sampled[4];
          sample_keys(sampled, clip, kind, &keys, frames > 1 ? quatsimd_clip_time(clip, frame + f) : time);
          put(out, element + f * clip->joints, sampled);
        }
        keys_at = clip_keys_end(&keys);
        continue;
      }
      if (state == CLIP_CONST) {
        const size_t at_hand = constants++ % STILL_CONSTANTS, rest = part->constants + 1 - constants;
        if (at_hand == 0)
          quatsimd_constant_load(constant, kind, clip_precision(clip),
                                 part->constant + (constants - 1) * bytes,
                                 rest < STILL_CONSTANTS ? rest : STILL_CONSTANTS);
        value = constant + n * at_hand;
      }
      for (size_t f = 0; f < frames; f++) put(out, element + f * clip->joints, value);
    }
  }
}

/* ---- cursors ---- */

/* What a cursor keeps of a kind: a block's groups, unpacked, and all that is the same at any time. */
typedef struct kept {
  size_t block; /* that the groups are of, counted from 1 */
  size_t step;  /* that their offsets are for */
  quatsimd_clip_group *group;
  float (*value)[4]; /* of curves that neither move nor have keys */
  uint32_t *joint;   /* theirs */
  size_t values;
} kept;

struct quatsimd_clip_cursor {
  const unsigned char *data; /* of the clip, */
  uint32_t checksum;         /* and which one that is: memory may have held another before */
  kept kind[QUATSIMD_CLIP_KINDS];
};
enum { CURSOR_ALIGNMENT = 32 }; /* loads of groups do not cross a cache line then */

static size_t groups_of(const quatsimd_clip *clip, int kind) {
  return (clip->part[kind].moving + CLIP_GROUP - 1) / CLIP_GROUP;
}
static size_t constants_of(const quatsimd_clip *clip, int kind) {
  return clip->joints - clip->part[kind].moving - clip->part[kind].keyed;
}

static bool is_cursor_of(const quatsimd_clip_cursor *cursor, const quatsimd_clip *clip) {
  return cursor->data == clip->data && cursor->checksum == clip_get32(clip->data + CLIP_AT_CHECKSUM);
}

size_t quatsimd_clip_cursor_size(const quatsimd_clip *clip) {
  if (!clip) return 0;
  size_t size = sizeof(quatsimd_clip_cursor) + CURSOR_ALIGNMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
    size += groups_of(clip, kind) * sizeof(quatsimd_clip_group) +
            constants_of(clip, kind) * (sizeof(float[4]) + sizeof(uint32_t));
  return size;
}

quatsimd_status quatsimd_clip_cursor_init(quatsimd_clip_cursor **cursor, void *memory, size_t size,
                                          const quatsimd_clip *clip) {
  if (!cursor || !memory || !clip || (uintptr_t)memory % 8 != 0) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (size < quatsimd_clip_cursor_size(clip)) return QUATSIMD_ERROR_SHORT_BUFFER;
  quatsimd_clip_cursor *made = memory;
  made->data = clip->data;
  made->checksum = clip_get32(clip->data + CLIP_AT_CHECKSUM);
  char *at = (char *)(made + 1);
  at += -(uintptr_t)at % CURSOR_ALIGNMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) { /* what has the largest alignment first */
    made->kind[kind] = (kept){.group = (quatsimd_clip_group *)(void *)at};
    at += groups_of(clip, kind) * sizeof(quatsimd_clip_group);
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    kept *k = &made->kind[kind];
    k->value = (float(*)[4])(void *)at;
    at += constants_of(clip, kind) * sizeof(float[4]);
    k->joint = (uint32_t *)(void *)at;
    at += constants_of(clip, kind) * sizeof(uint32_t);
    for (size_t j = 0, constants = 0; j < clip->joints; j++) {
      const unsigned state = clip->part[kind].masks ? clip_state(clip->part[kind].masks, j) : CLIP_NONE;
      if (state == CLIP_MOVING || state == CLIP_KEYED) continue;
      if (state == CLIP_NONE) memcpy(k->value[k->values], none[kind], sizeof none[kind]);
      else
        load_value(k->value[k->values], clip, kind,
                   clip->part[kind].constant + clip_constant_bytes(kind, clip_precision(clip)) * constants++);
      k->joint[k->values++] = (uint32_t)j;
    }
  }
  *cursor = made;
  return QUATSIMD_OK;
}

/* The groups of a block, unpacked, if they are not. */
static const quatsimd_clip_group *cursor_groups(kept *k, const quatsimd_clip *clip, int kind,
                                                const position *p, size_t step) {
  if (k->block != p->block + 1) {
    walk w = walk_block(clip, kind, p->block, p->intervals);
    for (size_t g = 0; g < groups_of(clip, kind); g++) unpack_group(&k->group[g], &w);
    if (k->block == 0) k->step = step + 1; /* no offsets yet */
    k->block = p->block + 1;
  }
  if (k->step != step) {
    for (size_t g = 0; g < groups_of(clip, kind); g++) find_offsets(k->group[g].offset, clip, kind, g, step);
    k->step = step;
  }
  return k->group;
}

/* ---- the calls ---- */

/* The rows of a position's two frames; the first one twice if there is nothing between them. */
static void load_rows(quatsimd_clip_row row[2], const position *p) {
  row[0] = row_of(p->intervals, p->inner);
  row[1] = p->t > 0 ? row_of(p->intervals, p->inner + 1) : row[0];
}

static void evaluate(float to[CLIP_GROUP][4], const quatsimd_clip *clip, int kind,
                     const quatsimd_clip_group *group, const position *p, const quatsimd_clip_row row[2],
                     const quatsimd_clip_kernels *kernels) {
  float v[CLIP_AXES][CLIP_GROUP] = {{0}}, next[CLIP_AXES][CLIP_GROUP] = {{0}};
  kernels->tangent(v, group, &row[0]);
  add_raws(v, group, p->inner);
  if (p->t > 0) {
    kernels->tangent(next, group, &row[1]);
    add_raws(next, group, p->inner + 1);
  }
  finish(to, clip, kind, group, kernels, v, p->t > 0 ? next : NULL, p->t);
}

/* Groups that go together, straight from the packed bytes. */
typedef struct packed_groups {
  quatsimd_clip_packed packed[CLIP_AT_ONCE];
  uint8_t profile[CLIP_AXES * CLIP_GROUP]; /* of the last one, if it has fewer than eight curves */
  unsigned char left[BASES], right[BASES];
} packed_groups;

/* As many as can, from w on, which moves on but for the payload; 0 if the next one must go by itself. */
static size_t pack_groups(packed_groups *p, walk *w, const output *out) {
  const quatsimd_clip_part *part = &w->clip->part[w->kind];
  const size_t groups = groups_of(w->clip, w->kind);
  size_t n = 0;
  if (w->kind != QUATSIMD_CLIP_ROTATION || part->units || !out->to.interleaved) return 0;
  for (; n < CLIP_AT_ONCE && w->group < groups; n++) {
    const size_t curves = walk_curves(w), first = CLIP_GROUP * w->group;
    const uint32_t codes = walk_codes(w, curves);
    if (any_raw(codes, curves)) break;
    quatsimd_clip_packed *to = &p->packed[n];
    to->knots[0] = w->knots, to->knots[1] = w->knots + part->row;
    to->width = part->widths + CLIP_AXES * w->group;
    to->profile = walk_profiles(w, p->profile, curves);
    to->left = w->clip->flags & CLIP_HAS_AXES
                   ? base_words(p->left, part->bases + 4 * (part->moving + first), curves)
                   : NULL;
    to->right = base_words(p->right, part->bases + 4 * first, curves);
    to->curves = curves;
    to->codes = codes;
    find_offsets(to->offset, w->clip, w->kind, w->group, out->to.stride);
    w->knots += clip_row_bytes(to->width, curves);
    w->profiles += CLIP_AXES * curves;
    w->group++;
  }
  return n;
}

static void sample_moving(const quatsimd_clip *clip, int kind, const position *p, const output *out) {
  const quatsimd_clip_part *part = &clip->part[kind];
  quatsimd_clip_row row[2];
  packed_groups packed;
  walk w = walk_block(clip, kind, p->block, p->intervals);
  load_rows(row, p);
  while (w.group < groups_of(clip, kind)) {
    const size_t g = w.group, together = pack_groups(&packed, &w, out);
    if (together > 0) {
      w.payload =
          w.kernels->sample(place(out, 0), packed.packed, together, w.payload, row, p->t, part->unit, w.norm);
      continue;
    }
    quatsimd_clip_group group;
    float value[CLIP_GROUP][4];
    unpack_group(&group, &w);
    evaluate(value, clip, kind, &group, p, row, w.kernels);
    put_group(value, clip, kind, out, 0, g);
  }
}

/* Jobs that wait to be done together. */
typedef struct queue {
  const quatsimd_clip *clip;
  const quatsimd_clip_kernels *kernels;
  const output *out;
  int kind;
  float t;
  size_t jobs;
  quatsimd_clip_job job[CLIP_AT_ONCE];
} queue;

static void flush(queue *q) {
  if (q->jobs > 0) q->kernels->replay(q->job, q->jobs, q->t, (q->clip->flags & CLIP_HAS_AXES) != 0);
  q->jobs = 0;
}

static bool is_simple(const queue *q, const quatsimd_clip_group *group) {
  return q->kind == QUATSIMD_CLIP_ROTATION && !group->raws && q->out->to.interleaved;
}

/* A group that is not, whose number is g; its joints are elements from `first` on. */
static void evaluate_now(queue *q, const quatsimd_clip_group *group, size_t g, size_t first,
                         const position *p, const quatsimd_clip_row row[2]) {
  float value[CLIP_GROUP][4];
  evaluate(value, q->clip, q->kind, group, p, row, q->kernels);
  put_group(value, q->clip, q->kind, q->out, first, g);
}

static void replay_moving(const quatsimd_clip *clip, int kind, const position *p, const output *out,
                          kept *k) {
  const quatsimd_clip_group *unpacked = cursor_groups(k, clip, kind, p, out->to.stride);
  quatsimd_clip_row row[2];
  queue q;
  q.clip = clip, q.kernels = quatsimd_active_kernels()->clip, q.out = out, q.kind = kind, q.t = p->t,
  q.jobs = 0;
  load_rows(row, p);
  for (size_t g = 0; g < groups_of(clip, kind); g++) {
    if (is_simple(&q, &unpacked[g])) {
      q.job[q.jobs] = (quatsimd_clip_job){&unpacked[g], &row[0], p->t > 0 ? &row[1] : NULL, place(out, 0)};
      if (++q.jobs == CLIP_AT_ONCE) flush(&q);
    } else evaluate_now(&q, &unpacked[g], g, 0, p, row);
  }
  flush(&q);
}

static void replay_still(const quatsimd_clip *clip, int kind, double time, const output *out, const kept *k) {
  for (size_t i = 0; i < k->values; i++) put(out, k->joint[i], k->value[i]);
  if (clip->part[kind].keyed > 0) sample_still(clip, kind, time, 0, 1, out, 0);
}

quatsimd_status quatsimd_clip_sample(const quatsimd_clip *clip, double time, quatsimd_clip_wrap wrap,
                                     const quatsimd_pose *pose, quatsimd_clip_cursor *cursor) {
  output out[QUATSIMD_CLIP_KINDS];
  if (!clip || !pose || (unsigned)wrap > QUATSIMD_WRAP_LOOP || (cursor && !is_cursor_of(cursor, clip)) ||
      !outputs_of(out, pose))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  const position p = position_of(clip, time, wrap);
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    if (!out[kind].wanted) continue;
    if (clip->part[kind].moving < clip->joints) {
      if (cursor) replay_still(clip, kind, p.time, &out[kind], &cursor->kind[kind]);
      else sample_still(clip, kind, p.time, 0, 1, &out[kind], 0);
    }
    if (clip->part[kind].moving == 0) continue;
    if (cursor) replay_moving(clip, kind, &p, &out[kind], &cursor->kind[kind]);
    else sample_moving(clip, kind, &p, &out[kind]);
  }
  return QUATSIMD_OK;
}

/* Frames from the first on that are in its block, at most `most`; where they are counted from. The last
 * frame of a block is the next one's first. */
static size_t decode_block(const quatsimd_clip *clip, int kind, size_t first, size_t most, const output *out,
                           size_t element) {
  position p = position_of_frame(clip, first, 0);
  size_t n = p.intervals - p.inner;
  if (first + n == clip->frames - 1) n++;
  if (n > most) n = most;
  quatsimd_clip_row row[CLIP_INTERVALS + 2]; /* evaluate looks at two */
  for (size_t f = 0; f < n; f++) row[f] = row_of(p.intervals, p.inner + f);
  walk w = walk_block(clip, kind, p.block, p.intervals);
  quatsimd_clip_group group;
  queue q;
  q.clip = clip, q.kernels = w.kernels, q.out = out, q.kind = kind, q.t = 0, q.jobs = 0;
  for (size_t g = 0; g < groups_of(clip, kind); g++) {
    unpack_group(&group, &w);
    find_offsets(group.offset, clip, kind, g, out->to.stride);
    if (is_simple(&q, &group))
      for (size_t f = 0; f < n; f++) {
        q.job[q.jobs] = (quatsimd_clip_job){&group, &row[f], NULL, place(out, element + f * clip->joints)};
        if (++q.jobs == CLIP_AT_ONCE) flush(&q);
      }
    else
      for (size_t f = 0; f < n; f++) {
        position at = p;
        at.inner += f;
        evaluate_now(&q, &group, g, element + f * clip->joints, &at, &row[f]);
      }
    flush(&q); /* the next group comes into the same place */
  }
  return n;
}

quatsimd_status quatsimd_clip_decode(const quatsimd_clip *clip, size_t first, size_t count,
                                     const quatsimd_pose *pose) {
  /* frames: a joint's values are a frame apart, and the cache has room for so many */
  enum { AT_ONCE = 64 };
  output out[QUATSIMD_CLIP_KINDS];
  if (!clip || !pose || first > clip->frames || count > clip->frames - first || !outputs_of(out, pose))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    if (!out[kind].wanted) continue;
    for (size_t i = 0; clip->part[kind].moving < clip->joints && i < count; i += AT_ONCE)
      sample_still(clip, kind, quatsimd_clip_time(clip, first + i), first + i,
                   count - i < AT_ONCE ? count - i : AT_ONCE, &out[kind], i * clip->joints);
    for (size_t i = 0; clip->part[kind].moving > 0 && i < count;)
      i += decode_block(clip, kind, first + i, count - i, &out[kind], i * clip->joints);
  }
  return QUATSIMD_OK;
}

/* ---- some joints ---- */

/* Curves in this state among the joints before this one. */
static size_t rank_of(const quatsimd_clip_part *part, unsigned state, size_t joint) {
  size_t rank = 0;
  for (size_t j = 0; j < joint; j++) rank += clip_state(part->masks, j) == state;
  return rank;
}

static void sample_one_still(const quatsimd_clip *clip, int kind, unsigned state, size_t joint, double time,
                             float value[4]) {
  const quatsimd_clip_part *part = &clip->part[kind];
  if (state == CLIP_NONE) {
    memcpy(value, none[kind], sizeof none[kind]);
    return;
  }
  size_t rank = rank_of(part, state, joint);
  if (state == CLIP_CONST) {
    load_value(value, clip, kind, part->constant + rank * clip_constant_bytes(kind, clip_precision(clip)));
    return;
  }
  clip_keys keys = clip_keys_at(clip, kind, part->keys);
  for (; rank > 0; rank--) keys = clip_keys_at(clip, kind, clip_keys_end(&keys));
  sample_keys(value, clip, kind, &keys, time);
}

static void sample_some_moving(const quatsimd_clip *clip, int kind, const position *p, const uint32_t *joint,
                               size_t count, const output *out) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t slot_bytes = clip_slot_bytes(clip->joints);
  quatsimd_clip_row row[2];
  load_rows(row, p);
  walk w = walk_block(clip, kind, p->block, p->intervals);
  while (w.group < groups_of(clip, kind)) {
    const size_t first = CLIP_GROUP * w.group, curves = walk_curves(&w);
    float value[CLIP_GROUP][4];
    bool unpacked = false;
    for (size_t i = 0; i < curves; i++) {
      const size_t j = clip_slot(part->slots, slot_bytes, first + i);
      for (size_t e = 0; e < count; e++) {
        if (joint[e] != j) continue;
        if (!unpacked) {
          quatsimd_clip_group group;
          walk at = w;
          unpack_group(&group, &at);
          evaluate(value, clip, kind, &group, p, row, w.kernels);
          unpacked = true;
        }
        put(out, e, value[i]);
      }
    }
    walk_past(&w);
  }
}

quatsimd_status quatsimd_clip_sample_joints(const quatsimd_clip *clip, double time, quatsimd_clip_wrap wrap,
                                            const uint32_t *joint, size_t count, const quatsimd_pose *pose) {
  output out[QUATSIMD_CLIP_KINDS];
  if (!clip || !pose || (!joint && count) || (unsigned)wrap > QUATSIMD_WRAP_LOOP || !outputs_of(out, pose))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t i = 0; i < count; i++)
    if (joint[i] >= clip->joints) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const position p = position_of(clip, time, wrap);
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    if (!out[kind].wanted) continue;
    for (size_t i = 0; i < count; i++) {
      const unsigned state =
          clip->part[kind].masks ? clip_state(clip->part[kind].masks, joint[i]) : CLIP_NONE;
      float value[4];
      if (state == CLIP_MOVING) continue;
      sample_one_still(clip, kind, state, joint[i], p.time, value);
      put(&out[kind], i, value);
    }
    if (clip->part[kind].moving > 0) sample_some_moving(clip, kind, &p, joint, count, &out[kind]);
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_clip_add(const quatsimd_pose *additive, quatsimd_in rotations,
                                  quatsimd_in translations, quatsimd_in scales, size_t joints) {
  output out[QUATSIMD_CLIP_KINDS];
  quatsimd_operand base[QUATSIMD_CLIP_KINDS];
  const quatsimd_in *source[] = {&rotations, &translations, &scales};
  if (!additive || !outputs_of(out, additive)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
    if (out[kind].wanted && joints &&
        !quatsimd_resolve_in(&base[kind], (int)out[kind].components, source[kind]))
      return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    if (!out[kind].wanted) continue;
    for (size_t i = 0, n; i < joints; i += n) {
      float a[4][QUATSIMD_CHUNK], b[4][QUATSIMD_CHUNK];
      n = quatsimd_chunk(i, joints);
      quatsimd_gather(&out[kind].to, i, n, quatsimd_room(n), a);
      quatsimd_gather(&base[kind], i, n, quatsimd_room(n), b);
      if (kind == QUATSIMD_CLIP_ROTATION) {
        const float *in[] = {b[0], b[1], b[2], b[3], a[0], a[1], a[2], a[3]};
        quatsimd_active_kernels()->operation[QUATSIMD_OPERATION_multiply](
            0, (float *[]){a[0], a[1], a[2], a[3]}, in, quatsimd_room(n));
      } else {
        for (size_t c = 0; c < CLIP_AXES; c++)
          for (size_t k = 0; k < n; k++)
            a[c][k] = kind == QUATSIMD_CLIP_SCALE ? a[c][k] * b[c][k] : a[c][k] + b[c][k];
      }
      quatsimd_scatter(&out[kind].to, i, n, a);
    }
  }
  return QUATSIMD_OK;
}
