#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>

/* A vertex as loaders give it: the tangent is glTF's, with the handedness after it. */
struct vertex {
  float position[3], normal[3], tangent[4], texture[2];
};

/* Four bytes for each vertex's normal, tangent and handedness. */
static quatsimd_status pack_qtangents(uint32_t *words, const struct vertex *vertices, size_t count,
                                      const uint32_t *indices, size_t index_count) {
  for (size_t i = 0; i < index_count; i++)
    if (index_count % 3 != 0 || indices[i] >= count) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const size_t stride = sizeof *vertices,
               scratch_size = quatsimd_qtangent_align_scratch_size(count, index_count);
  const quatsimd_in normal = quatsimd_strided(vertices->normal, stride);
  const quatsimd_in tangent = quatsimd_strided(vertices->tangent, stride);
  const quatsimd_in handedness = quatsimd_strided(vertices->tangent + 3, stride);
  float *q = malloc(count * 4 * sizeof *q);
  uint32_t *sound = malloc(index_count * sizeof *sound);
  void *scratch = malloc(scratch_size);
  quatsimd_status status = QUATSIMD_ERROR_NO_MEMORY;
  size_t sound_count = 0, unaligned = 0;

  if (q && sound && scratch) {
    /* triangles of one handedness: the others say nothing about signs */
    for (size_t i = 0; i < index_count; i += 3) {
      const uint32_t *t = indices + i;
      const int mirrored = vertices[t[0]].tangent[3] < 0;
      if ((vertices[t[1]].tangent[3] < 0) != mirrored || (vertices[t[2]].tangent[3] < 0) != mirrored)
        continue;
      for (int c = 0; c < 3; c++) sound[sound_count++] = t[c];
    }
    status = quatsimd_qtangent_from_tangents(quatsimd_aos_out(q), normal, tangent, count);
    if (status == QUATSIMD_WARNING_REPLACED_INVALID) fprintf(stderr, "some vertices have no tangent\n");
    if (status >= 0)
      status = quatsimd_qtangent_align_mesh(quatsimd_aos_out(q), count, sound, sizeof *sound, sound_count,
                                            scratch, scratch_size, &unaligned);
    if (unaligned > 0) fprintf(stderr, "%zu edges of this mesh need a seam\n", unaligned);
    if (status >= 0)
      status = quatsimd_qtangent_pack(words, count * sizeof *words, quatsimd_aos(q), handedness, count);
  }
  free(q), free(sound), free(scratch);
  return status;
}

/* Half a cylinder about y, its left half with mirrored texture coordinates; vertices on the middle line are
 * duplicated. */
enum { COLUMNS = 10, COUNT = 2 * COLUMNS, INDICES = 6 * (COLUMNS - 2) };
static struct vertex vertices[COUNT];
static uint32_t indices[INDICES];

static void make_mesh(void) {
  /* of 0, 22.5, 45, 67.5 and 90 degrees */
  const float cosine[5] = {1, 0.92388f, 0.70711f, 0.38268f, 0};
  uint32_t *next = indices;
  for (int x = 0; x < COLUMNS; x++)
    for (int y = 0; y < 2; y++) {
      struct vertex *v = &vertices[2 * x + y];
      const int left = x < COLUMNS / 2, k = left ? 4 - x : x - 5;
      const float side = left ? -1.0f : 1.0f, s = side * cosine[4 - k], c = cosine[k];
      const struct vertex here = {
          {s, (float)y, c}, {s, 0, c}, {side * c, 0, side * -s, side}, {(float)k / 4, (float)y}};
      *v = here;
      if (x + 1 == COLUMNS || x + 1 == COLUMNS / 2 || y > 0) continue;
      const uint32_t a = 2 * (uint32_t)x, b = a + 2;
      *next++ = a, *next++ = b, *next++ = a + 1;
      *next++ = a + 1, *next++ = b, *next++ = b + 1;
    }
}

int main(void) {
  uint32_t words[COUNT];
  float q[4 * COUNT], handedness[COUNT], normal[3 * COUNT], tangent[3 * COUNT], bitangent[3 * COUNT];
  make_mesh();
  quatsimd_status status = pack_qtangents(words, vertices, COUNT, indices, INDICES);

  /* and back, as a vertex shader does it */
  if (status >= 0)
    status = quatsimd_qtangent_unpack(quatsimd_aos_out(q), quatsimd_aos_out(handedness), words, sizeof words,
                                      COUNT);
  if (status >= 0)
    status = quatsimd_qtangent_to_tbn(quatsimd_aos_out(normal), quatsimd_aos_out(tangent),
                                      quatsimd_aos_out(bitangent), quatsimd_aos(q), quatsimd_aos(handedness),
                                      COUNT);
  if (status != QUATSIMD_OK) return fprintf(stderr, "%s\n", quatsimd_status_string(status)), 1;

  float least = 1;
  for (int v = 0; v < COUNT; v++) {
    const float *n = vertices[v].normal, *t = vertices[v].tangent;
    const float of_normal = n[0] * normal[3 * v] + n[1] * normal[3 * v + 1] + n[2] * normal[3 * v + 2];
    const float of_tangent = t[0] * tangent[3 * v] + t[1] * tangent[3 * v + 1] + t[2] * tangent[3 * v + 2];
    if (of_normal < least) least = of_normal;
    if (of_tangent < least) least = of_tangent;
    /* the bitangent points up */
    if (handedness[v] != t[3] || bitangent[3 * v + 1] < 0.999f) return fprintf(stderr, "mirrored\n"), 1;
  }
  printf("%d vertices: %zu bytes became %zu, the least cosine is %g\n", COUNT, 7 * COUNT * sizeof(float),
         sizeof words, least);
  return least > 0.9997f ? 0 : 1; /* the cosine of 1.4 degrees */
}
