/* Opens many clips of a bundle. */
#include "native.h"
#include "threads.h"

#include <stdlib.h>

typedef struct opening {
  quatsimd_clip **clips;
  const quatsimd_bundle *bundle;
  const uint32_t *numbers;
  struct opened {
    quatsimd_status status;
    size_t bytes;
  } * opened;
} opening;

static void open_one(void *data, size_t i, size_t worker) {
  const opening *const o = data;
  struct opened *const to = &o->opened[i];
  quatsimd_clip *clip = NULL;
  (void)worker;
  to->bytes = quatsimd_bundle_clip_memory_size(o->bundle, o->numbers[i]);
  /* Without bytes the clip cannot be opened, and the call says why. */
  void *const memory = malloc(to->bytes ? to->bytes : sizeof(quatsimd_clip_storage));
  to->status = memory ? quatsimd_bundle_open_clip(o->bundle, o->numbers[i], &clip, memory, to->bytes)
                      : QUATSIMD_ERROR_NO_MEMORY;
  if (to->status == QUATSIMD_OK && quatsimd_clip_additive(clip)) to->status = QUATSIMD_ERROR_BAD_CLIP;
  if (to->status == QUATSIMD_OK) o->clips[o->numbers[i]] = clip;
  else free(memory);
}

quatsimd_status quatsimd_python_open_clips(quatsimd_clip **clips, const quatsimd_bundle *bundle,
                                           const uint32_t *numbers, size_t count, size_t threads,
                                           size_t *bytes, size_t *failed) {
  opening o = {clips, bundle, numbers, calloc(count ? count : 1, sizeof *o.opened)};
  quatsimd_status status = QUATSIMD_OK;
  if (!o.opened) return QUATSIMD_ERROR_NO_MEMORY;
  threads_run(open_one, &o, count, threads);
  for (size_t i = count; i-- > 0;)
    if (o.opened[i].status == QUATSIMD_OK) *bytes += o.opened[i].bytes;
    else status = o.opened[i].status, *failed = i;
  free(o.opened);
  return status;
}

/* The memory of an opened clip begins with it. */
void quatsimd_python_close_clips(quatsimd_clip **clips, size_t count) {
  for (size_t i = 0; i < count; i++) free(clips[i]);
}

void quatsimd_python_clip_times(quatsimd_clip *const *clips, size_t count, double *starts,
                                double *durations) {
  for (size_t i = 0; i < count; i++)
    starts[i] = quatsimd_clip_start(clips[i]), durations[i] = quatsimd_clip_duration(clips[i]);
}
