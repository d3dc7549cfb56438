/* The program's standard streams, its arguments, and the terminal. */
#ifndef SYSTEM_PROGRAM_H
#define SYSTEM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* First in main. Standard streams are there or hold their places, and files that may not grow are errors of
 * writing. */
void system_begin(void);
/* Arguments of main become UTF-8. */
void system_arguments(int *argc, char ***argv);

/* Operands as paths. Windows' shells leave patterns (* and ? in a file's name) to programs: there each
 * becomes the files that it fits, in order of their names, or stays if there are none. */
void system_operands(char ***operands, size_t *count);

/* Is standard error a terminal that takes escapes? */
bool system_terminal(void);

/* How many processors this process may use. */
size_t system_processors(void);

#endif
