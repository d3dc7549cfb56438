/* Compares every function of rotation.h with what this header promises. rotation_reference.h gives the exact
 * results.
 *
 *   test_rotation             runs the tests
 *   test_rotation --layouts   runs the tests that are not about errors; CTest runs it for each kernel
 *   test_rotation --full [N]  prints the worst errors over N (1e7) random and N / 10 hard inputs of each
 *                             function, as the table of docs/rotation.md */
#include "rotation/checks.h"
#include "rotation/draw.h"
#include "rotation/place.h"
#include "support/isa.h"

static real error_at(const function *f, const block *b, const euler *e, size_t i) {
  real least = (real)INFINITY;
  /* the most ties in a pass of the loop, which tries all combinations of answers */
  unsigned ties = 0;
  sample s;
  s.ties.choice = 0;
  do {
    s.euler = e;
    s.ties.count = 0;
    for (int a = 0; a < f->ins; a++)
      for (int w = widths[f->in[a]], c = 0; c < w; c++) s.in[a][c] = b->in[a][(size_t)w * i + (size_t)c];
    for (int a = 0; a < f->outs; a++)
      memcpy(s.out[a], b->out[a] + (size_t)f->out_width[a] * i, sizeof(float) * (size_t)f->out_width[a]);
    const real error = f->error(&s);
    if (error < least) least = error; /* false for NaN */
    if (s.ties.count > ties) ties = s.ties.count;
  } while (++s.ties.choice < 1u << ties);
  return least;
}

/* Returns the worst error over n inputs. Each block of inputs has the next order of Euler angles. Shows the
 * first input whose error exceeds the limit. */
static double worst_error(const function *f, size_t n, uint64_t *random, bool hard, bool *shown) {
  static block b;
  real worst = 0;
  for (size_t done = 0, round = 0; done < n; round++) {
    const size_t count = n - done < BLOCK / 8 ? n - done : f->ordered || n - done < BLOCK ? BLOCK / 8 : BLOCK;
    const euler *e = &eulers[round % ORDERS];
    draw(f, &b, count, random, hard);
    call_aos(f, &b, e, count);
    for (size_t i = 0; i < count; i++) {
      const real error = error_at(f, &b, e, i);
      worst = fmaxl(worst, error);
      if (error <= f->limit || *shown) continue;
      *shown = true;
      fprintf(stderr, "%s: error %Lg %s\n", f->name, error, f->unit);
      if (f->ordered)
        fprintf(stderr, "  order %s %s\n", e->extrinsic ? "extrinsic" : "intrinsic", e->letters);
      for (int a = 0; a < f->ins; a++) show("in ", b.in[a] + (size_t)widths[f->in[a]] * i, widths[f->in[a]]);
      for (int a = 0; a < f->outs; a++) show("out", b.out[a] + (size_t)f->out_width[a] * i, f->out_width[a]);
    }
    done += count;
  }
  return (double)worst;
}

static void errors_are_small(void **state) {
  (void)state;
  unsigned wrong = 0;
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 1;
    bool shown = false;
    const double any = worst_error(f, INPUTS, &random, false, &shown),
                 hard = worst_error(f, INPUTS, &random, true, &shown);
    const double worst = fmax(any, hard);
    print_message("%-17s %9.3g  %-8s  %d%s\n", f->name, worst, f->unit, 2 * INPUTS,
                  worst <= f->limit ? "" : "   WRONG");
    wrong += !(worst <= f->limit);
  }
  assert_int_equal(wrong, 0);
}

/* ---- the table of the documentation ---- */

static int print_table(size_t inputs) {
  bool wrong = false;
  printf("| function | worst error | limit | |\n|---|---|---|---|\n");
  for (size_t i = 0; i <= function_count; i++) {
    uint64_t random = 17;
    bool shown = false;
    const function *f = i < function_count ? &functions[i] : NULL;
    const double worst = f ? fmax(worst_error(f, inputs, &random, false, &shown),
                                  worst_error(f, inputs / 10, &random, true, &shown))
                           : worst_mean(inputs / 100, &random);
    const double limit = f ? f->limit : ROTATIONS;
    if (worst == 0) printf("| `%s` | exact | | |\n", f ? f->name : "mean");
    else printf("| `%s` | %.2g | %.1g | %s |\n", f ? f->name : "mean", worst, limit, f ? f->unit : "radians");
    fflush(stdout);
    if (!(worst <= limit)) wrong = true;
  }
  return wrong;
}

int main(int argc, char **argv) {
  skip_other_kernels();
  make_arenas();
  if (argc > 1 && strcmp(argv[1], "--full") == 0)
    return print_table(argc > 2 ? strtoul(argv[2], NULL, 10) : 10000000);
  const struct CMUnitTest accuracy[] = {cmocka_unit_test(errors_are_small),
                                        cmocka_unit_test(the_mean_is_the_mean),
                                        cmocka_unit_test(known_answers),
                                        cmocka_unit_test(ties_are_for_b),
                                        cmocka_unit_test(interpolation_meets_its_ends),
                                        cmocka_unit_test(conversions_come_back),
                                        cmocka_unit_test(runge_kutta_is_of_fourth_order)};
  const struct CMUnitTest layouts[] = {cmocka_unit_test(layouts_give_the_same_bits),
                                       cmocka_unit_test(one_stands_for_all),
                                       cmocka_unit_test(windows_may_overlap),
                                       cmocka_unit_test(results_may_replace_arguments),
                                       cmocka_unit_test(flushing_changes_nothing_else),
                                       cmocka_unit_test(what_is_no_number_gives_the_nan),
                                       cmocka_unit_test(there_is_one_nan),
                                       cmocka_unit_test(zero_gives_the_nan),
                                       cmocka_unit_test(normalize_knows_what_is_invalid),
                                       cmocka_unit_test(curves_become_continuous),
                                       cmocka_unit_test(bad_arguments_are_refused),
                                       cmocka_unit_test(bad_curves_are_refused)};
  int failed = argc > 1 ? 0 : cmocka_run_group_tests_name("errors", accuracy, NULL, NULL);
  failed += cmocka_run_group_tests_name("layouts and limits", layouts, NULL, NULL);
  return failed;
}
