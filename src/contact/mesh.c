// SPDX-License-Identifier: MIT
// The tree halves the triangles at the median of their centres along the longest side, down to four in a leaf.
#include "contact/mesh.h"

#include "math/extreme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, DEPTH = 64 };

static void include_point(rvVec3* low, rvVec3* high, rvVec3 p)
{
    *low = rvVec(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
    *high = rvVec(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
}

static double center_along(const rvMesh* mesh, int triangle, int axis)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        rvVec3 p = mesh->points[mesh->triangles[triangle][k]];
        sum += axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    }
    return sum;
}

static void swap_triangles(rvMesh* mesh, int i, int k)
{
    for (int c = 0; c < 3; ++c) {
        int t = mesh->triangles[i][c];
        mesh->triangles[i][c] = mesh->triangles[k][c];
        mesh->triangles[k][c] = t;
        t = mesh->beyond[i][c];
        mesh->beyond[i][c] = mesh->beyond[k][c];
        mesh->beyond[k][c] = t;
    }
}

// Brings the triangles of first..last - 1 into an order where those before `middle` are not beyond those after it.
static void split_at(rvMesh* mesh, int first, int last, int middle, int axis)
{
    int low = first, high = last - 1;
    while (low < high) {
        double pivot = center_along(mesh, (low + high) / 2, axis);
        int i = low, k = high;
        while (i <= k) {
            while (center_along(mesh, i, axis) < pivot)
                i += 1;
            while (center_along(mesh, k, axis) > pivot)
                k -= 1;
            if (i <= k) {
                swap_triangles(mesh, i, k);
                i += 1;
                k -= 1;
            }
        }
        if (middle <= k)
            high = k;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static void build_node(rvMesh* mesh, int index, int first, int last)
{
    rvMeshNode node = {.low = rvVec(HUGE_VAL, HUGE_VAL, HUGE_VAL), .high = rvVec(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
    for (int i = first; i < last; ++i)
        for (int k = 0; k < 3; ++k)
            include_point(&node.low, &node.high, mesh->points[mesh->triangles[i][k]]);
    if (last - first <= LEAF) {
        node.first = first;
        node.count = last - first;
        mesh->nodes[index] = node;
        return;
    }
    rvVec3 size = rvSub(node.high, node.low);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    int middle = first + (last - first) / 2;
    split_at(mesh, first, last, middle, axis);
    node.first = mesh->nodeCount;
    mesh->nodeCount += 2;
    mesh->nodes[index] = node;
    build_node(mesh, node.first, first, middle);
    build_node(mesh, node.first + 1, middle, last);
}

// An edge of a triangle, for finding the neighbour across it.
typedef struct {
    int low, high; // point indices
    int triangle, edge;
} edge;

static int compare_edges(const void* left, const void* right)
{
    const edge* a = left;
    const edge* b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    if (a->triangle != b->triangle)
        return a->triangle < b->triangle ? -1 : 1;
    return a->edge - b->edge;
}

// Neighbours share an edge by point index. An edge of three or more triangles counts as a border.
static bool find_beyond(rvMesh* mesh, rvMemory* memory)
{
    size_t count = 3 * (size_t)mesh->triangleCount;
    edge* edges = rv_memory_take(memory, count * sizeof(edge));
    if (!edges)
        return false;
    for (int i = 0; i < mesh->triangleCount; ++i)
        for (int k = 0; k < 3; ++k) {
            int p = mesh->triangles[i][k], q = mesh->triangles[i][(k + 1) % 3];
            edges[3 * i + k] = (edge){p < q ? p : q, p < q ? q : p, i, k};
            mesh->beyond[i][k] = -1;
        }
    qsort(edges, count, sizeof(edge), compare_edges);
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && edges[end].low == edges[i].low && edges[end].high == edges[i].high)
            end += 1;
        if (end - i == 2) {
            const edge* a = &edges[i];
            const edge* b = &edges[i + 1];
            mesh->beyond[a->triangle][a->edge] = mesh->triangles[b->triangle][(b->edge + 2) % 3];
            mesh->beyond[b->triangle][b->edge] = mesh->triangles[a->triangle][(a->edge + 2) % 3];
        }
        i = end;
    }
    rv_memory_give(memory, edges, count * sizeof(edge));
    return true;
}

bool rv_mesh_build(rvMesh* mesh, rvMemory* memory, const rvVec3* points, int pointCount, const int* triangles,
                   int triangleCount)
{
    *mesh = (rvMesh){.pointCount = pointCount, .triangleCount = triangleCount};
    mesh->points = rv_memory_take(memory, (size_t)pointCount * sizeof(rvVec3));
    mesh->triangles = rv_memory_take(memory, (size_t)triangleCount * sizeof *mesh->triangles);
    mesh->beyond = rv_memory_take(memory, (size_t)triangleCount * sizeof *mesh->beyond);
    mesh->nodes = rv_memory_take(memory, 2 * (size_t)triangleCount * sizeof(rvMeshNode));
    bool ready = mesh->points && mesh->triangles && mesh->beyond && mesh->nodes;
    if (ready) {
        memcpy(mesh->points, points, (size_t)pointCount * sizeof(rvVec3));
        memcpy(mesh->triangles, triangles, (size_t)triangleCount * sizeof *mesh->triangles);
        ready = find_beyond(mesh, memory);
    }
    if (!ready) {
        rv_mesh_release(mesh, memory);
        return false;
    }
    mesh->nodeCount = 1;
    build_node(mesh, 0, 0, triangleCount);
    return true;
}

void rv_mesh_release(rvMesh* mesh, rvMemory* memory)
{
    rv_memory_give(memory, mesh->points, (size_t)mesh->pointCount * sizeof(rvVec3));
    rv_memory_give(memory, mesh->triangles, (size_t)mesh->triangleCount * sizeof *mesh->triangles);
    rv_memory_give(memory, mesh->beyond, (size_t)mesh->triangleCount * sizeof *mesh->beyond);
    rv_memory_give(memory, mesh->nodes, 2 * (size_t)mesh->triangleCount * sizeof(rvMeshNode));
    *mesh = (rvMesh){0};
}

static bool boxes_meet(rvVec3 low, rvVec3 high, rvVec3 otherLow, rvVec3 otherHigh)
{
    return low.x <= otherHigh.x && high.x >= otherLow.x && low.y <= otherHigh.y && high.y >= otherLow.y &&
           low.z <= otherHigh.z && high.z >= otherLow.z;
}

rvFacet rv_mesh_facet(const rvMesh* mesh, int index)
{
    rvFacet facet = {.index = index};
    for (int k = 0; k < 3; ++k) {
        facet.corners[k] = mesh->points[mesh->triangles[index][k]];
        facet.hasBeyond[k] = mesh->beyond[index][k] >= 0;
        if (facet.hasBeyond[k])
            facet.beyond[k] = mesh->points[mesh->beyond[index][k]];
    }
    return facet;
}

static void visit_leaf(const rvMesh* mesh, const rvMeshNode* node, rvVec3 low, rvVec3 high, rvFacetFn visit,
                       void* context)
{
    for (int i = node->first; i < node->first + node->count; ++i) {
        rvFacet facet = rv_mesh_facet(mesh, i);
        rvVec3 facetLow = rvVec(HUGE_VAL, HUGE_VAL, HUGE_VAL);
        rvVec3 facetHigh = rvVec(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
        for (int k = 0; k < 3; ++k)
            include_point(&facetLow, &facetHigh, facet.corners[k]);
        if (boxes_meet(facetLow, facetHigh, low, high))
            visit(&facet, context);
    }
}

void rv_mesh_visit(const rvMesh* mesh, rvVec3 low, rvVec3 high, rvFacetFn visit, void* context)
{
    int stack[DEPTH]; // the tree halves: far less deep than this for any number of triangles
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const rvMeshNode* node = &mesh->nodes[stack[--depth]];
        if (!boxes_meet(node->low, node->high, low, high))
            continue;
        if (node->count > 0) {
            visit_leaf(mesh, node, low, high, visit, context);
        } else {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
}

static rvVec3 grid_point(const rvHeightField* field, int column, int row)
{
    double x = field->sizeX * ((double)column / (field->columns - 1) - 0.5);
    double y = field->sizeY * ((double)row / (field->rows - 1) - 0.5);
    return rvVec(x, y, field->heights[row * field->columns + column]);
}

// A corner of the grid beyond an edge, where the field has it.
static void set_beyond(const rvHeightField* field, rvFacet* facet, int edgeIndex, int column, int row)
{
    facet->hasBeyond[edgeIndex] = column >= 0 && column < field->columns && row >= 0 && row < field->rows;
    if (facet->hasBeyond[edgeIndex])
        facet->beyond[edgeIndex] = grid_point(field, column, row);
}

// Each cell is cut from its lower left to its upper right corner: the facet to the right of the cut, then the other.
rvFacet rv_height_field_facet(const rvHeightField* field, int index)
{
    int cell = index / 2, i = cell % (field->columns - 1), k = cell / (field->columns - 1);
    rvVec3 p00 = grid_point(field, i, k), p11 = grid_point(field, i + 1, k + 1);
    if (index % 2 == 0) {
        rvFacet right = {.corners = {p00, grid_point(field, i + 1, k), p11}, .index = index};
        set_beyond(field, &right, 0, i, k - 1);
        set_beyond(field, &right, 1, i + 2, k + 1);
        set_beyond(field, &right, 2, i, k + 1);
        return right;
    }
    rvFacet left = {.corners = {p00, p11, grid_point(field, i, k + 1)}, .index = index};
    set_beyond(field, &left, 0, i + 1, k);
    set_beyond(field, &left, 1, i + 1, k + 2);
    set_beyond(field, &left, 2, i - 1, k);
    return left;
}

// Is the ground of a cell, with what is below it, beside low..high?
static bool is_beside(const rvHeightField* field, int i, int k, double low, double high)
{
    const double *a = field->heights + k * field->columns + i, *b = a + field->columns;
    double least = rv_smaller(rv_smaller(a[0], a[1]), rv_smaller(b[0], b[1]));
    double most = rv_larger(rv_larger(a[0], a[1]), rv_larger(b[0], b[1]));
    return low > most || high < least - field->thickness;
}

static void visit_cell(const rvHeightField* field, int i, int k, rvFacetFn visit, void* context)
{
    for (int half = 0; half < 2; ++half) {
        rvFacet facet = rv_height_field_facet(field, 2 * (k * (field->columns - 1) + i) + half);
        visit(&facet, context);
    }
}

static int clamp_cell(double position, double size, int points)
{
    double cell = floor((position / size + 0.5) * (points - 1));
    return cell < 0.0 ? 0 : cell > points - 2 ? points - 2 : (int)cell;
}

void rv_height_field_visit(const rvHeightField* field, rvVec3 low, rvVec3 high, rvFacetFn visit, void* context)
{
    if (low.x > 0.5 * field->sizeX || high.x < -0.5 * field->sizeX || low.y > 0.5 * field->sizeY ||
        high.y < -0.5 * field->sizeY || low.z > field->high || high.z < field->low - field->thickness)
        return;
    int fromX = clamp_cell(low.x, field->sizeX, field->columns), toX = clamp_cell(high.x, field->sizeX, field->columns);
    int fromY = clamp_cell(low.y, field->sizeY, field->rows), toY = clamp_cell(high.y, field->sizeY, field->rows);
    for (int k = fromY; k <= toY; ++k)
        for (int i = fromX; i <= toX; ++i)
            if (!is_beside(field, i, k, low.z, high.z))
                visit_cell(field, i, k, visit, context);
}
