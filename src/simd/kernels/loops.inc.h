/* Loops, layouts and tails around the blocks that kernels pack and unpack, and the loops over arrays that are
 * no codec's. Included once by table.inc.h.
 *
 * Everything is forced inline with constant arguments, so that each entry of the table is one straight
 * loop. The rest of an array is covered by a last block that overlaps the one before, which gives the
 * same bits again; an array shorter than a block, or the end of a bit-packed one, runs through the same
 * block on padded arrays on the stack. */
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

/* Where quaternions are; aos and strided arrays use x alone. */
typedef struct reader {
  const float *x, *y, *z, *w;
} reader;
typedef struct writer {
  float *x, *y, *z, *w;
} writer;

V_INLINE const float *behind(const float *p, size_t bytes) {
  return (const float *)(const void *)((const char *)p + bytes);
}
V_INLINE float *behind_out(float *p, size_t bytes) { return (float *)(void *)((char *)p + bytes); }
V_INLINE reader advance(reader r, size_t bytes) {
  return (reader){behind(r.x, bytes), behind(r.y, bytes), behind(r.z, bytes), behind(r.w, bytes)};
}
V_INLINE writer advance_out(writer w, size_t bytes) {
  return (writer){behind_out(w.x, bytes), behind_out(w.y, bytes), behind_out(w.z, bytes),
                  behind_out(w.w, bytes)};
}

/* Bytes from one quaternion to the next. */
V_INLINE size_t stride_of(quatsimd_layout layout, size_t stride) {
  return layout == QUATSIMD_SOA ? 4 : layout == QUATSIMD_AOS ? 16 : stride;
}

V_INLINE vq load_quats(quatsimd_layout layout, reader r, size_t stride) {
  if (layout == QUATSIMD_SOA) return (vq){v_load(r.x), v_load(r.y), v_load(r.z), v_load(r.w)};
  return layout == QUATSIMD_AOS ? v_load_aos(r.x) : v_load_strided(r.x, stride);
}

V_INLINE void store_quats(quatsimd_layout layout, writer w, size_t stride, vq q) {
  if (layout == QUATSIMD_SOA) {
    v_store(w.x, q.x), v_store(w.y, q.y), v_store(w.z, q.z), v_store(w.w, q.w);
  } else if (layout == QUATSIMD_AOS) {
    v_store_aos(w.x, q);
  } else {
    v_store_strided(w.x, stride, q);
  }
}

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
  return &quatsimd_bit_plans[s == PACKED ? param : 0];
}

/* How many elements must follow a block that is worked on in place: a bit-packed one touches bytes behind
 * itself. */
V_INLINE size_t spare_of(storage s, const bit_plan *plan) {
  return s == PACKED ? (V_OVERREAD * 8 + plan->bytes - 1u) / plan->bytes : 0;
}

/* memcpy without a call, for the few bytes of a tail. */
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

/* Less than a block, and the end of a bit-packed array, through padded arrays on the stack: a function of its own
 * for all layouts, which loops call, and for all codecs these two. */
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

static void meshopt_to_snorm16x4(unsigned char *to, const unsigned char *from, size_t count) {
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
static void half_from_float(uint16_t *to, const float *floats, size_t count) {
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

static void half_to_float(float *floats, const uint16_t *from, size_t count) {
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

static size_t find_invalid(const float *xyzw, size_t count, size_t from) {
  while (count - from >= V_LANES && v_all(valid_norm2(norm2(v_load_aos(xyzw + 4 * from))))) from += V_LANES;
  for (; from < count; from++) { /* one by one, in a vector that repeats it */
    const float *q = xyzw + 4 * from;
    if (!v_all(valid_norm2(norm2((vq){v_set(q[0]), v_set(q[1]), v_set(q[2]), v_set(q[3])})))) break;
  }
  return from;
}

static void store_in_order(float *p, vf a) { v_store(p, v_from_bits(v_from_aos_order(v_bits(a)))); }
static vf load_in_aos_order(const float *p) { return v_from_bits(v_to_aos_order(v_bits(v_load(p)))); }

/* These four functions end with a vector that overlaps the one before, and do nothing where there is less
 * than a vector. Pointers are copied, or they are read again after each store. */
V_INLINE void split_vector(quatsimd_layout layout, float *a, float *b, float *c, float *d, const float *first,
                           size_t stride) {
  const vq q = load_quats(layout, (reader){first, first, first, first}, stride);
  store_in_order(a, q.x), store_in_order(b, q.y), store_in_order(c, q.z), store_in_order(d, q.w);
}
V_INLINE size_t split_quats(quatsimd_layout layout, float *const to[4], const float *first, size_t stride,
                            size_t count) {
  float *const a = to[0], *const b = to[1], *const c = to[2], *const d = to[3];
  const size_t whole = count / V_LANES * V_LANES, last = count - V_LANES;
  if (whole == 0) return 0;
  const float *const tail = behind(first, last * stride);
  for (size_t i = 0; i < whole; i += V_LANES, first = behind(first, V_LANES * stride))
    split_vector(layout, a + i, b + i, c + i, d + i, first, stride);
  if (whole < count) split_vector(layout, a + last, b + last, c + last, d + last, tail, stride);
  return count;
}

static size_t split4(float *const to[4], const float *first, size_t stride, size_t count) {
  return stride == 16 ? split_quats(QUATSIMD_AOS, to, first, 16, count)
                      : split_quats(QUATSIMD_STRIDED, to, first, stride, count);
}

V_INLINE void split3_vector(float *const to[3], const float *xyz, size_t i) {
  const v3 v = v_load_aos3(xyz + 3 * i);
  store_in_order(to[0] + i, v.x), store_in_order(to[1] + i, v.y), store_in_order(to[2] + i, v.z);
}
static size_t split3(float *const to[3], const float *xyz, size_t count) {
  if (count < V_LANES) return 0;
  for (size_t i = 0; count - i >= V_LANES; i += V_LANES) split3_vector(to, xyz, i);
  if (count % V_LANES) split3_vector(to, xyz, count - V_LANES);
  return count;
}

V_INLINE void join_vector(quatsimd_layout layout, float *first, size_t stride, const float *a, const float *b,
                          const float *c, const float *d) {
  store_quats(layout, (writer){first, first, first, first}, stride,
              (vq){load_in_aos_order(a), load_in_aos_order(b), load_in_aos_order(c), load_in_aos_order(d)});
}
V_INLINE size_t join_quats(quatsimd_layout layout, float *first, size_t stride, const float *const from[4],
                           size_t count) {
  const float *const a = from[0], *const b = from[1], *const c = from[2], *const d = from[3];
  const size_t whole = count / V_LANES * V_LANES, last = count - V_LANES;
  if (whole == 0) return 0;
  float *const tail = behind_out(first, last * stride);
  for (size_t i = 0; i < whole; i += V_LANES, first = behind_out(first, V_LANES * stride))
    join_vector(layout, first, stride, a + i, b + i, c + i, d + i);
  if (whole < count) join_vector(layout, tail, stride, a + last, b + last, c + last, d + last);
  return count;
}

static size_t join4(float *first, size_t stride, const float *const from[4], size_t count) {
  return stride == 16 ? join_quats(QUATSIMD_AOS, first, 16, from, count)
                      : join_quats(QUATSIMD_STRIDED, first, stride, from, count);
}

V_INLINE void join3_vector(float *xyz, const float *const from[3], size_t i) {
  v_store_aos3(xyz + 3 * i, (v3){load_in_aos_order(from[0] + i), load_in_aos_order(from[1] + i),
                                 load_in_aos_order(from[2] + i)});
}
static size_t join3(float *xyz, const float *const from[3], size_t count) {
  if (count < V_LANES) return 0;
  for (size_t i = 0; count - i >= V_LANES; i += V_LANES) join3_vector(xyz, from, i);
  if (count % V_LANES) join3_vector(xyz, from, count - V_LANES);
  return count;
}

/* A component of a block. memcpy of 32 bytes: gcc makes two moves of it even where one would do. */
V_INLINE void copy_lanes(float *to, const float *from, size_t block) {
  if (block == V_LANES) v_store(to, v_load(from));
  else memcpy(to, from, block * sizeof(float));
}

V_INLINE void split_equal_blocks(float *const to[4], const float *blocks, size_t block, size_t count) {
  float *const a = to[0], *const b = to[1], *const c = to[2], *const d = to[3];
#pragma GCC unroll 4
  for (size_t i = 0; i < count; i += block, blocks += 4 * block) {
    copy_lanes(a + i, blocks, block), copy_lanes(b + i, blocks + block, block);
    copy_lanes(c + i, blocks + 2 * block, block), copy_lanes(d + i, blocks + 3 * block, block);
  }
}

V_INLINE void join_equal_blocks(float *blocks, size_t block, const float *const from[4], size_t count) {
  const float *const a = from[0], *const b = from[1], *const c = from[2], *const d = from[3];
#pragma GCC unroll 4
  for (size_t i = 0; i < count; i += block, blocks += 4 * block) {
    copy_lanes(blocks, a + i, block), copy_lanes(blocks + block, b + i, block);
    copy_lanes(blocks + 2 * block, c + i, block), copy_lanes(blocks + 3 * block, d + i, block);
  }
}

static void split_blocks(float *const to[4], const float *blocks, size_t block, size_t count) {
  if (block == 4) split_equal_blocks(to, blocks, 4, count);
  else split_equal_blocks(to, blocks, 8, count);
}

static void join_blocks(float *blocks, size_t block, const float *const from[4], size_t count) {
  if (block == 4) join_equal_blocks(blocks, 4, from, count);
  else join_equal_blocks(blocks, 8, from, count);
}
