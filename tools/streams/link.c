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

static bool is_before(const struct link_delivery *a, const struct link_delivery *b) {
  return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void deliver(struct link_way *way, double now, size_t what) {
  const struct link_settings *s = way->settings;
  double at = now + s->delay + s->jitter * any(way);
  if (at < way->latest && !s->reorder) at = way->latest;
  if (at > way->latest) way->latest = at;
  const struct link_delivery new = {at, what, way->sent++};
  way->delivery = memory_grow(way->delivery, way->count, sizeof *way->delivery);
  size_t i = way->count++;
  for (; i > 0 && is_before(&new, &way->delivery[(i - 1) / 2]); i = (i - 1) / 2)
    way->delivery[i] = way->delivery[(i - 1) / 2];
  way->delivery[i] = new;
}

void link_send(struct link_way *way, double now, size_t what) {
  if (loses(way)) return;
  deliver(way, now, what);
  if (any(way) < way->settings->duplicate) deliver(way, now, what);
}

bool link_take(struct link_way *way, double until, struct link_delivery *next) {
  struct link_delivery *const all = way->delivery;
  if (way->count == 0 || all[0].at > until) return false;
  *next = all[0];
  const struct link_delivery last = all[--way->count];
  size_t i = 0;
  for (size_t below; (below = 2 * i + 1) < way->count; i = below) {
    if (below + 1 < way->count && is_before(&all[below + 1], &all[below])) below++;
    if (!is_before(&all[below], &last)) break;
    all[i] = all[below];
  }
  all[i] = last;
  return true;
}
