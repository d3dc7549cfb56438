/* Tests sources of bundles that the encoder refuses, and allocations that fail. */
#include "fixture.h"

#include "support/counted.h"

static const char *const names[] = {"three_frames", "small_uneven", "small", NULL};
static const char *const face[] = {"small_face", NULL};

/* Encodes a source. Checks the status and the report. */
static void refused(const made_bundle *m, quatsimd_status wanted, size_t clip, size_t other,
                    const char *text) {
  quatsimd_bundle_report report;
  void *data = &report;
  size_t size = 7;
  quatsimd_bundle_report_init(&report, sizeof report);
  assert_int_equal(quatsimd_bundle_encode(&data, &size, &m->source, NULL, &report), wanted);
  assert_true(data == &report && size == 7);
  assert_int_equal(report.clip, clip);
  assert_int_equal(report.other, other);
  assert_string_equal(report.error, text);
}

static void names_are_refused(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  f.made.entry[0].name = "small";
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 2, 0, "another clip has this name");
  f.made.entry[0].name = "\xc0\x80";
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 0, SIZE_MAX, "the name is not UTF-8");
  f.made.entry[0].name = NULL;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, 0, SIZE_MAX, "the name is null");
  fixture_free(&f);
}

static void clips_are_refused(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  quatsimd_bundle_entry *entry = &f.made.entry[1];
  const quatsimd_bundle_entry kept = *entry;
  unsigned char *bytes = malloc(kept.data_size);
  assert_non_null(bytes);
  memcpy(bytes, kept.data, kept.data_size);
  entry->data_size--;
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 1, SIZE_MAX, "the clip is damaged");
  entry->data_size = 0;
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 1, SIZE_MAX, "the bytes are no clip");
  entry->data = bytes, entry->data_size = kept.data_size;
  bytes[3] = 4;
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 1, SIZE_MAX, "the clip is of a later version");
  entry->data = NULL;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, 1, SIZE_MAX, "the clip's data is null");
  *entry = kept;
  free(bytes);
  fixture_free(&f);
}

static void other_skeletons_are_refused(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  void *kept = f.made.skeleton;
  const size_t size = f.made.source.skeleton_size;
  f.made.skeleton = made_chain(&f.made.source.skeleton_size, 4, 0, "bones");
  f.made.source.skeleton = f.made.skeleton;
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 0, SIZE_MAX, "the clip is of another skeleton");
  quatsimd_skeleton_free(NULL, f.made.skeleton);
  f.made.skeleton = kept, f.made.source.skeleton = kept, f.made.source.skeleton_size = size;
  scene s;
  quatsimd_bundle_entry *entry = &f.made.entry[2], whole = *entry;
  scene_make(&s, &scenes[0]);
  assert_int_equal(
      quatsimd_clip_encode((void **)(uintptr_t)&entry->data, &entry->data_size, &s.source, &s.options, NULL),
      QUATSIMD_OK);
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 2, SIZE_MAX, "the clip was encoded without a skeleton");
  quatsimd_clip_free(NULL, (void *)(uintptr_t)entry->data);
  *entry = whole;
  scene_free(&s);
  fixture_free(&f);
}

static void skeletons_are_refused(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  f.made.source.skeleton_size--;
  refused(&f.made, QUATSIMD_ERROR_DAMAGED_SKELETON, SIZE_MAX, SIZE_MAX, "the skeleton is damaged");
  f.made.source.skeleton_size = 0;
  refused(&f.made, QUATSIMD_ERROR_NOT_A_SKELETON, SIZE_MAX, SIZE_MAX, "the bytes are not a skeleton");
  ((unsigned char *)f.made.skeleton)[3]++;
  f.made.source.skeleton_size = 100;
  refused(&f.made, QUATSIMD_ERROR_LATER_VERSION, SIZE_MAX, SIZE_MAX, "the skeleton is of a later version");
  f.made.source.skeleton = NULL;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "skeleton is null");
  fixture_free(&f);
}

static void arguments(void **state) {
  (void)state;
  fixture f;
  void *data = NULL;
  size_t size;
  fixture_make(&f, names);
  REFUSED(quatsimd_bundle_encode(NULL, &size, &f.made.source, NULL, NULL));
  REFUSED(quatsimd_bundle_encode(&data, NULL, &f.made.source, NULL, NULL));
  REFUSED(quatsimd_bundle_encode(&data, &size, NULL, NULL, NULL));
  const size_t clips = f.made.source.clip_count;
  f.made.source.clip_count = QUATSIMD_BUNDLE_MOST + 1;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "there are more than 1,048,576 clips");
  f.made.source.clip_count = clips, f.made.source.clips = NULL;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "there are clips, but clips is null");
  quatsimd_bundle_source large = f.made.source;
  large.clip_count = clips, large.clips = f.made.entry, large.making = "", large.making_size = SIZE_MAX - 10;
  assert_int_equal(quatsimd_bundle_encode(&data, &size, &large, NULL, NULL), QUATSIMD_ERROR_NO_MEMORY);
  quatsimd_bundle_report report = {.struct_size = 3};
  REFUSED(quatsimd_bundle_encode(&data, &size, &f.made.source, NULL, &report));
  assert_int_equal(report.struct_size, 3);
  const quatsimd_allocator none = {NULL, NULL, NULL};
  quatsimd_bundle_report_init(&report, sizeof report);
  REFUSED(quatsimd_bundle_encode(&data, &size, &f.made.source, &none, &report));
  assert_string_equal(report.error, "allocate or release of the allocator is null");
  quatsimd_bundle_free(&none, NULL);
  REFUSED(quatsimd_bundle_report_init(NULL, sizeof report));
  REFUSED(quatsimd_bundle_report_init(&report, sizeof report - 1));
  REFUSED(quatsimd_bundle_report_init(&report, 4097));
  f.made.source.clips = f.made.entry;
  fixture_free(&f);
}

static void events_are_refused(void **state) {
  (void)state;
  static const double infinite = 1e308 * 10;
  fixture f;
  fixture_make(&f, names);
  quatsimd_bundle_event *event = &f.made.events[1][0], kept = *event;
  quatsimd_bundle_report report;
  quatsimd_bundle_report_init(&report, sizeof report);
  event->time = infinite;
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 1, SIZE_MAX, "the event's time is not finite");
  *event = kept, event->name = NULL;
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 1, SIZE_MAX, "the event's name is null");
  event->name = "\xff";
  refused(&f.made, QUATSIMD_ERROR_BAD_CLIP, 1, SIZE_MAX, "the event's name is not UTF-8");
  *event = kept, f.made.events[2][1].name = "\xff";
  void *data;
  size_t size;
  assert_int_equal(quatsimd_bundle_encode(&data, &size, &f.made.source, NULL, &report),
                   QUATSIMD_ERROR_BAD_CLIP);
  assert_true(report.clip == 2 && report.event_number == 1 && report.mask == SIZE_MAX);
  f.made.entry[1].event_count = QUATSIMD_BUNDLE_MOST + 1;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "there are more than 1,048,576 events");
  f.made.entry[1].events = NULL;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, 1, SIZE_MAX, "there are events, but events is null");
  fixture_free(&f);
}

static void refused_mask(const made_bundle *m, size_t mask, size_t other, const char *text) {
  quatsimd_bundle_report report;
  void *data = &report;
  size_t size = 7;
  quatsimd_bundle_report_init(&report, sizeof report);
  assert_int_equal(quatsimd_bundle_encode(&data, &size, &m->source, NULL, &report),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_true(data == &report && size == 7 && report.clip == SIZE_MAX);
  assert_int_equal(report.mask, mask);
  assert_int_equal(report.other, other);
  assert_string_equal(report.error, text);
}

static void masks_are_refused(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, face);
  quatsimd_bundle_mask_entry *mask = &f.made.masks[1], kept = *mask;
  refused_mask(&f.made, (mask->name = NULL, 1), SIZE_MAX, "the mask's name is null");
  refused_mask(&f.made, (mask->name = "\xff", 1), SIZE_MAX, "the mask's name is not UTF-8");
  refused_mask(&f.made, (mask->name = "upper", 1), 0, "another mask has this name");
  *mask = kept;
  const float of_track = f.made.weights[1][f.made.joints];
  f.made.weights[1][f.made.joints] = (float)(1e30 * 1e30);
  refused_mask(&f.made, 1, SIZE_MAX, "a weight of the mask is not finite");
  f.made.weights[1][f.made.joints] = of_track, f.made.weights[0][0] = (float)(1e30 * 1e30);
  refused_mask(&f.made, 0, SIZE_MAX, "a weight of the mask is not finite");
  mask->joint_weights = NULL, f.made.weights[0][0] = 0;
  refused_mask(&f.made, 1, SIZE_MAX, "the mask's joint_weights is null");
  f.made.source.mask_count = QUATSIMD_BUNDLE_MOST, f.made.source.masks = NULL;
  refused_mask(&f.made, SIZE_MAX, SIZE_MAX, "there are masks, but masks is null");
  f.made.source.mask_count = QUATSIMD_BUNDLE_MOST + 1;
  refused_mask(&f.made, SIZE_MAX, SIZE_MAX, "there are more than 1,048,576 masks");
  f.made.source.mask_count = 0, f.made.source.making = NULL;
  refused_mask(&f.made, SIZE_MAX, SIZE_MAX, "there is a record of the making, but making is null");
  fixture_free(&f);
}

/* Callers of later versions have longer structs. The additional members must be zero. */
static void structs_grow(void **state) {
  (void)state;
  enum { MORE = 24 };
  static const char too_new[] = "struct_size is out of range, or the source has members of a later version";
  struct {
    quatsimd_bundle_entry entry;
    unsigned char more[MORE];
  } longer[3] = {0};
  struct {
    quatsimd_bundle_source source;
    unsigned char more[MORE];
  } source = {0};
  fixture f;
  void *data;
  size_t size;
  fixture_make(&f, names);
  for (int i = 0; i < 3; i++) longer[i].entry = f.made.entry[i];
  source.source = f.made.source;
  source.source.struct_size = sizeof source;
  source.source.clips = &longer[0].entry, source.source.entry_size = sizeof longer[0];
  assert_int_equal(quatsimd_bundle_encode(&data, &size, &source.source, NULL, NULL), QUATSIMD_OK);
  assert_int_equal(size, f.size);
  assert_memory_equal(data, f.data, size);
  quatsimd_bundle_free(NULL, data);
  f.made.source.clips = &longer[0].entry, f.made.source.entry_size = sizeof longer[0];
  longer[2].more[MORE - 1] = 1;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, 2, SIZE_MAX,
          "the clip's entry has members of a later version");
  longer[2].more[MORE - 1] = 0;
  f.made.source.entry_size = sizeof(quatsimd_bundle_entry) - 1;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, "entry_size is out of range");
  f.made.source.struct_size--;
  refused(&f.made, QUATSIMD_ERROR_BAD_ARGUMENT, SIZE_MAX, SIZE_MAX, too_new);
  quatsimd_bundle_report report;
  quatsimd_bundle_report_init(&report, sizeof report);
  source.more[0] = 1;
  assert_int_equal(quatsimd_bundle_encode(&data, &size, &source.source, NULL, &report),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_string_equal(report.error, too_new);
  assert_int_equal(quatsimd_bundle_source_init(&source.source, sizeof source, sizeof longer[0]), QUATSIMD_OK);
  assert_true(source.source.struct_size == sizeof source && source.source.entry_size == sizeof longer[0]);
  assert_true(!source.source.clips && !source.source.skeleton && source.more[0] == 0);
  REFUSED(quatsimd_bundle_source_init(NULL, sizeof source, sizeof longer[0]));
  REFUSED(quatsimd_bundle_source_init(&source.source, sizeof(quatsimd_bundle_source) - 1, sizeof longer[0]));
  REFUSED(quatsimd_bundle_source_init(&source.source, sizeof source, sizeof(quatsimd_bundle_entry) - 1));
  REFUSED(quatsimd_bundle_source_init(&source.source, 4097, sizeof longer[0]));
  REFUSED(quatsimd_bundle_source_init(&source.source, sizeof source, 4097));
  fixture_free(&f);
}

/* ---- memory ---- */

static void memory_runs_out(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  for (size_t n = 0;; n++) {
    counted_memory c = {.from = n, .to = SIZE_MAX};
    const quatsimd_allocator allocator = counted_allocator(&c);
    quatsimd_bundle_report report;
    void *data = NULL;
    size_t size = 0;
    quatsimd_bundle_report_init(&report, sizeof report);
    const quatsimd_status status = quatsimd_bundle_encode(&data, &size, &f.made.source, &allocator, &report);
    if (status == QUATSIMD_OK) {
      assert_int_equal(c.pieces, 1);
      assert_int_equal(size, f.size);
      assert_memory_equal(data, f.data, size);
      quatsimd_bundle_free(&allocator, data);
      assert_int_equal(c.pieces, 0);
      assert_true(n > 5);
      break;
    }
    assert_int_equal(status, QUATSIMD_ERROR_NO_MEMORY);
    assert_int_equal(c.pieces, 0);
    assert_null(report.error);
    assert_null(data);
  }
  fixture_free(&f);
}

/* Encodes a clip for a bundle. Each number gives another rotation_bound, and so another setting. */
static void encode_entry(quatsimd_bundle_entry *entry, char name[8], size_t number,
                         const quatsimd_clip_source *source, const quatsimd_skeleton *skeleton) {
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.rotation_bound = 0.01f + (float)number * 1e-4f;
  options.skeleton = skeleton, options.bundled = 1;
  snprintf(name, 8, "%zu", number);
  entry->name = name;
  assert_int_equal(
      quatsimd_clip_encode((void **)(uintptr_t)&entry->data, &entry->data_size, source, &options, NULL),
      QUATSIMD_OK);
}

/* The encoder takes no more memory than bundle.h promises, and sometimes nearly as much. */
static void memory_is_little(void **state) {
  (void)state;
  enum { KEYS = 4000, MOST = 600 };
  static const struct {
    size_t joints, clips, keys;
  } sizes[] = {{1, 1, 2}, {1, 0, 2}, {65536, 1, 2}, {1, 1, KEYS}, {8, MOST, 2}, {40, 20, 300}, {1, MOST, 40}};
  static char name[MOST][8];
  static quatsimd_bundle_entry entry[MOST];
  static float values[4 * KEYS];
  static double times[KEYS];
  uint64_t random = 3;
  for (int i = 0; i < KEYS; i++) {
    times[i] = i / 30.0, values[4 * i + 3] = 1;
    for (int c = 0; c < 3; c++) values[4 * i + c] = (float)(random_unit(&random) - 0.5);
  }
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t joints = sizes[s].joints, clips = sizes[s].clips;
    size_t size, promised = (8 << 10) + 4 * joints;
    void *skeleton_data = made_chain(&size, joints, 0, "bone"), *data;
    quatsimd_skeleton_storage storage;
    quatsimd_skeleton *skeleton;
    assert_int_equal(quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, skeleton_data, size),
                     QUATSIMD_OK);
    quatsimd_clip_joint *joint = calloc(joints, sizeof *joint);
    assert_non_null(joint);
    promised += size;
    for (size_t i = 0; i < clips; i++) {
      for (size_t j = 0; j < joints && j < 40; j++)
        joint[j].rotation = (quatsimd_curve){
            sizes[s].keys - (i + j) % 2, times,
            values + 4 * ((i % 7 + j) % 64 < KEYS - sizes[s].keys ? (i % 7 + j) % 64 : 0), 0};
      const quatsimd_clip_source source = {joints, joint, 0, NULL};
      encode_entry(&entry[i], name[i], i, &source, skeleton);
      promised += 3 * (entry[i].data_size + strlen(name[i])) + (1 << 10);
    }
    counted_memory c = {0};
    const quatsimd_allocator allocator = counted_allocator(&c);
    const quatsimd_bundle_source source = {
        sizeof source, sizeof *entry, skeleton_data, size, entry, clips, NULL, 0, NULL, 0};
    assert_int_equal(quatsimd_bundle_encode(&data, &size, &source, &allocator, NULL), QUATSIMD_OK);
    print_message("%zu joints, %zu clips: %zu bytes of %zu\n", joints, clips, c.most, promised);
    assert_true(c.most <= promised);
    quatsimd_bundle_free(&allocator, data);
    for (size_t i = 0; i < clips; i++) quatsimd_clip_free(NULL, (void *)(uintptr_t)entry[i].data);
    quatsimd_skeleton_free(NULL, skeleton_data);
    free(joint);
  }
}

/* Checks the memory for bundles that are mostly events, masks and the record of the making. */
static void memory_of_marks(void **state) {
  (void)state;
  enum { EVENTS = 3000, MASKS = 50, JOINTS = 100, MAKING = 100000 };
  static quatsimd_bundle_event events[EVENTS];
  static quatsimd_bundle_mask_entry masks[MASKS];
  static char name[EVENTS][40], mask_name[MASKS][8], making[MAKING];
  static float weights[JOINTS];
  fixture f;
  fixture_make(&f, face);
  size_t promised = (8 << 10) + f.made.source.skeleton_size + 4 * (f.made.joints + f.made.tracks) + MAKING;
  for (size_t i = 0; i < f.made.source.clip_count; i++)
    promised += 3 * (f.made.entry[i].data_size + strlen(f.made.entry[i].name)) + (1 << 10);
  assert_true(f.made.joints <= JOINTS);
  for (size_t i = 0; i < EVENTS; i++) {
    snprintf(name[i], sizeof name[i], "an event with the number %zu", i * 77 % EVENTS);
    events[i] = (quatsimd_bundle_event){(double)(i % 100), name[i]};
    promised += 64 + 5 * strlen(name[i]);
  }
  for (size_t i = 0; i < MASKS; i++) {
    snprintf(mask_name[i], sizeof mask_name[i], "%zu", i);
    masks[i] = (quatsimd_bundle_mask_entry){mask_name[i], weights, NULL};
    promised += 4 * (strlen(mask_name[i]) + 4 * (f.made.joints + f.made.tracks));
  }
  f.made.entry[0].events = events, f.made.entry[0].event_count = EVENTS;
  f.made.source.masks = masks, f.made.source.mask_count = MASKS;
  f.made.source.making = making, f.made.source.making_size = MAKING;
  counted_memory c = {0};
  const quatsimd_allocator allocator = counted_allocator(&c);
  void *data;
  size_t size;
  assert_int_equal(quatsimd_bundle_encode(&data, &size, &f.made.source, &allocator, NULL), QUATSIMD_OK);
  print_message("%zu bytes of %zu\n", c.most, promised);
  assert_true(c.most <= promised);
  quatsimd_bundle_free(&allocator, data);
  fixture_free(&f);
}

/* Encodes a bundle with too many settings for one byte, and a clip with too many frames for two bytes. */
static void many_settings(void **state) {
  (void)state;
  enum { CLIPS = 300, FRAMES = 70000 };
  static char name[CLIPS][8];
  static quatsimd_bundle_entry entry[CLIPS];
  static float values[4 * FRAMES];
  static double times[FRAMES];
  size_t size;
  void *skeleton_data = made_chain(&size, 1, 0, "bone"), *data;
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  assert_int_equal(quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, skeleton_data, size),
                   QUATSIMD_OK);
  for (int i = 0; i < FRAMES; i++) {
    times[i] = i;
    values[4 * i + 2] = (float)(i % 7) / 7, values[4 * i + 3] = 1;
  }
  for (size_t i = 0; i < CLIPS; i++) {
    const quatsimd_clip_joint joint = {.parent = -1, .rotation = {i == 0 ? FRAMES : 3, times, values, 0}};
    const quatsimd_clip_source source = {1, &joint, 0, NULL};
    encode_entry(&entry[i], name[i], i, &source, skeleton);
  }
  const quatsimd_bundle_source source = {
      sizeof source, sizeof *entry, skeleton_data, size, entry, CLIPS, NULL, 0, NULL, 0};
  assert_int_equal(quatsimd_bundle_encode(&data, &size, &source, NULL, NULL), QUATSIMD_OK);
  uint64_t seed = 1;
  const char *wrong = NULL;
  assert_true(bundle_bytes_try(data, size, &seed, &wrong));
  assert_null(wrong);
  assert_true(qsb_get(qsb_section(data, size, QSB_SETTINGS).at) > 256);
  quatsimd_bundle_free(NULL, data);
  for (size_t i = 0; i < CLIPS; i++) quatsimd_clip_free(NULL, (void *)(uintptr_t)entry[i].data);
  quatsimd_skeleton_free(NULL, skeleton_data);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_refused),
                                     cmocka_unit_test(clips_are_refused),
                                     cmocka_unit_test(other_skeletons_are_refused),
                                     cmocka_unit_test(skeletons_are_refused),
                                     cmocka_unit_test(events_are_refused),
                                     cmocka_unit_test(masks_are_refused),
                                     cmocka_unit_test(structs_grow),
                                     cmocka_unit_test(arguments),
                                     cmocka_unit_test(memory_runs_out),
                                     cmocka_unit_test(memory_is_little),
                                     cmocka_unit_test(memory_of_marks),
                                     cmocka_unit_test(many_settings)};
  return cmocka_run_group_tests_name("bundles' sources", tests, NULL, NULL);
}
