#include "report/compress_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "clips/manifest.h"
#include "report/page.h"

/* The data of the page; it points into the manifests. */
struct contents {
  size_t count, left_out;
  struct page_clip *clip;
};

static void add(struct contents *c, const struct collected_file *file, const char *folder,
                const struct manifest *manifest, double track_bound) {
  c->left_out += manifest->left_out;
  for (size_t i = 0; i < manifest->count; i++) {
    const struct manifest_clip *m = &manifest->clip[i];
    c->clip = memory_grow(c->clip, c->count, sizeof *c->clip);
    struct page_clip *to = &c->clip[c->count++];
    *to = (struct page_clip){.file = file->name,
                             .source = file->path,
                             .clip = names_join(folder, "/", m->output),
                             .number = m->number,
                             .animation = m->name,
                             .joints = m->joints,
                             .frames = m->frames,
                             .bytes = m->bytes,
                             .raw_bytes = clip_key_bytes(m->keys),
                             .seconds = m->seconds,
                             .moved = m->moved,
                             .bounds = manifest->bounds,
                             .own_bounds = &manifest->joints};
    memcpy(to->keys, m->keys, sizeof to->keys);
    memcpy(to->worst, m->worst, sizeof m->worst);
    memcpy(to->share, m->share, sizeof m->share);
    to->worst[PAGE_TRACKS] = m->track_worst;
    if (m->keys[QUATSIMD_CLIP_TRACK])
      to->share[PAGE_TRACKS] = manifest->joints.tracks > 0 ? m->track_share : m->track_worst / track_bound;
  }
}

bool compress_page(const struct compress *compress, const char *path) {
  const struct collected *files = compress->files;
  struct manifest *manifest = memory_get(files->count, sizeof *manifest);
  struct contents c = {0};
  bool good = true;
  for (size_t f = 0; f < files->count; f++) {
    char *folder = names_join(compress->out, "/", files->file[f].name);
    if (compress->missing[f]) {
      /* there is nothing of this run */
    } else if (!manifest_read_back(folder, compress->options, &manifest[f])) good = false;
    else add(&c, &files->file[f], folder, &manifest[f], compress->settings->track_bound);
    free(folder);
  }
  good = page_write(path, compress->settings, c.clip, c.count, c.left_out) && good;
  for (size_t i = 0; i < c.count; i++) free((char *)(uintptr_t)c.clip[i].clip);
  for (size_t f = 0; f < files->count; f++) manifest_free(&manifest[f]);
  free(c.clip);
  free(manifest);
  return good;
}
