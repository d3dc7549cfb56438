/* Many threads at once pack, unpack, rotate, encode and sample. Results must equal those of one thread. */
#include "support/clips.h"
#include "support/random.h"

#include "quatsimd/quatsimd.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

enum { MOST = 64, ROUNDS = 3, COUNT = 333, TIMES = 40, COMPONENTS = 10 };

static float quats[4 * COUNT];
static scene source;
static quatsimd_clip_storage storage;
static quatsimd_clip *clip; /* shared by all threads */
static void *clip_bytes;
static size_t clip_size;

typedef struct results {
  unsigned char *packed, *encoded;
  float *unpacked, *products, *poses;
  size_t packed_size, encoded_size, floats, pose_floats;
  const char *wrong;
} results;

static void *some(size_t size) {
  void *p = calloc(size ? size : 1, 1);
  if (!p) abort();
  return p;
}

static void formats(results *r, size_t first) {
  quatsimd_format format;
  size_t n = 0;
  for (r->packed_size = 0; quatsimd_format_at(&format, n) == QUATSIMD_OK; n++)
    r->packed_size += quatsimd_packed_size(format, COUNT);
  r->floats = 4 * COUNT * n;
  r->packed = some(r->packed_size);
  r->unpacked = some(r->floats * sizeof(float));
  for (size_t i = 0; i < n; i++) { /* packs all n formats, beginning with number `first` % n */
    const size_t at = (i + first) % n;
    size_t offset = 0;
    for (size_t k = 0; k < at; k++)
      quatsimd_format_at(&format, k), offset += quatsimd_packed_size(format, COUNT);
    quatsimd_format_at(&format, at);
    const size_t size = quatsimd_packed_size(format, COUNT);
    if (quatsimd_pack(format, r->packed + offset, size, quatsimd_aos(quats), COUNT) != QUATSIMD_OK)
      r->wrong = "pack";
    if (quatsimd_unpack(format, quatsimd_aos_out(r->unpacked + 4 * COUNT * at), r->packed + offset, size, 0,
                        COUNT) != QUATSIMD_OK)
      r->wrong = "unpack";
  }
}

static void clips(results *r, size_t first) {
  void *data;
  if (quatsimd_clip_encode(&data, &r->encoded_size, &source.source, &source.options, NULL) != QUATSIMD_OK) {
    r->wrong = "encode";
    return;
  }
  r->encoded = some(r->encoded_size);
  memcpy(r->encoded, data, r->encoded_size);
  quatsimd_clip_free(NULL, data);

  const size_t pose = COMPONENTS * quatsimd_clip_joint_count(clip);
  r->pose_floats = TIMES * pose;
  r->poses = some(r->pose_floats * sizeof(float));
  for (size_t i = 0; i < TIMES; i++) {
    const size_t at = (i * 7 + first) % TIMES;
    float *to = r->poses + at * pose;
    quatsimd_pose_out p = {quatsimd_aos_out(to), quatsimd_aos_out(to + 4 * quatsimd_clip_joint_count(clip)),
                           quatsimd_aos_out(to + 7 * quatsimd_clip_joint_count(clip)), NULL};
    if (quatsimd_clip_sample(clip, &p, NULL,
                             quatsimd_clip_start(clip) +
                                 quatsimd_clip_duration(clip) * (double)at / (TIMES - 2),
                             QUATSIMD_CLIP_WRAP_CLIP, 0) != QUATSIMD_OK)
      r->wrong = "sample";
  }
}

static void work(results *r, size_t first) {
  formats(r, first);
  r->products = some(4 * COUNT * sizeof(float));
  if (quatsimd_multiply(quatsimd_aos_out(r->products), quatsimd_aos(quats), quatsimd_aos(r->unpacked),
                        COUNT) != QUATSIMD_OK)
    r->wrong = "multiply";
  clips(r, first);
}

static void forget(results *r) {
  free(r->packed), free(r->encoded), free(r->unpacked), free(r->products), free(r->poses);
  *r = (results){0};
}

static const char *difference(const results *a, const results *b) {
  if (a->wrong) return a->wrong;
  if (memcmp(a->packed, b->packed, b->packed_size) != 0) return "packed bytes differ";
  if (memcmp(a->unpacked, b->unpacked, b->floats * sizeof(float)) != 0) return "unpacked floats differ";
  if (memcmp(a->products, b->products, 4 * COUNT * sizeof(float)) != 0) return "products differ";
  if (a->encoded_size != b->encoded_size || memcmp(a->encoded, b->encoded, b->encoded_size) != 0)
    return "encoded clips differ";
  return memcmp(a->poses, b->poses, b->pose_floats * sizeof(float)) != 0 ? "poses differ" : NULL;
}

typedef struct thread {
  pthread_t id;
  size_t number;
  results got;
} thread;

static void *run(void *argument) {
  thread *t = argument;
  work(&t->got, t->number);
  return NULL;
}

static void threads_at_once(size_t count) {
  static thread threads[MOST];
  results alone = {0};
  work(&alone, 0);
  assert_null(alone.wrong);
  for (int round = 0; round < ROUNDS; round++) {
    memset(threads, 0, sizeof threads);
    for (size_t i = 0; i < count; i++) {
      threads[i].number = i;
      assert_int_equal(pthread_create(&threads[i].id, NULL, run, &threads[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
      assert_int_equal(pthread_join(threads[i].id, NULL), 0);
      const char *wrong = difference(&threads[i].got, &alone);
      if (wrong) fail_msg("thread %zu of %zu: %s", i, count, wrong);
      forget(&threads[i].got);
    }
  }
  forget(&alone);
}

static void as_many_as_cores(void **state) {
  (void)state;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  threads_at_once(cores < 2 ? 2 : cores > MOST ? MOST : (size_t)cores);
}

static void sixty_four(void **state) {
  (void)state;
  threads_at_once(MOST);
}

static int set_up(void **state) {
  (void)state;
  uint64_t random = 9;
  random_rotations(quats, COUNT, &random);
  scene_make(&source, &scenes[0]);
  if (quatsimd_clip_encode(&clip_bytes, &clip_size, &source.source, &source.options, NULL) != QUATSIMD_OK)
    return -1;
  return quatsimd_clip_open(&clip, &storage, sizeof storage, clip_bytes, clip_size) == QUATSIMD_OK ? 0 : -1;
}

static int clean_up(void **state) {
  (void)state;
  quatsimd_clip_free(NULL, clip_bytes);
  scene_free(&source);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_as_cores), cmocka_unit_test(sixty_four)};
  return cmocka_run_group_tests_name("threads under load", tests, set_up, clean_up);
}
