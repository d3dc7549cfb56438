/* Times at which a value of an FBX has keys: those of its curves, of their repetitions, and of what the
 * value depends on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "readers/fbx/fbx.h"

void fbx_free_times(const struct fbx_take *take, struct fbx_time_list *times) {
  take->fbx->bytes -= times->count * sizeof *times->seconds;
  free(times->seconds);
  *times = (struct fbx_time_list){NULL, 0};
}

/* Adds a time. False if reading takes too much memory or time by now. */
static bool add_time(const struct fbx_take *take, struct fbx_time_list *times, double time) {
  times->seconds = memory_grow(times->seconds, times->count, sizeof *times->seconds);
  times->seconds[times->count++] = time;
  return !fbx_spend(take->fbx, sizeof time);
}

static bool repeats(ufbx_extrapolation e) {
  return e.mode == UFBX_EXTRAPOLATION_REPEAT || e.mode == UFBX_EXTRAPOLATION_MIRROR ||
         e.mode == UFBX_EXTRAPOLATION_REPEAT_RELATIVE;
}

/* Adds the times of repetitions behind the last key, or before the first one, as far as the animation goes.
 */
static void add_repetitions(const struct fbx_take *take, struct fbx_time_list *times,
                            const ufbx_anim_curve *curve, bool behind) {
  const ufbx_extrapolation e = behind ? curve->post_extrapolation : curve->pre_extrapolation;
  const ufbx_keyframe_list *keys = &curve->keyframes;
  const double length = curve->max_time - curve->min_time,
               beyond = behind ? take->to - curve->max_time : curve->min_time - take->from;
  double count = repeats(e) ? ceil(beyond / length) : 0;
  bool good = true;
  if (e.repeat_count >= 0 && count > e.repeat_count) count = e.repeat_count;
  if (!isfinite(count)) count = 0; /* the file does not say how long the animation is */
  for (double n = 1; good && n <= count; n++)
    for (size_t k = 0; good && k < keys->count; k++) {
      const bool back = e.mode == UFBX_EXTRAPOLATION_MIRROR && fmod(n, 2) == 1;
      const double in = keys->data[k].time - curve->min_time, at = back ? length - in : in;
      good = add_time(take, times, curve->min_time + at + (behind ? n : -n) * length);
    }
}

static void add_prop(struct fbx_time_list *times, const struct fbx_take *take, const ufbx_anim_prop *prop) {
  for (int c = 0; c < 3; c++) {
    const ufbx_anim_curve *curve = prop->anim_value->curves[c];
    bool good = true;
    for (size_t k = 0; curve && good && k < curve->keyframes.count; k++)
      good = add_time(take, times, curve->keyframes.data[k].time);
    if (!curve || !good || curve->keyframes.count < 2 || !(curve->max_time - curve->min_time > 1e-6))
      continue;
    add_repetitions(take, times, curve, false);
    add_repetitions(take, times, curve, true);
  }
}

/* Returns the connection of a property to the one that it takes its value from; null: it has its own. */
static const ufbx_connection *source_of(const ufbx_element *element, const ufbx_string *prop) {
  for (size_t c = 0; c < element->connections_dst.count; c++) {
    const ufbx_connection *from = &element->connections_dst.data[c];
    if (from->src_prop.length > 0 && strcmp(from->dst_prop.data, prop->data) == 0) return from;
  }
  return NULL;
}

/* Adds the times of the property that another one takes its value from. True if it is animated. */
static bool add_source(struct fbx_time_list *times, const struct fbx_take *take,
                       const ufbx_connection *from) {
  enum { MOST = 100 }; /* from property to property */
  const ufbx_connection *next = from;
  bool any = false;
  for (int i = 0; i < MOST && next && !fbx_spend(take->fbx, 0); i++)
    from = next, next = source_of(from->src, &from->src_prop);
  for (size_t l = 0; l < take->anim.layers.count; l++) {
    const ufbx_anim_prop *prop =
        ufbx_find_anim_prop(take->anim.layers.data[l], from->src, from->src_prop.data);
    if (prop) add_prop(times, take, prop), any = true;
  }
  return any;
}

bool fbx_add_element(struct fbx_time_list *times, const struct fbx_take *take, const ufbx_element *element) {
  bool any = false;
  for (size_t l = 0; l < take->anim.layers.count && !take->fbx->over; l++) {
    const ufbx_anim_prop_list props = ufbx_find_anim_props(take->anim.layers.data[l], element);
    for (size_t p = 0; p < props.count; p++) add_prop(times, take, &props.data[p]), any = true;
  }
  for (size_t c = 0; c < element->connections_dst.count && !take->fbx->over; c++) {
    const ufbx_connection *from = &element->connections_dst.data[c];
    if (from->dst_prop.length > 0 && from->src_prop.length > 0) any = add_source(times, take, from) || any;
  }
  return any;
}

bool fbx_times_of_node(struct fbx_time_list *times, const struct fbx_take *take, const ufbx_node *node) {
  *times = (struct fbx_time_list){NULL, 0};
  bool any = fbx_add_element(times, take, &node->element);
  if (node->inherit_mode == UFBX_INHERIT_MODE_NORMAL || !node->parent) return any;
  any = fbx_add_element(times, take, &node->parent->element) || any;
  for (const ufbx_node *n = node->parent; n->inherit_scale_node; n = n->inherit_scale_node)
    any = fbx_add_element(times, take, &n->inherit_scale_node->element) || any;
  return any;
}

static int is_later(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* Sorts the times, and keeps those in [from, to]. Where it leaves some out, `from` or `to` is a time itself.
 * Ticks of FBX are 2e-11 s apart: times that are nearer than this are one. */
static void settle(const struct fbx_take *take, struct fbx_time_list *times) {
  const double close = 1e-8;
  size_t kept = 0;
  if (times->count > 0) qsort(times->seconds, times->count, sizeof *times->seconds, is_later);
  for (size_t i = 0; i < times->count; i++) {
    const double time = fmin(fmax(times->seconds[i], take->from), take->to);
    if (kept == 0 || time - times->seconds[kept - 1] > close) times->seconds[kept++] = time;
  }
  take->fbx->bytes -= (times->count - kept) * sizeof *times->seconds;
  times->count = kept;
}

struct fbx_times fbx_settle_times(struct fbx_time_list *times, const struct fbx_take *take) {
  for (size_t i = 0; i < take->weights.count && times->count > 0; i++)
    if (!add_time(take, times, take->weights.seconds[i])) break;
  if (take->from > -INFINITY) add_time(take, times, take->from), add_time(take, times, take->to);
  if (times->count == 0) add_time(take, times, 0);
  settle(take, times);
  const double rate = take->fbx->file->settings.frames_per_second; /* as the file says: anything */
  return (struct fbx_times){times->seconds, times->count, rate >= 1 && rate <= 1000 ? rate : 30};
}
