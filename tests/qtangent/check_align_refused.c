/* Tests calls of quatsimd_qtangent_align_mesh that are refused, and the size of its scratch memory. */
#include "align.h"

/* The arguments of a good call. Each refused call differs from it in one argument and writes nothing. */
enum { COUNT = 12, INDICES = 36 };
typedef struct call {
  float q[4 * COUNT];
  uint32_t indices[INDICES], scratch[3 * COUNT + 2 + INDICES + 1];
  size_t unaligned;
} call;
static call c;

#define STATUS(wanted, target, n, index_pointer, bytes, index_n, scratch_pointer, size)                      \
  do {                                                                                                       \
    call *const was = copied(&c, sizeof c);                                                                  \
    assert_int_equal(quatsimd_qtangent_align_mesh(target, n, index_pointer, bytes, index_n, scratch_pointer, \
                                                  size, &c.unaligned),                                       \
                     wanted);                                                                                \
    if ((wanted) != QUATSIMD_OK) assert_memory_equal(was, &c, sizeof c);                                     \
    memcpy(&c, was, sizeof c);                                                                               \
    free(was);                                                                                               \
  } while (0)

/* Replaces each index in turn by a bad one, in indices of 4 and of 2 bytes. */
static void bad_indices_are_refused(const mesh *m, size_t size) {
  const quatsimd_out q = quatsimd_aos_out(c.q);
  const quatsimd_status bad = QUATSIMD_ERROR_BAD_ARGUMENT, ok = QUATSIMD_OK;
  static const uint32_t wrong[] = {COUNT, COUNT + 1, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff};
  for (size_t i = 0; i < INDICES; i++)
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
      c.indices[i] = wrong[w];
      STATUS(bad, q, COUNT, c.indices, 4, INDICES, c.scratch, size);
      STATUS(i < 3 ? bad : ok, q, COUNT, c.indices, 4, i < 3 ? INDICES : i / 3 * 3, c.scratch, size);
      c.indices[i] = m->indices[i];
      uint16_t narrow[INDICES];
      for (size_t k = 0; k < INDICES; k++) narrow[k] = (uint16_t)m->indices[k];
      STATUS(ok, q, COUNT, narrow, 2, INDICES, c.scratch, size);
      narrow[i] = (uint16_t)wrong[w];
      STATUS(narrow[i] < COUNT ? ok : bad, q, COUNT, narrow, 2, INDICES, c.scratch, size);
    }
}

void bad_arguments_are_refused(void **state) {
  (void)state;
  mesh m = make_grid(3, 4);
  memset(&c, FILL, sizeof c);
  random_signs(&m, 2);
  assert_int_equal(m.count, COUNT);
  assert_int_equal(m.index_count, INDICES);
  memcpy(c.q, m.q, sizeof c.q), memcpy(c.indices, m.indices, sizeof c.indices);
  const quatsimd_out q = quatsimd_aos_out(c.q);
  const size_t size = quatsimd_qtangent_align_scratch_size(COUNT, INDICES);
  assert_true(size <= sizeof c.scratch - 4);
  const quatsimd_status bad = QUATSIMD_ERROR_BAD_ARGUMENT, ok = QUATSIMD_OK;

  STATUS(ok, q, COUNT, c.indices, 4, INDICES, c.scratch, size);
  STATUS(bad, quatsimd_aos_out(NULL), COUNT, c.indices, 4, INDICES, c.scratch, size);
  STATUS(bad, quatsimd_soa_out(c.q, c.q + COUNT, c.q + 2 * COUNT, NULL), COUNT, c.indices, 4, INDICES,
         c.scratch, size);
  STATUS(bad, quatsimd_strided_out(c.q, 12), COUNT, c.indices, 4, INDICES, c.scratch, size);
  STATUS(bad, quatsimd_strided_out(c.q, 17), COUNT, c.indices, 4, INDICES, c.scratch, size);
  STATUS(bad, q, COUNT, NULL, 4, INDICES, c.scratch, size);
  STATUS(bad, q, COUNT, c.indices, 4, INDICES, NULL, size);
  for (size_t by = 1; by < 4; by++)
    STATUS(bad, q, COUNT, c.indices, 4, INDICES, (char *)c.scratch + by, size);
  for (size_t less = 1; less <= size; less++)
    STATUS(QUATSIMD_ERROR_SHORT_BUFFER, q, COUNT, c.indices, 4, INDICES, c.scratch, size - less);
  for (int bytes = -4; bytes < 10; bytes++)
    if (bytes != 2 && bytes != 4) STATUS(bad, q, COUNT, c.indices, bytes, 3, c.scratch, size);
  for (size_t n = 1; n < INDICES; n++) STATUS(n % 3 ? bad : ok, q, COUNT, c.indices, 4, n, c.scratch, size);

  bad_indices_are_refused(&m, size);
  STATUS(bad, q, COUNT - 1, c.indices, 4, INDICES, c.scratch, size);

  /* no indices or no vertices */
  STATUS(ok, q, COUNT, NULL, 4, 0, NULL, 0);
  STATUS(ok, quatsimd_aos_out(NULL), 0, NULL, 2, 0, NULL, 0);
  STATUS(bad, quatsimd_aos_out(NULL), COUNT, NULL, 4, 0, NULL, 0);
  STATUS(bad, quatsimd_aos_out(NULL), 0, NULL, 3, 0, NULL, 0);
  STATUS(bad, q, 0, c.indices, 4, INDICES, c.scratch, size);
  c.unaligned = 5;
  assert_int_equal(quatsimd_qtangent_align_mesh(q, COUNT, NULL, 4, 0, NULL, 0, &c.unaligned), QUATSIMD_OK);
  assert_int_equal(c.unaligned, 0);
  assert_memory_equal(c.q, m.q, sizeof c.q);

  /* without a pointer to the number of edges, and with exactly the required scratch memory */
  assert_int_equal(quatsimd_qtangent_align_mesh(q, COUNT, c.indices, 4, INDICES, c.scratch, size, NULL),
                   QUATSIMD_OK);
  assert_int_equal(align(&m), 0);
  assert_memory_equal(c.q, m.q, sizeof c.q);
  assert_memory_equal(c.indices, m.indices, sizeof c.indices);
  assert_true(untouched(c.scratch + size / 4, sizeof c.scratch - size));
  free_mesh(&m);
}

void scratch_never_overflows(void **state) {
  (void)state;
  const size_t most = (size_t)1 << 31;
  assert_true(quatsimd_qtangent_align_scratch_size(0, 0) > 0 &&
              quatsimd_qtangent_align_scratch_size(1, 3) > 0);
  for (size_t more = 1; more != 0; more *= 2) {
    assert_int_equal(quatsimd_qtangent_align_scratch_size(most + more, 3), 0);
    assert_int_equal(quatsimd_qtangent_align_scratch_size(3, most + more), 0);
    if (more > SIZE_MAX / 4) break; /* most + more could overflow */
  }
  assert_int_equal(quatsimd_qtangent_align_scratch_size(SIZE_MAX, SIZE_MAX), 0);
  for (unsigned a = 0; a <= 31; a++)
    for (unsigned b = 0; b <= 31; b++) {
      const size_t count = (size_t)1 << a, index_count = (size_t)1 << b;
      const uint64_t least = 4 * ((uint64_t)count + index_count),
                     size = quatsimd_qtangent_align_scratch_size(count, index_count);
      if (size == 0) assert_true(4 * least > SIZE_MAX);
      else assert_true(size > least && size <= 4 * least);
    }
  float q[4] = {0, 0, 0, 1};
  uint32_t scratch[64], index[3] = {0, 0, 0};
  size_t unaligned = 77;
  assert_int_equal(
      quatsimd_qtangent_align_mesh(quatsimd_aos_out(q), most + 1, index, 4, 3, scratch, SIZE_MAX, &unaligned),
      QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(
      quatsimd_qtangent_align_mesh(quatsimd_aos_out(q), 1, index, 4, most + 1, scratch, SIZE_MAX, &unaligned),
      QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(unaligned, 77);
}
