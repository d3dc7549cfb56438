/* A sender, receivers, and a network between them. The network loses, delays, reorders and repeats packets
 * and acknowledgements. All choices are pseudo-random, so all runs are equal.
 *
 * Each packet that arrives is checked. The receiver must return the status that a model of its states
 * predicts. Decoded rotations must equal those of the sender's state bit for bit. They must differ from the
 * sent rotations by at most the bound. A refused packet must change nothing. */
#ifndef NET_H
#define NET_H

#include "sealed.h"

typedef struct weather {
  unsigned lost;          /* number of parcels in 1,000 that are lost */
  unsigned burst;         /* mean number of parcels that are lost in a row */
  unsigned delay, jitter; /* in ticks; a parcel takes from `delay` to `delay` + `jitter` */
  unsigned repeated;      /* number of parcels in 1,000 that arrive twice */
} weather;

/* ---- parcels on their way in one direction ---- */

typedef struct parcel {
  uint64_t arrives;
  size_t packet, size;
  unsigned char *bytes;
} parcel;

enum { MOST_PARCELS = 512 };
typedef struct road {
  weather weather;
  size_t count;
  bool losing;
  parcel parcels[MOST_PARCELS];
} road;

static inline bool happens(unsigned of_1000, uint64_t *seed) { return sweep_next(seed) % 1000 < of_1000; }

static inline void road_send(road *r, uint64_t now, size_t packet, const unsigned char *bytes, size_t size,
                             uint64_t *seed) {
  const weather *w = &r->weather;
  const unsigned more = w->burst < 2 ? w->lost : 1000 - 1000 / w->burst, /* chance in 1,000 of another loss */
      begins = w->burst < 2 ? w->lost : w->lost * 1000 / (1000 - w->lost) / w->burst;
  r->losing = happens(r->losing ? more : begins, seed);
  if (r->losing) return;
  const int copies = happens(w->repeated, seed) ? 2 : 1;
  for (int i = 0; i < copies; i++) {
    assert_true(r->count < MOST_PARCELS);
    const uint64_t arrives = now + w->delay + (w->jitter ? sweep_next(seed) % (w->jitter + 1) : 0);
    r->parcels[r->count++] = (parcel){arrives, packet, size, memcpy(filled(size), bytes, size)};
  }
}

/* Takes the first parcel that arrived by `now`, or returns false. The caller frees the parcel's bytes. */
static inline bool road_take(road *r, uint64_t now, parcel *p) {
  size_t first = r->count;
  for (size_t i = 0; i < r->count; i++)
    if (r->parcels[i].arrives <= now &&
        (first == r->count || r->parcels[i].arrives < r->parcels[first].arrives))
      first = i;
  if (first == r->count) return false;
  *p = r->parcels[first];
  r->parcels[first] = r->parcels[--r->count];
  return true;
}

static inline void road_clear(road *r) {
  while (r->count) free(r->parcels[--r->count].bytes);
}

/* ---- the net ---- */

enum { MOST_PEERS = 4 };
typedef struct peer {
  side side;
  bool open;
  bool away; /* no parcel reaches or leaves the peer */
  road forth, back;
  bool known;           /* the sender has received an acknowledgement from this peer */
  size_t heard;         /* number of packets sent before this peer's last acknowledgement arrived */
  bool *has;            /* for each packet: true if the peer decoded it */
  size_t decoded;       /* number of packets that the peer decoded */
  size_t first, newest; /* first decoded packet, and the decoded packet with the highest number */
  /* late: decoded after a newer packet; again: decoded before; waiting: refused without a baseline */
  size_t late, again, waiting;
} peer;

typedef struct net {
  setting options;
  side sender, twin; /* the twin, if there is one, must do the same as the sender */
  peer peers[MOST_PEERS];
  body *bodies;
  size_t floats, longest, most, sent, keys, bytes;
  uint32_t first; /* number of the first packet */
  uint64_t now, seed;
  XXH64_state_t *hash; /* hash of packets and of decoded rotations, or NULL */
  float *now_sent, *wanted;
  /* For each packet: of_wanted has each body's last valid rotation, of_coded the rotations in the sender's
   * state, of_time the time, and of_against what it is coded against. */
  float *of_wanted, *of_coded;
  uint32_t *of_time;
  against *of_against;
  unsigned *of_served; /* for each packet: bit i is set if peer i must be able to decode it */
} net;

/* Returns the age of a packet's baseline in packets, or 0 for a key packet. */
static inline size_t distance_of(const net *n, size_t f) { return n->of_against[f].ago[0]; }
static inline size_t oldest_baseline(const net *n) { return (size_t)n->options.states * 3 / 4; }
static inline size_t latest_packet(const net *n) { return (size_t)n->options.states / 4 - 1; }

/* Makes a net for at most `most` packets. */
static inline net *net_new(setting options, size_t most, uint32_t first_number, int motion, uint64_t seed) {
  net *n = filled(sizeof *n);
  memset(n, 0, sizeof *n);
  n->options = options, n->seed = seed, n->most = most, n->first = first_number;
  n->floats = 4 * options.bodies, n->longest = longest_packet(&options);
  open_side(&n->sender, &options);
  n->sender.stream->coming = first_number;
  n->bodies = new_bodies(options.bodies, motion, options.bound, &n->seed);
  n->now_sent = filled(4 * n->floats), n->wanted = identities(options.bodies);
  n->of_wanted = filled(4 * n->floats * most), n->of_coded = filled(4 * n->floats * most);
  n->of_time = filled(most * sizeof *n->of_time), n->of_against = filled(most * sizeof *n->of_against);
  n->of_served = filled(most * sizeof *n->of_served);
  return n;
}

static inline void net_open_twin(net *n) {
  open_side(&n->twin, &n->options);
  n->twin.stream->coming = n->first;
}

static inline void peer_close(peer *p) {
  if (!p->open) return;
  close_side(&p->side);
  road_clear(&p->forth), road_clear(&p->back);
  free(p->has);
  p->open = false;
}

/* Starts receiver i without states. If it was open, it loses its states and the parcels on its roads. */
static inline void peer_open(net *n, size_t i, weather forth, weather back) {
  peer *p = &n->peers[i];
  peer_close(p);
  memset(p, 0, sizeof *p);
  setting o = n->options;
  o.receivers = 1;
  open_side(&p->side, &o);
  p->has = filled(n->most * sizeof *p->has);
  memset(p->has, 0, n->most * sizeof *p->has);
  p->forth.weather = forth, p->back.weather = back;
  p->open = true;
}

static inline void net_free(net *n) {
  for (size_t i = 0; i < MOST_PEERS; i++) peer_close(&n->peers[i]);
  close_side(&n->sender), close_side(&n->twin);
  free(n->of_served), free(n->of_against), free(n->of_time), free(n->of_coded), free(n->of_wanted);
  free(n->wanted), free(n->now_sent), free(n->bodies);
  free(n);
}

static inline const state *net_state(const net *n, size_t f) {
  return state_of(n->sender.stream, n->first + (uint32_t)f);
}

/* Encodes the next packet and sends it to all open peers that are not away. */
static inline void net_send(net *n, uint32_t time, int key) {
  const size_t f = n->sent++, states = (size_t)n->options.states;
  assert_true(n->sent <= n->most);
  const quatsimd_status expected = move_all(n->bodies, n->options.bodies, n->now_sent, n->wanted, &n->seed);
  size_t size;
  unsigned char *packet = encoded(&n->sender, n->longest, &size, n->now_sent, time, key, expected);
  if (n->twin.stream) {
    size_t twins_size;
    unsigned char *twins = encoded(&n->twin, n->longest, &twins_size, n->now_sent, time, key, expected);
    if (size != twins_size || memcmp(packet, twins, size) != 0) fail_msg("packet %zu is not as its twin", f);
    free(twins);
  }
  memcpy(n->of_wanted + f * n->floats, n->wanted, 4 * n->floats);
  n->of_time[f] = time;
  const state *made = net_state(n, f);
  assert_non_null(made);
  for (size_t b = 0; b < n->options.bodies; b++)
    for (size_t c = 0; c < 4; c++) n->of_coded[f * n->floats + 4 * b + c] = made->rotation[c][b];
  n->of_against[f] = against_of(n->sender.stream, packet, size, n->first + (uint32_t)f);
  assert_int_equal(distance_of(n, f), made->distance);
  assert_int_equal(is_key(packet), made->distance == 0);
  if (key) assert_true(is_key(packet));
  if (made->distance > oldest_baseline(n))
    fail_msg("packet %zu: its baseline is %u packets old, of %zu states", f, (unsigned)made->distance,
             states);
  if (size > key_bytes(n->sender.stream)) fail_msg("packet %zu is too long", f);
  n->keys += is_key(packet), n->bytes += size;
  n->of_served[f] = 0;
  for (size_t i = 0; i < MOST_PEERS; i++) {
    peer *p = &n->peers[i];
    if (p->known && f - p->heard <= oldest_baseline(n)) n->of_served[f] |= 1u << i;
    if (p->open && !p->away) road_send(&p->forth, n->now, f, packet, size, &n->seed);
  }
  if (n->hash) XXH64_update(n->hash, packet, size);
  free(packet);
}

/* Returns true if a receiver has the state of packet f, and no later state took its place. */
static inline bool peer_has(const net *n, const peer *p, size_t f) {
  if (!p->has[f]) return false;
  for (size_t later = f + (size_t)n->options.states; later < n->sent; later += (size_t)n->options.states)
    if (p->has[later]) return false;
  return true;
}

static inline quatsimd_status peer_answer(const net *n, const peer *p, size_t f) {
  if (p->has[f] || (p->decoded && p->newest >= f + (size_t)n->options.states))
    return QUATSIMD_ERROR_OLD_PACKET;
  for (int i = 0; i < MOST_AGAINST; i++) {
    const size_t ago = n->of_against[f].ago[i];
    if (ago && !peer_has(n, p, f - ago)) return QUATSIMD_ERROR_NEED_KEY;
  }
  return QUATSIMD_OK;
}

/* Checks that an acknowledgement reports the states that the receiver has. */
static inline void check_acknowledgement(const net *n, const peer *p) {
  uint32_t mask = 0;
  for (size_t i = 0; i < 32 && i < (size_t)n->options.states && i <= p->newest; i++)
    mask |= (uint32_t)peer_has(n, p, p->newest - i) << i;
  const acknowledgement expected = sealed_acknowledgement(&n->options, n->first + (uint32_t)p->newest, mask,
                                                          n->first + (uint32_t)p->first),
                        said = acknowledge(&p->side);
  assert_memory_equal(&said, &expected, sizeof said);
}

/* Gives a parcel to receiver i and checks the receiver's answer. */
static inline void peer_take(net *n, size_t i, const parcel *from) {
  peer *p = &n->peers[i];
  const size_t f = from->packet;
  const quatsimd_status expected = peer_answer(n, p, f);
  const bool early = !p->decoded || p->newest <= f + latest_packet(n);
  if (n->of_served[f] >> i & 1 && early && !p->has[f] && expected != QUATSIMD_OK)
    fail_msg("packet %zu is for a receiver that lacks a state; baseline %zu, newest %zu", f,
             f - distance_of(n, f), p->newest);
  float *out = filled(4 * n->floats);
  uint32_t time = ~n->of_time[f];
  const acknowledgement before = acknowledge(&p->side);
  const quatsimd_status status =
      quatsimd_stream_decode(p->side.stream, quatsimd_aos_out(out), &time, from->bytes, from->size);
  if (status != expected)
    fail_msg("receiver %zu says \"%s\" of packet %zu, not \"%s\"; baseline %zu, newest %zu", i,
             quatsimd_status_string(status), f, quatsimd_status_string(expected), f - distance_of(n, f),
             p->newest);
  if (status == QUATSIMD_OK) {
    p->has[f] = true;
    p->late += p->decoded && f < p->newest;
    if (!p->decoded) p->first = f;
    if (!p->decoded || f > p->newest) p->newest = f;
    p->decoded++;
    check_acknowledgement(n, p);
    assert_int_equal(time, n->of_time[f]);
    if (memcmp(out, n->of_coded + f * n->floats, 4 * n->floats) != 0)
      fail_msg("receiver %zu decodes packet %zu to other bits than the sender has", i, f);
    check_bound(n->of_wanted + f * n->floats, out, n->options.bodies, n->options.bound, f);
    const state *a = net_state(n, f), *b = state_of(p->side.stream, n->first + (uint32_t)f);
    assert_non_null(b);
    if (a && !same_state(a, b, n->options.bodies)) fail_msg("packet %zu leaves another state", f);
    if (n->hash) add_floats(n->hash, out, n->floats);
  } else {
    const acknowledgement after = acknowledge(&p->side);
    assert_true(untouched(out, 4 * n->floats) && time == ~n->of_time[f]);
    assert_memory_equal(&before, &after, sizeof before);
    p->again += p->has[f];
    p->waiting += status == QUATSIMD_ERROR_NEED_KEY && early;
  }
  free(out);
}

static inline void peer_acknowledge(net *n, size_t i) {
  const acknowledgement a = acknowledge(&n->peers[i].side);
  road_send(&n->peers[i].back, n->now, 0, a.bytes, sizeof a.bytes, &n->seed);
}

/* Gives the sender an acknowledgement of receiver i. */
static inline void net_hear(net *n, size_t i, acknowledgement a) {
  assert_int_equal(acknowledged(&n->sender, i, a), QUATSIMD_OK);
  if (n->twin.stream) assert_int_equal(acknowledged(&n->twin, i, a), QUATSIMD_OK);
  n->peers[i].known = true, n->peers[i].heard = n->sent;
}

/* Runs one tick. The sender gets acknowledgements and sends a packet. The receivers get packets and
 * acknowledge each. In every fourth tick they acknowledge even without a packet. */
static inline void net_tick(net *n, uint32_t time, int key) {
  parcel come;
  for (size_t i = 0; i < MOST_PEERS; i++)
    while (road_take(&n->peers[i].back, n->now, &come)) {
      acknowledgement a;
      memcpy(a.bytes, come.bytes, sizeof a.bytes);
      free(come.bytes);
      if (!n->peers[i].away) net_hear(n, i, a);
    }
  net_send(n, time, key);
  for (size_t i = 0; i < MOST_PEERS; i++) {
    peer *p = &n->peers[i];
    bool any = false;
    while (road_take(&p->forth, n->now, &come)) {
      if (!p->away) peer_take(n, i, &come), peer_acknowledge(n, i), any = true;
      free(come.bytes);
    }
    if (p->open && !p->away && !any && n->now % 4 == 0) peer_acknowledge(n, i);
  }
  n->now++;
}

static inline void net_run(net *n, size_t packets) {
  for (size_t i = 0; i < packets; i++) net_tick(n, (uint32_t)(16 * n->sent), 0);
}

#endif
