#include "bundles/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/inspect.h"
#include "files/file.h"
#include "terminal/message.h"

static bool fail(const char *path, const char *what) {
  complain(path, "%s", what);
  return false;
}

/* Of a file that begins so. */
static bool is_no_clip(const char *path, const unsigned char *first, size_t got) {
  if (got >= 3 && memcmp(first, "QSB", 3) == 0)
    return fail(path, "a bundle, not a clip: its clips are beside it as .qsc");
  if (got >= 3 && memcmp(first, "QSK", 3) == 0) return fail(path, "a skeleton, not a clip");
  return fail(path, "not a clip: clips begin with QSC");
}

/* The first bytes of a file of that size, whose head they are if they are good. */
static bool check_head(const char *path, const unsigned char *first, const struct clip_head *head,
                       quatsimd_status status, size_t got, uint64_t size) {
  if (got == 0) return fail(path, "the file is empty");
  if (status == QUATSIMD_ERROR_NOT_A_CLIP) return is_no_clip(path, first, got);
  if (status == QUATSIMD_ERROR_LATER_VERSION) {
    complain(path, "the clip has version %u; this quatsimd reads versions up to %u", head->version,
             quatsimd_inspect_version());
    return false;
  }
  if (status != QUATSIMD_OK) {
    complain(path, "too short for a clip: it has %zu bytes, a clip's head has %d", got, CLIP_HEAD);
    return false;
  }
  if (size != head->size)
    complain(path, "%s: it has %s bytes, and its head says %s",
             size < head->size ? "the clip is cut off" : "the file goes on after the clip", text_number(size),
             text_number(head->size));
  return size == head->size;
}

static bool read_from(const char *path, FILE *file, uint64_t size, struct clip_file *clip) {
  unsigned char first[CLIP_HEAD];
  const size_t got = fread(first, 1, CLIP_HEAD, file);
  if (got < CLIP_HEAD && got < size) return file_ended(path, file, "the file shrank while it was read");
  struct clip_head head;
  const quatsimd_status status = quatsimd_inspect_head(&head, first, got);
  if (!check_head(path, first, &head, status, got, size)) return false;
  clip->data = memory_get((size_t)size, 1);
  memcpy(clip->data, first, CLIP_HEAD);
  if (fread(clip->data + CLIP_HEAD, 1, (size_t)size - CLIP_HEAD, file) != size - CLIP_HEAD)
    return file_ended(path, file, "the file shrank while it was read");
  clip->size = (size_t)size;
  clip->storage = memory_get(1, sizeof *clip->storage);
  if (quatsimd_clip_open(&clip->clip, clip->storage, sizeof *clip->storage, clip->data, clip->size) ==
      QUATSIMD_OK)
    return true;
  const uint32_t sum = quatsimd_inspect_checksum(clip->data, clip->size), said = head.checksum;
  if (sum == said)
    return fail(path, "the clip is broken: its checksum is right, but its parts contradict each other");
  complain(path, "the clip is damaged: its checksum should be %08lx and is %08lx", (unsigned long)said,
           (unsigned long)sum);
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
