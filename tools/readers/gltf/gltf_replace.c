/* glTF again, from its own JSON and bytes: new accessors of floats behind what is there, nothing else
 * changed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "base/text.h"
#include "readers/gltf/gltf_edit.h"
#include "readers/gltf/gltf_weights.h"

/* The changes. ------------------------------------------------------------------------------------------- */

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
    complain(r->with->original, "weights of %.80s stay as they are, because two keys have the same time",
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
  r->samplers = (size_t)cJSON_GetArraySize(gltf_member(r->animation, "samplers"));
  r->uses = memory_get(r->samplers, sizeof *r->uses);
  cJSON *channel, *channels = gltf_member(r->animation, "channels");
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
  const size_t start = r->in_binary ? gltf_padded(r->gltf->binary.size) : 0;
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
  cJSON *samplers = gltf_member(r->animation, "samplers"),
        *sampler = cJSON_GetArrayItem(samplers, (int)edit->sampler);
  if (r->uses[edit->sampler]-- > 1) {
    sampler = memory_or_exit(cJSON_Duplicate(sampler, 1));
    cJSON_AddItemToArray(samplers, sampler);
    gltf_set_number(edit->channel, "sampler", r->samplers++);
  }
  gltf_set_number(sampler, "output", accessor);
  return sampler;
}

/* An accessor of floats in the new bufferView. Returns it. */
static cJSON *add_accessor(struct rewrite *r, size_t offset, size_t count, const char *type) {
  cJSON *accessor = gltf_append(r->gltf->tree, "accessors");
  gltf_set_number(accessor, "bufferView", r->gltf->views.count);
  gltf_set_number(accessor, "byteOffset", offset);
  gltf_set_number(accessor, "componentType", 5126);
  gltf_set_number(accessor, "count", count);
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
  const size_t start = r->in_binary ? gltf_padded(r->gltf->binary.size) : 0;
  size_t offset = 0;
  cJSON *view = gltf_append(tree, "bufferViews");
  gltf_set_number(view, "buffer", r->in_binary ? 0 : r->gltf->buffers.count);
  gltf_set_number(view, "byteOffset", start);
  gltf_set_number(view, "byteLength", r->size - start);
  for (size_t e = 0; e < r->edits; e++) {
    const struct edit *edit = &r->edit[e];
    const size_t floats = floats_of(edit), width = scene_width(edit->kind);
    add_accessor(r, offset, floats / width, width == 4 ? "VEC4" : width == 3 ? "VEC3" : "SCALAR");
    cJSON *sampler = set_output(r, edit, r->gltf->accessors.count + e);
    if (edit->curve->retimed)
      gltf_set_number(sampler, "input", r->gltf->accessors.count + r->edits + r->inputs++);
    offset += floats * 4;
  }
  for (size_t e = 0; e < r->edits; e++) {
    const struct scene_curve *curve = r->edit[e].curve;
    if (curve->retimed) add_times(r, curve, offset), offset += 4 * curve->keys;
  }
}

/* The binary chunk of a .glb. */
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
  gltf_set(buffer, "uri", memory_or_exit(cJSON_CreateString(address)));
  free(address);
}

/* The buffers of the new bytes and of a .glb's own, which a .gltf has as base64. */
static void edit_buffers(struct rewrite *r, bool glb) {
  cJSON *own = r->has_binary ? gltf_member(r->gltf->tree, "buffers")->child : NULL;
  const struct gltf_bytes binary = binary_of(r), more = {r->bytes, r->size};
  if (r->edits > 0 && !r->in_binary) {
    cJSON *buffer = gltf_append(r->gltf->tree, "buffers");
    gltf_set_number(buffer, "byteLength", more.size);
    set_address(buffer, &more);
  }
  if (own && r->in_binary) gltf_set_number(own, "byteLength", more.size);
  if (own && !glb) set_address(own, &binary);
}

/* Files. ------------------------------------------------------------------------------------------------- */

static bool rewrite(struct rewrite *r, const char *path) {
  const bool glb = file_name_ends(path, ".glb");
  const struct gltf_list *buffers = &r->gltf->buffers;
  r->has_binary = r->gltf->binary.bytes && buffers->count > 0 && !gltf_member(buffers->item[0], "uri");
  r->in_binary = r->has_binary && !gltf_is_fallback(buffers->item[0]); /* in which no view is plain */
  if (!glb && gltf_other_chunks(r->gltf).size > 0) {
    complain(r->with->original, "has chunks that a .gltf cannot have; the output must end in .glb");
    return false;
  }
  gltf_mention_files(r->gltf, path, NULL);
  take_edits(r);
  put_values(r);
  gltf_keep_literals(r->gltf); /* no number can be read from now on */
  if (r->edits > 0) edit_tree(r);
  if (r->edits > 0 || !glb) edit_buffers(r, glb);
  char *text = (glb ? cJSON_PrintUnformatted : cJSON_Print)(r->gltf->tree);
  const struct gltf_bytes binary = binary_of(r);
  const bool good = gltf_write_text(r->gltf, path, glb, text, &binary);
  cJSON_free(text);
  return good;
}

bool gltf_replace_keys(const struct replacement *with, const char *output) {
  struct gltf gltf;
  if (!gltf_open(&gltf, with->original)) return false;
  struct rewrite r = {.with = with, .gltf = &gltf};
  r.animation = cJSON_GetArrayItem(gltf_member(gltf.tree, "animations"), (int)with->animation->number);
  if (!r.animation)
    complain(with->original, "the animation is in a bundle, where its keys cannot be replaced");
  const bool good = r.animation && rewrite(&r, output);
  free(r.bytes);
  free(r.edit);
  free(r.uses);
  gltf_close(&gltf);
  return good;
}
