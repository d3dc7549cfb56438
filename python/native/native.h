/* Private: functions of the Python package in C, beside those of the library. */
#ifndef QUATSIMD_PYTHON_NATIVE_H
#define QUATSIMD_PYTHON_NATIVE_H

#include "command.h"
#include "quatsimd/quatsimd.h"

/* Finds the first quaternion whose length is not 1 within 1e-4 and returns its number, or count if there is none, or if the
 * view breaks a rule of view.h. */
QUATSIMD_API size_t quatsimd_python_find_not_unit(quatsimd_in q, size_t count);

/* Joins bundles of one skeleton. names: of all clips, in the order of the bundles, and in each of its clips.
 * The masks are those of the first one. Result and report are as of quatsimd_bundle_encode; other errors as
 * of quatsimd_bundle_open and _open_clip, or QUATSIMD_ERROR_WRONG_SKELETON. */
QUATSIMD_API quatsimd_status quatsimd_python_join(void **data, size_t *size, const void *const *part,
                                                  const size_t *part_size, size_t parts,
                                                  const char *const *names, const void *making,
                                                  size_t making_size, quatsimd_bundle_report *report);

#endif
