/* Loops, layouts and tails around the blocks that kernels pack and unpack. Included once by codecs.inc.h,
 * behind arrays.inc.h.
 *
 * Loops are forced inline with constant arguments, so that each entry of the table is one straight loop. The
 * rest of an array is covered by a last block that overlaps the one before, which gives the same bits again;
 * an array shorter than a block, or the end of a bit-packed one, runs through the same block on padded arrays
 * on the stack. */
typedef vcode pack_block(int param, vq q, vf n2);
typedef void pack_pair(int param, const vq q[2], const vf n2[2], vcode code[2]);
typedef vq unpack_block(int param, vcode code);

/* How codes are stored, see vec.h: words one vector at a time, PACKED in groups of V_PARTS vectors. */
typedef enum storage { U24, U32, U48, U64, U128, PACKED } storage;
enum { V_PARTS = V_GROUP / V_LANES };

V_INLINE int parts_of(storage s) { return s == PACKED ? V_PARTS : 1; }
V_INLINE int words_of(storage s) { return s == U24 || s == U32 ? 1 : s == U128 ? 4 : 2; }
V_INLINE size_t bits_of(storage s, const bit_plan *plan) {
  return s == U24 ? 24 : s == U32 ? 32 : s == U48 ? 48 : s == U64 ? 64 : s == U128 ? 128 : plan->bytes;
}

/* The byte where element i begins, a multiple of eight in bit-packed arrays; i * bits may not fit a
 * size_t. */
V_INLINE size_t offset_of(size_t i, size_t bits) { return i / 8 * bits + i % 8 * bits / 8; }

/* Codes are in the order of the array, but floats of aos and strided arrays in aos order. U128 is an aos
 * array too. */
V_INLINE vcode ordered(vcode c, int words, vi order(vi)) {
#pragma GCC unroll 4
  for (int i = 0; i < words; i++) c.w[i] = order(c.w[i]);
  return c;
}

V_INLINE void store_codes(storage s, quatsimd_layout layout, const bit_plan *plan, unsigned char *p,
                          vcode c[V_PARTS]) {
  const bool aos_order = layout != QUATSIMD_SOA;
#pragma GCC unroll 2
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

/* The codes of a block; of the words of a shorter array, `count` < V_LANES, the last one is repeated. */
V_INLINE void load_codes(storage s, quatsimd_layout layout, const bit_plan *plan, const unsigned char *p,
                         size_t count, vcode c[V_PARTS]) {
  const bool aos_order = layout != QUATSIMD_SOA;
  if (s == PACKED) {
    v_load_fields(p, plan, c);
  } else if (s == U24) {
    c[0] = v_load_u24(p);
  } else if (count < V_LANES) {
    const size_t stride = bits_of(s, plan) / 8, last = count - 1;
    c[0].w[0] = v_gather(p, stride, last);
    /* the upper half of the last four bytes */
    if (s == U48) c[0].w[1] = v_shr(v_gather(p + 2, stride, last), 16);
    if (s == U64 || s == U128) c[0].w[1] = v_gather(p + 4, stride, last);
    if (s == U128) c[0].w[2] = v_gather(p + 8, stride, last), c[0].w[3] = v_gather(p + 12, stride, last);
  } else if (s == U128) { /* in aos order */
    const vq q = v_load_aos((const float *)(const void *)p);
    c[0] = (vcode){{v_bits(q.x), v_bits(q.y), v_bits(q.z), v_bits(q.w)}};
    if (!aos_order) c[0] = ordered(c[0], words_of(s), v_from_aos_order);
    return;
  } else {
    c[0] = s == U32 ? v_load_u32(p) : s == U48 ? v_load_u48(p) : v_load_u64(p);
  }
  if (!aos_order) return;
#pragma GCC unroll 2
  for (int part = 0; part < parts_of(s); part++)
    c[part] = ordered(c[part], s == PACKED ? 4 : words_of(s), v_to_aos_order);
}

/* Loads a block; replaces invalid quaternions by the identity. False if there were any: rare, so that CPUs
 * foresee the branch. */
V_INLINE bool load_valid(quatsimd_layout layout, reader r, size_t stride, vq *q, vf *n2) {
  *q = load_quats(layout, r, stride);
  *n2 = norm2(*q);
  const vm valid = valid_norm2(*n2);
  if (V_LIKELY(v_all(valid))) return true;
  *q = identity_where_not(valid, *q);
  *n2 = v_select(valid, *n2, v_set(1));
  return false;
}

/* Two blocks of whole words at once. */
V_INLINE bool pack_two_blocks(pack_pair *pair, storage s, quatsimd_layout layout, int param,
                              const bit_plan *plan, unsigned char *packed, reader r, size_t stride) {
  const size_t next = V_LANES * stride_of(layout, stride);
  vq q[2] = {load_quats(layout, r, stride), load_quats(layout, advance(r, next), stride)};
  vf n2[2] = {norm2(q[0]), norm2(q[1])};
  vcode codes[2];
  const vm valid[2] = {valid_norm2(n2[0]), valid_norm2(n2[1])};
  const bool all = v_all(v_both(valid[0], valid[1]));
  if (!V_LIKELY(all)) {
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++)
      q[i] = identity_where_not(valid[i], q[i]), n2[i] = v_select(valid[i], n2[i], v_set(1));
  }
  pair(param, q, n2, codes);
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++)
    store_codes(s, layout, plan, packed + (size_t)i * V_LANES * bits_of(s, plan) / 8, &codes[i]);
  return all;
}

/* One block: V_LANES quaternions, V_GROUP in bit-packed arrays. */
V_INLINE bool pack_one_block(pack_block *pack, storage s, quatsimd_layout layout, int param,
                             const bit_plan *plan, unsigned char *packed, reader r, size_t stride) {
  vcode codes[V_PARTS];
  bool valid = true;
#pragma GCC unroll 2
  for (int part = 0; part < parts_of(s); part++) {
    vq q;
    vf n2;
    valid &=
        load_valid(layout, advance(r, (size_t)part * V_LANES * stride_of(layout, stride)), stride, &q, &n2);
    codes[part] = pack(param, q, n2);
  }
  store_codes(s, layout, plan, packed, codes);
  return valid;
}

V_INLINE void unpack_one_block(unpack_block *unpack, storage s, quatsimd_layout layout, int param,
                               const bit_plan *plan, writer w, size_t stride, const unsigned char *packed,
                               size_t count) {
  vcode codes[V_PARTS];
  load_codes(s, layout, plan, packed, count, codes);
#pragma GCC unroll 2
  for (int part = 0; part < parts_of(s); part++)
    store_quats(layout, advance_out(w, (size_t)part * V_LANES * stride_of(layout, stride)), stride,
                unpack(param, codes[part]));
}

/* Two blocks of whole words, one behind the other; the CPU works on both at once. */
V_INLINE void unpack_two_blocks(unpack_block *unpack, storage s, quatsimd_layout layout, int param,
                                const bit_plan *plan, writer w, size_t stride, const unsigned char *packed) {
  vcode codes[2][V_PARTS];
  vq q[2];
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++) {
    load_codes(s, layout, plan, packed + (size_t)i * V_LANES * bits_of(s, plan) / 8, V_LANES, codes[i]);
    q[i] = unpack(param, codes[i][0]);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++)
    store_quats(layout, advance_out(w, (size_t)i * V_LANES * stride_of(layout, stride)), stride, q[i]);
}

/* Where the fields of a bit-packed array are; of the others none looks into it. */
V_INLINE const bit_plan *plan_of(storage s, int param) {
#ifdef QUATSIMD_ONLY_CLIPS /* there are no bit-packed arrays */
  return (void)s, (void)param, NULL;
#else
  return &quatsimd_bit_plans[s == PACKED ? param : 0];
#endif
}

/* How many elements must follow a block that is worked on in place: a bit-packed one touches bytes behind
 * itself. */
V_INLINE size_t spare_of(storage s, const bit_plan *plan) {
  return s == PACKED ? (V_OVERREAD * 8 + plan->bytes - 1u) / plan->bytes : 0;
}

/* memcpy for the few bytes of a tail. */
static V_NOINLINE void copy_tail(unsigned char *to, const unsigned char *from, size_t n) {
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

/* Less than a block, and the end of a bit-packed array, through padded arrays on the stack: a function of
 * its own for all layouts, which loops call, and for all codecs these two. */
typedef float padded[V_GROUP][4];
static V_NOINLINE void gather_rest(padded q, quatsimd_layout layout, const reader *r, size_t stride, size_t n,
                                   size_t block) {
  for (size_t i = 0; i < block; i++) {
    /* padded with the last one: as valid as it is */
    const reader at = advance(*r, (i < n ? i : n - 1) * stride);
    if (layout == QUATSIMD_SOA) {
      q[i][0] = *at.x, q[i][1] = *at.y, q[i][2] = *at.z, q[i][3] = *at.w;
    } else {
      memcpy(q[i], at.x, 16);
    }
  }
}
static V_NOINLINE void scatter_rest(quatsimd_layout layout, const writer *w, size_t stride, padded q,
                                    size_t n) {
  for (size_t i = 0; i < n; i++) {
    const writer at = advance_out(*w, i * stride);
    if (layout == QUATSIMD_SOA) {
      *at.x = q[i][0], *at.y = q[i][1], *at.z = q[i][2], *at.w = q[i][3];
    } else {
      memcpy(at.x, q[i], 16);
    }
  }
}

V_INLINE bool pack_rest(pack_block *pack, storage s, quatsimd_layout layout, int param, unsigned char *packed,
                        reader r, size_t stride, size_t count) {
  const bit_plan *plan = plan_of(s, param);
  const size_t bits = bits_of(s, plan), block = (size_t)parts_of(s) * V_LANES;
  bool valid = true;
  for (size_t done = 0; done < count; done += block, r = advance(r, block * stride)) {
    const size_t n = count - done < block ? count - done : block, bytes = (n * bits + 7) / 8;
    padded q;
    unsigned char out[V_GROUP * 16 + V_OVERREAD];
    gather_rest(q, layout, &r, stride, n, block);
    /* strided: loads of 16 bytes find what stores of 16 bytes have just left */
    valid &=
        pack_one_block(pack, s, QUATSIMD_STRIDED, param, plan, out, (reader){q[0], q[0], q[0], q[0]}, 16);
    if (n * bits % 8 != 0) out[bytes - 1] &= (unsigned char)((1u << n * bits % 8) - 1);
    copy_tail(packed + offset_of(done, bits), out, bytes);
  }
  return valid;
}

V_INLINE void unpack_rest(unpack_block *unpack, storage s, quatsimd_layout layout, int param, writer w,
                          size_t stride, const unsigned char *packed, size_t count) {
  const bit_plan *plan = plan_of(s, param);
  const size_t bits = bits_of(s, plan), block = (size_t)parts_of(s) * V_LANES;
  for (size_t done = 0; done < count; done += block, w = advance_out(w, block * stride)) {
    const size_t n = count - done < block ? count - done : block;
    padded q;
    const unsigned char *from = packed + offset_of(done, bits);
    unsigned char in[V_GROUP * 8 + V_OVERREAD];
    if (s == PACKED || s == U24) {
      memset(in, 0, sizeof in);
      copy_tail(in, from, (n * bits + 7) / 8);
      from = in;
    }
    unpack_one_block(unpack, s, QUATSIMD_AOS, param, plan, (writer){q[0], q[0], q[0], q[0]}, 16, from, n);
    scatter_rest(layout, &w, stride, q, n);
  }
}

typedef bool pack_rest_fn(quatsimd_layout layout, int param, unsigned char *packed, const reader *r,
                          size_t stride, size_t count);
typedef void unpack_rest_fn(quatsimd_layout layout, int param, const writer *w, size_t stride,
                            const unsigned char *packed, size_t count);

/* The last whole block of words overlaps the one before it: the loop is entered once more for it. */
V_INLINE bool pack_loop(pack_block *pack, pack_pair *pair, pack_rest_fn *rest, storage s,
                        quatsimd_layout layout, int param, unsigned char *packed, reader r, size_t stride,
                        size_t count) {
  const bit_plan *plan = plan_of(s, param);
  const size_t bits = bits_of(s, plan), block = (size_t)parts_of(s) * V_LANES, spare = spare_of(s, plan);
  stride = stride_of(layout, stride);
  bool valid = true;
  size_t done = 0;
  if (pair)
    for (; count - done >= 2 * block; done += 2 * block)
      valid &= pack_two_blocks(pair, s, layout, param, plan, packed + offset_of(done, bits),
                               advance(r, done * stride), stride);
  if (count >= block + spare) {
    const size_t last = count - block - spare; /* the last block may begin here */
    while (done < count) {
      unsigned char *to = packed + offset_of(done, bits);
      for (reader at = advance(r, done * stride); done <= last;
           done += block, to += block * bits / 8, at = advance(at, block * stride))
        valid &= pack_one_block(pack, s, layout, param, plan, to, at, stride);
      if (s == PACKED || done >= count) break;
      done = last;
    }
  }
  if (done < count) {
    r = advance(r, done * stride);
    valid &= rest(layout, param, packed + offset_of(done, bits), &r, stride, count - done);
  }
  return valid;
}

/* two: two blocks at once, where that is faster: not lattices, whose steps fill all registers. */
V_INLINE void unpack_loop(unpack_block *unpack, bool two, unpack_rest_fn *rest, storage s,
                          quatsimd_layout layout, int param, writer w, size_t stride,
                          const unsigned char *packed, size_t count) {
  const bit_plan *plan = plan_of(s, param);
  const size_t bits = bits_of(s, plan), block = (size_t)parts_of(s) * V_LANES, spare = spare_of(s, plan);
  stride = stride_of(layout, stride);
  size_t done = 0;
  if (count >= block + spare) {
    const size_t last = count - block - spare;
    const unsigned char *from = packed;
    writer at = w;
    if (two && s != PACKED)
      for (; done + block <= last;
           done += 2 * block, from += 2 * block * bits / 8, at = advance_out(at, 2 * block * stride))
        unpack_two_blocks(unpack, s, layout, param, plan, at, stride, from);
    while (done < count) {
      for (; done <= last; done += block, from += block * bits / 8, at = advance_out(at, block * stride))
        unpack_one_block(unpack, s, layout, param, plan, at, stride, from, block);
      if (s == PACKED || done >= count) break;
      done = last, from = packed + offset_of(last, bits), at = advance_out(w, last * stride);
    }
  }
  if (done < count) {
    w = advance_out(w, done * stride);
    rest(layout, param, &w, stride, packed + offset_of(done, bits), count - done);
  }
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

/* Four vectors at a time, as the components of quaternions. */
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
