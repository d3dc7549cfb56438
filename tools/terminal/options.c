#include "terminal/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "system/files.h"
#include "system/program.h"
#include "terminal/message.h"
#include "terminal/print.h"

/* The number that getopt_long gives for a row: above all letters, so that an unknown letter is none of
 * them. */
enum { FIRST_ROW = 256, HELP = FIRST_ROW - 1 };

struct parser {
  const struct command_line *line;
  size_t rows;
  struct option *longs; /* rows and --help, then zeros */
  char *letters;        /* as getopt has them */
  bool *given;          /* by row */
  char **argv;
  int argc;
};

static bool takes_value(const struct option_row *row) {
  return row->text || row->texts || row->whole || row->number || row->amount;
}

/* getopt takes a value that may be left out behind = alone: --loop auto becomes --loop=auto, in its place. */
static void join_words(struct parser *p) {
  for (const struct option_row *row = p->line->options; row->name; row++)
    for (int i = 1; row->joined && i + 1 < p->argc && strcmp(p->argv[i], "--") != 0; i++) {
      const size_t length = strlen(row->name) + 2;
      if (strncmp(p->argv[i], row->joined, length) != 0 || p->argv[i][length] ||
          strcmp(p->argv[i + 1], row->joined + length + 1) != 0)
        continue;
      p->argv[i] = (char *)(uintptr_t)row->joined; /* it is not written to */
      memmove(&p->argv[i + 1], &p->argv[i + 2], (size_t)(p->argc - i - 1) * sizeof *p->argv);
      p->argc--;
    }
}

static void start(struct parser *p, const struct command_line *line, int argc, char **argv) {
  *p = (struct parser){.line = line, .argc = argc, .argv = argv};
  while (line->options[p->rows].name) p->rows++;
  p->longs = memory_get(p->rows + 2, sizeof *p->longs);
  p->given = memory_get(p->rows, sizeof *p->given);
  char *letter = p->letters = memory_get(p->rows + 2, 2);
  *letter++ = ':', *letter++ = 'h'; /* a value that is missing is told from an option that is unknown */
  for (size_t i = 0; i < p->rows; i++) {
    const struct option_row *row = &line->options[i];
    const int values = row->joined ? optional_argument : takes_value(row) ? required_argument : no_argument;
    p->longs[i] = (struct option){row->name, values, NULL, FIRST_ROW + (int)i};
    if (row->letter) *letter++ = row->letter;
    if (row->letter && takes_value(row)) *letter++ = ':';
  }
  p->longs[p->rows] = (struct option){"help", no_argument, NULL, HELP};
  join_words(p);
  opterr = 0, optind = 1;
}

static void end(struct parser *p) { free(p->longs), free(p->letters), free(p->given); }

/* An index into the rows, of what getopt_long or optopt says; p->rows: --help; beyond: unknown. */
static size_t row_of(const struct parser *p, int found) {
  if (found == 'h' || found == HELP) return p->rows;
  if (found >= FIRST_ROW) return (size_t)(found - FIRST_ROW);
  for (size_t i = 0; i < p->rows; i++)
    if (found && p->line->options[i].letter == (char)found) return i;
  return p->rows + 1;
}

/* The option as it was written last, without its value, which is behind = or in the next argument. */
static void name_of(const struct parser *p, int found, bool apart, char name[64]) {
  if (found < HELP) snprintf(name, 64, "-%c", found);
  else if (apart) snprintf(name, 64, "%s", p->argv[optind - 2]);
  else snprintf(name, 64, "%.*s", (int)strcspn(p->argv[optind - 1], "="), p->argv[optind - 1]);
}

/* STATUS_OK, or that of the complaint; `rest` is what strtol and the like left of what should be a `kind`. */
static int check_number(const char *command, const char *name, const char *text, const char *rest,
                        const char *kind, bool too_far) {
  if (rest == text || *rest) return usage_error(command, "%s: \"%s\" is not a %s", name, text, kind);
  return too_far ? usage_error(command, "%s: \"%s\" is too large or too small a number", name, text)
                 : STATUS_OK;
}

static int read_whole(const char *command, const char *name, const char *text, int *whole) {
  char *rest;
  errno = 0;
  const long n = strtol(text, &rest, 10);
  *whole = (int)n;
  return check_number(command, name, text, rest, "whole number", errno != 0 || n < INT_MIN || n > INT_MAX);
}

static int read_number(const char *command, const char *name, const char *text, double *number) {
  char *rest;
  errno = 0;
  *number = strtod(text, &rest);
  return check_number(command, name, text, rest, "number", errno != 0);
}

static int read_amount(const char *command, const char *name, const char *text, double *amount) {
  const int status = read_number(command, name, text, amount);
  if (status != STATUS_OK || *amount >= 0) return status;
  return usage_error(command, "%s: \"%s\" is not 0 or more", name, text);
}

/* name: with -- or a letter alone, which nothing is near to. */
static int unknown_option(const struct parser *p, const char *name) {
  struct text_guess guess = {.word = name + strspn(name, "-"), .before = "--"};
  for (size_t i = 0; i < p->rows; i++) text_guess(&guess, p->longs[i].name);
  text_guess(&guess, "help");
  return usage_error(p->line->command, "%s: unknown option%s", name, guess.hint);
}

static void append(const char ***texts, const char *text, int most) {
  size_t count = 0;
  if (!*texts) *texts = memory_get((size_t)most + 1, sizeof **texts);
  while ((*texts)[count]) count++;
  (*texts)[count] = text;
}

/* STATUS_OK, or that of the complaint. */
static int take(struct parser *p, int found, size_t index) {
  const struct option_row *row = &p->line->options[index];
  const char *command = p->line->command;
  char name[64];
  name_of(p, found, takes_value(row) && optarg == p->argv[optind - 1], name);
  /* getopt_long takes what an option begins with */
  if (found >= FIRST_ROW && strcmp(name + 2, row->name) != 0) return unknown_option(p, name);
  if (found < HELP && takes_value(row) && optarg != p->argv[optind - 1] && *optarg == '=')
    return usage_error(command, "%s%s: a short option has no = before its value; write %s %s or --%s%s", name,
                       optarg, name, optarg + 1, row->name, optarg);
  if (p->given[index] && !row->texts)
    return usage_error(command, "--%s is given twice, and only one can count; leave one out", row->name);
  p->given[index] = true;
  if (row->flag) *row->flag = true;
  if (row->is_path) system_slashes(optarg);
  if (row->text) *row->text = optarg;
  else if (row->texts) append(row->texts, optarg, p->argc);
  else if (row->whole) return read_whole(command, name, optarg, row->whole);
  else if (row->number) return read_number(command, name, optarg, row->number);
  else if (row->amount) return read_amount(command, name, optarg, row->amount);
  return STATUS_OK;
}

/* The same of --help. */
static int take_help(const struct parser *p, int found, bool *help) {
  char name[64];
  name_of(p, found == HELP ? FIRST_ROW : found, false, name);
  *help = found != HELP || strcmp(name, "--help") == 0;
  return *help ? STATUS_OK : unknown_option(p, name);
}

/* Complains of what getopt_long does not take. */
static int refuse(const struct parser *p, bool missing) {
  char name[64];
  name_of(p, optopt ? optopt : HELP, false, name);
  if (missing) return usage_error(p->line->command, "%s: missing argument", name);
  if (row_of(p, optopt) <= p->rows) return usage_error(p->line->command, "%s takes no value", name);
  return unknown_option(p, name);
}

/* STATUS_OK with all options taken and *help true if it was asked for, or that of the complaint. */
static int take_all(struct parser *p, bool *help) {
  int status = STATUS_OK;
  *help = false;
  while (status == STATUS_OK && !*help) {
    const int found = getopt_long(p->argc, p->argv, p->letters, p->longs, NULL);
    if (found == -1) break;
    if (found == '?' || found == ':') return refuse(p, found == ':');
    const size_t index = row_of(p, found);
    if (index < p->rows) status = take(p, found, index);
    else status = take_help(p, found, help);
  }
  return status;
}

void help_print(const char *const *help) {
  for (; *help; help++) fputs(*help, print_output());
}

static const char *what_it_takes(const struct option_row *row) {
  if (!takes_value(row)) return "flag";
  if (row->joined) return "optional";
  return row->is_path ? "path" : "value";
}

static void list_options(const struct option_row *row) {
  for (; row->name; row++) {
    const char *takes = what_it_takes(row), *values = row->values;
    print("--%s %s %s\n", row->name, takes, values ? values : "");
    if (row->letter) print("-%c %s %s\n", row->letter, takes, values ? values : "");
  }
  print("--help flag\n-h flag\n");
}

bool arguments_parse(struct arguments *a, const struct command_line *line, int argc, char **argv,
                     int *status) {
  struct parser parser;
  bool help;
  if (argc == 2 && strcmp(argv[1], "--list-options") == 0) {
    list_options(line->options);
    *status = STATUS_OK;
    return false;
  }
  start(&parser, line, argc, argv);
  *status = take_all(&parser, &help);
  end(&parser);
  if (*status != STATUS_OK) return false;
  if (help) {
    help_print(line->help);
    return false;
  }
  char **operands = argv + optind;
  size_t count = (size_t)(parser.argc - optind);
  system_operands(&operands, &count);
  *a = (struct arguments){(const char *const *)operands, count};
  if (a->count < line->at_least)
    *status = usage_error(line->command, a->count == 0 ? "no file given" : "one more file is needed");
  else if (a->count > line->at_most)
    *status = usage_error(line->command, "%s: one argument too many", a->operands[line->at_most]);
  return *status == STATUS_OK;
}
