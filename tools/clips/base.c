#include "clips/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/message.h"
#include "base/names.h"
#include "base/text.h"
#include "clips/manifest.h"
#include "clips/origin.h"

/* reading. ----------------------------------------------------------------------------------------------- */

static bool is_there(const char *path) {
  struct stat status;
  return stat(path, &status) == 0;
}

/* The name behind the last #, unless there is a file with it in its name; null if there is none. */
static char *take_name(char *path) {
  char *mark = is_there(path) ? NULL : strrchr(path, '#');
  if (mark) *mark++ = '\0';
  return mark;
}

/* Takes over the path. */
static bool read_file(char *path, struct clip_base *base) {
  *base = (struct clip_base){.path = path};
  bool good = file_is_regular(path) && (base->hash = manifest_hash(path)) &&
              skeleton_read(path, NULL, &base->skeleton);
  if (good && base->skeleton.scene.animations == 0) {
    if (base->skeleton.scene.unread == 0) complain(path, "has no animation, to be a base");
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
  const bool good = read_file(path, base) && choose(base, name);
  if (!good) clip_base_free(base);
  return good;
}

/* The animation that a manifest says. */
static bool choose_number(struct clip_base *base, const struct clip_origin *origin) {
  const struct scene *scene = &base->skeleton.scene;
  for (base->animation = 0; base->animation < scene->animations; base->animation++)
    if (clip_base_animation(base)->number == origin->manifest.base.number) return true;
  complain(base->path, "has no animation %zu, which is the base as %s says", origin->manifest.base.number,
           origin->path);
  return false;
}

bool clip_base_find(const char *given, const struct clip_file *clip, const struct clip_origin *origin,
                    struct clip_base *base) {
  const struct manifest_base *said = &origin->manifest.base;
  const bool known = origin->clip && said->path && *said->path;
  *base = (struct clip_base){.path = NULL};
  if (!given && !known) {
    complain(clip->path, "is additive to another animation, and no " MANIFEST_FILE
                         " beside it says which; give --base");
    return false;
  }
  char *path = names_join(given ? given : said->path, "", "");
  const char *name = given ? take_name(path) : NULL;
  const bool good = read_file(path, base) && (name || !known ? choose(base, name) : choose_number(base, origin));
  if (good && known && strcmp(base->hash, said->hash) != 0)
    complain(path, "is another file than the base that %s was made with, %s, or was changed since", clip->path,
             said->path);
  if (!good) clip_base_free(base);
  return good;
}

void clip_base_free(struct clip_base *base) {
  skeleton_free(&base->skeleton);
  free(base->path), free(base->hash);
  *base = (struct clip_base){0};
}

const struct scene_animation *clip_base_animation(const struct clip_base *base) {
  return &base->skeleton.scene.animation[base->animation];
}

/* joints by name. ---------------------------------------------------------------------------------------- */

struct named {
  const char *name;
  size_t joint;
};

static int compare_named(const void *a, const void *b) {
  const struct named *p = a, *q = b;
  const int names = strcmp(p->name, q->name);
  return names ? names : p->joint < q->joint ? -1 : 1;
}

static struct named *by_name(const struct skeleton *skeleton) {
  struct named *named = memory_get(skeleton->joints, sizeof *named);
  for (size_t j = 0; j < skeleton->joints; j++) named[j] = (struct named){skeleton->joint[j].name, j};
  qsort(named, skeleton->joints, sizeof *named, compare_named);
  return named;
}

/* Of each joint of the skeleton the base's, or SCENE_NONE; to be freed. */
static size_t *find_partners(const struct clip_base *base, const struct skeleton *skeleton) {
  size_t *partner = memory_get(skeleton->joints, sizeof *partner), b = 0;
  struct named *own = by_name(skeleton), *of_base = by_name(&base->skeleton);
  for (size_t j = 0; j < skeleton->joints; j++) {
    while (b < base->skeleton.joints && strcmp(of_base[b].name, own[j].name) < 0) b++;
    const bool found = b < base->skeleton.joints && strcmp(of_base[b].name, own[j].name) == 0;
    partner[own[j].joint] = found ? of_base[b++].joint : SCENE_NONE;
  }
  free(own), free(of_base);
  return partner;
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
    for (int kind = 0; kind < SCENE_KINDS && partner[j] != SCENE_NONE; kind++)
      moved += curves[SCENE_KINDS * partner[j] + (size_t)kind] != NULL;
  free(curves), free(partner);
  if (moved == 0 && skeleton->joints > 0)
    complain(path, "no joint of it has the name of one that the base moves, %s", base->path);
  return moved > 0 || skeleton->joints == 0;
}

/* under a source. ---------------------------------------------------------------------------------------- */

static const double start = 0;

static quatsimd_curve *curve_of(quatsimd_clip_joint *joint, int kind) {
  return kind == SCENE_ROTATION      ? &joint->rotation
         : kind == SCENE_TRANSLATION ? &joint->translation
                                     : &joint->scale;
}

void clip_base_put_under(const struct clip_base *base, const bool kinds[SCENE_KINDS],
                         struct clip_source *source, struct clip_base_on *on) {
  const struct skeleton *skeleton = source->skeleton;
  const struct scene_curve **curves = skeleton_curves(&base->skeleton, base->animation);
  size_t *partner = find_partners(base, skeleton);
  if (!source->rest) source->rest = memory_get(SCENE_KINDS * skeleton->joints, sizeof *source->rest);
  on->joint = memory_get(skeleton->joints, sizeof *on->joint);
  on->source = (quatsimd_clip_source){skeleton->joints, on->joint, 0, NULL};
  for (size_t i = 0; i < SCENE_KINDS * skeleton->joints; i++) {
    const size_t j = i / SCENE_KINDS, b = partner[j];
    const int kind = (int)(i % SCENE_KINDS);
    const struct scene_curve *moves = b == SCENE_NONE ? NULL : curves[SCENE_KINDS * b + (size_t)kind];
    const float *own_rest = skeleton->joint[j].rest[kind];
    quatsimd_curve *own = curve_of(&source->joint[j], kind), *under = curve_of(&on->joint[j], kind);
    on->joint[j].parent = skeleton->joint[j].parent;
    if (!kinds[kind]) continue;
    if (moves) {
      *under = (quatsimd_curve){moves->keys, moves->seconds, moves->values, moves->interpolation};
      if (own->keys > 0) continue;
      *own = (quatsimd_curve){1, &start, own_rest, 0};
      source->rest[i] = true;
    } else if (own->keys > 0 && !source->rest[i])
      *under =
          (quatsimd_curve){1, &start, b == SCENE_NONE ? own_rest : base->skeleton.joint[b].rest[kind], 0};
  }
  free(partner), free(curves);
}

void clip_base_on_free(struct clip_base_on *on) {
  free(on->joint);
  *on = (struct clip_base_on){.joint = NULL};
}
