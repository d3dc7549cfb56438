#include "base/broken.h"

#include "base/text.h"
#include "files/file.h"
#include "terminal/message.h"

void broken_complain(const char *path, const struct broken *f, quatsimd_status status) {
  if (f->size == 0) complain(path, "the file is empty");
  else if (status == f->other && file_is_pointer(path)) complain(path, FILE_POINTER);
  else if (status == f->other) complain(path, "not a %s: %ss begin with %s", f->kind, f->kind, f->magic);
  else if (status == QUATSIMD_ERROR_LATER_VERSION)
    complain(path, "the %s has version %u; this quatsimd reads only earlier versions", f->kind, f->version);
  else if (f->length == 0) complain(path, "too short for a %s: it has %zu bytes", f->kind, f->size);
  else if (f->length != f->size)
    complain(path,
             f->size < f->length ? "the %s is cut off: it has %s bytes, and its head says %s"
                                 : "the file goes on after the %s: it has %s bytes, and its head says %s",
             f->kind, text_number(f->size), text_number(f->length));
  else if (f->checksum != f->said)
    complain(path, "the %s is damaged: its checksum should be %08lx and is %08lx", f->kind,
             (unsigned long)f->said, (unsigned long)f->checksum);
  else
    complain(path, "the %s is broken: its checksum is right, but its parts contradict each other", f->kind);
}
