# x86, 32 bits. x86-64 runs its programs, where the kernel can.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(triple i686-linux-gnu)
set(machine i386)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
execute_process(COMMAND /usr/${triple}/lib/ld-linux.so.2 --version RESULT_VARIABLE runs_not OUTPUT_QUIET ERROR_QUIET)
if(NOT runs_not)
  unset(CMAKE_CROSSCOMPILING_EMULATOR)
else() # without F16C, of which qemu 7.2 flushes halves where denormals are flushed; so without AVX2
  list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -cpu Nehalem)
endif()
