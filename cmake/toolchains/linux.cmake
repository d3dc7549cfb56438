# Linux on another machine, with Debian's cross compilers (gcc-TRIPLE) or clang, and qemu-user for the tests. The file that
# includes it sets `triple` and `machine` (as qemu calls it). With -DQUATSIMD_CLANG=ON clang is the compiler.
#
# Programs are static: a dynamic linker that finds the C library of another package than its own hangs.
set(CMAKE_SYSTEM_NAME Linux)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES QUATSIMD_CLANG)
if(QUATSIMD_CLANG)
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_C_COMPILER_TARGET ${triple})
  set(CMAKE_C_FLAGS_INIT "-isystem /usr/${triple}/include")
else()
  set(CMAKE_C_COMPILER ${triple}-gcc)
endif()
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${machine})
