/* Plays a clip of a bundle: player FILE.qsb CLIP JOINT... prints where these joints are, in model space. */
#include <fcntl.h>
#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void need(int good, const char *what, const char *why) {
  if (!good) fprintf(stderr, "%s: %s\n", what, why), exit(1);
}
static void check(quatsimd_status s, const char *what) {
  need(s == QUATSIMD_OK, what, quatsimd_status_string(s));
}

int main(int argc, char **argv) {
  need(argc > 3, "usage", "player FILE.qsb CLIP JOINT...");
  const int file = open(argv[1], O_RDONLY);
  const size_t size = (size_t)lseek(file, 0, SEEK_END);
  const void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  need(data != MAP_FAILED, argv[1], "cannot map it");
  quatsimd_bundle_storage storage;
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_bundle *bundle;
  quatsimd_skeleton *skeleton;
  quatsimd_clip *clip;
  check(quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size), argv[1]);
  check(quatsimd_bundle_open_skeleton(bundle, &skeleton, &skeleton_storage, sizeof skeleton_storage),
        argv[1]);
  const int64_t number = quatsimd_bundle_find_clip(bundle, argv[2]);
  need(number >= 0, argv[2], "there is no such clip; `quatsimd info` lists them");
  const size_t clip_size = quatsimd_bundle_clip_memory_size(bundle, (size_t)number);
  void *memory = malloc(clip_size);
  float *model = malloc(quatsimd_skeleton_joint_count(skeleton) * QUATSIMD_MATRIX_4X4 * sizeof *model);
  need(memory && model, argv[1], "out of memory");
  check(quatsimd_bundle_open_clip(bundle, (size_t)number, &clip, memory, clip_size), argv[2]);
  need(!quatsimd_clip_additive(clip), argv[2], "is additive: it goes on top of another clip");

  quatsimd_pose_layer layer = {.clip = clip, .weight = 1}; /* more layers are blended */
  quatsimd_pose_job job = {.struct_size = sizeof job,
                           .layer_size = sizeof layer,
                           .skeleton = skeleton,
                           .layers = &layer,
                           .layer_count = 1,
                           .model = model,
                           .layout = QUATSIMD_MATRIX_4X4};
  const size_t scratch_size = quatsimd_pose_scratch_size(&job, 1);
  void *scratch = malloc(scratch_size);
  for (int tenth = 0; tenth / 10.0 <= quatsimd_clip_duration(clip); tenth++) {
    layer.time = quatsimd_clip_start(clip) + tenth / 10.0;
    check(quatsimd_pose_evaluate(&job, 1, scratch, scratch_size, NULL), argv[2]);
    for (int i = 3; i < argc; i++) {
      const int64_t j = quatsimd_skeleton_find_joint(skeleton, argv[i]);
      need(j >= 0, argv[i], "there is no such joint");
      const float *at = model + 16 * j + 12; /* the last column */
      printf("%.1f s  %s %.4f %.4f %.4f\n", tenth / 10.0, argv[i], (double)at[0], (double)at[1],
             (double)at[2]);
    }
  }
  free(scratch), free(memory), free(model);
}
