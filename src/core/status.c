#include "quatsimd/status.h"

int quatsimd_status_failed(quatsimd_status status) { return quatsimd_failed(status); }

const char *quatsimd_status_string(quatsimd_status status) {
  switch (status) {
  case QUATSIMD_OK: return "success";
  case QUATSIMD_WARNING_REPLACED_INVALID:
    return "invalid quaternions, axes or weights were replaced or left out";
  case QUATSIMD_ERROR_BAD_FORMAT: return "unknown format";
  case QUATSIMD_ERROR_SHORT_BUFFER: return "buffer too short";
  case QUATSIMD_ERROR_BAD_ARGUMENT:
    return "an argument is not valid: a null pointer, a view, memory that overlaps or is not aligned, a "
           "struct that was not initialised, or a "
           "value out of its range";
  case QUATSIMD_WARNING_SATURATED: return "rotations beyond the range were packed as far as it goes";
  case QUATSIMD_ERROR_NEED_KEY: return "the receiver does not have what the packet is coded against";
  case QUATSIMD_ERROR_OLD_PACKET: return "the packet was decoded before, or is too old";
  case QUATSIMD_ERROR_BAD_PACKET: return "the packet is damaged or of another stream";
  case QUATSIMD_ERROR_NOT_A_CLIP: return "not a clip";
  case QUATSIMD_ERROR_DAMAGED_CLIP: return "the clip is damaged";
  case QUATSIMD_ERROR_LATER_VERSION:
    return "the clip, skeleton or bundle is of a later version of its format";
  case QUATSIMD_ERROR_BAD_KEY: return "a key cannot be encoded";
  case QUATSIMD_ERROR_NO_MEMORY: return "out of memory";
  case QUATSIMD_ERROR_NOT_A_SKELETON: return "not a skeleton";
  case QUATSIMD_ERROR_DAMAGED_SKELETON: return "the skeleton is damaged";
  case QUATSIMD_ERROR_BAD_JOINT: return "a joint or track cannot be encoded";
  case QUATSIMD_ERROR_NOT_A_BUNDLE: return "not a bundle";
  case QUATSIMD_ERROR_DAMAGED_BUNDLE: return "the bundle is damaged";
  case QUATSIMD_ERROR_BAD_CLIP: return "the bundle cannot have the clip";
  case QUATSIMD_ERROR_WRONG_SKELETON: return "a clip is of another skeleton";
  case QUATSIMD_ERROR_NO_SUCH_CLIP: return "the bundle has no clip with this name";
  case QUATSIMD_ERROR_NO_SUCH_MASK: return "the bundle has no mask with this name";
  case QUATSIMD_ERROR_RESTARTED: return "the sender has begun again with the same session";
  }
  return "unknown status";
}
