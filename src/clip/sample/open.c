/* Opening a clip: what is checked here, sampling relies on. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "clip/sample/sections.h"

#include "core/arithmetic.h"

static bool within(float f, float most) { return f <= most && f >= -most; } /* NaN is not */

#define MOST_LENGTH 0x1p+100f /* so that nothing computed from lengths overflows */
#define MOST_TIME 0x1p+100

static bool open_own_times(quatsimd_clip *clip, clip_rest *rest) {
  clip->times = clip_take(rest, clip_time_bytes(clip) * (uint64_t)clip->frames);
  if (!clip->times) return false;
  for (size_t f = 0; f < clip->frames; f++) {
    const double time = clip_frame_time(clip, f);
    if (!(time >= -MOST_TIME && time <= MOST_TIME) || (f > 0 && !(time > clip_frame_time(clip, f - 1))))
      return false;
  }
  clip->start = clip_frame_time(clip, 0);
  clip->duration = clip_frame_time(clip, clip->frames - 1) - clip->start;
  return true;
}

static bool open_head(quatsimd_clip *clip, clip_rest *rest) {
  const unsigned char *head = clip_take(rest, CLIP_HEAD);
  if (!head || load_u32(head + CLIP_AT_MAGIC) != CLIP_MAGIC || load_u32(head + CLIP_AT_SIZE) != clip->size ||
      load_u32(head + CLIP_AT_CHECKSUM) != quatsimd_clip_checksum(clip->data, clip->size))
    return false;
  clip->joints = load_u32(head + CLIP_AT_JOINTS);
  clip->frames = load_u32(head + CLIP_AT_FRAMES);
  clip->rate = load_double(head + CLIP_AT_RATE);
  clip->flags = load_u32(head + CLIP_AT_FLAGS);
  const bool started = clip->rate != 0 && clip->flags & CLIP_HAS_START;
  const unsigned char *start = clip_take(rest, started ? 8 : 0),
                      *skeleton = clip_take(rest, clip->flags & CLIP_HAS_SKELETON ? 8 : 0),
                      *tracks = clip_take(rest, clip->flags & CLIP_HAS_TRACKS ? 4 : 0);
  if (!start || !skeleton || !tracks) return false;
  clip->start = started ? load_double(start) : 0;
  clip->skeleton = clip->flags & CLIP_HAS_SKELETON ? load_u64(skeleton) : 0;
  clip->tracks = clip->flags & CLIP_HAS_TRACKS ? load_u32(tracks) : 0;
  return quatsimd_clip_open_times(clip, rest);
}

bool quatsimd_clip_open_times(quatsimd_clip *clip, clip_rest *rest) {
  clip->loop = (clip->flags & CLIP_LOOPS) != 0;
  clip->additive = clip->flags / CLIP_ADDITIVE % 4;
  if (clip->joints > CLIP_MOST_JOINTS || clip->tracks > CLIP_MOST_JOINTS || clip->frames < 1 ||
      clip->frames > CLIP_MOST_FRAMES || clip->additive == 3 ||
      !(clip->rate == 0 || (clip->rate >= 1 / MOST_TIME && clip->rate <= MOST_TIME)) ||
      !(clip->start >= -MOST_TIME && clip->start <= MOST_TIME))
    return false;
  if (clip->rate == 0) return open_own_times(clip, rest);
  clip->duration = (double)(clip->frames - 1) / clip->rate;
  /* a frame's time must be nearer to it than to others after rounding */
  const double last = clip->start + clip->duration, most = 0x1p+48 / clip->rate;
  return clip->frames == 1 || (__builtin_fabs(clip->start) <= most && __builtin_fabs(last) <= most);
}

static bool open_masks(quatsimd_clip *clip, int kind, clip_rest *rest) {
  quatsimd_clip_part *part = &clip->part[kind];
  const size_t elements = clip_elements(clip, kind);
  part->masks = clip_take(rest, (elements + 3) / 4);
  if (clip->flags & CLIP_HAS_KEYS << kind) part->keyed_mask = clip_take(rest, (elements + 7) / 8);
  return rest->ok && quatsimd_clip_count_curves(clip, kind);
}

bool quatsimd_clip_count_curves(quatsimd_clip *clip, int kind) {
  quatsimd_clip_part *part = &clip->part[kind];
  const size_t elements = clip_elements(clip, kind);
  size_t count[CLIP_STATES] = {0};
  for (size_t j = 0; j < elements; j++) count[clip_state_of(clip, kind, j)]++;
  part->constants = count[QUATSIMD_CLIP_CONSTANT], part->moving = count[QUATSIMD_CLIP_MOVING];
  part->keyed = count[QUATSIMD_CLIP_KEYED];
  clip->curves[kind] = elements - count[QUATSIMD_CLIP_ABSENT];
  return part->moving == 0 || clip->frames > 1;
}

bool quatsimd_clip_is_unit(float unit, int kind) {
  return unit >= 1 / MOST_LENGTH && unit <= (kind == QUATSIMD_CLIP_ROTATION ? 1 : 0x1p+70f);
}

/* How moving curves are stored: the unit, widths of knots, where blocks end, units of their own. */
static bool open_plan(quatsimd_clip *clip, int kind, clip_rest *rest) {
  quatsimd_clip_part *part = &clip->part[kind];
  if (part->moving == 0) return true;
  const size_t groups = (part->moving + CLIP_GROUP - 1) / CLIP_GROUP, axes = clip_axes(kind);
  const unsigned char *unit = clip_take(rest, 4);
  part->widths = clip_take(rest, axes * groups);
  part->ends = clip_take(rest, (uint64_t)clip_blocks(clip->frames) * clip_end_bytes(clip, kind));
  part->units = clip->flags & CLIP_HAS_UNITS << kind ? clip_take(rest, part->moving) : NULL;
  if (!rest->ok) return false;
  part->unit = load_float(unit);
  if (!quatsimd_clip_is_unit(part->unit, kind)) return false;
  for (size_t i = 0; i < axes * groups; i++)
    if (part->widths[i] > CLIP_KNOT_BITS) return false;
  for (size_t g = 0; g < groups; g++)
    part->row += clip_row_bytes(part->widths + axes * g, axes, clip_group_curves(part->moving, g));
  return true;
}

/* Codes and profiles of all curves, then, group by group, the channels and the curves that have their
 * frames one by one. */
static bool check_block(const quatsimd_clip *clip, int kind, size_t block, clip_rest data) {
  const size_t moving = clip->part[kind].moving, frames = clip->frames, axes = clip_axes(kind);
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

bool quatsimd_clip_open_blocks(quatsimd_clip *clip, int kind, clip_rest *rest) {
  quatsimd_clip_part *part = &clip->part[kind];
  if (part->moving == 0) return true;
  const size_t blocks = clip_blocks(clip->frames);
  size_t end = 0;
  quatsimd_clip_make_tables();
  part->blocks = rest->at;
  for (size_t b = 0; b < blocks; b++) {
    const size_t start = end;
    end = clip_block_end(clip, kind, b);
    const unsigned char *data = end < start ? NULL : clip_take(rest, end - start);
    if (!data || !check_block(clip, kind, b, (clip_rest){data, end - start, true})) return false;
  }
  return true;
}

static bool open_knots(quatsimd_clip *clip, int kind, clip_rest *rest) {
  quatsimd_clip_part *part = &clip->part[kind];
  if (part->moving == 0) return true;
  part->knots = clip_take(rest, (uint64_t)(clip_blocks(clip->frames) + 1) * part->row);
  return rest->ok && rest->size >= CLIP_OVERREAD;
}

bool quatsimd_clip_check_floats(const unsigned char *p, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++) good = good && within(load_float(p + 4 * i), MOST_LENGTH);
  return good;
}

/* Every moving curve must have its slot. A bit for each of some joints at a time: there may be many, and
 * nothing is allocated. */
bool quatsimd_clip_check_slots(const quatsimd_clip *clip, int kind) {
  enum { AT_ONCE = 1 << 15 };
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t elements = clip_elements(clip, kind), slot_bytes = clip_slot_bytes(elements);
  for (size_t first = 0; first < elements; first += AT_ONCE) {
    uint32_t seen[AT_ONCE / 32] = {0};
    for (size_t i = 0; i < part->moving; i++) {
      const size_t joint = clip_slot(part->slots, slot_bytes, i), at = joint - first;
      if (joint >= elements || clip_state(part->masks, NULL, joint) != QUATSIMD_CLIP_MOVING) return false;
      if (joint < first || at >= AT_ONCE) continue;
      if (seen[at / 32] >> at % 32 & 1) return false;
      seen[at / 32] |= 1u << at % 32;
    }
  }
  return true; /* as many as there are moving joints, and no two the same */
}

/* Lengths near 1, so that normalising them is safe. */
static bool check_quats(const unsigned char *p, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    const float x = load_float(p + 16 * i), y = load_float(p + 16 * i + 4), z = load_float(p + 16 * i + 8),
                w = load_float(p + 16 * i + 12), norm2 = (x * x + y * y) + (z * z + w * w);
    good = good && norm2 >= 0.25f && norm2 <= 4; /* NaN is not */
  }
  return good;
}

static bool check_keys(const quatsimd_clip *clip, int kind, clip_rest *rest) {
  for (size_t i = 0; i < clip->part[kind].keyed; i++) {
    const unsigned char *head = clip_take(rest, 4);
    if (!head) return false;
    const clip_keyed keys = clip_keyed_at(clip, kind, head);
    if (keys.count == 0 || (keys.floats && kind != QUATSIMD_CLIP_ROTATION) ||
        !clip_take(rest, (uint64_t)keys.count * (keys.time_bytes + keys.value_bytes)))
      return false;
    double before = -MOST_TIME;
    for (size_t k = 0; k < keys.count; k++) {
      const double time = clip_keyed_time(&keys, k);
      if (!(k ? time > before : time >= before) || !(time <= MOST_TIME)) return false;
      before = time;
    }
    if (keys.floats && !check_quats(keys.values, keys.count)) return false;
    if (kind != QUATSIMD_CLIP_ROTATION &&
        !quatsimd_clip_check_floats(keys.values, clip_axes(kind) * keys.count))
      return false;
  }
  return true;
}

bool quatsimd_clip_open_still(quatsimd_clip *clip, int kind, clip_rest *rest) {
  quatsimd_clip_part *part = &clip->part[kind];
  part->constant =
      clip_take(rest, (uint64_t)clip_constant_bytes(kind, clip_precision(clip)) * part->constants);
  part->keys = rest->at;
  return rest->ok &&
         (kind == QUATSIMD_CLIP_ROTATION ||
          quatsimd_clip_check_floats(part->constant, clip_axes(kind) * part->constants)) &&
         check_keys(clip, kind, rest);
}

static bool open_rest(quatsimd_clip *clip, int kind, clip_rest *rest) {
  quatsimd_clip_part *part = &clip->part[kind];
  part->bases = clip_take(rest, (uint64_t)clip_base_bytes(clip, kind) * part->moving);
  part->slots = clip_take(rest, (uint64_t)clip_slot_bytes(clip_elements(clip, kind)) * part->moving);
  return rest->ok && quatsimd_clip_check_slots(clip, kind) &&
         (kind == QUATSIMD_CLIP_ROTATION ||
          quatsimd_clip_check_floats(part->bases, clip_axes(kind) * part->moving)) &&
         quatsimd_clip_open_still(clip, kind, rest);
}

uint32_t quatsimd_clip_checksum(const unsigned char *data, size_t size) {
  return XXH32(data + CLIP_AT_SIZE, size - CLIP_AT_SIZE, 0);
}

_Static_assert(sizeof(quatsimd_clip) <= sizeof(quatsimd_clip_storage), "an opened clip does not fit");

size_t quatsimd_clip_memory_size(void) { return sizeof(quatsimd_clip); }

quatsimd_status quatsimd_clip_check_magic(const unsigned char *data, size_t size) {
  enum { VERSION = CLIP_MAGIC >> 24 };
  if (size < 4 || memcmp(data, "QSC", 3) != 0 || data[3] < VERSION) return QUATSIMD_ERROR_NOT_A_CLIP;
  return data[3] > VERSION ? QUATSIMD_ERROR_LATER_VERSION : QUATSIMD_OK;
}

quatsimd_status quatsimd_clip_peek_size(size_t *length, const void *data, size_t size) {
  if (!length || (!data && size)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_status status = quatsimd_clip_check_magic(data, size);
  if (status != QUATSIMD_OK) return status;
  const size_t found = size < CLIP_HEAD ? 0 : load_u32((const unsigned char *)data + CLIP_AT_SIZE);
  if (found < CLIP_HEAD) return QUATSIMD_ERROR_DAMAGED_CLIP;
  *length = found;
  return QUATSIMD_OK;
}

static bool open_all(quatsimd_clip *clip) {
  static bool (*const section[])(quatsimd_clip *, int, clip_rest *) = {
      open_masks, open_plan, quatsimd_clip_open_blocks, open_knots, open_rest};
  clip_rest rest = {clip->data, clip->size, true};
  bool good = open_head(clip, &rest);
  for (size_t s = 0; s < sizeof section / sizeof *section; s++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
      if (good && clip->flags & CLIP_HAS_KIND << kind) good = section[s](clip, kind, &rest);
  if (!good || rest.size > CLIP_OVERREAD) return false;
  for (size_t i = 0; i < rest.size; i++)
    if (rest.at[i] != 0) return false;
  return true;
}

quatsimd_status quatsimd_clip_open(quatsimd_clip **clip, void *memory, size_t memory_size, const void *data,
                                   size_t size) {
  if (!clip || !memory || (uintptr_t)memory % _Alignof(quatsimd_clip_storage) != 0 || (!data && size))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < sizeof(quatsimd_clip)) return QUATSIMD_ERROR_SHORT_BUFFER;
  const quatsimd_status status = quatsimd_clip_check_magic(data, size);
  if (status != QUATSIMD_OK) return status;
  quatsimd_clip opened = {.data = data, .size = size};
  if (!open_all(&opened)) return QUATSIMD_ERROR_DAMAGED_CLIP;
  *clip = memcpy(memory, &opened, sizeof opened);
  return QUATSIMD_OK;
}

/* ---- properties ---- */

size_t quatsimd_clip_joint_count(const quatsimd_clip *clip) { return clip ? clip->joints : 0; }
size_t quatsimd_clip_track_count(const quatsimd_clip *clip) { return clip ? clip->tracks : 0; }
size_t quatsimd_clip_frame_count(const quatsimd_clip *clip) { return clip ? clip->frames : 0; }
double quatsimd_clip_rate(const quatsimd_clip *clip) { return clip ? clip->rate : 0; }
double quatsimd_clip_start(const quatsimd_clip *clip) { return clip ? clip->start : 0; }
double quatsimd_clip_duration(const quatsimd_clip *clip) { return clip ? clip->duration : 0; }
int quatsimd_clip_is_looping(const quatsimd_clip *clip) { return clip ? clip->loop : 0; }
quatsimd_clip_additivity quatsimd_clip_additive(const quatsimd_clip *clip) {
  return clip ? (quatsimd_clip_additivity)clip->additive : QUATSIMD_CLIP_ADDITIVE_NONE;
}
uint64_t quatsimd_clip_skeleton_hash(const quatsimd_clip *clip) { return clip ? clip->skeleton : 0; }
quatsimd_clip_state quatsimd_clip_curve_state(const quatsimd_clip *clip, quatsimd_clip_kind kind,
                                              size_t joint) {
  return clip && (unsigned)kind < QUATSIMD_CLIP_KIND_COUNT && joint < clip_elements(clip, kind)
             ? clip_state_of(clip, kind, joint)
             : QUATSIMD_CLIP_ABSENT;
}
size_t quatsimd_clip_curve_count(const quatsimd_clip *clip, quatsimd_clip_kind kind) {
  return clip && (unsigned)kind < QUATSIMD_CLIP_KIND_COUNT ? clip->curves[kind] : 0;
}
double quatsimd_clip_frame_time(const quatsimd_clip *clip, size_t frame) {
  return clip ? clip_frame_time(clip, frame < clip->frames ? frame : clip->frames - 1) : 0;
}
