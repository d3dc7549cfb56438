/* A subcommand: what `quatsimd NAME` runs and what `quatsimd help NAME` prints. */
#ifndef COMMAND_H
#define COMMAND_H

#include "base/message.h"
#include "base/options.h"

/* The parts of a help are printed one after another; a null ends them. A compiler need not take longer strings
 * than 4095 characters. */
enum { HELP_PARTS = 3 };

struct command {
  const char *name;
  const char *summary; /* one line for the list of commands */
  const char *help[HELP_PARTS];
  /* argv[0] is the command's name. Returns an exit status. */
  int (*run)(int argc, char **argv);
};

extern const struct command command_formats, command_measure, command_pack, command_unpack, command_import,
    command_stream, command_compress, command_decompress, command_info, command_verify;

/* For as many operands as there may be. */
#define ANY_NUMBER ((size_t)-1)

#endif
