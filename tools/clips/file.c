#include "clips/file.h"

#include <stdlib.h>
#include <string.h>

#include "clip/sample/open.h"
#include "base/file.h"
#include "base/message.h"
#include "base/text.h"

enum { VERSION = CLIP_MAGIC >> 24 };

static bool fail(const char *path, const char *what) {
  complain(path, "%s", what);
  return false;
}

/* What the first bytes say, of a file of that size. */
static bool check_head(const char *path, const unsigned char *head, size_t got, uint64_t size) {
  if (got == 0) return fail(path, "the file is empty");
  if (memcmp(head, "QSC", got < 3 ? got : 3) != 0) return fail(path, "not a clip: clips begin with QSC");
  if (got > 3 && head[3] != VERSION) {
    complain(path, "a clip of version %d; this quatsimd reads version %d", head[3], VERSION);
    return false;
  }
  if (got < CLIP_HEAD) {
    complain(path, "too short for a clip: it has %zu bytes, a clip's head has %d", got, CLIP_HEAD);
    return false;
  }
  const uint32_t said = clip_get32(head + CLIP_AT_SIZE);
  if (size != said)
    complain(path, "%s: it has %s bytes, and its head says %s",
             size < said ? "the clip is cut off" : "there is more than the clip", text_number((size_t)size),
             text_number(said));
  return size == said;
}

static bool read_from(const char *path, FILE *file, uint64_t size, struct clip_file *clip) {
  unsigned char head[CLIP_HEAD];
  const size_t got = fread(head, 1, CLIP_HEAD, file);
  if (got < CLIP_HEAD && got < size) return file_ended(path, file, "the file shrank while it was read");
  if (!check_head(path, head, got, size)) return false;
  clip->data = memory_get((size_t)size, 1);
  memcpy(clip->data, head, CLIP_HEAD);
  if (fread(clip->data + CLIP_HEAD, 1, (size_t)size - CLIP_HEAD, file) != size - CLIP_HEAD)
    return file_ended(path, file, "the file shrank while it was read");
  if (quatsimd_clip_open(&clip->clip, clip->data, (size_t)size) == QUATSIMD_OK) return true;
  const uint32_t sum = quatsimd_clip_checksum(clip->data, (size_t)size),
                 said = clip_get32(head + CLIP_AT_CHECKSUM);
  if (sum == said)
    return fail(path,
                "the clip is broken inside: its checksum is right, and what it says does not fit together");
  complain(path, "the clip is damaged: its checksum should be %08lx and is %08lx", (unsigned long)said,
           (unsigned long)sum);
  return false;
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
  *clip = (struct clip_file){0};
}
