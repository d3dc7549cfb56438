/* The page of `quatsimd compress --report`. */
#ifndef COMPRESS_PAGE_H
#define COMPRESS_PAGE_H

#include "clips/compress.h"

/* Of all clips of these files, as their manifests have them. Returns false and complains if it cannot be
 * written. */
bool compress_page(const struct compress *compress, const char *path);

#endif
