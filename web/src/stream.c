/* Functions that JavaScript calls to send and receive streams. Pointers are numbers in JavaScript. */
#include "quatsimd/stream.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name), used)) name

/* A sender or a receiver, in one block: this struct, the stream, the pose that is encoded or was decoded, an
 * acknowledgement, and a packet. */
typedef struct side {
  quatsimd_stream *stream;
  float *rotations, *positions, *tracks;
  unsigned char *acknowledgement, *packet;
  size_t room;    /* bytes at `packet` */
  size_t written; /* bytes of the packet that was encoded */
  uint32_t time;  /* the time of the packet that was decoded */
  size_t memory_size;
  quatsimd_stream_options options;
} side;

/* Where JavaScript reads the members of sides. */
_Static_assert(offsetof(side, rotations) == 4 && offsetof(side, positions) == 8 &&
                   offsetof(side, tracks) == 12 && offsetof(side, acknowledgement) == 16 &&
                   offsetof(side, packet) == 20 && offsetof(side, room) == 24 &&
                   offsetof(side, written) == 28 && offsetof(side, time) == 32,
               "the layout of sides is not that in stream.js");
_Static_assert(sizeof(side) % 8 == 0, "the stream behind it is aligned to 8 bytes");

/* quatsimd_stream_init, with a new session. */
quatsimd_status EXPORT(restart)(side *s, uint64_t session) {
  s->options.session = session;
  return quatsimd_stream_init(&s->stream, s + 1, s->memory_size, &s->options);
}

/* Makes a side, to be freed. bounds and rest may be null; they and gravity must stay. Returns null if the
 * options are not valid or there is no memory. */
side *EXPORT(make)(const float *gravity, const float *bounds, const float *rest, size_t limit,
                   uint64_t session, size_t bodies, float bound, size_t positions, float position_bound,
                   size_t tracks, float track_bound, int states, int receivers, int reliable) {
  const quatsimd_stream_options o = {.struct_size = sizeof o,
                                     .body_count = bodies,
                                     .bound = bound,
                                     .state_count = states,
                                     .receiver_count = receivers,
                                     .reliable = reliable,
                                     .position_count = positions,
                                     .position_bound = position_bound,
                                     .gravity = gravity,
                                     .bounds = bounds,
                                     .limit = limit,
                                     .track_count = tracks,
                                     .track_bound = track_bound,
                                     .rest = rest};
  const size_t memory = quatsimd_stream_memory_size(&o), room = quatsimd_stream_max_packet_size(&o);
  const uint64_t pose = 4 * (4 * (uint64_t)bodies + 3 * (uint64_t)positions + tracks),
                 size = sizeof(side) + memory + pose + QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE + room;
  side *const s = memory && size <= SIZE_MAX ? malloc((size_t)size) : NULL;
  if (!s) return NULL;
  float *const rotations = (float *)((char *)(s + 1) + memory);
  unsigned char *const acknowledgement = (unsigned char *)rotations + pose;
  *s = (side){.rotations = rotations,
              .positions = rotations + 4 * bodies,
              .tracks = rotations + 4 * bodies + 3 * positions,
              .acknowledgement = acknowledgement,
              .packet = acknowledgement + QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE,
              .room = room,
              .memory_size = memory,
              .options = o};
  memset(rotations, 0, (size_t)pose);
  for (size_t b = 0; b < bodies; b++) rotations[4 * b + 3] = 1;
  restart(s, session);
  return s;
}

quatsimd_status EXPORT(encode)(side *s, uint32_t time, int key) {
  const quatsimd_pose_in pose = {.rotations = quatsimd_aos(s->rotations),
                                 .translations = quatsimd_aos(s->positions),
                                 .tracks = s->tracks};
  return quatsimd_stream_encode_pose(s->stream, s->packet, s->room, &s->written, &pose, time, key);
}

quatsimd_status EXPORT(acknowledged)(side *s, size_t receiver) {
  return quatsimd_stream_acknowledged(s->stream, receiver, s->acknowledgement,
                                      QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE);
}

quatsimd_status EXPORT(leave)(side *s, size_t receiver) { return quatsimd_stream_leave(s->stream, receiver); }

quatsimd_status EXPORT(decode)(side *s, size_t size) {
  quatsimd_pose_out pose = {.rotations = quatsimd_aos_out(s->rotations),
                            .translations = quatsimd_aos_out(s->positions),
                            .tracks = s->tracks};
  return quatsimd_stream_decode_pose(s->stream, &pose, &s->time, s->packet, size);
}

quatsimd_status EXPORT(acknowledge)(side *s) {
  return quatsimd_stream_acknowledge(s->stream, s->acknowledgement);
}
