/* bufferViews of glTF that are compressed with EXT_meshopt_compression. KHR_meshopt_compression has the same
 * members, and more modes and filters: what of it is not read is refused by name. */
#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "readers/gltf/gltf.h"
#include "readers/gltf/meshopt.h"

/* The extension of a bufferView or a buffer, and its name; null if it has none. */
static const cJSON *extension_of(const cJSON *object, const char **name) {
  static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  const cJSON *extensions = json_member(object, "extensions"), *found = NULL;
  for (size_t i = 0; i < 2 && !found; i++) found = json_member(extensions, *name = names[i]);
  return found;
}

bool gltf_is_fallback(const cJSON *buffer) {
  const char *name;
  return cJSON_IsTrue(json_member(extension_of(buffer, &name), "fallback"));
}

size_t gltf_view_size(const struct gltf *gltf, size_t view) {
  const char *name;
  const cJSON *packed = extension_of(gltf->views.item[view], &name);
  size_t size;
  return gltf_size(packed ? packed : gltf->views.item[view], "byteLength", &size) ? size : 0;
}

static bool take_extension(struct gltf *gltf, const cJSON *from, struct meshopt *m) {
  struct gltf_place at;
  if (!gltf_find_place(gltf, from, &at) || !gltf_size(from, "byteStride", &m->stride) ||
      !gltf_size(from, "count", &m->count))
    return gltf_fail(gltf, "is broken");
  const bool filtered = json_member(from, "filter");
  m->mode = gltf_text(from, "mode"), m->filter = filtered ? gltf_text(from, "filter") : "NONE";
  const struct gltf_bytes *buffer = gltf_buffer(gltf, at.buffer);
  if (!buffer) return false;
  if (at.start > buffer->size || at.size > buffer->size - at.start)
    return gltf_fail(gltf, "it goes beyond the %zu bytes of buffer %zu", buffer->size, at.buffer);
  m->bytes = buffer->bytes + at.start, m->size = at.size;
  return true;
}

/* Does the bufferView have the elements' size and, if it says any, their distance? */
static bool check_view(struct gltf *gltf, const cJSON *view, const struct meshopt *m) {
  size_t size, stride;
  if (!gltf_size(view, "byteLength", &size) || m->stride == 0 || size % m->stride != 0 ||
      size / m->stride != m->count)
    return gltf_fail(gltf, "the bufferView is not of %zu elements of %zu bytes", m->count, m->stride);
  if (!gltf_size(view, "byteStride", &stride) || (stride != 0 && stride != m->stride))
    return gltf_fail(gltf, "its byteStride is not that of the bufferView");
  return true;
}

/* unknown: later decoders may know it. */
static bool unpack(struct gltf *gltf, size_t v, const cJSON *extension, bool *unknown) {
  struct meshopt m = {0};
  if (!take_extension(gltf, extension, &m) || !check_view(gltf, gltf->views.item[v], &m)) return false;
  /* for all views together: if their compressed bytes overlap, as no exporter writes them, each could ask
   * for as much */
  m.room = (uint64_t)MESHOPT_MOST * gltf->loaded - gltf->unpacked;
  const bool fits = m.stride > 0 && m.count <= m.room / m.stride;
  if (fits && !gltf_may_take(gltf, (uint64_t)m.count * m.stride)) return false;
  gltf->view[v].bytes = meshopt_decode(&m);
  if (gltf->view[v].bytes) gltf->view[v].size = m.count * m.stride;
  if (fits) gltf->unpacked += m.count * m.stride; /* in vain, too: it took its time */
  *unknown = m.unknown;
  return gltf->view[v].bytes || gltf_fail(gltf, "%s", m.error);
}

/* The bytes where the file has them. */
static bool plain_view(struct gltf *gltf, size_t v, struct gltf_bytes *bytes) {
  struct gltf_place at;
  if (!gltf_find_place(gltf, gltf->views.item[v], &at)) return gltf_fail(gltf, "bufferView %zu is broken", v);
  const struct gltf_bytes *buffer = gltf_buffer(gltf, at.buffer);
  if (!buffer) return false;
  if (at.start > buffer->size || at.size > buffer->size - at.start)
    return gltf_fail(gltf, "bufferView %zu goes beyond the %zu bytes of its buffer", v, buffer->size);
  *bytes = (struct gltf_bytes){buffer->bytes + at.start, at.size};
  return true;
}

bool gltf_view_bytes(struct gltf *gltf, size_t v, struct gltf_bytes *bytes) {
  const char *name;
  const cJSON *extension = extension_of(gltf->views.item[v], &name);
  bool unknown = false;
  if (!extension) return plain_view(gltf, v, bytes);
  if (gltf->view[v].bytes || unpack(gltf, v, extension, &unknown)) {
    *bytes = gltf->view[v];
    return true;
  }
  gltf_fail_in(gltf, "bufferView %zu, %s", v, name);
  if (!unknown || gltf_lists(gltf, "extensionsRequired", name)) return false;
  /* the view should have plain bytes, too, for readers that do not know the extension */
  char error[sizeof gltf->error];
  memcpy(error, gltf->error, sizeof error);
  return plain_view(gltf, v, bytes) || gltf_fail(gltf, "%s", error);
}
