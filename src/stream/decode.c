/* Decodes packets. A packet may have any bytes: it decodes to unit quaternions and finite positions or is
 * refused. */
#include "stream/head.h"
#include "stream/parts.h"
#include "stream/predict.h"
#include "stream/tracks.h"

/* ---- the head ---- */

/* Reads the time, which is coded as the difference from the expected time. Returns false for a bad code. */
static bool take_time(quatsimd_stream *s, range_decoder *d, const state *base) {
  state *const next = s->next;
  uint32_t by = 0;
  if (!take_bit(d, &next->head.steady)) {
    const bool late = take_plain(d, 1) == 0;
    by = take_number(d);
    if (by == 0) return false;
    if (!late) by = 0 - by;
  }
  quatsimd_stream_set_time(s, base, quatsimd_stream_expected(base, next->distance) + by);
  return true;
}

/* Finds the state `ago` packets before the baseline. Returns NULL if no packet may be coded against it. */
static const state *before(const quatsimd_stream *s, uint32_t ago) {
  return ago <= longest_distance(s) && ago + s->next->distance <= longest_distance(s)
             ? state_of(s, s->next->number - s->next->distance - ago)
             : NULL;
}

static quatsimd_status take_models(quatsimd_stream *s, range_decoder *d, references *r) {
  uint32_t back = 0;
  if (!take_bit(d, &s->next->head.newest_models)) {
    back = take_number(d);
    if (back == 0 || back > MODEL_SETS) return QUATSIMD_ERROR_BAD_PACKET;
    if (back == 1) return QUATSIMD_OK; /* the first models */
    back--;
  }
  const uint32_t number = newest_models(s, r->base) - back * models_apart(s);
  r->models = before(s, r->base->number - number);
  return r->models ? QUATSIMD_OK : QUATSIMD_ERROR_NEED_KEY;
}

quatsimd_status quatsimd_stream_take_head(quatsimd_stream *s, range_decoder *d, uint32_t number,
                                          references *r) {
  const uint32_t distance = take_number(d);
  if (distance == 0 || distance > longest_distance(s)) return QUATSIMD_ERROR_BAD_PACKET;
  r->base = state_of(s, number - distance);
  if (!r->base) return QUATSIMD_ERROR_NEED_KEY;
  quatsimd_stream_begin(s, r->base, number);
  state *const next = s->next;
  head_models *const m = &next->head;
  if (!take_time(s, d, r->base)) return QUATSIMD_ERROR_BAD_PACKET;
  const quatsimd_status status = take_models(s, d, r);
  if (status != QUATSIMD_OK) return status;
  while (next->coarse < MOST_COARSE &&
         take_bit(d, &m->coarser[r->base->coarse > next->coarse][next->coarse < 3 ? next->coarse : 3]))
    next->coarse++;
  uint32_t ago = next->distance;
  if (!take_bit(d, &m->usual_chain)) {
    ago = take_number(d);
    if (ago == 0 || --ago > longest_distance(s)) return QUATSIMD_ERROR_BAD_PACKET;
  }
  bool complete = ago == 0 || (r->chain = before(s, ago));
  for (uint32_t i = 0; i < 2; i++)
    if (take_bit(d, &m->line[i]))
      complete = (r->line[i] = before(s, (i + 1) * line_spacing(next))) && complete;
  next->anchors = r->base->anchors;
  if (!take_bit(d, &m->usual_anchors)) next->anchors = (uint8_t)take_plain(d, 4);
  if (next->anchors > MOST_ANCHORS) return QUATSIMD_ERROR_BAD_PACKET;
  r->anchor = r->base;
  const uint32_t anchor = anchor_before(r->base, next->anchors);
  if (anchor != r->base->number && take_bit(d, &m->anchor))
    complete = (r->anchor = before(s, r->base->number - anchor)) && complete;
  return complete ? QUATSIMD_OK : QUATSIMD_ERROR_NEED_KEY;
}

/* ---- the bodies ---- */

typedef struct decoding {
  quatsimd_stream *s;
  range_decoder d;
  const references *r;
  chunk *c;
  int width; /* width of positions in a key packet */
} decoding;

/* Reads a position in floats. Returns false for one that no encoder writes. */
static bool take_exactly(range_decoder *d, const quatsimd_stream *s, size_t i) {
  bool good = true;
  for (int x = 0; x < 3; x++) {
    const uint32_t bits = take_wide(d, 32);
    good &= is_exact(bits);
    s->next->position[x][i] = float_from_bits(bits);
  }
  return good;
}

static bool take_position(decoding *g, size_t b, decisions last, decisions *d) {
  chunk *const c = g->c;
  models *const m = g->s->models;
  d->way = last.way;
  if (!take_bit(&g->d, &m->way[last.way][0])) {
    const bool higher = take_bit(&g->d, &m->way[last.way][1]);
    d->way = (uint8_t)(higher ? higher_way(last.way) : lower_way(last.way));
  }
  c->exact[b] = take_bit(&g->d, &m->exact);
  if (c->exact[b]) return take_exactly(&g->d, g->s, c->i + b);
  const scales of = coarse_scales(g->r->base->position_scale[c->i + b], g->s->next->coarse);
  if (!take_point(&g->d, &m->position, position_context(last), &of, c->position_k[b])) return false;
  d->position_zero = is_zero(c->position_k[b]);
  return true;
}

static bool take_rotation(decoding *g, size_t b, decisions last, decisions *d) {
  const size_t i = g->c->i + b;
  models *const m = g->s->models;
  d->moves = take_bit(&g->d, &m->moves[g->c->stays[b]][last.moves]);
  const scales of = coarse_scales(g->r->base->rotation_scale[i], g->s->next->coarse);
  const int context = rotation_context(g->s, g->c, b, last, d->moves);
  if (!take_point(&g->d, &m->rotation, context, &of, g->c->k[b])) return false;
  d->zero = is_zero(g->c->k[b]);
  return true;
}

static bool take_body(decoding *g, size_t b) {
  quatsimd_stream *const s = g->s;
  const size_t i = g->c->i + b;
  const decisions last = unpacked(g->r->base->last[i]);
  decisions d = begin_body(g->c, b);
  const bool turns = s->none2[i] > 0, goes = i < s->positions;
  if (turns || goes) {
    d.still = take_bit(&g->d, &s->models->still[still_context(last)]);
    if (!d.still && goes) {
      d.position_zero = 0;
      if (!take_position(g, b, last, &d)) return false;
    }
    if (!d.still && turns && !take_rotation(g, b, last, &d)) return false;
  }
  s->next->last[i] = packed(d);
  return true;
}

static bool take_whole_body(decoding *g, size_t b) {
  quatsimd_stream *const s = g->s;
  const size_t i = g->c->i + b;
  memset(g->c->k[b], 0, sizeof g->c->k[b]);
  if (is_in_keys(s, i)) take_whole(&g->d, s->width[i], g->c->k[b]);
  s->next->last[i] = 0;
  if (i >= s->positions) return true;
  g->c->exact[b] = take_plain(&g->d, 1);
  if (g->c->exact[b]) return take_exactly(&g->d, s, i);
  take_whole(&g->d, g->width, g->c->position_k[b]);
  return true;
}

/* Returns false if a line has left the range of positions. */
static bool in_range(const quatsimd_stream *s, size_t i) {
  for (int x = 0; x < 3; x++)
    if (!(s->next->position[x][i] >= -0x1p41f && s->next->position[x][i] <= 0x1p41f)) return false;
  return true;
}

static bool take_bodies(quatsimd_stream *s, const range_decoder *d, const references *r) {
  const stream_course course = r->base ? quatsimd_stream_course(s, r) : (stream_course){0};
  chunk c;
  decoding g = {.s = s, .d = *d, .r = r, .c = &c};
  quatsimd_stream_begin_models(s, r);
  if (!r->base && s->positions) {
    g.width = (int)take_plain(&g.d, 5);
    if (g.width == 0 || g.width > MOST_WIDTH) return false;
  }
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    quatsimd_stream_predict(s, r, &course, i, &c);
    for (size_t b = 0; b < c.n; b++)
      if (!(r->base ? take_body(&g, b) : take_whole_body(&g, b))) return false;
    quatsimd_stream_advance(s, r, &c);
    for (size_t b = 0; b < c.n && i + b < s->positions; b++)
      if (!in_range(s, i + b)) return false;
  }
  return quatsimd_stream_take_tracks(s, &g.d, r) && range_decoder_at_end(&g.d);
}

/* ---- packets ---- */

/* Returns true if the receiver has the state of this packet, or if the packet is too old to have a state. */
static bool is_old(const quatsimd_stream *s, uint32_t number) {
  return state_of(s, s->newest) &&
         (state_of(s, number) || (int32_t)(number - s->newest) <= -(int32_t)s->states);
}

/* Counts an old key packet. A repeated number neither counts nor ends the order, since networks repeat
 * packets. A lower number begins a new order, because it may be the first one after the restart. */
static quatsimd_status refuse_old_key(quatsimd_stream *s, uint32_t number) {
  const int32_t ahead = (int32_t)(number - s->last_old);
  if (s->old_keys == 0 || ahead < 0) s->old_keys = 1;
  else if (ahead > 0 && s->old_keys < RESTART_KEYS) s->old_keys++;
  s->last_old = number;
  return s->old_keys == RESTART_KEYS ? QUATSIMD_ERROR_RESTARTED : QUATSIMD_ERROR_OLD_PACKET;
}

typedef struct received {
  bool key;
  uint16_t low_number, check;
  const unsigned char *bytes; /* the bytes after the head */
  size_t size;
} received;

/* Begins the state of a key packet, or takes a part of one: a packet with a later number than it has. The
 * number of a key packet has all 32 bits, so the checksum is compared first. */
static quatsimd_status begin_key(quatsimd_stream *s, const received *p, range_decoder *d, uint32_t *hash) {
  const references none = {0};
  if (p->size < KEY_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  const uint32_t key = load_u32(p->bytes), part = (p->low_number - key) & 0x7fff, number = key + part;
  const unsigned char *bytes = p->bytes;
  size_t size = p->size;
  *hash = packet_hash(s, number, &none, bytes, size);
  if (checksum_of(*hash) != p->check || part > longest_distance(s)) return QUATSIMD_ERROR_BAD_PACKET;
  if (is_old(s, key)) /* all parts are old while the sender does not know that it is acknowledged */
    return part && state_of(s, key) ? QUATSIMD_ERROR_OLD_PACKET : refuse_old_key(s, number);
  if (part) {
    const quatsimd_status status = quatsimd_stream_take_part(s, bytes, size);
    if (status != QUATSIMD_ERROR_BAD_PACKET) s->side = RECEIVER;
    if (status != QUATSIMD_OK) return status;
    bytes = s->parts.bytes, size = s->parts.size;
    *hash = packet_hash(s, key, &none, bytes, size);
  }
  *d = range_decoder_new(bytes + KEY_BYTES, size - KEY_BYTES);
  quatsimd_stream_begin(s, NULL, key);
  quatsimd_stream_set_time(s, NULL, load_u32(bytes + NUMBER_BYTES));
  return QUATSIMD_OK;
}

/* Begins the state of a packet that has a baseline. The packet has the lower 15 bits of its number. The upper
 * bits come from the newest state. The checksum needs the hashes of the states that the packet is coded
 * against, so it is compared last. An old packet or a missing state is thus reported even if the packet is
 * damaged. */
static quatsimd_status begin_coded(quatsimd_stream *s, const received *p, range_decoder *d, uint32_t *hash,
                                   references *r) {
  if (!state_of(s, s->newest)) return QUATSIMD_ERROR_NEED_KEY;
  const uint32_t ahead = (p->low_number - s->newest) & 0x7fff,
                 number = s->newest + ahead - (ahead & 0x4000 ? 0x8000 : 0);
  if (is_old(s, number)) return QUATSIMD_ERROR_OLD_PACKET;
  *d = range_decoder_new(p->bytes, p->size);
  const quatsimd_status status = quatsimd_stream_take_head(s, d, number, r);
  if (status != QUATSIMD_OK) return status;
  *hash = packet_hash(s, number, r, p->bytes, p->size);
  /* No encoder writes such a long packet. Refusing it bounds the time of decoding. */
  return checksum_of(*hash) == p->check && p->size <= key_bytes(s) - HEAD_BYTES ? QUATSIMD_OK
                                                                                : QUATSIMD_ERROR_BAD_PACKET;
}

static bool is_absent(const quatsimd_out *v) { return !v->x && !v->y && !v->z && !v->w; }

/* Resolves a view that may be all zeros. `wanted` gets whether it is not. */
static bool resolve(quatsimd_operand *o, bool *wanted, int width, const quatsimd_out *view,
                    const void *packet) {
  *wanted = !is_absent(view);
  return !*wanted || (quatsimd_resolve_out(o, width, view) && !quatsimd_begins_at(o, packet));
}

static void give(const quatsimd_operand *o, size_t count, float *const *from, int width) {
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    components part;
    const size_t n = quatsimd_chunk(i, count);
    for (int c = 0; c < width; c++) memcpy(part[c], from[c] + i, n * sizeof(float));
    quatsimd_scatter(o, i, n, part);
  }
}

quatsimd_status quatsimd_stream_decode_pose(quatsimd_stream *stream, quatsimd_pose_out *pose, uint32_t *time,
                                            const void *packet, size_t packet_size) {
  quatsimd_operand rotations, positions;
  bool turns, goes;
  const bool weighs = stream && stream->tracks && pose && pose->tracks;
  if (!stream || stream->side == SENDER || !packet || !time || !pose ||
      !resolve(&rotations, &turns, 4, &pose->rotations, packet) ||
      !resolve(&positions, &goes, 3, &pose->translations, packet) ||
      (turns && goes && quatsimd_meet(&rotations, &positions)) ||
      (weighs &&
       ((const void *)pose->tracks == packet || (turns && quatsimd_begins_at(&rotations, pose->tracks)) ||
        (goes && quatsimd_begins_at(&positions, pose->tracks)))))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  /* No encoder writes a packet of such a size. */
  if (packet_size < HEAD_BYTES || packet_size > key_bytes(stream) + SPARE_BYTES)
    return QUATSIMD_ERROR_BAD_PACKET;
  const unsigned char *const head = packet;
  const received p = {head[0] & 1, (uint16_t)(load_u16(head) >> 1), load_u16(head + 2), head + HEAD_BYTES,
                      packet_size - HEAD_BYTES};
  references r = {0};
  range_decoder d;
  uint32_t hash;
  const quatsimd_status begun =
      p.key ? begin_key(stream, &p, &d, &hash) : begin_coded(stream, &p, &d, &hash, &r);
  if (begun != QUATSIMD_OK) return begun;
  if (!take_bodies(stream, &d, &r)) return QUATSIMD_ERROR_BAD_PACKET;
  const state *const decoded = stream->next;
  const bool is_first = !state_of(stream, stream->newest);
  if (is_first) stream->first = (uint16_t)decoded->number;
  if (is_first || (int32_t)(decoded->number - stream->newest) > 0) stream->newest = decoded->number;
  stream->side = RECEIVER, stream->old_keys = 0;
  quatsimd_stream_keep(stream, hash);
  if (turns) give(&rotations, stream->bodies, decoded->rotation, 4);
  if (goes) give(&positions, stream->positions, decoded->position, 3);
  for (size_t i = 0; weighs && i < stream->tracks; i++)
    pose->tracks[i] = quatsimd_stream_track(stream, &decoded->tracks[i]);
  *time = decoded->time;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time,
                                       const void *packet, size_t packet_size) {
  if (is_absent(&rotations)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  quatsimd_pose_out pose = {.rotations = rotations};
  return quatsimd_stream_decode_pose(stream, &pose, time, packet, packet_size);
}
