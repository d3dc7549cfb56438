/* What an instruction set does for clips: sampling, and the encoder's inner loop. */
#ifndef QUATSIMD_CLIP_KERNELS_H
#define QUATSIMD_CLIP_KERNELS_H

#include <stdbool.h>

#include "clip/layout.h"

/* What profiles have room for. */
typedef struct quatsimd_clip_rooms {
  /* [k][width]: a bit for each profile with so many bits for coefficient k, or more */
  uint64_t wide[CLIP_INNER][CLIP_INNER][CLIP_PROFILES / 64];
  /* the least coefficients; the largest are -1 - these, or 0 if that is less */
  float low[CLIP_PROFILES][CLIP_INNER];
  /* how many profiles, the first ones, have fewer bytes */
  uint8_t shorter[CLIP_PROFILES];
} quatsimd_clip_rooms;

/* One curve in one block, for the encoder: what is left of its frames once the straight line between the
 * knots is taken away. What is behind `inner` frames is zeros. */
typedef struct quatsimd_clip_problem {
  size_t inner;
  float unit;
  float residual[CLIP_AXES][CLIP_INNER];
  float weight[CLIP_INNER];            /* 1 / the square of a frame's bound */
  float basis[CLIP_INNER][CLIP_INNER]; /* of the sine transform, orthonormal; symmetric */
  const quatsimd_clip_rooms *rooms;
} quatsimd_clip_problem;

typedef struct quatsimd_clip_choice {
  int16_t q[CLIP_AXES][CLIP_INNER];
  uint16_t bytes; /* of the three channels */
  uint8_t code, profile[CLIP_AXES];
} quatsimd_clip_choice;

/* A frame of a block: its row of the transform, and its share of both knots. */
typedef struct quatsimd_clip_row {
  const int16_t *entry;
  float before, after;
} quatsimd_clip_row;

/* Eight rotations as they are packed, all with one unit and none raw, and where they go: see
 * quatsimd_clip_group. */
typedef struct quatsimd_clip_packed {
  /* of bases; left null: there are no axes */
  const unsigned char *knots[2], *width, *profile, *left, *right;
  size_t curves;  /* the others' codes are CLIP_RAW and their profiles 0 */
  uint32_t codes; /* of quanta */
  size_t offset[CLIP_GROUP];
} quatsimd_clip_packed;
enum { CLIP_AT_ONCE = 8 }; /* groups, at most */

/* A group's rotations between the frames of two rows, or at the first one's if next is null, and where
 * they go. */
typedef struct quatsimd_clip_job {
  const quatsimd_clip_group *group; /* without raw curves */
  const quatsimd_clip_row *row, *next;
  char *to; /* what the group's offsets are from */
} quatsimd_clip_job;

/* What two keys weigh at t of the way. Each is (1 + m) / 2 long, so the weights are multiplied by the
 * other's length: no key has to be divided by its own. 2^-32 keeps all finite: of damaged clips, whose
 * units are at most 1, m is below 7e13. At the first key there is nothing to multiply by. */
typedef struct quatsimd_clip_weights {
  /* (first + times_m m of the second key) and second (1 + m of the first key) */
  float first, times_m, second;
} quatsimd_clip_weights;
static inline quatsimd_clip_weights clip_weights(float t) {
  const float first = (1 - t) * 0x1p-32f;
  return t > 0 ? (quatsimd_clip_weights){first, first, t * 0x1p-32f} : (quatsimd_clip_weights){1, 0, 0};
}

struct quatsimd_clip_kernels {
  /* The coefficients of eight curves, 24 profiles: x of all, y, z. Returns the end of the payload. */
  const unsigned char *(*unpack)(quatsimd_clip_group *group, const uint8_t *profile,
                                 const unsigned char *payload);
  /* The knots of up to eight curves, packed with a width for each axis; lanes behind the last get anything
   * finite. */
  void (*knots)(float knot[CLIP_AXES][CLIP_GROUP], const unsigned char *row, const uint8_t *width,
                size_t curves);
  /* The quanta of codes, four bits each. */
  void (*quanta)(float quantum[CLIP_GROUP], uint32_t codes, float unit, float norm);
  /* The quaternions of eight bases, longer than 1. */
  void (*bases)(float base[4][CLIP_GROUP], const unsigned char *p);
  /* Vectors at a frame. */
  void (*tangent)(float p[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group,
                  const quatsimd_clip_row *row);
  /* Rotations at the frame of a, or at t > 0 of the way to that of b: left (if axes) times nlerp times
   * right. */
  void (*rotate)(float to[CLIP_GROUP][4], const quatsimd_clip_group *group, float a[CLIP_AXES][CLIP_GROUP],
                 float b[CLIP_AXES][CLIP_GROUP], float t, bool axes);
  /* The two above for some groups that are unpacked, for speed. All have a next row or, t being 0, none
   * has. */
  void (*replay)(const quatsimd_clip_job *job, size_t jobs, float t, bool axes);
  /* All of the above for some groups, for speed: between the frames of two rows. Returns the end of the
   * payload. */
  const unsigned char *(*sample)(char *to, const quatsimd_clip_packed *packed, size_t groups,
                                 const unsigned char *payload, const quatsimd_clip_row row[2], float t,
                                 float unit, float norm);
  /* The shortest coefficients found that hold the bound; code CLIP_RAW if none do. */
  void (*search)(quatsimd_clip_choice *choice, const quatsimd_clip_problem *problem);
};
typedef struct quatsimd_clip_kernels quatsimd_clip_kernels;

#endif
