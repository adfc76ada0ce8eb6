# Compiler flags for everything that is built here.

# The same numbers from every compiler and at every optimisation level:
#   -ffp-contract=off  no fused multiply-add, which rounds once where the source rounds twice;
#   no -ffast-math and none of its parts that change results. -fno-math-errno only drops the setting of errno.
# Doubles on x86-64 are computed in SSE2, so there is no excess precision. See docs/building.md.
add_compile_options(-ffp-contract=off -fno-math-errno -fvisibility=hidden)

set(REEVE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wdouble-promotion)
add_compile_options(${REEVE_WARNINGS} $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>)
if(REEVE_WERROR)
    add_compile_options(-Werror)
endif()

if(REEVE_SANITIZE)
    add_compile_options(-fsanitize=${REEVE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${REEVE_SANITIZE})
endif()
if(REEVE_FUZZ AND NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "REEVE_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
endif()
