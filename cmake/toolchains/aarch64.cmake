# AArch64. Not static, as the installed library is tested, too: the tests run with the C library of Debian's architecture arm64 where that
# is installed, as a dynamic linker with the C library of another package hangs when a thread starts, else with the cross compiler's.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(triple aarch64-linux-gnu)
set(machine aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
set(CMAKE_EXE_LINKER_FLAGS_INIT)
if(NOT QUATSIMD_CLANG)
  set(CMAKE_CXX_COMPILER ${triple}-g++)
endif()
if(NOT EXISTS /lib/ld-linux-aarch64.so.1)
  list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -L /usr/${triple})
endif()
