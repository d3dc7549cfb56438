/* The report of `quatsimd verify` on a folder of clips. */
#ifndef VERIFY_SUMMARY_H
#define VERIFY_SUMMARY_H

#include "report/verify_report.h"

/* A clip, or all of them. */
struct verify_row {
  char *name;
  struct clip_tally total[VERIFY_KINDS];
  size_t clips, beyond, unbound; /* compared; of these, beyond a bound, and without any */
};

struct verify_summary {
  struct verify_vertices worst; /* of all clips in millimetres */
  size_t count, failed;         /* rows; clips and files that could not be compared */
  struct verify_row *row;
  cJSON *list; /* of the clips; null: it is text */
};

/* Adds a clip that was compared; the name is its path below the folder. */
void verify_summary_add(struct verify_summary *summary, const struct verification *v, const char *name);

/* Prints the rows, or the JSON, and what holds of all clips: the worst errors and the means of all keys. */
void verify_summary_print(const struct verify_summary *summary);

void verify_summary_free(struct verify_summary *summary);

#endif
