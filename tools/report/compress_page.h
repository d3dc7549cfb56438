/* The page of `quatsimd compress --report`. */
#ifndef COMPRESS_PAGE_H
#define COMPRESS_PAGE_H

#include "clips/compress.h"

/* Of all results. Returns false and complains if it cannot be written. */
bool compress_page(const struct compress *c, const char *path);

#endif
