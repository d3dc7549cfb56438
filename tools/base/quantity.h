/* Values of options that are numbers with units. */
#ifndef QUANTITY_H
#define QUANTITY_H

#include <stdbool.h>

#define DEGREES 57.29577951308232 /* in a radian */

/* The same without a complaint: null, or what the text should be ("is not an angle ..."). */
const char *quantity_read_angle(const char *text, double *radians);
const char *quantity_read_length(const char *text, double *length, bool *metres);
const char *quantity_read_number(const char *text, double *number);
const char *quantity_read_length_at(const char *text, double *length, double *distance, bool metres[2]);

/* The value that was given for an option of a command; null: none was, and the value stays. False after a
 * complaint (usage_error). Angles become radians, which a clip can keep to; lengths with a unit metres, and
 * those without stay as they are. */
bool quantity_angle(const char *command, const char *option, const char *text, double *radians);
bool quantity_length(const char *command, const char *option, const char *text, double *length, bool *metres);
bool quantity_number(const char *command, const char *option, const char *text, double *number);

/* A bound as the library wants it: a float, and not more than was asked for. */
float quantity_bound(double x);

/* LENGTH@DISTANCE. metres: of each. */
bool quantity_length_at(const char *command, const char *option, const char *text, double *length,
                        double *distance, bool metres[2]);

#endif
