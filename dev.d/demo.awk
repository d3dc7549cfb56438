# What `quatsimd compress --json` says of clips, in words. Inputs: sizes and paths of files, a line each; that JSON.

function value(text) {
  sub(/^[^:]*:[ \t]*"?/, "", text)
  sub(/"?,?$/, "", text)
  gsub(/\\"/, "\"", text)
  return text
}
function commas(n, text, end) {
  for (text = sprintf("%d", n); length(text) > 3; text = substr(text, 1, length(text) - 3)) end = "," substr(text, length(text) - 2) end
  return text end
}
function base(path) {
  sub(/.*\//, "", path)
  return path
}
function row(name, size, i, ratio) {
  ratio = bytes[i, "raw_bytes"] / bytes[i, "bytes"]
  printf "%-" width "s %11s %14s %14s  %6.1f times %s\n", name, commas(size), commas(bytes[i, "raw_bytes"]), commas(bytes[i, "bytes"]),
    ratio < 1 ? 1 / ratio : ratio, ratio < 1 ? "larger" : "smaller"
}

FNR == 1 { part++; all = 0 }
part == 1 { path = $0; sub(/^[0-9]+ /, "", path); size[path] = $1; next }
/"bundles":/ { ended = 1 }
ended { next }
/"all":/ { all = 1 }
/"file":/ {
  path = value($0)
  if (!seen[path]++) { name[++files] = path; sizes += size[path] } # a file may have several clips
  clips++
}
/"(raw_)?bytes":/ { split($0, key, "\""); bytes[all ? "all" : path, key[2]] += value($0) }
/"kernels":/ { kernels = value($0) }
/"seconds":/ && all { seconds = value($0) }
/"worst_rotation_error_degrees":/ && all { rotation = value($0) }
/"worst_translation_error":/ && all { translation = value($0) }
/"nanoseconds_per_moving_curve":/ { speed[++speeds] = value($0) }

END {
  width = 9
  if (files <= 8) for (i = 1; i <= files; i++) if (length(base(name[i])) > width) width = length(base(name[i]))
  printf "%-" width "s %11s %14s %14s\n", "", "file, bytes", "as floats", "as clips"
  if (files <= 8) for (i = 1; i <= files; i++) row(base(name[i]), size[name[i]], name[i])
  if (files != 1) row(files == 2 ? "both" : files " files", sizes, "all")
  printf "%d clip%s of %.0f seconds. Worst error:", clips, clips == 1 ? "" : "s", seconds
  if (rotation != "null") printf " %.5f degrees for rotations%s", rotation, translation != "null" ? "," : ""
  if (translation != "null") printf " %.5f of the file's unit for translations", translation
  printf ".\n"
  if (speeds) printf "Sampling on one thread, with %s kernels: %.0f ns per moving curve in playback, %.0f ns at random times.\n", kernels, speed[2], speed[1]
}
