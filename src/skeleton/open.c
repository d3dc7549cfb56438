/* Opens skeletons. Opening checks everything that the functions of access.c rely on. */
#include "core/container.h"
#include "core/hash.h"
#include "skeleton/layout.h"
#include "skeleton/name.h"

uint64_t quatsimd_skeleton_compute_hash(const unsigned char *data, size_t names_end) {
  return XXH64(data + SKELETON_AT_JOINTS, names_end - SKELETON_AT_JOINTS, 0);
}

static bool open_head(quatsimd_skeleton *s, size_t size) {
  const unsigned char *head = s->data;
  if (size < SKELETON_HEAD || load_u32(head + CONTAINER_AT_SIZE) != size || !container_is_whole(head, size))
    return false;
  s->joints = load_u32(head + SKELETON_AT_JOINTS);
  s->tracks = load_u32(head + SKELETON_AT_TRACKS);
  s->names = load_u32(head + SKELETON_AT_NAMES);
  s->matrices = load_u32(head + SKELETON_AT_MATRICES);
  s->hash = load_u64(head + SKELETON_AT_HASH);
  const uint64_t metres = load_u64(head + SKELETON_AT_METRES);
  s->metres = double_from_bits(metres);
  return s->joints <= QUATSIMD_SKELETON_MOST && s->tracks <= QUATSIMD_SKELETON_MOST &&
         s->matrices <= s->joints && skeleton_is_length(metres) &&
         skeleton_lay_out(s->at, s->joints, s->tracks, s->names, s->matrices) == size &&
         s->hash == quatsimd_skeleton_compute_hash(head, s->at[SKELETON_OFFSETS]);
}

static bool check_parents(const quatsimd_skeleton *s) {
  const unsigned char *parents = skeleton_section(s, SKELETON_PARENTS);
  for (size_t j = 0; j < s->joints; j++) {
    const unsigned parent = load_u16(parents + 2 * j);
    if (parent >= j && parent != SKELETON_NO_PARENT) return false;
  }
  return true;
}

/* Checks that names follow each other without gaps, and that each item's offset is where its name begins. */
static bool check_names(const quatsimd_skeleton *s) {
  const unsigned char *names = skeleton_section(s, SKELETON_NAMES);
  size_t end = 0;
  for (size_t item = 0; item < s->joints + s->tracks; item++) {
    if (skeleton_item_name(s, item) != names + end) return false;
    const size_t bytes = quatsimd_name_bytes(names + end, s->names - end);
    if (bytes == 0) return false;
    end += bytes;
  }
  return end == s->names;
}

/* Checks that items are sorted by name, and by number if names are equal. All entries thus differ, so no item
 * is missing. */
static bool check_order(const quatsimd_skeleton *s, size_t first, size_t count) {
  const unsigned char *order = skeleton_section(s, SKELETON_ORDER) + 2 * first;
  for (size_t i = 0; i < count; i++) {
    const size_t item = load_u16(order + 2 * i);
    if (item >= count) return false;
    if (i == 0) continue;
    const size_t before = load_u16(order + 2 * i - 2);
    const int compared =
        quatsimd_name_compare(skeleton_item_name(s, first + before), skeleton_item_name(s, first + item));
    if (compared > 0 || (compared == 0 && before >= item)) return false;
  }
  return true;
}

static bool check_floats(const unsigned char *p, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++) good = good && skeleton_is_finite(load_u32(p + 4 * i));
  return good;
}

static bool check_rotations(const quatsimd_skeleton *s) {
  const unsigned char *p = skeleton_section(s, SKELETON_ROTATIONS);
  bool good = true;
  for (size_t j = 0; j < s->joints; j++, p += 16) {
    const float q[4] = {load_float(p), load_float(p + 4), load_float(p + 8), load_float(p + 12)};
    good = good && skeleton_is_unit(skeleton_norm2(q)); /* false for NaN */
  }
  return good;
}

static bool check_binds(const quatsimd_skeleton *s) {
  if (s->matrices == 0) return true;
  size_t count = 0;
  for (size_t j = 0; j < s->joints; j += SKELETON_BIND_JOINTS) {
    const unsigned char *bind = skeleton_bind(s, j);
    const size_t left = s->joints - j;
    if (load_u16(bind + 1) != count || (left < SKELETON_BIND_JOINTS && bind[0] >> left)) return false;
    count += skeleton_count_bits(bind[0]);
  }
  return count == s->matrices &&
         check_floats(skeleton_section(s, SKELETON_MATRICES), SKELETON_MATRIX * s->matrices);
}

static bool check_all(const quatsimd_skeleton *s) {
  return check_parents(s) && check_names(s) && check_order(s, 0, s->joints) &&
         check_order(s, s->joints, s->tracks) && check_rotations(s) &&
         check_floats(skeleton_section(s, SKELETON_TRANSLATIONS), 3 * s->joints) &&
         check_floats(skeleton_section(s, SKELETON_SCALES), 3 * s->joints) &&
         check_floats(skeleton_section(s, SKELETON_TRACK_RESTS), s->tracks) && check_binds(s);
}

_Static_assert(sizeof(quatsimd_skeleton) <= sizeof(quatsimd_skeleton_storage),
               "an opened skeleton does not fit");
_Static_assert(_Alignof(quatsimd_skeleton) <= _Alignof(quatsimd_skeleton_storage),
               "an opened skeleton needs more than its storage's alignment");

size_t quatsimd_skeleton_memory_size(void) { return sizeof(quatsimd_skeleton); }

static const container_kind skeletons = {.letters = "QSK",
                                         .oldest = SKELETON_VERSION,
                                         .newest = SKELETON_VERSION,
                                         .head = SKELETON_HEAD,
                                         .memory_size = sizeof(quatsimd_skeleton),
                                         .alignment = _Alignof(quatsimd_skeleton),
                                         .foreign = QUATSIMD_ERROR_NOT_A_SKELETON,
                                         .damaged = QUATSIMD_ERROR_DAMAGED_SKELETON};

quatsimd_status quatsimd_skeleton_peek_size(size_t *length, const void *data, size_t size) {
  return quatsimd_container_peek(&skeletons, length, data, size);
}

quatsimd_status quatsimd_skeleton_open(quatsimd_skeleton **skeleton, void *memory, size_t memory_size,
                                       const void *data, size_t size) {
  const quatsimd_status status =
      quatsimd_container_begin(&skeletons, skeleton, memory, memory_size, data, size);
  if (status != QUATSIMD_OK) return status;
  quatsimd_skeleton opened = {.data = data};
  if (!open_head(&opened, size) || !check_all(&opened)) return QUATSIMD_ERROR_DAMAGED_SKELETON;
  *skeleton = memcpy(memory, &opened, sizeof opened);
  return QUATSIMD_OK;
}
