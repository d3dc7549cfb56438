#include "readers/arrays/npy.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "core/bytes.h"
#include "files/file.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "terminal/message.h"

enum { HEADER_MAX = 65535 }; /* bytes; a header of ours has 128, one of 32 axes below 1000 */

/* The header: a Python dictionary of three known keys, each once, in any order. -------------------------- */

/* Functions that take a part go on to the next one, behind space. */
static const char *skip_space(const char *s) { return s + strspn(s, " \t\r\n"); }

/* The quoted string at *s, without escapes, into text. */
static bool take_string(const char **s, char *text, size_t room) {
  const char quote = **s;
  if (quote != '\'' && quote != '"') return false;
  const char *end = strchr(*s + 1, quote);
  if (!end || (size_t)(end - *s) > room) return false;
  const size_t length = (size_t)(end - *s) - 1;
  if (memchr(*s + 1, '\\', length)) return false;
  memcpy(text, *s + 1, length);
  text[length] = 0;
  *s = skip_space(end + 1);
  return true;
}

static bool take_word(const char **s, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(*s, word, length) != 0) return false;
  *s = skip_space(*s + length);
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
  *s = skip_space(*s);
  return true;
}

/* "(3, 4)", "(3,)", "()". As in Python, (3) is no tuple. */
static bool take_shape(const char **s, struct npy *array) {
  array->axes = 0;
  if (!take_word(s, "(")) return false;
  bool comma = true;
  while (!take_word(s, ")")) {
    if (!comma || array->axes == NPY_AXES_MAX || !take_size(s, &array->shape[array->axes])) return false;
    array->axes++;
    comma = take_word(s, ",");
  }
  return comma || array->axes > 1;
}

struct header {
  char descr[64];
  bool fortran_order, big_endian;
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
  while (*s != '}') {
    char key[16];
    if (!take_string(&s, key, sizeof key) || !take_word(&s, ":")) return broken;
    if (*s == '[' && strcmp(key, "descr") == 0) return "the array has a structured dtype";
    const unsigned which = take_value(&s, key, header, array);
    if (which == 0 || (seen & which)) return broken;
    seen |= which;
    if (!take_word(&s, ",") && *s != '}') return broken;
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
static bool parse_descr(struct header *header, struct npy *array) {
  const char *descr = header->descr;
  if (strlen(descr) != 3 || !strchr("<>|=", descr[0])) return false;
  array->kind = descr[1];
  array->size = (unsigned)(descr[2] - '0');
  header->big_endian = descr[0] == '>' || (descr[0] == '=' && host_is_big_endian());
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

static bool parse(const char *path, const char *text, char kind, struct npy *array, struct header *header) {
  const char *wrong = parse_header(text, header, array);
  if (wrong) return complain(path, "%s", wrong);
  if (!parse_descr(header, array) || array->kind != kind)
    return complain(path, "the array's dtype is '%s', not %s", header->descr,
                    kind == 'f' ? "float16, float32 or float64" : "an unsigned integer");
  if (!multiply_shape(array))
    return complain(path, "the shape %s is too large for this machine", npy_shape_text(array));
  return true;
}

/* The file. ---------------------------------------------------------------------------------------------- */

/* The text of the header, to be freed, and where the elements begin; null if something is wrong, with a
 * complaint. */
static char *read_header(const char *path, const unsigned char *bytes, size_t size, size_t *start) {
  if (size < 8 || memcmp(bytes, NPY_MAGIC, NPY_MAGIC_SIZE) != 0) {
    complain(path,
             file_is_pointer(path) ? FILE_POINTER : "not a .npy file (it does not begin with \\x93NUMPY)");
    return NULL;
  }
  const unsigned version = bytes[6];
  if (version < 1 || version > 3 || bytes[7] != 0) {
    complain(path, "version %u.%u of .npy is unknown", version, bytes[7]);
    return NULL;
  }
  const size_t before = version == 1 ? 10 : 12, length = size < before  ? 0
                                                         : version == 1 ? load_u16(bytes + 8)
                                                                        : load_u32(bytes + 8);
  char *text = NULL;
  if (length > HEADER_MAX) complain(path, "the .npy header claims %zu bytes", length);
  else if (size < before || size - before < length) complain(path, "the file ends within the .npy header");
  else if (memchr(bytes + before, 0, length)) complain(path, "the .npy header is broken");
  else text = memcpy(memory_get(length + 1, 1), bytes + before, length);
  *start = before + length;
  return text;
}

static void reverse_bytes(unsigned char *bytes, size_t count, unsigned size) {
  for (size_t i = 0; i < count; i++, bytes += size)
    for (unsigned a = 0, b = size - 1; a < b; a++, b--) {
      const unsigned char byte = bytes[a];
      bytes[a] = bytes[b];
      bytes[b] = byte;
    }
}

/* Copies elements from Fortran order, where the first axis is the innermost. */
static void transpose(struct npy *array, const unsigned char *from) {
  const size_t size = array->size;
  unsigned char *data = array->data = memory_get(array->count, size);
  size_t at[NPY_AXES_MAX] = {0};
  for (size_t i = 0; i < array->count; i++, from += size) {
    size_t to = 0;
    for (unsigned a = 0; a < array->axes; a++) to = to * array->shape[a] + at[a];
    memcpy(data + to * size, from, size);
    for (unsigned a = 0; a < array->axes && ++at[a] == array->shape[a]; a++) at[a] = 0;
  }
}

/* False and a complaint if the bytes behind the header, as far as they were read, are not those of the array,
 * or are too many. */
static bool check_size(const char *path, const struct npy *array, bool transposed, size_t there) {
  const size_t bytes = array->count * array->size;
  const uint64_t floats = array->kind == 'f' ? (uint64_t)array->count * sizeof(float) : 0;
  const bool over = floats + (transposed ? 2 : 1) * (uint64_t)bytes > reader_memory();
  if (over && (there >= bytes || there >= reader_memory())) complain(path, "%s", reader_over_memory());
  else if (there > bytes)
    complain(path, "the file goes on behind the %zu bytes of its array of shape %s", bytes,
             npy_shape_text(array));
  else if (there < bytes)
    complain(path, "the file holds %zu bytes of array, its shape %.300s means %zu", there,
             npy_shape_text(array), bytes);
  else return true;
  return false;
}

bool npy_take_bytes(const char *path, unsigned char *bytes, size_t size, char kind, struct npy *array) {
  struct header header = {"", false, false};
  size_t start;
  *array = (struct npy){0};
  char *text = read_header(path, bytes, size, &start);
  const bool good = text && parse(path, text, kind, array, &header) &&
                    check_size(path, array, header.fortran_order, size - start);
  if (good && header.fortran_order) transpose(array, bytes + start);
  else if (good) array->data = memmove(bytes, bytes + start, size - start);
  if (array->data != bytes) free(bytes);
  if (good && header.big_endian) reverse_bytes(array->data, array->count, array->size);
  free(text);
  return good;
}

/* The bytes of the file by its header, which is in its first bytes, and one more: it should end there. 0:
 * there is no such header, which is complained of later. */
static uint64_t bytes_wanted(const char *path, const unsigned char *bytes, size_t size, char kind) {
  struct header header = {"", false, false};
  struct npy array = {0};
  struct messages unheard = {0}, *before = messages_keep(&unheard);
  size_t start;
  char *text = read_header(path, bytes, size, &start);
  const bool good = text && parse(path, text, kind, &array, &header);
  messages_keep(before);
  messages_free(&unheard);
  free(text);
  return good ? (uint64_t)array.count * array.size + start + 1 : 0;
}

/* Reads in steps, so that memory follows what is there: arrays come through pipes, too. */
bool npy_read(const char *path, char kind, struct npy *array) {
  enum { STEP = 1 << 20 };
  uint64_t unused;
  FILE *file = file_open(path, &unused);
  if (!file) return false;
  unsigned char *bytes = NULL;
  size_t size = 0, got = STEP;
  uint64_t wanted = STEP;
  for (size_t steps = 0; got == STEP && size < wanted && size / 2 < reader_memory() / 2 + HEADER_MAX;
       steps++) {
    bytes = memory_grow(bytes, steps, STEP);
    size += got = fread(bytes + steps * STEP, 1, STEP, file);
    if (steps == 0) wanted = bytes_wanted(path, bytes, size, kind);
  }
  const bool failed = ferror(file);
  if (failed) complain(path, "cannot read: %s", strerror(errno)), free(bytes);
  fclose(file);
  return !failed && npy_take_bytes(path, bytes, size, kind, array);
}

/* Parses a header and says nothing. */
bool npy_has_rotations(const unsigned char *bytes, size_t size) {
  struct header header = {"", false, false};
  struct npy array = {0};
  const size_t start = size > 8 && bytes[6] == 1 ? 10 : 12;
  if (size < start || memcmp(bytes, NPY_MAGIC, NPY_MAGIC_SIZE) != 0) return false;
  const size_t length = start == 10 ? load_u16(bytes + 8) : load_u32(bytes + 8);
  if (length > HEADER_MAX || length > size - start) return false;
  char *text = memory_get(length + 1, 1);
  memcpy(text, bytes + start, length);
  const bool good = !parse_header(text, &header, &array) && parse_descr(&header, &array) &&
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
    .name = "an array", .endings = {".npy"}, .begins = {NPY_MAGIC}, .rotations = rotations};
