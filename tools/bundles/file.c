#include "bundles/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/broken.h"
#include "base/text.h"
#include "clip/inspect.h"
#include "files/file.h"
#include "terminal/message.h"

/* Complains of a file that begins so: got bytes of its head, in which status says what is wrong. */
static void complain_of(const char *path, const unsigned char *first, size_t got, const struct broken *broken,
                        quatsimd_status status) {
  const bool other = got >= 3 && status == QUATSIMD_ERROR_NOT_A_CLIP;
  if (other && memcmp(first, "QSB", 3) == 0)
    complain(path, "a bundle, not a clip: its clips are beside it as .qsc");
  else if (other && memcmp(first, "QSK", 3) == 0) complain(path, "a skeleton, not a clip");
  else if (status == QUATSIMD_ERROR_LATER_VERSION)
    complain(path, "the clip has version %u; this quatsimd reads versions up to %u", broken->version,
             quatsimd_inspect_version());
  else if (got > 0 && status == QUATSIMD_ERROR_DAMAGED_CLIP)
    complain(path, "too short for a clip: it has %zu bytes, a clip's head has %d", got, CLIP_HEAD);
  else if (status == QUATSIMD_OK && broken->length == 0)
    complain(path, "the file goes on after the clip: it has %s bytes, and its head says 0",
             text_number(broken->size));
  else broken_complain(path, broken, status);
}

static bool read_from(const char *path, FILE *file, uint64_t size, struct clip_file *clip) {
  unsigned char first[CLIP_HEAD];
  const size_t got = fread(first, 1, CLIP_HEAD, file);
  if (got < CLIP_HEAD && got < size) return file_ended(path, file, "the file shrank while it was read");
  struct clip_head head;
  const quatsimd_status status = quatsimd_inspect_head(&head, first, got);
  struct broken broken = {
      "clip", "QSC", QUATSIMD_ERROR_NOT_A_CLIP, (size_t)size, head.size, head.version, 0, head.checksum};
  if (status == QUATSIMD_OK && size == head.size) {
    clip->data = memory_get((size_t)size, 1);
    memcpy(clip->data, first, CLIP_HEAD);
    if (fread(clip->data + CLIP_HEAD, 1, (size_t)size - CLIP_HEAD, file) != size - CLIP_HEAD)
      return file_ended(path, file, "the file shrank while it was read");
    clip->size = (size_t)size;
    clip->storage = memory_get(1, sizeof *clip->storage);
    if (quatsimd_clip_open(&clip->clip, clip->storage, sizeof *clip->storage, clip->data, clip->size) ==
        QUATSIMD_OK)
      return true;
    broken.checksum = quatsimd_inspect_checksum(clip->data, clip->size);
  }
  complain_of(path, first, got, &broken, status);
  return false;
}

bool clip_file_has_name(const char *name) { return file_name_ends(name, ".qsc"); }

const char *clip_file_additive(const quatsimd_clip *clip) {
  static const char *const names[] = {"none", "first", "base"};
  return names[quatsimd_clip_additive(clip)];
}

bool clip_file_read(const char *path, struct clip_file *clip) {
  uint64_t size;
  *clip = (struct clip_file){.path = path};
  FILE *file = file_is_regular(path) ? file_open(path, &size) : NULL;
  const bool good = file && read_from(path, file, size, clip);
  if (file) fclose(file);
  if (!good) clip_file_free(clip);
  return good;
}

void clip_file_free(struct clip_file *clip) {
  free(clip->data);
  free(clip->storage);
  *clip = (struct clip_file){0};
}
