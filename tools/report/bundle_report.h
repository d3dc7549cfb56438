/* Bundles for people: their clips, and the skeleton. */
#ifndef BUNDLE_REPORT_H
#define BUNDLE_REPORT_H

#include <cJSON.h>

#include "bundles/bundle.h"

/* path: of the file, as shown. */
void bundle_report_print(const char *path, const struct bundle_file *file);
cJSON *bundle_report_tree(const char *path, const struct bundle_file *file);

#endif
