// SPDX-License-Identifier: MIT
// The scene of a study, to be run with other values again and again. All that sweeps ask of the library is asked here.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rvModel rvModel;

// Reads a scene and applies "path=value" texts. On failure *model is NULL and `error` holds a line for each mistake;
// the answer is an exit code of the command.
int rv_model_load(const char* path, const char* const* sets, int setCount, rvModel** model, char* error,
                  size_t capacity);
void rv_model_free(rvModel* model);

// Changes values, as if they stood in the scene; values that other calls have set at the same paths are replaced.
// All of them or, where one does not fit, none.
bool rv_model_set(rvModel* model, const char* const* sets, int setCount, char* error, size_t capacity);

// Asks for one output and answers how many values it has, and its unit; 0: there is no such output, `error` says why.
// The outputs of the model are this one then.
int rv_model_output(rvModel* model, const char* channel, char* unit, size_t unitCapacity, char* error, size_t capacity);

// Asks for these outputs, from now on.
bool rv_model_outputs(rvModel* model, const char* const* channels, int count, char* error, size_t capacity);

// Is there a cable or joint of this name.
bool rv_model_has_object(const rvModel* model, const char* name);

const char* rv_model_title(const rvModel* model);
double rv_model_until(const rvModel* model);    // [s]
double rv_model_interval(const rvModel* model); // between two samples of its results [s]

// Builds the world and tries the events of the scene, without running it.
bool rv_model_check(rvModel* model, char* error, size_t capacity);

// The scene as YAML, to be freed; NULL without memory.
char* rv_model_text(const rvModel* model);

// What a run reports: the outputs at the start and after every step, and the events of each step.
typedef struct {
    void* context;
    void (*sample)(void* context, double time, const double* values);
    void (*event)(void* context, double time, int type, double value, const char* object);
} rvObserver;

typedef enum {
    RV_RUN_PENDING = 0, // not run yet
    RV_RUN_OK,
    RV_RUN_DIVERGED,   // a step failed
    RV_RUN_TIME_LIMIT, // stopped from outside
    RV_RUN_FAILED,     // its values do not fit, or its process crashed
    RV_RUN_STATUS_COUNT
} rvRunStatus;

// Runs to the end. `message` says why it did not come there; without memory it is RV_RUN_FAILED, too.
rvRunStatus rv_model_run(rvModel* model, const rvObserver* observer, char* message, size_t capacity);

// Names of the kinds of events: "slack", "contact_begin"; NULL behind the last.
const char* rv_event_word(int type);
bool rv_event_is_contact(int type);

// The JSON schema of scenes, to be freed; NULL without memory.
char* rv_model_schema(void);
