// SPDX-License-Identifier: MIT
// `reeve docs scene|study|schema|man`: prints docs/scene.md, the tables of docs/sweep.md, docs/scene.schema.json and
// docs/reeve.1, for those who change the tables of fields or the help.
#include "command.h"
#include "sweep/field.h"

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

static int print_bytes(bool (*write)(rvBytes* out))
{
    rvBytes text = {0};
    int code = write(&text) ? RV_EXIT_OK : RV_EXIT_MEMORY;
    if (code == RV_EXIT_MEMORY)
        fprintf(stderr, "reeve docs: out of memory\n");
    else if (fwrite(text.data, 1, text.size, stdout) != text.size || fflush(stdout) != 0)
        code = RV_EXIT_IO;
    rv_bytes_release(&text);
    return code;
}

int rv_cmd_docs(int argc, char** argv)
{
    if (argc == 2 && strcmp(argv[1], "scene") == 0)
        return print_text(rvScene_WriteReference);
    if (argc == 2 && strcmp(argv[1], "schema") == 0)
        return print_bytes(rv_study_schema);
    if (argc == 2 && strcmp(argv[1], "study") == 0)
        return print_bytes(rv_study_reference);
    if (argc == 2 && strcmp(argv[1], "man") == 0) {
        rv_print_manual();
        return fflush(stdout) == 0 ? RV_EXIT_OK : RV_EXIT_IO;
    }
    return rv_usage("docs", "expected one of scene, study, schema and man");
}
