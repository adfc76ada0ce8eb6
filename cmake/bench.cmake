# reeve-bench, the program behind `reeve bench`, and the other engines that it measures against.
file(GLOB_RECURSE benchSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
set(main ${PROJECT_SOURCE_DIR}/bench/main.c)
list(REMOVE_ITEM benchSources ${main})
list(FILTER benchSources EXCLUDE REGEX "/bench/peers/")

# All but main.c, once, for the program and for the tests of its parts. Benchmarks may look inside the models.
add_library(reeve-bench-objects OBJECT ${benchSources})
target_include_directories(reeve-bench-objects PUBLIC ${PROJECT_SOURCE_DIR}/bench PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(reeve-bench-objects PUBLIC reeve-support reeve-scene reeve-reference)

# A peer's driver is bench/peers/<name>.*; it is compiled where the peer is installed and announced by
# REEVE_HAVE_<NAME>_PEER. `reeve bench` names those that are left out.
function(reeve_peer source)
    cmake_path(GET source STEM name)
    string(TOUPPER ${name} upper)
    target_sources(reeve-bench-objects PRIVATE ${PROJECT_SOURCE_DIR}/bench/peers/${source})
    target_link_libraries(reeve-bench-objects PUBLIC ${ARGN})
    target_compile_definitions(reeve-bench-objects PRIVATE REEVE_HAVE_${upper}_PEER)
endfunction()

if(REEVE_PEERS)
    target_include_directories(reeve-bench-objects PRIVATE ${PROJECT_SOURCE_DIR}/hosts)
    reeve_peer(ode.c PkgConfig::ode)
    reeve_peer(ode_heap.c PkgConfig::ode)
    reeve_peer(crane_ode.c PkgConfig::ode)

    find_path(MUJOCO_INCLUDE mujoco/mujoco.h)
    find_library(MUJOCO_LIBRARY mujoco)
    if(MUJOCO_INCLUDE AND MUJOCO_LIBRARY)
        reeve_peer(mujoco.c ${MUJOCO_LIBRARY})
        reeve_peer(mujoco_rope.c ${MUJOCO_LIBRARY})
        reeve_peer(crane_mujoco.c ${MUJOCO_LIBRARY})
    endif()

    # An adaptive reference for methods that need no engine.
    pkg_check_modules(lapacke QUIET IMPORTED_TARGET lapacke)
    if(lapacke_FOUND)
        reeve_peer(lapack.c PkgConfig::lapacke)
    endif()

    find_path(SUNDIALS_INCLUDE arkode/arkode_erkstep.h)
    find_library(SUNDIALS_ARKODE sundials_arkode)
    find_library(SUNDIALS_SERIAL sundials_nvecserial)
    if(SUNDIALS_INCLUDE AND SUNDIALS_ARKODE AND SUNDIALS_SERIAL)
        reeve_peer(sundials.c ${SUNDIALS_ARKODE} ${SUNDIALS_SERIAL})
    endif()

    # Bullet speaks C++; nothing else does.
    include(CheckLanguage)
    check_language(CXX)
    pkg_check_modules(bullet QUIET IMPORTED_TARGET bullet-float64)
    if(CMAKE_CXX_COMPILER AND bullet_FOUND)
        enable_language(CXX)
        reeve_peer(bullet.cpp PkgConfig::bullet)
        reeve_peer(bullet_heap.cpp PkgConfig::bullet)
        reeve_peer(crane_bullet.cpp PkgConfig::bullet)
    endif()
endif()

add_executable(reeve-bench ${main})
target_link_libraries(reeve-bench PRIVATE reeve-bench-objects)
