/* Opens clips. Sampling relies on what is checked here. */
#include "clip/sample/sections.h"
#include "clip/sample/states.h"

#include "core/arithmetic.h"
#include "core/container.h"

clip_keyed quatsimd_clip_keyed_base(const clip_keyed *pair) {
  return clip_keyed_at(pair->clip, pair->kind, pair->values + clip_keyed_bytes(pair));
}

const unsigned char *quatsimd_clip_keyed_end(const clip_keyed *keys) {
  const clip_keyed last = keys->pair ? quatsimd_clip_keyed_base(keys) : *keys;
  return last.values + clip_keyed_bytes(&last);
}

static bool within(float f, float most) { return f <= most && f >= -most; } /* false for NaN */

#define MOST_LENGTH 0x1p+100f /* no float in a clip is larger: sampled values are then finite */
#define MOST_TIME 0x1p+100

static bool open_own_times(quatsimd_clip *clip, clip_reader *reader) {
  const unsigned char *times = clip_take(reader, clip_time_bytes(clip) * (uint64_t)clip->frames);
  if (!times) return false;
  clip->times = (uint32_t)(times - clip->data);
  for (size_t f = 0; f < clip->frames; f++) {
    const double time = clip_frame_time(clip, f);
    if (!(time >= -MOST_TIME && time <= MOST_TIME) || (f > 0 && !(time > clip_frame_time(clip, f - 1))))
      return false;
  }
  clip->start = clip_frame_time(clip, 0);
  clip->duration = clip_frame_time(clip, clip->frames - 1) - clip->start;
  return true;
}

static bool open_head(quatsimd_clip *clip, clip_reader *reader) {
  const size_t size = reader->size;
  const unsigned char *head = clip_take(reader, CLIP_HEAD);
  if (!head || load_u32(head + CONTAINER_AT_SIZE) != size || !container_is_whole(clip->data, size))
    return false;
  clip->size = (uint32_t)size;
  clip->joints = load_u32(head + CLIP_AT_JOINTS);
  clip->frames = load_u32(head + CLIP_AT_FRAMES);
  clip->rate = load_double(head + CLIP_AT_RATE);
  clip->flags = (load_u32(head + CLIP_AT_FLAGS) & ~CLIP_OPENED_FLAGS) |
                (load_u32(head + CLIP_AT_MAGIC) == CLIP_MAGIC_3 ? CLIP_IS_3 : 0);
  const bool started = clip->rate != 0 && clip->flags & CLIP_HAS_START;
  const unsigned char *start = clip_take(reader, started ? 8 : 0),
                      *skeleton = clip_take(reader, clip->flags & CLIP_HAS_SKELETON ? 8 : 0),
                      *tracks = clip_take(reader, clip->flags & CLIP_HAS_TRACKS ? 4 : 0);
  if (!start || !skeleton || !tracks) return false;
  clip->start = started ? load_double(start) : 0;
  clip->skeleton = clip->flags & CLIP_HAS_SKELETON ? load_u64(skeleton) : 0;
  clip->tracks = clip->flags & CLIP_HAS_TRACKS ? load_u32(tracks) : 0;
  return quatsimd_clip_open_times(clip, reader);
}

bool quatsimd_clip_open_times(quatsimd_clip *clip, clip_reader *reader) {
  if (clip->joints > CLIP_MOST_JOINTS || clip->tracks > CLIP_MOST_JOINTS || clip->frames < 1 ||
      clip->frames > CLIP_MOST_FRAMES || clip_additive(clip) == 3 ||
      !(clip->rate == 0 || (clip->rate >= 1 / MOST_TIME && clip->rate <= MOST_TIME)) ||
      !(clip->start >= -MOST_TIME && clip->start <= MOST_TIME))
    return false;
  if (clip->rate == 0) return open_own_times(clip, reader);
  clip->duration = (double)(clip->frames - 1) / clip->rate;
  /* times are at most 2^48 intervals, so that a frame's time, rounded to double, is nearest to that frame */
  const double last = clip->start + clip->duration, most = 0x1p+48 / clip->rate;
  return clip->frames == 1 || (fabs(clip->start) <= most && fabs(last) <= most);
}

static bool open_masks(clip_opening *o, int kind, clip_reader *reader) {
  quatsimd_clip_part *part = &o->part[kind];
  const size_t elements = clip_elements(&o->clip, kind);
  const bool has_keys = o->clip.flags & CLIP_HAS_KEYS << kind;
  part->masks = clip_take(reader, (elements + 3) / 4);
  if (has_keys) part->keyed_mask = clip_take(reader, (elements + 7) / 8);
  for (size_t j = 0; reader->ok && j < elements; j += CLIP_STATE_JOINTS) {
    const uint64_t keyed = has_keys ? clip_load_bits(part->keyed_mask, elements, j) : 0;
    const clip_states states = quatsimd_clip_split_states(clip_load_mask(part->masks, elements, j), keyed,
                                                          clip_state_joints(elements, j));
    quatsimd_clip_count_states(part, &states);
  }
  return reader->ok && (part->moving == 0 || o->clip.frames > 1);
}

bool quatsimd_clip_is_unit(float unit, int kind) {
  return unit >= 1 / MOST_LENGTH && unit <= (kind == QUATSIMD_CLIP_ROTATION ? 1 : 0x1p+70f);
}

/* Takes the plan of moving curves: the unit, widths of knots, ends of blocks, and units of curves. */
static bool open_plan(clip_opening *o, int kind, clip_reader *reader) {
  const quatsimd_clip *clip = &o->clip;
  quatsimd_clip_part *part = &o->part[kind];
  if (part->moving == 0) return true;
  const size_t groups = (part->moving + CLIP_GROUP - 1) / CLIP_GROUP, axes = clip_axes(kind);
  const unsigned char *unit = clip_take(reader, 4);
  part->widths = clip_take(reader, axes * groups);
  part->ends = clip_take(reader, (uint64_t)clip_blocks(clip->frames) * clip_end_bytes(clip, kind));
  part->units = clip->flags & CLIP_HAS_UNITS << kind ? clip_take(reader, part->moving) : NULL;
  if (!reader->ok) return false;
  part->unit = load_float(unit);
  if (!quatsimd_clip_is_unit(part->unit, kind)) return false;
  for (size_t i = 0; i < axes * groups; i++)
    if (part->widths[i] > CLIP_KNOT_BITS) return false;
  for (size_t g = 0; g < groups; g++)
    part->row += clip_row_bytes(part->widths + axes * g, axes, clip_group_curves(part->moving, g));
  return true;
}

/* Checks a block: codes and profiles of all curves, then the channels and raw curves of each group. */
static bool check_block(const clip_opening *o, int kind, size_t block, clip_reader data) {
  const size_t moving = o->part[kind].moving, frames = o->clip.frames, axes = clip_axes(kind);
  const size_t inner = clip_block_start(block + 1, frames) - clip_block_start(block, frames) - 1;
  const unsigned char *codes = clip_take(&data, (moving + 1) / 2), *profile = clip_take(&data, axes * moving);
  for (size_t first = 0; data.ok && first < moving; first += CLIP_GROUP) {
    const size_t curves = clip_group_curves(moving, first / CLIP_GROUP);
    size_t payload = 0;
    for (size_t i = 0; i < axes * curves; i++) payload += quatsimd_clip_bytes[profile[i]];
    clip_take(&data, payload);
    for (size_t i = 0; data.ok && i < curves; i++) {
      if (clip_code(codes, first + i) != CLIP_RAW) continue;
      const unsigned char *width = data.at;
      if (data.size < axes) return false;
      for (size_t a = 0; a < axes; a++)
        if (profile[curves * a + i] || width[a] > CLIP_RAW_BITS) return false;
      clip_take(&data, clip_raw_bytes(width, axes, inner));
    }
    profile += axes * curves;
  }
  return data.ok && data.size == 0;
}

bool quatsimd_clip_open_blocks(clip_opening *o, int kind, clip_reader *reader) {
  quatsimd_clip_part *part = &o->part[kind];
  if (part->moving == 0) return true;
  const size_t blocks = clip_blocks(o->clip.frames);
  size_t end = 0;
  quatsimd_clip_make_tables();
  part->blocks = reader->at;
  for (size_t b = 0; b < blocks; b++) {
    const size_t start = end;
    end = clip_block_end(&o->clip, kind, part, b);
    const unsigned char *data = end < start ? NULL : clip_take(reader, end - start);
    if (!data || !check_block(o, kind, b, (clip_reader){data, end - start, true})) return false;
  }
  return true;
}

static bool open_knots(clip_opening *o, int kind, clip_reader *reader) {
  quatsimd_clip_part *part = &o->part[kind];
  if (part->moving == 0) return true;
  part->knots = clip_take(reader, (uint64_t)(clip_blocks(o->clip.frames) + 1) * part->row);
  return reader->ok && reader->size >= CLIP_OVERREAD;
}

bool quatsimd_clip_check_floats(const unsigned char *p, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++) good = good && within(load_float(p + 4 * i), MOST_LENGTH);
  return good;
}

void quatsimd_clip_see_slots(clip_seen *seen, const quatsimd_clip_part *part, size_t elements, size_t first) {
  const size_t slot_bytes = clip_slot_bytes(elements), left = elements - first,
               joints = left < CLIP_SLOTS_AT_ONCE ? left : CLIP_SLOTS_AT_ONCE;
  memset(seen->joint, 0, (joints + 31) / 32 * sizeof *seen->joint);
  for (size_t i = 0; i < part->moving; i++) {
    const size_t at =
        clip_slot(part->slots, slot_bytes, i) - first; /* wraps to a huge number for a joint before `first` */
    if (at < joints) seen->joint[at / 32] |= 1u << at % 32;
  }
}

/* Checks that exactly the joints that move have a slot. There are as many slots as moving curves, so no joint
 * has two. Checks CLIP_SLOTS_AT_ONCE joints at a time, to allocate nothing. */
static bool check_slots(const clip_opening *o, int kind) {
  const quatsimd_clip_part *part = &o->part[kind];
  const size_t elements = clip_elements(&o->clip, kind);
  clip_seen seen;
  for (size_t first = 0; part->moving > 0 && first < elements; first += CLIP_SLOTS_AT_ONCE) {
    quatsimd_clip_see_slots(&seen, part, elements, first);
    for (size_t i = 0; i < CLIP_SLOTS_AT_ONCE && i < elements - first; i += CLIP_STATE_JOINTS)
      if (clip_spread(seen.joint[i / 32]) != quatsimd_clip_load_states(part, elements, first + i).moving)
        return false;
  }
  return true;
}

/* Checks that rotations have lengths near 1, so that normalising them is safe. */
static bool check_quats(const unsigned char *p, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    const float x = load_float(p + 16 * i), y = load_float(p + 16 * i + 4), z = load_float(p + 16 * i + 8),
                w = load_float(p + 16 * i + 12), norm2 = (x * x + y * y) + (z * z + w * w);
    good = good && norm2 >= 0.25f && norm2 <= 4; /* false for NaN */
  }
  return good;
}

/* Takes the values of a spline. If `check`, checks that sampling may read them. */
static bool open_spline(const clip_keyed *keys, clip_reader *reader, bool check) {
  if (keys->count < 2 || keys->hold) return false;
  clip_reader ahead = *reader;
  if (!keys->floats && !clip_take(&ahead, clip_spline_head(keys))) return false;
  if (!clip_take(reader, clip_keyed_bytes(keys))) return false;
  if (!check) return true;
  if (keys->floats) return quatsimd_clip_check_floats(keys->values, keys->components * (3 * keys->count - 2));
  const float unit = load_float(keys->values);
  for (size_t i = 4; i < clip_spline_head(keys); i++)
    if (keys->values[i] > CLIP_SPLINE_BITS) return false;
  return unit >= 1 / MOST_LENGTH && unit <= 0x1p+70f;
}

static bool check_keyed(const clip_keyed *keys, int kind) {
  double before = -MOST_TIME;
  for (size_t k = 0; k < keys->count; k++) {
    if (keys->frames && clip_keyed_frame(keys, k) >= keys->clip->frames) return false;
    const double time = clip_keyed_time(keys, k);
    if (!(k ? time > before : time >= before) || !(time <= MOST_TIME)) return false;
    before = time;
  }
  if (keys->spline) return true;
  if (keys->floats) return check_quats(keys->values, keys->count);
  return kind == QUATSIMD_CLIP_ROTATION ||
         quatsimd_clip_check_floats(keys->values, clip_axes(kind) * keys->count);
}

/* Takes a curve with its own keys, without its base if it is a pair. *pair gets true if it is. */
static bool open_keyed(clip_opening *o, int kind, clip_reader *reader, bool check, bool *pair) {
  const unsigned char *head = clip_take(reader, 4);
  if (!head) return false;
  const clip_keyed keys = clip_keyed_at(&o->clip, kind, head);
  *pair = keys.pair;
  o->newer = o->newer || keys.spline || keys.frames || keys.pair;
  return keys.count > 0 && clip_take(reader, (uint64_t)keys.count * keys.time_bytes) &&
         (keys.spline ? open_spline(&keys, reader, check)
                      : (!keys.floats || kind == QUATSIMD_CLIP_ROTATION) &&
                            clip_take(reader, clip_keyed_bytes(&keys))) &&
         (!check || check_keyed(&keys, kind));
}

static bool open_keys(clip_opening *o, int kind, clip_reader *reader, bool check) {
  for (size_t i = 0; i < o->part[kind].keyed; i++) {
    bool pair, another = false;
    if (!open_keyed(o, kind, reader, check, &pair) ||
        (pair && (!open_keyed(o, kind, reader, check, &another) || another)))
      return false;
  }
  return true;
}

bool quatsimd_clip_open_still(clip_opening *o, int kind, clip_reader *reader, bool check) {
  quatsimd_clip_part *part = &o->part[kind];
  const size_t bytes = clip_constant_bytes(kind, clip_precision(&o->clip));
  part->constant = clip_take(reader, (uint64_t)bytes * part->constants);
  part->keys = reader->at;
  return reader->ok &&
         (!check || kind == QUATSIMD_CLIP_ROTATION ||
          quatsimd_clip_check_floats(part->constant, clip_axes(kind) * part->constants)) &&
         open_keys(o, kind, reader, check);
}

static bool open_bases(clip_opening *o, int kind, clip_reader *reader) {
  quatsimd_clip_part *part = &o->part[kind];
  part->bases = clip_take(reader, (uint64_t)clip_base_bytes(&o->clip, kind) * part->moving);
  part->slots = clip_take(reader, (uint64_t)clip_slot_bytes(clip_elements(&o->clip, kind)) * part->moving);
  return reader->ok && check_slots(o, kind) &&
         (kind == QUATSIMD_CLIP_ROTATION ||
          quatsimd_clip_check_floats(part->bases, clip_axes(kind) * part->moving)) &&
         quatsimd_clip_open_still(o, kind, reader, true);
}

/* ---- the opened clip in the caller's memory ---- */

size_t quatsimd_clip_compact_size(const clip_opening *o) {
  size_t words = CLIP_HEAD_WORDS + (o->events.count > 0 ? (size_t)CLIP_EVENTS_WORDS : 0);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (clip_has_kind(&o->clip, kind))
      words += CLIP_STILL_WORDS + (o->part[kind].moving > 0 ? (size_t)CLIP_MOVING_WORDS : 0);
  return CLIP_WORD * words;
}

static uint32_t offset_of(const unsigned char *p, const void *from) {
  return p ? (uint32_t)(p - (const unsigned char *)from) : 0;
}

static void store_moving(quatsimd_clip_moving *to, const quatsimd_clip *clip, int kind,
                         const quatsimd_clip_part *part) {
  const void *const data = clip->data, *const tables = clip->places[kind] & CLIP_OWN_TABLES ? clip : data;
  *to = (quatsimd_clip_moving){.unit = part->unit,
                               .row = (uint32_t)part->row,
                               .widths = offset_of(part->widths, tables),
                               .ends = offset_of(part->ends, data),
                               .units = offset_of(part->units, data),
                               .blocks = offset_of(part->blocks, data),
                               .knots = offset_of(part->knots, data),
                               .bases = offset_of(part->bases, tables),
                               .slots =
                                   offset_of(part->slots, clip->places[kind] & CLIP_OWN_SLOTS ? clip : data)};
}

void quatsimd_clip_compact(quatsimd_clip *to, const clip_opening *o) {
  size_t at = CLIP_HEAD_WORDS;
  *to = o->clip;
  if (o->events.count > 0) {
    to->flags |= CLIP_HAS_EVENTS;
    memcpy(to + 1, &o->events, sizeof o->events);
    at += CLIP_EVENTS_WORDS;
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const quatsimd_clip_part *part = &o->part[kind];
    if (!clip_has_kind(to, kind)) continue;
    const void *const masks_from = to->places[kind] & CLIP_USUAL_MASKS ? (const void *)to->usual
                                   : to->places[kind] & CLIP_OWN_MASKS ? to
                                                                       : (const void *)to->data;
    quatsimd_clip_still *const still = (void *)((unsigned char *)to + CLIP_WORD * at);
    to->part_at[kind] = (uint8_t)at;
    *still = (quatsimd_clip_still){.curves = (uint32_t)part->curves,
                                   .constants = (uint32_t)part->constants,
                                   .moving = (uint32_t)part->moving,
                                   .keyed = (uint32_t)part->keyed,
                                   .masks = offset_of(part->masks, masks_from),
                                   .keyed_mask = offset_of(part->keyed_mask, to->data),
                                   .constant = offset_of(part->constant, to->data)};
    at += CLIP_STILL_WORDS;
    if (part->moving == 0) continue;
    store_moving((void *)(still + 1), to, kind, part);
    at += CLIP_MOVING_WORDS;
  }
}

enum { MEMORY = CLIP_WORD * CLIP_MOST_WORDS };
_Static_assert(MEMORY <= sizeof(quatsimd_clip_storage), "an opened clip does not fit");
/* compares the alignments with each other and not with 8, because on i386 both are 4 */
_Static_assert(_Alignof(quatsimd_clip) <= _Alignof(quatsimd_clip_storage),
               "an opened clip needs more than its storage's alignment");

size_t quatsimd_clip_memory_size(void) { return MEMORY; }

static const container_kind clips = {.letters = "QSC",
                                     .oldest = CLIP_MAGIC >> 24,
                                     .newest = CLIP_MAGIC_3 >> 24,
                                     .head = CLIP_HEAD,
                                     .memory_size = MEMORY,
                                     .alignment = _Alignof(quatsimd_clip_storage),
                                     .foreign = QUATSIMD_ERROR_NOT_A_CLIP,
                                     .damaged = QUATSIMD_ERROR_DAMAGED_CLIP};

quatsimd_status quatsimd_clip_check_magic(const unsigned char *data, size_t size) {
  return quatsimd_container_check(&clips, data, size);
}

quatsimd_status quatsimd_clip_peek_size(size_t *length, const void *data, size_t size) {
  return quatsimd_container_peek(&clips, length, data, size);
}

static bool open_all(clip_opening *o, size_t size) {
  static bool (*const section[])(clip_opening *, int, clip_reader *) = {
      open_masks, open_plan, quatsimd_clip_open_blocks, open_knots, open_bases};
  clip_reader reader = {o->clip.data, size, true};
  bool good = open_head(&o->clip, &reader);
  for (size_t s = 0; s < sizeof section / sizeof *section; s++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
      if (good && clip_has_kind(&o->clip, kind)) good = section[s](o, kind, &reader);
  if (!good || !clip_needs_version(o) || reader.size > CLIP_OVERREAD) return false;
  for (size_t i = 0; i < reader.size; i++)
    if (reader.at[i] != 0) return false;
  return true;
}

quatsimd_status quatsimd_clip_open(quatsimd_clip **clip, void *memory, size_t memory_size, const void *data,
                                   size_t size) {
  const quatsimd_status status = quatsimd_container_begin(&clips, clip, memory, memory_size, data, size);
  if (status != QUATSIMD_OK) return status;
  clip_opening opening = {.clip.data = data};
  if (!open_all(&opening, size)) return QUATSIMD_ERROR_DAMAGED_CLIP;
  quatsimd_clip_compact(memory, &opening);
  *clip = memory;
  return QUATSIMD_OK;
}

/* ---- properties ---- */

size_t quatsimd_clip_joint_count(const quatsimd_clip *clip) { return clip ? clip->joints : 0; }
size_t quatsimd_clip_track_count(const quatsimd_clip *clip) { return clip ? clip->tracks : 0; }
size_t quatsimd_clip_frame_count(const quatsimd_clip *clip) { return clip ? clip->frames : 0; }
double quatsimd_clip_rate(const quatsimd_clip *clip) { return clip ? clip->rate : 0; }
double quatsimd_clip_start(const quatsimd_clip *clip) { return clip ? clip->start : 0; }
double quatsimd_clip_duration(const quatsimd_clip *clip) { return clip ? clip->duration : 0; }
int quatsimd_clip_is_looping(const quatsimd_clip *clip) { return clip ? clip_loops(clip) : 0; }
quatsimd_clip_additivity quatsimd_clip_additive(const quatsimd_clip *clip) {
  return clip ? (quatsimd_clip_additivity)clip_additive(clip) : QUATSIMD_CLIP_ADDITIVE_NONE;
}
uint64_t quatsimd_clip_skeleton_hash(const quatsimd_clip *clip) { return clip ? clip->skeleton : 0; }
quatsimd_clip_state quatsimd_clip_curve_state(const quatsimd_clip *clip, quatsimd_clip_kind kind,
                                              size_t joint) {
  return clip && (unsigned)kind < QUATSIMD_CLIP_KIND_COUNT && joint < clip_elements(clip, (int)kind)
             ? clip_state_of(clip, (int)kind, joint)
             : QUATSIMD_CLIP_ABSENT;
}
size_t quatsimd_clip_curve_count(const quatsimd_clip *clip, quatsimd_clip_kind kind) {
  return clip && (unsigned)kind < QUATSIMD_CLIP_KIND_COUNT ? clip_part_of(clip, (int)kind).curves : 0;
}
double quatsimd_clip_frame_time(const quatsimd_clip *clip, size_t frame) {
  return clip ? clip_frame_time(clip, frame < clip->frames ? frame : clip->frames - 1) : 0;
}
