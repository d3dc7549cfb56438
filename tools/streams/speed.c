#include "streams/speed.h"

#include <stdlib.h>

#include "base/speed.h"
#include "base/text.h"

struct job {
  quatsimd_stream_options options;
  struct packets packets;
  struct stream_end sender, receiver;
  float *decoded; /* 4 * bodies */
};

static void encode(void *data) {
  struct job *job = data;
  struct packets *p = &job->packets;
  p->count = p->size = 0;
  if (stream_end_open(&job->sender, &job->options) < 0) return;
  while (p->count < p->of)
    if (packets_make(p, job->sender.stream) < 0) return;
}

static void decode(void *data) {
  struct job *job = data;
  const struct packets *p = &job->packets;
  uint32_t time;
  if (stream_end_open(&job->receiver, &job->options) < 0) return;
  for (size_t i = 0; i < p->count; i++)
    if (quatsimd_stream_decode(job->receiver.stream, quatsimd_aos_out(job->decoded), &time,
                               packets_bytes(p, i), packets_size(p, i)) < 0)
      return;
}

struct stream_speed stream_speed_measure(const struct packets *like) {
  struct job job = {.options = *like->options};
  job.options.reliable = 1;
  job.packets = packets_new(like->motion, &job.options, like->every, like->key);
  job.decoded = memory_get(like->motion->bodies, 4 * sizeof *job.decoded);
  struct stream_speed speed;
  speed.encode = speed_best_seconds(encode, &job);
  speed.decode = speed_best_seconds(decode, &job);
  packets_free(&job.packets);
  free(job.decoded), free(job.sender.memory), free(job.receiver.memory);
  return speed;
}
