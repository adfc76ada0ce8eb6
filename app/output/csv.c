// SPDX-License-Identifier: MIT
// results.csv. Twelve digits: enough to compare runs by, short enough to read.
#include "output/csv.h"

#include <stdlib.h>

bool rv_csv_open(rvCsv* csv, const char* path, const rvScene* scene)
{
    csv->columns = rvScene_GetOutputCount(scene);
    csv->rows = 0;
    csv->values = malloc(((size_t)csv->columns + 1) * sizeof *csv->values);
    csv->file = csv->values ? fopen(path, "w") : NULL;
    if (!csv->file) {
        free(csv->values);
        return false;
    }
    fputs("time", csv->file);
    for (int i = 0; i < csv->columns; ++i)
        fprintf(csv->file, ",%s", rvScene_GetOutputName(scene, i));
    fputs("\ns", csv->file);
    for (int i = 0; i < csv->columns; ++i) {
        const char* unit = rvScene_GetOutputUnit(scene, i);
        fprintf(csv->file, ",%s", *unit ? unit : "1");
    }
    fputc('\n', csv->file);
    return true;
}

void rv_csv_add(rvCsv* csv, const rvScene* scene, const rvWorld* world, double time)
{
    rvScene_Evaluate(scene, world, csv->values, csv->columns);
    fprintf(csv->file, "%.12g", time);
    for (int i = 0; i < csv->columns; ++i)
        fprintf(csv->file, ",%.12g", csv->values[i]);
    fputc('\n', csv->file);
    csv->rows++;
}

bool rv_csv_close(rvCsv* csv)
{
    bool good = !ferror(csv->file);
    good = fclose(csv->file) == 0 && good;
    free(csv->values);
    return good;
}
