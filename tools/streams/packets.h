/* The packets of a motion, as a sender makes them. */
#ifndef PACKETS_H
#define PACKETS_H

#include <stdbool.h>

#include "quatsimd/stream.h"
#include "scene/motion.h"

/* A sender or a receiver. */
struct stream_end {
  void *memory; /* to be freed */
  quatsimd_stream *stream;
};
/* Begins anew, in the memory that is there if it is not null: that of a stream with the same options. */
quatsimd_status stream_end_open(struct stream_end *end, const quatsimd_stream_options *options);

struct packets {
  const struct motion *motion;
  const quatsimd_stream_options *options;
  size_t every;     /* frames from packet to packet */
  size_t key;       /* packets from one key packet that is asked for to the next; 0: none is */
  size_t count, of; /* made; of the whole motion */
  size_t *end;      /* of each one, in bytes */
  unsigned char *bytes;
  size_t size, room;
};

struct packets packets_new(const struct motion *motion, const quatsimd_stream_options *options, size_t every,
                           size_t key);
void packets_free(struct packets *packets);

/* The content of the packet: the rotations of a frame, its seconds since the first frame, and the time
 * that the stream gets: the frame's number where frames are evenly apart, which costs nothing, or
 * milliseconds. */
const float *packets_rotations(const struct packets *packets, size_t packet);
double packets_seconds(const struct packets *packets, size_t packet);
uint32_t packets_time(const struct packets *packets, size_t packet);

/* Makes the next one. */
quatsimd_status packets_make(struct packets *packets, quatsimd_stream *sender);

enum { PACKET_HEAD = 4 }; /* bytes */
const unsigned char *packets_bytes(const struct packets *packets, size_t packet);
size_t packets_size(const struct packets *packets, size_t packet);
bool packets_is_key(const struct packets *packets, size_t packet);

#endif
