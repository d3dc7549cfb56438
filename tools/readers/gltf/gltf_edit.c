#include "readers/gltf/gltf_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "core/bytes.h"
#include "files/names.h"
#include "files/output.h"
#include "terminal/message.h"

/* JSON. -------------------------------------------------------------------------------------------------- */

/* The next string or number of the text. */
static const char *next_literal(const char *s, size_t *length) {
  while (*s != '"' && *s != '-' && !(*s >= '0' && *s <= '9')) s++;
  const char *end = s + 1;
  if (*s == '"') {
    while (*end != '"') end += *end == '\\' ? 2 : 1;
    end++;
  } else end = s + strspn(s, "+-.0123456789Ee");
  *length = (size_t)(end - s);
  return s;
}

/* Returns where the text goes on. */
static const char *keep_literals(cJSON *item, const char *text) {
  size_t length;
  if (cJSON_IsNumber(item) || cJSON_IsString(item)) {
    text = next_literal(text, &length);
    cJSON_free(item->valuestring);
    item->valuestring = memory_or_exit(cJSON_malloc(length + 1));
    memcpy(item->valuestring, text, length);
    item->valuestring[length] = 0;
    item->type = (item->type & ~0xff) | cJSON_Raw;
    return text + length;
  }
  for (cJSON *child = item->child; child; child = child->next) {
    if (child->string) text = next_literal(text, &length), text += length;
    text = keep_literals(child, text);
  }
  return text;
}

void gltf_keep_literals(struct gltf *gltf) { keep_literals(gltf->tree, (const char *)gltf->json.bytes); }

void gltf_set_number(cJSON *object, const char *name, size_t n) {
  cJSON *number = cJSON_CreateNumber((double)n);
  if (json_member(object, name)) cJSON_ReplaceItemInObjectCaseSensitive(object, name, number);
  else cJSON_AddItemToObject(object, name, number);
}

cJSON *gltf_append(cJSON *object, const char *array) {
  cJSON *item = memory_or_exit(cJSON_CreateObject()), *all = json_member(object, array);
  if (!all) all = memory_or_exit(cJSON_AddArrayToObject(object, array));
  cJSON_AddItemToArray(all, item);
  return item;
}

/* Files. ------------------------------------------------------------------------------------------------- */

size_t gltf_padded(size_t size) { return (size + 3) / 4 * 4; }

struct gltf_bytes gltf_other_chunks(const struct gltf *gltf) {
  const struct gltf_bytes *last = gltf->binary.bytes ? &gltf->binary : &gltf->json;
  const size_t start = (size_t)(last->bytes - gltf->file.bytes) + gltf_padded(last->size);
  if (gltf->json.bytes == gltf->file.bytes || start >= gltf->file.size) return (struct gltf_bytes){0};
  return (struct gltf_bytes){gltf->file.bytes + start, gltf->file.size - start};
}

static void put_word(struct output *o, size_t word) {
  unsigned char b[4];
  store_little(b, word, 4);
  output_write(o, b, 4);
}

static void put_chunk(struct output *o, size_t type, const void *bytes, size_t size, const char *padding) {
  put_word(o, gltf_padded(size));
  put_word(o, type);
  output_write(o, bytes, size);
  output_write(o, padding, gltf_padded(size) - size);
}

bool gltf_write_glb(const char *path, const char *text, const struct gltf_bytes *binary,
                    const struct gltf_bytes *others) {
  struct output o;
  const size_t length = text ? strlen(text) : 0,
               size = 28 + gltf_padded(length) + gltf_padded(binary->size) + others->size;
  if (!text || size > UINT32_MAX) return complain(path, "cannot write: it would be too large for glTF");
  if (!names_make_directory_of(path) || !output_open(&o, path)) return false;
  output_write(&o, "glTF", 4);
  put_word(&o, 2);
  put_word(&o, size);
  put_chunk(&o, 0x4e4f534a, text, length, "   ");
  put_chunk(&o, 0x004e4942, binary->bytes, binary->size, "\0\0");
  output_write(&o, others->bytes, others->size);
  return output_close(&o);
}
