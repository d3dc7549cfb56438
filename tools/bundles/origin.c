#include "bundles/origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bundles/digest.h"
#include "files/names.h"
#include "system/files.h"
#include "terminal/message.h"
#include "terminal/print.h"

const struct made_bounds *clip_origin_bounds(const struct clip_origin *origin) {
  static const struct made_bounds none;
  return origin->file ? made_bounds_of(origin->file, origin->clip) : &none;
}

/* Any skeleton has the tracks of a clip without tracks. */
static bool has_tracks_of(const quatsimd_skeleton *skeleton, const quatsimd_clip *clip) {
  const size_t tracks = quatsimd_clip_track_count(clip);
  return tracks == 0 || tracks == quatsimd_skeleton_track_count(skeleton);
}

static bool is_of(const quatsimd_clip *clip, const quatsimd_skeleton *skeleton) {
  return quatsimd_clip_skeleton_hash(clip) == 0 ||
         quatsimd_clip_skeleton_hash(clip) == quatsimd_skeleton_hash(skeleton);
}

bool clip_origin_fits(const struct clip_file *clip, const char *file, const struct skeleton *skeleton) {
  const size_t joints = quatsimd_clip_joint_count(clip->clip), tracks = quatsimd_clip_track_count(clip->clip);
  if (joints != skeleton->joints)
    complain(clip->path, "has %s, and %s has %s: it is a clip of another file", text_count(joints, "joint"),
             file, text_number(skeleton->joints));
  else if (!has_tracks_of(skeleton->file.skeleton, clip->clip))
    complain(clip->path, "has %s, and %s has %s: it is a clip of another file", text_count(tracks, "track"),
             file, text_number(quatsimd_skeleton_track_count(skeleton->file.skeleton)));
  else if (!is_of(clip->clip, skeleton->file.skeleton))
    complain(clip->path, "is a clip of another file than %s: joints or tracks have other names or parents",
             file);
  else return true;
  return false;
}

bool given_skeleton_read(const struct clip_file *clip, struct skeleton_file *file) {
  struct system_look look;
  char *path = names_beside(clip->path, SKELETON_FILE);
  *file = (struct skeleton_file){0};
  bool good = !system_look(path, &look) || skeleton_file_read(path, file);
  if (file->skeleton &&
      (quatsimd_skeleton_joint_count(file->skeleton) != quatsimd_clip_joint_count(clip->clip) ||
       !has_tracks_of(file->skeleton, clip->clip) || !is_of(clip->clip, file->skeleton))) {
    complain(path, "is not the skeleton of %s: it has other joints or tracks", clip->path);
    skeleton_file_free(file);
    good = false;
  }
  free(path);
  return good;
}

static const struct made_clip *find_made(const struct made_file *file, const char *name) {
  for (size_t i = 0; i < file->count; i++)
    if (strcmp(file->clip[i].clip, name) == 0) return &file->clip[i];
  return NULL;
}

static void list_clips(const quatsimd_bundle *bundle) {
  for (size_t i = 0; i < quatsimd_bundle_clip_count(bundle); i++) {
    char *name = text_clean(quatsimd_bundle_clip_name(bundle, i));
    fprintf(print_errors(), "  %s\n", name);
    free(name);
  }
}

bool given_bundle_read(struct given_clip *given, const char *path) {
  *given = (struct given_clip){.origin = {NULL, NULL}};
  if (!bundle_file_read(path, &given->bundle)) return false;
  bundle_file_take_skeleton(&given->bundle, &given->skeleton);
  making_read(&given->making, path, given->bundle.bundle);
  return true;
}

bool given_clip_choose(struct given_clip *given, const char *path, const char *name) {
  const quatsimd_bundle *bundle = given->bundle.bundle;
  clip_file_free(&given->clip);
  given->origin = (struct clip_origin){NULL, NULL};
  if (!name && quatsimd_bundle_clip_count(bundle) == 1) name = quatsimd_bundle_clip_name(bundle, 0);
  if (!name)
    complain(path, "has %s clips; name one of them:", text_number(quatsimd_bundle_clip_count(bundle)));
  else if (!bundle_file_open_clip(&given->bundle, name, &given->clip))
    complain(path, "has no clip \"%s\"; there are:", name);
  else {
    given->clip.path = path;
    for (size_t f = 0; f < given->making.count && !given->origin.clip; f++) {
      given->origin.clip = find_made(&given->making.file[f], name);
      if (given->origin.clip) given->origin.file = &given->making.file[f];
    }
    return true;
  }
  list_clips(bundle);
  return false;
}

bool given_clip_read(struct given_clip *given, const char *path, const char *name) {
  *given = (struct given_clip){.origin = {NULL, NULL}};
  bool good;
  if (bundle_file_is(path)) good = given_bundle_read(given, path) && given_clip_choose(given, path, name);
  else {
    if (name) complain(path, "is no bundle, so there is no \"%s\" in it", name);
    good = !name && clip_file_read(path, &given->clip) && given_skeleton_read(&given->clip, &given->skeleton);
  }
  if (!good) given_clip_free(given);
  return good;
}

void given_clip_free(struct given_clip *given) {
  clip_file_free(&given->clip);
  skeleton_file_free(&given->skeleton);
  making_free(&given->making);
  bundle_file_free(&given->bundle);
}

bool clip_origin_changed(const struct made_file *made, const char *bundle, const char *path) {
  char *hash = making_hash(path);
  const bool changed = hash && strcmp(hash, made->hash) != 0;
  if (changed)
    complain(path, "is not the file that %s was made from, %s, or has changed since", bundle, made->name);
  free(hash);
  return changed;
}

/* which animation. --------------------------------------------------------------------------------------- */

size_t clip_origin_find(const struct scene *scene, size_t number) {
  for (size_t a = 0; a < scene->animations; a++)
    if (scene->animation[a].number == number) return a;
  return SCENE_NONE;
}

static size_t find_wanted(const char *file, const struct scene *scene, const char *wanted) {
  size_t same = 0, found = SCENE_NONE;
  char *end, *clean = text_clean(wanted); /* as names are */
  for (size_t a = 0; a < scene->animations; a++)
    if (strcmp(scene->animation[a].name, clean) == 0) same++, found = a;
  if (same == 0 && wanted[0] >= '0' && wanted[0] <= '9') {
    const unsigned long number = strtoul(wanted, &end, 10);
    if (!*end) found = clip_origin_find(scene, number);
  }
  if (same > 1)
    complain(file, "%zu animations are named \"%s\"; there are these numbers and names:", same, clean);
  else if (found == SCENE_NONE)
    complain(file, "there is no animation \"%s\"; there are these numbers and names:", clean);
  free(clean);
  return same > 1 ? SCENE_NONE : found;
}

/* The one that the record says, if it is still there. */
static size_t find_origin(const struct clip_origin *o, const char *file, const struct scene *scene) {
  if (!o->clip) {
    complain(file, "has %zu animations; choose one with --animation:", scene->animations);
    return SCENE_NONE;
  }
  if (o->clip->number == SCENE_NONE) return find_wanted(file, scene, o->clip->clip); /* --release */
  const size_t found = clip_origin_find(scene, o->clip->number);
  if (found != SCENE_NONE && (!*o->clip->name || strcmp(scene->animation[found].name, o->clip->name) == 0))
    return found;
  complain(file, "animation %zu does not have the name \"%s\", of which the clip was made", o->clip->number,
           o->clip->name);
  return SCENE_NONE;
}

size_t clip_origin_choose(const struct clip_origin *origin, const char *file, const struct scene *scene,
                          const char *wanted) {
  if (scene->animations == 0) return SCENE_NONE; /* none that can be read: complained of */
  if (scene->animations == 1 && !wanted) return 0;
  const size_t chosen = wanted ? find_wanted(file, scene, wanted) : find_origin(origin, file, scene);
  for (size_t a = 0; chosen == SCENE_NONE && a < scene->animations; a++)
    fprintf(print_errors(), "  %zu  %s\n", scene->animation[a].number,
            *scene->animation[a].name ? scene->animation[a].name : "(without a name)");
  return chosen;
}
