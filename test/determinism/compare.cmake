# cmake -DWORK=folder -DSCENES=folder -P compare.cmake
# Builds print_hashes with gcc and clang at -O0 and -O3, and for this very processor (which may have fused multiply-add),
# runs all scenes with each, and fails where a hash differs.
file(GLOB scenes ${SCENES}/*.yaml)
find_program(clang clang)
set(compilers gcc clang)
if(NOT clang)
    message(STATUS "clang is not installed: gcc only")
    set(compilers gcc)
endif()

set(expected "")
set(different "")
foreach(compiler ${compilers})
    foreach(level "-O0" "-O3" "-O3 -march=native")
        string(REPLACE " " "" folder "${WORK}/${compiler}${level}")
        execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${folder} -G Ninja
            -DCMAKE_C_COMPILER=${compiler} -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE= "-DCMAKE_C_FLAGS=${level}"
            OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND ${CMAKE_COMMAND} --build ${folder} -j 2 --target print_hashes OUTPUT_QUIET
            COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND ${folder}/print_hashes ${scenes} OUTPUT_VARIABLE hashes COMMAND_ERROR_IS_FATAL ANY)
        message(STATUS "${compiler} ${level}\n${hashes}")
        if(expected STREQUAL "")
            set(expected "${hashes}")
        elseif(NOT hashes STREQUAL expected)
            list(APPEND different "${compiler} ${level}")
        endif()
    endforeach()
endforeach()
if(expected STREQUAL "")
    message(FATAL_ERROR "no hashes were printed")
endif()
if(different)
    message(FATAL_ERROR "hashes differ from those of gcc -O0: ${different}")
endif()
