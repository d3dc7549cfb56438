/* Copies arrays of structs to arrays of components, and back. Included once by loops.inc.h. */
#include "core/operand.h"
#include "core/parts.h"
#include "simd/kernels/common.h"

V_INLINE float *place(const quatsimd_operand *o, int c, size_t at) {
  return (float *)(uintptr_t)(o->component[c] + at);
}
V_INLINE const float *behind(const float *p, size_t bytes) {
  return (const float *)(const void *)((const char *)p + bytes);
}
V_INLINE float *behind_out(float *p, size_t bytes) { return (float *)(void *)((char *)p + bytes); }

/* Returns true for arrays of components. A library of clips alone treats all views as strided. */
V_INLINE bool is_soa(const quatsimd_operand *o) {
  return !QUATSIMD_IS_ONLY_CLIPS && o->layout == QUATSIMD_VIEW_SOA;
}
/* Returns true for arrays of structs without gaps, if is_soa is false. */
V_INLINE bool is_aos(const quatsimd_operand *o) {
  return !QUATSIMD_IS_ONLY_CLIPS && o->layout < QUATSIMD_VIEW_STRIDED;
}

/* Loads V_LANES quaternions, from `at` bytes behind element 0 on. The layout is the same in all turns of a
 * loop, so CPUs predict the branches. A loop for each layout would take three times the code. */
V_INLINE vq load_quats(const quatsimd_operand *from, size_t at) {
  const float *const x = place(from, 0, at);
  if (is_soa(from))
    return (vq){v_load(x), v_load(place(from, 1, at)), v_load(place(from, 2, at)),
                v_load(place(from, 3, at))};
  return is_aos(from) ? v_load_aos(x) : v_load_strided(x, from->stride);
}

V_INLINE void store_soa(const quatsimd_operand *to, size_t at, vq q) {
  v_store(place(to, 0, at), q.x), v_store(place(to, 1, at), q.y);
  v_store(place(to, 2, at), q.z), v_store(place(to, 3, at), q.w);
}

V_INLINE void store_quats(const quatsimd_operand *to, size_t at, vq q) {
  if (is_soa(to)) store_soa(to, at, q);
  else if (is_aos(to)) v_store_aos(place(to, 0, at), q);
  else v_store_strided(place(to, 0, at), to->stride, q);
}

#ifndef QUATSIMD_ONLY_CLIPS
static size_t find_invalid_loop(const float *xyzw, size_t count, size_t from) {
  while (count - from >= V_LANES && v_all(valid_norm2(norm2(v_load_aos(xyzw + 4 * from))))) from += V_LANES;
  for (; from < count; from++) { /* one by one: each quaternion in all lanes */
    const float *q = xyzw + 4 * from;
    if (!v_all(valid_norm2(norm2((vq){v_set(q[0]), v_set(q[1]), v_set(q[2]), v_set(q[3])})))) break;
  }
  return from;
}
#endif

static void store_in_order(float *p, vf a) { v_store(p, v_from_bits(v_from_aos_order(v_bits(a)))); }
static vf load_in_aos_order(const float *p) { return v_from_bits(v_to_aos_order(v_bits(v_load(p)))); }

/* split4_loop, split3_loop, join4_loop and join3_loop end with a vector that overlaps the one before.
 * split_quats and join_quats copy pointers, because compilers would load them again after each store. */
V_INLINE void split_vector(bool tight, float *a, float *b, float *c, float *d, const float *first,
                           size_t stride) {
  const vq q = tight ? v_load_aos(first) : v_load_strided(first, stride);
  store_in_order(a, q.x), store_in_order(b, q.y), store_in_order(c, q.z), store_in_order(d, q.w);
}
V_INLINE size_t split_quats(bool tight, float *const to[4], const float *first, size_t stride, size_t count) {
  float *const a = to[0], *const b = to[1], *const c = to[2], *const d = to[3];
  const size_t whole = count / V_LANES * V_LANES, last = count - V_LANES;
  if (whole == 0) return 0;
  const float *const tail = behind(first, last * stride);
  for (size_t i = 0; i < whole; i += V_LANES, first = behind(first, V_LANES * stride))
    split_vector(tight, a + i, b + i, c + i, d + i, first, stride);
  if (whole < count) split_vector(tight, a + last, b + last, c + last, d + last, tail, stride);
  return count;
}

static size_t split4_loop(float *const to[4], const float *first, size_t stride, size_t count) {
  return stride == 16 && !QUATSIMD_IS_PLAYER ? split_quats(true, to, first, 16, count)
                                             : split_quats(false, to, first, stride, count);
}

V_INLINE void split3_vector(float *const to[3], const float *xyz, size_t i) {
  const v3 v = v_load_aos3(xyz + 3 * i);
  store_in_order(to[0] + i, v.x), store_in_order(to[1] + i, v.y), store_in_order(to[2] + i, v.z);
}
static size_t split3_loop(float *const to[3], const float *xyz, size_t count) {
  if (count < V_LANES) return 0;
  for (size_t i = 0; count - i >= V_LANES; i += V_LANES) split3_vector(to, xyz, i);
  if (count % V_LANES) split3_vector(to, xyz, count - V_LANES);
  return count;
}

V_INLINE void join_vector(bool tight, float *first, size_t stride, const float *a, const float *b,
                          const float *c, const float *d) {
  const vq q = {load_in_aos_order(a), load_in_aos_order(b), load_in_aos_order(c), load_in_aos_order(d)};
  if (tight) v_store_aos(first, q);
  else v_store_strided(first, stride, q);
}
V_INLINE size_t join_quats(bool tight, float *first, size_t stride, const float *const from[4],
                           size_t count) {
  const float *const a = from[0], *const b = from[1], *const c = from[2], *const d = from[3];
  const size_t whole = count / V_LANES * V_LANES, last = count - V_LANES;
  if (whole == 0) return 0;
  float *const tail = behind_out(first, last * stride);
  for (size_t i = 0; i < whole; i += V_LANES, first = behind_out(first, V_LANES * stride))
    join_vector(tight, first, stride, a + i, b + i, c + i, d + i);
  if (whole < count) join_vector(tight, tail, stride, a + last, b + last, c + last, d + last);
  return count;
}

static size_t join4_loop(float *first, size_t stride, const float *const from[4], size_t count) {
  return stride == 16 && !QUATSIMD_IS_PLAYER ? join_quats(true, first, 16, from, count)
                                             : join_quats(false, first, stride, from, count);
}

V_INLINE void join3_vector(float *xyz, const float *const from[3], size_t i) {
  v_store_aos3(xyz + 3 * i, (v3){load_in_aos_order(from[0] + i), load_in_aos_order(from[1] + i),
                                 load_in_aos_order(from[2] + i)});
}
static size_t join3_loop(float *xyz, const float *const from[3], size_t count) {
  if (count < V_LANES) return 0;
  for (size_t i = 0; count - i >= V_LANES; i += V_LANES) join3_vector(xyz, from, i);
  if (count % V_LANES) join3_vector(xyz, from, count - V_LANES);
  return count;
}

#ifdef QUATSIMD_PLAYER
static void split_blocks_loop(float *const to[4], const float *blocks, size_t block, size_t count) {
  for (size_t i = 0; i < count; i += block)
    for (size_t c = 0; c < 4; c++, blocks += block) memcpy(to[c] + i, blocks, block * sizeof(float));
}
static void join_blocks_loop(float *blocks, size_t block, const float *const from[4], size_t count) {
  for (size_t i = 0; i < count; i += block)
    for (size_t c = 0; c < 4; c++, blocks += block) memcpy(blocks, from[c] + i, block * sizeof(float));
}
#else
/* Copies one component of all elements of a block. V_LANES elements are moved as a vector, because gcc makes
 * two moves of a memcpy of 32 bytes. */
V_INLINE void copy_lanes(float *to, const float *from, size_t block) {
  if (block == V_LANES) v_store(to, v_load(from));
  else memcpy(to, from, block * sizeof(float));
}

V_INLINE void split_equal_blocks(float *const to[4], const float *blocks, size_t block, size_t count) {
  float *const a = to[0], *const b = to[1], *const c = to[2], *const d = to[3];
  QUATSIMD_UNROLL(4)
  for (size_t i = 0; i < count; i += block, blocks += 4 * block) {
    copy_lanes(a + i, blocks, block), copy_lanes(b + i, blocks + block, block);
    copy_lanes(c + i, blocks + 2 * block, block), copy_lanes(d + i, blocks + 3 * block, block);
  }
}

V_INLINE void join_equal_blocks(float *blocks, size_t block, const float *const from[4], size_t count) {
  const float *const a = from[0], *const b = from[1], *const c = from[2], *const d = from[3];
  QUATSIMD_UNROLL(4)
  for (size_t i = 0; i < count; i += block, blocks += 4 * block) {
    copy_lanes(blocks, a + i, block), copy_lanes(blocks + block, b + i, block);
    copy_lanes(blocks + 2 * block, c + i, block), copy_lanes(blocks + 3 * block, d + i, block);
  }
}

static void split_blocks_loop(float *const to[4], const float *blocks, size_t block, size_t count) {
  if (block == 4) split_equal_blocks(to, blocks, 4, count);
  else split_equal_blocks(to, blocks, 8, count);
}

static void join_blocks_loop(float *blocks, size_t block, const float *const from[4], size_t count) {
  if (block == 4) join_equal_blocks(blocks, 4, from, count);
  else join_equal_blocks(blocks, 8, from, count);
}
#endif
