#include "readers/gltf/gltf.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "core/bytes.h"
#include "files/file.h"
#include "files/inputs.h"
#include "files/names.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "scene/scene.h"
#include "system/files.h"
#include "terminal/message.h"

bool gltf_fail(struct gltf *gltf, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(gltf->error, sizeof gltf->error, format, arguments);
  va_end(arguments);
  return false;
}

bool gltf_fail_in(struct gltf *gltf, const char *format, ...) {
  char why[sizeof gltf->error];
  memcpy(why, gltf->error, sizeof why);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(gltf->error, sizeof gltf->error, format, arguments);
  va_end(arguments);
  const size_t length = strlen(gltf->error);
  snprintf(gltf->error + length, sizeof gltf->error - length, ": %s", why);
  return false;
}

/* JSON. -------------------------------------------------------------------------------------------------- */

const char *gltf_text(const cJSON *object, const char *name) {
  const char *text = cJSON_GetStringValue(json_member(object, name));
  return text ? text : "";
}

char *gltf_extras(struct json_span animation) {
  const struct json_span extras = json_span_member(animation, "extras");
  if (!extras.text) return NULL;
  char *text = memory_get(extras.length + 1, 1);
  memcpy(text, extras.text, extras.length);
  if (text_is_utf8(text)) return text;
  for (char *s = text; *s; s++)
    if ((unsigned char)*s < ' ') *s = ' ';
  char *clean = text_clean_json(text);
  free(text);
  return clean;
}

struct gltf_list gltf_list(const cJSON *object, const char *name) {
  struct gltf_list list = {0};
  const cJSON *array = json_member(object, name);
  if (!cJSON_IsArray(array)) return list;
  list.item = memory_get((size_t)cJSON_GetArraySize(array), sizeof(cJSON *));
  for (const cJSON *item = array->child; item; item = item->next) list.item[list.count++] = item;
  return list;
}

bool gltf_index(const cJSON *object, const char *name, size_t end, size_t *index) {
  return json_whole(json_member(object, name), (double)end, index);
}

bool gltf_size(const cJSON *object, const char *name, size_t *size) {
  const double end = sizeof(size_t) > 4 ? 0x1p53 : 0x1p31;
  *size = 0;
  return !json_member(object, name) || json_whole(json_member(object, name), end, size);
}

/* Of a node's member, as "/nodes/3/rotation", the node's number and the member; null for other pointers. */
static const char *node_member(const char *pointer, size_t *node) {
  static const char head[] = "/nodes/";
  char *end;
  if (strncmp(pointer, head, sizeof head - 1) != 0) return NULL;
  const char *digits = pointer + sizeof head - 1;
  if (!(*digits >= '0' && *digits <= '9')) return NULL;
  const unsigned long long number = strtoull(digits, &end, 10);
  *node = number < SIZE_MAX ? (size_t)number : SIZE_MAX;
  return *end == '/' ? end + 1 : NULL;
}

bool gltf_target(const cJSON *channel, size_t nodes, struct gltf_target *target) {
  const cJSON *to = json_member(channel, "target"), *node = json_member(to, "node");
  const cJSON *extension = json_member(json_member(to, "extensions"), "KHR_animation_pointer");
  const char *path = gltf_text(to, "path"), *pointer = gltf_text(extension, "pointer");
  *target = (struct gltf_target){.kind = SCENE_KINDS};
  if (extension) {
    path = node_member(pointer, &target->node);
    target->other = *pointer ? pointer : "a pointer to nothing";
    if (!path) return true;
    if (target->node >= nodes) return false;
  } else if (!node) { /* to be ignored, as glTF 2.0, 5.8, has it */
    target->other = "a target without a node";
    return true;
  } else if (!json_whole(node, (double)nodes, &target->node)) return false;
  else target->other = *path ? path : "a target without a path";
  target->weights = strcmp(path, "weights") == 0;
  if (target->weights) target->other = "morph weights";
  target->kind = scene_kind(path);
  return true;
}

/* Files. ------------------------------------------------------------------------------------------------- */

bool gltf_may_take(struct gltf *gltf, uint64_t bytes) {
  gltf->memory += bytes;
  return gltf->memory <= reader_memory() || gltf_fail(gltf, "%s", reader_over_memory());
}

/* Finds the JSON; in a .glb the binary chunk, too. */
static bool find_json(struct gltf *gltf) {
  unsigned char *b = gltf->file.bytes;
  size_t size = gltf->file.size;
  gltf->json = gltf->file;
  if (size < 4 || memcmp(b, "glTF", 4) != 0) return true;
  if (size >= 12 && load_u32(b + 8) < size) gltf->file.size = size = load_u32(b + 8); /* no more is its own */
  if (size < 20) return gltf_fail(gltf, "the file is cut off");
  if (load_u32(b + 4) != 2)
    return gltf_fail(gltf, "is glTF %lu, and only glTF 2.0 is read", (unsigned long)load_u32(b + 4));
  gltf->json = (struct gltf_bytes){b + 20, load_u32(b + 12)};
  if (load_u32(b + 16) != 0x4e4f534a) return gltf_fail(gltf, "does not begin with a chunk of JSON");
  if (gltf->json.size > size - 20) return gltf_fail(gltf, "the file is cut off");
  const size_t next = 20 + (gltf->json.size + 3) / 4 * 4;
  /* no binary chunk */
  if (next > size || size - next < 8 || load_u32(b + next + 4) != 0x004e4942) return true;
  gltf->binary = (struct gltf_bytes){b + next + 8, load_u32(b + next)};
  return gltf->binary.size <= size - next - 8 || gltf_fail(gltf, "the file is cut off");
}

/* Behind a number as JSON has it; null if it is none. */
static const char *skip_number(const char *p) {
  static const char digits[] = "0123456789";
  p += *p == '-';
  size_t n = strspn(p, digits);
  if (n == 0 || (n > 1 && *p == '0')) return NULL;
  p += n;
  if (*p == '.') {
    n = strspn(p + 1, digits);
    if (n == 0) return NULL;
    p += 1 + n;
  }
  if (*p == 'e' || *p == 'E') {
    p += 1 + (p[1] == '+' || p[1] == '-');
    n = strspn(p, digits);
    if (n == 0) return NULL;
    p += n;
  }
  return *p && strchr("0123456789+-.eE", *p) ? NULL : p;
}

/* Texts that cJSON takes and that are no JSON: numbers as 00, +1 and 1., \u without four digits, and control
 * characters in a text, or elsewhere such as are no space. In texts and numbers that it took, something else
 * always follows. why: the reason. */
static const char *find_what_is_no_json(const char *p, const char *end, const char **why) {
  bool in_text = false;
  while (p < end) {
    const char *next = p + 1;
    if (*p == '"') in_text = !in_text;
    else if (in_text && *p == '\\') {
      if (*next++ == 'u' && strspn(next, "0123456789abcdefABCDEF") < 4)
        return *why = "\\u without four digits", p;
    } else if (in_text) {
      if ((unsigned char)*p < ' ') return *why = "a control character in a string", p;
    } else if (*p && strchr("0123456789+-.", *p)) {
      next = skip_number(p);
      if (!next) return *why = "a number that is none of JSON", p;
    } else if ((unsigned char)*p < ' ' && *p != '\t' && *p != '\n' && *p != '\r')
      return *why = "a control character outside of strings", p;
    p = next;
  }
  return NULL;
}

/* Did cJSON stop at `end` because it goes no deeper? */
static bool is_too_deep(const char *p, const char *end) {
  size_t depth = 0;
  bool in_text = false;
  if (*end != '[' && *end != '{') return false;
  for (; p < end; p++)
    if (*p == '"') in_text = !in_text;
    else if (in_text) p += *p == '\\';
    else if (*p == '[' || *p == '{') depth++;
    else if (*p == ']' || *p == '}') depth--;
  return depth >= CJSON_NESTING_LIMIT;
}

/* The memory that a tree of the JSON takes at most: each item begins behind one of these characters. */
static uint64_t tree_memory(const char *text, size_t length) {
  enum { ITEM = sizeof(cJSON) + 80 }; /* with short texts, and what the allocator keeps */
  uint64_t items = 1;
  for (size_t i = 0; i < length; i++) items += text[i] == ',' || text[i] == '[' || text[i] == '{';
  return items * ITEM + length;
}

static bool parse(struct gltf *gltf) {
  const char *end = NULL, *why = NULL;
  if (gltf->file.size == 0) return gltf_fail(gltf, "the file is empty");
  if (!find_json(gltf)) return false;
  const char *text = (const char *)gltf->json.bytes;
  const size_t length = gltf->json.size;
  if (!gltf_may_take(gltf, gltf->file.size + tree_memory(text, length))) return false;
  gltf->tree = cJSON_ParseWithLengthOpts(text, length, &end, 0);
  if (!gltf->tree && end && end < text + length && is_too_deep(text, end))
    return gltf_fail(gltf,
                     "its JSON is nested too deeply: byte %zu begins an array or object within %d others",
                     (size_t)((const unsigned char *)end - gltf->file.bytes), CJSON_NESTING_LIMIT);
  const char *wrong = gltf->tree ? find_what_is_no_json(text, end, &why) : NULL;
  while (gltf->tree && end < text + length && (!*end || strchr(" \t\r\n", *end))) end++;
  if (wrong) end = wrong;
  if (!gltf->tree || end < text + length)
    return gltf_fail(gltf, "is not JSON: broken at byte %zu%s%s",
                     end ? (size_t)((const unsigned char *)end - gltf->file.bytes) : 0, wrong ? ": " : "",
                     wrong ? why : "");
  const char *version = gltf_text(json_member(gltf->tree, "asset"), "version");
  if (!*version) return gltf_fail(gltf, "is not glTF: there is no asset.version");
  return version[0] == '2' ? true : gltf_fail(gltf, "is glTF %.20s, and only glTF 2.0 is read", version);
}

/* The path of a file beside this one, to be freed. In the address, %20 is a space. */
static char *path_beside(const char *path, const char *address) {
  const size_t directory = *address != '/' ? (size_t)(names_file(path) - path) : 0;
  char *beside = memory_get(directory + strlen(address) + 1, 1), *end = beside + directory;
  memcpy(beside, path, directory);
  for (const char *s = address; *s; s++) {
    char hex[3] = {0};
    if (*s == '%' && s[1] && s[2]) memcpy(hex, s + 1, 2);
    char *behind = hex;
    const long code = strtol(hex, &behind, 16);
    *end++ = behind == hex + 2 && code > 0 ? (char)code : *s;
    if (behind == hex + 2 && code > 0) s += 2;
  }
  return beside;
}

/* Files that the item names are inputs, of buffers, images or extensions. */
static void note_files(const char *path, const cJSON *item) {
  struct system_look look;
  for (const cJSON *child = item->child; child; child = child->next) {
    const bool is_address = child->string && strcmp(child->string, "uri") == 0;
    const char *address = is_address ? cJSON_GetStringValue(child) : NULL;
    char *file = address && strncmp(address, "data:", 5) != 0 ? path_beside(path, address) : NULL;
    if (file && system_look(file, &look)) inputs_add(&look);
    free(file);
    note_files(path, child);
  }
}

bool gltf_open(struct gltf *gltf, const char *path) {
  *gltf = (struct gltf){.path = path};
  gltf->file.bytes = (unsigned char *)file_read(path, &gltf->file.size);
  if (!gltf->file.bytes) return false;
  if (!parse(gltf)) {
    complain(path, "%s", gltf->error);
    gltf_close(gltf);
    return false;
  }
  note_files(path, gltf->tree);
  gltf->accessors = gltf_list(gltf->tree, "accessors");
  gltf->views = gltf_list(gltf->tree, "bufferViews");
  gltf->buffers = gltf_list(gltf->tree, "buffers");
  gltf->buffer = memory_get(gltf->buffers.count, sizeof *gltf->buffer);
  gltf->view = memory_get(gltf->views.count, sizeof *gltf->view);
  return true;
}

void gltf_close(struct gltf *gltf) {
  for (size_t b = 0; b < gltf->buffers.count; b++)
    if (gltf->buffer[b].bytes != gltf->binary.bytes) free(gltf->buffer[b].bytes);
  for (size_t v = 0; v < gltf->views.count; v++) free(gltf->view[v].bytes);
  free(gltf->view);
  free(gltf->buffer);
  free(gltf->buffers.item);
  free(gltf->views.item);
  free(gltf->accessors.item);
  cJSON_Delete(gltf->tree);
  free(gltf->file.bytes);
  *gltf = (struct gltf){0};
}

/* Buffers. ----------------------------------------------------------------------------------------------- */

static int base64_digit(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *found = c ? strchr(digits, c) : NULL;
  return found ? (int)(found - digits) : -1;
}

static bool decode_base64(const char *text, struct gltf_bytes *bytes) {
  uint32_t bits = 0;
  unsigned held = 0;
  bytes->bytes = memory_get(strlen(text) / 4 + 1, 3);
  for (; *text && *text != '='; text++) {
    const int digit = base64_digit(*text);
    if (digit < 0 && strchr(" \t\r\n", *text)) continue; /* some break lines */
    if (digit < 0) return false;
    bits = bits << 6 | (uint32_t)digit;
    held += 6;
    if (held >= 8) held -= 8, bytes->bytes[bytes->size++] = (unsigned char)(bits >> held);
  }
  return text[strspn(text, "= \t\r\n")] == 0;
}

/* Of the file that buffer b is in, to be freed; null if it is in this one. */
static char *buffer_path(const struct gltf *gltf, size_t b) {
  const char *address = cJSON_GetStringValue(json_member(gltf->buffers.item[b], "uri"));
  return address && strncmp(address, "data:", 5) != 0 ? path_beside(gltf->path, address) : NULL;
}

/* True if a path is absolute or may lead out of the folder that it begins in: behind a link, `..` may be any
 * folder. */
static bool may_be_outside(const char *path) {
  bool outside = strchr("/\\", *path) || (*path && path[1] == ':');
  for (const char *s = path; *s && !outside; s += strspn(s, "/\\")) {
    const size_t length = strcspn(s, "/\\");
    outside = length == 2 && s[0] == '.' && s[1] == '.';
    s += length;
  }
  return outside;
}

bool gltf_may_read(const struct gltf *gltf, size_t b) {
  const char *address = gltf_text(gltf->buffers.item[b], "uri");
  char *path = buffer_path(gltf, b);
  const bool may = !path || reader_limits.outside ||
                   !may_be_outside(path + (*address != '/' ? names_file(gltf->path) - gltf->path : 0));
  free(path);
  return may;
}

static bool read_beside(struct gltf *gltf, size_t b, struct gltf_bytes *bytes) {
  struct system_look look;
  if (!gltf_may_read(gltf, b))
    return gltf_fail(gltf, "%.150s may be outside of the file's folder (--allow-outside reads it)",
                     gltf_text(gltf->buffers.item[b], "uri"));
  char *path = buffer_path(gltf, b);
  bool good = false;
  const bool found = system_look(path, &look);
  /* pipes would wait */
  if (found && look.kind != SYSTEM_FILE) gltf_fail(gltf, "%.150s is not a regular file", path);
  else if (!found || !system_may_read(path)) gltf_fail(gltf, "cannot open %.150s: %s", path, strerror(errno));
  else if (file_is_pointer(path)) gltf_fail(gltf, "%.80s " FILE_POINTER, path);
  else if (gltf_may_take(gltf, look.size)) {
    bytes->bytes = (unsigned char *)file_read_quietly(path, &bytes->size);
    good = bytes->bytes && bytes->size == look.size;
    if (!good) gltf_fail(gltf, "cannot read %.150s, or there is not enough memory for it", path);
  }
  free(path);
  return good;
}

/* Reads what buffer b says it is. */
static bool load_buffer(struct gltf *gltf, size_t b, struct gltf_bytes *bytes) {
  const char *address = cJSON_GetStringValue(json_member(gltf->buffers.item[b], "uri"));
  if (!address && b == 0 && gltf->binary.bytes) *bytes = gltf->binary;
  else if (!address) return gltf_fail(gltf, "buffer %zu is not in the file", b);
  else if (strncmp(address, "data:", 5) != 0) return read_beside(gltf, b, bytes);
  else {
    const char *comma = strchr(address, ',');
    if (!gltf_may_take(gltf, strlen(address))) return false;
    if (!comma || comma - address < 7 || strncmp(comma - 7, ";base64", 7) != 0 ||
        !decode_base64(comma + 1, bytes))
      return gltf_fail(gltf, "buffer %zu is not base64", b);
  }
  return true;
}

const struct gltf_bytes *gltf_buffer(struct gltf *gltf, size_t b) {
  struct gltf_bytes *bytes = &gltf->buffer[b];
  if (bytes->bytes) return bytes;
  if (load_buffer(gltf, b, bytes)) {
    gltf->loaded += bytes->size;
    return bytes;
  }
  free(bytes->bytes);
  *bytes = (struct gltf_bytes){0};
  return NULL;
}

bool gltf_lists(const struct gltf *gltf, const char *array, const char *name) {
  const cJSON *item;
  cJSON_ArrayForEach(item, json_member(gltf->tree, array)) {
    const char *text = cJSON_GetStringValue(item);
    if (text && strcmp(text, name) == 0) return true;
  }
  return false;
}

bool gltf_find_place(const struct gltf *gltf, const cJSON *object, struct gltf_place *place) {
  return gltf_index(object, "buffer", gltf->buffers.count, &place->buffer) &&
         gltf_size(object, "byteOffset", &place->start) && gltf_size(object, "byteLength", &place->size);
}

/* Accessors. --------------------------------------------------------------------------------------------- */

enum { INT8 = 5120, UINT8 = 5121, INT16 = 5122, UINT16 = 5123, UINT32 = 5125, FLOAT32 = 5126 };

/* Elements of accessors that have no bytes of their own, which may claim any count. */
enum { SPARSE_MOST = 1 << 24 };

static size_t component_bytes(size_t type) {
  static const size_t bytes[] = {1, 1, 2, 2, 0, 4, 4};
  return type >= INT8 && type <= FLOAT32 ? bytes[type - INT8] : 0;
}

/* whole: integers are not normalized; others are as glTF 2.0, 3.11, has it. */
static float component(const unsigned char *b, size_t type, bool whole) {
  int number, most;
  switch (type) {
  case INT8: number = b[0] - (b[0] > 127 ? 256 : 0), most = 127; break;
  case UINT8: number = b[0], most = 255; break;
  case INT16: number = load_u16(b) - (load_u16(b) > 32767 ? 65536 : 0), most = 32767; break;
  case UINT16: number = load_u16(b), most = 65535; break;
  default: return load_float(b);
  }
  return whole ? (float)number : fmaxf((float)number / (float)most, -1);
}

/* Where some elements are; nowhere: they are zeros. */
struct elements {
  const unsigned char *first;
  size_t count, stride, type;
  bool whole; /* integers that are not normalized */
};

static bool find_in_view(struct gltf *gltf, size_t v, size_t offset, size_t element, struct elements *e) {
  struct gltf_bytes bytes;
  if (!gltf_size(gltf->views.item[v], "byteStride", &e->stride))
    return gltf_fail(gltf, "bufferView %zu is broken", v);
  if (e->stride == 0) e->stride = element;
  if (e->stride == 0 || e->stride < element) return gltf_fail(gltf, "elements of bufferView %zu overlap", v);
  if (!gltf_view_bytes(gltf, v, &bytes)) return false;
  if (offset > bytes.size || bytes.size - offset < element ||
      (bytes.size - offset - element) / e->stride < e->count - 1)
    return gltf_fail(gltf, "goes beyond the %zu bytes of its bufferView", bytes.size);
  e->first = bytes.bytes + offset;
  return true;
}

/* Of the accessor itself, or of its sparse indices or values: `element` bytes each. */
static bool find_from(struct gltf *gltf, const cJSON *from, size_t element, struct elements *e) {
  size_t view, offset;
  if (!gltf_index(from, "bufferView", gltf->views.count, &view) || !gltf_size(from, "byteOffset", &offset))
    return gltf_fail(gltf, "is not in a bufferView");
  return find_in_view(gltf, view, offset, element, e);
}

/* The type of an accessor by the components of an element. */
static const char *const types[] = {[1] = "SCALAR", [2] = "VEC2", [3] = "VEC3", [4] = "VEC4", [16] = "MAT4"};

static bool find_elements(struct gltf *gltf, const cJSON *accessor, size_t width, struct elements *e) {
  const cJSON *count = json_member(accessor, "count");
  if (!gltf_size(accessor, "count", &e->count))
    return cJSON_IsNumber(count)
               ? gltf_fail(gltf, "its count, %.17g, is no number of elements", count->valuedouble)
               : gltf_fail(gltf, "its count is no number");
  if (e->count == 0) return gltf_fail(gltf, "has no elements");
  if (strcmp(gltf_text(accessor, "type"), types[width]) != 0)
    return gltf_fail(gltf, "is not %s", types[width]);
  if (!gltf_index(accessor, "componentType", 65536, &e->type) || component_bytes(e->type) == 0 ||
      e->type == UINT32)
    return gltf_fail(gltf, "its componentType is not one of animations");
  const bool whole = e->type != FLOAT32 && !cJSON_IsTrue(json_member(accessor, "normalized"));
  if (whole && !e->whole) return gltf_fail(gltf, "has integers that are not normalized");
  e->whole = whole;
  if (!json_member(accessor, "bufferView")) { /* all zeros, but for what is sparse */
    if (e->count > SPARSE_MOST)
      return gltf_fail(gltf, "has no bufferView, and more elements than are read so");
    return true;
  }
  return find_from(gltf, accessor, width * component_bytes(e->type), e);
}

static void take_element(float *to, const unsigned char *from, size_t width, const struct elements *e) {
  for (size_t c = 0; c < width; c++)
    to[c] = component(from + c * component_bytes(e->type), e->type, e->whole);
}

static size_t load_index(const unsigned char *b, size_t type) {
  return type == UINT8 ? b[0] : type == UINT16 ? load_u16(b) : load_u32(b);
}

/* Puts a sparse accessor's own elements in place. */
static bool take_sparse(struct gltf *gltf, const cJSON *sparse, const struct elements *all, size_t width,
                        float *floats) {
  const cJSON *from = json_member(sparse, "indices");
  struct elements index = {0}, value = {.type = all->type, .whole = all->whole};
  if (!gltf_size(sparse, "count", &index.count) || index.count == 0 || index.count > all->count)
    return gltf_fail(gltf, "its sparse elements have no count");
  if (!gltf_index(from, "componentType", 65536, &index.type) ||
      (index.type != UINT8 && index.type != UINT16 && index.type != UINT32))
    return gltf_fail(gltf, "its sparse indices are no numbers");
  value.count = index.count;
  if (!find_from(gltf, from, component_bytes(index.type), &index) ||
      !find_from(gltf, json_member(sparse, "values"), width * component_bytes(all->type), &value))
    return false;
  for (size_t i = 0; i < index.count; i++) {
    const size_t at = load_index(index.first + i * index.stride, index.type);
    if (at >= all->count)
      return gltf_fail(gltf, "sparse index %zu is not below its count of %zu", at, all->count);
    take_element(floats + width * at, value.first + i * value.stride, width, &value);
  }
  return true;
}

bool gltf_spend(struct gltf *gltf, uint64_t bytes) {
  enum { TIMES = 64, ALWAYS = 1 << 28 };
  gltf->spent += bytes;
  if (!gltf_may_take(gltf, bytes)) return false;
  return gltf->spent <= TIMES * (gltf->loaded + gltf->unpacked) + ALWAYS ||
         gltf_fail(gltf, "accessors have %d times as many numbers as the buffers, or more", TIMES);
}

static float *read_floats(struct gltf *gltf, const cJSON *accessor, size_t width, bool whole, size_t *count) {
  struct elements e = {.whole = whole};
  const cJSON *sparse = json_member(accessor, "sparse");
  if (!find_elements(gltf, accessor, width, &e) || !gltf_spend(gltf, e.count * width * sizeof(float)))
    return NULL;
  float *floats = memory_get(e.count, width * sizeof *floats);
  for (size_t i = 0; i < e.count && e.first; i++)
    take_element(floats + width * i, e.first + i * e.stride, width, &e);
  *count = e.count;
  if (!sparse || take_sparse(gltf, sparse, &e, width, floats)) return floats;
  free(floats);
  return NULL;
}

static float *numbers_of(struct gltf *gltf, size_t accessor, size_t width, bool whole, size_t *count) {
  float *floats = read_floats(gltf, gltf->accessors.item[accessor], width, whole, count);
  if (!floats) gltf_fail_in(gltf, "accessor %zu", accessor);
  return floats;
}

float *gltf_floats(struct gltf *gltf, size_t accessor, size_t width, size_t *count) {
  return numbers_of(gltf, accessor, width, false, count);
}

float *gltf_numbers(struct gltf *gltf, size_t accessor, size_t width, size_t *count) {
  return numbers_of(gltf, accessor, width, true, count);
}

/* The reader. -------------------------------------------------------------------------------------------- */

/* A .glb, or JSON that comes to "asset" soon. */
static bool recognise(const char *path) {
  char start[4096 + 1];
  FILE *file = system_open(path, "rb");
  if (!file) return false;
  start[fread(start, 1, sizeof start - 1, file)] = 0;
  fclose(file);
  const char *text = start + (strncmp(start, "\xef\xbb\xbf", 3) == 0 ? 3 : 0); /* a byte order mark */
  text += strspn(text, " \t\r\n");
  return strncmp(start, "glTF", 4) == 0 || (*text == '{' && strstr(text, "\"asset\""));
}

/* True if the JSON may have a member "uri", perhaps with escapes. */
static bool may_have_uri(const char *json) { return strstr(json, "\"uri") || strstr(json, "\\u"); }

/* Does a .glb say nothing of other files? So that most need not be parsed. */
static bool is_alone(const char *path) {
  unsigned char head[20];
  FILE *file = system_open(path, "rb");
  bool alone = false;
  if (!file) return false;
  if (fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, "glTF", 4) == 0) {
    const size_t length = load_u32(head + 12) & INT32_MAX;
    struct system_look look;
    if (system_look_at_open(file, &look) && length <= look.size) {
      char *json = memory_try(length + 1);
      alone = json && fread(json, 1, length, file) == length && !may_have_uri(json);
      free(json);
    }
  }
  fclose(file);
  return alone;
}

void gltf_note_files(const char *path) {
  struct gltf gltf = {.path = path};
  if (is_alone(path)) return;
  gltf.file.bytes = (unsigned char *)file_read_quietly(path, &gltf.file.size);
  if (gltf.file.bytes && parse(&gltf)) note_files(path, gltf.tree);
  gltf_close(&gltf);
}

static bool parts(const char *path, reader_file *call, void *context) {
  struct gltf gltf;
  if (is_alone(path)) return true;
  if (!gltf_open(&gltf, path)) return false;
  bool good = true;
  for (size_t b = 0; good && b < gltf.buffers.count; b++) {
    char *beside = buffer_path(&gltf, b);
    struct system_look look;
    const bool there = !beside || system_may_read(beside),
               is_file = !beside || (there && system_look(beside, &look) && look.kind == SYSTEM_FILE);
    good = is_file || gltf_is_fallback(gltf.buffers.item[b]);
    if (!good && there) complain(path, "%.1500s is not a regular file", beside);
    else if (!good) complain(path, "cannot open %.1500s: %s", beside, strerror(errno));
    good = good && (!beside || !is_file || call(context, beside));
    free(beside);
  }
  gltf_close(&gltf);
  return good;
}

const struct reader reader_gltf = {.name = "a glTF file",
                                   .endings = {".glb", ".gltf", ".vrm", ".vrma"},
                                   .recognise = recognise,
                                   .scene = gltf_scene,
                                   .reach = gltf_reach,
                                   .parts = parts};
