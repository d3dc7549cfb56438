/* Checks the encoder's arguments. */
#include "clip/encode/encoder.h"

static bool good_bound(float bound, float most) { return bound == 0 || (bound > 0 && bound <= most); }

/* Returns a text about the first bad number, or null. *kind gets the kind that this number bounds. */
static const char *bounds_error(float rotation, float translation, float scale, float object, float distance,
                                int *kind) {
  *kind = QUATSIMD_CLIP_ROTATION;
  if (!good_bound(rotation, 1) || (rotation > 0 && rotation < 1e-5f))
    return "rotation_bound is not 0 or from 1e-5 to 1";
  *kind = QUATSIMD_CLIP_TRANSLATION;
  if (!good_bound(translation, 0x1p+60f)) return "translation_bound is not from 0 to 2^60";
  *kind = QUATSIMD_CLIP_SCALE;
  if (!good_bound(scale, 0x1p+60f)) return "scale_bound is not from 0 to 2^60";
  *kind = QUATSIMD_CLIP_NO_KIND;
  if (!good_bound(object, 0x1p+60f)) return "object_bound is not from 0 to 2^60";
  return good_bound(distance, 0x1p+60f) ? NULL : "object_distance is not from 0 to 2^60";
}

static const char *options_error(const quatsimd_clip_options *o, int *kind) {
  const char *error = bounds_error(o->rotation_bound, o->translation_bound, o->scale_bound, o->object_bound,
                                   o->object_distance, kind);
  if (error) return error;
  *kind = QUATSIMD_CLIP_TRACK;
  if (!good_bound(o->track_bound, 0x1p+60f)) return "track_bound is not from 0 to 2^60";
  *kind = QUATSIMD_CLIP_NO_KIND;
  if (o->rate != 0 && !(o->rate >= 0x1p-100 && o->rate <= 0x1p+60))
    return "rate is not 0 or from 2^-100 to 2^60";
  if (o->looping != 0 && o->looping != 1) return "looping is not 0 or 1";
  if (o->close_loop != 0 && o->close_loop != 1) return "close_loop is not 0 or 1";
  if (o->bundled != 0 && o->bundled != 1) return "bundled is not 0 or 1";
  if (o->snap_times != 0 && o->snap_times != 1) return "snap_times is not 0 or 1";
  if (o->additive < QUATSIMD_CLIP_ADDITIVE_NONE || o->additive > QUATSIMD_CLIP_ADDITIVE_BASE)
    return "additive is not from 0 to 2";
  if (o->runner && !o->runner->run) return "run of the runner is null";
  if (!quatsimd_is_allocator(o->allocator)) return CLIP_NO_ALLOCATOR;
  const bool on_base = o->additive == QUATSIMD_CLIP_ADDITIVE_BASE;
  return on_base && !o->additive_base ? "additive_base is null"
         : !on_base && o->additive_base
             ? "additive_base without additive: QUATSIMD_CLIP_ADDITIVE_BASE uses it"
             : NULL;
}

/* Returns a text about a joint's bound that nothing would use, or null. *kind gets the kind it bounds. */
static const char *unused_bound(const quatsimd_clip_joint *joint, const quatsimd_clip_options *o, int *kind) {
  *kind = QUATSIMD_CLIP_NO_KIND;
  if (clip_is_zero(o->object_bound))
    return !clip_is_zero(joint->object_bound) ? "the joint has an object_bound, and the options have none"
           : !clip_is_zero(joint->object_distance)
               ? "the joint has an object_distance, and the options have no object_bound"
               : NULL;
  const float own[] = {joint->rotation_bound, joint->translation_bound, joint->scale_bound};
  for (*kind = 0; *kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; ++*kind)
    if (!clip_is_zero(own[*kind]))
      return "the options have an object_bound, which replaces this bound of the joint";
  return NULL;
}

quatsimd_status quatsimd_encode_check(const quatsimd_clip_source *source,
                                      const quatsimd_clip_options *options, quatsimd_clip_report *report) {
  int kind;
  const char *error = options_error(options, &kind);
  if (error) return clip_refuse(report, CLIP_NOWHERE, kind, CLIP_NOWHERE, error);
  for (size_t j = 0; source->joints && source->joint_count <= CLIP_MOST_JOINTS && j < source->joint_count;
       j++) {
    const quatsimd_clip_joint *joint = &source->joints[j];
    error = bounds_error(joint->rotation_bound, joint->translation_bound, joint->scale_bound,
                         joint->object_bound, joint->object_distance, &kind);
    if (!error) error = unused_bound(joint, options, &kind);
    if (error) return clip_refuse(report, j, kind, CLIP_NOWHERE, error);
  }
  for (size_t t = 0; source->tracks && source->track_count <= CLIP_MOST_JOINTS && t < source->track_count;
       t++)
    if (!good_bound(source->tracks[t].bound, 0x1p+60f))
      return clip_refuse(report, t, QUATSIMD_CLIP_TRACK, CLIP_NOWHERE, "the bound is not from 0 to 2^60");
  return QUATSIMD_OK;
}
