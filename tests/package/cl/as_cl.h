/* Included before each source, this header makes clang in Visual C++'s mode look like cl: what only clang has
 * is hidden once clang's own headers have used it. */
#include <intrin.h>
#ifdef _M_X64
#include <immintrin.h>
#else
#include <arm_neon.h>
void __prefetch(const void *address);
#endif
#undef __clang__
#undef __x86_64__
#undef __aarch64__
#undef __SSE2__
#undef __BYTE_ORDER__
#undef __ORDER_LITTLE_ENDIAN__
#define __STDC_NO_ATOMICS__ 1
#pragma GCC poison __asm__ asm __extension__ __typeof__ typeof _Atomic __builtin_expect __builtin_prefetch
#pragma GCC poison __builtin_clzll __builtin_ctzll __builtin_sqrt __builtin_sqrtf __builtin_cpu_supports
