/* What bench.c and operations.c share. */
#ifndef QUATSIMD_BENCH_BENCH_H
#define QUATSIMD_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROTATIONS (256 * 1024) /* distinct ones at least; small counts walk through as many */
#define MOST (4 * 1024 * 1024) /* the largest count */
#define APART (17 * 64)        /* bytes between arrays: they do not compete for the same sets of the cache */

void die(const char *what);
double seconds(void);
double clock_ghz(unsigned additions);
uint64_t random_bits(uint64_t *state);
void random_rotations(float *xyzw, size_t count, uint64_t seed);
void free_buffers(void); /* of the formats: the operations need the memory */

/* operations.c: rotation.h and relative.h. quick: no counts of 4 Mi. */
void add_operations(bool quick);
const char *peer_versions(void);

#endif
