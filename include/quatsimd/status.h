/* The results of functions: 0, a positive warning or a negative error. docs/status.md: a remedy for each. */
#ifndef QUATSIMD_STATUS_H
#define QUATSIMD_STATUS_H

#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0: the call did its work. Positive: a warning, the call did its work but part of the input was not valid.
 * Negative: an error, the call wrote nothing except its report, if it has one. */
typedef enum quatsimd_status {
  QUATSIMD_OK = 0, /* success */
  /* invalid quaternions, vectors or weights were replaced (by the identity unless the function says
   * otherwise) or left out (quatsimd_mean) */
  QUATSIMD_WARNING_REPLACED_INVALID = 1,
  /* rotations outside the range of a relative format (relative.h) were packed at the edge of the range */
  QUATSIMD_WARNING_SATURATED = 2,
  QUATSIMD_ERROR_BAD_FORMAT = -1,   /* there is no such format */
  QUATSIMD_ERROR_SHORT_BUFFER = -2, /* a buffer or memory is smaller than the function requires */
  /* a mistake in the calling program: a null pointer, a view that breaks a rule of view.h, memory that
   * overlaps where it must not or is not aligned, options that were not initialised, a bound that is missing,
   * or a number out of range. The function's comment lists the cases */
  QUATSIMD_ERROR_BAD_ARGUMENT = -3,

  /* errors of stream.h */

  QUATSIMD_ERROR_NEED_KEY = -4,   /* the receiver does not have the packet's baseline */
  QUATSIMD_ERROR_OLD_PACKET = -5, /* the packet was decoded before, or is older than all states */
  QUATSIMD_ERROR_BAD_PACKET = -6, /* the packet or acknowledgement is damaged, or of another stream */

  /* errors of clip.h */

  QUATSIMD_ERROR_NOT_A_CLIP = -7,    /* the bytes are not a clip */
  QUATSIMD_ERROR_DAMAGED_CLIP = -8,  /* the clip is truncated or changed */
  QUATSIMD_ERROR_LATER_VERSION = -9, /* the clip, skeleton or bundle has a later version of its format */
  QUATSIMD_ERROR_BAD_KEY = -10,      /* a key cannot be encoded: the report says which and why */
  QUATSIMD_ERROR_NO_MEMORY = -11,    /* the allocator returned null, or memory cannot have so many bytes */

  /* errors of skeleton.h, in addition to those of clip.h */

  QUATSIMD_ERROR_NOT_A_SKELETON = -12,   /* the bytes are not a skeleton */
  QUATSIMD_ERROR_DAMAGED_SKELETON = -13, /* the skeleton is truncated or changed */
  QUATSIMD_ERROR_BAD_JOINT = -14,        /* a joint or track is not valid: the report says which and why */

  /* errors of bundle.h, in addition to those of skeleton.h */

  QUATSIMD_ERROR_NOT_A_BUNDLE = -15,   /* the bytes are not a bundle */
  QUATSIMD_ERROR_DAMAGED_BUNDLE = -16, /* the bundle is truncated or changed */
  QUATSIMD_ERROR_BAD_CLIP = -17,       /* a clip does not fit the bundle: the report says which and why */

  /* errors of pose.h */

  QUATSIMD_ERROR_WRONG_SKELETON = -18, /* a clip does not belong to the skeleton given */

  /* more errors of bundle.h */

  QUATSIMD_ERROR_NO_SUCH_CLIP = -19, /* the bundle has no clip with this name */
  QUATSIMD_ERROR_NO_SUCH_MASK = -20, /* the bundle has no mask with this name */

  /* one more error of stream.h */

  QUATSIMD_ERROR_RESTARTED = -21 /* the sender has begun again with the same session */
} quatsimd_status;

/* Returns 1 for an error, 0 for QUATSIMD_OK and warnings. */
static inline int quatsimd_failed(quatsimd_status status) { return status < 0; }
/* Returns quatsimd_failed(status): the same, exported, for bindings of other languages. */
QUATSIMD_API int quatsimd_status_failed(quatsimd_status status);

/* Returns an English text for a status: static, never null, "unknown status" for any other number. Any number
 * of threads may call it at once. */
QUATSIMD_API const char *quatsimd_status_string(quatsimd_status status);

#ifdef __cplusplus
}
#endif

#endif
