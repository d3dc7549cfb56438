/* Encodes packets: chooses the states that a packet is coded against and writes the packet's bytes. */
#include "scalar/point.h"
#include "stream/figure.h"
#include "stream/head.h"
#include "stream/parts.h"
#include "stream/predict.h"
#include "stream/receivers.h"
#include "stream/tracks.h"

/* ---- the states that a packet is coded against ---- */

/* Returns the newest state that all receivers have, at least `distance` packets old. */
static const state *newest_known(const quatsimd_stream *s, const common *all, uint32_t distance) {
  const state *known = NULL;
  for (; distance <= longest_distance(s) && !known; distance++)
    known = quatsimd_stream_known(s, all, s->coming - distance);
  return known;
}
/* Returns true if receivers have what the next packet needs to predict motion: two states. A state that is
 * soon too old for a baseline suffices, since it may be lost before there is a second one. */
static bool knows_motion(const quatsimd_stream *s, const common *all, const state *base) {
  const uint32_t age = base ? s->coming - base->number : 0;
  return base && (s->reliable || 2 * age > longest_distance(s) || newest_known(s, all, age + 1));
}

/* Takes the distance of a packet from its baseline into account. */
static void reach_to(quatsimd_stream *s, uint32_t distance) {
  s->reach -= s->reach >> 7;
  if (s->reach < distance << 8) s->reach = distance << 8;
}

/* Chooses the other states, beside the baseline. Anchors are so far apart that each, coded against the one
 * before it, makes all packets agree about what rests. */
static void refer(quatsimd_stream *s, const common *all, references *r) {
  state *const next = s->next;
  const uint32_t base = r->base->number, d = next->distance, spacing = line_spacing(next);
  for (uint32_t o = d; o <= longest_distance(s) && !r->chain; o++)
    r->chain = quatsimd_stream_known(s, all, base - o);
  for (uint32_t o = d; --o > 0 && !r->chain;) r->chain = quatsimd_stream_known(s, all, base - o);
  for (uint32_t i = 0; i < 2; i++) r->line[i] = quatsimd_stream_known(s, all, base - (i + 1) * spacing);
  while (UINT32_C(256) << next->anchors < s->reach) next->anchors++;
  r->anchor = quatsimd_stream_known(s, all, anchor_before(r->base, next->anchors));
  if (!r->anchor) r->anchor = r->base;
  for (uint32_t n = newest_models(s, r->base); !r->models && s->coming - n <= longest_distance(s);
       n -= models_apart(s))
    r->models = quatsimd_stream_known(s, all, n);
}

static void put_head(const quatsimd_stream *s, range_encoder *e, const references *r) {
  state *const next = s->next;
  head_models *const m = &next->head;
  const uint32_t base = r->base->number;
  const int32_t off = (int32_t)(next->time - quatsimd_stream_expected(r->base, next->distance));
  put_number(e, next->distance);
  put_bit(e, &m->steady, off == 0);
  if (off != 0) {
    put_plain(e, off < 0, 1); /* 1: earlier than expected */
    put_number(e, off < 0 ? 0 - (uint32_t)off : (uint32_t)off);
  }
  const uint32_t newest = newest_models(s, r->base), back = r->models ? newest - r->models->number : 0;
  put_bit(e, &m->newest_models, r->models && back == 0);
  if (!r->models || back != 0) put_number(e, 1 + back / models_apart(s));
  for (unsigned c = 0; c < MOST_COARSE; c++) {
    put_bit(e, &m->coarser[r->base->coarse > c][c < 3 ? c : 3], next->coarse > c);
    if (next->coarse <= c) break;
  }
  const uint32_t ago = r->chain ? base - r->chain->number : 0;
  put_bit(e, &m->usual_chain, ago == next->distance);
  if (ago != next->distance) put_number(e, ago + 1);
  for (int i = 0; i < 2; i++) put_bit(e, &m->line[i], r->line[i] != NULL);
  put_bit(e, &m->usual_anchors, next->anchors == r->base->anchors);
  if (next->anchors != r->base->anchors) put_plain(e, next->anchors, 4);
  if (anchor_before(r->base, next->anchors) != base) put_bit(e, &m->anchor, r->anchor != r->base);
}

/* ---- the bodies ---- */

typedef struct encoding {
  quatsimd_stream *s;
  range_encoder e;
  const references *r;
  chunk *c;
  int width;               /* width of positions in a key packet */
  points hold, move, rest; /* points of rotations against the baseline, its motion and the anchor */
} encoding;

static float log2_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (float)(int32_t)(bits - 0x3f800000) * 0x1p-23f;
}
static float cost_of(model m, bool bit) { return 16 - log2_of((float)(bit ? m.p : 65536 - m.p)); }
/* Returns about how many bits a residual needs, of a squared length in quanta. */
static float residual_cost(float length2) { return 1.5f * log2_of(1 + length2); }
static float point_length2(const int32_t k[3]) {
  return length2((const float[]){(float)k[0], (float)k[1], (float)k[2]});
}

static bool is_near(const quatsimd_stream *s, size_t i, const float at[3]) {
  double off2 = 0;
  for (int x = 0; x < 3; x++) {
    const double off = (double)at[x] - (double)s->held_position[x][i];
    off2 += off * off;
  }
  const double bound = (double)s->position_bound * (double)coarseness(s->next->coarse);
  return off2 <= bound * bound;
}

/* Returns a component of the way from the prediction to a position, in steps. */
static float position_residual(const quatsimd_stream *s, const chunk *c, size_t b, int way, int x) {
  return (s->held_position[x][c->i + b] - c->position[way][x][b]) / c->step;
}

/* Returns true if body i has no position, or may keep that of the anchor. */
static bool may_stay(const encoding *g, size_t i) {
  float *const *const at = g->r->anchor->position;
  return i >= g->s->positions || is_near(g->s, i, (float[]){at[0][i], at[1][i], at[2][i]});
}

/* Finds the point of a position. Returns false if no point is within the bound. */
static bool position_point(const quatsimd_stream *s, chunk *c, size_t b, int way) {
  float r[3], found[3], at[3];
  for (int x = 0; x < 3; x++) {
    r[x] = position_residual(s, c, b, way, x);
    if (!(r[x] > -0x1p20f && r[x] < 0x1p20f)) return false;
  }
  point_near(found, r, length2(r) > STREAM_BOUND2);
  for (int x = 0; x < 3; x++) {
    c->position_k[b][x] = (int32_t)found[x];
    at[x] = position_by_point(c, b, way, x);
  }
  return is_near(s, c->i + b, at);
}

/* Finds the point of a position for a key packet. Returns false if it does not fit `width`. */
static bool fits(const quatsimd_stream *s, chunk *c, size_t b, int width) {
  const int32_t *const k = c->position_k[b];
  if (!position_point(s, c, b, HOLD)) return false;
  for (int x = 0; x < 3; x++)
    if (k[x] < -(1 << width) || k[x] >= 1 << width) return false;
  return true;
}

static void put_exactly(range_encoder *e, const quatsimd_stream *s, size_t i) {
  for (int x = 0; x < 3; x++) {
    put_wide(e, float_bits(s->held_position[x][i]), 32);
    s->next->position[x][i] = s->held_position[x][i];
  }
}

static int cheapest_way(const encoding *g, size_t b, decisions last) {
  const quatsimd_stream *const s = g->s;
  const model *const m = s->models->way[last.way];
  float least = 0;
  int best = -1;
  for (int w = HOLD; w <= FALL; w++) {
    float r2 = 0;
    for (int x = 0; x < 3; x++) {
      const float r = position_residual(s, g->c, b, w, x);
      r2 += r * r;
    }
    if (!(r2 < 0x1p100f)) r2 = 0x1p100f;
    if (r2 <= STREAM_BOUND2) r2 = 0;
    float cost = residual_cost(r2) + cost_of(m[0], w == last.way);
    if (w != last.way) cost += cost_of(m[1], w == higher_way(last.way));
    if (best < 0 || cost < least) least = cost, best = w;
  }
  return best;
}

static void put_position(encoding *g, size_t b, decisions last, decisions *d) {
  quatsimd_stream *const s = g->s;
  chunk *const c = g->c;
  models *const m = s->models;
  const int way = cheapest_way(g, b, last);
  d->way = (uint8_t)way;
  put_bit(&g->e, &m->way[last.way][0], way == last.way);
  if (way != last.way) put_bit(&g->e, &m->way[last.way][1], way == higher_way(last.way));
  int32_t *const k = c->position_k[b];
  c->exact[b] = !position_point(s, c, b, way);
  put_bit(&g->e, &m->exact, c->exact[b]);
  if (c->exact[b]) {
    k[0] = k[1] = k[2] = 0;
    put_exactly(&g->e, s, c->i + b);
    return;
  }
  d->position_zero = is_zero(k);
  const scales of = coarse_scales(g->r->base->position_scale[c->i + b], s->next->coarse);
  put_point(&g->e, &m->position, position_context(last), &of, k);
}

/* Codes a rotation as point k, from the one prediction or the other. */
static void put_choice(encoding *g, size_t b, decisions last, decisions *d, bool moves, const int32_t k[3]) {
  const size_t i = g->c->i + b;
  models *const m = g->s->models;
  const scales of = coarse_scales(g->r->base->rotation_scale[i], g->s->next->coarse);
  d->moves = moves, d->zero = is_zero(k);
  put_bit(&g->e, &m->moves[g->c->stays[b]][last.moves], moves);
  memcpy(g->c->k[b], k, sizeof g->c->k[b]);
  put_point(&g->e, &m->rotation, rotation_context(g->s, g->c, b, last, moves), &of, k);
}

/* A rotation is predicted as before unless the other way saves more bits than this. */
static const float DOUBT = 3;

static void put_rotation(encoding *g, size_t b, decisions last, decisions *d) {
  const int32_t *const hold = g->hold[b], *const move = g->move[b];
  const model moves = g->s->models->moves[g->c->stays[b]][last.moves];
  const float gain = residual_cost(point_length2(hold)) + cost_of(moves, 0) -
                     residual_cost(point_length2(move)) - cost_of(moves, 1);
  const bool is_move = gain > (last.moves ? -DOUBT : DOUBT);
  put_choice(g, b, last, d, is_move, is_move ? move : hold);
}

static void put_body(encoding *g, size_t b) {
  quatsimd_stream *const s = g->s;
  const size_t i = g->c->i + b;
  const decisions last = unpacked(g->r->base->last[i]);
  decisions d = begin_body(g->c, b);
  const bool turns = s->none2[i] > 0, goes = i < s->positions;
  if (turns || goes) {
    /* a body that turns slowly is better predicted by its motion */
    const bool may = goes || s->next->anchors != 0 || s->unturned[i] || !is_zero(g->hold[b]);
    d.still = may && (!turns || is_zero(g->rest[b])) && may_stay(g, i);
    put_bit(&g->e, &s->models->still[still_context(last)], d.still);
    if (!d.still && goes) d.position_zero = 0, put_position(g, b, last, &d);
    if (!d.still && turns) put_rotation(g, b, last, &d);
  }
  s->next->last[i] = packed(d);
}

/* Codes a body of a key packet. */
static void put_whole_body(encoding *g, size_t b) {
  quatsimd_stream *const s = g->s;
  chunk *const c = g->c;
  const size_t i = c->i + b;
  memcpy(c->k[b], g->hold[b], sizeof g->hold[b]);
  if (is_in_keys(s, i)) put_whole(&g->e, s->width[i], c->k[b]);
  else memset(c->k[b], 0, sizeof c->k[b]);
  s->next->last[i] = 0;
  if (i >= s->positions) return;
  c->exact[b] = !fits(s, c, b, g->width);
  put_plain(&g->e, c->exact[b], 1);
  if (c->exact[b]) put_exactly(&g->e, s, i);
  else put_whole(&g->e, g->width, c->position_k[b]);
}

/* ---- the joints of a figure ---- */

/* Sets the receiver's place of a joint; its position is coded. */
static void place_joint(const encoding *g, size_t b, decisions d) {
  quatsimd_stream *const s = g->s;
  const chunk *const c = g->c;
  const size_t i = c->i + b;
  float at[3];
  if (i >= s->positions) {
    quatsimd_figure_place(s, i, NULL);
    return;
  }
  for (int x = 0; x < 3; x++)
    at[x] = d.still       ? g->r->anchor->position[x][i]
            : c->exact[b] ? s->next->position[x][i]
                          : position_by_point(c, b, d.way, x);
  quatsimd_figure_place(s, i, at);
}

/* Chooses how to code a joint whose position is coded. */
static figure_choice choose(const encoding *g, size_t b, decisions last) {
  quatsimd_stream *const s = g->s;
  const size_t i = g->c->i + b;
  const scales of = coarse_scales(g->r->base->rotation_scale[i], s->next->coarse);
  return quatsimd_figure_choose(s, g->c, b, &of, rotation_context(s, g->c, b, last, false));
}

static void put_joint(encoding *g, size_t b) {
  quatsimd_stream *const s = g->s;
  const size_t i = g->c->i + b;
  const decisions last = unpacked(g->r->base->last[i]);
  decisions d = begin_body(g->c, b);
  const bool turns = s->none2[i] > 0, goes = i < s->positions;
  figure_choice choice = {.cost = 0};
  float to[4], rest[4];
  for (int x = 0; x < 4; x++) to[x] = g->c->held[x][b], rest[x] = g->r->anchor->rotation[x][i];
  bool still = (turns || goes) && may_stay(g, i);
  d.still = still;
  place_joint(g, b, d);
  still = still && (!turns || quatsimd_figure_may_be(s, i, rest));
  const bool must_rest = still && s->joint[i].rests; /* rest must not depend on models */
  if (turns && !goes && !must_rest) {
    choice = choose(g, b, last);
    const model *const m = &s->models->still[still_context(last)];
    still = still && bit_cost(m, 1) <= bit_cost(m, 0) + choice.cost;
  }
  d.still = still;
  if (turns || goes) put_bit(&g->e, &s->models->still[still_context(last)], still);
  if (!still && goes) d.position_zero = 0, put_position(g, b, last, &d), place_joint(g, b, d);
  if (!still && turns) {
    if (goes) choice = choose(g, b, last);
    put_choice(g, b, last, &d, false, choice.k);
    memcpy(to, choice.rotation, sizeof to);
  }
  quatsimd_figure_turn(s, i, still ? rest : to);
  s->next->last[i] = packed(d);
}

static void put_whole_joint(encoding *g, size_t b) {
  const figure_choice choice = quatsimd_figure_choose_whole(g->s, g->c, b);
  memcpy(g->hold[b], choice.k, sizeof g->hold[b]);
  put_whole_body(g, b);
  place_joint(g, b, (decisions){0});
  quatsimd_figure_turn(g->s, g->c->i + b, choice.rotation);
}

/* Writes the width of positions in a key packet, the least one with which most positions need the fewest
 * bits. Those that do not fit are coded exactly. */
static void put_width(encoding *g) {
  quatsimd_stream *const s = g->s;
  size_t of_width[MOST_WIDTH + 1] = {0}, least = SIZE_MAX, more = 0;
  g->c->step = s->position_quantum; /* `fits` reads it */
  for (size_t i = 0; i < s->positions; i++) {
    g->c->i = i;
    for (int x = 0; x < 3; x++) g->c->position[HOLD][x][0] = 0;
    int w = 1;
    while (w <= MOST_WIDTH && !fits(s, g->c, 0, w)) w++;
    if (w <= MOST_WIDTH) of_width[w]++;
    else more++;
  }
  for (int w = MOST_WIDTH; w > 0; w--) {
    const size_t bits = (s->positions - more) * (size_t)(1 + 3 * w) + more * 96;
    if (bits <= least) least = bits, g->width = w;
    more += of_width[w];
  }
  put_plain(&g->e, (uint32_t)g->width, 5);
}

static void residuals(const encoding *g, components from, points k) {
  const quatsimd_stream *const s = g->s;
  const chunk *const c = g->c;
  const float larger = coarseness(s->next->coarse), smaller = 1 / larger;
  float per[QUATSIMD_CHUNK], none2[QUATSIMD_CHUNK];
  components rounded;
  for (size_t b = 0; b < c->padded; b++)
    per[b] = s->per_quantum[c->i + b] * smaller, none2[b] = s->none2[c->i + b] * (larger * larger);
  stream_run(QUATSIMD_OPERATION_stream_residual, (float *[]){VECTORS_AT(rounded, 0)},
             (const float *[]){ROTATIONS_AT(from, 0), ROTATIONS_AT(s->held, c->i), per, none2}, c->padded);
  for (size_t b = 0; b < c->n; b++)
    for (int x = 0; x < 3; x++) k[b][x] = (int32_t)rounded[x][b];
}

/* Codes all bodies and computes the next state. Returns false if a packet with a baseline becomes longer than
 * the limit. */
static bool put_bodies(quatsimd_stream *s, range_encoder *e, const references *r) {
  const unsigned char *const end = e->start + s->limit - HEAD_BYTES;
  const stream_course course = r->base ? quatsimd_stream_course(s, r) : (stream_course){0};
  chunk c;
  encoding g = {.s = s, .e = *e, .r = r, .c = &c};
  if (!r->base && s->positions) put_width(&g);
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    quatsimd_stream_predict(s, r, &course, i, &c);
    if (!is_figure(s)) residuals(&g, c.held, g.hold);
    if (!is_figure(s) && r->base) {
      components rest;
      for (int x = 0; x < 4; x++) memcpy(rest[x], r->anchor->rotation[x] + i, c.padded * sizeof(float));
      residuals(&g, c.moved, g.move), residuals(&g, rest, g.rest);
    }
    for (size_t b = 0; b < c.n; b++) {
      if (r->base && g.e.at > end) return false;
      if (r->base) (is_figure(s) ? put_joint : put_body)(&g, b);
      else (is_figure(s) ? put_whole_joint : put_whole_body)(&g, b);
    }
    quatsimd_stream_advance(s, r, &c);
  }
  const bool fit = quatsimd_stream_put_tracks(s, &g.e, r, end);
  *e = g.e;
  return fit;
}

/* ---- packets ---- */

/* Takes the caller's pose in place of the one that is held. Returns false if parts of it were invalid. */
static bool hold(quatsimd_stream *s, const quatsimd_operand *rotations, const quatsimd_operand *positions,
                 const float *tracks) {
  bool all_valid = true;
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, s->bodies), padded = quatsimd_padded(n);
    components value, last;
    float ok[QUATSIMD_CHUNK];
    quatsimd_gather(rotations, i, n, padded, value);
    for (int x = 0; x < 4; x++) memcpy(last[x], s->held[x] + i, n * sizeof(float));
    stream_run(QUATSIMD_OPERATION_stream_unit, (float *[]){ROTATIONS_AT(s->held, i), ok},
               (const float *[]){ROTATIONS_AT(value, 0), ROTATIONS_AT(s->held, i)}, padded);
    for (size_t b = 0; b < n; b++) {
      all_valid &= ok[b] != 0;
      s->unturned[i + b] = true;
      for (int x = 0; x < 4; x++) s->unturned[i + b] &= s->held[x][i + b] == last[x][b];
    }
  }
  for (size_t i = 0; i < s->positions; i++) {
    float p[3] = {0, 0, 0};
    if (positions) quatsimd_load_element(positions, i, p);
    bool valid = true;
    for (int x = 0; x < 3; x++) valid &= is_valid_number(p[x]);
    all_valid &= valid;
    for (int x = 0; x < 3 && valid; x++) s->held_position[x][i] = not_tiny(p[x]);
  }
  for (size_t i = 0; i < s->tracks; i++) {
    const float value = tracks ? tracks[i] : 0;
    const bool valid = is_valid_number(value);
    all_valid &= valid;
    if (valid) s->held_track[i] = not_tiny(value);
  }
  return all_valid;
}

/* Writes a packet behind its head. r->base is NULL for a key packet; the other references are chosen. Returns
 * the end of the packet, or NULL if it would be longer than the limit. */
static unsigned char *put_packet(quatsimd_stream *s, unsigned char *bytes, const common *all, references *r,
                                 uint32_t time, unsigned coarse) {
  quatsimd_stream_begin(s, r->base, s->coming);
  s->next->coarse = (uint8_t)coarse;
  quatsimd_stream_set_time(s, r->base, time);
  range_encoder e = range_encoder_new(r->base ? bytes : bytes + KEY_BYTES);
  if (r->base) {
    refer(s, all, r);
    put_head(s, &e, r);
  } else {
    store_little(bytes, s->coming, 4), store_little(bytes + 4, time, 4);
  }
  quatsimd_stream_begin_models(s, r);
  if (!put_bodies(s, &e, r)) return NULL;
  unsigned char *const end = range_encoder_end(&e);
  return !r->base || (size_t)(end - bytes) + HEAD_BYTES <= s->limit ? end : NULL;
}

/* Ends the call that wrote the next packet. */
static void sent(quatsimd_stream *s) {
  quatsimd_stream_sent(s);
  s->coming++;
}

/* Writes a key packet, or the first of its parts. Returns the size of the packet. */
static size_t put_key(quatsimd_stream *s, unsigned char *packet, uint32_t time) {
  references none = {0};
  unsigned char *const bytes = s->parts.bytes;
  const size_t size = (size_t)(put_packet(s, bytes, NULL, &none, time, 0) - bytes);
  const uint32_t hash = packet_hash(s, s->coming, &none, bytes, size);
  quatsimd_stream_keep(s, hash);
  if (HEAD_BYTES + size > s->limit) {
    quatsimd_stream_begin_parts(s, s->coming, size);
    sent(s);
    return quatsimd_stream_put_part(s, packet);
  }
  s->parts.count = 0;
  store_little(packet, (s->coming & 0x7fff) << 1 | 1, 2), store_little(packet + 2, checksum_of(hash), 2);
  memcpy(packet + HEAD_BYTES, bytes, size);
  return HEAD_BYTES + size;
}

/* Writes a packet against a baseline. Returns its size, or 0 if it would be longer than the limit. */
static size_t put_coded(quatsimd_stream *s, unsigned char *packet, const common *all, const state *base,
                        uint32_t time) {
  unsigned char *const bytes = packet + HEAD_BYTES, *end = NULL;
  const unsigned most_coarse = s->limit < key_bytes(s) ? MOST_COARSE : 0;
  references r;
  for (unsigned coarse = 0; !end && coarse <= most_coarse; coarse++) {
    r = (references){.base = base};
    end = put_packet(s, bytes, all, &r, time, coarse);
  }
  if (!end) return 0;
  const uint32_t hash = packet_hash(s, s->coming, &r, bytes, (size_t)(end - bytes));
  store_little(packet, (s->coming & 0x7fff) << 1, 2), store_little(packet + 2, checksum_of(hash), 2);
  quatsimd_stream_keep(s, hash);
  return (size_t)(end - packet);
}

static bool is_absent(const quatsimd_in *v) { return !v->x && !v->y && !v->z && !v->w; }

quatsimd_status quatsimd_stream_encode_pose(quatsimd_stream *stream, void *packet, size_t packet_size,
                                            size_t *written, const quatsimd_pose_in *pose, uint32_t time,
                                            int key) {
  quatsimd_operand rotations, positions;
  if (!stream || stream->side == RECEIVER || !packet || !written || !pose ||
      !quatsimd_resolve_in(&rotations, 4, &pose->rotations) || quatsimd_begins_at(&rotations, packet))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  const bool goes = stream->positions && !is_absent(&pose->translations);
  const float *const tracks = stream->tracks ? pose->tracks : NULL;
  if (goes &&
      (!quatsimd_resolve_in(&positions, 3, &pose->translations) || quatsimd_begins_at(&positions, packet)))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (tracks && (const void *)tracks == packet) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (packet_size < stream->limit + SPARE_BYTES) return QUATSIMD_ERROR_SHORT_BUFFER;
  const common all = quatsimd_stream_common(stream);
  const bool all_valid = hold(stream, &rotations, goes ? &positions : NULL, tracks);
  if (is_figure(stream)) quatsimd_figure_source(stream);
  const state *const base = key ? NULL : newest_known(stream, &all, 1);
  size_t size = 0;
  const next_part next = quatsimd_stream_next_part(stream, key || knows_motion(stream, &all, base));
  if (next == PART) {
    size = quatsimd_stream_put_part(stream, packet);
  } else if (next == NO_PART && base) {
    reach_to(stream, stream->coming - base->number);
    size = put_coded(stream, packet, &all, base, time);
  }
  *written = size ? size : put_key(stream, packet, time);
  stream->side = SENDER;
  sent(stream);
  return all_valid ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID;
}

quatsimd_status quatsimd_stream_encode(quatsimd_stream *stream, void *packet, size_t packet_size,
                                       size_t *written, quatsimd_in rotations, uint32_t time, int key) {
  const quatsimd_pose_in pose = {.rotations = rotations};
  return quatsimd_stream_encode_pose(stream, packet, packet_size, written, &pose, time, key);
}
