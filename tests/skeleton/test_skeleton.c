/* Compares the values of an opened skeleton with its source. */
#include "fixture.h"

#include "support/guarded.h"

/* Compares a rotation with the source's. Encoding normalises rotations whose length is not 1. */
static void expect_rotation(const float *got, const float *source) {
  double n2 = 0;
  for (int i = 0; i < 4; i++) n2 += (double)source[i] * (double)source[i];
  if (fabs(n2 - 1) <= 9e-7) assert_memory_equal(got, source, 16);
  for (int i = 0; i < 4; i++) assert_true(fabs((double)got[i] - (double)source[i] / sqrt(n2)) <= 6e-7);
}

static size_t first_joint(const quatsimd_skeleton_source *source, const char *name) {
  size_t j = 0;
  while (strcmp(source->joints[j].name, name) != 0) j++;
  return j;
}
static size_t first_track(const quatsimd_skeleton_source *source, const char *name) {
  size_t t = 0;
  while (strcmp(source->track_names[t], name) != 0) t++;
  return t;
}

static void everything_comes_back(void **state) {
  (void)state;
  for (size_t i = 0; i < SKELETONS; i++) {
    fixture f;
    fixture_make(&f, skeletons[i].name);
    const quatsimd_skeleton_source *source = &f.made.source;
    const size_t joints = source->joint_count, tracks = source->track_count;
    assert_int_equal(quatsimd_skeleton_joint_count(f.skeleton), joints);
    assert_int_equal(quatsimd_skeleton_track_count(f.skeleton), tracks);
    assert_true(quatsimd_skeleton_metres(f.skeleton) == source->metres);
    quatsimd_skeleton_source got;
    const char *wrong = skeleton_bytes_read(f.skeleton, &got);
    if (wrong) fail_msg("%s: %s", f.name, wrong);
    for (size_t j = 0; j < joints; j++) {
      const quatsimd_skeleton_joint *from = &source->joints[j], *to = &got.joints[j];
      assert_string_equal(to->name, from->name);
      assert_int_equal(to->parent, from->parent);
      expect_rotation(to->rotation, from->rotation);
      assert_memory_equal(to->translation, from->translation, 12);
      assert_memory_equal(to->scale, from->scale, 12);
      assert_true(!to->inverse_bind == !from->inverse_bind);
      if (from->inverse_bind) assert_memory_equal(to->inverse_bind, from->inverse_bind, 48);
      if (joints < 1000)
        assert_int_equal(quatsimd_skeleton_find_joint(f.skeleton, from->name),
                         first_joint(source, from->name));
    }
    for (size_t t = 0; t < tracks; t++) {
      assert_string_equal(got.track_names[t], source->track_names[t]);
      if (tracks < 1000)
        assert_int_equal(quatsimd_skeleton_find_track(f.skeleton, source->track_names[t]),
                         first_track(source, source->track_names[t]));
    }
    assert_int_equal(quatsimd_skeleton_find_joint(f.skeleton, "no such joint"), -1);
    assert_int_equal(quatsimd_skeleton_find_track(f.skeleton, "\xff"), -1);
    skeleton_bytes_free(&got);
    fixture_free(&f);
  }
}

/* Removes, adds or changes the last letter of joints' names. A changed name is found only if another joint
 * has it. */
static void names_nearby_are_not_found(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "body");
  for (size_t j = 0; j < f.made.source.joint_count; j++) {
    char name[64];
    const size_t length = strlen(f.made.source.joints[j].name);
    for (int way = 0; way < 4; way++) {
      memcpy(name, f.made.source.joints[j].name, length + 1);
      if (way == 0) name[length - 1] = 0;
      else if (way == 1) name[length] = '0', name[length + 1] = 0;
      else name[length - 1] = (char)(name[length - 1] + (way == 2 ? 20 : -20));
      const int64_t found = quatsimd_skeleton_find_joint(f.skeleton, name);
      if (found >= 0) assert_string_equal(quatsimd_skeleton_joint_name(f.skeleton, (size_t)found), name);
      else
        for (size_t k = 0; k < f.made.source.joint_count; k++)
          assert_string_not_equal(f.made.source.joints[k].name, name);
    }
  }
  assert_int_equal(quatsimd_skeleton_find_joint(f.skeleton, ""), -1);
  fixture_free(&f);
}

/* The search returns the first of several joints with one name. A track may have the name of a joint. */
static void equal_names(void **state) {
  (void)state;
  fixture f = {.name = "equal"};
  made_empty(&f.made, 300, 3, 0);
  for (int j = 0; j < 300; j++) f.made.joint[j].name = j % 3 == 0 ? "a" : j % 3 == 1 ? "" : "ab";
  f.made.track[0] = f.made.track[1] = f.made.track[2] = "ab";
  fixture_encode(&f);
  assert_int_equal(quatsimd_skeleton_find_joint(f.skeleton, "a"), 0);
  assert_int_equal(quatsimd_skeleton_find_joint(f.skeleton, ""), 1);
  assert_int_equal(quatsimd_skeleton_find_joint(f.skeleton, "ab"), 2);
  assert_int_equal(quatsimd_skeleton_find_track(f.skeleton, "ab"), 0);
  assert_int_equal(quatsimd_skeleton_find_track(f.skeleton, "a"), -1);
  fixture_free(&f);
}

static void no_skeleton_and_no_number(void **state) {
  (void)state;
  float matrix[12];
  memset(matrix, FILL, sizeof matrix);
  fixture f;
  fixture_make(&f, "arm");
  for (int have = 0; have < 2; have++) {
    const quatsimd_skeleton *s = have ? f.skeleton : NULL;
    const size_t beyond[] = {4, 5, 65536, SIZE_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
      const size_t number = have ? beyond[i] : i;
      assert_null(quatsimd_skeleton_joint_name(s, number));
      assert_null(quatsimd_skeleton_track_name(s, have && i == 0 ? 2 : number));
      assert_int_equal(quatsimd_skeleton_parent(s, number), -1);
      assert_int_equal(quatsimd_skeleton_has_inverse_bind(s, number), 0);
      REFUSED(quatsimd_skeleton_inverse_bind(s, matrix, number));
    }
  }
  REFUSED(quatsimd_skeleton_inverse_bind(f.skeleton, matrix, 0)); /* the joint has no inverse bind matrix */
  REFUSED(quatsimd_skeleton_inverse_bind(f.skeleton, NULL, 2));
  assert_true(filled(matrix, sizeof matrix));
  assert_int_equal(quatsimd_skeleton_inverse_bind(f.skeleton, matrix, 2), QUATSIMD_OK);
  assert_int_equal(quatsimd_skeleton_joint_count(NULL), 0);
  assert_int_equal(quatsimd_skeleton_track_count(NULL), 0);
  assert_int_equal(quatsimd_skeleton_hash(NULL), 0);
  assert_true(quatsimd_skeleton_metres(NULL) == 0);
  assert_int_equal(quatsimd_skeleton_find_joint(NULL, "hand"), -1);
  assert_int_equal(quatsimd_skeleton_find_joint(f.skeleton, NULL), -1);
  assert_int_equal(quatsimd_skeleton_find_track(NULL, "smile"), -1);
  assert_int_equal(quatsimd_skeleton_find_track(f.skeleton, NULL), -1);
  quatsimd_skeleton_free(NULL, NULL);
  fixture_free(&f);
}

/* Offsets into names have two bytes if all names together have at most 65,536 bytes, else four. */
static void widths_of_offsets(void **state) {
  (void)state;
  enum { WIDEST = 65536 };
  for (size_t names = WIDEST - 1; names <= WIDEST + 1; names++) {
    fixture f = {.name = "one long name"};
    made_empty(&f.made, 1, 1, names);
    memset(f.made.text, 'n', names - 2); /* the NULs of both names follow */
    f.made.joint[0].name = f.made.text;
    fixture_encode(&f);
    assert_int_equal(f.size, QSK_HEAD + 2 + names + 2 * (names <= WIDEST ? 2 : 4) + 2 * 2 + 40 + 4);
    assert_string_equal(quatsimd_skeleton_joint_name(f.skeleton, 0), f.made.text);
    assert_string_equal(quatsimd_skeleton_track_name(f.skeleton, 0), "");
    assert_int_equal(quatsimd_skeleton_find_joint(f.skeleton, f.made.text), 0);
    fixture_free(&f);
  }
}

/* ---- the rest pose ---- */

enum { GUARD = 16 };

static void rest_in_every_layout(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "body");
  const size_t joints = f.made.source.joint_count, rooms = (joints + 7) / 8 * 8;
  static float plain[10 * 64], to[10 * 64 + GUARD];
  quatsimd_pose_out all = {quatsimd_aos_out(plain), quatsimd_aos_out(plain + 4 * joints),
                           quatsimd_aos_out(plain + 7 * joints), NULL};
  assert_int_equal(quatsimd_skeleton_rest_pose(f.skeleton, &all, 0, joints), QUATSIMD_OK);
  for (size_t first = 0; first <= joints; first += 5)
    for (size_t count = 0; first + count <= joints; count += 7) {
      memset(to, FILL, sizeof to);
      float *const x = to, *const t = to + 4 * rooms, *const s = to + 7 * rooms;
      quatsimd_pose_out pose = {quatsimd_wxyz_out(quatsimd_blocks_out(x, 8)),
                                quatsimd_soa_out(t, t + rooms, t + 2 * rooms, NULL),
                                quatsimd_strided_out(s, 12), NULL};
      assert_int_equal(quatsimd_skeleton_rest_pose(f.skeleton, &pose, first, count), QUATSIMD_OK);
      for (size_t i = 0; i < count; i++) {
        const float *q = plain + 4 * (first + i), *at = x + i / 8 * 32 + i % 8;
        for (int c = 0; c < 4; c++) assert_true(at[8 * ((c + 1) % 4)] == q[c]);
        for (size_t c = 0; c < 3; c++)
          assert_true(t[c * rooms + i] == plain[4 * joints + 3 * (first + i) + c]);
        assert_memory_equal(s + 3 * i, plain + 7 * joints + 3 * (first + i), 12);
      }
      assert_true(filled(to + 10 * rooms, 4 * GUARD) && filled(s + 3 * count, 4));
      assert_true(filled(t + count, 4 * (rooms - count)));
    }
  fixture_free(&f);
}

static void rest_of_some_kinds(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "arm");
  float to[4][16];
  for (int wanted = 0; wanted < 16; wanted++) {
    memset(to, FILL, sizeof to);
    quatsimd_pose_out pose = {{0}, {0}, {0}, NULL};
    if (wanted & 1) pose.rotations = quatsimd_aos_out(to[0]);
    if (wanted & 2) pose.translations = quatsimd_aos_out(to[1]);
    if (wanted & 4) pose.scales = quatsimd_aos_out(to[2]);
    if (wanted & 8) pose.tracks = to[3]; /* all tracks are written, whichever joints are asked for */
    assert_int_equal(quatsimd_skeleton_rest_pose(f.skeleton, &pose, 1, 2), QUATSIMD_OK);
    for (int kind = 0; kind < 4; kind++) {
      const size_t floats = kind == 3 ? 2 : kind ? 6 : 8;
      assert_true(filled(to[kind], sizeof to[kind]) == !(wanted >> kind & 1));
      assert_true(filled(to[kind] + floats, sizeof to[kind] - 4 * floats));
    }
    if (wanted & 8) assert_true(to[3][0] == 0 && to[3][1] == 0.25f);
  }
  fixture_free(&f);
}

static void rest_refuses(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "arm");
  float to[3][16];
  memset(to, FILL, sizeof to);
  quatsimd_pose_out good = {quatsimd_aos_out(to[0]), quatsimd_aos_out(to[1]), quatsimd_aos_out(to[2]), NULL};
  quatsimd_pose_out nonsense = {quatsimd_aos_out(NULL), quatsimd_blocks_out(to[1], 5), {0}, NULL};
  REFUSED(quatsimd_skeleton_rest_pose(NULL, &good, 0, 4));
  REFUSED(quatsimd_skeleton_rest_pose(f.skeleton, NULL, 0, 4));
  REFUSED(quatsimd_skeleton_rest_pose(f.skeleton, &good, 0, 5));
  REFUSED(quatsimd_skeleton_rest_pose(f.skeleton, &good, 4, 1));
  REFUSED(quatsimd_skeleton_rest_pose(f.skeleton, &good, 5, 0));
  REFUSED(quatsimd_skeleton_rest_pose(f.skeleton, &good, SIZE_MAX, 1));
  REFUSED(quatsimd_skeleton_rest_pose(f.skeleton, &good, 1, SIZE_MAX));
  REFUSED(quatsimd_skeleton_rest_pose(f.skeleton, &nonsense, 0, 4));
  for (int kind = 0; kind < 3; kind++) {
    quatsimd_pose_out pose = good;
    quatsimd_out *outs[] = {&pose.rotations, &pose.translations, &pose.scales};
    outs[(kind + 1) % 3]->x = outs[kind]->x;
    REFUSED(quatsimd_skeleton_rest_pose(f.skeleton, &pose, 0, 4));
  }
  assert_int_equal(quatsimd_skeleton_rest_pose(f.skeleton, &nonsense, 0, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_skeleton_rest_pose(f.skeleton, &nonsense, 4, 0), QUATSIMD_OK);
  assert_true(filled(to, sizeof to));
  fixture_free(&f);
}

/* ---- memory ---- */

/* The bytes of a skeleton may be at any address, and no byte before or after them is read. */
static void bytes_anywhere(void **state) {
  (void)state;
  for (size_t i = 0; i + 1 < SKELETONS; i++) { /* all skeletons but the largest */
    fixture f;
    const char *wrong = NULL;
    fixture_make(&f, skeletons[i].name);
    const arena a = arena_new(f.size + 64);
    for (size_t off = 0; off < 16; off++) {
      memcpy(a.begin + off, f.data, f.size);
      assert_true(skeleton_bytes_try(a.begin + off, f.size, &wrong));
      if (wrong) fail_msg("%s at %zu: %s", f.name, off, wrong);
    }
    memcpy(a.end - f.size, f.data, f.size);
    assert_true(skeleton_bytes_try(a.end - f.size, f.size, &wrong));
    if (wrong) fail_msg("%s at the end: %s", f.name, wrong);
    fixture_free(&f);
  }
}

static void memory_of_a_skeleton(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, "arm");
  const size_t size = quatsimd_skeleton_memory_size();
  assert_in_range(size, 1, sizeof(quatsimd_skeleton_storage));
  unsigned char *memory = malloc(size + 16);
  assert_non_null(memory);
  memset(memory, FILL, size + 16);
  quatsimd_skeleton *s = NULL;
  assert_int_equal(quatsimd_skeleton_open(&s, memory, size - 1, f.data, f.size), QUATSIMD_ERROR_SHORT_BUFFER);
  assert_int_equal(quatsimd_skeleton_open(&s, memory, 0, f.data, f.size), QUATSIMD_ERROR_SHORT_BUFFER);
  for (size_t off = 1; off < _Alignof(quatsimd_skeleton_storage); off++)
    REFUSED(quatsimd_skeleton_open(&s, memory + off, size, f.data, f.size));
  REFUSED(quatsimd_skeleton_open(&s, NULL, size, f.data, f.size));
  REFUSED(quatsimd_skeleton_open(NULL, memory, size, f.data, f.size));
  REFUSED(quatsimd_skeleton_open(&s, memory, size, NULL, f.size));
  assert_true(s == NULL && filled(memory, size + 16));
  assert_int_equal(quatsimd_skeleton_open(&s, memory + 8, size, f.data, f.size), QUATSIMD_OK);
  assert_true((unsigned char *)s == memory + 8 && filled(memory, 8) && filled(memory + 8 + size, 8));
  assert_string_equal(quatsimd_skeleton_joint_name(s, 3), "thumb");
  free(memory);
  fixture_free(&f);
}

/* Masks of every joint are those of a walk up to the root. */
static void masks_below_a_joint(void **state) {
  (void)state;
  for (size_t i = 0; i < SKELETONS; i++) {
    fixture f;
    fixture_make(&f, skeletons[i].name);
    const size_t joints = quatsimd_skeleton_joint_count(f.skeleton), by = joints > 100 ? joints / 7 : 1;
    float *mask = malloc(4 * (joints + 1));
    assert_non_null(mask);
    for (size_t from = 0; from < joints; from += by) {
      for (size_t j = 0; j <= joints; j++) mask[j] = (float)j;
      assert_int_equal(quatsimd_skeleton_mask(f.skeleton, from, -0.5f, mask), QUATSIMD_OK);
      for (size_t j = 0; j <= joints; j += joints > 5000 ? 61 : 1) {
        int64_t above = j < joints ? (int64_t)j : -1;
        while (above > (int64_t)from) above = quatsimd_skeleton_parent(f.skeleton, (size_t)above);
        assert_true(mask[j] == (above == (int64_t)from ? -0.5f : (float)j));
      }
      assert_true(mask[joints] == (float)joints);
    }
    REFUSED(quatsimd_skeleton_mask(f.skeleton, joints, 1, mask));
    REFUSED(quatsimd_skeleton_mask(f.skeleton, SIZE_MAX, 1, mask));
    REFUSED(quatsimd_skeleton_mask(NULL, 0, 1, mask));
    if (joints) REFUSED(quatsimd_skeleton_mask(f.skeleton, 0, 1, NULL));
    free(mask);
    fixture_free(&f);
  }
}

/* A chain, a star and two chains of 65,536 joints, in time that grows with the joints. */
static void masks_of_many_joints(void **state) {
  (void)state;
  enum { JOINTS = QUATSIMD_SKELETON_MOST };
  quatsimd_skeleton_joint *joint = calloc(JOINTS, sizeof *joint);
  float *mask = malloc(4 * JOINTS);
  assert_true(joint && mask);
  for (int shape = 0; shape < 3; shape++) {
    quatsimd_skeleton_source source = {.joint_count = JOINTS, .joints = joint, .metres = 1};
    quatsimd_skeleton_storage storage;
    quatsimd_skeleton *skeleton;
    void *data;
    size_t size, below = 0;
    for (size_t j = 0; j < JOINTS; j++)
      joint[j] = (quatsimd_skeleton_joint){.name = "",
                                           .parent = j == 0       ? -1
                                                     : shape == 0 ? (int64_t)j - 1
                                                     : shape == 1 ? 0
                                                     : j == 1     ? -1
                                                                  : (int64_t)j - 2,
                                           .rotation = {0, 0, 0, 1},
                                           .scale = {1, 1, 1}};
    assert_int_equal(quatsimd_skeleton_encode(&data, &size, &source, NULL, NULL), QUATSIMD_OK);
    assert_int_equal(quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, data, size), QUATSIMD_OK);
    memset(mask, 0, 4 * JOINTS);
    for (int i = 0; i < 100; i++)
      assert_int_equal(quatsimd_skeleton_mask(skeleton, shape == 1 ? 0 : 3, 1, mask), QUATSIMD_OK);
    for (size_t j = 0; j < JOINTS; j++) below += mask[j] == 1;
    assert_int_equal(below, shape == 0 ? JOINTS - 3 : shape == 1 ? JOINTS : JOINTS / 2 - 1);
    assert_true(mask[JOINTS - 1] == 1); /* the last joint, whose number means "none" as a parent */
    quatsimd_skeleton_free(NULL, data);
  }
  free(joint), free(mask);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_comes_back), cmocka_unit_test(names_nearby_are_not_found),
      cmocka_unit_test(equal_names),           cmocka_unit_test(no_skeleton_and_no_number),
      cmocka_unit_test(rest_in_every_layout),  cmocka_unit_test(rest_of_some_kinds),
      cmocka_unit_test(rest_refuses),          cmocka_unit_test(bytes_anywhere),
      cmocka_unit_test(masks_below_a_joint),   cmocka_unit_test(masks_of_many_joints),
      cmocka_unit_test(memory_of_a_skeleton),  cmocka_unit_test(widths_of_offsets)};
  return cmocka_run_group_tests_name("skeleton", tests, NULL, NULL);
}
