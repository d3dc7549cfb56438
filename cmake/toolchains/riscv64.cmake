# RISC-V, 64 bits: simd128 kernels.
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(triple riscv64-linux-gnu)
set(machine riscv64)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
