# The command `reeve`, and the other engines that `reeve bench` measures against.
file(GLOB_RECURSE commandSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/*.c)
if(NOT commandSources)
    message(STATUS "reeve (command): no sources, left out")
    return()
endif()
set(main ${PROJECT_SOURCE_DIR}/app/main.c)
list(REMOVE_ITEM commandSources ${main})
list(FILTER commandSources EXCLUDE REGEX "/peer_")

# All but main.c, once, for the command and for the tests of its parts.
include(${PROJECT_SOURCE_DIR}/cmake/templates.cmake)
add_library(reeve-command-objects OBJECT ${commandSources} ${CMAKE_BINARY_DIR}/templates.c)
target_include_directories(reeve-command-objects PUBLIC ${PROJECT_SOURCE_DIR}/app)
target_link_libraries(reeve-command-objects PUBLIC reeve m)
if(TARGET reeve-scene)
    target_link_libraries(reeve-command-objects PUBLIC reeve-scene)
endif()

# A peer's driver is app/peer_<name>.*; it is compiled where the peer is installed and announced by
# REEVE_HAVE_<NAME>_PEER. `reeve bench` names those that are left out.
function(reeve_peer name source)
    if(EXISTS ${PROJECT_SOURCE_DIR}/${source})
        string(TOUPPER ${name} upper)
        target_sources(reeve-command-objects PRIVATE ${PROJECT_SOURCE_DIR}/${source})
        target_link_libraries(reeve-command-objects PUBLIC ${ARGN})
        target_compile_definitions(reeve-command-objects PRIVATE REEVE_HAVE_${upper}_PEER)
    endif()
endfunction()

if(REEVE_PEERS)
    target_include_directories(reeve-command-objects PRIVATE ${PROJECT_SOURCE_DIR}/hosts)
    reeve_peer(ode app/peer_ode.c PkgConfig::ode)
    reeve_peer(crane_ode app/peer_crane_ode.c PkgConfig::ode)

    find_path(MUJOCO_INCLUDE mujoco/mujoco.h)
    find_library(MUJOCO_LIBRARY mujoco)
    if(MUJOCO_INCLUDE AND MUJOCO_LIBRARY)
        reeve_peer(mujoco app/peer_mujoco.c ${MUJOCO_LIBRARY})
        reeve_peer(mujoco_rope app/peer_mujoco_rope.c ${MUJOCO_LIBRARY})
        reeve_peer(crane_mujoco app/peer_crane_mujoco.c ${MUJOCO_LIBRARY})
    endif()

    # Bullet speaks C++; nothing else does.
    include(CheckLanguage)
    check_language(CXX)
    pkg_check_modules(bullet QUIET IMPORTED_TARGET bullet-float64)
    if(CMAKE_CXX_COMPILER AND bullet_FOUND)
        enable_language(CXX)
        reeve_peer(bullet app/peer_bullet.cpp PkgConfig::bullet)
        reeve_peer(crane_bullet app/peer_crane_bullet.cpp PkgConfig::bullet)
    endif()
endif()

if(EXISTS ${main})
    add_executable(reeve-command ${main})
    set_target_properties(reeve-command PROPERTIES OUTPUT_NAME reeve)
    target_link_libraries(reeve-command PRIVATE reeve-command-objects)
endif()
