/* quatsimd pack, quatsimd unpack: .npy in (for pack a splat scene, too), .npy out. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/formats.h"
#include "base/text.h"
#include "commands/command.h"
#include "core/bytes.h"
#include "core/dispatch.h"
#include "files/file.h"
#include "readers/limits.h"
#include "scene/input.h"
#include "terminal/message.h"
#include "writers/writers.h"

/* How an array holds one rotation of a format of whole bytes: words of that many bytes, and how many of them.
 * One word where there is an integer type of that size, otherwise the largest words that divide it, on an
 * axis of their own. */
struct words {
  unsigned size, count;
};

static struct words words_of(const quatsimd_format_info *info) {
  const unsigned bytes = info->bits / 8;
  if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) return (struct words){bytes, 1};
  const unsigned size = bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
  return (struct words){size, bytes / size};
}

/* Bit-packed arrays do not tell how many rotations they hold. A record behind the bits does: the sizes of all
 * axes but the last, then how many these are, every number 8 bytes, little-endian. */
static size_t record_size(unsigned axes) { return 8 * ((size_t)axes + 1); }

static void put_record(unsigned char *record, const struct npy *rotations) {
  const unsigned axes = rotations->axes - 1;
  for (unsigned i = 0; i < axes; i++) store_little(record + 8 * i, rotations->shape[i], 8);
  store_little(record + 8 * (size_t)axes, axes, 8);
}

/* The leading axes and the number of rotations from the record; false if there is none. */
static bool take_record(const struct npy *packed, struct npy *rotations, size_t *count) {
  const unsigned char *end = (const unsigned char *)packed->data + packed->count;
  if (packed->count < 8) return false;
  const uint64_t axes = load_u64(end - 8);
  if (axes >= NPY_AXES_MAX || packed->count < record_size((unsigned)axes)) return false;
  rotations->axes = (unsigned)axes + 1;
  *count = 1;
  bool empty = false;
  for (unsigned i = 0; i < axes; i++) {
    const uint64_t n = load_u64(end - 8 * (axes + 1 - i));
    if (n > SIZE_MAX) return false;
    if (n > 0 && *count > SIZE_MAX / 16 / n) return false; /* four floats each */
    empty = empty || n == 0;
    if (n > 0) *count *= (size_t)n;
    rotations->shape[i] = (size_t)n;
  }
  if (empty) *count = 0;
  return true;
}

struct request {
  quatsimd_format format;
  const char *in, *out;
  bool w_first; /* of the rotations, not of the packed ones */
};

/* pack. -------------------------------------------------------------------------------------------------- */

static void shape_packed(const quatsimd_format_entry *entry, const struct npy *in, size_t size,
                         struct npy *out) {
  *out = (struct npy){.kind = 'u', .size = 1, .axes = 1, .shape = {size}, .count = size};
  if (entry->bit_packed) return;
  const struct words words = words_of(&entry->info);
  out->size = words.size;
  out->count = size / words.size;
  out->axes = in->axes - 1;
  memcpy(out->shape, in->shape, out->axes * sizeof *out->shape);
  if (words.count > 1) out->shape[out->axes++] = words.count;
}

static int pack(const struct request *r) {
  const quatsimd_format_entry *entry = quatsimd_format_lookup(r->format);
  struct npy in, out;
  float *xyzw = input_read_array(r->in, r->w_first, &in);
  if (!xyzw) return STATUS_BAD_INPUT;

  /* packed rotations are no larger than the floats were: nothing overflows */
  const size_t count = in.count / 4, bits = quatsimd_packed_size(r->format, count);
  const size_t size = bits + (entry->bit_packed ? record_size(in.axes - 1) : 0);
  shape_packed(entry, &in, size, &out);
  out.data = memory_get(size, 1);
  const quatsimd_status status = quatsimd_pack(r->format, out.data, bits, quatsimd_aos(xyzw), count);
  if (entry->bit_packed) put_record((unsigned char *)out.data + bits, &in);
  const size_t invalid = status == QUATSIMD_WARNING_REPLACED_INVALID ? input_count_invalid(xyzw, count) : 0;
  if (status < 0) complain(r->in, "%s", quatsimd_status_string(status));
  const bool good = status >= 0 && npy_write(r->out, &out);
  if (good && invalid)
    complain(r->in, "%s of %s rotations invalid, packed as the identity", text_number(invalid),
             text_number(count));
  npy_free(&out);
  free(xyzw);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

/* unpack. ------------------------------------------------------------------------------------------------ */

static bool unshape_words(const char *path, const quatsimd_format_info *info, const struct npy *in,
                          struct npy *out, size_t *count) {
  const struct words words = words_of(info);
  const bool axis = words.count > 1;
  if (in->size != words.size || (axis && (in->axes == 0 || in->shape[in->axes - 1] != words.count))) {
    char last[16] = "";
    if (axis) snprintf(last, sizeof last, ", %u", words.count);
    complain(path, "the array holds uint%u of shape %s; %s is uint%u of shape (...%s)", in->size * 8,
             npy_shape_text(in), info->name, words.size * 8, last);
    return false;
  }
  const unsigned axes = in->axes - axis;
  *count = in->count / words.count;
  if (axes == NPY_AXES_MAX || *count > SIZE_MAX / 16) {
    complain(path, "the shape %s is too large for this machine", npy_shape_text(in));
    return false;
  }
  out->axes = axes + 1;
  memcpy(out->shape, in->shape, axes * sizeof *out->shape);
  return true;
}

static bool unshape_bits(const char *path, const quatsimd_format_entry *entry, const struct npy *in,
                         struct npy *out, size_t *count) {
  if (in->size != 1 || in->axes != 1) {
    complain(path, "the array holds uint%u of shape %s; %s is uint8 of shape (N,)", in->size * 8,
             npy_shape_text(in), entry->info.name);
    return false;
  }
  if (take_record(in, out, count) &&
      in->count - record_size(out->axes - 1) == quatsimd_packed_size(entry->format, *count))
    return true;
  complain(path, "the %zu bytes are not an array that `quatsimd pack --format %s` wrote", in->count,
           entry->info.name);
  return false;
}

static int unpack(const struct request *r) {
  const quatsimd_format_entry *entry = quatsimd_format_lookup(r->format);
  struct npy in, out = {.kind = 'f', .size = 4};
  size_t count;
  if (!npy_read(r->in, 'u', &in)) return STATUS_BAD_INPUT;
  if (!(entry->bit_packed ? unshape_bits(r->in, entry, &in, &out, &count)
                          : unshape_words(r->in, &entry->info, &in, &out, &count))) {
    npy_free(&in);
    return STATUS_BAD_INPUT;
  }
  out.shape[out.axes - 1] = 4;
  out.count = 4 * count;
  float *xyzw = memory_get(count, 4 * sizeof *xyzw);
  const quatsimd_out to = quatsimd_aos_out(xyzw);
  const quatsimd_status status = quatsimd_unpack(r->format, r->w_first ? quatsimd_wxyz_out(to) : to, in.data,
                                                 quatsimd_packed_size(r->format, count), 0, count);
  npy_free(&in);
  for (size_t i = 0; i < out.count; i++)
    store_float((unsigned char *)&xyzw[i], xyzw[i]); /* in place: little-endian on every host */
  out.data = xyzw;
  if (status < 0) complain(r->in, "%s", quatsimd_status_string(status));
  const bool good = status >= 0 && npy_write(r->out, &out);
  npy_free(&out);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

/* -------------------------------------------------------------------------------------------------------- */

static int run(const struct command *command, int argc, char **argv, int (*convert)(const struct request *)) {
  const char **names = NULL, *order = NULL;
  const struct option_row options[] = {{"format", 'f', .texts = &names, .values = formats_words()},
                                       {"order", 0, .text = &order, .values = "xyzw wxyz"},
                                       {"reader-memory", 0, .amount = &reader_limits.gigabytes},
                                       {0}};
  const struct command_line line = {command->name, command->help, options, 2, 2};
  struct arguments a;
  struct formats formats = {0};
  struct request request;
  int status;
  if (arguments_parse(&a, &line, argc, argv, &status)) {
    if (!names) status = usage_error(command->name, "--format is missing");
    else if (!formats_from_names(command->name, names, &formats) ||
             !input_order(command->name, order, &request.w_first))
      status = STATUS_BAD_USAGE;
    else if (formats.count != 1) status = usage_error(command->name, "--format takes one format here");
    else if (file_is_same(a.operands[0], a.operands[1]))
      status = usage_error(command->name, "%s is also the input, and would be overwritten", a.operands[1]);
    else {
      request.format = formats.format[0];
      request.in = a.operands[0], request.out = a.operands[1];
      status = convert(&request);
    }
  }
  formats_free(&formats);
  free(names);
  return status;
}

static int run_pack(int argc, char **argv) { return run(&command_pack, argc, argv, pack); }
static int run_unpack(int argc, char **argv) { return run(&command_unpack, argc, argv, unpack); }

const struct command command_pack = {
    "pack",
    "pack the rotations of a .npy array or a splat scene",
    {"Usage: quatsimd pack --format F [--order O] IN OUT.npy\n"
     "\n"
     "Packs an array of quaternions into an array that numpy.load reads. IN is a .npy\n"
     "file of floats x, y, z, w, of shape (..., 4), a .npz archive with one such\n"
     "array, or a scene of Gaussian splats (.splat, .ply). Quaternions need not be\n"
     "normalised.\n"
     "\n"
     "  -f, --format F  the format; `quatsimd formats` lists all formats\n"
     "  --order O       order of the quaternions in arrays: xyzw (default) or wxyz\n"
     "  --reader-memory GB\n"
     "                  the most memory for reading IN, in 2^30 bytes. 0: any.\n"
     "                  Default: 4\n"
     "  -h, --help      print this text\n"
     "\n"
     "Examples:\n"
     "  quatsimd pack --format smallest3_48 walk.npy walk.48.npy\n"
     "                                        6 bytes per rotation\n"
     "  quatsimd unpack --format smallest3_48 walk.48.npy back.npy\n"
     "                                        and back\n"
     "  quatsimd pack --format smallest3_32 garden.ply rotations.npy\n"
     "                                        the rotations of splats\n"
     "\n"
     "docs/command.md describes the layout of OUT.npy.\n"},
    run_pack,
};

const struct command command_unpack = {
    "unpack",
    "unpack an array that pack wrote",
    {"Usage: quatsimd unpack --format F [--order O] IN.npy OUT.npy\n"
     "\n"
     "Unpacks an array that `quatsimd pack` wrote to float32 of shape (..., 4): unit\n"
     "quaternions x, y, z, w. F must be the format that it was packed in: a wrong one\n"
     "is noticed only if its integers have another size or shape.\n"
     "\n"
     "  -f, --format F  the format; `quatsimd formats` lists all formats\n"
     "  --order O       order of the quaternions in OUT.npy: xyzw (default) or wxyz\n"
     "  --reader-memory GB\n"
     "                  the most memory for reading IN.npy, in 2^30 bytes. 0: any.\n"
     "                  Default: 4\n"
     "  -h, --help      print this text\n"
     "\n"
     "Example:\n"
     "  quatsimd unpack --format mirage:10 packed.npy rotations.npy\n"
     "\n"
     "docs/command.md describes the layout of IN.npy.\n"},
    run_unpack,
};
