/* Patterns of names. */
#ifndef GLOB_H
#define GLOB_H

#include <stdbool.h>

/* Is the whole name as the pattern says? * stands for any characters, none too, ? for one, all others for
 * themselves. Both are UTF-8. */
bool glob_matches(const char *pattern, const char *name);

#endif
