// SPDX-License-Identifier: MIT
// The text of a scene as a tree of scalars, lists and maps that know where they stand. Aliases are followed, "<<"
// merges.
#pragma once

#include "reeve/scene.h"
#include "scene/arena.h"
#include "scene/report.h"

typedef enum { RV_NODE_SCALAR, RV_NODE_LIST, RV_NODE_MAP } rvNodeKind;

typedef struct rvNode {
    rvNodeKind kind;
    int line, column; // from 1
    const char* file;
    const char* key; // in a map, else NULL
    int keyLine, keyColumn;
    const char* text;     // of a scalar
    bool quoted;          // of a scalar: not a plain one
    struct rvNode* first; // of a list or map; aliases share what is below
    struct rvNode* next;  // in the list or map that holds this
    int count;
    int size; // this and all below, aliases counted as often as they are used
} rvNode;

// The tree, or NULL and the mistakes in `report`.
rvNode* rv_tree_read(rvArena* arena, const char* text, size_t size, const char* file, const rvSceneLimits* limits,
                     rvReport* report);

const rvNode* rv_node_find(const rvNode* map, const char* key);

// True for an empty value: nothing, "~" or "null".
bool rv_node_is_null(const rvNode* node);

// "a number", "a text", "a list", "a map", "empty": for messages.
const char* rv_node_describe(const rvNode* node);

// A tree with the value at `path` ("bodies.load.mass", "route[0].speed") replaced or added; `root` stays as it is.
// NULL and a mistake in `report` where the path leads nowhere.
rvNode* rv_tree_set(rvArena* arena, const rvNode* root, const char* path, const rvNode* value, rvReport* report);
