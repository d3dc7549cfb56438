#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

static bool visible;

bool progress_seen(void) { return isatty(STDERR_FILENO); }

void progress_show(const char *doing, size_t done, size_t total, const char *current) {
  if (!progress_seen()) return;
  const char *slash = strrchr(current, '/');
  char *name = text_clean(slash ? slash + 1 : current);
  fprintf(stderr, "\r\033[K%s %zu of %zu: %.40s", doing, done + 1, total, name); /* fits 80 columns */
  fflush(stderr);
  free(name);
  visible = true;
}

/* Fits 80 columns. */
void progress_bar(size_t done, size_t total, double part, double seconds) {
  enum { WIDTH = 20 };
  static double shown = -1;
  if (!progress_seen() || (shown >= 0 && seconds < shown + 0.1)) return;
  shown = seconds;
  char bar[WIDTH + 1];
  const int filled = (int)(WIDTH * part);
  for (int i = 0; i < WIDTH; i++) bar[i] = i < filled ? '=' : i == filled ? '>' : ' ';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r\033[K%s of %s files [%s] %.0f %%", text_number(done), text_number(total), bar, 100 * part);
  if (seconds > 0 && part > 0) {
    const double left = fmin(seconds / part - seconds, 359999); /* 99:59:59 */
    const unsigned s = (unsigned)(left + 0.5);
    fprintf(stderr, ", %.3g files/s, ", (double)done / seconds);
    if (s >= 3600) fprintf(stderr, "%u:%02u:%02u left", s / 3600, s / 60 % 60, s % 60);
    else fprintf(stderr, "%u:%02u left", s / 60, s % 60);
  }
  fflush(stderr);
  visible = true;
}

void progress_clear(void) {
  if (visible) fputs("\r\033[K", stderr);
  visible = false;
}
