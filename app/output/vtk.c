// SPDX-License-Identifier: MIT
// VTK's XML PolyData. Part 0 of a time holds the cables (cell data: tension, cable; point data where a cable bends:
// force along it, curvature, moment), part 1 the bodies that move, part 2 those that do not, written once (cell data:
// body). The numbers count as the scene does. Arrays are in base64, each after its size in bytes (UInt32), points in
// single precision: text would be five times as large.
//
// Each file is written whole. scene.pvd names those that are there; it is written again when the number of times has
// grown by a sixteenth, so that a run of n times writes 17 n of its lines in all, and at the end.
#include "output/vtk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] = "<?xml version=\"1.0\"?>\n"
                           "<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\"><PolyData>\n";
static const char TAIL[] = "</Piece></PolyData></VTKFile>\n";

static bool add_parts(rvVtk* vtk, const rvScene* scene, const rvWorld* world, bool fixed)
{
    for (int body = 0; body < rvScene_GetBodyCount(scene); ++body) {
        if ((rvBody_GetType(world, rvScene_GetBody(scene, body)) == RV_BODY_STATIC) != fixed)
            continue;
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

static bool make_room(rvVtk* vtk, const rvScene* scene, const rvWorld* world)
{
    int count = 0;
    for (int body = 0; body < rvScene_GetBodyCount(scene); ++body)
        count += rvScene_GetShapeCount(scene, body);
    vtk->parts = calloc((size_t)count + 1, sizeof *vtk->parts);
    vtk->lineCount = rvScene_GetCableCount(scene);
    vtk->lines = calloc((size_t)vtk->lineCount + 1, sizeof *vtk->lines);
    if (!vtk->parts || !vtk->lines || !add_parts(vtk, scene, world, false))
        return false;
    vtk->movingCount = vtk->partCount;
    return add_parts(vtk, scene, world, true);
}

static void release_room(rvVtk* vtk)
{
    for (int i = 0; i < vtk->partCount; ++i)
        rv_surface_release(&vtk->parts[i].surface);
    for (int i = 0; vtk->lines && i < vtk->lineCount; ++i)
        rv_rope_line_release(&vtk->lines[i]);
    free(vtk->parts);
    free(vtk->lines);
    free(vtk->spans);
    rv_bytes_release(&vtk->bytes);
    rv_bytes_release(&vtk->index);
}

bool rv_vtk_open(rvVtk* vtk, rvFolder* folder, const rvScene* scene, const rvWorld* world)
{
    memset(vtk, 0, sizeof *vtk);
    vtk->folder = folder;
    if (!make_room(vtk, scene, world)) {
        release_room(vtk);
        errno = ENOMEM;
        return false;
    }
    if (rv_folder_make(folder, "vtk/"))
        return true;
    release_room(vtk);
    return false;
}

static void put_base64(FILE* file, const rvBytes* bytes)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes->size; i += 3) {
        size_t left = bytes->size - i;
        const unsigned char* b = bytes->data + i;
        unsigned three = (unsigned)b[0] << 16 | (left > 1 ? (unsigned)b[1] << 8 : 0) | (left > 2 ? b[2] : 0);
        char four[4] = {DIGITS[three >> 18], DIGITS[three >> 12 & 63], left > 1 ? DIGITS[three >> 6 & 63] : '=',
                        left > 2 ? DIGITS[three & 63] : '='};
        fwrite(four, 1, 4, file);
    }
}

// Four bytes a number, `count` numbers.
static void open_array(rvVtk* vtk, const char* type, const char* name, int components, int count)
{
    fprintf(vtk->file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">\n", type, name,
            components);
    vtk->bytes.size = 0;
    rv_bytes_u32(&vtk->bytes, (uint32_t)count * 4);
}

static void close_array(rvVtk* vtk)
{
    put_base64(vtk->file, &vtk->bytes);
    fputs("\n</DataArray>\n", vtk->file);
}

static void put_number(rvVtk* vtk, int number)
{
    rv_bytes_u32(&vtk->bytes, (uint32_t)number);
}

static void put_point(rvVtk* vtk, rvVec3 p)
{
    rv_bytes_f32(&vtk->bytes, p.x);
    rv_bytes_f32(&vtk->bytes, p.y);
    rv_bytes_f32(&vtk->bytes, p.z);
}

static int span_count(const rvScene* scene, const rvWorld* world, int cable)
{
    int places = rvCable_GetPlaceCount(world, rvScene_GetCable(scene, cable));
    return places > 1 ? places - 1 : 0;
}

// The lines of all cables and, for each span, the points from which to which it goes.
static bool fetch_lines(rvVtk* vtk, const rvScene* scene, const rvWorld* world, int* points, int* spans)
{
    *points = *spans = 0;
    for (int c = 0; c < rvScene_GetCableCount(scene); ++c) {
        if (!rv_rope_line_fetch(&vtk->lines[c], world, rvScene_GetCable(scene, c)))
            return false;
        *points += vtk->lines[c].count;
        *spans += vtk->lines[c].count > 1 ? span_count(scene, world, c) : 0;
    }
    if (*spans > 0 && *spans > vtk->spanCapacity) {
        rvVtkSpan* more = realloc(vtk->spans, 2 * (size_t)*spans * sizeof *more);
        if (!more)
            return false;
        vtk->spans = more;
        vtk->spanCapacity = 2 * *spans;
    }
    rvVtkSpan* span = vtk->spans;
    for (int c = 0, first = 0; c < rvScene_GetCableCount(scene); first += vtk->lines[c].count, ++c) {
        rvCableId id = rvScene_GetCable(scene, c);
        int count = vtk->lines[c].count > 1 ? span_count(scene, world, c) : 0;
        for (int i = 0, at = 0; i < count; ++i, ++span) {
            int next =
                i + 1 < count ? rv_rope_line_begin(&vtk->lines[c], world, id, i + 1, at) : vtk->lines[c].count - 1;
            *span = (rvVtkSpan){c, first + at, first + next, rvCable_GetTension(world, id, i)};
            at = next;
        }
    }
    return true;
}

// What cables that bend carry at their points, 0 for others; nothing where no cable does.
static bool write_sections(rvVtk* vtk, const rvScene* scene, const rvWorld* world, int points)
{
    static const char* const NAMES[3] = {"force", "curvature", "moment"};
    int most = 0;
    for (int c = 0; c < rvScene_GetCableCount(scene); ++c)
        most = (int)fmax(most, rvCable_GetSections(world, rvScene_GetCable(scene, c), NULL, 0));
    if (most == 0)
        return true;
    rvCableSection* sections = calloc((size_t)most, sizeof *sections);
    if (!sections)
        return false;
    fputs("<PointData>", vtk->file);
    for (int k = 0; k < 3; ++k) {
        open_array(vtk, "Float32", NAMES[k], 1, points);
        for (int c = 0; c < rvScene_GetCableCount(scene); ++c) {
            int count = rvCable_GetSections(world, rvScene_GetCable(scene, c), sections, most);
            for (int i = 0; i < vtk->lines[c].count; ++i) {
                rvCableSection s = count == vtk->lines[c].count ? sections[i] : (rvCableSection){0};
                rv_bytes_f32(&vtk->bytes, k == 0 ? s.tension : k == 1 ? s.curvature : s.moment);
            }
        }
        close_array(vtk);
    }
    fputs("</PointData>\n", vtk->file);
    free(sections);
    return true;
}

// A line for each span, so that each shows its own tension.
static bool write_cables(rvVtk* vtk, const rvScene* scene, const rvWorld* world)
{
    int points, spans, links = 0;
    if (!fetch_lines(vtk, scene, world, &points, &spans))
        return false;
    for (int i = 0; i < spans; ++i)
        links += vtk->spans[i].last - vtk->spans[i].first + 1;
    fprintf(vtk->file,
            "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"0\">\n<Points>",
            points, spans);
    open_array(vtk, "Float32", "points", 3, 3 * points);
    for (int c = 0; c < rvScene_GetCableCount(scene); ++c)
        for (int i = 0; i < vtk->lines[c].count; ++i)
            put_point(vtk, vtk->lines[c].points[i]);
    close_array(vtk);
    fputs("</Points>\n<Lines>", vtk->file);
    open_array(vtk, "Int32", "connectivity", 1, links);
    for (int i = 0; i < spans; ++i)
        for (int k = vtk->spans[i].first; k <= vtk->spans[i].last; ++k)
            put_number(vtk, k);
    close_array(vtk);
    open_array(vtk, "Int32", "offsets", 1, spans);
    for (int i = 0, end = 0; i < spans; ++i)
        put_number(vtk, end += vtk->spans[i].last - vtk->spans[i].first + 1);
    close_array(vtk);
    fputs("</Lines>\n<CellData Scalars=\"tension\">", vtk->file);
    open_array(vtk, "Float32", "tension", 1, spans);
    for (int i = 0; i < spans; ++i)
        rv_bytes_f32(&vtk->bytes, vtk->spans[i].tension);
    close_array(vtk);
    open_array(vtk, "Int32", "cable", 1, spans);
    for (int i = 0; i < spans; ++i)
        put_number(vtk, vtk->spans[i].cable);
    close_array(vtk);
    fputs("</CellData>\n", vtk->file);
    return write_sections(vtk, scene, world, points);
}

static bool write_bodies(rvVtk* vtk, const rvScene* scene, const rvWorld* world, bool fixed)
{
    int points = 0, triangles = 0, first = 0, from = 0, to = vtk->partCount;
    *(fixed ? &from : &to) = vtk->movingCount;
    for (int i = from; i < to; ++i) {
        points += vtk->parts[i].surface.pointCount;
        triangles += vtk->parts[i].surface.triangleCount;
    }
    fprintf(vtk->file,
            "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"%d\">\n<Points>",
            points, triangles);
    open_array(vtk, "Float32", "points", 3, 3 * points);
    for (int i = from; i < to; ++i) {
        rvPose pose = rvBody_GetPose(world, rvScene_GetBody(scene, vtk->parts[i].body));
        for (int k = 0; k < vtk->parts[i].surface.pointCount; ++k)
            put_point(vtk, rvPosePoint(pose, vtk->parts[i].surface.points[k]));
    }
    close_array(vtk);
    fputs("</Points>\n<Polys>", vtk->file);
    open_array(vtk, "Int32", "connectivity", 1, 3 * triangles);
    for (int i = from; i < to; first += vtk->parts[i].surface.pointCount, ++i)
        for (int k = 0; k < 3 * vtk->parts[i].surface.triangleCount; ++k)
            put_number(vtk, first + vtk->parts[i].surface.triangles[k]);
    close_array(vtk);
    open_array(vtk, "Int32", "offsets", 1, triangles);
    for (int i = 1; i <= triangles; ++i)
        put_number(vtk, 3 * i);
    close_array(vtk);
    fputs("</Polys>\n<CellData Scalars=\"body\">", vtk->file);
    open_array(vtk, "Int32", "body", 1, triangles);
    for (int i = from; i < to; ++i)
        for (int k = 0; k < vtk->parts[i].surface.triangleCount; ++k)
            put_number(vtk, vtk->parts[i].body);
    close_array(vtk);
    fputs("</CellData>\n", vtk->file);
    return true;
}

static bool write_part(rvVtk* vtk, const rvScene* scene, const rvWorld* world, int part)
{
    fputs(HEAD, vtk->file);
    bool good = part == 0 ? write_cables(vtk, scene, world) : write_bodies(vtk, scene, world, part == 2);
    fputs(TAIL, vtk->file);
    if (good && !vtk->bytes.failed)
        return true;
    errno = ENOMEM; // what the disk refuses is known to the file
    return false;
}

static bool write_index(rvVtk* vtk)
{
    rvFile file;
    if (!rv_folder_begin(vtk->folder, "scene.pvd", &file))
        return false;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\"><Collection>\n", file.out);
    fwrite(vtk->index.data, 1, vtk->index.size, file.out);
    fputs("</Collection></VTKFile>\n", file.out);
    vtk->indexedFrames = vtk->frames;
    return rv_file_close(&file, true);
}

bool rv_vtk_add(rvVtk* vtk, const rvScene* scene, const rvWorld* world, double time)
{
    static const char* const names[] = {"cables", "bodies", "fixed"};
    int count = vtk->movingCount < vtk->partCount ? 3 : 2;
    for (int part = 0; part < count; ++part) {
        char name[64];
        int frame = part == 2 ? 0 : vtk->frames;
        snprintf(name, sizeof name, "vtk/%s_%05d.vtp", names[part], frame);
        rv_bytes_printf(&vtk->index, "<DataSet timestep=\"%.9g\" part=\"%d\" name=\"%s\" file=\"%s\"/>\n", time, part,
                        names[part], name);
        if (frame < vtk->frames)
            continue;
        rvFile file;
        if (!rv_folder_begin(vtk->folder, name, &file))
            return false;
        vtk->file = file.out;
        if (!rv_file_close(&file, write_part(vtk, scene, world, part)))
            return false;
    }
    vtk->frames++;
    if (vtk->index.failed) {
        errno = ENOMEM;
        return false;
    }
    return vtk->frames <= vtk->indexedFrames + vtk->indexedFrames / 16 || write_index(vtk);
}

bool rv_vtk_close(rvVtk* vtk)
{
    bool good = vtk->indexedFrames == vtk->frames || write_index(vtk);
    release_room(vtk);
    return good;
}
