#include "clips/base.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bundles/making.h"
#include "bundles/origin.h"
#include "check/check.h"
#include "check/curve.h"
#include "files/file.h"
#include "files/names.h"
#include "system/files.h"
#include "terminal/message.h"

/* reading. ----------------------------------------------------------------------------------------------- */

static bool is_there(const char *path) {
  struct system_look look;
  return system_look(path, &look);
}

/* The name behind the last #, unless there is a file with it in its name; null if there is none. */
static char *take_name(char *path) {
  char *mark = is_there(path) ? NULL : strrchr(path, '#');
  if (mark) *mark++ = '\0';
  return mark;
}

bool clip_base_open(const char *path, const struct scene_changes *changes, struct clip_base *base) {
  const struct skeleton_choice choice = {.changes = changes};
  *base = (struct clip_base){.path = names_join(path, "", "")};
  bool good = file_is_regular(path) && (base->hash = making_hash(path)) &&
              skeleton_read(path, &choice, &base->skeleton);
  if (good && base->skeleton.scene.animations == 0) {
    if (base->skeleton.scene.unread == 0) complain(path, "has no animation that could be the base");
    good = false;
  }
  return good;
}

/* name: or a number; null: the first one. */
static bool choose(struct clip_base *base, const char *name) {
  static const struct clip_origin unknown;
  if (name) base->animation = clip_origin_choose(&unknown, base->path, &base->skeleton.scene, name);
  return base->animation != SCENE_NONE;
}

bool clip_base_read(const char *text, struct clip_base *base) {
  char *path = names_join(text, "", "");
  const char *name = take_name(path);
  const bool good = clip_base_open(path, NULL, base) && choose(base, name);
  free(path);
  if (!good) clip_base_free(base);
  return good;
}

void clip_base_choose(struct clip_base *base, size_t animation, const struct animation_change *change) {
  base->animation = animation, base->change = *change;
  if (!animation_change_is_none(change)) scene_change_animation(&base->skeleton.scene, animation, change);
}

/* The animation that a record says. */
static bool choose_number(struct clip_base *base, const struct made_base *said) {
  const struct scene *scene = &base->skeleton.scene;
  for (base->animation = 0; base->animation < scene->animations; base->animation++)
    if (clip_base_animation(base)->number == said->number)
      return clip_base_choose(base, base->animation, &said->change), true;
  complain(base->path, "has no animation %zu, to which the clip is additive", said->number);
  return false;
}

/* A text that tells bases apart. */
static char *key_of(const char *given, const struct made_base *said) {
  static const struct made_base none;
  char digits[120];
  const struct animation_change *change = &(said ? said : &none)->change;
  snprintf(digits, sizeof digits, "\n%zu %d %.17g %.17g", said ? said->number : 0, change->cut, change->from,
           change->to);
  char *key = names_join(given ? given : said && said->path ? said->path : "", "", digits);
  for (size_t i = 0; i < change->only.count; i++) {
    char *longer = names_join(key, "\n", change->only.text[i]);
    free(key);
    key = longer;
  }
  return key;
}

static bool find(const char *given, const char *clip, const struct made_base *said,
                 const struct scene_changes *changes, struct clip_base *base) {
  const bool known = said && said->path;
  if (!given && !known) {
    complain(clip, "is additive to another animation, and does not say which; give --base");
    return false;
  }
  char *path = names_join(given ? given : said->path, "", "");
  const char *name = given ? take_name(path) : NULL;
  const bool good = clip_base_open(path, changes, base) &&
                    (name || !known ? choose(base, name) : choose_number(base, said));
  if (good && known && strcmp(base->hash, said->hash) != 0)
    complain(path, "is not the base that %s was made with, %s, or has changed since", clip, said->path);
  free(path);
  return good;
}

const struct clip_base *clip_base_find(struct clip_bases *bases, const char *given, const char *clip,
                                       const struct made_base *said, const struct scene_changes *changes) {
  char *key = key_of(given, said);
  size_t i = 0;
  while (i < bases->count && strcmp(bases->key[i], key) != 0) i++;
  if (i < bases->count) return free(key), bases->base[i];
  struct clip_base *base = memory_get(1, sizeof *base);
  if (!find(given, clip, said, changes, base)) {
    clip_base_free(base);
    free(base), free(key);
    return NULL;
  }
  bases->base = memory_grow(bases->base, bases->count, sizeof(struct clip_base *));
  bases->key = memory_grow(bases->key, bases->count, sizeof(char *));
  bases->key[bases->count] = key;
  return bases->base[bases->count++] = base;
}

void clip_bases_free(struct clip_bases *bases) {
  for (size_t i = 0; i < bases->count; i++) {
    clip_base_free(bases->base[i]);
    free(bases->base[i]), free(bases->key[i]);
  }
  free(bases->base), free(bases->key);
  *bases = (struct clip_bases){0};
}

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

static struct named *joints_by_name(const struct skeleton *skeleton) {
  struct named *named = memory_get(skeleton->joints, sizeof *named);
  for (size_t j = 0; j < skeleton->joints; j++) named[j] = (struct named){skeleton->joint[j].name, j};
  qsort(named, skeleton->joints, sizeof *named, compare_named);
  return named;
}

/* Nodes of the base that nothing moves, too, stand somewhere. */
static struct named *nodes_by_name(const struct scene *scene) {
  struct named *named = memory_get(scene->nodes, sizeof *named);
  for (size_t n = 0; n < scene->nodes; n++) named[n] = (struct named){scene->node[n].name, n};
  qsort(named, scene->nodes, sizeof *named, compare_named);
  return named;
}

static size_t tracks_of(const struct skeleton *skeleton) {
  return quatsimd_skeleton_track_count(skeleton->file.skeleton);
}
static struct named *tracks_by_name(const struct skeleton *skeleton) {
  struct named *named = memory_get(tracks_of(skeleton), sizeof *named);
  for (size_t t = 0; t < tracks_of(skeleton); t++)
    named[t] = (struct named){quatsimd_skeleton_track_name(skeleton->file.skeleton, t), t};
  qsort(named, tracks_of(skeleton), sizeof *named, compare_named);
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

/* Of each joint of the skeleton the base's node. */
static size_t *find_partners(const struct clip_base *base, const struct skeleton *skeleton) {
  const struct scene *scene = &base->skeleton.scene;
  return match(joints_by_name(skeleton), skeleton->joints, nodes_by_name(scene), scene->nodes);
}

/* The base of a track of the skeleton. */
struct under {
  const struct scene_curve *curve; /* null: the base does not move it */
  const float *rest;               /* the base's own; null: it has no such track */
};

/* Of each track of the skeleton; to be freed. */
static struct under *find_tracks(const struct clip_base *base, const struct skeleton *skeleton) {
  const struct skeleton *of = &base->skeleton;
  const struct scene_curve *track = of->scene.animation[base->animation].track,
                           **all = memory_get(tracks_of(of), sizeof(struct scene_curve *));
  struct under *found = memory_get(tracks_of(skeleton), sizeof *found);
  for (size_t t = 0; track && t < of->scene.tracks; t++)
    if (track[t].keys > 0 && of->track_of[t] != SCENE_NONE) all[of->track_of[t]] = &track[t];
  size_t *partner = match(tracks_by_name(skeleton), tracks_of(skeleton), tracks_by_name(of), tracks_of(of));
  for (size_t t = 0; t < tracks_of(skeleton); t++)
    if (partner[t] != SCENE_NONE) found[t] = (struct under){all[partner[t]], &of->track_rest[partner[t]]};
  free(partner), free(all);
  return found;
}

/* A partner's curve; null if it has none. curves: of the base's joints. */
static const struct scene_curve *
curve_of_partner(const struct clip_base *base, const struct scene_curve **curves, size_t partner, int kind) {
  const size_t joint = partner == SCENE_NONE ? SCENE_NONE : base->skeleton.joint_of[partner];
  return joint == SCENE_NONE ? NULL : curves[SCENE_KINDS * joint + (size_t)kind];
}

bool clip_base_fits(const struct clip_base *base, const char *path, const struct skeleton *skeleton) {
  const double metres = base->skeleton.metres, own = skeleton->metres;
  if (metres > 0 && own > 0 && fabs(metres / own - 1) > 1e-6) {
    complain(path, "its unit of lengths is %g m, and that of the base, %s, is %g m", own, base->path, metres);
    return false;
  }
  size_t *partner = find_partners(base, skeleton), moved = 0;
  const struct scene_curve **curves = skeleton_curves(&base->skeleton, base->animation);
  for (size_t j = 0; j < skeleton->joints; j++)
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      moved += curve_of_partner(base, curves, partner[j], kind) != NULL;
  struct under *tracks = find_tracks(base, skeleton);
  for (size_t t = 0; t < tracks_of(skeleton); t++) moved += tracks[t].curve != NULL;
  free(curves), free(partner), free(tracks);
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

static quatsimd_curve *curve_of(quatsimd_clip_joint *joint, int kind) {
  return kind == SCENE_ROTATION      ? &joint->rotation
         : kind == SCENE_TRANSLATION ? &joint->translation
                                     : &joint->scale;
}

/* From the first key of the source's own to the last. */
static void find_ends(const struct clip_source *source, double *from, double *to) {
  *from = INFINITY, *to = -INFINITY;
  for (size_t i = 0; i < SCENE_KINDS * source->source.joint_count; i++) {
    const quatsimd_curve *curve = clip_check_curve(&source->joint[i / SCENE_KINDS], (int)(i % SCENE_KINDS));
    if (curve->key_count == 0 || source->rest[i]) continue;
    *from = fmin(*from, curve->times[0]), *to = fmax(*to, curve->times[curve->key_count - 1]);
  }
  for (size_t t = 0; t < source->source.track_count; t++) {
    const quatsimd_curve *curve = &source->track[t].curve;
    if (curve->key_count == 0) continue;
    *from = fmin(*from, curve->times[0]), *to = fmax(*to, curve->times[curve->key_count - 1]);
  }
}

static void put_tracks_under(const struct clip_base *base, double from, double to,
                             struct clip_source *source) {
  struct clip_under *on = &source->under;
  struct under *tracks = find_tracks(base, source->skeleton);
  for (size_t t = 0; t < source->source.track_count; t++) {
    const struct scene_curve *moves = tracks[t].curve;
    const float *own_rest = &source->skeleton->track_rest[t];
    quatsimd_curve *own = &source->track[t].curve, *under = &on->track[t].curve;
    if (source->kept && !source->kept[source->source.joint_count + t]) continue;
    if (moves) {
      *under = (quatsimd_curve){moves->keys, moves->seconds, moves->values, moves->interpolation};
      if (from <= to) cut(on, under, SCENE_TRACK, from, to);
      if (own->key_count == 0) *own = (quatsimd_curve){1, &start, own_rest, 0};
    } else if (own->key_count > 0)
      *under = (quatsimd_curve){1, &start, tracks[t].rest ? tracks[t].rest : own_rest, 0};
  }
  free(tracks);
}

void clip_base_put_under(const struct clip_base *base, const bool kinds[QUATSIMD_CLIP_KIND_COUNT],
                         struct clip_source *source) {
  struct clip_under *on = &source->under;
  const struct skeleton *skeleton = source->skeleton;
  const struct scene_curve **curves = skeleton_curves(&base->skeleton, base->animation);
  size_t *partner = find_partners(base, skeleton);
  if (!source->rest) source->rest = memory_get(SCENE_KINDS * skeleton->joints, sizeof *source->rest);
  double from, to;
  find_ends(source, &from, &to);
  *on = (struct clip_under){.joint = memory_get(skeleton->joints, sizeof *on->joint),
                            .track = memory_get(source->source.track_count, sizeof *on->track)};
  on->source = (quatsimd_clip_source){skeleton->joints, on->joint, source->source.track_count, on->track};
  for (size_t i = 0; i < SCENE_KINDS * skeleton->joints; i++) {
    const size_t j = i / SCENE_KINDS, b = partner[j];
    const int kind = (int)(i % SCENE_KINDS);
    const struct scene_curve *moves = curve_of_partner(base, curves, b, kind);
    const float *own_rest = skeleton->joint[j].rest[kind];
    quatsimd_curve *own = curve_of(&source->joint[j], kind), *under = curve_of(&on->joint[j], kind);
    on->joint[j].parent = skeleton->joint[j].parent;
    if (!kinds[kind] || (source->kept && !source->kept[j])) continue;
    if (moves) {
      *under = (quatsimd_curve){moves->keys, moves->seconds, moves->values, moves->interpolation};
      if (from <= to) cut(on, under, kind, from, to);
      if (own->key_count > 0) continue;
      *own = (quatsimd_curve){1, &start, own_rest, 0};
      source->rest[i] = true;
    } else if (own->key_count > 0 && !source->rest[i])
      *under = (quatsimd_curve){1, &start,
                                b == SCENE_NONE ? own_rest : base->skeleton.scene.node[b].rest[kind], 0};
  }
  free(partner), free(curves);
  if (kinds[SCENE_TRACK]) put_tracks_under(base, from, to, source);
}

void clip_base_put_under_clip(const struct clip_base *base, const quatsimd_clip *clip, bool tracks,
                              struct clip_source *source) {
  bool kinds[QUATSIMD_CLIP_KIND_COUNT];
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    kinds[kind] = quatsimd_clip_curve_count(clip, kind) > 0;
  kinds[SCENE_TRACK] = kinds[SCENE_TRACK] && tracks;
  clip_base_put_under(base, kinds, source);
}
