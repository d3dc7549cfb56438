# Stages lint (quick) and analysis: what can be said of the sources without running them.

packages_lint=("${clang_packages[@]}" clang-format cppcheck black python3-pyflakes shfmt shellcheck)
packages_analysis=("${clang_packages[@]}" clang-tidy "${docs_packages[@]}" nodejs npm)

# compile_commands.json, and the sources that the build makes.
build_lint() {
  build lint release quatsimd_command_embedded -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DQUATSIMD_TESTS=OFF
}

formatted() {
  local version
  version=$(clang-format --version | grep -oE 'version [0-9]+' | tr -dc 0-9)
  if [ "$version" != 14 ]; then # each version has a taste of its own
    skip "formatting: clang-format 14 is needed, and this is $version"
    return
  fi
  git ls-files -z '*.c' '*.h' '*.cc' '*.cpp' ':!third_party' | xargs -0 clang-format --dry-run -Werror
}

python_files() { { git ls-files '*.py' ':!third_party' ':!python/quatsimd/_declarations.py' && git grep -lE '^#!.*python' -- ':!*.py' ':!third_party'; } | sort; }
shell_files() { { git ls-files '*.sh' dev && git grep -lE '^#!/bin/(ba)?sh' -- ':!*.sh' ':!dev' ':!third_party'; } | sort; }

# Without its program a check is skipped.
lint_with() { # program, check
  local program=$1
  shift
  if command -v "$program" >/dev/null || "$python" -c "import $program" 2>/dev/null; then check "$*" "$@"; else skip "$*: $program is missing"; fi
}

black_python() {
  if [[ $(black --version) != "black, 23."* ]]; then # each year's has a taste of its own
    skip "formatting of Python: black 23 is needed, and this is $(black --version | head -n 1)"
    return
  fi
  python_files | xargs black --check --quiet --diff --line-length 140
}

# clang-format leaves comments alone, since it would tear their tables. Lines of .def files are tables, too.
narrow() { ! git grep -nE '^.{111}' -- '*.c' '*.h' '*.cc' '*.cpp' ':!third_party'; }

pyflakes_python() { python_files | xargs "$python" -m pyflakes; }
shfmt_shell() { shell_files | xargs shfmt -i 2 -d; }
shellcheck_shell() { shell_files | xargs shellcheck --severity=warning; } # .shellcheckrc

plain_comments() {
  scripts/comments.py --self-test &&
    git ls-files -z 'src/*.[ch]' 'src/*.def' 'include/*.h' 'tests/*.[ch]' 'tests/*.cpp' | xargs -0 scripts/comments.py
}

runnable() {
  git ls-files -s ':!third_party' | awk '$1 == 100644 { print $4 }' |
    xargs awk 'FNR == 1 && /^#!/ { print FILENAME ": begins with #! and is not executable"; bad = 1 } END { exit bad }'
}

# The library is ISO C11 and intrinsics.
words_of_compilers() {
  git grep -nE '__(attribute|attribute__|builtin_\w+|GNUC__|clang__|asm|asm__|declspec|extension__|inline|inline__|int128|restrict|typeof__|sync_\w+|atomic_\w+|has_\w+)\>|\<(vector_size|typeof|asm)\>|_Pragma|# *pragma' -- \
    src ':!src/core/compiler.h' ':!src/core/compiler_cl.h'
  [ $? = 1 ] # nothing found; an error of git is no success
}

stage_lint() {
  build_lint || return 1
  check "bash -n dev" bash_syntax
  check "programs are executable" runnable
  check clang-format formatted
  check "at most 110 columns" narrow
  check "only core/compiler.h and core/compiler_cl.h have words of compilers" words_of_compilers
  lint_with black black_python
  lint_with pyflakes pyflakes_python
  lint_with shfmt shfmt_shell
  lint_with shellcheck shellcheck_shell
  check "comments: no questions, none that begins with \"Of\", no words of scripts/words.txt" plain_comments
  check "only tools/system opens files" files_by_system
  check "no files call each other in a circle" circles
  check cppcheck quietly build/lint/cppcheck.log cppcheck --project=build/lint/compile_commands.json -j "$jobs" --quiet --inline-suppr \
    --enable=warning,performance,portability --suppressions-list=cmake/cppcheck.txt --error-exitcode=1
}

bash_syntax() {
  local file status=0
  for file in dev dev.d/*.sh .ci/run $(git ls-files '*.sh'); do bash -n "$file" || status=1; done
  return $status
}

circles() { scripts/circles.py --self-test && scripts/circles.py src bench; }

# Else names beyond ASCII, and long ones, are not found on Windows.
files_by_system() {
  ! git grep -nE '\<(fopen|freopen|l?stat|unlink|remove|rename|opendir|mkdir|tmpfile|realpath)\(' -- 'tools/*.[ch]' ':!tools/system' \
    ':!tools/readers/child.c'
}

stage_analysis() {
  build_lint || return 1
  check clang-tidy tidy
  npm_packages
  if [ -x $biome ]; then
    check "biome: JavaScript" biome_javascript
  else
    skip "formatting and lint of JavaScript: npm did not install biome"
  fi
  check "doxygen include/quatsimd/*.h" quietly build/lint/doxygen.log cmake --build build/lint --target reference
}

biome=build/npm/node_modules/.bin/biome
javascript_files() { git ls-files '*.js' '*.mjs' '*.mts' '*.ts' ':!third_party'; }
biome_javascript() { javascript_files | xargs $biome check --error-on-warnings --max-diagnostics=50; } # biome.jsonc

# Every C file that the build compiles: kernels of other machines are not among them.
tidy() {
  sed -n "s|^ *\"file\": \"$root/\(.*\.c\)\",*$|\1|p" build/lint/compile_commands.json | grep -vE '^(third_party|build)/' | sort -u >build/lint/sources.txt
  [ -s build/lint/sources.txt ] || return 1
  quietly build/lint/clang-tidy.log xargs -a build/lint/sources.txt -n 4 -P "$jobs" clang-tidy -p build/lint --quiet
}
