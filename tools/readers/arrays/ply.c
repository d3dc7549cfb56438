/* The rotations of Gaussian splats in a PLY file, as the training programs write them: binary, of either
 * byte order, with the properties rot_0 (w), rot_1 (x), rot_2 (y) and rot_3 (z) in the element `vertex`.
 * Memory follows the size of the file, not what its header claims. Nothing looks at what lies behind the
 * vertices. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/file.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "terminal/message.h"

/* A component of the rotation within a vertex. */
struct component {
  uint64_t offset;
  unsigned size; /* 4, 8; 0 while it has not been seen */
};

struct header {
  bool big_endian, has_format;
  enum { NOWHERE, BEFORE_VERTICES, IN_VERTICES, BEHIND_VERTICES } at; /* where the last line is */
  size_t count;                                                       /* of elements there */
  bool lists;      /* elements before the vertices have some, whose bytes the header does not tell */
  uint64_t before; /* bytes from the header to the vertices, UINT64_MAX at most */
  size_t splats;   /* the vertices */
  uint64_t size;   /* bytes of one */
  struct component rotation[4]; /* w, x, y, z */
};

/* The header's lines. Functions return what is wrong with one, null if nothing is. ----------------------- */

static const char not_ply[] = "not a line of a PLY header";

struct type {
  const char *name;
  unsigned size;
  bool real; /* float or double */
};

/* Null if there is no such type. */
static const struct type *find_type(const char *name) {
  static const struct type types[] = {
      {"char", 1, false},  {"uchar", 1, false},  {"short", 2, false},  {"ushort", 2, false},
      {"int", 4, false},   {"uint", 4, false},   {"float", 4, true},   {"double", 8, true},
      {"int8", 1, false},  {"uint8", 1, false},  {"int16", 2, false},  {"uint16", 2, false},
      {"int32", 4, false}, {"uint32", 4, false}, {"float32", 4, true}, {"float64", 8, true}};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(name, types[i].name) == 0) return &types[i];
  return NULL;
}

static const char *take_format(struct header *header, const char *format, const char *version) {
  if (header->has_format) return "the format was given before";
  if (strcmp(version, "1.0") != 0) return "the version is unknown";
  if (strcmp(format, "ascii") == 0) return "only binary PLY files are read";
  header->big_endian = strcmp(format, "binary_big_endian") == 0;
  if (!header->big_endian && strcmp(format, "binary_little_endian") != 0) return "the format is unknown";
  header->has_format = true;
  return NULL;
}

static const char *take_element(struct header *header, const char *name, const char *count) {
  errno = 0;
  const uintmax_t number = strtoumax(count, NULL, 10);
  if (count[strspn(count, "0123456789")]) return "the count is no number"; /* strtoumax takes signs */
  if (errno || number > SIZE_MAX) return "the count is too large for this machine";
  const bool vertex = strcmp(name, "vertex") == 0;
  if (vertex && header->at >= IN_VERTICES) return "there were vertices before";
  header->at = vertex ? IN_VERTICES : header->at >= IN_VERTICES ? BEHIND_VERTICES : BEFORE_VERTICES;
  header->count = (size_t)number;
  if (vertex) header->splats = (size_t)number;
  return NULL;
}

static const char *take_list(struct header *header, const char *count_type, const char *type) {
  if (header->at == NOWHERE) return "there is no element before it";
  if (!find_type(count_type) || !find_type(type)) return "the type is unknown";
  if (header->at == IN_VERTICES) return "lists within vertices are not read";
  header->lists = header->lists || (header->at == BEFORE_VERTICES && header->count > 0);
  return NULL;
}

static const char *take_property(struct header *header, const char *type_name, const char *name) {
  const struct type *type = find_type(type_name);
  if (header->at == NOWHERE) return "there is no element before it";
  if (!type) return "the type is unknown";
  if (header->at == BEFORE_VERTICES) {
    const uint64_t room = UINT64_MAX - header->before;
    header->before += header->count <= room / type->size ? (uint64_t)header->count * type->size : room;
  }
  if (header->at != IN_VERTICES) return NULL;
  if (strncmp(name, "rot_", 4) == 0 && strchr("0123", name[4]) && strlen(name) == 5) {
    struct component *component = &header->rotation[name[4] - '0'];
    if (!type->real) return "rotations are float or double";
    if (component->size) return "the property was given before";
    *component = (struct component){header->size, type->size};
  }
  header->size += type->size;
  return NULL;
}

static const char *parse_line(struct header *header, const char *line) {
  enum { LONGEST = 5 }; /* words, of a list property; a sixth is one too many */
  char text[1024], *word[LONGEST + 1], *rest;
  int words = 0;
  snprintf(text, sizeof text, "%s", line);
  for (char *w = strtok_r(text, " \t", &rest); w && words <= LONGEST; w = strtok_r(NULL, " \t", &rest))
    word[words++] = w;
  if (words == 0) return not_ply;
  if (strcmp(word[0], "comment") == 0 || strcmp(word[0], "obj_info") == 0) return NULL;
  if (strcmp(word[0], "format") == 0 && words == 3) return take_format(header, word[1], word[2]);
  if (strcmp(word[0], "element") == 0 && words == 3) return take_element(header, word[1], word[2]);
  if (strcmp(word[0], "property") != 0) return not_ply;
  if (words == 5 && strcmp(word[1], "list") == 0) return take_list(header, word[2], word[3]);
  return words == 3 ? take_property(header, word[1], word[2]) : not_ply;
}

/* Reads a line without its end, "\n" or "\r\n". */
static bool read_line(const char *path, FILE *file, char *line, int room) {
  const bool got = fgets(line, room, file) != NULL;
  const size_t length = got ? strlen(line) : 0;
  if (length == 0 || line[length - 1] != '\n')
    return file_ended(path, file,
                      feof(file) ? "the file ends within the PLY header"
                                 : "the PLY header has a line with a zero byte or of 1,023 bytes and more");
  line[length - 1] = 0;
  if (length > 1 && line[length - 2] == '\r') line[length - 2] = 0;
  return true;
}

static bool read_header(const char *path, FILE *file, struct header *header) {
  char line[1024];
  for (size_t number = 1; read_line(path, file, line, sizeof line); number++) {
    if (number > 1 && strcmp(line, "end_header") == 0) return true;
    const char *wrong = number > 1            ? parse_line(header, line)
                        : strcmp(line, "ply") ? "PLY begins with `ply`"
                                              : NULL;
    if (wrong) return complain(path, "line %zu of the PLY header, `%s`: %s", number, line, wrong);
  }
  return false;
}

/* The data. ---------------------------------------------------------------------------------------------- */

/* False and a complaint if the rotations cannot be read. */
static bool check_header(const char *path, const struct header *header) {
  const char *wrong = NULL;
  if (!header->has_format) wrong = "the PLY header has no format";
  else if (header->at < IN_VERTICES) wrong = "the PLY file has no vertices";
  else if (header->splats == 0) wrong = "the scene is empty";
  else if (header->lists) wrong = "an element before the vertices has lists; such files are not read";
  for (int i = 0; i < 4 && !wrong; i++)
    if (!header->rotation[i].size) wrong = "its vertices have no rotations, the properties rot_0 to rot_3";
  return !wrong || complain(path, "%s", wrong);
}

static float take_component(const unsigned char *bytes, unsigned size, bool big_endian) {
  unsigned char little_endian[8];
  for (unsigned i = 0; i < size; i++) little_endian[i] = bytes[big_endian ? size - 1 - i : i];
  return npy_get_float(little_endian, size);
}

static float *read_rotations(const char *path, FILE *file, const struct header *header) {
  float *xyzw = memory_get(header->splats, 4 * sizeof *xyzw);
  unsigned char *vertex = memory_get((size_t)header->size, 1);
  bool good = fseeko(file, (off_t)header->before, SEEK_CUR) == 0;
  for (size_t i = 0; good && i < header->splats; i++) {
    good = fread(vertex, 1, (size_t)header->size, file) == header->size;
    for (size_t c = 0; good && c < 4; c++) {
      const struct component *component = &header->rotation[c];
      xyzw[4 * i + (c + 3) % 4] = /* w goes last */
          take_component(vertex + component->offset, component->size, header->big_endian);
    }
  }
  free(vertex);
  if (good) return xyzw;
  file_ended(path, file, "the file shrank while it was read");
  free(xyzw);
  return NULL;
}

/* Behind the header. Looks whether all splats are there before it takes memory for them. */
static float *read_splats(const char *path, FILE *file, uint64_t size, const struct header *header) {
  if (!check_header(path, header)) return NULL;
  const uint64_t at = (uint64_t)ftello(file), behind = at < size ? size - at : 0,
                 there = header->size > 0 && header->before < behind
                             ? (behind - header->before) / header->size
                             : 0;
  uint64_t spent = 0;
  if (there >= header->splats)
    return reader_spend(path, &spent, 4 * sizeof(float) * (uint64_t)header->splats)
               ? read_rotations(path, file, header)
               : NULL;
  complain(path, "the file holds %s of %s splats", text_number(there), text_number(header->splats));
  return NULL;
}

/* The reader. -------------------------------------------------------------------------------------------- */

static float *rotations(const char *path, struct npy *shape) {
  uint64_t size;
  FILE *file = file_open(path, &size);
  if (!file) return NULL;
  struct header header = {0};
  float *xyzw = NULL;
  if (read_header(path, file, &header)) xyzw = read_splats(path, file, size, &header);
  *shape = npy_shape_of(header.splats);
  fclose(file);
  return xyzw;
}

const struct reader reader_ply = {.name = "a scene of splats",
                                  .endings = {".ply"},
                                  .still = true,
                                  .begins = {"ply\n", "ply\r\n"},
                                  .rotations = rotations};
