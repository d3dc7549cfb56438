/* Encodes a skeleton from a quatsimd_skeleton_source. */
#include "clip/encode/memory.h"
#include "core/container.h"
#include "core/growing.h"
#include "skeleton/layout.h"
#include "skeleton/name.h"

#define NOWHERE SIZE_MAX

static quatsimd_status refuse(quatsimd_skeleton_report *report, quatsimd_status status, size_t joint,
                              size_t track, const char *error) {
  report->joint = joint, report->track = track, report->error = error;
  return status;
}
static quatsimd_status refuse_all(quatsimd_skeleton_report *report, const char *error) {
  return refuse(report, QUATSIMD_ERROR_BAD_ARGUMENT, NOWHERE, NOWHERE, error);
}

/* ---- checking ---- */

static bool are_finite(const float *f, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++) good = good && skeleton_is_finite(float_bits(f[i]));
  return good;
}

static const char *joint_error(const quatsimd_skeleton_joint *joint, size_t number) {
  if (joint->parent < -1 || joint->parent >= (int64_t)number)
    return "the parent is not a joint before its child";
  if (!are_finite(joint->rotation, 4)) return "the rotation has a NaN or an infinity";
  const double norm2 = skeleton_norm2(joint->rotation);
  if (!(norm2 >= (double)QUATSIMD_MIN_NORM2 && norm2 <= (double)QUATSIMD_MAX_NORM2))
    return "the rotation's length is not from 2^-32 to 2^32";
  if (!are_finite(joint->translation, 3)) return "the translation has a NaN or an infinity";
  if (!are_finite(joint->scale, 3)) return "the scale has a NaN or an infinity";
  if (joint->inverse_bind && !are_finite(joint->inverse_bind, SKELETON_MATRIX))
    return "the inverse bind matrix has a NaN or an infinity";
  return NULL;
}

static const char *item_name(const quatsimd_skeleton_source *source, size_t item) {
  return item < source->joint_count ? source->joints[item].name
                                    : source->track_names[item - source->joint_count];
}

/* *bytes becomes the size of all names, with their NULs. */
static quatsimd_status check_names(uint64_t *bytes, const quatsimd_skeleton_source *source,
                                   quatsimd_skeleton_report *report) {
  *bytes = 0;
  for (size_t item = 0; item < source->joint_count + source->track_count; item++) {
    const bool is_joint = item < source->joint_count;
    const size_t joint = is_joint ? item : NOWHERE, track = is_joint ? NOWHERE : item - source->joint_count;
    const char *name = item_name(source, item);
    if (!name) return refuse(report, QUATSIMD_ERROR_BAD_ARGUMENT, joint, track, "the name is null");
    const size_t found = quatsimd_name_bytes((const unsigned char *)name, SIZE_MAX);
    if (found == 0) return refuse(report, QUATSIMD_ERROR_BAD_JOINT, joint, track, "the name is not UTF-8");
    *bytes += found;
    if (*bytes > UINT32_MAX)
      return refuse(report, QUATSIMD_ERROR_BAD_ARGUMENT, joint, track, "names take 2^32 bytes or more");
  }
  return QUATSIMD_OK;
}

static quatsimd_status check_source(uint64_t *names, const quatsimd_skeleton_source *source,
                                    quatsimd_skeleton_report *report) {
  if (source->joint_count > QUATSIMD_SKELETON_MOST)
    return refuse_all(report, "there are more than 65,536 joints");
  if (source->track_count > QUATSIMD_SKELETON_MOST)
    return refuse_all(report, "there are more than 65,536 tracks");
  if (source->joint_count && !source->joints)
    return refuse_all(report, "there are joints, but joints is null");
  if (source->track_count && !source->track_names)
    return refuse_all(report, "there are tracks, but track_names is null");
  if (!skeleton_is_length(double_bits(source->metres)))
    return refuse_all(report, "metres is negative, infinite or not a number");
  for (size_t j = 0; j < source->joint_count; j++) {
    const char *error = joint_error(&source->joints[j], j);
    if (error) return refuse(report, QUATSIMD_ERROR_BAD_JOINT, j, NOWHERE, error);
  }
  for (size_t t = 0; source->track_rest && t < source->track_count; t++)
    if (!are_finite(source->track_rest + t, 1))
      return refuse(report, QUATSIMD_ERROR_BAD_JOINT, NOWHERE, t, "the rest is a NaN or an infinity");
  return check_names(names, source, report);
}

/* ---- writing ---- */

static void store_floats(unsigned char *p, const float *f, size_t count) {
  for (size_t i = 0; i < count; i++) store_float(p + 4 * i, f[i]);
}

/* A rotation of length 1 within rounding stays as it is, so that encoding an opened skeleton changes nothing.
 * Others are normalised, with 0 for components below 2^-90, because some CPUs flush denormals to zero. */
static void store_rotation(unsigned char *p, const float rotation[4]) {
  const double norm2 = skeleton_norm2(rotation);
  if (skeleton_is_unit(norm2)) {
    store_floats(p, rotation, 4);
    return;
  }
  const double length = quatsimd_sqrt(norm2);
  for (int i = 0; i < 4; i++) {
    const double c = rotation[i] / length;
    store_float(p + 4 * i, fabs(c) < 0x1p-90 ? 0 : (float)c);
  }
}

static bool comes_before(const quatsimd_skeleton *s, size_t first, size_t a, size_t b) {
  const int compared =
      quatsimd_name_compare(skeleton_item_name(s, first + a), skeleton_item_name(s, first + b));
  return compared < 0 || (compared == 0 && a < b);
}

/* Moves the entry at `hole` down to its place in a heap. The top of the heap is the item that sorts last.
 * Heap sort needs no memory and is never slow. */
static void sink(unsigned char *order, const quatsimd_skeleton *s, size_t first, size_t hole, size_t count) {
  const size_t sinking = load_u16(order + 2 * hole);
  for (size_t child; (child = 2 * hole + 1) < count; hole = child) {
    if (child + 1 < count &&
        comes_before(s, first, load_u16(order + 2 * child), load_u16(order + 2 * child + 2)))
      child++;
    const size_t item = load_u16(order + 2 * child);
    if (comes_before(s, first, item, sinking)) break;
    store_little(order + 2 * hole, item, 2);
  }
  store_little(order + 2 * hole, sinking, 2);
}

static void write_order(unsigned char *order, const quatsimd_skeleton *s, size_t first, size_t count) {
  for (size_t i = 0; i < count; i++) store_little(order + 2 * i, i, 2);
  for (size_t i = count / 2; i > 0; i--) sink(order, s, first, i - 1, count);
  for (size_t left = count; left > 1; left--) {
    const size_t top = load_u16(order), last = load_u16(order + 2 * left - 2);
    store_little(order + 2 * left - 2, top, 2);
    store_little(order, last, 2);
    sink(order, s, first, 0, left - 1);
  }
}

static void write_names(unsigned char *data, const quatsimd_skeleton *s,
                        const quatsimd_skeleton_source *source) {
  const size_t bytes = skeleton_offset_bytes(s->names);
  unsigned char *const names = data + s->at[SKELETON_NAMES], *p = names;
  for (size_t item = 0; item < s->joints + s->tracks; item++) {
    store_little(data + s->at[SKELETON_OFFSETS] + bytes * item, (uint64_t)(p - names), bytes);
    const char *name = item_name(source, item);
    do *p++ = (unsigned char)*name;
    while (*name++);
  }
}

static void write_joints(unsigned char *data, const quatsimd_skeleton *s,
                         const quatsimd_skeleton_source *source) {
  size_t matrices = 0;
  for (size_t j = 0; j < s->joints; j++) {
    const quatsimd_skeleton_joint *joint = &source->joints[j];
    store_little(data + s->at[SKELETON_PARENTS] + 2 * j, (uint64_t)joint->parent, 2); /* -1 gives 0xffff */
    store_rotation(data + s->at[SKELETON_ROTATIONS] + 16 * j, joint->rotation);
    store_floats(data + s->at[SKELETON_TRANSLATIONS] + 12 * j, joint->translation, 3);
    store_floats(data + s->at[SKELETON_SCALES] + 12 * j, joint->scale, 3);
    if (s->matrices == 0) continue;
    unsigned char *bind = data + s->at[SKELETON_BINDS] + j / SKELETON_BIND_JOINTS * SKELETON_BIND_BYTES;
    if (j % SKELETON_BIND_JOINTS == 0) bind[0] = 0, store_little(bind + 1, matrices, 2);
    if (!joint->inverse_bind) continue;
    bind[0] |= (unsigned char)(1 << j % SKELETON_BIND_JOINTS);
    store_floats(data + s->at[SKELETON_MATRICES] + 4 * SKELETON_MATRIX * matrices++, joint->inverse_bind,
                 SKELETON_MATRIX);
  }
}

static void write_tracks(unsigned char *data, const quatsimd_skeleton *s,
                         const quatsimd_skeleton_source *source) {
  for (size_t t = 0; t < s->tracks; t++)
    store_float(data + s->at[SKELETON_TRACK_RESTS] + 4 * t, source->track_rest ? source->track_rest[t] : 0);
}

static void write_head(unsigned char *data, const quatsimd_skeleton *s, double metres, size_t size) {
  memcpy(data, "QSK", 3), data[3] = SKELETON_VERSION;
  store_little(data + CONTAINER_AT_SIZE, size, 4);
  store_little(data + SKELETON_AT_NAMES, s->names, 4);
  store_little(data + SKELETON_AT_MATRICES, s->matrices, 4);
  store_double(data + SKELETON_AT_METRES, metres);
  store_little(data + SKELETON_AT_JOINTS, s->joints, 4);
  store_little(data + SKELETON_AT_TRACKS, s->tracks, 4);
}

static quatsimd_status encode(void **data, size_t *size, const quatsimd_skeleton_source *source,
                              const quatsimd_allocator *allocator, quatsimd_skeleton_report *report) {
  uint64_t names;
  const quatsimd_status status = check_source(&names, source, report);
  if (status != QUATSIMD_OK) return status;
  quatsimd_skeleton s = {
      .joints = source->joint_count, .tracks = source->track_count, .names = (size_t)names};
  for (size_t j = 0; j < source->joint_count; j++) s.matrices += source->joints[j].inverse_bind != NULL;
  const uint64_t bytes = skeleton_lay_out(s.at, s.joints, s.tracks, names, s.matrices);
  if (bytes > UINT32_MAX) return refuse_all(report, "the skeleton would take 2^32 bytes or more");
  unsigned char *to = quatsimd_allocate(allocator, (size_t)bytes);
  if (!to) return QUATSIMD_ERROR_NO_MEMORY;
  s.data = to;
  write_head(to, &s, source->metres, (size_t)bytes);
  write_names(to, &s, source);
  write_order(to + s.at[SKELETON_ORDER], &s, 0, s.joints);
  write_order(to + s.at[SKELETON_ORDER] + 2 * s.joints, &s, s.joints, s.tracks);
  write_joints(to, &s, source);
  write_tracks(to, &s, source);
  store_little(to + SKELETON_AT_HASH, quatsimd_skeleton_compute_hash(to, s.at[SKELETON_OFFSETS]), 8);
  container_seal(to, (size_t)bytes);
  *data = to, *size = (size_t)bytes;
  return QUATSIMD_OK;
}

enum { FIRST_REPORT = offsetof(quatsimd_skeleton_report, error) + sizeof(char *) };

quatsimd_status quatsimd_skeleton_report_init(quatsimd_skeleton_report *report, size_t struct_size) {
  const quatsimd_skeleton_report own = {0};
  return growing_init(report, struct_size, &own, sizeof own, FIRST_REPORT) ? QUATSIMD_OK
                                                                           : QUATSIMD_ERROR_BAD_ARGUMENT;
}

quatsimd_status quatsimd_skeleton_encode(void **data, size_t *size, const quatsimd_skeleton_source *source,
                                         const quatsimd_allocator *allocator,
                                         quatsimd_skeleton_report *report) {
  quatsimd_skeleton_report found = {.joint = NOWHERE, .track = NOWHERE};
  if (report && !growing_is_size(report->struct_size, FIRST_REPORT)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_status status =
      !data || !size || !source           ? refuse_all(&found, "data, size or source is null")
      : !quatsimd_is_allocator(allocator) ? refuse_all(&found, CLIP_NO_ALLOCATOR)
                                          : encode(data, size, source, allocator, &found);
  if (report) growing_write(report, &found, sizeof found);
  return status;
}

void quatsimd_skeleton_free(const quatsimd_allocator *allocator, void *data) {
  quatsimd_clip_free(allocator, data);
}
