/* The encoder: stage after stage, until all bounds hold. */
#include "core/dispatch.h"
#include "core/growing.h"
#include "clip/encode/encoder.h"
#include "clip/encode/measure.h"
#include "clip/sample/open.h"

const char quatsimd_out_of_reach[] = "object_bound cannot be held, however finely curves are stored: points "
                                     "are too far away for it, or keys too near in time "
                                     "to each other or a frame";

static float bound_of(const quatsimd_clip_options *options, const quatsimd_clip_joint *joint, int kind) {
  const float own[] = {joint->rotation_bound, joint->translation_bound, joint->scale_bound};
  const float all[] = {options->rotation_bound, options->translation_bound, options->scale_bound};
  return own[kind] > 0 ? own[kind] : all[kind];
}

/* Additive clips: the source becomes relative to its base. */
static quatsimd_status make_relative(clip_encoder *e) {
  const quatsimd_clip_source *base =
      e->options->additive == QUATSIMD_CLIP_ADDITIVE_BASE ? e->options->base : NULL;
  if (base && base->joints != e->source->joints)
    return clip_refuse_all(e->report, "the base has more or fewer joints");
  const quatsimd_status status = base ? quatsimd_source_check(base, e->report) : QUATSIMD_OK;
  if (status != QUATSIMD_OK) return status;
  const quatsimd_clip_joint *joint = quatsimd_source_relative(&e->memory, e->source, base, e->report);
  if (!joint) return e->report->error ? QUATSIMD_ERROR_BAD_KEY : QUATSIMD_ERROR_NO_MEMORY;
  e->base = base ? base : e->source;
  e->relative = (quatsimd_clip_source){e->source->joints, joint};
  e->source = &e->relative;
  return QUATSIMD_OK;
}

/* What an error of an additive clip is multiplied by once it is put on its base: of scales, the largest
 * one of the base. */
static double error_factor(const clip_encoder *e, int kind, size_t joint) {
  if (!e->base || kind != QUATSIMD_CLIP_SCALE) return 1;
  const quatsimd_curve *curve = &e->base->joint[joint].scale;
  const size_t keys =
      e->options->additive == QUATSIMD_CLIP_ADDITIVE_FIRST && curve->keys > 1 ? 1 : curve->keys;
  double most = keys ? 0 : 1;
  for (size_t i = 0; i < 3 * keys; i++) {
    const double scale = (double)curve->values[i], size = scale < 0 ? -scale : scale;
    if (size > most) most = size;
  }
  return most;
}

static bool load_bounds(clip_encoder *e) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    double *bound = quatsimd_take(&e->memory, e->source->joints + 1, sizeof *bound);
    for (size_t j = 0; bound && j < e->source->joints; j++)
      bound[j] = (double)bound_of(e->options, &e->source->joint[j], kind) / error_factor(e, kind, j);
    e->bound[kind] = bound;
    if (!bound) return false;
  }
  return true;
}

static quatsimd_status encode_once(clip_encoder *e, clip_bytes *bytes) {
  quatsimd_status status = QUATSIMD_OK;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && status == QUATSIMD_OK; kind++) {
    e->coded[kind] = (clip_coded_kind){0};
    status = quatsimd_encode_classify(e, kind);
  }
  if (status == QUATSIMD_OK) quatsimd_encode_precision(e);
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && status == QUATSIMD_OK; kind++)
    status = quatsimd_encode_kind(e, kind);
  return status == QUATSIMD_OK ? quatsimd_encode_write(bytes, e) : status;
}

/* The worst ratio of an object error to its bound; bounds get tighter where it is above 1. */
static quatsimd_status measure_object(clip_encoder *e, const quatsimd_clip *clip, double *ratio) {
  double *worst = quatsimd_take(&e->memory, e->source->joints + 1, sizeof *worst);
  const quatsimd_status status =
      worst ? quatsimd_object_errors(&e->skeleton, &e->memory, clip, worst) : QUATSIMD_ERROR_NO_MEMORY;
  if (status != QUATSIMD_OK) return status;
  *ratio = 0;
  e->report->worst_object = 0;
  for (size_t j = 0; j < e->source->joints; j++) {
    if ((float)worst[j] > e->report->worst_object) e->report->worst_object = (float)worst[j];
    if (worst[j] > *ratio * (double)e->skeleton.bound[j])
      *ratio = worst[j] / (double)e->skeleton.bound[j], e->worst_joint = j,
      e->worst_kind = QUATSIMD_CLIP_KINDS;
  }
  if (*ratio > 1) quatsimd_object_tighten(&e->skeleton, worst, e->bound);
  return QUATSIMD_OK;
}

/* Encodes and measures; the worst ratio of an error to its bound. */
static quatsimd_status attempt(clip_encoder *e, clip_bytes *bytes, double *ratio) {
  struct piece *mark = e->memory.last;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip = NULL;
  double *worst[QUATSIMD_CLIP_KINDS] = {NULL};
  bytes->size = 0;
  quatsimd_status status = encode_once(e, bytes);
  if (status == QUATSIMD_OK &&
      (status = quatsimd_clip_open(&clip, &storage, sizeof storage, bytes->data, bytes->size)) != QUATSIMD_OK)
    clip_refuse_all(e->report, "what was made of it is no clip, which should not be; please report it");
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && status == QUATSIMD_OK; kind++) {
    worst[kind] = quatsimd_take(&e->memory, e->source->joints + 1, sizeof *worst[kind]);
    if (!worst[kind]) status = QUATSIMD_ERROR_NO_MEMORY;
  }
  if (status == QUATSIMD_OK) status = quatsimd_measure(&e->memory, clip, e->source, worst);
  *ratio = 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && status == QUATSIMD_OK; kind++) {
    e->report->constant[kind] = clip->part[kind].constants, e->report->moving[kind] = clip->part[kind].moving;
    e->report->keyed[kind] = clip->part[kind].keyed, e->report->worst[kind] = 0;
    for (size_t j = 0; j < e->source->joints; j++) {
      const float found = (float)(worst[kind][j] * error_factor(e, kind, j));
      if (found > e->report->worst[kind]) e->report->worst[kind] = found;
      if (worst[kind][j] > *ratio * e->bound[kind][j])
        *ratio = worst[kind][j] / e->bound[kind][j], e->worst_joint = j, e->worst_kind = kind;
    }
  }
  if (status == QUATSIMD_OK && clip_in_object_space(e)) status = measure_object(e, clip, ratio);
  quatsimd_release(&e->memory, mark);
  return status;
}

static quatsimd_status start_object_space(clip_encoder *e) {
  e->skeleton = (clip_skeleton){.source = e->source,
                                .base = e->base,
                                .first_keys = e->options->additive == QUATSIMD_CLIP_ADDITIVE_FIRST};
  const quatsimd_status status = quatsimd_skeleton(&e->skeleton, &e->memory, e->options, e->report);
  if (status == QUATSIMD_OK) quatsimd_object_bounds(&e->skeleton, e->bound);
  return status;
}

/* No attempt held the bounds: says where the last one was furthest off. In object space that are points,
 * which all curves above move; else it is a curve with keys of its own, as those at frames get finer with
 * each attempt, and its values are fine enough at once. */
static quatsimd_status give_up(const clip_encoder *e, const clip_bytes *bytes) {
  const size_t joint = e->worst_joint;
  const int kind = e->worst_kind;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  double worst = 0;
  if (kind == QUATSIMD_CLIP_KINDS)
    return clip_refuse(e->report, joint, kind, CLIP_NOWHERE, quatsimd_out_of_reach);
  const quatsimd_status status =
      quatsimd_clip_open(&clip, &storage, sizeof storage, bytes->data, bytes->size);
  if (status != QUATSIMD_OK) return status;
  const size_t key =
      quatsimd_measure_keys(clip, kind, joint, clip_curve(&e->source->joint[joint], kind), &worst);
  /* with the base's keys: numbers are not the source's */
  const bool merged = e->options->additive == QUATSIMD_CLIP_ADDITIVE_BASE;
  return clip_refuse(e->report, joint, kind, merged ? CLIP_NOWHERE : key,
                     "sampling at the key's time is off by more than the bound: another key or a frame is "
                     "too near in time to be told from it");
}

static quatsimd_status encode(clip_encoder *e, clip_bytes *bytes) {
  enum { ATTEMPTS = 8, OBJECT_ATTEMPTS = 32 };
  quatsimd_status status = quatsimd_source_check(e->source, e->report);
  if (status == QUATSIMD_OK && e->options->additive) status = make_relative(e);
  if (status != QUATSIMD_OK) return status;
  clip_grid *grid = &e->grid;
  status = quatsimd_source_grid(&e->memory, e->source, e->options->rate, grid, e->report);
  if (status != QUATSIMD_OK) return status;
  if (grid->rate > 0x1p+100)
    return clip_refuse_all(e->report,
                           "the animation is so short that frames would be less than 2^-100 seconds apart");
  e->report->rate = grid->rate, e->report->frames = grid->frames;
  if (!load_bounds(e)) return QUATSIMD_ERROR_NO_MEMORY;
  quatsimd_encode_tables(e);
  if (clip_in_object_space(e)) status = start_object_space(e);
  if (status != QUATSIMD_OK) return status;
  for (int i = 0; i < (clip_in_object_space(e) ? OBJECT_ATTEMPTS : ATTEMPTS); i++) {
    /* rounding was worse than the slack for it: hardly ever */
    if (i > 0 && !clip_in_object_space(e)) e->tighter *= 0.98;
    double ratio;
    status = attempt(e, bytes, &ratio);
    if (status != QUATSIMD_OK || ratio <= 1) return status;
  }
  return give_up(e, bytes);
}

/* All but the arguments that are no structs. */
static quatsimd_status encode_source(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                                     void **data, size_t *size, quatsimd_clip_report *report) {
  quatsimd_status status = quatsimd_encode_check(source, options, report);
  if (status != QUATSIMD_OK) return status;
  const quatsimd_allocator *allocator = options->allocator;
  clip_encoder *e = quatsimd_allocate(allocator, sizeof *e);
  if (!e) return QUATSIMD_ERROR_NO_MEMORY;
  memset(e, 0, sizeof *e);
  e->source = source, e->options = options, e->report = report, e->kernels = quatsimd_active_kernels()->clip,
  e->tighter = 1;
  e->memory.allocator = allocator;
  clip_bytes bytes = {.allocator = allocator};
  status = encode(e, &bytes);
  quatsimd_release(&e->memory, NULL);
  quatsimd_clip_free(allocator, e);
  void *const fitting = status == QUATSIMD_OK ? quatsimd_allocate(allocator, bytes.size) : NULL;
  if (fitting) *data = memcpy(fitting, bytes.data, bytes.size), *size = bytes.size;
  else if (status == QUATSIMD_OK) status = QUATSIMD_ERROR_NO_MEMORY;
  quatsimd_clip_free(allocator, bytes.data);
  return status;
}

/* The first version's structs end with these members. */
enum {
  FIRST_OPTIONS = offsetof(quatsimd_clip_options, allocator) + sizeof(void *),
  FIRST_REPORT = offsetof(quatsimd_clip_report, worst_object) + sizeof(float)
};

quatsimd_status quatsimd_clip_options_init(quatsimd_clip_options *options, size_t struct_size) {
  const quatsimd_clip_options own = {0};
  return growing_init(options, struct_size, &own, sizeof own, FIRST_OPTIONS) ? QUATSIMD_OK
                                                                             : QUATSIMD_ERROR_BAD_ARGUMENT;
}

quatsimd_status quatsimd_clip_report_init(quatsimd_clip_report *report, size_t struct_size) {
  const quatsimd_clip_report own = {0};
  return growing_init(report, struct_size, &own, sizeof own, FIRST_REPORT) ? QUATSIMD_OK
                                                                           : QUATSIMD_ERROR_BAD_ARGUMENT;
}

quatsimd_status quatsimd_clip_encode(void **data, size_t *size, const quatsimd_clip_source *source,
                                     const quatsimd_clip_options *options, quatsimd_clip_report *report) {
  quatsimd_clip_options own = {0};
  quatsimd_clip_report found = {0};
  if (report && !growing_is_size(report->struct_size, FIRST_REPORT)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_status status =
      !source || !options || !data || !size ? clip_refuse_all(&found, "source, options, data or size is null")
      : !growing_read(&own, sizeof own, options, FIRST_OPTIONS)
          ? clip_refuse_all(&found,
                            "options were not filled by quatsimd_clip_options_init, or are newer than "
                            "this version")
          : encode_source(source, &own, data, size, &found);
  if (report) growing_write(report, &found, sizeof found);
  return status;
}
