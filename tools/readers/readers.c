#include "readers/readers.h"

#include <errno.h>
#include <string.h>

#include "files/file.h"
#include "files/inputs.h"
#include "readers/limits.h"
#include "system/files.h"
#include "terminal/message.h"

#define READER_ADDRESS(name) &reader_##name,
static const struct reader *const readers[] = {READERS(READER_ADDRESS)};
#define READER_ONE(name) +1
enum { COUNT = 0 READERS(READER_ONE) };

static bool ends_as(const struct reader *reader, const char *name) {
  for (const char *const *ending = reader->endings; *ending; ending++)
    if (file_name_ends(name, *ending)) return true;
  return false;
}

static bool recognises(const struct reader *reader, const char *path) {
  for (int i = 0; i < 2 && reader->begins[i]; i++)
    if (file_begins(path, reader->begins[i], strlen(reader->begins[i]))) return true;
  return reader->recognise && reader->recognise(path);
}

/* Says what to do with a file that is read by other commands, or by none. */
static const char *hint(const char *path) {
  static const char *const endings[][2] = {
      {".qsc", "is a clip already; `quatsimd info` shows it, `quatsimd decompress` unpacks it"},
      {".qsk", "is a skeleton, and has no animations"},
      {".qsb", "is a bundle of clips already; `quatsimd info` shows it"},
      {".csv", "is a text of numbers; numpy.save makes a .npy of its columns x, y, z, w"}};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (file_name_ends(path, endings[i][0])) return endings[i][1];
  return "has a format that quatsimd does not read; Blender opens many others and exports .glb";
}

const struct reader *reader_of(const char *path) {
  struct system_look look;
  if (!system_look(path, &look)) {
    complain(path, "cannot open: %s", strerror(errno));
    return NULL;
  }
  inputs_add(&look);
  if (look.kind != SYSTEM_FILE) return &reader_npy;
  if (file_is_pointer(path)) {
    complain(path, FILE_POINTER);
    return NULL;
  }
  uint64_t spent = 0;
  if (!reader_spend(path, &spent, look.size)) return NULL;
  for (int i = 0; i < COUNT; i++)
    if (recognises(readers[i], path)) return readers[i];
  for (int i = 0; i < COUNT; i++)
    if (ends_as(readers[i], path)) return readers[i];
  complain(path, "%s", hint(path));
  return NULL;
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
  return complain(path, "is %s, and has no animations", reader->name);
}
