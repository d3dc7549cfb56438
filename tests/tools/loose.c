/* Loosens the bounds of the encoder of clips in the command. Tests check that the command notices the errors.
 * The linker option --wrap redirects the calls. */
#include "quatsimd/clip.h"

static const float looser = 1.04f;

quatsimd_status __real_quatsimd_clip_encode(void **data, size_t *size, const quatsimd_clip_source *source,
                                            const quatsimd_clip_options *options,
                                            quatsimd_clip_report *report);
quatsimd_status __wrap_quatsimd_clip_encode(void **data, size_t *size, const quatsimd_clip_source *source,
                                            const quatsimd_clip_options *options,
                                            quatsimd_clip_report *report);
quatsimd_status __wrap_quatsimd_clip_encode(void **data, size_t *size, const quatsimd_clip_source *source,
                                            const quatsimd_clip_options *options,
                                            quatsimd_clip_report *report) {
  quatsimd_clip_options loose = *options;
  loose.rotation_bound *= looser;
  loose.translation_bound *= looser;
  loose.scale_bound *= 1.25f;
  loose.object_bound *= 1.25f; /* 1.04 would go unnoticed: most errors are below 0.9 * object_bound */
  return __real_quatsimd_clip_encode(data, size, source, &loose, report);
}
