// SPDX-License-Identifier: MIT
// The table of all fields of a scene. The reader, the writer, docs/scene.md and the editor schema come from it.
#pragma once

#include "scene/model.h"

typedef enum {
    RV_FIELD_NUMBER,
    RV_FIELD_INTEGER,
    RV_FIELD_BITS, // a number of 32 bits
    RV_FIELD_BOOL,
    RV_FIELD_TEXT,
    RV_FIELD_CHOICE, // one of `choices`, kept as an int
    RV_FIELD_VECTOR,
    RV_FIELD_DIRECTION, // a vector that is not zero
    RV_FIELD_LIMITS,    // [lower, upper]
    RV_FIELD_ORIENTATION,
    RV_FIELD_INERTIA,
    RV_FIELD_BODY,  // name of a body, or "world"
    RV_FIELD_CABLE, // name of a cable
    RV_FIELD_PLACE, // one of `choices` is the key, the name of a body the value
    RV_FIELD_POINTS,
    RV_FIELD_TRIANGLES,
    RV_FIELD_HEIGHTS,
    RV_FIELD_OBJECT, // of `kind`
    RV_FIELD_LIST,   // of objects of `kind`
    RV_FIELD_MAP,    // of named objects of `kind`
    RV_FIELD_COMMANDS,
    RV_FIELD_OUTPUTS,
} rvFieldType;

typedef struct {
    double lower, upper;
    bool open; // the lower end itself is not allowed
} rvRange;

typedef struct {
    const char *name, *help;
} rvChoice;

typedef struct rvKind rvKind;

typedef struct {
    const char* name;
    rvFieldType type;
    const char* unit;     // "" for pure numbers
    const char* turnUnit; // the unit on a turning axis, NULL: the same
    rvRange range;
    bool infinite; // .inf is allowed
    size_t offset;
    const rvKind* kind;
    const rvChoice* choices; // ended by a NULL name
    uint32_t types;          // bit i: objects of type i have it; 0: all
    uint32_t needed;         // bit i: objects of type i must give it
    uint32_t models;         // of a cable, bit i: model i makes use of it; 0: all do
    uint32_t refused;        // model i refuses it when it is made
    const char* otherwise;   // the default in words, where it is no value
    const char* help;
} rvField;

struct rvKind {
    const char* name; // "body"
    const char* help;
    size_t size; // of its struct
    const rvField* fields;
    int fieldCount;
    bool typed;                  // field 0 says the type
    bool turns;                  // an axis that turns: turnUnit counts
    void (*start)(void* object); // sets the defaults
};

extern const rvKind rvSceneKind, rvWorldKind, rvBodyKind, rvShapeKind, rvJointKind, rvSlideKind, rvTurnKind,
    rvCableKind, rvPlaceKind, rvProfileKind, rvCurrentKind, rvEventKind;

// All kinds, the scene first, ended by NULL. The two kinds of axes share their fields: only one is listed.
extern const rvKind* const rvSceneKinds[];

static inline const char* rv_field_unit(const rvKind* kind, const rvField* field)
{
    return kind->turns && field->turnUnit ? field->turnUnit : field->unit;
}

static inline void* rv_field_at(const rvField* field, void* object)
{
    return (char*)object + field->offset;
}

// The type of an object whose kind has types, else 0.
int rv_object_type(const rvKind* kind, const void* object);
bool rv_object_has(const rvKind* kind, const void* object, const char* field);

// "a number > 0", "a number of 0 to 1": what a field takes, in words.
void rv_range_describe(rvText* out, const rvRange* range, const char* noun);
// "sphere, box, capsule"
void rv_choices_describe(rvText* out, const rvChoice* choices);
