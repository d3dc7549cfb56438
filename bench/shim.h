/* Google Benchmark for C: what the benchmark needs of it and no more. */
#ifndef QUATSIMD_BENCH_SHIM_H
#define QUATSIMD_BENCH_SHIM_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_state bench_state;

/* The body of a benchmark, entered once. It measures by itself (base.c) and gives what it has found. */
typedef void bench_fn(void *context, bench_state *state);

/* First: takes the --benchmark_ options out of argv, and ends the program after --help. */
void bench_init(int *argc, char **argv);
void bench_add_context(const char *key, const char *value); /* into the head of the output */
void bench_register(const char *name, bench_fn *fn, void *context);
/* The benchmarks that --benchmark_filter selects, in the order of registration. */
void bench_run(void);

void bench_set_time(bench_state *state, timing call); /* says if that is noise */
void bench_set_counter(bench_state *state, const char *name, double value);

#ifdef __cplusplus
}
#endif

#endif
