/* Declares the tests of test_api, grouped by the file that defines them. */
#ifndef CHECKS_H
#define CHECKS_H

/* check_names.c */
void formats_come_in_order(void **state);
void names_round_trip(void **state);
void numbers_are_of_their_names(void **state);
void unknown_names_are_refused(void **state);
void format_info_is_complete(void **state);
void numbers_are_those_of_the_header(void **state);
void functions_give_formats_by_their_bits(void **state);
void unknown_formats_are_refused(void **state);
void all_other_small_numbers_are_unknown(void **state);
void kernels_have_a_name(void **state);

/* check_refused.c */
void packed_size_is_exact(void **state);
void null_pointers_are_refused(void **state);
void bad_strides_are_refused(void **state);
void nothing_is_fine(void **state);
void short_buffers_are_refused(void **state);
void impossible_counts_are_refused(void **state);
void first_error_wins(void **state);

/* check_buffers.c */
void nothing_behind_is_touched(void **state);
void packed_data_needs_no_alignment(void **state);
void soa_is_aos(void **state);
void strided_is_aos_and_leaves_the_gaps_alone(void **state);
void unpack_at_is_a_slice(void **state);
void unpack_at_reaches_far(void **state);

/* check_invalid.c */
void invalid_ones_are_replaced(void **state);
void every_kind_of_invalid_is_invalid(void **state);
void lengths_are_valid_up_to_the_borders(void **state);
void find_invalid_finds_the_first(void **state);
void find_invalid_counts_all(void **state);

/* check_values.c */
void length_does_not_count(void **state);
void sign_does_not_count(void **state);
void zeros_of_both_signs(void **state);
void identity_is_exact_where_promised(void **state);
void known_answers(void **state);
void any_bytes_are_unit_quaternions(void **state);
void round_trips_are_as_good_as_said(void **state);
void transcode_is_unpack_and_pack(void **state);
void meshopt_goes_to_shorts(void **state);

#endif
