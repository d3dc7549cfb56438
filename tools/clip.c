#include "clip.h"

#include <stdlib.h>

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
