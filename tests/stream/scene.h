/* A sender and a receiver of bodies with positions, of other bodies, and of tracks. An acknowledgement
 * arrives LAG packets after its packet. */
#ifndef SCENE_H
#define SCENE_H

#include "sealed.h"

enum { BODIES = 12, PLACED = 7, TRACKS = 9, LAG = 5, PACKETS = 200 };
static const float GRAVITY[3] = {0, -0.01f, 0};

typedef struct scene {
  quatsimd_stream_options options;
  side sender, receiver;
  float q[4 * BODIES], p[3 * PLACED], t[TRACKS], got_q[4 * BODIES], got_p[3 * PLACED], got_t[TRACKS];
  uint32_t time, got_time;
  uint64_t seed;
  acknowledgement acks[PACKETS];
  bool has[PACKETS];
  unsigned char *packet;
  size_t size;
} scene;

static inline quatsimd_stream_options options_of_scene(const float *bounds) {
  quatsimd_stream_options o = options_of(&usual);
  o.body_count = BODIES, o.position_count = PLACED, o.position_bound = 0.001f, o.gravity = GRAVITY;
  o.bounds = bounds, o.state_count = 64;
  return o;
}

/* Opens both sides again, with s->options. */
static inline void scene_open(scene *s) {
  close_side(&s->sender), close_side(&s->receiver);
  open_options(&s->sender, &s->options), open_options(&s->receiver, &s->options);
  free(s->packet);
  s->packet = filled(quatsimd_stream_max_packet_size(&s->options));
  memset(s->has, 0, sizeof s->has);
}
static inline scene *scene_new(const float *bounds, uint64_t seed) {
  scene *s = filled(sizeof *s);
  memset(s, 0, sizeof *s);
  s->seed = seed, s->options = options_of_scene(bounds);
  for (size_t b = 0; b < BODIES; b++) to_floats(s->q + 4 * b, random_rotation(&s->seed));
  for (size_t i = 0; i < 3 * PLACED; i++) s->p[i] = (float)(10 * random_unit(&s->seed));
  scene_open(s);
  return s;
}
static inline void scene_free(scene *s) {
  free(s->packet);
  close_side(&s->sender), close_side(&s->receiver);
  free(s);
}

/* All bodies turn and fall. */
static inline void scene_move(scene *s, int f) {
  for (size_t b = 0; b < BODIES; b++)
    to_floats(s->q + 4 * b, normalised(product(random_turn(0.02, &s->seed), of_floats(s->q + 4 * b))));
  for (size_t b = 0; b < PLACED; b++) {
    s->p[3 * b] += 0.01f;
    s->p[3 * b + 1] += GRAVITY[1] * (float)(f % 30);
  }
}

/* Encodes packet f at s->time. */
static inline quatsimd_status scene_encode(scene *s, int key) {
  const quatsimd_pose_in in = {
      .rotations = quatsimd_aos(s->q), .translations = quatsimd_strided(s->p, 12), .tracks = s->t};
  return quatsimd_stream_encode_pose(
      s->sender.stream, s->packet, quatsimd_stream_max_packet_size(&s->options), &s->size, &in, s->time, key);
}
static inline quatsimd_status scene_send(scene *s, size_t f) {
  if (f >= LAG && s->has[f - LAG])
    assert_int_equal(acknowledged(&s->sender, 0, s->acks[f - LAG]), QUATSIMD_OK);
  s->time = (uint32_t)f;
  return scene_encode(s, 0);
}
static inline quatsimd_status scene_decode(scene *s, const unsigned char *packet, size_t size) {
  quatsimd_pose_out out = {.rotations = quatsimd_aos_out(s->got_q),
                           .translations = quatsimd_strided_out(s->got_p, 12),
                           .tracks = s->got_t};
  unsigned char *exact = memcpy(filled(size), packet, size);
  const quatsimd_status status =
      quatsimd_stream_decode_pose(s->receiver.stream, &out, &s->got_time, exact, size);
  free(exact);
  return status;
}
static inline quatsimd_status scene_take(scene *s) { return scene_decode(s, s->packet, s->size); }
static inline void scene_acknowledge(scene *s, size_t f) {
  s->acks[f] = acknowledge(&s->receiver), s->has[f] = true;
}
static inline void scene_receive(scene *s, size_t f) {
  assert_int_equal(scene_take(s), QUATSIMD_OK);
  assert_int_equal(s->got_time, s->time);
  scene_acknowledge(s, f);
}

static inline double off_by(const float *a, const float *b) {
  double sum = 0;
  for (int x = 0; x < 3; x++) sum += ((double)a[x] - (double)b[x]) * ((double)a[x] - (double)b[x]);
  return sqrt(sum);
}

/* Seals a packet of any bytes for the receiver. */
static inline void scene_seal(scene *s, unsigned char *packet, size_t size, uint32_t number) {
  references r = {0};
  range_decoder d = range_decoder_new(packet + HEAD, size - HEAD);
  if (!is_key(packet)) quatsimd_stream_take_head(s->receiver.stream, &d, number, &r);
  put_little(packet, (uint64_t)(number & 0x7fff) << 1 | is_key(packet), 2);
  const uint32_t h = packet_hash(s->receiver.stream, number, &r, packet + HEAD, size - HEAD);
  put_little(packet + 2, checksum_by_hand(h), 2);
}

#endif
