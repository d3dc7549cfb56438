/* Builds bundles of version 2 from sections that need not be valid. */
#ifndef BUNDLE_BUILD_H
#define BUNDLE_BUILD_H

#include "fixture.h"

enum { BUILD_MOST = 12 };

typedef struct build {
  size_t clips, count;
  struct {
    unsigned type;
    const void *bytes;
    size_t size;
  } part[BUILD_MOST];
} build;

/* Returns the sections of f's bundle. Their bytes stay in the bundle's memory. */
static inline build build_of(const fixture *f) {
  build b = {.clips = qsb_get((unsigned char *)f->data + QSB_CLIPS)};
  for (unsigned type = QSB_SKELETON; type <= QSB_MAKING; type++) {
    const qsb_part part = qsb_section(f->data, f->size, type);
    if (!part.at) continue;
    b.part[b.count].type = qsb_get(part.entry);
    b.part[b.count].bytes = part.at, b.part[b.count++].size = part.size;
  }
  return b;
}

static inline void build_insert(build *b, size_t at, unsigned type, const void *bytes, size_t size) {
  assert_true(b->count < BUILD_MOST && at <= b->count);
  memmove(&b->part[at + 1], &b->part[at], (b->count++ - at) * sizeof b->part[0]);
  b->part[at].type = type, b->part[at].bytes = bytes, b->part[at].size = size;
}
static inline void build_remove(build *b, size_t at) {
  memmove(&b->part[at], &b->part[at + 1], (--b->count - at) * sizeof b->part[0]);
}

/* Returns the bytes of a bundle with the sections of b and valid checksums. The caller frees them. */
static inline unsigned char *build_bytes(const build *b, size_t *size) {
  size_t end = QSB_HEAD + QSB_ENTRY * b->count;
  *size = end;
  for (size_t i = 0; i < b->count; i++) *size = (*size + 15) / 16 * 16 + b->part[i].size;
  unsigned char *bytes = calloc(*size, 1);
  assert_non_null(bytes);
  memcpy(bytes, "QSB\2", 4);
  qsb_put(bytes + QSB_CLIPS, b->clips, 4), qsb_put(bytes + QSB_SECTIONS, b->count, 4);
  for (size_t i = 0; i < b->count; i++) {
    unsigned char *entry = bytes + QSB_HEAD + QSB_ENTRY * i;
    end = (end + 15) / 16 * 16;
    qsb_put(entry, b->part[i].type, 4);
    qsb_put(entry + QSB_ENTRY_PLACE, end, 8), qsb_put(entry + QSB_ENTRY_SIZE, b->part[i].size, 8);
    if (b->part[i].size) memcpy(bytes + end, b->part[i].bytes, b->part[i].size);
    end += b->part[i].size;
  }
  bundle_bytes_seal(bytes, *size);
  return bytes;
}

/* Builds and opens the bundle. Then checks it if `check` is true. Returns the status of the last call. */
static inline quatsimd_status build_status(const build *b, bool check, quatsimd_bundle_report *report) {
  size_t size;
  quatsimd_bundle_storage storage;
  quatsimd_bundle *bundle;
  unsigned char *bytes = build_bytes(b, &size);
  quatsimd_status status = quatsimd_bundle_open(&bundle, &storage, sizeof storage, bytes, size);
  if (check && status == QUATSIMD_OK) status = quatsimd_bundle_check(bundle, report);
  free(bytes);
  return status;
}

#endif
