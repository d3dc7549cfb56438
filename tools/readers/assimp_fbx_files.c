/* The bytes of FBX files under other names of properties. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/text.h"
#include "readers/assimp_fbx.h"

bool fbx_is_likely(const char *path) {
  char head[200] = {0}; /* as far as Assimp looks */
  FILE *file = fopen(path, "rb");
  const size_t size = file ? fread(head, 1, sizeof head, file) : 0;
  if (file) fclose(file);
  bool found = file_name_ends(path, ".fbx");
  for (size_t i = 0; i + 3 <= size; i++) found = found || strncasecmp(head + i, "fbx", 3) == 0;
  return found;
}

/* As long as the property's own name, since binary files count bytes; no program writes such a name. */
void fbx_alias(char alias[FBX_ALIAS_ROOM], const char *property) {
  snprintf(alias, FBX_ALIAS_ROOM, "$%s", property + 1);
}

/* In text, P: "name", ...; in binary files the node's name P with its length before it, then a string with
 * its length in four bytes. Where the name of the property would be if the letter P begins one; null if
 * there is none. */
static char *property_name(const char *start, char *p, const char *end) {
  if (p > start && p[-1] == 1) return end - p > 6 && p[1] == 'S' ? p + 6 : NULL;
  char *at = p + 1;
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  if (at == end || *at++ != ':') return NULL;
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  return at < end && *at == '"' ? at + 1 : NULL;
}

static bool is_name(const char *at, const char *end, const char *name) {
  const size_t length = strlen(name);
  if ((size_t)(end - at) <= length || memcmp(at, name, length) != 0) return false;
  const unsigned char *before = (const unsigned char *)at;
  return before[-1] == '"' ? at[length] == '"'
                           : before[-4] == length && !(before[-3] | before[-2] | before[-1]);
}

static void hide(char *bytes, size_t size, const struct fbx_files *files) {
  char *const end = bytes + size;
  for (char *p = bytes; (p = memchr(p, 'P', (size_t)(end - p))) != NULL; p++) {
    char *name = property_name(bytes, p, end), alias[FBX_ALIAS_ROOM];
    for (size_t i = 0; name && i < files->count; i++)
      if (is_name(name, end, files->properties[i])) {
        fbx_alias(alias, files->properties[i]);
        memcpy(name, alias, strlen(alias));
        name = NULL;
      }
  }
}

/* Assimp's interface of files. --------------------------------------------------------------------------- */

struct open_file {
  struct aiFile file;
  char *bytes;
  size_t size, at;
};

static struct open_file *of(struct aiFile *file) { return (struct open_file *)(void *)file->UserData; }

static size_t file_get(struct aiFile *file, char *to, size_t size, size_t count) {
  struct open_file *f = of(file);
  const size_t left = size ? (f->size - f->at) / size : 0, some = count < left ? count : left;
  memcpy(to, f->bytes + f->at, some * size);
  f->at += some * size;
  return some;
}
static size_t file_put(struct aiFile *file, const char *from, size_t size, size_t count) {
  (void)file, (void)from, (void)size, (void)count;
  return 0;
}
static size_t file_tell(struct aiFile *file) { return of(file)->at; }
static size_t file_size(struct aiFile *file) { return of(file)->size; }
static void file_flush(struct aiFile *file) { (void)file; }

static enum aiReturn file_seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
  struct open_file *f = of(file);
  const size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? f->at : f->size;
  const size_t to = from + offset; /* backward: it wraps around, as it should */
  if (to > f->size) return aiReturn_FAILURE;
  f->at = to;
  return aiReturn_SUCCESS;
}

static struct aiFile *files_open(struct aiFileIO *io, const char *path, const char *mode) {
  size_t size;
  char *bytes = *mode == 'r' ? file_read(path, &size) : NULL;
  if (!bytes) return NULL;
  hide(bytes, size, (const struct fbx_files *)(const void *)io->UserData);
  struct open_file *f = memory_get(1, sizeof *f);
  *f = (struct open_file){
      {file_get, file_put, file_tell, file_size, file_seek, file_flush, NULL}, bytes, size, 0};
  f->file.UserData = (char *)f;
  return &f->file;
}

static void files_close(struct aiFileIO *io, struct aiFile *file) {
  (void)io;
  free(of(file)->bytes);
  free(of(file));
}

void fbx_files_init(struct fbx_files *files, const char *const *properties, size_t count) {
  *files = (struct fbx_files){{files_open, files_close, (char *)files}, properties, count};
}
