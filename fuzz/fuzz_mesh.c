/* libFuzzer over what takes indices: alignment of meshes and skinning. Indices beyond the arrays are
 * refused and nothing is done, others change signs alone; all kernels give scalar's bits. */
#include "fuzz.h"

enum { MOST_VERTICES = 64, MOST_INDICES = 300, MOST_JOINTS = 16 };

static void align(fuzz_input *in, unsigned how) {
  const size_t count = fuzz_byte(in) % MOST_VERTICES, indices = fuzz_short(in) % MOST_INDICES;
  const int bytes = how & 2 ? 4 : how & 4 ? 2 : (int)(how >> 3);
  const size_t needed = quatsimd_qtangent_align_scratch_size(count, indices), less = how & 8 ? 4 : 0;
  fuzz_array list = fuzz_array_new((bytes == 4 ? 4 : 2) * indices, how >> 5),
             q = fuzz_array_new(16 * count, 0), scratch = fuzz_array_new(needed, 0);
  float before[4 * MOST_VERTICES], after[4 * MOST_VERTICES];
  size_t unaligned = 12345, beyond = 0;
  for (size_t i = 0; i < indices; i++) {
    uint32_t number = how & 16 ? fuzz_byte(in)
                      : count  ? fuzz_byte(in) % (uint32_t)count
                               : 0; /* how & 16: some are beyond */
    if (how & 16 && number == 255) number |= fuzz_short(in) << 16;
    if (bytes != 4) number &= 0xffff;
    beyond += number >= count;
    memcpy(list.data + (bytes == 4 ? 4 : 2) * i, &number, bytes == 4 ? 4 : 2); /* little-endian alone */
  }
  fuzz_take(in, before, 16 * count);
  if (count) memcpy(q.data, before, 16 * count);
  const quatsimd_status status =
      quatsimd_qtangent_align_mesh(quatsimd_aos_out((float *)(void *)q.data), count, list.data, bytes,
                                   indices, scratch.data, needed > less ? needed - less : needed, &unaligned);
  const bool bad = indices % 3 || beyond || (bytes != 2 && bytes != 4);
  if (bad && status != QUATSIMD_ERROR_BAD_ARGUMENT && status != QUATSIMD_ERROR_SHORT_BUFFER)
    fuzz_fail("a mesh that is none gives %s", quatsimd_status_string(status));
  if (!bad && !less && status != QUATSIMD_OK) fuzz_fail("a mesh gives %s", quatsimd_status_string(status));
  if (count) memcpy(after, q.data, 16 * count);
  for (size_t i = 0; i < 4 * count; i++) {
    uint32_t was, is;
    memcpy(&was, before + i, 4), memcpy(&is, after + i, 4);
    if ((was ^ is) & (status == QUATSIMD_OK ? 0x7fffffff : 0xffffffff))
      fuzz_fail("alignment changes more than signs");
  }
  fuzz_array_free(&list), fuzz_array_free(&q), fuzz_array_free(&scratch);
}

static void skin(fuzz_input *in, unsigned how) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables), count = fuzz_byte(in) % MOST_VERTICES,
               joints = fuzz_byte(in) % MOST_JOINTS;
  const int influences = (int)(how >> 4) % 6;
  const size_t pairs = count * (size_t)influences;
  fuzz_array indices = fuzz_array_new(2 * pairs, 0), weights = fuzz_array_new(4 * pairs, 0),
             joint = fuzz_array_new(32 * joints, 0), points = fuzz_array_new(12 * count, 0), wanted = {0};
  size_t beyond = 0;
  for (size_t i = 0; i < pairs; i++) {
    uint16_t number = fuzz_byte(in);
    if (!(how & 8) && joints) number %= (uint16_t)joints;
    beyond += number >= joints;
    memcpy(indices.data + 2 * i, &number, 2);
  }
  fuzz_take(in, joint.data, joint.size);
  fuzz_take(in, points.data, points.size);
  fuzz_take(in, weights.data, weights.size);
  for (size_t t = 0; t < n; t++) {
    fuzz_array to = fuzz_array_new(12 * count, 0);
    fuzz_use(tables[t]);
    const quatsimd_status status = quatsimd_sqt_skin(
        quatsimd_aos_out((float *)(void *)to.data), quatsimd_aos((const float *)(const void *)points.data),
        (const float *)(const void *)joint.data, joints, (const uint16_t *)(const void *)indices.data,
        (const float *)(const void *)weights.data, influences, count);
    if (count && (influences < 1 || beyond) && status != QUATSIMD_ERROR_BAD_ARGUMENT)
      fuzz_fail("joints that are not there give %s", quatsimd_status_string(status));
    if (influences > 0 && !beyond && status != QUATSIMD_OK)
      fuzz_fail("skinning gives %s", quatsimd_status_string(status));
    if (t == 0) {
      wanted = to;
      continue;
    }
    if (memcmp(to.data, wanted.data, to.size) != 0) fuzz_fail("%s: skin is not scalar's", tables[t]->name);
    fuzz_array_free(&to);
  }
  fuzz_array_free(&wanted), fuzz_array_free(&indices), fuzz_array_free(&weights), fuzz_array_free(&joint),
      fuzz_array_free(&points);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input in = {data, size};
  const unsigned how = fuzz_byte(&in);
  fuzz_use(NULL);
  (how & 1 ? align : skin)(&in, how);
  return 0;
}
