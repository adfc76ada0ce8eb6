// SPDX-License-Identifier: MIT
// `reeve docs scene|schema|man`: prints docs/scene.md, docs/scene.schema.json and docs/reeve.1, for those who change
// the table of fields or the help.
#include "command.h"

#include <stdlib.h>
#include <string.h>

static int print_text(size_t (*write)(char* text, size_t capacity))
{
    size_t size = write(NULL, 0);
    char* text = malloc(size + 1);
    if (!text) {
        fprintf(stderr, "reeve docs: out of memory\n");
        return RV_EXIT_MEMORY;
    }
    write(text, size + 1);
    int code = fputs(text, stdout) >= 0 && fflush(stdout) == 0 ? RV_EXIT_OK : RV_EXIT_IO;
    free(text);
    return code;
}

int rv_cmd_docs(int argc, char** argv)
{
    if (argc == 2 && strcmp(argv[1], "scene") == 0)
        return print_text(rvScene_WriteReference);
    if (argc == 2 && strcmp(argv[1], "schema") == 0)
        return print_text(rvScene_WriteSchema);
    if (argc == 2 && strcmp(argv[1], "man") == 0) {
        rv_print_manual();
        return fflush(stdout) == 0 ? RV_EXIT_OK : RV_EXIT_IO;
    }
    return rv_usage("docs", "expected one of scene, schema and man");
}
