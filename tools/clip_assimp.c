/* Reads clips through Assimp, in a child process: some broken files crash Assimp, and its importers print. */
#include "clip_assimp.h"

#include <assimp/version.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clip.h"
#include "message.h"
#include "text.h"

/* Does not return. Leaves through _exit: what the parent has in its buffers is not the child's to flush. */
static void child(int write_end, const char *path) {
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  FILE *pipe = fdopen(write_end, "wb");
  if (!pipe) _exit(1);
  clip_import_to(pipe, path);
  _exit(fflush(pipe) == 0 ? 0 : 1);
}

/* Starts the child; returns the end of the pipe to read from, null with errno if that fails. */
static FILE *start(const char *path, pid_t *pid) {
  int ends[2];
  if (pipe(ends) != 0) return NULL;
  fflush(NULL);
  *pid = fork();
  if (*pid == 0) {
    close(ends[0]);
    child(ends[1], path);
  }
  close(ends[1]);
  FILE *answer = *pid > 0 ? fdopen(ends[0], "rb") : NULL;
  if (!answer) close(ends[0]);
  return answer;
}

/* All take_... return false or null if the answer broke off. --------------------------------------------- */

static bool take(FILE *answer, void *bytes, size_t size) { return fread(bytes, 1, size, answer) == size; }
static bool take_number(FILE *answer, size_t *n) {
  unsigned number;
  if (!take(answer, &number, sizeof number)) return false;
  *n = number;
  return true;
}

static char *take_text(FILE *answer) {
  enum { TEXT_MAX = 65536 }; /* names in Assimp have at most 1024 bytes */
  size_t length;
  if (!take_number(answer, &length) || length > TEXT_MAX) return NULL;
  char *text = memory_get(length + 1, 1);
  char *clean = take(answer, text, length) ? text_clean(text) : NULL;
  free(text);
  return clean;
}

static bool take_track(FILE *answer, struct clip_track *track, double ticks_per_second) {
  track->node = take_text(answer);
  if (!track->node || !take_number(answer, &track->keys)) return false;
  track->xyzw = memory_get(track->keys, 4 * sizeof(float));
  track->seconds = memory_get(track->keys, sizeof(double));
  if (!take(answer, track->xyzw, track->keys * 4 * sizeof(float)) ||
      !take(answer, track->seconds, track->keys * sizeof(double)))
    return false;
  for (size_t k = 0; k < track->keys; k++) track->seconds[k] /= ticks_per_second;
  return true;
}

static bool take_animation(FILE *answer, struct clip_animation *animation) {
  double ticks_per_second;
  size_t tracks;
  animation->name = take_text(answer);
  if (!animation->name || !take(answer, &ticks_per_second, sizeof ticks_per_second) ||
      !take_number(answer, &tracks))
    return false;
  if (!(ticks_per_second > 0)) ticks_per_second = 25; /* not in the file; Assimp's own tools take 25 */
  animation->track = memory_get(tracks, sizeof *animation->track);
  for (size_t t = 0; t < tracks; t++) {
    animation->tracks++;
    if (!take_track(answer, &animation->track[t], ticks_per_second)) return false;
  }
  return true;
}

static bool take_clip(FILE *answer, struct clip *clip) {
  size_t animations, end;
  if (!take_number(answer, &animations)) return false;
  clip->animation = memory_get(animations, sizeof *clip->animation);
  for (size_t a = 0; a < animations; a++) {
    clip->animations++;
    if (!take_animation(answer, &clip->animation[a])) return false;
  }
  return take_number(answer, &end) && end == CLIP_END;
}

/* What went wrong, to be freed; null if the clip was read. */
static char *listen(FILE *answer, struct clip *clip) {
  static const char broke_off[] = "Assimp crashed on this file";
  size_t outcome = 0;
  char *error = NULL;
  if (take_number(answer, &outcome) && outcome == CLIP_FAILED) error = take_text(answer);
  else if (outcome == CLIP_READ && take_clip(answer, clip)) return NULL;
  if (!error) return text_clean(broke_off);
  if (*error) return error;
  free(error);
  return text_clean("Assimp cannot read this file and does not say why");
}

static bool has_tracks(const struct clip *clip) {
  for (size_t a = 0; a < clip->animations; a++)
    if (clip->animation[a].tracks > 0) return true;
  return false;
}

bool clip_read(const char *path, struct clip *clip) {
  pid_t pid = -1;
  *clip = (struct clip){0};
  FILE *answer = start(path, &pid);
  if (!answer) {
    complain(path, "cannot start a process to read it: %s", strerror(errno));
    if (pid > 0) waitpid(pid, NULL, 0);
    return false;
  }
  char *error = listen(answer, clip);
  fclose(answer);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
  const bool read = !error && has_tracks(clip);
  const char *dot = strrchr(path, '.');
  if (error && dot && strcmp(dot, ".npz") == 0) complain(path, "is an archive of arrays; save each as .npy");
  else if (error) complain(path, "%s", error);
  else if (!read) complain(path, "no rotation tracks in this file");
  free(error);
  if (!read) clip_free(clip);
  return read;
}

const char *clip_reader(void) {
  static char name[40];
  snprintf(name, sizeof name, "Assimp %u.%u", aiGetVersionMajor(), aiGetVersionMinor());
  return name;
}
