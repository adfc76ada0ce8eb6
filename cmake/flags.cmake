# Compiler flags for everything that is built here.

# The same numbers from every compiler and at every optimisation level:
#   -ffp-contract=off  no fused multiply-add, which rounds once where the source rounds twice;
#   no -ffast-math and none of its parts that change results. -fno-math-errno only drops the setting of errno.
# Doubles on x86-64 are computed in SSE2, so there is no excess precision. See docs/building.md.
add_compile_options(-ffp-contract=off -fno-math-errno -fvisibility=hidden)

# gcc 12 fuses alternating sums (vfmaddsub) in its vectoriser of straight code, contraction off or not. It can only do so
# where the processor that is compiled for has the instruction: with -march=native and the like.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_QUIET ON)
check_c_source_compiles("
#if !defined __FMA__ && !defined __FMA4__ && !defined __AVX512F__
#error no fused multiply-add
#endif
int main(void) { return 0; }" REEVE_TARGET_HAS_FMA)
if(REEVE_TARGET_HAS_FMA AND CMAKE_C_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fno-tree-slp-vectorize)
endif()

# Structs of some hundred bytes are copied and cleared all through a step. For a processor it does not know gcc takes "rep movs"
# for them, which costs tens of cycles to begin; loops of wide moves do the same at once.
if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-mmemcpy-strategy=vector_loop:1024:noalign,libcall:-1:noalign
        -mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign)
endif()

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
