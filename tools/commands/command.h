/* A subcommand: what `quatsimd NAME` runs and what `quatsimd help NAME` prints. */
#ifndef COMMAND_H
#define COMMAND_H

#include <popt.h>
#include <stdbool.h>
#include <stddef.h>

enum { STATUS_OK = 0, STATUS_BAD_INPUT = 1, STATUS_BAD_USAGE = 2 };

struct command {
  const char *name;
  const char *summary; /* one line for the list of commands */
  const char *help;
  /* argv[0] is the command's name. Returns an exit status. */
  int (*run)(int argc, const char **argv);
};

extern const struct command command_formats, command_measure, command_pack, command_unpack, command_import,
    command_stream, command_clip, command_compress, command_decompress, command_info, command_verify;

/* The operands and what popt needs to free them. */
struct arguments {
  poptContext context;
  const char **operands;
  size_t count;
};

/* Ends the option table of every command. */
#define COMMON_OPTIONS {"help", 'h', POPT_ARG_NONE, NULL, 'h', NULL, NULL}, POPT_TABLEEND

/* Parses the arguments of a command that takes at_least..at_most operands. False if there is nothing to run:
 * help was asked for and printed, or the usage is wrong, with a complaint; *status is what to exit with. */
bool arguments_parse(struct arguments *a, const struct command *command, int argc, const char **argv,
                     const struct poptOption *options, size_t at_least, size_t at_most, int *status);
void arguments_free(struct arguments *a);

/* A bound as the library wants it: a float, and not more than was asked for. */
float arguments_bound(double x);

#endif
