/* Instruction counts: with --count, under valgrind's callgrind, each row is called twice, the second time
 * for twice as many rotations. Callgrind writes what both took; the difference is exact. bench/gate starts
 * it and reads that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/dispatch.h"
#include "shim.h"

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif

typedef struct counted {
  const char *name;
  size_t (*prepare)(void *context, size_t times);
  void (*call)(void *context);
  void *context;
} counted;
static counted *rows;
static size_t row_count, row_room;
static bool is_counting;

void start_counting(void) {
  is_counting = true;
#ifdef CALLGRIND_DUMP_STATS_AT
  if (!RUNNING_ON_VALGRIND) die("--count is for valgrind: bench/gate starts it");
#else
  die("was built without valgrind/callgrind.h (Debian: valgrind), so it cannot count instructions");
#endif
}

bool counting(void) { return is_counting; }

void count_row(const char *name, size_t (*prepare)(void *context, size_t times), void (*call)(void *context),
               void *context) {
  if (strstr(name, "/scalar/")) /* written for reading, and its branches depend on the data */
    return;
  if (row_count == row_room) {
    row_room = row_room ? 2 * row_room : 256;
    rows = realloc(rows, row_room * sizeof *rows);
    if (!rows) die("out of memory");
  }
  rows[row_count++] = (counted){name, prepare, call, context};
}

void add_row(const char *name, void (*run)(void *context, struct bench_state *state),
             size_t (*prepare)(void *context, size_t times), void (*call)(void *context), void *context) {
  if (is_counting) count_row(name, prepare, call, context);
  else bench_register(name, run, context);
}

/* Callgrind cannot take back a part of its output, so every part has a label: the row's name and how many
 * rotations. */
static void count_call(const counted *c, size_t times) {
  char label[160];
  snprintf(label, sizeof label, "%s %zu", c->name, c->prepare(c->context, times));
#ifdef CALLGRIND_DUMP_STATS_AT
  c->call(c->context); /* the first call of a function also looks its address up */
  CALLGRIND_TOGGLE_COLLECT;
  c->call(c->context);
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(label);
#endif
}

void count_rows(void) {
  for (size_t i = 0; i < row_count; i++) {
    count_call(&rows[i], 1);
    count_call(&rows[i], 2);
  }
}
