// SPDX-License-Identifier: MIT
// `reeve check STUDY`: what is in a study.
#include "command.h"
#include "sweep/distribution.h"
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_parameter(const rvParameter* parameter)
{
    static const char* const kinds[] = {"values", "range", "uniform", "normal", "lognormal", "weibull"};
    const rvDistribution* draw = &parameter->draw;
    const char* unit = parameter->unit;
    printf("    %-24s %s", parameter->name, kinds[draw->kind]);
    if (parameter->levelCount > 0 && parameter->numeric)
        printf(", %d: %g to %g %s", parameter->levelCount, parameter->numbers[0],
               parameter->numbers[parameter->levelCount - 1], unit);
    else if (parameter->levelCount > 0)
        printf(", %d", parameter->levelCount);
    else
        printf(", 95 %% within %.4g to %.4g %s", rv_quantile(draw, 0.025), rv_quantile(draw, 0.975), unit);
    putchar('\n');
}

static void print_study(const rvStudy* study)
{
    printf("%s: good%s%s\n", study->path, *study->title ? ": " : "", study->title);
    printf("  %-10s %s%s%s, %g s a run\n", "scene", study->scenePath, *study->sceneTitle ? ": " : "", study->sceneTitle,
           study->until);
    printf("  %-10s %s, %lld runs, seed %llu\n", "plan", rvPlanNames[study->plan], (long long)study->runCount,
           (unsigned long long)study->seed);
    printf("  %-10s %d\n", "parameters", study->parameterCount);
    for (int i = 0; i < study->parameterCount; ++i)
        print_parameter(&study->parameters[i]);
    printf("  %-10s %d\n", "figures", study->figureCount);
    for (int i = 0; i < study->figureCount; ++i)
        printf("    %-24s %s%s%s%s\n", study->figures[i].name, study->figures[i].text,
               *study->figures[i].unit ? " [" : "", study->figures[i].unit, *study->figures[i].unit ? "]" : "");
    printf("  %-10s %d\n", "limits", study->limitCount);
    for (int i = 0; i < study->limitCount; ++i)
        printf("    %-24s %s\n", study->limits[i].name, study->limits[i].text);
}

int rv_sweep_check(const char* path, char* const* sets, int setCount)
{
    char error[8192] = "";
    rvStudy* study;
    int code = rv_study_load(path, sets, setCount, &study, error, sizeof error);
    if (code != RV_EXIT_OK) {
        fprintf(stderr, "%s\n", error);
        return code;
    }
    print_study(study);
    rv_study_free(study);
    return RV_EXIT_OK;
}
