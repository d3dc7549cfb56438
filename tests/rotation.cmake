# Tests of rotation.h. Label: quick.
quatsimd_test(test_rotation quick)
quatsimd_test_each_isa(test_rotation --layouts) # without the errors, which cannot differ where bits do not

# The same against GLM and Eigen, in C++ as they are. Header-only, so nothing but this test has to do with them.
include(CheckLanguage)
find_path(GLM_INCLUDE_DIR glm/gtx/euler_angles.hpp)
find_path(EIGEN3_INCLUDE_DIR Eigen/Geometry PATH_SUFFIXES eigen3)
check_language(CXX)
if(CMAKE_CROSSCOMPILING)
  message(STATUS "SKIP: rotation.h is not compared with GLM and Eigen in a cross build")
elseif(NOT CMAKE_CXX_COMPILER)
  message(STATUS "SKIP: no C++ compiler, so rotation.h is not compared with GLM and Eigen")
elseif(NOT GLM_INCLUDE_DIR OR NOT EIGEN3_INCLUDE_DIR)
  message(STATUS "SKIP: no GLM or no Eigen, so rotation.h is not compared with them")
else()
  enable_language(CXX)
  add_executable(test_rotation_peers test_rotation_peers.cpp)
  set_target_properties(test_rotation_peers PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
  target_include_directories(test_rotation_peers SYSTEM PRIVATE ${GLM_INCLUDE_DIR} ${EIGEN3_INCLUDE_DIR})
  target_link_libraries(test_rotation_peers PRIVATE quatsimd_static quatsimd_warnings)
  add_test(NAME test_rotation_peers COMMAND test_rotation_peers)
  set_tests_properties(test_rotation_peers PROPERTIES LABELS quick)
endif()
