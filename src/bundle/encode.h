/* Shared by the parts of the encoder of bundles. */
#ifndef QUATSIMD_BUNDLE_ENCODE_H
#define QUATSIMD_BUNDLE_ENCODE_H

#include "bundle/layout.h"
#include "clip/encode/append.h"
#include "clip/encode/memory.h"

typedef struct bundle_encoder {
  const quatsimd_bundle_source *source;
  quatsimd_bundle_report *report;
  quatsimd_memory memory;
  quatsimd_clip_storage *clip; /* opened, as the source has them */
  uint32_t *order;             /* clips of the source, in the order of their names */
  /* in that order: numbers of settings, and where records begin */
  uint32_t *setting_of;
  size_t *record_at;
  clip_bytes settings, records;
  quatsimd_bundle bundle; /* numbers, hash, usual states */
} bundle_encoder;

static inline const quatsimd_clip *bundle_clip(const bundle_encoder *e, size_t number) {
  return (const quatsimd_clip *)(const void *)&e->clip[number];
}

/* write.c: appends the record of a clip, whose number is that in the bundle. */
void quatsimd_bundle_write_record(bundle_encoder *e, size_t number);

#endif
