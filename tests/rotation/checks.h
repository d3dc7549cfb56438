/* Declares the tests of test_rotation, grouped by the file that defines them. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stddef.h>
#include <stdint.h>

/* check_values.c */
void known_answers(void **state);
void ties_are_for_b(void **state);
void interpolation_meets_its_ends(void **state);
void conversions_come_back(void **state);
void runge_kutta_is_of_fourth_order(void **state);

/* check_layouts.c */
void layouts_give_the_same_bits(void **state);
void one_stands_for_all(void **state);
void windows_may_overlap(void **state);
void results_may_replace_arguments(void **state);

/* check_numbers.c */
void flushing_changes_nothing_else(void **state);
void what_is_no_number_gives_the_nan(void **state);
void there_is_one_nan(void **state);
void zero_gives_the_nan(void **state);
void normalize_knows_what_is_invalid(void **state);

/* check_curves.c */
void curves_become_continuous(void **state);
void the_mean_is_the_mean(void **state);
double worst_mean(size_t sets, uint64_t *random); /* returns the worst error of `sets` means */

/* check_refused.c */
void bad_arguments_are_refused(void **state);
void bad_curves_are_refused(void **state);

#endif
