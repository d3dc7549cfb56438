/* The first use of the library by many threads at once. Meant for thread sanitizer too. */
#include "support/kernels.h"
#include "support/random.h"

/* dispatch.c once more, in place of the library's: without its constructor, which would choose the kernels
 * before main, and with `active` in reach, so that there can be many first times. */
#define constructor unused
#include "core/dispatch.c"
#undef constructor

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

/* Even threads ask for the name first, odd ones pack first. */
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
  run_pack(scalar_kernels(), format, QUATSIMD_AOS, packed, quats, quats, quats, quats, 16, COUNT);
  run_unpack(scalar_kernels(), format, QUATSIMD_AOS, unpacked, unpacked, unpacked, unpacked, 16, packed,
             COUNT);
  assert_null(atomic_load(&active)); /* or the threads would not be the first */

  for (int round = 0; round < ROUNDS; round++) {
    memset(threads, 0, sizeof threads);
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++)
      assert_int_equal(pthread_create(&threads[i].id, NULL, use, &threads[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i].id, NULL), 0);
    pthread_barrier_destroy(&barrier);
    for (int i = 0; i < THREADS; i++) {
      assert_true(threads[i].ok);
      assert_ptr_equal(threads[i].isa, choose()->name);
      assert_memory_equal(threads[i].packed, packed, size);
      assert_memory_equal(threads[i].unpacked, unpacked, sizeof unpacked);
    }
    assert_ptr_equal(atomic_load(&active), choose());
    atomic_store(&active, NULL);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(first_use_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
