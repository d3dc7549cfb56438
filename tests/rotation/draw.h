/* Draws random or difficult (`hard`) arguments of a function, and calls the function with them. */
#ifndef DRAW_H
#define DRAW_H

#include "rotation/functions.h"

static const double pi = 3.14159265358979323846;

static inline size_t pick(uint64_t *random, size_t n) { return (size_t)(sweep_next(random) >> 32) % n; }
#define ONE_OF(list, random) (list)[pick(random, sizeof(list) / sizeof *(list))]

void random_direction(double *to, int n, uint64_t *random);

/* Scales q, which is not 0, to `length` and rounds its components to floats. */
void round_quaternion(float *to, const double *q, double length);

/* Draws an argument. `earlier` is NULL or a quaternion argument of the same call, to which a hard argument
 * may be related. */
void draw_quaternion(float *to, kind k, const float *earlier, uint64_t *random, bool hard);
void draw_argument(float *to, kind k, const float *earlier, uint64_t *random, bool hard);

enum { BLOCK = 1024 };
typedef struct block {
  float in[MOST_IN][WIDEST * BLOCK], out[MOST_OUT][WIDEST * BLOCK];
} block;

void draw(const function *f, block *b, size_t n, uint64_t *random, bool hard);
void call_aos(const function *f, block *b, const euler *e, size_t n);

#endif
