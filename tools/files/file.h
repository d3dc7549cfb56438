/* Files that are read: opening them and complaining of them. */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* True if the file begins with these bytes, at most FILE_BEGINS_MOST. Reads, so it is not for pipes. */
enum { FILE_BEGINS_MOST = 64 };
bool file_begins(const char *path, const char *bytes, size_t count);

/* True if it is a text that Git's large file storage leaves in a file's place. */
bool file_is_pointer(const char *path);
#define FILE_POINTER "is not the file itself, but a pointer of Git LFS: `git lfs pull` fetches the file"

/* Opens an input (files/inputs.h) for reading; null and a complaint if that fails. *size is 0 for pipes and
 * devices. */
FILE *file_open(const char *path, uint64_t *size);

/* Does the name end so, in capital or small letters? */
bool file_name_ends(const char *path, const char *ending);

/* All bytes of a regular file, which may be an output of an earlier run and is no input, and a zero behind
 * them; to be freed. Null, without a complaint, if it cannot be read or memory is short. */
char *file_read_quietly(const char *path, size_t *size);

/* Are they one file, whatever they are called? */
bool file_is_same(const char *a, const char *b);

/* True if it is a regular file; otherwise complains. */
bool file_is_regular(const char *path);

/* All bytes of an input that is a regular file, and a zero behind them, to be freed; null and a complaint if
 * it cannot be read. */
char *file_read(const char *path, size_t *size);

/* For a file that gave fewer bytes than it should: complains that it could not be read, if that is why,
 * otherwise of what is wrong with it. Returns false. */
bool file_ended(const char *path, FILE *file, const char *what);

#endif
