#include "readers/gltf/meshopt.h"

#include <meshoptimizer.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "terminal/message.h"

/* Returns false. */
PRINTF_LIKE(2, 3) static bool fail(struct meshopt *m, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(m->error, sizeof m->error, format, arguments);
  va_end(arguments);
  return false;
}

typedef int decoder(void *to, size_t count, size_t stride, const unsigned char *bytes, size_t size);

/* The first byte of an array is its mode's, with the version of the codec in the lower four bits. */
static const struct mode {
  const char *name;
  unsigned char mark, last_version;
  decoder *decode;
} modes[] = {{"ATTRIBUTES", 0xa0, 0, meshopt_decodeVertexBuffer},
             {"TRIANGLES", 0xe0, 1, meshopt_decodeIndexBuffer},
             {"INDICES", 0xd0, 1, meshopt_decodeIndexSequence}};

/* ATTRIBUTES go through one of these once they are decoded, as numbers in the machine's byte order. */
static const struct filter {
  const char *name;
  void (*decode)(void *elements, size_t count, size_t stride);
} filters[] = {{"NONE", NULL},
               {"OCTAHEDRAL", meshopt_decodeFilterOct},
               {"QUATERNION", meshopt_decodeFilterQuat},
               {"EXPONENTIAL", meshopt_decodeFilterExp}};
enum { ATTRIBUTES, TRIANGLES, MODES = sizeof modes / sizeof *modes };
enum { NONE, OCTAHEDRAL, QUATERNION, FILTERS = sizeof filters / sizeof *filters };

static bool find_names(struct meshopt *m, size_t *mode, size_t *filter) {
  *mode = *filter = 0;
  while (*mode < MODES && strcmp(m->mode, modes[*mode].name) != 0) ++*mode;
  while (*filter < FILTERS && strcmp(m->filter, filters[*filter].name) != 0) ++*filter;
  m->unknown = *mode == MODES || *filter == FILTERS;
  if (*mode == MODES) return fail(m, "its mode '%.20s' is not read", m->mode);
  return !m->unknown || fail(m, "its filter '%.20s' is not read", m->filter);
}

/* The decoders take it for granted that elements have such a size, and triangles three corners. */
static bool check_shape(struct meshopt *m, size_t mode, size_t filter) {
  const size_t stride = m->stride;
  const bool fits = mode != ATTRIBUTES     ? stride == 2 || stride == 4
                    : filter == OCTAHEDRAL ? stride == 4 || stride == 8
                    : filter == QUATERNION ? stride == 8
                                           : stride > 0 && stride % 4 == 0 && stride <= 256;
  if (mode != ATTRIBUTES && filter != NONE) return fail(m, "%s have no filter", modes[mode].name);
  if (!fits) {
    const bool filtered = filter != NONE;
    return fail(m, "%s have no elements of %zu bytes", filtered ? filters[filter].name : modes[mode].name,
                stride);
  }
  if (m->count == 0) return fail(m, "it has no elements");
  if (mode == TRIANGLES && m->count % 3 != 0) return fail(m, "triangles have no %zu corners", m->count);
  if (m->count > (uint64_t)MESHOPT_MOST * m->size / stride)
    return fail(m, "its %zu bytes are too few for %zu elements", m->size, m->count);
  if (m->count * (uint64_t)stride > m->room)
    return fail(m, "with it, bufferViews have more than %d times the bytes of their buffers", MESHOPT_MOST);
  return true;
}

static bool check_head(struct meshopt *m, const struct mode *mode) {
  const unsigned head = m->bytes[0], version = head & 15;
  if ((head & 0xf0) != mode->mark) return fail(m, "its bytes do not begin as %s do", mode->name);
  m->unknown = version > mode->last_version;
  return !m->unknown || fail(m, "its %s are of version %u, which is not read", mode->name, version);
}

/* Turns numbers of so many bytes from the file's byte order to the machine's, or back. */
static void turn_bytes(unsigned char *bytes, size_t size, size_t width) {
  const uint16_t one = 1;
  if (*(const unsigned char *)&one == 1) return;
  for (unsigned char *number = bytes; number < bytes + size; number += width)
    for (size_t i = 0; i < width / 2; i++) {
      const unsigned char swapped = number[i];
      number[i] = number[width - 1 - i], number[width - 1 - i] = swapped;
    }
}

static void undo_filter(struct meshopt *m, unsigned char *elements, size_t filter) {
  const size_t size = m->count * m->stride;
  const size_t width = filter == OCTAHEDRAL ? m->stride / 4 : filter == QUATERNION ? 2 : 4;
  if (filter == NONE) return;
  turn_bytes(elements, size, width);
  filters[filter].decode(elements, m->count, m->stride);
  turn_bytes(elements, size, width);
}

static bool decode(struct meshopt *m, unsigned char *elements, size_t mode, size_t filter) {
  switch (modes[mode].decode(elements, m->count, m->stride, m->bytes, m->size)) {
  case 0: break;
  case -2: return fail(m, "its %zu bytes end before %zu elements", m->size, m->count);
  case -3: return fail(m, "its %zu bytes are not those of %zu elements", m->size, m->count);
  default: return fail(m, "its bytes are no %s", modes[mode].name);
  }
  if (mode != ATTRIBUTES) turn_bytes(elements, m->count * m->stride, m->stride);
  undo_filter(m, elements, filter);
  return true;
}

unsigned char *meshopt_decode(struct meshopt *m) {
  size_t mode, filter;
  if (!find_names(m, &mode, &filter)) return NULL;
  if (!check_shape(m, mode, filter) || !check_head(m, &modes[mode])) return NULL;
  unsigned char *elements = memory_get(m->count, m->stride);
  if (decode(m, elements, mode, filter)) return elements;
  free(elements);
  return NULL;
}

const char *meshopt_version(void) {
  static char text[40];
  snprintf(text, sizeof text, "meshoptimizer %d.%d", MESHOPTIMIZER_VERSION / 1000,
           MESHOPTIMIZER_VERSION / 10 % 100);
  return text;
}
