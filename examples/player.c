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
static quatsimd_pose pose_of(float *p) { /* of each joint rotation, translation, scale */
  return (quatsimd_pose){quatsimd_strided_out(p, 40), quatsimd_strided_out(p + 4, 40),
                         quatsimd_strided_out(p + 7, 40), NULL, 0};
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
  check(quatsimd_bundle_skeleton(bundle, &skeleton, &skeleton_storage, sizeof skeleton_storage), argv[1]);
  const int64_t number = quatsimd_bundle_find(bundle, argv[2]);
  need(number >= 0, argv[2], "there is no such clip; `quatsimd info` lists them");
  const size_t joints = quatsimd_skeleton_joints(skeleton), clip_size = quatsimd_bundle_clip_size(bundle);
  void *memory = malloc(clip_size);
  float(*r)[10] = calloc(joints + 1, sizeof *r), (*p)[10] = calloc(joints + 1, sizeof *p);
  need(memory && r && p, argv[1], "out of memory");
  check(quatsimd_bundle_clip(bundle, (size_t)number, &clip, memory, clip_size), argv[2]);
  need(!quatsimd_clip_additive(clip), argv[2], "is additive: it goes on top of another clip");
  const quatsimd_pose pose = pose_of(*p), rest_out = pose_of(*r);
  const quatsimd_pose_in rest = {quatsimd_strided(*r, 40), quatsimd_strided(*r + 4, 40),
                                 quatsimd_strided(*r + 7, 40), NULL};
  quatsimd_skeleton_rest(skeleton, &rest_out, 0, joints);
  for (int tenth = 0; tenth / 10.0 <= quatsimd_clip_duration(clip); tenth++) {
    const double at = tenth / 10.0;
    quatsimd_clip_sample(clip, &pose, &rest, quatsimd_clip_start(clip) + at, QUATSIMD_CLIP_WRAP_CLIP);
    for (size_t j = 0; j < joints; j++) { /* parents come first; scales are equal on all axes here */
      const int64_t parent = quatsimd_skeleton_parent(skeleton, j);
      if (parent >= 0)
        quatsimd_sqt_compose(quatsimd_aos_out(p[j]), quatsimd_aos(p[parent]), quatsimd_aos(p[j]), 1);
    }
    for (int i = 3; i < argc; i++) {
      const int64_t j = quatsimd_skeleton_find(skeleton, argv[i]);
      need(j >= 0, argv[i], "there is no such joint");
      printf("%.1f s  %s", at, argv[i]);
      for (int a = 4; a < 7; a++) printf(a < 6 ? " %.4f" : " %.4f\n", (double)p[j][a]);
    }
  }
  free(memory), free(r), free(p);
}
