/* quatsimd bundle: clips and their skeleton in one file. */
#include <stdlib.h>

#include "base/text.h"
#include "bundles/bundle.h"
#include "commands/command.h"
#include "files/names.h"
#include "terminal/message.h"
#include "terminal/print.h"

static bool write_bundle(const struct arguments *a, const struct clip_file *clip,
                         const struct skeleton_file *skeleton, const char *out) {
  struct bundle_part *part = memory_get(a->count, sizeof *part);
  const char **stem = memory_get(a->count, sizeof *stem);
  void *names = NULL;
  struct bundle_file made;
  for (size_t i = 0; i < a->count; i++) stem[i] = names_stem(names_file(a->operands[i]));
  const char **numbered = names_numbered(&names, stem, a->count);
  for (size_t i = 0; i < a->count; i++)
    part[i] = (struct bundle_part){numbered[i], a->operands[i], clip[i].data, clip[i].size, NULL, 0};
  const bool good =
      bundle_file_make(out, skeleton, part, a->count, NULL, NULL, &made) && bundle_file_write(out, &made);
  if (good) print_about(out, "%s bytes, %s\n", text_number(made.size), text_count(a->count, "clip"));
  bundle_file_free(&made);
  for (size_t i = 0; i < a->count; i++) free((char *)(uintptr_t)stem[i]);
  names_free(&names);
  free(numbered), free(stem), free(part);
  return good;
}

static bool bundle(const struct arguments *a, const char *path, const char *out) {
  struct skeleton_file skeleton;
  struct clip_file *clip = memory_get(a->count, sizeof *clip);
  bool good = skeleton_file_read(path, &skeleton);
  for (size_t i = 0; i < a->count && good; i++) good = clip_file_read(a->operands[i], &clip[i]);
  good = good && write_bundle(a, clip, &skeleton, out);
  for (size_t i = 0; i < a->count; i++) clip_file_free(&clip[i]);
  free(clip);
  skeleton_file_free(&skeleton);
  return good;
}

static int run(int argc, char **argv) {
  const char *out = NULL, *skeleton = NULL;
  int status;
  const struct option_row options[] = {{"skeleton", 0, .text = &skeleton, .is_path = true},
                                       {"output", 'o', .text = &out, .is_path = true},
                                       {0}};
  const struct command_line line = {"bundle", command_bundle.help, options, 1, ANY_NUMBER};
  struct arguments a;
  if (!arguments_parse(&a, &line, argc, argv, &status)) return status;
  if (!skeleton) return usage_error("bundle", "--skeleton FILE.qsk is missing");
  if (!out) return usage_error("bundle", "-o BUNDLE.qsb is missing");
  if (!bundle_file_has_name(out)) return usage_error("bundle", "-o: \"%s\" does not end in .qsb", out);
  return bundle(&a, skeleton, out) ? STATUS_OK : STATUS_BAD_INPUT;
}

const struct command command_bundle = {
    "bundle",
    "put clips and their skeleton into a bundle",
    {"Usage: quatsimd bundle --skeleton SKELETON.qsk -o BUNDLE.qsb CLIP...\n"
     "\n"
     "Makes a bundle of CLIPs (.qsc) and their skeleton, as your own program or\n"
     "`quatsimd extract` wrote them. Each clip is called as its file, without the\n"
     "ending. `quatsimd compress` makes bundles of animations at once.\n"
     "\n"
     "  --skeleton FILE    the skeleton, with which all CLIPs must have been encoded\n"
     "  -o, --output FILE  the bundle to write. An existing file is replaced once the\n"
     "                     new one is complete. Missing folders are made\n"
     "  -h, --help         print this text\n"
     "\n"
     "Example:\n"
     "  quatsimd bundle --skeleton hero.qsk -o hero.qsb walk.qsc run.qsc\n"
     "\n"
     "docs/bundle.md explains bundles.\n"},
    run,
};
