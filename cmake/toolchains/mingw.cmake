# Windows, 64 bits, with Debian's gcc-mingw-w64-x86-64-posix or clang (-DQUATSIMD_CLANG=ON), and wine64 for the tests.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES QUATSIMD_CLANG)
if(QUATSIMD_CLANG)
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_C_COMPILER_TARGET x86_64-w64-mingw32)
else()
  set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
  set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
endif()
if(QUATSIMD_CLANG) # which does not find gcc's library by itself
  execute_process(COMMAND x86_64-w64-mingw32-gcc-posix -print-libgcc-file-name OUTPUT_VARIABLE libgcc OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(libgcc "${libgcc}" DIRECTORY)
  set(library_path " -L${libgcc}")
endif()
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_C_FLAGS_INIT -D__USE_MINGW_ANSI_STDIO=1) # printf of C11, for the tests
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static${library_path}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${library_path}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(ENV{PKG_CONFIG_LIBDIR} /usr/x86_64-w64-mingw32/lib/pkgconfig) # not this machine's libraries
include(${CMAKE_CURRENT_LIST_DIR}/wine.cmake)
