// SPDX-License-Identifier: MIT
// A parameter study: which values of a scene vary, by which plan, and which figures of each run are kept.
// Read from a YAML file (docs/sweep.md); everything below lives in the arena of the study.
#pragma once

#include "scene/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { RV_PLAN_GRID, RV_PLAN_RANDOM, RV_PLAN_LATIN, RV_PLAN_SOBOL, RV_PLAN_COUNT } rvPlanKind;

// "grid", "random", "latin", "sobol"
extern const char* const rvPlanNames[RV_PLAN_COUNT + 1];

typedef enum {
    RV_VARY_VALUES, // a list: each entry equally often
    RV_VARY_RANGE,  // evenly spaced levels, or every number between its ends
    RV_VARY_UNIFORM,
    RV_VARY_NORMAL,
    RV_VARY_LOGNORMAL,
    RV_VARY_WEIBULL
} rvVaryKind;

// uniform: a to b; normal: mean a, standard deviation b; lognormal: the logarithm is normal with mean a and standard
// deviation b; Weibull: scale a, shape b. Truncated to lower..upper, which may be infinite.
typedef struct {
    rvVaryKind kind;
    double a, b, lower, upper;
} rvDistribution;

typedef enum {
    RV_TARGET_PATH,  // a value of the scene, as of --set
    RV_TARGET_DELAY, // the times of a command's table are shifted by the value
    RV_TARGET_SCALE  // the values of a command's table are multiplied by it
} rvTargetKind;

// A row of a command's table: its time [s] and its values as numbers with units.
typedef struct {
    double time;
    double* values;
    const char** units;
} rvTableRow;

typedef struct {
    rvTargetKind kind;
    const char* path;
    rvTableRow* rows; // of a delay or scale
    int rowCount, width;
} rvTarget;

typedef struct {
    const char* name;
    const char* unit; // as in the study; "" for pure numbers and texts
    double factor;    // of the unit to SI
    rvDistribution draw;
    bool numeric;       // false: a list of texts, lists or maps
    double* numbers;    // levels of a list of numbers or of a range with steps
    const char** texts; // levels of a list that is not numeric, as YAML
    int levelCount;     // 0: continuous
    rvTarget* targets;
    int targetCount;
    const char* as;  // text with {} in place of the value; NULL: the value itself
    uint64_t stream; // of its random numbers: from its name, so that other parameters do not change them
} rvParameter;

typedef enum {
    RV_QUANTITY_CHANNEL,
    RV_QUANTITY_ANGLE,     // between the vertical and the line from the first to the second point [rad]
    RV_QUANTITY_DISTANCE,  // of two points
    RV_QUANTITY_MAGNITUDE, // of a vector
    RV_QUANTITY_DIFFERENCE // the second channel less the first
} rvQuantityKind;

// What is evaluated after each step: an output of the scene, or what follows from two of them.
typedef struct {
    rvQuantityKind kind;
    const char* name;
    const char* unit;
    const char* channels[2];
    int columns[2]; // where the channels begin among the outputs of the scene
    int width;      // columns of each channel
} rvQuantity;

typedef enum {
    RV_FIGURE_MAX,
    RV_FIGURE_MIN,
    RV_FIGURE_MEAN,
    RV_FIGURE_PERCENTILE,
    RV_FIGURE_VALUE,   // at a time
    RV_FIGURE_FIRST,   // first time above or below a threshold
    RV_FIGURE_TIME_OF, // of an event
    RV_FIGURE_COUNT,   // of events
    RV_FIGURE_KINDS
} rvFigureKind;

typedef struct {
    const char* name;
    const char* unit;
    const char* text; // in words: "max of hoist.tension"
    rvFigureKind kind;
    int quantity;    // of max, min, mean, percentile, value, first
    double from, to; // window of time [s]
    double at;       // of a percentile its rank [%], of a value its time [s]
    double threshold;
    bool above;         // of a first time: above or below the threshold
    int event;          // rvEventType of time_of, count
    const char* object; // the cable or joint of it; NULL: any
} rvFigure;

typedef struct {
    const char* name;
    const char* text; // "peak tension above 50 kN"
    int figure;
    double threshold;    // in the unit of the figure
    const char* written; // the threshold as it was written
    bool above;
} rvLimit;

// Time series of selected runs.
typedef struct {
    int64_t* runs; // sorted
    int runCount;
    int64_t first, every; // the first so many, every so many; 0: none
    double interval;      // between samples [s]; 0: that of the scene
    int* quantities;
    int quantityCount;
} rvSeries;

typedef struct {
    rvArena arena;
    const char *path, *title, *text; // text: of the file
    const char* scenePath;
    const char** sets; // "path=value" for every run: `set` of the study, then --set
    int setCount;
    rvPlanKind plan;
    int64_t runCount;
    int64_t repeat; // of each point of a grid
    uint64_t seed;
    double timeLimit; // wall time a run may take [s]
    double confidence;
    rvParameter* parameters;
    int parameterCount;
    rvQuantity* quantities;
    int quantityCount;
    const char** outputs; // channels that the quantities are made of
    int outputCount;
    int columnCount; // values of the outputs together
    rvFigure* figures;
    int figureCount;
    rvLimit* limits;
    int limitCount;
    rvSeries series;
    uint32_t events;       // bit i: events of type i are kept
    const char* sceneText; // the scene with `sets`, as YAML
    const char* sceneTitle;
    double until; // end of a run [s]
} rvStudy;

// Reads a study and its scene, with `--set` values for either. On failure *study is NULL and `error` holds a line for
// each mistake; the answer is an exit code of the command (2: a mistake, 3: a file cannot be read, 5: no memory).
int rv_study_load(const char* path, char* const* sets, int setCount, rvStudy** study, char* error, size_t capacity);
void rv_study_free(rvStudy* study);

// Is the file a study (has it a field `study` at the top) rather than a scene.
bool rv_study_is_one(const char* path);

// What decides the results of the runs, in lines of text: equal texts, equal results. Titles, limits, confidence and
// the time limit are not part of it.
const char* rv_study_identity(rvStudy* study);

// Is the time series of this run kept.
bool rv_study_has_series(const rvStudy* study, int64_t run);
