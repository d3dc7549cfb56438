#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "command.h"
#include "message.h"

/* Tells --help (0, with the help printed) from a bad option (complained of). */
static int handle_options(poptContext context, const struct command *command) {
  const int option = poptGetNextOpt(context);
  if (option == 'h') {
    fputs(command->help, stdout);
    return STATUS_OK;
  }
  if (option < -1)
    return usage_error(command->name, "%s: %s", poptBadOption(context, POPT_BADOPTION_NOALIAS),
                       poptStrerror(option));
  return -1;
}

bool arguments_parse(struct arguments *a, const struct command *command, int argc, const char **argv,
                     const struct poptOption *options, size_t at_least, size_t at_most, int *status) {
  a->context = poptGetContext("quatsimd", argc, argv, options, 0);
  a->count = 0;
  *status = handle_options(a->context, command);
  if (*status >= 0) return false;

  a->operands = poptGetArgs(a->context);
  while (a->operands && a->operands[a->count]) a->count++;
  if (a->count < at_least) {
    *status = usage_error(command->name, a->count == 0 ? "no file given" : "a file is missing");
    return false;
  }
  if (a->count > at_most) {
    *status = usage_error(command->name, "%s: one argument too many", a->operands[at_most]);
    return false;
  }
  return true;
}

void arguments_free(struct arguments *a) { poptFreeContext(a->context); }

float arguments_bound(double x) {
  const float f = (float)x;
  return (double)f > x ? nextafterf(f, 0) : f;
}
