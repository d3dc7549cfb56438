# Tests of the library as its users get it: interface, headers, symbols and instructions, installation. Included by
# CMakeLists.txt. Labels: quick; packaging (builds the library again).
separate_arguments(c_flags NATIVE_COMMAND "${CMAKE_C_FLAGS}")

# The interface, through each of the kernels.
foreach(test IN ITEMS test_api test_relative)
  quatsimd_test_program(${test})
  quatsimd_test_each_isa(${test})
endforeach()

add_test(NAME goldens_relative COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:test_relative> --only goldens_hold)
set_tests_properties(goldens_relative PROPERTIES LABELS cross)
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_C_COMPILER_ID STREQUAL GNU) # gcc 12 imagines an xxHash state with negative sizes
  set_source_files_properties(test_relative.c PROPERTIES COMPILE_OPTIONS "-Wno-array-bounds;-Wno-stringop-overflow")
endif()

if(WIN32)
  message(STATUS "SKIP: threads are tested with POSIX's, and on POSIX")
else()
  quatsimd_test(test_threads quick Threads::Threads)
  target_compile_definitions(test_threads PRIVATE $<TARGET_PROPERTY:quatsimd_objects,COMPILE_DEFINITIONS>) # it has dispatch.c in it
  quatsimd_test(test_threads_load quick Threads::Threads)
endif()

add_executable(print_isa print_isa.c)
target_link_libraries(print_isa PRIVATE quatsimd_static quatsimd_warnings)
target_include_directories(print_isa PRIVATE ${PROJECT_SOURCE_DIR}/src)
set_target_properties(print_isa PROPERTIES C_STANDARD 11)
add_test(NAME test_isa
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/test_isa.sh ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:print_isa>)
set_tests_properties(test_isa PROPERTIES LABELS quick)

# The headers. The C++ compiler that belongs to the C compiler, before others; the project itself needs none.
add_test(NAME headers_c COMMAND ${CMAKE_CURRENT_LIST_DIR}/test_headers.sh c ${PROJECT_SOURCE_DIR}/include
  ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_C_COMPILER})
set_tests_properties(headers_c PROPERTIES LABELS quick)
string(REGEX REPLACE "gcc([-0-9.]*)$" "g++\\1" cxx ${CMAKE_C_COMPILER})
string(REGEX REPLACE "clang([-0-9.]*)$" "clang++\\1" cxx ${cxx})
string(REGEX REPLACE "/cc$" "/c++" cxx ${cxx})
if(CMAKE_CROSSCOMPILING)
  find_program(QUATSIMD_CXX NAMES ${cxx})
else()
  find_program(QUATSIMD_CXX NAMES ${cxx} g++ clang++ c++)
endif()
if(QUATSIMD_CXX AND TARGET quatsimd_shared AND NOT QUATSIMD_CXX STREQUAL CMAKE_C_COMPILER)
  add_test(NAME headers_cpp COMMAND ${CMAKE_CURRENT_LIST_DIR}/test_headers.sh c++ ${PROJECT_SOURCE_DIR}/include
    ${CMAKE_CURRENT_LIST_DIR} $<TARGET_FILE:quatsimd_shared> ${QUATSIMD_CXX} ${c_flags})
  string(REPLACE ";" " " emulator "${CMAKE_CROSSCOMPILING_EMULATOR}")
  set_tests_properties(headers_cpp PROPERTIES LABELS quick ENVIRONMENT "EMULATOR=${emulator}")
else()
  message(STATUS "SKIP: no C++ compiler or no shared library, so the headers are not tested in C++")
endif()

# Symbols and instructions of the library as it is built for everyone; sanitizers, coverage and link-time optimisation
# add their own, and -march=... allows what this forbids.
if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}}" MATCHES "-fsanitize|--coverage|-fprofile|-flto|-march|-mavx|-mfma"
   OR CMAKE_INTERPROCEDURAL_OPTIMIZATION OR WIN32 OR NOT TARGET quatsimd_shared)
  message(STATUS "SKIP: symbols and instructions are not checked with these compiler flags, or of this machine's objects")
else()
  set(check_objects ${CMAKE_NM} ${CMAKE_OBJDUMP} ${PROJECT_SOURCE_DIR}/include/quatsimd
    $<TARGET_FILE:quatsimd_static> $<TARGET_FILE:quatsimd_shared>)
  add_test(NAME objects COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_objects.sh ${check_objects})
  add_test(NAME objects_self_test
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_objects.sh --self-test ${check_objects} ${CMAKE_AR} ${CMAKE_C_COMPILER})
  set_tests_properties(objects objects_self_test PROPERTIES LABELS quick)
endif()

# Flags of a user's program, which must not matter.
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER AND NOT CMAKE_CROSSCOMPILING)
  enable_language(CXX)
  add_executable(test_fp_consumer fp_consumer.cpp fp_sweep.c)
  target_compile_options(test_fp_consumer PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Ofast;-ffp-contract=fast>")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(test_fp_consumer PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
  endif()
  target_link_options(test_fp_consumer PRIVATE -ffast-math)
  target_link_libraries(test_fp_consumer PRIVATE quatsimd_static quatsimd_xxhash quatsimd_warnings)
  set_target_properties(test_fp_consumer PROPERTIES CXX_STANDARD 11 C_STANDARD 11)
  add_test(NAME test_fp_consumer COMMAND test_fp_consumer ${CMAKE_CURRENT_LIST_DIR}/goldens.txt)
  set_tests_properties(test_fp_consumer PROPERTIES LABELS quick)
else()
  message(STATUS "SKIP: no C++ compiler or a cross build, so no program with its floating-point flags is tested")
endif()

# Flags that must stop the compilation.
add_test(NAME flags_fast_math
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/test_flags.sh fast-math ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
set_tests_properties(flags_fast_math PROPERTIES LABELS quick)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
  add_test(NAME flags_387 COMMAND ${CMAKE_CURRENT_LIST_DIR}/test_flags.sh 387 ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
  set_tests_properties(flags_387 PROPERTIES LABELS quick SKIP_RETURN_CODE 77)
endif()

# A user's program with the installed library and with its sources.
add_test(NAME consumer
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/consumer/run.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
string(REPLACE ";" " " emulator "${CMAKE_CROSSCOMPILING_EMULATOR}")
set_tests_properties(consumer PROPERTIES LABELS packaging TIMEOUT 900 RUN_SERIAL ON ENVIRONMENT
  "CMAKE=${CMAKE_COMMAND};CMAKE_GENERATOR=${CMAKE_GENERATOR};CFLAGS=${CMAKE_C_FLAGS};LDFLAGS=${CMAKE_EXE_LINKER_FLAGS};TOOLCHAIN=${CMAKE_TOOLCHAIN_FILE};EMULATOR=${emulator}")
