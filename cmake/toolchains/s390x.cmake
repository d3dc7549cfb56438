# IBM Z: big-endian, scalar.
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(triple s390x-linux-gnu)
set(machine s390x)
set(QUATSIMD_SCALAR_IS_MEANT ON)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
