/* A simulated link: what goes in comes out late, in another order, twice or not at all. The same seed always
 * does the same. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link_settings {
  double loss, burst;   /* share lost; mean length of what is lost in a row, 1 or more */
  double duplicate;     /* share that comes twice */
  double delay, jitter; /* seconds; each one is late by delay and by 0 to jitter more */
  bool reorder;         /* may one come before another that was sent before it? */
  int seed;
};

struct link_delivery {
  double at;
  size_t what, order; /* order: in which they were sent */
};

/* One way. */
struct link_way {
  const struct link_settings *settings;
  uint64_t random;
  bool losing;   /* the last one was lost */
  double latest; /* when all so far are there */
  size_t sent, count;
  struct link_delivery *delivery; /* a heap: none comes before that at (i - 1) / 2 */
};

/* number: ways of different numbers have different luck. */
struct link_way link_open(const struct link_settings *settings, size_t number);
void link_close(struct link_way *way);

/* Sends something, a number, at a time; times must not fall. */
void link_send(struct link_way *way, double now, size_t what);
/* The next packet, if one comes until then. */
bool link_take(struct link_way *way, double until, struct link_delivery *next);

#endif
