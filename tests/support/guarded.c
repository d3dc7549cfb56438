#define _DEFAULT_SOURCE /* for anonymous mmap */
#include "support/guarded.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
#elif !defined(__wasm__)
#include <sys/mman.h>
#endif

arena arena_new(size_t size) {
  const size_t page = 65536, inner = (size + page - 1) / page * page; /* no machine has larger pages */
#ifdef _WIN32
  DWORD old;
  unsigned char *map = VirtualAlloc(NULL, inner + 2 * page, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
  if (!map || !VirtualProtect(map + page, inner, PAGE_READWRITE, &old))
    fputs("VirtualAlloc failed\n", stderr), exit(1);
#elif defined(__wasm__)
  /* WebAssembly has no pages to protect; tests on other machines find accesses behind the arena */
  unsigned char *map = malloc(inner + 2 * page);
  if (!map) perror("malloc"), exit(1);
#else
  unsigned char *map = mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED || mprotect(map + page, inner, PROT_READ | PROT_WRITE) != 0) perror("mmap"), exit(1);
#endif
  return (arena){map + page, map + page + inner};
}
