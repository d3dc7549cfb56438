#include "core/isas.h"
#ifdef QUATSIMD_HAS_AVX2
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#endif

#define QUATSIMD_ISA avx2
#include "simd/vec/vec_clip_avx2.h"
#include "simd/kernels/table.inc.h"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
