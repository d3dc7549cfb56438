/* Compares every public function with what codec.h promises, through the active kernels. CTest runs this
 * program once for each set of kernels. */
#include "checks.h"
#include "fixture.h"
#include "support/isa.h"

int main(void) {
  skip_other_kernels();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formats_come_in_order),
      cmocka_unit_test(names_round_trip),
      cmocka_unit_test(numbers_are_of_their_names),
      cmocka_unit_test(unknown_names_are_refused),
      cmocka_unit_test(format_info_is_complete),
      cmocka_unit_test(numbers_are_those_of_the_header),
      cmocka_unit_test(functions_give_formats_by_their_bits),
      cmocka_unit_test(unknown_formats_are_refused),
      cmocka_unit_test(all_other_small_numbers_are_unknown),
      cmocka_unit_test(kernels_have_a_name),
      cmocka_unit_test(packed_size_is_exact),
      cmocka_unit_test(null_pointers_are_refused),
      cmocka_unit_test(bad_strides_are_refused),
      cmocka_unit_test(nothing_is_fine),
      cmocka_unit_test(short_buffers_are_refused),
      cmocka_unit_test(impossible_counts_are_refused),
      cmocka_unit_test(first_error_wins),
      cmocka_unit_test(nothing_behind_is_touched),
      cmocka_unit_test(packed_data_needs_no_alignment),
      cmocka_unit_test(soa_is_aos),
      cmocka_unit_test(strided_is_aos_and_leaves_the_gaps_alone),
      cmocka_unit_test(unpack_at_is_a_slice),
      cmocka_unit_test(unpack_at_reaches_far),
      cmocka_unit_test(invalid_ones_are_replaced),
      cmocka_unit_test(every_kind_of_invalid_is_invalid),
      cmocka_unit_test(lengths_are_valid_up_to_the_borders),
      cmocka_unit_test(find_invalid_finds_the_first),
      cmocka_unit_test(find_invalid_counts_all),
      cmocka_unit_test(length_does_not_count),
      cmocka_unit_test(sign_does_not_count),
      cmocka_unit_test(zeros_of_both_signs),
      cmocka_unit_test(identity_is_exact_where_promised),
      cmocka_unit_test(known_answers),
      cmocka_unit_test(any_bytes_are_unit_quaternions),
      cmocka_unit_test(round_trips_are_as_good_as_said),
      cmocka_unit_test(transcode_is_unpack_and_pack),
      cmocka_unit_test(meshopt_goes_to_shorts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
