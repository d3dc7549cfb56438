#include "files/inputs.h"

#include <stdlib.h>

#include "base/text.h"
#include "terminal/message.h"

static struct {
  size_t count;
  struct input_file {
    uint64_t volume, number;
  } * file;
} inputs;

/* A search in 10,000 files takes microseconds, and reading a file takes longer. */
static bool have(const struct system_look *look) {
  for (size_t i = 0; i < inputs.count; i++)
    if (inputs.file[i].number == look->number && inputs.file[i].volume == look->volume) return true;
  return false;
}

void inputs_add(const struct system_look *look) {
  if (look->kind != SYSTEM_FILE || have(look)) return;
  inputs.file = memory_grow(inputs.file, inputs.count, sizeof *inputs.file);
  inputs.file[inputs.count++] = (struct input_file){look->volume, look->number};
}

/* True if the file at the path is one of them. */
static bool inputs_have(const char *path) {
  struct system_look look;
  return system_look(path, &look) && have(&look);
}

bool inputs_spare(const char *path) {
  if (!inputs_have(path)) return true;
  complain(path, "is also an input, and would be overwritten; give another output");
  return false;
}

void inputs_forget(void) {
  free(inputs.file);
  inputs.file = NULL, inputs.count = 0;
}
