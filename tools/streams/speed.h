/* How fast the packets of a motion are made and decoded. */
#ifndef STREAM_SPEED_H
#define STREAM_SPEED_H

#include "streams/packets.h"

/* Seconds for all, with no link between: each packet is coded against the one before. */
struct stream_speed {
  double encode, decode;
};
/* The packets are made anew. */
struct stream_speed stream_speed_measure(const struct packets *like);

#endif
