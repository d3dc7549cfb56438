/* Results of an earlier run, out of a bundle that is as it should be. */
#ifndef COMPRESS_FORMER_H
#define COMPRESS_FORMER_H

#include "compress/compress.h"

/* Takes what the bundle at a path says of itself as the results of its files. first: the number of the first
 * one. */
void former_take(struct compress *c, const char *path, struct bundle_place *place, size_t first);

#endif
