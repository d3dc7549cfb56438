# Tests of shaders/: do they compile, and do they compute what the library does? Label: quick.
set(shaders ${PROJECT_SOURCE_DIR}/shaders)

# The Khronos compiler, of Debian's glslang-tools. It must have nothing to say.
find_program(QUATSIMD_GLSLANG glslangValidator)
function(quatsimd_shader_compiles name) # argument...
  add_test(NAME shader_${name} COMMAND ${QUATSIMD_GLSLANG} -I${shaders} ${ARGN})
  set_tests_properties(shader_${name} PROPERTIES LABELS quick FAIL_REGULAR_EXPRESSION "WARNING:;Warning,;ERROR:;RelaxedPrecision")
endfunction()
if(CMAKE_CROSSCOMPILING)
  message(STATUS "SKIP: shaders are not compiled in a cross build, they are the same")
elseif(NOT QUATSIMD_GLSLANG)
  message(STATUS "SKIP: no glslangValidator, so the shaders are not compiled with it")
else()
  foreach(kind IN ITEMS "vert 300 es" "vert 330" "vert 450" "frag 300 es" "frag 330" "frag 450" "comp 310 es" "comp 430" "comp 450" "frag 310 es")
    string(REGEX MATCH "([a-z]+) (.*)" kind ${kind})
    set(stage ${CMAKE_MATCH_1})
    set(version ${CMAKE_MATCH_2})
    string(REPLACE " " "" name "${version}.${stage}")
    configure_file(${CMAKE_CURRENT_LIST_DIR}/shaders/wrapper.${stage}.in ${CMAKE_CURRENT_BINARY_DIR}/shaders/${name} @ONLY)
    if(name STREQUAL 310es.frag)
      # Compiled to SPIR-V, which says RelaxedPrecision where something became mediump.
      quatsimd_shader_compiles(highp -G --auto-map-locations -H -o ${CMAKE_CURRENT_BINARY_DIR}/shaders/highp.spv
        ${CMAKE_CURRENT_BINARY_DIR}/shaders/${name})
    else()
      quatsimd_shader_compiles(${name} -l ${CMAKE_CURRENT_BINARY_DIR}/shaders/${name}) # -l: or -I is not looked at
    endif()
  endforeach()
  foreach(entry IN ITEMS vert:vertex frag:pixel comp:compute)
    string(REPLACE ":" ";" entry ${entry})
    list(POP_FRONT entry stage)
    quatsimd_shader_compiles(hlsl.${stage} -D -V --auto-map-bindings --auto-map-locations -S ${stage} -e ${entry}_main
      -o ${CMAKE_CURRENT_BINARY_DIR}/shaders/${stage}.spv ${CMAKE_CURRENT_LIST_DIR}/shaders/wrapper.hlsl)
  endforeach()
endif()

# Run, by Mesa's software driver. It keeps memory until the end, which LeakSanitizer reports as a leak.
find_path(EGL_INCLUDE_DIR EGL/eglext.h)
find_path(GLES3_INCLUDE_DIR GLES3/gl31.h)
find_library(EGL_LIBRARY EGL)
find_library(GLES2_LIBRARY GLESv2)
if(CMAKE_CROSSCOMPILING)
  message(STATUS "SKIP: shaders are not run in a cross build")
elseif("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}}" MATCHES "-fsanitize")
  message(STATUS "SKIP: shaders are not run with sanitizers, which report leaks of the driver")
elseif(NOT EGL_INCLUDE_DIR OR NOT GLES3_INCLUDE_DIR OR NOT EGL_LIBRARY OR NOT GLES2_LIBRARY)
  message(STATUS "SKIP: no EGL or no OpenGL ES (Debian: libgles-dev), so the shaders are not run")
else()
  quatsimd_test(test_shaders quick ${EGL_LIBRARY} ${GLES2_LIBRARY})
  target_include_directories(test_shaders SYSTEM PRIVATE ${EGL_INCLUDE_DIR} ${GLES3_INCLUDE_DIR})
  target_compile_definitions(test_shaders PRIVATE QUATSIMD_SHADERS="${shaders}")
  set_tests_properties(test_shaders PROPERTIES ENVIRONMENT LIBGL_ALWAYS_SOFTWARE=1)
endif()
