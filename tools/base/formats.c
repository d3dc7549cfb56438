#include "base/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "terminal/message.h"

static void append(struct formats *formats, quatsimd_format format) {
  for (size_t i = 0; i < formats->count; i++)
    if (formats->format[i] == format) return;
  formats->format = memory_grow(formats->format, formats->count, sizeof *formats->format);
  formats->format[formats->count++] = format;
}

bool formats_from_names(const char *command, const char *const *names, struct formats *formats) {
  *formats = (struct formats){0};
  for (; *names; names++) {
    quatsimd_format format;
    if (strcmp(*names, "all") == 0) {
      for (size_t i = 0; quatsimd_format_at(&format, i) == QUATSIMD_OK; i++) append(formats, format);
    } else if (quatsimd_format_from_name(&format, *names) == QUATSIMD_OK) {
      append(formats, format);
    } else {
      usage_error(command, "unknown format \"%s\"; `quatsimd formats` lists them", *names);
      formats_free(formats);
      return false;
    }
  }
  return true;
}

struct formats formats_default(void) {
  struct formats formats = {0};
  quatsimd_format format;
  for (size_t i = 0; quatsimd_format_at(&format, i) == QUATSIMD_OK; i++)
    if (format < QUATSIMD_FORMAT_SMALLEST3_ANY || format == QUATSIMD_FORMAT_SMALLEST3(9) ||
        format == QUATSIMD_FORMAT_MIRAGE(10))
      append(&formats, format);
  return formats;
}

const char *formats_words(void) {
  static char words[4096];
  quatsimd_format format;
  size_t at = (size_t)snprintf(words, sizeof words, "all");
  for (size_t i = 0; quatsimd_format_at(&format, i) == QUATSIMD_OK && at < sizeof words; i++)
    at += (size_t)snprintf(words + at, sizeof words - at, " %s", quatsimd_get_format_info(format)->name);
  return words;
}

void formats_free(struct formats *formats) {
  free(formats->format);
  *formats = (struct formats){0};
}
