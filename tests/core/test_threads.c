/* Makes the first use of the library in many threads at once. Tests which kernels are active. */
#include "support/kernels.h"
#include "support/random.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { THREADS = 16, ROUNDS = 200, COUNT = 333 };

static float quats[4 * COUNT];
static pthread_barrier_t barrier;

typedef struct thread {
  pthread_t id;
  const char *isa;
  bool ok;
  unsigned char packed[16 * COUNT];
  float unpacked[4 * COUNT];
} thread;
static thread threads[THREADS];

/* Half of the threads first use the library in quatsimd_isa(), the others in quatsimd_pack(). */
static void *use(void *argument) {
  thread *t = argument;
  const quatsimd_format format = QUATSIMD_FORMAT_SMALLEST3(9);
  const size_t size = quatsimd_packed_size(format, COUNT);
  pthread_barrier_wait(&barrier);
  if ((t - threads) % 2 == 0) t->isa = quatsimd_isa();
  t->ok = quatsimd_pack(format, t->packed, size, quatsimd_aos(quats), COUNT) == QUATSIMD_OK &&
          quatsimd_unpack(format, quatsimd_aos_out(t->unpacked), t->packed, size, 0, COUNT) == QUATSIMD_OK;
  if ((t - threads) % 2 == 1) t->isa = quatsimd_isa();
  return NULL;
}

static void first_use_at_once(void **state) {
  (void)state;
  const quatsimd_format format = QUATSIMD_FORMAT_SMALLEST3(9);
  const size_t size = quatsimd_packed_size(format, COUNT);
  static unsigned char packed[16 * COUNT];
  static float unpacked[4 * COUNT];
  uint64_t random = 1;
  random_rotations(quats, COUNT, &random);
  run_pack(scalar_kernels(), format, packed, quatsimd_structs(quats, 4), COUNT);
  run_unpack(scalar_kernels(), format, quatsimd_structs(unpacked, 4), packed, COUNT);
  const char *const chosen = quatsimd_isa();

  for (int round = 0; round < ROUNDS; round++) {
    memset(threads, 0, sizeof threads);
    quatsimd_use_kernels(NULL); /* so that a thread chooses the kernels again */
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++)
      assert_int_equal(pthread_create(&threads[i].id, NULL, use, &threads[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i].id, NULL), 0);
    pthread_barrier_destroy(&barrier);
    for (int i = 0; i < THREADS; i++) {
      assert_true(threads[i].ok);
      assert_ptr_equal(threads[i].isa, chosen);
      assert_memory_equal(threads[i].packed, packed, size);
      assert_memory_equal(threads[i].unpacked, unpacked, sizeof unpacked);
    }
  }
}

/* quatsimd_use_kernels(NULL) must choose the table that QUATSIMD_ISA names if this CPU can run it. Else it
 * must choose the first table that this CPU can run. */
static void kernels_in_use(void **state) {
  (void)state;
  const char *const chosen = quatsimd_isa(), *const wanted = getenv("QUATSIMD_ISA");
  const quatsimd_kernels *best = NULL;
  for (size_t i = 0; quatsimd_kernel_list[i]; i++) {
    const quatsimd_kernels *k = quatsimd_kernel_list[i];
    quatsimd_use_kernels(k);
    assert_ptr_equal(quatsimd_active_kernels(), k);
    assert_ptr_equal(quatsimd_isa(), k->name);
    if (can_run(k) && (!best || (wanted && strcmp(wanted, k->name) == 0))) best = k;
  }
  quatsimd_use_kernels(NULL);
  assert_ptr_equal(quatsimd_active_kernels(), best);
  assert_ptr_equal(quatsimd_isa(), chosen);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(first_use_at_once), cmocka_unit_test(kernels_in_use)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
