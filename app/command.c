// SPDX-License-Identifier: MIT
// What the commands share: scenes from files, exit codes, names of folders.
#include "command.h"
#include "sweep/study.h"

#include "reeve/reference.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int rv_exit_code(rvStatus status)
{
    switch (status) {
    case RV_OK:
        return RV_EXIT_OK;
    case RV_IO:
        return RV_EXIT_IO;
    case RV_DIVERGED:
        return RV_EXIT_DIVERGED;
    case RV_NO_MEMORY:
        return RV_EXIT_MEMORY;
    default:
        return RV_EXIT_SCENE;
    }
}

// Where the field of a line begins, behind "file:line:column: "; what is given by --set has the value as its file,
// which may have colons too.
static int field_in(const char* line, size_t length)
{
    for (const char* at = strstr(line, ": "); at && at < line + length; at = strstr(at + 2, ": ")) {
        const char* number = at;
        int colons = 0;
        while (number > line && (isdigit((unsigned char)number[-1]) || (number[-1] == ':' && number < at)))
            colons += *--number == ':';
        if (colons >= 2)
            return (int)(at + 2 - line);
    }
    return 0;
}

// file:line:column: warning: field: what, as compilers write it.
static void print_warnings(const char* lines)
{
    for (const char* line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        int place = field_in(line, length);
        fprintf(stderr, "%.*swarning: %.*s\n", place, line, (int)length - place, line + place);
        line += length + (line[length] == '\n');
    }
}

// A pipe can be read once only.
static bool is_device(const char* path)
{
    struct stat status;
    return stat(path, &status) != 0 || !S_ISREG(status.st_mode);
}

static int load_quietly(const char* path, char* const* sets, int setCount)
{
    char error[8192] = "";
    rvScene* scene = NULL;
    rvStatus status = rvScene_LoadFile(path, NULL, &scene, error, sizeof error);
    if (status == RV_OK && setCount > 0)
        status = rvScene_SetAll(scene, (const char* const*)sets, setCount, error, sizeof error);
    rvScene_Destroy(scene);
    return rv_exit_code(status);
}

// libfyaml crashes where it gets no memory. So a child reads the scene first; if it dies, this program says so and ends
// as where memory is missing. Where there can be no child, the scene is read without.
static bool child_can_read(const char* path, char* const* sets, int setCount)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(load_quietly(path, sets, setCount));
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child <= 0 || !WIFSIGNALED(status))
        return true;
    fprintf(stderr, "%s: out of memory: reading it ended with signal %d\n", path, WTERMSIG(status));
    return false;
}

int rv_load_scene(const char* path, char* const* sets, int setCount, rvScene** scene)
{
    char error[8192] = "";
    *scene = NULL;
    if (!is_device(path) && !child_can_read(path, sets, setCount))
        return RV_EXIT_MEMORY;
    rvStatus status = rvScene_LoadFile(path, NULL, scene, error, sizeof error);
    if (status == RV_OK)
        rvScene_SetReference(*scene, rvReference_GetMethods());
    if (status == RV_OK && setCount > 0)
        status = rvScene_SetAll(*scene, (const char* const*)sets, setCount, error, sizeof error);
    if (status == RV_OK) {
        if (rvScene_GetWarnings(*scene, error, sizeof error) > 0)
            print_warnings(error);
        return RV_EXIT_OK;
    }
    if (rv_exit_code(status) == RV_EXIT_SCENE && rv_study_is_one(path))
        fprintf(stderr, "%s: is a parameter study, not a scene: `reeve sweep` runs it\n", path);
    else
        fprintf(stderr, "%s\n", error);
    rvScene_Destroy(*scene);
    *scene = NULL;
    return rv_exit_code(status);
}

rvStatus rv_load_template(const rvTemplate* template, rvScene** scene, char* error, size_t capacity)
{
    rvStatus status =
        rvScene_LoadText((const char*)template->text, template->size, template->name, NULL, scene, error, capacity);
    if (status == RV_OK)
        rvScene_SetReference(*scene, rvReference_GetMethods());
    return status;
}

// A bulge names where a cable bends to at the start; at rest it may lie on the other side of its chord.
static bool bends_away(const rvWorld* world, rvCableId cable)
{
    enum { POINTS = 256 };
    rvVec3 points[POINTS], mean = rvVec(0, 0, 0);
    rvCableDef def;
    if (rvCable_GetDef(world, cable, &def) != RV_OK || !(rvLength(def.bulge) > 0.0))
        return false;
    int count = rvCable_GetShape(world, cable, points, POINTS), known = count < POINTS ? count : POINTS;
    if (known < 3 || count > POINTS)
        return false;
    rvVec3 chord = rvSub(points[known - 1], points[0]);
    double length = 0.0, square = rvDot(chord, chord);
    for (int i = 1; i < known; ++i) {
        length += rvDistance(points[i - 1], points[i]);
        mean = rvMulAdd(mean, 1.0 / (known - 1), rvSub(points[i], points[0]));
    }
    if (square > 0.0)
        mean = rvMulAdd(mean, -rvDot(mean, chord) / square, chord);
    return rvDot(mean, def.bulge) < -1e-3 * length * rvLength(def.bulge); // what is straight bends nowhere
}

// Do all places lie in one plane?
static bool is_flat(const rvWorld* world, rvCableId cable)
{
    int count = rvCable_GetPlaceCount(world, cable);
    rvVec3 first = rvCable_GetPlacePoint(world, cable, 0), line = {0, 0, 0}, normal = {0, 0, 0};
    double off = 0.0;
    for (int pass = 0; pass < 3; ++pass)
        for (int i = 1; i < count; ++i) {
            rvVec3 d = rvSub(rvCable_GetPlacePoint(world, cable, i), first);
            if (pass == 0 && rvLength(d) > rvLength(line))
                line = d;
            else if (pass == 1 && rvLength(rvCross(line, d)) > rvLength(normal))
                normal = rvCross(line, d);
            else if (pass == 2)
                off = fmax(off, fabs(rvDot(rvNormalizeOr(normal, rvVec(0, 0, 0)), d)));
        }
    return off <= 1e-3 * rvLength(line);
}

// A curve in a plane that its bodies may leave: they hold it alone, and nothing holds them.
static bool floats_in_a_plane(const rvWorld* world, rvCableId cable)
{
    rvCableDef def;
    if (rvCable_GetDef(world, cable, &def) != RV_OK || def.model != RV_CABLE_CURVE || def.torsionalStiffness > 0.0 ||
        def.torsion != 0.0 || rvLength(def.plane) > 0.0)
        return false;
    for (int i = 0; i < rvCable_GetPlaceCount(world, cable); ++i)
        if (rvBody_GetType(world, rvCable_GetPlaceBody(world, cable, i)) != RV_BODY_DYNAMIC)
            return false;
    return is_flat(world, cable);
}

void rv_warn_of_starts(const char* path, const rvScene* scene, rvWorld* world)
{
    for (int i = 0; i < rvScene_GetCableCount(scene); ++i) {
        rvCableDepth in;
        if (bends_away(world, rvScene_GetCable(scene, i)))
            fprintf(stderr,
                    "%s: warning: cables.%s.bulge: it would not stay there at rest, and begins on the other side\n",
                    path, rvScene_GetCableName(scene, i));
        if (floats_in_a_plane(world, rvScene_GetCable(scene, i)))
            fprintf(stderr,
                    "%s: warning: cables.%s: lies in a plane, which the bodies that hold it may leave: then the run "
                    "ends. With `GJ` it is in space\n",
                    path, rvScene_GetCableName(scene, i));
        if (!rvCable_GetDepth(world, rvScene_GetCable(scene, i), &in))
            continue;
        fprintf(stderr,
                "%s: warning: cables.%s: begins %.3g m inside shape '%s' of body '%s', at [%.4g, %.4g, %.4g]: it is "
                "pressed out, or caught there\n",
                path, rvScene_GetCableName(scene, i), in.depth, rvShape_GetName(world, in.shape),
                rvBody_GetName(world, rvShape_GetBody(world, in.shape)), in.point.x, in.point.y, in.point.z);
    }
}

int rv_usage(const char* command, const char* format, ...)
{
    va_list arguments;
    fprintf(stderr, "reeve %s: ", command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry `reeve help %s`.\n", command);
    return RV_EXIT_USAGE;
}

int rv_usage_option(const char* command, int answer, char** argv)
{
    const char* text = argv[optind - 1];
    if (answer == ':')
        return rv_usage(command, "%s: expected a value after it", text);
    if (strncmp(text, "--", 2) != 0)
        return rv_usage(command, "there is no option -%c", optopt);
    return rv_usage(command, strchr(text, '=') && optopt ? "%s: takes no value" : "there is no option %s", text);
}

void rv_default_folder(const char* scenePath, char* folder, size_t capacity)
{
    const char* slash = strrchr(scenePath, '/');
    const char* name = slash ? slash + 1 : scenePath;
    size_t length = strcspn(name, ".");
    snprintf(folder, capacity, "out/%.*s", (int)length, name);
}
