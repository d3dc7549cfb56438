#include "readers/arrays/npy.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "core/bytes.h"
#include "files/file.h"
#include "files/output.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "terminal/message.h"

enum { HEADER_MAX = 65535 }; /* bytes; a header of ours has 128, one of 32 axes below 1000 */

/* The header: a Python dictionary of three known keys, each once, in any order. -------------------------- */

static const char *skip_space(const char *s) { return s + strspn(s, " \t\r\n"); }

/* The quoted string at *s, without escapes, into text; moves *s behind it. */
static bool take_string(const char **s, char *text, size_t room) {
  const char quote = **s;
  if (quote != '\'' && quote != '"') return false;
  const char *end = strchr(*s + 1, quote);
  if (!end || (size_t)(end - *s) > room) return false;
  const size_t length = (size_t)(end - *s) - 1;
  if (memchr(*s + 1, '\\', length)) return false;
  memcpy(text, *s + 1, length);
  text[length] = 0;
  *s = end + 1;
  return true;
}

static bool take_word(const char **s, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(*s, word, length) != 0) return false;
  *s += length;
  return true;
}

static bool take_size(const char **s, size_t *n) {
  if (**s < '0' || **s > '9') return false;
  *n = 0;
  for (; **s >= '0' && **s <= '9'; ++*s) {
    const size_t digit = (size_t)(**s - '0');
    if (*n > (SIZE_MAX - digit) / 10) return false;
    *n = *n * 10 + digit;
  }
  if (**s == 'L') ++*s; /* Python 2 */
  return true;
}

/* "(3, 4)", "(3,)", "()". As in Python, (3) is no tuple. */
static bool take_shape(const char **s, struct npy *array) {
  array->axes = 0;
  if (!take_word(s, "(")) return false;
  *s = skip_space(*s);
  bool comma = true;
  while (**s != ')') {
    if (!comma || array->axes == NPY_AXES_MAX || !take_size(s, &array->shape[array->axes])) return false;
    array->axes++;
    *s = skip_space(*s);
    comma = take_word(s, ",");
    *s = skip_space(*s);
  }
  ++*s;
  return comma || array->axes > 1;
}

struct header {
  char descr[64];
  bool fortran_order;
};

enum { DESCR = 1, FORTRAN_ORDER = 2, SHAPE = 4 };

/* The value of a key; returns which key it was, 0 if something is wrong. */
static unsigned take_value(const char **s, const char *key, struct header *header, struct npy *array) {
  if (strcmp(key, "descr") == 0) return take_string(s, header->descr, sizeof header->descr) ? DESCR : 0;
  if (strcmp(key, "shape") == 0) return take_shape(s, array) ? SHAPE : 0;
  if (strcmp(key, "fortran_order") != 0) return 0;
  header->fortran_order = take_word(s, "True");
  return header->fortran_order || take_word(s, "False") ? FORTRAN_ORDER : 0;
}

/* Returns what is wrong, null if nothing is. */
static const char *parse_header(const char *s, struct header *header, struct npy *array) {
  static const char broken[] = "the .npy header is broken";
  unsigned seen = 0;
  s = skip_space(s);
  if (!take_word(&s, "{")) return broken;
  s = skip_space(s);
  while (*s != '}') {
    char key[16];
    if (!take_string(&s, key, sizeof key)) return broken;
    s = skip_space(s);
    if (!take_word(&s, ":")) return broken;
    s = skip_space(s);
    if (*s == '[' && strcmp(key, "descr") == 0) return "the array has a structured dtype";
    const unsigned which = take_value(&s, key, header, array);
    if (which == 0 || (seen & which)) return broken;
    seen |= which;
    s = skip_space(s);
    if (!take_word(&s, ",") && *s != '}') return broken;
    s = skip_space(s);
  }
  if (seen != (DESCR | FORTRAN_ORDER | SHAPE) || *skip_space(s + 1)) return broken;
  return NULL;
}

static bool host_is_big_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 0;
}

/* "<f4" and the like. Returns false for everything that is not in struct npy's list. */
static bool parse_descr(const char *descr, struct npy *array, bool *big_endian) {
  if (strlen(descr) != 3 || !strchr("<>|=", descr[0])) return false;
  array->kind = descr[1];
  array->size = (unsigned)(descr[2] - '0');
  *big_endian = descr[0] == '>' || (descr[0] == '=' && host_is_big_endian());
  if (descr[0] == '|' && array->size != 1) return false;
  if (array->kind == 'f') return array->size == 2 || array->size == 4 || array->size == 8;
  return array->kind == 'u' && (array->size == 1 || array->size == 2 || array->size == 4 || array->size == 8);
}

/* False if the bytes of the array do not fit a size_t. */
static bool multiply_shape(struct npy *array) {
  array->count = 1;
  bool empty = false, fits = true;
  for (unsigned i = 0; i < array->axes; i++) {
    empty = empty || array->shape[i] == 0;
    if (array->shape[i] != 0 && array->count > SIZE_MAX / array->size / array->shape[i]) fits = false;
    else array->count *= array->shape[i];
  }
  if (empty) array->count = 0;
  return empty || fits;
}

/* How a file's elements are unlike ours. */
struct layout {
  bool big_endian, fortran_order;
};

static bool parse(const char *path, const char *text, char kind, struct npy *array, struct layout *layout) {
  struct header header = {"", false};
  const char *wrong = parse_header(text, &header, array);
  if (wrong) {
    complain(path, "%s", wrong);
    return false;
  }
  if (!parse_descr(header.descr, array, &layout->big_endian) || array->kind != kind) {
    complain(path, "the array's dtype is '%s', not %s", header.descr,
             kind == 'f' ? "float16, float32 or float64" : "an unsigned integer");
    return false;
  }
  layout->fortran_order = header.fortran_order;
  if (!multiply_shape(array)) {
    complain(path, "the shape %s is too large for this machine", npy_shape_text(array));
    return false;
  }
  return true;
}

/* The file. ---------------------------------------------------------------------------------------------- */

/* Where an array's bytes come from: a file, or memory. */
struct input {
  const char *path;
  FILE *file; /* null: memory */
  const unsigned char *bytes;
  size_t left;
};

/* Reads up to so many bytes. Returns how many. */
static size_t take(struct input *in, void *to, size_t count) {
  if (in->file) return fread(to, 1, count, in->file);
  if (count > in->left) count = in->left;
  memcpy(to, in->bytes, count);
  in->bytes += count, in->left -= count;
  return count;
}

/* Complains of an input that ended, or could not be read. */
static void ended(const struct input *in, const char *what) {
  if (in->file) file_ended(in->path, in->file, what);
  else complain(in->path, "%s", what);
}

/* Reads up to size bytes in growing steps, so that memory follows what is there and not what a header claims.
 * Returns the bytes; *got says how many. */
static unsigned char *read_up_to(struct input *in, size_t size, size_t *got) {
  size_t room = size < 1 << 20 ? size : 1 << 20;
  unsigned char *bytes = memory_get(room, 1);
  *got = 0;
  for (;;) {
    *got += take(in, bytes + *got, room - *got);
    if (*got < room || room == size) return bytes;
    const size_t larger = room > size / 2 ? size : 2 * room;
    unsigned char *grown = memory_get(larger, 1);
    memcpy(grown, bytes, room);
    free(bytes);
    bytes = grown;
    room = larger;
  }
}

/* The text of the header, to be freed; null if something is wrong, with a complaint. */
static char *read_header(struct input *in) {
  unsigned char start[12];
  if (take(in, start, 8) != 8 || memcmp(start, NPY_MAGIC, NPY_MAGIC_SIZE) != 0) {
    ended(in, "not a .npy file (it does not begin with \\x93NUMPY)");
    return NULL;
  }
  const unsigned version = start[6];
  if (version < 1 || version > 3 || start[7] != 0) {
    complain(in->path, "version %u.%u of .npy is unknown", version, start[7]);
    return NULL;
  }
  const size_t length_bytes = version == 1 ? 2 : 4;
  if (take(in, start + 8, length_bytes) != length_bytes) {
    ended(in, "the file ends within the .npy header");
    return NULL;
  }
  const size_t length = version == 1 ? load_u16(start + 8) : load_u32(start + 8);
  if (length > HEADER_MAX) {
    complain(in->path, "the .npy header claims %zu bytes", length);
    return NULL;
  }
  char *text = memory_get(length + 1, 1);
  const size_t got = take(in, text, length);
  if (got == length && !memchr(text, 0, length)) return text;
  ended(in, got < length ? "the file ends within the .npy header" : "the .npy header is broken");
  free(text);
  return NULL;
}

static void reverse_bytes(unsigned char *bytes, size_t count, unsigned size) {
  for (size_t i = 0; i < count; i++, bytes += size)
    for (unsigned a = 0, b = size - 1; a < b; a++, b--) {
      const unsigned char byte = bytes[a];
      bytes[a] = bytes[b];
      bytes[b] = byte;
    }
}

/* From Fortran order, where the first axis is the innermost. */
static void transpose(struct npy *array) {
  const size_t size = array->size;
  const unsigned char *from = array->data;
  unsigned char *data = memory_get(array->count, size);
  size_t at[NPY_AXES_MAX] = {0};
  for (size_t i = 0; i < array->count; i++, from += size) {
    size_t to = 0;
    for (unsigned a = 0; a < array->axes; a++) to = to * array->shape[a] + at[a];
    memcpy(data + to * size, from, size);
    for (unsigned a = 0; a < array->axes && ++at[a] == array->shape[a]; a++) at[a] = 0;
  }
  free(array->data);
  array->data = data;
}

static bool read_data(struct input *in, bool transposed, struct npy *array) {
  const size_t bytes = array->count * array->size;
  const uint64_t floats = array->kind == 'f' ? (uint64_t)array->count * sizeof(float) : 0;
  const bool over = floats + (transposed ? 2 : 1) * (uint64_t)bytes > reader_memory();
  size_t got; /* a broken header may claim any shape: as much as there may be is read */
  char more;
  array->data = read_up_to(in, over && bytes > reader_memory() ? (size_t)reader_memory() : bytes, &got);
  const bool failed = in->file && ferror(in->file), is_whole = got == bytes || got == reader_memory();
  if (over && is_whole && !failed) {
    complain(in->path, "%s", reader_over_memory());
    free(array->data);
    array->data = NULL;
    return false;
  }
  if (got == bytes && !failed && take(in, &more, 1) == 0) return true;
  if (got == bytes && !failed) {
    complain(in->path, "the file goes on behind the %zu bytes of its array of shape %s", bytes,
             npy_shape_text(array));
  } else {
    char what[400];
    snprintf(what, sizeof what, "the file holds %zu bytes of array, its shape %.300s means %zu", got,
             npy_shape_text(array), bytes);
    ended(in, what);
  }
  free(array->data);
  array->data = NULL;
  return false;
}

static bool read_input(struct input *in, char kind, struct npy *array) {
  struct layout layout = {false, false};
  *array = (struct npy){0};
  char *header = read_header(in);
  const bool good =
      header && parse(in->path, header, kind, array, &layout) && read_data(in, layout.fortran_order, array);
  if (good && layout.fortran_order) transpose(array);
  if (good && layout.big_endian) reverse_bytes(array->data, array->count, array->size);
  free(header);
  return good;
}

bool npy_read(const char *path, char kind, struct npy *array) {
  uint64_t size; /* not needed: arrays come through pipes, too */
  FILE *file = file_open(path, &size);
  if (!file) return false;
  const bool good = read_input(&(struct input){path, file, NULL, 0}, kind, array);
  fclose(file);
  return good;
}

bool npy_read_bytes(const char *path, const unsigned char *bytes, size_t size, char kind, struct npy *array) {
  return read_input(&(struct input){path, NULL, bytes, size}, kind, array);
}

/* Parses a header and says nothing. */
bool npy_has_rotations(const unsigned char *bytes, size_t size) {
  struct header header = {"", false};
  struct npy array = {0};
  bool big_endian;
  const size_t start = size > 8 && bytes[6] == 1 ? 10 : 12;
  if (size < start || memcmp(bytes, NPY_MAGIC, NPY_MAGIC_SIZE) != 0) return false;
  const size_t length = start == 10 ? load_u16(bytes + 8) : load_u32(bytes + 8);
  if (length > HEADER_MAX || length > size - start) return false;
  char *text = memory_get(length + 1, 1);
  memcpy(text, bytes + start, length);
  const bool good = !parse_header(text, &header, &array) && parse_descr(header.descr, &array, &big_endian) &&
                    array.kind == 'f' && array.axes > 0 && array.shape[array.axes - 1] == 4;
  free(text);
  return good;
}

void npy_free(struct npy *array) {
  free(array->data);
  array->data = NULL;
}

/* Elements. ---------------------------------------------------------------------------------------------- */

static float half_float(unsigned half) {
  const unsigned exponent = half >> 10 & 31, fraction = half & 1023;
  const double value = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                       : exponent == 0 ? ldexp(fraction, -24)
                                       : ldexp(1024 + fraction, (int)exponent - 25);
  return (float)(half & 0x8000 ? -value : value);
}

float npy_get_float(const void *bytes, unsigned size) {
  if (size == 2) return half_float(load_u16(bytes));
  if (size == 4) return load_float(bytes);
  const double value = load_double(bytes);
  /* converting a double beyond FLT_MAX is undefined in C */
  return fabs(value) > (double)FLT_MAX ? (float)INFINITY : (float)value;
}

float npy_float(const struct npy *array, size_t i) {
  return npy_get_float((const unsigned char *)array->data + i * array->size, array->size);
}

const char *npy_shape_text(const struct npy *array) {
  static char text[NPY_AXES_MAX * 22 + 4]; /* 20 digits and ", " for each axis */
  size_t length = 0;
  text[length++] = '(';
  for (unsigned i = 0; i < array->axes; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, i ? ", %zu" : "%zu", array->shape[i]);
  snprintf(text + length, sizeof text - length, array->axes == 1 ? ",)" : ")");
  return text;
}

struct npy npy_shape_of(size_t rotations) {
  return (struct npy){.kind = 'f', .size = 4, .axes = 2, .shape = {rotations, 4}, .count = 4 * rotations};
}

/* The reader. -------------------------------------------------------------------------------------------- */

static bool recognise(const char *path) { return file_begins(path, NPY_MAGIC, NPY_MAGIC_SIZE); }

float *npy_rotations(const char *path, const struct npy *array) {
  if (array->axes == 0 || array->shape[array->axes - 1] != 4) {
    complain(path, "the array's shape is %s; rotations are (..., 4)", npy_shape_text(array));
    return NULL;
  }
  float *xyzw = memory_get(array->count, sizeof *xyzw);
  for (size_t i = 0; i < array->count; i++) xyzw[i] = npy_float(array, i);
  return xyzw;
}

static float *rotations(const char *path, struct npy *shape) {
  if (!npy_read(path, 'f', shape)) return NULL;
  float *xyzw = npy_rotations(path, shape);
  npy_free(shape);
  return xyzw;
}

const struct reader reader_npy = {
    .name = "an array", .endings = {".npy"}, .recognise = recognise, .rotations = rotations};
