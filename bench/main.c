/* quatsimd-bench: measures kernels, public functions and what people use instead, in one run. README.md has
 * the counters, report.py reads the output. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "shim.h"

#define MIN_TIME 0.01 /* seconds for a benchmark: 500 chunks to take the fastest of */
#define ROUNDS 4      /* of --json: what disturbs one is gone in another */

/* Takes --json=FILE, --json FILE, --quick, --all, --count and --list out of argv, before Google Benchmark
 * sees it. */
static const char *json_path;
static bool quick, all, count, list;
static void take_options(int *argc, char **argv) {
  int kept = 1;
  for (int i = 1; i < *argc; i++)
    if (!strcmp(argv[i], "--quick")) {
      quick = true;
    } else if (!strcmp(argv[i], "--all")) {
      all = true;
    } else if (!strcmp(argv[i], "--count")) {
      count = true;
    } else if (!strcmp(argv[i], "--list")) {
      list = count = true;
    } else if (!strncmp(argv[i], "--json=", 7) && argv[i][7]) {
      json_path = argv[i] + 7;
    } else if (!strcmp(argv[i], "--json") && i + 1 < *argc) {
      json_path = argv[++i];
    } else {
      argv[kept++] = argv[i];
    }
  argv[ *argc = kept] = NULL;
  if ((quick || all) + (json_path || count) > 1) {
    fprintf(stderr, "quatsimd-bench: --json, --count and --list have a selection of their own, without "
                    "--quick and --all\n");
    exit(2);
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--help"))
      puts("quatsimd-bench [--quick] [--all] [--json=FILE] [--count] [--list] [--benchmark_...]\n"
           "  --quick      counts 24 and 256 Ki only\n"
           "  --all        every width of the parameterised formats\n"
           "  --json=FILE  what bench/gate compares, in four rounds, a minute or two: writes the least times "
           "and their\n"
           "               ratios to FILE, prints nothing\n"
           "  --count      only under valgrind, which bench/gate starts: each row twice, for instruction "
           "counts\n"
           "  --list       names of the rows that --json and --count measure, and nothing else\n"
           "and the options of Google Benchmark. Names are direction/kernels/format/layout/count/..., so\n"
           "for example --benchmark_filter='unpack/(avx2|c-.*)/smallest3_32/aos/262144/'\n");
  take_options(&argc, argv);
  const bench_extent extent = json_path || count ? GATE : all ? EVERYTHING : quick ? QUICK : USUAL;
  if (count) start_counting(argc, argv, list);
  bench_init(&argc, argv, MIN_TIME);
  if (argc > 1) {
    fprintf(stderr, "quatsimd-bench: unknown option %s\n", argv[1]);
    return 2;
  }
  if (json_path) results_open(json_path);
  add_contexts();
  add_formats(extent);
  add_operations(extent);
  if (count || !json_path) add_views(extent);
  if (count) {
    add_kernels();
    count_rows();
  } else if (json_path) {
    for (int round = 1; round <= ROUNDS; round++) {
      fprintf(stderr, "quatsimd-bench: round %d of %d\n", round, ROUNDS);
      bench_run(1);
    }
  } else {
    bench_run(0);
  }
  if (json_path) results_write();
  return 0;
}
