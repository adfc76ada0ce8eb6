// SPDX-License-Identifier: MIT
// A scene as text, read again after some hundred changes: each change leaves a copy of the scene in its memory.
#include "sweep/model.h"

#include "command.h"
#include "reeve/reference.h"
#include "support/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { CHANGES_MAX = 100 };

struct rvModel {
    char *path, *text;
    size_t size;
    char** sets; // of all runs
    int setCount;
    char* outputs; // "outputs=[...]", or NULL
    rvScene* scene;
    int changes; // since it was read
};

static char* read_text(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    rvBytes text = {0};
    char buffer[65536];
    size_t count;
    while (file && (count = fread(buffer, 1, sizeof buffer, file)) > 0)
        rv_bytes_add(&text, buffer, count);
    bool good = file && !ferror(file);
    if (file)
        fclose(file);
    *size = text.size;
    rv_bytes_u8(&text, 0);
    if (good && !text.failed)
        return (char*)text.data;
    rv_bytes_release(&text);
    return NULL;
}

// Reads the text and applies what holds for all runs.
static rvStatus load_scene(rvModel* model, char* error, size_t capacity)
{
    rvScene_Destroy(model->scene);
    model->changes = 0;
    rvStatus status = rvScene_LoadText(model->text, model->size, model->path, NULL, &model->scene, error, capacity);
    if (status == RV_OK)
        rvScene_SetReference(model->scene, rvReference_GetMethods());
    if (status == RV_OK && model->setCount > 0)
        status = rvScene_SetAll(model->scene, (const char* const*)model->sets, model->setCount, error, capacity);
    if (status == RV_OK && model->outputs)
        status = rvScene_Set(model->scene, model->outputs, error, capacity);
    return status;
}

int rv_model_load(const char* path, const char* const* sets, int setCount, rvModel** model, char* error,
                  size_t capacity)
{
    *model = NULL;
    // read from the file first: its messages say why a file cannot be read
    rvScene* scene = NULL;
    rvStatus status = rvScene_LoadFile(path, NULL, &scene, error, capacity);
    rvScene_Destroy(scene);
    if (status != RV_OK)
        return rv_exit_code(status);
    rvModel* made = calloc(1, sizeof *made);
    if (made) {
        made->path = strdup(path);
        made->text = read_text(path, &made->size);
        made->sets = calloc((size_t)setCount + 1, sizeof *made->sets);
        for (int i = 0; i < setCount && made->sets; ++i)
            made->sets[i] = strdup(sets[i]);
        made->setCount = setCount;
    }
    status = made && made->path && made->text && made->sets ? load_scene(made, error, capacity) : RV_NO_MEMORY;
    if (status == RV_NO_MEMORY)
        snprintf(error, capacity, "no memory");
    if (status == RV_OK)
        *model = made;
    else
        rv_model_free(made);
    return rv_exit_code(status);
}

void rv_model_free(rvModel* model)
{
    if (!model)
        return;
    rvScene_Destroy(model->scene);
    for (int i = 0; i < model->setCount && model->sets; ++i)
        free(model->sets[i]);
    free(model->sets);
    free(model->outputs);
    free(model->text);
    free(model->path);
    free(model);
}

bool rv_model_set(rvModel* model, const char* const* sets, int setCount, char* error, size_t capacity)
{
    if (model->changes >= CHANGES_MAX && load_scene(model, error, capacity) != RV_OK)
        return false;
    model->changes++;
    return setCount == 0 || rvScene_SetAll(model->scene, sets, setCount, error, capacity) == RV_OK;
}

bool rv_model_outputs(rvModel* model, const char* const* channels, int count, char* error, size_t capacity)
{
    rvBytes text = {0};
    if (count == 0)
        return true; // nothing is evaluated: the scene's own outputs do no harm
    rv_bytes_printf(&text, "outputs=[");
    for (int i = 0; i < count; ++i)
        rv_bytes_printf(&text, "%s\"%s\"", i ? ", " : "", channels[i]);
    rv_bytes_printf(&text, "]");
    rv_bytes_u8(&text, 0);
    if (text.failed) {
        snprintf(error, capacity, "no memory");
        rv_bytes_release(&text);
        return false;
    }
    free(model->outputs);
    model->outputs = (char*)text.data;
    return rvScene_Set(model->scene, model->outputs, error, capacity) == RV_OK;
}

int rv_model_output(rvModel* model, const char* channel, char* unit, size_t unitCapacity, char* error, size_t capacity)
{
    if (strpbrk(channel, "\"\\\n") || !*channel) {
        snprintf(error, capacity, "is \"%.60s\", expected an output such as load.position.z", channel);
        return 0;
    }
    char text[2048];
    if (!rv_model_outputs(model, &channel, 1, text, sizeof text)) {
        // "outputs=[...]:1:12: outputs[0]: what": only the last part is of use to who wrote a study
        const char* what = strstr(text, "outputs[0]: ");
        snprintf(error, capacity, "%s", what ? what + strlen("outputs[0]: ") : text);
        free(model->outputs);
        model->outputs = NULL;
        return 0;
    }
    snprintf(unit, unitCapacity, "%s", rvScene_GetOutputUnit(model->scene, 0));
    return rvScene_GetOutputCount(model->scene);
}

bool rv_model_has_object(const rvModel* model, const char* name)
{
    for (int i = 0; i < rvScene_GetCableCount(model->scene); ++i)
        if (strcmp(rvScene_GetCableName(model->scene, i), name) == 0)
            return true;
    for (int i = 0; i < rvScene_GetJointCount(model->scene); ++i)
        if (strcmp(rvScene_GetJointName(model->scene, i), name) == 0)
            return true;
    return false;
}

const char* rv_model_title(const rvModel* model)
{
    return rvScene_GetTitle(model->scene);
}

double rv_model_until(const rvModel* model)
{
    return rvScene_GetUntil(model->scene);
}

double rv_model_interval(const rvModel* model)
{
    return rvScene_GetEvery(model->scene);
}

bool rv_model_check(rvModel* model, char* error, size_t capacity)
{
    rvWorld* world = NULL;
    rvStatus status = rvScene_TryEvents(model->scene, error, capacity);
    if (status == RV_OK)
        status = rvScene_CreateWorld(model->scene, NULL, &world, error, capacity);
    rvDestroyWorld(world);
    return status == RV_OK;
}

static char* written(size_t (*write)(const rvScene*, char*, size_t), const rvScene* scene)
{
    size_t size = write(scene, NULL, 0);
    char* text = malloc(size + 1);
    if (text)
        write(scene, text, size + 1);
    return text;
}

static size_t write_scene(const rvScene* scene, char* text, size_t capacity)
{
    return rvScene_Write(scene, text, capacity);
}

static size_t write_schema(const rvScene* scene, char* text, size_t capacity)
{
    (void)scene;
    return rvScene_WriteSchema(text, capacity);
}

char* rv_model_text(const rvModel* model)
{
    return written(write_scene, model->scene);
}

char* rv_model_schema(void)
{
    return written(write_schema, NULL);
}

// ---- a run

static const char* const EVENT_WORDS[] = {
    [RV_EVENT_SLACK] = "slack",
    [RV_EVENT_TAUT] = "taut",
    [RV_EVENT_BROKEN] = "broken",
    [RV_EVENT_CONTACT_BEGIN] = "contact_begin",
    [RV_EVENT_CONTACT_END] = "contact_end",
    [RV_EVENT_LIMIT] = "limit",
    [RV_EVENT_WINCH_LIMIT] = "winch_limit",
    [RV_EVENT_WINCH_STOP] = "winch_stop",
    [RV_EVENT_CABLE_TOUCH] = "cable_touch",
    [RV_EVENT_CABLE_LEAVE] = "cable_leave",
    [RV_EVENT_REROUTED] = "rerouted",
    [RV_EVENT_OVERLOAD] = "overload",
    [RV_EVENT_FALLBACK] = "fallback",
    [RV_EVENT_CABLES_CROSS] = "cables_cross",
    [RV_EVENT_CABLES_PART] = "cables_part",
    [RV_EVENT_MODEL] = "model",
    [RV_EVENT_CABLE_STOP] = "cable_stop",
    [RV_EVENT_MISSED] = "missed",
    [RV_EVENT_SLIPPED] = "slipped",
    [RV_EVENT_CONTACTS_FULL] = "contacts_full",
    [RV_EVENT_RAN_OFF] = "ran_off",
    [RV_EVENT_COARSE] = "coarse",
    NULL,
};

const char* rv_event_word(int type)
{
    return EVENT_WORDS[type];
}

bool rv_event_is_contact(int type)
{
    return type == RV_EVENT_CONTACT_BEGIN || type == RV_EVENT_CONTACT_END || type == RV_EVENT_CABLE_TOUCH ||
           type == RV_EVENT_CABLE_LEAVE;
}

static const char* joint_or_cable(const rvWorld* world, const rvEvent* event)
{
    return RV_IS_NULL(event->joint) ? rvCable_GetName(world, event->cable) : rvJoint_GetName(world, event->joint);
}

// What a run needs beside its world.
typedef struct {
    double* values; // of the outputs
    rvEvent* events;
    int eventCapacity;
} Scratch;

static bool report_events(const rvObserver* observer, const rvWorld* world, double time, Scratch* scratch)
{
    int count = rvWorld_GetEvents(world, NULL, 0);
    if (count > scratch->eventCapacity) {
        rvEvent* larger = realloc(scratch->events, (size_t)count * sizeof *larger);
        if (!larger)
            return false;
        scratch->events = larger;
        scratch->eventCapacity = count;
    }
    rvWorld_GetEvents(world, scratch->events, count);
    for (int i = 0; i < count; ++i) {
        const rvEvent* event = &scratch->events[i];
        char object[200];
        if (event->type == RV_EVENT_CONTACT_BEGIN || event->type == RV_EVENT_CONTACT_END)
            snprintf(object, sizeof object, "%s, %s", rvShape_GetName(world, event->shapes[0]),
                     rvShape_GetName(world, event->shapes[1]));
        else
            snprintf(object, sizeof object, "%s", joint_or_cable(world, event));
        observer->event(observer->context, time, (int)event->type, event->value, object);
    }
    return true;
}

// Time is counted in steps, as `reeve run` does, so that both give the same numbers.
static rvStatus step_all(const rvScene* scene, rvWorld* world, Scratch* scratch, const rvObserver* observer)
{
    double h = rvScene_GetStep(scene);
    int64_t steps = (int64_t)ceil(rvScene_GetUntil(scene) / h - 1e-9);
    int columns = rvScene_GetOutputCount(scene);
    rvScene_Evaluate(scene, world, scratch->values, columns);
    observer->sample(observer->context, 0.0, scratch->values);
    for (int64_t k = 0; k < steps; ++k) {
        double before = (double)k * h, time = (double)(k + 1) * h;
        rvStatus status = rvScene_Apply(scene, world, before, h);
        if (status == RV_OK)
            status = rvWorld_Step(world, h);
        if (status != RV_OK)
            return status;
        rvScene_Evaluate(scene, world, scratch->values, columns);
        observer->sample(observer->context, time, scratch->values);
        if (!report_events(observer, world, time, scratch))
            return RV_NO_MEMORY;
    }
    return RV_OK;
}

rvRunStatus rv_model_run(rvModel* model, const rvObserver* observer, char* message, size_t capacity)
{
    rvWorld* world = NULL;
    Scratch scratch = {.values = calloc((size_t)rvScene_GetOutputCount(model->scene) + 1, sizeof *scratch.values)};
    rvStatus status =
        scratch.values ? rvScene_CreateWorld(model->scene, NULL, &world, message, capacity) : RV_NO_MEMORY;
    if (status == RV_OK) {
        status = step_all(model->scene, world, &scratch, observer);
        if (status != RV_OK)
            snprintf(message, capacity, "%s", rvWorld_GetError(world));
    }
    if (status == RV_NO_MEMORY)
        snprintf(message, capacity, "no memory");
    rvDestroyWorld(world);
    free(scratch.values);
    free(scratch.events);
    return status == RV_OK ? RV_RUN_OK : status == RV_DIVERGED ? RV_RUN_DIVERGED : RV_RUN_FAILED;
}
