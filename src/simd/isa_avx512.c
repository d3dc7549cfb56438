#include "core/isas.h"
#ifdef QUATSIMD_HAS_AVX512
#pragma GCC diagnostic ignored "-Wsign-conversion" /* at -O0, gcc's intrinsics are macros, and these warn */
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,f16c"))),        \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,f16c")
#endif

#define QUATSIMD_ISA avx512
#include "simd/vec/vec_avx512.h"
#include "simd/kernels/table.inc.h"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
