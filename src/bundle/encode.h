#ifndef QUATSIMD_BUNDLE_ENCODE_H
#define QUATSIMD_BUNDLE_ENCODE_H

#include "bundle/layout.h"
#include "clip/encode/append.h"
#include "clip/encode/memory.h"
#include "skeleton/name.h"

typedef struct bundle_encoder {
  quatsimd_bundle_source source; /* a copy of the caller's source, as this version's struct */
  quatsimd_bundle_entry *entry;  /* copies of the entries of clips, as this version's structs */
  quatsimd_bundle_report *report;
  quatsimd_memory memory;
  quatsimd_clip_storage *clip; /* opened clips, in the order of the source */
  uint32_t *order;             /* numbers of the source's clips, in the order of their names */
  uint32_t *setting_of;        /* [i]: the number of the setting of clip order[i] */
  size_t *record_at;           /* [i]: the offset of the record of clip order[i] */
  /* the bytes of all sections, except the skeleton and the record of the bundle's making: see `source` */
  clip_bytes section[SECTION_END];
  quatsimd_bundle bundle; /* only clips, settings, joints, tracks, hash, usual and varies are set */
} bundle_encoder;

static inline const quatsimd_clip *bundle_clip(const bundle_encoder *e, size_t number) {
  return (const quatsimd_clip *)(const void *)&e->clip[number];
}

static inline bool bundle_is_name(const char *name) {
  return quatsimd_name_bytes((const unsigned char *)name, SIZE_MAX) != 0;
}
static inline int bundle_compare(const char *a, const char *b) {
  return quatsimd_name_compare((const unsigned char *)a, (const unsigned char *)b);
}
static inline quatsimd_status bundle_refuse(bundle_encoder *e, const char *error) {
  e->report->error = error;
  return QUATSIMD_ERROR_BAD_ARGUMENT;
}
static inline quatsimd_status bundle_refuse_clip(bundle_encoder *e, size_t clip, const char *error) {
  e->report->clip = clip, e->report->error = error;
  return QUATSIMD_ERROR_BAD_CLIP;
}

/* The first 4 bytes of the section are the number of settings. */
static inline unsigned char *bundle_setting(const bundle_encoder *e, size_t number) {
  return e->section[SECTION_SETTINGS].data + 4 + BUNDLE_SETTING * number;
}

static inline void bundle_append(clip_bytes *bytes, const void *from, size_t size) {
  unsigned char *to = quatsimd_clip_append(bytes, size);
  if (to && from) memcpy(to, from, size);
}
static inline void bundle_append_number(clip_bytes *bytes, uint64_t number, size_t size) {
  unsigned char *to = quatsimd_clip_append(bytes, size);
  if (to) store_little(to, number, size);
}
static inline size_t bundle_append_name(clip_bytes *bytes, const char *name) {
  const size_t at = bytes->size;
  bundle_append(bytes, name, quatsimd_name_bytes((const unsigned char *)name, SIZE_MAX));
  return at;
}

/* write.c: appends the record of a clip. number: the clip's number in the bundle. */
void quatsimd_bundle_write_record(bundle_encoder *e, size_t number);
/* sections.c: make the sections of events and masks, if the source has any. */
quatsimd_status quatsimd_bundle_write_events(bundle_encoder *e);
quatsimd_status quatsimd_bundle_write_masks(bundle_encoder *e);
/* sections.c: allocates memory and writes the bundle to it. All records must have been written before. */
quatsimd_status quatsimd_bundle_write_container(bundle_encoder *e, void **data, size_t *size);

#endif
