# cmocka, installed or (QUATSIMD_CMOCKA: the folder of its source) compiled here, for machines that have no package of it.
set(QUATSIMD_CMOCKA "" CACHE PATH "cmocka's source, for machines without cmocka")
if(QUATSIMD_CMOCKA)
  include(CheckSymbolExists)
  add_library(quatsimd_cmocka STATIC ${QUATSIMD_CMOCKA}/src/cmocka.c)
  check_symbol_exists(sigsetjmp setjmp.h QUATSIMD_SIGSETJMP)
  target_compile_definitions(quatsimd_cmocka PRIVATE HAVE_MALLOC_H HAVE_INTTYPES_H HAVE_SIGNAL_H HAVE_STRINGS_H
    HAVE_GCC_THREAD_LOCAL_STORAGE $<$<BOOL:${QUATSIMD_SIGSETJMP}>:HAVE_SIGLONGJMP>)
  target_compile_definitions(quatsimd_cmocka PUBLIC _UINTPTR_T) # by every C library, some under another name
  target_include_directories(quatsimd_cmocka PRIVATE ${QUATSIMD_CMOCKA}/include)
  if(MINGW) # whose printf is C11's as compiled here, but the attribute of cmocka's functions means Microsoft's
    target_compile_options(quatsimd_cmocka PUBLIC -Wno-format -Wno-format-extra-args)
  endif()
  set(CMOCKA_INCLUDE_DIR ${QUATSIMD_CMOCKA}/include)
  set(CMOCKA_LIBRARY quatsimd_cmocka)
else()
  find_path(CMOCKA_INCLUDE_DIR cmocka.h)
  find_library(CMOCKA_LIBRARY cmocka)
endif()
