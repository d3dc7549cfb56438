/* Shared by the files of the benchmark. */
#ifndef QUATSIMD_BENCH_BENCH_H
#define QUATSIMD_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROTATIONS (256 * 1024) /* distinct ones at least; small counts walk through as many */
#define MOST (4 * 1024 * 1024) /* the largest count */
#define GATE_COUNT 1024        /* of calls that are counted, and GATE_CALLS calls for one element */
#define GATE_CALLS 16
#define STRIDE 48       /* bytes, of the strided layout: a rotation, a translation and a scale */
#define APART (17 * 64) /* bytes between arrays: they do not compete for the same sets of the cache */

/* base.c */
void die(const char *what);
/* Returns true if this CPU can run table number i of quatsimd_kernel_list, and its kernels for arrays are not
 * those of the next table. */
bool has_arrays(size_t i);
/* CPU time of this thread, without that of other programs; since `start`, without reading the clock. */
double seconds(void);
double seconds_since(double start);
/* Measures a call and another beside it (null: none) in turns. The least of many chunks counts. Chunks are
 * in repeats: `spread` is the difference between the repeats' least times, as a share of the least. Where a
 * time is shown, more than NOISE is said. */
#define NOISE 0.1
typedef double chunk_fn(void *context, size_t calls); /* returns the seconds of so many calls */
typedef struct timing {
  double seconds, spread;
} timing;
typedef struct measurement {
  timing call, beside;
  double ghz;
} measurement;
measurement measure(chunk_fn *chunk, chunk_fn *beside, void *context);
double clock_ghz(unsigned additions);
uint64_t random_bits(uint64_t *state);
void random_rotations(float *xyzw, size_t count, uint64_t seed);

/* context.c: kernels, compiler, machine, clock. */
void add_contexts(void);

/* The measurements to run: GATE for --count. */
typedef enum bench_extent { USUAL, QUICK, EVERYTHING, GATE } bench_extent;

/* formats.c: packing and unpacking, through kernels and public functions. */
void add_formats(bench_extent extent);
/* Frees the buffers of formats, so that operations can use the memory. */
void free_buffers(void);

/* operations.c: rotation.h, relative.h, streams and clips. */
void add_operations(bench_extent extent);
const char *peer_versions(void);

/* views.c: packing and unpacking in every layout. */
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

/* count.c, for --count. start_counting must be first. */
void start_counting(void);
bool counting(void);
void count_row(const char *name, size_t (*prepare)(void *context, size_t times), void (*call)(void *context),
               void *context);
void count_rows(void);
void add_kernels(void); /* kernels.c */

#endif
