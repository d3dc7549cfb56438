/* The results of functions: 0, a positive warning or a negative error. */
#ifndef QUATSIMD_STATUS_H
#define QUATSIMD_STATUS_H

#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0: all is done. Warnings are positive: all else is done. Errors are negative: nothing was written. */
typedef enum quatsimd_status {
  QUATSIMD_OK = 0, /* all is done */
  /* invalid quaternions, axes or weights were replaced, by the identity where functions say nothing else, or
   * left out (quatsimd_mean) */
  QUATSIMD_WARNING_REPLACED_INVALID = 1,
  /* rotations beyond the range of a relative format (relative.h) were packed at its border */
  QUATSIMD_WARNING_SATURATED = 2,
  QUATSIMD_ERROR_BAD_FORMAT = -1,   /* there is no such format */
  QUATSIMD_ERROR_SHORT_BUFFER = -2, /* a buffer or memory is smaller than the function asks for */
  /* a null pointer, a view that breaks a rule of view.h, memory that overlaps where it must not or is not
   * aligned, options that were not initialised, bounds that cannot be held, or a number out of its range: a
   * mistake of the program. The function's comment says what it refuses */
  QUATSIMD_ERROR_BAD_ARGUMENT = -3,
  /* of stream.h */
  QUATSIMD_ERROR_NEED_KEY = -4,   /* the receiver does not have the packet's baseline */
  QUATSIMD_ERROR_OLD_PACKET = -5, /* a packet that was decoded before, or is older than all states */
  QUATSIMD_ERROR_BAD_PACKET = -6, /* damaged, or of another stream */
  /* of clip.h */
  QUATSIMD_ERROR_NOT_A_CLIP = -7,    /* other bytes than a clip's */
  QUATSIMD_ERROR_DAMAGED_CLIP = -8,  /* a clip that is cut off or changed */
  QUATSIMD_ERROR_LATER_VERSION = -9, /* a clip, skeleton or bundle of a later version of its format */
  QUATSIMD_ERROR_BAD_KEY = -10,      /* a key that cannot be encoded: the report says which and why */
  QUATSIMD_ERROR_NO_MEMORY = -11,    /* the allocator had none */
  /* of skeleton.h, beside those of clip.h */
  QUATSIMD_ERROR_NOT_A_SKELETON = -12,   /* other bytes than a skeleton's */
  QUATSIMD_ERROR_DAMAGED_SKELETON = -13, /* a skeleton that is cut off or changed */
  QUATSIMD_ERROR_BAD_JOINT = -14,        /* a joint or track that no skeleton can have: the report says why */
  /* of bundle.h, beside those of skeleton.h */
  QUATSIMD_ERROR_NOT_A_BUNDLE = -15,   /* other bytes than a bundle's */
  QUATSIMD_ERROR_DAMAGED_BUNDLE = -16, /* a bundle that is cut off or changed */
  QUATSIMD_ERROR_BAD_CLIP = -17,       /* a clip that the bundle cannot have: the report says why */
  /* of pose.h */
  QUATSIMD_ERROR_WRONG_SKELETON = -18 /* a clip of another skeleton than the job's */
} quatsimd_status;

/* 1 for an error: the call has done nothing. 0 for QUATSIMD_OK and warnings: the call did its work. */
static inline int quatsimd_failed(quatsimd_status status) { return status < 0; }

/* An English sentence for a status: static text, never null. Any number of threads may call it at once. */
QUATSIMD_API const char *quatsimd_status_string(quatsimd_status status);

#ifdef __cplusplus
}
#endif

#endif
