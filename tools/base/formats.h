/* Formats as the command line names them. */
#ifndef FORMATS_H
#define FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "quatsimd/codec.h"

struct formats {
  size_t count;
  quatsimd_format *format;
};

/* The formats of those names, each once, in that order ("all" is every format there is); names ends with
 * null. False if a name is unknown, with a complaint about the usage of the command. */
bool formats_from_names(const char *command, const char *const *names, struct formats *formats);

/* The ones to look at first: all of one fixed size, and two of the bit-packed ones. */
struct formats formats_default(void);
void formats_free(struct formats *formats);

/* "all" and the names of all formats, blanks between them. It lives as long as the program. */
const char *formats_words(void);

#endif
