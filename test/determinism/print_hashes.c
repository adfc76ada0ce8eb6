// SPDX-License-Identifier: MIT
// print_hashes SCENE...: runs each scene to its end (5000 steps at most) and prints hashes of its state on the way.
#include <reeve/reference.h>
#include <reeve/scene.h>
#include <stdio.h>

enum { MAX_STEPS = 5000, EVERY = 1000 };

static bool run(const char* path)
{
    char error[1024] = "";
    rvScene* scene = NULL;
    rvWorld* world = NULL;
    rvStatus status = rvScene_LoadFile(path, NULL, &scene, error, sizeof error);
    if (status == RV_OK) {
        rvScene_SetReference(scene, rvReference_GetMethods());
        status = rvScene_CreateWorld(scene, NULL, &world, error, sizeof error);
    }
    if (status != RV_OK) {
        fprintf(stderr, "%s\n", error);
        rvScene_Destroy(scene);
        return false;
    }
    double dt = rvScene_GetStep(scene);
    int steps = (int)fmin(rvScene_GetUntil(scene) / dt, MAX_STEPS);
    for (int step = 0; step < steps && status == RV_OK; ++step) {
        if (step % EVERY == 0)
            printf("%016llx ", (unsigned long long)rvWorld_Hash(world));
        status = rvScene_Apply(scene, world, step * dt, dt);
        if (status == RV_OK)
            status = rvWorld_Step(world, dt);
    }
    printf("%016llx %s\n", (unsigned long long)rvWorld_Hash(world), rvScene_GetTitle(scene));
    if (status != RV_OK)
        fprintf(stderr, "%s: %s\n", path, rvWorld_GetError(world));
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
    return status == RV_OK;
}

int main(int argc, char** argv)
{
    bool good = true;
    for (int i = 1; i < argc; ++i)
        good = run(argv[i]) && good;
    return good ? 0 : 1;
}
