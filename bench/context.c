/* On what and of what was measured: the head of every output. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "core/dispatch.h"
#include "shim.h"

/* Into the head of what Google Benchmark writes; with --count, for bench/gate. */
static void about(const char *key, const char *value) {
  if (counting()) printf("%s: %s\n", key, value);
  else bench_add_context(key, value);
}

void add_contexts(void) {
  char text[256] = "", family[64] = "";
  for (size_t i = 0; quatsimd_kernel_list[i]; i++)
    if (has_arrays(i))
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " " : "",
               quatsimd_kernel_list[i]->name);
  about("kernels", text);
  about("active_kernels", quatsimd_isa());
  about("quatsimd_version", quatsimd_version());
  about("peers", peer_versions());
  about("compiler", QUATSIMD_BENCH_COMPILER);
  about("flags", QUATSIMD_BENCH_FLAGS);
  about("machine", QUATSIMD_BENCH_MACHINE);
  if (!counting()) {
    double ghz = 0;
    for (int i = 0; i < 100; i++) { /* 0.03 s, for the clock to go up */
      double now = clock_ghz(1000000);
      ghz = now > ghz ? now : ghz;
    }
    snprintf(text, sizeof text, "%.3f", ghz);
    about("clock_ghz", text);
  }

  FILE *file = fopen("/proc/cpuinfo", "r"); /* the first processor */
  char cpu[256] = "";
  while (file && fgets(text, sizeof text, file) && *text != '\n') {
    char *value = strchr(text, ':');
    if (!value) continue;
    text[strcspn(text, "\n")] = 0;
    value += 1 + strspn(value + 1, " ");
    if (!strncmp(text, "model name", 10)) snprintf(cpu, sizeof cpu, "%s", value);
    /* of virtual machines the name may say little */
    else if (!strncmp(text, "cpu family", 10) || !strncmp(text, "model\t", 6))
      snprintf(family + strlen(family), sizeof family - strlen(family), "%s%.16s", *family ? "." : "", value);
  }
  if (file) fclose(file);
  if (*family) snprintf(cpu + strlen(cpu), sizeof cpu - strlen(cpu), " (family %s)", family);
  if (*cpu) about("cpu", cpu);
}
