# ARM, 32 bits, hard floats: scalar, since its NEON is not IEEE.
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(triple arm-linux-gnueabihf)
set(machine arm)
set(QUATSIMD_SCALAR_IS_MEANT ON)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
