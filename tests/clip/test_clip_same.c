/* Tests that clips keep their bytes. FILE has hashes of clips; NEWS.md names those that 0.1.0 made otherwise.
 *
 * Usage: test_clip_same FILE | --record SEEDS. --record prints lines of such a file. A line has the family
 * and the seed of a scene, the hash of the scene, and the size and hash of its clip. */
#include "random_scenes.h"
#include "support/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the hash of a scene. Scenes are computed with libm, so they may differ between machines. */
static uint64_t hash_of_scene(const random_scene *s) {
  uint64_t hash = 0;
  for (size_t i = 0; i < 6 * s->source.joint_count; i++) {
    const quatsimd_clip_joint *joint = i < 3 * s->source.joint_count ? s->joint : s->base_joint;
    const quatsimd_curve *c = truth_curve(&joint[i / 3 % s->source.joint_count], (int)(i % 3));
    const size_t floats =
        c->key_count * truth_width((int)(i % 3)) * (c->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1);
    hash = XXH64(&c->interpolation, sizeof c->interpolation, hash);
    if (c->times) hash = XXH64(c->times, c->key_count * sizeof *c->times, hash);
    if (floats) hash = XXH64(c->values, floats * sizeof *c->values, hash);
  }
  for (size_t j = 0; j < s->source.joint_count; j++) {
    const quatsimd_clip_joint *joint = &s->joint[j];
    const float own[] = {joint->rotation_bound, joint->object_bound, joint->object_distance};
    hash = XXH64(own, sizeof own, hash);
  }
  const quatsimd_clip_options *o = &s->options;
  const float bounds[] = {o->rotation_bound, o->translation_bound, o->scale_bound, o->object_bound,
                          o->object_distance};
  hash = XXH64(bounds, sizeof bounds, hash);
  return hash;
}

/* Encodes a scene and writes its line of the file. Returns false if the scene cannot be encoded. */
static bool describe(char *line, size_t line_size, const family *f, uint64_t seed, random_scene *s,
                     quatsimd_clip_report *report) {
  void *data = NULL;
  size_t size = 0;
  scene_of_family(s, f, seed);
  quatsimd_clip_report_init(report, sizeof *report);
  if (quatsimd_clip_encode(&data, &size, &s->source, &s->options, report) != QUATSIMD_OK) return false;
  snprintf(line, line_size, "%s %" PRIu64 " %016" PRIx64 " %zu %016" PRIx64, f->name, seed, hash_of_scene(s),
           size, (uint64_t)XXH64(data, size, 0));
  quatsimd_clip_free(NULL, data);
  return true;
}

static int record(uint64_t seeds) {
  static random_scene s;
  char line[200];
  for (size_t f = 0; f < FAMILIES; f++)
    for (uint64_t seed = 1; seed <= seeds; seed++) {
      quatsimd_clip_report report;
      if (!describe(line, sizeof line, &families[f], seed, &s, &report)) continue;
      if (report.worst_object <= s.options.object_bound) puts(line);
    }
  return 0;
}

static int compare(const char *path) {
  static random_scene s;
  char line[200], now[200];
  size_t same = 0, others = 0, unlike = 0;
  FILE *file = fopen(path, "r");
  if (!file) return perror(path), 1;
  while (fgets(line, sizeof line, file)) {
    char name[40];
    uint64_t seed, scene, here;
    quatsimd_clip_report report;
    const family *f = families;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%39s %" SCNu64 " %" SCNx64, name, &seed, &scene) != 3) return puts("not a line"), 1;
    while (f < families + FAMILIES && strcmp(f->name, name) != 0) f++;
    if (f == families + FAMILIES) return printf("no family %s\n", name), 1;
    if (!describe(now, sizeof now, f, seed, &s, &report)) snprintf(now, sizeof now, "refused");
    here = hash_of_scene(&s);
    if (strcmp(line, now) == 0) same++;
    else if (here != scene) others++;
    else unlike++, printf("recorded: %s\nnow:      %s\n", line, now);
  }
  fclose(file);
  printf("%zu scenes have the recorded bytes, %zu others\n", same, unlike);
  if (others) printf("SKIP: %zu scenes are not those of the file: this system has another libm\n", others);
  return unlike > 0 || same + others < 500 ? 1 : same < 500 ? 77 : 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--record") == 0) return record(strtoull(argv[2], NULL, 10));
  if (argc == 2) return compare(argv[1]);
  return fprintf(stderr, "test_clip_same FILE | --record SEEDS\n"), 2;
}
