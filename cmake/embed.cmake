# quatsimd_embed(target file name...): each file becomes an array of characters of that name in C, with a 0 behind it, that
# the target links. Files are relative to the folder of this call. TARGET_embedded makes this C alone, for what reads sources.
#
# The build runs this file as a script to write the C: no tool but CMake, which runs on the machine that builds.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(REPEAT "......." 16 line) # 16 bytes
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  file(WRITE "${OUTPUT}" "const char ${NAME}[] = {\n${bytes}0};\n")
  return()
endif()

set(QUATSIMD_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(quatsimd_embed target)
  while(ARGN)
    list(POP_FRONT ARGN file name)
    get_filename_component(input ${file} ABSOLUTE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
    add_custom_command(OUTPUT ${output} DEPENDS ${input} ${QUATSIMD_EMBED_SCRIPT} VERBATIM COMMENT "Embedding ${file}"
      COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DNAME=${name} -DOUTPUT=${output} -P ${QUATSIMD_EMBED_SCRIPT})
    list(APPEND outputs ${output})
  endwhile()
  target_sources(${target} PRIVATE ${outputs})
  add_custom_target(${target}_embedded DEPENDS ${outputs})
  add_dependencies(${target} ${target}_embedded)
endfunction()
