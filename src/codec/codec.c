/* Views that quatsimd_is_direct accepts take one call of a kernel. Other views are copied chunk by chunk. */
#include "core/single.h"

static quatsimd_status check_buffer(const quatsimd_format_entry *entry, size_t packed_size, size_t count) {
  const size_t needed = quatsimd_packed_size(entry->format, count);
  return needed == 0 || packed_size < needed ? QUATSIMD_ERROR_SHORT_BUFFER : QUATSIMD_OK;
}

static const unsigned char *element_at(const quatsimd_format_entry *entry, const void *packed, size_t i) {
  const size_t bits = entry->info.bits;
  return (const unsigned char *)packed + (i / 8 * bits + i % 8 * bits / 8);
}

/* Formats of whole words need no padding if kernels have at most `count` lanes: the last of their blocks
 * overlaps the one before. Vectors have at least four lanes, and blocks of bit-packed elements are never
 * shorter than 8. */
static const quatsimd_kernels *kernels_for(const quatsimd_format_entry *entry, size_t count) {
  const size_t least = entry->bit_packed ? 8 : 4;
  return quatsimd_no_longer_than(quatsimd_active_kernels(), count < least ? least : count);
}

/* Returns the number of elements in a chunk. CHUNK elements and their packed bytes fit the first-level cache.
 * If elements are far apart, a chunk covers CHUNK_BYTES of the view, which the processor prefetches while the
 * kernel runs. The number is a multiple of eight, so that each chunk begins at a whole byte. */
enum { CHUNK_BYTES = 8192, LEAST_CHUNK = 32, CHUNK = 512 };
static size_t chunk_of(const quatsimd_operand *o) {
  if (o->mask || o->stride <= CHUNK_BYTES / CHUNK) return CHUNK;
  return o->stride > CHUNK_BYTES / LEAST_CHUNK ? LEAST_CHUNK : CHUNK_BYTES / o->stride / 8 * 8;
}

static bool pack_chunks(const quatsimd_format_entry *entry, unsigned char *packed, const quatsimd_operand *in,
                        size_t count) {
  quatsimd_pack_fn *const pack = quatsimd_active_kernels()->codec[entry->codec].pack;
  const size_t most = chunk_of(in);
  float q[4][CHUNK];
  const quatsimd_operand chunk = quatsimd_arrays_out(q[0], q[1], q[2], q[3]);
  bool all_valid = true;
  for (size_t i = 0; i < count; i += most) {
    const size_t n = count - i < most ? count - i : most;
    quatsimd_gather_quats(in, i, n, (float *[]){q[0], q[1], q[2], q[3]});
    all_valid &= pack(entry->width, packed + i / 8 * entry->info.bits, &chunk, n);
  }
  return all_valid;
}

quatsimd_status quatsimd_pack(quatsimd_format format, void *packed, size_t packed_size, quatsimd_in in,
                              size_t count) {
  const quatsimd_format_entry *entry = quatsimd_format_lookup(format);
  quatsimd_operand o;
  if (!entry) return QUATSIMD_ERROR_BAD_FORMAT;
  if (count == 0) return QUATSIMD_OK;
  if (!packed || !quatsimd_resolve_in(&o, 4, &in) || quatsimd_begins_at(&o, packed))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (check_buffer(entry, packed_size, count) != QUATSIMD_OK) return QUATSIMD_ERROR_SHORT_BUFFER;
  /* two blocks of four may take longer than one of eight that is padded */
  const size_t lanes = count > 4 && count < 8 ? 8 : count;
  const bool all_valid =
      quatsimd_is_direct(&o)
          ? kernels_for(entry, lanes)->codec[entry->codec].pack(entry->width, packed, &o, count)
          : pack_chunks(entry, packed, &o, count);
  return all_valid ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID;
}

/* Unpacks n elements from number `from` on and writes them to the view from number `to` on. In a bit-packed
 * array only the first of eight elements begins at a whole byte. So unpacking starts there and leaves out the
 * `drop` elements before `from`. drop + n is at most CHUNK. */
static void unpack_chunk(const quatsimd_format_entry *entry, const quatsimd_operand *out, size_t to,
                         const void *packed, size_t from, size_t n) {
  const size_t drop = entry->bit_packed ? from % 8 : 0;
  float q[4][CHUNK];
  const quatsimd_operand chunk = quatsimd_arrays_out(q[0], q[1], q[2], q[3]);
  quatsimd_active_kernels()->codec[entry->codec].unpack(entry->width, &chunk,
                                                        element_at(entry, packed, from - drop), drop + n);
  quatsimd_scatter_quats(out, to, n, (float *[]){q[0] + drop, q[1] + drop, q[2] + drop, q[3] + drop});
}

quatsimd_status quatsimd_unpack(quatsimd_format format, quatsimd_out out, const void *packed,
                                size_t packed_size, size_t first, size_t count) {
  const quatsimd_format_entry *entry = quatsimd_format_lookup(format);
  quatsimd_operand o;
  if (!entry) return QUATSIMD_ERROR_BAD_FORMAT;
  if (count == 0) return QUATSIMD_OK;
  if (!packed || !quatsimd_resolve_out(&o, 4, &out) || quatsimd_begins_at(&o, packed))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (first > SIZE_MAX - count || check_buffer(entry, packed_size, first + count) != QUATSIMD_OK)
    return QUATSIMD_ERROR_SHORT_BUFFER;

  /* the index of `first` in its group of eight elements, see unpack_chunk */
  const size_t inside = entry->bit_packed ? first % 8 : 0;
  size_t done = 0;
  if (quatsimd_is_direct(&o)) {
    if (inside > 0) {
      done = count < 8 - inside ? count : 8 - inside;
      unpack_chunk(entry, &o, 0, packed, first, done);
      for (int c = 0; c < 4; c++) o.component[c] += done * o.stride;
    }
    if (done < count)
      kernels_for(entry, count - done)
          ->codec[entry->codec]
          .unpack(entry->width, &o, element_at(entry, packed, first + done), count - done);
    return QUATSIMD_OK;
  }
  /* a chunk also holds the elements that unpack_chunk drops, fewer than 8 */
  const size_t most = chunk_of(&o) - (inside > 0 ? 8 : 0);
  for (size_t n; done < count; done += n) {
    n = count - done < most ? count - done : most;
    unpack_chunk(entry, &o, done, packed, first + done, n);
  }
  return QUATSIMD_OK;
}

/* Unpacks chunks to arrays of components, which need no transposes in kernels, and packs them again. */
quatsimd_status quatsimd_transcode(quatsimd_format to, void *packed_to, size_t to_size, quatsimd_format from,
                                   const void *packed_from, size_t from_size, size_t count) {
  const quatsimd_format_entry *out = quatsimd_format_lookup(to), *in = quatsimd_format_lookup(from);
  if (!out || !in) return QUATSIMD_ERROR_BAD_FORMAT;
  if (count == 0) return QUATSIMD_OK;
  if (!packed_to || !packed_from || packed_to == packed_from) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (check_buffer(out, to_size, count) != QUATSIMD_OK || check_buffer(in, from_size, count) != QUATSIMD_OK)
    return QUATSIMD_ERROR_SHORT_BUFFER;
  const quatsimd_kernels *k = quatsimd_active_kernels();
  float q[4][CHUNK];
  const quatsimd_operand chunk = quatsimd_arrays_out(q[0], q[1], q[2], q[3]);
  for (size_t done = 0; done < count; done += CHUNK) {
    const size_t n = count - done < CHUNK ? count - done : CHUNK;
    const unsigned char *from_bytes = (const unsigned char *)packed_from + done / 8 * in->info.bits;
    unsigned char *to_bytes = (unsigned char *)packed_to + done / 8 * out->info.bits;
    k->codec[in->codec].unpack(in->width, &chunk, from_bytes, n);
    k->codec[out->codec].pack(out->width, to_bytes, &chunk, n);
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_meshopt_to_snorm16x4(void *shorts, size_t shorts_size, const void *packed,
                                              size_t packed_size, size_t count) {
  if (count == 0) return QUATSIMD_OK;
  if (!shorts || !packed || shorts == packed) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (shorts_size / 8 < count || packed_size / 8 < count) return QUATSIMD_ERROR_SHORT_BUFFER;
  quatsimd_active_kernels()->meshopt_to_snorm16x4(shorts, packed, count);
  return QUATSIMD_OK;
}

size_t quatsimd_find_invalid(quatsimd_in q, size_t count, size_t from) {
  quatsimd_operand o;
  if (from >= count || !quatsimd_resolve_in(&o, 4, &q)) return count;
  if (o.interleaved && o.layout == QUATSIMD_VIEW_AOS)
    return quatsimd_active_kernels()->find_invalid(quatsimd_floats(o.first), count, from);
  while (from < count && valid_norm2(norm2(quatsimd_load(&o, from)))) from++;
  return from;
}
