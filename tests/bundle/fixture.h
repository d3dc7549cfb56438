/* Makes a bundle, encodes it and opens it. */
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
  assert_true(report.event_number == SIZE_MAX && report.mask == SIZE_MAX);
  assert_int_equal(quatsimd_bundle_open(&f->bundle, &f->storage, sizeof f->storage, f->data, f->size),
                   QUATSIMD_OK);
}

/* Replaces the bundle by its conversion to version 1, and opens the conversion. */
static inline void fixture_former(fixture *f) {
  void *former = bundle_bytes_former(f->data, f->size, &f->size);
  quatsimd_bundle_free(NULL, f->data);
  f->data = former;
  assert_int_equal(quatsimd_bundle_open(&f->bundle, &f->storage, sizeof f->storage, f->data, f->size),
                   QUATSIMD_OK);
}

/* Makes a bundle of the scenes with these names. `names` ends with NULL. The scenes must have equal numbers
 * of joints and of tracks. */
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
  made_bundle_mark(&f->made);
  fixture_encode(f);
}

static inline void fixture_free(fixture *f) {
  quatsimd_bundle_free(NULL, f->data);
  made_bundle_free(&f->made);
}

/* Opens the clip with this name. The caller frees the returned pointer. */
static inline quatsimd_clip *fixture_clip(const fixture *f, const char *name) {
  const int64_t number = quatsimd_bundle_find_clip(f->bundle, name);
  assert_true(number >= 0);
  const size_t size = quatsimd_bundle_clip_memory_size(f->bundle, (size_t)number);
  void *memory = malloc(size);
  quatsimd_clip *clip = NULL;
  assert_non_null(memory);
  assert_int_equal(quatsimd_bundle_open_named(f->bundle, name, &clip, memory, size), QUATSIMD_OK);
  assert_ptr_equal(clip, memory);
  return clip;
}

#define REFUSED(call) assert_int_equal(call, QUATSIMD_ERROR_BAD_ARGUMENT)

#endif
