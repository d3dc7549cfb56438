/* The bytes of glTF's buffers in one, without those that only bufferViews have that go. */
#ifndef GLTF_CUT_H
#define GLTF_CUT_H

#include "readers/gltf.h"

/* Where one bufferView's bytes are, or the compressed ones that it has elsewhere. */
struct gltf_range {
  size_t buffer, start, size;
  bool goes;
};

struct gltf_cut {
  bool *taken;           /* of each buffer: its bytes are here; others stay as they are */
  struct gltf_bytes all; /* with room for more behind */
  size_t pieces;
  struct gltf_piece { /* rising in their buffer, and buffers one after another */
    size_t buffer, start, end, to;
  } * piece;
};

/* Takes the bytes of these buffers, and of what goes only whole multiples of 8: so all alignment stays. room:
 * bytes to be free behind them. False and a complaint if buffers have not what they say. */
bool gltf_cut_make(struct gltf *gltf, const struct gltf_range *range, size_t ranges, bool *taken, size_t room,
                   struct gltf_cut *cut);
void gltf_cut_free(struct gltf_cut *cut);

/* Where a byte is that stays. */
size_t gltf_cut_place(const struct gltf_cut *cut, size_t buffer, size_t at);

#endif
