/* Opens bytes that may be a bundle, looks up everything in it, and samples its clips. */
#ifndef QUATSIMD_TESTS_BUNDLE_BYTES_H
#define QUATSIMD_TESTS_BUNDLE_BYTES_H

#include "support/clip_bytes.h"

#include "quatsimd/bundle.h"

/* Offsets in a bundle's head and in an entry of its table of sections, as docs/bundle.md defines them. */
enum { QSB_CHECKSUM = 4, QSB_SIZE = 8, QSB_CLIPS = 16, QSB_SECTIONS = 20, QSB_HEAD = 24 };
enum { QSB_ENTRY_CHECKSUM = 4, QSB_ENTRY_PLACE = 8, QSB_ENTRY_SIZE = 16, QSB_ENTRY = 24, QSB_TAIL = 32 };
enum { QSB_SKELETON = 1, QSB_SETTINGS, QSB_INDEX, QSB_NAMES, QSB_RECORDS, QSB_EVENTS, QSB_MASKS, QSB_MAKING };
/* Offsets in the head of a bundle of version 1. */
enum { QSB1_CLIPS = 12, QSB1_SETTINGS = 16, QSB1_SKELETON = 20 };

static inline void qsb_put(unsigned char *p, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)(value >> 8 * i);
}
static inline uint32_t qsb_get(const unsigned char *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A section of a bundle of version 2. The pointers are NULL if it is missing or not inside the bytes. */
typedef struct qsb_part {
  unsigned char *entry, *at;
  size_t size;
} qsb_part;

/* Returns the section that entry i of the table describes. */
static inline qsb_part qsb_part_at(unsigned char *bytes, size_t size, size_t i) {
  unsigned char *entry = bytes + QSB_HEAD + QSB_ENTRY * i;
  if (QSB_HEAD + QSB_ENTRY * (i + 1) > size) return (qsb_part){NULL, NULL, 0};
  const size_t place = qsb_get(entry + QSB_ENTRY_PLACE), bytes_of = qsb_get(entry + QSB_ENTRY_SIZE);
  if (place > size || bytes_of > size - place) return (qsb_part){NULL, NULL, 0};
  return (qsb_part){entry, bytes + place, bytes_of};
}
static inline size_t qsb_part_count(const unsigned char *bytes, size_t size) {
  const size_t count = size < QSB_HEAD ? 0 : qsb_get(bytes + QSB_SECTIONS);
  return count < size / QSB_ENTRY ? count : size / QSB_ENTRY;
}

static inline qsb_part qsb_section(unsigned char *bytes, size_t size, unsigned type) {
  for (size_t i = 0; i < qsb_part_count(bytes, size); i++) {
    const qsb_part part = qsb_part_at(bytes, size, i);
    if (part.at && (qsb_get(part.entry) & 0x7fffffff) == type) return part;
  }
  return (qsb_part){NULL, NULL, 0};
}

/* Corrects the checksums of the clips in the index. */
static inline void bundle_bytes_seal_clips(unsigned char *bytes, size_t size) {
  const qsb_part index = qsb_section(bytes, size, QSB_INDEX), clips = qsb_section(bytes, size, QSB_RECORDS);
  for (size_t i = 0; clips.size >= QSB_TAIL && 12 * (i + 1) <= index.size; i++) {
    unsigned char *entry = index.at + 12 * i;
    const size_t at = qsb_get(entry + 4),
                 end = 12 * (i + 2) <= index.size ? qsb_get(entry + 16) : clips.size - QSB_TAIL;
    if (at <= end && end <= clips.size) qsb_put(entry + 8, XXH32(clips.at + at, end - at, 0), 4);
  }
}

/* Corrects the size and all checksums of a bundle of either version. */
static inline void bundle_bytes_seal(unsigned char *bytes, size_t size) {
  if (size < QSB_HEAD) return;
  size_t end = size;
  qsb_put(bytes + QSB_SIZE, size, bytes[3] == 1 ? 4 : 8);
  if (bytes[3] != 1) {
    bundle_bytes_seal_clips(bytes, size);
    for (size_t i = 0; i < qsb_part_count(bytes, size); i++) {
      const qsb_part part = qsb_part_at(bytes, size, i);
      if (part.at) qsb_put(part.entry + QSB_ENTRY_CHECKSUM, XXH32(part.at, part.size, 0), 4);
    }
    end = QSB_HEAD + QSB_ENTRY * (size_t)qsb_get(bytes + QSB_SECTIONS);
  }
  if (end <= size) qsb_put(bytes + QSB_CHECKSUM, XXH32(bytes + QSB_SIZE, end - QSB_SIZE, 0), 4);
}

/* Returns a copy of the bundle in version 1, without events, masks and making. The caller frees the copy. */
static inline unsigned char *bundle_bytes_former(unsigned char *bytes, size_t size, size_t *former_size) {
  const qsb_part skeleton = qsb_section(bytes, size, QSB_SKELETON),
                 index = qsb_section(bytes, size, QSB_INDEX),
                 settings = qsb_section(bytes, size, QSB_SETTINGS),
                 names = qsb_section(bytes, size, QSB_NAMES), clips = qsb_section(bytes, size, QSB_RECORDS);
  const size_t count = qsb_get(bytes + QSB_CLIPS), tables = settings.size - 4,
               other_bytes = QSB_HEAD + tables + names.size + clips.size - QSB_TAIL - count + skeleton.size,
               offset_bytes = other_bytes + 3 * count <= 1 << 24 ? 3 : 4,
               all = other_bytes + offset_bytes * count;
  unsigned char *to = malloc(all), *at = to + QSB_HEAD + tables + offset_bytes * count;
  if (!to) abort();
  memcpy(to, "QSB\1", 4);
  qsb_put(to + QSB1_CLIPS, count, 4);
  memcpy(to + QSB1_SETTINGS, settings.at, 4);
  memcpy(to + QSB_HEAD, settings.at + 4, tables);
  for (size_t i = 0; i < count; i++) {
    const unsigned char *entry = index.at + 12 * i;
    const bool last = i + 1 == count;
    const size_t name = qsb_get(entry), name_end = last ? names.size : qsb_get(entry + 12),
                 clip = qsb_get(entry + 4) + 1, clip_end = last ? clips.size - QSB_TAIL : qsb_get(entry + 16);
    qsb_put(to + QSB_HEAD + tables + offset_bytes * i, (size_t)(at - to), offset_bytes);
    memcpy(at, names.at + name, name_end - name), at += name_end - name;
    memcpy(at, clips.at + clip, clip_end - clip), at += clip_end - clip;
  }
  qsb_put(to + QSB1_SKELETON, (size_t)(at - to), 4);
  memcpy(at, skeleton.at, skeleton.size);
  bundle_bytes_seal(to, all);
  *former_size = all;
  return to;
}

/* Samples an open clip at four times and decodes one frame. Returns the text of an error, or NULL. */
static inline const char *bundle_bytes_sample(const quatsimd_clip *clip, uint64_t *state) {
  const size_t joints = quatsimd_clip_joint_count(clip), tracks = quatsimd_clip_track_count(clip),
               floats = clip_bytes_floats(clip) + CLIP_BYTES_GUARD;
  if (joints > CLIP_BYTES_MOST || tracks > CLIP_BYTES_MOST) return NULL; /* sampling would take too long */
  float *to = malloc(4 * floats);
  const char *wrong = NULL;
  if (!to) abort();
  for (size_t i = 0; i < floats; i++) to[i] = CLIP_BYTES_FILL;
  quatsimd_pose_out pose = clip_bytes_pose(to, clip, 1);
  for (int i = 0; i < 4 && !wrong; i++) {
    const double part = i < 2 ? i : random_unit(state),
                 time = quatsimd_clip_start(clip) + part * quatsimd_clip_duration(clip);
    if (quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0) != QUATSIMD_OK)
      wrong = "sample fails";
    if (!wrong) wrong = clip_bytes_wrong(to, joints, tracks);
  }
  const size_t frame = (size_t)(sweep_next(state) % quatsimd_clip_frame_count(clip));
  if (!wrong && quatsimd_clip_decode(clip, &pose, NULL, frame, 1, 0) != QUATSIMD_OK) wrong = "decode fails";
  if (!wrong) wrong = clip_bytes_wrong(to, joints, tracks);
  free(to);
  return wrong;
}

/* Counts and writes the events that a clip's clock passes in random steps. Returns the text of an error, or
 * NULL. */
static inline const char *bundle_bytes_events(const quatsimd_clip *clip, uint64_t *state) {
  enum { MOST = 20 };
  quatsimd_clip_event event[MOST];
  const size_t count = quatsimd_clip_event_count(clip);
  for (size_t i = 0; i < count; i++) {
    if (!quatsimd_clip_event_name(clip, i)) return "an event without a name";
    if (i > 0 && quatsimd_clip_event_time(clip, i) < quatsimd_clip_event_time(clip, i - 1))
      return "events are not sorted";
  }
  for (int i = 0; i < 12; i++) {
    uint64_t bits = sweep_next(state);
    double from, to;
    memcpy(&from, &bits, sizeof from); /* any double, also NaN */
    if (i % 3) from = quatsimd_clip_start(clip) + quatsimd_clip_duration(clip) * (6 * random_unit(state) - 3);
    to = from + quatsimd_clip_duration(clip) * (4 * random_unit(state) - 2);
    const quatsimd_clip_wrap wrap = (quatsimd_clip_wrap)(i % 4);
    const size_t found = quatsimd_clip_events_between(clip, event, MOST, from, to, wrap);
    if (found != quatsimd_clip_events_between(clip, NULL, 0, from, to, wrap)) return "a count of events";
    for (size_t k = 0; k < found && k < MOST; k++)
      if (from < to ? !(event[k].clock > from && event[k].clock <= to)
                    : !(event[k].clock >= to && event[k].clock < from))
        return "an event that was not passed";
  }
  return NULL;
}

/* Copies each mask. Returns the text of an error, or NULL. */
static inline const char *bundle_bytes_masks(const quatsimd_bundle *bundle,
                                             const quatsimd_skeleton *skeleton) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               tracks = quatsimd_skeleton_track_count(skeleton), count = quatsimd_bundle_mask_count(bundle);
  float *weights = malloc(4 * (joints + tracks + 1));
  const char *wrong = NULL;
  if (!weights) abort();
  for (size_t i = 0; i < count && !wrong; i++) {
    const char *name = quatsimd_bundle_mask_name(bundle, i);
    if (quatsimd_bundle_mask(bundle, name, weights, weights + joints) != QUATSIMD_OK)
      wrong = "a mask is not found";
    for (size_t j = 0; j < joints + tracks && !wrong; j++)
      if (!isfinite(weights[j])) wrong = "a weight is not finite";
  }
  if (quatsimd_bundle_mask(bundle, "\xff", weights, NULL) != QUATSIMD_ERROR_NO_SUCH_MASK)
    wrong = "a mask is found that is not there";
  free(weights);
  return wrong;
}

/* Opens clip `number` in memory of exactly its size, and samples it. Returns an error's text, or NULL. */
static inline const char *bundle_bytes_clip(const quatsimd_bundle *bundle, size_t number, bool *opens,
                                            uint64_t *state) {
  const size_t memory = quatsimd_bundle_clip_memory_size(bundle, number);
  unsigned char *clip_memory = malloc(memory + 8);
  quatsimd_clip *clip;
  const char *wrong = NULL;
  if (!clip_memory) abort();
  memset(clip_memory + memory, 0xa5, 8);
  const quatsimd_status status = quatsimd_bundle_open_clip(bundle, number, &clip, clip_memory, memory);
  *opens = status == QUATSIMD_OK;
  if (memory == 0 && status != QUATSIMD_ERROR_DAMAGED_CLIP && status != QUATSIMD_ERROR_LATER_VERSION)
    wrong = "a clip without a size opens";
  else if (memory > 0 && !*opens) wrong = "no clip";
  else if (memory > 0 && quatsimd_bundle_open_clip(bundle, number, &clip, clip_memory, memory - 1) !=
                             QUATSIMD_ERROR_SHORT_BUFFER)
    wrong = "a clip opens in less memory";
  else if (memory > 0 && quatsimd_clip_skeleton_hash(clip) != quatsimd_bundle_skeleton_hash(bundle))
    wrong = "a clip's hash";
  else if (memory > 0) wrong = bundle_bytes_sample(clip, state);
  if (memory > 0 && !wrong) wrong = bundle_bytes_events(clip, state);
  for (size_t i = 0; i < 8; i++)
    if (clip_memory[memory + i] != 0xa5) wrong = "written behind the memory of a clip";
  free(clip_memory);
  return wrong;
}

/* Opens, checks and samples bytes that may be a bundle. Returns true if the bundle opens and its check finds
 * no error. *wrong must be NULL. If the library behaves wrongly, *wrong becomes the text of the error. */
static inline bool bundle_bytes_try(const unsigned char *bytes, size_t size, uint64_t *state,
                                    const char **wrong) {
  quatsimd_bundle_storage storage;
  quatsimd_skeleton_storage of_skeleton;
  quatsimd_bundle *bundle;
  quatsimd_skeleton *skeleton;
  const void *making;
  size_t making_size;
  if (quatsimd_bundle_open(&bundle, &storage, sizeof storage, bytes, size) != QUATSIMD_OK) return false;
  const quatsimd_status whole = quatsimd_bundle_check(bundle, NULL);
  if (quatsimd_bundle_open_skeleton(bundle, &skeleton, &of_skeleton, sizeof of_skeleton) != QUATSIMD_OK ||
      quatsimd_skeleton_hash(skeleton) != quatsimd_bundle_skeleton_hash(bundle))
    *wrong = "no skeleton";
  else *wrong = bundle_bytes_masks(bundle, skeleton);
  if (quatsimd_bundle_find_clip(bundle, "\xff") != -1) *wrong = "a name is found that is not there";
  if (whole == QUATSIMD_OK && quatsimd_bundle_making(bundle, &making, &making_size) != QUATSIMD_OK)
    *wrong = "no record of the making";
  for (size_t i = 0; i < quatsimd_bundle_clip_count(bundle) && !*wrong; i++) {
    bool opens;
    const char *name = quatsimd_bundle_clip_name(bundle, i);
    if (!name || quatsimd_bundle_find_clip(bundle, name) != (int64_t)i) *wrong = "a clip is not found";
    else *wrong = bundle_bytes_clip(bundle, i, &opens, state);
    if (!*wrong && !opens && whole == QUATSIMD_OK)
      *wrong = "the check does not find a clip that does not open";
  }
  quatsimd_bundle_trust(bundle); /* from here on clips with wrong checksums can be opened */
  for (size_t i = 0; i < quatsimd_bundle_clip_count(bundle) && !*wrong && whole != QUATSIMD_OK; i++) {
    bool opens;
    *wrong = bundle_bytes_clip(bundle, i, &opens, state);
  }
  return whole == QUATSIMD_OK;
}

#endif
