/* Decimal numbers in text, fast. */
#ifndef DECIMAL_H
#define DECIMAL_H

/* The number at s, as strtod has it, in the usual form: a sign, digits with a point among them, an exponent.
 * Returns its end. Null, and *value is not touched, if it is nothing of the kind or takes more than one
 * rounding: strtod has to look at it. */
char *decimal_read(char *s, double *value);

#endif
