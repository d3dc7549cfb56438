#include "readers/skeleton.h"

#include <stdlib.h>

#include "base/message.h"
#include "base/text.h"
#include "readers/readers.h"

static bool moves(const struct scene_channel *channel) {
  bool any = false;
  for (int kind = 0; kind < SCENE_KINDS; kind++) any = any || channel->curve[kind].keys > 0;
  return any;
}

/* The first channel of which nobody knows what it moves. */
static const struct scene_channel *lost_channel(const struct scene_animation *animation) {
  for (size_t c = 0; c < animation->channels; c++)
    if (animation->channel[c].node == SCENE_NONE && moves(&animation->channel[c]))
      return &animation->channel[c];
  return NULL;
}

/* Takes out the animations with such channels. */
static void drop_lost(const char *path, struct scene *scene) {
  size_t kept = 0;
  for (size_t a = 0; a < scene->animations; a++) {
    struct scene_animation animation = scene->animation[a];
    const struct scene_channel *lost = lost_channel(&animation);
    scene->animation[a] = scene->animation[kept];
    scene->animation[kept] = animation;
    if (!lost) kept++;
    else
      complain(path, "animation %zu%s%s: it moves \"%s\", and there is no telling which node that is",
               animation.number, *animation.name ? ", " : "", animation.name, lost->name);
  }
  struct scene dropped = {.animations = scene->animations - kept};
  dropped.animation = memory_get(dropped.animations, sizeof *dropped.animation);
  for (size_t a = kept; a < scene->animations; a++) dropped.animation[a - kept] = scene->animation[a];
  scene->animations = kept;
  scene->unread += dropped.animations;
  scene_free(&dropped);
}

/* Marks the nodes that move and those above them, and numbers these in the order of the nodes. */
static void find_joints(struct skeleton *skeleton) {
  const struct scene *scene = &skeleton->scene;
  bool *is_joint = memory_get(scene->nodes, sizeof *is_joint);
  for (size_t a = 0; a < scene->animations; a++)
    for (size_t c = 0; c < scene->animation[a].channels; c++)
      if (moves(&scene->animation[a].channel[c])) is_joint[scene->animation[a].channel[c].node] = true;
  for (size_t n = scene->nodes; n-- > 0;) /* children come after their parents */
    if (is_joint[n] && scene->node[n].parent != SCENE_NONE) is_joint[scene->node[n].parent] = true;

  skeleton->joint = memory_get(scene->nodes, sizeof *skeleton->joint);
  skeleton->joint_of = memory_get(scene->nodes, sizeof *skeleton->joint_of);
  for (size_t n = 0; n < scene->nodes; n++) {
    skeleton->joint_of[n] = SCENE_NONE;
    if (!is_joint[n]) continue;
    const size_t parent = scene->node[n].parent;
    skeleton->joint_of[n] = skeleton->joints;
    skeleton->joint[skeleton->joints++] =
        (struct skeleton_joint){n, parent == SCENE_NONE ? -1 : (int64_t)skeleton->joint_of[parent]};
  }
  free(is_joint);
}

bool skeleton_read_any(const char *path, struct skeleton *skeleton) {
  *skeleton = (struct skeleton){0};
  struct scene *scene = &skeleton->scene;
  if (!reader_scene(path, scene)) return false;
  drop_lost(path, scene);
  find_joints(skeleton);
  return true;
}

bool skeleton_read(const char *path, struct skeleton *skeleton) {
  if (!skeleton_read_any(path, skeleton)) return false;
  if (skeleton->joints > 0 || skeleton->scene.unread > 0) return true;
  complain(path, "no node moves in this file");
  skeleton_free(skeleton);
  return false;
}

void skeleton_free(struct skeleton *skeleton) {
  scene_free(&skeleton->scene);
  free(skeleton->joint);
  free(skeleton->joint_of);
  *skeleton = (struct skeleton){0};
}

const struct scene_curve **skeleton_curves(const struct skeleton *skeleton, size_t animation) {
  const struct scene_animation *from = &skeleton->scene.animation[animation];
  const struct scene_curve **curves =
      memory_get(skeleton->joints, SCENE_KINDS * sizeof(struct scene_curve *));
  for (size_t c = 0; c < from->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      if (from->channel[c].curve[kind].keys > 0)
        curves[SCENE_KINDS * skeleton->joint_of[from->channel[c].node] + (size_t)kind] =
            &from->channel[c].curve[kind];
  return curves;
}
