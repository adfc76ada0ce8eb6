// SPDX-License-Identifier: MIT
#include "output/sections.h"

enum { PARTS = 100 }; // of a cable, by rest length

static void write_cable(FILE* file, const rvWorld* world, rvCableId id)
{
    double length = rvCable_GetRestLength(world, id);
    for (int i = 0; i <= PARTS; ++i) {
        rvCableSection s;
        if (!rvCable_GetSection(world, id, length * i / PARTS, &s))
            continue;
        const double values[] = {s.at,      s.point.x,  s.point.y,  s.point.z,   s.force.x, s.force.y,
                                 s.force.z, s.couple.x, s.couple.y, s.couple.z,  s.tension, s.shear,
                                 s.moment,  s.torque,   s.strain,   s.curvature, s.torsion};
        fprintf(file, "%s", rvCable_GetName(world, id));
        for (size_t k = 0; k < sizeof values / sizeof *values; ++k)
            fprintf(file, ",%.12g", values[k]);
        fputc('\n', file);
    }
}

bool rv_sections_write(rvFolder* folder, const rvScene* scene, const rvWorld* world)
{
    rvFile file;
    if (!rv_folder_begin(folder, "sections.csv", &file))
        return false;
    fputs("cable,at,point.x,point.y,point.z,inner_force.x,inner_force.y,inner_force.z,couple.x,couple.y,couple.z,"
          "tension,shear,moment,twist_torque,strain,curvature,torsion\n"
          "1,m,m,m,m,N,N,N,N m,N m,N m,N,N,N m,N m,1,1/m,rad/m\n",
          file.out);
    for (int c = 0; c < rvScene_GetCableCount(scene); ++c)
        write_cable(file.out, world, rvScene_GetCable(scene, c));
    return rv_file_close(&file, true);
}
