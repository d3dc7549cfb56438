/* What `quatsimd stream` prints. */
#ifndef STREAM_REPORT_H
#define STREAM_REPORT_H

#include "base/angle_error.h"
#include "quatsimd/stream.h"
#include "readers/motion.h"

struct stream_settings {
  quatsimd_stream_options options; /* bodies are those of each motion */
  double bound;                    /* degrees */
  size_t key;                      /* a key packet every so many; 0: the first one alone */
  const char *predict;
  int predictors; /* of stream/predictors.h, as `predict` says */
  bool json, timed;
};

struct stream_result {
  const char *path;
  const struct motion *motion;
  size_t rotations, bytes, packets, key_packets, invalid;
  struct angle_error error;
  double encode, decode; /* seconds for all; 0 where not timed */
};

struct stream_report {
  const struct stream_settings *settings;
  const struct stream_result *results;
  size_t count;
  const struct stream_result *sum;
  size_t left_out; /* curves of one key */
};

void stream_report_print(const struct stream_report *report);
void stream_report_print_json(const struct stream_report *report);

#endif
