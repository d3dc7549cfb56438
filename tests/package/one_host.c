/* one_host PLUGIN: a program that shows its own copy of the library to plug-ins, and loads one with another
 * version. Prints both versions as their callers see them. */
#include "quatsimd.h"
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
  const char *(*version_of_plugin)(void) = NULL;
  if (plugin) *(void **)&version_of_plugin = dlsym(plugin, "plugin_version");
  if (!version_of_plugin) return 1;
  printf("host %s, plug-in %s\n", quatsimd_version(), version_of_plugin());
  return 0;
}
