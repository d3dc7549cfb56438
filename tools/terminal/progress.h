/* One line of progress on standard error, if that is a terminal. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <signal.h>
#include <stddef.h>

/* Replaces the line: "reading 3 of 10: walk.bvh". done counts from 0. */
void progress_show(const char *doing, size_t done, size_t total, const char *current);

/* Takes the line away, before anything else is printed. */
void progress_clear(void);

/* The same, for whoever prints it: what has to be printed first, which may be nothing. */
const char *progress_taken_away(void);

/* 1 while there is a line that this process drew; for signal handlers. */
extern volatile sig_atomic_t progress_drawn;

#endif
