# What `quatsimd compress --json` says of clips, in words. Inputs: sizes of the animations' files, a line each; that JSON; the JSON of
# their rotations alone. acl: bytes of ACL 2.1 for these rotations, or 0.

function value(text) {
  sub(/^[^:]*:[ \t]*/, "", text)
  gsub(/[",]/, "", text)
  return text
}
function commas(n, text, end) {
  for (text = sprintf("%d", n); length(text) > 3; text = substr(text, 1, length(text) - 3)) end = "," substr(text, length(text) - 2) end
  return text end
}
function row(name, size, i) {
  printf "%-12s %15s %14s %14s  %6.1f times smaller\n", name, commas(size), commas(bytes[i, "raw_bytes"]), commas(bytes[i, "bytes"]),
    bytes[i, "raw_bytes"] / bytes[i, "bytes"]
}

FNR == 1 { part++; all = 0 }
part == 1 { size[++files] = $1; sizes += $1; next }
/"all":/ { all = 1 }
/"bytes":/ && all && part == 3 { rotations = value($0) }
part == 3 { next }
/"file":/ { name[++count] = value($0); sub(/.*\//, "", name[count]) }
/"(raw_)?bytes":/ { split($0, key, "\""); bytes[all ? "all" : count, key[2]] = value($0) }
/"kernels":/ { kernels = value($0) }
/"seconds":/ && all { seconds = value($0) }
/"worst_rotation_error_degrees":/ && all { rotation = value($0) }
/"worst_translation_error":/ && all { translation = value($0) }
/"nanoseconds_per_moving_curve":/ { speed[++speeds] = value($0) }

END {
  if (count == files && count <= 4) for (i = 1; i <= count; i++) row(name[i], size[i], i)
  if (count != 1) row(count == 2 ? "both" : count " clips", sizes, "all")
  printf "In %.0f s of animation the worst rotation is off by %.5f degrees", seconds, rotation
  if (translation != "null") printf ", the worst position by %.5f", translation
  print "."
  if (acl) {
    printf "Rotations alone take %s bytes, with ACL 2.1 %s: %.0f %%, with the same bound and files.\n", commas(rotations), commas(acl),
      100 * rotations / acl
    print "(ACL was measured once: docs/clip.md, \"What it costs\". The demo does not run it.)"
  }
  printf "Sampling on one thread, with %s kernels: %.0f ns per moving curve in playback, %.0f at random times.\n", kernels, speed[2], speed[1]
}
