# x86, 32 bits. x86-64 runs its programs.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(triple i686-linux-gnu)
set(machine i386)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL x86_64)
  unset(CMAKE_CROSSCOMPILING_EMULATOR)
endif()
