#include "readers/clip.h"

#include <stdlib.h>

#include "base/message.h"
#include "readers/scene.h"
#include "base/text.h"

/* Takes what it needs out of the channel. */
static void take_track(struct clip_track *track, struct scene_channel *channel) {
  struct scene_curve *curve = &channel->curve[SCENE_ROTATION];
  *track = (struct clip_track){channel->name, curve->keys, curve->values, curve->seconds};
  channel->name = NULL;
  *curve = (struct scene_curve){0};
}

static size_t take_animation(struct clip_animation *animation, struct scene_animation *from) {
  animation->name = from->name;
  from->name = NULL;
  animation->track = memory_get(from->channels, sizeof *animation->track);
  for (size_t c = 0; c < from->channels; c++)
    if (from->channel[c].curve[SCENE_ROTATION].keys > 0)
      take_track(&animation->track[animation->tracks++], &from->channel[c]);
  return animation->tracks;
}

bool clip_read(const char *path, struct clip *clip) {
  struct scene scene;
  size_t tracks = 0;
  *clip = (struct clip){0};
  if (!scene_read_assimp(path, &scene)) return false;
  clip->animations = scene.animations;
  clip->animation = memory_get(clip->animations, sizeof *clip->animation);
  for (size_t a = 0; a < clip->animations; a++)
    tracks += take_animation(&clip->animation[a], &scene.animation[a]);
  scene_free(&scene);
  if (tracks > 0) return true;
  complain(path, "no rotation tracks in this file");
  clip_free(clip);
  return false;
}

const char *clip_reader(void) { return scene_reader(); }

void clip_free(struct clip *clip) {
  for (size_t a = 0; a < clip->animations; a++) {
    struct clip_animation *animation = &clip->animation[a];
    for (size_t t = 0; t < animation->tracks; t++) {
      free(animation->track[t].node);
      free(animation->track[t].xyzw);
      free(animation->track[t].seconds);
    }
    free(animation->track);
    free(animation->name);
  }
  free(clip->animation);
  *clip = (struct clip){0};
}
