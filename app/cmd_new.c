// SPDX-License-Identifier: MIT
// `reeve new NAME`: writes a scene to start from.
#include "command.h"
#include "support/file.h"
#include "support/templates.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

void rv_print_templates(FILE* out)
{
    int widest = 0;
    for (int i = 0; i < rvTemplateCount; ++i) {
        int width = (int)strlen(rvTemplates[i].name);
        widest = width > widest ? width : widest;
    }
    for (int i = 0; i < rvTemplateCount; ++i) {
        char title[200];
        rv_template_title(&rvTemplates[i], title, sizeof title);
        fprintf(out, "  %-*s  %s\n", widest, rvTemplates[i].name, title);
    }
}

static int write_template(const rvTemplate* template, const char* path, bool force)
{
    rvFile file;
    bool opened = rv_file_open(&file, path, force);
    if (opened)
        fwrite(template->text, 1, template->size, file.out);
    if (!opened || !rv_file_close(&file, true)) {
        int error = errno;
        bool isOld = error == EEXIST && file.atFault == file.path;
        fprintf(stderr, "reeve new: %s: %s%s\n", file.atFault, error == ENOMEM ? "out of memory" : strerror(error),
                isOld ? " (--force overwrites)" : "");
        return error == ENOMEM ? RV_EXIT_MEMORY : RV_EXIT_IO;
    }
    printf("wrote %s; now: reeve run %s\n", path, path);
    return RV_EXIT_OK;
}

int rv_cmd_new(int argc, char** argv)
{
    static const struct option options[] = {
        {"template", required_argument, NULL, 't'}, {"force", no_argument, NULL, 'f'}, {0}};
    const char* wanted = NULL;
    bool force = false;
    int option;
    optind = 1;
    while ((option = getopt_long(argc, argv, RV_OPTIONS, options, NULL)) != -1) {
        if (option == 't')
            wanted = optarg;
        else if (option == 'f')
            force = true;
        else
            return rv_usage_option("new", option, argv);
    }
    if (optind != argc - 1 || !*argv[optind])
        return rv_usage("new", "expected one name");
    const char* name = argv[optind];
    size_t length = strlen(name);
    bool suffixed = length > 5 && strcmp(name + length - 5, ".yaml") == 0;
    char path[1024], stem[64];
    if (snprintf(path, sizeof path, "%s%s", name, suffixed ? "" : ".yaml") >= (int)sizeof path)
        return rv_usage("new", "the name is too long");
    snprintf(stem, sizeof stem, "%.*s", (int)(suffixed ? length - 5 : length), name);
    const rvTemplate* template = rv_template_find(wanted ? wanted : stem);
    if (!template && !wanted)
        template = rv_template_find("crane");
    if (!template)
        return rv_usage("new", "there is no template \"%s\"", wanted ? wanted : "crane");
    return write_template(template, path, force);
}
