/* The tables of kernels: one per instruction set. One of them is in use. */
#ifndef QUATSIMD_DISPATCH_H
#define QUATSIMD_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quatsimd/codec.h"

/* The codecs, numbered in the order of formats.def: QUATSIMD_CODEC_cube32, ... */
typedef enum quatsimd_codec {
#define FORMAT(codec, ...) QUATSIMD_CODEC_##codec,
#include "codec/formats.def"
  QUATSIMD_CODECS
} quatsimd_codec;

/* The operations, numbered in the order of operations.def: QUATSIMD_OPERATION_multiply, ... */
typedef enum quatsimd_operation {
#define OPERATION(name, ...) QUATSIMD_OPERATION_##name,
#include "rotation/operations.def"
  QUATSIMD_OPERATIONS
} quatsimd_operation;

typedef struct quatsimd_operand quatsimd_operand;

/* Pack and unpack arrays. Callers check the arguments. Views must be direct (quatsimd_is_direct). width is 0
 * for formats without variants. Packing returns false if it replaced invalid quaternions by the identity. */
typedef bool quatsimd_pack_fn(int width, unsigned char *packed, const quatsimd_operand *from, size_t count);
typedef void quatsimd_unpack_fn(int width, const quatsimd_operand *to, const unsigned char *packed,
                                size_t count);

/* Computes an operation on arrays of components. `out` and `in` list the arrays of all outputs and of all
 * inputs. An array may be in both. count is a multiple of QUATSIMD_OPERATION_BLOCK, and at most
 * QUATSIMD_CHUNK except in STRUCTS operations. The components of a chunk fit the first-level cache. */
enum { QUATSIMD_OPERATION_BLOCK = 16, QUATSIMD_CHUNK = 128 };
typedef void quatsimd_operation_fn(float *const *out, const float *const *in, size_t count);
/* Computes an operation on arrays of structs without gaps. stride[k] is the number of floats from one element
 * of input k to the next. It is 0 if input k is one element for all: in[k] then has `lanes` copies of this
 * element. Computes as many elements as fill whole vectors and returns their number. */
enum { QUATSIMD_MOST_LANES = 16 };
typedef size_t quatsimd_aos_fn(float *const *out, const float *const *in, const size_t *stride, size_t count);

struct pose_block;
struct pose_places;
typedef struct quatsimd_kernels {
  const char *name;
  unsigned lanes;
  struct {
    quatsimd_pack_fn *pack;
    quatsimd_unpack_fn *unpack;
  } codec[QUATSIMD_CODECS];
#ifndef QUATSIMD_ONLY_CLIPS
  void (*meshopt_to_snorm16x4)(unsigned char *to, const unsigned char *from, size_t count);
  void (*half_from_float)(uint16_t *halves, const float *floats, size_t count);
  void (*half_to_float)(float *floats, const uint16_t *halves, size_t count);
#endif
  size_t (*find_invalid)(const float *xyzw, size_t count, size_t from); /* from <= count */
  quatsimd_operation_fn *operation[QUATSIMD_OPERATIONS];
  quatsimd_aos_fn *aos[QUATSIMD_OPERATIONS]; /* null if there is no kernel for structs */
  /* copy 3-vectors, or quaternions that are `stride` bytes apart, to arrays of components and back; return
   * `count`, or 0 without copying if `count` elements do not fill one vector */
  size_t (*split4)(float *const to[4], const float *first, size_t stride, size_t count);
  size_t (*join4)(float *first, size_t stride, const float *const from[4], size_t count);
  size_t (*split3)(float *const to[3], const float *xyz, size_t count);
  size_t (*join3)(float *xyz, const float *const from[3], size_t count);
  /* copy blocks of 4 or 8 quaternions to arrays of components and back; count is a multiple of `block` */
  void (*split_blocks)(float *const to[4], const float *blocks, size_t block, size_t count);
  void (*join_blocks)(float *blocks, size_t block, const float *const from[4], size_t count);
  void (*pose)(const struct pose_block *block);
  void (*hierarchy)(const struct pose_places *places);
  const struct quatsimd_clip_kernels *clip;
} quatsimd_kernels;

/* The tables of this build, best first, then null. The reference is the last one unless it is left out. */
enum { QUATSIMD_MOST_TABLES = 8 }; /* with the null */
extern const quatsimd_kernels *const quatsimd_kernel_list[QUATSIMD_MOST_TABLES];

const quatsimd_kernels *quatsimd_active_kernels(void);
/* Returns the first table, from `kernels` on, with at most `count` lanes; `count` is at least 1. A CPU that
 * can run a table can run all behind it in the list. Needs the reference, which has one lane. */
static inline const quatsimd_kernels *quatsimd_no_longer_than(const quatsimd_kernels *kernels, size_t count) {
  const quatsimd_kernels *const *at = quatsimd_kernel_list;
  if (kernels->lanes <= count) return kernels;
  while (*at && *at != kernels) at++;
  if (!*at) return at[-1]; /* a table that only a test has */
  while ((*at)->lanes > count) at++;
  return *at;
}
/* Puts a table in use, even one that the CPU cannot run. Null makes the next quatsimd_active_kernels choose
 * again. Only tests, fuzzers and the benchmark call this function, between other calls of the library. */
void quatsimd_use_kernels(const quatsimd_kernels *kernels);

/* The row of formats.def for a format. bit_packed is true if the column `storage` is PACKED.
 * quatsimd_format_lookup returns null for an unknown format. */
typedef struct quatsimd_format_entry {
  quatsimd_format_info info;
  quatsimd_format format;
  quatsimd_codec codec;
  int width;
  bool bit_packed;
} quatsimd_format_entry;
const quatsimd_format_entry *quatsimd_format_lookup(quatsimd_format format);

#endif
