/* Tests bundles of many clips, hostile bundles, and bundles of more than 4 GiB. */
#include "build.h"

#include "support/counted.h"

#include <time.h>
#if defined(__linux__) && SIZE_MAX > UINT32_MAX
#include <sys/mman.h>
#endif

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Opens a bundle three times. Returns the least time in seconds. */
static double open_bytes(fixture *f, const void *bytes, size_t size) {
  double least = 1e9;
  for (int i = 0; i < 3; i++) {
    const double start = seconds();
    assert_int_equal(quatsimd_bundle_open(&f->bundle, &f->storage, sizeof f->storage, bytes, size),
                     QUATSIMD_OK);
    least = seconds() - start < least ? seconds() - start : least;
  }
  return least;
}

/* ---- hostile records ---- */

/* Writes a name of four characters. The order of names is the order of numbers. */
static void put_name(unsigned char *to, size_t number) {
  for (int i = 3; i >= 0; i--) to[i] = (unsigned char)('0' + number % 64), number /= 64;
  to[4] = 0;
}

/* Returns a bundle of `clips` clips with records of `record` bytes. Each record claims to have three curves
 * for each of 65,536 joints. */
static unsigned char *hostile(size_t *size, size_t clips, size_t record) {
  enum { JOINTS = 65536, STATES = JOINTS / 4 + JOINTS / 8 };
  size_t skeleton_size;
  void *skeleton = made_chain(&skeleton_size, JOINTS, 0, "");
  unsigned char *settings = calloc(4 + 28 + 3 * STATES, 1), *index = calloc(12 * clips, 1),
                *of_names = malloc(5 * clips), *records = calloc(record * clips + QSB_TAIL, 1);
  assert_true(settings && index && of_names && records);
  qsb_put(settings, 1, 4);
  settings[4] = 7;                               /* rotations, translations and scales */
  qsb_put(settings + 8, 0x3ff0000000000000u, 8); /* one frame a second */
  for (int kind = 0; kind < 3; kind++) memset(settings + 32 + (size_t)kind * STATES, 0x55, JOINTS / 4);
  for (size_t i = 0; i < clips; i++) {
    put_name(of_names + 5 * i, i);
    qsb_put(index + 12 * i, 5 * i, 4), qsb_put(index + 12 * i + 4, record * i, 4);
    records[record * i] = 1, records[record * i + 2] = 1; /* one frame */
  }
  build b = {.clips = clips};
  build_insert(&b, 0, QSB_SKELETON | 1u << 31, skeleton, skeleton_size);
  build_insert(&b, 1, QSB_SETTINGS | 1u << 31, settings, 4 + 28 + 3 * STATES);
  build_insert(&b, 2, QSB_INDEX | 1u << 31, index, 12 * clips);
  build_insert(&b, 3, QSB_NAMES | 1u << 31, of_names, 5 * clips);
  build_insert(&b, 4, QSB_RECORDS | 1u << 31, records, record * clips + QSB_TAIL);
  unsigned char *bytes = build_bytes(&b, size);
  free(settings), free(index), free(of_names), free(records);
  quatsimd_skeleton_free(NULL, skeleton);
  return bytes;
}

/* Opening a hostile bundle must not take time for the curves that its records claim. The time of opening one
 * clip may grow with the number of these curves. */
static void hostile_records(void **state) {
  (void)state;
  static const struct {
    size_t clips, record;
    double most;
  } sizes[] = {{140000, 5, 0.5}, {700000, 20, 2}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    fixture f;
    size_t size, former_size;
    unsigned char *bytes = hostile(&size, sizes[s].clips, sizes[s].record),
                  *former = bundle_bytes_former(bytes, size, &former_size);
    const double spent = open_bytes(&f, former, former_size);
    print_message("%zu clips, version 1, %zu bytes: opened in %.3f s\n", sizes[s].clips, former_size, spent);
    assert_true(spent < sizes[s].most);
    const double now = open_bytes(&f, bytes, size);
    print_message("%zu clips, %zu bytes: opened in %.3f s\n", sizes[s].clips, size, now);
    assert_true(now < sizes[s].most);
    const double start = seconds();
    for (size_t i = 0; i < 100; i++) quatsimd_bundle_clip_memory_size(f.bundle, i * 1000);
    print_message("a clip: %.6f s\n", (seconds() - start) / 100);
    assert_true(seconds() - start < 2);
    free(bytes), free(former);
  }
}

/* Tests bundles with the largest number of clips, 1,048,576, and with one more. */
static void most_clips(void **state) {
  (void)state;
  for (size_t clips = QUATSIMD_BUNDLE_MOST; clips <= QUATSIMD_BUNDLE_MOST + 1; clips++) {
    fixture f;
    size_t size;
    unsigned char *bytes = hostile(&size, clips, 5);
    assert_int_equal(quatsimd_bundle_open(&f.bundle, &f.storage, sizeof f.storage, bytes, size),
                     clips == QUATSIMD_BUNDLE_MOST ? QUATSIMD_OK : QUATSIMD_ERROR_DAMAGED_BUNDLE);
    free(bytes);
  }
}

/* ---- many clips ---- */

static void many_clips(void **state) {
  (void)state;
  enum { CLIPS = 200000 };
  fixture f;
  const char *const one[] = {"three_frames", NULL};
  fixture_make(&f, one);
  quatsimd_bundle_entry *entry = calloc(CLIPS, sizeof *entry);
  char(*name)[16] = calloc(CLIPS, sizeof *name);
  void *data;
  size_t size;
  assert_true(entry && name);
  for (size_t i = 0; i < CLIPS; i++) {
    snprintf(name[i], sizeof name[i], "clip %06zu", i * 7919 % CLIPS);
    entry[i] = f.made.entry[0], entry[i].name = name[i], entry[i].event_count = 0;
  }
  const quatsimd_bundle_source source = {.struct_size = sizeof source,
                                         .entry_size = sizeof *entry,
                                         .skeleton = f.made.source.skeleton,
                                         .skeleton_size = f.made.source.skeleton_size,
                                         .clips = entry,
                                         .clip_count = CLIPS};
  counted_memory c = {0};
  const quatsimd_allocator allocator = counted_allocator(&c);
  const double start = seconds();
  assert_int_equal(quatsimd_bundle_encode(&data, &size, &source, &allocator, NULL), QUATSIMD_OK);
  print_message("%d clips, %zu bytes: encoded in %.3f s and %zu bytes of memory\n", CLIPS, size,
                seconds() - start, c.most);
  const double spent = open_bytes(&f, data, size);
  print_message("opened in %.3f s and %zu bytes of memory\n", spent, quatsimd_bundle_memory_size());
  assert_true(spent < 1);
  assert_int_equal(quatsimd_bundle_clip_count(f.bundle), CLIPS);
  for (size_t i = 0; i < CLIPS; i += 997) {
    const int64_t number = quatsimd_bundle_find_clip(f.bundle, name[i]);
    assert_true(number >= 0);
    assert_string_equal(quatsimd_bundle_clip_name(f.bundle, (size_t)number), name[i]);
    free(fixture_clip(&f, name[i]));
  }
  assert_int_equal(quatsimd_bundle_check(f.bundle, NULL), QUATSIMD_OK);
  quatsimd_bundle_free(&allocator, data);
  free(entry), free(name);
  fixture_free(&f);
}

/* ---- many events ---- */

/* Opens a bundle with the largest number of events, all of one clip. Finding those that a step passes takes
 * time for these alone. */
static void many_events(void **state) {
  (void)state;
  enum { EVENTS = QUATSIMD_BUNDLE_MOST, NAMES = 1000, STEPS = 10000 };
  fixture f;
  fixture_make(&f, (const char *const[]){"three_frames", NULL});
  quatsimd_bundle_event *event = calloc(EVENTS, sizeof *event);
  static char name[NAMES][16];
  assert_non_null(event);
  for (size_t i = 0; i < NAMES; i++) snprintf(name[i], sizeof name[i], "event %zu", i);
  for (size_t i = 0; i < EVENTS; i++)
    event[i] = (quatsimd_bundle_event){(double)i / EVENTS * 0.05, name[i * 7919 % NAMES]};
  quatsimd_bundle_entry entry = f.made.entry[0];
  entry.events = event, entry.event_count = EVENTS;
  quatsimd_bundle_source source = f.made.source;
  source.clips = &entry, source.clip_count = 1;
  quatsimd_bundle_free(NULL, f.data);
  assert_int_equal(quatsimd_bundle_encode(&f.data, &f.size, &source, NULL, NULL), QUATSIMD_OK);
  const double spent = open_bytes(&f, f.data, f.size);
  print_message("%d events, %zu bytes: opened in %.4f s\n", EVENTS, f.size, spent);
  assert_true(spent < 0.5);
  quatsimd_clip *clip = fixture_clip(&f, entry.name);
  assert_int_equal(quatsimd_clip_event_count(clip), EVENTS);
  const double start = seconds();
  size_t count = 0;
  quatsimd_clip_event found[8];
  for (size_t i = 0; i < STEPS; i++)
    count += quatsimd_clip_events_between(clip, found, 8, 0.05 * (double)i / STEPS,
                                          0.05 * (double)(i + 1) / STEPS, QUATSIMD_CLIP_WRAP_LOOP);
  print_message("a step: %.0f ns\n", (seconds() - start) * 1e9 / STEPS);
  assert_true(seconds() - start < 1);
  assert_true(count > EVENTS / 2);
  /* more passes than a size_t counts, of 2^53 + 1 rounds */
  assert_true(quatsimd_clip_events_between(clip, NULL, 0, -1e300, 1e300, QUATSIMD_CLIP_WRAP_LOOP) ==
              SIZE_MAX);
  free(clip), free(event);
  fixture_free(&f);
}

/* ---- more than 4 GiB ---- */

#ifdef MAP_NORESERVE
/* Tests a bundle whose first clip has 4 GiB. Nothing reads these bytes. The other clips follow them. */
static void large(void **state) {
  (void)state;
  fixture f;
  fixture_make(&f, (const char *const[]){"three_frames", "small_uneven", "small", NULL});
  build b = build_of(&f);
  const size_t more = (size_t)1 << 32, mapped_size = more + ((size_t)1 << 20);
  unsigned char index[3 * 16], *bytes = mmap(NULL, mapped_size, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) skip();
  b.count = 5; /* the clips are the last section */
  const unsigned char *of = b.part[2].bytes;
  for (size_t i = 0; i < 3; i++) {
    memcpy(index + 16 * i, of + 12 * i, 4);
    qsb_put(index + 16 * i + 4, i ? more + qsb_get(of + 12 * i + 4) : 0, 8);
    memcpy(index + 16 * i + 12, of + 12 * i + 8, 4);
  }
  b.part[2].bytes = index, b.part[2].size = sizeof index;
  size_t size;
  unsigned char *small = build_bytes(&b, &size), *entry = bytes + QSB_HEAD + 4 * QSB_ENTRY;
  const unsigned char *clips = qsb_section(small, size, QSB_RECORDS).at;
  memcpy(bytes, small, (size_t)(clips - small));
  memcpy(bytes + (clips - small) + more, clips, b.part[4].size);
  qsb_put(entry + QSB_ENTRY_SIZE, more + b.part[4].size, 8);
  qsb_put(bytes + QSB_SIZE, more + size, 8);
  /* bundle_bytes_seal does not know entries of 16 bytes, and has changed the index */
  const qsb_part part = qsb_section(bytes, size, QSB_INDEX);
  memcpy(part.at, index, sizeof index);
  qsb_put(part.entry + QSB_ENTRY_CHECKSUM, XXH32(index, sizeof index, 0), 4);
  qsb_put(bytes + QSB_CHECKSUM, XXH32(bytes + QSB_SIZE, QSB_HEAD + 5 * QSB_ENTRY - QSB_SIZE, 0), 4);
  size_t length;
  assert_int_equal(quatsimd_bundle_peek_size(&length, bytes, 24), QUATSIMD_OK);
  assert_true(length == more + size);
  assert_true(open_bytes(&f, bytes, more + size) < 0.1);
  free(fixture_clip(&f, "small_uneven"));
  free(fixture_clip(&f, "three_frames"));
  quatsimd_bundle_trust(f.bundle); /* so that no checksum of the 4 GiB is computed */
  assert_int_equal(quatsimd_bundle_clip_memory_size(f.bundle, 0), 0);
  free(small);
  munmap(bytes, mapped_size);
  fixture_free(&f);
}
#else
static void large(void **state) {
  (void)state;
  print_message("SKIP: bundles of more than 4 GiB are tested on 64-bit Linux\n");
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hostile_records), cmocka_unit_test(most_clips),
                                     cmocka_unit_test(many_clips), cmocka_unit_test(many_events),
                                     cmocka_unit_test(large)};
  return cmocka_run_group_tests_name("many clips", tests, NULL, NULL);
}
