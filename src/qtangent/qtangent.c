/* Makes QTangents of vertices, and packs QTangents into words with the handedness. */
#include "quatsimd/qtangent.h"

#include <string.h>

#include "core/operand.h"
#include "scalar/code.h"

typedef float quats[4][QUATSIMD_CHUNK];
#define OF(q) q[0], q[1], q[2], q[3]

/* Packs quaternions into words with the handedness in bit 31. Returns false if a quaternion was invalid. */
static bool pack_words(unsigned char *packed, quats q, const float *handedness, size_t n) {
  const bool ok = quatsimd_active_kernels()->codec[QUATSIMD_CODEC_vertex32].pack(
      0, packed, (quatsimd_operand[]){quatsimd_arrays(OF(q))}, n);
  const unsigned char negative_bytes[4] = {0, 0, 0, 0x80};
  uint32_t negative, word;
  memcpy(&negative, negative_bytes, 4);
  for (size_t e = 0; e < n; e++) {
    memcpy(&word, packed + 4 * e, 4);
    word |= is_negative(handedness[e]) && handedness[e] == handedness[e] ? negative : 0;
    memcpy(packed + 4 * e, &word, 4);
  }
  return ok;
}

/* Inputs and outputs of make_qtangents. Those that a call does not have are NULL. */
typedef struct ends {
  const quatsimd_in *normal, *tangent, *bitangent, *handedness;
  const quatsimd_out *q, *handedness_out;
  unsigned char *packed;
} ends;

static bool resolve_in(quatsimd_operand *o, int components, const quatsimd_in *view) {
  return !view || quatsimd_resolve_in(o, components, view);
}
static bool resolve_out(quatsimd_operand *o, int components, const quatsimd_out *view) {
  return !view || quatsimd_resolve_out(o, components, view);
}

static quatsimd_status make_qtangents(const ends *a, size_t count) {
  quatsimd_operand normal, tangent, bitangent, handedness, q_out, handedness_out;
  if (count == 0) return QUATSIMD_OK;
  if (!resolve_in(&normal, 3, a->normal) || !resolve_in(&tangent, 3, a->tangent) ||
      !resolve_in(&bitangent, 3, a->bitangent) || !resolve_in(&handedness, 1, a->handedness) ||
      !resolve_out(&q_out, 4, a->q) || !resolve_out(&handedness_out, 1, a->handedness_out))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (a->q && a->handedness_out && quatsimd_meet(&q_out, &handedness_out)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_operand *const out[] = {a->q ? &q_out : NULL, a->handedness_out ? &handedness_out : NULL};
  const quatsimd_operand *const from[] = {&normal, &tangent, a->bitangent ? &bitangent : NULL,
                                          a->handedness ? &handedness : NULL};
  for (int o = 0; o < 2; o++)
    for (int f = 0; f < 4; f++)
      if (out[o] && from[f] && quatsimd_collide(out[o], from[f], count)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int f = 0; f < 4; f++)
    if (from[f] && quatsimd_begins_at(from[f], a->packed)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  bool all_ok = true;
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, count), padded = quatsimd_padded(n);
    float in[9][QUATSIMD_CHUNK], h[1][QUATSIMD_CHUNK], ok[QUATSIMD_CHUNK];
    quats q;
    quatsimd_gather(&normal, i, n, padded, in);
    quatsimd_gather(&tangent, i, n, padded, in + 3);
    if (a->bitangent) {
      quatsimd_gather(&bitangent, i, n, padded, in + 6);
      quatsimd_active_kernels()->operation[QUATSIMD_OPERATION_qtangent_from_tbn](
          (float *[]){OF(q), h[0], ok},
          (const float *[]){in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8]}, padded);
    } else {
      quatsimd_active_kernels()->operation[QUATSIMD_OPERATION_qtangent_from_tangents](
          (float *[]){OF(q), ok}, (const float *[]){in[0], in[1], in[2], in[3], in[4], in[5]}, padded);
      if (a->handedness) quatsimd_gather(&handedness, i, n, padded, h);
    }
    int replaced = 0;
    for (size_t e = 0; e < n; e++) replaced += ok[e] == 0;
    all_ok &= replaced == 0;
    if (a->q) quatsimd_scatter(&q_out, i, n, q);
    if (a->handedness_out) quatsimd_scatter(&handedness_out, i, n, h);
    if (a->packed) (void)pack_words(a->packed + 4 * i, q, h[0], n);
  }
  return all_ok ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID;
}

static quatsimd_status check_packed(const void *packed, size_t packed_size, size_t count) {
  if (count > 0 && !packed) return QUATSIMD_ERROR_BAD_ARGUMENT;
  return packed_size / 4 < count ? QUATSIMD_ERROR_SHORT_BUFFER : QUATSIMD_OK;
}

quatsimd_status quatsimd_qtangent_from_tbn(quatsimd_out q, quatsimd_out handedness, quatsimd_in normal,
                                           quatsimd_in tangent, quatsimd_in bitangent, size_t count) {
  return make_qtangents(&(ends){&normal, &tangent, &bitangent, NULL, &q, &handedness, NULL}, count);
}

quatsimd_status quatsimd_qtangent_from_tangents(quatsimd_out q, quatsimd_in normal, quatsimd_in tangent,
                                                size_t count) {
  return make_qtangents(&(ends){&normal, &tangent, NULL, NULL, &q, NULL, NULL}, count);
}

quatsimd_status quatsimd_qtangent_to_tbn(quatsimd_out normal, quatsimd_out tangent, quatsimd_out bitangent,
                                         quatsimd_in q, quatsimd_in handedness, size_t count) {
  return quatsimd_run(QUATSIMD_OPERATION_qtangent_to_tbn, NULL, OUTS(&normal, &tangent, &bitangent),
                      INS(&q, &handedness), count);
}

quatsimd_status quatsimd_qtangent_pack(void *packed, size_t packed_size, quatsimd_in q,
                                       quatsimd_in handedness, size_t count) {
  quatsimd_operand q_in, h_in;
  const quatsimd_status status = check_packed(packed, packed_size, count);
  if (count == 0 || status != QUATSIMD_OK) return status;
  if (!quatsimd_resolve_in(&q_in, 4, &q) || !quatsimd_resolve_in(&h_in, 1, &handedness) ||
      quatsimd_begins_at(&q_in, packed) || quatsimd_begins_at(&h_in, packed))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  bool all_ok = true;
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, count);
    quats chunk;
    float h[1][QUATSIMD_CHUNK];
    quatsimd_gather(&q_in, i, n, n, chunk);
    quatsimd_gather(&h_in, i, n, n, h);
    all_ok &= pack_words((unsigned char *)packed + 4 * i, chunk, h[0], n);
  }
  return all_ok ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID;
}

quatsimd_status quatsimd_qtangent_unpack(quatsimd_out q, quatsimd_out handedness, const void *packed,
                                         size_t packed_size, size_t count) {
  quatsimd_operand q_out, h_out;
  const quatsimd_status status = check_packed(packed, packed_size, count);
  if (count == 0 || status != QUATSIMD_OK) return status;
  if (!quatsimd_resolve_out(&q_out, 4, &q) || !quatsimd_resolve_out(&h_out, 1, &handedness) ||
      quatsimd_meet(&q_out, &h_out) || quatsimd_begins_at(&q_out, packed) ||
      quatsimd_begins_at(&h_out, packed))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, count);
    const unsigned char *const words = (const unsigned char *)packed + 4 * i;
    quats chunk;
    float h[1][QUATSIMD_CHUNK];
    quatsimd_active_kernels()->codec[QUATSIMD_CODEC_vertex32].unpack(
        0, (quatsimd_operand[]){quatsimd_arrays_out(OF(chunk))}, words, n);
    for (size_t e = 0; e < n; e++) h[0][e] = words[4 * e + 3] & 0x80 ? -1 : 1;
    quatsimd_scatter(&q_out, i, n, chunk);
    quatsimd_scatter(&h_out, i, n, h);
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_qtangent_pack_tbn(void *packed, size_t packed_size, quatsimd_in normal,
                                           quatsimd_in tangent, quatsimd_in bitangent, size_t count) {
  const quatsimd_status status = check_packed(packed, packed_size, count);
  return status != QUATSIMD_OK
             ? status
             : make_qtangents(&(ends){&normal, &tangent, &bitangent, NULL, NULL, NULL, packed}, count);
}

quatsimd_status quatsimd_qtangent_pack_tangents(void *packed, size_t packed_size, quatsimd_in normal,
                                                quatsimd_in tangent, quatsimd_in handedness, size_t count) {
  const quatsimd_status status = check_packed(packed, packed_size, count);
  return status != QUATSIMD_OK
             ? status
             : make_qtangents(&(ends){&normal, &tangent, NULL, &handedness, NULL, NULL, packed}, count);
}
