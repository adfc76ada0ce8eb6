# The examples of README.md and of the pages in docs/ are cut out and run. A ```yaml block that begins with "# NAME.yaml"
# is a scene; a ```c block that begins with "// NAME.c" is a program that must print the ```text block after it. Scenes
# and programs of a page share a folder, so that a program may load a scene.

# cut_block(LANGUAGE COMMENT OUT NAME): the next block of that language in `rest` that names a file, which is then what
# follows it; NAME is empty where there is none.
macro(cut_block language comment out name)
    set(${name} "")
    if(rest MATCHES "```${language}\n${comment} ([a-z_]+)\\.[a-z]+\n")
        set(${name} "${CMAKE_MATCH_1}")
        string(FIND "${rest}" "${CMAKE_MATCH_0}" start)
        string(LENGTH "```${language}\n" skip)
        math(EXPR start "${start} + ${skip}")
        string(SUBSTRING "${rest}" ${start} -1 rest)
        string(FIND "${rest}" "```" end)
        string(SUBSTRING "${rest}" 0 ${end} ${out})
        string(SUBSTRING "${rest}" ${end} -1 rest)
    endif()
endmacro()

# snippets_of(PAGE): tests docs_PAGE_NAME (scenes), docs_PAGE_NAME_c (programs).
function(snippets_of page)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${page})
    get_filename_component(stem ${page} NAME_WE)
    string(TOLOWER docs_${stem} stem)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${stem})
    file(READ ${PROJECT_SOURCE_DIR}/${page} whole)

    set(rest "${whole}")
    cut_block(yaml "#" scene name)
    while(name)
        file(WRITE ${folder}/${name}.yaml "${scene}")
        add_test(NAME ${stem}_${name}
            COMMAND reeve-command run ${name}.yaml --quiet --force --out ${folder}/out/${name} WORKING_DIRECTORY ${folder})
        cut_block(yaml "#" scene name)
    endwhile()

    set(rest "${whole}")
    cut_block(c "//" program name)
    while(name)
        set(test ${stem}_${name}_c)
        file(GENERATE OUTPUT ${folder}/${name}.c CONTENT "${program}")
        add_executable(${test} ${folder}/${name}.c)
        target_link_libraries(${test} PRIVATE reeve-scene)
        add_test(NAME ${test} COMMAND ${test} WORKING_DIRECTORY ${folder})
        string(FIND "${rest}" "```text\n" start)
        math(EXPR start "${start} + 8")
        string(SUBSTRING "${rest}" ${start} -1 rest)
        string(FIND "${rest}" "```" end)
        string(SUBSTRING "${rest}" 0 ${end} printed)
        string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" pattern "${printed}")
        set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "^${pattern}$")
        cut_block(c "//" program name)
    endwhile()
endfunction()

if(TARGET reeve-command)
    foreach(page README.md docs/tutorial.md)
        snippets_of(${page})
    endforeach()
endif()

# Links, names of files and tests, length of pages.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    add_test(NAME docs_check COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_docs.py ${PROJECT_SOURCE_DIR})
endif()
