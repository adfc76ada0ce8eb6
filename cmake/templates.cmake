# The scenes of scenes/ as bytes in a C file, for `reeve new`. See support/templates.h.
file(GLOB templateScenes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*.yaml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${templateScenes})
set(templateArrays "")
set(templateRows "")
foreach(scene ${templateScenes})
    cmake_path(GET scene STEM name)
    file(STRINGS ${scene} others REGEX " file: ")
    if(others) # a template is one file
        continue()
    endif()
    file(READ ${scene} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND templateArrays "static const unsigned char ${name}[] = {${bytes}0};\n")
    string(APPEND templateRows "    {\"${name}\", ${name}, sizeof ${name} - 1},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/templates.c CONTENT "// Generated from scenes/.
#include \"support/templates.h\"

${templateArrays}
const rvTemplate rvTemplates[] = {
${templateRows}};
const int rvTemplateCount = (int)(sizeof rvTemplates / sizeof rvTemplates[0]);
")
