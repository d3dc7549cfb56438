#include "bundles/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/text.h"
#include "files/file.h"
#include "readers/readers.h"

/* A number of a skeleton and of the human bones that its joints are. */
static uint64_t hash_of(const struct skeleton_file *file) {
  uint64_t hash = XXH64(file->data, file->size, file->backward);
  for (size_t j = 0; file->human && j < quatsimd_skeleton_joint_count(file->skeleton); j++) {
    const char *human = file->human[j] ? file->human[j] : "";
    hash = XXH64(human, strlen(human) + 1, hash);
  }
  return hash;
}

static void put_skeleton(struct growing_text *to, const struct clip_settings *s) {
  const struct skeleton_choice *k = &s->skeleton;
  const bool mesh = (s->asked.mesh > 0 || s->joints) && k->path && !skeleton_file_is(k->path);
  char *hash = mesh ? making_hash(k->path) : NULL;
  if (k->of && k->of->data) text_add(to, " skeleton %016" PRIx64, hash_of(k->of));
  if (hash) text_add(to, " mesh of %s", hash);
  free(hash);
}

char *making_skeleton(const struct clip_settings *s) {
  struct growing_text text = {0};
  text_add(&text, "%s", ""); /* there may be nothing else */
  put_skeleton(&text, s);
  return text.text;
}

/* Parts that change with other files, too. */
static void put_pipeline(struct growing_text *to, const struct clip_settings *s) {
  if (s->loop == CLIP_LOOP_AUTO) text_add(to, " loop auto");
  if (s->base) {
    char *path = text_clean(s->base->path);
    text_add(to, " base %s %zu %s", s->base->hash, clip_base_animation(s->base)->number, path);
    free(path);
  }
  for (const char *const *a = s->animations; a && *a; a++) {
    char *pattern = text_clean(*a);
    text_add(to, "\nanimation %s", pattern); /* a pattern has no line ends */
    free(pattern);
  }
}

char *making_options(const struct clip_settings *s, const char *recipe, bool release) {
  static const char *const units[] = {
      [BOUNDS_FILE_UNIT] = "", [BOUNDS_METRES] = " m", [BOUNDS_METRES_OR_HEIGHT] = " m or by height"};
  const struct bounds *b = &s->asked.bounds;
  const enum bounds_in *in = s->asked.in;
  const struct skeleton_choice *k = &s->skeleton;
  struct growing_text text = {0}, *to = &text;
  text_add(to, "quatsimd %s rotation %.17g translation %.17g%s scale %.17g object %.17g%s at %.17g%s",
           quatsimd_version(), b->of[0], b->of[1], units[in[1]], b->of[2], b->of[CLIP_CHECK_OBJECT],
           units[in[CLIP_CHECK_OBJECT]], b->distance, units[s->asked.distance_in]);
  if (s->asked.mesh > 0)
    text_add(to, " mesh %.17g%s%s%s", s->asked.mesh, units[s->asked.mesh_in],
             s->asked.mesh_by_default ? " if any" : "", s->track_given ? " and tracks" : "");
  text_add(to, " track %.17g", s->track_bound);
  if (s->rate > 0) text_add(to, " rate %.17g", s->rate);
  if (s->loop == CLIP_LOOP_ALL) text_add(to, " loop");
  if (s->additive) text_add(to, " additive");
  if (s->only >= 0) text_add(to, " only %s", scene_kinds[s->only]);
  if (k->ignore_unmatched) text_add(to, " ignore unmatched");
  if (k->by_importance) text_add(to, " order importance");
  if (release) text_add(to, " release");
  put_pipeline(to, s);
  if (!k->first) put_skeleton(to, s);
  if (recipe) text_add(to, " recipe %s", recipe);
  return text.text;
}

/* hashes. ------------------------------------------------------------------------------------------------ */

static char *hash_text(XXH128_hash_t hash) {
  char digits[33];
  snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
  return text_copy(digits);
}

static bool add_file(void *state, const char *path) {
  size_t size;
  char *bytes = file_read(path, &size);
  if (bytes) XXH3_128bits_update(state, bytes, size);
  free(bytes);
  return bytes != NULL;
}

char *making_hash(const char *path) {
  XXH3_state_t *state = memory_or_exit(XXH3_createState());
  XXH3_128bits_reset(state);
  const struct reader *reader = reader_of(path);
  const bool good =
      reader && add_file(state, path) && (!reader->parts || reader->parts(path, add_file, state));
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  if (!good) return NULL;
  return hash_text(hash);
}

char *making_hash_of_bytes(const char *path) {
  size_t size;
  char *bytes = file_read(path, &size), *hash = bytes ? hash_text(XXH3_128bits(bytes, size)) : NULL;
  free(bytes);
  return hash;
}

char *making_digest(const char *options, char *const *hashes, size_t count) {
  XXH3_state_t *state = memory_or_exit(XXH3_createState());
  XXH3_128bits_reset(state);
  XXH3_128bits_update(state, options, strlen(options) + 1);
  for (size_t i = 0; i < count; i++) XXH3_128bits_update(state, hashes[i], strlen(hashes[i]) + 1);
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return hash_text(hash);
}
