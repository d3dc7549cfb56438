/* Writes those of the tests' clips that are small, a file each, as seeds of fuzz_clip: before each the
 * byte that asks for a checksum; and each of them again with the one before it, as fuzz_clip reads two.
 * Usage: make_clips FOLDER */
#include "support/clips.h"

enum { LARGEST = 3000 }; /* bytes */

static unsigned char before[LARGEST];
static size_t size_before;

static int write_pair(const char *folder, const char *name, const void *data, size_t size) {
  char path[1000];
  const unsigned char head[] = {33, (unsigned char)size_before, (unsigned char)(size_before >> 8)};
  snprintf(path, sizeof path, "%s/%s_second", folder, name);
  FILE *file = fopen(path, "wb");
  int status = !file || fwrite(head, 1, 3, file) != 3 ||
               fwrite(before, 1, size_before, file) != size_before || fwrite(data, 1, size, file) != size;
  if (file && fclose(file) != 0) status = 1;
  if (status) perror(path);
  return status;
}

static int write_clip(const char *folder, const char *name, scene *s) {
  void *data;
  size_t size;
  char path[1000];
  if (quatsimd_clip_encode(&data, &size, &s->source, &s->options, NULL) != QUATSIMD_OK)
    return fprintf(stderr, "%s: not encoded\n", name), 1;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = size <= LARGEST ? fopen(path, "wb") : NULL;
  int status = size <= LARGEST && !file;
  if (file) status = fputc(1, file) == EOF || fwrite(data, 1, size, file) != size;
  if (file && fclose(file) != 0) status = 1;
  if (status) perror(path);
  if (file && !status && size_before) status = write_pair(folder, name, data, size);
  if (file) memcpy(before, data, size), size_before = size;
  quatsimd_clip_free(NULL, data);
  return status;
}

int main(int argc, char **argv) {
  scene s;
  int status = argc == 2 ? 0 : 2;
  static const char *const long_ones[] = {"crowd", "hour", "many_joints"}; /* take their time */
  for (size_t i = 0; i < SCENES && !status; i++) {
    bool is_long = false;
    for (size_t l = 0; l < sizeof long_ones / sizeof *long_ones; l++)
      is_long = is_long || strcmp(scenes[i].name, long_ones[l]) == 0;
    if (is_long) continue;
    scene_make(&s, &scenes[i]);
    status = write_clip(argv[1], scenes[i].name, &s);
    scene_free(&s);
  }
  if (status) return status;
  s = (scene){0};
  scene_small(&s); /* raw frames, units of curves' own */
  s.joint[1].rotation_bound = 1e-5f, s.joint[0].rotation_bound = 1e-4f;
  status = write_clip(argv[1], "noise_small", &s);
  scene_free(&s);
  return status;
}
