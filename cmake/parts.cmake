# The parts beside the library. Each is built where its needs are found; one that is ON by -D is an error without them.
#
# quatsimd_part(PART default name): the option QUATSIMD_PART, ON, OFF or AUTO, which is the default.
macro(quatsimd_part part default name)
  set(QUATSIMD_${part} AUTO CACHE STRING "Build the ${name}: ON, OFF or AUTO")
  set_property(CACHE QUATSIMD_${part} PROPERTY STRINGS AUTO ON OFF)
  set(QUATSIMD_${part}_NAME "${name}")
  set(QUATSIMD_${part}_ASKED ON)
  if(QUATSIMD_${part} STREQUAL AUTO)
    set(QUATSIMD_${part}_ASKED OFF)
    set(QUATSIMD_${part} ${default})
  endif()
endmacro()

# quatsimd_needs(PART variable need): PART is not built unless the variable is true.
set(QUATSIMD_NOT_BUILT)
macro(quatsimd_needs part variable need)
  if(QUATSIMD_${part} AND NOT ${variable})
    if(QUATSIMD_${part}_ASKED)
      message(FATAL_ERROR "QUATSIMD_${part} is ON, and there is no ${need}")
    endif()
    set(QUATSIMD_${part} OFF)
    string(APPEND QUATSIMD_NOT_BUILT "\n  not built: ${QUATSIMD_${part}_NAME}, as there is no ${need}")
  endif()
endmacro()

# Says what is built, at the end.
function(quatsimd_say_parts)
  set(kernels ${QUATSIMD_ISAS} scalar)
  list(JOIN kernels " " kernels)
  list(JOIN QUATSIMD_KINDS ", " kinds)
  set(built "library (${kinds})")
  foreach(part IN ITEMS TOOL TESTS BENCH EXAMPLES FUZZ PYTHON)
    if(QUATSIMD_${part})
      string(APPEND built ", ${QUATSIMD_${part}_NAME}")
    endif()
  endforeach()
  message(STATUS "quatsimd ${PROJECT_VERSION}\n  kernels: ${kernels}\n  built: ${built}${QUATSIMD_NOT_BUILT}")
endfunction()
