/* The intrinsics of all instruction sets of an x86 CPU. For the ABI of Visual C++, clang's <immintrin.h>
 * includes the headers of only those sets that flags name. This header includes the others. */
#ifndef QUATSIMD_INTRINSICS_H
#define QUATSIMD_INTRINSICS_H

#include "core/compiler.h"

#ifdef QUATSIMD_X86
#include <immintrin.h>

#ifdef QUATSIMD_CLANG_CL
#include <smmintrin.h>

#include <avxintrin.h>

#include <avx2intrin.h>
#include <f16cintrin.h>

#include <avx512fintrin.h>

#include <avx512bwintrin.h>
#include <avx512dqintrin.h>
#include <avx512vbmiintrin.h>
#include <avx512vlintrin.h>
#include <avx512vnniintrin.h>

#include <avx512vlbwintrin.h>
#include <avx512vldqintrin.h>
#include <avx512vbmivlintrin.h>
#include <avx512vlvnniintrin.h>
#endif
#endif

#endif
