# AArch64 Linux from another machine: Debian's gcc-aarch64-linux-gnu and qemu-user for the tests. With cmocka's source (QUATSIMD_CMOCKA)
# that is all, as for other machines; else libraries of the architecture arm64 (dpkg --add-architecture arm64).
set(CMAKE_SYSTEM_PROCESSOR aarch64)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES QUATSIMD_CMOCKA)
if(QUATSIMD_CMOCKA)
  set(triple aarch64-linux-gnu)
  set(machine aarch64)
  set(CMAKE_DISABLE_FIND_PACKAGE_CpuFeatures ON) # this machine's
  include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
  return()
endif()
set(CMAKE_SYSTEM_NAME Linux)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES QUATSIMD_CLANG)
if(QUATSIMD_CLANG)
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
else()
  set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
  set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
endif()
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu) # /usr/lib/aarch64-linux-gnu, CMake packages there included
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# The tests run with the C library of arm64, which libcmocka needs anyway. The cross compiler's own is for machines that
# have no other: its dynamic linker with the other's libc hangs when a thread starts.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
if(NOT EXISTS /lib/ld-linux-aarch64.so.1)
  list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -L /usr/aarch64-linux-gnu)
endif()
