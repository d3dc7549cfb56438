/* Finds and samples clips in bundles. Each pose must have the bits that it has outside a bundle. */
#include "fixture.h"

#include "bundle/layout.h"
#include "bundle/separate.h"

static const char *const names[] = {"three_frames", "small_uneven", "small", NULL};

static void clips_are_found(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  assert_int_equal(quatsimd_bundle_clip_count(f.bundle), 3);
  assert_string_equal(quatsimd_bundle_clip_name(f.bundle, 0), "small");
  assert_string_equal(quatsimd_bundle_clip_name(f.bundle, 1), "small_uneven");
  assert_string_equal(quatsimd_bundle_clip_name(f.bundle, 2), "three_frames");
  assert_null(quatsimd_bundle_clip_name(f.bundle, 3));
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(quatsimd_bundle_find_clip(f.bundle, quatsimd_bundle_clip_name(f.bundle, i)), i);
  for (const char *const *other =
           (const char *const[]){"", "a", "smal", "small_", "small_unevenly", "z", NULL};
       *other; other++)
    assert_int_equal(quatsimd_bundle_find_clip(f.bundle, *other), -1);
  fixture_free(&f);
}

/* Compares a bundle's clip with `wanted`, the clip that was bundled. */
static void compare(const quatsimd_clip *clip, const quatsimd_clip *wanted) {
  const size_t joints = quatsimd_clip_joint_count(wanted), floats = clip_bytes_floats(wanted) + 1,
               frames = quatsimd_clip_frame_count(wanted);
  float *a = malloc(4 * floats * (frames + 1)), *b = malloc(4 * floats * (frames + 1));
  assert_true(a && b);
  assert_int_equal(quatsimd_clip_joint_count(clip), joints);
  assert_int_equal(quatsimd_clip_track_count(clip), quatsimd_clip_track_count(wanted));
  assert_int_equal(quatsimd_clip_frame_count(clip), frames);
  assert_true(quatsimd_clip_rate(clip) == quatsimd_clip_rate(wanted));
  assert_true(quatsimd_clip_start(clip) == quatsimd_clip_start(wanted));
  assert_true(quatsimd_clip_duration(clip) == quatsimd_clip_duration(wanted));
  assert_true(quatsimd_clip_skeleton_hash(clip) == quatsimd_clip_skeleton_hash(wanted));
  assert_int_equal(quatsimd_clip_is_looping(clip), quatsimd_clip_is_looping(wanted));
  assert_int_equal(quatsimd_clip_additive(clip), quatsimd_clip_additive(wanted));
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    assert_int_equal(quatsimd_clip_curve_count(clip, kind), quatsimd_clip_curve_count(wanted, kind));
    for (size_t j = 0; j < joints || j < quatsimd_clip_track_count(clip); j++)
      assert_int_equal(quatsimd_clip_curve_state(clip, kind, j), quatsimd_clip_curve_state(wanted, kind, j));
  }
  memset(a, 1, 4 * floats * (frames + 1)), memset(b, 1, 4 * floats * (frames + 1));
  quatsimd_pose_out all_a = clip_bytes_pose(a, wanted, frames), all_b = clip_bytes_pose(b, wanted, frames);
  assert_int_equal(quatsimd_clip_decode(wanted, &all_a, NULL, 0, frames, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_decode(clip, &all_b, NULL, 0, frames, 0), QUATSIMD_OK);
  assert_memory_equal(a, b, 4 * floats * (frames + 1));
  quatsimd_pose_out one_a = clip_bytes_pose(a, wanted, 1), one_b = clip_bytes_pose(b, wanted, 1);
  for (int i = 0; i < 60; i++) {
    const double time = quatsimd_clip_start(wanted) + quatsimd_clip_duration(wanted) * (i / 59.0);
    quatsimd_clip_sample(wanted, &one_a, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0);
    quatsimd_clip_sample(clip, &one_b, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0);
    assert_memory_equal(a, b, 4 * floats);
    if (joints == 0) continue;
    const uint32_t joint = (uint32_t)(7 * (size_t)i % joints);
    float single[10];
    quatsimd_pose_out of_joint = {quatsimd_aos_out(single), quatsimd_aos_out(single + 4),
                                  quatsimd_aos_out(single + 7), NULL};
    quatsimd_clip_sample_joints(clip, &of_joint, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, &joint, 1, 0);
    assert_memory_equal(single, a + 4 * joint, 16);
  }
  free(a), free(b);
}

static bool has_splines(const quatsimd_bundle_entry *entry) {
  return ((const unsigned char *)entry->data)[3] == 3;
}

/* Checks that a clip taken out of a bundle has the bytes that went into it. */
static void separate(const quatsimd_clip *clip, const quatsimd_bundle_entry *entry) {
  void *data;
  size_t size;
  assert_int_equal(quatsimd_clip_separate(&data, &size, clip, NULL), QUATSIMD_OK);
  assert_int_equal(size, entry->data_size);
  assert_memory_equal(data, entry->data, size);
  quatsimd_clip_free(NULL, data);
}

/* Compares all clips with those that were bundled. Bundles of version 1 cannot have splines. */
static void compare_all(const fixture *f) {
  const bool former = ((unsigned char *)f->data)[3] == 1;
  bool splines = false;
  for (size_t k = 0; k < f->made.source.clip_count; k++) {
    const quatsimd_bundle_entry *entry = &f->made.entry[k];
    if (former && has_splines(entry)) {
      quatsimd_clip_storage none;
      quatsimd_clip *clip;
      assert_int_equal(quatsimd_bundle_open_named(f->bundle, entry->name, &clip, &none, sizeof none),
                       QUATSIMD_ERROR_DAMAGED_CLIP);
      splines = true;
      continue;
    }
    quatsimd_clip_storage storage;
    quatsimd_clip *wanted, *clip = fixture_clip(f, entry->name);
    assert_int_equal(quatsimd_clip_open(&wanted, &storage, sizeof storage, entry->data, entry->data_size),
                     QUATSIMD_OK);
    compare(clip, wanted);
    separate(clip, entry);
    free(clip);
  }
  assert_int_equal(quatsimd_bundle_check(f->bundle, NULL),
                   splines ? QUATSIMD_ERROR_DAMAGED_CLIP : QUATSIMD_OK);
}

/* Tests the clips of tests/support, encoded with options.bundled and without, in both versions of bundles. */
static void poses_are_those_of_clips(void **state) {
  (void)state;
  bundle_maker maker[SCENES];
  const size_t makers = bundle_makers(maker);
  for (size_t i = 0; i < makers; i++) {
    fixture f = {.data = NULL};
    bundle_make(&f.made, &maker[i]);
    fixture_encode(&f);
    compare_all(&f);
    fixture_former(&f);
    compare_all(&f);
    fixture_free(&f);
  }
}

/* Tests numbers of frames around 65,535, the largest that is stored in 16 bits. */
static void frames_on_both_sides_of_16_bits(void **state) {
  (void)state;
  for (size_t frames = UINT16_MAX - 1; frames <= UINT16_MAX + 2; frames++) {
    fixture f = {.data = NULL};
    quatsimd_skeleton_storage storage;
    quatsimd_clip_options options;
    quatsimd_clip_options_init(&options, sizeof options);
    made_bundle_of(&f.made, 1, 0);
    assert_int_equal(quatsimd_skeleton_open((quatsimd_skeleton **)(uintptr_t)&options.skeleton, &storage,
                                            sizeof storage, f.made.source.skeleton,
                                            f.made.source.skeleton_size),
                     QUATSIMD_OK);
    options.rate = 32, options.rotation_bound = 1e-3f, options.bundled = 1;
    const double times[] = {0, 1, (double)(frames - 1) / 32};
    const float turns[] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 0, 0, 0, 1};
    const quatsimd_clip_joint joint = {.parent = -1, .rotation = {3, times, turns, 0}};
    const quatsimd_clip_source source = {1, &joint, 0, NULL};
    quatsimd_bundle_entry *entry = &f.made.entry[f.made.source.clip_count++];
    void *data;
    assert_int_equal(quatsimd_clip_encode(&data, &entry->data_size, &source, &options, NULL), QUATSIMD_OK);
    entry->name = "long", entry->data = data;
    fixture_encode(&f);
    quatsimd_clip *clip = fixture_clip(&f, "long");
    assert_int_equal(quatsimd_clip_frame_count(clip), frames);
    free(clip);
    compare_all(&f);
    assert_int_equal(quatsimd_bundle_check(f.bundle, NULL), QUATSIMD_OK);
    fixture_former(&f);
    compare_all(&f);
    fixture_free(&f);
  }
}

/* Tests two clips whose states differ at only two joints. With very many joints, opening copies the states
 * without comparing them. */
static void few_states_vary_among_many(void **state) {
  (void)state;
  for (size_t joints = 2016; joints <= 2400; joints += 64) { /* no comparison from 67 * 32 joints on */
    static const float turn[] = {0.6f, 0, 0, 0.8f};
    static const char *const of[] = {"a", "b"};
    fixture f = {.data = NULL};
    quatsimd_skeleton_storage storage;
    quatsimd_clip_options options;
    quatsimd_clip_options_init(&options, sizeof options);
    made_bundle_of(&f.made, joints, 0);
    assert_int_equal(quatsimd_skeleton_open((quatsimd_skeleton **)(uintptr_t)&options.skeleton, &storage,
                                            sizeof storage, f.made.source.skeleton,
                                            f.made.source.skeleton_size),
                     QUATSIMD_OK);
    options.rotation_bound = 1e-3f, options.bundled = 1;
    quatsimd_clip_joint *joint = calloc(joints, sizeof *joint);
    assert_non_null(joint);
    for (size_t j = 0; j < joints; j++) joint[j].parent = (int64_t)j - 1;
    for (size_t i = 0; i < 2; i++) {
      const quatsimd_clip_source source = {joints, joint, 0, NULL};
      quatsimd_bundle_entry *entry = &f.made.entry[f.made.source.clip_count++];
      void *data;
      memset(&joint[7].rotation, 0, sizeof joint[7].rotation);
      memset(&joint[joints - 1].rotation, 0, sizeof joint[7].rotation);
      joint[i ? 7 : joints - 1].rotation = (quatsimd_curve){1, NULL, turn, 0};
      assert_int_equal(quatsimd_clip_encode(&data, &entry->data_size, &source, &options, NULL), QUATSIMD_OK);
      entry->name = of[i], entry->data = data;
    }
    fixture_encode(&f);
    compare_all(&f);
    free(joint);
    fixture_free(&f);
  }
}

static void order_does_not_matter(void **state) {
  (void)state;
  fixture f, g;
  fixture_make(&f, names);
  fixture_make(&g, (const char *const[]){"small", "three_frames", "small_uneven", NULL});
  quatsimd_bundle_free(NULL, g.data);
  for (size_t i = 0; i < 3; i++) { /* the events of g are those of f, in another order */
    const quatsimd_bundle_entry *of = &f.made.entry[i == 0 ? 2 : i == 1 ? 0 : 1];
    quatsimd_bundle_entry *entry = &g.made.entry[i];
    assert_string_equal(of->name, entry->name);
    entry->event_count = of->event_count;
    for (size_t k = 0; k < of->event_count; k++) g.made.events[i][of->event_count - 1 - k] = of->events[k];
  }
  const quatsimd_bundle_mask_entry first = g.made.masks[0];
  g.made.masks[0] = g.made.masks[1], g.made.masks[1] = first;
  fixture_encode(&g);
  assert_int_equal(f.size, g.size);
  assert_memory_equal(f.data, g.data, f.size);
  fixture_free(&f), fixture_free(&g);
}

static void it_has_its_skeleton(void **state) {
  (void)state;
  fixture f;
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  fixture_make(&f, names);
  assert_int_equal(quatsimd_bundle_open_skeleton(f.bundle, &skeleton, &storage, sizeof storage), QUATSIMD_OK);
  assert_int_equal(quatsimd_skeleton_joint_count(skeleton), 4);
  assert_string_equal(quatsimd_skeleton_joint_name(skeleton, 3), "b\xc3\xb6ne");
  assert_true(quatsimd_bundle_skeleton_hash(f.bundle) == quatsimd_skeleton_hash(skeleton));
  assert_int_equal(
      quatsimd_bundle_open_skeleton(f.bundle, &skeleton, &storage, quatsimd_skeleton_memory_size() - 1),
      QUATSIMD_ERROR_SHORT_BUFFER);
  REFUSED(quatsimd_bundle_open_skeleton(NULL, &skeleton, &storage, sizeof storage));
  REFUSED(quatsimd_bundle_open_skeleton(f.bundle, NULL, &storage, sizeof storage));
  fixture_free(&f);
}

/* Checks that a clip opens in memory of its own size, but not in one byte less. */
static void clips_have_their_own_sizes(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  size_t least = SIZE_MAX, most = 0;
  for (size_t i = 0; i < quatsimd_bundle_clip_count(f.bundle); i++) {
    const size_t size = quatsimd_bundle_clip_memory_size(f.bundle, i);
    quatsimd_clip *clip;
    void *memory = malloc(size);
    assert_non_null(memory);
    assert_int_equal(quatsimd_bundle_open_clip(f.bundle, i, &clip, memory, size - 1),
                     QUATSIMD_ERROR_SHORT_BUFFER);
    assert_int_equal(quatsimd_bundle_open_clip(f.bundle, i, &clip, memory, size), QUATSIMD_OK);
    if (size < least) least = size;
    if (size > most) most = size;
    free(memory);
  }
  assert_true(least < most && most < quatsimd_clip_memory_size());
  fixture_free(&f);
}

/* Opens all clips. Returns the number of masks of states that are not in the bundle. */
static size_t count_copied(const fixture *f) {
  size_t copied = 0;
  for (size_t i = 0; i < f->made.source.clip_count; i++) {
    quatsimd_clip *clip = fixture_clip(f, f->made.entry[i].name);
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
      const unsigned char *masks = clip_part_of(clip, kind).masks, *bytes = f->data;
      if (masks && !(masks >= bytes && masks < bytes + f->size)) copied++;
    }
    free(clip);
  }
  return copied;
}

/* Checks that opening does not copy masks that equal the usual states. */
static void usual_states_are_shared(void **state) {
  (void)state;
  fixture f, same = {.data = NULL};
  fixture_make(&f, names);
  assert_true(count_copied(&f) > 0);
  size_t small = 0;
  while (strcmp(scenes[small].name, "small") != 0) small++;
  made_bundle_of(&same.made, 4, 0); /* `small` has 4 joints */
  made_bundle_add(&same.made, &scenes[small], "", 1),
      made_bundle_add(&same.made, &scenes[small], " again", 1);
  fixture_encode(&same);
  assert_int_equal(count_copied(&same), 0);
  fixture_free(&f), fixture_free(&same);
}

static void arguments(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, names);
  quatsimd_bundle *bundle;
  quatsimd_clip *clip;
  const void *making;
  size_t making_size;
  const size_t size = quatsimd_bundle_clip_memory_size(f.bundle, 0);
  unsigned char *memory = malloc(size + 8);
  assert_non_null(memory);
  assert_true(quatsimd_bundle_memory_size() <= sizeof(quatsimd_bundle_storage));
  assert_true(size > 0 && size % 8 == 0);
  REFUSED(quatsimd_bundle_open(NULL, &f.storage, sizeof f.storage, f.data, f.size));
  REFUSED(quatsimd_bundle_open(&bundle, NULL, sizeof f.storage, f.data, f.size));
  REFUSED(quatsimd_bundle_open(&bundle, &f.storage, sizeof f.storage, NULL, f.size));
  REFUSED(quatsimd_bundle_open(&bundle, f.storage.bytes + 1, sizeof f.storage - 1, f.data, f.size));
  assert_int_equal(
      quatsimd_bundle_open(&bundle, &f.storage, quatsimd_bundle_memory_size() - 1, f.data, f.size),
      QUATSIMD_ERROR_SHORT_BUFFER);
  REFUSED(quatsimd_bundle_open_clip(NULL, 0, &clip, memory, size));
  REFUSED(quatsimd_bundle_open_clip(f.bundle, 3, &clip, memory, size));
  REFUSED(quatsimd_bundle_open_clip(f.bundle, 0, NULL, memory, size));
  REFUSED(quatsimd_bundle_open_clip(f.bundle, 0, &clip, NULL, size));
  REFUSED(quatsimd_bundle_open_clip(f.bundle, 0, &clip, memory + 1, size));
  assert_int_equal(quatsimd_bundle_open_clip(f.bundle, 0, &clip, memory, size - 1),
                   QUATSIMD_ERROR_SHORT_BUFFER);
  REFUSED(quatsimd_bundle_open_named(NULL, "small", &clip, memory, size));
  REFUSED(quatsimd_bundle_open_named(f.bundle, NULL, &clip, memory, size));
  REFUSED(quatsimd_bundle_open_named(f.bundle, "small", NULL, memory, size));
  assert_int_equal(quatsimd_bundle_open_named(f.bundle, "Small", &clip, memory, size),
                   QUATSIMD_ERROR_NO_SUCH_CLIP);
  REFUSED(quatsimd_bundle_making(NULL, &making, &making_size));
  REFUSED(quatsimd_bundle_making(f.bundle, NULL, &making_size));
  REFUSED(quatsimd_bundle_making(f.bundle, &making, NULL));
  REFUSED(quatsimd_bundle_check(NULL, NULL));
  quatsimd_bundle_report report = {.struct_size = 3};
  REFUSED(quatsimd_bundle_check(f.bundle, &report));
  assert_int_equal(quatsimd_bundle_clip_count(NULL), 0);
  assert_int_equal(quatsimd_bundle_clip_memory_size(NULL, 0), 0);
  assert_int_equal(quatsimd_bundle_clip_memory_size(f.bundle, 3), 0);
  assert_true(quatsimd_bundle_skeleton_hash(NULL) == 0);
  assert_null(quatsimd_bundle_clip_name(NULL, 0));
  assert_int_equal(quatsimd_bundle_find_clip(NULL, "small"), -1);
  assert_int_equal(quatsimd_bundle_find_clip(f.bundle, NULL), -1);
  quatsimd_bundle_trust(NULL);
  quatsimd_bundle_free(NULL, NULL);
  free(memory);
  fixture_free(&f);
}

static void the_making_is_found(void **state) {
  (void)state;
  fixture f;
  const void *making;
  size_t size;
  fixture_make(&f, names);
  assert_int_equal(quatsimd_bundle_making(f.bundle, &making, &size), QUATSIMD_OK);
  assert_int_equal(size, sizeof made_bundle_making - 1);
  assert_memory_equal(making, made_bundle_making, size);
  assert_true((const unsigned char *)making > (const unsigned char *)f.data &&
              (const unsigned char *)making < (const unsigned char *)f.data + f.size);
  *(unsigned char *)(uintptr_t)making ^= 1;
  size = 7;
  assert_int_equal(quatsimd_bundle_making(f.bundle, &making, &size), QUATSIMD_ERROR_DAMAGED_BUNDLE);
  assert_int_equal(size, 7);
  *(unsigned char *)(uintptr_t)making ^= 1;
  fixture_former(&f);
  assert_int_equal(quatsimd_bundle_making(f.bundle, &making, &size), QUATSIMD_OK);
  assert_true(!making && size == 0);
  fixture_free(&f);
}

/* Returns the source's mask with this name. */
static const quatsimd_bundle_mask_entry *mask_entry(const made_bundle *m, const char *name) {
  for (size_t i = 0; i < m->source.mask_count; i++)
    if (strcmp(m->masks[i].name, name) == 0) return &m->masks[i];
  fail();
  return NULL;
}

/* Compares the events of all clips, and all masks, with the source's. */
static void compare_marks(const fixture *f) {
  const size_t joints = f->made.joints, tracks = f->made.tracks;
  float *weights = malloc(4 * (joints + tracks + 2));
  assert_non_null(weights);
  assert_int_equal(quatsimd_bundle_mask_count(f->bundle), f->made.source.mask_count);
  for (size_t i = 0; i < f->made.source.mask_count; i++) {
    const char *name = quatsimd_bundle_mask_name(f->bundle, i);
    const quatsimd_bundle_mask_entry *of = mask_entry(&f->made, name);
    float *of_joints = weights, *of_tracks = weights + joints + 1;
    if (i > 0) assert_true(strcmp(quatsimd_bundle_mask_name(f->bundle, i - 1), name) < 0);
    of_joints[joints] = of_tracks[tracks] = 7;
    assert_int_equal(quatsimd_bundle_mask(f->bundle, name, of_joints, of_tracks), QUATSIMD_OK);
    assert_memory_equal(of_joints, of->joint_weights, 4 * joints);
    for (size_t t = 0; t < tracks; t++)
      assert_true(of_tracks[t] == (of->track_weights ? of->track_weights[t] : 1));
    assert_true(of_joints[joints] == 7 && of_tracks[tracks] == 7);
    for (size_t j = 0; j < joints + tracks + 2; j++) weights[j] = 9;
    assert_int_equal(quatsimd_bundle_mask(f->bundle, name, NULL, of_tracks), QUATSIMD_OK);
    for (size_t j = 0; j <= joints; j++) assert_true(of_joints[j] == 9);
    assert_int_equal(quatsimd_bundle_mask(f->bundle, name, of_joints, NULL), QUATSIMD_OK);
    assert_memory_equal(of_joints, of->joint_weights, 4 * joints);
    assert_int_equal(quatsimd_bundle_mask(f->bundle, name, NULL, NULL), QUATSIMD_OK);
  }
  for (size_t c = 0; c < f->made.source.clip_count; c++) {
    const quatsimd_bundle_entry *entry = &f->made.entry[c];
    const int64_t number = quatsimd_bundle_find_clip(f->bundle, entry->name);
    const size_t size = quatsimd_bundle_clip_memory_size(f->bundle, (size_t)number);
    assert_int_equal(size % 8, 0);
    if (size == 0) continue; /* bundles of version 1 have no clips of version 3 */
    quatsimd_clip *clip = fixture_clip(f, entry->name);
    assert_int_equal(quatsimd_clip_event_count(clip), entry->event_count);
    for (size_t k = 0; k < entry->event_count; k++) { /* each event of the source is among the clip's */
      size_t i = 0;
      while (i < entry->event_count &&
             (quatsimd_clip_event_time(clip, i) != entry->events[k].time ||
              strcmp(quatsimd_clip_event_name(clip, i), entry->events[k].name) != 0))
        i++;
      assert_true(i < entry->event_count);
      if (k > 0) assert_true(quatsimd_clip_event_time(clip, k - 1) <= quatsimd_clip_event_time(clip, k));
    }
    free(clip);
  }
  free(weights);
}

static void marks_are_read(void **state) {
  (void)state;
  bundle_maker maker[SCENES];
  const size_t makers = bundle_makers(maker);
  for (size_t i = 0; i < makers; i++) {
    fixture f = {.data = NULL};
    bundle_make(&f.made, &maker[i]);
    fixture_encode(&f);
    compare_marks(&f);
    fixture_former(&f); /* version 1 has neither events nor masks */
    f.made.source.mask_count = 0;
    for (size_t c = 0; c < f.made.source.clip_count; c++) f.made.entry[c].event_count = 0;
    compare_marks(&f);
    f.made.source.mask_count = BUNDLE_MASKS;
    fixture_free(&f);
  }
}

/* Finds each of many masks, whose names begin alike, and no other. */
static void masks_by_name(void **state) {
  (void)state;
  enum { MASKS = 300 };
  static char name[MASKS][8];
  static float weights[MASKS][100];
  static quatsimd_bundle_mask_entry masks[MASKS];
  float joint_weights[100], tracks_before[4] = {5, 5, 5, 5};
  fixture f;
  fixture_make(&f, names);
  assert_true(f.made.joints <= 100 && f.made.joints > 0);
  for (size_t i = 0; i < MASKS; i++) {
    snprintf(name[i], sizeof name[i], "m%zu", i * 7 % MASKS);
    weights[i][0] = (float)(i * 7 % MASKS);
    masks[i] = (quatsimd_bundle_mask_entry){name[i], weights[i], NULL};
  }
  quatsimd_bundle_source source = f.made.source;
  source.masks = masks, source.mask_count = MASKS;
  quatsimd_bundle_free(NULL, f.data);
  assert_int_equal(quatsimd_bundle_encode(&f.data, &f.size, &source, NULL, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, f.data, f.size),
                   QUATSIMD_OK);
  for (size_t i = 0; i < MASKS; i++) {
    assert_int_equal(quatsimd_bundle_mask(f.bundle, name[i], joint_weights, NULL), QUATSIMD_OK);
    assert_true(joint_weights[0] == weights[i][0]);
  }
  joint_weights[0] = 5;
  const char *const others[] = {"", "m", "m300", "m2a", "M1", "n", "l", "m1\xc3\xa4"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal(quatsimd_bundle_mask(f.bundle, others[i], joint_weights, tracks_before),
                     QUATSIMD_ERROR_NO_SUCH_MASK);
  REFUSED(quatsimd_bundle_mask(NULL, "m1", joint_weights, tracks_before));
  REFUSED(quatsimd_bundle_mask(f.bundle, NULL, joint_weights, tracks_before));
  assert_true(joint_weights[0] == 5 && tracks_before[0] == 5);
  assert_int_equal(quatsimd_bundle_mask_count(NULL), 0);
  assert_null(quatsimd_bundle_mask_name(NULL, 0));
  assert_null(quatsimd_bundle_mask_name(f.bundle, MASKS));
  assert_non_null(quatsimd_bundle_mask_name(f.bundle, MASKS - 1));
  fixture_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(clips_are_found),
                                     cmocka_unit_test(poses_are_those_of_clips),
                                     cmocka_unit_test(frames_on_both_sides_of_16_bits),
                                     cmocka_unit_test(few_states_vary_among_many),
                                     cmocka_unit_test(order_does_not_matter),
                                     cmocka_unit_test(it_has_its_skeleton),
                                     cmocka_unit_test(clips_have_their_own_sizes),
                                     cmocka_unit_test(usual_states_are_shared),
                                     cmocka_unit_test(arguments),
                                     cmocka_unit_test(the_making_is_found),
                                     cmocka_unit_test(marks_are_read),
                                     cmocka_unit_test(masks_by_name)};
  return cmocka_run_group_tests_name("bundles", tests, NULL, NULL);
}
