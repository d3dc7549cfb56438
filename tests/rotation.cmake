# Tests of rotation.h. Label: quick.
quatsimd_test(test_rotation quick)
foreach(isa IN LISTS QUATSIMD_ISAS ITEMS scalar) # the kernels that this CPU has; without the errors, which cannot differ where bits do not
  add_test(NAME test_rotation_${isa} COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:test_rotation> --layouts)
  set_tests_properties(test_rotation_${isa} PROPERTIES LABELS quick ENVIRONMENT QUATSIMD_ISA=${isa})
endforeach()
