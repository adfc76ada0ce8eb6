# The command `reeve`, and the other engines that `reeve bench` measures against.
file(GLOB_RECURSE commandSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/*.c)
if(NOT commandSources OR NOT TARGET reeve-scene)
    message(STATUS "reeve (command): no sources, left out")
    return()
endif()

add_executable(reeve-command ${commandSources})
set_target_properties(reeve-command PROPERTIES OUTPUT_NAME reeve)
target_include_directories(reeve-command PRIVATE ${PROJECT_SOURCE_DIR}/app)
target_link_libraries(reeve-command PRIVATE reeve-scene reeve m)
