/* One line of progress on standard error, if that is a terminal. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stddef.h>

/* Replaces the line: "reading 3 of 10: walk.bvh". done counts from 0. */
void progress_show(const char *doing, size_t done, size_t total, const char *current);

/* Takes the line away, before anything else is printed. */
void progress_clear(void);

#endif
