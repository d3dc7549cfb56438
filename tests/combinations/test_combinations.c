/* Scenes that combine features at random: bounds, the report, sizes and the bits of poses, each as clip.h and
 * docs/clip-format.md promise them.
 *
 *   test_combinations [--scenes N] [--seed S] [--one S] [--without FEATURES]
 *                     [--sizes] [--coarser] [--slerp] [--time]
 *   test_combinations --write FOLDER [--scenes N]   writes clips and poses for tests/model/combinations.py
 *   test_combinations --features                    lists the features
 *
 * --slerp adds the error of the clip's own slerp to bounds of points:
 * 5.8e-6 radians for each joint.
 *
 * A line of a failure begins with --one and the seed, which run it alone. With --without it
 * shows which features it needs. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "write.h"

void print_scene(const scene *s) { printf("--one %llu: clip %u: ", (unsigned long long)s->seed, s->clip); }

void print_features(const scene *s) {
  printf("; %zu joints, %zu tracks, %zu frames at %.6g/s from %g; with", s->joint_count, s->track_count,
         s->frames, s->rate, s->start);
  for (int f = 0; f < FEATURE_COUNT; f++)
    if (has(s, f)) printf(" %s", feature_names[f]);
  puts("");
}

typedef struct settings {
  uint32_t without;
  bool sizes, coarser, time;
  const char *folder;
} settings;

/* Checks a scene, and returns the number of checks that found something. */
static int check_scene(uint64_t seed, const settings *how, counts *c) {
  scene scenes[2];
  encoded clips[2];
  size_t count = 1, made = 0;
  int bad = 0;
  for (size_t i = 0; i < count; i++) {
    scene *s = &scenes[i];
    scene_draw(s, seed, (unsigned)i, how->without);
    if (has(s, HAS_bundle)) count = 2;
    const clock_t before = clock();
    const int refused = check_encodes(&clips[i], s);
    c->encoding += (double)(clock() - before) / CLOCKS_PER_SEC;
    if (refused) {
      scene_free(s);
      bad++;
      break;
    }
    made++, c->clips++;
    if (how->folder) {
      write_scene(how->folder, s, &clips[i]);
      continue;
    }
    bad += check_bytes(s, &clips[i]);
    if (how->sizes && !s->options.close_loop) bad += check_size(s, &clips[i], c);
    if (how->coarser) bad += check_coarser(s, &clips[i]);
    bad += check_settled(s, &clips[i]) + check_bounds(s, &clips[i], c) + check_paths(s, &clips[i]);
  }
  if (made == 2 && !how->folder) bad += check_bundle(scenes, clips, made);
  for (size_t i = 0; i < made; i++) encoded_free(&clips[i]), scene_free(&scenes[i]);
  fflush(stdout);
  return bad;
}

static uint32_t features_of(const char *list) {
  uint32_t features = 0;
  while (*list) {
    const size_t length = strcspn(list, ",");
    size_t f = 0;
    while (f < FEATURE_COUNT &&
           (strlen(feature_names[f]) != length || strncmp(feature_names[f], list, length) != 0))
      f++;
    if (f == FEATURE_COUNT) fprintf(stderr, "no such feature: %s\n", list), exit(2);
    features |= UINT32_C(1) << f;
    list += length + (list[length] == ',');
  }
  return features;
}

int main(int argc, char **argv) {
  settings how = {0};
  counts c = {0};
  unsigned long long first = 1, scenes = 200;
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(name, "--sizes") == 0) how.sizes = true;
    else if (strcmp(name, "--coarser") == 0) how.coarser = true;
    else if (strcmp(name, "--slerp") == 0) c.slerp = 5.8e-6L;
    else if (strcmp(name, "--time") == 0) how.time = true;
    else if (strcmp(name, "--features") == 0) {
      for (int f = 0; f < FEATURE_COUNT; f++) puts(feature_names[f]);
      return 0;
    } else {
      i++;
      if (strcmp(name, "--scenes") == 0) scenes = strtoull(value, NULL, 10);
      else if (strcmp(name, "--seed") == 0) first = strtoull(value, NULL, 10);
      else if (strcmp(name, "--one") == 0) first = strtoull(value, NULL, 10), scenes = 1;
      else if (strcmp(name, "--without") == 0) how.without |= features_of(value);
      else if (strcmp(name, "--write") == 0) how.folder = value;
      else
        return fprintf(stderr, "unknown option %s; the first comment of test_combinations.c lists them\n",
                       name),
               2;
    }
  }
  unsigned long failed = 0;
  for (unsigned long long seed = first; seed < first + scenes; seed++) {
    const clock_t before = clock();
    c.encoding = 0;
    failed += check_scene(seed, &how, &c) > 0;
    if (how.time)
      printf("%llu: %.1f ms, %.1f of them to encode\n", seed,
             1e3 * (double)(clock() - before) / CLOCKS_PER_SEC, 1e3 * c.encoding),
          fflush(stdout);
  }
  printf("%llu scenes, %lu clips, %lu errors compared, the worst is %.4f of its bound; %lu scenes failed\n",
         scenes, c.clips, c.checks, c.worst, failed);
  if (how.sizes) printf("%lu bytes, %lu allowed\n", c.bytes, c.allowed);
  return failed > 0;
}
