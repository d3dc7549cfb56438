/* Google Benchmark for C: what the benchmark needs of it and no more. */
#ifndef QUATSIMD_BENCH_SHIM_H
#define QUATSIMD_BENCH_SHIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_state bench_state;

/* The body of a benchmark. It runs while (bench_keep_running(state, calls)) and times every turn, of so many
 * calls, itself. Google Benchmark enters it several times, with more turns each time. */
typedef void bench_fn(void *context, bench_state *state);

/* First: takes the --benchmark_ options out of argv, and ends the program after --help. min_time, in seconds,
 * is what a benchmark runs for unless --benchmark_min_time says otherwise. */
void bench_init(int *argc, char **argv, double min_time);
void bench_add_context(const char *key, const char *value); /* into the head of the output */
void bench_register(const char *name, bench_fn *fn, void *context);
/* The benchmarks that --benchmark_filter selects, in the order of registration; quiet: nothing is printed. */
void bench_run(int quiet);

int bench_keep_running(bench_state *state, size_t calls);
void bench_set_time(bench_state *state, double seconds); /* of the turn */
void bench_set_counter(bench_state *state, const char *name, double value);

#ifdef __cplusplus
}
#endif

#endif
