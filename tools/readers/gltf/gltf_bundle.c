#include "readers/gltf/gltf_bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "files/file.h"
#include "files/names.h"
#include "readers/gltf/gltf_edit.h"
#include "terminal/message.h"

struct gltf_rewrite {
  const struct gltf_bundle *with;
  struct gltf gltf;
  bool is_listed;      /* extensionsUsed has the bundle's, though the file does not */
  const char *unknown; /* an extension that may refer to anything; null: there is none */
  struct gltf_references references;
  size_t count[GLTF_ARRAYS], left[GLTF_ARRAYS]; /* left: of them, in the end */
  bool *goes[GLTF_ARRAYS];
  size_t *number[GLTF_ARRAYS]; /* that it has in the end */
  size_t ranges;
  struct gltf_range *range; /* of bufferViews */
  struct gltf_cut cut;
};

/* Parts that go. ----------------------------------------------------------------------------------------- */

/* A part that only parts that go refer to goes, too. */
static void spread(struct gltf_rewrite *r, enum gltf_array to) {
  bool *stays = memory_get(r->count[to], sizeof *stays);
  for (size_t i = 0; i < r->references.count; i++) {
    const struct gltf_reference *of = &r->references.of[i];
    if (of->to != to) continue;
    if (of->from < GLTF_ARRAYS && r->goes[of->from][of->from_number]) r->goes[to][of->to_number] = true;
    else stays[of->to_number] = true;
  }
  for (size_t i = 0; i < r->count[to]; i++) r->goes[to][i] = r->goes[to][i] && !stays[i];
  free(stays);
}

/* Buffers that have bytes and are no fallback become the .glb's own, but for those outside of the file's
 * folder. */
static bool is_taken(const struct gltf_rewrite *r, size_t b) {
  const cJSON *buffer = r->gltf.buffers.item[b];
  return (!r->unknown || b == 0) && !gltf_is_fallback(buffer) && gltf_may_read(&r->gltf, b) &&
         (json_member(buffer, "uri") || (b == 0 && r->gltf.binary.bytes));
}

static void find_numbers(struct gltf_rewrite *r) {
  for (int a = 0; a < GLTF_ARRAYS; a++) {
    size_t number = a == GLTF_BUFFERS; /* the first one is new, or that into which others go */
    for (size_t i = 0; i < r->count[a]; i++)
      if (a == GLTF_BUFFERS && r->cut.taken[i]) r->number[a][i] = 0;
      else if (!r->goes[a][i]) r->number[a][i] = number++;
    r->left[a] = number;
  }
}

static bool add_range(struct gltf_rewrite *r, size_t view, cJSON *holder) {
  struct gltf_range *range = &r->range[r->ranges++];
  *range = (struct gltf_range){.view = view, .holder = holder};
  if (gltf_find_place(&r->gltf, holder, &range->at) && range->at.size > 0) return true;
  return complain(r->gltf.path, "bufferView %zu is broken", view);
}

static bool find_ranges(struct gltf_rewrite *r) {
  static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  r->range = memory_get(r->count[GLTF_VIEWS], (1 + sizeof names / sizeof *names) * sizeof *r->range);
  const cJSON *array = json_member(r->gltf.tree, "bufferViews");
  size_t v = 0;
  for (cJSON *view = array ? array->child : NULL; view; view = view->next, v++) {
    if (!add_range(r, v, view)) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      cJSON *compressed = json_member(json_member(view, "extensions"), names[i]);
      if (compressed && !add_range(r, v, compressed)) return false;
    }
  }
  return true;
}

/* False and a complaint if a member is something else than in glTF. */
static bool has_members(const struct gltf *gltf) {
  static const char *const names[] = {"extensionsUsed", "animations", "accessors", "bufferViews", "buffers"};
  const cJSON *extensions = json_member(gltf->tree, "extensions");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const cJSON *array = json_member(gltf->tree, names[i]);
    if (array && !cJSON_IsArray(array)) return complain(gltf->path, "%s is not an array", names[i]);
  }
  return !extensions || cJSON_IsObject(extensions) || complain(gltf->path, "extensions is not an object");
}

static bool may_replace(const struct gltf *gltf) {
  const char *by_number = gltf_extension_of_animations(gltf->tree);
  if (!has_members(gltf)) return false;
  if (gltf_bundle_of(gltf->tree))
    return complain(gltf->path,
                    "already has its animations as a bundle; take the file that it was made from");
  if (cJSON_GetArraySize(json_member(gltf->tree, "animations")) == 0)
    return complain(gltf->path, "there are no animations in it");
  return !by_number ||
         complain(
             gltf->path,
             "has the extension %s, which starts animations by their numbers, so they cannot be replaced",
             by_number);
}

/* False and a complaint if the first buffer has no bytes, and should have some. */
static bool has_first_buffer(const struct gltf_rewrite *r) {
  if (r->count[GLTF_BUFFERS] == 0 || r->cut.taken[0]) return true;
  const bool is_fallback = gltf_is_fallback(r->gltf.buffers.item[0]);
  if (is_fallback && !r->unknown) return true;
  return complain(r->gltf.path, is_fallback
                                    ? "its buffers cannot be renumbered, and the first one has no bytes"
                                    : "buffer 0 is not in the file");
}

/* False and a complaint if an extension refers to animations where nobody knows how to renumber them. */
static bool finds_all_animations(const struct gltf *gltf) {
  struct gltf_where where;
  const char *extension = gltf_unknown_extension_of_animations(gltf->tree, &where);
  return !extension ||
         complain(gltf->path,
                  "has the unknown extension %.80s, which seems to refer to an animation at %s: animations "
                  "would get other numbers",
                  extension, where.text);
}

/* False and a complaint if the file is broken, or too strange. */
static bool find_all(struct gltf_rewrite *r) {
  r->unknown = gltf_unknown_extension(r->gltf.tree);
  if (r->unknown && !finds_all_animations(&r->gltf)) return false;
  if (!gltf_find_references(&r->gltf, &r->references)) return false;
  for (int a = 0; a < GLTF_ARRAYS; a++) {
    r->count[a] = (size_t)cJSON_GetArraySize(json_member(r->gltf.tree, gltf_arrays[a]));
    r->goes[a] = memory_get(r->count[a], sizeof *r->goes[a]);
    r->number[a] = memory_get(r->count[a], sizeof *r->number[a]);
  }
  r->cut.taken = memory_get(r->count[GLTF_BUFFERS], sizeof *r->cut.taken);
  for (size_t b = 0; b < r->count[GLTF_BUFFERS]; b++) r->cut.taken[b] = is_taken(r, b);
  if (!has_first_buffer(r) || !find_ranges(r) || !gltf_cut_check(&r->gltf, r->range, r->ranges, &r->cut))
    return false;
  if (r->unknown)
    complain(
        r->gltf.path,
        "has the unknown extension %.80s, which may refer to accessors and animations by their numbers: all "
        "accessors and their bytes stay; animations that stay may get other numbers",
        r->unknown);
  return true;
}

/* False and a complaint if there are no such animations. */
static bool plan(struct gltf_rewrite *r) {
  for (size_t i = 0; i < r->with->animations; i++) {
    const size_t number = r->with->animation[i].number;
    if (number >= r->count[GLTF_ANIMATIONS] || gltf_rewrite_keeps(r, number))
      return complain(r->gltf.path, "changed while it was read");
    r->goes[GLTF_ANIMATIONS][number] = true;
  }
  if (!r->unknown)
    for (int a = GLTF_ACCESSORS; a <= GLTF_BUFFERS; a++) spread(r, a);
  for (size_t b = 0; b < r->count[GLTF_BUFFERS]; b++)
    if (r->cut.taken[b]) r->goes[GLTF_BUFFERS][b] = false; /* its bytes go as views do */
  for (size_t i = 0; i < r->ranges; i++)
    r->range[i].goes = r->goes[GLTF_VIEWS][r->range[i].view] && r->cut.taken[r->range[i].at.buffer];
  gltf_cut_make(&r->gltf, r->range, r->ranges, r->with->size + 4, &r->cut);
  find_numbers(r);
  return true;
}

/* JSON. -------------------------------------------------------------------------------------------------- */

static void become(cJSON *item, size_t number) {
  cJSON_free(item->valuestring);
  item->valuestring = NULL;
  item->type = (item->type & ~0xff) | cJSON_Number;
  cJSON_SetNumberValue(item, (double)number);
}

/* In the tree of which the numbers are texts: those that are others now. */
static void renumber(struct gltf_rewrite *r) {
  for (size_t i = 0; i < r->references.count; i++) {
    const struct gltf_reference *of = &r->references.of[i];
    const size_t number = r->number[of->to][of->to_number];
    if (!r->goes[of->to][of->to_number] && number != of->to_number) become(of->item, number);
  }
  for (size_t i = 0; i < r->ranges; i++) {
    const struct gltf_range *range = &r->range[i];
    if (range->goes || !r->cut.taken[range->at.buffer]) continue;
    const size_t start = gltf_cut_place(&r->cut, range->at.buffer, range->at.start);
    if (start != range->at.start) gltf_set_number(range->holder, "byteOffset", start);
  }
}

/* Adds a copy of a member to another object, if it is there. */
static void copy(const cJSON *from, cJSON *to, const char *name) {
  const cJSON *item = json_member(from, name);
  if (item) cJSON_AddItemToObject(to, name, memory_or_exit(cJSON_Duplicate(item, true)));
}

/* The extension, with what animations have beside their channels. */
static cJSON *make_extension(struct gltf_rewrite *r) {
  const struct gltf_bundle *with = r->with;
  cJSON *extension = memory_or_exit(cJSON_CreateObject());
  gltf_set_number(extension, "version", GLTF_BUNDLE_VERSION);
  gltf_set_number(extension, "bufferView", r->left[GLTF_VIEWS]);
  cJSON *joints =
      with->joints ? cJSON_AddArrayToObject(extension, "joints") : NULL; /* glTF has no empty ones */
  for (size_t j = 0; j < with->joints; j++)
    cJSON_AddItemToArray(joints, cJSON_CreateNumber((double)with->joint[j]));
  for (size_t t = 0; t < with->tracks; t++) {
    cJSON *track = gltf_append(extension, "tracks");
    gltf_set_number(track, "node", with->track[t].node);
    gltf_set_number(track, "target", with->track[t].target);
  }
  const cJSON *from = json_member(r->gltf.tree, "animations")->child;
  size_t number = 0;
  for (size_t i = 0; i < with->animations; i++) {
    const struct gltf_bundle_animation *of = &with->animation[i];
    for (; number < of->number; number++) from = from->next;
    cJSON *animation = gltf_append(extension, "animations");
    if (of->name) cJSON_AddStringToObject(animation, "name", of->name);
    else copy(from, animation, "name");
    cJSON_AddStringToObject(animation, "clip", of->clip);
    copy(from, animation, "extensions");
    copy(from, animation, "extras");
  }
  return extension;
}

/* Parts that go leave their arrays, and empty arrays leave the file. */
static void remove_all(struct gltf_rewrite *r, enum gltf_array a) {
  cJSON *array = json_member(r->gltf.tree, gltf_arrays[a]), *next;
  size_t i = 0;
  for (cJSON *item = array ? array->child : NULL; item; item = next, i++) {
    next = item->next;
    if (r->goes[a][i]) cJSON_Delete(cJSON_DetachItemViaPointer(array, item));
  }
  if (array && !array->child) cJSON_DeleteItemFromObjectCaseSensitive(r->gltf.tree, gltf_arrays[a]);
}

/* The first buffer that is taken has the bytes of all; a fallback of nothing goes. */
static void edit_buffers(struct gltf_rewrite *r, size_t size) {
  cJSON *tree = r->gltf.tree, *array = json_member(tree, "buffers"), *own = NULL, *next;
  size_t b = 0;
  if (!array) array = memory_or_exit(cJSON_AddArrayToObject(tree, "buffers"));
  for (cJSON *buffer = array->child; buffer; buffer = next, b++) {
    next = buffer->next;
    if (!r->cut.taken[b] && !r->goes[GLTF_BUFFERS][b]) continue;
    cJSON_DetachItemViaPointer(array, buffer);
    if (own || !r->cut.taken[b]) cJSON_Delete(buffer);
    else own = buffer;
  }
  if (!own) own = memory_or_exit(cJSON_CreateObject());
  cJSON_DeleteItemFromObjectCaseSensitive(own, "uri");
  gltf_set_number(own, "byteLength", size);
  cJSON_InsertItemInArray(array, 0, own);
}

static void add_to_used(cJSON *tree) {
  cJSON *used = json_member(tree, "extensionsUsed");
  if (!used) used = memory_or_exit(cJSON_AddArrayToObject(tree, "extensionsUsed"));
  cJSON_AddItemToArray(used, memory_or_exit(cJSON_CreateString(GLTF_BUNDLE)));
}

static void edit_tree(struct gltf_rewrite *r, size_t start, size_t size) {
  cJSON *tree = r->gltf.tree, *extensions = json_member(tree, "extensions");
  renumber(r);
  if (!extensions) extensions = memory_or_exit(cJSON_AddObjectToObject(tree, "extensions"));
  cJSON_AddItemToObject(extensions, GLTF_BUNDLE, make_extension(r));
  for (int a = 0; a < GLTF_BUFFERS; a++) remove_all(r, a);
  cJSON *view = gltf_append(tree, "bufferViews");
  gltf_set_number(view, "buffer", 0);
  gltf_set_number(view, "byteOffset", start);
  gltf_set_number(view, "byteLength", r->with->size);
  edit_buffers(r, size);
  if (!r->is_listed) add_to_used(tree);
}

/* Files. ------------------------------------------------------------------------------------------------- */

struct gltf_rewrite *gltf_rewrite_open(const char *path) {
  struct gltf_rewrite *r = memory_get(1, sizeof *r);
  if (gltf_open(&r->gltf, path) && may_replace(&r->gltf) && find_all(r)) return r;
  gltf_rewrite_close(r);
  return NULL;
}

void gltf_rewrite_close(struct gltf_rewrite *r) {
  for (int a = 0; a < GLTF_ARRAYS; a++) free(r->goes[a]), free(r->number[a]);
  gltf_cut_free(&r->cut);
  free(r->references.of);
  free(r->range);
  gltf_close(&r->gltf);
  free(r);
}

size_t gltf_rewrite_size(const struct gltf_rewrite *r) {
  size_t size = r->gltf.file.size;
  for (size_t b = 0; b < r->count[GLTF_BUFFERS]; b++) {
    const char *address = gltf_text(r->gltf.buffers.item[b], "uri");
    if (r->cut.taken[b] && *address && strncmp(address, "data:", 5) != 0) size += r->gltf.buffer[b].size;
  }
  return size;
}

bool gltf_rewrite_keeps(const struct gltf_rewrite *r, size_t animation) {
  const struct gltf_references *all = &r->references;
  for (size_t i = 0; i < all->count && all->of[i].to == GLTF_ANIMATIONS; i++)
    if (all->of[i].to_number == animation) return true;
  return false;
}

/* Adds the bytes of an accessor's or a part's bufferView, once. */
static void add_view(const struct gltf *gltf, const cJSON *part, bool *counted, size_t *size) {
  size_t view;
  if (!gltf_index(part, "bufferView", gltf->views.count, &view) || counted[view]) return;
  *size += gltf_view_size(gltf, view);
  counted[view] = true;
}

size_t gltf_rewrite_key_size(const struct gltf_rewrite *r, size_t animation) {
  static const char *const names[] = {"input", "output"};
  const struct gltf *gltf = &r->gltf;
  const cJSON *of = cJSON_GetArrayItem(json_member(gltf->tree, "animations"), (int)animation), *channel;
  const struct gltf_list samplers = gltf_list(of, "samplers");
  bool *counted = memory_get(gltf->views.count, sizeof *counted);
  size_t sampler, accessor, size = 0;
  cJSON_ArrayForEach(channel, json_member(of, "channels")) {
    if (!gltf_index(channel, "sampler", samplers.count, &sampler)) continue;
    for (int i = 0; i < 2; i++) {
      if (!gltf_index(samplers.item[sampler], names[i], gltf->accessors.count, &accessor)) continue;
      const cJSON *item = gltf->accessors.item[accessor], *sparse = json_member(item, "sparse");
      add_view(gltf, item, counted, &size);
      add_view(gltf, json_member(sparse, "indices"), counted, &size);
      add_view(gltf, json_member(sparse, "values"), counted, &size);
    }
  }
  free(counted), free(samplers.item);
  return size;
}

static bool is_beside(const char *a, const char *b) {
  char *folder = names_folder(a), *other = names_folder(b);
  const bool same = file_is_same(folder, other);
  free(folder), free(other);
  return same;
}

/* Names what stays in other files. Their paths begin in the file's folder, which may be another one now. */
static void mention_files(const struct gltf_rewrite *r, const char *output) {
  static const char *const arrays[] = {"buffers", "images"};
  const bool moves = !is_beside(output, r->gltf.path);
  const char *first = NULL, *first_moved = NULL;
  size_t count = 0, moved = 0;
  char where[300] = "";
  for (int i = 0; i < 2; i++) {
    const cJSON *item;
    size_t b = 0;
    cJSON_ArrayForEach(item, json_member(r->gltf.tree, arrays[i])) {
      const char *address = gltf_text(item, "uri");
      if ((i == 0 && r->cut.taken[b++]) || !*address || strncmp(address, "data:", 5) == 0) continue;
      if (count++ == 0) first = address;
      if (moves && *address != '/' && !strchr(address, ':') && moved++ == 0) first_moved = address;
    }
  }
  if (moved)
    snprintf(where, sizeof where, ": %zu %s in its folder, and %s where %.200s is", moved,
             moved > 1 ? "have paths that begin" : "has a path that begins", moved > 1 ? "are" : "is",
             r->gltf.path);
  if (count)
    complain(output, "needs other files for %zu of its buffers and images, \"%.200s\"%s%s", count,
             first_moved ? first_moved : first, count > 1 ? " and others" : "", where);
}

bool gltf_rewrite_write(struct gltf_rewrite *r, const struct gltf_bundle *with, const char *output) {
  r->with = with;
  if (!plan(r)) return false;
  mention_files(r, output);
  struct gltf_bytes *all = &r->cut.all;
  const size_t start = gltf_padded(all->size);
  memcpy(all->bytes + start, with->data, with->size);
  all->size = start + with->size;
  r->is_listed = gltf_lists(&r->gltf, "extensionsUsed", GLTF_BUNDLE);
  gltf_keep_literals(&r->gltf);
  edit_tree(r, start, all->size);
  char *text = cJSON_PrintUnformatted(r->gltf.tree);
  const struct gltf_bytes others = gltf_other_chunks(&r->gltf);
  const bool good = gltf_write_glb(output, text, all, &others);
  cJSON_free(text);
  return good;
}

bool gltf_bundle_has_name(const char *path) {
  return file_name_ends(path, ".glb") || file_name_ends(path, ".vrm") || file_name_ends(path, ".vrma");
}
