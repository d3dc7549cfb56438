/* Makes a skeleton, encodes it and opens it. */
#ifndef SKELETON_FIXTURE_H
#define SKELETON_FIXTURE_H

#include "support/skeleton_bytes.h"
#include "support/skeletons.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <cmocka.h>

typedef struct fixture {
  const char *name;
  made_skeleton made;
  void *data;
  size_t size;
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
} fixture;

static inline void fixture_open(fixture *f) {
  assert_int_equal(quatsimd_skeleton_open(&f->skeleton, &f->storage, sizeof f->storage, f->data, f->size),
                   QUATSIMD_OK);
}

static inline void fixture_encode(fixture *f) {
  quatsimd_skeleton_report report;
  assert_int_equal(quatsimd_skeleton_report_init(&report, sizeof report), QUATSIMD_OK);
  const quatsimd_status status = quatsimd_skeleton_encode(&f->data, &f->size, &f->made.source, NULL, &report);
  if (status != QUATSIMD_OK)
    fail_msg("%s: %s; joint %zu, track %zu: %s", f->name, quatsimd_status_string(status), report.joint,
             report.track, report.error ? report.error : "no message");
  assert_null(report.error);
  assert_true(report.joint == SIZE_MAX && report.track == SIZE_MAX);
  fixture_open(f);
}

static inline void fixture_make(fixture *f, const char *name) {
  *f = (fixture){.name = name};
  for (size_t i = 0; i < SKELETONS; i++)
    if (strcmp(skeletons[i].name, name) == 0) {
      skeletons[i].make(&f->made);
      fixture_encode(f);
      return;
    }
  fail_msg("no skeleton %s", name);
}

static inline void fixture_free(fixture *f) {
  quatsimd_skeleton_free(NULL, f->data);
  made_free(&f->made);
}

enum { FILL = 0xa5 };
static inline bool filled(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (((const unsigned char *)bytes)[i] != FILL) return false;
  return true;
}

#define REFUSED(call) assert_int_equal(call, QUATSIMD_ERROR_BAD_ARGUMENT)

#endif
