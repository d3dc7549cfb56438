# ./dev docs

docs() {
  must_have "${build_packages[@]}" "${docs_packages[@]}"
  build docs release reference -DQUATSIMD_TOOL=OFF -DQUATSIMD_TESTS=OFF -DQUATSIMD_EXAMPLES=OFF || exit 1
  say "the API reference is in build/docs/reference/html/index.html"
}
