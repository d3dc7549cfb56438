/* A clip in detail: the input and the clip are read again and compared. */
#ifndef DETAIL_H
#define DETAIL_H

#include "compress/compress.h"

/* Adds the member "detail" to the JSON of a clip: errors by joint and by time, and the curve that is to blame
 * for the worst, before and after. If the clip or its input cannot be read again, it has an "error" alone,
 * and that is false after a complaint. number: of the
 * result. */
bool detail_add(cJSON *entry, const struct compress *c, const struct compressed_file *file, size_t number);

#endif
