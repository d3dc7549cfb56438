/* Makes synthetic skeletons. Computes only with + - * /, because goldens depend on the skeletons. */
#ifndef QUATSIMD_TESTS_SKELETONS_H
#define QUATSIMD_TESTS_SKELETONS_H

#include "support/sweep.h"

#include "quatsimd/skeleton.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct made_skeleton {
  quatsimd_skeleton_source source;
  quatsimd_skeleton_joint *joint;
  const char **track;
  float *track_rest;
  float (*matrix)[12];
  char *text; /* the text of all names */
} made_skeleton;

static inline void *made_memory(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory) fputs("out of memory\n", stderr), exit(1);
  return memory;
}

static inline float made_float(uint64_t *state) {
  return (float)((double)(sweep_next(state) >> 40) / 0x1p+23 - 1);
}

/* Makes joints and tracks without names. The joints are a chain without rotation and translation. */
static inline void made_empty(made_skeleton *s, size_t joints, size_t tracks, size_t text) {
  *s = (made_skeleton){.joint = made_memory(joints, sizeof *s->joint),
                       .track = made_memory(tracks, sizeof *s->track),
                       .track_rest = made_memory(tracks, sizeof *s->track_rest),
                       .matrix = made_memory(joints, sizeof *s->matrix),
                       .text = made_memory(text, 1)};
  for (size_t j = 0; j < joints; j++)
    s->joint[j] = (quatsimd_skeleton_joint){
        .name = "", .parent = (int64_t)j - 1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
  for (size_t t = 0; t < tracks; t++) s->track[t] = "";
  s->source = (quatsimd_skeleton_source){joints, s->joint, tracks, s->track, 1, s->track_rest};
}

static inline void made_free(made_skeleton *s) {
  free(s->joint), free(s->track), free(s->track_rest), free(s->matrix), free(s->text);
}

/* Draws parents, a rest pose and, if `matrices` is true, matrices. Every fourth rotation has length 1, the
 * others any length. The elements of a matrix are up to 1e30 or up to 1e-30. */
static inline void made_pose(made_skeleton *s, uint64_t seed, bool matrices) {
  uint64_t state = seed;
  for (size_t j = 0; j < s->source.joint_count; j++) {
    quatsimd_skeleton_joint *joint = &s->joint[j];
    joint->parent = (int64_t)(sweep_next(&state) % (j + 1)) - 1;
    for (int i = 0; i < 4; i++)
      joint->rotation[i] = j % 4 == 0 ? (i % 2 ? -0.5f : 0.5f) : 3 * made_float(&state);
    if (j % 7 == 3) sweep_set_bits(&joint->rotation[1], 12345); /* a denormal */
    for (int i = 0; i < 3; i++) joint->translation[i] = 100 * made_float(&state);
    for (int i = 0; i < 3; i++) joint->scale[i] = made_float(&state);
    for (int i = 0; i < 12; i++) s->matrix[j][i] = made_float(&state) * (j % 2 ? 1e30f : 1e-30f);
    joint->inverse_bind = matrices && sweep_next(&state) % 3 ? s->matrix[j] : NULL;
  }
  for (size_t t = 0; t < s->source.track_count; t++) s->track_rest[t] = made_float(&state);
}

/* Makes numbered names, which are not in alphabetical order. Every fifth name repeats an earlier one. */
static inline void made_names(made_skeleton *s, const char *prefix) {
  char *at = s->text;
  const size_t joints = s->source.joint_count;
  for (size_t item = 0; item < joints + s->source.track_count; item++) {
    const size_t number = item % 5 == 4 ? item / 3 : item;
    const char **name = item < joints ? &s->joint[item].name : &s->track[item - joints];
    *name = at;
    at += sprintf(at, "%s%u", prefix, (unsigned)(number * 2654435761u)) + 1;
  }
}

static inline void made_none(made_skeleton *s) { made_empty(s, 0, 0, 0), s->source.metres = 0; }

static inline void made_arm(made_skeleton *s) {
  static const char *const names[] = {"shoulder", "elbow", "hand", "thumb"};
  made_empty(s, 4, 2, 0);
  for (int j = 0; j < 4; j++) s->joint[j].name = names[j], s->joint[j].translation[0] = 0.25f * (float)j;
  s->joint[3].rotation[0] = 1, s->joint[3].translation[1] = -0.0f, s->joint[3].scale[2] = -2;
  s->track[0] = "smile", s->track[1] = "blink.L", s->track_rest[1] = 0.25f;
  for (int i = 0; i < 12; i++) s->matrix[2][i] = i % 5 == 0;
  s->joint[2].inverse_bind = s->matrix[2];
  s->source.metres = 0.01;
}

/* Makes names. Among them are the first and the last character of each length in UTF-8, empty and equal
 * names, prefixes of other names, and control characters. */
static inline void made_utf8(made_skeleton *s) {
  static const char *const names[] = {"b",
                                      "",
                                      "\xc3\xa9tage",
                                      "a",
                                      "\xc2\x80",
                                      "ab",
                                      "\xdf\xbf",
                                      "\xe0\xa0\x80",
                                      "\xed\x9f\xbf",
                                      "\xee\x80\x80",
                                      "\xef\xbf\xbf",
                                      "\xf0\x90\x80\x80",
                                      "\xf4\x8f\xbf\xbf",
                                      "abc",
                                      "a",
                                      "\x7f",
                                      "\x01\n",
                                      "",
                                      "\xe9\xaa\xa8\xe9\xaa\xbc",
                                      "\xf0\x9f\xa6\xb4",
                                      "ab"};
  enum { NAMES = sizeof names / sizeof *names };
  made_empty(s, NAMES, NAMES, 0);
  for (int i = 0; i < NAMES; i++) s->joint[i].name = names[i], s->track[i] = names[NAMES - 1 - i];
  made_pose(s, 1, false);
}

static inline void made_body(made_skeleton *s) {
  made_empty(s, 61, 7, 61 * 40 + 7 * 40);
  made_names(s, "mixamorig:"), made_pose(s, 2, true);
}

/* Makes tracks without rest values. track_rest is NULL, which means that all rest values are 0. */
static inline void made_face(made_skeleton *s) {
  made_empty(s, 0, 52, 52 * 40), made_names(s, "face.");
  s->source.track_rest = NULL;
}

/* Makes names so long that offsets into them have four bytes. */
static inline void made_wide(made_skeleton *s) {
  char prefix[300];
  memset(prefix, 'n', sizeof prefix - 1), prefix[sizeof prefix - 1] = 0;
  made_empty(s, 200, 100, 300 * 340);
  made_names(s, prefix), made_pose(s, 3, true);
}

static inline void made_most(made_skeleton *s) {
  made_empty(s, QUATSIMD_SKELETON_MOST, QUATSIMD_SKELETON_MOST, (size_t)2 * QUATSIMD_SKELETON_MOST * 16);
  made_names(s, "j"), made_pose(s, 4, true);
}

static const struct skeleton_maker {
  const char *name;
  void (*make)(made_skeleton *);
} skeletons[] = {{"none", made_none}, {"arm", made_arm},   {"utf8", made_utf8}, {"body", made_body},
                 {"face", made_face}, {"wide", made_wide}, {"most", made_most}};
enum { SKELETONS = sizeof skeletons / sizeof *skeletons };

#endif
