/* libquatsimd: batches of rotations, packed small, unpacked fast, the same bits on every CPU. */
#ifndef QUATSIMD_QUATSIMD_H
#define QUATSIMD_QUATSIMD_H

#include "quatsimd/clip.h"
#include "quatsimd/codec.h"
#include "quatsimd/frame.h"
#include "quatsimd/relative.h"
#include "quatsimd/rotation.h"
#include "quatsimd/version.h"

#endif
