/* Version of libquatsimd: the single source, CMake reads it from here. */
#ifndef QUATSIMD_VERSION_H
#define QUATSIMD_VERSION_H

/* Of this header; quatsimd_version tells the library's. Until 1.0.0 one of another minor version does not fit. */
#define QUATSIMD_VERSION_MAJOR 0
#define QUATSIMD_VERSION_MINOR 1
#define QUATSIMD_VERSION_PATCH 0
#define QUATSIMD_VERSION_STRING "0.1.0"

#endif
