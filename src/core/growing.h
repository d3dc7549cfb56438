/* Public structs that begin with their size, so that they can grow: callers of another version fill them,
 * too. */
#ifndef QUATSIMD_GROWING_H
#define QUATSIMD_GROWING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { GROWING_MOST = 4096 }; /* as the public headers say; what is larger is a struct that nobody filled */

static inline bool growing_is_size(size_t size, size_t first) {
  return size >= first && size <= GROWING_MOST;
}

/* Fills the caller's struct, of `size` bytes. `own` has the defaults; the first version had `first` bytes. */
static inline bool growing_init(void *to, size_t size, const void *own, size_t own_size, size_t first) {
  if (!to || !growing_is_size(size, first)) return false;
  memset(to, 0, size);
  memcpy(to, own, size < own_size ? size : own_size);
  memcpy(to, &size, sizeof size);
  return true;
}

/* True if the bytes of the caller's struct, of `size` bytes, that this version does not know are zero. */
static inline bool growing_is_known(const void *from, size_t size, size_t own_size) {
  for (size_t i = own_size; i < size; i++)
    if (((const unsigned char *)from)[i] != 0) return false;
  return true;
}

/* Reads the caller's struct into `own`, which has the defaults. False if it was not filled, or says something
 * that is newer than this version. */
static inline bool growing_read(void *own, size_t own_size, const void *from, size_t first) {
  size_t size;
  memcpy(&size, from, sizeof size);
  if (!growing_is_size(size, first) || !growing_is_known(from, size, own_size)) return false;
  memcpy(own, from, size < own_size ? size : own_size);
  return true;
}

/* Writes as much of `own` as the caller's struct, which was filled, has room for; its size stays. */
static inline void growing_write(void *to, const void *own, size_t own_size) {
  size_t size;
  memcpy(&size, to, sizeof size);
  memcpy(to, own, size < own_size ? size : own_size);
  memcpy(to, &size, sizeof size);
}

#endif
