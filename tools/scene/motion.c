#include "scene/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "readers/readers.h"
#include "scene/input.h"

static struct motion *add(struct motions *motions, const char *name) {
  motions->motion = memory_grow(motions->motion, motions->count, sizeof *motions->motion);
  struct motion *motion = &motions->motion[motions->count++];
  *motion = (struct motion){.name = text_clean(name)};
  return motion;
}

double motion_rate(const struct motion *m) {
  return (double)(m->frames - 1) / (m->seconds[m->frames - 1] - m->seconds[0]);
}

/* times. ----------------------------------------------------------------------------------------------- */

static bool makes_sense(const double *seconds, size_t frames) {
  for (size_t f = 1; f < frames; f++)
    if (!(seconds[f - 1] <= seconds[f])) return false;
  const double all = seconds[frames - 1] - seconds[0];
  return all >= 1e-9 && all <= 1e9;
}

/* seconds: null or nonsense if there are none. */
static void take_times(struct motion *motion, const double *seconds, double rate) {
  const size_t frames = motion->frames;
  if (seconds && !makes_sense(seconds, frames)) seconds = NULL;
  motion->seconds = memory_get(frames, sizeof *motion->seconds);
  for (size_t f = 0; f < frames; f++) motion->seconds[f] = seconds ? seconds[f] : (double)f / rate;
  const double even_rate = motion_rate(motion), start = motion->seconds[0];
  motion->even = true;
  for (size_t f = 0; f < frames; f++)
    motion->even &= fabs((motion->seconds[f] - start) * even_rate - (double)f) < 0.1;
}

/* animations. -------------------------------------------------------------------------------------------- */

/* A curve of rotations and where it stands in its animation. */
struct place {
  const struct scene_curve *curve;
  size_t at;
};

/* Times alone: 0 for curves of one motion. Byte by byte: a broken file may have times that are no numbers. */
static int compare_times(const struct scene_curve *a, const struct scene_curve *b) {
  if (a->keys != b->keys) return a->keys < b->keys ? -1 : 1;
  return memcmp(a->seconds, b->seconds, a->keys * sizeof *a->seconds);
}

/* The longest curves first, curves of one motion side by side, as in the file among themselves. */
static int compare_places(const void *a, const void *b) {
  const struct place *p = a, *q = b;
  const int order = compare_times(q->curve, p->curve);
  return order ? order : p->at < q->at ? -1 : p->at > q->at;
}

static void take_group(struct motions *motions, const char *name, const struct place *place, size_t bodies,
                       double rate) {
  struct motion *motion = add(motions, name);
  motion->bodies = bodies;
  motion->frames = place->curve->keys;
  take_times(motion, place->curve->seconds, rate);
  motion->xyzw = memory_get(motion->frames, bodies * 4 * sizeof(float));
  float *end = motion->xyzw;
  for (size_t f = 0; f < motion->frames; f++)
    for (size_t b = 0; b < bodies; b++, end += 4)
      memcpy(end, scene_key(place[b].curve, SCENE_ROTATION, f), 4 * sizeof *end);
}

static void take_animation(struct motions *motions, const struct scene_animation *animation, double rate) {
  struct place *places = memory_get(animation->channels, sizeof *places);
  size_t count = 0;
  for (size_t c = 0; c < animation->channels; c++) {
    const struct scene_curve *curve = &animation->channel[c].curve[SCENE_ROTATION];
    if (curve->keys > 1) places[count] = (struct place){curve, count}, count++;
    else motions->left_out += curve->keys;
  }
  if (count) qsort(places, count, sizeof *places, compare_places);
  for (size_t first = 0, behind; first < count; first = behind) {
    for (behind = first + 1; behind < count; behind++)
      if (compare_times(places[first].curve, places[behind].curve) != 0) break;
    take_group(motions, animation->name, &places[first], behind - first, rate);
  }
  free(places);
}

static bool read_scene(struct motions *motions, double rate) {
  struct scene scene;
  if (!input_scene(motions->path, &scene)) return false;
  motions->unread = scene.unread;
  for (size_t a = 0; a < scene.animations; a++) take_animation(motions, &scene.animation[a], rate);
  scene_free(&scene);
  if (motions->count == 0)
    complain(motions->path, "no curve has more than one key: nothing moves in this file");
  return motions->count > 0;
}

/* arrays. ------------------------------------------------------------------------------------------------ */

static bool read_array(struct motions *motions, bool w_first, double rate) {
  struct npy array;
  float *xyzw = input_read_array(motions->path, w_first, &array);
  if (!xyzw) return false;
  const size_t frames = array.axes > 1 ? array.shape[0] : 1;
  if (array.count > 0 && frames > 1) {
    struct motion *motion = add(motions, "");
    motion->bodies = array.count / 4 / frames, motion->frames = frames, motion->xyzw = xyzw;
    take_times(motion, NULL, rate);
    return true;
  }
  if (array.count == 0) complain(motions->path, "the array is empty");
  else
    complain(
        motions->path,
        "the array's shape is %s; a motion is (frames, 4) or (frames, bodies, 4), with two frames or more",
        npy_shape_text(&array));
  free(xyzw);
  return false;
}

/* -------------------------------------------------------------------------------------------------------- */

bool motions_read(const char *path, bool w_first, double rate, struct motions *motions) {
  *motions = (struct motions){.path = path};
  const struct reader *reader = reader_of(path);
  if (!reader) return false;
  if (reader->still) {
    complain(path, "is %s, which does not move", reader->name);
    return false;
  }
  const bool good = reader->scene ? read_scene(motions, rate) : read_array(motions, w_first, rate);
  if (!good) motions_free(motions);
  return good;
}

void motions_free(struct motions *motions) {
  for (size_t m = 0; m < motions->count; m++) {
    free(motions->motion[m].name);
    free(motions->motion[m].xyzw);
    free(motions->motion[m].seconds);
  }
  free(motions->motion);
  motions->motion = NULL;
  motions->count = motions->left_out = motions->unread = 0;
}
