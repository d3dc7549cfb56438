/* A motion goes through a stream, over a simulated link, and what comes out is compared with it. */
#ifndef SEND_H
#define SEND_H

#include "base/angle_error.h"
#include "quatsimd/stream.h"
#include "scene/motion.h"
#include "streams/link.h"

struct stream_settings {
  quatsimd_stream_options options; /* bodies are those of each motion */
  struct link_settings link;
  double bound;      /* degrees */
  double rate;       /* packets a second; 0: one for each frame */
  double frame_rate; /* of what has no times */
  size_t key;        /* a key packet every so many, if one is needed or not; 0: where one is needed */
  bool json, timed;
};

/* Packets of one kind, as they were sent. */
struct stream_part {
  size_t packets, bytes, longest, rotations; /* longest: bytes of a packet */
};

struct stream_result {
  const char *path;
  const struct motion *motion;
  struct stream_part all, key;
  size_t invalid;                /* rotations */
  double seconds;                /* of the motion that the packets are */
  size_t arrived, decoded, late; /* packets, each counted once; late: not decoded, and need not be */
  size_t duplicates;             /* that came again */
  struct angle_error error;      /* of what was decoded */
  double *age;                   /* of what is shown, in seconds, whenever a packet is sent */
  size_t ages;
  double encode, decode; /* seconds for all; 0 where not timed */
};

/* number: of the stream; others have other luck on the link. False and a complaint if something was wrong.
 * The ages are to be freed. */
bool stream_send(const struct stream_settings *settings, size_t number, struct stream_result *result);

#endif
