#include "streams/link.h"

#include <stdlib.h>

#include "base/text.h"

/* splitmix64, by Sebastiano Vigna. */
static uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* From 0 to less than 1. */
static double any(struct link_way *way) {
  way->random += 0x9e3779b97f4a7c15u;
  return (double)(mixed(way->random) >> 11) * 0x1p-53;
}

struct link_way link_open(const struct link_settings *settings, size_t number) {
  struct link_way way = {.settings = settings};
  way.random = mixed(mixed((uint64_t)settings->seed) + number);
  way.losing = any(&way) < settings->loss;
  return way;
}

void link_close(struct link_way *way) { free(way->delivery); }

/* Gilbert's model: what follows a lost one is lost more often than what follows another. Bursts end so often
 * that their mean length comes out, and begin so often that the share does. */
static bool loses(struct link_way *way) {
  const struct link_settings *s = way->settings;
  const double ends = 1 / s->burst, begins = ends * s->loss / (1 - s->loss);
  way->losing = any(way) < (way->losing ? 1 - ends : begins);
  return way->losing;
}

static void deliver(struct link_way *way, double now, size_t what) {
  const struct link_settings *s = way->settings;
  double at = now + s->delay + s->jitter * any(way);
  if (at < way->latest && !s->reorder) at = way->latest;
  if (at > way->latest) way->latest = at;
  way->delivery = memory_grow(way->delivery, way->count, sizeof *way->delivery);
  size_t i = way->count++;
  for (; i > way->first && way->delivery[i - 1].at > at; i--) way->delivery[i] = way->delivery[i - 1];
  way->delivery[i] = (struct link_delivery){at, what};
}

void link_send(struct link_way *way, double now, size_t what) {
  if (loses(way)) return;
  deliver(way, now, what);
  if (any(way) < way->settings->duplicate) deliver(way, now, what);
}

bool link_take(struct link_way *way, double until, struct link_delivery *next) {
  if (way->first == way->count || way->delivery[way->first].at > until) return false;
  *next = way->delivery[way->first++];
  return true;
}
