# `reeve sweep`: HDF5 and MPI are taken where they are installed. Sets REEVE_HAS_HDF5 and REEVE_HAS_MPI.
set(REEVE_HDF5 AUTO CACHE STRING "HDF5 files of reeve sweep: ON, OFF, or AUTO where the library is installed")
set(REEVE_MPI AUTO CACHE STRING "reeve sweep under mpirun: ON, OFF, or AUTO where Open MPI is installed")
set(REEVE_HAS_HDF5 OFF)
set(REEVE_HAS_MPI OFF)
if(NOT REEVE_HDF5 STREQUAL OFF)
    # the serial library: one process writes the file, also under MPI, and `reeve` must not need MPI through it
    pkg_search_module(hdf5 QUIET IMPORTED_TARGET GLOBAL hdf5-serial hdf5)
    if(hdf5_FOUND)
        include(CheckCSourceCompiles)
        set(CMAKE_REQUIRED_LIBRARIES PkgConfig::hdf5)
        check_c_source_compiles("
#include <hdf5.h>
#ifdef H5_HAVE_PARALLEL
#error the library of MPI programs
#endif
int main(void) { return H5open() < 0; }" REEVE_HDF5_IS_SERIAL)
        unset(CMAKE_REQUIRED_LIBRARIES)
        set(REEVE_HAS_HDF5 ${REEVE_HDF5_IS_SERIAL})
    endif()
endif()
if(NOT REEVE_MPI STREQUAL OFF)
    pkg_search_module(mpi QUIET IMPORTED_TARGET GLOBAL ompi-c mpi-c)
    set(REEVE_HAS_MPI ${mpi_FOUND})
endif()
foreach(part HDF5 MPI)
    if(REEVE_${part} STREQUAL ON AND NOT REEVE_HAS_${part})
        message(FATAL_ERROR "REEVE_${part} is ON, but it is not installed")
    elseif(NOT REEVE_HAS_${part})
        message(STATUS "reeve sweep: without ${part}")
    endif()
endforeach()

file(GLOB sweepSources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/sweep/*.c)
list(FILTER sweepSources EXCLUDE REGEX "/mpi\\.c$")
if(REEVE_HAS_HDF5)
    list(FILTER sweepSources EXCLUDE REGEX "/no_archive\\.c$")
    target_link_libraries(reeve-command-objects PUBLIC PkgConfig::hdf5)
else()
    list(FILTER sweepSources EXCLUDE REGEX "/archive\\.c$")
endif()
target_sources(reeve-command-objects PRIVATE ${sweepSources})
# studies are read by the scenes' reader of YAML: tools/check_layers.py says which headers of it
target_include_directories(reeve-command-objects PRIVATE ${PROJECT_SOURCE_DIR}/src)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/studies DESTINATION ${CMAKE_INSTALL_DATADIR}/reeve)

# What `reeve sweep` becomes under mpirun. `reeve` itself is not linked to MPI.
if(REEVE_HAS_MPI)
    add_executable(reeve-sweep-mpi ${PROJECT_SOURCE_DIR}/app/sweep/mpi.c)
    target_link_libraries(reeve-sweep-mpi PRIVATE reeve-command-objects PkgConfig::mpi)
    target_include_directories(reeve-sweep-mpi PRIVATE ${PROJECT_SOURCE_DIR}/src)
    install(TARGETS reeve-sweep-mpi)
endif()
