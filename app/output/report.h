// SPDX-License-Identifier: MIT
// A run as one HTML file that needs no network: key figures, plots, events, the final picture.
#pragma once

#include "output/summary.h"
#include "support/folder.h"

// Reads the samples back from results.csv in the folder. False: errno says why.
bool rv_report_write(rvFolder* folder, const rvSummary* summary, const rvScene* scene, const rvWorld* world);
