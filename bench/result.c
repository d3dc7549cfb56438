/* The result file, for bench/gate: docs/ci.md has what is in it. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench.h"

typedef struct row {
  const char *name;
  double time, copy_time;
} row;
static row *rows;
static size_t row_count, row_room;

static struct { char key[24], value[512]; } heads[16];
static size_t head_count;
static FILE *file;
static const char *file_name;
/* what is written until it is whole; of no plain file, such as /dev/stdout, the file itself */
static char beside[4096];

void result_about(const char *key, const char *value) {
  if (head_count == sizeof heads / sizeof *heads)
    die("more to say about this machine than there is room for");
  snprintf(heads[head_count].key, sizeof heads->key, "%s", key);
  snprintf(heads[head_count++].value, sizeof heads->value, "%s", value);
}

static row *find(const char *name) {
  for (size_t i = 0; i < row_count; i++)
    if (!strcmp(rows[i].name, name)) return &rows[i];
  return NULL;
}

void result_add(const char *name, double time, double copy_time) {
  row *r = find(name);
  if (!r) {
    if (row_count == row_room) {
      row_room = row_room ? 2 * row_room : 256;
      rows = realloc(rows, row_room * sizeof *rows);
      if (!rows) die("out of memory");
    }
    r = &rows[row_count++];
    *r = (row){name, time, copy_time};
  }
  r->time = time < r->time ? time : r->time;
  r->copy_time = copy_time < r->copy_time ? copy_time : r->copy_time;
}

/* Where the kernels' name is in a row's, and what is behind it. */
static const char *split(const char *name, const char **rest) {
  const char *kernels = strchr(name, '/') + 1;
  *rest = strchr(kernels, '/');
  return kernels;
}

/* The row of the same with scalar kernels. */
static const row *scalar_of(const row *r) {
  const char *rest, *kernels = split(r->name, &rest);
  char name[128];
  snprintf(name, sizeof name, "%.*sscalar%s", (int)(kernels - r->name), r->name, rest);
  return find(name);
}

/* The fastest copy of as many bytes: one that was disturbed must not flatter a kernel. */
static double fastest_copy(const row *r) {
  const char *rest, *other;
  split(r->name, &rest);
  double best = r->copy_time;
  for (size_t i = 0; i < row_count; i++) {
    split(rows[i].name, &other);
    if (!strcmp(rest, other) && rows[i].copy_time < best) best = rows[i].copy_time;
  }
  return best;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const row *)a)->name, ((const row *)b)->name);
}

static void write_text(const char *text) {
  fputc('"', file);
  for (; *text; text++)
    if ((unsigned char)*text < ' ') fprintf(file, "\\u%04x", *text);
    else fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  fputc('"', file);
}

void results_open(const char *path) {
  struct stat s;
  const bool plain = lstat(path, &s) || S_ISREG(s.st_mode);
  file_name = path;
  if (snprintf(beside, sizeof beside, "%s%s", path, plain ? ".tmp" : "") >= (int)sizeof beside)
    die("--json: too long a name");
  file = fopen(beside, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
}

void results_write(void) {
  if (row_count) qsort(rows, row_count, sizeof *rows, by_name);
  fprintf(file, "{\n\"quatsimd_bench\": 1,\n");
  for (size_t i = 0; i < head_count; i++) {
    fprintf(file, "\"%s\": ", heads[i].key);
    write_text(heads[i].value);
    fputs(",\n", file);
  }
  fprintf(file, "\"rows\": {");
  for (size_t i = 0; i < row_count; i++) {
    const row *r = &rows[i], *scalar = scalar_of(r);
    fprintf(file, "%s\n", i ? "," : "");
    write_text(r->name);
    fprintf(file, ": {\"ns\": %.4g", r->time * 1e9);
    if (scalar && scalar != r) fprintf(file, ", \"scalar\": %.4g", r->time / scalar->time);
    fprintf(file, ", \"memcpy\": %.4g}", r->time / fastest_copy(r));
  }
  fprintf(file, "\n}\n}\n");
  if (ferror(file) | fclose(file) || (strcmp(beside, file_name) && rename(beside, file_name))) {
    perror(file_name);
    exit(1);
  }
}
