#include "report/compress_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/page.h"

static struct page_clip page_clip_of(const struct compressed_file *done, const struct clip_result *r) {
  struct page_clip clip = {.file = done->file->name,
                           .source = r->path,
                           .bundle = done->bundle,
                           .clip = r->clip_name,
                           .number = r->number,
                           .animation = r->name,
                           .joints = r->joints,
                           .frames = r->frames,
                           .bytes = r->size,
                           .raw_bytes = clip_key_bytes(r->keys),
                           .seconds = r->seconds,
                           .moved = r->report.snapped,
                           .bounds = r->bounds,
                           .own_bounds = &done->joints};
  memcpy(clip.keys, r->keys, sizeof clip.keys);
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) clip.worst[i] = r->error[i].worst, clip.share[i] = r->share[i];
  clip.worst[PAGE_TRACKS] = r->track_error.of.worst;
  if (r->keys[QUATSIMD_CLIP_TRACK]) clip.share[PAGE_TRACKS] = r->track_error.share;
  return clip;
}

bool compress_page(const struct compress *c, const char *path) {
  struct page_clip *clip = memory_get(c->count, sizeof *clip);
  size_t count = 0;
  for (size_t f = 0; f < c->done_count; f++) {
    const struct compressed_file *done = &c->done[f];
    for (size_t i = 0; i < done->count; i++) clip[count++] = page_clip_of(done, &c->result[done->first + i]);
  }
  const bool good = page_write(path, c->settings, clip, count, c->failed);
  free(clip);
  return good;
}
