#include "clips/base.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/curve.h"
#include "clip/encode/source.h"
#include "terminal/message.h"

void clip_base_free(struct clip_base *base) {
  skeleton_free(&base->skeleton);
  free(base->path), free(base->hash);
  *base = (struct clip_base){0};
}

const struct scene_animation *clip_base_animation(const struct clip_base *base) {
  return &base->skeleton.scene.animation[base->animation];
}

/* joints and tracks by name. ----------------------------------------------------------------------------- */

struct named {
  const char *name;
  size_t number;
};

static int compare_named(const void *a, const void *b) {
  const struct named *p = a, *q = b;
  const int names = strcmp(p->name, q->name);
  return names ? names : p->number < q->number ? -1 : 1;
}

typedef const char *name_of(const struct skeleton *skeleton, size_t number);
static const char *joint_name(const struct skeleton *skeleton, size_t j) { return skeleton->joint[j].name; }
static const char *node_name(const struct skeleton *skeleton, size_t n) {
  return skeleton->scene.node[n].name;
}
static const char *track_name(const struct skeleton *skeleton, size_t t) {
  return quatsimd_skeleton_track_name(skeleton->file.skeleton, t);
}

static struct named *by_name(const struct skeleton *skeleton, name_of *name, size_t count) {
  struct named *named = memory_get(count, sizeof *named);
  for (size_t i = 0; i < count; i++) named[i] = (struct named){name(skeleton, i), i};
  qsort(named, count, sizeof *named, compare_named);
  return named;
}

/* Of each one the other of its name, or SCENE_NONE; to be freed. Frees both. */
static size_t *match(struct named *one, size_t count, struct named *other, size_t others) {
  size_t *partner = memory_get(count, sizeof *partner), n = 0;
  for (size_t i = 0; i < count; i++) {
    while (n < others && strcmp(other[n].name, one[i].name) < 0) n++;
    const bool found = n < others && strcmp(other[n].name, one[i].name) == 0;
    partner[one[i].number] = found ? other[n++].number : SCENE_NONE;
  }
  free(one), free(other);
  return partner;
}

/* Curves are numbered as skeleton_curves has them. */
static size_t curves_of(const struct skeleton *skeleton) {
  return SCENE_KINDS * skeleton->joints + quatsimd_skeleton_track_count(skeleton->file.skeleton);
}

/* The base of a curve. */
struct under {
  const struct scene_curve *curve; /* null: the base does not move it */
  const float *rest;               /* the base's own; null: it has no such node or track */
};

/* For each curve of the skeleton; to be freed. Nodes of the base that nothing moves, too, stand somewhere. */
static struct under *find_under(const struct clip_base *base, const struct skeleton *skeleton) {
  const struct skeleton *of = &base->skeleton;
  const size_t joints = skeleton->joints, nodes = of->scene.nodes,
               tracks = quatsimd_skeleton_track_count(skeleton->file.skeleton),
               others = quatsimd_skeleton_track_count(of->file.skeleton);
  size_t *node = match(by_name(skeleton, joint_name, joints), joints, by_name(of, node_name, nodes), nodes),
         *track =
             match(by_name(skeleton, track_name, tracks), tracks, by_name(of, track_name, others), others);
  const struct scene_curve **curves = skeleton_curves(of, base->animation);
  struct under *found = memory_get(curves_of(skeleton), sizeof *found), *next = found;
  for (size_t i = 0; i < SCENE_KINDS * joints; i++, next++) {
    const size_t n = node[i / SCENE_KINDS], kind = i % SCENE_KINDS;
    if (n == SCENE_NONE) continue;
    next->rest = of->scene.node[n].rest[kind];
    if (of->joint_of[n] != SCENE_NONE) next->curve = curves[SCENE_KINDS * of->joint_of[n] + kind];
  }
  for (size_t t = 0; t < tracks; t++, next++)
    if (track[t] != SCENE_NONE)
      *next = (struct under){curves[SCENE_KINDS * of->joints + track[t]], &of->track_rest[track[t]]};
  free(node), free(track), free(curves);
  return found;
}

bool clip_base_fits(const struct clip_base *base, const char *path, const struct skeleton *skeleton) {
  const double metres = base->skeleton.metres, own = skeleton->metres;
  if (metres > 0 && own > 0 && fabs(metres / own - 1) > 1e-6) {
    complain(path, "its unit of lengths is %g m, and that of the base, %s, is %g m", own, base->path, metres);
    return false;
  }
  struct under *under = find_under(base, skeleton);
  size_t moved = 0;
  for (size_t i = 0; i < curves_of(skeleton); i++) moved += under[i].curve != NULL;
  free(under);
  if (moved == 0)
    complain(path, "the base %s moves no joint or track that has the name of one here", base->path);
  return moved > 0;
}

/* pieces of curves. -------------------------------------------------------------------------------------- */

static const double start = 0;

static void keep_array(struct clip_under *on, void *array) {
  on->made = memory_grow(on->made, on->pieces, sizeof *on->made);
  on->made[on->pieces++] = array;
}

/* Cuts off what of a base is before or behind the animation; its own ends stay. */
static void cut(struct clip_under *on, quatsimd_curve *curve, int kind, double from, double to) {
  const double first = curve->times[0], last = curve->times[curve->key_count - 1];
  if (curve->key_count < 2 || (first >= from && last <= to)) return;
  if (first >= to || last <= from || from == to) {
    float *value = memory_get(4, sizeof *value);
    double at[4];
    curve_value(curve, kind, curve_find(curve, from), from, at);
    for (size_t i = 0; i < scene_width(kind); i++) value[i] = (float)at[i];
    keep_array(on, value);
    *curve = (quatsimd_curve){1, &start, value, 0};
    return;
  }
  struct scene_curve piece = {.keys = curve->key_count,
                              .interpolation = curve->interpolation,
                              .values = (float *)(uintptr_t)curve->values,
                              .seconds = (double *)(uintptr_t)curve->times,
                              .shared = true};
  scene_cut_curve(&piece, kind, fmax(from, first), fmin(to, last), 0);
  keep_array(on, piece.values), keep_array(on, piece.seconds);
  *curve = (quatsimd_curve){piece.keys, piece.seconds, piece.values, curve->interpolation};
}

/* From the first key of the source's own to the last. */
static void find_ends(const struct clip_source *source, double *from, double *to) {
  *from = INFINITY, *to = -INFINITY;
  for (size_t i = 0; i < clip_all_curves(&source->source); i++) {
    const quatsimd_curve *curve = clip_any_curve(&source->source, i);
    if (curve->key_count == 0 || source->rest[i]) continue;
    *from = fmin(*from, curve->times[0]), *to = fmax(*to, curve->times[curve->key_count - 1]);
  }
}

void clip_base_put_under(const struct clip_base *base, const bool kinds[QUATSIMD_CLIP_KIND_COUNT],
                         struct clip_source *source) {
  const struct skeleton *skeleton = source->skeleton;
  const size_t tracks = source->source.track_count;
  struct clip_under *on = &source->under;
  struct under *found = find_under(base, skeleton);
  double from, to;
  find_ends(source, &from, &to);
  *on = (struct clip_under){.joint = memory_get(skeleton->joints, sizeof *on->joint),
                            .track = memory_get(tracks, sizeof *on->track)};
  on->source = (quatsimd_clip_source){skeleton->joints, on->joint, tracks, on->track};
  for (size_t j = 0; j < skeleton->joints; j++) on->joint[j].parent = skeleton->joint[j].parent;
  for (size_t i = 0; i < clip_all_curves(&on->source); i++) {
    const int kind = clip_source_kind(source, i);
    const struct scene_curve *moves = found[i].curve;
    quatsimd_curve *own = clip_curve_of_copy(&source->source, i), *under = clip_curve_of_copy(&on->source, i);
    if (!kinds[kind] || !clip_source_keeps(source, i)) continue;
    const float *own_rest = clip_source_rest(source, i);
    if (moves) {
      *under = (quatsimd_curve){moves->keys, moves->seconds, moves->values, moves->interpolation};
      if (from <= to) cut(on, under, kind, from, to);
      if (own->key_count > 0) continue;
      *own = (quatsimd_curve){1, &start, own_rest, 0};
      source->rest[i] = true;
    } else if (own->key_count > 0 && !source->rest[i])
      *under = (quatsimd_curve){1, &start, found[i].rest ? found[i].rest : own_rest, 0};
  }
  free(found);
}

void clip_base_put_under_clip(const struct clip_base *base, const quatsimd_clip *clip, bool tracks,
                              struct clip_source *source) {
  bool kinds[QUATSIMD_CLIP_KIND_COUNT];
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    kinds[kind] = quatsimd_clip_curve_count(clip, kind) > 0;
  kinds[SCENE_TRACK] = kinds[SCENE_TRACK] && tracks;
  clip_base_put_under(base, kinds, source);
}
