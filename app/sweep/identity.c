// SPDX-License-Identifier: MIT
// What decides the results of a study, as text: the version of the program, plan and parameters, what is kept, the
// scene. Numbers have 17 digits, so that equal texts mean equal doubles.
#include "sweep/model.h"
#include "sweep/study.h"

#include "reeve/base.h"
#include "support/bytes.h"

static void put_parameter(rvBytes* out, const rvParameter* parameter)
{
    const rvDistribution* draw = &parameter->draw;
    rv_bytes_printf(out, "parameter %s: kind %d, %.17g %.17g within %.17g %.17g, unit %s%s%s\n", parameter->name,
                    (int)draw->kind, draw->a, draw->b, draw->lower, draw->upper,
                    *parameter->unit ? parameter->unit : "1", parameter->as ? ", as " : "",
                    parameter->as ? parameter->as : "");
    for (int i = 0; i < parameter->levelCount; ++i)
        if (parameter->numeric)
            rv_bytes_printf(out, "  level %.17g\n", parameter->numbers[i]);
        else
            rv_bytes_printf(out, "  level %s\n", parameter->texts[i]);
    static const char* const kinds[] = {"path", "delay", "scale"};
    for (int i = 0; i < parameter->targetCount; ++i)
        rv_bytes_printf(out, "  %s %s\n", kinds[parameter->targets[i].kind], parameter->targets[i].path);
}

static void put_kept(rvBytes* out, const rvStudy* study)
{
    for (int i = 0; i < study->quantityCount; ++i) {
        const rvQuantity* quantity = &study->quantities[i];
        rv_bytes_printf(out, "quantity %s: kind %d of %s%s%s\n", quantity->name, (int)quantity->kind,
                        quantity->channels[0], quantity->channels[1] ? " and " : "",
                        quantity->channels[1] ? quantity->channels[1] : "");
    }
    for (int i = 0; i < study->figureCount; ++i) {
        const rvFigure* figure = &study->figures[i];
        rv_bytes_printf(out,
                        "figure %s: kind %d, quantity %d, %.17g to %.17g, at %.17g, threshold %d %.17g, event %d %s\n",
                        figure->name, (int)figure->kind, figure->quantity, figure->from, figure->to, figure->at,
                        figure->above, figure->threshold, figure->event, figure->object ? figure->object : "");
    }
    const rvSeries* series = &study->series;
    rv_bytes_printf(out, "events %08x\nseries first %lld, every %lld, interval %.17g, quantities", study->events,
                    (long long)series->first, (long long)series->every, series->interval);
    for (int i = 0; i < series->quantityCount; ++i)
        rv_bytes_printf(out, " %d", series->quantities[i]);
    rv_bytes_printf(out, ", runs");
    for (int i = 0; i < series->runCount; ++i)
        rv_bytes_printf(out, " %lld", (long long)series->runs[i]);
    rv_bytes_printf(out, "\n");
}

const char* rv_study_identity(rvStudy* study)
{
    rvBytes out = {0};
    rv_bytes_printf(&out, "reeve %s\nplan %s\nruns %lld\nrepeat %lld\nseed %llu\n", rvVersion(),
                    rvPlanNames[study->plan], (long long)study->runCount, (long long)study->repeat,
                    (unsigned long long)study->seed);
    for (int i = 0; i < study->parameterCount; ++i)
        put_parameter(&out, &study->parameters[i]);
    put_kept(&out, study);
    rv_bytes_printf(&out, "scene\n");
    rv_bytes_printf(&out, "%s", study->sceneText);
    const char* text = out.failed ? NULL : rv_arena_copy(&study->arena, (const char*)out.data, out.size);
    rv_bytes_release(&out);
    return text;
}
