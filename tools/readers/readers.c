#include "readers/readers.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/inputs.h"
#include "base/message.h"
#include "system/files.h"

#define READER_ADDRESS(name) &reader_##name,
static const struct reader *const readers[] = {READERS(READER_ADDRESS)};
#define READER_ONE(name) +1
enum { COUNT = 0 READERS(READER_ONE) };

static bool ends_as(const struct reader *reader, const char *name) {
  for (const char *const *ending = reader->endings; *ending; ending++)
    if (file_name_ends(name, *ending)) return true;
  return false;
}

const struct reader *reader_of(const char *path) {
  struct system_look look;
  if (!system_look(path, &look)) {
    complain(path, "cannot open: %s", strerror(errno));
    return NULL;
  }
  inputs_add(&look); /* Assimp opens it in another process */
  if (look.kind != SYSTEM_FILE) return &reader_npy;
  for (int i = 0; i < COUNT; i++)
    if (readers[i]->recognise && readers[i]->recognise(path)) return readers[i];
  for (int i = 0; i < COUNT; i++)
    if (ends_as(readers[i], path)) return readers[i];
  return readers[COUNT - 1];
}

bool reader_has_animations(const char *name) {
  for (int i = 0; i < COUNT; i++)
    if (readers[i]->scene && ends_as(readers[i], name)) return true;
  return false;
}

bool reader_scene(const char *path, struct scene *scene) {
  const struct reader *reader = file_is_regular(path) ? reader_of(path) : NULL;
  *scene = (struct scene){0};
  if (!reader) return false;
  if (reader->scene) return reader->scene(path, scene);
  complain(path, "is %s, and has no animations", reader->name);
  return false;
}
