/* glTF again, from its own JSON and bytes: new accessors of floats behind what is there, nothing else
 * changed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "base/names.h"
#include "base/output.h"
#include "base/text.h"
#include "core/bytes.h"
#include "readers/gltf_weights.h"
#include "readers/readers.h"

/* JSON. -------------------------------------------------------------------------------------------------- */

static size_t padded(size_t size) { return (size + 3) / 4 * 4; }

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

/* cJSON would write other digits and other escapes: below this item texts and numbers become what the text
 * has. Returns where it goes on. */
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

static cJSON *member(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* Sets a member, in its place if it is there. */
static void set(cJSON *object, const char *name, cJSON *item) {
  if (member(object, name)) cJSON_ReplaceItemInObjectCaseSensitive(object, name, item);
  else cJSON_AddItemToObject(object, name, item);
}
static void set_number(cJSON *object, const char *name, size_t n) {
  set(object, name, cJSON_CreateNumber((double)n));
}

/* To an array, which there may not be yet: accessors need no view where all is 0. */
static cJSON *append(cJSON *object, const char *array) {
  cJSON *item = memory_or_exit(cJSON_CreateObject()), *all = member(object, array);
  if (!all) all = memory_or_exit(cJSON_AddArrayToObject(object, array));
  cJSON_AddItemToArray(all, item);
  return item;
}

/* What changes. ------------------------------------------------------------------------------------------ */

struct edit {
  cJSON *channel;
  size_t sampler;
  int kind;
  const struct scene_curve *curve; /* of weights: so many, one for each target */
  size_t targets;
};

static size_t floats_of(const struct edit *e) { return scene_floats(e->curve, e->kind) * e->targets; }
static float float_at(const struct edit *e, size_t i) {
  return e->curve[i % e->targets].values[i / e->targets];
}

struct rewrite {
  const struct replacement *with;
  struct gltf *gltf;
  cJSON *animation;
  size_t edits, *uses; /* uses: channels that have the sampler */
  struct edit *edit;
  bool has_binary;               /* buffer 0 is the .glb's own */
  bool in_binary;                /* the new bytes go behind those of it */
  size_t samplers, inputs, size; /* inputs: edits that have times of their own */
  unsigned char *bytes;          /* the .glb's own, if in_binary, and the new ones */
};

/* Weights, if they are at the times of the file. */
static bool take_weights(const struct rewrite *r, size_t number, struct edit *edit) {
  const struct scene *scene = r->with->scene;
  const struct scene_curve *track = r->with->animation->track;
  size_t node = 0;
  while (node < scene->nodes && scene->node[node].number != number) node++;
  const size_t first = gltf_tracks_of(scene, node, &edit->targets);
  if (!r->with->kinds[SCENE_TRACK] || !track || edit->targets == 0) return false;
  edit->kind = SCENE_TRACK, edit->curve = track + first;
  for (size_t t = 0; t < edit->targets; t++) {
    if (!edit->curve[t].retimed) continue;
    complain(r->with->original, "weights of %.80s have two keys at one time, and stay as they are",
             scene->node[node].name);
    return false;
  }
  return edit->curve->keys > 0;
}

/* A channel of the JSON, if it is given other keys. */
static bool take_edit(const struct rewrite *r, const struct scene_channel *const *channel_of, cJSON *channel,
                      struct edit *edit) {
  struct gltf_target target;
  if (!gltf_target(channel, r->with->scene->nodes, &target)) return false;
  *edit = (struct edit){.channel = channel, .targets = 1};
  if (target.weights)
    return take_weights(r, target.node, edit) && gltf_index(channel, "sampler", r->samplers, &edit->sampler);
  if (target.kind == SCENE_KINDS || !channel_of[target.node]) return false;
  edit->kind = target.kind, edit->curve = &channel_of[target.node]->curve[target.kind];
  return r->with->kinds[edit->kind] && edit->curve->keys > 0 &&
         gltf_index(channel, "sampler", r->samplers, &edit->sampler);
}

static void take_edits(struct rewrite *r) {
  const struct scene *scene = r->with->scene;
  const struct scene_channel **channel_of = memory_get(scene->nodes, sizeof(struct scene_channel *));
  for (size_t c = 0; c < r->with->animation->channels; c++) {
    const struct scene_channel *channel = &r->with->animation->channel[c];
    channel_of[scene->node[channel->node].number] = channel;
  }
  r->samplers = (size_t)cJSON_GetArraySize(member(r->animation, "samplers"));
  r->uses = memory_get(r->samplers, sizeof *r->uses);
  cJSON *channel, *channels = member(r->animation, "channels");
  r->edit = memory_get((size_t)cJSON_GetArraySize(channels), sizeof *r->edit);
  cJSON_ArrayForEach(channel, channels) {
    size_t sampler;
    if (gltf_index(channel, "sampler", r->samplers, &sampler)) r->uses[sampler]++;
    if (take_edit(r, channel_of, channel, &r->edit[r->edits])) r->edits++;
  }
  free(channel_of);
}

/* Behind all values come the times of curves that have other ones than before: other channels may use those
 * that are there. */
static void put_values(struct rewrite *r) {
  const size_t start = r->in_binary ? padded(r->gltf->binary.size) : 0;
  r->size = start;
  for (size_t e = 0; e < r->edits; e++) {
    const struct scene_curve *curve = r->edit[e].curve;
    r->size += (floats_of(&r->edit[e]) + (curve->retimed ? curve->keys : 0)) * 4;
  }
  r->bytes = memory_get(r->size, 1);
  if (r->in_binary) memcpy(r->bytes, r->gltf->binary.bytes, r->gltf->binary.size);
  unsigned char *to = r->bytes + start;
  for (size_t e = 0; e < r->edits; e++)
    for (size_t i = 0; i < floats_of(&r->edit[e]); i++, to += 4) npy_put_float(to, float_at(&r->edit[e], i));
  for (size_t e = 0; e < r->edits; e++)
    for (size_t k = 0; r->edit[e].curve->retimed && k < r->edit[e].curve->keys; k++, to += 4)
      npy_put_float(to, scene_time(r->edit[e].curve, k));
}

/* A sampler of its own for each channel; the last one that has a sampler keeps it. Returns it. */
static cJSON *set_output(struct rewrite *r, const struct edit *edit, size_t accessor) {
  cJSON *samplers = member(r->animation, "samplers"),
        *sampler = cJSON_GetArrayItem(samplers, (int)edit->sampler);
  if (r->uses[edit->sampler]-- > 1) {
    sampler = memory_or_exit(cJSON_Duplicate(sampler, 1));
    cJSON_AddItemToArray(samplers, sampler);
    set_number(edit->channel, "sampler", r->samplers++);
  }
  set_number(sampler, "output", accessor);
  return sampler;
}

/* An accessor of floats in the new bufferView. Returns it. */
static cJSON *add_accessor(struct rewrite *r, size_t offset, size_t count, const char *type) {
  cJSON *accessor = append(r->gltf->tree, "accessors");
  set_number(accessor, "bufferView", r->gltf->views.count);
  set_number(accessor, "byteOffset", offset);
  set_number(accessor, "componentType", 5126);
  set_number(accessor, "count", count);
  cJSON_AddStringToObject(accessor, "type", type);
  return accessor;
}

/* glTF wants to know the least and the largest time. */
static void add_times(struct rewrite *r, const struct scene_curve *curve, size_t offset) {
  cJSON *accessor = add_accessor(r, offset, curve->keys, "SCALAR");
  const float ends[] = {scene_time(curve, 0), scene_time(curve, curve->keys - 1)};
  cJSON_AddItemToObject(accessor, "min", memory_or_exit(cJSON_CreateFloatArray(ends, 1)));
  cJSON_AddItemToObject(accessor, "max", memory_or_exit(cJSON_CreateFloatArray(ends + 1, 1)));
}

static void edit_tree(struct rewrite *r) {
  cJSON *tree = r->gltf->tree;
  const size_t start = r->in_binary ? padded(r->gltf->binary.size) : 0;
  size_t offset = 0;
  cJSON *view = append(tree, "bufferViews");
  set_number(view, "buffer", r->in_binary ? 0 : r->gltf->buffers.count);
  set_number(view, "byteOffset", start);
  set_number(view, "byteLength", r->size - start);
  for (size_t e = 0; e < r->edits; e++) {
    const struct edit *edit = &r->edit[e];
    const size_t floats = floats_of(edit), width = scene_width(edit->kind);
    add_accessor(r, offset, floats / width, width == 4 ? "VEC4" : width == 3 ? "VEC3" : "SCALAR");
    cJSON *sampler = set_output(r, edit, r->gltf->accessors.count + e);
    if (edit->curve->retimed) set_number(sampler, "input", r->gltf->accessors.count + r->edits + r->inputs++);
    offset += floats * 4;
  }
  for (size_t e = 0; e < r->edits; e++) {
    const struct scene_curve *curve = r->edit[e].curve;
    if (curve->retimed) add_times(r, curve, offset), offset += 4 * curve->keys;
  }
}

/* What a .glb has in its binary chunk. */
static struct gltf_bytes binary_of(const struct rewrite *r) {
  return r->in_binary ? (struct gltf_bytes){r->bytes, r->size} : r->gltf->binary;
}

/* Gives a buffer its bytes as base64. */
static void set_address(cJSON *buffer, const struct gltf_bytes *bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  static const char head[] = "data:application/octet-stream;base64,";
  char *address = memory_get(bytes->size / 3 + 1, 4 + sizeof head), *end = address + sizeof head - 1;
  memcpy(address, head, sizeof head);
  for (size_t i = 0; i < bytes->size; i += 3) {
    const size_t left = bytes->size - i;
    const unsigned char *b = bytes->bytes + i;
    const uint32_t bits = (uint32_t)b[0] << 16 | (left > 1 ? (uint32_t)b[1] << 8 : 0) | (left > 2 ? b[2] : 0);
    for (int c = 0; c < 4; c++) *end++ = (size_t)c <= left ? digits[bits >> (18 - 6 * c) & 63] : '=';
  }
  set(buffer, "uri", memory_or_exit(cJSON_CreateString(address)));
  free(address);
}

/* The buffers of the new bytes and of a .glb's own, which a .gltf has as base64. */
static void edit_buffers(struct rewrite *r, bool glb) {
  cJSON *own = r->has_binary ? member(r->gltf->tree, "buffers")->child : NULL;
  const struct gltf_bytes binary = binary_of(r), more = {r->bytes, r->size};
  if (r->edits > 0 && !r->in_binary) {
    cJSON *buffer = append(r->gltf->tree, "buffers");
    set_number(buffer, "byteLength", more.size);
    set_address(buffer, &more);
  }
  if (own && r->in_binary) set_number(own, "byteLength", more.size);
  if (own && !glb) set_address(own, &binary);
}

/* Files. ------------------------------------------------------------------------------------------------- */

/* Behind the chunks of JSON and binary; nothing in a .gltf. */
static struct gltf_bytes other_chunks(const struct gltf *gltf) {
  const struct gltf_bytes *last = gltf->binary.bytes ? &gltf->binary : &gltf->json;
  const size_t start = (size_t)(last->bytes - gltf->file.bytes) + padded(last->size);
  if (gltf->json.bytes == gltf->file.bytes || start >= gltf->file.size) return (struct gltf_bytes){0};
  return (struct gltf_bytes){gltf->file.bytes + start, gltf->file.size - start};
}

static void put_word(struct output *o, size_t word) {
  unsigned char b[4];
  store_little(b, word, 4);
  output_write(o, b, 4);
}

static void put_chunk(struct output *o, size_t type, const void *bytes, size_t size, const char *padding) {
  put_word(o, padded(size));
  put_word(o, type);
  output_write(o, bytes, size);
  output_write(o, padding, padded(size) - size);
}

size_t gltf_glb_size(size_t text, const struct gltf_bytes *binary) {
  return 20 + padded(text) + (binary->bytes ? 8 + padded(binary->size) : 0);
}

void gltf_put_glb(struct output *o, size_t size, const char *text, const struct gltf_bytes *binary) {
  output_write(o, "glTF", 4);
  put_word(o, 2);
  put_word(o, size);
  put_chunk(o, 0x4e4f534a, text, strlen(text), "   ");
  if (binary->bytes) put_chunk(o, 0x004e4942, binary->bytes, binary->size, "\0\0");
}

static bool write_text(const struct rewrite *r, const char *path, bool glb, const char *text) {
  struct output o;
  const struct gltf_bytes binary = binary_of(r), others = other_chunks(r->gltf);
  const size_t size = text ? gltf_glb_size(strlen(text), &binary) + others.size : 0;
  if (!text || (glb && size > UINT32_MAX)) {
    complain(path, "cannot write: it would be too large for glTF");
    return false;
  }
  if (!output_open(&o, path)) return false;
  if (glb) gltf_put_glb(&o, size, text, &binary), output_write(&o, others.bytes, others.size);
  else output_write(&o, text, strlen(text)), output_write(&o, "\n", 1);
  return output_close(&o);
}

/* A word to the wise: files that this one names are looked for beside it. */
static void mention_files(const struct rewrite *r, const char *path) {
  static const char *const arrays[] = {"buffers", "images"};
  const char *original = r->with->original;
  const size_t length = (size_t)(names_file(path) - path);
  if (length == (size_t)(names_file(original) - original) && memcmp(path, original, length) == 0) return;
  for (int i = 0; i < 2; i++) {
    const cJSON *item;
    cJSON_ArrayForEach(item, member(r->gltf->tree, arrays[i])) {
      const char *address = cJSON_GetStringValue(member(item, "uri"));
      if (!address || *address == '/' || strchr(address, ':')) continue;
      complain(path, "needs %.200s beside it, as %s does", address, original);
      return;
    }
  }
}

static bool rewrite(struct rewrite *r, const char *path) {
  const bool glb = file_name_ends(path, ".glb");
  const struct gltf_list *buffers = &r->gltf->buffers;
  r->has_binary = r->gltf->binary.bytes && buffers->count > 0 && !member(buffers->item[0], "uri");
  r->in_binary = r->has_binary && !gltf_is_fallback(buffers->item[0]); /* in which no view is plain */
  if (!glb && other_chunks(r->gltf).size > 0) {
    complain(r->with->original, "has chunks that only a .glb can have");
    return false;
  }
  mention_files(r, path);
  take_edits(r);
  put_values(r);
  keep_literals(r->gltf->tree, (const char *)r->gltf->json.bytes); /* no number can be read from now on */
  if (r->edits > 0) edit_tree(r);
  if (r->edits > 0 || !glb) edit_buffers(r, glb);
  char *text = (glb ? cJSON_PrintUnformatted : cJSON_Print)(r->gltf->tree);
  const bool good = write_text(r, path, glb, text);
  cJSON_free(text);
  return good;
}

bool gltf_replace_keys(const struct replacement *with, const char *output) {
  struct gltf gltf;
  if (!gltf_open(&gltf, with->original)) return false;
  struct rewrite r = {.with = with, .gltf = &gltf};
  r.animation = cJSON_GetArrayItem(member(gltf.tree, "animations"), (int)with->animation->number);
  const bool good = rewrite(&r, output);
  free(r.bytes);
  free(r.edit);
  free(r.uses);
  gltf_close(&gltf);
  return good;
}
