/* NumPy's archives of arrays, which are ZIP: the one array of rotations in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "core/bytes.h"
#include "files/file.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "terminal/message.h"
#include "ufbx.h" /* for its inflater */

struct archive {
  const char *path;
  unsigned char *bytes;
  size_t size;
};

/* A file in the archive. */
struct member {
  const unsigned char *name; /* length bytes */
  size_t length, packed, size, start;
  unsigned method;
  uint32_t sum;
};

enum { STORED = 0, DEFLATED = 8, HEAD = 30, ENTRY = 46, END = 22 };

/* Finds the end record, which a comment may follow, and in it the directory. Null: this is no archive. */
static const unsigned char *find_end(const struct archive *a) {
  for (size_t at = a->size < END ? 0 : a->size - END + 1; at-- > 0 && a->size - at <= END + 0xffff;)
    if (memcmp(a->bytes + at, "PK\5\6", 4) == 0) return a->bytes + at;
  return NULL;
}

/* Reads the entry at *at of the directory and moves there to the next one. False if it is broken. */
static bool next_member(const struct archive *a, size_t *at, struct member *m) {
  if (*at > a->size || a->size - *at < ENTRY || memcmp(a->bytes + *at, "PK\1\2", 4) != 0) return false;
  const unsigned char *entry = a->bytes + *at;
  const size_t head = load_u32(entry + 42);
  *m = (struct member){
      entry + ENTRY,        load_u16(entry + 28), load_u32(entry + 20), load_u32(entry + 24), 0,
      load_u16(entry + 10), load_u32(entry + 16)};
  *at += ENTRY + m->length + load_u16(entry + 30) + load_u16(entry + 32);
  if (*at > a->size || head > a->size || a->size - head < HEAD) return false;
  m->start = head + HEAD + load_u16(a->bytes + head + 26) + load_u16(a->bytes + head + 28);
  return m->start <= a->size && m->packed <= a->size - m->start;
}

/* The check sum of ZIP, CRC-32. */
static uint32_t sum_of(const unsigned char *bytes, size_t size) {
  uint32_t table[256], sum = UINT32_MAX;
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
  }
  for (size_t i = 0; i < size; i++) sum = table[(sum ^ bytes[i]) & 255] ^ sum >> 8;
  return ~sum;
}

/* Unpacks a member, to be freed; null if it is broken or has a method that is not known. */
static unsigned char *unpack(const struct archive *a, const struct member *m) {
  if (m->method != STORED && m->method != DEFLATED) return NULL;
  unsigned char *bytes = m->size < SIZE_MAX ? memory_try(m->size + 1) : NULL;
  ufbx_inflate_retain retain;
  const ufbx_inflate_input input = {.total_size = m->packed,
                                    .data = a->bytes + m->start,
                                    .data_size = m->packed,
                                    .no_header = true,
                                    .no_checksum = true};
  retain.initialized = false;
  bool good = bytes != NULL;
  if (good && m->method == STORED) good = m->packed == m->size;
  if (good && m->method == STORED) memcpy(bytes, a->bytes + m->start, m->size);
  if (good && m->method == DEFLATED)
    good = ufbx_inflate(bytes, m->size, &input, &retain) == (ptrdiff_t)m->size;
  good = good && sum_of(bytes, m->size) == m->sum;
  if (!good) free(bytes);
  return good ? bytes : NULL;
}

static int name_length(const struct member *m) { return (int)(m->length < 200 ? m->length : 200); }

/* Unpacks the only array of rotations, to be freed, and in *size its bytes. Null and a complaint if there
 * is none, or if there are several. */
static unsigned char *find_rotations(const struct archive *a, size_t *size) {
  const unsigned char *end = find_end(a);
  struct member member;
  struct growing_text names = {0};
  unsigned char *found = NULL;
  char why[300];
  size_t at = end ? load_u32(end + 16) : 0, count = 0;
  uint64_t spent = a->size;
  const size_t members = end ? load_u16(end + 10) : 0;
  const char *wrong = end ? NULL : "is a broken archive: it has no directory";
  for (size_t i = 0; i < members && !wrong; i++) {
    const bool there = next_member(a, &at, &member);
    if (there) spent += member.size + member.packed; /* of all: each may name the same bytes */
    unsigned char *bytes = there && spent <= reader_memory() ? unpack(a, &member) : NULL;
    if (there && spent > reader_memory()) wrong = reader_over_memory();
    else if (!there) wrong = "is a broken archive";
    else if (!bytes) {
      const bool known = member.method == STORED || member.method == DEFLATED;
      snprintf(why, sizeof why, "its \"%.*s\" %s", name_length(&member), (const char *)member.name,
               known ? "is damaged" : "was packed in an unknown way");
      wrong = why;
    } else if (npy_has_rotations(bytes, member.size)) {
      text_add(&names, "%s\"%.*s\"", count++ ? ", " : "", name_length(&member), (const char *)member.name);
      if (count == 1) found = bytes, bytes = NULL, *size = member.size;
    }
    free(bytes);
  }
  if (wrong) complain(a->path, "%s", wrong);
  else if (count == 0) complain(a->path, "has no array of floats of shape (..., 4)");
  else if (count > 1)
    complain(a->path, "has several arrays of rotations, %.500s: save one as .npy", names.text);
  free(names.text);
  if (wrong || count != 1) free(found), found = NULL;
  return found;
}

static float *rotations(const char *path, struct npy *shape) {
  struct archive a = {.path = path};
  float *xyzw = NULL;
  size_t size = 0;
  a.bytes = (unsigned char *)file_read(path, &a.size);
  unsigned char *array = a.bytes ? find_rotations(&a, &size) : NULL;
  free(a.bytes);
  if (array && npy_take_bytes(path, array, size, 'f', shape)) {
    xyzw = npy_rotations(path, shape);
    npy_free(shape);
  }
  return xyzw;
}

static bool recognise(const char *path) { return file_name_ends(path, ".npz") && file_begins(path, "PK", 2); }

const struct reader reader_npz = {
    .name = "an archive of arrays", .endings = {".npz"}, .recognise = recognise, .rotations = rotations};
