/* Computes with joint transforms, packs joint transforms, and skins points. */
#include "quatsimd/sqt.h"

#include "core/bytes.h"
#include "core/operand.h"
#include "quatsimd/rotation.h"

FUNCTION_OF_2(sqt_compose)
FUNCTION_OF_1(sqt_invert)
FUNCTION_OF_2(sqt_transform_points)
FUNCTION_OF_2(sqt_transform_vectors)
FUNCTION_OF_1(sqt_to_matrix3x4)

/* ---- transforms packed as half floats ---- */

enum { FLOATS = 8, PACKED_BYTES = 16 };

quatsimd_status quatsimd_sqt_pack(void *packed, size_t packed_size, quatsimd_in sqt, size_t count) {
  quatsimd_operand in;
  if (count == 0) return QUATSIMD_OK;
  if (!packed || !quatsimd_resolve_in(&in, FLOATS, &sqt) || quatsimd_begins_at(&in, packed))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (packed_size / PACKED_BYTES < count) return QUATSIMD_ERROR_SHORT_BUFFER;
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, count);
    float floats[QUATSIMD_CHUNK][FLOATS];
    uint16_t halves[FLOATS * QUATSIMD_CHUNK];
    for (size_t e = 0; e < n; e++) quatsimd_load_element(&in, i + e, floats[e]);
    quatsimd_active_kernels()->half_from_float(halves, floats[0], FLOATS * n);
    store_u16s((unsigned char *)packed + PACKED_BYTES * i, halves, FLOATS * n);
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_sqt_unpack(quatsimd_out sqt, const void *packed, size_t packed_size, size_t count) {
  quatsimd_operand out;
  if (count == 0) return QUATSIMD_OK;
  if (!packed || !quatsimd_resolve_out(&out, FLOATS, &sqt) || quatsimd_begins_at(&out, packed))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (packed_size / PACKED_BYTES < count) return QUATSIMD_ERROR_SHORT_BUFFER;
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, count);
    float floats[QUATSIMD_CHUNK][FLOATS];
    uint16_t halves[FLOATS * QUATSIMD_CHUNK];
    load_u16s(halves, (const unsigned char *)packed + PACKED_BYTES * i, FLOATS * n);
    quatsimd_active_kernels()->half_to_float(floats[0], halves, FLOATS * n);
    const quatsimd_out unit = quatsimd_strided_out(floats[0], sizeof floats[0]);
    const quatsimd_in rounded = quatsimd_strided(floats[0], sizeof floats[0]);
    (void)quatsimd_run(QUATSIMD_OPERATION_unit, NULL, (const quatsimd_out *[]){&unit},
                       (const quatsimd_in *[]){&rounded}, n);
    for (size_t e = 0; e < n; e++) quatsimd_store_element(&out, i + e, floats[e]);
  }
  return QUATSIMD_OK;
}

/* ---- skinning ---- */

quatsimd_status quatsimd_sqt_skin(quatsimd_out out, quatsimd_in points, const float *joints,
                                  size_t joint_count, const uint16_t *joint_indices, const float *weights,
                                  int influence_count, size_t count) {
  quatsimd_operand to, from;
  if (count == 0) return QUATSIMD_OK;
  if (!quatsimd_resolve_out(&to, 3, &out) || !quatsimd_resolve_in(&from, 3, &points) || !joints ||
      !joint_indices || !weights || influence_count < 1 || quatsimd_collide(&to, &from, count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  const size_t each = (size_t)influence_count;
  if (count > SIZE_MAX / each) return QUATSIMD_ERROR_BAD_ARGUMENT; /* memory cannot have so many indices */
  for (size_t i = 0; i < count * each; i++)
    if (joint_indices[i] >= joint_count) return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, count), padded = quatsimd_padded(n);
    float point[3][QUATSIMD_CHUNK], sum[3][QUATSIMD_CHUNK] = {{0}}, joint[FLOATS][QUATSIMD_CHUNK],
                                    weight[QUATSIMD_CHUNK];
    quatsimd_gather(&from, i, n, padded, point);
    for (size_t k = 0; k < each; k++) {
      for (size_t e = 0; e < padded; e++) { /* elements after the n-th repeat the last point */
        const size_t at = (i + (e < n ? e : n - 1)) * each + k;
        for (int c = 0; c < FLOATS; c++) joint[c][e] = joints[FLOATS * (size_t)joint_indices[at] + (size_t)c];
        weight[e] = weights[at];
      }
      quatsimd_active_kernels()->operation[QUATSIMD_OPERATION_sqt_blend](
          (float *[]){sum[0], sum[1], sum[2]},
          (const float *[]){sum[0], sum[1], sum[2], joint[0], joint[1], joint[2], joint[3], joint[4],
                            joint[5], joint[6], joint[7], point[0], point[1], point[2], weight},
          padded);
    }
    quatsimd_scatter(&to, i, n, sum);
  }
  return QUATSIMD_OK;
}
