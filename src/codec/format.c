/* Finds the formats of formats.def by number, by name and by position. */
#include <string.h>

#include "core/dispatch.h"

#define RADIANS(degrees) ((degrees)*0.017453292519943295)
enum {
  BIT_PACKED_U24 = 0,
  BIT_PACKED_U32 = 0,
  BIT_PACKED_U48 = 0,
  BIT_PACKED_U64 = 0,
  BIT_PACKED_U128 = 0,
  BIT_PACKED_PACKED = 1
};

/* A format's number is 256 * family + member. An entry without a name is no format. */
enum { FAMILIES = 4, MEMBERS = 32 };
static const quatsimd_format_entry entries[FAMILIES][MEMBERS] = {
#define FORMAT(codec, pack, unpack, blocks, ...) VARIANT(codec, __VA_ARGS__)
#define VARIANT(codec, id, width, name, storage, bits, exact, worst, mean, origin)                           \
  [(id) >> 8][(id)&255] = {{name, origin, bits, RADIANS(worst), RADIANS(mean), exact},                       \
                           id,                                                                               \
                           QUATSIMD_CODEC_##codec,                                                           \
                           width,                                                                            \
                           BIT_PACKED_##storage},
#include "codec/formats.def"
};

static const quatsimd_format in_order[] = {
#define FORMAT(codec, pack, unpack, blocks, ...) VARIANT(codec, __VA_ARGS__)
#define VARIANT(codec, id, ...) id,
#include "codec/formats.def"
};
#define FORMATS (sizeof in_order / sizeof in_order[0])

const quatsimd_format_entry *quatsimd_format_lookup(quatsimd_format format) {
  const unsigned family = (unsigned)format >> 8, member = (unsigned)format & 255;
  if (family >= FAMILIES || member >= MEMBERS || !entries[family][member].info.name) return NULL;
  return &entries[family][member];
}

const quatsimd_format_info *quatsimd_get_format_info(quatsimd_format format) {
  const quatsimd_format_entry *entry = quatsimd_format_lookup(format);
  return entry ? &entry->info : NULL;
}

/* Returns the format of the family `any` with `bits` bits per component. If there is none, returns `any`. */
static quatsimd_format of_family(quatsimd_format any, unsigned bits) {
  const quatsimd_format format = bits < MEMBERS ? QUATSIMD_FORMAT_NUMBER((unsigned)any + bits) : any;
  return quatsimd_format_lookup(format) ? format : any;
}
quatsimd_format quatsimd_format_smallest3(unsigned bits) {
  return of_family(QUATSIMD_FORMAT_SMALLEST3_ANY, bits);
}
quatsimd_format quatsimd_format_mirage(unsigned bits) { return of_family(QUATSIMD_FORMAT_MIRAGE_ANY, bits); }
quatsimd_format quatsimd_format_meshopt(unsigned bits) {
  return of_family(QUATSIMD_FORMAT_MESHOPT_ANY, bits);
}

quatsimd_status quatsimd_format_at(quatsimd_format *out, size_t i) {
  if (!out) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (i >= FORMATS) return QUATSIMD_ERROR_BAD_FORMAT;
  *out = in_order[i];
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_format_from_name(quatsimd_format *out, const char *name) {
  if (!name || !out) return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t i = 0; i < FORMATS; i++)
    if (strcmp(quatsimd_get_format_info(in_order[i])->name, name) == 0) return quatsimd_format_at(out, i);
  return QUATSIMD_ERROR_BAD_FORMAT;
}

size_t quatsimd_packed_size(quatsimd_format format, size_t count) {
  const quatsimd_format_entry *entry = quatsimd_format_lookup(format);
  if (!entry) return 0;
  /* count = 8 * blocks + remainder. Eight elements of n bits have n bytes, so no product overflows. */
  const size_t bits = entry->info.bits, blocks = count / 8, remainder = (count % 8 * bits + 7) / 8;
  return blocks > (SIZE_MAX - remainder) / bits ? 0 : blocks * bits + remainder;
}
