/* Numbers with units, as people write them. */
#ifndef QUANTITY_H
#define QUANTITY_H

#include <stdbool.h>

#define DEGREES 57.29577951308232 /* in a radian */

/* These return null, or what is wrong with the text ("is not an angle ..."). Angles become radians, which a
 * clip can keep to; lengths with a unit metres, and those without stay as they are. The last one is
 * LENGTH@DISTANCE, and metres of each. */
const char *quantity_read_angle(const char *text, double *radians);
const char *quantity_read_length(const char *text, double *length, bool *metres);
const char *quantity_read_number(const char *text, double *number);
const char *quantity_read_length_at(const char *text, double *length, double *distance, bool metres[2]);

/* A bound as the library wants it: a float, and not more than was asked for. */
float quantity_bound(double x);

#endif
