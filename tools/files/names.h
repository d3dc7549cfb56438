/* File names made of names from outside, and the directories they are in. */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* A file name that this directory has not given away: the wanted one, or that with a number, as valid UTF-8
 * without separators, control characters, a leading dot and what Windows refuses. Capital and small letters
 * are the same. *names begins as null; what is returned belongs to it. */
const char *names_unique(void **names, const char *name, const char *if_empty);
/* The names, each once: of several that are equal the first stays as it is, and the others get numbers that
 * make no other name. They belong to *names; the array is to be freed. */
const char **names_numbered(void **names, const char *const *name, size_t count);
void names_free(void **names);

/* The three texts as one, to be freed. */
char *names_join(const char *start, const char *between, const char *end);

/* The file's name in its folder: the text behind the last slash. */
const char *names_file(const char *path);

/* The path without the ending of the file's name, to be freed. */
char *names_stem(const char *path);

/* The folder that the file is in, with a slash behind it, to be freed. */
char *names_folder(const char *path);

/* A path that stands in a file, from the folder of that file; itself if it is absolute. To be freed. */
char *names_beside(const char *file, const char *path);

/* Makes the directory unless it is there. Returns false and complains if that fails. */
bool names_make_directory(const char *path);
/* And those above it. */
bool names_make_directories(const char *path);
/* Those that a file is in. */
bool names_make_directory_of(const char *file);

#endif
