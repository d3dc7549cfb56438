/* quatsimd-bench: measures kernels, public functions and what people use instead, in one run. README.md has
 * the counters, report.py reads the output. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "shim.h"

/* Takes --quick, --all and --count out of argv, before Google Benchmark sees it. */
static bool quick, all, count;
static void take_options(int *argc, char **argv) {
  int kept = 1;
  for (int i = 1; i < *argc; i++)
    if (!strcmp(argv[i], "--quick")) {
      quick = true;
    } else if (!strcmp(argv[i], "--all")) {
      all = true;
    } else if (!strcmp(argv[i], "--count")) {
      count = true;
    } else {
      argv[kept++] = argv[i];
    }
  argv[ *argc = kept] = NULL;
  if (quick + all + count > 1) {
    fprintf(stderr, "quatsimd-bench: --quick, --all and --count are three selections: give one\n");
    exit(2);
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--help"))
      puts("quatsimd-bench [--quick | --all | --count] [--benchmark_...]\n"
           "  --quick  counts 24 and 256 Ki only\n"
           "  --all    every width of the parameterised formats\n"
           "  --count  only under valgrind, which bench/gate starts: each row twice, for instruction counts\n"
           "and the options of Google Benchmark. Names are direction/kernels/format/layout/count/..., so\n"
           "for example --benchmark_filter='unpack/(avx2|c-.*)/smallest3_32/aos/262144/'\n");
  take_options(&argc, argv);
  const bench_extent extent = count ? GATE : all ? EVERYTHING : quick ? QUICK : USUAL;
  if (count) start_counting();
  bench_init(&argc, argv);
  if (argc > 1) {
    fprintf(stderr, "quatsimd-bench: unknown option %s\n", argv[1]);
    return 2;
  }
  add_contexts();
  add_formats(extent);
  add_operations(extent);
  add_views(extent);
  if (count) {
    add_kernels();
    count_rows();
  } else {
    bench_run();
  }
  return 0;
}
