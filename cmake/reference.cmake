# The API reference, HTML: cmake --build BUILD --target reference makes BUILD/reference/html.
find_program(QUATSIMD_DOXYGEN NAMES doxygen)
find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT QUATSIMD_DOXYGEN OR NOT Python3_EXECUTABLE)
  message(STATUS "SKIP: no Doxygen or no Python, so there is no target reference")
  return()
endif()
configure_file(cmake/Doxyfile.in Doxyfile @ONLY)
set(QUATSIMD_REFERENCE ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/reference.py ${QUATSIMD_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile
  ${PROJECT_BINARY_DIR}/reference/tags.xml ${PROJECT_SOURCE_DIR}/include/quatsimd)
add_custom_target(reference COMMAND ${QUATSIMD_REFERENCE} VERBATIM)
