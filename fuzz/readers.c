#define _GNU_SOURCE /* memfd_create */
#include "readers.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "files/inputs.h"
#include "terminal/message.h"
#include "base/text.h"

const char *readers_file(const uint8_t *data, size_t size) {
  static char path[40];
  static int file = -1;
  inputs_forget(); /* an output that was read again may be replaced */
  if (file < 0) {
    file = memfd_create("fuzz", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  }
  if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
    fuzz_fail("no file in memory");
  return path;
}

static char folder[200], path[240];
static void remove_all(void) {
  static const char *const endings[] = {".glb", ".gltf", ".bvh"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    snprintf(path, sizeof path, "%s/kept%s", folder, endings[i]);
    unlink(path);
  }
  rmdir(folder);
}

static void make_folder(void) {
  const char *temporary = getenv("TMPDIR");
  if (*folder) return;
  snprintf(folder, sizeof folder, "%.150s/fuzz-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (!mkdtemp(folder)) fuzz_fail("no folder %s", folder);
  atexit(remove_all);
}

const char *readers_kept(const char *ending) {
  make_folder();
  snprintf(path, sizeof path, "%s/kept%s", folder, ending);
  return path;
}

/* message.c in place of the command's: nothing is printed, all is formatted. */
static unsigned complaints;
unsigned readers_complaints(void) {
  const unsigned n = complaints;
  complaints = 0;
  return n;
}

bool complain(const char *subject, const char *format, ...) {
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  char *clean = text_clean(subject), *what = text_clean(line);
  complaints += *what != 0;
  free(clean), free(what);
  return false;
}

int usage_error(const char *command, const char *format, ...) {
  (void)command, (void)format;
  return 2;
}

struct messages *messages_keep(struct messages *messages) {
  (void)messages;
  return NULL;
}
void messages_print(const struct messages *messages) { (void)messages; }
void messages_free(struct messages *messages) { (void)messages; }
