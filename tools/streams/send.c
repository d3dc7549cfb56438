#include "streams/send.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/text.h"
#include "scene/input.h"
#include "streams/packets.h"
#include "streams/speed.h"

/* Of a packet, at the receiver. */
enum arrival { MISSING, ARRIVED, DECODED };

struct sending {
  const struct stream_settings *settings;
  struct stream_result *result;
  quatsimd_stream_options options;
  struct packets packets;
  struct stream_end sender, receiver;
  struct link_way there, back; /* of packets; of acknowledgements, by their numbers */
  unsigned char (*acknowledgement)[QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE];
  size_t acknowledgements;
  unsigned char *arrival; /* of each packet */
  size_t newest;          /* of the packets that were decoded */
  float *decoded;         /* 4 * bodies: the last one */
  bool good;
};

/* Of all that is wrong with a stream the first is said. */
static void blame(struct sending *s, size_t packet, const char *what, const char *why) {
  const char *name = s->result->motion->name;
  if (s->good)
    complain(s->result->path, "%s: packet %zu %s%s; that is a bug, please report it",
             *name ? name : "the array", packet, what, why);
  s->good = false;
}

/* ---- the receiver ---- */

static void check(struct sending *s, size_t packet, uint32_t time) {
  const size_t bodies = s->options.body_count;
  const struct angle_error error =
      angle_error_measure(packets_rotations(&s->packets, packet), s->decoded, bodies);
  char degrees[64];
  snprintf(degrees, sizeof degrees, "%.9g degrees off", error.worst);
  angle_error_add(&s->result->error, &error);
  if (error.worst > s->settings->bound) blame(s, packet, "is ", degrees);
  if (time != packets_time(&s->packets, packet)) blame(s, packet, "has another time", "");
}

/* Late by so much that its baseline may be gone; or by more than 2^14, where its 15 bits are read as a number
 * to come, and it looks damaged. */
static bool is_late(const struct sending *s, size_t packet, quatsimd_status status) {
  const size_t by = status == QUATSIMD_ERROR_BAD_PACKET ? 16385 : (size_t)s->options.state_count / 4;
  return packet + by <= s->newest;
}

static void decode(struct sending *s, size_t packet) {
  struct stream_result *r = s->result;
  unsigned char *arrival = &s->arrival[packet];
  uint32_t time = 0;
  const quatsimd_status status =
      quatsimd_stream_decode(s->receiver.stream, quatsimd_aos_out(s->decoded), &time,
                             packets_bytes(&s->packets, packet), packets_size(&s->packets, packet));
  const enum arrival before = *arrival;
  if (before == MISSING) *arrival = ARRIVED, r->arrived++;
  else r->duplicates++;
  if (status == QUATSIMD_OK) {
    if (before == DECODED) blame(s, packet, "was decoded twice", "");
    else r->decoded++;
    *arrival = DECODED;
    if (packet > s->newest) s->newest = packet;
    check(s, packet, time);
  } else if (before == MISSING) {
    if (is_late(s, packet, status)) r->late++;
    else blame(s, packet, "was not decoded: ", quatsimd_status_string(status));
  }
}

static void acknowledge(struct sending *s, double now) {
  s->acknowledgement = memory_grow(s->acknowledgement, s->acknowledgements, sizeof *s->acknowledgement);
  if (quatsimd_stream_acknowledge(s->receiver.stream, s->acknowledgement[s->acknowledgements]) == QUATSIMD_OK)
    link_send(&s->back, now, s->acknowledgements++);
}

static void receive(struct sending *s, double until) {
  for (struct link_delivery next; link_take(&s->there, until, &next);) {
    decode(s, next.what);
    if (!s->options.reliable) acknowledge(s, next.at);
  }
}

/* ---- the sender ---- */

static void hear(struct sending *s, double until) {
  for (struct link_delivery next; link_take(&s->back, until, &next);) {
    const quatsimd_status status = quatsimd_stream_acknowledged(
        s->sender.stream, 0, s->acknowledgement[next.what], sizeof *s->acknowledgement);
    if (status != QUATSIMD_OK)
      blame(s, s->packets.count, "comes behind a bad acknowledgement: ", quatsimd_status_string(status));
  }
}

static void count(struct stream_part *part, size_t bytes, size_t rotations) {
  part->packets++, part->bytes += bytes, part->rotations += rotations;
  if (bytes > part->longest) part->longest = bytes;
}

/* False if there can be no more. */
static bool send_next(struct sending *s, double now) {
  struct stream_result *r = s->result;
  const size_t packet = s->packets.count, bodies = s->options.body_count;
  const quatsimd_status status = packets_make(&s->packets, s->sender.stream);
  if (status < 0) {
    blame(s, packet, "was not encoded: ", quatsimd_status_string(status));
    return false;
  }
  count(&r->all, packets_size(&s->packets, packet), bodies);
  if (packets_is_key(&s->packets, packet)) count(&r->key, packets_size(&s->packets, packet), bodies);
  r->invalid += input_count_invalid(packets_rotations(&s->packets, packet), bodies);
  link_send(&s->there, now, packet);
  return true;
}

/* ------------------------------------------------------------------------------------------------------ */

static void run(struct sending *s) {
  struct stream_result *r = s->result;
  for (size_t packet = 0; packet < s->packets.of; packet++) {
    const double now = packets_seconds(&s->packets, packet);
    receive(s, now); /* since the last packet, and so that the acknowledgements are out */
    hear(s, now);
    if (!send_next(s, now)) break;
    receive(s, now); /* what takes no time */
    if (r->decoded) r->age[r->ages++] = now - packets_seconds(&s->packets, s->newest);
  }
  receive(s, INFINITY);
}

/* Frames from packet to packet, so that about as many go out as there shall. */
static size_t every_of(const struct stream_settings *settings, const struct motion *motion) {
  const double every = settings->rate > 0 ? motion_rate(motion) / settings->rate : 1;
  return every < 1 ? 1 : every < (double)motion->frames ? (size_t)(every + 0.5) : motion->frames;
}

bool stream_send(const struct stream_settings *settings, size_t number, struct stream_result *result) {
  const struct motion *motion = result->motion;
  struct sending s = {.settings = settings, .result = result, .options = settings->options, .good = true};
  s.options.body_count = motion->bodies;
  if (quatsimd_stream_memory_size(&s.options) == 0) {
    complain(result->path, "%s bodies are too many for a stream", text_number(motion->bodies));
    return false;
  }
  s.packets = packets_new(motion, &s.options, every_of(settings, motion), settings->key);
  s.there = link_open(&settings->link, 2 * number), s.back = link_open(&settings->link, 2 * number + 1);
  s.arrival = memory_get(s.packets.of, 1);
  s.decoded = memory_get(motion->bodies, 4 * sizeof *s.decoded);
  result->age = memory_get(s.packets.of, sizeof *result->age);
  quatsimd_status status = stream_end_open(&s.sender, &s.options);
  if (status >= 0) status = stream_end_open(&s.receiver, &s.options);
  if (status < 0) blame(&s, 0, "was not encoded: ", quatsimd_status_string(status));
  else run(&s);
  result->seconds = (double)(s.packets.count * s.packets.every) / motion_rate(motion);
  if (s.good && settings->timed) {
    const struct stream_speed speed = stream_speed_measure(&s.packets);
    result->encode = speed.encode, result->decode = speed.decode;
  }
  link_close(&s.there), link_close(&s.back);
  packets_free(&s.packets);
  free(s.acknowledgement), free(s.arrival), free(s.decoded), free(s.sender.memory), free(s.receiver.memory);
  return s.good;
}
