# ./dev amalgamate: all of the library in one source and one header.

amalgamate() {
  must_have gcc libc6-dev python3
  "$python" scripts/amalgamate.py build/amalgamation || exit 1
  say "the library is in build/amalgamation/quatsimd.c and quatsimd.h (docs/embedding.md)"
}
