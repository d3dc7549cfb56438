/* clang's <intrin.h> declares functions with this type. */
#pragma once
typedef int jmp_buf[64];
