/* The animations of a bundle in glTF: as curves, whose keys are the frames and the keys of its clips. */
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "quatsimd/bundle.h"
#include "readers/gltf/gltf_bundle.h"
#include "scene/from_clip.h"
#include "terminal/message.h"

enum { CLIPS, NODES, TRACKS, USED };

struct reading {
  struct gltf *gltf;
  struct scene *scene;
  const size_t *place; /* of each node of the file, where the scene has it */
  const cJSON *extension;
  quatsimd_bundle_storage storage;
  quatsimd_bundle *bundle;
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton;
  size_t joints, tracks, *node, *track; /* what each moves, in the scene */
  bool *used[USED];                     /* those of the file, each of which may be used once */
};

const cJSON *gltf_bundle_of(const cJSON *tree) {
  return json_member(json_member(tree, "extensions"), GLTF_BUNDLE);
}

bool gltf_bundle_bytes(struct gltf *gltf, const cJSON *extension, struct gltf_bytes *bytes) {
  size_t view;
  if (!gltf_index(extension, "bufferView", gltf->views.count, &view))
    return gltf_fail(gltf, "its bundle is in no bufferView");
  return gltf_view_bytes(gltf, view, bytes);
}

/* The parts. --------------------------------------------------------------------------------------------- */

/* False if it was used before. */
static bool use(struct reading *r, int of, size_t number) {
  const bool first = !r->used[of][number];
  r->used[of][number] = true;
  return first;
}

static bool open_bundle(struct reading *r) {
  struct gltf_bytes bytes = {0};
  size_t version = 1; /* files of 0.1 have none */
  if (json_member(r->extension, "version") &&
      (!gltf_size(r->extension, "version", &version) || version < 1 || version > GLTF_BUNDLE_VERSION))
    return gltf_fail(r->gltf, "its version is a later one"), false;
  if (!gltf_bundle_bytes(r->gltf, r->extension, &bytes)) return false;
  const quatsimd_status status =
      quatsimd_bundle_open(&r->bundle, &r->storage, sizeof r->storage, bytes.bytes, bytes.size);
  if (status < 0) return gltf_fail(r->gltf, "its bundle: %s", quatsimd_status_string(status)), false;
  quatsimd_bundle_open_skeleton(r->bundle, &r->skeleton, &r->skeleton_storage, sizeof r->skeleton_storage);
  r->joints = quatsimd_skeleton_joint_count(r->skeleton),
  r->tracks = quatsimd_skeleton_track_count(r->skeleton);
  r->used[CLIPS] = memory_get(quatsimd_bundle_clip_count(r->bundle), sizeof(bool));
  r->used[NODES] = memory_get(r->scene->nodes, sizeof(bool));
  r->used[TRACKS] = memory_get(r->scene->tracks, sizeof(bool));
  return true;
}

static bool take_joints(struct reading *r) {
  const cJSON *joints = json_member(r->extension, "joints"), *item;
  size_t j = 0;
  if ((size_t)cJSON_GetArraySize(joints) != r->joints)
    return gltf_fail(r->gltf, "it has nodes of %d joints, and its bundle %zu", cJSON_GetArraySize(joints),
                     r->joints);
  r->node = memory_get(r->joints, sizeof *r->node);
  cJSON_ArrayForEach(item, joints) {
    size_t n;
    if (!json_whole(item, (double)r->scene->nodes, &n))
      return gltf_fail(r->gltf, "the node of its joint %zu is not in the file", j);
    r->node[j] = r->place[n];
    if (!use(r, NODES, r->node[j++])) return gltf_fail(r->gltf, "two of its joints are node %zu", n);
  }
  return true;
}

static bool take_tracks(struct reading *r) {
  const cJSON *tracks = json_member(r->extension, "tracks"), *item;
  size_t t = 0, node, target, count;
  if ((size_t)cJSON_GetArraySize(tracks) != r->tracks)
    return gltf_fail(r->gltf, "it has targets of %d tracks, and its bundle %zu", cJSON_GetArraySize(tracks),
                     r->tracks);
  r->track = memory_get(r->tracks, sizeof *r->track);
  cJSON_ArrayForEach(item, tracks) {
    if (!gltf_index(item, "node", r->scene->nodes, &node))
      return gltf_fail(r->gltf, "the node of its track %zu is not in the file", t);
    const size_t first = gltf_tracks_of(r->scene, r->place[node], &count);
    if (!gltf_index(item, "target", count, &target))
      return gltf_fail(r->gltf, "the node of its track %zu has %zu morph targets", t, count);
    r->track[t] = first + target;
    if (!use(r, TRACKS, r->track[t++]))
      return gltf_fail(r->gltf, "two of its tracks are target %zu of node %zu", target, node);
  }
  return true;
}

/* Animations. -------------------------------------------------------------------------------------------- */

static bool may_take(void *gltf, uint64_t bytes) { return gltf_spend(gltf, bytes); }

static bool take_clip(struct reading *r, const quatsimd_clip *clip, struct scene_animation *animation) {
  const struct from_clip from = {clip, r->scene, r->node, r->track, r->skeleton, may_take, r->gltf};
  return scene_take_clip(&from, animation);
}

static bool take_animation(struct reading *r, const cJSON *from, struct scene_animation *animation) {
  const int64_t number = quatsimd_bundle_find_clip(r->bundle, gltf_text(from, "clip"));
  quatsimd_clip *clip;
  if (number < 0) return gltf_fail(r->gltf, "its bundle has no clip \"%.80s\"", gltf_text(from, "clip"));
  if (!use(r, CLIPS, (size_t)number))
    return gltf_fail(r->gltf, "its clip \"%.80s\" is another one's, too", gltf_text(from, "clip"));
  const size_t size = quatsimd_bundle_clip_memory_size(r->bundle, (size_t)number);
  void *memory = memory_get(size, 1);
  const quatsimd_status status = quatsimd_bundle_open_clip(r->bundle, (size_t)number, &clip, memory, size);
  const bool good = status < 0 ? gltf_fail(r->gltf, "%s", quatsimd_status_string(status))
                    : quatsimd_clip_additive(clip)
                        ? gltf_fail(r->gltf, "its clip is additive: it is no animation by itself")
                        : take_clip(r, clip, animation);
  free(memory);
  return good;
}

static void take_animations(struct reading *r, size_t before) {
  struct scene *scene = r->scene;
  const cJSON *item;
  size_t number = before;
  const struct json_span file = {(const char *)r->gltf->json.bytes, r->gltf->json.size},
                         extensions = json_span_member(file, "extensions"),
                         texts = json_span_member(json_span_member(extensions, GLTF_BUNDLE), "animations");
  struct json_span text = {NULL, 0};
  cJSON_ArrayForEach(item, json_member(r->extension, "animations")) {
    text = json_span_next(texts, text);
    struct scene_animation *animation = &scene->animation[scene->animations];
    *animation = (struct scene_animation){.name = text_clean(gltf_text(item, "name")), .number = number};
    number++;
    gltf_add_animation(r->gltf, scene, text, take_animation(r, item, animation));
  }
}

void gltf_take_bundle(struct gltf *gltf, const size_t *place, size_t before, struct scene *scene) {
  struct reading r = {.gltf = gltf, .scene = scene, .place = place, .extension = gltf_bundle_of(gltf->tree)};
  if (!r.extension) return;
  if (open_bundle(&r) && take_joints(&r) && take_tracks(&r)) {
    take_animations(&r, before);
    complain(gltf->path, "its animations are from a bundle: they have the errors of its clips");
  } else {
    complain(gltf->path, GLTF_BUNDLE ": %s", gltf->error);
    scene->unread++;
  }
  free(r.node), free(r.track);
  for (int of = 0; of < USED; of++) free(r.used[of]);
}
