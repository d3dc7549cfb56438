/* Skeletons for people: a tree of names and the rest pose. */
#ifndef SKELETON_REPORT_H
#define SKELETON_REPORT_H

#include <cJSON.h>

#include "scene/skeleton_file.h"

/* path: of the file, as shown. */
void skeleton_report_print(const char *path, const struct skeleton_file *file);
cJSON *skeleton_report_tree(const char *path, const struct skeleton_file *file);

#endif
