/* Throughput of 1, 2, 4 ... threads: `quatsimd-bench-threads`. Each thread has arrays of its own, small
 * ones that its cache holds and large ones that come from memory; what all threads unpack or pack in a
 * second is printed, and how many times as much as one does. memcpy of as many bytes shows where memory is
 * the limit. */
#define _DEFAULT_SOURCE
#include <quatsimd/quatsimd.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SMALL = 4096, LARGE = 4 << 20, MOST_THREADS = 1024, REPEATS = 5 };
static const quatsimd_format format = QUATSIMD_FORMAT_SMALLEST3_32;
static const double least_time = 0.1; /* seconds */

typedef enum work { UNPACK, PACK, COPY, WORKS } work;
static const char *const names[WORKS] = {"unpack", "pack", "memcpy"};

typedef struct thread {
  pthread_t id;
  size_t count, calls;
  work what;
  double begin, end;
} thread;
static thread threads[MOST_THREADS];
static pthread_barrier_t barrier;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(int status) {
  if (status == QUATSIMD_OK) return;
  fprintf(stderr, "quatsimd-bench-threads: %s\n", quatsimd_status_string((quatsimd_status)status));
  exit(1);
}

static void *allocate(size_t size) {
  void *p = aligned_alloc(64, (size + 63) / 64 * 64);
  if (!p) fputs("quatsimd-bench-threads: out of memory\n", stderr), exit(1);
  return p;
}

static void *run(void *argument) {
  thread *t = argument;
  const size_t n = t->count, size = quatsimd_packed_size(format, n);
  float *quats = allocate(16 * n);
  unsigned char *packed = allocate(size), *copy = allocate(10 * n), *from = allocate(10 * n);
  for (size_t i = 0; i < n; i++) {
    quats[4 * i] = (float)(i % 1009), quats[4 * i + 1] = (float)(i % 499) - 250, quats[4 * i + 2] = 77,
              quats[4 * i + 3] = (float)(i % 83);
  }
  check(quatsimd_pack(format, packed, size, quatsimd_aos(quats), n));
  memset(from, 1, 10 * n), memset(copy, 1, 10 * n);
  pthread_barrier_wait(&barrier);
  t->begin = seconds();
  for (size_t i = 0; i < t->calls; i++) {
    if (t->what == UNPACK) check(quatsimd_unpack(format, quatsimd_aos_out(quats), packed, size, 0, n));
    else if (t->what == PACK) check(quatsimd_pack(format, packed, size, quatsimd_aos(quats), n));
    else { /* reads and writes 20 bytes for each quaternion, as they do */ memcpy(copy, from, 10 * n);
      __asm__ volatile("" : : "r"(copy) : "memory"); /* or it would be left out */
    }
  }
  t->end = seconds();
  free(quats), free(packed), free(copy), free(from);
  return NULL;
}

/* Rotations in a nanosecond, by all threads: from when the first begins until the last ends. */
static double measure(size_t count, size_t n, work what, size_t calls) {
  pthread_barrier_init(&barrier, NULL, (unsigned)n);
  for (size_t i = 0; i < n; i++) {
    threads[i].count = count, threads[i].calls = calls, threads[i].what = what;
    const int error = pthread_create(&threads[i].id, NULL, run, &threads[i]);
    if (error) fprintf(stderr, "quatsimd-bench-threads: %s\n", strerror(error)), exit(1);
  }
  double begin = 1e300, end = 0;
  for (size_t i = 0; i < n; i++) {
    pthread_join(threads[i].id, NULL);
    if (threads[i].begin < begin) begin = threads[i].begin;
    if (threads[i].end > end) end = threads[i].end;
  }
  pthread_barrier_destroy(&barrier);
  return (double)count * (double)calls * (double)n / (end - begin) * 1e-9;
}

static double best(size_t count, size_t n, work what, size_t calls) {
  double most = 0;
  for (int i = 0; i < REPEATS; i++) {
    const double rate = measure(count, n, what, calls);
    if (rate > most) most = rate;
  }
  return most;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    const int help = strcmp(argv[1], "--help") == 0;
    fprintf(
        help ? stdout : stderr,
        "Usage: quatsimd-bench-threads\nPrints what 1, 2, 4 ... threads pack and unpack, up to all cores.\n");
    return help ? 0 : 2;
  }
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores > MOST_THREADS) cores = MOST_THREADS;
  printf("smallest3_32, arrays of structs, %s kernels, %ld cores: billion rotations in a second (times as "
         "many as one thread)\n\n",
         quatsimd_isa(), cores);
  printf("%-28s%8s", "", "threads");
  for (int w = 0; w < WORKS; w++) printf("%18s", names[w]);
  printf("\n");
  for (int large = 0; large < 2; large++) {
    const size_t count = large ? LARGE : SMALL;
    double one[WORKS];
    for (size_t n = 1;; n = 2 * n < (size_t)cores ? 2 * n : (size_t)cores) {
      printf("%-28s%8zu", large ? "4 Mi each, from memory" : "4 Ki each, from the cache", n);
      for (int w = 0; w < WORKS; w++) {
        const double guess = measure(count, 1, (work)w, 1); /* of one call, to know how many */
        const double rate = best(count, n, (work)w, (size_t)(least_time * guess * 1e9 / (double)count) + 1);
        if (n == 1) one[w] = rate;
        printf("%10.2f (%4.2f)", rate, rate / one[w]);
        fflush(stdout);
      }
      printf("\n");
      if (n == (size_t)cores) break;
    }
  }
  return 0;
}
