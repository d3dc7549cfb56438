/* quatsimd extract: clips and the skeleton out of a bundle. */
#include <stdlib.h>

#include "base/text.h"
#include "bundle/separate.h"
#include "bundles/bundle.h"
#include "commands/command.h"
#include "files/file.h"
#include "files/names.h"
#include "files/output.h"
#include "system/files.h"
#include "terminal/message.h"
#include "terminal/print.h"

static bool write_file(const char *path, const void *data, size_t size) {
  struct output output;
  if (!names_make_directory_of(path) || !output_open(&output, path)) return false;
  output_write(&output, data, size);
  if (!output_close(&output)) return false;
  print_about(path, "%s bytes\n", text_number(size));
  return true;
}

static bool write_skeleton(const struct bundle_file *bundle, const char *path) {
  struct skeleton_file skeleton;
  bundle_file_take_skeleton(bundle, &skeleton);
  const bool good = write_file(path, skeleton.data, skeleton.size);
  skeleton_file_free(&skeleton);
  return good;
}

/* The name is one of the bundle's. */
static bool write_clip(const struct bundle_file *bundle, const char *name, const char *path) {
  struct clip_file clip;
  void *data;
  size_t size;
  (void)bundle_file_open_clip(bundle, name, &clip);
  if (quatsimd_clip_separate(&data, &size, clip.clip, NULL) != QUATSIMD_OK) (void)memory_or_exit(NULL);
  const bool good = write_file(path, data, size);
  quatsimd_clip_free(NULL, data);
  clip_file_free(&clip);
  return good;
}

/* All of it, into a folder. */
static bool write_all(const struct bundle_file *bundle, const char *folder) {
  const quatsimd_bundle *b = bundle->bundle;
  void *names = NULL;
  char *skeleton = names_join(folder, "/", SKELETON_FILE);
  bool good = names_make_directories(folder) && write_skeleton(bundle, skeleton);
  for (size_t i = 0; good && i < quatsimd_bundle_clip_count(b); i++) {
    const char *name = quatsimd_bundle_clip_name(b, i);
    char *start = names_join(folder, "/", names_unique(&names, name, "animation")),
         *path = names_join(start, "", ".qsc");
    good = write_clip(bundle, name, path);
    free(start), free(path);
  }
  names_free(&names);
  free(skeleton);
  return good;
}

static bool extract(const char *path, const char *name, bool skeleton, const char *out) {
  struct bundle_file bundle;
  bool good = bundle_file_read(path, &bundle);
  if (!good) return false;
  if (name && quatsimd_bundle_find_clip(bundle.bundle, name) < 0) {
    complain(path, "has no clip \"%s\"; `quatsimd info` lists those that there are", name);
    good = false;
  } else if (name) good = write_clip(&bundle, name, out);
  else good = skeleton ? write_skeleton(&bundle, out) : write_all(&bundle, out);
  bundle_file_free(&bundle);
  return good;
}

/* So that a clip is not called as a bundle, or a folder as a clip. */
static int check_output(const char *out, bool skeleton, bool clip) {
  if (!out) return usage_error("extract", "-o OUT is missing");
  if (clip && !file_name_ends(out, ".qsc"))
    return usage_error("extract", "-o: \"%s\" does not end in .qsc, as clips do", out);
  if (skeleton && !file_name_ends(out, ".qsk"))
    return usage_error("extract", "-o: \"%s\" does not end in .qsk, as skeletons do", out);
  return STATUS_OK;
}

static int run(int argc, char **argv) {
  const char *out = NULL;
  bool skeleton = false;
  int status;
  const struct option_row options[] = {
      {"output", 'o', .text = &out, .is_path = true}, {"skeleton", 0, .flag = &skeleton}, {0}};
  const struct command_line line = {"extract", command_extract.help, options, 1, 2};
  struct arguments a;
  if (!arguments_parse(&a, &line, argc, argv, &status)) return status;
  const char *name = a.count > 1 ? a.operands[1] : NULL;
  if (skeleton && name) return usage_error("extract", "--skeleton does not go with the name of a clip");
  status = check_output(out, skeleton, name != NULL);
  if (status == STATUS_OK && !extract(a.operands[0], name, skeleton, out)) status = STATUS_BAD_INPUT;
  return status;
}

const struct command command_extract = {
    "extract",
    "take clips and the skeleton out of a bundle",
    {"Usage: quatsimd extract BUNDLE NAME -o CLIP.qsc\n"
     "       quatsimd extract BUNDLE --skeleton -o SKELETON.qsk\n"
     "       quatsimd extract BUNDLE -o DIR\n"
     "\n"
     "Writes a clip of a BUNDLE (.qsb, or glTF with a bundle in it), its skeleton, or\n"
     "all clips and skeleton.qsk. A clip in a file of its own gives the same poses,\n"
     "bit for bit, and takes more bytes. It has no events: those stay in the bundle.\n"
     "\n"
     "  -o, --output OUT   the file or folder to write. An existing file is replaced\n"
     "                     once the new one is complete. Missing folders are made\n"
     "  --skeleton         write the skeleton\n"
     "  -h, --help         print this text\n"
     "\n"
     "Examples:\n"
     "  quatsimd extract hero.qsb Walk -o walk.qsc        one clip\n"
     "  quatsimd extract hero.qsb --skeleton -o hero.qsk  the skeleton\n"
     "  quatsimd extract hero.qsb -o hero                 all\n"
     "\n"
     "docs/command.md says how files in DIR are called.\n"},
    run,
};
