# Tests of clip.h. Label: quick.
quatsimd_test_program(test_clip)
if(CMAKE_CROSSCOMPILING)
  quatsimd_test_each_isa(test_clip --small)
else()
  quatsimd_test_each_isa(test_clip)
endif()

# Through all kernels in one process: dispatch.c is in it.
quatsimd_test(test_clip_kernels quick)
target_compile_definitions(test_clip_kernels PRIVATE QUATSIMD_CLIP_GOLDENS="${CMAKE_CURRENT_SOURCE_DIR}/clips.txt"
  $<TARGET_PROPERTY:quatsimd_objects,COMPILE_DEFINITIONS>)

add_test(NAME goldens_clip COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:test_clip_kernels> --small)
set_tests_properties(goldens_clip PROPERTIES LABELS cross)

quatsimd_test(test_clip_bytes quick)

# The independent decoder makes the poses' hashes again, from the page docs/clip-format.md alone.
add_test(NAME model_clip COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/model/clip.py ${CMAKE_CURRENT_SOURCE_DIR}/clips.txt
  ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:test_clip_kernels> --clips)
set_tests_properties(model_clip PROPERTIES LABELS quick ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)

# The maker of src/clip/profiles.def is no test; built, so that it goes on to fit the library. It is written with SSE2.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_executable(clip_profiles ${PROJECT_SOURCE_DIR}/docs/clip_profiles.c)
  target_link_libraries(clip_profiles PRIVATE quatsimd_testing quatsimd_warnings m)
  set_target_properties(clip_profiles PROPERTIES C_STANDARD 11)
endif()
