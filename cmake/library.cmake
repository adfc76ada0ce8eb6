# reeve_library(NAME SOURCES patterns... [USES libraries of ours] [NEEDS pkg-config modules] [LIBRARIES plain libraries])
#
# Compiles the sources once and makes two libraries of them: NAME (static; tests and the command use it) and NAME-shared.
# The property REEVE_NEEDS of NAME keeps the modules for the package files. Without sources there is no library.
find_package(PkgConfig REQUIRED)

function(reeve_library name)
    cmake_parse_arguments(arg "" "" "SOURCES;USES;NEEDS;LIBRARIES" ${ARGN})
    list(TRANSFORM arg_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/)
    file(GLOB sources CONFIGURE_DEPENDS ${arg_SOURCES})
    if(NOT sources)
        message(STATUS "${name}: no sources, left out")
        return()
    endif()

    set(modules "")
    foreach(module ${arg_NEEDS})
        pkg_check_modules(${module} REQUIRED IMPORTED_TARGET GLOBAL ${module})
        list(APPEND modules PkgConfig::${module})
    endforeach()
    set(sharedUses ${arg_USES})
    list(TRANSFORM sharedUses APPEND -shared)

    add_library(${name}-objects OBJECT ${sources})
    target_compile_definitions(${name}-objects PRIVATE RV_BUILD_SHARED)
    target_include_directories(${name}-objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name}-objects PRIVATE ${modules})

    add_library(${name} STATIC $<TARGET_OBJECTS:${name}-objects>)
    target_link_libraries(${name} PUBLIC ${arg_USES} PRIVATE ${modules} ${arg_LIBRARIES})
    set_target_properties(${name} PROPERTIES REEVE_NEEDS "${arg_NEEDS}")

    add_library(${name}-shared SHARED $<TARGET_OBJECTS:${name}-objects>)
    target_link_libraries(${name}-shared PUBLIC ${sharedUses} PRIVATE ${modules} ${arg_LIBRARIES})
    set_target_properties(${name}-shared PROPERTIES OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR})
    set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(${name}-shared PRIVATE -Wl,--version-script=${exports})
    set_property(TARGET ${name}-shared PROPERTY LINK_DEPENDS ${exports})
    if(NOT REEVE_SANITIZE) # a sanitizer's own symbols come from the program
        target_link_options(${name}-shared PRIVATE -Wl,--no-undefined)
    endif()

    foreach(target ${name} ${name}-shared)
        target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    endforeach()
endfunction()
