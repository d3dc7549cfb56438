#include <stdlib.h>
#include <string.h>

#include "bundle/layout.h"
#include "bundle/separate.h"
#include "native.h"

struct join {
  size_t parts, clips, masks;
  quatsimd_bundle_storage *storage;
  quatsimd_bundle **bundle;
  quatsimd_bundle_entry *entry;
  void **opened; /* clips, whose events are read */
  quatsimd_bundle_mask_entry *mask;
  float *weights; /* of the masks */
};

static quatsimd_status open_parts(struct join *join, const void *const *part, const size_t *part_size) {
  join->storage = calloc(join->parts + 1, sizeof *join->storage);
  join->bundle = calloc(join->parts + 1, sizeof(quatsimd_bundle *));
  if (!join->storage || !join->bundle) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; i < join->parts; i++) {
    const quatsimd_status status = quatsimd_bundle_open(&join->bundle[i], &join->storage[i],
                                                        sizeof *join->storage, part[i], part_size[i]);
    if (status != QUATSIMD_OK) return status;
    if (quatsimd_bundle_skeleton_hash(join->bundle[i]) != quatsimd_bundle_skeleton_hash(join->bundle[0]))
      return QUATSIMD_ERROR_WRONG_SKELETON;
    join->clips += quatsimd_bundle_clip_count(join->bundle[i]);
  }
  join->entry = calloc(join->clips + 1, sizeof *join->entry);
  join->opened = calloc(join->clips + 1, sizeof(void *));
  return join->entry && join->opened ? QUATSIMD_OK : QUATSIMD_ERROR_NO_MEMORY;
}

static quatsimd_status take_events(quatsimd_bundle_entry *entry, const quatsimd_clip *clip) {
  entry->event_count = quatsimd_clip_event_count(clip);
  quatsimd_bundle_event *event = calloc(entry->event_count + 1, sizeof *event);
  if (!event) return QUATSIMD_ERROR_NO_MEMORY;
  entry->events = event;
  for (size_t i = 0; i < entry->event_count; i++)
    event[i] = (quatsimd_bundle_event){quatsimd_clip_event_time(clip, i), quatsimd_clip_event_name(clip, i)};
  return QUATSIMD_OK;
}

static quatsimd_status take_clip(quatsimd_bundle_entry *entry, void **opened, const quatsimd_bundle *bundle,
                                 size_t number) {
  const size_t size = quatsimd_bundle_clip_memory_size(bundle, number);
  quatsimd_clip *clip;
  void *data;
  *opened = malloc(size + 1);
  if (!*opened) return QUATSIMD_ERROR_NO_MEMORY;
  quatsimd_status status = quatsimd_bundle_open_clip(bundle, number, &clip, *opened, size);
  if (status == QUATSIMD_OK) status = quatsimd_clip_separate(&data, &entry->data_size, clip, NULL);
  if (status != QUATSIMD_OK) return status;
  entry->data = data;
  status = take_events(entry, clip);
  if (entry->event_count == 0) free(*opened), *opened = NULL;
  return status;
}

static quatsimd_status take_clips(struct join *join, const char *const *names) {
  size_t at = 0;
  for (size_t i = 0; i < join->parts; i++)
    for (size_t k = 0; k < quatsimd_bundle_clip_count(join->bundle[i]); k++, at++) {
      const quatsimd_status status = take_clip(&join->entry[at], &join->opened[at], join->bundle[i], k);
      if (status != QUATSIMD_OK) return status;
      join->entry[at].name = names[at];
    }
  return QUATSIMD_OK;
}

static quatsimd_status take_masks(struct join *join) {
  const quatsimd_bundle *bundle = join->bundle[0];
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  const quatsimd_status status = quatsimd_bundle_open_skeleton(bundle, &skeleton, &storage, sizeof storage);
  if (status != QUATSIMD_OK) return status;
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               width = joints + quatsimd_skeleton_track_count(skeleton);
  join->masks = quatsimd_bundle_mask_count(bundle);
  join->mask = calloc(join->masks + 1, sizeof *join->mask);
  join->weights = calloc(join->masks * width + 1, sizeof *join->weights);
  if (!join->mask || !join->weights) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t m = 0; m < join->masks; m++) {
    float *weights = join->weights + m * width;
    join->mask[m] =
        (quatsimd_bundle_mask_entry){quatsimd_bundle_mask_name(bundle, m), weights, weights + joints};
    (void)quatsimd_bundle_mask(bundle, join->mask[m].name, weights, weights + joints); /* it is there */
  }
  return QUATSIMD_OK;
}

static void close_join(struct join *join) {
  for (size_t i = 0; join->entry && join->opened && i < join->clips; i++) {
    quatsimd_clip_free(NULL, (void *)(uintptr_t)join->entry[i].data);
    free((void *)(uintptr_t)join->entry[i].events), free(join->opened[i]);
  }
  free(join->storage), free(join->bundle), free(join->entry), free(join->opened), free(join->mask),
      free(join->weights);
}

quatsimd_status quatsimd_python_join(void **data, size_t *size, const void *const *part,
                                     const size_t *part_size, size_t parts, const char *const *names,
                                     const void *making, size_t making_size, quatsimd_bundle_report *report) {
  struct join join = {.parts = parts};
  quatsimd_status status = open_parts(&join, part, part_size);
  if (status == QUATSIMD_OK) status = take_clips(&join, names);
  if (status == QUATSIMD_OK) status = take_masks(&join);
  if (status == QUATSIMD_OK) {
    const quatsimd_bundle *first = join.bundle[0];
    const quatsimd_bundle_source source = {.struct_size = sizeof source,
                                           .entry_size = sizeof *join.entry,
                                           .skeleton = first->skeleton,
                                           .skeleton_size = first->skeleton_size,
                                           .clips = join.entry,
                                           .clip_count = join.clips,
                                           .masks = join.mask,
                                           .mask_count = join.masks,
                                           .making = making,
                                           .making_size = making_size};
    status = quatsimd_bundle_encode(data, size, &source, NULL, report);
  }
  close_join(&join);
  return status;
}
