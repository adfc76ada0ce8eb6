# The first C example of the README is a program: it is compiled, run, and must print what the README says it prints.
# Both are cut out of it: the first ```c block, and the first ```text block after that. The ```yaml block that follows is
# a scene that runs.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)
file(READ ${PROJECT_SOURCE_DIR}/README.md rest)

# cut_block(LANGUAGE OUT): the next block of that language in `rest`, which is then what follows it.
macro(cut_block language out)
    string(FIND "${rest}" "```${language}\n" start)
    if(start EQUAL -1)
        message(FATAL_ERROR "README.md: no ${language} block")
    endif()
    string(LENGTH "```${language}\n" skip)
    math(EXPR start "${start} + ${skip}")
    string(SUBSTRING "${rest}" ${start} -1 rest)
    string(FIND "${rest}" "```" end)
    string(SUBSTRING "${rest}" 0 ${end} ${out})
    string(SUBSTRING "${rest}" ${end} -1 rest)
endmacro()

cut_block(c program)
cut_block(text said)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/readme_example.c CONTENT "${program}")
add_executable(readme_example ${CMAKE_CURRENT_BINARY_DIR}/readme_example.c)
target_link_libraries(readme_example PRIVATE reeve)
add_test(NAME readme_example COMMAND readme_example)
string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" pattern "${said}")
set_tests_properties(readme_example PROPERTIES PASS_REGULAR_EXPRESSION "^${pattern}$")

cut_block(yaml scene)
set(file ${CMAKE_CURRENT_BINARY_DIR}/readme_scene.yaml)
file(WRITE ${file} "${scene}")
add_test(NAME readme_scene COMMAND reeve-command run ${file} --quiet --out ${CMAKE_CURRENT_BINARY_DIR}/readme_scene)
