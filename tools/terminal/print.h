/* Where the command prints, in place of stdout and stderr: a program can run the command and keep what it
 * says. */
#ifndef PRINT_H
#define PRINT_H

#include <stdio.h>

#include "terminal/message.h"

/* From here on output and messages go there; null: to stdout and stderr. */
void print_to(FILE *output, FILE *errors);
FILE *print_output(void);
FILE *print_errors(void);

/* printf to print_output. */
void print(const char *format, ...) PRINTF_LIKE(1, 2);
/* The same behind "SUBJECT: ", which is cleaned (text_clean). */
void print_about(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
