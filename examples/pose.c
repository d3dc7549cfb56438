/* Blends two poses of an arm, prints where the hand is, and lets it reach for a point. */
#include <quatsimd/quatsimd.h>
#include <stdio.h>

enum { JOINTS = 3 };

int main(void) {
  const float sine = 0.70710678f;
  const quatsimd_skeleton_joint joint[JOINTS] = {
      {.name = "shoulder", .parent = -1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
      {.name = "elbow", .parent = 0, .rotation = {0, 0, 0, 1}, .translation = {1, 0, 0}, .scale = {1, 1, 1}},
      {.name = "hand", .parent = 1, .rotation = {0, 0, 0, 1}, .translation = {1, 0, 0}, .scale = {1, 1, 1}}};
  const quatsimd_skeleton_source source = {JOINTS, joint, 0, NULL, 1, NULL};
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  void *data;
  size_t size;
  quatsimd_status status = quatsimd_skeleton_encode(&data, &size, &source, NULL, NULL);
  if (status == QUATSIMD_OK) status = quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, data, size);
  if (status != QUATSIMD_OK) return fprintf(stderr, "%s\n", quatsimd_status_string(status)), 1;

  /* two poses, as clips would give them: the arm straight, and the elbow bent by 90 degrees about z */
  float straight[JOINTS][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}},
        bent[JOINTS][4] = {{0, 0, 0, 1}, {0, 0, sine, sine}, {0, 0, 0, 1}}, translations[JOINTS][3],
        blended[JOINTS][4], half = 0.5f, matrices[JOINTS][16];
  quatsimd_pose_out place = {.translations = quatsimd_aos_out(translations[0])},
                    pose = {.rotations = quatsimd_aos_out(blended[0])};
  quatsimd_skeleton_rest_pose(skeleton, &place, 0, JOINTS);
  const quatsimd_weighted_poses both[] = {
      {.poses = {.rotations = quatsimd_aos(straight[0])}, .weights = &half},
      {.poses = {.rotations = quatsimd_aos(bent[0])}, .weights = &half}};
  const quatsimd_pose_counts counts = {.joint_count = JOINTS, .pose_count = 1};
  quatsimd_pose_blend(&pose, both, 2, NULL, counts);
  const quatsimd_pose_in arm = {.rotations = quatsimd_aos(blended[0]),
                                .translations = quatsimd_aos(translations[0])};
  status = quatsimd_pose_to_model(skeleton, matrices[0], QUATSIMD_MATRIX_4X4, &arm, NULL, JOINTS, 1);
  const float *hand = matrices[2] + 12;
  printf("the hand is at (%.4f, %.4f, %.4f)\n", (double)hand[0], (double)hand[1], (double)hand[2]);
  int good = status == QUATSIMD_OK && hand[0] > 1.707f && hand[0] < 1.7072f;

  const quatsimd_pose_goal goal = {.weight = 1,
                                   .joint = 2,  /* the hand */
                                   .middle = 1, /* the elbow */
                                   .first = 0,  /* the shoulder */
                                   .target = {0.5f, 1, 0},
                                   .pole = {0, 0, -1}};
  pose.translations = place.translations;
  status = quatsimd_pose_reach(skeleton, &pose, &goal, sizeof goal, 1, (quatsimd_pose_counts){JOINTS, 0, 1});
  if (status == QUATSIMD_OK)
    status = quatsimd_pose_to_model(skeleton, matrices[0], QUATSIMD_MATRIX_4X4, &arm, NULL, JOINTS, 1);
  printf("then at (%.4f, %.4f, %.4f)\n", (double)hand[0], (double)hand[1], (double)hand[2]);
  good = good && status == QUATSIMD_OK && hand[0] > 0.4999f && hand[0] < 0.5001f;
  quatsimd_skeleton_free(NULL, data);
  return good ? 0 : 1;
}
