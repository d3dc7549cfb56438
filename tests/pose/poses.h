/* Makes random poses in arrays, and views of them in several layouts. */
#ifndef TESTS_POSES_H
#define TESTS_POSES_H

#include "quatsimd/pose.h"

#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Encodes a skeleton from a source and opens it. The caller frees `data`. */
static inline quatsimd_skeleton *open_skeleton(void **data, quatsimd_skeleton_storage *storage,
                                               const quatsimd_skeleton_source *source) {
  quatsimd_skeleton *skeleton;
  size_t size;
  assert_int_equal(quatsimd_skeleton_encode(data, &size, source, NULL, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_skeleton_open(&skeleton, storage, sizeof *storage, *data, size), QUATSIMD_OK);
  return skeleton;
}

#define REFUSED(call) assert_int_equal(call, QUATSIMD_ERROR_BAD_ARGUMENT)

enum { MOST = 700, TRACK = QUATSIMD_CLIP_TRACK }; /* poses has at most MOST elements of a kind */

/* at[0] to at[TRACK]: rotations, translations, scales and tracks, each without gaps */
typedef struct poses {
  float at[4][4 * MOST];
  float moved[3][4 * (MOST + 8)]; /* the elements of at[0] to at[2] in another layout */
} poses;

static inline size_t width_of(int kind) { return kind == 0 ? 4 : kind == TRACK ? 1 : 3; }

static inline void random_poses(poses *p, size_t elements, uint64_t *state) {
  for (size_t i = 0; i < elements; i++) {
    float *q = p->at[0] + 4 * i;
    const double turn = random_unit(state) * 8 - 4;
    double n2 = 0, v[4];
    for (int c = 0; c < 4; c++) v[c] = random_unit(state) * 2 - 1, n2 += v[c] * v[c];
    for (int c = 0; c < 4; c++) q[c] = (float)(v[c] / sqrt(n2));
    for (int c = 0; c < 3; c++) {
      p->at[1][3 * i + (size_t)c] = (float)(random_unit(state) * 20 - 10);
      p->at[2][3 * i + (size_t)c] = (float)(0.25 + 2 * random_unit(state)) * (turn > 3 ? -1 : 1);
    }
    p->at[TRACK][i] = (float)(random_unit(state) * 4 - 2);
  }
}

enum { LAYOUTS = 4 };

static inline size_t place_of(int layout, size_t width, size_t elements, size_t i, size_t c) {
  return layout == 0   ? width * i + c
         : layout == 1 ? c * elements + i
         : layout == 2 ? 4 * i + c
                       : i / 8 * 8 * width + 8 * c + i % 8;
}
static inline void move_pose(poses *p, int layout, size_t elements, bool back) {
  for (int kind = 0; kind < 3; kind++)
    for (size_t i = 0; i < elements; i++)
      for (size_t c = 0; c < width_of(kind); c++) {
        float *from = &p->at[kind][width_of(kind) * i + c],
              *to = &p->moved[kind][place_of(layout, width_of(kind), elements, i, c)];
        if (back) *from = *to;
        else *to = *from;
      }
}

static inline quatsimd_out view_out(poses *p, int kind, int layout, size_t elements) {
  float *f = p->moved[kind];
  const size_t w = width_of(kind);
  return layout == 0   ? quatsimd_aos_out(f)
         : layout == 1 ? quatsimd_soa_out(f, f + elements, f + 2 * elements, w == 4 ? f + 3 * elements : NULL)
         : layout == 2 ? quatsimd_strided_out(f, 16)
                       : quatsimd_blocks_out(f, 8);
}
static inline quatsimd_in view_in(const poses *p, int kind, int layout, size_t elements) {
  const quatsimd_out v = view_out((poses *)(uintptr_t)p, kind, layout, elements);
  return (quatsimd_in){v.x, v.y, v.z, v.w, v.stride, v.layout, v.order, v.block};
}

static inline quatsimd_pose_in poses_in(poses *p, int layout, size_t elements) {
  move_pose(p, layout, elements, false);
  return (quatsimd_pose_in){view_in(p, 0, layout, elements), view_in(p, 1, layout, elements),
                            view_in(p, 2, layout, elements), p->at[TRACK]};
}
static inline quatsimd_pose_out poses_out(poses *p, int layout, size_t elements) {
  return (quatsimd_pose_out){view_out(p, 0, layout, elements), view_out(p, 1, layout, elements),
                             view_out(p, 2, layout, elements), p->at[TRACK]};
}

static inline bool same_bits(const float *a, const float *b, size_t floats) {
  return memcmp(a, b, floats * sizeof *a) == 0;
}

#endif
