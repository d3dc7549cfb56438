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

/* May programs that do not know the extension read the file? */
static bool is_optional(const struct gltf *gltf, const char *name) {
  const cJSON *item;
  cJSON_ArrayForEach(item, json_member(gltf->tree, "extensionsRequired")) {
    const char *required = cJSON_GetStringValue(item);
    if (required && strcmp(required, name) == 0) return false;
  }
  return true;
}

static bool take_extension(struct gltf *gltf, const cJSON *from, struct meshopt *m) {
  size_t b, start;
  if (!gltf_index(from, "buffer", gltf->buffers.count, &b) || !gltf_size(from, "byteOffset", &start) ||
      !gltf_size(from, "byteLength", &m->size) || !gltf_size(from, "byteStride", &m->stride) ||
      !gltf_size(from, "count", &m->count))
    return gltf_fail(gltf, "is broken");
  const bool filtered = json_member(from, "filter");
  m->mode = gltf_text(from, "mode"), m->filter = filtered ? gltf_text(from, "filter") : "NONE";
  const struct gltf_bytes *buffer = gltf_buffer(gltf, b);
  if (!buffer) return false;
  if (start > buffer->size || m->size > buffer->size - start)
    return gltf_fail(gltf, "it goes beyond the %zu bytes of buffer %zu", buffer->size, b);
  m->bytes = buffer->bytes + start;
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

static enum gltf_view unpack(struct gltf *gltf, size_t v, const cJSON *extension, bool optional) {
  struct meshopt m = {0};
  if (!take_extension(gltf, extension, &m) || !check_view(gltf, gltf->views.item[v], &m)) return GLTF_BROKEN;
  /* for all views together: if their compressed bytes overlap, as no exporter writes them, each could ask
   * for as much */
  m.room = (uint64_t)MESHOPT_MOST * gltf->loaded - gltf->unpacked;
  const bool fits = m.stride > 0 && m.count <= m.room / m.stride;
  if (fits && !gltf_may_take(gltf, (uint64_t)m.count * m.stride)) return GLTF_BROKEN;
  gltf->view[v].bytes = meshopt_decode(&m);
  if (fits) gltf->unpacked += m.count * m.stride; /* in vain, too: it took its time */
  if (!gltf->view[v].bytes) {
    gltf_fail(gltf, "%s", m.error);
    return m.unknown && optional ? GLTF_PLAIN_INSTEAD : GLTF_BROKEN;
  }
  gltf->view[v].size = m.count * m.stride;
  return GLTF_UNPACKED;
}

enum gltf_view gltf_unpack(struct gltf *gltf, size_t v, struct gltf_bytes *bytes) {
  const char *name;
  const cJSON *extension = extension_of(gltf->views.item[v], &name);
  if (!extension) return GLTF_PLAIN;
  enum gltf_view state = GLTF_UNPACKED;
  if (!gltf->view[v].bytes) state = unpack(gltf, v, extension, is_optional(gltf, name));
  *bytes = gltf->view[v];
  if (state != GLTF_UNPACKED) gltf_fail_in(gltf, "bufferView %zu, %s", v, name);
  return state;
}
