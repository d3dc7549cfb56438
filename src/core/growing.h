/* Public structs that begin with their size in bytes. Later versions add members, so a caller's struct may be
 * shorter or longer than this version's. */
#ifndef QUATSIMD_GROWING_H
#define QUATSIMD_GROWING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* the largest size that the public headers allow; a larger one means that nobody filled the struct */
enum { GROWING_MOST = 4096 };

static inline bool growing_is_size(size_t size, size_t first) {
  return size >= first && size <= GROWING_MOST;
}

/* Fills the caller's struct of `size` bytes from `own`, which has the defaults. The first version's struct
 * had `first` bytes. Returns false if `size` is not valid. */
static inline bool growing_init(void *to, size_t size, const void *own, size_t own_size, size_t first) {
  if (!to || !growing_is_size(size, first)) return false;
  memset(to, 0, size);
  memcpy(to, own, size < own_size ? size : own_size);
  memcpy(to, &size, sizeof size);
  return true;
}

/* Returns true if all members behind the first own_size bytes, which this version does not know, are zero. */
static inline bool growing_is_known(const void *from, size_t size, size_t own_size) {
  for (size_t i = own_size; i < size; i++)
    if (((const unsigned char *)from)[i] != 0) return false;
  return true;
}

/* Copies the caller's struct over `own`, which has the defaults. Returns false if the caller's struct was not
 * filled, or sets a member that this version does not know. */
static inline bool growing_read(void *own, size_t own_size, const void *from, size_t first) {
  size_t size;
  memcpy(&size, from, sizeof size);
  if (!growing_is_size(size, first) || !growing_is_known(from, size, own_size)) return false;
  memcpy(own, from, size < own_size ? size : own_size);
  return true;
}

/* Writes `own` to the caller's struct, except its size and the members that the caller's struct lacks. */
static inline void growing_write(void *to, const void *own, size_t own_size) {
  size_t size;
  memcpy(&size, to, sizeof size);
  memcpy(to, own, size < own_size ? size : own_size);
  memcpy(to, &size, sizeof size);
}

#endif
