/* A character that walks where its clip leads it: four passes through a clip, each a quarter of a circle,
 * make a whole circle. Link with -lm. */
#include <math.h>
#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOINTS = 2, KEYS = 31, FRAMES = 240 };

static void check(quatsimd_status status, const char *what) {
  if (status == QUATSIMD_OK) return;
  fprintf(stderr, "%s: %s\n", what, quatsimd_status_string(status));
  exit(1);
}

/* In a second the hips go a quarter of a circle of radius 2 m, face forward, and bob by 3 cm, twice. */
static void *encode_walk(size_t *size, const quatsimd_skeleton *skeleton) {
  static double times[KEYS];
  static float rotations[KEYS][4], translations[KEYS][3];
  for (int k = 0; k < KEYS; k++) {
    const float x = (float)k / (KEYS - 1), angle = 1.57079633f * x;
    times[k] = (double)x;
    rotations[k][1] = sinf(angle / 2), rotations[k][3] = cosf(angle / 2);
    translations[k][0] = 2 - 2 * cosf(angle), translations[k][2] = 2 * sinf(angle);
    translations[k][1] = 0.9f + 0.03f * sinf(8 * angle);
  }
  const quatsimd_clip_joint joints[JOINTS] = {
      {.rotation = {KEYS, times, rotations[0], 0}, .translation = {KEYS, times, translations[0], 0}},
      {.parent = 0}};
  const quatsimd_clip_source source = {JOINTS, joints, 0, NULL};
  quatsimd_clip_options options;
  void *data;
  check(quatsimd_clip_options_init(&options, sizeof options), "options");
  options.skeleton = skeleton;
  options.rotation_bound = options.translation_bound = 1e-4f;
  check(quatsimd_clip_encode(&data, size, &source, &options, NULL), "encode");
  return data;
}

int main(void) {
  const quatsimd_skeleton_joint joint[JOINTS] = {{.name = "hips",
                                                  .parent = -1,
                                                  .rotation = {0, 0, 0, 1},
                                                  .translation = {0, 0.9f, 0},
                                                  .scale = {1, 1, 1}},
                                                 {.name = "head",
                                                  .parent = 0,
                                                  .rotation = {0, 0, 0, 1},
                                                  .translation = {0, 0.7f, 0},
                                                  .scale = {1, 1, 1}}};
  const quatsimd_skeleton_source source = {JOINTS, joint, 0, NULL, 1, NULL};
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_clip_storage storage;
  quatsimd_skeleton *skeleton;
  quatsimd_clip *clip;
  size_t size;
  void *bones, *walk;
  check(quatsimd_skeleton_encode(&bones, &size, &source, NULL, NULL), "encode a skeleton");
  check(quatsimd_skeleton_open(&skeleton, &skeleton_storage, sizeof skeleton_storage, bones, size),
        "open it");
  walk = encode_walk(&size, skeleton);
  check(quatsimd_clip_open(&clip, &storage, sizeof storage, walk, size), "open the walk");

  /* once for the clip */
  const float up[3] = {0, 1, 0};
  quatsimd_root_motion_storage motion_storage;
  quatsimd_root_motion *motion;
  check(quatsimd_root_motion_init(&motion, &motion_storage, sizeof motion_storage, skeleton, clip, 0,
                                  QUATSIMD_ROOT_ACROSS + QUATSIMD_ROOT_TURN, up),
        "root motion");

  /* place: rotation, translation and scale of the character in the world; farthest: its largest distance from
   * the start */
  float place[8] = {0, 0, 0, 1, 0, 0, 0, 1}, matrices[JOINTS][12], root[12], farthest = 0;
  quatsimd_pose_layer playing = {
      .clip = clip, .wrap = QUATSIMD_CLIP_WRAP_LOOP, .weight = 1, .motion = motion};
  quatsimd_pose_job job = {.struct_size = sizeof job,
                           .layer_size = sizeof playing,
                           .skeleton = skeleton,
                           .layers = &playing,
                           .layer_count = 1,
                           .model = matrices[0],
                           .layout = QUATSIMD_MATRIX_3X4,
                           .root = root};
  const size_t scratch_size = quatsimd_pose_scratch_size(&job, 1);
  void *scratch = malloc(scratch_size);
  for (int frame = 1; frame <= FRAMES; frame++) {
    const double before = (frame - 1) / 60.0, now = frame / 60.0;
    float step[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    check(quatsimd_root_motion_between(motion, step, step + 4, clip, before, now, QUATSIMD_CLIP_WRAP_LOOP),
          "between");
    quatsimd_sqt_compose(quatsimd_aos_out(place), quatsimd_aos(place), quatsimd_aos(step), 1);
    quatsimd_sqt_to_matrix3x4(quatsimd_aos_out(root), quatsimd_aos(place), 1);
    playing.time = now;
    check(quatsimd_pose_evaluate(&job, 1, scratch, scratch_size, NULL), "evaluate");
    const float far = hypotf(place[4], place[6]);
    if (far > farthest) farthest = far;
  }
  const float *head = matrices[1];
  printf("the farthest was %.3f m; at last the character is at (%.3f, %.3f, %.3f) and its head at "
         "(%.3f, %.3f, %.3f)\n",
         (double)farthest, (double)place[4], (double)place[5], (double)place[6], (double)head[3],
         (double)head[7], (double)head[11]);
  free(scratch), quatsimd_clip_free(NULL, walk), quatsimd_skeleton_free(NULL, bones);
  return farthest > 3.99f && farthest < 4.01f && hypotf(place[4], place[6]) < 0.01f ? 0 : 1;
}
