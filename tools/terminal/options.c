#include "terminal/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "system/files.h"
#include "system/program.h"
#include "terminal/message.h"
#include "terminal/print.h"

struct parser {
  const struct command_line *line;
  struct option_row *row; /* those of the line, and --help */
  bool *given;            /* by row */
  bool help;
  char **argv;
  int argc, next;
};

static bool takes_value(const struct option_row *row) {
  return row->text || row->texts || row->whole || row->number || row->amount;
}

static void start(struct parser *p, const struct command_line *line, int argc, char **argv) {
  size_t rows = 0;
  *p = (struct parser){.line = line, .argv = argv, .argc = argc, .next = 1};
  while (line->options[rows].name) rows++;
  p->row = memory_get(rows + 2, sizeof *p->row);
  p->given = memory_get(rows + 1, sizeof *p->given);
  memcpy(p->row, line->options, rows * sizeof *p->row);
  p->row[rows] = (struct option_row){"help", 'h', .flag = &p->help};
}

static char *next_word(struct parser *p) { return p->next < p->argc ? p->argv[p->next++] : NULL; }

/* STATUS_OK, or that of the complaint. */
static int read_value(const char *command, const struct option_row *row, const char *name, const char *text) {
  char *rest = NULL;
  long whole = 0;
  double number = 0;
  errno = 0;
  if (row->whole) whole = strtol(text, &rest, 10);
  else number = strtod(text, &rest);
  if (rest == text || *rest)
    return usage_error(command, "%s: \"%s\" is not a %s", name, text, row->whole ? "whole number" : "number");
  if (errno != 0 || whole < INT_MIN || whole > INT_MAX)
    return usage_error(command, "%s: \"%s\" is too large or too small a number", name, text);
  if (row->amount && !(number >= 0)) return usage_error(command, "%s: \"%s\" is not 0 or more", name, text);
  if (row->whole) *row->whole = (int)whole;
  else *(row->number ? row->number : row->amount) = number;
  return STATUS_OK;
}

/* name: with -- or a letter alone, which nothing is near to. */
static int unknown_option(const struct parser *p, const char *name) {
  struct text_guess guess = {.word = name + strspn(name, "-"), .before = "--"};
  for (const struct option_row *row = p->row; row->name; row++) text_guess(&guess, row->name);
  return usage_error(p->line->command, "%s: unknown option%s", name, guess.hint);
}

static void append(const char ***texts, const char *text, int most) {
  size_t count = 0;
  if (!*texts) *texts = memory_get((size_t)most + 1, sizeof **texts);
  while ((*texts)[count]) count++;
  (*texts)[count] = text;
}

/* name: as the option was written. Returns STATUS_OK, or that of the complaint; so do the next ones. */
static int take(struct parser *p, const struct option_row *row, const char *name, char *value) {
  bool *given = &p->given[row - p->row];
  if (*given && !row->texts)
    return usage_error(p->line->command, "--%s is given twice, and only one can count; leave one out",
                       row->name);
  *given = true;
  if (row->flag) *row->flag = true;
  if (row->is_path) system_slashes(value);
  if (row->text) *row->text = value;
  else if (row->texts) append(row->texts, value, p->argc);
  else if (takes_value(row)) return read_value(p->line->command, row, name, value);
  return STATUS_OK;
}

/* --name, --name=value, or --name and a value; of one that may be left out, that of row->joined alone. */
static int take_long(struct parser *p, char *word) {
  const char *command = p->line->command;
  const size_t length = strcspn(word, "=");
  char name[64], *value = word[length] ? word + length + 1 : NULL;
  const struct option_row *row = p->row;
  snprintf(name, sizeof name, "%.*s", (int)length, word);
  while (row->name && strcmp(row->name, name + 2) != 0) row++;
  if (!row->name) return unknown_option(p, name);
  if (value && !takes_value(row)) return usage_error(command, "%s takes no value", name);
  const char *joined = row->joined ? row->joined + length + 1 : NULL;
  if (!value && takes_value(row) &&
      (!joined || (p->next < p->argc && strcmp(p->argv[p->next], joined) == 0))) {
    value = next_word(p);
    if (!value) return usage_error(command, "%s: missing argument", name);
  }
  return take(p, row, name, value);
}

/* Letters behind one -, of which the last may have a value behind it or in the next word. */
static int take_letters(struct parser *p, char *letter) {
  const char *command = p->line->command;
  int status = STATUS_OK;
  for (; *letter && status == STATUS_OK && !p->help; letter++) {
    const char name[] = {'-', *letter, '\0'};
    const struct option_row *row = p->row;
    while (row->name && row->letter != *letter) row++;
    if (!row->name) return unknown_option(p, name);
    if (!takes_value(row)) {
      status = take(p, row, name, NULL);
      continue;
    }
    char *value = letter[1] ? letter + 1 : next_word(p);
    if (!value) return usage_error(command, "%s: missing argument", name);
    if (letter[1] == '=')
      return usage_error(command, "%s%s: a short option has no = before its value; write %s %s or --%s%s",
                         name, value, name, value + 1, row->name, value);
    return take(p, row, name, value);
  }
  return status;
}

/* Takes all options, up to --help; operands go to the front of the words, and *count says how many. */
static int take_all(struct parser *p, size_t *count) {
  int status = STATUS_OK;
  bool all = false;
  *count = 0;
  for (char *word; status == STATUS_OK && !p->help && (word = next_word(p));)
    if (all || word[0] != '-' || !word[1]) p->argv[++*count] = word;
    else if (strcmp(word, "--") == 0) all = true;
    else status = word[1] == '-' ? take_long(p, word) : take_letters(p, word + 1);
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
  size_t count;
  if (argc == 2 && strcmp(argv[1], "--list-options") == 0) {
    list_options(line->options);
    *status = STATUS_OK;
    return false;
  }
  start(&parser, line, argc, argv);
  *status = take_all(&parser, &count);
  free(parser.row), free(parser.given);
  if (*status != STATUS_OK) return false;
  if (parser.help) {
    help_print(line->help);
    return false;
  }
  char **operands = argv + 1;
  system_operands(&operands, &count);
  *a = (struct arguments){(const char *const *)operands, count};
  if (a->count < line->at_least)
    *status = usage_error(line->command, a->count == 0 ? "no file given" : "one more file is needed");
  else if (a->count > line->at_most)
    *status = usage_error(line->command, "%s: one argument too many", a->operands[line->at_most]);
  return *status == STATUS_OK;
}
