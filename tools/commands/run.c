#include "commands/command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/inputs.h"
#include "quatsimd/version.h"
#include "readers/gltf/meshopt.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "terminal/print.h"

#define COMMAND_ADDRESS(name) &command_##name,
static const struct command *const commands[] = {COMMANDS(COMMAND_ADDRESS)};
#define COMMAND_ONE(name) +1
enum { COUNT = 0 COMMANDS(COMMAND_ONE) };

static void print_help(FILE *file) {
  fputs("Usage: quatsimd COMMAND [OPTION...] [FILE...]\n"
        "\n"
        "Packs rotations (unit quaternions) into few bits, compresses animations into\n"
        "clips, and measures size, error and speed.\n"
        "\n",
        file);
  for (int i = 0; i < COUNT; i++) fprintf(file, "  %-10s  %s\n", commands[i]->name, commands[i]->summary);
  fputs("  help        explain a command: quatsimd help compress\n"
        "\n"
        "  --version   print the version\n"
        "  -h, --help  print this text\n"
        "\n"
        "Examples:\n"
        "  quatsimd compress hero.glb -o hero.qsb    write one bundle of clips, to ship\n"
        "  quatsimd verify hero.qsb                  compare them with their file\n"
        "  quatsimd measure walk.bvh                 which format fits this animation?\n"
        "\n"
        "The exit status is 0 on success, 1 if anything failed, 2 for bad usage.\n"
        "docs/command.md explains all commands at length.\n",
        file);
}

static const struct command *find(const char *name) {
  for (int i = 0; i < COUNT; i++)
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  return NULL;
}

/* *name may be an option where a command should be. */
static int unknown(const char *name) {
  struct text_guess guess = {.word = name};
  text_guess(&guess, "help");
  for (int i = 0; i < COUNT; i++) text_guess(&guess, commands[i]->name);
  text_guess(&guess, "--help"), text_guess(&guess, "--version");
  if (*name == '-') return usage_error(NULL, "%s: unknown option%s", name, guess.hint);
  return usage_error(NULL, "there is no command \"%s\"%s", name, guess.hint);
}

static bool is_help(const char *name) {
  return strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
}

static int help(int argc, char **argv) {
  if (argc > 2) return usage_error(NULL, "%s: one argument too many", argv[2]);
  if (argc < 2 || is_help(argv[1])) {
    print_help(print_output());
    return STATUS_OK;
  }
  const struct command *command = find(argv[1]);
  if (!command) return unknown(argv[1]);
  help_print(command->help);
  return STATUS_OK;
}

static void warn_of_ignored_isa(void) {
  const char *wanted = getenv("QUATSIMD_ISA");
  if (wanted && *wanted && strcmp(wanted, quatsimd_isa()) != 0)
    complain("QUATSIMD_ISA", "\"%s\" is unknown or not for this CPU, and is ignored; the kernels are %s",
             wanted, quatsimd_isa());
}

static int run(int argc, char **argv) {
  if (argc < 2) {
    print_help(print_errors());
    return STATUS_BAD_USAGE;
  }
  const char *name = argv[1];
  if (is_help(name)) return help(argc - 1, argv + 1);
  if (strcmp(name, "--version") == 0) {
    if (argc > 2) return usage_error(NULL, "%s: one argument too many", argv[2]);
    warn_of_ignored_isa();
    print("quatsimd %s (%s kernels; %s; %s)\n", quatsimd_version(), quatsimd_isa(), reader_fbx_version(),
          meshopt_version());
    return STATUS_OK;
  }
  if (strcmp(name, "--list-commands") == 0) { /* for completion by shells */
    for (int i = 0; i < COUNT; i++) print("%s\n", commands[i]->name);
    print("help\n");
    return STATUS_OK;
  }
  if (strcmp(name, "--list-options") == 0) { /* those without a command */
    print("--version flag\n--help flag\n-h flag\n");
    return STATUS_OK;
  }
  const struct command *command = find(name);
  if (!command) return unknown(name);
  warn_of_ignored_isa();
  return command->run(argc - 1, argv + 1);
}

int command_run(int argc, char **argv, FILE *output, FILE *errors) {
  const struct reader_limits limits = reader_limits;
  print_to(output, errors);
  int status = run(argc, argv);
  fflush(print_errors());
  errno = 0;
  if (fflush(print_output()) != 0 || ferror(print_output())) {
    /* what failed before has left no errno */
    complain("standard output", "cannot write%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
    status = STATUS_BAD_INPUT;
  }
  inputs_forget();
  reader_limits = limits;
  print_to(NULL, NULL);
  return status;
}
