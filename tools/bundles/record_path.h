/* Paths of files as the record of a bundle has them. */
#ifndef RECORD_PATH_H
#define RECORD_PATH_H

/* The path of a file from the folder of the bundle at a path, which exists, as a record spells it. To be
 * freed. */
char *record_path(const char *bundle, const char *path);
/* Undoes that: a path from the current folder, to be freed. */
char *record_path_read(const char *bundle, const char *text);

#endif
