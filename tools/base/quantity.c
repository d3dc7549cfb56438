#include "base/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct unit {
  const char *suffix;
  double factor;
};

static const struct unit angles[] = {{"", 1 / DEGREES}, {"deg", 1 / DEGREES}, {"rad", 1}, {NULL, 0}};
static const struct unit lengths[] = {{"", 1}, {"mm", 1e-3}, {"cm", 1e-2}, {"m", 1}, {NULL, 0}};
static const struct unit numbers[] = {{"", 1}, {NULL, 0}};

/* Reads a number with one of the suffixes that ends at *end. It must be positive and, as a float, neither
 * infinite nor denormal. suffixed: may be null. */
static bool read_to(const char *text, const struct unit *units, const char *end, double *value,
                    bool *suffixed) {
  char *suffix;
  const double number = strtod(text, &suffix);
  const size_t length = (size_t)(end - suffix);
  if (suffix == text || suffix > end) return false;
  while (units->suffix && !(strlen(units->suffix) == length && memcmp(units->suffix, suffix, length) == 0))
    units++;
  *value = number * units->factor;
  if (suffixed) *suffixed = length > 0;
  return units->suffix && *value >= 1e-30 && *value <= 1e30;
}

static bool read_whole(const char *text, const struct unit *units, double *value, bool *suffixed) {
  return read_to(text, units, text + strlen(text), value, suffixed);
}

float quantity_bound(double x) {
  const float f = (float)x;
  return (double)f > x ? nextafterf(f, 0) : f;
}

const char *quantity_read_angle(const char *text, double *radians) {
  const bool good =
      read_whole(text, angles, radians, NULL) && quantity_bound(*radians) >= 1e-5f && *radians <= 1;
  return good ? NULL : "is not an angle from 0.000573deg to 57.29577deg (0.00001rad to 1rad)";
}

const char *quantity_read_length(const char *text, double *length, bool *metres) {
  return read_whole(text, lengths, length, metres)
             ? NULL
             : "is not a length, a positive number with mm, cm, m or nothing behind it";
}

const char *quantity_read_number(const char *text, double *number) {
  return read_whole(text, numbers, number, NULL) ? NULL : "is not a positive number";
}

const char *quantity_read_length_at(const char *text, double *length, double *distance, bool metres[2]) {
  const char *at = strchr(text, '@');
  const bool good = at && read_to(text, lengths, at, length, &metres[0]) &&
                    read_whole(at + 1, lengths, distance, &metres[1]);
  return good ? NULL : "is not LENGTH@DISTANCE, such as 0.1mm@3cm, nor LENGTH@mesh";
}
