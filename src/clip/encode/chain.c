#include "clip/encode/chain.h"

/* These values gave short clips of motion capture and game animations. Clips hardly depend on them. */
#define STILL 0.2    /* weight of a joint that hardly turns; a joint that turns has weight 1 */
#define VARIED 0.3   /* a curve moves if it moves points by more than this part of their bound */
#define EXPECTED 0.6 /* expected error of a joint's origin / the origin's bound */
#define FINER 0.8    /* first unit of a rotation / its expected bound */
#define AIM 0.995    /* attempts aim below the bound: errors between measured times are slightly larger */

static double at_least(double x, double least) { return x > least ? x : least; }
static double at_most(double x, double most) { return x < most ? x : most; }

bool quatsimd_chain_begin(clip_chain *chain, const clip_skeleton *skeleton, clip_encoder *e) {
  const size_t joints = e->original->joint_count, frames = e->grid.frames;
  *chain = (clip_chain){.skeleton = skeleton,
                        .last = frames - 1,
                        .joint = quatsimd_take(&e->memory, joints + 1, sizeof *chain->joint),
                        .knot = quatsimd_take(&e->memory, frames + 1, sizeof *chain->knot),
                        .done = quatsimd_take(&e->memory, frames + 1, sizeof *chain->done),
                        .tight = quatsimd_take(&e->memory, frames, sizeof *chain->tight),
                        .over = quatsimd_take(&e->memory, frames, sizeof *chain->over),
                        .strict = quatsimd_take(&e->memory, frames, sizeof *chain->strict),
                        .allowance = quatsimd_take(&e->memory, frames, sizeof *chain->allowance),
                        .fix = quatsimd_take(&e->memory, frames, sizeof *chain->fix)};
  if (!chain->joint || !chain->knot || !chain->done || !chain->tight || !chain->over || !chain->strict ||
      !chain->allowance || !chain->fix)
    return false;
  for (size_t b = 0; frames > 1 && b <= clip_blocks(frames); b++)
    chain->knot[clip_block_start(b, frames)] = true;
  for (size_t f = 0; f < frames; f++) chain->tight[f] = 1;
  for (size_t j = 0; j < joints; j++)
    chain->joint[j].aim = AIM * (double)skeleton->start[j], chain->joint[j].origin = 1;
  return true;
}

/* ---- the plan ---- */

/* True if a key of the curve differs from the first key by more than `most`. */
static bool varies(const quatsimd_curve *curve, int kind, double most) {
  double a[CLIP_MOST_COMPONENTS], b[CLIP_MOST_COMPONENTS];
  for (size_t k = 0; k < curve->key_count && curve->key_count > 1; k++) {
    quatsimd_curve_key(curve, kind, k, k ? b : a);
    if (k > 0 && quatsimd_value_error(kind, a, b) > most) return true;
  }
  return false;
}

static double longest_key(const quatsimd_curve *curve) {
  double most = 0, v[CLIP_MOST_COMPONENTS];
  for (size_t k = 0; k < curve->key_count; k++) {
    quatsimd_curve_key(curve, QUATSIMD_CLIP_TRANSLATION, k, v);
    most = at_least(chain_length(v), most);
  }
  return most;
}

/* Returns the weight of a joint when the bound is divided along a line of joints. */
static double weight_of(const clip_encoder *e, const clip_chain_joint *joint, size_t j) {
  if (e->exact && e->exact[j]) return 0;
  return joint->turns ? 1 : e->source->joints[j].rotation.key_count > 0 ? STILL : 0;
}

/* Sets `turns`, `carrier`, `above` and `away` of each joint. */
static void look_down(clip_chain *chain, const clip_encoder *e) {
  const clip_skeleton *s = chain->skeleton;
  for (size_t i = 0; i < e->source->joint_count; i++) { /* parents first */
    const size_t j = s->order[i];
    const int64_t parent = e->original->joints[j].parent;
    clip_chain_joint *joint = &chain->joint[j];
    const clip_chain_joint *up = parent < 0 ? NULL : &chain->joint[parent];
    const double bound = VARIED * joint->aim / at_least(s->stretch[j], 0x1p-60);
    const quatsimd_curve *translation = &e->source->joints[j].translation;
    joint->turns = varies(&e->source->joints[j].rotation, QUATSIMD_CLIP_ROTATION,
                          bound / at_least(s->reach[j], 0x1p-60));
    joint->above = (up ? up->above + weight_of(e, up, (size_t)parent) : 0) +
                   varies(translation, QUATSIMD_CLIP_TRANSLATION, bound);
    joint->carrier = !up || up->turns ? parent : up->carrier;
    joint->away = (!up || up->turns ? 0 : up->away) + longest_key(translation) * s->stretch[j];
    joint->first = joint->next = joint->main = -1;
    joint->below = joint->reach = 0;
  }
}

/* Sets `below`, `may` and `reach` of each joint, and lists the joints that it carries. */
static void look_up(clip_chain *chain, const clip_encoder *e) {
  const clip_skeleton *s = chain->skeleton;
  for (size_t i = e->source->joint_count; i-- > 0;) {
    const size_t j = s->order[i];
    const int64_t parent = e->original->joints[j].parent;
    clip_chain_joint *joint = &chain->joint[j], *up = parent < 0 ? NULL : &chain->joint[parent];
    clip_chain_joint *carrier = joint->carrier < 0 ? NULL : &chain->joint[joint->carrier];
    const double weight = weight_of(e, joint, j), own = clip_own_reach(s, j) * s->stretch[j] * s->scale[j];
    joint->below += weight;
    const double line = joint->above + joint->below, share = line > 0 ? joint->above / line : 0;
    /* power 3/4: errors along a line neither add up in full (power 1) nor are independent (power 1/2) */
    joint->may = joint->aim * joint->origin * (quatsimd_sqrt(share) * quatsimd_sqrt(quatsimd_sqrt(share)));
    if (up) up->below = at_least(up->below, line - up->above - weight_of(e, up, (size_t)parent));
    if (joint->turns || !carrier) joint->reach = at_least(joint->reach, own);
    else carrier->reach = at_least(carrier->reach, (own + joint->away) * (carrier->aim / joint->aim));
    if (!carrier || !joint->turns || !(joint->away > 0)) continue;
    joint->next = carrier->first, carrier->first = (int64_t)j;
    if (carrier->main < 0 || joint->below > chain->joint[carrier->main].below) carrier->main = (int64_t)j;
  }
}

/* Finds a joint's `arm`, in the pose of the first keys. */
static void find_arm(const clip_chain *chain, const clip_encoder *e, size_t j) {
  clip_chain_joint *joint = &chain->joint[j];
  double v[3] = {0}, key[CLIP_MOST_COMPONENTS];
  if (joint->main < 0) return;
  for (size_t c = (size_t)joint->main;;) {
    const quatsimd_curve *translation = &e->source->joints[c].translation;
    if (translation->key_count) {
      quatsimd_curve_key(translation, QUATSIMD_CLIP_TRANSLATION, 0, key);
      for (int i = 0; i < 3; i++) v[i] += key[i];
    }
    c = (size_t)e->original->joints[c].parent;
    if (c == j) break;
    if (e->source->joints[c].rotation.key_count == 0) continue;
    quatsimd_curve_key(&e->source->joints[c].rotation, QUATSIMD_CLIP_ROTATION, 0, key);
    quat64_rotate(v, key, (const double[]){v[0], v[1], v[2]});
  }
  for (int i = 0; i < 3; i++) joint->arm[i] = v[i] * chain->skeleton->stretch[joint->main];
}

/* Sets the bounds of curves. Expected errors of joints' origins use up a part of the joints' bounds. */
static void set_bounds(clip_chain *chain, clip_encoder *e) {
  const clip_skeleton *s = chain->skeleton;
  const double most_angle = 0.5;
  for (size_t j = 0; j < e->source->joint_count; j++) {
    clip_chain_joint *joint = &chain->joint[j];
    const double stretch = at_least(s->stretch[j], 0x1p-60), still = STILL / 2 * joint->aim / stretch,
                 off = EXPECTED * joint->may,
                 above = joint->carrier < 0 ? 0 : EXPECTED * chain->joint[joint->carrier].may;
    double angle = joint->turns ? (joint->aim - off) / at_least(joint->reach, 0x1p-60)
                                : still / at_least(s->reach[j], 0x1p-60);
    for (int64_t c = joint->turns ? joint->first : -1; c >= 0; c = chain->joint[c].next)
      angle = at_most(angle, (chain->joint[c].may - off) / chain->joint[c].away);
    if (!(joint->finer > 0)) joint->finer = FINER;
    joint->nominal = at_most(angle, most_angle);
    e->bound[QUATSIMD_CLIP_ROTATION][j] = joint->nominal;
    e->bound[QUATSIMD_CLIP_TRANSLATION][j] = at_least((joint->may - above) / stretch, still);
    e->bound[QUATSIMD_CLIP_SCALE][j] = still / at_least(s->span[j], 0x1p-60);
    e->retry[QUATSIMD_CLIP_ROTATION][j].finer = (float)joint->finer;
    /* only a moving rotation corrects errors of the joints above */
    e->retry[QUATSIMD_CLIP_ROTATION][j].moves = joint->turns;
  }
}

bool quatsimd_chain_plan(clip_chain *chain, clip_encoder *e) {
  bool any = false;
  look_down(chain, e);
  look_up(chain, e);
  for (size_t j = 0; j < e->source->joint_count; j++) {
    find_arm(chain, e, j);
    any = any || chain->joint[j].turns;
  }
  set_bounds(chain, e);
  return any;
}

/* ---- retries ---- */

void quatsimd_chain_note(const clip_chain *chain, clip_chain_notes *notes, size_t frame, size_t j,
                         double ratio) {
  if (!(ratio > 1)) return;
  const clip_chain_joint *joint = &chain->joint[j];
  if (!joint->turns || joint->scarce || chain->knot[frame] || chain->knot[frame + 1])
    notes->worst[j] = at_least(ratio, notes->worst[j]);
  for (size_t f = frame - notes->first; f <= frame - notes->first + 1; f++)
    if (!((float)ratio <= notes->over[f])) notes->over[f] = (float)ratio;
}

void quatsimd_chain_take(clip_chain *chain, const clip_chain_notes *notes, const double *within,
                         size_t joints, bool between) {
  for (size_t j = 0; j < joints && between; j++)
    chain->joint[j].held = at_least(within[j], chain->joint[j].held);
  for (size_t i = 0; i < notes->frames && between; i++)
    chain->done[notes->first + i] = !(notes->over[i] > 1 || notes->over[i + 1] > 1);
  for (size_t i = 0; i <= notes->frames && notes->first + i <= chain->last; i++) {
    float *const over = &chain->over[notes->first + i];
    if (!(notes->over[i] <= *over)) *over = notes->over[i];
  }
  for (size_t j = 0; j < joints; j++)
    chain->joint[j].worst = at_least(notes->worst[j], chain->joint[j].worst);
}

void quatsimd_chain_forget(clip_chain *chain, const clip_encoder *e) {
  memset(chain->done, 0, e->grid.frames * sizeof *chain->done);
  for (size_t j = 0; j < e->source->joint_count; j++) chain->joint[j].held = 0;
}

/* Forgets what was measured in blocks that are expected to change. */
static void forget_changed(clip_chain *chain, size_t frames) {
  for (size_t b = 0; b < clip_blocks(frames); b++) {
    const size_t first = clip_block_start(b, frames), end = clip_block_start(b + 1, frames);
    bool stays = true;
    for (size_t f = first; f <= end; f++) stays = stays && !(chain->over[f] > 1);
    for (size_t f = first; f < end; f++) chain->done[f] = chain->done[f] && stays;
  }
}

/* Makes rotations' units finer where points miss their bound near knots, or where a unit is too coarse. If
 * `above`, joints above get finer units, too. */
static void refine(clip_chain *chain, const clip_encoder *e, bool above) {
  const clip_skeleton *s = chain->skeleton;
  for (size_t i = e->source->joint_count; i-- > 0;) { /* children first */
    const size_t j = s->order[i];
    clip_chain_joint *joint = &chain->joint[j],
                     *carrier = joint->carrier < 0 ? NULL : &chain->joint[joint->carrier];
    if (joint->turns ? joint->scarce : carrier && carrier->scarce)
      joint->worst = at_least(s->worst[j] / (double)s->bound[j], joint->worst);
    if (!(joint->worst > 1)) continue;
    if (joint->turns) {
      joint->finer *= 0.98 / at_most(joint->worst, 2);
      joint->worst = above ? quatsimd_sqrt(joint->worst) : 1;
      if (joint->worst < 1.02) continue;
    }
    if (carrier) carrier->worst = at_least(joint->worst, carrier->worst);
  }
}

void quatsimd_chain_retry(clip_chain *chain, clip_encoder *e, int attempt) {
  enum { REFINE = 3, PATIENCE = 4, REFINE_ABOVE = 6, SHARPEST = 10, FEW = 16, LOCALS = 6 };
  const double less = 0.96 - 0.04 * (attempt < SHARPEST ? attempt : SHARPEST);
  size_t missed = 0;
  float most = 0;
  for (size_t f = 0; f < e->grid.frames; f++)
    if (chain->over[f] > 1) {
      chain->tight[f] = (float)((double)chain->tight[f] * (less / at_most((double)chain->over[f], 2)));
      missed++, most = chain->over[f] > most ? chain->over[f] : most;
    }
  /* if few frames missed their bound, curves keep their units, and other frames the errors that they have */
  const bool stuck = chain->locals > 1 && missed >= chain->missed && most >= chain->most;
  chain->locals = missed * FEW <= e->grid.frames && chain->locals < LOCALS && !stuck ? chain->locals + 1 : 0;
  chain->missed = missed, chain->most = most;
  for (size_t j = 0; j < e->source->joint_count && chain->locals == 0; j++)
    if (chain->joint[j].worst > 1 && (!chain->joint[j].turns || chain->joint[j].scarce))
      *(chain->joint[j].turns ? &chain->joint[j].origin : &chain->joint[j].aim) *=
          0.98 / at_most(chain->joint[j].worst, 2);
  if (attempt >= REFINE && chain->locals == 0) refine(chain, e, attempt >= REFINE_ABOVE);
  for (size_t j = 0; j < e->source->joint_count && attempt >= PATIENCE && chain->locals == 0; j++)
    chain->joint[j].aim *= 0.97;
  if (chain->locals == 0) quatsimd_chain_forget(chain, e);
  else forget_changed(chain, e->grid.frames);
  for (size_t f = 0; f < e->grid.frames; f++) chain->over[f] = 0;
  for (size_t j = 0; j < e->source->joint_count; j++) chain->joint[j].worst = 0;
}
