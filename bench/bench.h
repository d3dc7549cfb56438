/* Shared by the files of the benchmark. */
#ifndef QUATSIMD_BENCH_BENCH_H
#define QUATSIMD_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROTATIONS (256 * 1024) /* distinct ones at least; small counts walk through as many */
#define MOST (4 * 1024 * 1024) /* the largest count */
#define GATE_ELEMENTS                                                                                        \
  4096 /* of --json: all fits the second cache, and no call is long enough to be interrupted often */
#define GATE_COUNT 1024 /* of its calls */
#define STRIDE 48       /* bytes, of the strided layout: a rotation, a translation and a scale */
#define APART (17 * 64) /* bytes between arrays: they do not compete for the same sets of the cache */

/* base.c */
void die(const char *what);
double seconds(void);
double clock_ghz(unsigned additions);
uint64_t random_bits(uint64_t *state);
void random_rotations(float *xyzw, size_t count, uint64_t seed);

/* context.c: kernels, compiler, machine, clock. */
void add_contexts(void);

/* The measurements to run: GATE for --json and --count. */
typedef enum bench_extent { USUAL, QUICK, EVERYTHING, GATE } bench_extent;

/* formats.c: packing and unpacking, through kernels and public functions. */
void add_formats(bench_extent extent);
/* Frees the buffers of formats, so that operations can use the memory. */
void free_buffers(void);

/* operations.c: rotation.h, relative.h, streams and clips. */
void add_operations(bench_extent extent);
const char *peer_versions(void);

/* views.c: packing and unpacking in every layout; counted and shown, not timed for the gate. */
void add_views(bench_extent extent);

/* clips.c: makes a clip, to be called for so many poses; returns the bytes that a call reads and writes for
 * so many joints. Poses in a row between frames, poses at any time, poses at frames; clips of 16 poses each,
 * encoded, of few joints: that takes a hundred times as long. */
#define CLIP_JOINTS 64
#define ENCODED_JOINTS 8
size_t prepare_clip(size_t joints, size_t poses);
void seek_clip(void);
void evaluate_jobs(void);
void decode_clip(void);
void encode_clip(void);

/* ---- rows ---- */

/* count.c: a row to be timed by `run`, or with --count called: prepare makes all ready for a call of
 * `times` the usual size and returns how many rotations that has. The name must stay. */
struct bench_state;
void add_row(const char *name, void (*run)(void *context, struct bench_state *state),
             size_t (*prepare)(void *context, size_t times), void (*call)(void *context), void *context);

/* result.c: what --json writes. Seconds for a quaternion, by the kernel and by memcpy; of the same name
 * the least ones. */
void result_about(const char *key, const char *value);
void result_add(const char *name, double time, double copy_time);
void results_open(const char *path); /* before the work: what cannot be written ends the program */
void results_write(void);

/* count.c, for --count. start_counting takes --benchmark_filter from the arguments and must be first;
 * only_names, for --list: rows are printed, not called. */
void start_counting(int argc, char **argv, bool only_names);
bool counting(void);
void count_row(const char *name, size_t (*prepare)(void *context, size_t times), void (*call)(void *context),
               void *context);
void count_rows(void);
void add_kernels(void); /* kernels.c */

#endif
