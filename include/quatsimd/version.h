/* Version of libquatsimd: the single source, CMake reads it from here. */
#ifndef QUATSIMD_VERSION_H
#define QUATSIMD_VERSION_H

#define QUATSIMD_VERSION_MAJOR 0        /* of the header; quatsimd_version tells the library's */
#define QUATSIMD_VERSION_MINOR 1        /* until 1.0.0 a library of another minor version does not fit */
#define QUATSIMD_VERSION_PATCH 0        /* any fits any */
#define QUATSIMD_VERSION_STRING "0.1.0" /* the three with dots */

#endif
