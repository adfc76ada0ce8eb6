// SPDX-License-Identifier: MIT
// results.csv. Twelve digits: enough to compare runs by, short enough to read.
#include "output/csv.h"

#include <errno.h>
#include <stdlib.h>

static bool write_head(rvCsv* csv, const rvScene* scene)
{
    FILE* out = csv->file.out;
    fputs("time", out);
    for (int i = 0; i < csv->columns; ++i)
        fprintf(out, ",%s", rvScene_GetOutputName(scene, i));
    fputs("\ns", out);
    for (int i = 0; i < csv->columns; ++i) {
        const char* unit = rvScene_GetOutputUnit(scene, i);
        fprintf(out, ",%s", *unit ? unit : "1");
    }
    fputc('\n', out);
    return rv_file_end_row(&csv->file);
}

bool rv_csv_open(rvCsv* csv, rvFolder* folder, const rvScene* scene)
{
    csv->columns = rvScene_GetOutputCount(scene);
    csv->rows = 0;
    csv->values = malloc(((size_t)csv->columns + 1) * sizeof *csv->values);
    if (csv->values && rv_folder_begin(folder, "results.csv", &csv->file)) {
        if (write_head(csv, scene))
            return true;
        rv_file_close(&csv->file, false);
    }
    free(csv->values);
    return false;
}

bool rv_csv_add(rvCsv* csv, const rvScene* scene, const rvWorld* world, double time)
{
    errno = 0;
    rvScene_Evaluate(scene, world, csv->values, csv->columns);
    if (errno == ENOMEM)
        return false;
    fprintf(csv->file.out, "%.12g", time);
    for (int i = 0; i < csv->columns; ++i)
        fprintf(csv->file.out, ",%.12g", csv->values[i]);
    fputc('\n', csv->file.out);
    bool written = rv_file_end_row(&csv->file);
    csv->rows += written;
    return written;
}

bool rv_csv_close(rvCsv* csv)
{
    free(csv->values);
    return rv_file_close(&csv->file, true);
}
