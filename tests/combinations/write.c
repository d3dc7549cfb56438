#include "write.h"

#include <stdio.h>
#include <stdlib.h>

#include "times.h"

static FILE *create(const char *folder, const scene *s, const char *ending) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%llu-%u.%s", folder, (unsigned long long)s->seed, s->clip, ending);
  FILE *file = fopen(path, "wb");
  if (!file) perror(path), exit(2);
  return file;
}

void write_scene(const char *folder, scene *s, const encoded *e) {
  enum { MOMENTS = 16 };
  moment moments[MOST_MOMENTS];
  const size_t n = draw_moments(moments, s, e->clip, MOMENTS);
  FILE *clip = create(folder, s, "qsc"), *poses = create(folder, s, "poses");
  fwrite(e->data, 1, e->size, clip);
  const float_pose f = scene_floats(s);
  quatsimd_pose_out out = {quatsimd_aos_out(f.rotations), quatsimd_aos_out(f.translations),
                           quatsimd_aos_out(f.scales), f.tracks};
  for (size_t i = 0; i < n; i++) {
    if (quatsimd_clip_sample(e->clip, &out, NULL, moments[i].time, QUATSIMD_CLIP_WRAP_CLIP, 0) != QUATSIMD_OK)
      abort();
    fwrite(&moments[i].time, sizeof(double), 1, poses);
    fwrite(f.rotations, sizeof(float), 4 * s->joint_count, poses);
    fwrite(f.translations, sizeof(float), 3 * s->joint_count, poses);
    fwrite(f.scales, sizeof(float), 3 * s->joint_count, poses);
    fwrite(f.tracks, sizeof(float), s->track_count, poses);
  }
  if (ferror(clip) || ferror(poses) || fclose(clip) != 0 || fclose(poses) != 0) perror(folder), exit(2);
}
