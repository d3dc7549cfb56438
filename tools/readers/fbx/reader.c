/* The reader of FBX files. */
#include <stdio.h>
#include <stdlib.h>

#include "base/speed.h"
#include "files/file.h"
#include "readers/fbx/fbx.h"
#include "readers/readers.h"

double fbx_now(void) { return speed_now(); }

static bool read_scene(const char *path, struct scene *scene) {
  size_t size;
  char *bytes = file_read(path, &size); /* of a file ufbx would take memory for what it claims to have */
  const bool good = bytes && fbx_read(path, bytes, size, scene);
  free(bytes);
  return good;
}

static bool find_reach(const char *path, struct reach *reach) {
  size_t size;
  char *bytes = file_read(path, &size);
  const bool good = bytes && fbx_reach(path, bytes, size, reach);
  free(bytes);
  return good;
}

const char *reader_fbx_version(void) {
  static char name[40];
  snprintf(name, sizeof name, "ufbx %u.%u.%u", (unsigned)(ufbx_source_version / 1000000),
           (unsigned)(ufbx_source_version / 1000 % 1000), (unsigned)(ufbx_source_version % 1000));
  return name;
}

const struct reader reader_fbx = {.name = "an FBX file",
                                  .endings = {".fbx"},
                                  .begins = {"Kaydara FBX", "; FBX"},
                                  .scene = read_scene,
                                  .reach = find_reach};
