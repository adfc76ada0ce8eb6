# The command `reeve`, and what it shares with the benchmarks and the tests.

# Text as JSON, folders, the clock, the scenes of scenes/: what any program here may use.
include(${PROJECT_SOURCE_DIR}/cmake/templates.cmake)
file(GLOB supportSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/support/*.c)
add_library(reeve-support STATIC ${supportSources} ${CMAKE_BINARY_DIR}/templates.c)
target_include_directories(reeve-support PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(reeve-support PUBLIC reeve m)

if(NOT TARGET reeve-scene)
    message(STATUS "reeve (command): there is no scene library, left out")
    return()
endif()

file(GLOB_RECURSE commandSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/*.c)
set(main ${PROJECT_SOURCE_DIR}/app/main.c)
list(REMOVE_ITEM commandSources ${main})
list(FILTER commandSources EXCLUDE REGEX "/app/sweep/") # cmake/sweep.cmake
include(${PROJECT_SOURCE_DIR}/cmake/view.cmake)

# All but main.c, once, for the command and for the tests of its parts.
add_library(reeve-command-objects OBJECT ${commandSources})
target_include_directories(reeve-command-objects PUBLIC ${PROJECT_SOURCE_DIR}/app)
target_link_libraries(reeve-command-objects PUBLIC reeve-support reeve-scene reeve-reference)
if(REEVE_HAS_VIEW)
    target_sources(reeve-command-objects PRIVATE ${viewPage})
    target_link_libraries(reeve-command-objects PUBLIC PkgConfig::libwebsockets Threads::Threads)
endif()

add_executable(reeve-command ${main})
set_target_properties(reeve-command PROPERTIES OUTPUT_NAME reeve)
target_link_libraries(reeve-command PRIVATE reeve-command-objects)
include(${PROJECT_SOURCE_DIR}/cmake/sweep.cmake)
