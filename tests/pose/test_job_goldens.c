/* Checks that random jobs give the same bits on every machine. test_job_goldens --write prints the table. */
#include "jobs.h"

#include "support/denormals.h"
#include "support/hash.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>

enum { JOBS = 150, WORLDS = 4, PARTS = 4 };

static const char *const names[PARTS] = {"local poses", "matrices", "steps", "events"};
static const uint64_t goldens[WORLDS][PARTS] = {
    {0x37ad17f2cf0550e0, 0xa88c95eadfd91ce4, 0xddcb54c13692a907, 0x1ef86b4b26e1ed78},
    {0xe0beea505739c006, 0xe0d8c4227d6937d9, 0x31492e15abe5728b, 0xa0ac54b2fba212c8},
    {0x60ac7be509d6eb09, 0x6567a87f7bc98c0e, 0x6913912dbd556ee7, 0x2c15d3e8df45e19b},
    {0x1f3c9847182da201, 0x3834b0564ab1c4e6, 0xe498b315247a60c2, 0xb592d6dc7ad0e03b}};

/* Denormals count as 0, because they are 0 with denormals flushed. */
static uint64_t hash_floats(const float *floats, size_t count, uint64_t seed) {
  static unsigned char bytes[sizeof(poses)];
  for (size_t i = 0; i < count; i++) {
    const float f = fabsf(floats[i]) < FLT_MIN ? copysignf(0, floats[i]) : floats[i];
    put_floats(bytes + 4 * i, &f, 1);
  }
  return XXH64(bytes, count * sizeof(float), seed);
}
static uint64_t hash_number(uint64_t number, uint64_t seed) {
  unsigned char bytes[8];
  for (int b = 0; b < 8; b++) bytes[b] = (unsigned char)(number >> 8 * b);
  return XXH64(bytes, sizeof bytes, seed);
}

static uint64_t hash_double(double d, uint64_t seed) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return hash_number(bits, seed);
}

static uint64_t hash_events(const drawn_job *d, const result *r, uint64_t h) {
  h = hash_number(r->event_count, h);
  for (size_t e = 0; e < events_written(d, WANT_ALL, r); e++) {
    const quatsimd_pose_event *is = &r->events[e];
    h = hash_floats(&is->weight, 1, hash_number(is->layer, h));
    h = hash_double(is->clock, hash_double(is->time, h));
    h = XXH64(is->name, strlen(is->name), h);
  }
  return h;
}

/* Evaluates jobs of a world, one after the other. */
static void compute(uint64_t hash[PARTS], int number, bool flush) {
  static world w;
  static drawn_job d;
  static result r;
  static double scratch[1 << 13];
  uint64_t random = 95 + (uint64_t)number;
  make_world(&w, &random);
  memset(hash, 0, PARTS * sizeof *hash);
  for (int i = 0; i < JOBS; i++) {
    draw_job(&w, &d, &random);
    memset(&r, 0, sizeof r);
    quatsimd_pose_job job = want(&d, WANT_ALL, d.layout, &r);
    flush_denormals(flush);
    const quatsimd_status status = quatsimd_pose_evaluate(&job, 1, scratch, sizeof scratch, NULL);
    flush_denormals(false);
    assert_int_equal(status, QUATSIMD_OK);
    for (int kind = 0; kind < 3; kind++)
      hash[0] = hash_floats(r.pose.moved[kind], (MOST_JOINTS + 8) * width_of(kind), hash[0]);
    hash[0] = hash_floats(r.pose.at[TRACK], w.tracks, hash[0]);
    hash[1] = hash_floats(r.skinning, 16 * MOST_JOINTS, hash_floats(r.model, 16 * MOST_JOINTS, hash[1]));
    hash[2] = hash_floats(r.step, 7, hash[2]);
    hash[3] = hash_events(&d, &r, hash[3]);
  }
  free_world(&w);
}

static void same_bits_everywhere(void **state) {
  (void)state;
  for (int flush = 0; flush < (flush_denormals(false) ? 2 : 1); flush++)
    for (int w = 0; w < WORLDS; w++) {
      uint64_t hash[PARTS];
      compute(hash, w, flush);
      for (int i = 0; i < PARTS; i++)
        if (hash[i] != goldens[w][i])
          fail_msg("world %d: %s%s: the hash is 0x%016" PRIx64, w, names[i],
                   flush ? ", denormals flushed," : "", hash[i]);
    }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--write") == 0) {
    for (int w = 0; w < WORLDS; w++) {
      uint64_t hash[PARTS];
      compute(hash, w, false);
      printf("{");
      for (int i = 0; i < PARTS; i++) printf("0x%016" PRIx64 "%s", hash[i], i < 3 ? ", " : "},\n");
    }
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_everywhere)};
  return cmocka_run_group_tests_name("goldens of jobs", tests, NULL, NULL);
}
