/* The report of `quatsimd measure`. */
#ifndef MEASURE_REPORT_H
#define MEASURE_REPORT_H

#include "base/angle_error.h"
#include "base/speed.h"
#include "scene/input.h"

/* All files together. */
struct measured_files {
  size_t files; /* those that could be read */
  struct input *input;
  size_t animations, curves, keys, invalid;
};

/* The measurements of a format. Speeds are zero where none were measured. */
struct measured_format {
  quatsimd_format format;
  size_t packed_bytes; /* every file packed as one array */
  struct angle_error error;
  struct speed speed, scalar;
};

struct kernel_pair {
  const quatsimd_kernels *active, *scalar;
};

struct measure_report {
  const struct measured_files *files;
  const struct measured_format *results;
  size_t count;
  struct kernel_pair pair;
  const struct speed_data *timed; /* null: speed was not measured */
};

void measure_report_print(const struct measure_report *report);
void measure_report_print_json(const struct measure_report *report);

#endif
