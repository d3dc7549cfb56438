/* Prints as JSON the data that the command reads from an animation file. Usage: print_scene FILE */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "scene/skeleton.h"
#include "base/text.h"

static const char *const kinds[] = {"rotation", "translation", "scale"};

static void add_number(cJSON *object, const char *key, size_t n) {
  cJSON_AddNumberToObject(object, key, n == SCENE_NONE ? -1 : (double)n);
}

/* Adds an array of numbers with all their digits. cJSON's own arrays of numbers lose the last digits. */
static void add_array(cJSON *object, const char *key, const double *numbers, const float *floats,
                      size_t count) {
  char *text = memory_get(count + 1, 32), *end = text;
  for (size_t i = 0; i < count; i++)
    end += snprintf(end, 32, "%c%.17g", i ? ',' : '[', numbers ? numbers[i] : (double)floats[i]);
  snprintf(end, 32, "%s]", count ? "" : "[");
  cJSON_AddItemToObject(object, key, cJSON_CreateRaw(text));
  free(text);
}

static cJSON *json_of_curve(const struct scene_curve *curve, int kind) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddBoolToObject(object, "hold", curve->interpolation == QUATSIMD_CURVE_HOLD);
  cJSON_AddBoolToObject(object, "cubic", curve->interpolation == QUATSIMD_CURVE_CUBIC);
  add_array(object, "times", curve->seconds, NULL, curve->keys);
  add_array(object, "values", NULL, curve->values, scene_floats(curve, kind));
  return object;
}

static cJSON *json_of_animation(const struct scene_animation *animation, const struct scene *scene) {
  cJSON *object = cJSON_CreateObject(), *channels = cJSON_AddArrayToObject(object, "channels");
  json_add_text(object, "name", animation->name);
  add_number(object, "number", animation->number);
  for (size_t c = 0; c < animation->channels; c++) {
    cJSON *channel = cJSON_CreateObject();
    cJSON_AddItemToArray(channels, channel);
    json_add_text(channel, "name", animation->channel[c].name);
    add_number(channel, "node", animation->channel[c].node);
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      if (animation->channel[c].curve[kind].keys)
        cJSON_AddItemToObject(channel, kinds[kind], json_of_curve(&animation->channel[c].curve[kind], kind));
  }
  cJSON *tracks = cJSON_AddArrayToObject(object, "tracks"); /* null: a track without keys */
  for (size_t t = 0; animation->track && t < scene->tracks; t++) {
    const bool keys = animation->track[t].keys > 0;
    cJSON *track = keys ? json_of_curve(&animation->track[t], SCENE_TRACK) : cJSON_CreateNull();
    if (keys) json_add_text(track, "name", scene->track[t].name);
    cJSON_AddItemToArray(tracks, track);
  }
  return object;
}

int main(int argc, char **argv) {
  struct skeleton s = {0};
  if (argc < 2 || !skeleton_read_like(argv[1], NULL, 0, NULL, NULL, &s)) return 1;
  cJSON *tree = cJSON_CreateObject(), *nodes = cJSON_AddArrayToObject(tree, "nodes");
  for (size_t n = 0; n < s.scene.nodes; n++) {
    cJSON *node = cJSON_CreateObject();
    cJSON_AddItemToArray(nodes, node);
    json_add_text(node, "name", s.scene.node[n].name);
    add_number(node, "parent", s.scene.node[n].parent);
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      add_array(node, kinds[kind], NULL, s.scene.node[n].rest[kind], scene_width(kind));
    cJSON_AddBoolToObject(node, "in_skin", s.scene.node[n].in_skin);
    if (s.scene.node[n].bound) add_array(node, "inverse_bind", NULL, s.scene.node[n].inverse_bind, 12);
  }
  cJSON *tracks = cJSON_AddArrayToObject(tree, "tracks");
  for (size_t t = 0; t < s.scene.tracks; t++) {
    cJSON *track = cJSON_CreateObject();
    cJSON_AddItemToArray(tracks, track);
    json_add_text(track, "name", s.scene.track[t].name);
    add_array(track, "rest", NULL, &s.scene.track[t].rest, 1);
  }
  cJSON *joints = cJSON_AddArrayToObject(tree, "joints"),
        *animations = cJSON_AddArrayToObject(tree, "animations");
  for (size_t j = 0; j < s.joints; j++) {
    cJSON *joint = cJSON_CreateObject();
    cJSON_AddItemToArray(joints, joint);
    add_number(joint, "node", s.joint[j].node);
    cJSON_AddNumberToObject(joint, "parent", (double)s.joint[j].parent);
  }
  for (size_t a = 0; a < s.scene.animations; a++)
    cJSON_AddItemToArray(animations, json_of_animation(&s.scene.animation[a], &s.scene));
  add_number(tree, "unread", s.scene.unread);
  cJSON_AddNumberToObject(tree, "metres", s.scene.metres);
  cJSON_AddBoolToObject(tree, "y_up", s.scene.up == 1);
  json_print(tree);
  skeleton_free(&s);
  return 0;
}
