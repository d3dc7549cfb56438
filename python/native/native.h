/* Private: functions of the Python package in C, beside those of the library. */
#ifndef QUATSIMD_PYTHON_NATIVE_H
#define QUATSIMD_PYTHON_NATIVE_H

#include "command.h"
#include "quatsimd/quatsimd.h"

/* Finds the first quaternion whose length is not 1 within 1e-4 and returns its number, or count if there is none, or if the
 * view breaks a rule of view.h. */
QUATSIMD_API size_t quatsimd_python_find_not_unit(quatsimd_in q, size_t count);

#endif
