/* The report that `quatsimd compress` prints. */
#ifndef CLIP_REPORT_H
#define CLIP_REPORT_H

#include "clips/speed.h"
#include "compress/compress.h"
#include "compress/glb.h"

struct clip_report {
  const struct clip_settings *settings;
  const struct clip_result *results;
  size_t count;
  size_t empty;                    /* animations without the curves that were asked for */
  size_t bad;                      /* animations that are not here because something is wrong with them */
  const struct clip_speed *speed;  /* null: not measured */
  const struct glb *glb;           /* the file that they went into; null: none */
  const struct compress *compress; /* what made them; null: that */
};

void clip_report_print(const struct clip_report *report);
void clip_report_print_json(const struct clip_report *report);
/* Makes the tree of that JSON. */
cJSON *clip_report_json(const struct clip_report *report);

#endif
