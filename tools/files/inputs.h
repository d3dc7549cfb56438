/* The files that this run reads: no file that it writes replaces one of them, whatever it is called. What the
 * run finds of its own former outputs is none of them. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdbool.h>

#include "system/files.h"

/* Notes a file, unless it is a pipe or a device, which nothing replaces. */
void inputs_add(const struct system_look *look);

/* False and a complaint if it is. */
bool inputs_spare(const char *path);

/* Forgets all, as a new run does. */
void inputs_forget(void);

#endif
