/* The bytes of glTF's buffers in one, without those that only bufferViews have that go. */
#ifndef GLTF_CUT_H
#define GLTF_CUT_H

#include "readers/gltf/gltf.h"

/* Where one bufferView's bytes are, or the compressed ones that it has elsewhere. */
struct gltf_range {
  size_t view, buffer, start, size;
  bool goes;
};

struct gltf_cut {
  bool *taken;           /* of each buffer: its bytes are here; others stay as they are. The cut's own */
  struct gltf_bytes all; /* with room for more behind */
  size_t pieces;
  struct gltf_piece { /* rising in their buffer, and buffers one after another */
    size_t buffer, start, end, to;
  } * piece;
};

/* Reads the buffers that are taken. False and a complaint if they have not what they say. */
bool gltf_cut_check(struct gltf *gltf, const struct gltf_range *range, size_t ranges,
                    const struct gltf_cut *cut);
/* Then: takes their bytes, and of what goes leaves out only whole multiples of 8: so all alignment stays.
 * room: bytes to be free behind them. */
void gltf_cut_make(const struct gltf *gltf, const struct gltf_range *range, size_t ranges, size_t room,
                   struct gltf_cut *cut);
void gltf_cut_free(struct gltf_cut *cut);

/* Where a byte is that stays. */
size_t gltf_cut_place(const struct gltf_cut *cut, size_t buffer, size_t at);

#endif
