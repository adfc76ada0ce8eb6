// SPDX-License-Identifier: MIT
// `reeve check SCENE | STUDY`: reads a scene or a study, builds its world and says what is in it.
#include "command.h"
#include "sweep/sweep.h"

#include <getopt.h>

static void print_names(const char* what, int count, const char* (*name)(const rvScene*, int), const rvScene* scene)
{
    enum { SHOWN = 8 };
    printf("  %-10s %d", what, count);
    for (int i = 0; i < count && i < SHOWN; ++i)
        printf("%s%s", i ? ", " : ": ", name(scene, i));
    printf("%s\n", count > SHOWN ? ", ..." : "");
}

static void print_scene(const char* path, const rvScene* scene, const rvWorld* world)
{
    const char* title = rvScene_GetTitle(scene);
    printf("%s: good%s%s\n", path, *title ? ": " : "", title);
    printf("  %-10s %g s in steps of %g s, a sample every %g s\n", "time", rvScene_GetUntil(scene),
           rvScene_GetStep(scene), rvScene_GetEvery(scene));
    print_names("bodies", rvScene_GetBodyCount(scene), rvScene_GetBodyName, scene);
    print_names("joints", rvScene_GetJointCount(scene), rvScene_GetJointName, scene);
    print_names("cables", rvScene_GetCableCount(scene), rvScene_GetCableName, scene);
    printf("  %-10s %d\n", "commands", rvScene_GetCommandCount(scene));
    print_names("outputs", rvScene_GetOutputCount(scene), rvScene_GetOutputName, scene);
    printf("  %-10s %.1f MB\n", "memory", (double)rvWorld_GetStepInfo(world).memory / 1e6);
}

int rv_cmd_check(int argc, char** argv)
{
    static const struct option options[] = {{"set", required_argument, NULL, 's'}, {0}};
    char* sets[64];
    int setCount = 0, option;
    optind = 1;
    while ((option = getopt_long(argc, argv, RV_OPTIONS, options, NULL)) != -1) {
        if (option != 's')
            return rv_usage_option("check", option, argv);
        if (setCount == 64)
            return rv_usage("check", "--set: stands more than 64 times");
        sets[setCount++] = optarg;
    }
    if (optind != argc - 1)
        return rv_usage("check", "expected one scene or study");
    if (rv_study_is_one(argv[optind]))
        return rv_sweep_check(argv[optind], sets, setCount);
    rvScene* scene;
    int code = rv_load_scene(argv[optind], sets, setCount, &scene);
    if (code != RV_EXIT_OK)
        return code;
    char error[2048];
    rvWorld* world;
    rvStatus status = rvScene_TryEvents(scene, error, sizeof error);
    if (status == RV_OK)
        status = rvScene_CreateWorld(scene, NULL, &world, error, sizeof error);
    if (status == RV_OK) {
        rv_warn_of_starts(argv[optind], scene, world);
        print_scene(argv[optind], scene, world);
        rvDestroyWorld(world);
    } else {
        fprintf(stderr, "%s\n", error);
    }
    rvScene_Destroy(scene);
    return rv_exit_code(status);
}
