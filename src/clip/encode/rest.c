/* Takes the rest pose from the clip's skeleton. */
#include "clip/encode/encoder.h"
#include "quatsimd/skeleton.h"

/* Copies a source. Curves without keys get one: their rest pose. Returns null if memory runs out. */
static const quatsimd_clip_source *fill(clip_encoder *e, const quatsimd_clip_source *source) {
  const quatsimd_clip_source *filled = quatsimd_source_copy(&e->memory, source);
  for (int kind = 0; filled && kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t i = 0; i < clip_curves(source, kind); i++)
      if (clip_curve(filled, kind, i)->key_count == 0)
        *(quatsimd_curve *)(uintptr_t)clip_curve(filled, kind, i) =
            (quatsimd_curve){.key_count = 1, .values = e->rest[kind] + clip_components(kind) * i};
  return filled;
}

quatsimd_status quatsimd_encode_rest(clip_encoder *e) {
  const struct quatsimd_skeleton *skeleton = e->options->skeleton;
  const quatsimd_clip_source *source = e->original, *base = e->base;
  if (!skeleton) return QUATSIMD_OK;
  if (quatsimd_skeleton_joint_count(skeleton) != source->joint_count)
    return clip_refuse_all(e->report, "the skeleton has more or fewer joints");
  if (quatsimd_skeleton_track_count(skeleton) != source->track_count)
    return clip_refuse_all(e->report, "the skeleton has more or fewer tracks");
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const size_t curves = clip_curves(source, kind);
    e->rest[kind] = quatsimd_take(&e->memory, curves + 1, clip_components(kind) * sizeof(float));
    e->absent[kind] = quatsimd_take(&e->memory, curves + 1, sizeof(bool));
    if (!e->rest[kind] || !e->absent[kind]) return QUATSIMD_ERROR_NO_MEMORY;
    for (size_t i = 0; i < curves; i++)
      e->absent[kind][i] =
          clip_curve(source, kind, i)->key_count == 0 && (!base || clip_curve(base, kind, i)->key_count == 0);
  }
  quatsimd_pose_out pose = {quatsimd_aos_out(e->rest[0]), quatsimd_aos_out(e->rest[1]),
                            quatsimd_aos_out(e->rest[2]), e->rest[QUATSIMD_CLIP_TRACK]};
  quatsimd_skeleton_rest_pose(skeleton, &pose, 0, source->joint_count);
  e->original = e->source = fill(e, source);
  if (base) e->base = base == source ? e->original : fill(e, base);
  return e->original && (e->base || !base) ? QUATSIMD_OK : QUATSIMD_ERROR_NO_MEMORY;
}
