#include "report/compress_report.h"

#include <stdio.h>

#include "base/quantity.h"
#include "base/text.h"

static size_t keys_of(const struct compress_sum *s) {
  return s->keys[0] + s->keys[1] + s->keys[2] + s->keys[3];
}

static void print_skeletons(const struct library *library) {
  const struct compress_sum *s = &library->sum;
  const char *from = library->compress.settings->skeleton.path;
  if (s->curves_left_out)
    printf("%s curve%s left out, of joints without a match in %s\n", text_number(s->curves_left_out),
           text_plural(s->curves_left_out), from ? from : "");
  if (s->skeleton_bytes) printf("%s bytes of skeletons\n", text_number(s->skeleton_bytes));
  if (s->bundle_bytes) printf("%s bytes of bundles, with their skeletons\n", text_number(s->bundle_bytes));
}

static void print_files(const struct library *library) {
  const struct compress_sum *s = &library->sum;
  const size_t others = library->compress.files->others;
  size_t files = 0;
  for (int i = 0; i < COMPRESS_OUTCOMES; i++) files += s->files[i];
  /* four numbers live at a time */
  printf("%s file%s: %s compressed, ", text_number(files), text_plural(files),
         text_number(s->files[COMPRESS_DONE]));
  if (s->files[COMPRESS_PART]) printf("%s in part, ", text_number(s->files[COMPRESS_PART]));
  printf("%s up to date, %s with nothing to compress, ", text_number(s->files[COMPRESS_CURRENT]),
         text_number(s->files[COMPRESS_STILL]));
  printf("%s failed\n", text_number(s->files[COMPRESS_FAILED]));
  if (others)
    printf("%s in the folders left out, whose names do not end as those of animations\n",
           text_number(others));
  if (s->left_out)
    printf("%s animation%s left out, see the messages\n", text_number(s->left_out), text_plural(s->left_out));
  if (s->missed)
    printf("%s clip%s beyond a bound, see the messages\n", text_number(s->missed), text_plural(s->missed));
}

static void print_share(const struct compress_sum *s, int of) {
  if (s->share[of] > 0) printf(" (%.3g %% of the bound)", 100 * s->share[of]);
}

/* Where bounds differ by file, lengths may not be of one unit. */
static void print_length(const struct compress_sum *s, int of, const char *what) {
  if (!s->mixed) {
    printf(", %.3g %s", s->worst[of], what);
    print_share(s, of);
  } else if (s->share[of] > 0) printf(", %.3g %% of the bound %s", 100 * s->share[of], what);
}

static void print_clips(const struct compress_sum *s, const struct bounds_asked *asked) {
  const size_t keys = keys_of(s);
  printf("%s clip%s, %.1f s of animation, %s keys\n", text_number(s->clips), text_plural(s->clips),
         s->seconds, text_number(keys));
  printf("%s bytes, %.2f bits per key, %s\n", text_number(s->bytes), 8 * (double)s->bytes / (double)keys,
         text_ratio(s->raw_bytes, (double)s->bytes));
  printf("off by at most %.6f degrees", s->worst[0] * DEGREES);
  print_share(s, QUATSIMD_CLIP_ROTATION);
  print_length(s, QUATSIMD_CLIP_TRANSLATION, "in translation");
  printf(", %.3g in scale", s->worst[2]);
  print_share(s, QUATSIMD_CLIP_SCALE);
  if (asked->bounds.distance > 0) print_length(s, CLIP_CHECK_OBJECT, "in object space");
  if (s->keys[QUATSIMD_CLIP_TRACK]) printf(", %.3g in tracks", s->track_worst);
  putchar('\n');
  if (s->moved > 0) printf("keys moved by at most %.3g ms, to even times\n", 1000 * s->moved);
  bounds_print(asked, s->mixed ? NULL : &s->bounds);
  putchar('\n');
}

void compress_report_print(const struct library *library) {
  const struct compress_sum *s = &library->sum;
  print_files(library);
  if (s->clips) print_clips(s, &library->compress.settings->asked);
  print_skeletons(library);
  printf("%.1f s", library->seconds);
  if (s->encoded_keys)
    printf(", %s keys per second; encoding took %.0f %% of the time, the rest reading, checking and writing",
           text_number((size_t)((double)s->encoded_keys / library->seconds)),
           100 * s->encode_seconds / s->work_seconds);
  putchar('\n');
}
