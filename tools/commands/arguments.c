#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "commands/command.h"
#include "base/message.h"

/* Popt names what is no number, with its option where that is in the same argument (--key=5, -k5), else
 * without. */
static int bad_number(const struct command *command, const char **argv, const char *bad, const char *wrong) {
  const char *equals = strchr(bad, '='), *value = bad, *option = "a number";
  int shown = (int)strlen(option);
  if (strncmp(bad, "--", 2) == 0 && equals) option = bad, shown = (int)(equals - bad), value = equals + 1;
  else if (bad[0] == '-' && isalpha((unsigned char)bad[1])) option = bad, shown = 2, value = bad + 2;
  else
    for (int i = 1; argv[i]; i++)
      if (strcmp(argv[i], bad) == 0 && *argv[i - 1] == '-') option = argv[i - 1], shown = (int)strlen(option);
  return usage_error(command->name, "%.*s: \"%s\" is %s", shown, option, value, wrong);
}

/* Tells --help (0, with the help printed) from a bad option (complained of). */
static int handle_options(poptContext context, const struct command *command, const char **argv) {
  const int option = poptGetNextOpt(context);
  if (option == 'h') {
    fputs(command->help, stdout);
    return STATUS_OK;
  }
  const char *bad = poptBadOption(context, POPT_BADOPTION_NOALIAS);
  if (option == POPT_ERROR_BADNUMBER) return bad_number(command, argv, bad, "not a number that it takes");
  if (option == POPT_ERROR_OVERFLOW) return bad_number(command, argv, bad, "too large or too small a number");
  if (option < -1) return usage_error(command->name, "%s: %s", bad, poptStrerror(option));
  return -1;
}

bool arguments_parse(struct arguments *a, const struct command *command, int argc, const char **argv,
                     const struct poptOption *options, size_t at_least, size_t at_most, int *status) {
  a->context = poptGetContext("quatsimd", argc, argv, options, 0);
  a->count = 0;
  *status = handle_options(a->context, command, argv);
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
