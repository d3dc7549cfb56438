#include "base/decimal.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

/* Powers of ten that doubles hold. */
static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { MOST_DIGITS = 15, MOST_POWER = sizeof power / sizeof *power - 1 };

static bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }

/* As many digits as there are, appended to *number, which counts up to MOST_DIGITS of them without error. */
static char *take_digits(char *s, uint64_t *number) {
  for (; is_digit(*s); s++) *number = *number * 10 + (unsigned)(*s - '0');
  return s;
}

/* Fifteen digits are below 2^53, so that the number and the power are exact, and one product or quotient is
 * rounded as the decimal would be. */
char *decimal_read(char *s, double *value) {
#if FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1 /* else there are two roundings */
  const bool negative = *s == '-';
  uint64_t number = 0, exponent = 0;
  s += negative || *s == '+';
  char *const first = s;
  s = take_digits(s, &number);
  int digits = (int)(s - first > MOST_DIGITS ? MOST_DIGITS + 1 : s - first), behind = 0;
  if (*s == '.') {
    char *const point = s++;
    s = take_digits(s, &number);
    behind = (int)(s - point - 1 > MOST_DIGITS ? MOST_DIGITS + 1 : s - point - 1);
  }
  digits += behind;
  if (digits == 0 || digits > MOST_DIGITS) return 0;
  int scale = -behind;
  if (*s == 'e' || *s == 'E') {
    const bool minus = s[1] == '-';
    char *const from = s + 1 + (minus || s[1] == '+');
    s = take_digits(from, &exponent);
    if (s == from || s - from > 3) return 0;
    scale += minus ? -(int)exponent : (int)exponent;
  }
  if (scale > (int)MOST_POWER || scale < -(int)MOST_POWER) return 0;
  const double magnitude = scale < 0 ? (double)number / power[-scale] : (double)number * power[scale];
  *value = negative ? -magnitude : magnitude;
  return s;
#else
  (void)s, (void)value, (void)power;
  return 0;
#endif
}
