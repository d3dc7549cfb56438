/* A plug-in that one_host loads. */
#ifdef QUATSIMD_STATIC
#include "quatsimd.c"
#else
#include "quatsimd.h"
#endif

__attribute__((visibility("default"))) const char *plugin_version(void);
const char *plugin_version(void) { return quatsimd_version(); }
