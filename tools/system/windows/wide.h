/* Windows' own names are UTF-16. */
#ifndef SYSTEM_WIDE_H
#define SYSTEM_WIDE_H

#define WIN32_LEAN_AND_MEAN
#include <stdbool.h>
#include <wchar.h>
#include <windows.h>

/* To be freed. */
wchar_t *wide_of(const char *text);
char *narrow_of(const wchar_t *text);
/* A path as Windows wants it, however long. */
wchar_t *wide_path(const char *path);

/* Sets errno by GetLastError; returns false. */
bool fail_as_windows(void);

#endif
