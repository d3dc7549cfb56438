/* Blends two clips of a bundle: blend FILE.qsb CLIP CLIP SECONDS prints each joint's skinning matrix, three
 * rows of four. */
#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int good, const char *what) {
  if (!good) fprintf(stderr, "%s\n", what), exit(1);
}

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  check(file && fseek(file, 0, SEEK_END) == 0, path);
  *size = (size_t)ftell(file);
  void *data = malloc(*size);
  rewind(file);
  check(data && fread(data, 1, *size, file) == *size, path);
  fclose(file);
  return data;
}

static quatsimd_clip *open_clip(const quatsimd_bundle *bundle, const char *name, void **memory) {
  const int64_t number = quatsimd_bundle_find_clip(bundle, name);
  const size_t size = quatsimd_bundle_clip_memory_size(bundle, (size_t)number);
  quatsimd_clip *clip = NULL;
  *memory = malloc(size);
  check(number >= 0 && *memory &&
            quatsimd_bundle_open_clip(bundle, (size_t)number, &clip, *memory, size) == QUATSIMD_OK,
        name);
  return clip;
}

int main(int argc, char **argv) {
  check(argc == 5, "usage: blend FILE.qsb CLIP CLIP SECONDS");
  size_t size;
  void *data = read_file(argv[1], &size);
  quatsimd_bundle_storage storage;
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_bundle *bundle;
  quatsimd_skeleton *skeleton;
  check(quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size) == QUATSIMD_OK, argv[1]);
  check(quatsimd_bundle_open_skeleton(bundle, &skeleton, &skeleton_storage, sizeof skeleton_storage) ==
            QUATSIMD_OK,
        argv[1]);
  void *memory[2];
  quatsimd_clip *one = open_clip(bundle, argv[2], &memory[0]), *two = open_clip(bundle, argv[3], &memory[1]);
  const size_t joints = quatsimd_skeleton_joint_count(skeleton);
  const double time = strtod(argv[4], NULL);

  quatsimd_pose_layer layers[] = {{.clip = one, .time = time, .weight = 0.5f},
                                  {.clip = two, .time = time, .weight = 0.5f}};
  float *skinning = malloc(joints * QUATSIMD_MATRIX_3X4 * sizeof *skinning);
  quatsimd_pose_job job = {.struct_size = sizeof job,
                           .layer_size = sizeof layers[0],
                           .skeleton = skeleton,
                           .layers = layers,
                           .layer_count = 2,
                           .skinning = skinning,
                           .layout = QUATSIMD_MATRIX_3X4};
  const size_t scratch_size = quatsimd_pose_scratch_size(&job, 1);
  void *scratch = malloc(scratch_size);
  quatsimd_status status = quatsimd_pose_evaluate(&job, 1, scratch, scratch_size, NULL);

  check(status == QUATSIMD_OK, quatsimd_status_string(status));
  for (size_t i = 0; i < joints * QUATSIMD_MATRIX_3X4; i++)
    printf("%g%c", (double)skinning[i], i % QUATSIMD_MATRIX_3X4 + 1 < QUATSIMD_MATRIX_3X4 ? ' ' : '\n');
  free(scratch), free(skinning), free(memory[0]), free(memory[1]), free(data);
  return 0;
}
