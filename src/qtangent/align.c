/* Chooses signs of quaternions as qtangent.h says: along the edges of a mesh, and for a morph target. */
#include "quatsimd/qtangent.h"
#include "core/single.h"

/* A mesh has at most MOST vertices and MOST indices. A vertex's index plus one is thus less than DONE. */
#define MOST ((size_t)1 << 31)

#define UNSEEN 0
#define DONE UINT32_MAX

/* Both members are in one struct, so that an access to a vertex in random order loads one cache line. */
typedef struct vertex {
  /* start: the place in `triangles` where this vertex's list begins. seen: UNSEEN if this vertex has no sign
   * yet, DONE if it was visited, else v + 1 for the neighbour v that was visited last. */
  uint32_t start, seen;
} vertex;

/* Returns the i-th index. The address of `indices` need not be aligned. */
static inline uint32_t vertex_at(const char *indices, int index_size, size_t i) {
  uint32_t wide;
  uint16_t narrow;
  if (index_size == 4) {
    memcpy(&wide, indices + 4 * i, sizeof wide);
    return wide;
  }
  memcpy(&narrow, indices + 2 * i, sizeof narrow);
  return narrow;
}

static inline bool all_below(size_t count, const char *indices, int index_size, size_t index_count) {
  uint32_t largest = 0;
  for (size_t i = 0; i < index_count; i++) {
    const uint32_t v = vertex_at(indices, index_size, i);
    largest = v > largest ? v : largest;
  }
  return largest < count;
}

/* Aligns the signs along the edges of the mesh, breadth first, in linear time. Returns the number of edges
 * that stay unaligned: the quaternions at their ends have a negative dot product. Breadth first keeps paths
 * short, so few edges stay unaligned if a mesh cannot be aligned.
 *
 * `scratch` holds three arrays. `vertices` has one entry more than the mesh, for the end of the last list.
 * `triangles` lists the triangles of each vertex by the places of their first corners in `indices`. `queue`
 * holds the vertices to visit. */
static inline size_t align(const quatsimd_operand *q, size_t count, const char *indices, int index_size,
                           size_t index_count, void *scratch) {
  vertex *const vertices = scratch;
  uint32_t *const triangles = (uint32_t *)(vertices + count + 1), *const queue = triangles + index_count;
  memset(vertices, 0, (count + 1) * sizeof *vertices);
  for (size_t i = 0; i < index_count; i++) vertices[vertex_at(indices, index_size, i)].start++;
  /* `start` becomes the end of each list; the next loop moves it to the beginning */
  for (size_t v = 0; v < count; v++) vertices[v + 1].start += vertices[v].start;
  for (size_t i = index_count; i-- > 0;)
    triangles[--vertices[vertex_at(indices, index_size, i)].start] = (uint32_t)(i - i % 3);

  size_t unaligned = 0;
  for (size_t first = 0; first < count; first++) {
    if (vertices[first].seen != UNSEEN) continue;
    size_t head = 0, tail = 0;
    queue[tail++] = (uint32_t)first;
    while (head < tail) {
      /* prefetching halves the time if vertices are in random order */
      if (head + 8 < tail) QUATSIMD_PREFETCH(&triangles[vertices[queue[head + 8]].start]);
      if (head + 2 < tail) {
        const vertex *const next = &vertices[queue[head + 2]];
        for (uint32_t t = next[0].start; t < next[1].start; t++)
          for (size_t corner = 0; corner < 3; corner++) {
            const uint32_t other = vertex_at(indices, index_size, triangles[t] + corner);
            QUATSIMD_PREFETCH(&vertices[other]);
            QUATSIMD_PREFETCH(q->component[0] + quatsimd_offset(q, other));
          }
      }
      const uint32_t v = queue[head++];
      const quat here = quatsimd_load(q, v);
      vertices[v].seen = DONE;
      for (uint32_t t = vertices[v].start; t < vertices[v + 1].start; t++)
        for (size_t corner = 0; corner < 3; corner++) {
          const uint32_t other = vertex_at(indices, index_size, triangles[t] + corner);
          uint32_t *const seen = &vertices[other].seen;
          if (*seen == DONE || *seen == v + 1) continue;
          const double d = quatsimd_dot_of(here, quatsimd_load(q, other));
          if (*seen != UNSEEN) {
            unaligned += d < 0;
          } else if (d < 0 || d > 0) { /* if d is 0 or NaN, another edge may give the sign */
            quatsimd_negate_if(d < 0, q, other);
            queue[tail++] = other;
          } else {
            continue;
          }
          *seen = v + 1;
        }
    }
  }
  return unaligned;
}

size_t quatsimd_qtangent_align_scratch_size(size_t count, size_t index_count) {
  if (count > MOST || index_count > MOST) return 0;
  const uint64_t bytes =
      sizeof(vertex) * ((uint64_t)count + 1) + sizeof(uint32_t) * ((uint64_t)index_count + count);
  return (size_t)bytes == bytes ? (size_t)bytes : 0; /* unequal if `bytes` exceeds SIZE_MAX */
}

quatsimd_status quatsimd_qtangent_align_mesh(quatsimd_out q, size_t count, const void *indices,
                                             int index_size, size_t index_count, void *scratch,
                                             size_t scratch_size, size_t *unaligned) {
  quatsimd_operand o;
  const size_t needed = quatsimd_qtangent_align_scratch_size(count, index_count);
  if (needed == 0 || (index_size != 2 && index_size != 4) || index_count % 3 != 0)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (count > 0 && !quatsimd_resolve_out(&o, 4, &q)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  size_t found = 0;
  if (index_count > 0) {
    if (count == 0 || !indices || !scratch || (uintptr_t)scratch % sizeof(uint32_t) != 0)
      return QUATSIMD_ERROR_BAD_ARGUMENT;
    if (scratch_size < needed) return QUATSIMD_ERROR_SHORT_BUFFER;
    /* each call is inlined with a constant index_size, so that loops do not test the size */
    if (index_size == 2) {
      if (!all_below(count, indices, 2, index_count)) return QUATSIMD_ERROR_BAD_ARGUMENT;
      found = align(&o, count, indices, 2, index_count, scratch);
    } else {
      if (!all_below(count, indices, 4, index_count)) return QUATSIMD_ERROR_BAD_ARGUMENT;
      found = align(&o, count, indices, 4, index_count, scratch);
    }
  }
  if (unaligned) *unaligned = found;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_qtangent_align_morph(quatsimd_out q, quatsimd_in base, size_t count) {
  quatsimd_operand o, b;
  if (count == 0) return QUATSIMD_OK;
  if (!quatsimd_resolve_out(&o, 4, &q) || !quatsimd_resolve_in(&b, 4, &base) ||
      quatsimd_collide(&o, &b, count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t i = 0; i < count; i++)
    quatsimd_negate_if(quatsimd_dot_of(quatsimd_load(&o, i), quatsimd_load(&b, i)) < 0, &o, i);
  return QUATSIMD_OK;
}
