/* Charts of a page: an SVG that is stretched to the width there is, with ticks and titles in HTML around
 * it, so that text is never scaled. The page's style (page.css) draws. */
#ifndef CHART_H
#define CHART_H

#include <stdbool.h>

#include "base/output.h"

struct chart_axis {
  const char *title; /* with the unit */
  double low, high;
  bool logarithmic;
};

struct chart {
  struct output *o;
  struct chart_axis x, y;
};

struct chart_name {
  const char *title,
      /* the heading; what is to be seen, for those who do not see it, too. Text from outside is escaped. */
      *text;
  const char *const *legend; /* of the series 0, 1, ..., null at the end; or null */
};

/* Then what is in it, and chart_end. */
void chart_begin(struct chart *chart, const struct chart_name *name);
void chart_end(struct chart *chart);

/* Series have colours, and dashes, of their own: 0 to 2. */
void chart_line(struct chart *chart, int series, const double *x, const double *y, size_t count);
void chart_dots(struct chart *chart, int series, const double *x, const double *y, size_t count);
/* A bound, across the chart. */
void chart_limit_y(struct chart *chart, double y);

/* Percents of the chart's width and height, within 0 and 100. */
double chart_place(const struct chart_axis *axis, double value);

/* Widens low and high to numbers with few digits. */
void chart_round(struct chart_axis *axis);

#endif
