/* The animations of a bundle in glTF: as curves, whose keys are the frames and the keys of its clips. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/names.h"
#include "base/text.h"
#include "clip/sample/still.h"
#include "quatsimd/bundle.h"
#include "readers/gltf/gltf_bundle.h"
#include "readers/gltf/gltf_weights.h"

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
  float *rest[QUATSIMD_CLIP_KIND_COUNT], *value[QUATSIMD_CLIP_KIND_COUNT];
  bool *used[USED]; /* those of the file, each of which may be used once */
};

static const cJSON *member(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

const cJSON *gltf_bundle_of(const cJSON *tree) { return member(member(tree, "extensions"), GLTF_BUNDLE); }

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
  if (member(r->extension, "version") &&
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
  const cJSON *joints = member(r->extension, "joints"), *item;
  size_t j = 0;
  if ((size_t)cJSON_GetArraySize(joints) != r->joints)
    return gltf_fail(r->gltf, "it has nodes of %d joints, and its bundle %zu", cJSON_GetArraySize(joints),
                     r->joints);
  r->node = memory_get(r->joints, sizeof *r->node);
  cJSON_ArrayForEach(item, joints) {
    const double n = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (!(n >= 0 && n < (double)r->scene->nodes) || n != floor(n))
      return gltf_fail(r->gltf, "the node of its joint %zu is not in the file", j);
    r->node[j] = r->place[(size_t)n];
    if (!use(r, NODES, r->node[j++])) return gltf_fail(r->gltf, "two of its joints are node %.0f", n);
  }
  return true;
}

static bool take_tracks(struct reading *r) {
  const cJSON *tracks = member(r->extension, "tracks"), *item;
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

static void make_poses(struct reading *r) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const size_t count = kind == SCENE_TRACK ? r->tracks : r->joints;
    r->rest[kind] = memory_get(count, scene_width(kind) * sizeof(float));
    r->value[kind] = memory_get(count, scene_width(kind) * sizeof(float));
  }
  quatsimd_pose_out pose = {quatsimd_aos_out(r->rest[0]), quatsimd_aos_out(r->rest[1]),
                            quatsimd_aos_out(r->rest[2]), r->rest[SCENE_TRACK]};
  (void)quatsimd_skeleton_rest_pose(r->skeleton, &pose, 0, r->joints); /* of all joints it cannot fail */
}

static void sample(const struct reading *r, const quatsimd_clip *clip, double time) {
  quatsimd_pose_out pose = {quatsimd_aos_out(r->value[0]), quatsimd_aos_out(r->value[1]),
                            quatsimd_aos_out(r->value[2]), r->value[SCENE_TRACK]};
  const quatsimd_pose_in rest = {quatsimd_aos(r->rest[0]), quatsimd_aos(r->rest[1]), quatsimd_aos(r->rest[2]),
                                 r->rest[SCENE_TRACK]};
  (void)quatsimd_clip_sample(clip, &pose, &rest, time, QUATSIMD_CLIP_WRAP_CLAMP, 0);
}

/* Curves. ------------------------------------------------------------------------------------------------ */

/* Where values of a curve come from. */
struct from {
  struct scene_curve *curve;
  int kind;
  size_t element;
};

static bool make_curve(struct reading *r, struct scene_curve *curve, int kind, size_t keys, double *seconds,
                       int interpolation) {
  *curve =
      (struct scene_curve){.keys = keys, .shared = true, .seconds = seconds, .interpolation = interpolation};
  const size_t floats = scene_floats(curve, kind);
  if (!gltf_spend(r->gltf, floats * sizeof(float) + (seconds ? 0 : keys * sizeof(double)))) return false;
  if (!seconds) curve->seconds = scene_share(r->scene, memory_get(keys, sizeof *seconds));
  curve->values = scene_share(r->scene, memory_get(floats, sizeof(float)));
  return true;
}

/* The values and tangents of a spline. Rotations keep the lengths that the clip has. */
static void take_spline(const struct from *to, const clip_keyed *keys) {
  const size_t width = scene_width(to->kind);
  for (size_t k = 0; k < keys->count; k++) {
    const bool between = k + 1 < keys->count;
    const double length = between ? clip_keyed_time(keys, k + 1) - clip_keyed_time(keys, k) : 1;
    double number[SPLINE_NUMBERS][4];
    float *const value = scene_key(to->curve, to->kind, k);
    quatsimd_clip_load_numbers(number, keys, k, between);
    for (size_t c = 0; c < width; c++) {
      value[c] = (float)number[SPLINE_VALUE][c];
      if (!between) continue;
      value[width + c] = (float)(number[SPLINE_OUT][c] / length);
      value[2 * width + c] = (float)(number[SPLINE_IN][c] / length);
    }
  }
}

/* A curve relative to a base that moves: linear pieces, PARTS from key to key of both. */
static bool take_pair(struct reading *r, const struct from *to, const clip_keyed *keys) {
  enum { PARTS = 8 };
  const clip_keyed base = clip_keyed_base(keys);
  const size_t most = keys->count + base.count;
  double *time = memory_get(most, sizeof *time);
  size_t count = 0, i = 0, j = 0, at = 0;
  while (i < keys->count || j < base.count) {
    const double own = i < keys->count ? clip_keyed_time(keys, i) : INFINITY,
                 other = j < base.count ? clip_keyed_time(&base, j) : INFINITY;
    time[count++] = fmin(own, other), i += own <= other, j += other <= own;
  }
  const bool made = make_curve(r, to->curve, to->kind, PARTS * (count - 1) + 1, NULL, QUATSIMD_CURVE_LINEAR);
  for (size_t k = 0; made && k < count; k++)
    for (size_t part = 0; part < (k + 1 < count ? PARTS : 1); part++, at++) {
      const double length = part ? time[k + 1] - time[k] : 0;
      float value[4];
      to->curve->seconds[at] = time[k] + length * ((double)part / PARTS);
      quatsimd_clip_sample_keys(value, keys, to->curve->seconds[at]);
      memcpy(scene_key(to->curve, to->kind, at), value, scene_width(to->kind) * sizeof *value);
    }
  free(time);
  return made;
}

/* Its own keys; *head: of these, and then of the next curve's. */
static bool take_keyed(struct reading *r, const quatsimd_clip *clip, const struct from *to,
                       const unsigned char **head) {
  const clip_keyed keys = clip_keyed_at(clip, to->kind, *head);
  *head = clip_keyed_end(&keys);
  if (keys.pair) return take_pair(r, to, &keys);
  const int interpolation = keys.spline ? QUATSIMD_CURVE_CUBIC
                            : keys.hold ? QUATSIMD_CURVE_HOLD
                                        : QUATSIMD_CURVE_LINEAR;
  if (!make_curve(r, to->curve, to->kind, keys.count, NULL, interpolation)) return false;
  for (size_t k = 0; k < keys.count; k++) to->curve->seconds[k] = clip_keyed_time(&keys, k);
  if (keys.spline) take_spline(to, &keys);
  for (size_t k = 0; !keys.spline && k < keys.count; k++) {
    float value[4];
    quatsimd_clip_load_key(value, &keys, k);
    memcpy(scene_key(to->curve, to->kind, k), value, scene_width(to->kind) * sizeof *value);
  }
  return true;
}

/* The frames' times, and the ends of the clip. */
struct times {
  double *frames, *ends;
  size_t frame_count, end_count;
};

static bool take_times(struct reading *r, const quatsimd_clip *clip, struct times *times) {
  struct times t = {.frame_count = quatsimd_clip_frame_count(clip)};
  if (!gltf_spend(r->gltf, t.frame_count * sizeof *t.frames)) return false;
  t.frames = scene_share(r->scene, memory_get(t.frame_count, sizeof *t.frames));
  for (size_t f = 0; f < t.frame_count; f++) t.frames[f] = quatsimd_clip_frame_time(clip, f);
  t.end_count = quatsimd_clip_duration(clip) > 0 ? 2 : 1;
  t.ends = scene_share(r->scene, memory_get(2, sizeof *t.ends));
  t.ends[0] = quatsimd_clip_start(clip), t.ends[1] = t.ends[0] + quatsimd_clip_duration(clip);
  *times = t;
  return true;
}

/* A curve that the clip has, as one without values yet, if they come from samples; *head: of the next keyed
 * one. */
static bool take_curve(struct reading *r, const quatsimd_clip *clip, const struct from *to,
                       const struct times *t, const unsigned char **head) {
  switch (quatsimd_clip_curve_state(clip, to->kind, to->element)) {
  case QUATSIMD_CLIP_KEYED: return take_keyed(r, clip, to, head);
  case QUATSIMD_CLIP_MOVING:
    return make_curve(r, to->curve, to->kind, t->frame_count, t->frames, QUATSIMD_CURVE_LINEAR);
  default: return make_curve(r, to->curve, to->kind, t->end_count, t->ends, QUATSIMD_CURVE_LINEAR);
  }
}

/* Values at the times of the frames, or at the ends. */
static void take_values(struct reading *r, const quatsimd_clip *clip, const struct from *from, size_t count,
                        const double *time, size_t times) {
  size_t any = 0;
  while (any < count && from[any].curve->seconds != time) any++;
  for (size_t k = 0; any < count && k < times; k++) {
    sample(r, clip, time[k]);
    for (size_t i = 0; i < count; i++) {
      const size_t width = scene_width(from[i].kind);
      if (from[i].curve->seconds == time)
        memcpy(from[i].curve->values + width * k, r->value[from[i].kind] + width * from[i].element,
               width * sizeof(float));
    }
  }
}

static bool has_curve(const quatsimd_clip *clip, size_t joint) {
  int kind = 0;
  while (kind < SCENE_KINDS && quatsimd_clip_curve_state(clip, kind, joint) == QUATSIMD_CLIP_ABSENT) kind++;
  return kind < SCENE_KINDS;
}

/* Room for the curves that are there: channels of joints that have some, channel_of[joint], and tracks. */
static bool make_channels(struct reading *r, const quatsimd_clip *clip, struct scene_animation *animation,
                          size_t *channel_of) {
  size_t bytes = 0, count = 0;
  const bool any_track = quatsimd_clip_curve_count(clip, QUATSIMD_CLIP_TRACK) > 0;
  for (size_t j = 0; j < r->joints; j++)
    if (has_curve(clip, j)) count++, bytes += strlen(r->scene->node[r->node[j]].name);
  bytes += count * sizeof *animation->channel + any_track * r->scene->tracks * sizeof *animation->track;
  if (!gltf_spend(r->gltf, bytes)) return false;
  animation->channel = memory_get(count, sizeof *animation->channel);
  if (any_track) animation->track = memory_get(r->scene->tracks, sizeof *animation->track);
  for (size_t j = 0; j < r->joints; j++) {
    if (!has_curve(clip, j)) continue;
    channel_of[j] = animation->channels++;
    animation->channel[channel_of[j]] =
        (struct scene_channel){.name = text_clean(r->scene->node[r->node[j]].name), .node = r->node[j]};
  }
  return true;
}

static bool take_clip(struct reading *r, const quatsimd_clip *clip, struct scene_animation *animation) {
  struct times t = {0};
  size_t count = 0;
  struct from *from = memory_get(SCENE_KINDS * r->joints + r->tracks, sizeof *from);
  size_t *channel_of = memory_get(r->joints, sizeof *channel_of);
  bool good = take_times(r, clip, &t) && make_channels(r, clip, animation, channel_of);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const unsigned char *head = clip_part_of(clip, kind).keys;
    const size_t elements = kind < SCENE_KINDS ? r->joints : animation->track ? r->tracks : 0;
    for (size_t e = 0; e < elements && good; e++) {
      if (quatsimd_clip_curve_state(clip, kind, e) == QUATSIMD_CLIP_ABSENT) continue;
      struct scene_curve *curve = kind < SCENE_KINDS ? &animation->channel[channel_of[e]].curve[kind]
                                                     : &animation->track[r->track[e]];
      from[count] = (struct from){curve, kind, e};
      good = take_curve(r, clip, &from[count++], &t, &head);
    }
  }
  if (good) {
    take_values(r, clip, from, count, t.frames, t.frame_count);
    take_values(r, clip, from, count, t.ends, t.end_count);
  }
  free(from), free(channel_of);
  return good;
}

/* Animations. -------------------------------------------------------------------------------------------- */

static bool take_animation(struct reading *r, const cJSON *from, struct scene_animation *animation) {
  const int64_t number = quatsimd_bundle_find_clip(r->bundle, gltf_text(from, "clip"));
  quatsimd_clip *clip;
  if (number < 0) return gltf_fail(r->gltf, "its bundle has no clip \"%.80s\"", gltf_text(from, "clip"));
  if (!use(r, CLIPS, (size_t)number))
    return gltf_fail(r->gltf, "its clip \"%.80s\" is another one's, too", gltf_text(from, "clip"));
  const size_t size = quatsimd_bundle_clip_memory_size(r->bundle, (size_t)number);
  void *memory = memory_get(size, 1);
  const quatsimd_status status = quatsimd_bundle_open_clip(r->bundle, (size_t)number, &clip, memory, size);
  const bool good = status < 0                     ? gltf_fail(r->gltf, "%s", quatsimd_status_string(status))
                    : quatsimd_clip_additive(clip) ? gltf_fail(r->gltf, "is to be added to another one")
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
  cJSON_ArrayForEach(item, member(r->extension, "animations")) {
    text = json_span_next(texts, text);
    struct scene_animation *animation = &scene->animation[scene->animations];
    *animation = (struct scene_animation){.name = text_clean(gltf_text(item, "name")), .number = number++};
    if (take_animation(r, item, animation)) {
      animation->extras = gltf_extras(text);
      scene->animations++;
      continue;
    }
    complain(r->gltf->path, "animation %zu%s%.80s: %s", animation->number, *animation->name ? ", " : "",
             animation->name, r->gltf->error);
    scene_free_animation(animation, scene->tracks);
    scene->unread++;
  }
}

void gltf_take_bundle(struct gltf *gltf, const size_t *place, size_t before, struct scene *scene) {
  struct reading r = {.gltf = gltf, .scene = scene, .place = place, .extension = gltf_bundle_of(gltf->tree)};
  if (!r.extension) return;
  if (open_bundle(&r) && take_joints(&r) && take_tracks(&r)) {
    make_poses(&r);
    take_animations(&r, before);
    complain(gltf->path, "its animations are from a bundle: they have the errors of its clips");
  } else {
    complain(gltf->path, GLTF_BUNDLE ": %s", gltf->error);
    scene->unread++;
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) free(r.rest[kind]), free(r.value[kind]);
  free(r.node), free(r.track);
  for (int of = 0; of < USED; of++) free(r.used[of]);
}
