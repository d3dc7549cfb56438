# The parts beside the library. Each is built where its needs are found; one that was asked for by -D is an error without them.
#
# quatsimd_part(PART default name): the option QUATSIMD_PART.
macro(quatsimd_part part default name)
  set(QUATSIMD_${part}_NAME "${name}")
  if(NOT DEFINED QUATSIMD_${part}_ASKED)
    set(QUATSIMD_${part}_ASKED "${QUATSIMD_${part}}" CACHE INTERNAL "")
  endif()
  option(QUATSIMD_${part} "Build the ${name}" ${default})
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
  foreach(part IN ITEMS TOOL TESTS BENCH EXAMPLES FUZZ)
    if(QUATSIMD_${part})
      string(APPEND built ", ${QUATSIMD_${part}_NAME}")
    endif()
  endforeach()
  message(STATUS "quatsimd ${PROJECT_VERSION}\n  kernels: ${kernels}\n  built: ${built}${QUATSIMD_NOT_BUILT}")
endfunction()
