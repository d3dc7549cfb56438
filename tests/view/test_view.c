/* Packs and unpacks every layout of view.h. The bits must be those of the layout aos, and nothing outside the
 * elements is read or written. test_rotation.c does the same with the arguments of operations. CTest runs
 * this program once for each set of kernels. */
#include "support/guarded.h"
#include "support/isa.h"
#include "support/random.h"

#include "core/operand.h"
#include "quatsimd/quatsimd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST = 600, FILL = 0xff, STRIDE = 28, ARENA = (MOST + 8) * STRIDE, MARGIN = 64 };

typedef struct place {
  const char *name;
  unsigned block;
  size_t stride;
  bool w_first;
} place;
/* The place of component c of element i in each layout, written independently of the library. */
static const place places[] = {{"aos", 1, 16, false},         {"w-first aos", 1, 16, true},
                               {"strided", 1, STRIDE, false}, {"w-first strided", 1, STRIDE, true},
                               {"blocks of 4", 4, 0, false},  {"w-first blocks of 4", 4, 0, true},
                               {"blocks of 8", 8, 0, false},  {"w-first blocks of 8", 8, 0, true}};
enum { PLACES = sizeof places / sizeof places[0] };

static size_t offset_of(const place *p, size_t i, size_t c) {
  const size_t place_in_memory = p->w_first ? (c + 1) % 4 : c;
  if (p->block == 1) return i * p->stride / 4 + place_in_memory;
  return i / p->block * (4 * p->block) + place_in_memory * p->block + i % p->block;
}
static size_t bytes_of(const place *p, size_t count) {
  if (count == 0) return 0;
  return p->block == 1 ? (count - 1) * p->stride + 16 : (count + p->block - 1) / p->block * p->block * 16;
}

static quatsimd_in in_view(const place *p, const float *first) {
  const quatsimd_in view = p->block > 1      ? quatsimd_blocks(first, p->block)
                           : p->stride == 16 ? quatsimd_aos(first)
                                             : quatsimd_strided(first, p->stride);
  return p->w_first ? quatsimd_wxyz(view) : view;
}
static quatsimd_out out_view(const place *p, float *first) {
  const quatsimd_out view = p->block > 1      ? quatsimd_blocks_out(first, p->block)
                            : p->stride == 16 ? quatsimd_aos_out(first)
                                              : quatsimd_strided_out(first, p->stride);
  return p->w_first ? quatsimd_wxyz_out(view) : view;
}

static arena floats, codes;

/* Returns memory at one end of the arena. The whole arena holds NaN, which packing must not read. */
static float *place_floats(const place *p, size_t count, bool at_end) {
  memset(floats.begin, FILL, (size_t)(floats.end - floats.begin));
  return (float *)(void *)(at_end ? floats.end - bytes_of(p, count) : floats.begin);
}
static unsigned char *place_codes(size_t size, bool at_end) {
  memset(codes.begin, FILL, (size_t)(codes.end - codes.begin));
  return at_end ? codes.end - size : codes.begin;
}

/* Returns the next count to test. All counts up to 40 come first, then counts around the sizes of chunks and
 * blocks. */
static size_t next_count(size_t count) {
  static const size_t far[] = {63,  64,  65,  119, 120, 121, 127, 128, 129, 255, 256, 257, 279, 280,
                               281, 287, 288, 289, 503, 504, 505, 511, 512, 513, 583, 584, 585, MOST};
  if (count < 40) return count + 1;
  for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
    if (far[i] > count) return far[i];
  return MOST + 1;
}

#define FOR_EACH_FORMAT(format)                                                                              \
  for (size_t number_ = 0; quatsimd_format_at(&format, number_) == QUATSIMD_OK; number_++)
#define HOLDS(format, p, count, condition)                                                                   \
  do {                                                                                                       \
    if (!(condition))                                                                                        \
      fail_msg("%s, %s, %zu: not true: %s", quatsimd_get_format_info(format)->name, (p)->name,               \
               (size_t)(count), #condition);                                                                 \
  } while (0)

static void packing_takes_every_layout(void **state) {
  (void)state;
  static float q[4 * MOST];
  static unsigned char expected[16 * MOST];
  quatsimd_format format;
  FOR_EACH_FORMAT(format) for (size_t count = 0; count <= MOST; count = next_count(count)) {
    uint64_t random = count;
    random_rotations(q, count, &random);
    if (count % 3 == 2) q[4 * (count - 1) + count % 4] = INFINITY; /* the last one is invalid */
    const size_t size = quatsimd_packed_size(format, count);
    const quatsimd_status status = quatsimd_pack(format, expected, size, quatsimd_aos(q), count);
    HOLDS(format, places, count,
          status == (count % 3 == 2 ? QUATSIMD_WARNING_REPLACED_INVALID : QUATSIMD_OK));
    for (const place *p = places; p < places + PLACES; p++)
      for (int at_end = 0; at_end < 2; at_end++) {
        float *from = place_floats(p, count, at_end);
        for (size_t i = 0; i < 4 * count; i++) from[offset_of(p, i / 4, i % 4)] = q[i];
        unsigned char *to = place_codes(size, at_end);
        HOLDS(format, p, count, quatsimd_pack(format, to, size, in_view(p, from), count) == status);
        HOLDS(format, p, count, memcmp(to, expected, size) == 0);
        HOLDS(format, p, count, at_end || to[size] == FILL);
      }
  }
}

/* Unpacks elements from `first` on. All other bytes must stay the same, also the unused lanes of the last
 * block. */
static void check_unpacked(quatsimd_format format, const float *all, const unsigned char *packed,
                           size_t first, size_t count, bool at_end) {
  static unsigned char expected[ARENA + MARGIN];
  const size_t size = quatsimd_packed_size(format, first + count);
  unsigned char *from = place_codes(size, at_end);
  memcpy(from, packed, size);
  for (const place *p = places; p < places + PLACES; p++) {
    const size_t bytes = bytes_of(p, count);
    float *to = place_floats(p, count, at_end);
    memset(expected, FILL, sizeof expected);
    for (size_t i = 0; i < 4 * count; i++)
      memcpy(expected + 4 * offset_of(p, i / 4, i % 4), &all[4 * first + i], 4);
    HOLDS(format, p, count,
          quatsimd_unpack(format, out_view(p, to), from, size, first, count) == QUATSIMD_OK);
    HOLDS(format, p, count, memcmp(to, expected, bytes + (at_end ? 0 : MARGIN)) == 0);
    for (size_t i = 1; at_end && i <= MARGIN; i++)
      HOLDS(format, p, count, ((unsigned char *)to)[-(ptrdiff_t)i] == FILL);
  }
}

static void unpacking_gives_every_layout(void **state) {
  (void)state;
  static float q[4 * (MOST + 20)], all[4 * (MOST + 20)];
  static unsigned char packed[16 * (MOST + 20)];
  uint64_t random = 1;
  random_rotations(q, MOST + 20, &random);
  quatsimd_format format;
  FOR_EACH_FORMAT(format) {
    const size_t size = quatsimd_packed_size(format, MOST + 20);
    assert_int_equal(quatsimd_pack(format, packed, size, quatsimd_aos(q), MOST + 20), QUATSIMD_OK);
    assert_int_equal(quatsimd_unpack(format, quatsimd_aos_out(all), packed, size, 0, MOST + 20), QUATSIMD_OK);
    for (size_t count = 0; count <= MOST; count = next_count(count))
      for (int at_end = 0; at_end < 2; at_end++) {
        check_unpacked(format, all, packed, 0, count, at_end);
        check_unpacked(format, all, packed, 1 + count % 17, count, at_end);
      }
  }
}

static void one_is_packed_many_times(void **state) {
  (void)state;
  static float many[4 * MOST];
  static unsigned char expected[16 * MOST], got[16 * MOST];
  float one[4], w_first[4];
  uint64_t random = 2;
  random_rotations(one, 1, &random);
  for (size_t c = 0; c < 4; c++) w_first[(c + 1) % 4] = one[c];
  for (size_t i = 0; i < 4 * MOST; i++) many[i] = one[i % 4];
  quatsimd_format format;
  FOR_EACH_FORMAT(format) for (size_t count = 0; count <= MOST; count = next_count(count)) {
    const size_t size = quatsimd_packed_size(format, count);
    assert_int_equal(quatsimd_pack(format, expected, size, quatsimd_aos(many), count), QUATSIMD_OK);
    assert_int_equal(quatsimd_pack(format, got, size, quatsimd_one(one), count), QUATSIMD_OK);
    HOLDS(format, &places[0], count, memcmp(got, expected, size) == 0);
    assert_int_equal(quatsimd_pack(format, got, size, quatsimd_wxyz(quatsimd_one(w_first)), count),
                     QUATSIMD_OK);
    HOLDS(format, &places[1], count, memcmp(got, expected, size) == 0);
  }
}

/* Elements with a long stride are processed in smaller chunks. */
static void strides_may_be_long(void **state) {
  (void)state;
  enum { COUNT = 150, FLOATS = 70 };
  static float w_first[FLOATS * COUNT], expected[4 * COUNT], q[4 * COUNT];
  unsigned char packed[16 * COUNT], again[16 * COUNT];
  uint64_t random = 8;
  random_rotations(q, COUNT, &random);
  quatsimd_format format;
  FOR_EACH_FORMAT(format) for (size_t stride = 4; stride <= FLOATS; stride += stride < 20 ? 1 : 5) {
    const size_t size = quatsimd_packed_size(format, COUNT);
    const place p = {"w-first strided", 1, 4 * stride, true};
    for (size_t i = 0; i < 4 * COUNT; i++) w_first[offset_of(&p, i / 4, i % 4)] = q[i];
    assert_int_equal(quatsimd_pack(format, packed, size, quatsimd_aos(q), COUNT), QUATSIMD_OK);
    assert_int_equal(quatsimd_pack(format, again, size, in_view(&p, w_first), COUNT), QUATSIMD_OK);
    HOLDS(format, &p, stride, memcmp(again, packed, size) == 0);
    for (size_t first = 0; first < 2; first++) {
      const size_t n = COUNT - first;
      memset(w_first, FILL, sizeof w_first);
      assert_int_equal(quatsimd_unpack(format, quatsimd_aos_out(expected), packed, size, first, n),
                       QUATSIMD_OK);
      assert_int_equal(quatsimd_unpack(format, out_view(&p, w_first), packed, size, first, n), QUATSIMD_OK);
      for (size_t i = 0; i < 4 * n; i++)
        HOLDS(format, &p, stride, memcmp(&w_first[offset_of(&p, i / 4, i % 4)], &expected[i], 4) == 0);
      size_t written = 0;
      for (size_t i = 0; i < FLOATS * COUNT; i++) written += w_first[i] == w_first[i];
      HOLDS(format, &p, stride, written == 4 * n);
    }
  }
}

static void invalid_ones_are_found_in_every_layout(void **state) {
  (void)state;
  static float q[4 * MOST];
  uint64_t random = 3;
  for (size_t count = 0; count <= MOST; count = next_count(count)) {
    random_rotations(q, count, &random);
    const size_t at = count == 0 ? 0 : sweep_next(&random) % count;
    if (count > 0) q[4 * at + count % 4] = NAN;
    for (const place *p = places; p < places + PLACES; p++) {
      float *from = place_floats(p, count, count % 2);
      for (size_t i = 0; i < 4 * count; i++) from[offset_of(p, i / 4, i % 4)] = q[i];
      assert_int_equal(quatsimd_find_invalid(in_view(p, from), count, 0), at);
      assert_int_equal(quatsimd_find_invalid(in_view(p, from), count, at + 1), count);
    }
  }
}

/* Packing and unpacking must refuse these views. The tests of operations have the same list. */
static void bad_views_are_refused(void **state) {
  (void)state;
  float q[64];
  unsigned char packed[256];
  memset(q, FILL, sizeof q), memset(packed, FILL, sizeof packed);
  quatsimd_in in[32];
  quatsimd_out out[32];
  size_t n = 0;
#define BAD(source, target) (in[n] = source, out[n++] = target)
  for (unsigned block = 0; block <= 16; block++)
    BAD(quatsimd_blocks(block == 4 || block == 8 ? NULL : q, block),
        quatsimd_blocks_out(block == 4 || block == 8 ? NULL : q, block));
  BAD(quatsimd_wxyz(quatsimd_soa(q, q + 8, q + 16, q + 24)),
      quatsimd_wxyz_out(quatsimd_soa_out(q, q + 8, q + 16, q + 24)));
  BAD(quatsimd_wxyz(quatsimd_aos(NULL)), quatsimd_wxyz_out(quatsimd_aos_out(NULL)));
  BAD(((quatsimd_in){0}), ((quatsimd_out){0}));
  BAD(quatsimd_aos(q), quatsimd_aos_out(q));
  in[n - 1].order = (quatsimd_view_order)2, out[n - 1].order = (quatsimd_view_order)-1;
  BAD(quatsimd_aos(q), quatsimd_aos_out(q));
  in[n - 1].layout = (quatsimd_view_layout)5, out[n - 1].layout = (quatsimd_view_layout)-1;
  BAD(quatsimd_aos(q), quatsimd_aos_out(q));
  in[n - 1].layout = QUATSIMD_VIEW_NONE, out[n - 1].layout = QUATSIMD_VIEW_NONE;
  quatsimd_format format;
  FOR_EACH_FORMAT(format) for (size_t i = 0; i < n; i++) {
    HOLDS(format, &places[0], i,
          quatsimd_pack(format, packed, sizeof packed, in[i], 8) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(format, &places[0], i,
          quatsimd_unpack(format, out[i], packed, sizeof packed, 0, 8) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(format, &places[0], i, quatsimd_pack(format, packed, sizeof packed, in[i], 0) == QUATSIMD_OK);
    HOLDS(format, &places[0], i, quatsimd_unpack(format, out[i], packed, sizeof packed, 0, 0) == QUATSIMD_OK);
    HOLDS(format, &places[0], i, quatsimd_find_invalid(in[i], 8, 0) == 8);
  }
  for (size_t i = 0; i < sizeof packed; i++) assert_int_equal(packed[i], FILL);
  for (size_t i = 0; i < sizeof q; i++) assert_int_equal(((unsigned char *)q)[i], FILL);
}

/* The output may share the input's memory with another order of components. It may not if elements are at
 * other addresses. */
static void memory_may_be_shared_where_elements_stay(void **state) {
  (void)state;
  static float q[4 * MOST], unit[4 * MOST];
  uint64_t random = 4;
  random_rotations(q, MOST, &random);
  assert_int_equal(quatsimd_conjugate(quatsimd_aos_out(unit), quatsimd_aos(q), MOST), QUATSIMD_OK);
  for (const place *p = places; p < places + PLACES; p++)
    for (const place *to = places; to < places + PLACES; to++) {
      float *memory = place_floats(p, MOST, false);
      const bool stay = p->block == to->block && p->stride == to->stride;
      for (size_t i = 0; i < 4 * MOST; i++) memory[offset_of(p, i / 4, i % 4)] = q[i];
      const quatsimd_status status = quatsimd_conjugate(out_view(to, memory), in_view(p, memory), MOST);
      if (status != (stay ? QUATSIMD_OK : QUATSIMD_ERROR_BAD_ARGUMENT))
        fail_msg("%s to %s: %d", p->name, to->name, status);
      for (size_t i = 0; i < 4 * MOST; i++)
        if (memcmp(&memory[offset_of(stay ? to : p, i / 4, i % 4)], stay ? &unit[i] : &q[i], 4) != 0)
          fail_msg("%s to %s: element %zu", p->name, to->name, i / 4);
    }
}

/* Tests functions that are not in the table of operations. They must give the results of the layout aos for
 * w-first blocks of quaternions, and for blocks of vectors, scalars and transforms. */
enum { SOME = 139 };
static void to_blocks(float *to, const float *from, size_t width, size_t block) {
  const place p = {"", (unsigned)block, 0, width == 4};
  for (size_t i = 0; i < SOME; i++)
    for (size_t c = 0; c < width; c++) {
      const size_t row = p.w_first ? (c + 1) % 4 : c;
      to[i / block * block * width + row * block + i % block] = from[width * i + c];
    }
}
#define OK(call) assert_int_equal(call, QUATSIMD_OK)

static void relative_codes_take_blocks(void **state) {
  (void)state;
  static float base[4 * SOME], value[4 * SOME], out[4 * SOME];
  static float b[4 * SOME + 32], v[4 * SOME + 32], o[4 * SOME + 32];
  unsigned char packed[4 * SOME], again[4 * SOME];
  uint64_t random = 5;
  random_rotations(base, SOME, &random), random_rotations(value, SOME, &random);
  for (size_t block = 4; block <= 8; block += 4) {
    to_blocks(b, base, 4, block), to_blocks(v, value, 4, block);
    const quatsimd_relative_format format = QUATSIMD_RELATIVE_CAYLEY32;
    const quatsimd_in bases = quatsimd_wxyz(quatsimd_blocks(b, (unsigned)block)),
                      values = quatsimd_wxyz(quatsimd_blocks(v, (unsigned)block));
    assert_false(quatsimd_failed(quatsimd_relative_pack(format, 3.141592f, packed, sizeof packed, NULL,
                                                        quatsimd_aos(base), quatsimd_aos(value), SOME)));
    assert_false(quatsimd_failed(
        quatsimd_relative_pack(format, 3.141592f, again, sizeof again, NULL, bases, values, SOME)));
    assert_memory_equal(packed, again, sizeof packed);
    OK(quatsimd_relative_unpack(format, 3.141592f, quatsimd_aos_out(out), quatsimd_aos(base), packed,
                                sizeof packed, SOME));
    OK(quatsimd_relative_unpack(format, 3.141592f, quatsimd_wxyz_out(quatsimd_blocks_out(o, (unsigned)block)),
                                bases, packed, sizeof packed, SOME));
    to_blocks(v, out, 4, block);
    for (size_t i = 0; i < SOME / block * block * 4; i++) assert_memory_equal(&o[i], &v[i], 4);
  }
}

static void transforms_take_blocks(void **state) {
  (void)state;
  static float sqt[8 * SOME], out[8 * SOME], s[8 * SOME + 64], o[8 * SOME + 64], expected[8 * SOME + 64];
  unsigned char packed[16 * SOME], again[16 * SOME];
  uint64_t random = 6;
  for (size_t i = 0; i < SOME; i++) {
    random_rotations(sqt + 8 * i, 1, &random);
    for (size_t c = 4; c < 8; c++) sqt[8 * i + c] = (float)random_unit(&random);
  }
  for (unsigned block = 4; block <= 8; block += 4) {
    memset(o, FILL, sizeof o), memset(expected, FILL, sizeof expected);
    to_blocks(s, sqt, 8, block);
    OK(quatsimd_sqt_pack(packed, sizeof packed, quatsimd_aos(sqt), SOME));
    OK(quatsimd_sqt_pack(again, sizeof again, quatsimd_blocks(s, block), SOME));
    assert_memory_equal(packed, again, sizeof packed);
    OK(quatsimd_sqt_unpack(quatsimd_aos_out(out), packed, sizeof packed, SOME));
    OK(quatsimd_sqt_unpack(quatsimd_blocks_out(o, block), packed, sizeof packed, SOME));
    to_blocks(expected, out, 8, block);
    assert_memory_equal(o, expected, sizeof o);
    OK(quatsimd_sqt_compose(quatsimd_aos_out(out), quatsimd_aos(sqt), quatsimd_aos(sqt), SOME));
    OK(quatsimd_sqt_compose(quatsimd_blocks_out(s, block), quatsimd_blocks(s, block),
                            quatsimd_blocks(s, block), SOME));
    to_blocks(o, out, 8, block);
    assert_memory_equal(o, s, SOME / block * block * 32);
    assert_int_equal(quatsimd_sqt_pack(packed, sizeof packed, quatsimd_wxyz(quatsimd_aos(sqt)), SOME),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
  }
}

static void tangent_frames_take_blocks(void **state) {
  (void)state;
  static float q[4 * SOME], h[SOME], n[3 * SOME], t[3 * SOME], qb[4 * SOME + 32], hb[SOME + 8],
      o[4 * SOME + 32], oh[SOME + 8], nb[3 * SOME + 24], tb[3 * SOME + 24], out[4 * SOME],
      expected[4 * SOME + 32];
  unsigned char packed[4 * SOME], again[4 * SOME];
  uint64_t random = 7;
  random_rotations(q, SOME, &random);
  for (size_t i = 0; i < SOME; i++) h[i] = i % 3 ? 1 : -1;
  for (size_t i = 0; i < 3 * SOME; i++)
    n[i] = (float)random_gauss(&random), t[i] = (float)random_gauss(&random);
  for (unsigned block = 4; block <= 8; block += 4) {
    memset(o, FILL, sizeof o), memset(expected, FILL, sizeof expected);
    to_blocks(qb, q, 4, block), to_blocks(hb, h, 1, block), to_blocks(nb, n, 3, block),
        to_blocks(tb, t, 3, block);
    OK(quatsimd_qtangent_pack(packed, sizeof packed, quatsimd_aos(q), quatsimd_aos(h), SOME));
    OK(quatsimd_qtangent_pack(again, sizeof again, quatsimd_wxyz(quatsimd_blocks(qb, block)),
                              quatsimd_blocks(hb, block), SOME));
    assert_memory_equal(packed, again, sizeof packed);
    OK(quatsimd_qtangent_unpack(quatsimd_aos_out(out), quatsimd_aos_out(h), packed, sizeof packed, SOME));
    OK(quatsimd_qtangent_unpack(quatsimd_wxyz_out(quatsimd_blocks_out(o, block)),
                                quatsimd_blocks_out(oh, block), packed, sizeof packed, SOME));
    to_blocks(expected, out, 4, block);
    assert_memory_equal(o, expected, sizeof o);
    assert_memory_equal(oh, h, sizeof h);
    OK(quatsimd_qtangent_from_tangents(quatsimd_aos_out(out), quatsimd_aos(n), quatsimd_aos(t), SOME));
    OK(quatsimd_qtangent_from_tangents(quatsimd_wxyz_out(quatsimd_blocks_out(o, block)),
                                       quatsimd_blocks(nb, block), quatsimd_blocks(tb, block), SOME));
    to_blocks(expected, out, 4, block);
    assert_memory_equal(o, expected, sizeof o);
  }
}

typedef quatsimd_status (*unary)(quatsimd_out, quatsimd_in, size_t);

static float *moved(float *p, ptrdiff_t by) { return p ? p + by : NULL; }
static const float *moved_in(const float *p, ptrdiff_t by) { return p ? p + by : NULL; }

/* Checks that a call with overlapping memory gives the results of separate memory. */
enum { FLOATS = 1024 };
static void check_overlap(const char *name, unary call, quatsimd_out out, quatsimd_in in, size_t count,
                          quatsimd_status status, float *memory) {
  static float source[FLOATS], wanted[FLOATS];
  uint64_t random = 9;
  random_rotations(memory, FLOATS / 4, &random);
  memcpy(source, memory, sizeof source), memcpy(wanted, memory, sizeof wanted);
  const ptrdiff_t to = wanted - memory, from = source - memory;
  quatsimd_out out_apart = out;
  quatsimd_in in_apart = in;
  out_apart.x = moved(out.x, to), out_apart.y = moved(out.y, to), out_apart.z = moved(out.z, to),
  out_apart.w = moved(out.w, to);
  in_apart.x = moved_in(in.x, from), in_apart.y = moved_in(in.y, from), in_apart.z = moved_in(in.z, from),
  in_apart.w = moved_in(in.w, from);
  if (status == QUATSIMD_OK) OK(call(out_apart, in_apart, count));
  const quatsimd_status got = call(out, in, count);
  if (got != status) fail_msg("%s, count %zu: %d, not %d", name, count, got, status);
  if (memcmp(memory, wanted, sizeof wanted) != 0) fail_msg("%s, count %zu: other results", name, count);
}

/* An output may begin at the address of an input only if each element has the same bytes in both. A single
 * element is read before it is written. */
static void views_that_begin_together(void **state) {
  (void)state;
  enum { COUNT = 40 };
  static float f[FLOATS];
  float *const x = f, *const y = f + 200, *const z = f + 400, *const w = f + 600, *const o = f + 800;
  const quatsimd_in soa = quatsimd_soa(x, y, z, w), vectors = quatsimd_soa(x, y, z, NULL);
  const struct {
    const char *name;
    unary call;
    quatsimd_out out;
    quatsimd_in in;
    bool same;
  } rows[] = {
      {"aos", quatsimd_conjugate, quatsimd_aos_out(x), quatsimd_aos(x), true},
      {"aos as strided", quatsimd_conjugate, quatsimd_strided_out(x, 16), quatsimd_aos(x), true},
      {"w-first", quatsimd_conjugate, quatsimd_aos_out(x), quatsimd_wxyz(quatsimd_aos(x)), true},
      {"w-first blocks", quatsimd_conjugate, quatsimd_wxyz_out(quatsimd_blocks_out(x, 4)),
       quatsimd_blocks(x, 4), true},
      {"soa", quatsimd_conjugate, quatsimd_soa_out(x, y, z, w), soa, true},
      {"another stride", quatsimd_conjugate, quatsimd_strided_out(x, 20), quatsimd_aos(x), false},
      {"a window", quatsimd_conjugate, quatsimd_aos_out(x), quatsimd_strided(x, 4), false},
      {"one", quatsimd_conjugate, quatsimd_aos_out(x), quatsimd_one(x), false},
      {"one in soa", quatsimd_conjugate, quatsimd_soa_out(o, x, y, z), quatsimd_one(x), false},
      {"other blocks", quatsimd_conjugate, quatsimd_blocks_out(x, 4), quatsimd_blocks(x, 8), false},
      {"blocks in aos", quatsimd_conjugate, quatsimd_aos_out(x), quatsimd_blocks(x, 4), false},
      {"soa in aos", quatsimd_conjugate, quatsimd_aos_out(x), soa, false},
      {"soa in aos at w", quatsimd_conjugate, quatsimd_aos_out(w), soa, false},
      {"aos in soa", quatsimd_conjugate, quatsimd_soa_out(x, y, z, w), quatsimd_aos(x), false},
      {"aos in soa at z", quatsimd_conjugate, quatsimd_soa_out(x, y, z, w), quatsimd_aos(z), false},
      {"x and y change places", quatsimd_conjugate, quatsimd_soa_out(y, x, z, w), soa, false},
      {"z and w change places", quatsimd_conjugate, quatsimd_soa_out(x, y, w, z), soa, false},
      {"another w", quatsimd_conjugate, quatsimd_soa_out(x, y, z, o), soa, false},
      {"w in y's place alone", quatsimd_conjugate, quatsimd_soa_out(o, o + 50, o + 100, y), soa, false},
      {"vectors to quaternions", quatsimd_exp, quatsimd_aos_out(x), quatsimd_aos(x), false},
      {"the same of one stride", quatsimd_exp, quatsimd_aos_out(x), quatsimd_strided(x, 16), false},
      {"the same in soa", quatsimd_exp, quatsimd_soa_out(x, y, z, w), vectors, false},
      {"the same in blocks", quatsimd_exp, quatsimd_blocks_out(x, 4), quatsimd_blocks(x, 4), false},
      {"quaternions to vectors", quatsimd_log, quatsimd_strided_out(x, 16), quatsimd_aos(x), false},
      {"the same in soa", quatsimd_log, quatsimd_soa_out(x, y, z, NULL), soa, false},
      {"lengths", quatsimd_norm, quatsimd_strided_out(x, 16), quatsimd_aos(x), false},
      {"lengths in w", quatsimd_norm, quatsimd_aos_out(w), soa, false},
      {"apart", quatsimd_conjugate, quatsimd_aos_out(o), quatsimd_aos(x), true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    check_overlap(rows[i].name, rows[i].call, rows[i].out, rows[i].in, COUNT,
                  rows[i].same ? QUATSIMD_OK : QUATSIMD_ERROR_BAD_ARGUMENT, f);
    check_overlap(rows[i].name, rows[i].call, rows[i].out, rows[i].in, 1, QUATSIMD_OK, f);
  }
}

static void outputs_do_not_share(void **state) {
  (void)state;
  float f[128] = {0};
  uint32_t words[8] = {0};
  const quatsimd_in a = quatsimd_aos(f + 64);
  for (size_t count = 1; count <= 2; count++) {
    assert_int_equal(quatsimd_conjugate(quatsimd_soa_out(f, f + 8, f + 16, f + 8), a, count),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_to_axis_angle(quatsimd_aos_out(f), quatsimd_aos_out(f), a, count),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(
        quatsimd_to_axis_angle(quatsimd_soa_out(f, f + 8, f + 16, NULL), quatsimd_aos_out(f + 16), a, count),
        QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_qtangent_to_tbn(quatsimd_aos_out(f), quatsimd_aos_out(f + 16),
                                              quatsimd_aos_out(f), a, a, count),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_qtangent_from_tbn(quatsimd_aos_out(f), quatsimd_aos_out(f), a, a, a, count),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(
        quatsimd_qtangent_unpack(quatsimd_aos_out(f), quatsimd_aos_out(f), words, sizeof words, count),
        QUATSIMD_ERROR_BAD_ARGUMENT);
  }
  for (size_t i = 0; i < 128; i++) assert_true(f[i] == 0);
}

/* Functions that are not in the table of operations also refuse overlapping memory. */
static void overlap_is_refused(void **state) {
  (void)state;
  float f[64] = {0}, weight[2] = {1, 1}, bone[8] = {0, 0, 0, 1, 0, 0, 0, 1};
  uint32_t words[8] = {0};
  const uint16_t bones[2] = {0};
  assert_int_equal(quatsimd_multiply(quatsimd_aos_out(f), quatsimd_one(f), quatsimd_aos(f), 2),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_relative_unpack(QUATSIMD_RELATIVE_CAYLEY32, 1, quatsimd_aos_out(f),
                                            quatsimd_one(f), words, 8, 2),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_qtangent_align_morph(quatsimd_aos_out(f), quatsimd_one(f), 2),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_qtangent_from_tangents(quatsimd_aos_out(f), quatsimd_aos(f + 32),
                                                   /* the bitangent is a third input */
                                                   quatsimd_strided(f, 16), 2),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(
      quatsimd_sqt_skin(quatsimd_aos_out(f), quatsimd_strided(f, 16), bone, 1, bones, weight, 1, 2),
      QUATSIMD_ERROR_BAD_ARGUMENT);
}

/* Calls refuse packed data that begin at the address of floats or of other packed data. */
static void packed_data_are_apart(void **state) {
  (void)state;
  static float f[256];
  float *const z = f + 128;
  memset(f, FILL, sizeof f);
  quatsimd_format format;
  FOR_EACH_FORMAT(format) for (size_t count = 0; count <= 9; count += count == 0 ? 1 : 8) {
    const quatsimd_status expected = count == 0 ? QUATSIMD_OK : QUATSIMD_ERROR_BAD_ARGUMENT;
    HOLDS(format, places, count, quatsimd_pack(format, f, sizeof f, quatsimd_aos(f), count) == expected);
    HOLDS(format, places, count,
          quatsimd_unpack(format, quatsimd_aos_out(f), f, sizeof f, 0, count) == expected);
    HOLDS(format, places, count,
          quatsimd_pack(format, z, 512, quatsimd_soa(f, f + 64, z, f + 192), count) == expected);
    HOLDS(format, places, count,
          quatsimd_unpack(format, quatsimd_soa_out(f, f + 64, z, f + 192), z, 512, 0, count) == expected);
    HOLDS(format, places, count,
          quatsimd_transcode(format, f, sizeof f, format, f, sizeof f, count) == expected);
    HOLDS(format, places, count, quatsimd_meshopt_to_snorm16x4(f, sizeof f, f, sizeof f, count) == expected);
  }
  for (size_t i = 0; i < sizeof f; i++) assert_int_equal(((unsigned char *)f)[i], FILL);
}

static void in_is(quatsimd_in found, quatsimd_in expected) {
  assert_true(found.x == expected.x && found.y == expected.y && found.z == expected.z &&
              found.w == expected.w && found.stride == expected.stride && found.layout == expected.layout &&
              found.order == expected.order && found.block == expected.block);
}
static void out_is(quatsimd_out found, quatsimd_out expected) {
  in_is(quatsimd_to_read(found), quatsimd_to_read(expected));
}

/* The exported functions make the same views as the inline ones. Bindings of other languages call them. */
static void exported_functions_make_the_same_views(void **state) {
  (void)state;
  float x[4] = {0}, y[4], z[4], w[4];
  in_is(quatsimd_view_aos(x), quatsimd_aos(x));
  out_is(quatsimd_view_aos_out(x), quatsimd_aos_out(x));
  in_is(quatsimd_view_strided(x, 28), quatsimd_strided(x, 28));
  out_is(quatsimd_view_strided_out(x, 28), quatsimd_strided_out(x, 28));
  in_is(quatsimd_view_one(x), quatsimd_one(x));
  in_is(quatsimd_view_soa(x, y, z, w), quatsimd_soa(x, y, z, w));
  out_is(quatsimd_view_soa_out(x, y, z, w), quatsimd_soa_out(x, y, z, w));
  in_is(quatsimd_view_blocks(x, 8), quatsimd_blocks(x, 8));
  out_is(quatsimd_view_blocks_out(x, 4), quatsimd_blocks_out(x, 4));
  in_is(quatsimd_view_wxyz(quatsimd_aos(x)), quatsimd_wxyz(quatsimd_aos(x)));
  out_is(quatsimd_view_wxyz_out(quatsimd_blocks_out(x, 4)), quatsimd_wxyz_out(quatsimd_blocks_out(x, 4)));
}

int main(void) {
  skip_other_kernels();
  floats = arena_new(ARENA), codes = arena_new(16 * (MOST + 20) + 64);
  const struct CMUnitTest tests[] = {cmocka_unit_test(packing_takes_every_layout),
                                     cmocka_unit_test(unpacking_gives_every_layout),
                                     cmocka_unit_test(one_is_packed_many_times),
                                     cmocka_unit_test(strides_may_be_long),
                                     cmocka_unit_test(invalid_ones_are_found_in_every_layout),
                                     cmocka_unit_test(bad_views_are_refused),
                                     cmocka_unit_test(views_that_begin_together),
                                     cmocka_unit_test(outputs_do_not_share),
                                     cmocka_unit_test(overlap_is_refused),
                                     cmocka_unit_test(packed_data_are_apart),
                                     cmocka_unit_test(memory_may_be_shared_where_elements_stay),
                                     cmocka_unit_test(relative_codes_take_blocks),
                                     cmocka_unit_test(transforms_take_blocks),
                                     cmocka_unit_test(tangent_frames_take_blocks),
                                     cmocka_unit_test(exported_functions_make_the_same_views)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
