/* libquatsimd: packed rotations and compressed skeletal animation, with the same bits on every CPU. Includes
 * every header of the library. */
#ifndef QUATSIMD_QUATSIMD_H
#define QUATSIMD_QUATSIMD_H

#include "quatsimd/bundle.h"
#include "quatsimd/clip.h"
#include "quatsimd/codec.h"
#include "quatsimd/half.h"
#include "quatsimd/pose.h"
#include "quatsimd/qtangent.h"
#include "quatsimd/relative.h"
#include "quatsimd/rotation.h"
#include "quatsimd/skeleton.h"
#include "quatsimd/sqt.h"
#include "quatsimd/status.h"
#include "quatsimd/stream.h"
#include "quatsimd/version.h"
#include "quatsimd/view.h"

#endif
