// SPDX-License-Identifier: MIT
// VTK's XML PolyData, as text. Part 0 of a time holds the cables (cell data: tension, cable), part 1 the bodies (cell
// data: body). The numbers count as the scene does.
#include "vtk.h"

#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] = "<?xml version=\"1.0\"?>\n"
                           "<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\"><PolyData>\n";
static const char TAIL[] = "</Piece></PolyData></VTKFile>\n";

static bool make_parts(rvVtk* vtk, const rvScene* scene)
{
    int count = 0;
    for (int body = 0; body < rvScene_GetBodyCount(scene); ++body)
        count += rvScene_GetShapeCount(scene, body);
    vtk->parts = calloc((size_t)count + 1, sizeof *vtk->parts);
    if (!vtk->parts)
        return false;
    for (int body = 0; body < rvScene_GetBodyCount(scene); ++body) {
        for (int shape = 0; shape < rvScene_GetShapeCount(scene, body); ++shape) {
            rvVtkPart* part = &vtk->parts[vtk->partCount];
            part->body = body;
            if (!rv_surface_make(&part->surface, rvScene_GetShape(scene, body, shape)))
                return false;
            vtk->partCount++;
        }
    }
    return true;
}

static void release_parts(rvVtk* vtk)
{
    for (int i = 0; i < vtk->partCount; ++i)
        rv_surface_release(&vtk->parts[i].surface);
    free(vtk->parts);
}

bool rv_vtk_open(rvVtk* vtk, const char* folder, const rvScene* scene)
{
    memset(vtk, 0, sizeof *vtk);
    char path[1100];
    if (snprintf(vtk->folder, sizeof vtk->folder, "%s/vtk", folder) >= (int)sizeof vtk->folder) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (!rv_make_folders(vtk->folder))
        return false;
    snprintf(path, sizeof path, "%s/scene.pvd", folder);
    bool made = make_parts(vtk, scene);
    vtk->index = made ? fopen(path, "w") : NULL;
    if (!vtk->index) {
        release_parts(vtk);
        return false;
    }
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\"><Collection>\n", vtk->index);
    return true;
}

static void open_array(FILE* file, const char* type, const char* name, int components)
{
    fprintf(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", type, name,
            components);
}

static void close_array(FILE* file)
{
    fputs("\n</DataArray>\n", file);
}

static void put_point(FILE* file, rvVec3 p)
{
    fprintf(file, "%.7g %.7g %.7g\n", p.x, p.y, p.z);
}

static int cable_points(const rvScene* scene, const rvWorld* world, int cable)
{
    rvCableId id = rvScene_GetCable(scene, cable);
    return rvCable_IsBroken(world, id) ? 0 : rvCable_GetPlaceCount(world, id);
}

// A line for each span, so that each shows its own tension. A broken cable is not drawn.
static void write_cables(FILE* file, const rvScene* scene, const rvWorld* world)
{
    int points = 0, lines = 0, cables = rvScene_GetCableCount(scene);
    for (int c = 0; c < cables; ++c) {
        int count = cable_points(scene, world, c);
        points += count;
        lines += count > 0 ? count - 1 : 0;
    }
    fprintf(file,
            "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"0\">\n<Points>",
            points, lines);
    open_array(file, "Float64", "points", 3);
    for (int c = 0; c < cables; ++c)
        for (int i = 0; i < cable_points(scene, world, c); ++i)
            put_point(file, rvCable_GetPlacePoint(world, rvScene_GetCable(scene, c), i));
    close_array(file);
    fputs("</Points>\n<Lines>", file);
    open_array(file, "Int32", "connectivity", 1);
    for (int c = 0, first = 0; c < cables; first += cable_points(scene, world, c), ++c)
        for (int i = 0; i + 1 < cable_points(scene, world, c); ++i)
            fprintf(file, "%d %d ", first + i, first + i + 1);
    close_array(file);
    open_array(file, "Int32", "offsets", 1);
    for (int i = 1; i <= lines; ++i)
        fprintf(file, "%d ", 2 * i);
    close_array(file);
    fputs("</Lines>\n<CellData Scalars=\"tension\">", file);
    open_array(file, "Float64", "tension", 1);
    for (int c = 0; c < cables; ++c)
        for (int i = 0; i + 1 < cable_points(scene, world, c); ++i)
            fprintf(file, "%.7g ", rvCable_GetTension(world, rvScene_GetCable(scene, c), i));
    close_array(file);
    open_array(file, "Int32", "cable", 1);
    for (int c = 0; c < cables; ++c)
        for (int i = 0; i + 1 < cable_points(scene, world, c); ++i)
            fprintf(file, "%d ", c);
    close_array(file);
    fputs("</CellData>\n", file);
}

static void write_bodies(FILE* file, const rvVtk* vtk, const rvScene* scene, const rvWorld* world)
{
    int points = 0, triangles = 0;
    for (int i = 0; i < vtk->partCount; ++i) {
        points += vtk->parts[i].surface.pointCount;
        triangles += vtk->parts[i].surface.triangleCount;
    }
    fprintf(file,
            "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"%d\">\n<Points>",
            points, triangles);
    open_array(file, "Float64", "points", 3);
    for (int i = 0; i < vtk->partCount; ++i) {
        rvPose pose = rvBody_GetPose(world, rvScene_GetBody(scene, vtk->parts[i].body));
        for (int k = 0; k < vtk->parts[i].surface.pointCount; ++k)
            put_point(file, rvPosePoint(pose, vtk->parts[i].surface.points[k]));
    }
    close_array(file);
    fputs("</Points>\n<Polys>", file);
    open_array(file, "Int32", "connectivity", 1);
    for (int i = 0, first = 0; i < vtk->partCount; first += vtk->parts[i].surface.pointCount, ++i)
        for (int k = 0; k < 3 * vtk->parts[i].surface.triangleCount; ++k)
            fprintf(file, "%d ", first + vtk->parts[i].surface.triangles[k]);
    close_array(file);
    open_array(file, "Int32", "offsets", 1);
    for (int i = 1; i <= triangles; ++i)
        fprintf(file, "%d ", 3 * i);
    close_array(file);
    fputs("</Polys>\n<CellData Scalars=\"body\">", file);
    open_array(file, "Int32", "body", 1);
    for (int i = 0; i < vtk->partCount; ++i)
        for (int k = 0; k < vtk->parts[i].surface.triangleCount; ++k)
            fprintf(file, "%d ", vtk->parts[i].body);
    close_array(file);
    fputs("</CellData>\n", file);
}

static void keep_error(rvVtk* vtk)
{
    if (!vtk->failed)
        vtk->error = errno;
    vtk->failed = true;
}

void rv_vtk_add(rvVtk* vtk, const rvScene* scene, const rvWorld* world, double time)
{
    static const char* const names[] = {"cables", "bodies"};
    for (int part = 0; part < 2; ++part) {
        char path[1100];
        snprintf(path, sizeof path, "%s/%s_%05d.vtp", vtk->folder, names[part], vtk->frames);
        FILE* file = fopen(path, "w");
        if (!file) {
            keep_error(vtk);
            return;
        }
        fputs(HEAD, file);
        if (part == 0)
            write_cables(file, scene, world);
        else
            write_bodies(file, vtk, scene, world);
        fputs(TAIL, file);
        bool good = !ferror(file);
        if (fclose(file) != 0 || !good)
            keep_error(vtk);
        fprintf(vtk->index, "<DataSet timestep=\"%.9g\" part=\"%d\" name=\"%s\" file=\"vtk/%s_%05d.vtp\"/>\n", time,
                part, names[part], names[part], vtk->frames);
    }
    vtk->frames++;
}

bool rv_vtk_close(rvVtk* vtk)
{
    fputs("</Collection></VTKFile>\n", vtk->index);
    bool good = !ferror(vtk->index);
    if (fclose(vtk->index) != 0 || !good)
        keep_error(vtk);
    release_parts(vtk);
    if (vtk->failed)
        errno = vtk->error;
    return !vtk->failed;
}
