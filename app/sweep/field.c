// SPDX-License-Identifier: MIT
// The fields of a study, and what is written from them: the JSON schema and the reference.
#include "sweep/field.h"

#include "sweep/model.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER "\"type\": \"number\""
#define WHOLE "\"type\": \"integer\""
#define TEXT "\"type\": \"string\""
#define QUANTITY "\"anyOf\": [{\"type\": \"number\"}, {\"$ref\": \"#/definitions/quantity\"}]"
#define TEXTS "\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]"
#define PAIR "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": \"string\"}"
#define MAP_OF(kind) "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/" kind "\"}"
#define REF(kind) "\"$ref\": \"#/definitions/" kind "\""

static const rvStudyField ROOT[] = {
    {"study", "\"enum\": [1]", "1", true, "version of the format"},
    {"title", TEXT, "text", false, "a line for people"},
    {"scene", TEXT, "text", true, "the scene's file; relative names start from the folder of the study"},
    {"set", "\"type\": \"object\"", "map", false,
     "values of the scene for all runs, by path as of `--set`: `bodies.load.mass: 2 t`"},
    {"vary",
     "\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": {\"anyOf\": [{\"type\": \"array\"}, "
     "{\"$ref\": \"#/definitions/parameter\"}]}",
     "map of lists or [parameters](#parameter)", true, "what differs between runs"},
    {"plan", "\"enum\": [\"grid\", \"random\", \"latin\", \"sobol\"]", "`grid`, `random`, `latin`, `sobol`", false,
     "how values are combined; default `latin` with `runs`, else `grid`"},
    {"runs", WHOLE ", \"minimum\": 1", "whole number >= 1", false,
     "number of runs; of a grid it follows from its levels"},
    {"repeat", WHOLE ", \"minimum\": 1", "whole number >= 1", false,
     "of a grid: runs at each of its points, with other random draws; default 1"},
    {"seed", WHOLE ", \"minimum\": 0", "whole number >= 0", false, "of all random draws; default 1"},
    {"time_limit", QUANTITY, "number [s]", false, "wall time that a run may take before it is stopped; default 1 h"},
    {"quantities", MAP_OF("study_quantity"), "map of [quantities](#quantity)", false,
     "names for what follows from outputs of the scene, as the swing of a load"},
    {"figures", "\"minProperties\": 1, " MAP_OF("figure"), "map of [figures](#figure)", true,
     "numbers kept of each run"},
    {"limits", MAP_OF("limit"), "map of [limits](#limit)", false,
     "figures that should not be above or below a value; the report has the probability"},
    {"confidence", QUANTITY, "number between 0 and 1", false, "of the intervals of these probabilities; default 0.95"},
    {"series", REF("series"), "[series](#series)", false, "time series of selected runs"},
    {"events", "\"type\": \"array\", \"items\": {\"type\": \"string\"}", "list of [events](#events)", false,
     "kinds of events kept of each run; default all but contacts; at most 1000 of a run"},
};

static const rvStudyField PARAMETER[] = {
    {"path", TEXTS, "text or list of texts", false,
     "where the value goes in the scene, as of `--set`; without path, delay and scale: the parameter's name"},
    {"delay", TEXTS, "text or list of texts", false, "commands whose times are shifted by the value"},
    {"scale", TEXTS, "text or list of texts", false, "commands whose values are multiplied by the value"},
    {"as", TEXT, "text with {}", false, "what is written at the path, with {} in place of the value: \"[{}, 0, 0]\""},
    {"values", "\"type\": \"array\", \"minItems\": 1", "list", false, "these values, each equally often"},
    {"from", QUANTITY, "number", false, "a range: its first value"},
    {"to", QUANTITY, "number", false, "its last value"},
    {"steps", WHOLE ", \"minimum\": 2", "whole number >= 2", false,
     "number of evenly spaced values, both ends among them; without it all numbers between, which no grid can have"},
    {"uniform", REF("uniform"), "[uniform](#uniform)", false, "random, evenly between two numbers"},
    {"normal", REF("normal"), "[normal](#normal)", false, "random, by a normal distribution"},
    {"lognormal", REF("lognormal"), "[lognormal](#lognormal)", false,
     "random: the logarithm has a normal distribution"},
    {"weibull", REF("weibull"), "[weibull](#weibull)", false, "random, by a Weibull distribution"},
};

static const rvStudyField UNIFORM[] = {
    {"from", QUANTITY, "number", true, "smallest value"},
    {"to", QUANTITY, "number", true, "largest value"},
};

#define TRUNCATED                                                                                                      \
    {"min", QUANTITY, "number", false, "values below do not occur (truncated distribution)"},                          \
    {                                                                                                                  \
        "max", QUANTITY, "number", false, "values above do not occur"                                                  \
    }

static const rvStudyField NORMAL[] = {
    {"mean", QUANTITY, "number", true, "mean"},
    {"deviation", QUANTITY, "number", true, "standard deviation, > 0"},
    TRUNCATED,
};

static const rvStudyField LOGNORMAL[] = {
    {"mean", QUANTITY, "number > 0", true, "mean of the value itself, not of its logarithm"},
    {"deviation", QUANTITY, "number > 0", true, "standard deviation of the value itself"},
    TRUNCATED,
};

static const rvStudyField WEIBULL[] = {
    {"scale", QUANTITY, "number > 0", true, "63.2 % of the values are below"},
    {"shape", NUMBER ", \"exclusiveMinimum\": 0", "number > 0", true, "2: Rayleigh, as of wind speeds; 1: exponential"},
    TRUNCATED,
};

static const rvStudyField QUANTITY_FIELDS[] = {
    {"angle", PAIR, "two points", false,
     "angle between the vertical and the line from the first point to the second [rad]: the swing of a load"},
    {"distance", PAIR, "two points", false, "distance of two points"},
    {"magnitude", TEXT, "a vector", false, "its length"},
    {"difference", PAIR, "two outputs", false, "the second less the first"},
};

static const rvStudyField FIGURE[] = {
    {"max", TEXT, "an output or quantity", false, "largest value after any step"},
    {"min", TEXT, "an output or quantity", false, "smallest value"},
    {"mean", TEXT, "an output or quantity", false, "mean over time"},
    {"percentile", TEXT, "an output or quantity", false, "value that `rank` percent of the steps stay below"},
    {"value", TEXT, "an output or quantity", false, "value at the time `at`"},
    {"first", TEXT, "an output or quantity", false, "first time `above` or `below` a threshold [s]; none: NaN"},
    {"time_of", TEXT, "an [event](#events)", false, "time of the first such event [s]; none: NaN"},
    {"count", TEXT, "an [event](#events)", false, "number of such events"},
    {"in", TEXT, "text", false, "of an event: the cable or joint"},
    {"rank", QUANTITY, "number of 0 to 100", false, "of a percentile [%]"},
    {"at", QUANTITY, "number [s]", false, "of a value"},
    {"above", QUANTITY, "number", false, "of a first time, in the unit of the output"},
    {"below", QUANTITY, "number", false, "the same"},
    {"from", QUANTITY, "number [s]", false, "only from this time on"},
    {"to", QUANTITY, "number [s]", false, "only up to this time"},
};

static const rvStudyField LIMIT[] = {
    {"figure", TEXT, "text", false, "name of a figure; default: the limit's own name"},
    {"above", QUANTITY, "number", false, "a run exceeds the limit if its figure is above"},
    {"below", QUANTITY, "number", false, "a run exceeds the limit if its figure is below"},
};

static const rvStudyField SERIES[] = {
    {"runs", "\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}", "list of whole numbers", false,
     "numbers of runs, from 0"},
    {"first", WHOLE ", \"minimum\": 1", "whole number", false, "the first so many runs"},
    {"every", WHOLE ", \"minimum\": 1", "whole number", false, "every so many runs, from run 0"},
    {"interval", QUANTITY, "number [s]", false, "time between samples; default that of the scene"},
    {"outputs", "\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"string\"}", "list of texts", true,
     "outputs of the scene and quantities"},
};

#define FIELDS(table) (table), (int)(sizeof(table) / sizeof((table)[0]))

const rvStudyKind rvStudyKinds[RV_STUDY_KINDS] = {
    [RV_STUDY_ROOT] = {"study", "The whole file.", FIELDS(ROOT)},
    [RV_STUDY_PARAMETER] = {"parameter",
                            "What differs between runs: a list of values stands for itself, else one of `values`, "
                            "`from` and `to`, or a distribution is given.",
                            FIELDS(PARAMETER)},
    [RV_STUDY_UNIFORM] = {"uniform", "Uniform distribution.", FIELDS(UNIFORM)},
    [RV_STUDY_NORMAL] = {"normal", "Normal distribution.", FIELDS(NORMAL)},
    [RV_STUDY_LOGNORMAL] = {"lognormal", "Lognormal distribution.", FIELDS(LOGNORMAL)},
    [RV_STUDY_WEIBULL] = {"weibull", "Weibull distribution.", FIELDS(WEIBULL)},
    [RV_STUDY_QUANTITY] = {"quantity",
                           "What follows from outputs of the scene; one of the fields. A point or vector is an output "
                           "of three parts, such as `load.position`.",
                           FIELDS(QUANTITY_FIELDS)},
    [RV_STUDY_FIGURE] = {"figure", "A number kept of each run; one of the first eight fields says which.",
                         FIELDS(FIGURE)},
    [RV_STUDY_LIMIT] = {"limit", "A figure that should not be above, or below, a value.", FIELDS(LIMIT)},
    [RV_STUDY_SERIES] = {"series", "Time series of selected runs.", FIELDS(SERIES)},
};

// `quantity` is a number with a unit in the schema of scenes.
static const char* schema_name(const rvStudyKind* kind)
{
    return kind == &rvStudyKinds[RV_STUDY_QUANTITY] ? "study_quantity" : kind->name;
}

static void put_definition(rvBytes* out, const rvStudyKind* kind)
{
    rv_bytes_printf(out,
                    ",\n    \"%s\": {\n      \"type\": \"object\", \"additionalProperties\": false,\n"
                    "      \"description\": \"%s\",\n      \"properties\": {",
                    schema_name(kind), kind->help);
    for (int i = 0; i < kind->count; ++i) {
        rv_bytes_printf(out, "%s\n        \"%s\": {\"description\": \"", i ? "," : "", kind->fields[i].name);
        for (const char* c = kind->fields[i].help; *c; ++c)
            rv_bytes_printf(out, *c == '"' ? "\\%c" : "%c", *c);
        rv_bytes_printf(out, "\", %s}", kind->fields[i].schema);
    }
    rv_bytes_printf(out, "\n      },\n      \"required\": [");
    const char* between = "";
    for (int i = 0; i < kind->count; ++i) {
        if (!kind->fields[i].needed)
            continue;
        rv_bytes_printf(out, "%s\"%s\"", between, kind->fields[i].name);
        between = ", ";
    }
    rv_bytes_printf(out, "]\n    }");
}

bool rv_study_schema(rvBytes* out)
{
    static const char head[] = "  \"$ref\": \"#/definitions/scene\",\n", tail[] = "\n  }\n}\n";
    char* scene = rv_model_schema();
    if (!scene)
        return false;
    char* reference = strstr(scene, head);
    size_t length = strlen(scene), end = length - strlen(tail);
    if (!reference || strcmp(scene + end, tail) != 0) { // not the form that is known: leave it alone
        rv_bytes_add(out, scene, length);
        free(scene);
        return !out->failed;
    }
    rv_bytes_add(out, scene, (size_t)(reference - scene));
    rv_bytes_printf(out, "  \"if\": {\"required\": [\"study\"]},\n  \"then\": {\"$ref\": \"#/definitions/study\"},\n"
                         "  \"else\": {\"$ref\": \"#/definitions/scene\"},\n");
    rv_bytes_add(out, reference + strlen(head), (size_t)(scene + end - reference) - strlen(head));
    for (int i = 0; i < RV_STUDY_KINDS; ++i)
        put_definition(out, &rvStudyKinds[i]);
    rv_bytes_add(out, tail, strlen(tail));
    free(scene);
    return !out->failed;
}

bool rv_study_reference(rvBytes* out)
{
    for (int i = 0; i < RV_STUDY_KINDS; ++i) {
        const rvStudyKind* kind = &rvStudyKinds[i];
        rv_bytes_printf(out, "%s### %s\n\n%s\n\n| field | type | what it is |\n|---|---|---|\n", i ? "\n" : "",
                        kind->name, kind->help);
        for (int k = 0; k < kind->count; ++k)
            rv_bytes_printf(out, "| `%s` | %s | %s%s |\n", kind->fields[k].name, kind->fields[k].type,
                            kind->fields[k].help, kind->fields[k].needed ? "; **needed**" : "");
    }
    rv_bytes_printf(out, "\n### Events\n\nKinds of events, for `time_of`, `count` and `events`:");
    for (int i = 0; rv_event_word(i); ++i)
        rv_bytes_printf(out, "%s `%s`", i ? "," : "", rv_event_word(i));
    rv_bytes_printf(out, ".\n");
    return !out->failed;
}
