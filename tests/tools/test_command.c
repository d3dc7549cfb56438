/* The command as a function: run again and again in one process, it says the same, and frees all, for which
 * sanitizers look. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>
#include <unistd.h>

#include "commands/command.h"

enum { MOST = 12 };

/* A folder of its own, in which the tests run. */
static void make_file(void) {
  static const char walk[] =
      "HIERARCHY\nROOT hip\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation "
      "Xrotation Yrotation\n End Site\n {\n  OFFSET 0 1 0\n }\n}\nMOTION\nFrames: 3\nFrame Time: "
      "0.1\n0 0 0 0 0 0\n0 1 0 10 0 0\n0 2 0 20 0 0\n";
  FILE *file = fopen("walk.bvh", "wb"), *recipe = fopen("hero.json", "wb");
  assert_non_null(file), assert_non_null(recipe);
  fputs(walk, file);
  fputs("{\"files\": \"walk.bvh\", \"animations\": [{\"match\": \"Mo*\", \"loop\": \"close\"}]}", recipe);
  fclose(file), fclose(recipe);
}

static int enter(void **state) {
  static char folder[200];
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/quatsimd-command-XXXXXX", temporary ? temporary : P_tmpdir);
  *state = folder;
  if (!mkdtemp(folder) || chdir(folder) != 0) return -1;
  make_file();
  return 0;
}

static int leave(void **state) {
  static const char *const made[] = {"walk.bvh", "hero.json", "hero.qsb", "walk.glb", "page.html"};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) unlink(made[i]);
  return chdir("/") != 0 || rmdir(*state) != 0;
}

static char *text_of(FILE *file) {
  const long size = ftell(file);
  char *text = calloc((size_t)size + 1, 1);
  rewind(file);
  assert_int_equal(fread(text, 1, (size_t)size, file), size);
  fclose(file);
  return text;
}

/* Returns what a line prints, in both streams, to be freed, and in *status its exit status. */
static char *say(const char *line, int *status) {
  char words[400], *argv[MOST + 1] = {NULL};
  int argc = 0;
  snprintf(words, sizeof words, "%s", line);
  for (char *word = strtok(words, " "); word && argc < MOST; word = strtok(NULL, " ")) argv[argc++] = word;
  FILE *output = tmpfile(), *errors = tmpfile();
  *status = command_run(argc, argv, output, errors);
  char *said = text_of(output), *complained = text_of(errors),
       *both = malloc(strlen(said) + strlen(complained) + 2);
  sprintf(both, "%s\n%s", said, complained);
  free(said), free(complained);
  return both;
}

static void test_again_and_again(void **state) {
  static const struct {
    const char *line, *says;
    int status;
  } runs[] = {{"quatsimd --version", "quatsimd ", 0},
              {"quatsimd compress hero.json -o hero.qsb --report page.html --json", "\"clips\":", 0},
              {"quatsimd verify hero.qsb", "1 within their bounds, 0 beyond", 0},
              {"quatsimd decompress hero.qsb -o walk.glb", "walk.glb", 0},
              {"quatsimd info hero.qsb", "Motion", 0},
              {"quatsimd measure walk.bvh", "smallest3", 0},
              {"quatsimd compress none.bvh -o hero.qsb", "none.bvh: cannot open", 1},
              {"quatsimd compress walk.bvh --object 1deg", "is not LENGTH@DISTANCE", 2},
              {"quatsimd compres", "did you mean compress?", 2},
              {"quatsimd verify --reader-memory 0.000001 hero.qsb", "", 1},
              {"quatsimd verify hero.qsb", "1 within", 0}};
  (void)state;
  for (int turn = 0; turn < 2; turn++)
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
      int status;
      char *said = say(runs[i].line, &status);
      if (status != runs[i].status || !strstr(said, runs[i].says))
        print_error("%s: %d: %s", runs[i].line, status, said);
      assert_int_equal(status, runs[i].status);
      assert_non_null(strstr(said, runs[i].says));
      free(said);
    }
}

/* A stream that takes nothing is an error, and the next run is none. */
static void test_full_stream(void **state) {
  char *argv[] = {(char[]){"quatsimd"}, (char[]){"formats"}, NULL};
  (void)state;
  FILE *full = fopen("/dev/full", "w"), *errors = tmpfile();
  if (!full) skip();
  assert_int_equal(command_run(2, argv, full, errors), 1);
  char *said = text_of(errors);
  assert_non_null(strstr(said, "standard output: cannot write: No space left on device"));
  free(said), fclose(full);
  free(say("quatsimd formats", &(int){0}));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_again_and_again),
                                     cmocka_unit_test(test_full_stream)};
  return cmocka_run_group_tests(tests, enter, leave);
}
