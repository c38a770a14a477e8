# cmake --install: headers, the static library of each component in float and in double, and what find_package needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/headlight)
get_property(components DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER components INCLUDE REGEX "^headlight(_f64)?(_[a-z]+)?$")
list(REMOVE_ITEM components headlight_options)
if(TARGET headlight_command_line)
  list(APPEND components headlight_app_parts headlight_command_line)
endif()
foreach(component IN LISTS components)
  string(REGEX REPLACE "^headlight_" "" name ${component})
  set_target_properties(${component} PROPERTIES EXPORT_NAME ${name})  # headlight::core, headlight::f64_core, …
endforeach()
if(TARGET headlight_command_line)
  set_target_properties(headlight_command_line PROPERTIES EXPORT_NAME app)
endif()
install(TARGETS ${components} EXPORT headlight ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT headlight NAMESPACE headlight:: DESTINATION ${package_dir} FILE headlight-targets.cmake)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/headlight DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/headlight-config.cmake.in
  ${PROJECT_BINARY_DIR}/headlight-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/headlight-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/headlight-config.cmake ${PROJECT_BINARY_DIR}/headlight-config-version.cmake
  DESTINATION ${package_dir})
