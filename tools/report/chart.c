#include "report/chart.h"

#include <math.h>

#include "base/text.h"
#include "report/html.h"

enum { TICKS = 5 }; /* about so many on an axis */

/* 1, 2 or 5 times a power of ten. */
static double step_of(const struct chart_axis *axis) {
  const double rough = (axis->high - axis->low) / TICKS, power = pow(10, floor(log10(rough))),
               digit = rough / power;
  return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
}

/* 1, 2, 5, 10, 20, ... for 0, 1, 2, 3, 4, ... */
static double one_two_five(int i) {
  static const double digit[] = {1, 2, 5};
  const int power = (int)floor(i / 3.0);
  return digit[i - 3 * power] * pow(10, power);
}

/* The number of the last one that is not above the value. */
static int number_of(double value) {
  int i = 3 * (int)floor(log10(value) + 1e-9);
  while (one_two_five(i + 1) <= value * (1 + 1e-9)) i++;
  return i;
}

void chart_round(struct chart_axis *axis) {
  if (!(axis->high > axis->low)) axis->high = axis->low + fmax(fabs(axis->low), 1);
  if (axis->logarithmic) {
    const int above = number_of(axis->high);
    axis->low = one_two_five(number_of(axis->low));
    axis->high = one_two_five(one_two_five(above) < axis->high * (1 - 1e-9) ? above + 1 : above);
    return;
  }
  const double step = step_of(axis);
  axis->low = floor(axis->low / step + 1e-9) * step, axis->high = ceil(axis->high / step - 1e-9) * step;
}

double chart_place(const struct chart_axis *axis, double value) {
  const double at = axis->logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                                      : (value - axis->low) / (axis->high - axis->low);
  return at > 0 ? fmin(100 * at, 100) : 0;
}

/* The i-th tick's value; false if there are no more. */
static bool tick(const struct chart_axis *axis, int i, double *value) {
  if (axis->logarithmic) {
    const int first = number_of(axis->low),
              skip = axis->high / axis->low > 300 ? 3 : 1; /* powers of ten alone, if they are enough */
    *value = one_two_five(skip == 1 ? first + i : 3 * ((first + 2) / 3 + i));
  } else {
    const double step = step_of(axis);
    *value = (ceil(axis->low / step - 1e-9) + i) * step;
  }
  return *value <= axis->high + 1e-9 * fabs(axis->high - axis->low);
}

static void put_label(struct output *o, const struct chart_axis *axis, double value) {
  if (fabs(value) < 1e-9 * (axis->high - axis->low)) html_put(o, "0");
  else if (value >= 1000 && value < 1e15) html_put(o, text_number((size_t)(value + 0.5)));
  else html_print(o, "%s%.5g", value < 0 ? "\xe2\x88\x92" : "", fabs(value)); /* a minus, not a hyphen */
}

void chart_begin(struct chart *chart, const struct chart_name *name) {
  struct output *o = chart->o;
  double value;
  html_put(o, "<figure>\n<figcaption><h4>");
  html_text(o, name->title);
  html_put(o, "</h4>\n<p>");
  html_text(o, name->text);
  html_put(o, "</p></figcaption>\n");
  if (name->legend) {
    html_put(o, "<p class=\"legend\">");
    for (int s = 0; name->legend[s]; s++) {
      html_print(o, "<span class=\"key k%d\"></span>", s);
      html_text(o, name->legend[s]);
      html_put(o, " ");
    }
    html_put(o, "</p>\n");
  }
  html_put(o, "<p class=\"axis\">");
  html_text(o, chart->y.title);
  html_put(
      o, "</p>\n<div class=\"plot\"><svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" role=\"img\" "
         "aria-label=\"");
  html_text(o, name->title);
  html_put(o, ". ");
  html_text(o, name->text);
  html_put(o, "\">\n<path class=\"grid\" d=\"");
  for (int i = 0; tick(&chart->x, i, &value); i++)
    html_print(o, "M%.1f 0V1000", 10 * chart_place(&chart->x, value));
  for (int i = 0; tick(&chart->y, i, &value); i++)
    html_print(o, "M0 %.1fH1000", 1000 - 10 * chart_place(&chart->y, value));
  html_put(o, "\"/>\n");
}

void chart_end(struct chart *chart) {
  struct output *o = chart->o;
  double value;
  html_put(o, "</svg><div class=\"ticks\" aria-hidden=\"true\">");
  for (int i = 0; tick(&chart->x, i, &value); i++) {
    html_print(o, "<span class=\"x\" style=\"left:%.2f%%\">", chart_place(&chart->x, value));
    put_label(o, &chart->x, value);
    html_put(o, "</span>");
  }
  for (int i = 0; tick(&chart->y, i, &value); i++) {
    html_print(o, "<span class=\"y\" style=\"bottom:%.2f%%\">", chart_place(&chart->y, value));
    put_label(o, &chart->y, value);
    html_put(o, "</span>");
  }
  html_put(o, "</div></div>\n<p class=\"axis x\">");
  html_text(o, chart->x.title);
  html_put(o, "</p>\n</figure>\n");
}

static void put_points(struct chart *chart, char next, const char *after, const double *x, const double *y,
                       size_t count) {
  for (size_t i = 0; i < count; i++)
    html_print(chart->o, "%c%.1f %.1f%s%s", i ? next : 'M', 10 * chart_place(&chart->x, x[i]),
               1000 - 10 * chart_place(&chart->y, y[i]), after, i % 16 == 15 ? "\n" : "");
}

void chart_line(struct chart *chart, int series, const double *x, const double *y, size_t count) {
  html_print(chart->o, "<path class=\"line s%d\" d=\"", series);
  put_points(chart, 'L', "", x, y, count);
  html_put(chart->o, "\"/>\n");
}

void chart_dots(struct chart *chart, int series, const double *x, const double *y, size_t count) {
  html_print(chart->o, "<path class=\"dots s%d\" d=\"",
             series); /* lines of no length have round ends, whatever the scales */
  put_points(chart, 'M', "h0", x, y, count);
  html_put(chart->o, "\"/>\n");
}

void chart_limit_y(struct chart *chart, double y) {
  html_print(chart->o, "<path class=\"limit\" d=\"M0 %.1fH1000\"/>\n", 1000 - 10 * chart_place(&chart->y, y));
}
