#include "quatsimd/frame.h"
