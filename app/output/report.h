// SPDX-License-Identifier: MIT
// A run as one HTML file that needs no network: key figures, plots, events, the final picture.
#pragma once

#include "output/summary.h"

// Reads the samples back from `csvPath`. False: errno says why.
bool rv_report_write(const char* path, const char* csvPath, const rvSummary* summary, const rvScene* scene,
                     const rvWorld* world);
