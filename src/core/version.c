#include "quatsimd/version.h"

#include "core/dispatch.h"

const char *quatsimd_version(void) { return QUATSIMD_VERSION_STRING; }

int quatsimd_version_number(void) { return QUATSIMD_VERSION; }

const char *quatsimd_isa(void) { return quatsimd_active_kernels()->name; }
