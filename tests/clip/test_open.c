/* Tests opening a clip, the opened clip's properties, and structs that later versions may extend. */
#include "fixture.h"

#include "support/clip_bytes.h"
#include "support/sanitized.h"

#include <math.h>
#include <time.h>

static void what_is_wrong_with_bytes(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("small"));
  unsigned char *bytes = f.data;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip = NULL;
  memset(&storage, FILL, sizeof storage);
  for (size_t size = 0; size < f.size; size++)
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, bytes, size),
                     size < 4 ? QUATSIMD_ERROR_NOT_A_CLIP : QUATSIMD_ERROR_DAMAGED_CLIP);
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, NULL, 0), QUATSIMD_ERROR_NOT_A_CLIP);
  enum { OWN = 2, SPLINES }; /* the clip has no spline, so it must not have the version of those that do */
  for (int version = 0; version < 256; version++) {
    bytes[3] = (unsigned char)version;
    const quatsimd_status expected = version < OWN        ? QUATSIMD_ERROR_NOT_A_CLIP
                                     : version == OWN     ? QUATSIMD_OK
                                     : version == SPLINES ? QUATSIMD_ERROR_DAMAGED_CLIP
                                                          : QUATSIMD_ERROR_LATER_VERSION;
    if (version != OWN) assert_true(filled(&storage, sizeof storage));
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, bytes, f.size), expected);
    assert_true((clip != NULL) == (version == OWN));
    if (version == OWN) clip = NULL, memset(&storage, FILL, sizeof storage);
    /* four bytes are enough to see that a clip is of a later version */
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, bytes, 4),
                     version == OWN ? QUATSIMD_ERROR_DAMAGED_CLIP : expected);
  }
  const char *other[] = {"QSC", "qsc\2", "RIFF", "glTF\2\0\0\0", "\0\0\0\0\0\0\0\0"};
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, other[i], i < 3 ? 3 + (i > 0) : 8),
                     QUATSIMD_ERROR_NOT_A_CLIP);
  done(&f);
}

static void ways_of_being_additive(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("small"));
  unsigned char *bytes = f.data;
  for (int additive = 0; additive < 4; additive++) {
    quatsimd_clip *clip;
    const uint32_t flags = load_u32(bytes + CLIP_AT_FLAGS) & ~(3u * CLIP_ADDITIVE);
    store_little(bytes + CLIP_AT_FLAGS, flags | (unsigned)additive * CLIP_ADDITIVE, 4);
    clip_bytes_seal(bytes, f.size);
    assert_int_equal(quatsimd_clip_open(&clip, &f.storage, sizeof f.storage, bytes, f.size),
                     additive < 3 ? QUATSIMD_OK : QUATSIMD_ERROR_DAMAGED_CLIP);
    if (additive < 3) assert_int_equal(quatsimd_clip_additive(clip), additive);
  }
  done(&f);
}

static void memory_of_a_clip(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("small"));
  const size_t size = quatsimd_clip_memory_size();
  assert_in_range(size, 1, sizeof(quatsimd_clip_storage));
  unsigned char *memory = malloc(size + 16);
  assert_non_null(memory);
  memset(memory, FILL, size + 16);
  quatsimd_clip *clip = NULL;
  assert_int_equal(quatsimd_clip_open(&clip, memory, size - 1, f.data, f.size), QUATSIMD_ERROR_SHORT_BUFFER);
  assert_int_equal(quatsimd_clip_open(&clip, memory, 0, f.data, f.size), QUATSIMD_ERROR_SHORT_BUFFER);
  for (size_t off = 1; off < 8; off++)
    assert_int_equal(quatsimd_clip_open(&clip, memory + off, size, f.data, f.size),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_open(&clip, NULL, size, f.data, f.size), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_open(NULL, memory, size, f.data, f.size), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_open(&clip, memory, size, NULL, f.size), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_true(clip == NULL && filled(memory, size + 16));
  assert_int_equal(quatsimd_clip_open(&clip, memory + 8, size, f.data, f.size), QUATSIMD_OK);
  assert_true((unsigned char *)clip == memory + 8 && filled(memory, 8) && filled(memory + 8 + size, 8));
  assert_int_equal(quatsimd_clip_joint_count(clip), quatsimd_clip_joint_count(f.clip));
  free(memory);
  done(&f);
}

static void properties(void **state) {
  (void)state;
  assert_int_equal(quatsimd_clip_joint_count(NULL), 0);
  assert_int_equal(quatsimd_clip_frame_count(NULL), 0);
  assert_int_equal(quatsimd_clip_track_count(NULL), 0);
  assert_true(quatsimd_clip_rate(NULL) == 0 && quatsimd_clip_start(NULL) == 0);
  assert_true(quatsimd_clip_duration(NULL) == 0 && quatsimd_clip_frame_time(NULL, 3) == 0);
  assert_int_equal(quatsimd_clip_is_looping(NULL), 0);
  assert_int_equal(quatsimd_clip_additive(NULL), 0);
  assert_int_equal(quatsimd_clip_curve_count(NULL, 0), 0);
  for (size_t i = 0; i < SCENES; i++) {
    if (strcmp(scenes[i].name, "hour") == 0 || strcmp(scenes[i].name, "many_joints") == 0) continue;
    fixture f;
    encode(&f, &scenes[i]);
    const quatsimd_clip *clip = f.clip;
    const size_t frames = quatsimd_clip_frame_count(clip);
    assert_int_equal(quatsimd_clip_joint_count(clip), f.scene.source.joint_count);
    assert_int_equal(frames, f.report.frame_count);
    assert_true(quatsimd_clip_rate(clip) == f.report.rate);
    assert_true(quatsimd_clip_start(clip) == quatsimd_clip_frame_time(clip, 0));
    const double last = quatsimd_clip_frame_time(clip, frames - 1);
    assert_true(fabs(quatsimd_clip_start(clip) + quatsimd_clip_duration(clip) - last) <= 1e-12 * fabs(last));
    assert_true(quatsimd_clip_frame_time(clip, frames) == last &&
                quatsimd_clip_frame_time(clip, SIZE_MAX) == last);
    assert_int_equal(quatsimd_clip_is_looping(clip), f.scene.options.looping);
    assert_int_equal(quatsimd_clip_additive(clip), f.scene.options.additive);
    assert_int_equal(quatsimd_clip_track_count(clip), f.scene.source.track_count);
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
      size_t curves = 0;
      const bool track = kind == QUATSIMD_CLIP_TRACK;
      for (size_t j = 0; j < (track ? f.scene.source.track_count : f.scene.source.joint_count); j++)
        curves += state_of(clip, kind, j) != QUATSIMD_CLIP_ABSENT;
      assert_int_equal(quatsimd_clip_curve_count(clip, kind), curves);
    }
    assert_int_equal(quatsimd_clip_curve_count(clip, -1), 0);
    assert_int_equal(quatsimd_clip_curve_count(clip, QUATSIMD_CLIP_KIND_COUNT), 0);
    done(&f);
  }
}

/* ---- the largest number of joints ---- */

enum { BIG_AT_UNIT = 4, BIG_MARGIN = 32, BIG_SLOT = 3 };

/* A clip of two frames, with a moving curve for each joint. Curve i has the slot i * step modulo joints. step
 * and joints have no common factor, so each joint has one slot. */
typedef struct big {
  unsigned char *bytes, *slots;
  size_t size;
} big;

static big make_big(size_t joints, size_t step) {
  const size_t masks = (joints + 3) / 4, widths = CLIP_AXES * ((joints + 7) / 8),
               block = (joints + 1) / 2 + CLIP_AXES * joints;
  big b = {.size =
               CLIP_HEAD + masks + BIG_AT_UNIT + widths + 4 + block + (4 + BIG_SLOT) * joints + BIG_MARGIN};
  unsigned char *p = b.bytes = calloc(b.size, 1);
  assert_non_null(p);
  memcpy(p, "QSC\2", 4);
  store_little(p + CLIP_AT_JOINTS, joints, 4), store_little(p + CLIP_AT_FRAMES, 2, 4);
  store_double(p + CLIP_AT_RATE, 30);
  store_little(p + CLIP_AT_FLAGS, CLIP_HAS_KIND | CLIP_WIDE, 4);
  memset(p += CLIP_HEAD, 0xff, masks), p += masks;
  store_float(p, 1), p += BIG_AT_UNIT + widths;
  store_little(p, block, 4), p += 4 + block;
  for (size_t i = 0; i < joints; i++, p += 4) store_little(p, CLIP_BASE_NONE, 4);
  b.slots = p;
  for (size_t i = 0; i < joints; i++, p += BIG_SLOT) store_little(p, i * step % joints, BIG_SLOT);
  clip_bytes_seal(b.bytes, b.size);
  return b;
}

static quatsimd_status open_big(const big *b) {
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  return quatsimd_clip_open(&clip, &storage, sizeof storage, b->bytes, b->size);
}

/* Opens the clip with `slot` as the slot of one curve. Then restores the curve's own slot. */
static quatsimd_status open_changed(big *b, size_t curve, size_t slot) {
  unsigned char own[BIG_SLOT], *const at = b->slots + BIG_SLOT * curve;
  memcpy(own, at, sizeof own);
  store_little(at, slot, BIG_SLOT);
  clip_bytes_seal(b->bytes, b->size);
  const quatsimd_status status = open_big(b);
  memcpy(at, own, sizeof own);
  return status;
}

/* Checks that each joint must have exactly one slot, also with more than CLIP_SLOTS_AT_ONCE joints. */
static void slots_of_many_joints(void **state) {
  (void)state;
  const size_t joints = 300001, of_one = 7;
  big b = make_big(joints, of_one);
  assert_int_equal(open_big(&b), QUATSIMD_OK);
  for (size_t i = 0; i < joints; i += 59999) {
    const size_t own = i * of_one % joints;
    assert_int_equal(open_changed(&b, i, own), QUATSIMD_OK);
    assert_int_equal(open_changed(&b, i, (own + 1) % joints), QUATSIMD_ERROR_DAMAGED_CLIP);
    assert_int_equal(open_changed(&b, i, (own + 150000) % joints), QUATSIMD_ERROR_DAMAGED_CLIP);
    assert_int_equal(open_changed(&b, i, joints), QUATSIMD_ERROR_DAMAGED_CLIP);
    assert_int_equal(open_changed(&b, i, 0xffffff), QUATSIMD_ERROR_DAMAGED_CLIP);
  }
  free(b.bytes);
}

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Checks that the time of opening does not grow with the square of the number of joints. */
static void most_joints_open_soon(void **state) {
  (void)state;
  big b = make_big(CLIP_MOST_JOINTS, 7);
  double opens = 1e9;
  for (int i = 0; i < 5; i++) {
    const double start = cpu_seconds();
    assert_int_equal(open_big(&b), QUATSIMD_OK);
    opens = fmin(opens, cpu_seconds() - start);
  }
  print_message("2^20 joints open in %.1f ms\n", 1e3 * opens);
  if (SANITIZED) print_message("SKIP: sanitizers take more time\n");
  else if (opens > 1) fail_msg("a clip of 2^20 joints opens in %.3f s", opens);
  free(b.bytes);
}

/* Checks that the size of a clip is read from its head alone. */
static void peeks(void **state) {
  (void)state;
  enum { HEAD = 32, AT_SIZE = 8 };
  fixture f;
  encode(&f, maker_of("small"));
  size_t length = 17;
  for (size_t size = 0; size < HEAD; size++) {
    unsigned char *part = malloc(size + 1); /* no byte behind the copy, so sanitizers report reads there */
    assert_non_null(part);
    memcpy(part + 1, f.data, size);
    assert_int_equal(quatsimd_clip_peek_size(&length, part + 1, size),
                     size < 4 ? QUATSIMD_ERROR_NOT_A_CLIP : QUATSIMD_ERROR_DAMAGED_CLIP);
    free(part);
  }
  unsigned char head[HEAD];
  memcpy(head, f.data, HEAD);
  head[3] = 4;
  assert_int_equal(quatsimd_clip_peek_size(&length, head, HEAD), QUATSIMD_ERROR_LATER_VERSION);
  head[3] = 2, head[0]++;
  assert_int_equal(quatsimd_clip_peek_size(&length, head, HEAD), QUATSIMD_ERROR_NOT_A_CLIP);
  head[0]--, memset(head + AT_SIZE, 0, 4), head[AT_SIZE] = HEAD - 1;
  assert_int_equal(quatsimd_clip_peek_size(&length, head, HEAD), QUATSIMD_ERROR_DAMAGED_CLIP);
  assert_int_equal(quatsimd_clip_peek_size(&length, NULL, HEAD), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_peek_size(&length, NULL, 0), QUATSIMD_ERROR_NOT_A_CLIP);
  assert_int_equal(quatsimd_clip_peek_size(NULL, head, HEAD), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(length, 17);
  memset(head + AT_SIZE, 0xff, 4);
  assert_int_equal(quatsimd_clip_peek_size(&length, head, HEAD), QUATSIMD_OK);
  assert_int_equal(length, UINT32_MAX);
  for (size_t size = HEAD; size <= f.size; size += f.size - HEAD) {
    assert_int_equal(quatsimd_clip_peek_size(&length, f.data, size), QUATSIMD_OK);
    assert_int_equal(length, f.size);
  }
  done(&f);
}

/* Calls that write no joint accept any views of a pose. Other calls refuse views that share an address. */
static void poses(void **state) {
  (void)state;
  fixture f, none;
  encode(&f, maker_of("bodies")), encode(&none, maker_of("no_joints"));
  guarded_pose r = guarded_pose_new(quatsimd_clip_joint_count(f.clip));
  quatsimd_pose_out nonsense = {quatsimd_aos_out(NULL), quatsimd_blocks_out(r.at[1], 5),
                                quatsimd_aos_out(r.at[1]), NULL};
  const uint32_t joint = 0;
  assert_int_equal(
      quatsimd_clip_sample_joints(f.clip, &nonsense, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, NULL, 0, 0),
      QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_decode(f.clip, &nonsense, NULL, 0, 0, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_decode(none.clip, &nonsense, NULL, 0, 1, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_sample(none.clip, &nonsense, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, 0),
                   QUATSIMD_OK);
  for (int first = 0; first < 3; first++) {
    float *at[3] = {r.at[0], r.at[1], r.at[2]};
    at[(first + 1) % 3] = at[first];
    quatsimd_pose_out pose = {quatsimd_aos_out(at[0]), quatsimd_aos_out(at[1]), quatsimd_aos_out(at[2]),
                              NULL};
    REFUSED(quatsimd_clip_sample(f.clip, &pose, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, 0));
    REFUSED(quatsimd_clip_sample_joints(f.clip, &pose, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, &joint, 1, 0));
    REFUSED(quatsimd_clip_decode(f.clip, &pose, NULL, 0, 1, 0));
  }
  REFUSED(quatsimd_clip_sample(f.clip, &nonsense, NULL, 0, QUATSIMD_CLIP_WRAP_CLIP, 0));
  REFUSED(quatsimd_clip_decode(f.clip, &nonsense, NULL, 0, 1, 0));
  for (int kind = 0; kind < 3; kind++) assert_true(filled(r.at[kind], 4 * r.floats[kind]));
  guarded_pose_free(&r);
  done(&f), done(&none);
}

/* ---- structs that may grow ---- */

static quatsimd_status try_encode(const fixture *f, const quatsimd_clip_options *options,
                                  quatsimd_clip_report *report) {
  void *data = NULL;
  size_t size = 0;
  const quatsimd_status status = quatsimd_clip_encode(&data, &size, &f->scene.source, options, report);
  assert_true((status == QUATSIMD_OK) == (data != NULL));
  if (data) assert_int_equal(size, f->size), assert_memory_equal(data, f->data, size);
  quatsimd_clip_free(options->allocator, data);
  return status;
}

static void options_may_grow(void **state) {
  (void)state;
  struct {
    quatsimd_clip_options known;
    double more[4];
  } later;
  const size_t size = offsetof(quatsimd_clip_options, runner) +
                      sizeof(void *), /* the size in the first version */
      sizes[] = {0, 1, size - 1, 4097, SIZE_MAX};
  fixture f;
  encode(&f, maker_of("small"));
  memset(&later, FILL, sizeof later);
  assert_int_equal(quatsimd_clip_options_init(&later.known, sizeof later), QUATSIMD_OK);
  assert_int_equal(later.known.struct_size, sizeof later);
  assert_true(later.known.track_bound == 0.001f);
  later.known.track_bound = 0; /* after this, all members but struct_size are zero */
  for (size_t i = sizeof(size_t); i < sizeof later; i++) assert_int_equal(((unsigned char *)&later)[i], 0);
  later.known = f.scene.options, later.known.struct_size = sizeof later;
  assert_int_equal(try_encode(&f, &later.known, NULL), QUATSIMD_OK);
  later.more[3] = 1; /* an option that this version does not know */
  assert_int_equal(try_encode(&f, &later.known, &f.report), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_non_null(strstr(f.report.error, "quatsimd_clip_options_init"));
  later.known.struct_size = size; /* the members behind this size are not read */
  assert_int_equal(try_encode(&f, &later.known, NULL), QUATSIMD_OK);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    later.known.struct_size = sizes[i];
    assert_int_equal(try_encode(&f, &later.known, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
    quatsimd_clip_options untouched;
    memset(&untouched, FILL, sizeof untouched);
    assert_int_equal(quatsimd_clip_options_init(&untouched, sizes[i]), QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(filled(&untouched, sizeof untouched));
  }
  assert_int_equal(quatsimd_clip_options_init(NULL, size), QUATSIMD_ERROR_BAD_ARGUMENT);
  done(&f);
}

static void reports_may_grow(void **state) {
  (void)state;
  struct {
    quatsimd_clip_report known;
    double more[4];
  } later;
  const size_t size = offsetof(quatsimd_clip_report, worst_object) +
                      sizeof(float), /* the size in the first version */
      sizes[] = {0, 1, size - 1, 4097, SIZE_MAX};
  fixture f;
  encode(&f, maker_of("small"));
  memset(&later, FILL, sizeof later);
  assert_int_equal(quatsimd_clip_report_init(&later.known, sizeof later), QUATSIMD_OK);
  for (size_t i = 0; i < 4; i++) assert_true(later.more[i] == 0);
  memset(later.more, FILL, sizeof later.more);
  assert_int_equal(try_encode(&f, &f.scene.options, &later.known), QUATSIMD_OK);
  assert_int_equal(later.known.struct_size, sizeof later);
  assert_int_equal(later.known.frame_count, f.report.frame_count);
  /* `more` is not written, because this version does not know these members */
  assert_true(filled(later.more, sizeof later.more));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    quatsimd_clip_report report;
    memset(&report, FILL, sizeof report);
    assert_int_equal(quatsimd_clip_report_init(&report, sizes[i]), QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(filled(&report, sizeof report));
    report.struct_size = sizes[i];
    assert_int_equal(try_encode(&f, &f.scene.options, &report), QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(filled((unsigned char *)&report + sizeof(size_t), sizeof report - sizeof(size_t)));
  }
  assert_int_equal(quatsimd_clip_report_init(NULL, size), QUATSIMD_ERROR_BAD_ARGUMENT);
  done(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_wrong_with_bytes),
                                     cmocka_unit_test(ways_of_being_additive),
                                     cmocka_unit_test(memory_of_a_clip),
                                     cmocka_unit_test(properties),
                                     cmocka_unit_test(peeks),
                                     cmocka_unit_test(slots_of_many_joints),
                                     cmocka_unit_test(most_joints_open_soon),
                                     cmocka_unit_test(poses),
                                     cmocka_unit_test(options_may_grow),
                                     cmocka_unit_test(reports_may_grow)};
  return cmocka_run_group_tests_name("opened clips", tests, NULL, NULL);
}
