#include "compress/former.h"

#include "base/text.h"
#include "clip/inspect.h"
#include "compress/write.h"
#include "terminal/progress.h"

/* Bounds that are known in the unit of a file, as people ask for them. metres: the unit; 0: not known. */
static struct bounds_asked asked_of(const struct made_bounds *bounds, double metres) {
  struct bounds_asked asked = {.bounds = bounds->bounds, .mesh = bounds->mesh};
  const double unit = bounds->bounds.height > 0 ? 1 / bounds->bounds.height : metres;
  if (!(unit > 0)) return asked;
  double *of = asked.bounds.of;
  of[QUATSIMD_CLIP_TRANSLATION] *= unit, of[CLIP_CHECK_OBJECT] *= unit;
  asked.bounds.distance *= unit, asked.mesh *= unit;
  asked.in[QUATSIMD_CLIP_TRANSLATION] = asked.in[CLIP_CHECK_OBJECT] = BOUNDS_METRES;
  asked.distance_in = asked.mesh_in = BOUNDS_METRES;
  return asked;
}

/* Makes a result from the record and the clip. Bounds of its own are known in the file's unit. */
static struct clip_result result_of(const struct compress *c, const struct made_clip *made,
                                    const struct made_bounds *bounds, double metres, const char *path,
                                    struct clip_file *clip) {
  struct clip_result r = {.path = path,
                          .number = made->number,
                          .name = text_copy(made->name),
                          .clip_name = text_copy(made->clip),
                          .extras = text_copy(made->extras),
                          .nearest = text_copy(made->nearest),
                          .nearest_share = made->nearest_share,
                          .nearest_time = made->nearest_time,
                          .size = clip->size,
                          .clip = clip->clip,
                          .storage = clip->storage,
                          .seconds = made->seconds,
                          .bounds = bounds->bounds};
  if (made->own) r.asked = asked_of(bounds, metres);
  else r.asked = c->settings->asked, r.asked.mesh *= bounds->mesh > 0;
  size_t curves[CLIP_STATES][QUATSIMD_CLIP_KIND_COUNT];
  quatsimd_inspect_states(clip->clip, curves);
  r.report.rate = quatsimd_clip_rate(clip->clip), r.report.snapped = made->moved;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    r.keys[kind] = made->keys[kind];
    r.report.moving_count[kind] = curves[QUATSIMD_CLIP_MOVING][kind];
    r.report.rest_count[kind] = curves[QUATSIMD_CLIP_REST][kind];
    r.report.constant_count[kind] = curves[QUATSIMD_CLIP_CONSTANT][kind];
    r.report.keyed_count[kind] = curves[QUATSIMD_CLIP_KEYED][kind];
  }
  r.track_error.of.worst = made->track_worst, r.track_error.share = made->track_share;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) r.error[i].worst = made->worst[i], r.share[i] = made->share[i];
  clip_result_describe(&r);
  return r;
}

static void add_former(struct compress *c, const struct bundle_file *bundle, const struct made_file *made,
                       const struct collected_file *file) {
  struct compressed_file done = {.file = file,
                                 .bounds = {.bounds = made->bounds.bounds, .mesh = made->bounds.mesh},
                                 .by_hand = joint_bounds_are_by_hand(&made->bounds.joints),
                                 .first = c->count,
                                 .empty = made->empty,
                                 .read = true};
  struct skeleton_file skeleton;
  bundle_file_take_skeleton(bundle, &skeleton);
  const double metres = quatsimd_skeleton_metres(skeleton.skeleton);
  skeleton_file_free(&skeleton);
  for (size_t i = 0; i < made->count; i++) {
    struct clip_file clip;
    if (made->clip[i].number == SCENE_NONE || !bundle_file_open_clip(bundle, made->clip[i].clip, &clip))
      continue;
    const struct made_bounds *bounds = made_bounds_of(made, &made->clip[i]);
    const struct clip_result result = result_of(c, &made->clip[i], bounds, metres, file->path, &clip);
    const struct compressed_clip of = {.by_hand =
                                           made->clip[i].own && joint_bounds_are_by_hand(&bounds->joints)};
    compress_add(c, &result, &of);
    done.count++;
  }
  c->done = memory_grow(c->done, c->done_count, sizeof *c->done);
  c->done[c->done_count++] = done;
}

void former_take(struct compress *c, const char *path, struct bundle_place *place, size_t first) {
  const size_t before = c->count, files = c->done_count;
  for (size_t f = 0; f < place->making.count && first + f < c->files->count; f++)
    add_former(c, &place->file, &place->making.file[f], &c->files->file[first + f]);
  progress_clear();
  const char *bundle = compress_note_bundle(c, path, &place->file, c->count - before, true);
  for (size_t f = files; f < c->done_count; f++) c->done[f].bundle = bundle;
  for (size_t i = before; i < c->count; i++) clip_result_drop(&c->result[i]);
}
