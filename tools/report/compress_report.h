/* The report that `quatsimd compress -o` prints in the end. */
#ifndef COMPRESS_REPORT_H
#define COMPRESS_REPORT_H

#include "clips/library.h"

void compress_report_print(const struct library *library);

#endif
