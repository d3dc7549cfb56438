#pragma once
#include <stddef.h>
void *malloc(size_t size);
void free(void *memory);
char *getenv(const char *name);
unsigned long _byteswap_ulong(unsigned long value);
unsigned long long _byteswap_uint64(unsigned long long value);
