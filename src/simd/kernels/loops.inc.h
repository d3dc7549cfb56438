/* Loops over the blocks that kernels pack and unpack, for all layouts. Included once by codecs.inc.h.
 *
 * Loops are inlined with constant arguments, so that each codec has its own. The last block ends with the
 * last element. It may overlap the block before, and writes the same bits there. An array shorter than a
 * block, or the end of a bit-packed array, is padded on the stack. */
#include "simd/bit_plan.h"
#include "simd/kernels/algebra.h"
#include "simd/kernels/arrays.inc.h"
#ifndef QUATSIMD_ONLY_CLIPS
#include "simd/kernels/half4.h"
#include "simd/kernels/meshopt.h"
#endif

typedef vcode pack_block(int width, vq q, vf n2);
typedef vcodes pack_pair(int width, const vq q[2], const vf n2[2]);
typedef vq unpack_block(int width, vcode code);

/* U24 to U128: whole words, one vector at a time. PACKED: bits without gaps, V_PARTS vectors at a time. */
typedef enum storage { U24, U32, U48, U64, U128, PACKED } storage;
enum { V_PARTS = V_GROUP / V_LANES };

V_INLINE int parts_of(storage s) { return s == PACKED ? V_PARTS : 1; }
V_INLINE int words_of(storage s) { return s == U24 || s == U32 ? 1 : s == U128 ? 4 : 2; }
V_INLINE size_t bits_of(storage s, const bit_plan *plan) {
  return s == U24 ? 24 : s == U32 ? 32 : s == U48 ? 48 : s == U64 ? 64 : s == U128 ? 128 : plan->bytes;
}

/* Returns the byte where element i begins; in bit-packed arrays i is a multiple of eight. The product i *
 * bits might not fit a size_t. */
V_INLINE size_t offset_of(size_t i, size_t bits) { return i / 8 * bits + i % 8 * bits / 8; }

/* Reorders the lanes of codes. Vectors of quaternions have the order of the array for arrays of components,
 * else aos order (vec.h). Codes in memory have the order of the array. Those of U128 are loaded and stored in
 * aos order, as an AOS array of floats. */
V_INLINE vcode ordered(vcode c, int words, vi order(vi)) {
  QUATSIMD_UNROLL(4)
  for (int i = 0; i < words; i++) c.w[i] = order(c.w[i]);
  return c;
}

V_INLINE void store_codes(storage s, const quatsimd_operand *from, const bit_plan *plan, unsigned char *p,
                          vcode c[V_PARTS]) {
  const bool aos_order = !is_soa(from);
  QUATSIMD_UNROLL(2)
  for (int part = 0; part < parts_of(s); part++) {
    if (aos_order && s != U128) c[part] = ordered(c[part], words_of(s), v_from_aos_order);
    if (!aos_order && s == U128) c[part] = ordered(c[part], words_of(s), v_to_aos_order);
  }
  if (s == U24) v_store_u24(p, c[0]);
  if (s == U32) v_store_u32(p, c[0]);
  if (s == U48) v_store_u48(p, c[0]);
  if (s == U64) v_store_u64(p, c[0]);
  if (s == U128)
    v_store_aos((float *)(void *)p, (vq){v_from_bits(c[0].w[0]), v_from_bits(c[0].w[1]),
                                         v_from_bits(c[0].w[2]), v_from_bits(c[0].w[3])});
  if (s == PACKED) v_store_bits(p, plan, c);
}

/* Returns true for the padded block of pack_rest and unpack_rest. The layout of blocks marks it, because no
 * caller passes a view with this layout. In unpack_rest the block holds bytes of the array for U24 and
 * PACKED, else vectors of words. */
V_INLINE bool is_own_block(const quatsimd_operand *o) { return o->layout == QUATSIMD_VIEW_BLOCKS; }

V_INLINE vcode load_words(storage s, const unsigned char *p) {
  if (s != U128)
    return s == U24 ? v_load_u24(p) : s == U32 ? v_load_u32(p) : s == U48 ? v_load_u48(p) : v_load_u64(p);
  const vq q = v_load_aos((const float *)(const void *)p);
  return ordered((vcode){{v_bits(q.x), v_bits(q.y), v_bits(q.z), v_bits(q.w)}}, 4, v_from_aos_order);
}

/* Brings codes from the order of the array to aos order. Where this undoes a reordering, gcc drops both. */
V_INLINE vcode in_aos_order(storage s, vcode c) {
  return ordered(c, s == PACKED ? 4 : words_of(s), v_to_aos_order);
}

V_INLINE vcode load_vectors(storage s, const unsigned char *p) {
  vcode c;
  QUATSIMD_UNROLL(4)
  for (int i = 0; i < 4; i++)
    c.w[i] = i < words_of(s) ? v_bits(v_load((const float *)(const void *)p + i * V_LANES)) : v_seti(0);
  return c;
}

V_INLINE void load_codes(storage s, const quatsimd_operand *to, const bit_plan *plan, const unsigned char *p,
                         vcode c[V_PARTS]) {
  if (s == PACKED) {
    v_load_fields(p, plan, c);
    if (is_soa(to)) return;
    QUATSIMD_UNROLL(2)
    for (int part = 0; part < V_PARTS; part++) c[part] = in_aos_order(s, c[part]);
  } else if (is_soa(to)) {
    c[0] = load_words(s, p);
  } else {
    c[0] = in_aos_order(s, s != U24 && is_own_block(to) ? load_vectors(s, p) : load_words(s, p));
  }
}

/* Loads a vector of quaternions and replaces invalid ones by the identity. Returns false if there were any.
 * Invalid ones are rare, so CPUs predict the branch. */
V_INLINE bool load_valid(const quatsimd_operand *from, size_t at, vq *q, vf *n2) {
  *q = load_quats(from, at);
  *n2 = norm2(*q);
  const vm valid = valid_norm2(*n2);
  if (QUATSIMD_LIKELY(v_all(valid))) return true;
  *q = identity_where_not(valid, *q);
  *n2 = v_select(valid, *n2, v_set(1));
  return false;
}

/* Packs two blocks of whole words at once, which begin with elements i[0] and i[1]. Returns false if a
 * quaternion was invalid. */
V_INLINE bool pack_two_blocks(pack_pair *pair, storage s, int width, const bit_plan *plan,
                              unsigned char *packed, const quatsimd_operand *from, const size_t i[2]) {
  vq q[2] = {load_quats(from, i[0] * from->stride), load_quats(from, i[1] * from->stride)};
  vf n2[2] = {norm2(q[0]), norm2(q[1])};
  const vm valid[2] = {valid_norm2(n2[0]), valid_norm2(n2[1])};
  const bool all = v_all(v_both(valid[0], valid[1]));
  if (!QUATSIMD_LIKELY(all)) {
    QUATSIMD_UNROLL(2)
    for (int k = 0; k < 2; k++)
      q[k] = identity_where_not(valid[k], q[k]), n2[k] = v_select(valid[k], n2[k], v_set(1));
  }
  vcodes codes = pair(width, q, n2);
  QUATSIMD_UNROLL(2)
  for (int k = 0; k < 2; k++)
    store_codes(s, from, plan, packed + offset_of(i[k], bits_of(s, plan)), &codes.of[k]);
  return all;
}

/* Packs one block: V_LANES quaternions, or V_GROUP in bit-packed arrays. Returns false if one was invalid. */
V_INLINE bool pack_one_block(pack_block *pack, storage s, int width, const bit_plan *plan,
                             unsigned char *packed, const quatsimd_operand *from, size_t at) {
  vcode codes[V_PARTS];
  bool valid = true;
  QUATSIMD_UNROLL(2)
  for (int part = 0; part < parts_of(s); part++) {
    vq q;
    vf n2;
    valid &= load_valid(from, at + (size_t)part * V_LANES * from->stride, &q, &n2);
    codes[part] = pack(width, q, n2);
  }
  store_codes(s, from, plan, packed, codes);
  return valid;
}

V_INLINE void unpack_one_block(unpack_block *unpack, storage s, int width, const bit_plan *plan,
                               const quatsimd_operand *to, size_t at, const unsigned char *packed) {
  vcode codes[V_PARTS];
  load_codes(s, to, plan, packed, codes);
  QUATSIMD_UNROLL(2)
  for (int part = 0; part < parts_of(s); part++)
    store_quats(to, at + (size_t)part * V_LANES * to->stride, unpack(width, codes[part]));
}

/* Unpacks two blocks of whole words, so that the CPU can overlap the work on both. A branch by the layout for
 * each block would take 4 to 10 % longer. */
V_INLINE void unpack_two_blocks(unpack_block *unpack, storage s, int width, const bit_plan *plan,
                                const quatsimd_operand *to, size_t at, const unsigned char *packed) {
  const size_t bytes = V_LANES * bits_of(s, plan) / 8, next = V_LANES * to->stride;
  vcode codes[2] = {load_words(s, packed), load_words(s, packed + bytes)};
  if (!is_soa(to)) codes[0] = in_aos_order(s, codes[0]), codes[1] = in_aos_order(s, codes[1]);
  const vq q[2] = {unpack(width, codes[0]), unpack(width, codes[1])};
  if (is_soa(to)) {
    store_soa(to, at, q[0]), store_soa(to, at + next, q[1]);
  } else if (is_aos(to)) {
    v_store_aos(place(to, 0, at), q[0]), v_store_aos(place(to, 0, at + next), q[1]);
  } else {
    v_store_strided(place(to, 0, at), to->stride, q[0]);
    v_store_strided(place(to, 0, at + next), to->stride, q[1]);
  }
}

/* Returns how many elements must follow a block: bit-packed blocks read and write bytes behind themselves. */
V_INLINE size_t spare_of(storage s, const bit_plan *plan, const quatsimd_operand *o) {
  return s == PACKED && !is_own_block(o) ? (V_OVERREAD * 8 + plan->bytes - 1u) / plan->bytes : 0;
}

/* Copies the n bytes of a tail. n is small. */
QUATSIMD_NOINLINE void copy_tail(unsigned char *to, const unsigned char *from, size_t n) {
  if (n >= 16) {
    for (size_t i = 0; i + 16 < n; i += 16) memcpy(to + i, from + i, 16);
    memcpy(to + n - 16, from + n - 16, 16);
  } else if (n >= 8) {
    memcpy(to, from, 8), memcpy(to + n - 8, from + n - 8, 8);
  } else if (n >= 4) {
    memcpy(to, from, 4), memcpy(to + n - 4, from + n - 4, 4);
  } else {
    for (size_t i = 0; i < n; i++) to[i] = from[i];
  }
}

/* A padded block: memory for an array shorter than a block, or for the end of a bit-packed array. Loops treat
 * it as strided, so that each load of 16 bytes reads what one store of 16 bytes wrote. */
typedef struct padded {
  float q[V_GROUP][4];
  union {
    unsigned char packed[V_GROUP * 16 + V_OVERREAD];
    vi words[4];
  };
} padded;

V_INLINE quatsimd_operand own_block(padded *p) {
  return (quatsimd_operand){
      .component = {(const char *)p->q}, .stride = sizeof p->q[0], .layout = QUATSIMD_VIEW_BLOCKS};
}

QUATSIMD_NOINLINE bool pack_rest(quatsimd_pack_fn *pack, size_t bits, size_t block, int width,
                                 unsigned char *packed, const quatsimd_operand *from, size_t done,
                                 size_t count) {
  padded p;
  const quatsimd_operand source = own_block(&p);
  bool valid = true;
  for (; done < count; done += block) {
    const size_t n = count - done < block ? count - done : block, bytes = (n * bits + 7) / 8;
    for (size_t i = 0; i < block; i++) {
      /* pads with the last quaternion: where all quaternions are valid, so is the padding */
      const size_t at = (done + (i < n ? i : n - 1)) * from->stride;
      if (is_soa(from)) {
        p.q[i][0] = *place(from, 0, at), p.q[i][1] = *place(from, 1, at);
        p.q[i][2] = *place(from, 2, at), p.q[i][3] = *place(from, 3, at);
      } else {
        memcpy(p.q[i], place(from, 0, at), 16);
      }
    }
    valid &= pack(width, p.packed, &source, block);
    if (n * bits % 8 != 0) p.packed[bytes - 1] &= (unsigned char)((1u << n * bits % 8) - 1);
    copy_tail(packed + offset_of(done, bits), p.packed, bytes);
  }
  return valid;
}

QUATSIMD_NOINLINE void unpack_rest(quatsimd_unpack_fn *unpack, storage s, size_t bits, size_t block,
                                   int width, const quatsimd_operand *to, const unsigned char *packed,
                                   size_t done, size_t count) {
  padded p;
  const quatsimd_operand target = own_block(&p);
  for (; done < count; done += block) {
    const size_t n = count - done < block ? count - done : block;
    const unsigned char *const from = packed + offset_of(done, bits);
    if (s == PACKED || s == U24) {
      memset(p.packed, 0, sizeof p.packed);
      copy_tail(p.packed, from, (n * bits + 7) / 8);
    } else {
      const size_t stride = bits / 8, last = n - 1;
      p.words[0] = v_gather(from, stride, last);
      /* bytes 4 and 5 are the upper half of the word at byte 2 */
      if (s == U48) p.words[1] = v_shr(v_gather(from + 2, stride, last), 16);
      if (s == U64 || s == U128) p.words[1] = v_gather(from + 4, stride, last);
      if (s == U128)
        p.words[2] = v_gather(from + 8, stride, last), p.words[3] = v_gather(from + 12, stride, last);
    }
    unpack(width, &target, p.packed, block);
    for (size_t i = 0; i < n; i++) {
      const size_t at = (done + i) * to->stride;
      if (is_soa(to)) {
        *place(to, 0, at) = p.q[i][0], *place(to, 1, at) = p.q[i][1];
        *place(to, 2, at) = p.q[i][2], *place(to, 3, at) = p.q[i][3];
      } else {
        memcpy(place(to, 0, at), p.q[i], 16);
      }
    }
  }
}

V_INLINE bool pack_loop(quatsimd_pack_fn *self, pack_block *pack, pack_pair *pair, storage s, int width,
                        const bit_plan *plan, unsigned char *packed, const quatsimd_operand *source,
                        size_t count) {
  const quatsimd_operand from = *source;
  const size_t bits = bits_of(s, plan), block = (size_t)parts_of(s) * V_LANES,
               spare = spare_of(s, plan, &from);
  bool valid = true;
  size_t done = 0;
  if (pair) /* the last pair may overlap, too: two blocks one after the other take nearly twice the time */
    for (; done + block < count; done += 2 * block) {
      const size_t next = count - done < 2 * block ? count - block : done + block;
      valid &= pack_two_blocks(pair, s, width, plan, packed, &from, (const size_t[]){done, next});
    }
  if (count >= block + spare) {
    const size_t last = count - block - spare; /* where the last block begins */
    while (done < count) {
      unsigned char *to = packed + offset_of(done, bits);
      for (size_t at = done * from.stride; done <= last;
           done += block, to += block * bits / 8, at += block * from.stride)
        valid &= pack_one_block(pack, s, width, plan, to, &from, at);
      if (s == PACKED || done >= count) break;
      done = last;
    }
  }
  if (done < count) valid &= pack_rest(self, bits, block, width, packed, source, done, count);
  return valid;
}

/* two: unpack two blocks at once. It is false for lattices, because their steps fill all registers. */
V_INLINE void unpack_loop(quatsimd_unpack_fn *self, unpack_block *unpack, bool two, storage s, int width,
                          const bit_plan *plan, const quatsimd_operand *target, const unsigned char *packed,
                          size_t count) {
  const quatsimd_operand to = *target;
  const size_t bits = bits_of(s, plan), block = (size_t)parts_of(s) * V_LANES, spare = spare_of(s, plan, &to);
  size_t done = 0;
  if (count >= block + spare) {
    const size_t last = count - block - spare;
    const unsigned char *from = packed;
    size_t at = 0;
    if (two && s != PACKED)
      for (; done + block <= last;
           done += 2 * block, from += 2 * block * bits / 8, at += 2 * block * to.stride)
        unpack_two_blocks(unpack, s, width, plan, &to, at, from);
    while (done < count) {
      for (; done <= last; done += block, from += block * bits / 8, at += block * to.stride)
        unpack_one_block(unpack, s, width, plan, &to, at, from);
      if (s == PACKED || done >= count) break;
      done = last, from = packed + offset_of(last, bits), at = last * to.stride;
    }
  }
  if (done < count) unpack_rest(self, s, bits, block, width, target, packed, done, count);
}

#ifndef QUATSIMD_ONLY_CLIPS
static void meshopt_to_snorm16x4_loop(unsigned char *to, const unsigned char *from, size_t count) {
  if (count >= V_LANES) {
    const size_t last = count - V_LANES;
    for (size_t done = 0; done < count; done += V_LANES) {
      const size_t at = done < last ? done : last;
      v_store_pairs(to + 8 * at, meshopt_shorts(v_load_pairs(from + 8 * at)));
    }
  } else if (count > 0) {
    unsigned char in[8 * V_LANES] = {0}, out[8 * V_LANES];
    memcpy(in, from, 8 * count);
    v_store_pairs(out, meshopt_shorts(v_load_pairs(in)));
    memcpy(to, out, 8 * count);
  }
}

/* Converts four vectors of floats at a time, as if they were the components of quaternions. */
static void half_from_float_loop(uint16_t *to, const float *floats, size_t count) {
  for (size_t i = 0; i < count; i += 4 * V_LANES) {
    const size_t n = count - i < 4 * V_LANES ? count - i : 4 * V_LANES;
    float in[4 * V_LANES] = {0};
    uint16_t out[4 * V_LANES];
    if (n < 4 * V_LANES) memcpy(in, floats + i, n * sizeof *in);
    const vcode c =
        ordered(halves_of_any(v_load_aos(n < 4 * V_LANES ? in : floats + i)), 2, v_from_aos_order);
    v_store_u64((unsigned char *)(n < 4 * V_LANES ? out : to + i), c);
    if (n < 4 * V_LANES) memcpy(to + i, out, n * sizeof *out);
  }
}

static void half_to_float_loop(float *floats, const uint16_t *from, size_t count) {
  for (size_t i = 0; i < count; i += 4 * V_LANES) {
    const size_t n = count - i < 4 * V_LANES ? count - i : 4 * V_LANES;
    uint16_t in[4 * V_LANES] = {0};
    float out[4 * V_LANES];
    if (n < 4 * V_LANES) memcpy(in, from + i, n * sizeof *in);
    const vcode c = v_load_u64((const unsigned char *)(n < 4 * V_LANES ? in : from + i));
    const vq q = floats_of_halves(ordered(c, 2, v_to_aos_order));
    v_store_aos(n < 4 * V_LANES ? out : floats + i, (vq){number(q.x), number(q.y), number(q.z), number(q.w)});
    if (n < 4 * V_LANES) memcpy(floats + i, out, n * sizeof *out);
  }
}
#endif
