/* A command's line: its options, which a table lists, and its operands. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* An option goes to the places that are not null: a flag, one for its value, or both; what was not given
 * stays as it is. With such a place it takes a value, as --name VALUE, --name=VALUE, -l VALUE or -lVALUE;
 * values are texts of the command line. */
struct option_row {
  const char *name; /* without --; null ends the table */
  char letter;      /* 0: none */
  bool is_path;     /* with text: of a file */
  bool *flag;       /* becomes true: it was given */
  const char **text;
  const char *values;  /* with text or texts: those that there are, for completion */
  const char *joined;  /* with text: "--NAME=VALUE" of a value that may be left out; the text is null then */
  const char ***texts; /* may be given several times: a list that null ends, to be freed */
  int *whole;
  double *number;
  double *amount; /* a number, 0 or more */
};

struct command_line {
  const char *command;     /* its name */
  const char *const *help; /* what --help prints, in parts; null ends it */
  const struct option_row *options;
  size_t at_least, at_most; /* operands */
};

struct arguments {
  const char *const *operands;
  size_t count;
};

void help_print(const char *const *help);

/* Parses the arguments; argv[0] is the command's name, operands are moved to argv[1] and on. False if there
 * is nothing to run: help was asked for and printed, or the usage is wrong, with a complaint; *status is what
 * to exit with. --list-options alone is for completion by shells: a line for each option, with its name, what
 * it takes (flag, value, path, or optional: a value that may be left out) and the values that there are. */
bool arguments_parse(struct arguments *a, const struct command_line *line, int argc, char **argv,
                     int *status);

#endif
