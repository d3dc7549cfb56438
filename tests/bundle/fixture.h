/* A bundle, encoded and opened. */
#ifndef BUNDLE_FIXTURE_H
#define BUNDLE_FIXTURE_H

#include "support/bundle_bytes.h"
#include "support/bundles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

typedef struct fixture {
  made_bundle made;
  void *data;
  size_t size;
  quatsimd_bundle_storage storage;
  quatsimd_bundle *bundle;
} fixture;

static inline void fixture_encode(fixture *f) {
  quatsimd_bundle_report report;
  assert_int_equal(quatsimd_bundle_report_init(&report, sizeof report), QUATSIMD_OK);
  const quatsimd_status status = quatsimd_bundle_encode(&f->data, &f->size, &f->made.source, NULL, &report);
  if (status != QUATSIMD_OK)
    fail_msg("%s; clip %zu: %s", quatsimd_status_string(status), report.clip,
             report.error ? report.error : "no message");
  assert_null(report.error);
  assert_true(report.clip == SIZE_MAX && report.other == SIZE_MAX);
  assert_int_equal(quatsimd_bundle_open(&f->bundle, &f->storage, sizeof f->storage, f->data, f->size),
                   QUATSIMD_OK);
}

/* Of the short clips of these names, which null ends; all have as many joints and tracks. */
static inline void fixture_make(fixture *f, const char *const *names) {
  *f = (fixture){.data = NULL};
  for (; *names; names++)
    for (size_t i = 0; i < SCENES; i++) {
      if (strcmp(scenes[i].name, *names) != 0) continue;
      if (!f->made.skeleton) {
        scene s;
        scene_make(&s, &scenes[i]);
        made_bundle_of(&f->made, s.source.joint_count, s.source.track_count);
        scene_free(&s);
      }
      made_bundle_add(&f->made, &scenes[i], "", 1);
    }
  fixture_encode(f);
}

static inline void fixture_free(fixture *f) {
  quatsimd_bundle_free(NULL, f->data);
  made_bundle_free(&f->made);
}

/* The clip of this name, in memory to be freed. */
static inline quatsimd_clip *fixture_clip(const fixture *f, const char *name) {
  const int64_t number = quatsimd_bundle_find_clip(f->bundle, name);
  const size_t size = quatsimd_bundle_clip_memory_size(f->bundle, (size_t)number);
  void *memory = malloc(size);
  quatsimd_clip *clip = NULL;
  assert_true(memory && number >= 0);
  assert_int_equal(quatsimd_bundle_open_clip(f->bundle, (size_t)number, &clip, memory, size), QUATSIMD_OK);
  assert_ptr_equal(clip, memory);
  return clip;
}

#define REFUSED(call) assert_int_equal(call, QUATSIMD_ERROR_BAD_ARGUMENT)

#endif
