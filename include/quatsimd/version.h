/* The version of libquatsimd, and the kernels in use. CMake reads the version from here: it has one
 * source. */
#ifndef QUATSIMD_VERSION_H
#define QUATSIMD_VERSION_H

#if defined(QUATSIMD_SHARED) && (defined(_WIN32) || defined(__CYGWIN__))
#ifdef QUATSIMD_BUILDING
#define QUATSIMD_API __declspec(dllexport)
#else
#define QUATSIMD_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define QUATSIMD_API __attribute__((visibility("default")))
#else
#define QUATSIMD_API
#endif

/* Of this header; quatsimd_version tells the library's. Until 1.0.0 one of another minor version does not
 * fit. */
#define QUATSIMD_VERSION_MAJOR 0
#define QUATSIMD_VERSION_MINOR 1
#define QUATSIMD_VERSION_PATCH 0
#define QUATSIMD_VERSION_STRING "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* Name of the kernels in use: "scalar", "sse2", "avx2", "avx512", "neon" or "simd128". The best one that
 * the CPU can run is picked when the library is loaded (at the first use, where the compiler has no
 * load-time constructors); the environment variable QUATSIMD_ISA, read at that moment, picks another by
 * name (a name that is unknown or that this CPU cannot run is ignored). */
QUATSIMD_API const char *quatsimd_isa(void);

/* Version of the library linked, "major.minor.patch". */
QUATSIMD_API const char *quatsimd_version(void);

#ifdef __cplusplus
}
#endif

#endif
