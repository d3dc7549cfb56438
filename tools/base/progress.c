#include "base/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "system/program.h"

volatile sig_atomic_t progress_drawn;
static bool elsewhere;

/* A dumb terminal takes no escapes. */
bool progress_seen(void) {
  const char *terminal = getenv("TERM");
  return system_terminal() && !(terminal && strcmp(terminal, "dumb") == 0);
}

void progress_show(const char *doing, size_t done, size_t total, const char *current) {
  if (!progress_seen()) return;
  char *name = text_clean(names_file(current));
  /* fits 80 columns */
  fprintf(stderr, "\r\033[K%s %zu of %zu: %.*s", doing, done + 1, total, (int)text_cut(name, 40), name);
  fflush(stderr);
  free(name);
  progress_drawn = 1;
}

static void add_time(char *text, size_t size, double seconds) {
  const unsigned s = (unsigned)(fmin(seconds, 359999) + 0.5); /* 99:59:59 */
  if (s >= 3600) snprintf(text, size, ", %u:%02u:%02u left", s / 3600, s / 60 % 60, s % 60);
  else snprintf(text, size, ", %u:%02u left", s / 60, s % 60);
}

void progress_bar(size_t done, size_t total, double part, double seconds) {
  enum { WIDTH = 20 };
  static double shown = -1;
  if (!progress_seen() || (shown >= 0 && seconds < shown + 0.1)) return;
  shown = seconds;
  char bar[WIDTH + 1], rate[40] = "", left[40] = "";
  const int filled = (int)(WIDTH * part);
  for (int i = 0; i < WIDTH; i++) bar[i] = i < filled ? '=' : i == filled ? '>' : ' ';
  bar[WIDTH] = '\0';
  if (seconds > 0 && part > 0) {
    snprintf(rate, sizeof rate, ", %.3g files/s", (double)done / seconds);
    add_time(left, sizeof left, seconds / part - seconds);
  }
  char line[200];
  /* as much as there is room for */
  const char *const parts[][3] = {{bar, rate, left}, {bar, "", left}, {NULL, "", left}, {NULL, "", ""}};
  for (int i = 0; i < 4; i++) {
    const char *shown_bar = parts[i][0];
    const int length = snprintf(line, sizeof line, "%s of %s files %s%s%s%.0f %%%s%s", text_number(done),
                                text_number(total), shown_bar ? "[" : "", shown_bar ? shown_bar : "",
                                shown_bar ? "] " : "", 100 * part, parts[i][1], parts[i][2]);
    if ((size_t)length < system_terminal_columns()) break;
  }
  fprintf(stderr, "\r\033[K%s", line);
  fflush(stderr);
  progress_drawn = 1;
}

const char *progress_taken_away(void) {
  const bool away = progress_drawn || (elsewhere && progress_seen());
  progress_drawn = 0;
  return away ? "\r\033[K" : "";
}

void progress_clear(void) { fputs(progress_taken_away(), stderr); }

void progress_is_elsewhere(void) { elsewhere = true; }
