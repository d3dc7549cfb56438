#include "readers/gltf/gltf_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "terminal/message.h"

enum { ALIGNMENT = 8 }; /* the most that any bufferView needs */

/* Where a range begins or ends. */
struct edge {
  size_t at;
  int stays, goes; /* 1 where it begins, -1 where it ends */
};

static int compare_edges(const void *a, const void *b) {
  const struct edge *p = a, *q = b;
  return (p->at > q->at) - (p->at < q->at);
}

/* Bytes that go, as far as is known. */
struct gap {
  size_t start, end;
};

/* The edges of a buffer's ranges, rising, to be freed. */
static struct edge *edges_of(const struct gltf_range *range, size_t ranges, size_t buffer, size_t *count) {
  struct edge *edge = memory_get(2 * ranges, sizeof *edge);
  *count = 0;
  for (size_t i = 0; i < ranges; i++) {
    if (range[i].at.buffer != buffer || range[i].at.size == 0) continue;
    const int goes = range[i].goes;
    edge[(*count)++] = (struct edge){range[i].at.start, !goes, goes};
    edge[(*count)++] = (struct edge){range[i].at.start + range[i].at.size, -!goes, -goes};
  }
  qsort(edge, *count, sizeof *edge, compare_edges);
  return edge;
}

/* Gaps: bytes of views that go and of none that stays. Fewer than 8 unused bytes between two gaps go with
 * them. */
static size_t find_gaps(const struct edge *edge, size_t count, struct gap *gap) {
  size_t gaps = 0, last_stay = 0;
  int stays = 0, goes = 0;
  for (size_t e = 0; e + 1 < count; e++) {
    stays += edge[e].stays, goes += edge[e].goes;
    const size_t start = edge[e].at, end = edge[e + 1].at;
    if (start == end) continue;
    if (stays > 0) last_stay = end;
    if (stays > 0 || goes == 0) continue;
    const bool goes_on = gaps > 0 && start - gap[gaps - 1].end < ALIGNMENT && last_stay <= gap[gaps - 1].end;
    if (goes_on) gap[gaps - 1].end = end;
    else gap[gaps++] = (struct gap){start, end};
  }
  return gaps;
}

static void add_piece(struct gltf_cut *cut, size_t buffer, size_t start, size_t end) {
  cut->piece = memory_grow(cut->piece, cut->pieces, sizeof *cut->piece);
  cut->piece[cut->pieces++] = (struct gltf_piece){buffer, start, end, cut->all.size};
  cut->all.size += end - start;
}

/* A buffer's own bytes; behind them a .glb may have padding. False if it has fewer, or views more. */
static bool check_buffer(struct gltf *gltf, const struct gltf_range *range, size_t ranges, size_t buffer) {
  const struct gltf_bytes *bytes = gltf_buffer(gltf, buffer);
  size_t size;
  if (!bytes) return false;
  if (!gltf_size(gltf->buffers.item[buffer], "byteLength", &size))
    return gltf_fail(gltf, "buffer %zu has no byteLength", buffer);
  if (size > bytes->size)
    return gltf_fail(gltf, "buffer %zu has %zu bytes, and should have %zu", buffer, bytes->size, size);
  for (size_t i = 0; i < ranges; i++)
    if (range[i].at.buffer == buffer &&
        (range[i].at.start > size || range[i].at.size > size - range[i].at.start))
      return gltf_fail(gltf, "a bufferView goes beyond the %zu bytes of buffer %zu", size, buffer);
  return true;
}

bool gltf_cut_check(struct gltf *gltf, const struct gltf_range *range, size_t ranges,
                    const struct gltf_cut *cut) {
  for (size_t b = 0; b < gltf->buffers.count; b++)
    if (cut->taken[b] && !check_buffer(gltf, range, ranges, b))
      return complain(gltf->path, "%s", gltf->error);
  return true;
}

static void cut_buffer(const struct gltf *gltf, const struct gltf_range *range, size_t ranges, size_t buffer,
                       struct gltf_cut *cut) {
  size_t size, edges, start = 0;
  (void)gltf_size(gltf->buffers.item[buffer], "byteLength", &size); /* it is checked */
  struct edge *edge = edges_of(range, ranges, buffer, &edges);
  struct gap *gap = memory_get(edges, sizeof *gap);
  const size_t gaps = find_gaps(edge, edges, gap);
  cut->all.size = (cut->all.size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  for (size_t g = 0; g < gaps; g++) {
    const size_t whole = (gap[g].end - gap[g].start) / ALIGNMENT * ALIGNMENT;
    if (whole == 0) continue;
    add_piece(cut, buffer, start, gap[g].start);
    start = gap[g].start + whole;
  }
  add_piece(cut, buffer, start, size);
  free(gap);
  free(edge);
}

void gltf_cut_make(const struct gltf *gltf, const struct gltf_range *range, size_t ranges, size_t room,
                   struct gltf_cut *cut) {
  for (size_t b = 0; b < gltf->buffers.count; b++)
    if (cut->taken[b]) cut_buffer(gltf, range, ranges, b, cut);
  cut->all.bytes = memory_get(cut->all.size + room, 1);
  for (size_t p = 0; p < cut->pieces; p++) {
    const struct gltf_piece *piece = &cut->piece[p];
    if (piece->end > piece->start)
      memcpy(cut->all.bytes + piece->to, gltf->buffer[piece->buffer].bytes + piece->start,
             piece->end - piece->start);
  }
}

void gltf_cut_free(struct gltf_cut *cut) {
  free(cut->taken);
  free(cut->all.bytes);
  free(cut->piece);
  *cut = (struct gltf_cut){.taken = NULL};
}

size_t gltf_cut_place(const struct gltf_cut *cut, size_t buffer, size_t at) {
  size_t low = 0, high = cut->pieces; /* the last piece that does not begin behind it */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    const struct gltf_piece *piece = &cut->piece[middle];
    if (piece->buffer < buffer || (piece->buffer == buffer && piece->start <= at)) low = middle;
    else high = middle;
  }
  return cut->piece[low].to + (at - cut->piece[low].start);
}
