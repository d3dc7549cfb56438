/* The report of `quatsimd stream`. */
#ifndef STREAM_REPORT_H
#define STREAM_REPORT_H

#include "streams/send.h"

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
