// SPDX-License-Identifier: MIT
// libfyaml's events to a tree. The document half of libfyaml is left alone: aliases, double keys and limits are ours,
// so that no text can take more memory or time than the limits allow. An alias shares what its anchor holds and pays
// for it in counted nodes, which bounds every later walk.
#include "scene/tree.h"

#include <ctype.h>
#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_MAX = 64, ANCHORS_MAX = 1000, MERGE_MAX = 1000 };

typedef struct Anchor {
    const char* name;
    rvNode* node;
    bool open; // still being read: an alias to it would be a circle
    struct Anchor* older;
} Anchor;

typedef struct {
    rvNode* node;
    rvNode* last;
    Anchor* anchor; // of the node, or NULL
    bool hasKey;    // in a map: a key was read, its value follows
    const char* key;
    int keyLine, keyColumn;
} Frame;

typedef struct {
    rvArena* arena;
    const char* file;
    const rvSceneLimits* limits;
    rvReport* report;
    struct fy_parser* parser;
    Frame stack[STACK_MAX];
    int depth;
    Anchor* anchors; // newest first
    int anchorCount;
    rvNode* root;
    int documents;
    long nodes;
} Builder;

static bool fail(Builder* b, int line, int column, const char* words)
{
    rv_report(b->report, b->file, line, column, "", "%s", words);
    return false;
}

static int compare_keys(const void* a, const void* b)
{
    const rvNode *x = *(rvNode*const*)a, *y = *(rvNode*const*)b;
    int order = strcmp(x->key, y->key);
    if (order)
        return order;
    return x->keyLine != y->keyLine ? x->keyLine - y->keyLine : x->keyColumn - y->keyColumn;
}

// Two equal keys in a map, found by sorting: a map may have very many.
static bool check_keys(Builder* b, const rvNode* map)
{
    if (map->count < 2)
        return true;
    rvNode** sorted = malloc((size_t)map->count * sizeof(rvNode*));
    if (!sorted) {
        b->arena->failed = true;
        return false;
    }
    int count = 0;
    for (rvNode* item = map->first; item; item = item->next)
        sorted[count++] = item;
    qsort(sorted, (size_t)count, sizeof(rvNode*), compare_keys);
    bool good = true;
    for (int i = 1; i < count; ++i) {
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0) {
            rv_report(b->report, b->file, sorted[i]->keyLine, sorted[i]->keyColumn, "",
                      "the key \"%.60s\" stands twice in one map, first in line %d", sorted[i]->key,
                      sorted[i - 1]->keyLine);
            good = false;
        }
    }
    free(sorted);
    return good;
}

// "<<: *base": fields of the base that the map does not give itself.
static bool merge(Builder* b, rvNode* map)
{
    rvNode** link = &map->first;
    while (*link && strcmp((*link)->key, "<<") != 0)
        link = &(*link)->next;
    rvNode* base = *link;
    if (!base)
        return true;
    if (base->kind != RV_NODE_MAP || base->count > MERGE_MAX)
        return fail(b, base->line, base->column, "\"<<\" takes an alias of a map of at most 1000 fields");
    *link = base->next;
    map->count--;
    rvNode** end = &map->first;
    while (*end)
        end = &(*end)->next;
    rvNode* own = map->first;
    for (const rvNode* item = base->first; item; item = item->next) {
        const rvNode* given = own;
        while (given && strcmp(given->key, item->key) != 0)
            given = given->next;
        if (given)
            continue;
        rvNode* copy = rv_arena_take(b->arena, sizeof *copy);
        if (!copy)
            return false;
        *copy = *item;
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
        map->count++;
    }
    return true;
}

// Puts a finished or opened node where it belongs: root, list, or value in a map.
static bool place_node(Builder* b, rvNode* node)
{
    if (b->depth == 0) {
        b->root = node;
        return true;
    }
    Frame* frame = &b->stack[b->depth - 1];
    if (frame->node->kind == RV_NODE_MAP && !frame->hasKey) {
        if (node->kind != RV_NODE_SCALAR)
            return fail(b, node->line, node->column, "a key must be a plain word");
        frame->key = node->text;
        frame->keyLine = node->line;
        frame->keyColumn = node->column;
        frame->hasKey = true;
        return true;
    }
    if (frame->node->kind == RV_NODE_MAP) {
        node->key = frame->key;
        node->keyLine = frame->keyLine;
        node->keyColumn = frame->keyColumn;
        frame->hasKey = false;
    }
    if (frame->last)
        frame->last->next = node;
    else
        frame->node->first = node;
    frame->last = node;
    frame->node->count++;
    return true;
}

static bool count_nodes(Builder* b, int line, int column, int more)
{
    b->nodes += more;
    if (b->nodes <= b->limits->maxNodes)
        return true;
    rv_report(b->report, b->file, line, column, "", "more than %d values, aliases counted as often as they are used",
              b->limits->maxNodes);
    return false;
}

static rvNode* new_node(Builder* b, rvNodeKind kind, struct fy_event* event)
{
    const struct fy_mark* mark = fy_event_start_mark(event);
    int line = mark ? mark->line + 1 : 1, column = mark ? mark->column + 1 : 1;
    if (!count_nodes(b, line, column, 1))
        return NULL;
    rvNode* node = rv_arena_take(b->arena, sizeof *node);
    if (!node)
        return NULL;
    node->kind = kind;
    node->file = b->file;
    node->line = line;
    node->column = column;
    node->size = 1;
    return node;
}

static bool add_anchor(Builder* b, struct fy_token* token, rvNode* node, bool open)
{
    size_t length = 0;
    const char* text = token ? fy_token_get_text(token, &length) : NULL;
    if (!text)
        return true;
    Anchor* anchor = rv_arena_take(b->arena, sizeof *anchor);
    if (!anchor)
        return false;
    anchor->name = rv_arena_copy(b->arena, text, length);
    anchor->node = node;
    anchor->open = open;
    anchor->older = b->anchors;
    b->anchors = anchor;
    if (open)
        b->stack[b->depth - 1].anchor = anchor;
    if (++b->anchorCount > ANCHORS_MAX)
        return fail(b, node->line, node->column, "more than 1000 anchors");
    return true;
}

// Tags tell a type; fields know theirs. One that is passed over would mean something else than its writer thinks.
static bool has_no_tag(Builder* b, struct fy_token* tag, const rvNode* node)
{
    size_t length = 0;
    const char* text = tag ? fy_token_get_text(tag, &length) : NULL;
    if (text)
        rv_report(b->report, b->file, node->line, node->column, "", "the tag %.*s: scenes have no tags",
                  (int)(length < 60 ? length : 60), text);
    return !text;
}

static bool on_scalar(Builder* b, struct fy_event* event)
{
    rvNode* node = new_node(b, RV_NODE_SCALAR, event);
    if (!node || !has_no_tag(b, event->scalar.tag, node))
        return false;
    size_t length = 0;
    struct fy_token* token = event->scalar.value;
    const char* text = token ? fy_token_get_text(token, &length) : NULL;
    node->text = rv_arena_copy(b->arena, text ? text : "", text ? length : 0);
    node->quoted = token && fy_token_scalar_style(token) != FYSS_PLAIN;
    return add_anchor(b, event->scalar.anchor, node, false) && place_node(b, node);
}

static bool on_open(Builder* b, struct fy_event* event, rvNodeKind kind, struct fy_token* anchor, struct fy_token* tag)
{
    rvNode* node = new_node(b, kind, event);
    if (!node || !has_no_tag(b, tag, node) || !place_node(b, node))
        return false;
    if (b->depth >= b->limits->maxDepth || b->depth >= STACK_MAX) {
        rv_report(b->report, b->file, node->line, node->column, "", "more than %d lists and maps inside each other",
                  b->depth);
        return false;
    }
    Frame frame = {.node = node};
    b->stack[b->depth++] = frame;
    return add_anchor(b, anchor, node, true);
}

static bool on_close(Builder* b)
{
    if (b->depth == 0)
        return false;
    Frame* frame = &b->stack[--b->depth];
    rvNode* node = frame->node;
    if (frame->anchor)
        frame->anchor->open = false;
    if (node->kind == RV_NODE_MAP && (!check_keys(b, node) || !merge(b, node)))
        return false;
    // each part is within the limit, so the sum of what was counted is too
    for (const rvNode* item = node->first; item; item = item->next)
        node->size += item->size;
    return true;
}

static bool on_alias(Builder* b, struct fy_event* event)
{
    size_t length = 0;
    const char* name = event->alias.anchor ? fy_token_get_text(event->alias.anchor, &length) : NULL;
    rvNode* node = new_node(b, RV_NODE_SCALAR, event);
    if (!node)
        return false;
    node->column -= node->column > 1; // the mark stands behind the star
    const Anchor* anchor = b->anchors;
    while (anchor && (!name || strlen(anchor->name) != length || memcmp(anchor->name, name, length) != 0))
        anchor = anchor->older;
    if (!anchor || anchor->open) {
        rv_report(b->report, b->file, node->line, node->column, "",
                  anchor ? "the alias *%.*s leads back to itself" : "the alias *%.*s has no anchor before it",
                  (int)(length < 60 ? length : 60), name ? name : "");
        return false;
    }
    int line = node->line, column = node->column;
    if (!count_nodes(b, line, column, anchor->node->size))
        return false;
    *node = *anchor->node;
    node->line = line;
    node->column = column;
    node->key = NULL;
    node->next = NULL;
    return place_node(b, node);
}

static bool on_event(Builder* b, struct fy_event* event)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++b->documents > 1)
            return fail(b, 1, 1, "holds more than one document");
        return true;
    case FYET_SCALAR:
        return on_scalar(b, event);
    case FYET_ALIAS:
        return on_alias(b, event);
    case FYET_SEQUENCE_START:
        return on_open(b, event, RV_NODE_LIST, event->sequence_start.anchor, event->sequence_start.tag);
    case FYET_MAPPING_START:
        return on_open(b, event, RV_NODE_MAP, event->mapping_start.anchor, event->mapping_start.tag);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        return on_close(b);
    default:
        return true;
    }
}

static void ignore_output(struct fy_diag* diag, void* user, const char* text, size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

static void report_syntax(Builder* b, struct fy_diag* diag)
{
    void* cursor = NULL;
    const struct fy_diag_error* error = fy_diag_errors_iterate(diag, &cursor);
    const char *words = error && error->msg ? error->msg : "it cannot be read", *hint = "";
    if (strstr(words, "nested block mapping"))
        hint = " (text with a colon needs quotes)";
    if (strstr(words, "missing comma in flow"))
        hint = " (within [] text with brackets needs quotes: \"rope.tension[0]\")";
    if (error)
        rv_report(b->report, b->file, error->line > 0 ? error->line : 1, error->column > 0 ? error->column : 1, "",
                  "not YAML: %s%s", words, hint);
    else
        fail(b, 1, 1, "not YAML: it cannot be read");
}

static bool run_parser(Builder* b, const char* text, size_t size, struct fy_diag* diag)
{
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2 |
                                           FYPCF_JSON_NONE | FYPCF_DISABLE_ACCELERATORS,
                                  .diag = diag};
    b->parser = fy_parser_create(&config);
    if (!b->parser || fy_parser_set_string(b->parser, text, size) != 0) {
        fy_parser_destroy(b->parser);
        b->arena->failed = true;
        return false;
    }
    bool good = true;
    struct fy_event* event;
    while (good && (event = fy_parser_parse(b->parser))) {
        good = on_event(b, event);
        fy_parser_event_free(b->parser, event);
    }
    if (good && fy_parser_get_stream_error(b->parser)) {
        report_syntax(b, diag);
        good = false;
    }
    fy_parser_destroy(b->parser);
    return good;
}

// A line that begins with % is a directive, other than YAML's own version: scenes need none, and libfyaml 0.7.12 does
// not come back from some broken ones. Answers its line, 0: there is none.
static int find_directive(const char* text, size_t size)
{
    int line = 1;
    bool starts = true;
    for (size_t i = 0; i < size; ++i) {
        if (starts && text[i] == '%' && !(size - i >= 10 && !memcmp(text + i, "%YAML 1.2\n", 10)))
            return line;
        starts = text[i] == '\n' || text[i] == '\r';
        line += text[i] == '\n';
    }
    return 0;
}

// The parser takes a zero byte for the end and would pass over what stands behind it.
static bool is_text(const char* text, size_t size, const char* file, rvReport* report)
{
    const char* zero = size ? memchr(text, 0, size) : NULL;
    int line = 1, column = 1;
    for (const char* c = text; zero && c < zero; ++c) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + 1;
    }
    if (zero)
        rv_report(report, file, line, column, "", "is a zero byte, expected text in UTF-8");
    return !zero;
}

rvNode* rv_tree_read(rvArena* arena, const char* text, size_t size, const char* file, const rvSceneLimits* limits,
                     rvReport* report)
{
    Builder builder = {.arena = arena, .file = file, .limits = limits, .report = report};
    if (size > limits->maxBytes) {
        rv_report(report, file, 1, 1, "", "is %.1f MB, the limit is %.1f MB", (double)size / 1e6,
                  (double)limits->maxBytes / 1e6);
        return NULL;
    }
    if (!is_text(text, size, file, report))
        return NULL;
    int directive = find_directive(text, size);
    if (directive) {
        rv_report(report, file, directive, 1, "", "begins with %%, a directive; scenes have none but %%YAML 1.2");
        return NULL;
    }
    struct fy_diag_cfg diagConfig;
    fy_diag_cfg_default(&diagConfig);
    diagConfig.fp = NULL;
    diagConfig.output_fn = ignore_output;
    struct fy_diag* diag = fy_diag_create(&diagConfig);
    if (!diag) {
        arena->failed = true;
        return NULL;
    }
    fy_diag_set_collect_errors(diag, true);
    errno = 0;
    bool good = run_parser(&builder, text, size, diag);
    // libfyaml does not say that memory is missing: it stops without a reason, or leaves out texts
    arena->failed = arena->failed || errno == ENOMEM;
    fy_diag_destroy(diag);
    if (!good || arena->failed)
        return NULL;
    if (!builder.root)
        fail(&builder, 1, 1, "is empty, expected a scene");
    return builder.root;
}

const rvNode* rv_node_find(const rvNode* map, const char* key)
{
    const rvNode* item = map && map->kind == RV_NODE_MAP ? map->first : NULL;
    while (item && strcmp(item->key, key) != 0)
        item = item->next;
    return item;
}

bool rv_node_is_null(const rvNode* node)
{
    return node->kind == RV_NODE_SCALAR && !node->quoted &&
           (!*node->text || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char* rv_node_describe(const rvNode* node)
{
    if (rv_node_is_null(node))
        return "empty";
    return node->kind == RV_NODE_LIST ? "a list" : node->kind == RV_NODE_MAP ? "a map" : "a single value";
}

// A copy of a node whose children are copies too, so that one may be replaced.
static rvNode* unshare(rvArena* arena, const rvNode* node)
{
    rvNode* copy = rv_arena_take(arena, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *node;
    rvNode** link = &copy->first;
    for (const rvNode* item = node->first; item; item = item->next) {
        rvNode* twin = rv_arena_take(arena, sizeof *twin);
        if (!twin)
            return NULL;
        *twin = *item;
        *link = twin;
        link = &twin->next;
    }
    return copy;
}

// One step of a path: "name" or "[3]". Answers its length without dots, 0 where there is none.
// Below "commands" the rest is one key: these have dots inside.
static size_t path_part(const char** path, const rvNode* node)
{
    if (**path == '.')
        ++*path;
    if (**path == '[' && node && node->kind == RV_NODE_LIST)
        return strcspn(*path, "]") + (strchr(*path, ']') != NULL);
    return node && node->key && strcmp(node->key, "commands") == 0 ? strlen(*path) : strcspn(*path, ".[");
}

// The child that a step names, made where a map lacks it.
static rvNode* step_into(rvArena* arena, rvNode* node, const char* part, size_t length, const rvNode* value)
{
    rvNode** link = &node->first;
    if (node->kind == RV_NODE_LIST && part[0] == '[') {
        char* end;
        long index = strtol(part + 1, &end, 10);
        for (; index > 0 && *link; --index)
            link = &(*link)->next;
        return index == 0 && end > part + 1 && *end == ']' ? *link : NULL;
    }
    if (node->kind != RV_NODE_MAP || part[0] == '[')
        return NULL;
    while (*link && (strlen((*link)->key) != length || memcmp((*link)->key, part, length) != 0))
        link = &(*link)->next;
    if (!*link && (*link = rv_arena_take(arena, sizeof **link))) {
        (*link)->kind = RV_NODE_MAP;
        (*link)->key = rv_arena_copy(arena, part, length);
        (*link)->file = value->file;
        (*link)->line = (*link)->column = (*link)->keyLine = (*link)->keyColumn = 1;
        node->count++;
    }
    return *link;
}

rvNode* rv_tree_set(rvArena* arena, const rvNode* root, const char* path, const rvNode* value, rvReport* report)
{
    rvNode* top = unshare(arena, root);
    rvNode* node = top;
    const char* cursor = path;
    size_t length = path_part(&cursor, node);
    do {
        rvNode* child = node && length ? step_into(arena, node, cursor, length, value) : NULL;
        if (!child) {
            bool inList = node && node->kind == RV_NODE_LIST && (*cursor != '[' || !isdigit((unsigned char)cursor[1]));
            rv_report(report, value->file, 1, 1, "", "there is nothing at \"%.*s\"%s",
                      (int)(cursor - path + (long)length), path,
                      inList
                          ? ": it is in a list, whose entries are named by numbers from 0 in brackets, as in route[0]"
                          : "");
            return NULL;
        }
        rvNode head = *child;
        cursor += length;
        length = path_part(&cursor, child);
        rvNode* copy = unshare(arena, length ? child : value);
        if (!copy)
            return NULL;
        *child = *copy;
        child->key = head.key;
        child->keyLine = length ? head.keyLine : value->line;
        child->keyColumn = length ? head.keyColumn : value->column;
        child->next = head.next;
        node = child;
    } while (length);
    return top;
}
