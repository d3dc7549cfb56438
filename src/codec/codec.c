/* Public packing and unpacking: checks arguments, makes one table call, nothing else. */
#include <string.h>

#include "core/dispatch.h"
#include "quatsimd/version.h"

static quatsimd_status check_buffer(const quatsimd_format_entry *entry, size_t packed_size, size_t count) {
  const size_t needed = quatsimd_packed_size(entry->format, count);
  return needed == 0 || packed_size < needed ? QUATSIMD_ERROR_SHORT_BUFFER : QUATSIMD_OK;
}

static quatsimd_status check(const quatsimd_format_entry *entry, const void *packed, size_t packed_size,
                             const float *x, const float *y, const float *z, const float *w, size_t stride,
                             size_t count) {
  if (!entry) return QUATSIMD_ERROR_BAD_FORMAT;
  if (stride < 16 || stride % 4 != 0) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (count == 0) return QUATSIMD_OK;
  if (!packed || !x || !y || !z || !w) return QUATSIMD_ERROR_BAD_ARGUMENT;
  return check_buffer(entry, packed_size, count);
}

static quatsimd_status pack(quatsimd_format format, quatsimd_layout layout, void *packed, size_t packed_size,
                            const float *x, const float *y, const float *z, const float *w, size_t stride,
                            size_t count) {
  const quatsimd_format_entry *entry = quatsimd_format_lookup(format);
  const quatsimd_status status = check(entry, packed, packed_size, x, y, z, w, stride, count);
  if (status != QUATSIMD_OK || count == 0) return status;
  return quatsimd_active_kernels()->codec[entry->codec].pack[layout](entry->param, packed, x, y, z, w, stride,
                                                                     count)
             ? QUATSIMD_OK
             : QUATSIMD_WARNING_REPLACED_INVALID;
}

static quatsimd_status unpack(quatsimd_format format, quatsimd_layout layout, float *x, float *y, float *z,
                              float *w, size_t stride, const void *packed, size_t packed_size, size_t count) {
  const quatsimd_format_entry *entry = quatsimd_format_lookup(format);
  const quatsimd_status status = check(entry, packed, packed_size, x, y, z, w, stride, count);
  if (status != QUATSIMD_OK || count == 0) return status;
  quatsimd_active_kernels()->codec[entry->codec].unpack[layout](entry->param, x, y, z, w, stride, packed,
                                                                count);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_pack_aos(quatsimd_format format, void *packed, size_t packed_size, const float *xyzw,
                                  size_t count) {
  return pack(format, QUATSIMD_AOS, packed, packed_size, xyzw, xyzw, xyzw, xyzw, 16, count);
}

quatsimd_status quatsimd_unpack_aos(quatsimd_format format, float *xyzw, const void *packed,
                                    size_t packed_size, size_t count) {
  return unpack(format, QUATSIMD_AOS, xyzw, xyzw, xyzw, xyzw, 16, packed, packed_size, count);
}

quatsimd_status quatsimd_pack_soa(quatsimd_format format, void *packed, size_t packed_size, const float *x,
                                  const float *y, const float *z, const float *w, size_t count) {
  return pack(format, QUATSIMD_SOA, packed, packed_size, x, y, z, w, 16, count);
}

quatsimd_status quatsimd_unpack_soa(quatsimd_format format, float *x, float *y, float *z, float *w,
                                    const void *packed, size_t packed_size, size_t count) {
  return unpack(format, QUATSIMD_SOA, x, y, z, w, 16, packed, packed_size, count);
}

quatsimd_status quatsimd_pack_strided(quatsimd_format format, void *packed, size_t packed_size,
                                      const float *first, size_t stride_bytes, size_t count) {
  return pack(format, QUATSIMD_STRIDED, packed, packed_size, first, first, first, first, stride_bytes, count);
}

quatsimd_status quatsimd_unpack_strided(quatsimd_format format, float *first, size_t stride_bytes,
                                        const void *packed, size_t packed_size, size_t count) {
  return unpack(format, QUATSIMD_STRIDED, first, first, first, first, stride_bytes, packed, packed_size,
                count);
}

/* Eight elements of a bit-packed array are whole bytes: start at the last multiple of eight. */
quatsimd_status quatsimd_unpack_aos_at(quatsimd_format format, float *xyzw, const void *packed,
                                       size_t packed_size, size_t first, size_t count) {
  const quatsimd_format_entry *entry = quatsimd_format_lookup(format);
  if (!entry) return QUATSIMD_ERROR_BAD_FORMAT;
  if (count == 0) return QUATSIMD_OK;
  if (!packed || !xyzw) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (first > SIZE_MAX - count || check_buffer(entry, packed_size, first + count) != QUATSIMD_OK)
    return QUATSIMD_ERROR_SHORT_BUFFER;

  quatsimd_unpack_fn *unpack_aos = quatsimd_active_kernels()->codec[entry->codec].unpack[QUATSIMD_AOS];
  const unsigned char *block = (const unsigned char *)packed + first / 8 * entry->info.bits;
  const size_t skip = first % 8;
  if (!entry->bit_packed) {
    block += skip * (entry->info.bits / 8);
  } else if (skip > 0) {
    float head[8 * 4];
    const size_t in_block = skip + count < 8 ? skip + count : 8;
    unpack_aos(entry->param, head, head, head, head, 16, block, in_block);
    memcpy(xyzw, head + 4 * skip, (in_block - skip) * 16);
    xyzw += 4 * (in_block - skip);
    count -= in_block - skip;
    block += entry->info.bits;
  }
  if (count > 0) unpack_aos(entry->param, xyzw, xyzw, xyzw, xyzw, 16, block, count);
  return QUATSIMD_OK;
}

/* As arrays of components, which need no transposes. A block is a multiple of eight, so that bit-packed
 * ones are whole bytes, and small enough for the first cache. */
quatsimd_status quatsimd_transcode(quatsimd_format to, void *packed_to, size_t to_size, quatsimd_format from,
                                   const void *packed_from, size_t from_size, size_t count) {
  enum { BLOCK = 256 };
  const quatsimd_format_entry *out = quatsimd_format_lookup(to), *in = quatsimd_format_lookup(from);
  if (!out || !in) return QUATSIMD_ERROR_BAD_FORMAT;
  if (count == 0) return QUATSIMD_OK;
  if (!packed_to || !packed_from) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (check_buffer(out, to_size, count) != QUATSIMD_OK || check_buffer(in, from_size, count) != QUATSIMD_OK)
    return QUATSIMD_ERROR_SHORT_BUFFER;
  const quatsimd_kernels *k = quatsimd_active_kernels();
  if (in->codec == QUATSIMD_CODEC_meshopt && out->codec == QUATSIMD_CODEC_snorm16x4) {
    k->meshopt_to_snorm16x4(packed_to, packed_from, count);
    return QUATSIMD_OK;
  }
  float x[BLOCK], y[BLOCK], z[BLOCK], w[BLOCK];
  for (size_t done = 0; done < count; done += BLOCK) {
    const size_t n = count - done < BLOCK ? count - done : BLOCK;
    const unsigned char *source = (const unsigned char *)packed_from + done / 8 * in->info.bits;
    unsigned char *target = (unsigned char *)packed_to + done / 8 * out->info.bits;
    k->codec[in->codec].unpack[QUATSIMD_SOA](in->param, x, y, z, w, 16, source, n);
    k->codec[out->codec].pack[QUATSIMD_SOA](out->param, target, x, y, z, w, 16, n);
  }
  return QUATSIMD_OK;
}

size_t quatsimd_find_invalid(const float *xyzw, size_t count, size_t from) {
  return xyzw && from < count ? quatsimd_active_kernels()->find_invalid(xyzw, count, from) : count;
}

const char *quatsimd_status_string(quatsimd_status status) {
  switch (status) {
  case QUATSIMD_OK: return "success";
  case QUATSIMD_WARNING_REPLACED_INVALID: return "invalid quaternions were replaced";
  case QUATSIMD_ERROR_BAD_FORMAT: return "unknown format";
  case QUATSIMD_ERROR_SHORT_BUFFER: return "buffer too short";
  case QUATSIMD_ERROR_BAD_ARGUMENT:
    return "an argument is not valid: a null pointer, a stride, or a value out of its range";
  case QUATSIMD_WARNING_SATURATED: return "rotations beyond the range were packed as far as it goes";
  case QUATSIMD_ERROR_NEED_KEY: return "a packet is missing: a key packet is needed";
  case QUATSIMD_ERROR_OLD_PACKET: return "the packet was decoded or passed over before";
  case QUATSIMD_ERROR_BAD_PACKET: return "the packet is damaged or of another stream";
  case QUATSIMD_ERROR_NOT_A_CLIP: return "not a clip";
  case QUATSIMD_ERROR_DAMAGED_CLIP: return "the clip is damaged";
  case QUATSIMD_ERROR_LATER_VERSION: return "the clip is of a later version of the format";
  case QUATSIMD_ERROR_BAD_KEY: return "a key cannot be encoded";
  case QUATSIMD_ERROR_NO_MEMORY: return "out of memory";
  }
  return "unknown status";
}

const char *quatsimd_version(void) { return QUATSIMD_VERSION_STRING; }
