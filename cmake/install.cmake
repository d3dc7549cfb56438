# Headers, both libraries, shaders, documentation, the CMake package quatsimd::quatsimd and quatsimd.pc.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/quatsimd DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES shaders/quatsimd.glsl shaders/quatsimd.hlsl DESTINATION ${CMAKE_INSTALL_DATADIR}/quatsimd/shaders)
file(GLOB pages CONFIGURE_DEPENDS docs/*.md docs/*.svg docs/*.png docs/*.json) # what the headers and the command's help refer to
install(FILES README.md NEWS.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY third_party DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN LICENSE PATTERN README.md) # of what is compiled in
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY docs/web DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs) # pictures
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.c" PATTERN "*.h" PATTERN "*.json" PATTERN slurm EXCLUDE PATTERN assets EXCLUDE)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/quatsimd)
foreach(kind IN LISTS QUATSIMD_KINDS) # each in a file of its own, since they need different packages
  string(REGEX REPLACE "^s" "S" export ${kind})
  install(TARGETS quatsimd_${kind} EXPORT quatsimd${export}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT quatsimd${export} NAMESPACE quatsimd:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/quatsimdConfig.cmake.in
  ${PROJECT_BINARY_DIR}/quatsimdConfig.cmake INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/quatsimdConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/quatsimdConfig.cmake ${PROJECT_BINARY_DIR}/quatsimdConfigVersion.cmake
  DESTINATION ${package_dir})

# Relative to the file itself, so that `cmake --install --prefix` may move it; absolute where the directories are.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(pc_private_libs)
if(CpuFeatures_FOUND)
  set(pc_private_libs "-lcpu_features")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/quatsimd.pc.in ${PROJECT_BINARY_DIR}/quatsimd.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/quatsimd.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
endif()
