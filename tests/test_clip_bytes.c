/* Damaged clips: open refuses them, or whatever is sampled from them is finite and of length 1. Clips are in memory of exactly their
 * size, so that a sanitizer sees what is read beyond; outputs have guards.
 *
 *   test_clip_bytes                  the tests
 *   test_clip_bytes --corpus FOLDER  writes the clips they damage, for fuzz/fuzz_clip.c */
#include "clips.h"

#include "clip_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const char *const small[] = {"small", "small_uneven", "one_frame", "no_joints", "no_curves", "two_frames", "block_and_one", "late", "round_loop", "steps_alone", "noise_small"};
enum { SMALL = sizeof small / sizeof small[0] };

typedef struct encoded {
  unsigned char *bytes;
  size_t size;
} encoded;

static encoded encode(const char *name) {
  scene s = {0};
  void *data;
  encoded e;
  if (strcmp(name, "noise_small") == 0) { /* raw frames, units of curves' own */
    scene_small(&s);
    s.joint[1].rotation_bound = 1e-5f, s.joint[0].rotation_bound = 1e-4f;
  } else {
    size_t i = 0;
    while (i < SCENES && strcmp(scenes[i].name, name) != 0) i++;
    assert_true(i < SCENES);
    scene_make(&s, &scenes[i]);
  }
  assert_int_equal(quatsimd_clip_encode(&s.source, &s.options, &data, &e.size, NULL), QUATSIMD_OK);
  e.bytes = data;
  scene_free(&s);
  return e;
}

/* Opened from a copy of exactly so many bytes, and sampled if that went well. */
static bool survives(const unsigned char *bytes, size_t size, uint64_t *state) {
  unsigned char *copy = malloc(size ? size : 1);
  if (!copy) fail_msg("out of memory");
  memcpy(copy, bytes, size);
  const char *wrong = NULL;
  const bool opened = clip_bytes_try(copy, size, state, &wrong);
  if (wrong) fail_msg("a damaged clip of %zu bytes: %s", size, wrong);
  free(copy);
  return opened;
}

/* Where the last knots end; 0: there are none, and nothing is read beyond anything. */
static size_t knots_end(const quatsimd_clip *clip) {
  size_t end = 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
    if (clip->part[kind].moving) end = (size_t)(clip->part[kind].knots - clip->data) + clip->part[kind].row * (clip_blocks(clip->frames) + 1);
  return end;
}

static void truncated(void **state) {
  (void)state;
  uint64_t random = 1;
  for (size_t n = 0; n < SMALL; n++) {
    const encoded e = encode(small[n]);
    assert_true(survives(e.bytes, e.size, &random));
    for (size_t size = 0; size < e.size; size++) {
      assert_false(survives(e.bytes, size, &random));
      unsigned char *cut = malloc(size + 1); /* with everything in order that the head says */
      if (!cut) fail_msg("out of memory");
      memcpy(cut, e.bytes, size);
      clip_bytes_seal(cut, size);
      const bool opened = survives(cut, size, &random);
      /* zeros at the end may be missing, but kernels read up to 32 bytes behind the knots */
      quatsimd_clip clip;
      if (opened && quatsimd_clip_open(&clip, cut, size) == QUATSIMD_OK && knots_end(&clip) + CLIP_OVERREAD > size)
        fail_msg("%s: the first %zu of %zu bytes are a clip", small[n], size, e.size);
      free(cut);
    }
    unsigned char *longer = malloc(e.size + 100);
    if (!longer) fail_msg("out of memory");
    memset(longer, 0, e.size + 100), memcpy(longer, e.bytes, e.size);
    assert_false(survives(longer, e.size + 1, &random)); /* not the size that the head says */
    clip_bytes_seal(longer, e.size + 100);
    assert_false(survives(longer, e.size + 100, &random));
    free(longer), free(e.bytes);
  }
}

/* Without the checksum made good, any change of a byte is found. */
static void single_bytes(void **state) {
  (void)state;
  uint64_t random = 2;
  for (size_t n = 0; n < SMALL; n++) {
    const encoded e = encode(small[n]);
    for (size_t i = 0; i < e.size; i++)
      for (int value = 1; value < 256; value++) {
        quatsimd_clip clip;
        e.bytes[i] ^= (unsigned char)value;
        if (quatsimd_clip_open(&clip, e.bytes, e.size) != QUATSIMD_BAD_CLIP) fail_msg("%s: byte %zu with %02x changed is a clip", small[n], i, value);
        e.bytes[i] ^= (unsigned char)value;
      }
    assert_true(survives(e.bytes, e.size, &random));
    free(e.bytes);
  }
}

/* With it, some damage cannot be seen. */
static void sealed_bytes(void **state) {
  (void)state;
  uint64_t random = 3;
  size_t opened = 0, tried = 0;
  for (size_t n = 0; n < SMALL; n++) {
    const encoded e = encode(small[n]);
    for (size_t i = 0; i < e.size; i++) {
      const unsigned char was = e.bytes[i], values[] = {0, 1, 0x7f, 0x80, 0xff, (unsigned char)(was + 1), (unsigned char)(was - 1), (unsigned char)(was ^ 0x10)};
      for (size_t v = 0; v < sizeof values; v++, tried++) {
        e.bytes[i] = values[v];
        clip_bytes_seal(e.bytes, e.size);
        opened += survives(e.bytes, e.size, &random);
      }
      e.bytes[i] = was;
    }
    free(e.bytes);
  }
  assert_true(opened > tried / 20 && opened < tried); /* both happen */
}

static void random_damage(void **state) {
  (void)state;
  enum { CLIPS = 100000 };
  uint64_t random = 4;
  size_t opened = 0;
  encoded all[SMALL];
  for (size_t n = 0; n < SMALL; n++) all[n] = encode(small[n]);
  for (size_t round = 0; round < CLIPS; round++) {
    const encoded e = all[round % SMALL];
    unsigned char *copy = malloc(e.size);
    if (!copy) fail_msg("out of memory");
    memcpy(copy, e.bytes, e.size);
    for (unsigned changes = (unsigned)(sweep_next(&random) % 6) + 1; changes > 0; changes--) { /* more of them at the front, where the sizes are */
      const size_t at = (size_t)(random_unit(&random) * random_unit(&random) * (double)e.size);
      copy[at] = (unsigned char)(sweep_next(&random) % 3 ? sweep_next(&random) : (uint64_t)copy[at] ^ 1u << sweep_next(&random) % 8);
    }
    clip_bytes_seal(copy, e.size);
    opened += survives(copy, e.size, &random);
    free(copy);
  }
  for (size_t n = 0; n < SMALL; n++) free(all[n].bytes);
  assert_true(opened > CLIPS / 50 && opened < CLIPS);
}

/* Payloads and floats of random bytes: the sections' sizes stay, everything in them is anything. */
static void random_payloads(void **state) {
  (void)state;
  uint64_t random = 5;
  for (size_t n = 0; n < SMALL; n++) {
    const encoded e = encode(small[n]);
    quatsimd_clip clip;
    assert_int_equal(quatsimd_clip_open(&clip, e.bytes, e.size), QUATSIMD_OK);
    size_t opened = 0;
    const size_t rounds = clip.part[0].moving ? 2000 : 0;
    for (size_t round = 0; round < rounds; round++) {
      unsigned char *copy = malloc(e.size);
      if (!copy) fail_msg("out of memory");
      memcpy(copy, e.bytes, e.size);
      /* knots and bases of rotations, whose bytes may be anything */
      const size_t knots = (size_t)(clip.part[0].knots - e.bytes), bases = (size_t)(clip.part[0].bases - e.bytes);
      for (size_t i = knots; i < knots + clip.part[0].row * (clip_blocks(clip.frames) + 1); i++) copy[i] = (unsigned char)sweep_next(&random);
      for (size_t i = bases; i < (size_t)(clip.part[0].slots - e.bytes); i++) copy[i] = (unsigned char)sweep_next(&random);
      const size_t unit = (size_t)(clip.part[0].widths - e.bytes) - 4; /* up to 1 */
      const float largest = 1;
      memcpy(copy + unit, &largest, 4);
      clip_bytes_seal(copy, e.size);
      opened += survives(copy, e.size, &random);
      free(copy);
    }
    assert_int_equal(opened, rounds);
    free(e.bytes);
  }
}

/* Knots wider than there are plans for, in a clip that has room for them. */
static void wide_knots(void **state) {
  (void)state;
  for (unsigned width = CLIP_KNOT_BITS; width < 256; width++) {
    encoded e = encode("two_frames");
    quatsimd_clip clip;
    assert_int_equal(quatsimd_clip_open(&clip, e.bytes, e.size), QUATSIMD_OK);
    const size_t at = (size_t)(clip.part[0].widths - e.bytes), knots = (size_t)(clip.part[0].knots - e.bytes), old = clip_row_bytes(e.bytes + at, clip.part[0].moving);
    e.bytes[at] = (unsigned char)width;
    const size_t more = 2 * (clip_row_bytes(e.bytes + at, clip.part[0].moving) - old);
    unsigned char *wide = calloc(1, e.size + more);
    if (!wide) fail_msg("out of memory");
    memcpy(wide, e.bytes, knots), memcpy(wide + knots + more, e.bytes + knots, e.size - knots);
    clip_bytes_seal(wide, e.size + more);
    uint64_t random = 6;
    assert_int_equal(survives(wide, e.size + more, &random), width == CLIP_KNOT_BITS);
    free(wide), free(e.bytes);
  }
}

/* For the fuzzer: the clips of this test, a file each, and before them the byte that asks for a checksum. */
static int write_corpus(const char *folder) {
  for (size_t n = 0; n < SMALL; n++) {
    char path[1000];
    const encoded e = encode(small[n]);
    snprintf(path, sizeof path, "%s/%s", folder, small[n]);
    FILE *file = fopen(path, "wb");
    if (!file || fputc(1, file) == EOF || fwrite(e.bytes, 1, e.size, file) != e.size || fclose(file) != 0) return perror(path), 1;
    free(e.bytes);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--corpus") == 0) return write_corpus(argv[2]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(truncated), cmocka_unit_test(single_bytes), cmocka_unit_test(sealed_bytes),
                                     cmocka_unit_test(random_damage), cmocka_unit_test(wide_knots), cmocka_unit_test(random_payloads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
