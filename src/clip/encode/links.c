/* Finds the rotations that joints aim at, parents first, and the errors of joints with encoded rotations. */
#include "clip/encode/chain.h"

/* The least allowance that frames of a rotation can hold, as a multiple of the rotation's unit. */
#define LEAST_ALLOWANCE 0.6
/* A joint corrects at most this part of the error that its origin causes at its main joint. */
#define MADE_GOOD 0.5

static void cross(double p[3], const double *a, const double *b) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  p[0] = x, p[1] = y, p[2] = z;
}
static void turn_back(double out[3], const double *q, const double *v) {
  double c[4];
  quat64_conjugate(c, q);
  quat64_rotate(out, c, v);
}

/* ---- encoded curves ---- */

/* Decodes a curve's vector at frame f. *block is the block of an earlier frame, and becomes that of f. */
static void coded_vector(double p[3], const clip_encoder *e, const clip_coded_kind *coded,
                         const clip_moving_curve *curve, size_t f, size_t *block) {
  const size_t frames = e->grid.frames, blocks = clip_blocks(frames);
  while (*block + 1 < blocks && clip_block_start(*block + 1, frames) <= f) ++*block;
  const size_t first = clip_block_start(*block, frames),
               intervals = clip_block_start(*block + 1, frames) - first, n = f - first;
  const float unit = clip_unit_in_use(coded, curve);
  const clip_moving_block *in = &curve->block[*block];
  const double knot_quantum = (double)unit * (double)CLIP_KNOT_QUANTUM,
               quantum = (double)unit * (double)quatsimd_clip_quantum[in->choice.code];
  for (size_t a = 0; a < CLIP_AXES; a++) {
    p[a] = knot_quantum *
           ((double)curve->knot[*block][a] * (double)(intervals - n) +
            (double)curve->knot[*block + 1][a] * (double)n) /
           (double)intervals;
    if (n == 0 || n == intervals) continue;
    if (in->choice.code == CLIP_RAW) {
      p[a] += knot_quantum * in->raw[(intervals - 1) * a + n - 1];
      continue;
    }
    double sum = 0;
    for (size_t k = 0; k + 1 < intervals; k++)
      sum += in->choice.q[a][k] * (double)e->problem[intervals].basis[k][n - 1];
    p[a] += sum * quantum;
  }
}

/* Finds the clip's value of a curve that is constant, at rest or absent. False if memory runs out. */
static bool still_value(double out[CLIP_MOST_COMPONENTS], clip_encoder *e, int kind, size_t joint) {
  const quatsimd_curve *curve = clip_curve(e->source, kind, joint);
  struct piece *mark = e->memory.last;
  clip_rest_value(out, e, kind, joint);
  if (e->coded[kind].state[joint] != QUATSIMD_CLIP_CONSTANT) return true;
  clip_value *value = quatsimd_take(&e->memory, curve->key_count, sizeof *value), middle;
  clip_vector *vector = quatsimd_take(&e->memory, curve->key_count, sizeof *vector);
  unsigned char bytes[12];
  float back[CLIP_MOST_COMPONENTS];
  if (value && vector) {
    quatsimd_encode_keys(curve, kind, value);
    quatsimd_encode_middle(middle, value, curve->key_count, kind, vector);
    quatsimd_encode_value(bytes, back, kind, e->precision, middle);
    clip_widen(out, back, kind);
  }
  quatsimd_release(&e->memory, mark);
  return value && vector;
}

/* ---- a joint's frames ---- */

void quatsimd_chain_open(clip_chain *chain, clip_encoder *e) {
  const clip_coded_kind *translation = &e->coded[QUATSIMD_CLIP_TRANSLATION];
  for (size_t j = 0; j < e->source->joint_count; j++) {
    clip_chain_joint *joint = &chain->joint[j];
    joint->slides = NULL, joint->link = NULL, joint->left = 0, joint->scarce = false;
    joint->kept = (quatsimd_memory){.allocator = e->memory.allocator};
  }
  for (size_t j = 0; j < e->source->joint_count; j++)
    if (e->original->joints[j].parent >= 0) chain->joint[e->original->joints[j].parent].left++;
  for (size_t i = 0; i < translation->movings; i++)
    chain->joint[translation->moving[i].joint].slides = &translation->moving[i];
}

void quatsimd_chain_close(clip_chain *chain, const clip_encoder *e) {
  for (size_t j = 0; j < e->source->joint_count; j++) {
    quatsimd_release(&chain->joint[j].kept, NULL);
    e->retry[QUATSIMD_CLIP_ROTATION][j].strict = NULL;
  }
}

typedef struct chain_frames {
  clip_chain *chain;
  const clip_encoder *e;
  size_t joint;
  const clip_link *up; /* the parent's links; null if there is no parent */
  clip_value *value;
  const clip_moving_curve *curve; /* the joint's rotation; null: it does not move */
  double still[CLIP_MOST_COMPONENTS];
} chain_frames;
static chain_frames frames_of(clip_chain *chain, const clip_encoder *e, size_t j, clip_value *value,
                              const clip_moving_curve *curve) {
  const int64_t parent = e->original->joints[j].parent;
  return (chain_frames){chain, e, j, parent < 0 ? NULL : chain->joint[parent].link, value, curve, {0}};
}
/* Returns the block in which a part of the frames begins. There are at least two frames. */
static size_t first_block(const clip_encoder *e, size_t part) {
  const size_t frames = e->grid.frames, f = CLIP_PART * part;
  return clip_block_of(f < frames - 2 ? f : frames - 2, frames);
}
/* Sets a joint's `wanted` and `off` at each frame of a part. */
static void place(const chain_frames *w, size_t part) {
  const clip_encoder *e = w->e;
  const clip_coded_kind *coded = &e->coded[QUATSIMD_CLIP_TRANSLATION];
  const clip_chain_joint *joint = &w->chain->joint[w->joint];
  const quatsimd_curve *translation = &e->source->joints[w->joint].translation;
  const double stretch = w->chain->skeleton->stretch[w->joint];
  clip_progress progress = quatsimd_curve_start(translation, clip_grid_time(&e->grid, CLIP_PART * part));
  size_t block = joint->slides ? first_block(e, part) : 0;
  for (size_t f = CLIP_PART * part; f < clip_part_end(e, part); f++) {
    clip_link *link = &joint->link[f];
    const clip_link *up = w->up ? &w->up[f] : NULL;
    double t[CLIP_MOST_COMPONENTS], d[CLIP_MOST_COMPONENTS], turned[3];
    quatsimd_curve_along(translation, QUATSIMD_CLIP_TRANSLATION, clip_grid_time(&e->grid, f), &progress, t);
    if (joint->slides) {
      coded_vector(d, e, coded, joint->slides, f, &block);
      for (int i = 0; i < 3; i++) d[i] += (double)joint->slides->space.middle[i] - t[i];
    } else
      for (int i = 0; i < 3; i++)
        d[i] = coded->state[w->joint] == QUATSIMD_CLIP_KEYED ? 0 : w->still[i] - t[i];
    const float *v = w->value[f];
    const double q[4] = {v[0], v[1], v[2], v[3]};
    if (up) {
      quat64_multiply(link->wanted, up->wanted, q);
      quat64_rotate(t, up->wanted, t), quat64_rotate(d, up->wanted, d);
      cross(turned, up->turned, t);
    } else memcpy(link->wanted, q, sizeof q), memset(turned, 0, sizeof turned);
    for (int i = 0; i < 3; i++) link->off[i] = (up ? up->off[i] : 0) + stretch * (turned[i] + d[i]);
  }
}

/* Sets the rotations to aim at: the source's, turned so that the main joint comes nearer its place. */
static void aim(const chain_frames *w, size_t part) {
  const clip_chain_joint *joint = &w->chain->joint[w->joint];
  for (size_t f = CLIP_PART * part; f < clip_part_end(w->e, part); f++) {
    const clip_link *link = &joint->link[f];
    float *v = w->value[f];
    double arm[3], *fix = w->chain->fix[f], more[3];
    memset(fix, 0, sizeof w->chain->fix[f]);
    if (joint->main >= 0) {
      quat64_rotate(arm, link->wanted, joint->arm);
      const double lever = arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2] + joint->reach * joint->reach;
      cross(fix, link->off, arm);
      for (int i = 0; i < 3; i++) fix[i] = lever > 0 ? fix[i] * (MADE_GOOD / lever) : 0;
    }
    for (int i = 0; i < 3; i++) more[i] = (fix[i] - (w->up ? w->up[f].turned[i] : 0)) / 2;
    turn_back(more, link->wanted, more);
    double q[4] = {v[0], v[1], v[2], v[3]};
    quat64_multiply(q, q, (const double[]){more[0], more[1], more[2], 1});
    quat64_normalise(q);
    for (int i = 0; i < 4; i++) v[i] = (float)clip_kept(q[i]);
  }
}

/* Returns the largest error that a joint's rotation may have at a frame, in radians. */
static double allowance_of(const clip_chain *chain, const clip_chain_joint *joint, size_t f) {
  const clip_link *link = &joint->link[f];
  const double tight = (double)chain->tight[f], off = chain_length(link->off);
  double allowance = joint->reach > 0
                         ? (tight * joint->aim - off) / joint->reach - chain_length(chain->fix[f])
                         : joint->nominal;
  for (int64_t c = joint->first; c >= 0; c = chain->joint[c].next) {
    const clip_chain_joint *child = &chain->joint[c];
    double there = off;
    if (c == joint->main) {
      double moved[3];
      quat64_rotate(moved, link->wanted, joint->arm);
      cross(moved, chain->fix[f], moved);
      for (int i = 0; i < 3; i++) moved[i] += link->off[i];
      there = chain_length(moved);
    }
    const double left = (tight * child->may - there) / child->away;
    if (left < allowance) allowance = left;
  }
  return allowance;
}

static void enter_part(void *data, size_t part) {
  const chain_frames *w = data;
  place(w, part);
  if (!w->curve) return;
  aim(w, part);
  for (size_t f = CLIP_PART * part; f < clip_part_end(w->e, part); f++)
    w->chain->allowance[f] = allowance_of(w->chain, &w->chain->joint[w->joint], f);
}

/* True if more than one in MANY frames has an allowance that the unit cannot hold. */
static bool is_scarce(const clip_chain *chain, size_t frames, double unit) {
  enum { MANY = 256 };
  size_t scarce = 0;
  for (size_t f = 0; f < frames; f++)
    scarce += !chain->knot[f] && chain->allowance[f] < LEAST_ALLOWANCE * unit;
  return scarce * MANY > frames;
}

/* Sets `strict` of each frame. If allowances need it, the curve's unit becomes finer, at most eight times. */
static void set_strictness(clip_chain *chain, const clip_encoder *e, clip_coded_kind *coded, size_t j,
                           clip_moving_curve *curve) {
  enum { MOST_FINER = 48 };
  clip_chain_joint *joint = &chain->joint[j];
  const double angle = joint->finer * joint->nominal / coded->unit_of[j], widest = 4 * joint->nominal;
  const size_t frames = e->grid.frames;
  if (chain->locals > 0) curve->exponent = joint->exponent;
  for (size_t f = 0; f < frames; f++)
    if (!(chain->allowance[f] < widest)) chain->allowance[f] = widest;
  for (int i = 0; i < MOST_FINER && curve->exponent < 255 && chain->locals == 0; i++) {
    if (!is_scarce(chain, frames, angle * (double)clip_unit_in_use(coded, curve))) break;
    curve->exponent++;
  }
  const double unit = angle * (double)clip_unit_in_use(coded, curve);
  joint->scarce = is_scarce(chain, frames, unit);
  for (size_t f = 0; f < frames; f++) {
    const double allowance =
        chain->allowance[f] > LEAST_ALLOWANCE * unit ? chain->allowance[f] : LEAST_ALLOWANCE * unit;
    chain->strict[f] = (float)(unit / allowance);
  }
}

bool quatsimd_chain_enter(clip_chain *chain, clip_encoder *e, size_t j, clip_value *value,
                          clip_moving_curve *curve) {
  clip_chain_joint *joint = &chain->joint[j];
  chain_frames w = frames_of(chain, e, j, value, curve);
  joint->link = quatsimd_take(&joint->kept, e->grid.frames, sizeof *joint->link);
  if (!joint->link || !still_value(w.still, e, QUATSIMD_CLIP_TRANSLATION, j)) return false;
  clip_run(e, enter_part, &w, clip_parts(e));
  if (!curve) return true;
  set_strictness(chain, e, &e->coded[QUATSIMD_CLIP_ROTATION], j, curve);
  e->retry[QUATSIMD_CLIP_ROTATION][j].strict = chain->strict;
  return true;
}

/* Sets the joint's `turned` at each frame of a part. */
static void leave_part(void *data, size_t part) {
  const chain_frames *w = data;
  const clip_coded_kind *coded = &w->e->coded[QUATSIMD_CLIP_ROTATION];
  const bool exact = !w->curve && coded->state[w->joint] == QUATSIMD_CLIP_KEYED;
  const clip_sides sides = w->curve ? quatsimd_tangent_sides(&w->curve->space) : (clip_sides){{0}, {0}};
  size_t block = w->curve ? first_block(w->e, part) : 0;
  for (size_t f = CLIP_PART * part; f < clip_part_end(w->e, part); f++) {
    const float *v = w->value[f];
    const double back[4] = {-v[0], -v[1], -v[2], v[3]};
    double *turned = w->chain->joint[w->joint].link[f].turned, found[CLIP_MOST_COMPONENTS], p[3];
    if (w->curve) {
      coded_vector(p, w->e, coded, w->curve, f, &block);
      quatsimd_tangent_back(found, &sides, p);
    } else memcpy(found, w->still, sizeof found);
    if (exact) turned[0] = turned[1] = turned[2] = 0;
    else {
      quat64_multiply(found, found, back);
      const double real = found[3] < 0 ? -found[3] : found[3], s = found[3] < 0 ? -2 : 2;
      for (int i = 0; i < 3; i++) turned[i] = s * found[i] / (real > 0.5 ? real : 0.5);
      if (w->up) quat64_rotate(turned, w->up[f].wanted, (const double[]){turned[0], turned[1], turned[2]});
    }
    for (int i = 0; i < 3 && w->up; i++) turned[i] += w->up[f].turned[i];
  }
}

void quatsimd_chain_leave(clip_chain *chain, clip_encoder *e, size_t j, clip_value *value,
                          const clip_moving_curve *curve) {
  const int64_t parent = e->original->joints[j].parent;
  clip_chain_joint *joint = &chain->joint[j], *above = parent < 0 ? NULL : &chain->joint[parent];
  chain_frames w = frames_of(chain, e, j, value, curve);
  if (!curve && !still_value(w.still, e, QUATSIMD_CLIP_ROTATION, j)) e->failed = true;
  if (joint->left > 0) clip_run(e, leave_part, &w, clip_parts(e));
  if (joint->left == 0) quatsimd_release(&joint->kept, NULL);
  if (above && --above->left == 0) quatsimd_release(&above->kept, NULL);
}
