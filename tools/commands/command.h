/* A subcommand: what `quatsimd NAME` runs and what `quatsimd help NAME` prints. */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdio.h>

#include "terminal/message.h"
#include "terminal/options.h"

/* The parts of a help are printed one after another; a null ends them. A compiler need not take longer
 * strings than 4095 characters. */
enum { HELP_PARTS = 8 };

struct command {
  const char *name;
  const char *summary; /* one line for the list of commands */
  const char *help[HELP_PARTS];
  /* argv[0] is the command's name. Returns an exit status. */
  int (*run)(int argc, char **argv);
};

/* The table, in the order of the help: a new command is a line here, for the command_NAME of its file. */
#define COMMANDS(COMMAND)                                                                                    \
  COMMAND(measure)                                                                                           \
  COMMAND(formats)                                                                                           \
  COMMAND(pack)                                                                                              \
  COMMAND(unpack)                                                                                            \
  COMMAND(import)                                                                                            \
  COMMAND(compress)                                                                                          \
  COMMAND(extract)                                                                                           \
  COMMAND(bundle)                                                                                            \
  COMMAND(info)                                                                                              \
  COMMAND(verify)                                                                                            \
  COMMAND(decompress)

#define COMMAND_DECLARATION(name) extern const struct command command_##name;
COMMANDS(COMMAND_DECLARATION)

/* Runs the command as the program does. Arguments may change places. Output and messages go to these files.
 * Returns the exit status. All memory is free afterwards, and another run may follow; not two at once. */
int command_run(int argc, char **argv, FILE *output, FILE *errors);

/* For as many operands as there may be. */
#define ANY_NUMBER ((size_t)-1)

#endif
